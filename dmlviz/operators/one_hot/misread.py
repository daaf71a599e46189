"""How people misread OneHot."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlviz.operators.misreadings import Array, Candidate
from dmlviz.operators.one_hot.layout import Layout
from dmlviz.words import _


def misread_one_hot(layout: Layout, values: Array, indices: Array) -> Iterator[Candidate]:
    """Wrong outputs of OneHot.

    Args:
        layout: the positions of inputs and outputs.
        values: ValuesTensor, numbered.
        indices: the values of IndicesTensor.
    """
    off_and_on = values.ravel()[:2]
    depth, places = layout.depth, layout.places(indices)
    hot = layout.hot(indices)
    words = _("That takes the first value for on: the first is off, the second on.")
    yield "swapped", words, off_and_on[1 - hot.astype(np.int64)]
    words = _("That counts from 1: index {index} has {index} places before it.")
    told = words.format(index=int(places.flat[0]))
    yield "from-one", told, off_and_on[_hot(layout, places - 1)]
    if (indices.astype(np.int64) < 0).any():
        words = _(
            "That turns nothing on for negative indices: {index} counts from the end, place "
            "{place}."
        )
        negative = np.flatnonzero(indices < 0)[0]
        told = words.format(index=int(indices.flat[negative]), place=int(places.flat[negative]))
        yield "negative", told, off_and_on[_hot(layout, indices.astype(np.int64))]
    if ((places >= depth) | (places < 0)).any():
        words = _("That takes the nearest place: an index beyond 0 to {last} turns nothing on.")
        told = words.format(last=depth - 1)
        yield "clamped", told, off_and_on[_hot(layout, np.clip(places, 0, depth - 1))]
    words = _(
        "That turns on everything before the index, as a thermometer does: only place {place} of "
        "the first sequence is on."
    )
    if 0 <= int(places.flat[0]) < depth:
        line = np.arange(depth).reshape(_along(layout))
        told = words.format(place=int(places.flat[0]))
        yield "up-to", told, off_and_on[(line <= places).astype(np.int64)]
    words = _("That puts the sequences along another dimension: Axis is {axis}.")
    other = np.moveaxis(
        off_and_on[hot.astype(np.int64)], layout.axis, -1 if layout.axis == 0 else 0
    )
    yield "other-axis", words.format(axis=layout.axis), other

    yield from _other_values(layout, values.ravel(), places, hot)
    yield from _other_sizes(layout, off_and_on, places)


def _other_values(layout: Layout, values: Array, places: Array, hot: Array) -> Iterator[Candidate]:
    """The right places with other elements of ValuesTensor."""
    if values.size > 2:
        words = _("That takes the last of {count} values for on: it is the second, always.")
        told = words.format(count=values.size)
        yield "last", told, np.where(hot, values[-1], values[0])
        words = _("That takes a value for each place: there are two, off and on.")
        line = np.arange(layout.depth).reshape(_along(layout)) % values.size
        yield "in-order", words, values[np.broadcast_to(line, hot.shape)]
    if places.min() >= 0 and places.max() < values.size:
        words = _(
            "That takes the value that the index names, as Gather does: index {index} says "
            "where the on value goes, not what it is."
        )
        told = words.format(index=int(places.flat[0]))
        yield "gather", told, values[np.broadcast_to(places, hot.shape)]


def _other_sizes(layout: Layout, off_and_on: Array, places: Array) -> Iterator[Candidate]:
    """Sequences of another length, or along an additional dimension."""
    line = np.arange(layout.depth)
    words = _(
        "That puts a new dimension of {depth} after the others: dimension {axis} of the indices, "
        "of size 1, becomes the sequence."
    )
    told = words.format(depth=layout.depth, axis=layout.axis)
    yield "new-axis", told, off_and_on[(places[..., None] == line).astype(np.int64)]
    longest = int(places.max()) + 1
    words = _(
        "That ends each sequence at the largest index, {last}: the output's own size says how long "
        "it is, {depth}."
    )
    if 0 < longest < layout.depth:
        short = Layout(layout.values, layout.indices, layout.axis, longest)
        told = words.format(last=longest - 1, depth=layout.depth)
        yield "shortest", told, off_and_on[_hot(short, places)]
    words = _("That keeps the sizes of the indices: each of them becomes {depth} elements.")
    yield "as-indices", words.format(depth=layout.depth), off_and_on[np.clip(places, 0, 1)]


def _along(layout: Layout) -> list[int]:
    along = [1] * len(layout.indices)
    along[layout.axis] = layout.depth
    return along


def _hot(layout: Layout, places: Array) -> Array:
    """Which of the two values stands at each element, for other places."""
    line = np.arange(layout.depth).reshape(_along(layout))
    found: Array = places == line
    return found.astype(np.int64)
