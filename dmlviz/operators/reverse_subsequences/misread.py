"""How people misread ReverseSubsequences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.reverse_subsequences.turning import Array, places, sources
from dmlviz.words import _


def misread_reverse(axis: int, x: Array, lengths: Array) -> Iterator[Candidate]:
    """Wrong outputs of ReverseSubsequences.

    Args:
        axis: what is reversed.
        x: the elements, numbered.
        lengths: the values of SequenceLengthsTensor.
    """
    n, signed = x.shape[axis], lengths.astype(np.int64)
    at = places(n, axis, x.ndim)
    # the sequence that shows best what a length does
    k = int(np.argmax((signed > 1) & (signed < n)))
    numbers = {"axis": axis, "n": n, "length": int(signed.ravel()[k]), "last": n - 1}
    numbers["cell"] = [int(i) for i in np.unravel_index(k, lengths.shape)]

    def taken(along: Array) -> Array:
        return np.take_along_axis(x, np.broadcast_to(along, x.shape), axis)

    words = _(
        "That reverses the whole of dimension {axis}: at {cell} the length is {length}, and what "
        "comes after the first {length} of {n} stays where it is."
    )
    yield "whole", words.format(**numbers), taken(n - 1 - at)
    words = _(
        "That reverses the last elements of each sequence: the length {length} at {cell} counts "
        "from index 0."
    )
    yield (
        "behind",
        words.format(**numbers),
        taken(np.where(at >= n - signed, 2 * n - signed - 1 - at, at)),
    )
    words = _(
        "That takes the length for the last index: {length} elements have the indices 0 to "
        "{before}."
    )
    more = np.minimum(signed + 1, n)
    before = numbers["length"] - 1
    if numbers["length"]:
        yield (
            "last-index",
            words.format(length=numbers["length"], before=before),
            taken(sources(more, n, axis)),
        )
    words = _(
        "That reverses one element too few: the length {length} at {cell} counts the last one, too."
    )
    yield "short", words.format(**numbers), taken(sources(np.maximum(signed - 1, 0), n, axis))
    words = _(
        "That reverses what comes after the length, too: after the first {length} of {n} "
        "elements nothing moves."
    )
    turned = np.where(at < signed, signed - 1 - at, n - 1 - at + signed)
    yield "both", words.format(**numbers), taken(turned)
    words = _("That only swaps the first and the last of the first {length} elements.")
    ends = np.where((at == 0) & (signed > 1), signed - 1, np.where(at == signed - 1, 0, at))
    yield "ends", words.format(**numbers), taken(ends)
    if lengths.size > 1:
        words = _(
            "That takes the first length, {first}, for every sequence: each has its own, {length} "
            "at {cell}."
        )
        first = np.broadcast_to(signed.ravel()[:1].reshape((1,) * x.ndim), lengths.shape)
        told = words.format(first=int(signed.flat[0]), **numbers)
        yield "first-length", told, taken(sources(first, n, axis))
    yield from _other_axes(axis, x, signed)
    yield from _other_sizes(axis, x, signed)


def _other_axes(axis: int, x: Array, lengths: Array) -> Iterator[Candidate]:
    """The lengths used along the axis itself, if another dimension has as many elements."""
    for d, size in enumerate(x.shape):
        if d != axis and size == x.shape[axis] > 1:
            turned = sources(np.swapaxes(lengths, d, axis), size, d)
            words = _("That reverses along dimension {d}: Axis is {axis}.")
            yield f"axis-{d}", words.format(d=d, axis=axis), np.take_along_axis(x, turned, d)


def _other_sizes(axis: int, x: Array, lengths: Array) -> Iterator[Candidate]:
    """Outputs of other sizes."""
    n, most = x.shape[axis], int(lengths.max())
    turned = np.take_along_axis(x, sources(lengths, n, axis), axis)
    words = _(
        "That leaves one element of each sequence, the last one: here all {n} come out, the "
        "reversed ones and those after them."
    )
    last = np.maximum(lengths - 1, 0)
    yield "last-element", words.format(n=n), np.take_along_axis(x, last, axis)
    if 0 < most < n:
        words = _(
            "That cuts off what comes after the longest length, {most}: all {n} elements of "
            "dimension {axis} come out."
        )
        told = words.format(most=most, n=n, axis=axis)
        yield "cut", told, np.take(turned, np.arange(most), axis)
    words = _(
        "That puts the reversed elements in front of the input's own, {twice} in all: "
        "they replace them, and {n} come out."
    )
    yield "beside", words.format(twice=2 * n, n=n), np.concatenate([turned, x], axis)
    if x.ndim > 1:
        other = axis - 1 if axis else 1
        words = _(
            "That swaps dimensions {axis} and {other}: elements move along dimension {axis} "
            "only, and the sizes stay."
        )
        told = words.format(axis=axis, other=other)
        yield "exchanged", told, np.swapaxes(turned, axis, other)
