"""How people misread Scatter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlviz.operators.indices import from_front, outside
from dmlviz.operators.misreadings import Candidate
from dmlviz.tensors import print_sizes
from dmlviz.words import _

Array = np.ndarray[Any, Any]


def misread_scatter(axis: int, x: Array, indices: Array, updates: Array) -> Iterator[Candidate]:
    """Wrong outputs of Scatter for tensors of indices.

    Args:
        axis: the dimension in which an index replaces the update's own.
        x, updates: the elements, numbered through both.
        indices: the values of IndicesTensor.
    """
    found = from_front(indices, x.shape[axis])
    for d in range(x.ndim):
        put = None if d == axis else _along(x, indices, updates, d)
        if put is not None:
            words = _(
                "That replaces the coordinate in dimension {d}: with Axis {axis} the index says "
                "where along dimension {axis}."
            )
            # the same misconception has a key for each dimension
            yield f"axis-{d}", words.format(d=d, axis=axis), put
    yield from _directions(axis, x, found, updates)
    if int(found.max()) < x.size:
        words = _(
            "That counts through the whole output, as in memory: an index counts along dimension "
            "{axis} only, 0 to {last}."
        )
        flat = x.ravel().copy()
        flat[found.ravel()] = updates.ravel()
        told = words.format(axis=axis, last=x.shape[axis] - 1)
        yield "flat", told, flat.reshape(x.shape)
    yield from _sizes(axis, x, found, updates)


def _directions(axis: int, x: Array, found: Array, updates: Array) -> Iterator[Candidate]:
    """Updates gathered instead of scattered, or written in their own order."""
    front = tuple(slice(n) for n in updates.shape)
    if int(found.max()) < updates.shape[axis]:
        words = _(
            "That takes instead of putting: an index says where its update goes, not where one "
            "comes from."
        )
        pulled = x.copy()
        pulled[front] = np.take_along_axis(updates, found, axis)
        yield "pulled", words, pulled
    words = _(
        "That puts the updates in their own order, from the first place on: each goes "
        "where its index points."
    )
    ordered = x.copy()
    ordered[front] = updates
    yield "in-order", words, ordered
    if x.ndim == 2:
        words = _(
            "That puts whole slices by the first index of each: every update has an index of its "
            "own."
        )
        whole = x.copy()
        lines = np.moveaxis(whole, axis, 0)
        lines[np.take(found, 0, 1 - axis)] = np.moveaxis(updates, axis, 0)
        yield "first", words, whole
    if int(found.min()) > 0:
        words = _("That counts from 1: index {index} of dimension {axis} has {index} before it.")
        less = x.copy()
        np.put_along_axis(less, found - 1, updates, axis)
        yield "from-one", words.format(index=int(found.flat[0]), axis=axis), less


def _sizes(axis: int, x: Array, found: Array, updates: Array) -> Iterator[Candidate]:
    """Outputs of other sizes."""
    words = _(
        "That takes elements of the input, as DML_GATHER_ELEMENTS does, in sizes {sizes}: Scatter "
        "keeps the input's sizes {due} and puts updates into it."
    )
    told = words.format(sizes=print_sizes(found.shape), due=print_sizes(x.shape))
    yield "taken", told, np.take_along_axis(x, found, axis)
    joined = np.concatenate([x, updates], axis)
    words = _(
        "That puts the updates after the input, in sizes {sizes}: they cover elements of it, and "
        "the sizes stay {due}."
    )
    told = words.format(sizes=print_sizes(joined.shape), due=print_sizes(x.shape))
    yield "joined", told, joined
    words = _("That gives the updates alone: the output is the whole input, of sizes {due}.")
    order = np.argsort(found, axis, kind="stable")
    alone = np.take_along_axis(updates, order, axis)
    yield "alone", words.format(due=print_sizes(x.shape)), alone
    words = _("That lists the elements one after the other: the output has the sizes {due}.")
    put = x.copy()
    np.put_along_axis(put, found, updates, axis)
    yield "listed", words.format(due=print_sizes(x.shape)), put.ravel()


def _along(x: Array, indices: Array, updates: Array, d: int) -> Array | None:
    """Updates written along another dimension, if the indices allow it."""
    if outside(indices, x.shape[d]).any():
        return None
    if any(n > x.shape[k] for k, n in enumerate(indices.shape) if k != d):
        return None
    out = x.copy()
    part = out[tuple(slice(None) if k == d else slice(n) for k, n in enumerate(indices.shape))]
    np.put_along_axis(part, from_front(indices, x.shape[d]), updates, d)
    return out
