"""A state after changes of its parameters: always one that a link can name."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dmlviz.base.errors import Error
from dmlviz.operators import FEATURE_LEVELS, OPERATORS
from dmlviz.states import first_state, read_link
from dmlviz.states.changing import changed
from dmlviz.states.code import CodeState, first_code
from dmlviz.states.code_form import code_changed, code_form
from dmlviz.states.form import state_form
from dmlviz.states.pages import read_any_link
from dmlviz.states.view import LIMITS, TOOLS, view_rows

SIZES = ["2,3", "1,2,3,4", "x", "5", "1,1,4,6", "2,2,2,2,2", "70000"]
TEXTS = ["1", "2", "2,2", "q", "1.5", "[[1, 2], [0, 1]]", "1 2; 3 4"]


def text_for(data, field):
    """A text that its controls could give."""
    # a picture to choose has no text yet
    texts = list(field.values) or [""] * len(field.controls)
    for k, control in enumerate(field.controls):
        if control.kind == "menu":
            texts[k] = str(data.draw(st.sampled_from(control.options)))
        elif control.kind == "switch":
            texts[k] = data.draw(st.sampled_from(["true", "false"]))
        elif control.kind in ("number", "slider"):
            texts[k] = str(data.draw(st.integers(int(control.least or 0), 9)))
        elif field.name.endswith("sizes"):
            texts[k] = data.draw(st.sampled_from(SIZES))
        else:
            texts[k] = data.draw(st.sampled_from(TEXTS))
    return ",".join(texts)


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
@settings(max_examples=8)
@given(st.data())
def test_a_link_names_the_state_after_any_changes(cls, data):
    state = first_state(cls.key)
    for _turn in range(6):
        fields = [field for group in state_form(state) for field in group.fields]
        field = data.draw(st.sampled_from(fields))
        try:
            state = changed(state, field.name, text_for(data, field))
        except Error as error:
            assert error.field == field.name
            continue
        opened = read_link(state.address())
        assert not opened.problems
        # a link fits what a second operator leaves out, and a window that is refused
        if state.view.compare is None and not state.problems():
            assert opened.state.address() == state.address()


def test_what_follows_from_the_first_inputs_sizes():
    state = changed(first_state("gather"), "sizes", "4,5")
    assert state.sizes == (4, 5)
    # an example's elements, because other numbers could be no indices
    own = changed(first_state("gather"), "IndicesTensor.sizes", "3")
    assert own.tensors["IndicesTensor"].values == "own"
    state = changed(first_state("tile"), "sizes", "2,3")
    assert (state.values, dict(state.settings)["repeats"]) == ("count-1", "1,1")
    np.testing.assert_array_equal(state.x(), [[1, 2, 3], [4, 5, 6]])
    state = changed(first_state("padding"), "padding_mode", "REFLECTION")
    assert "padding_value" not in dict(state.settings)
    state = changed(first_state("join"), "tensors", "3")
    assert len(state.tensors) == 3


@pytest.mark.parametrize("key", ["gather-elements", "scatter"])
def test_indices_of_the_inputs_sizes_follow_in_them_and_run(key):
    state = first_state(key)
    for sizes, indices in (("9", "9"), ("3,3,3", "3,3,3"), ("3,3", "3,3"), ("3,5", "3,5")):
        state = changed(state, "sizes", sizes)
        assert ",".join(map(str, state.tensors["IndicesTensor"].sizes)) == indices
        assert not state.problems()


def test_indices_that_lost_no_dimension_get_no_more_than_the_input_has():
    state = changed(first_state("gather"), "sizes", "4,3")
    for sizes, indices in (("IndicesTensor", "2,2"), ("", "9"), ("", "3,3,3"), ("", "3,3")):
        state = changed(state, f"{sizes}.sizes".removeprefix("."), indices)
    assert state.tensors["IndicesTensor"].sizes == (2, 2)


def test_indices_stay_where_they_are_when_their_sizes_change():
    state = first_state("gather-elements")
    for sizes, literal in (
        ("2,4", "1,2,0,0,2,0,0,0"),
        ("3,3", "1,2,0,2,0,0,0,0,0"),
        ("9", "1,2,0,2,0,0,0,0,0"),
        ("1,2", "1,2"),
    ):
        state = changed(state, "IndicesTensor.sizes", sizes)
        assert state.tensors["IndicesTensor"].literal == literal


def test_own_values_bring_their_sizes_and_their_type():
    state = changed(first_state("tile"), "sizes", "2,2")
    state = changed(state, "values", "own")
    assert state.first.literal == "1,2,3,4"
    state = changed(state, "literal", "[[1, 2, 3], [4, 5, 6]]")
    assert state.sizes == (2, 3)
    # the grid has one text for each element
    (grid,) = (f for group in state_form(state) for f in group.fields if f.name == "grid")
    assert grid.later() == ("1", "2", "3", "4", "5", "6")
    assert grid.controls[0].sizes == (2, 3)
    state = changed(state, "grid", ",".join([*grid.later()[:-1], "7"]))
    assert (state.sizes, state.first.literal) == ((2, 3), "1,2,3,4,5,7")
    large = changed(first_state("tile"), "sizes", "1,1,65,64")
    assert "grid" not in [f.name for group in state_form(large) for f in group.fields]
    with pytest.raises(Error) as refused:
        changed(state, "sizes", "2,2")
    assert str(refused.value) == "values: you typed 6 numbers; sizes {2, 2} need 4."


@pytest.mark.parametrize(
    ("key", "typed", "sizes", "data_type"),
    [
        ("tile", "1 2 3 4; 5 6 7 8; 9 10 11 12", (3, 4), "FLOAT32"),
        ("tile", "[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]", (2, 2, 2), "FLOAT32"),
        ("tile", "5", (1,), "FLOAT32"),
        ("padding", "[[1 2 3]\n [4 5 6]]", (2, 3), "FLOAT32"),
        ("tile", "(Sizes:{1, 1, 2, 2}, DataType:INT8)\n[[[[1, 2],\n [3, 4]]]]", (1, 1, 2, 2), "INT8"),
        ("space-to-depth", "[[1, 2, 3, 4], [5, 6, 7, 8]]", (1, 1, 2, 4), "UINT32"),
        ("depth-to-space", "[[[1]], [[2]], [[3]], [[4]]]", (1, 4, 1, 1), "UINT32"),
        # of as many elements as before: rows of two must not turn into rows of three
        ("tile", "[[1, 2], [3, 4], [5, 6]]", (3, 2), "FLOAT32"),
        ("tile", "6 5 4 3 2 1", (1, 1, 2, 3), "FLOAT32"),
        ("tile", "np.array([[1, 2]], dtype=np.int8)", (1, 2), "INT8"),
    ],
)  # fmt: skip
def test_a_pasted_tensor_brings_its_sizes_and_its_type(key, typed, sizes, data_type):
    state = changed(first_state(key), "literal", typed)
    assert (state.sizes, state.tensors.data_type) == (sizes, data_type)


def test_a_control_tensor_keeps_a_type_that_it_can_have():
    with pytest.raises(Error) as refused:
        changed(first_state("gather"), "IndicesTensor.literal", "np.array([1, 2], dtype=np.int8)")
    assert str(refused.value) == (
        "IndicesTensor.values: the text says INT8, but the chosen data type is UINT32."
    )


def test_the_view_is_part_of_the_state():
    state = changed(first_state("tile"), "compare", "true")
    assert dict(state.view.compare) != dict(state.settings)
    state = changed(state, "b_repeats", "1,1,1,1")
    assert dict(state.view.compare)["repeats"] == "1,1,1,1"
    assert changed(state, "compare", "false").view.compare is None
    assert changed(state, "feature_level", "1_0").view.feature_level == "1_0"
    assert changed(state, "arrange", "1:down").view.directions == ((1, "down"),)
    for name, text in [("arrange", "9:down"), ("engine", "?"), ("nothing", "1"), ("tensors", "2")]:
        with pytest.raises(Error) as refused:
            changed(state, name, text)
        assert refused.value.field == name


def after(code, *changes):
    """The state of the page for code after changes."""
    state = code_changed(CodeState(""), "code", code)
    for name, text in changes:
        state = code_changed(state, name, text)
    return state


def test_feature_levels_are_offered_newest_first():
    (row,) = view_rows(first_state("tile"), LIMITS)
    (menu,) = row.controls
    assert menu.titles[0].startswith("Newest")
    assert menu.options == ("", *reversed(FEATURE_LEVELS))


def test_a_row_declares_what_hosts_draw_of_it():
    rows = {row.name: row for group in state_form(first_state("gather")) for row in group.fields}
    assert [name for name, row in rows.items() if row.leads] == ["sizes"]
    # another axis can be typed, and is refused with the rule
    (menu,) = rows["axis"].controls
    assert menu.accepts_more
    assert rows["sizes"].controls[0].most_characters
    code = [row for group in code_form(first_code()) for row in group.fields]
    assert [row.name for row in code if row.leads] == ["code", "library"]
    tile = first_state("tile")
    (predict,) = view_rows(tile, TOOLS)
    assert not predict.unavailable
    (predict,) = view_rows(changed(tile, "compare", "true"), TOOLS)
    assert predict.unavailable.startswith("Not available while you compare")
    # what is not special is not sent
    assert {"leads", "unavailable"} & predict.data().keys() == {"unavailable"}


def test_code_takes_its_tensors_with_the_sizes_that_fit():
    state = after("x.reshape(2, 3, 4).permute(0, 2, 1)")
    assert state.tensors.sizes == {"x": (2, 12)}
    assert state.reads_as == "torch"
    state = code_changed(state, "x.sizes", "4,6")
    assert code_changed(state, "code", "x.reshape(2, 3, 4)").tensors.sizes == {"x": (4, 6)}
    assert after("x.T", ("x.sizes", "2,3"), ("data_type", "INT8")).tensors["x"].data_type == "INT8"
    own = after("x.T", ("x.sizes", "2,2"), ("x.values", "own"), ("x.literal", "[[5, 6, 7]]"))
    assert own.tensors["x"].sizes == (1, 3)
    np.testing.assert_array_equal(own.arrays()["x"], [[5, 6, 7]])
    assert after("x.T", ("x.values", "random"), ("x.seed", "7")).tensors["x"].seed == 7
    assert after("x.T", ("x.values", "picture")).tensors["x"].picture
    chosen = after("x[[1, 0]]", ("library", "torch"), ("predict", "true"), ("call", "1"))
    assert (chosen.reads_as, chosen.view.predict, chosen.call) == ("torch", True, 1)
    both = after("x.T", ("compare", "x.transpose(1, 0)"))
    assert len(both.scenes()) == 2
    for state in (own, chosen, both):
        opened = read_any_link(state.address())
        assert not opened.problems
        assert opened.state == state
        names = [f.name for group in code_form(state) for f in group.fields]
        assert {"code", "library", "x.sizes", "x.values"} <= {*names}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.sizes", "0"),
        ("x.literal", "?"),
        ("x.seed", "-1"),
        ("x.values", "nothing"),
        ("y.sizes", "2"),
        ("call", "9"),
        ("library", "perl"),
        ("data_type", "INT7"),
        ("code", "x" * 100_000),
    ],
)
def test_a_change_of_code_that_is_refused_names_its_parameter(name, text):
    with pytest.raises(Error) as refused:
        after("x.T", (name, text))
    assert refused.value.field == name
