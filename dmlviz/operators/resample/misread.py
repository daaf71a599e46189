"""How people misread Resample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dmlviz.operators.misreadings import MISREADING_LIMIT, Array, Candidate
from dmlviz.operators.resample.ruler import CENTRE, START, Ruler
from dmlviz.operators.spelling import print_setting
from dmlviz.words import _


def misread_resample(rulers: Sequence[Ruler], x: Array) -> Iterator[Candidate]:
    """Wrong outputs of Resample for a tensor of indices.

    Args:
        rulers: one for each dimension.
        x: the tensor of indices.
    """
    truth = [ruler.places for ruler in rulers]
    for d in reversed(range(len(rulers))):
        if rulers[d].whole:
            continue
        numbers = {
            "d": d,
            "size": rulers[d].size,
            "count": rulers[d].count,
            "scale": print_setting(rulers[d].scale),
            "input": print_setting(rulers[d].input_offset),
            "output": print_setting(rulers[d].output_offset),
            "repeats": rulers[d].repeats,
        }
        for key, words, places in _along(rulers[d]):
            # the same misconception has a key for each dimension
            found = _taken(x, [*truth[:d], places, *truth[d + 1 :]])
            yield f"{key}-{d}", words.format(**numbers), found
    yield from _swapped(rulers, x)


def _along(ruler: Ruler) -> Iterator[tuple[str, str, Array]]:
    """Misreadings along one dimension; the sentences still lack their numbers."""
    size, count, own = ruler.size, ruler.count, ruler.places
    if ruler.up:
        words = _("That rounds down: INCREASING rounds up in dimension {d}.")
    else:
        words = _("That rounds up: DECREASING rounds down in dimension {d}.")
    yield "other-rounding", words, replace(ruler, up=not ruler.up).places
    words = _("That rounds to the nearest index: in dimension {d} it is always the same direction.")
    yield "nearest", words, _halves(ruler)
    if count > size:
        words = _(
            "That repeats the whole row, as np.tile does: in dimension {d} each element is "
            "repeated, so its copies are side by side."
        )
        yield "tiled", words, np.arange(count) % size
    if ruler.repeats > 1:
        words = _(
            "That puts zeros between the elements: in dimension {d} each element is copied "
            "{repeats} times instead."
        )
        at = np.arange(count)
        yield "zeros", words, np.where(at % ruler.repeats, -1, at // ruler.repeats)
    words = _(
        "That goes from start to start: OutputPixelOffsets {output} and InputPixelOffsets {input} "
        "of dimension {d} say which points are compared."
    )
    yield "starts", words, replace(ruler, output_offset=START, input_offset=0.0).places
    words = _(
        "That goes from center to center: OutputPixelOffsets {output} and "
        "InputPixelOffsets {input} of dimension {d} say which points are compared."
    )
    yield "centres", words, replace(ruler, output_offset=CENTRE, input_offset=0.5).places
    words = _("That ignores InputPixelOffsets {input} of dimension {d}.")
    yield "no-input-offset", words, replace(ruler, input_offset=0.0).places
    words = _("That ignores OutputPixelOffsets {output} of dimension {d}.")
    yield "no-output-offset", words, replace(ruler, output_offset=0.0).places
    if count > 1:
        words = _(
            "That aligns the first and last elements, as align_corners does: in dimension "
            "{d} an input pixel is {scale} output pixels long."
        )
        yield "corners", words, np.arange(count) * (size - 1) // (count - 1)
    words = _("That is off by one in dimension {d}.")
    yield "later", words, np.minimum(own + 1, size - 1)
    if count <= size:
        words = _("That cuts off what is beyond {count}: in dimension {d} the scale is {scale}.")
        yield "cut", words, np.arange(count)
    turned = max(1, int(size / ruler.scale)) if size / ruler.scale < MISREADING_LIMIT else 0
    if turned and turned != count:
        words = _(
            "That divides by the scale: in dimension {d} an input pixel is {scale} output pixels "
            "long, so {size} of them make {count}."
        )
        other = replace(ruler, count=turned, scale=1 / ruler.scale)
        yield "divided", words, other.places


def _halves(ruler: Ruler) -> Array:
    """The places where coordinates are rounded to the nearest index, halves up."""
    return replace(ruler, input_offset=ruler.input_offset - 0.5, up=False).places


def _swapped(rulers: Sequence[Ruler], x: Array) -> Iterator[Candidate]:
    """The numbers of the last two dimensions swapped."""
    if len(rulers) < 2:
        return
    *outer, high, wide = rulers
    both = [
        replace(
            a,
            count=max(1, int(a.size * b.scale)) if a.size * b.scale < MISREADING_LIMIT else 1,
            scale=b.scale,
            input_offset=b.input_offset,
            output_offset=b.output_offset,
        )
        for a, b in ((high, wide), (wide, high))
    ]
    words = _(
        "That swaps the numbers of the last two dimensions: the first number belongs to "
        "dimension 0."
    )
    found = [ruler.places for ruler in (*outer, *both)]
    if np.prod([len(places) for places in found], dtype=float) <= MISREADING_LIMIT:
        yield "swapped", words, _taken(x, found)


def _taken(x: Array, places: Sequence[Array]) -> Array:
    """The elements at these places, and none where a place is -1."""
    taken: Array = x[np.ix_(*places)]
    for d, along in enumerate(places):
        taken[(slice(None),) * d + (along < 0,)] = -1
    return taken
