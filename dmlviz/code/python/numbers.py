"""Arithmetic on numbers, texts and lists, each result bounded before it is made."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dmlviz.base.budget import spend
from dmlviz.base.words import _
from dmlviz.code.refusals import CodeRefused, computes_values

LIST_LIMIT = 4_096
"""The limit of items of a list, and of characters of a text."""

NUMBER_LIMIT = 1 << 31
"""The limit of whole numbers."""

_BASE_LIMIT, _EXPONENT_LIMIT = 65_536, 64

BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
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
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
"""Python's operators of two values."""

COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
"""Comparisons of values; ``is`` and ``in`` compare something else."""

SIGNS: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
"""Python's operators of one value."""

NUMBERS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "bool": bool,
    "divmod": divmod,
    "float": float,
    "int": int,
    "max": max,
    "min": min,
    "pow": lambda base, exp: calculated(ast.Pow(), base, exp),
    "range": range,
    "round": round,
    "slice": slice,
    "sum": lambda items, start=0: _sum(items, start),
}
"""Python's own functions that take numbers or lists of numbers."""

LISTS: Mapping[str, Callable[..., Any]] = {
    "enumerate": lambda items, start=0: list(enumerate(items, start)),
    "list": lambda items=(): list(items),
    "reversed": lambda items: list(items)[::-1],
    "sorted": sorted,
    "tuple": lambda items=(): tuple(items),
    "zip": lambda *lists: list(zip(*lists, strict=False)),
    "any": any,
    "all": all,
}
"""Python's own functions that take what can be repeated over."""


def calculated(op: ast.operator, left: Any, right: Any) -> Any:
    """Arithmetic on two numbers, texts or lists.

    Raises:
        CodeRefused: the result would be too large, or they are something else.
    """
    function = BINARY.get(type(op))
    if function is None:
        raise computes_values()
    if isinstance(left, list | tuple) or isinstance(right, list | tuple):
        return _joined(function, left, right)
    if function is operator.add and isinstance(left, str) and isinstance(right, str):
        if len(left) + len(right) > LIST_LIMIT:
            raise CodeRefused("limit", _("A text is too long."))
        return left + right
    if not (isinstance(left, int | float) and isinstance(right, int | float)):
        raise CodeRefused("argument", _("Arithmetic needs numbers."))
    small = abs(left) <= _BASE_LIMIT and abs(right) <= _EXPONENT_LIMIT
    if function in (operator.pow, operator.lshift) and not small:
        raise CodeRefused("limit", _("A number is too large."))
    return function(left, right)


def _joined(function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """Lists added, or one repeated."""
    both = (list, tuple)
    if function is operator.add and any(
        isinstance(left, kind) and isinstance(right, kind) for kind in both
    ):
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


def _sum(items: Sequence[Any], start: Any) -> Any:
    """Python's ``sum``, whose lists are joined one after the other."""
    total = start
    for item in items:
        total = calculated(ast.Add(), total, item)
        if isinstance(total, list | tuple) and len(total) > LIST_LIMIT:
            raise CodeRefused("limit", _("A list is too long."))
    return total


def called(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The result of one of :data:`NUMBERS`, for arguments that are no tensors.

    Raises:
        CodeRefused: a range is too long.
    """
    if any(isinstance(arg, range) and len(arg) > LIST_LIMIT for arg in args):
        raise CodeRefused("limit", _("A range is too long."))
    return NUMBERS[name](*args, **kwargs)


def contained(item: Any, of: Any) -> bool:
    """Whether ``item in of`` holds.

    Raises:
        CodeRefused: ``of`` is no list, tuple, range, dict or text.
    """
    if not isinstance(of, list | tuple | range | dict | str):
        raise CodeRefused("argument", _("in needs a list, a tuple, a range, a dict or a text."))
    return item in of


def written(value: Any) -> str:
    """A value as a part of a text, as ``str`` and f-strings write it.

    Raises:
        CodeRefused: it is neither a number nor a text.
    """
    if value is None or isinstance(value, int | float | str):
        return str(value)
    raise CodeRefused("argument", _("A text can be made of numbers and texts."))
