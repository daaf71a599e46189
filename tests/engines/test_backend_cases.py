"""ONNX's own test cases of single nodes, through our engines, where our operators express them."""

import importlib
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
import pytest
from onnx.backend.test.case import node as cases

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.tensors import DATA_TYPES

CLASSES = {cls.key: cls for cls in OPERATORS}
KINDS = {kind.dtype.name for kind in DATA_TYPES.values()}


@dataclass(frozen=True)
class Case:
    """A node, what goes in and what has to come out; None for an input that is left out."""

    name: str
    op_type: str
    attributes: dict[str, Any]
    inputs: list[Any]
    outputs: list[Any]

    def input(self, k):
        return self.inputs[k] if k < len(self.inputs) else None


class Unsaid(Exception):
    """Why none of our operators is this node."""


def collected():
    """The cases of the modules that hold our operators; each calls ``expect`` for its own."""
    found = []

    def expect(node, inputs, outputs, name, **_more):
        attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        given = iter(inputs)
        inputs = [next(given, None) if named else None for named in node.input]
        found.append(Case(name, node.op_type, attributes, inputs, list(outputs)))

    kept, cases.expect = cases.expect, expect
    names = [f"{cases.__name__}.{name}" for name in MODULES]
    try:
        for name in names:
            importlib.import_module(name)
    finally:
        cases.expect = kept
        # they run when they are imported: whoever imports them next has their cases, too
        for name in names:
            sys.modules.pop(name, None)
    return found


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def from_front(axis, rank):
    return axis + rank if axis < 0 else axis


def wide(array, rank):
    """The same with sizes of 1 in front."""
    return array.reshape((1,) * (rank - array.ndim) + array.shape)


def gather(case):
    x, indices = case.inputs
    rank = max(x.ndim, indices.ndim, x.ndim + indices.ndim - 1)
    axis = from_front(case.attributes.get("axis", 0), x.ndim) + rank - x.ndim
    operator = CLASSES["gather"](axis, indices.ndim)
    return operator, {"InputTensor": wide(x, rank), "IndicesTensor": wide(indices, rank)}


def gather_elements(case):
    x, indices = case.inputs
    operator = CLASSES["gather-elements"](from_front(case.attributes.get("axis", 0), x.ndim))
    return operator, {"InputTensor": x, "IndicesTensor": indices}


def gather_nd(case):
    x, indices = case.inputs
    batch = case.attributes.get("batch_dims", 0)
    out = indices.ndim - 1 + x.ndim - batch - indices.shape[-1]
    rank = max(x.ndim, indices.ndim, out)
    operator = CLASSES["gather-nd"](x.ndim, indices.ndim, batch)
    return operator, {"InputTensor": wide(x, rank), "IndicesTensor": wide(indices, rank)}


def copied(case):
    """Nothing is added up where updates meet."""
    if text(case.attributes.get("reduction", b"none")) != "none":
        raise Unsaid("it computes: reduction")
    return case.inputs


def scatter_elements(case):
    x, indices, updates = copied(case)
    operator = CLASSES["scatter"](from_front(case.attributes.get("axis", 0), x.ndim))
    return operator, {"InputTensor": x, "IndicesTensor": indices, "UpdatesTensor": updates}


def scatter_nd(case):
    x, indices, updates = copied(case)
    rank = max(a.ndim for a in case.inputs)
    operator = CLASSES["scatter-nd"](x.ndim, indices.ndim)
    names = ("InputTensor", "IndicesTensor", "UpdatesTensor")
    return operator, {n: wide(a, rank) for n, a in zip(names, (x, indices, updates), strict=True)}


def slice_(case):
    x, starts, ends = case.inputs[:3]
    axes = range(x.ndim) if case.input(3) is None else case.input(3).tolist()
    steps = [1] * len(starts) if case.input(4) is None else case.input(4).tolist()
    offsets, windows, strides = [0] * x.ndim, list(x.shape), [1] * x.ndim
    for start, end, axis, step in zip(starts.tolist(), ends.tolist(), axes, steps, strict=True):
        axis = from_front(axis, x.ndim)
        places = range(x.shape[axis])[slice(start, end, step)]
        if not places:
            raise Unsaid("DirectML has no empty tensors")
        offsets[axis], strides[axis] = min(places), places.step
        windows[axis] = max(places) - min(places) + 1
    return CLASSES["slice"](tuple(offsets), tuple(windows), tuple(strides)), {"InputTensor": x}


def concat(case):
    axis = from_front(case.attributes["axis"], case.inputs[0].ndim)
    return CLASSES["join"](axis), {f"InputTensors[{k}]": x for k, x in enumerate(case.inputs)}


def split(case):
    x = case.inputs[0]
    axis = from_front(case.attributes.get("axis", 0), x.ndim)
    parts = tuple(y.shape[axis] for y in case.outputs)
    if not all(parts):
        raise Unsaid("DirectML has no empty tensors")
    return CLASSES["split"](axis, parts), {"InputTensor": x}


def transpose(case):
    x = case.inputs[0]
    order = case.attributes.get("perm", range(x.ndim)[::-1])
    strides = [int(np.prod(x.shape[d + 1 :])) for d in range(x.ndim)]
    sizes = tuple(x.shape[d] for d in order)
    operator = CLASSES["strided"](sizes, tuple(strides[d] for d in order))
    return operator, {"InputTensor": x.ravel()}


def reverse_sequence(case):
    x, lengths = case.inputs
    time, batch = case.attributes["time_axis"], case.attributes["batch_axis"]
    sizes = [n if d == batch else 1 for d, n in enumerate(x.shape)]
    every = [1 if d == time else n for d, n in enumerate(x.shape)]
    of_each = np.broadcast_to(lengths.reshape(sizes), every).astype(np.uint64)
    return CLASSES["reverse-subsequences"](time), {
        "InputTensor": x,
        "SequenceLengthsTensor": of_each,
    }


def one_hot(case):
    indices, depth, values = case.inputs
    if indices.dtype.kind == "f":
        raise Unsaid("DirectML's indices are whole numbers")
    rank = indices.ndim + 1
    axis = from_front(case.attributes.get("axis", -1), rank)
    tensors = {"IndicesTensor": np.expand_dims(indices, axis), "ValuesTensor": wide(values, rank)}
    return CLASSES["one-hot"](axis, int(np.ravel(depth)[0])), tensors


def top_k(case):
    x, k = case.inputs
    axis = from_front(case.attributes.get("axis", -1), x.ndim)
    if not case.attributes.get("sorted", 1):
        raise Unsaid("DirectML always sorts")
    direction = "DECREASING" if case.attributes.get("largest", 1) else "INCREASING"
    return CLASSES["top-k"](axis, int(k[0]), direction), {"InputTensor": x}


def trilu(case):
    x = case.inputs[0]
    if not x.size:
        raise Unsaid("DirectML has no empty tensors")
    k = 0 if case.input(1) is None else int(case.inputs[1])
    far = x.shape[-1] + x.shape[-2]
    begin, end = (-far, k) if case.attributes.get("upper", 1) else (k + 1, far)
    if end <= begin:
        raise Unsaid("nothing is filled, which DirectML cannot say: begin is not below end")
    return CLASSES["diagonal-matrix"](0, begin, end), {"InputTensor": x}


def blocks(case):
    order = {"DCR": "DEPTH_COLUMN_ROW", "CRD": "COLUMN_ROW_DEPTH"}
    mode = order[text(case.attributes.get("mode", b"DCR"))]
    cls = CLASSES["depth-to-space" if case.op_type == "DepthToSpace" else "space-to-depth"]
    return cls(case.attributes["blocksize"], mode), {"InputTensor": case.inputs[0]}


def tile(case):
    x, repeats = case.inputs
    return CLASSES["tile"](tuple(repeats.tolist())), {"InputTensor": x}


def pad(case):
    x, pads = case.inputs[:2]
    mode = text(case.attributes.get("mode", b"constant"))
    modes = {"constant": "CONSTANT", "edge": "EDGE", "reflect": "REFLECTION", "wrap": "WRAP"}
    if mode not in modes:
        raise Unsaid(f"DirectML has no mode {mode}")
    axes = range(x.ndim) if case.input(3) is None else case.inputs[3].tolist()
    start, end = [0] * x.ndim, [0] * x.ndim
    # an axis may be counted from the end
    for k, axis in enumerate(axes):
        start[axis], end[axis] = int(pads[k]), int(pads[k + len(axes)])
    value = 0.0 if case.input(2) is None else float(np.ravel(case.inputs[2])[0])
    return CLASSES["padding"](modes[mode], tuple(start), tuple(end), value), {"InputTensor": x}


NEAREST = {
    # the direction, and what is added to where the input's pixels count from
    "round_prefer_floor": ("INCREASING", 0.5),
    "round_prefer_ceil": ("DECREASING", -0.5),
    "floor": ("DECREASING", 0.0),
    "ceil": ("INCREASING", 0.0),
}


def resize(case):
    x, rank = case.inputs[0], case.inputs[0].ndim
    said = {name: text(value) for name, value in case.attributes.items()}
    if said.get("mode", "nearest") != "nearest":
        raise Unsaid(f"it averages: {said['mode']}")
    points = said.get("coordinate_transformation_mode", "half_pixel")
    if points not in ("half_pixel", "asymmetric", "align_corners"):
        raise Unsaid(f"DirectML has no {points}")
    axes = [from_front(axis, rank) for axis in said.get("axes", range(rank))]
    (due,) = case.outputs
    scales = np.ones(rank)
    if case.input(2) is not None and case.inputs[2].size:
        scales[axes] = case.inputs[2]
    else:
        scales[axes] = case.inputs[3] / np.array(x.shape)[axes]
        policy = said.get("keep_aspect_ratio_policy", "stretch")
        if policy != "stretch":
            scales[axes] = (min if policy == "not_larger" else max)(scales[axes])
    if points == "align_corners":
        scales = [
            (n - 1) / (m - 1) if m > 1 else 1 for n, m in zip(due.shape, x.shape, strict=True)
        ]
    first = 0.5 if points == "half_pixel" else 0.0
    direction, more = NEAREST[said.get("nearest_mode", "round_prefer_floor")]
    offsets = (first + more,) * rank, (-first,) * rank
    operator = CLASSES["resample"](direction, tuple(map(float, scales)), *offsets, due.shape)
    return operator, {"InputTensor": x}


SAYS = {
    "Concat": concat,
    "DepthToSpace": blocks,
    "Gather": gather,
    "GatherElements": gather_elements,
    "GatherND": gather_nd,
    "OneHot": one_hot,
    "Pad": pad,
    "Resize": resize,
    "ReverseSequence": reverse_sequence,
    "ScatterElements": scatter_elements,
    "ScatterND": scatter_nd,
    "Slice": slice_,
    "SpaceToDepth": blocks,
    "Split": split,
    "Tile": tile,
    "TopK": top_k,
    "Transpose": transpose,
    "Trilu": trilu,
}
MODULES = [*(name.lower() for name in SAYS if name != "Trilu"), "trilu"]
CASES = [case for case in collected() if case.op_type in SAYS]


def test_every_operator_has_cases():
    assert {case.op_type for case in CASES} == set(SAYS)


@pytest.mark.parametrize("form", ["", "lowered"])
@pytest.mark.parametrize("engine", ["numpy", "onnxruntime"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case, engine, form):
    try:
        operator, inputs = SAYS[case.op_type](case)
        for array in inputs.values():
            if array.dtype.name not in KINDS:
                raise Unsaid(f"DirectML has no {array.dtype}")
    except Unsaid as why:
        pytest.skip(f"our operators do not express it: {why}")
    trace = dmlviz.run(operator, inputs, engine, form)
    assert trace.agrees
    for due, found in zip(case.outputs, trace.outputs.values(), strict=True):
        # DirectML keeps leading dimensions of size 1, and its indices have no sign
        assert np.array_equal(found.reshape(due.shape), due)
        assert found.dtype == due.dtype or found.dtype.kind == "u"
