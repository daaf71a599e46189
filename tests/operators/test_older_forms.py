"""Structures that another operator includes: what they are read as, and what they cannot be."""

from dataclasses import replace

import numpy as np
import pytest

import dmlviz
from dmlviz import (
    DepthToSpace,
    DiagonalMatrix,
    GatherND,
    Padding,
    Resample,
    Scatter,
    Slice,
    SpaceToDepth,
    TopK,
    older_form_of,
)
from dmlviz.operators import OPERATORS, operator_from_desc
from tests.one_input import applied
from tests.operators.expectations import says

FORMS = [(cls, form) for cls in OPERATORS for form in cls.older_forms]


@pytest.mark.parametrize(("cls", "form"), FORMS, ids=lambda one: getattr(one, "structure", ""))
def test_each_says_which_it_is(cls, form):
    assert older_form_of(form.operator_type) is older_form_of(form.structure) is form
    own = {name for other in OPERATORS for name in (other.operator_type, other.structure)}
    assert not own & {form.operator_type, form.structure}
    kind = form.operator_type.removeprefix("DML_OPERATOR_")
    assert form.structure == f"DML_{kind}_OPERATOR_DESC"
    assert set(form.without) <= {s.name for s in cls.input_slots if s.optional}


def test_what_is_none():
    for name in ("DML_OPERATOR_TILE", "DML_TILE_OPERATOR_DESC", "DML_OPERATOR_GRU", ""):
        assert older_form_of(name) is None
    assert [f.operator_type for _cls, f in FORMS if f.newer] == ["DML_OPERATOR_PADDING1"]


GND, SL, RES, UP = "GATHER_ND", "SLICE", "RESAMPLE", "UPSAMPLE_2D"
WINDOW = {"Offsets": [0], "Sizes": [2], "Strides": [1]}
UPSCALE = {"ScaleSize": {"Width": 3, "Height": 2}, "InterpolationMode": "NEAREST_NEIGHBOR"}
NEAREST = {"InterpolationMode": 0}
CENTERS = {"InputPixelOffsets": [0.5], "OutputPixelOffsets": [-0.5], "DimensionCount": 1}
THRICE = Resample("DECREASING", (3,), (0,), (-0.5,))


@pytest.mark.parametrize(
    ("name", "desc", "operator"),
    [
        # the first block operators have the first order
        ("DEPTH_TO_SPACE", {"BlockSize": 2}, DepthToSpace(2, "DEPTH_COLUMN_ROW")),
        ("SPACE_TO_DEPTH", {"BlockSize": 2}, SpaceToDepth(2, "DEPTH_COLUMN_ROW")),
        (GND, {"InputDimensionCount": 2, "IndicesDimensionCount": 2}, GatherND(2, 2, 0)),
        (GND, {"InputDimensionCount": 3, "IndicesDimensionCount": 2}, GatherND(3, 2, 0)),
        ("SCATTER_ELEMENTS", {"Axis": 0}, Scatter(0)),
        ("TOP_K", {"Axis": 3, "K": 2}, TopK(3, 2)),
        ("TOP_K", {"Axis": 2, "K": 2}, TopK(2, 2)),
        ("TOP_K", {"Axis": 3, "K": 3}, TopK(3, 3)),
        (SL, {"Offsets": [0, 1], "Sizes": [2, 2], "Strides": [2, 3]}, Slice((0, 1), (3, 4), (2, 3))),
        (SL, WINDOW | {"Strides": [2], "DimensionCount": 1}, Slice((0,), (3,), (2,))),
        # the last element has to be inside
        (SL, {"Offsets": [1], "Sizes": [3], "Strides": [3]}, Slice((1,), (7,), (3,))),
        (f"{RES}1", NEAREST | CENTERS | {"Scales": [3]}, THRICE),
        (RES, NEAREST | {"Scales": [3.0]}, THRICE),
        (RES, NEAREST | {"OutputTensor": {"Sizes": [4]}, "ScaleCount": 1, "Scales": [3]}, replace(THRICE, output_tensor_sizes=(4,))),
        (UP, UPSCALE, Resample("DECREASING", (1, 1, 2, 3), (0,) * 4, (0,) * 4)),
        (UP, UPSCALE | {"ScaleSize": [3, 2]}, Resample("DECREASING", (1, 1, 2, 3), (0,) * 4, (0,) * 4)),
    ],
)  # fmt: skip
def test_read(name, desc, operator):
    assert operator_from_desc(f"DML_OPERATOR_{name}", desc) == operator
    assert operator_from_desc(f"DML_{name}_OPERATOR_DESC", desc) == operator


@pytest.mark.parametrize(
    ("name", "desc", "field", "words"),
    [
        ("DEPTH_TO_SPACE", {"BlockSize": 2, "Order": 1}, "Order", 'DML_DEPTH_TO_SPACE_OPERATOR_DESC has no field "Order"'),
        ("SPACE_TO_DEPTH", {"BlockSize": 2, "Order": 1}, "Order", 'DML_SPACE_TO_DEPTH_OPERATOR_DESC has no field "Order"'),
        ("DEPTH_TO_SPACE", {}, "BlockSize", "needs the field BlockSize"),
        ("SPACE_TO_DEPTH", {}, "BlockSize", "needs the field BlockSize"),
        (GND, {"InputDimensionCount": 2, "IndicesDimensionCount": 2, "BatchDimensionCount": 0}, "BatchDimensionCount", 'has no field "BatchDimensionCount"'),
        (GND, {"InputDimensionCount": 2}, "IndicesDimensionCount", "needs the field IndicesDimensionCount"),
        (SL, WINDOW | {"Sizes": [0]}, "Sizes", "Sizes"),
        (SL, WINDOW | {"Sizes": [1], "Strides": [-1]}, "Strides", "Strides"),
        (SL, WINDOW | {"Sizes": [1], "Strides": [0]}, "Strides", "Strides"),
        (SL, WINDOW | {"Sizes": [1, 1]}, "Sizes", "Sizes"),
        (SL, {"Offsets": [0], "Sizes": [2]}, "Strides", "Strides"),
        (SL, WINDOW | {"Ends": [2]}, "Ends", "Ends"),
        (SL, WINDOW | {"DimensionCount": 2}, "DimensionCount", "DimensionCount"),
        (SL, WINDOW | {"OutputTensor": [2]}, "OutputTensor", "OutputTensor"),
        (SL, WINDOW | {"OutputTensor": {"Sizes": [1]}}, "OutputTensor", "OutputTensor"),
        (UP, UPSCALE | {"InputTensor": {"Sizes": [1, 2, 1, 2, 3]}, "OutputTensor": {"Sizes": [1, 2, 1, 4, 9]}}, "OutputTensor", "5 dimensions is not shown: it is read as DML_RESAMPLE2"),
        (UP, UPSCALE | {"ScaleSize": {"Width": 3}}, "ScaleSize", "ScaleSize is … it must look like"),
        (UP, UPSCALE | {"ScaleSize": [1, 2, 3]}, "ScaleSize", "ScaleSize is … it must look like"),
        (UP, UPSCALE | {"ScaleSize": 2}, "ScaleSize", "ScaleSize is … it must look like"),
        (UP, UPSCALE | {"ScaleSize": "3,2"}, "ScaleSize", "ScaleSize is … it must look like"),
    ],
)  # fmt: skip
def test_refused(name, desc, field, words):
    with pytest.raises(dmlviz.Error) as caught:
        operator_from_desc(f"DML_OPERATOR_{name}", desc)
    assert caught.value.field == field
    assert says(str(caught.value), f"…{words}…")


def padding1(**changed):
    fields = {
        "PaddingMode": "DML_PADDING_MODE_CONSTANT",
        "PaddingValueDataType": "DML_TENSOR_DATA_TYPE_FLOAT32",
        "PaddingValue": 9,
        "DimensionCount": 1,
        "StartPadding": [2],
        "EndPadding": [1],
    }
    return operator_from_desc("DML_OPERATOR_PADDING1", fields | changed)


def test_padding1():
    assert padding1() == Padding("CONSTANT", (2,), (1,), 9)
    assert padding1(PaddingMode=0, PaddingValueDataType=7) == Padding("CONSTANT", (2,), (1,), 9)
    assert padding1(PaddingMode="EDGE") == Padding("EDGE", (2,), (1,), 9)
    assert padding1(PaddingValue=0.1).padding_value == 0.1
    assert padding1(PaddingValue=16_777_217, PaddingMode="WRAP").padding_mode == "WRAP"
    assert np.isinf(padding1(PaddingValue=float("inf")).padding_value)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"PaddingValue": 16_777_217, "PaddingValueDataType": "INT32"}, "turn it into 16777216"),
        ({"PaddingValue": 2**63, "PaddingValueDataType": "INT64"}, "does not fit"),
        ({"PaddingValue": 10.6, "PaddingValueDataType": "UINT8"}, "would turn it into 10"),
        (
            {"PaddingValue": 0.1, "PaddingValueDataType": "FLOAT64"},
            "turn it into 0.10000000149011612",
        ),
        ({"PaddingValue": 10**400}, "is too large"),
        ({"PaddingValueDataType": "BOOL"}, 'PaddingValueDataType is "BOOL"; it must be the type'),
        ({"PaddingValueDataType": 12}, "PaddingValueDataType is 12; it must be the type"),
        ({"DimensionCount": 2}, "DimensionCount is 2, but StartPadding"),
        ({"Order": 0}, 'DML_PADDING1_OPERATOR_DESC has no field "Order"'),
    ],
)
def test_what_padding_cannot_do_of_padding1(changed, words):
    with pytest.raises(dmlviz.Error, match=words):
        padding1(**changed)


def test_diagonal_matrix_has_no_input():
    desc = {"Offset": 1, "Value": 1, "OutputTensor": {"Sizes": [2, 3]}}
    operator = operator_from_desc("DML_OPERATOR_DIAGONAL_MATRIX", desc)
    assert operator == DiagonalMatrix(1, 1, 2)
    assert applied(operator, np.zeros((2, 3))).tolist() == [[0, 1, 0], [0, 0, 1]]
    rounded = operator_from_desc("DML_OPERATOR_DIAGONAL_MATRIX", {"Offset": 0, "Value": 0.1})
    assert rounded.value == float(np.float32(0.1))
