"""How people misread MaxUnpooling."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlviz.operators.misreadings import Candidate
from dmlviz.tensors import print_sizes
from dmlviz.words import _

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


def misread_max_unpooling(out: Sizes, x: Array, indices: Array) -> Iterator[Candidate]:
    """Wrong outputs of MaxUnpooling.

    Args:
        out: the output's sizes.
        x: the elements, numbered from 1; 0 is none.
        indices: the values of IndicesTensor.
    """
    places = indices.astype(np.int64)
    plane = out[2] * out[3]
    if x.shape[:2] == out[:2]:
        yield from _planes(out, x, places)
    words = _("That counts from 1: index {index} has {index} elements before it.")
    if places.min() > 0:
        yield "from-one", words.format(index=int(places.flat[0])), _put(out, places - 1, x)
    words = _("That counts down the columns: a row of {width} comes first, then the next.")
    rows, columns = places % plane % out[2], places % plane // out[2]
    turned = places - places % plane + rows * out[3] + columns
    yield "columns", words.format(width=out[3]), _put(out, turned, x)
    words = _("That puts the elements in their own order: each goes where its index points.")
    if x.size <= math.prod(out):
        yield "in-order", words, _put(out, np.arange(x.size), x)
    words = _("That takes instead of putting: an index says where its element goes.")
    if places.max() < x.size:
        yield "taken", words, x.ravel()[places]
    words = _("That keeps the input's sizes {sizes}: the output has its own, {due}.")
    yield "kept", words.format(sizes=print_sizes(x.shape), due=print_sizes(out)), x
    words = _("That lists the elements in a row: the output has sizes {due}.")
    yield "listed", words.format(due=print_sizes(out)), _put(out, places, x).ravel()


def _planes(out: Sizes, x: Array, places: Array) -> Iterator[Candidate]:
    """Indices that count in each plane separately, and planes filled without indices."""
    plane = out[2] * out[3]
    first = np.arange(out[0] * out[1]).reshape(*out[:2], 1, 1) * plane
    words = _(
        "That counts in each plane alone, as PyTorch does: here an index counts through the whole "
        "output, {plane} to a plane."
    )
    yield "each-plane", words.format(plane=plane), _put(out, first + places % plane, x)
    tall, wide = out[2] // x.shape[2], out[3] // x.shape[3]
    if tall * x.shape[2] == out[2] and wide * x.shape[3] == out[3]:
        words = _(
            "That fills each window of {tall} by {wide}: an element goes to one place, and "
            "the others are 0."
        )
        filled = x.repeat(tall, 2).repeat(wide, 3)
        yield "filled", words.format(tall=tall, wide=wide), filled
        words = _(
            "That puts each at its window's first place: its index says which place it goes to."
        )
        corners = np.zeros(out, x.dtype)
        corners[:, :, ::tall, ::wide] = x
        yield "corners", words, corners


def _put(out: Sizes, places: Array, x: Array) -> Array:
    found = np.zeros(math.prod(out), x.dtype)
    inside = places.ravel() < found.size
    found[places.ravel()[inside]] = x.ravel()[inside]
    return found.reshape(out)
