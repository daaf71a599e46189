"""How people misread ScatterND."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlviz.operators.indices import from_front
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.tuples import Tuples
from dmlviz.tensors import print_sizes
from dmlviz.words import _

Array = np.ndarray[Any, Any]


def misread_scatter_nd(
    tuples: Tuples, x: Array, indices: Array, updates: Array
) -> Iterator[Candidate]:
    """Wrong outputs of ScatterND for a tensor of tuples.

    Args:
        tuples: what they select.
        x, updates: the elements, numbered through both.
        indices: the values of IndicesTensor.
    """
    whole = tuples.inside(indices.astype(np.int64))
    found = np.stack([from_front(whole[..., k], n) for k, n in enumerate(tuples.named)], axis=-1)
    turned = found[..., ::-1]
    if tuples.length > 1 and _inside(turned, tuples.named):
        words = _(
            "That reads a tuple backward, as x before y: its first index counts along "
            "dimension {axis}, its last along dimension {last}."
        )
        lead = len(tuples.sizes) - tuples.input_count
        told = words.format(axis=lead, last=lead + tuples.length - 1)
        yield "backwards", told, _put(tuples, x, turned, updates)
    if tuples.slices and _inside(found, tuples.inner[-tuples.length :]):
        words = _(
            "That applies a tuple to the last dimensions: its indices count along the first "
            "ones, and slices of sizes {sizes} are covered."
        )
        told = words.format(sizes=print_sizes(tuples.slices))
        yield "last", told, _put_last(tuples, x, found, updates)
    yield from _orders(tuples, x, found, updates)
    if int(found.min()) > 0:
        words = _("That counts from 1: index {index} has {index} before it in its dimension.")
        told = words.format(index=int(found.flat[0]))
        yield "from-one", told, _put(tuples, x, found - 1, updates)
    if int(whole.min()) < 0:
        words = _(
            "That stops at the first one: index {index} counts from the end of its dimension, "
            "{index} + {size} = {found}."
        )
        cell = int(np.flatnonzero(whole.ravel() < 0)[0])
        size = tuples.named[cell % tuples.length]
        back = int(whole.flat[cell])
        told = words.format(index=back, size=size, found=back + size)
        yield "clamped", told, _put(tuples, x, np.maximum(whole, 0), updates)
    yield from _sizes(tuples, x, found, updates)


def _orders(tuples: Tuples, x: Array, found: Array, updates: Array) -> Iterator[Candidate]:
    """Updates written in their own order, or whose rows are all covered."""
    count = updates.size
    if count <= x.size:
        words = _(
            "That puts the updates in their own order, from the first place on: each goes "
            "where its tuple points."
        )
        ordered = x.copy()
        ordered.ravel()[:count] = updates.ravel()
        yield "in-order", words, ordered
    if tuples.length > 1 and not tuples.slices:
        words = _(
            "That stops after the first index of each tuple, and covers a whole slice: a tuple has "
            "{length} indices, and names one element."
        )
        rows = x.copy()
        inner = rows.reshape(tuples.inner)
        flat = updates.reshape(tuples.exact or (1,)).ravel()
        for first, update in zip(found[..., 0].ravel(), flat, strict=True):
            inner[first] = update
        yield "first", words.format(length=tuples.length), rows


def _sizes(tuples: Tuples, x: Array, found: Array, updates: Array) -> Iterator[Candidate]:
    """Outputs of other sizes."""
    words = _(
        "That takes what the tuples select, as DML_GATHER_ND1 does, in sizes {sizes}: "
        "ScatterND keeps the input's sizes {due} and puts updates into it."
    )
    told = words.format(sizes=print_sizes(tuples.output), due=print_sizes(tuples.sizes))
    taken = x.reshape(tuples.inner)[tuple(np.moveaxis(found, -1, 0))]
    yield "taken", told, taken.reshape(tuples.output)
    words = _("That gives the updates alone: the output is the whole input, of sizes {due}.")
    yield "alone", words.format(due=print_sizes(tuples.sizes)), updates
    words = _("That lists the elements one after the other: the output has the sizes {due}.")
    put = _put(tuples, x, found, updates)
    yield "listed", words.format(due=print_sizes(tuples.sizes)), put.ravel()


def _put(tuples: Tuples, x: Array, found: Array, updates: Array) -> Array:
    out = x.copy()
    at = tuple(np.moveaxis(found, -1, 0))
    out.reshape(tuples.inner)[at] = updates.reshape(tuples.exact)
    return out


def _put_last(tuples: Tuples, x: Array, found: Array, updates: Array) -> Array:
    """Updates put as far as they reach, at places of the last dimensions."""
    out = x.copy()
    inner = out.reshape(tuples.inner)
    rank, length = inner.ndim, tuples.length
    moved = np.moveaxis(inner, range(rank - length, rank), range(length))
    given = updates.reshape(tuples.exact)
    front = tuple(
        slice(min(n, m)) for n, m in zip(moved.shape[length:], tuples.slices, strict=True)
    )
    for at in np.ndindex(tuples.cells):
        moved[tuple(found[at])][front] = given[at][front]
    return out


def _inside(found: Array, sizes: tuple[int, ...]) -> bool:
    return all(int(found[..., k].max()) < n for k, n in enumerate(sizes))
