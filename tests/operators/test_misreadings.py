"""Wrong ideas of each operator: what they would give, and that none of them is the truth."""

import numpy as np
import pytest

import dmlviz
from tests.one_input import applied

ROW = (3,)


def misread(operator, sizes):
    return {m.key: m for m in operator.misreadings(sizes)}


def output(found, x):
    return np.where(found.source < 0, -1, x.ravel()[found.source]).reshape(found.output_sizes)


@pytest.mark.parametrize(
    ("key", "row"),
    [
        ("elements", [1, 1, 2, 2, 3, 3]),
        ("mirrored", [1, 2, 3, 3, 2, 1]),
        ("shifted", [3, 1, 2, 3, 1, 2]),
        ("stops", [1, 2, 3, 3, 3, 3]),
        ("one-more", [1, 2, 3, 1, 2, 3, 1, 2, 3]),
        ("one-fewer", [1, 2, 3]),
    ],
)
def test_tile(key, row):
    found = misread(dmlviz.Tile((2,)), ROW)
    assert output(found[key], np.array([1, 2, 3])).tolist() == row


def test_tile_repeats_of_another_dimension():
    found = misread(dmlviz.Tile((1, 2)), (2, 3))
    assert found["swapped"].output_sizes == (4, 3)
    assert "{2, 1}" in found["swapped"].words
    assert "backwards" not in found, "in rank 2 it is the same mistake"


def test_each_copy_in_place_names_its_elements():
    words = misread(dmlviz.Tile((1, 3)), (2, 3))["elements"].words
    assert "0, 0, 0, 1, 1, 1" in words
    assert "0, 1, 2, 0, 1, 2" in words


def test_nothing_repeated_cannot_be_misread():
    assert dmlviz.Tile((1, 1)).misreadings((2, 3)) == ()
    assert dmlviz.Padding("EDGE", (0,), (0,)).misreadings((3,)) == ()
    assert dmlviz.DepthToSpace(1).misreadings((1, 3, 2, 2)) == ()


@pytest.mark.parametrize(
    ("mode", "key", "row"),
    [
        ("REFLECTION", "symmetric", [2, 1, 1, 2, 3, 3]),
        ("SYMMETRIC", "reflection", [3, 2, 1, 2, 3, 2]),
        ("REFLECTION", "edge", [1, 1, 1, 2, 3, 3]),
        ("REFLECTION", "wrap", [2, 3, 1, 2, 3, 1]),
        ("EDGE", "constant", [-1, -1, 1, 2, 3, -1]),
        ("WRAP", "ends-swapped", [3, 1, 2, 3, 1, 2]),
        ("CONSTANT", "shifted", [-1, -1, -1, 1, 2, 3]),
        ("CONSTANT", "start-only", [-1, -1, 1, 2, 3]),
        ("CONSTANT", "end-only", [1, 2, 3, -1]),
        ("CONSTANT", "start-twice", [-1, -1, 1, 2, 3, -1, -1]),
    ],
)
def test_padding(mode, key, row):
    operator = dmlviz.Padding(mode, (2,), (1,))
    found = misread(operator, ROW)
    assert not {"shifted-back", "one-more"} & found.keys(), "the same as others before them"
    assert output(found[key], np.array([1, 2, 3])).tolist() == row


def test_one_fold_then_the_last_element_again():
    found = misread(dmlviz.Padding("REFLECTION", (4,), (0,)), ROW)["one-fold"]
    assert output(found, np.array([1, 2, 3])).tolist() == [3, 3, 3, 2, 1, 2, 3]


def test_mirrors_tell_their_own_indices():
    words = misread(dmlviz.Padding("REFLECTION", (2,), (2,)), (4,))["symmetric"].words
    assert "SYMMETRIC: indices 0, 1 outwards from the start, 3, 2 from the end" in words
    assert "REFLECTION: indices 1, 2 outwards from the start, 2, 1 from the end" in words


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


def test_row_and_column_of_the_block_swapped():
    x = np.array([1, 2, 3, 4]).reshape(1, 4, 1, 1)
    found = misread(dmlviz.DepthToSpace(2), x.shape)
    assert output(found["swapped"], x).tolist() == [[[[1, 3], [2, 4]]]]
    x = x.reshape(1, 1, 2, 2)
    found = misread(dmlviz.SpaceToDepth(2), x.shape)
    assert output(found["swapped"], x).ravel().tolist() == [1, 3, 2, 4]


def test_whole_channels_beside_each_other():
    x = np.arange(1, 17).reshape(1, 4, 2, 2)
    out = output(misread(dmlviz.DepthToSpace(2), x.shape)["beside"], x)
    np.testing.assert_array_equal(out[0, 0], np.block([[x[0, 0], x[0, 1]], [x[0, 2], x[0, 3]]]))
    back = output(misread(dmlviz.SpaceToDepth(2), out.shape)["beside"], out)
    np.testing.assert_array_equal(back, x)


def test_sizes_that_people_expect_of_blocks():
    found = misread(dmlviz.DepthToSpace(2), (1, 8, 2, 3))
    assert found["once"].output_sizes == (1, 4, 4, 6)
    assert found["rows-only"].output_sizes == (1, 4, 4, 3)
    assert misread(dmlviz.DepthToSpace(2), (1, 8, 2, 2))["inverse"].output_sizes == (1, 32, 1, 1)
    found = misread(dmlviz.SpaceToDepth(2), (1, 4, 4, 6))
    assert found["once"].output_sizes == (1, 8, 2, 3)
    assert found["rows-only"].output_sizes == (1, 8, 2, 6)
    assert found["inverse"].output_sizes == (1, 1, 8, 12)


def test_large_inputs_are_refused_before_anything_is_made():
    with pytest.raises(dmlviz.TooLarge, match="output_sizes"):
        dmlviz.Tile((1000, 1000)).misreadings((10, 10))
    with pytest.raises(dmlviz.Refused):
        dmlviz.DepthToSpace(2).misreadings((1, 3, 2, 2))
    # read backwards it would have 256 million elements
    found = misread(dmlviz.Padding("EDGE", (1, 16_000), (0, 0)), (1, 16_000))
    assert "backwards" not in found
    assert "wrap" in found
