"""DirectML's own descriptions, there and back."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import DepthToSpace, Padding, SpaceToDepth, Tile, operator_from_desc
from dmlviz.operators import OPERATORS
from tests.strategies import MODES, ORDERS, any_runs, json_like

TYPES = [
    "DML_OPERATOR_TILE",
    "DML_OPERATOR_DEPTH_TO_SPACE1",
    "DML_OPERATOR_SPACE_TO_DEPTH1",
    "DML_OPERATOR_PADDING",
]
D2S, S2D, PAD = TYPES[1:]


def pad(**changed):
    return {"PaddingMode": "EDGE", "StartPadding": [1, 0], "EndPadding": [0, 2], **changed}


@pytest.mark.parametrize(
    ("operator", "kind", "desc"),
    [
        (Tile((2, 3)), TYPES[0], {"Repeats": [2, 3]}),
        (DepthToSpace(2), D2S, {"BlockSize": 2, "Order": "DEPTH_COLUMN_ROW"}),
        (SpaceToDepth(3, 1), S2D, {"BlockSize": 3, "Order": "COLUMN_ROW_DEPTH"}),
        (Padding("WRAP", (1, 0), (0, 2), 9), PAD, pad(PaddingMode="WRAP", PaddingValue=9)),
        (Padding("EDGE", (1, 0), (0, 2), 0.5), PAD, pad(PaddingValue=0.5)),
    ],
)
def test_both_ways(operator, kind, desc):
    assert operator.operator_type == kind
    assert operator.desc == desc
    assert operator_from_desc(kind, desc) == operator
    assert operator_from_desc(operator.structure, desc) == operator


@given(any_runs())
def test_desc_gives_the_operator_back(run):
    operator, _inputs = run
    for name in (operator.operator_type, operator.structure):
        assert operator_from_desc(name, operator.desc) == operator


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_the_descriptions_of_its_examples_give_them_back(cls):
    for example in cls.examples():
        operator = example.operator
        assert operator_from_desc(operator.operator_type, operator.desc) == operator


@given(st.floats(allow_nan=False))
def test_the_padding_value_comes_back_bit_by_bit(value):
    operator = Padding("CONSTANT", (1,), (1,), value)
    again = operator_from_desc(PAD, operator.desc)
    assert struct.pack("d", again.padding_value) == struct.pack("d", value)


def test_structures():
    assert [cls.structure for cls in (Tile, DepthToSpace, SpaceToDepth, Padding)] == [
        "DML_TILE_OPERATOR_DESC",
        "DML_DEPTH_TO_SPACE1_OPERATOR_DESC",
        "DML_SPACE_TO_DEPTH1_OPERATOR_DESC",
        "DML_PADDING_OPERATOR_DESC",
    ]


@pytest.mark.parametrize(("number", "name"), [*enumerate(ORDERS)])
@pytest.mark.parametrize("kind", [D2S, S2D])
def test_orders_by_number_and_by_full_name(kind, number, name):
    for spelling in (number, name, f"DML_DEPTH_SPACE_ORDER_{name}", f" {name.lower()} "):
        assert operator_from_desc(kind, {"BlockSize": 2, "Order": spelling}).order == name


@pytest.mark.parametrize(("number", "name"), [*enumerate(MODES)])
def test_modes_by_number_and_by_full_name(number, name):
    for spelling in (number, name, f"DML_PADDING_MODE_{name}", f" {name.lower()} "):
        assert operator_from_desc(PAD, pad(PaddingMode=spelling)).padding_mode == name


def test_counts_that_agree():
    assert operator_from_desc(TYPES[0], {"Repeats": [2, 3], "RepeatsCount": 2}) == Tile((2, 3))
    assert operator_from_desc(PAD, pad(DimensionCount=2)).start_padding == (1, 0)


@pytest.mark.parametrize(
    ("kind", "desc", "field", "words"),
    [
        (TYPES[0], {"Repeats": [2], "RepeatsCount": 1.0}, "RepeatsCount", "not a whole number"),
        (TYPES[0], {"Repeats": [2, 3], "RepeatsCount": 3}, "RepeatsCount", "RepeatsCount is 3, but Repeats of DML_TILE_OPERATOR_DESC has 2 numbers"),
        (TYPES[0], {}, "Repeats", "needs the field Repeats"),
        (TYPES[0], {"repeats": [1]}, "Repeats", "needs the field Repeats"),
        (TYPES[0], {"Repeats": [1], "Times": 2}, "Times", 'has no field "Times"; it has Repeats, RepeatsCount'),
        (TYPES[0], {"Repeats": "12"}, "repeats", "not a list"),
        (TYPES[0], {"Repeats": [[1]]}, "repeats", "[1] is not a whole number"),
        (TYPES[0], {"Repeats": [1.0]}, "repeats", "1.0 is not a whole number"),
        (TYPES[0], None, "", "needs a mapping of its fields"),
        (TYPES[0], [1, 2], "", "needs a mapping of its fields"),
        (D2S, {"BlockSize": 2}, "Order", "needs the field Order"),
        (S2D, {"Order": 0}, "BlockSize", "needs the field BlockSize"),
        (D2S, {"BlockSize": 2, "Order": []}, "order", "is not one of"),
        (D2S, {"BlockSize": {}, "Order": 0}, "block_size", "not a whole number"),
        (PAD, pad(DimensionCount=3), "DimensionCount", "DimensionCount is 3, but StartPadding"),
        (PAD, pad(EndPadding=[0], DimensionCount=2), "DimensionCount", "but EndPadding"),
        (PAD, pad(PaddingMode=[0]), "padding_mode", "not one of"),
        (PAD, pad(PaddingValue={}), "padding_value", "not a number"),
        (PAD, {"PaddingMode": 0}, "StartPadding", "needs the field StartPadding"),
        ("DML_OPERATOR_CAST", {}, "operator", "is unknown; the names after DML_OPERATOR_ are TILE, "),
        ([], {}, "operator", "[] is unknown"),
        (None, {}, "operator", "None is unknown"),
    ],
)  # fmt: skip
def test_refused(kind, desc, field, words):
    with pytest.raises(dmlviz.Error) as caught:
        operator_from_desc(kind, desc)
    assert caught.value.field == field
    assert words in str(caught.value)


FIELDS = [
    ("Repeats", "RepeatsCount"),
    ("BlockSize", "Order"),
    ("BlockSize", "Order"),
    ("PaddingMode", "StartPadding", "EndPadding", "PaddingValue", "DimensionCount"),
]


@given(st.data())
def test_only_our_errors_come_out(data):
    which = data.draw(st.integers(0, 3))
    known = st.fixed_dictionaries({}, optional=dict.fromkeys(FIELDS[which], json_like()))
    desc = data.draw(known | json_like())
    try:
        operator = operator_from_desc(TYPES[which], desc)
        operator.output_sizes((1, 4, 2, 2))
    except dmlviz.Error as error:
        assert str(error)


@given(st.data())
def test_known_fields_with_any_values(data):
    which = data.draw(st.integers(0, 3))
    desc = data.draw(st.fixed_dictionaries(dict.fromkeys(FIELDS[which], json_like())))
    try:
        operator_from_desc(TYPES[which], desc).problems((1, 4, 2, 2), "INT8")
    except dmlviz.Error as error:
        assert str(error)


TILE_DESC = {"Repeats": [2, 3]}


@pytest.mark.parametrize(
    "tensors",
    [
        {"OutputTensor": {"Sizes": [2, 6]}},
        {"InputTensor": {"Sizes": [1, 2]}},
        {"InputTensor": {"Sizes": [1, 2]}, "OutputTensor": {"Sizes": [2, 6]}},
    ],
)
def test_sizes_that_directml_derives_may_be_said(tensors):
    found = operator_from_desc("DML_OPERATOR_TILE", {**TILE_DESC, **tensors})
    assert found == dmlviz.Tile((2, 3))


@pytest.mark.parametrize(
    ("tensors", "words"),
    [
        (
            {"InputTensor": {"Sizes": [1, 2]}, "OutputTensor": {"Sizes": [6, 2]}},
            r"desc: OutputTensor of DML_TILE_OPERATOR_DESC has Sizes \[6, 2\], not \{2, 6\}\.",
        ),
        ({"InputTensor": {"Sizes": [2]}}, "repeats: {2, 3} are 2 numbers"),
        ({"OutputTensor": {"Sizes": [2, 0]}}, "desc: OutputTensor: sizes: dimension 1 has size 0"),
        ({"OutputTensor": [2, 6]}, r"desc: OutputTensor is \[2, 6\]"),
    ],
)
def test_sizes_that_contradict_are_refused(tensors, words):
    with pytest.raises(dmlviz.Error, match=words):
        operator_from_desc("DML_OPERATOR_TILE", {**TILE_DESC, **tensors})
