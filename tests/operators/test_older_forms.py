"""Structures that another operator includes: what they are read as, and what they cannot be."""

import numpy as np
import pytest

import dmlviz
from dmlviz import DepthToSpace, DiagonalMatrix, Padding, SpaceToDepth, older_form_of
from dmlviz.operators import OPERATORS, operator_from_desc
from tests.one_input import applied

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


@pytest.mark.parametrize(
    ("name", "operator"),
    [
        ("DEPTH_TO_SPACE", DepthToSpace(2, "DEPTH_COLUMN_ROW")),
        ("SPACE_TO_DEPTH", SpaceToDepth(2, "DEPTH_COLUMN_ROW")),
    ],
)
def test_the_first_block_operators_have_the_first_order(name, operator):
    assert operator_from_desc(f"DML_OPERATOR_{name}", {"BlockSize": 2}) == operator
    with pytest.raises(dmlviz.Error, match=f'DML_{name}_OPERATOR_DESC has no field "Order"'):
        operator_from_desc(f"DML_OPERATOR_{name}", {"BlockSize": 2, "Order": 1})
    with pytest.raises(dmlviz.Error, match="needs the field BlockSize"):
        operator_from_desc(f"DML_OPERATOR_{name}", {})


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
