"""How people misread Unfold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dmlviz.operators.misreadings import MISREADING_LIMIT, Array, Candidate
from dmlviz.operators.unfold.slides import LEADING, Slide, flattened, taken
from dmlviz.words import _

Slides = Sequence[Slide]


def misread_unfold(slides: Slides, x: Array) -> Iterator[Candidate]:
    """Wrong outputs of Unfold for a tensor of numbers; 0 stands for padding.

    Args:
        slides: how the window moves along each spatial dimension.
        x: the elements, numbered from 1.
    """
    yield from _orders(taken(x, slides), slides)
    for key, words, others in _others(slides):
        if _possible(others, x):
            yield key, words, flattened(taken(x, others), others)


def _orders(y: Array, slides: Slides) -> Iterator[Candidate]:
    """The same elements in another order."""
    n, c, m = y.shape[0], y.shape[1], len(slides)
    places = math.prod(slide.window for slide in slides)
    windows = math.prod(slide.count for slide in slides)
    truth = y.reshape(n, c, places, windows)
    words = _(
        "That puts the channels of each place together: the {places} rows of channel 0 come first, "
        "then those of channel 1."
    )
    by_place = truth.transpose(0, 2, 1, 3).reshape(n, c * places, windows)
    yield "place-first", words.format(places=places), by_place
    words = _("That makes a row of each window: here a window is a column, and there are {count}.")
    flat = truth.reshape(n, c * places, windows)
    yield "rows", words.format(count=windows), flat.transpose(0, 2, 1)
    inner, outer = tuple(range(LEADING, LEADING + m)), tuple(range(LEADING + m, LEADING + 2 * m))
    if m > 1:
        words = _(
            "That goes through a window by columns: its first rows have the places of dimension "
            "{d}, the last one."
        ).format(d=LEADING + m - 1)
        turned = y.transpose(0, 1, *inner[::-1], *outer)
        yield "window-turned", words, turned.reshape(flat.shape)
        words = _(
            "That moves the window down first: the next column is the next window along dimension "
            "{d}, the last one."
        ).format(d=LEADING + m - 1)
        turned = y.transpose(0, 1, *inner, *outer[::-1])
        yield "windows-turned", words, turned.reshape(flat.shape)
    words = _("That flips the window, as a true convolution does; here it stays as it is.")
    back = (slice(None, None, -1),) * m
    yield "flipped", words, y[(slice(None), slice(None), *back)].reshape(flat.shape)
    if c > 1:
        words = _(
            "That keeps the {c} channels apart; here they share dimension 1, {c} · {places} = "
            "{rows} rows."
        )
        yield "apart", words.format(c=c, places=places, rows=c * places), truth


def _others(slides: Slides) -> Iterator[tuple[str, str, Slides]]:
    """Other settings in one dimension, or in all."""
    if any(slide.start or slide.end for slide in slides):
        words = _("That ignores the padding: zeros surround the input first.")
        yield "unpadded", words, [replace(slide, start=0, end=0) for slide in slides]
    if any(slide.start != slide.end for slide in slides):
        words = _("That swaps StartPadding and EndPadding.")
        yield (
            "ends-swapped",
            words,
            [replace(slide, start=slide.end, end=slide.start) for slide in slides],
        )
        words = _("That pads both ends as the start; EndPadding says otherwise.")
        yield "start-twice", words, [replace(slide, end=slide.start) for slide in slides]
    for d, slide in enumerate(slides, LEADING):
        for key, words, other in _along(slide):
            changed = [*slides[: d - LEADING], other, *slides[d - LEADING + 1 :]]
            numbers = {
                "d": d,
                "stride": slide.stride,
                "dilation": slide.dilation,
                "window": slide.window,
                "count": slide.count,
            }
            yield f"{key}-{d}", words.format(**numbers), changed


def _along(slide: Slide) -> Iterator[tuple[str, str, Slide]]:
    """Other settings along one dimension; the sentences still lack their numbers."""
    if slide.window != slide.stride:
        words = _(
            "That puts windows side by side in dimension {d}: the next one begins {stride} "
            "farther on, not {window}."
        )
        yield "side-by-side", words, replace(slide, stride=slide.window)
    if slide.stride > 1:
        words = _(
            "That ignores stride {stride} of dimension {d}: the next window begins {stride} "
            "farther on."
        )
        yield "every", words, replace(slide, stride=1)
        words = _(
            "That goes one too far in dimension {d}: the next window begins {stride} farther on."
        )
        yield "skipped", words, replace(slide, stride=slide.stride + 1)
        words = _(
            "That takes a last window that does not fit in dimension {d}: only {count} windows fit."
        )
        over = slide.extent + slide.count * slide.stride - slide.padded
        yield "half", words, replace(slide, end=slide.end + over)
    if slide.dilation > 1 and slide.window > 1:
        words = _(
            "That ignores dilation {dilation} of dimension {d}: two places are {dilation} apart."
        )
        yield "dense", words, replace(slide, dilation=1)
        words = _(
            "That skips {dilation} between two places of dimension {d}: they are {dilation} apart."
        )
        yield "wider", words, replace(slide, dilation=slide.dilation + 1)
    if slide.window > 1:
        words = _("That is one place short: the window covers {window} places of dimension {d}.")
        yield "narrower", words, replace(slide, window=slide.window - 1)


def _possible(slides: Slides, x: Array) -> bool:
    """Whether there is such an output, and it is not too large to make."""
    if any(slide.extent > slide.padded for slide in slides):
        return False
    each = math.prod(slide.window * slide.count for slide in slides)
    batch, channels = x.shape[:LEADING]
    return bool(batch * channels * each <= MISREADING_LIMIT)
