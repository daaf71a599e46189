"""What a model calculates from constants alone, such as the sizes of a reshape.

Source of the rules: onnx.ai/onnx/operators.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code.arguments import flat
from dmlviz.code.builder import ELEMENT_LIMIT, Builder, Tensor, control
from dmlviz.code.model_file import FileTensor
from dmlviz.code.onnx import FUNCTIONS
from dmlviz.code.refusals import CodeRefused
from dmlviz.movement.graphs import BOOL, ELEMENT_TYPES
from dmlviz.tensors import DATA_TYPES
from dmlviz.tensors.types import Array

_TYPES = {number: DATA_TYPES[name].dtype for name, number in ELEMENT_TYPES.items()}
_TYPES[BOOL] = np.dtype(bool)

Constants = Sequence[Array | None]
Attributes = Mapping[str, Any]


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
    if count > ELEMENT_LIMIT:
        raise CodeRefused(
            "limit",
            _("A constant has {count} elements; at most {most} are read.").format(
                count=f"{int(count):,}", most=f"{ELEMENT_LIMIT:,}"
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
    assert fill is not None
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


def _concat(*arrays: Array, axis: int = 1) -> Array:
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
    "Concat": _concat,
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
