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
    GatherElements,
    GatherND,
    Join,
    MaxUnpooling,
    OneHot,
    Padding,
    Resample,
    ReverseSubsequences,
    Scatter,
    ScatterND,
    Slice,
    SliceGrad,
    SpaceToDepth,
    Split,
    Strided,
    Tile,
    TopK,
    Unfold,
)
from dmlviz.operators import OPERATORS, FillValueConstant, FillValueSequence
from dmlviz.tensors import DATA_TYPES
from tests.operators.expectations import says
from tests.strategies import json_like

MOST = 2**32 - 1
PAD = Padding("EDGE", (0, 0), (0, 0))


def picked(indices, sizes=(5, 3)):
    """Sizes of an input, of 5 by 3 if it is not said, and of the indices."""
    return {"InputTensor": sizes, "IndicesTensor": indices}


def written(indices, updates):
    """Sizes of an input of 5 by 3, of indices and of updates."""
    return {**picked(indices), "UpdatesTensor": updates}


def timed(lengths):
    """Sizes of an input of 3 by 5, and of the lengths of its sequences."""
    return {"InputTensor": (3, 5), "SequenceLengthsTensor": lengths}


def valued(indices=(3, 1), values=(1, 2)):
    """Sizes of an off and an on value, and of the indices."""
    return {"ValuesTensor": values, "IndicesTensor": indices}


def near(scale=1, inputs=0, outputs=0, *size):
    """A Resample of a row."""
    return Resample("DECREASING", (scale,), (inputs,), (outputs,), size)


def joined(*shapes):
    """Sizes of the tensors of a list."""
    return {f"InputTensors[{k}]": shape for k, shape in enumerate(shapes)}


PLANE, NONE, SIDES = (1, 1, 4, 4), DiagonalMatrix(0, 0, 1), (1, 2, 3, 4)
# a data type, with a feature level or without; … stands for any words
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
    # feature levels
    (Tile((1,) * 5), (2,) * 5, ("FLOAT32", "2_1"), "sizes", "5 dimensions are not accepted by DML_TILE at feature level 2_1, which takes 4; feature level 3_1 and above accept it."),
    (Tile((1,) * 4), (2,) * 4, ("INT64", "4_0"), "data_type", "INT64 is not accepted by DML_TILE at feature level 4_0, which takes FLOAT32, FLOAT16, INT32, INT16, INT8, UINT32, UINT16, UINT8; feature level 4_1 and above accept it."),
    # listed nowhere, and it runs
    (Tile((1,) * 4), (2,) * 4, ("FLOAT64", "1_0"), "data_type", "no feature level lists FLOAT64 for DML_TILE, not even 1_0; DirectML 1.15.4 still runs it"),
    (Tile((1,) * 4), (2,) * 4, ("FLOAT64", "4_1"), "data_type", "no feature level lists FLOAT64 for DML_TILE, not even 4_1; DirectML 1.15.4 still runs it"),
    (Tile((1,) * 4), (2,) * 4, ("FLOAT64", "6_4"), "data_type", "no feature level lists FLOAT64 for DML_TILE, not even 6_4; DirectML 1.15.4 still runs it"),
    (Padding("EDGE", (1,) * 6, (0,) * 6), (2,) * 6, ("INT8", "3_0"), "sizes", "takes 4 or 5; feature level 3_1 and above"),
    (Padding("EDGE", (1,) * 4, (0,) * 4), (2,) * 4, ("FLOAT64", "4_1"), "data_type", "feature level 5_0 and above accept it."),
    (Padding("EDGE", (1,) * 4, (0,) * 4), (2,) * 4, ("UINT8", "2_0"), "data_type", "feature level 2_1 and above accept it."),
    (SpaceToDepth(1), (2,) * 4, ("UINT64", "3_0"), "data_type", "feature level 5_0 and above"),
    (SpaceToDepth(1), (2,) * 3, ("INT8", "1_0"), "sizes", "takes 4"),
    (SpaceToDepth(1), (2,) * 5, ("INT8", "6_4"), "sizes", "takes 4"),
    (DepthToSpace(1), (2,) * 3, ("INT8", "1_0"), "sizes", "takes 4"),
    (DepthToSpace(1), (2,) * 5, ("INT8", "6_4"), "sizes", "takes 4"),
    (DepthToSpace(1), (2,) * 4, ("FLOAT32", "1_0"), "feature_level", "1_0 does not have DML_DEPTH_TO_SPACE1; it was added in feature level 2_1."),
    (Slice((7,), (1,), (1,)), (7,), "INT32", "input_window_offsets", "7 in dimension 0 … 0 to 6"),
    (Slice((-1,), (1,), (1,)), (7,), "INT32", "input_window_offsets", "-1 in dimension 0"),
    (Slice((3,), (0,), (1,)), (7,), "INT32", "input_window_sizes", "0 in dimension 0 … 1 element or more"),
    (Slice((3,), (5,), (1,)), (7,), "INT32", "input_window_sizes", "offset 3 + window 5 = 8 … size 7"),
    (Slice((3,), (2,), (0,)), (7,), "INT32", "input_window_strides", "0 in dimension 0 … and not 0"),
    (Slice((3,), (2,), (2**31,)), (7,), "INT32", "input_window_strides", "2147483648 in dimension 0"),
    (Slice((3,), (2,), (1,), (3,)), (7,), "INT32", "output_tensor_sizes", "= 2 is the most"),
    (Slice((3,), (2,), (1,), (-1,)), (7,), "INT32", "output_tensor_sizes", "-1 in dimension 0"),
    (Slice((3,), (10**400,), (1,)), (7,), "INT32", "input_window_sizes", "window a number of 1,329 bits"),
    (Slice((0, 1), (2, 3), (1, -2), (2, 3)), (2, 4), None, "output_tensor_sizes", "3 in dimension 1 … 1 + (3 − 1) div 2 = 2"),
    (Slice((1,), (7,), (3,)), (7,), None, "input_window_sizes", ""),
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
    (Gather(2, 1), picked((1, 4)), None, "axis", "2 is invalid; the input's dimensions are 0 to 1"),
    (Gather(-1, 1), picked((1, 4)), None, "axis", "-1 is invalid"),
    (Gather(0, 3), picked((1, 4)), None, "index_dimensions", "3 is invalid; … 0 to 2"),
    (Gather(0, -1), picked((1, 4)), None, "index_dimensions", "-1 is invalid"),
    (Gather(0, 1), picked((4,)), None, "IndicesTensor", "sizes {4} have rank 1, the input has rank 2"),
    (Gather(0, 1), picked((2, 4)), None, "IndicesTensor", "dimension 0 has size 2; IndexDimensions is 1"),
    (Gather(0, 0), picked((1, 4)), None, "IndicesTensor", "dimension 1 has size 4; IndexDimensions is 0"),
    (Gather(1, 2), picked((1, 4)), None, "index_dimensions", "2 would make {5, 1, 4}, 3 dimensions"),
    (Gather(10**400, 1), picked((1, 4)), None, "axis", "a number of 1,329 bits"),
    (GatherND(0, 2, 0), picked((4, 2)), None, "input_dimension_count", "0 is invalid; InputTensor … 2"),
    (GatherND(3, 2, 0), picked((4, 2)), None, "input_dimension_count", "3 is invalid"),
    (GatherND(1, 2, 0), picked((4, 1)), None, "input_dimension_count", "1 leaves out dimension 0 … size 5"),
    (GatherND(2, 3, 0), picked((4, 2)), None, "indices_dimension_count", "3 is invalid; IndicesTensor"),
    (GatherND(2, 1, 0), picked((4, 2)), None, "indices_dimension_count", "1 leaves out dimension 0 … size 4"),
    (GatherND(2, 2, 2), picked((5, 1)), None, "batch_dimension_count", "2 is invalid; … 0 to 1 can"),
    (GatherND(2, 2, -1), picked((5, 1)), None, "batch_dimension_count", "-1 is invalid"),
    (GatherND(2, 2, 1), picked((4, 1)), None, "IndicesTensor", "batch dimension 0 has size 4 … has 5"),
    (GatherND(2, 2, 0), picked((4, 3)), None, "IndicesTensor", "each tuple has 3 indices; at most 2"),
    (GatherND(2, 2, 1), picked((5, 2)), None, "IndicesTensor", "each tuple has 2 indices; at most 1"),
    (GatherND(2, 2, 0), picked((2,)), None, "IndicesTensor", "sizes {2} have rank 1, the input has rank"),
    (GatherND(3, 3, 0), picked((2, 4, 1), (5, 3, 2)), None, "IndicesTensor", "{2, 4}… {3, 2}, make 4 dimens"),
    (GatherND(10**400, 2, 0), picked((4, 2)), None, "input_dimension_count", "a number of 1,329 bits"),
    (Scatter(2), written((2, 3), (2, 3)), None, "axis", "2 is invalid; the input's dimensions are 0 to 1"),
    (Scatter(0), written((3,), (3,)), None, "IndicesTensor", "sizes {3} have rank 1, the input has rank 2"),
    (Scatter(0), written((2, 1), (2, 1)), None, "IndicesTensor", "dimension 1 has size 1 where the input has 3"),
    (Scatter(0), written((6, 3), (6, 3)), None, "IndicesTensor", "has size 6 where … 5; DirectML takes no more"),
    (Scatter(0), written((2, 3), (3, 3)), None, "UpdatesTensor", "sizes {3, 3} are not {2, 3}"),
    (ScatterND(3, 2), written((4, 1), (4, 3)), None, "input_dimension_count", "3 is invalid; InputTensor has 2"),
    (ScatterND(1, 2), written((4, 1), (4, 3)), None, "input_dimension_count", "1 leaves out dimension 0 … size 5"),
    (ScatterND(2, 1), written((4, 1), (4, 3)), None, "indices_dimension_count", "1 leaves out dimension 0 … size 4"),
    (ScatterND(2, 2), written((4,), (4,)), None, "IndicesTensor", "sizes {4} have rank 1, the input has rank 2"),
    (ScatterND(2, 2), written((4, 3), (4, 3)), None, "IndicesTensor", "each tuple has 3 indices; at most 2"),
    (ScatterND(2, 2), written((4, 1), (1, 4)), None, "UpdatesTensor", "sizes {1, 4} are not {4, 3}"),
    (ScatterND(2, 2), written((4, 2), (4,)), None, "UpdatesTensor", "sizes {4} are not {1, 4}"),
    (MaxUnpooling((1, 4, 4)), picked((1, 1, 2, 2), (1, 1, 2, 2)), None, "output_tensor_sizes", "{1, 4, 4} has rank 3"),
    (MaxUnpooling(()), picked((1, 1, 2, 2), (1, 1, 2, 2)), None, "output_tensor_sizes", "has rank 0; the output has as many"),
    (MaxUnpooling((1, 1, 0, 4)), picked((1, 1, 2, 2), (1, 1, 2, 2)), None, "output_tensor_sizes", "[1, 1, 0, 4] is invalid"),
    (MaxUnpooling(PLANE), picked((1, 1, 2, 3), (1, 1, 2, 2)), None, "IndicesTensor", "sizes {1, 1, 2, 3} are not {1, 1, 2, 2}"),
    (ReverseSubsequences(2), timed((3, 1)), None, "axis", "2 is invalid; the input's dimensions are 0 to 1"),
    (ReverseSubsequences(-1), timed((3, 1)), None, "axis", "-1 is invalid"),
    (ReverseSubsequences(10**400), timed((3, 1)), None, "axis", "a number of 1,329 bits"),
    (ReverseSubsequences(1), timed((1, 5)), None, "SequenceLengthsTensor", "sizes {1, 5} are not {3, 1}, the input's {3, 5} with 1 in"),
    (ReverseSubsequences(0), timed((3, 1)), None, "SequenceLengthsTensor", "are not {1, 5}, the input's {3, 5} with 1 in dimension 0"),
    (ReverseSubsequences(1), timed((3,)), None, "SequenceLengthsTensor", "sizes {3} are not {3, 1}"),
    (OneHot(2, 4), valued(), None, "axis", "2 is invalid; the input's dimensions are 0 to 1"),
    (OneHot(-1, 4), valued(), None, "axis", "-1 is invalid"),
    (OneHot(1, 0), valued(), None, "depth", "0 is invalid; a sequence must have 1 to 4,294,967,295"),
    (OneHot(1, 2**32), valued(), None, "depth", "4294967296 is invalid"),
    (OneHot(0, 4), valued(), None, "IndicesTensor", "dimension 0 has size 3; along Axis"),
    (OneHot(1, 4), valued((3,)), None, "IndicesTensor", "{3} have rank 1"),
    (OneHot(1, 4), valued(values=(1, 1)), None, "sizes", "has one element"),
    (TopK(2, 1), (3, 4), None, "axis", "2 is invalid; the input's dimensions are 0 to 1"),
    (TopK(1, 0), (3, 4), None, "k", "0 is invalid; a sequence along dimension 1 has 4 elements"),
    (TopK(1, 5), (3, 4), None, "k", "5 is invalid; … of which 1 to 4 can be picked"),
    (TopK(0, 1, "UP"), (2,), None, "axis_direction", '"UP" is not one of INCREASING, DECREASING.'),
    (Strided((3, 3), (4, 1)), (10,), "INT8", "input_tensor_strides", "element 2 · 4 + 2 · 1 = 10 of memory, which ends with element 9."),
    (Strided((11,), (1,)), (10,), "INT8", "input_tensor_strides", "would be element 10 · 1 = 10 of memory"),
    (Strided((2, 2), (2**32 - 1, 0)), (10,), "INT8", "input_tensor_strides", "= 4294967295 of memory"),
    (Strided((3, 3), (1,)), (10,), "INT8", "input_tensor_strides", "there are 1; the tensor has 2 dimensions"),
    (Strided((3, 3), (-1, 1)), (10,), "INT8", "input_tensor_strides", "-1 in dimension 0 is invalid; … never goes backward"),
    (Strided((3,), (2**32,)), (10,), "INT8", "input_tensor_strides", "4294967296 in dimension 0"),
    (Strided((3, 0), (1, 1)), (10,), "INT8", "input_tensor_sizes", "0 in dimension 1 is invalid"),
    (Strided((), ()), (10,), "INT8", "input_tensor_sizes", "there are 0; a tensor has 1 to 8 dimensions"),
    (Strided((1,) * 9, (1,) * 9), (10,), "INT8", "input_tensor_sizes", "there are 9"),
    (Strided((10**5000,), (0,)), (10,), "INT8", "input_tensor_sizes", "is invalid"),
    (Strided((2,) * 3, (1,) * 3), (9,), ("FLOAT32", "2_1"), "sizes", ""),
    (Strided((2,) * 4, (1,) * 4), (9,), ("INT8", "2_0"), "data_type", ""),
    (Strided((2,) * 8, (1,) * 8), (9,), ("INT64", "4_0"), "data_type", ""),
    (Unfold((3,), (2,), (1,), (1,), (1,)), (2, 5), None, "sizes", "takes 3 to 8"),
    (Unfold((3,), (2,), (1,), (1,), (1,)), (1, 1, 5), "FLOAT64", "data_type", "FLOAT64 is not supported; DML_UNFOLD takes FLOAT32,"),
    (Unfold((3,), (2,), (1,), (1,), (1,)), (1, 1, 5), ("FLOAT64", "6_4"), "data_type", ""),
    (Unfold((3,), (2,), (1,), (1,), (1,)), (1, 1, 5), ("INT8", "6_3"), "feature_level", ""),
    (DiagonalMatrix(0, 2**31, 0), (4, 5), "FLOAT32", "diagonal_fill_begin", "2147483648 is invalid"),
    (DiagonalMatrix(0, 0, -(2**31) - 1), (4, 5), "FLOAT32", "diagonal_fill_end", "-2147483649"),
    (DiagonalMatrix(0.5, 0, 1), (4, 5), "INT8", "value", "INT8 holds whole numbers"),
    (DiagonalMatrix(300, 0, 1), (4, 5), "UINT8", "value", "UINT8 holds whole numbers"),
    (DiagonalMatrix(-1, 0, 1), (4, 5), "UINT64", "value", "UINT64 holds whole numbers"),
    (DiagonalMatrix(float("nan"), 0, 1), (4, 5), "INT32", "value", "INT32 holds whole numbers"),
    (DiagonalMatrix(1e6, 0, 1), (4, 5), "FLOAT16", "value", "1000000 is out of range for FLOAT16."),
    (NONE, (5,), "FLOAT32", "sizes", "takes 2 to 4"),
    (NONE, (4, 5), ("FLOAT32", "5_0"), "feature_level", "it was added in feature level 5_1"),
    (near(0), (5,), "FLOAT32", "scales", "0 in dimension 0 is invalid; a scale must be greater than 0."),
    (near(-2), (5,), "FLOAT32", "scales", "-2 in dimension 0 is invalid; a scale must be greater than 0."),
    (near(1e-60), (5,), "FLOAT32", "scales", "0 in dimension 0 is invalid; a scale must be greater than 0."),
    (near(float("nan")), (5,), "FLOAT32", "scales", "it must be a finite FLOAT."),
    (near(float("inf")), (5,), "FLOAT32", "scales", "it must be a finite FLOAT."),
    (near(1e39), (5,), "FLOAT32", "scales", "it must be a finite FLOAT."),
    (near(1, float("nan")), (5,), "FLOAT32", "input_pixel_offsets", "must be a finite"),
    (near(1, float("inf")), (5,), "FLOAT32", "input_pixel_offsets", "must be a finite"),
    (near(1, 1e39), (5,), "FLOAT32", "input_pixel_offsets", "must be a finite"),
    (near(1, 0, 0, -1), (5,), "FLOAT32", "output_tensor_sizes", "-1 in dimension 0 is invalid; a size must be 1 or more."),
    (Resample("DECREASING", (1,), (0, 0), (0,)), (5,), "FLOAT32", "input_pixel_offsets", "{0.0, 0.0} are 2 numbers; the input has 1 dimensions"),
    (Resample("DECREASING", (1,) * 5, (0,) * 5, (0,) * 5), (2,) * 5, "FLOAT32", "sizes", "takes 1 to 4"),
    (near(2), (5,), "INT32", "data_type", "INT32 is not supported; DML_RESAMPLE2 takes FLOAT32, FLOAT16, INT8, UINT8."),
    (near(2), (5,), ("FLOAT32", "5_0"), "feature_level", "it was added in feature level 5_1"),
    (near(2), (5,), ("INT8", "6_1"), "data_type", "feature level 6_2 and above accept it"),
    (near(2), (5,), ("UINT8", "6_1"), "data_type", "feature level 6_2 and above accept it"),
    (near(3e38), (5,), None, "sizes", "the output would have size"),
    (near(1e12), (5,), None, "sizes", "the output would have size"),
    (FillValueConstant((), "INT8", 1), {}, None, "output_tensor_sizes", "has 0 dimensions"),
    (FillValueConstant((1,) * 9, "INT8", 1), {}, None, "output_tensor_sizes", "takes 1 to 8"),
    (FillValueConstant((2, 0), "INT8", 1), {}, None, "output_tensor_sizes", "dimension 1 has size 0"),
    (FillValueConstant((2,), "INT9", 1), {}, None, "value_data_type", "INT9 is not supported"),
    (FillValueConstant((2,), "INT8", 128), {}, None, "value", "128 is invalid"),
    (FillValueConstant((2,), "UINT8", -1), {}, None, "value", "-1 is invalid"),
    (FillValueConstant((2,), "INT8", 0.5), {}, None, "value", "0.5 is invalid"),
    (FillValueConstant((2,), "FLOAT16", 1e6), {}, None, "value", "out of range for FLOAT16"),
    (FillValueSequence((2, 3), "INT8", 0, 1), {}, None, "output_tensor_sizes", "takes 4"),
    (FillValueSequence(SIDES, "INT64", 0, 1), {}, None, "value_data_type", "INT64 is not supported"),
    (FillValueSequence(SIDES, "UINT8", -1, 1), {}, None, "value_start", "-1 is invalid"),
    (FillValueSequence(SIDES, "UINT8", 0, -129), {}, None, "value_delta", "-129 is invalid"),
]  # fmt: skip


def name(rule):
    operator, _sizes, _type, field, words = rule
    return f"{operator.key}-{field}-{words}"


@pytest.mark.parametrize("rule", RULES, ids=name)
def test_rule(rule):
    operator, sizes, of, field, words = rule
    data_type, level = of if isinstance(of, tuple) else (of, None)
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
        (near(1, 0, 0, 4_000_000_000), (5,), "FLOAT32", None),
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
