"""Every rule, broken once: the field that is named and the words that say why."""

import re

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import (
    DepthToSpace,
    GatherElements,
    Join,
    Padding,
    Slice,
    SliceGrad,
    SpaceToDepth,
    Split,
    Tile,
    Unfold,
)
from tests.strategies import json_like

MOST = 2**32 - 1
PAD = Padding("EDGE", (0, 0), (0, 0))


def picked(indices):
    """Sizes of an input of 5 by 3, and of the indices."""
    return {"InputTensor": (5, 3), "IndicesTensor": indices}


def joined(*shapes):
    """Sizes of the tensors of a list."""
    return {f"InputTensors[{k}]": shape for k, shape in enumerate(shapes)}


# … stands for any words
RULES = [
    (Tile((1, 0)), (2, 3), "INT8", "repeats", "0 in dimension 1 is invalid"),
    (Tile((-1, 1)), (2, 3), "INT8", "repeats", "-1 in dimension 0 is invalid"),
    (Tile((1, 2**32)), (2, 3), "INT8", "repeats", "from 1 to 4,294,967,295"),
    (Tile((2,)), (2, 3), "INT8", "repeats", "{2} is 1 number; the input has 2 dimensions"),
    (Tile((1, 1, 2)), (2, 3), "INT8", "repeats", "{1, 1, 2} are 3 numbers; the input has 2"),
    (Tile(()), (2,), "INT8", "repeats", "{} are 0 numbers"),
    (Tile((1,) * 9), (2,) * 9, "INT8", "sizes", "has 9 dimensions; DirectML allows 1 to 8"),
    (Tile(()), (), "INT8", "sizes", "has 0 dimensions; DirectML allows 1 to 8"),
    (Tile((1, 1)), (2, 0), "INT8", "sizes", "dimension 1 has size 0"),
    (Tile((1, 1)), (-3, 2), "INT8", "sizes", "dimension 0 has size -3"),
    (Tile((1, 1)), (2, MOST + 1), "INT8", "sizes", "size 4294967296; each size is a whole number"),
    (Tile((2, 1)), (MOST, 1), "INT8", "sizes", "output would have size 8,589,934,590"),
    (Tile((1,)), (True,), "INT8", "sizes", "True is not a whole number"),
    (Tile((1, 1)), (2.0, 3), "INT8", "sizes", "2.0 is not a whole number"),
    (Tile((1,)), "2", "INT8", "sizes", '"2" is not a list of whole numbers'),
    (Tile((1,)), 2, "INT8", "sizes", "2 is not a list of whole numbers"),
    (Tile((1,)), None, "INT8", "sizes", "None is not a list"),
    (Tile((1,)), (2,), "BOOL", "data_type", '"BOOL" is not one of DirectML\'s types here: FLOAT64,'),
    (Tile((1,)), (2,), "float32", "data_type", '"float32" is not one of'),
    (Tile((1,)), (2,), ["INT8"], "data_type", "is not one of"),
    (DepthToSpace(0), (1, 4, 1, 1), "INT8", "block_size", "0 is invalid"),
    (DepthToSpace(-2), (1, 4, 1, 1), "INT8", "block_size", "-2 is invalid"),
    (DepthToSpace(2), (1, 6, 5, 7), "INT8", "block_size", "the 6 channels must be divisible by 2 · 2 = 4"),
    (DepthToSpace(2), (4, 2, 2), "INT8", "sizes", "has 3 dimensions; DML_DEPTH_TO_SPACE1 takes 4"),
    (DepthToSpace(2), (1, 1, 4, 2, 2), "INT8", "sizes", "has 5 dimensions"),
    (DepthToSpace(2, 2), (1, 4, 1, 1), "INT8", "order", '"2" is unknown; use DEPTH_COLUMN_ROW and COLUMN_ROW_DEPTH'),
    (DepthToSpace(2, -1), (1, 4, 1, 1), "INT8", "order", '"-1" is unknown'),
    (DepthToSpace(2, "ROW"), (1, 4, 1, 1), "INT8", "order", '"ROW" is unknown'),
    (DepthToSpace(2), (1, 4, 2**31, 1), "INT8", "sizes", "dimension 2 of the output would have size 4,294,967,296"),
    (SpaceToDepth(0), (1, 1, 2, 2), "INT8", "block_size", "0 is invalid"),
    (SpaceToDepth(2**33), (1, 1, 2, 2), "INT8", "block_size", "is invalid"),
    (SpaceToDepth(2), (1, 1, 3, 2), "INT8", "block_size", "height 3 and width 2 must both be divisible by 2"),
    (SpaceToDepth(3), (1, 1, 3, 5), "INT8", "block_size", "height 3 and width 5"),
    (SpaceToDepth(2), (2, 2), "INT8", "sizes", "DML_SPACE_TO_DEPTH1 takes 4"),
    (SpaceToDepth(2, "x"), (1, 1, 2, 2), "INT8", "order", '"x" is unknown'),
    (Padding(5, (1,), (1,)), (3,), "INT8", "padding_mode", '"5" is not one of CONSTANT, EDGE, REFLECTION, SYMMETRIC, WRAP'),
    (Padding("MIRROR", (1,), (1,)), (3,), "INT8", "padding_mode", '"MIRROR" is not one of'),
    (Padding("EDGE", (0, -1), (0, 0)), (2, 3), "INT8", "start_padding", "-1 in dimension 1 is invalid; padding must be a whole number of 0 or more"),
    (Padding("EDGE", (0, 0), (-2, 0)), (2, 3), "INT8", "end_padding", "-2 in dimension 0"),
    (Padding("EDGE", (2**32,), (0,)), (3,), "INT8", "start_padding", "is invalid"),
    (Padding("EDGE", (1,), (0, 0)), (2, 3), "INT8", "start_padding", "{1} is 1 number"),
    (Padding("EDGE", (0, 0), (1, 2, 3)), (2, 3), "INT8", "end_padding", "{1, 2, 3} are 3 numbers"),
    (Padding("EDGE", (MOST,), (0,)), (3,), "INT8", "sizes", "output would have size 4,294,967,298"),
    (PAD, (1,) * 9, "INT8", "sizes", "has 9 dimensions"),
    (Slice((7,), (1,), (1,)), (7,), "INT32", "input_window_offsets", "7 in dimension 0 … 0 to 6"),
    (Slice((-1,), (1,), (1,)), (7,), "INT32", "input_window_offsets", "-1 in dimension 0"),
    (Slice((3,), (0,), (1,)), (7,), "INT32", "input_window_sizes", "0 in dimension 0 … 1 element or more"),
    (Slice((3,), (5,), (1,)), (7,), "INT32", "input_window_sizes", "offset 3 + window 5 = 8 … size 7"),
    (Slice((3,), (2,), (0,)), (7,), "INT32", "input_window_strides", "0 in dimension 0 … and not 0"),
    (Slice((3,), (2,), (2**31,)), (7,), "INT32", "input_window_strides", "2147483648 in dimension 0"),
    (Slice((3,), (2,), (1,), (3,)), (7,), "INT32", "output_tensor_sizes", "= 2 is the most"),
    (Slice((3,), (2,), (1,), (-1,)), (7,), "INT32", "output_tensor_sizes", "-1 in dimension 0"),
    (Slice((3,), (10**400,), (1,)), (7,), "INT32", "input_window_sizes", "window a number of 1,329 bits"),
    (Slice((3, 1), (2,), (1,)), (7,), "INT32", "input_window_offsets", "{3, 1} are 2 numbers"),
    (Slice((3,), (2, 1), (1,)), (7,), "INT32", "input_window_sizes", "{2, 1} are 2 numbers"),
    (Slice((3,), (2,), (1, 1)), (7,), "INT32", "input_window_strides", "{1, 1} are 2 numbers"),
    (Slice((3,), (2,), (1,), (1, 1)), (7,), "INT32", "output_tensor_sizes", "{1, 1} are 2 numbers"),
    (SliceGrad((-1,), (5,), (1,)), (3,), None, "input_window_offsets", "-1 in dimension 0 … index 0 or after"),
    (SliceGrad((0,), (0,), (1,)), (3,), None, "input_window_sizes", "a window must have 1 element or more"),
    (SliceGrad((0,), (5,), (0,)), (3,), None, "input_window_strides", "0 in dimension 0 … not 0"),
    (SliceGrad((0,), (5,), (2**31,)), (3,), None, "input_window_strides", "32 bits"),
    (SliceGrad((2,), (5,), (1,), (6,)), (3,), None, "output_gradient_tensor_sizes", "offset 2 + window 5 = 7"),
    (SliceGrad((0,), (5,), (3,)), (3,), None, "sizes", "3 elements … 1 + (5 − 1) div 3 = 2"),
    (SliceGrad((0, 0), (5,), (1,)), (3,), None, "input_window_offsets", "are 2 numbers; the input has 1"),
    (Unfold((0,), (1,), (1,), (0,), (0,)), (1, 1, 3), None, "window_sizes", "0 in dimension 2 … from 1 to"),
    (Unfold((1,), (0,), (1,), (0,), (0,)), (1, 1, 3), None, "strides", "0 in dimension 2 … from 1 to 4,294,967,295"),
    (Unfold((1,), (1,), (0,), (0,), (0,)), (1, 1, 3), None, "dilations", "0 in dimension 2 … from 1 to"),
    (Unfold((1,), (1,), (1,), (-1,), (0,)), (1, 1, 3), None, "start_padding", "-1 in dimension 2 … from 0 to"),
    (Unfold((1,), (1,), (1,), (0,), (2**32,)), (1, 1, 3), None, "end_padding", "4294967296 in dimension 2"),
    (Unfold((5,), (1,), (1,), (1,), (0,)), (1, 1, 3), None, "window_sizes", "= 5 places, … 1 + 3 + 0 = 4"),
    (Unfold((3,), (1,), (2,), (0,), (0,)), (1, 1, 3), None, "window_sizes", "1 + 2 · (3 − 1) = 5 places"),
    (Unfold((1, 1), (1,), (1,), (0,), (0,)), (1, 1, 3), None, "window_sizes", "needs one for each but the first 2"),
    (GatherElements(2), picked((5, 3)), None, "axis", "2 is invalid; the input's dimensions are 0 to 1"),
    (GatherElements(-1), picked((5, 3)), None, "axis", "-1 is invalid"),
    (GatherElements(0), picked((3,)), None, "IndicesTensor", "sizes {3} have rank 1, the input has rank 2"),
    (GatherElements(0), picked((5, 2)), None, "IndicesTensor", "dimension 1 has size 2 where the input has 3"),
    (GatherElements(1), picked((1, 3)), None, "IndicesTensor", "dimension 0 has size 1 where the input has 5; only … 1"),
    (Join(2), joined((2, 3), (2, 3)), None, "axis", "2 is invalid; the inputs' dimensions are 0 to 1"),
    (Join(-1), joined((2, 3), (2, 3)), None, "axis", "-1 is invalid"),
    (Join(1), joined((2, 3), (3, 3)), None, "InputTensors[1]", "dimension 0 has size 3 where InputTensors"),
    (Join(0), joined((2, 3), (2, 3), (5, 7)), None, "InputTensors[2]", "dimension 1 has size 7 … has 3;"),
    (Join(0), joined((2, 3), (6,)), None, "InputTensors[1]", "have rank 1, InputTensors[0] has rank 2"),
    (Join(10**400), joined((2, 3)), None, "axis", "a number of 1,329 bits"),
    (Split(2, (7,)), (3, 7), "INT32", "axis", "2 is invalid; the input's dimensions are 0 to 1"),
    (Split(-1, (7,)), (3, 7), "INT32", "axis", "-1 is invalid"),
    (Split(1, ()), (3, 7), "INT32", "parts", "there are 0; there must be 1 to 8 parts that add up to 7"),
    (Split(1, (1,) * 9), (3, 7), "INT32", "parts", "there are 9"),
    (Split(1, (0, 7)), (3, 7), "INT32", "parts", "[0, 7] has a part of 0; each part must be 1 or more"),
    (Split(1, (-1, 8)), (3, 7), "INT32", "parts", "a part of -1"),
    (Split(1, (2, 2)), (3, 7), "INT32", "parts", "2 + 2 = 4, but it must be 7, the input's size in dimension 1"),
    (Split(1, (2, 10**400)), (3, 7), "INT32", "parts", "a number of 1,329 bits"),
    (Tile((10**5000,)), (2,), "INT8", "repeats", "is invalid"),
    (Tile((1,)), (10**5000,), "INT8", "sizes", "dimension 0"),
]  # fmt: skip


def name(rule):
    operator, _sizes, _type, field, words = rule
    return f"{operator.key}-{field}-{words}"


@pytest.mark.parametrize("rule", RULES, ids=name)
def test_rule(rule):
    operator, sizes, data_type, field, words = rule
    (problem,) = operator.problems(sizes, data_type)
    assert problem.field == field
    assert problem.message.startswith(f"{field}: ")
    assert re.search(".*".join(map(re.escape, words.split("…"))), problem.message)
    assert problem.message.endswith(".")
    assert problem.source.startswith("DML_")
    if operator.problems(sizes, None):
        with pytest.raises(dmlviz.Refused, match=re.escape(problem.message)):
            operator.output_sizes(sizes)


def test_every_setting_that_is_wrong_is_named():
    found = Slice((9, 0), (0, 3), (0, 0)).problems((7, 2), None)
    assert [problem.field for problem in found] == [
        *("input_window_offsets", "input_window_sizes", "input_window_strides"),
        *("input_window_sizes", "input_window_strides"),
    ]


def test_several_rules_at_once():
    found = Padding("MIRROR", (-1,), (0, 0)).problems((3,), "INT8")
    assert [p.field for p in found] == ["padding_mode", "start_padding", "end_padding"]
    with pytest.raises(dmlviz.Refused) as caught:
        dmlviz.run(Padding("MIRROR", (-1,), (0, 0)), np.zeros(3, np.int8))
    assert caught.value.problems == tuple(found)
    assert caught.value.field == "padding_mode"
    assert all(p.message in str(caught.value) for p in found)


def test_an_order_that_is_huge_is_still_a_sentence():
    with pytest.raises(dmlviz.Error):
        DepthToSpace(2, 10**5000).output_sizes((1, 4, 1, 1))


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda v: Tile(v), "repeats"),
        (lambda v: Tile([v]), "repeats"),
        (lambda v: DepthToSpace(v), "block_size"),
        (lambda v: SpaceToDepth(2, v), "order"),
        (lambda v: Padding(v, (1,), (1,)), "padding_mode"),
        (lambda v: Padding("EDGE", v, (1,)), "start_padding"),
        (lambda v: Padding("EDGE", (1,), v), "end_padding"),
    ],
)
@pytest.mark.parametrize("value", [None, True, 1.5, "x", ..., np.nan, b"1"], ids=repr)
def test_settings_of_no_possible_type(make, field, value):
    if isinstance(value, str) and field in ("order", "padding_mode"):
        assert make(value).problems((1, 1, 2, 2), "INT8")[0].field == field
        return
    with pytest.raises(dmlviz.Error) as caught:
        make(value)
    assert caught.value.field == field
    assert str(caught.value).startswith(f"{field}: ")


def test_numpy_numbers_are_numbers():
    assert Tile(np.array([2, 3])).repeats == (2, 3)
    assert type(Tile(np.array([2, 3])).repeats[0]) is int
    assert DepthToSpace(np.uint8(2)) == DepthToSpace(2)
    assert Padding("EDGE", np.zeros(2, np.uint32), [1, 1]).start_padding == (0, 0)


@given(json_like(), json_like())
def test_nothing_but_problems_comes_out(sizes, data_type):
    for operator in (Tile((1, 2)), DepthToSpace(2), SpaceToDepth(2), PAD):
        for problem in operator.problems(sizes, data_type):
            assert problem.message.startswith(f"{problem.field}: ")
