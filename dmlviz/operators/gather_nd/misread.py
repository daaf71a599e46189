"""How people misread GatherND."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlviz.operators.indices import from_front
from dmlviz.operators.misreadings import MISREADING_LIMIT, Candidate
from dmlviz.operators.tuples import Tuples
from dmlviz.tensors import MAX_RANK, print_sizes
from dmlviz.words import _

Array = np.ndarray[Any, Any]


def misread_gather_nd(tuples: Tuples, x: Array, indices: Array) -> Iterator[Candidate]:
    """Wrong outputs of GatherND for a tensor of tuples.

    Args:
        tuples: what they select.
        x: the elements, numbered.
        indices: the values of IndicesTensor.
    """
    inner = x.reshape(tuples.inner)
    whole = tuples.inside(indices.astype(np.int64))
    found = np.stack([from_front(whole[..., k], n) for k, n in enumerate(tuples.named)], axis=-1)
    yield from _rows(tuples, inner, found)
    yield from _turned(tuples, inner, found)
    yield from _batches(tuples, inner, found)
    if int(found.min()) > 0:
        words = _("That counts from 1: index {index} has {index} before it in its dimension.")
        told = words.format(index=int(found.flat[0]))
        yield "from-one", told, _taken(tuples, inner, found - 1)
    if int(whole.min()) < 0:
        words = _(
            "That stops at the first one: index {index} counts from the end of its dimension, "
            "{index} + {size} = {found}."
        )
        cell = int(np.flatnonzero(whole.ravel() < 0)[0])
        size = tuples.named[cell % tuples.length]
        back = int(whole.flat[cell])
        told = words.format(index=back, size=size, found=back + size)
        yield "clamped", told, _taken(tuples, inner, np.maximum(whole, 0))
    if tuples.exact != tuples.output:
        words = _(
            "That drops the leading ones: the output has {rank} dimensions like the input, "
            "sizes {sizes}."
        )
        told = words.format(rank=len(tuples.output), sizes=print_sizes(tuples.output))
        yield "unranked", told, _taken(tuples, inner, found).reshape(tuples.exact or (1,))


def _rows(tuples: Tuples, inner: Array, found: Array) -> Iterator[Candidate]:
    """GATHER: the last dimension is read as indices of one dimension, not as a tuple."""
    axis, size = tuples.batches, inner.shape[tuples.batches]
    rank = inner.ndim - 1 + found.ndim
    room = found.size * (inner.size // size) <= MISREADING_LIMIT
    if int(found.max()) < size and not axis and rank <= MAX_RANK and room:
        words = _(
            "That is tf.gather, or DML_GATHER: every index takes a slice of its own along "
            "dimension 0. Here all indices along the last dimension make one tuple."
        )
        yield "rows", words, np.take(inner, found, 0)
    if tuples.length > 1:
        words = _(
            "That stops after the first index of each tuple, and takes whole slices: a tuple "
            "has {length} indices, one for each of {length} dimensions."
        )
        first = found[..., :1]
        yield "first", words.format(length=tuples.length), _taken(tuples, inner, first)


def _turned(tuples: Tuples, inner: Array, found: Array) -> Iterator[Candidate]:
    """The indices of a tuple, used for other dimensions."""
    turned = found[..., ::-1]
    if tuples.length > 1 and _inside(turned, tuples.named):
        words = _(
            "That reads a tuple backward, as x before y: its first index counts along "
            "dimension {axis}, its last along dimension {last}."
        )
        lead = len(tuples.sizes) - tuples.input_count + tuples.batches
        told = words.format(axis=lead, last=lead + tuples.length - 1)
        yield "backwards", told, _taken(tuples, inner, turned)
    last = inner.shape[inner.ndim - tuples.length :]
    if tuples.slices and not tuples.batches and _inside(found, last):
        words = _(
            "That applies a tuple to the last dimensions: its indices count along the first "
            "ones, and slices of sizes {sizes} are left."
        )
        moved = np.moveaxis(
            inner, range(inner.ndim - tuples.length, inner.ndim), range(tuples.length)
        )
        told = words.format(sizes=print_sizes(tuples.slices))
        # the sizes from the page's own formula
        yield "last", told, _ranked(tuples, moved[tuple(np.moveaxis(found, -1, 0))])
    if int(found.max()) < inner.size and tuples.length > 1:
        words = _(
            "That counts through the whole input, as in memory, index by index: the {length} "
            "indices of a tuple name one place together."
        )
        told = words.format(length=tuples.length)
        yield "flat", told, _ranked(tuples, inner.ravel()[found])


def _batches(tuples: Tuples, inner: Array, found: Array) -> Iterator[Candidate]:
    """Batches ignored, or assumed where there are none."""
    if tuples.batches:
        words = _(
            "That applies every tuple to the first batch: with BatchDimensionCount {count} "
            "each batch of tuples belongs to the batch of the input with the same number."
        )
        batches = inner.reshape(math.prod(inner.shape[: tuples.batches]), -1)
        same = np.broadcast_to(batches[:1], batches.shape).reshape(inner.shape)
        taken = _taken(tuples, same, found)
        yield "first-batch", words.format(count=tuples.batches), taken
        alone = inner.ndim - tuples.length
        named = inner.shape[: tuples.length]
        if found.ndim - 1 + alone <= MAX_RANK and _inside(found, named):
            words = _(
                "That ignores the batches, as with BatchDimensionCount 0: the tuples count from "
                "dimension {axis} on, after the batches."
            )
            taken = inner[tuple(np.moveaxis(found, -1, 0))]
            if taken.size <= MISREADING_LIMIT:
                told = words.format(axis=len(tuples.sizes) - tuples.input_count + tuples.batches)
                yield "no-batch", told, _ranked(tuples, taken)
    elif tuples.slices and tuples.cells and tuples.cells[0] == inner.shape[0]:
        named = inner.shape[1 : 1 + tuples.length]
        if _inside(found, named):
            words = _(
                "That pairs the tuples with the input's dimension 0, one each: that is a batch, "
                "and BatchDimensionCount is 0."
            )
            batch = np.indices(tuples.cells, sparse=True)[:1]
            yield "a-batch", words, _ranked(tuples, inner[(*batch, *np.moveaxis(found, -1, 0))])


def _taken(tuples: Tuples, inner: Array, found: Array) -> Array:
    """What tuples of that length take."""
    batch = np.indices(tuples.cells, sparse=True)[: tuples.batches]
    return _ranked(tuples, inner[(*batch, *np.moveaxis(found, -1, 0))])


def _inside(found: Array, sizes: tuple[int, ...]) -> bool:
    return all(int(found[..., k].max()) < n for k, n in enumerate(sizes))


def _ranked(tuples: Tuples, taken: Array) -> Array:
    """With leading ones, if they fit."""
    return taken.reshape((1,) * (len(tuples.sizes) - taken.ndim) + taken.shape)
