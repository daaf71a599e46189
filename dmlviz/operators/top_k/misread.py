"""How people misread TopK."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlviz.operators.misreadings import Array, Candidate
from dmlviz.operators.top_k.picking import VALUES, Picking
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def misread_top_k(picking: Picking, x: Array) -> Iterator[Candidate]:
    """Wrong values of TopK; their indices are equally wrong.

    Args:
        picking: the elements to pick.
        x: numbers in the order of the elements, no two of them equal.
    """
    for key, words, values in _misread(picking, x):
        yield key, words, {VALUES: values}


def _misread(picking: Picking, x: Array) -> Iterator[tuple[str, str, Array]]:
    axis, k = picking.axis, picking.k
    first = np.take(x, np.arange(k), axis)
    at = picking.indices(x)
    picked = np.take_along_axis(x, at, axis)
    other = Picking(picking.sizes, axis, k, not picking.largest)
    words = _("That picks the largest: AxisDirection INCREASING picks the smallest.")
    if picking.largest:
        words = _("That picks the smallest: AxisDirection DECREASING picks the largest.")
    yield "other-direction", words, np.take_along_axis(x, other.indices(x), axis)
    words = _("That reverses them: the smallest of them comes first.")
    if picking.largest:
        words = _("That reverses them: the largest of them comes first.")
    yield "turned", words, np.flip(picked, axis)
    words = _("That leaves them in the input's order: they come out sorted.")
    yield "in-place", words, np.take_along_axis(x, np.sort(at, axis), axis)
    words = _(
        "That takes the first {k} of each sequence without sorting: each sequence is sorted first."
    )
    yield "first", words.format(k=k), first
    yield from _across(picking, x)
    yield from _sizes(picking, x)


def _across(picking: Picking, x: Array) -> Iterator[tuple[str, str, Array]]:
    """Elements picked along another dimension, or from all sequences together."""
    axis, k = picking.axis, picking.k
    for d, n in enumerate(x.shape):
        if d != axis and k <= n:
            words = _(
                "That sorts along dimension {d}: Axis is {axis}, along which each sequence lies."
            )
            along = Picking(picking.sizes, d, k, picking.largest)
            taken = np.take_along_axis(x, along.indices(x), d)
            # the same misconception has a key for each dimension
            yield f"axis-{d}", words.format(d=d, axis=axis), taken
    if x.size > x.shape[axis]:
        words = _(
            "That sorts all sequences like the first one: each sequence is sorted on its own."
        )
        order = np.moveaxis(picking.indices(x), axis, -1).reshape(-1, k)[0]
        yield "slices", words, np.take(x, order, axis)
        words = _("That picks {k} of the whole tensor: {k} are picked of each sequence.")
        line = Picking((x.size,), 0, k, picking.largest)
        taken = x.ravel()[line.indices(x.ravel())]
        yield "whole-tensor", words.format(k=k), taken


def _sizes(picking: Picking, x: Array) -> Iterator[tuple[str, str, Array]]:
    """Sorted sequences of another length."""
    axis, k, n = picking.axis, picking.k, x.shape[picking.axis]
    every = Picking(picking.sizes, axis, n, picking.largest)
    ordered = np.take_along_axis(x, every.indices(x), axis)
    words = _("That sorts all {n} of each sequence: K is {k}, so {k} of each come out, {sizes}.")
    told = words.format(n=n, k=k, sizes=print_sizes(picking.output))
    yield "sorted", told, ordered
    words = _("That is number {k} alone: K says how many to pick from each sequence.")
    yield "only-kth", words.format(k=k), np.take(ordered, [k - 1], axis)
    if k > 1:
        words = _("That is one too few: K {k} picks {k} of each sequence.")
        yield "one-fewer", words.format(k=k), np.take(ordered, np.arange(k - 1), axis)
