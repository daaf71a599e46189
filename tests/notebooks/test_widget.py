"""The widget's traits, and what they refuse; the explorer's controls, for every operator."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys

import numpy as np
import pytest

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.picture.files import script_version
from tests.limits import WIDGET_PLAYER, WIDGET_STATE
from tests.notebooks.test_notebook import ROOT

pytest.importorskip("anywidget", reason="pip install -r requirements-dev.txt")
X = np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3)


@pytest.fixture
def tiled():
    return dmlviz.run(dmlviz.Tile((1, 1, 3, 3)), X)


def test_the_first_values_are_those_given(tiled):
    widget = dmlviz.widget(tiled, step=2, pinned=[3, np.int64(7)], selected=np.int32(5))
    assert (widget.step, widget.playing, widget.pinned, widget.selected) == (2, False, (3, 7), 5)
    assert all(type(pin) is int for pin in widget.pinned)
    assert (dmlviz.widget(tiled).step, dmlviz.widget(tiled).selected) == (0, None)


WRONG = (
    ("step", 6, "step: 6 is invalid; it must be a whole number from 0 to 5."),
    ("step", -1, "step: -1 is invalid; it must be a whole number from 0 to 5."),
    ("step", 1.5, "step: 1.5 is invalid; it must be a whole number from 0 to 5."),
    ("pinned", [54], "pinned: 54 is invalid; an element of the output is a whole number from 0 to"),
    ("pinned", [1, 1], r"pinned: \(1, 1\) is invalid; it must be up to 6 different elements"),
    ("pinned", list(range(7)), "it must be up to 6 different elements"),
    ("selected", True, "selected: True is invalid; an element of the output is a whole number"),
    ("selected", "0", 'selected: "0" is invalid'),
    ("playing", "yes", "'playing' trait"),
    ("pinned", 3, "'pinned' trait"),
)


@pytest.mark.parametrize(("trait", "value", "words"), WRONG)
def test_wrong_values_change_nothing(tiled, trait, value, words):
    import traitlets

    widget = dmlviz.widget(tiled, step=1, pinned=[2], selected=3)
    before = getattr(widget, trait)
    with pytest.raises(traitlets.TraitError, match=words):
        setattr(widget, trait, value)
    assert getattr(widget, trait) == before


def test_another_run_keeps_what_it_has_room_for(tiled):
    widget = dmlviz.widget(tiled, step=5, pinned=[3, 50], selected=50)
    widget.show(dmlviz.run(dmlviz.Tile((1, 1, 1, 2)), X))
    assert (widget.step, widget.pinned, widget.selected) == (2, (3,), None)
    widget.show(tiled)
    assert widget.step == 5
    large = dmlviz.run(dmlviz.Tile((1, 1, 128, 128)), X)
    with pytest.raises(dmlviz.TooLarge):
        widget.show(large)
    assert widget.trace is tiled
    assert widget.step == 5


def test_its_state_is_small_and_the_player_is_sent_on_request(tiled, monkeypatch):
    widget = dmlviz.widget(tiled)
    assert sum(len(str(value)) for value in widget.get_state().values()) < WIDGET_STATE
    sent = []
    monkeypatch.setattr(widget, "send", lambda content, buffers: sent.append((content, buffers)))
    widget._handle_custom_msg({"ask": "other"}, [])
    assert sent == []
    widget._handle_custom_msg({"ask": "player"}, [])
    [(content, [packed])] = sent
    assert content == {"player": script_version()}
    assert len(packed) < WIDGET_PLAYER
    assert gzip.decompress(packed).endswith(b"export { plotly };\n")


def test_without_anywidget_it_says_what_to_install():
    code = (
        "import sys; sys.modules['anywidget'] = None\n"
        "import dmlviz\n"
        "try: dmlviz.explore(dmlviz.Tile, [1])\n"
        "except ModuleNotFoundError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == (
        'anywidget is not installed; run pip install "dmlviz[notebook]".'
    )


def rows(explorer):
    """The rows that an explorer's page draws."""
    return [field for group in json.loads(explorer._form) for field in group["fields"]]


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_every_operator_can_be_explored(cls):
    example = cls.examples()[0]
    explorer = dmlviz.explore(cls, example.x)
    assert explorer.operator == example.operator
    assert explorer.problem == ""
    form = rows(explorer)
    used = [one.name for one in cls.parameters() if one.used(example.operator.settings)]
    assert [field["name"] for field in form] == used
    for field in form:
        name, before, shown = field["name"], explorer.settings[field["name"]], explorer._payload
        assert len(field["controls"]) == (len(before) if field["ranked"] else 1)
        for k, part in enumerate(field["controls"]):
            value = before[k] if field["ranked"] else before
            others = [n for n in part.get("options", ()) if n != value]
            if "most" in part:
                assert part["least"] <= value <= part["most"]
                others = [value + 1 if value < part["most"] else value - 1]
            for other in others:
                changed = [*before[:k], other, *before[k + 1 :]] if field["ranked"] else other
                explorer.settings = {name: changed}
                assert explorer.settings[name] == changed
                # a refused setting leaves the picture; one that is taken is shown
                assert explorer.problem == "" or explorer._payload == shown
                explorer.settings = {name: before}
                assert explorer.problem == ""
                assert explorer.operator == example.operator


SHAPES = ((6,), (2, 3), (4, 4), (2, 2, 3), (1, 1, 2, 3), (1, 4, 2, 2), (2, 4, 4, 4))


@pytest.mark.parametrize(
    "cls", [cls for cls in OPERATORS if len(cls.input_slots) == 1], ids=lambda cls: cls.key
)
def test_it_opens_with_something_that_moves(cls):
    opened = 0
    for shape in SHAPES:
        x = np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape)
        try:
            trace = dmlviz.explore(cls, x).trace
        except dmlviz.Error:
            continue
        opened += 1
        outputs = trace.outputs.values()
        # one tensor alone has nothing to be joined with
        joins = cls.input_slots[0].most
        assert joins or any(y.shape != shape or (y != x).any() for y in outputs), shape
    assert opened


def test_an_image_s_settings_are_those_of_the_last_dimensions():
    assert dmlviz.explore(dmlviz.Tile, X[0, 0]).operator == dmlviz.Tile((3, 3))
    padded = dmlviz.explore(dmlviz.Padding, X[0, 0]).operator
    example = dmlviz.Padding.examples()[0].operator
    assert padded.start_padding == example.start_padding[2:]
    assert padded.end_padding == example.end_padding[2:]


def test_settings_that_were_given_stay_though_nothing_moves():
    explorer = dmlviz.explore(dmlviz.Tile, X, repeats=(1, 1, 1, 1))
    assert explorer.operator == dmlviz.Tile((1, 1, 1, 1))


def test_a_refused_setting_is_one_sentence():
    explorer = dmlviz.explore(dmlviz.Padding, X, start_padding=(0, 0, 0, 1))
    before = explorer.operator
    assert before.start_padding == (0, 0, 0, 1)
    named = [row["name"] for row in rows(explorer)]
    assert "padding_value" in named
    explorer.settings = {"padding_value": "nothing"}
    assert explorer.problem == 'padding_value: "nothing" is not a number.'
    assert explorer.operator is before
    # the text stays where it was typed
    assert ["nothing"] in [row["values"] for row in rows(explorer)]
    explorer.settings = {"padding_value": 2.5}
    assert explorer.settings["padding_value"] == "2.5"
    assert explorer.problem == ""
    assert explorer.operator.padding_value == 2.5
    assert explorer.trace.output.flat[0] == 2.5
    explorer.settings = {"padding_mode": "EDGE"}
    assert [row["name"] for row in rows(explorer)] == [n for n in named if n != "padding_value"]
    assert explorer.trace.output.flat[0] == 1
    assert explorer.step == len(dmlviz.scene(explorer.trace).steps)
    # a value whose row went away is there when the row comes back
    explorer.settings = {"padding_mode": "CONSTANT"}
    assert explorer.operator.padding_value == 2.5


def test_the_page_sends_texts_as_links_have_them():
    explorer = dmlviz.explore(dmlviz.Padding, X)
    explorer.settings = {"start_padding": "0,0,0,1", "end_padding": "0,0,0,0"}
    assert explorer.settings["start_padding"] == [0, 0, 0, 1]
    assert explorer.operator.start_padding == (0, 0, 0, 1)
    explorer.settings = {"end_padding": "0,0,0,x"}
    assert explorer.problem.startswith("end_padding")
    assert explorer.operator.end_padding == (0, 0, 0, 0)


def test_it_begins_with_an_operators_own_settings():
    explorer = dmlviz.explore(dmlviz.Tile((1, 1, 2, 1)), X)
    assert explorer.operator == dmlviz.Tile((1, 1, 2, 1))
    explorer.settings = {"repeats": (1, np.int64(1), 2, 4)}
    assert explorer.operator == dmlviz.Tile((1, 1, 2, 4))
    assert explorer.trace.output.shape == (1, 1, 4, 12)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"repeat": (1, 1, 1, 1)}, "repeat is not a setting of Tile; its settings are repeats."),
        (
            {"repeats": (1, 2)},
            r"repeats: \(1, 2\) is invalid; it must be a value such as \[1, 1, 3",
        ),
        ({"repeats": 2}, r"repeats: 2 is invalid; it must be a value such as \[1, 1, 3"),
    ],
)
def test_settings_of_another_form_change_nothing(settings, words):
    import traitlets

    explorer = dmlviz.explore(dmlviz.Tile, X)
    with pytest.raises(traitlets.TraitError, match=words):
        explorer.settings = settings
    assert explorer.settings == {"repeats": [1, 1, 3, 3]}
    explorer.settings = {"repeats": (1, 1, "a", 3)}
    assert explorer.problem.startswith("repeats")
    assert explorer.operator == dmlviz.Tile((1, 1, 3, 3))


@pytest.mark.parametrize(
    ("operator", "settings", "words"),
    [
        (
            dmlviz.Tile,
            {"repeat": (1,)},
            "repeat is not a setting of Tile; its settings are repeats",
        ),
        (dmlviz.Tile, {"repeats": (1,)}, "^repeats: "),
        (3, {}, "operator: 3 is not an operator such as dmlviz.Tile"),
    ],
)
def test_what_cannot_begin_is_an_error(operator, settings, words):
    with pytest.raises(dmlviz.Error, match=words):
        dmlviz.explore(operator, X, **settings)
