"""Arithmetic of code: on numbers, lists, and the numbers of tensors that choose elements."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.base.budget import spend
from dmlviz.base.words import _
from dmlviz.code.builder import Builder
from dmlviz.code.refusals import CodeRefused, computes_values
from dmlviz.code.tensor import Tensor

LIST_LIMIT = 4_096
"""The limit of items of a list, and of characters of a text."""

NUMBER_LIMIT = 1 << 31
"""The limit of whole numbers."""

_BASE_LIMIT, _EXPONENT_LIMIT = 65_536, 64

_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_SIGNS: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}

NUMBERS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "bool": bool,
    "divmod": divmod,
    "float": float,
    "int": int,
    "max": max,
    "min": min,
    "range": range,
    "round": round,
    "slice": slice,
    "sum": sum,
}
"""Python's own functions that take numbers or lists of numbers."""

LISTS: Mapping[str, Callable[..., Any]] = {
    "enumerate": lambda items, start=0: list(enumerate(items, start)),
    "list": list,
    "reversed": lambda items: list(items)[::-1],
    "sorted": sorted,
    "tuple": tuple,
    "zip": lambda *lists: list(zip(*lists, strict=False)),
}
"""Python's own functions that take what can be repeated over."""


def called(b: Builder, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The result of one of :data:`NUMBERS`.

    Raises:
        CodeRefused: a tensor's elements move, or a range is too long.
    """
    if any(isinstance(arg, range) and len(arg) > LIST_LIMIT for arg in args):
        raise CodeRefused("limit", _("A range is too long."))
    plain = [b.control_values(arg).item() if isinstance(arg, Tensor) else arg for arg in args]
    return NUMBERS[name](*plain, **kwargs)


def signed(b: Builder, sign: ast.unaryop, value: Any) -> Any:
    """A number or the numbers of a tensor with a sign, or inverted.

    Raises:
        CodeRefused: the tensor's elements move.
    """
    function = _SIGNS[type(sign)]
    return _calculated(b, function, value) if isinstance(value, Tensor) else function(value)


def compared(b: Builder, comparison: ast.cmpop, left: Any, right: Any) -> Any:
    """Whether a comparison of two numbers holds, or where that of a tensor's numbers does.

    Raises:
        CodeRefused: a tensor's elements move, so a mask would depend on them.
    """
    function = _COMPARISONS.get(type(comparison))
    if function is None:
        raise CodeRefused("syntax", _("Compare with <, <=, >, >=, == or !=."))
    if not (isinstance(left, Tensor) or isinstance(right, Tensor)):
        return function(left, right)
    for operand in (left, right):
        if isinstance(operand, Tensor):
            b.control_values(operand)
    return _calculated(b, function, left, right)


def binary(b: Builder, op: ast.operator, left: Any, right: Any) -> Any:
    """Arithmetic on two numbers or lists, or on the numbers of tensors.

    Raises:
        CodeRefused: a tensor's elements move, or the result would be too large.
    """
    function = _BINARY.get(type(op))
    if function is None:
        raise computes_values()
    if isinstance(left, Tensor) or isinstance(right, Tensor):
        return _calculated(b, function, left, right)
    if isinstance(left, list | tuple) or isinstance(right, list | tuple):
        return _joined(function, left, right)
    if not (isinstance(left, int | float) and isinstance(right, int | float)):
        raise CodeRefused("argument", _("Arithmetic needs numbers."))
    small = abs(left) <= _BASE_LIMIT and abs(right) <= _EXPONENT_LIMIT
    if function is operator.pow and not small:
        raise CodeRefused("limit", _("A number is too large."))
    return function(left, right)


def _joined(function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """Lists added, or one repeated."""
    if function is operator.add and type(left) is type(right):
        spend("items", len(left) + len(right))
        return left + right
    items, count = (left, right) if isinstance(left, list | tuple) else (right, left)
    if function is not operator.mul or not isinstance(count, int):
        raise CodeRefused("argument", _("Lists can only be added or repeated."))
    inner = max((len(item) for item in items if isinstance(item, list | tuple)), default=1)
    if len(items) * max(0, count) * max(1, inner) > LIST_LIMIT:
        raise CodeRefused("limit", _("A list is too long."))
    spend("items", len(items) * max(0, count))
    return items * count


def _calculated(b: Builder, function: Callable[..., Any], *operands: Any) -> Tensor:
    """Arithmetic on the numbers of tensors: indices and masks."""
    tensors = [operand for operand in operands if isinstance(operand, Tensor)]
    if any(tensor.moving and tensor.values is None for tensor in tensors):
        raise computes_values()
    if not all(isinstance(operand, Tensor | int | float) for operand in operands):
        raise CodeRefused("argument", _("Arithmetic needs numbers."))
    b.broadcast_sizes(tensors)
    arrays = [b.control_values(x) if isinstance(x, Tensor) else x for x in operands]
    with np.errstate(all="ignore"):
        return b.derived(function(*arrays), *tensors)
