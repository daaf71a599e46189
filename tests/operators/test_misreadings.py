"""Misreadings of blocks, and of large inputs."""

import numpy as np
import pytest

import dmlviz
from tests.one_input import applied


def misread(operator, sizes):
    return {m.key: m for m in operator.misreadings(sizes)}


@pytest.mark.parametrize("order", ["DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH"])
@pytest.mark.parametrize(
    ("kind", "sizes"),
    [(dmlviz.DepthToSpace, (2, 18, 2, 5)), (dmlviz.SpaceToDepth, (2, 2, 6, 15))],
)
def test_the_other_order_is_the_other_operator(kind, sizes, order):
    operator = kind(3, order)
    found = misread(operator, sizes)
    other = applied(operator.alternative(), np.arange(np.prod(sizes)).reshape(sizes))
    np.testing.assert_array_equal(found["other-order"].source, other.ravel())
    assert operator.alternative().order in found["other-order"].words


def test_large_inputs_are_refused_before_anything_is_made():
    with pytest.raises(dmlviz.TooLarge, match="output_sizes"):
        dmlviz.Tile((1000, 1000)).misreadings((10, 10))
    with pytest.raises(dmlviz.Refused):
        dmlviz.DepthToSpace(2).misreadings((1, 3, 2, 2))
    # read backwards it would have 256 million elements
    found = misread(dmlviz.Padding("EDGE", (1, 16_000), (0, 0)), (1, 16_000))
    assert "backwards" not in found
    assert "wrap" in found


@pytest.mark.parametrize("indices", [[4, 3], [-1, 2]])
def test_a_misreading_of_every_index_names_none_of_them(indices):
    # the element that is asked about may be any
    def told(order):
        inputs = {"InputTensor": np.arange(6), "IndicesTensor": np.array(order)}
        found = dmlviz.Gather(0, 1).misreadings(inputs)
        return {m.key: m.words for m in found if m.key in ("from-one", "clamped")}

    assert told(indices) == told(indices[::-1]) != {}


@pytest.mark.parametrize(
    ("operator", "name", "control"),
    [
        (dmlviz.ReverseSubsequences(1), "SequenceLengthsTensor", [[1], [2], [3], [0]]),
        (dmlviz.OneHot(1, 5), "IndicesTensor", [[1], [-2], [3], [0]]),
        (dmlviz.OneHot(1, 5), "IndicesTensor", [[1], [0], [1], [0]]),
        (dmlviz.Gather(0, 1), "IndicesTensor", [1, 3, 0, 2]),
    ],
)
def test_what_is_said_of_a_misreading_is_true_of_every_sequence(operator, name, control):
    # the one that is asked about may be any: what tells of one changes with their order
    values = {"OneHot": np.array([0, 1]), "Gather": np.arange(4)}
    x = values.get(type(operator).__name__, np.arange(12).reshape(4, 3))
    first = next(slot.name for slot in operator.input_slots if slot.name != name)

    def told(control):
        found = operator.misreadings({first: x, name: np.array(control, np.int64)})
        # these give the first of all lengths, and all indices
        return {m.key: m.words for m in found if m.key not in ("first-length", "in-order")}

    one, other = told(control), told(control[1:] + control[:1])
    both = one.keys() & other.keys()
    assert both
    assert {key: one[key] for key in both} == {key: other[key] for key in both}


@pytest.mark.parametrize("row", range(4))
def test_why_an_element_is_where_it_is_names_the_length_of_its_own_sequence(row):
    lengths = np.array([[1], [2], [3], [0]], np.uint32)
    inputs = {"InputTensor": np.arange(12).reshape(4, 3), "SequenceLengthsTensor": lengths}
    for column in range(3):
        told = dmlviz.ReverseSubsequences(1).explain(
            inputs, (row, column), letters=False, looked=True
        )
        length, copied = told.splitlines()
        assert length == f"SequenceLengthsTensor[{row}, 0] = {lengths[row, 0]}"
        assert copied.startswith(f"out[{row}, {column}] = in[{row}, ")
