"""Every rule, broken once: the field that is named and the words that say why."""

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import DepthToSpace, Padding, SpaceToDepth, Tile
from tests.strategies import json_like

MOST = 2**32 - 1
PAD = Padding("EDGE", (0, 0), (0, 0))

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
    assert words in problem.message
    assert problem.message.endswith(".")
    assert problem.source.startswith("DML_")


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
