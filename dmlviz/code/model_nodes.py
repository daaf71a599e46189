"""Nodes of any opset in the newest form, as :mod:`dmlviz.code.onnx` reads them.

Also what they calculate from constants alone, such as the sizes of a reshape.
Sources: onnx.ai/onnx/operators and "Changelog" there.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.code import rules
from dmlviz.code.arguments import flat
from dmlviz.code.builder import LIST_LIMIT, Builder
from dmlviz.code.model_file import FileNode, FileTensor
from dmlviz.code.onnx import FUNCTIONS
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor, control
from dmlviz.movement.graphs import BOOL, ELEMENT_TYPES, LEFT_OUT, Constant, Node
from dmlviz.tensors import DATA_TYPES, short_text
from dmlviz.tensors.types import Array

CONTROLS: Mapping[str, tuple[int, ...]] = {
    "Compress": (1,),
    "CenterCropPad": (1,),
    "Dropout": (1, 2),
    "Expand": (1,),
    "Gather": (1,),
    "GatherElements": (1,),
    "GatherND": (1,),
    "Pad": (1, 2, 3),
    "Reshape": (1,),
    "Resize": (1, 2, 3),
    "ReverseSequence": (1,),
    "ScatterElements": (1,),
    "ScatterND": (1,),
    "Slice": (1, 2, 3, 4),
    "Split": (1,),
    "Squeeze": (1,),
    "Tile": (1,),
    "Trilu": (1,),
    "Unsqueeze": (1,),
    "Where": (0,),
}
"""By the operator, which inputs say where elements go; the others have elements that move."""

Input = str | Array | None

_TYPES = {number: DATA_TYPES[name].dtype for name, number in ELEMENT_TYPES.items()}

_TYPES[BOOL] = np.dtype(bool)

Constants = Sequence[Array | None]

Attributes = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class Move:
    """A node of the newest form.

    Attributes:
        op_type: ONNX's name.
        inputs: names of tensors, constants, and None for one that is left out.
        attributes: by ONNX's names.
        outputs: names of tensors; an empty name for one that nobody takes.
    """

    op_type: str
    inputs: tuple[Input, ...]
    attributes: Mapping[str, Any]
    outputs: tuple[str, ...]


def moves(op_type: str) -> bool:
    """Whether an operator only moves elements, if its settings are those that do."""
    older = op_type in ("Scatter", "Upsample")
    function = FUNCTIONS.get(f"onnx.{op_type}")
    refuses = function in (None, rules.computes, rules.by_values)
    return older or not (refuses or op_type == "Shape")


def newest(node: FileNode, opset: int) -> Move:
    """A node in the newest form.

    Args:
        node: a node of ONNX's own domain.
        opset: of the model.

    Raises:
        CodeRefused: it has an attribute that its operator does not have.
    """
    inputs = tuple(name or None for name in node.inputs)
    move = Move(node.op_type, inputs, node.attributes, node.outputs)
    change = _OLDER.get(node.op_type)
    if change is not None:
        move = change(move, opset)
    for name, value in move.attributes.items():
        if moves(move.op_type) and (name not in _parameters(move.op_type) or value is None):
            raise CodeRefused(
                "name", _("The attribute {name} is not read here.").format(name=short_text(name))
            )
    return move


def default(op_type: str, attribute: str) -> Any:
    """The value of an attribute that is left out."""
    return _parameters(op_type)[attribute].default


@cache
def _parameters(op_type: str) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(FUNCTIONS[f"onnx.{op_type}"]).parameters


_ATTRIBUTES: Mapping[str, tuple[int, tuple[str, ...]]] = {
    "Dropout": (12, ("ratio",)),
    "Pad": (11, ("pads", "value")),
    "Reshape": (5, ("shape",)),
    "Slice": (10, ("starts", "ends", "axes")),
    "Split": (13, ("split",)),
    "Squeeze": (13, ("axes",)),
    "Unsqueeze": (13, ("axes",)),
    "Upsample": (9, ("scales",)),
}
"""By the operator, the inputs after the first that were attributes before an opset."""

_UPSAMPLE = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
"""What Resize was before opset 11, and Upsample before it."""


def _with(move: Move, opset: int) -> Move:
    """Attributes that became inputs with an opset, as inputs; those that are missing left out."""
    until, names = _ATTRIBUTES[move.op_type]
    if opset >= until or not {*names} & move.attributes.keys():
        return move
    values = tuple(
        np.asarray(move.attributes[name]) if name in move.attributes else None for name in names
    )
    rest = {name: value for name, value in move.attributes.items() if name not in names}
    return replace(move, inputs=(*move.inputs, *values), attributes=rest)


def _pad(move: Move, opset: int) -> Move:
    attributes = dict(move.attributes)
    if "paddings" in attributes:
        attributes["pads"] = attributes.pop("paddings")
    return _with(replace(move, attributes=attributes), opset)


def _split(move: Move, opset: int) -> Move:
    move = _with(move, opset)
    if len(move.inputs) < 2 or move.inputs[1] is None:
        return replace(move, attributes={"num_outputs": len(move.outputs), **move.attributes})
    return move


def _tile(move: Move, opset: int) -> Move:
    if opset < 6:
        raise CodeRefused("name", _("Tile is read from opset 6 on."))
    return move


def _concat(move: Move, opset: int) -> Move:
    return replace(move, attributes={"axis": 1, **move.attributes})


def _scatter(move: Move, opset: int) -> Move:
    return replace(move, op_type="ScatterElements")


def _upsample(move: Move, opset: int) -> Move:
    move = _with(replace(move, op_type="Upsample"), opset)
    x, scales = (*move.inputs, None)[:2]
    return Move("Resize", (x, None, scales), {**move.attributes, **_UPSAMPLE}, move.outputs)


def _resize(move: Move, opset: int) -> Move:
    return _upsample(move, opset) if opset < 11 else move


def _dropout(move: Move, opset: int) -> Move:
    training = len(move.inputs) > 2 and move.inputs[2] is not None
    training = training or (opset < 7 and not move.attributes.get("is_test", 0))
    if training or any(move.outputs[1:]):
        raise CodeRefused("computes", _("Dropout in training computes new values."))
    return Move("Dropout", move.inputs[:1], {}, move.outputs)


_OLDER: Mapping[str, Callable[[Move, int], Move]] = {
    "Concat": _concat,
    "Dropout": _dropout,
    "Pad": _pad,
    "Reshape": _with,
    "Resize": _resize,
    "Scatter": _scatter,
    "Slice": _with,
    "Split": _split,
    "Squeeze": _with,
    "Tile": _tile,
    "Unsqueeze": _with,
    "Upsample": _upsample,
}


def of_opset(node: Node, opset: int) -> Node:
    """A node of the newest form in that of an opset: :func:`newest` the other way round.

    What the opset has no form for stays as it is; its engine refuses it.

    Args:
        node: its inputs are names of tensors, and constants.
        opset: of ONNX's own domain.
    """
    op_type, inputs, attributes = node.op_type, [*node.inputs], dict(node.attributes)
    if op_type == "ScatterElements" and opset < 11:
        op_type = "Scatter"
    elif op_type == "Split" and opset < 18:
        attributes.pop("num_outputs", None)
    elif op_type == "Resize" and opset < 11 and _is_upsample(node):
        op_type = "Upsample" if opset < 10 else op_type
        inputs = [inputs[0], inputs[2]]
        attributes = {n: value for n, value in attributes.items() if n not in _UPSAMPLE}
    elif op_type == "Resize" and opset < 13:
        # roi and scales, which could not be left out, are empty
        nothing = Constant("constant", np.zeros(0, np.float32))
        inputs[1:3] = [nothing if x == LEFT_OUT else x for x in inputs[1:3]]
    elif op_type == "Slice" and opset < 10 and _are_ones(inputs[4:]):
        inputs = inputs[:4]
    until, names = _ATTRIBUTES.get(op_type, (0, ()))
    settings = [x for x in inputs[1:] if x != LEFT_OUT]
    pairs = zip(names, inputs[1:], strict=False)
    written = {name: x.values for name, x in pairs if isinstance(x, Constant)}
    if opset < until and len(written) == len(settings):
        inputs = inputs[:1]
        attributes |= {n: float(x) if n == "value" else x.tolist() for n, x in written.items()}
    if op_type == "Pad" and opset < 2 and "pads" in attributes:
        attributes["paddings"] = attributes.pop("pads")
    return Node(op_type, tuple(inputs), attributes, node.outputs)


def _is_upsample(node: Node) -> bool:
    """Whether it is a Resize of the form that has scales alone."""
    scales_alone = len(node.inputs) == 3 and node.inputs[1] == LEFT_OUT
    return scales_alone and _UPSAMPLE.items() <= node.attributes.items()


def _are_ones(inputs: Sequence[str | Constant]) -> bool:
    return all(isinstance(x, Constant) and bool((x.values == 1).all()) for x in inputs)


def calculated(op_type: str, inputs: Constants, attributes: Attributes) -> list[Array] | None:
    """The outputs of a node whose inputs are constants; None if it is not calculated here.

    Args:
        op_type: ONNX's name; a movement in the form of :mod:`dmlviz.code.onnx`.
        inputs: None for one that is left out.
        attributes: by ONNX's names.

    Raises:
        CodeRefused: it would have more than 65,536 elements.
    """
    function = _FUNCTIONS.get(op_type)
    try:
        with np.errstate(all="ignore"):
            if function is not None:
                return [np.asarray(function(*inputs, **attributes))]
            return _moved(op_type, inputs, attributes)
    except CodeRefused as refused:
        if refused.kind == "limit":
            raise
        return None
    except (TypeError, ValueError, IndexError, KeyError, AttributeError, ArithmeticError):
        return None


def _moved(op_type: str, inputs: Constants, attributes: Attributes) -> list[Array] | None:
    """A movement of constants."""
    function = FUNCTIONS.get(f"onnx.{op_type}")
    if function is None:
        return None
    taken = [None if x is None else control(x) for x in inputs]
    made = function(Builder("onnx"), *taken, **attributes)
    tensors = list(flat([made]))
    return [t.array for t in tensors] if all(isinstance(t, Tensor) for t in tensors) else None


def _check(count: Any) -> None:
    if count > LIST_LIMIT:
        raise CodeRefused(
            "limit",
            _("A constant has {count} elements; at most {most} are read.").format(
                count=f"{int(count):,}", most=f"{LIST_LIMIT:,}"
            ),
        )


def _broadcast(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of elements, after a check of the sizes that they have together."""

    def called(first: Array, *others: Array) -> Any:
        _check(math.prod(np.broadcast_shapes(first.shape, *(array.shape for array in others))))
        return functools.reduce(function, others, first) if others else function(first)

    return called


def _constant(**attributes: Any) -> Array:
    ((name, value),) = attributes.items()
    if name == "value" and isinstance(value, FileTensor) and value.values is not None:
        return value.values
    if name in ("value_float", "value_floats"):
        return np.asarray(value, np.float32)
    if name in ("value_int", "value_ints"):
        return np.asarray(value, np.int64)
    raise ValueError(name)


def _constant_of_shape(shape: Array, value: FileTensor | None = None) -> Array:
    sizes = [int(n) for n in shape]
    _check(math.prod(sizes))
    fill = np.zeros(1, np.float32) if value is None else value.values
    if fill is None:
        raise ValueError
    return np.full(sizes, fill.ravel()[0])


def _cast(x: Array, to: int, saturate: int = 1) -> Array:
    return x.astype(_TYPES[to])


def _range(start: Array, limit: Array, delta: Array) -> Array:
    first, last, step = start.item(), limit.item(), delta.item()
    count = max(0, math.ceil((last - first) / step))
    _check(count)
    return np.asarray(first + np.arange(count) * step, start.dtype)


def _divided(a: Array, b: Array) -> Array:
    if a.dtype.kind not in "iu":
        quotient: Array = a / b
        return quotient
    if not b.all():
        raise ZeroDivisionError
    # whole numbers are rounded toward zero
    whole = np.abs(a) // np.abs(b) * (np.sign(a) * np.sign(b))
    return np.asarray(whole, a.dtype)


def _mod(a: Array, b: Array, fmod: int = 0) -> Array:
    _check(math.prod(np.broadcast_shapes(a.shape, b.shape)))
    if a.dtype.kind in "iu" and not b.all():
        raise ZeroDivisionError
    rest: Array = np.fmod(a, b) if fmod else np.mod(a, b)
    return rest


def _reduced(function: Callable[..., Any]) -> Callable[..., Any]:
    def called(x: Array, axes: Any = None, keepdims: int = 1, noop_with_empty_axes: int = 0) -> Any:
        numbers = () if axes is None else tuple(int(n) for n in axes)
        if not numbers and noop_with_empty_axes:
            return x
        return np.asarray(function(x, axis=numbers or None, keepdims=bool(keepdims)), x.dtype)

    return called


def _concatenated(*arrays: Array, axis: int = 1) -> Array:
    _check(sum(array.size for array in arrays))
    return np.concatenate(arrays, axis)


def _cum_sum(x: Array, axis: Array, exclusive: int = 0, reverse: int = 0) -> Array:
    if exclusive or reverse:
        raise ValueError
    return np.cumsum(x, int(axis.item())).astype(x.dtype)


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "Constant": _constant,
    "ConstantOfShape": _constant_of_shape,
    "Cast": _cast,
    "Range": _range,
    "Concat": _concatenated,
    "CumSum": _cum_sum,
    "Div": _broadcast(_divided),
    "Mod": _mod,
    "NonZero": lambda x: np.array(np.nonzero(x), np.int64),
    "ReduceProd": _reduced(np.prod),
    "ReduceSum": _reduced(np.sum),
    "ReduceMax": _reduced(np.max),
    "ReduceMin": _reduced(np.min),
    **{
        name: _broadcast(function)
        for name, function in {
            "Add": np.add,
            "Sub": np.subtract,
            "Mul": np.multiply,
            "Pow": np.power,
            "Max": np.maximum,
            "Min": np.minimum,
            "Equal": np.equal,
            "Less": np.less,
            "LessOrEqual": np.less_equal,
            "Greater": np.greater,
            "GreaterOrEqual": np.greater_equal,
            "And": np.logical_and,
            "Or": np.logical_or,
            "Not": np.logical_not,
            "Abs": np.abs,
            "Neg": np.negative,
            "Floor": np.floor,
            "Ceil": np.ceil,
            "Sign": np.sign,
            "Sqrt": np.sqrt,
        }.items()
    },
}
