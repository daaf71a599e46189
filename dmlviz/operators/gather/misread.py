"""How people misread Gather."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlviz.operators.gather.layout import Layout
from dmlviz.operators.misreadings import Array, Candidate
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def misread_gather(layout: Layout, x: Array, indices: Array) -> Iterator[Candidate]:
    """Wrong outputs of Gather for a tensor of indices.

    Args:
        layout: the positions of inputs and outputs.
        x: the elements, numbered.
        indices: the values of IndicesTensor.
    """
    inner = indices.astype(np.int64).reshape(layout.inner)
    axis, size = layout.axis, layout.sizes[layout.axis]
    for d, n in enumerate(layout.sizes):
        if d != axis and _inside(inner, n):
            words = _("That counts along dimension {d}: Axis is {axis}.")
            # the same misconception has a key for each dimension
            yield f"axis-{d}", words.format(d=d, axis=axis), _ranked(layout, np.take(x, inner, d))
    yield from _elements(layout, x, indices.astype(np.int64))
    if _inside(inner, x.size):
        words = _(
            "That takes single elements of the flattened input, as np.take does without an axis: "
            "here each index takes a slice along dimension {axis}, {n} elements."
        )
        n = x.size // size
        yield "flat", words.format(axis=axis, n=n), _ranked(layout, np.take(x, inner))
    if inner.min() > 0:
        words = _("That counts from 1: index {index} of dimension {axis} has {index} before it.")
        first = int(inner.flat[0])
        taken = np.take(x, inner - 1, axis)
        yield "from-one", words.format(index=first, axis=axis), _ranked(layout, taken)
    if inner.min() < 0:
        words = _(
            "That stops at the first one: index {index} counts from the end, {index} + {size} = "
            "{found}."
        )
        back = int(inner[inner < 0].flat[0])
        told = words.format(index=back, size=size, found=back + size)
        yield "clamped", told, _ranked(layout, np.take(x, np.maximum(inner, 0), axis))
    yield from _orders(layout, x, inner)


def _elements(layout: Layout, x: Array, indices: Array) -> Iterator[Candidate]:
    """GATHER_ELEMENTS, if the indices' sizes allow that confusion."""
    axis = layout.axis
    fits = all(
        n <= size
        for d, (n, size) in enumerate(zip(indices.shape, x.shape, strict=True))
        if d != axis
    )
    if not fits:
        return
    part = x[tuple(slice(None) if d == axis else slice(n) for d, n in enumerate(indices.shape))]
    words = _(
        "That is DML_GATHER_ELEMENTS, one element for each index and an output of sizes {sizes}: "
        "here each index takes a whole slice, {n} elements."
    )
    n = x.size // layout.sizes[axis]
    told = words.format(sizes=print_sizes(indices.shape), n=n)
    yield "elements", told, np.take_along_axis(part, indices, axis)


def _orders(layout: Layout, x: Array, inner: Array) -> Iterator[Candidate]:
    """Other orders of the same slices."""
    axis = layout.axis
    found = inner % layout.sizes[axis]
    ordered = np.sort(found, axis=None).reshape(found.shape)
    words = _("That keeps the input's order: slices come in the order of the indices, {indices}.")
    told = words.format(indices=", ".join(str(int(i)) for i in inner.ravel()[:8]))
    yield "in-order", told, _ranked(layout, np.take(x, ordered, axis))
    if inner.ndim == 1 and np.array_equal(ordered, np.arange(layout.sizes[axis])):
        words = _(
            "That puts instead of taking: index {index} at place 0 says where the output's place "
            "0 comes from, not where the input's index 0 goes."
        )
        told = words.format(index=int(inner[0]))
        yield "put", told, _ranked(layout, np.take(x, np.argsort(found), axis))
    if inner.ndim == 1:
        _values, first = np.unique(found, return_index=True)
        once = found[np.sort(first)]
        words = _("That takes each index once: a slice that is named twice is copied twice.")
        yield "once", words, _ranked(layout, np.take(x, once, axis))


def _inside(indices: Array, size: int) -> bool:
    return bool(indices.min() >= -size and indices.max() < size)


def _ranked(layout: Layout, taken: Array) -> Array:
    """With leading ones removed or added, if that gives the output's rank."""
    rank = len(layout.sizes)
    sizes = taken.shape
    while len(sizes) > rank and sizes[0] == 1:
        sizes = sizes[1:]
    return taken.reshape((1,) * (rank - len(sizes)) + sizes)
