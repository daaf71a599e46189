"""Arithmetic of code on the numbers of tensors, which choose elements: indices and masks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from dmlviz.base.words import _
from dmlviz.code.builder import Builder
from dmlviz.code.index_numbers import computed
from dmlviz.code.python import numbers
from dmlviz.code.refusals import CodeRefused, computes_values
from dmlviz.code.tensor import Tensor


def signed(b: Builder, sign: ast.unaryop, value: Tensor) -> Tensor:
    """The numbers of a tensor with a sign, or inverted.

    Raises:
        CodeRefused: the tensor's elements move.
    """
    return _calculated(b, numbers.SIGNS[type(sign)], value)


def compared(b: Builder, comparison: ast.cmpop, left: Any, right: Any) -> Tensor:
    """Where a comparison of a tensor's numbers holds.

    Raises:
        CodeRefused: a tensor's elements move, so a mask would depend on them.
    """
    for operand in (left, right):
        if isinstance(operand, Tensor):
            b.control_values(operand)
    return _calculated(b, numbers.COMPARISONS[type(comparison)], left, right)


def binary(b: Builder, op: ast.operator, left: Any, right: Any) -> Any:
    """Arithmetic on two numbers or lists, or on the numbers of tensors.

    Raises:
        CodeRefused: a tensor's elements move, or the result would be too large.
    """
    if not (isinstance(left, Tensor) or isinstance(right, Tensor)):
        return numbers.calculated(op, left, right)
    function = numbers.BINARY.get(type(op))
    if function is None:
        raise computes_values()
    return _calculated(b, function, left, right)


def _calculated(b: Builder, function: Callable[..., Any], *operands: Any) -> Tensor:
    """Arithmetic on the numbers of tensors: indices and masks."""
    if not all(isinstance(operand, Tensor | int | float) for operand in operands):
        raise CodeRefused("argument", _("Arithmetic needs numbers."))
    return computed(b, function, *operands)
