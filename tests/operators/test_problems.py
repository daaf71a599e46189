"""Every rule, broken once: the field that is named and the words that say why."""

import re

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import (
    DepthToSpace,
    DiagonalMatrix,
    Gather,
    GatherND,
    Join,
    Padding,
    Resample,
    ReverseSubsequences,
    Slice,
    SpaceToDepth,
    Split,
    Strided,
    Tile,
    Unfold,
)
from dmlviz.operators import OPERATORS
from dmlviz.tensors import DATA_TYPES
from tests.operators.expectations import rules, says
from tests.strategies import json_like

PAD = Padding("EDGE", (0, 0), (0, 0))


def near(scale, *size):
    """A Resample of a row."""
    return Resample("DECREASING", (scale,), (0,), (0,), size)


INDEXED = {"InputTensor": (5, 3), "IndicesTensor": (1, 4)}
TIMED = {"InputTensor": (3, 5), "SequenceLengthsTensor": (3, 1)}
BITS = "a number of 1,329 bits"
RULES = [
    *rules(),
    (Tile((1,)), None, "INT8", None, "sizes", "InputTensor is missing"),
    (Tile((10**5000,)), (2,), "INT8", None, "repeats", "is invalid"),
    (Tile((1,)), (10**5000,), "INT8", None, "sizes", "dimension 0"),
    (Strided((10**5000,), (0,)), (10,), "INT8", None, "input_tensor_sizes", "is invalid"),
    (Slice((3,), (10**400,), (1,)), (7,), "INT32", None, "input_window_sizes", f"window {BITS}"),
    (Join(10**400), {"InputTensors[0]": (2, 3)}, None, None, "axis", BITS),
    (Split(1, (2, 10**400)), (3, 7), "INT32", None, "parts", BITS),
    (Gather(10**400, 1), INDEXED, None, None, "axis", BITS),
    (GatherND(10**400, 2, 0), INDEXED, None, None, "input_dimension_count", BITS),
    (ReverseSubsequences(10**400), TIMED, None, None, "axis", BITS),
]
"""What ``expectations/`` has, and what TOML has no values for."""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule[0].key}-{rule[4]}-{rule[5]}")
def test_rule(rule):
    operator, sizes, data_type, level, field, words = rule
    (problem,) = operator.problems(sizes, data_type, level)
    assert problem.field == field
    assert says(problem.message, f"{field}: …{words}…")
    assert problem.message.endswith(".")
    assert problem.source.startswith("DML_")
    if operator.problems(sizes, None):
        with pytest.raises(dmlviz.Refused, match=re.escape(problem.message)):
            operator.output_sizes(sizes)


@pytest.mark.parametrize(
    ("operator", "sizes", "kind", "level"),
    [
        (Tile((1,) * 4), (2,) * 4, "FLOAT64", None),
        (near(2), (5,), "INT8", "6_2"),
        (near(2), (5,), "UINT8", "6_2"),
        (near(1, 4_000_000_000), (5,), "FLOAT32", None),
        (DiagonalMatrix(float("-inf"), 0, 1), (4, 5), "FLOAT16", None),
        (Unfold((3,), (2,), (1,), (1,), (1,)), (1, 1, 5), "INT8", "6_4"),
        # feature levels count the dimensions of the tensor, not those of memory
        (Strided((2,) * 4, (1,) * 4), (9,), "FLOAT16", "1_0"),
        (Strided((2,), (1,)), (9,), "INT8", "3_0"),
        (Strided((2,) * 8, (1,) * 8), (9,), "FLOAT64", "4_1"),
    ],
)
def test_what_is_taken(operator, sizes, kind, level):
    assert operator.problems(sizes, kind, level) == []


@pytest.mark.parametrize("kind", DATA_TYPES)
def test_types_of_resample(kind):
    assert bool(near(2).problems((5,), kind)) == (
        kind not in ("FLOAT32", "FLOAT16", "INT8", "UINT8")
    )


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_every_input_has_to_be_there(cls):
    for example in cls.examples():
        sizes = {name: array.shape for name, array in example.inputs.items()}
        for slot in cls.input_slots:
            missing = [name for name in sizes if name.partition("[")[0] == slot.name][-1]
            others = {name: of for name, of in sizes.items() if name != missing}
            if slot.optional or not others or missing.endswith(f"[{len(sizes) - 1}]"):
                continue
            (problem,) = example.operator.problems(others, None)
            assert problem.message == f"sizes: {missing} is missing."
            with pytest.raises(dmlviz.Error, match=re.escape(f"{missing} is missing")):
                dmlviz.run(example.operator, {n: example.inputs[n] for n in others})


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
