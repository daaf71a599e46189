"""NumPy's copies and conversions of arrays, and which of them share memory.

Source of the rules: numpy.org/doc/2.4/reference, and NumPy 2.4 itself, which the tests run.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code.arguments import as_tensor, one_int, typed
from dmlviz.code.builder import Builder
from dmlviz.code.library import Function, each, ignoring
from dmlviz.code.memory import is_packed, kept_strides, packed
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import short_text


def copied_or_not(b: Builder, x: Tensor, made: Tensor, copy: Any) -> Tensor:
    """A result that shares memory with its tensor, or not, as ``copy`` says."""
    shared = made.memory is x.memory
    if copy is False and not shared:
        raise CodeRefused("view", _("copy=False is refused: this result needs a copy."))
    return b.copy(made, made.strides) if copy and shared else made


def astype(b: Builder, x: Any, dtype: Any, /) -> Tensor:
    """Numbers of the code in another type; elements that move only change theirs."""
    x = as_tensor(b, x)
    if not x.moving:
        return control(typed(x.array, dtype))
    if typed(np.zeros(1), dtype).dtype == bool:
        raise CodeRefused("computes", _("A comparison with 0 computes new values."))
    return _laid_out(b, x, "K")


def _astype(b: Builder, x: Any, dtype: Any, /, *, copy: Any = True) -> Tensor:
    made = astype(b, x, dtype)
    # without a copy, the memory is shared if the type is the same
    return made if copy else as_tensor(b, x) if made.moving else made


def _astype_method(
    b: Builder,
    x: Tensor,
    dtype: Any,
    order: Any = "K",
    casting: Any = "unsafe",
    subok: Any = True,
    copy: Any = True,
) -> Tensor:
    made = _astype(b, x, dtype, copy=copy)
    return _laid_out(b, made, order) if copy else _in_order(b, made, order, None)


def _laid_out(b: Builder, x: Tensor, order: Any) -> Tensor:
    """A copy in an order of memory: of indices, C, the reverse, F, or as it is, K."""
    if order in ("K", None):
        return b.copy(x, kept_strides(x.sizes, x.strides))
    if order not in ("C", "F", "A"):
        raise CodeRefused(
            "argument",
            _("order={order} is not one of {orders}.").format(
                order=short_text(order), orders="C, F, A, K"
            ),
        )
    reverse = order == "F" or (order == "A" and not x.packed and _is_reverse(x))
    return b.copy(x, packed(x.sizes[::-1])[::-1]) if reverse else b.copy(x)


def _is_reverse(x: Tensor) -> bool:
    """Whether the first dimension is the one whose elements are next to each other in memory."""
    return is_packed(x.sizes[::-1], x.strides[::-1])


def _copy(b: Builder, a: Any, order: Any = "K") -> Tensor:
    return _laid_out(b, as_tensor(b, a), order)


def _copy_method(b: Builder, x: Tensor, order: Any = "C") -> Tensor:
    return _laid_out(b, x, order)


def array(
    b: Builder,
    object: Any,
    dtype: Any = None,
    *,
    copy: Any = True,
    order: Any = "K",
    ndmin: Any = 0,
) -> Tensor:
    """The tensor with more dimensions if it has too few, copied or not: NumPy's ``array``."""
    x = as_tensor(b, object)
    x = _in_order(b, x if dtype is None else astype(b, x, dtype), order, copy)
    return b.reshape(x, (1,) * (one_int(b, ndmin) - x.rank) + x.sizes)


def _in_order(b: Builder, x: Tensor, order: Any, copy: Any) -> Tensor:
    """The tensor, or a copy if one is asked for, or if its memory is in another order."""
    already = {"C": x.packed, "F": _is_reverse(x)}.get(order)
    if not copy and (already or order in ("A", "K", None)):
        return x
    return copied_or_not(b, x, _laid_out(b, x, order), copy)


def asarray(
    b: Builder, a: Any, dtype: Any = None, order: Any = None, *, copy: Any = None
) -> Tensor:
    """The tensor itself, unless a copy or another order of memory is asked for."""
    x = _in_order(b, as_tensor(b, a), order, copy)
    return x if dtype is None or x.moving else control(typed(x.array, dtype))


def _asarray_chkfinite(b: Builder, a: Any, dtype: Any = None, order: Any = None) -> Tensor:
    return asarray(b, a, dtype, order)


def _require(b: Builder, a: Any, dtype: Any = None, requirements: Any = None) -> Tensor:
    if requirements not in (None, [], ""):
        raise CodeRefused("argument", _("requirements are not read; use asfortranarray or copy."))
    return asarray(b, a, dtype)


def _contiguous(b: Builder, a: Any, dtype: Any = None) -> Tensor:
    return asarray(b, a, dtype, "C")


def _fortran(b: Builder, a: Any, dtype: Any = None) -> Tensor:
    return asarray(b, a, dtype, "F")


FUNCTIONS: dict[str, Function] = {
    "numpy.array": ignoring(array, "* subok like"),
    **each("numpy.", "asarray asanyarray", ignoring(asarray, "* device like")),
    "numpy.asarray_chkfinite": _asarray_chkfinite,
    "numpy.require": ignoring(_require, "* like"),
    "numpy.ascontiguousarray": ignoring(_contiguous, "* like"),
    "numpy.copy": ignoring(_copy, "subok"),
    "numpy.asfortranarray": ignoring(_fortran, "* like"),
    "numpy.astype": ignoring(_astype, "* device"),
}

METHODS: dict[str, Function] = {"copy": _copy_method, "astype": _astype_method}
