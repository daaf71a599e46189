"""What a row of a form says of itself, so that no host looks at its name."""

from pathlib import Path

import pytest

from dmlviz.base.errors import Error
from dmlviz.live.page import view_of_state
from dmlviz.states import first_state
from dmlviz.states.code import CodeState
from dmlviz.states.controls import OWN_PICTURE_ROW, PICTURES_ROW
from dmlviz.states.inputs import InputState, Tensors
from dmlviz.states.pages import changed, form_of

APP = Path(__file__).parents[1] / "dmlviz" / "app"

X = ("x", InputState((2, 3), "FLOAT32", "count-1"))
INDICES = ("i", InputState((2,), "", "own", "1,0"))
STATES = {
    "tile": first_state("tile"),
    "gather": first_state("gather"),
    "code": CodeState("x[:, i]", "", Tensors((X, INDICES))),
}


def rows_of(state):
    return {row.name: row for group in form_of(state) for row in group.fields}


@pytest.mark.parametrize("key", STATES)
def test_every_row_of_a_tensor_says_whose_it_is(key):
    state = STATES[key]
    rows = rows_of(state)
    for name in state.tensors:
        own = [row for row in rows.values() if row.tensor == name]
        assert [row.is_sizes for row in own].count(True) == 1
        # one row has the values, to which a problem of the whole tensor belongs
        holding = [row for row in own if name in row.problems_of]
        assert len(holding) == 1
    of_settings = [row for row in rows.values() if not row.tensor]
    assert not any(row.is_sizes or row.problems_of or row.picture for row in of_settings)
    # a label alone could be another tensor's
    titles = [row.called for row in rows.values() if row.is_sizes]
    assert len({*titles}) == len(titles)


@pytest.mark.parametrize(
    ("key", "row", "label"),
    [
        ("tile", "sizes", "Sizes"),
        ("gather", "sizes", "Sizes of InputTensor"),
        ("gather", "IndicesTensor.sizes", "Sizes of IndicesTensor"),
        ("code", "x.sizes", "Sizes of x"),
        ("tile", "values", "Values"),
    ],
)
def test_a_problem_has_one_label_on_all_pages(key, row, label):
    state = STATES[key]
    assert rows_of(state)[row].called == label
    if not row.endswith("sizes"):
        return
    with pytest.raises(Error) as refused:
        changed(state, row, "x")
    (sentence,) = view_of_state(state, {row: ("x", str(refused.value))})["problems"]
    assert sentence.startswith(f"{label}: ")


def test_a_problem_of_a_whole_tensor_stands_at_its_values():
    state = STATES["gather"]
    (group,) = (group for group in form_of(state) if group.title == "IndicesTensor")
    shown = group.with_problems({}, {"IndicesTensor": "IndicesTensor: 9 is outside."}).fields
    assert [row.name for row in shown if row.problem] == ["IndicesTensor.values"]


def test_rows_of_pictures_say_so():
    state = changed(STATES["tile"], "values", "picture")
    of_pictures = {name: row.picture for name, row in rows_of(state).items() if row.picture}
    assert of_pictures == {"picture": PICTURES_ROW, "own_picture": OWN_PICTURE_ROW}


@pytest.mark.parametrize("file", ["form_widgets.py", "problems.py"])
def test_widgets_do_not_look_at_the_names_of_rows(file):
    text = (APP / file).read_text(encoding="utf-8")
    assert not [
        word for word in ("partition(", "startswith(", "name ==", "name in (") if word in text
    ]
