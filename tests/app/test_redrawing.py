"""A changed widget redraws only what differs, and the page is the same as after a full run."""

import json
from collections import Counter
from types import SimpleNamespace

import pytest
from streamlit.testing.v1.element_tree import Element

from dmlviz.app import navigation
from dmlviz.app.address import PAGES
from dmlviz.app.outcome import PageOutcome
from dmlviz.app.redrawing import BELOW, QUESTION, SETTINGS, STAGE, TENSORS, _differing
from dmlviz.app.result import _sections
from dmlviz.base import words
from dmlviz.base.words import locale
from dmlviz.states import State
from dmlviz.states.pages import read_page
from tests.app.conftest import SECTIONS

# states that no preset asks a question about
PLAIN = {
    "tile": {"sizes": "1,1,2,3", "values": "count-1", "repeats": "1,1,1,2"},
    "depth_to_space": {"sizes": "1,8,2,3", "values": "count-0", "order": "COLUMN_ROW_DEPTH"},
    "space_to_depth": {"sizes": "1,1,4,6", "values": "count-1", "order": "COLUMN_ROW_DEPTH"},
    "padding": {"sizes": "1,1,3,5", "values": "count-1", "padding_mode": "EDGE"},
    "gather": {"sizes": "7", "values": "count-1"},
    "join": {
        "InputTensors[0].sizes": "1,1,2,3",
        "InputTensors[0].values": "count-1",
        "InputTensors[1].sizes": "1,1,2,3",
        "InputTensors[1].values": "count-on",
    },
    "code": {"code": "x.reshape(3, 4).T", "library": "numpy", "sizes": "x:12"},
}
CHANGES = [
    ("tile", "repeats_3", 5),
    ("tile", "repeats_2", 3),
    ("depth_to_space", "order", "DEPTH_COLUMN_ROW"),
    ("space_to_depth", "order", "DEPTH_COLUMN_ROW"),
    ("padding", "start_padding_3", 4),
    ("padding", "end_padding_2", 2),
    ("padding", "padding_mode", "SYMMETRIC"),
    ("tile", "sizes", "1,1,3,5"),
    ("tile", "data_type", "INT64"),
    ("tile", "feature_level", "6_2"),
    ("padding", "sizes", "1,2,5,5"),
    ("padding", "feature_level", "5_0"),
    ("depth_to_space", "sizes", "1,8,4,3"),
    ("gather", "data_type", "UINT8"),
    ("gather", "IndicesTensor_data_type", "INT64"),
    ("join", "data_type", "INT8"),
    ("code", "data_type", "INT64"),
    ("code", "code", "x.reshape(4, 3).T"),
    ("code", "x_sizes", "2, 6"),
]


def change(session, name, value):
    """Set a widget; whether the stage alone was drawn."""
    session.widget(name).set_value(value).run()
    assert session.exceptions == []
    return not session.at.title


@pytest.mark.parametrize(("page", "name", "value"), CHANGES)
def test_stage_alone_and_then_the_same_page(session, page, name, value):
    session.open(page, sections=False, **PLAIN[page])
    # the block size takes part in what the page asks
    if page == "space_to_depth":
        session.set(sizes="1,1,4,10")
    before, opened = session.stages, dict(session.at.query_params)
    assert change(session, name, value)
    alone, told, words = session.stages, session.told, dict(session.at.query_params)
    assert words != opened
    # a picture is the same at every feature level that has it
    assert (alone != before) == (name != "feature_level")
    assert alone[0]["payload"]["check"] in told[0]
    session.at.run()
    assert session.at.title
    assert session.stages == alone
    assert session.told == told
    assert dict(session.at.query_params) == words
    assert session.widget(name).value == value
    # and it is what its address opens
    assert (
        type(session)().open(page, sections=False, **flat(words)).stages[0]["payload"]
        == (alone[0]["payload"])
    )


def flat(words):
    return {name: text[0] if isinstance(text, list) else text for name, text in words.items()}


def test_one_change_after_the_other(session):
    session.open("tile", sections=False, **PLAIN["tile"])
    for value in (3, 4, 2, 3):
        assert change(session, "repeats_3", value)
        assert session.stages[0]["payload"]["output"]["tensors"][0]["sizes"] == [1, 1, 2, 3 * value]
        # a browser still has the widgets; here they come back with the whole page
        session.at.run()
    assert session.told[1] == "**{1, 1, 2, 3}** becomes **{1, 1, 2, 9}**, FLOAT32"


WIDGETS = ("text_input", "text_area", "selectbox", "number_input", "toggle", "button_group")


def leaves(session):
    parts = (session.at.main, session.at.sidebar)
    return [one for part in parts for one in part if isinstance(one, Element)]


def elements(session, but):
    """What is on the page, without one widget and without the places of files."""
    return Counter(
        (one.type, one.key, one.label, str(one.value), str(getattr(one, "options", "")))
        if one.type in WIDGETS
        else (one.type, one.proto.label if one.type == "download_button" else str(one.proto))
        for one in leaves(session)
        if getattr(one, "key", None) != but
    )


@pytest.mark.parametrize(
    ("page", "words", "name", "value", "keys"),
    [
        # a preset's question goes
        ("tile", {}, "repeats_3", 2, {"preset"}),
        # a preset's question comes
        ("tile", {"repeats": "1,1,3,2"}, "repeats_3", 3, {"preset"}),
        # what is to be predicted is another
        ("tile", {**PLAIN["tile"], "predict": "true"}, "repeats_3", 3, set()),
        # the other setting stays beside it
        (
            "padding",
            {**PLAIN["padding"], "compare": "true", "b_padding_mode": "WRAP"},
            "start_padding_3",
            3,
            set(),
        ),
        # and changes by itself
        (
            "padding",
            {**PLAIN["padding"], "compare": "true", "b_padding_mode": "WRAP"},
            "b_start_padding_3",
            3,
            set(),
        ),
        # a padding value has a widget of its own
        ("padding", PLAIN["padding"], "padding_mode", "CONSTANT", {"feature_level"}),
        # more or fewer widgets
        ("tile", PLAIN["tile"], "sizes", "2,3", {"feature_level"}),
        # settings follow the sizes
        ("slice", {"sizes": "1,1,4,6", "values": "count-1"}, "sizes", "1,1,3,2", {"feature_level"}),
        # other inputs follow the sizes
        ("join", PLAIN["join"], "sizes", "1,1,2,5", set()),
        # an example has its own sizes
        ("tile", {"repeats": "1,1,1,2"}, "sizes", "1,1,2,5", set()),
        # there is no grid for so many columns
        ("tile", PLAIN["tile"], "sizes", "1,1,1,65", set()),
        # random values have a seed
        ("tile", PLAIN["tile"], "values", "random", set()),
        # own values have a box
        ("tile", PLAIN["tile"], "values", "own", set()),
        ("join", PLAIN["join"], "InputTensors[1]_values", "count-1", set()),
        # what is predicted is not told elsewhere
        ("tile", PLAIN["tile"], "predict", True, set()),
        ("tile", {**PLAIN["tile"], "predict": "true"}, "predict", False, set()),
        ("code", {**PLAIN["code"], "predict": "true"}, "predict", False, set()),
    ],
)
def test_parts_that_differ_are_drawn_and_then_the_same_page(
    session, page, words, name, value, keys
):
    session.open(page, sections=False, **words)
    drawn = follows(session, name, value)
    assert {key for key in ("preset", "feature_level") if f"{page}_{key}" in drawn} == keys


def follows(session, name, value):
    """Change a widget: what is not drawn again stays as it is, the rest is as on the whole page.

    Returns:
        The keys of the widgets that were drawn.
    """
    key = f"{session.page}_{name}"
    before = elements(session, key)
    assert change(session, name, value)
    assert len(session.stages) == 1
    drawn, keys = elements(session, key), {getattr(one, "key", None) for one in leaves(session)}
    session.at.run()
    after = elements(session, key)
    assert drawn <= after
    assert after - drawn <= before
    return keys


@pytest.mark.parametrize(
    ("page", "words", "name", "value"),
    [
        # refused: a sentence under the widget
        ("padding", {**PLAIN["padding"], "feature_level": "2_1"}, "padding_mode", "SYMMETRIC"),
        # too large for the stage
        ("tile", PLAIN["tile"], "repeats_3", 50_000),
        ("tile", PLAIN["tile"], "sizes", "1,1,300,300"),
        # not supported at this level
        ("padding", {**PLAIN["padding"], "data_type": "UINT64"}, "feature_level", "1_0"),
        # a sentence about the address goes
        ("tile", {**PLAIN["tile"], "unknown": "1"}, "repeats_3", 3),
    ],
)
def test_where_more_tells_of_it_the_page_is_run(session, page, words, name, value):
    session.open(page, sections=False, **words)
    assert not change(session, name, value)


def test_comparing_takes_the_switch_of_predicting_away(session):
    session.open("tile", sections=False, **PLAIN["tile"])
    session.at.toggle(key="tile_compare").set_value(True).run()
    assert session.at.toggle(key="tile_predict").disabled
    session.at.toggle(key="tile_compare").set_value(False).run()
    assert not session.at.toggle(key="tile_predict").disabled


@pytest.mark.parametrize("section", SECTIONS)
def test_what_is_open_below_the_stage_follows(session, section):
    session.at.session_state["tile_more"] = [section]
    session.open("tile", sections=False, **PLAIN["tile"])
    before = session.texts
    follows(session, "repeats_3", 3)
    assert session.texts != before


def test_nothing_below_the_stage_is_made_unasked(session):
    session.open("tile", sections=False)
    assert not session.at.code
    assert not session.at.table
    assert len(session.at.get("download_button")) == 0


def test_sections_are_all_opened_by_these_tests():
    assert tuple(_sections()) == SECTIONS


def test_nothing_is_asked_while_the_other_setting_is_mended(session):
    words = {**PLAIN["tile"], "compare": "true", "b_repeats": "1,1,2,9999"}
    session.at.session_state["tile_predict"] = True
    session.open("tile", sections=False, **words)
    session.at.session_state["tile_predict"] = True
    session.at.run()
    assert session.widget("b_repeats_3").value == 9999
    assert session.errors
    (sent,) = session.stages
    assert sent["options"]["predict"] is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # other code is refused, or takes another tensor, or its box is as high as two lines
        ("code", "x.softmax()"),
        ("code", "np.take(x, i)"),
        ("code", "y = x.reshape(4, 3)\ny.T"),
        # the library is guessed from it
        ("code", "x.permute(0)"),
        ("x_values", "random"),
        ("x_sizes", "13"),
    ],
)
def test_other_boxes_of_code_are_drawn_with_the_whole_page(session, name, value):
    session.open("code", sections=False, **PLAIN["code"])
    assert not change(session, name, value)
    shown = leaves(session)
    session.at.run()
    assert [(one.type, one.key) for one in leaves(session)] == [(s.type, s.key) for s in shown]


def test_a_change_asks_for_the_language_at_each_door_alone(session, monkeypatch):
    """A widget's callback and every fragment are doors; a page has hundreds of sentences."""
    session.open("tile", sections=False, **PLAIN["tile"])
    asked = []
    monkeypatch.setattr(words, "_askers", [lambda: asked.append(1) or "en"])
    assert change(session, "repeats_3", 7)
    assert 0 < len(asked) < 10


def test_a_change_compares_and_writes_each_outcome_once(session, monkeypatch):
    session.open("tile", sections=False, **PLAIN["tile"])
    offered, written = [], []
    offers, parameters = PageOutcome.offers.fget, State.parameters
    monkeypatch.setattr(
        PageOutcome, "offers", property(lambda one: offered.append(1) or offers(one))
    )

    def counted(state, **whole):
        written.append(1)
        return parameters(state, **whole)

    monkeypatch.setattr(State, "parameters", counted)
    assert change(session, "repeats_3", 7)
    assert len(offered) == 2, "what was offered before and is now"
    assert len(written) == 1, "for the browser's address and the printed one"


def test_streamlit_finds_nothing_to_traverse_in_what_a_stage_is_sent(session):
    """It looks for tables in every mapping and list that it is given."""
    session.open("tile", sections=False, **PLAIN["tile"])
    (stage,) = session._stages()
    kinds = {type(value) for value in json.loads(stage.proto.json).values()}
    assert kinds <= {str, bool, type(None)}


def test_a_session_makes_its_pages_once_in_a_language(session, monkeypatch):
    made, groups = [], navigation.groups
    monkeypatch.setattr(navigation, "groups", lambda: made.append(locale()) or groups())
    session.open("tile", sections=False, **PLAIN["tile"])
    session.at.run()
    assert made == ["en"]
    session.at.query_params["lang"] = "ko"
    session.at.run()
    session.at.run()
    assert made == ["en", "ko"]
    assert session.at.session_state[PAGES]["home"].title != "Home"


def test_what_a_page_keeps_beside_widgets_is_one_value_of_the_session(session):
    """Streamlit goes through all values of a session for every widget that it draws."""
    session.open("tile", sections=False, **PLAIN["tile"])
    assert change(session, "repeats_3", 7)
    session.at.run()
    values = session.at.session_state._state._state
    ids = values._key_id_mapper
    own = {key for key in values.filtered_state if key.startswith("tile") and key not in ids}
    assert own == {"tile-kept", "tile_history"}


def test_what_the_reader_has_not_set_is_drawn_again():
    """Else the browser's next request would report the value from before, and undo the change."""
    page = SimpleNamespace(get=lambda _name: None, kept={TENSORS: True})

    def drawn(own, **changes):
        before, after = (
            shown(read_page("tile", PLAIN["tile"] | more).state) for more in ({}, changes)
        )
        return list(_differing(page, before, after, own))

    assert drawn("predict", predict="true") == [QUESTION, STAGE, BELOW]
    assert drawn("", predict="true") == [], "the whole page"
    assert drawn("repeats", repeats="1,1,1,3") == [STAGE]
    assert drawn("", repeats="1,1,1,3") == [SETTINGS, STAGE]
    assert drawn("sizes", sizes="1,1,2,5") == [STAGE]
    assert drawn("repeats", sizes="1,1,2,5") == [TENSORS, STAGE]


def shown(state):
    inputs = state.arrays()
    return PageOutcome(state, state, inputs, state.scene(inputs, state))
