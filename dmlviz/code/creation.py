"""Tensors that code makes of numbers: what libraries call array creation, as control tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code.arguments import as_tensor, ints, number, one_int, typed
from dmlviz.code.builder import OWN_COST, Builder
from dmlviz.code.library import Function, checking
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.rules import filled
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import short_text
from dmlviz.tensors.sizes import READ_LIMIT


def with_order(function: Function) -> Function:
    """A function that makes new numbers, with NumPy's ``order`` as its last parameter."""
    return checking(function, "order", "C", check_order)


def check_order(order: Any) -> None:
    """Refuse an order of memory that numbers of the code do not get: all but row-major.

    Raises:
        CodeRefused: it is another one.
    """
    if order not in ("C", "A", "K", None):
        raise CodeRefused(
            "argument",
            _("order={order} is not read for new numbers; use C.").format(order=short_text(order)),
        )


def filled_with(value: int) -> Function:
    """``zeros`` or ``ones``."""

    def made(b: Builder, shape: Any, dtype: Any = None) -> Tensor:
        return control(typed(filled(b, ints(b, shape), value), dtype, "float"))

    return made


def filled_like(value: int) -> Function:
    """``zeros_like`` or ``ones_like``."""

    def made(b: Builder, a: Any, dtype: Any = None, shape: Any = None) -> Tensor:
        sizes = as_tensor(b, a).sizes if shape is None else ints(b, shape)
        return control(typed(filled(b, sizes, value), dtype))

    return made


def full(b: Builder, shape: Any, fill_value: Any, dtype: Any = None) -> Tensor:
    """A tensor of one value: NumPy's ``full``."""
    kind = "bool" if isinstance(fill_value, bool) else ""
    return control(typed(filled(b, ints(b, shape), fill_value), dtype, kind))


def full_like(b: Builder, a: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> Tensor:
    """One value in the sizes of another tensor, unless a shape is given."""
    return full(b, as_tensor(b, a).sizes if shape is None else shape, fill_value, dtype)


def arange(
    b: Builder, start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None
) -> Tensor:
    """Numbers in a row: NumPy's ``arange``."""
    edges = (0, start) if stop is None else (start, stop)
    step = 1 if step is None else step
    if isinstance(step, int | float) and step == 0:
        raise CodeRefused("argument", _("arange takes a start, an end and a step other than 0."))
    if any(isinstance(arg, float) for arg in (*edges, step)):
        first, last, by = (number(arg) for arg in (*edges, step))
        if typed(np.zeros(1), dtype, "float").dtype.kind != "f":
            raise CodeRefused("argument", _("arange rounds these numbers; write its result."))
        b.check((math.ceil(min(max(0, (last - first) / by), READ_LIMIT + 1)),), cost=OWN_COST)
        return control(typed(np.arange(first, last, by), dtype))
    numbers = range(*(one_int(b, arg) for arg in (*edges, step)))
    b.check((len(numbers),), cost=OWN_COST)
    return control(typed(np.arange(numbers.start, numbers.stop, numbers.step), dtype))


def linspace(
    b: Builder,
    start: Any,
    stop: Any,
    num: Any = 50,
    endpoint: Any = True,
    retstep: Any = False,
    dtype: Any = None,
) -> Tensor:
    """Numbers at equal distances: NumPy's ``linspace``."""
    count = one_int(b, num)
    b.check((count,), cost=OWN_COST)
    if retstep or count < 0:
        raise CodeRefused("argument", _("linspace takes a start, an end and a count."))
    values = np.linspace(number(start), number(stop), count, endpoint=bool(endpoint))
    whole = typed(np.zeros(1), dtype, "float").dtype.kind != "f"
    return control(typed(np.floor(values) if whole else values, dtype, "float"))


def eye(
    b: Builder,
    N: Any,  # noqa: N803  NumPy's name
    M: Any = None,  # noqa: N803
    k: Any = 0,
    dtype: Any = None,
) -> Tensor:
    """Ones on a diagonal: NumPy's ``eye``."""
    sizes = (one_int(b, N), one_int(b, N if M is None else M))
    b.check(sizes, cost=OWN_COST)
    return control(typed(np.eye(*sizes, k=one_int(b, k)), dtype, "float"))


def identity(b: Builder, n: Any, dtype: Any = None) -> Tensor:
    """Ones on the diagonal of a square: NumPy's ``identity``."""
    return eye(b, n, dtype=dtype)


def tri(b: Builder, N: Any, M: Any = None, k: Any = 0, dtype: Any = None) -> Tensor:  # noqa: N803
    """Ones at and below a diagonal: NumPy's ``tri``."""
    sizes = (one_int(b, N), one_int(b, N if M is None else M))
    b.check(sizes, cost=OWN_COST)
    return control(typed(np.tri(*sizes, k=one_int(b, k)), dtype, "float"))


def ix_(b: Builder, *args: Any) -> tuple[Tensor, ...]:
    """Indices of rows and columns that are combined: NumPy's ``ix_``."""
    lists = [b.control_values(as_tensor(b, arg)) for arg in args]
    lists = [np.flatnonzero(x) if x.dtype == bool else x.ravel() for x in lists]
    return tuple(
        control(x.reshape([-1 if d == k else 1 for d in range(len(lists))]))
        for k, x in enumerate(lists)
    )


def grids(b: Builder, parts: Sequence[Tensor], indexing: Any, sparse: Any = False) -> list[Tensor]:
    """Coordinates of a grid, as views of the lines that they are made of.

    Args:
        b: the builder.
        parts: the lines; tensors of more dimensions are read in a row.
        indexing: ``xy``, where the first line runs along the second dimension, or ``ij``.
        sparse: whether each grid keeps size 1 in the dimensions of the other lines.

    Raises:
        CodeRefused: there is no such indexing, or the grid is too large.
    """
    if indexing not in ("xy", "ij"):
        raise CodeRefused(
            "argument",
            _("indexing={indexing} is not one of xy and ij.").format(indexing=short_text(indexing)),
        )
    sizes = [part.array.size for part in parts]
    along = list(range(len(parts)))
    if indexing == "xy":
        along[:2] = along[:2][::-1]
    whole = [0] * len(parts)
    for d, n in zip(along, sizes, strict=True):
        whole[d] = n
    b.check(sizes if sparse else whole, cost=OWN_COST)
    lines = [
        b.reshape(part, [n if d == e else 1 for e in range(len(parts))])
        for part, d, n in zip(parts, along, sizes, strict=True)
    ]
    return lines if sparse else [b.expand(line, whole) for line in lines]


def meshgrid(
    b: Builder, *xi: Any, copy: Any = True, sparse: Any = False, indexing: Any = "xy"
) -> list[Tensor]:
    """Coordinates of a grid: NumPy's ``meshgrid``."""
    made = grids(b, [as_tensor(b, x) for x in xi], indexing, sparse)
    return [b.copy(grid) for grid in made] if copy else made


def sorted_places(b: Builder, a: Any, axis: Any = -1, descending: Any = False) -> Tensor:
    """The places of numbers in order, those of equal ones ascending, if the numbers are known."""
    x = as_tensor(b, a)
    array = b.control_values(x)
    array, axis = (array.ravel(), 0) if axis is None else (array, b.axis(axis, array.ndim))
    if not descending:
        return b.derived(np.argsort(array, axis, kind="stable"), x)
    backward = np.argsort(np.flip(array, axis), axis, kind="stable")
    return b.derived(array.shape[axis] - 1 - np.flip(backward, axis), x)


def argsort(b: Builder, a: Any, axis: Any = -1, kind: Any = None, *, stable: Any = None) -> Tensor:
    """The places of numbers in ascending order: NumPy's ``argsort``."""
    return sorted_places(b, a, axis)


def to_list(b: Builder, x: Tensor, /) -> Any:
    """The values of a control tensor as lists: ``tolist``."""
    return b.control_values(x).tolist()


def item(b: Builder, x: Tensor, /) -> Any:
    """The value of a control tensor of one element: ``item``."""
    array = b.control_values(x)
    if array.size != 1:
        raise CodeRefused("sizes", _("item() needs a tensor of one element."))
    return array.item()
