"""Every widget of an explorer does what the form of live pages does: two programs, one rule."""

from __future__ import annotations

import random
import re

import pytest

import dmlviz
from dmlviz.base.errors import Error
from dmlviz.operators import FEATURE_LEVELS, OPERATORS
from dmlviz.states import first_state, read_link
from dmlviz.states.changing import changed
from dmlviz.states.form import state_form
from dmlviz.states.pages import refusals_of
from dmlviz.verify import write_example
from tests.app.conftest import Session, address
from tests.thorough import THOROUGH

REFUSED = ("words", "1, 0", "300, 300", "")
TEXTS = {
    "sizes": (
        *("2, 3", "5", "2, 3, 2", "1, 4, 4, 6", "1x1x6x4", "{1, 1, 2, 3, 2}", "[1 2 1 2 1 3]"),
        *("(2,1,1,1,1,2,2,)", "Sizes:{1, 2, 1, 2, 1, 2, 1, 2}", *REFUSED),
    ),
    "literal": (
        *("1 2; 3 4", "[[1, 2, 3], [4, 5]]", "[[[1]], [[0]]]", "0 1 0 1 0 1", "300", "1.5", ""),
        "np.array([[1, 2]], dtype=np.int8)",
    ),
}
TYPED = ("2", "nine", "-1.5", "1e6", "nan", "2, 2", "")
NUMBERS = (-1, 0, 1, 2, 3, 5, 7, 40_000)
"""The last makes a tensor larger than the stage."""
ELSEWHERE = ("compare", "tensors", "engine", "grid", "own_picture")
"""Switches, buttons, tables and files, which other tests use."""
REMEMBERED = ("random", "picture", "own")
"""A page remembers what was chosen for these before; a link does not."""


def rows(state):
    """The fields of the form that a page has a widget for each of their controls, by their names."""
    every = [field for group in state_form(state) for field in group.fields]
    return {
        field.name: field
        for field in every
        if part(field.name) not in ELSEWHERE and (field.name != "values" or state.tensors)
    }


def part(name):
    """Of a parameter, without the tensor."""
    return name.rpartition(".")[2]


def options(field, k, chosen):
    """What else a widget can be set to."""
    control = field.controls[k]
    values = control.options
    if control.kind in ("number", "slider"):
        values = [n for n in NUMBERS if control.least is None or n >= control.least]
    elif not values:
        values = TEXTS.get(part(field.name), TYPED)
    unused = [v for v in values if v not in REMEMBERED or (field.name, v) not in chosen]
    # a page keeps the text that names a data type, and refuses another one beside it; a form
    # keeps the values alone
    if part(field.name) == "data_type" and any("dtype" in str(value) for _name, value in chosen):
        return []
    # it remembers the settings of dimensions that went away, too
    if any(name == "sizes" for name, _value in chosen):
        unused = [v for v in unused if not str(v).startswith("example-")]
        unused = [v for v in unused if field.name != "sizes" or v in REFUSED]
    return [v for v in unused if str(v) != field.values[k]]


def widget(session, field, k):
    name = field.name.replace(".", "_")
    return session.widget(f"{name}_{k}" if field.ranked else name)


def use(session, field, k, value):
    """Set a widget, as a person does."""
    one = widget(session, field, k)
    if value == "" and field.controls[k].kind == "menu":
        one.select_index(0).run()
    else:
        one.set_value(value).run()
    session.whole()


def refusals(state):
    """Why a state has no picture: what is wrong with it, or more elements than a stage takes."""
    try:
        return [problem.message for problem in refusals_of(state)] or (state.scenes() and [])
    except Error as error:
        return [str(error)]


def sentences(messages):
    """In any order, without the field, which the page names by the label of its widget, and
    without the index of a value, as own values are nested on a page."""
    return sorted(re.sub(r" at \[[^]]*\]", "", one.partition(": ")[2]) for one in messages)


def assert_shows(session, state):
    """The page shows a state: its address, a widget for each setting, and its tensors or why not."""
    opened = read_link(address(session))
    assert opened.problems == ()
    assert opened.state.without_player() == state.without_player()
    names = set()
    for name, field in rows(state).items():
        names |= {f"{name}_{k}" if field.ranked else name for k in range(len(field.controls))}
        for k, control in enumerate(field.controls):
            one = widget(session, field, k)
            if control.kind == "menu" and part(name) != "picture":
                assert one.options == [str(text) for text in control.titles or control.options]
    assert {name.replace(".", "_") for name in names} <= session.state().keys()
    due = refusals(state)
    if due:
        assert sentences(session.refused()) == sentences(due)
        return
    session.drawn()
    trace = dmlviz.run(state.operator(), state.inputs())
    assert session.tensors == write_example(state.operator(), trace.inputs, trace.outputs)
    assert session.check == trace.check()


def change(session, state, field, k, value):
    """Set a widget, and set it back if the form refuses that; the state of the form."""
    texts = [*field.values]
    texts[k] = str(value)
    try:
        after = changed(state, field.name, ",".join(texts) if field.ranked else texts[0])
    except Error as error:
        use(session, field, k, value)
        said = {*sentences(session.refused())}
        # a state that was refused before may be refused for another reason
        assert {*sentences([str(error)])} <= said or refusals(state)
        assert widget(session, field, k).value == value
        value, after = type(value)(field.values[k]), state
    use(session, field, k, value)
    return after


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_every_widget_does_what_the_form_does(cls):
    """Over visits to other pages too, in a session of its own, and until it is reset."""
    chance, chosen, own = random.Random(cls.key), set(), set()
    page = cls.key.replace("-", "_")
    first, session = first_state(cls.key), Session().open(page)
    state, begun = first, session.state()
    assert_shows(session, first)
    for _round in range(4 if THOROUGH else 2):
        for name in chance.sample(sorted(rows(state)), len(rows(state))):
            # another change may take it away; own values would begin with those that were drawn last
            if name not in rows(state) or (part(name) == "values" and refusals(state)):
                continue
            field = rows(state)[name]
            if field.values[0] == "own":
                own.add(name)
            # a page brings back the own values that were typed before; a form keeps nothing
            offered = [
                (k, v)
                for k in range(len(field.controls))
                for v in options(field, k, chosen)
                if v != "own" or name not in own
            ]
            if offered:
                k, value = chance.choice(offered)
                chosen.add((name, value))
                state = change(session, state, field, k, value)
                assert_shows(session, state)
    kept, words = session.state(), dict(session.at.query_params)
    session.open("home").open("tile" if page == "padding" else "padding").open(page)
    assert session.state() == kept
    assert_shows(session, state)
    again = Session().open(page, **words)
    assert again.warnings == []
    assert_shows(again, state)
    session.reset()
    assert_shows(session, first)
    assert session.state() == begun


def test_feature_levels_are_offered_newest_first(explorer):
    shown = explorer("tile")
    offered = shown.widget("feature_level").options
    assert offered[0].startswith("Newest")
    assert offered[1:] == list(reversed(FEATURE_LEVELS))


def test_outputs_of_several_types_have_a_type_each(explorer):
    shown = explorer("top_k", data_type="INT8")
    assert shown.told[1].endswith(", OutputValueTensor INT8, OutputIndexTensor UINT32")


@pytest.mark.parametrize("page", ["tile", "padding"])
def test_planes_of_the_grid(explorer, page):
    shown = explorer(page, sizes="1,8,4,2", values="count-0")
    assert shown.widget("plane").options == [f"[0, {c}, :, :]" for c in range(8)]
    shown.set(plane=7).open("home").open(page)
    assert shown.value("plane") == 7
    shown.set(sizes="1, 4, 4, 2")
    shown.drawn()
    assert shown.value("plane") in range(4)


def test_reset_brings_the_example_back_whatever_was_set(explorer):
    explorer("tile").set(feature_level="1_0", sizes="no sizes").reset().drawn()
