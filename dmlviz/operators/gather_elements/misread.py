"""How people misread GatherElements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlviz.operators.indices import from_front, outside
from dmlviz.operators.misreadings import MISREADING_LIMIT, Candidate
from dmlviz.tensors import MAX_RANK, print_sizes
from dmlviz.words import _

Array = np.ndarray[Any, Any]


def misread_gather_elements(axis: int, x: Array, indices: Array) -> Iterator[Candidate]:
    """Wrong outputs of GatherElements for a tensor of indices.

    Args:
        axis: the dimension in which an index replaces the element's own.
        x: the elements, numbered.
        indices: the values of IndicesTensor.
    """
    size = x.shape[axis]
    found = from_front(indices, size)
    for d in range(x.ndim):
        taken = None if d == axis else _along(x, indices, d)
        if taken is not None:
            words = _(
                "That replaces the coordinate in dimension {d}: with Axis {axis} the index says "
                "where along dimension {axis}."
            )
            # the same misconception has a key for each dimension
            yield f"axis-{d}", words.format(d=d, axis=axis), taken
    yield from _slices(axis, x, found)
    yield from _sizes(axis, x, found)
    if found.max() < x.size:
        words = _(
            "That counts through the whole input, as in memory: an index counts along dimension "
            "{axis} only, 0 to {last}."
        )
        yield "flat", words.format(axis=axis, last=size - 1), x.ravel()[found]
    if found.shape == x.shape and (np.sort(found, axis) == np.indices(x.shape)[axis]).all():
        words = _(
            "That puts instead of taking, which is DML_SCATTER: an index says where its output "
            "element comes from."
        )
        put = np.empty_like(x)
        np.put_along_axis(put, found, x, axis)
        yield "put", words, put
    if int(indices.min()) > 0:
        words = _("That counts from 1: index {index} of dimension {axis} has {index} before it.")
        told = words.format(index=int(indices.flat[0]), axis=axis)
        yield "from-one", told, np.take_along_axis(x, found - 1, axis)
    if int(indices.min()) < 0:
        words = _(
            "That stops at the first one: index {index} counts from the end, {index} + {size} = "
            "{found}."
        )
        back = int(indices[indices < 0].flat[0])
        told = words.format(index=back, size=size, found=back + size)
        clamped = np.maximum(indices.astype(np.int64), 0)
        yield "clamped", told, np.take_along_axis(x, clamped, axis)


def _slices(axis: int, x: Array, found: Array) -> Iterator[Candidate]:
    """GATHER, whole slices for each index or for each row of indices."""
    rest = x.size // x.shape[axis]
    first = np.take(found, 0, 1 - axis) if found.ndim == 2 else found.ravel()[: found.shape[axis]]
    if x.ndim > 1:
        words = _(
            "That takes whole slices by the first index of each, as DML_GATHER would: every index "
            "takes one element of its own."
        )
        yield "first", words, np.take(x, first, axis)
    if x.ndim - 1 + found.ndim <= MAX_RANK and rest * found.size <= MISREADING_LIMIT:
        taken = np.take(x, found, axis)
        words = _(
            "That is DML_GATHER, a slice of {n} elements for each index and an output of sizes "
            "{sizes}: here each index takes one element."
        )
        yield "slices", words.format(n=rest, sizes=print_sizes(taken.shape)), taken


def _sizes(axis: int, x: Array, found: Array) -> Iterator[Candidate]:
    """The right elements in an output of other sizes."""
    taken = np.take_along_axis(x, found, axis)
    kept, room = x.copy(), min(x.shape[axis], found.shape[axis])
    front = tuple(slice(room) if d == axis else slice(None) for d in range(x.ndim))
    kept[front] = taken[front]
    words = _(
        "That keeps the input's sizes {sizes}: the output has one element for each index, "
        "{indices}."
    )
    told = words.format(sizes=print_sizes(x.shape), indices=print_sizes(found.shape))
    yield "kept", told, kept
    words = _(
        "That lists the elements one after the other: the output has the dimensions of the "
        "indices, {indices}."
    )
    yield "listed", words.format(indices=print_sizes(found.shape)), taken.ravel()


def _along(x: Array, indices: Array, d: int) -> Array | None:
    """Elements along another dimension, where the indices allow it."""
    others = [k for k in range(x.ndim) if k != d]
    if outside(indices, x.shape[d]).any():
        return None
    if any(indices.shape[k] > x.shape[k] for k in others):
        return None
    part = x[tuple(slice(None) if k == d else slice(n) for k, n in enumerate(indices.shape))]
    taken: Array = np.take_along_axis(part, from_front(indices, x.shape[d]), d)
    return taken
