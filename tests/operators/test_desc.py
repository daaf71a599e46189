"""DirectML's own descriptions, there and back."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import (
    DepthToSpace,
    DiagonalMatrix,
    Gather,
    Join,
    OneHot,
    Padding,
    Resample,
    ReverseSubsequences,
    Slice,
    SliceGrad,
    SpaceToDepth,
    Split,
    Strided,
    Tile,
    TopK,
    Unfold,
    operator_from_desc,
)
from tests.operators.expectations import says
from tests.strategies import EACH, MODES, ORDERS, each_operator, json_like

TYPES = [
    "DML_OPERATOR_TILE",
    "DML_OPERATOR_DEPTH_TO_SPACE1",
    "DML_OPERATOR_SPACE_TO_DEPTH1",
    "DML_OPERATOR_PADDING",
]
D2S, S2D, PAD = TYPES[1:]


def sized(**tensors):
    """Tensors of a description by name, with their sizes; a list of sizes where there are several."""
    return {
        name: [{"Sizes": one} for one in of] if isinstance(of[0], list) else {"Sizes": of}
        for name, of in tensors.items()
    }


def pad(**changed):
    return {"PaddingMode": "EDGE", "StartPadding": [1, 0], "EndPadding": [0, 2], **changed}


def near(**changed):
    fields = {"RoundingDirection": "DECREASING", "Scales": [2], "InterpolationMode": 0}
    return fields | {"InputPixelOffsets": [0], "OutputPixelOffsets": [0], **changed}


def best(**index_output):
    desc = {"Axis": 1, "K": 2, "AxisDirection": 1, "OutputIndexTensor": index_output}
    return desc | sized(InputTensor=[3, 4])


G, R, ST = (cls.operator_type for cls in (Gather, Resample, Strided))
J, SP, TOP = (cls.operator_type for cls in (Join, Split, TopK))
SG, UN, OH = (cls.operator_type for cls in (SliceGrad, Unfold, OneHot))
RS, SL = ReverseSubsequences.operator_type, Slice.operator_type
DM1 = DiagonalMatrix.operator_type
DIAGONAL = {"Value": 0, "DiagonalFillBegin": 0, "DiagonalFillEnd": 1}
GATHERED = {"Axis": 0, "IndexDimensions": 1}
ROWS = GATHERED | sized(InputTensor=[5, 3], IndicesTensor=[1, 4])
WINDOW = {"InputWindowOffsets": [0, 1], "InputWindowSizes": [2, 3], "InputWindowStrides": [1, -2]}
GRAD = {
    "InputWindowOffsets": [1],
    "InputWindowSizes": [5],
    "InputWindowStrides": [2],
    "DimensionCount": 1,
}
GRADS = GRAD | sized(InputGradientTensor=[3], OutputGradientTensor=[7])
LIST = {"Axis": 1, "InputCount": 2} | sized(InputTensors=[[2, 3], [2, 4]], OutputTensor=[2, 7])
CUT = {"Axis": 1} | sized(OutputTensors=[[3, 2], [3, 5]])
PARTS = CUT | sized(InputTensor=[3, 7]) | {"OutputCount": 2}
WIDE = Unfold((2, 3), (2, 1), (1, 2), (1, 0), (0, 3))
WINDOWS = dict(WIDE.documented)
HOT = {"Axis": 1} | sized(ValuesTensor=[1, 2], IndicesTensor=[3, 1])
LENGTHS = sized(InputTensor=[3, 5], SequenceLengthsTensor=[3, 1])
MEMORY = {"InputTensor": {"Sizes": [2, 3], "Strides": [1, 2]}}


@pytest.mark.parametrize(
    ("operator", "kind", "desc"),
    [
        (Tile((2, 3)), TYPES[0], {"Repeats": [2, 3]}),
        (DepthToSpace(2), D2S, {"BlockSize": 2, "Order": "DEPTH_COLUMN_ROW"}),
        (SpaceToDepth(3, 1), S2D, {"BlockSize": 3, "Order": "COLUMN_ROW_DEPTH"}),
        (Padding("WRAP", (1, 0), (0, 2), 9), PAD, pad(PaddingMode="WRAP", PaddingValue=9)),
        (Padding("EDGE", (1, 0), (0, 2), 0.5), PAD, pad(PaddingValue=0.5)),
        (Slice((0, 1), (2, 3), (1, -2)), SL, WINDOW),
        (Slice((0, 1), (2, 3), (1, -2), (1, 2)), SL, WINDOW | sized(OutputTensor=[1, 2])),
        (Split(1, (2, 5)), SP, {"Axis": 1} | sized(OutputTensors=[[0, 2], [0, 5]])),
        (Strided((2, 3), (1, 2)), ST, MEMORY),
        (TopK(1, 2, "DECREASING", "UINT64"), TOP, {"Axis": 1, "K": 2, "AxisDirection": "DECREASING", "OutputIndexTensor": {"DataType": "UINT64"}}),
        (dmlviz.MaxUnpooling((1, 1, 4, 4)), "DML_OPERATOR_MAX_UNPOOLING", sized(OutputTensor=[1, 1, 4, 4])),
    ],
)  # fmt: skip
def test_both_ways(operator, kind, desc):
    assert operator.operator_type == kind
    assert operator.desc == desc
    assert operator_from_desc(kind, desc) == operator
    assert operator_from_desc(operator.structure, desc) == operator


@pytest.mark.parametrize(
    ("kind", "desc", "operator"),
    [
        # sizes that DirectML derives may be there
        (TYPES[0], {"Repeats": [2, 3]} | sized(OutputTensor=[2, 6]), Tile((2, 3))),
        (TYPES[0], {"Repeats": [2, 3]} | sized(InputTensor=[1, 2]), Tile((2, 3))),
        (TYPES[0], {"Repeats": [2, 3]} | sized(InputTensor=[1, 2], OutputTensor=[2, 6]), Tile((2, 3))),
        (TYPES[0], {"Repeats": [2, 3], "RepeatsCount": 2}, Tile((2, 3))),
        (PAD, pad(DimensionCount=2), Padding("EDGE", (1, 0), (0, 2))),
        (G, ROWS, Gather(0, 1)),
        (G, ROWS | sized(OutputTensor=[4, 3]), Gather(0, 1)),
        (G, GATHERED | sized(OutputTensor=[9, 9]), Gather(0, 1)),
        (J, LIST, Join(1)),
        (J, {"Axis": 1, "InputCount": 8}, Join(1)),
        (SP, CUT, Split(1, (2, 5))),
        (SP, PARTS, Split(1, (2, 5))),
        (SP, {"Axis": 1} | sized(OutputTensors=[[0, 2], [0, 5]], InputTensor=[3, 7]), Split(1, (2, 5))),
        # without outputs the parts are open
        (SP, {"Axis": 1}, Split(1, ())),
        (SL, WINDOW, Slice((0, 1), (2, 3), (1, -2), (0, 0))),
        (SG, GRAD, SliceGrad((1,), (5,), (2,))),
        (SG, GRADS, SliceGrad((1,), (5,), (2,), (7,))),
        (UN, WINDOWS, WIDE),
        (UN, WINDOWS | sized(InputTensor=[1, 2, 5, 3], OutputTensor=[1, 12, 6]), WIDE),
        (OH, HOT | sized(OutputTensor=[3, 5]), OneHot(1, 5)),
        (RS, {"Axis": 1} | LENGTHS, ReverseSubsequences(1)),
        (ST, MEMORY | sized(OutputTensor=[2, 3]) | {"ScaleBias": None}, Strided((2, 3), (1, 2))),
        (ST, sized(InputTensor=[2, 3]), Strided((2, 3), (3, 1))),
        (TOP, best(DataType="UINT64", Sizes=[3, 2]), TopK(1, 2, "DECREASING", "UINT64")),
        (DM1, DIAGONAL | {"ValueDataType": "INT8"}, DiagonalMatrix(0, 0, 1)),
        (DM1, DIAGONAL | {"ValueDataType": "DML_TENSOR_DATA_TYPE_INT8"}, DiagonalMatrix(0, 0, 1)),
        (DM1, DIAGONAL | {"ValueDataType": 8}, DiagonalMatrix(0, 0, 1)),
    ],
)  # fmt: skip
def test_read(kind, desc, operator):
    assert operator_from_desc(kind, desc) == operator
    assert operator_from_desc(operator.structure, desc) == operator
    assert operator_from_desc(kind, operator.desc) == operator


@each_operator(8)
def test_desc_gives_the_operator_back(run):
    operator, _inputs = run
    for name in (operator.operator_type, operator.structure):
        assert operator_from_desc(name, operator.desc) == operator


@EACH
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
        # sizes that contradict what is derived
        (TYPES[0], {"Repeats": [2, 3]} | sized(InputTensor=[1, 2], OutputTensor=[6, 2]), "OutputTensor", "desc: OutputTensor of DML_TILE_OPERATOR_DESC has Sizes [6, 2], not {2, 6}."),
        (TYPES[0], {"Repeats": [2, 3]} | sized(InputTensor=[2]), "repeats", "repeats: {2, 3} are 2 numbers"),
        (TYPES[0], {"Repeats": [2, 3]} | sized(OutputTensor=[2, 0]), "OutputTensor", "desc: OutputTensor: sizes: dimension 1 has size 0"),
        (TYPES[0], {"Repeats": [2, 3], "OutputTensor": [2, 6]}, "OutputTensor", "desc: OutputTensor is [2, 6]"),
        # strides are read for tensors that may have them
        (TYPES[0], {"Repeats": [2], "InputTensor": {"Sizes": [2], "Strides": [1]}}, "InputTensor", 'must look like {"Sizes": '),
        (G, ROWS | sized(OutputTensor=[5, 4]), "OutputTensor", "has Sizes [5, 4], not {4, 3}"),
        (G, ROWS | sized(IndicesTensor=[4]), "IndicesTensor", "IndicesTensor: sizes {4} have rank 1"),
        (G, {"Axis": 0}, "IndexDimensions", "needs the field IndexDimensions"),
        (G, GATHERED | {"Axis": "first"}, "axis", 'axis: "first" is not a whole number'),
        (J, LIST | sized(OutputTensor=[2, 8]), "OutputTensor", "has Sizes [2, 8], not {2, 7}"),
        (J, LIST | {"InputCount": 3}, "InputCount", "InputCount is 3, but InputTensors of … has 2 tensors"),
        (J, LIST | {"InputCount": 9}, "InputCount", "InputCount of … is 9; it must be 1 to 8 here"),
        (J, LIST | sized(InputTensors=[[2, 3], [3, 4]]), "InputTensors[1]", "dimension 0 has size 3"),
        (J, LIST | sized(InputTensors=[2, 3]), "InputTensors", "it must be a list of at most 8"),
        (J, LIST | {"InputTensors": [[2, 3]]}, "InputTensors", "InputTensors is [2, 3]"),
        (J, LIST | {"Axis": 2}, "axis", "axis: 2 is invalid"),
        (J, LIST | {"Axis": 1.5}, "axis", "axis: 1.5 is not a whole number"),
        (J, LIST | {"Axes": 1}, "Axes", 'has no field "Axes"'),
        (SP, PARTS | sized(InputTensor=[3, 8]), "parts", "2 + 5 = 7, but it must be 8"),
        (SP, PARTS | sized(InputTensor=[4, 7]), "OutputTensors", "OutputTensors[0] … [3, 2], not {4, 2}"),
        (SP, PARTS | {"OutputCount": 3}, "OutputCount", "OutputCount is 3, but OutputTensors of … has 2 tensors"),
        (SP, PARTS | sized(OutputTensors=[[3, 2], [3, 5], [4, 1]]), "OutputTensors", "OutputTensors[2] … [4, 1]"),
        (SP, PARTS | sized(OutputTensors=[[3]]), "OutputTensors", "which have no dimension 1"),
        (SP, PARTS | sized(OutputTensors=[[3, 2]] * 9), "OutputTensors", "a list of at most 8"),
        (SP, PARTS | {"OutputTensors": "both"}, "OutputTensors", "it must be a list of at most 8"),
        (SP, PARTS | {"Axis": -1}, "OutputTensors", "no dimension -1"),
        (SP, PARTS | {"Parts": [2, 5]}, "Parts", 'has no field "Parts"'),
        (SP, sized(OutputTensors=[[3, 2], [3, 5]]), "Axis", "needs the field Axis"),
        (SG, GRADS | sized(InputGradientTensor=[4]), "sizes", "4 elements in dimension 0 do not fit"),
        (SG, GRADS | {"DimensionCount": 2}, "DimensionCount", "DimensionCount is 2"),
        (UN, WINDOWS | {"DimensionCount": 3}, "DimensionCount", "DimensionCount is 3, but WindowSizes … has 2"),
        (UN, WINDOWS | sized(InputTensor=[1, 2, 5, 3], OutputTensor=[1, 1, 12, 6]), "OutputTensor", "has Sizes [1, 1, 12, 6], not {1, 12, 6}"),
        (OH, HOT | sized(OutputTensor=[4, 5]), "OutputTensor", "has Sizes [4, 5], not {3, 5}"),
        (OH, {"Axis": 3} | sized(OutputTensor=[4, 5]), "OutputTensor", "have no dimension 3"),
        (RS, {"Axis": 1} | LENGTHS | sized(OutputTensor=[5, 3]), "OutputTensor", "has Sizes [5, 3], not {3, 5}"),
        (RS, {"Axis": 0} | LENGTHS, "SequenceLengthsTensor", "sizes {3, 1} are not {1, 5}"),
        (R, near(Scales="12"), "scales", "scales: … is not a list of real numbers"),
        (R, near(Scales=[None]), "scales", "real numbers"),
        (R, near(Scales=[True]), "scales", "real numbers"),
        (R, near(Scales=["2"]), "scales", "real numbers"),
        (R, near(Scales=[10**400]), "scales", "real numbers"),
        (R, near(Scales=2), "scales", "real numbers"),
        (R, near(RoundingDirection="SIDEWAYS"), "rounding_direction", 'rounding_direction: "SIDEWAYS" is not one of INC'),
        (R, near(RoundingDirection=2), "rounding_direction", "rounding_direction: 2 is not one of"),
        (R, near(RoundingDirection=1.0), "rounding_direction", "rounding_direction: 1.0 is not one of"),
        (R, near(DimensionCount=2), "DimensionCount", "DimensionCount is 2, but Scales"),
        (R, near(Antialiased=True), "Antialiased", 'has no field "Antialiased"'),
        (ST, {}, "InputTensor", "needs the field InputTensor"),
        (ST, {"InputTensor": [2, 3]}, "InputTensor", 'it must look like {"Sizes": [2, 3], "Strides": [1, 2]}'),
        (ST, {"InputTensor": {"Strides": [1]}}, "InputTensor", "desc: InputTensor is"),
        (ST, {"InputTensor": {"Sizes": [2], "Strides": [1], "Flags": 0}}, "InputTensor", "desc: InputTensor is"),
        (ST, {"InputTensor": {"Sizes": [2], "Strides": "1"}}, "InputTensor.Strides", "InputTensor.Strides: … not a list"),
        (ST, {"InputTensor": {"Sizes": [2], "Strides": [1, 2]}}, "input_tensor_strides", "the count is 2"),
        (ST, sized(InputTensor=[2]) | {"ScaleBias": [1, 0]}, "ScaleBias", "that would change values"),
        (ST, sized(InputTensor=[2, 3], OutputTensor=[3, 2]), "OutputTensor", "OutputTensor of … has Sizes [3, 2], not {2, 3}"),
        (ST, sized(InputTensor=[2]) | {"OutputTensor": {"Sizes": [2], "Strides": [1]}}, "OutputTensor", "desc: OutputTensor is"),
        (TOP, best(DataType="INT64"), "OutputIndexTensor", "OutputIndexTensor: INT64 is not supported; … UINT32, UINT64"),
        (TOP, best(DataType=3), "OutputIndexTensor", 'desc: OutputIndexTensor is … it must look like {"DataType": "UINT32"}'),
        (TOP, best(), "OutputIndexTensor", "desc: OutputIndexTensor is {}; it must look like"),
        (TOP, best(Strides=[1]), "OutputIndexTensor", "desc: OutputIndexTensor is"),
        (TOP, best(Sizes=[3, 3]), "OutputIndexTensor", "desc: OutputIndexTensor … has Sizes [3, 3], not {3, 2}"),
        (DM1, DIAGONAL | {"ValueDataType": "FLOAT7"}, "ValueDataType", 'ValueDataType is "FLOAT7"'),
    ],
)  # fmt: skip
def test_refused(kind, desc, field, words):
    with pytest.raises(dmlviz.Error) as caught:
        operator_from_desc(kind, desc)
    assert caught.value.field == field
    assert says(str(caught.value), f"…{words}…")


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
