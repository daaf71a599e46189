"""How people misread Slice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dmlviz.operators.misreadings import Array, Candidate
from dmlviz.operators.walks import Walk
from dmlviz.words import _

Ranges = Sequence[range]


def misread_slice(walks: Sequence[Walk], x: Array) -> Iterator[Candidate]:
    """Wrong outputs of Slice for a tensor of indices.

    Args:
        walks: one for each dimension.
        x: the tensor of indices.
    """
    truth = [range(w.start, w.start + w.stride * w.count, w.stride) for w in walks]
    for d in reversed(range(len(walks))):
        numbers = _numbers(d, walks[d])
        for key, words, wrong in _along(walks[d], x.shape[d]):
            places = [*truth[:d], wrong, *truth[d + 1 :]]
            if wrong and min(wrong) >= 0 and max(wrong) < x.shape[d]:
                # the same misconception has a key for each dimension
                yield f"{key}-{d}", words.format(**numbers), _taken(x, places)
    if len(walks) > 1:
        yield from _swapped(walks, x)


def _numbers(d: int, walk: Walk) -> dict[str, int]:
    """The numbers of a dimension for the sentences."""
    return {
        "d": d,
        "offset": walk.offset,
        "window": walk.window,
        "last": walk.last,
        "start": walk.start,
        "stride": walk.stride,
        "step": walk.step,
        "count": walk.count,
        "most": walk.most,
    }


def _along(walk: Walk, size: int) -> Iterator[tuple[str, str, range]]:
    """Misreadings along one dimension; the sentences still lack their numbers."""
    offset, window, stride, step = walk.offset, walk.window, walk.stride, walk.step
    if stride < 0:
        yield from _backwards(walk)
    if offset < window:
        words = _(
            "That reads InputWindowSizes as an end: in dimension {d} the window has {window} "
            "elements from index {offset} on, so it does not stop at index {window}."
        )
        yield "end", words, _way(offset, window - offset, stride)
    if step > 1:
        words = _(
            "That reads InputWindowSizes as the number of copied elements, as DML_SLICE does: in "
            "dimension {d} stride {stride} reaches {count} in a window of {window}."
        )
        yield "count", words, range(walk.start, walk.start + stride * window, stride)
        words = _(
            "That skips {step} elements each time: stride {stride} in dimension {d} moves on "
            "by {step}."
        )
        more = stride + (1 if stride > 0 else -1)
        yield "skipped", words, _way(offset, window, more)
        words = _("That ignores stride {stride} of dimension {d}.")
        yield "dense", words, _way(offset, window, 1 if stride > 0 else -1)
    if walk.count < walk.most:
        words = _(
            "That copies all that the stride reaches: the output has room for {count} of {most} "
            "in dimension {d}."
        )
        yield "filled", words, _way(offset, window, stride)
    if offset:
        words = _("That begins at index 0 of dimension {d}: the window begins at {offset}.")
        yield "offset", words, _shifted(walk, -offset)
        words = _("That counts from 1: index {offset} of dimension {d} has {offset} before it.")
        yield "from-one", words, _shifted(walk, -1)
    if window < size or walk.count > 1:
        words = _("That is off by one in dimension {d}: index {start} is the first that is taken.")
        yield "one-later", words, _shifted(walk, 1)
    if window > 1:
        words = _(
            "That stops one index early, as before an end: in dimension {d} the window includes "
            "index {last}."
        )
        yield "short", words, _way(offset, window - 1, stride)


def _backwards(walk: Walk) -> Iterator[tuple[str, str, range]]:
    offset, stride, step = walk.offset, walk.stride, walk.step
    words = _(
        "That ignores the sign: stride {stride} in dimension {d} starts at the window's last "
        "index, {last}."
    )
    yield "forwards", words, range(offset, offset + step * walk.count, step)
    words = _(
        "That copies forward in steps of {step} and then reverses the result: in "
        "dimension {d} copying starts at the window's last index, {last}."
    )
    yield "turned-last", words, range(offset, offset + step * walk.count, step)[::-1]
    words = _(
        "That starts one past the window, at offset + size: in dimension {d} its last index is "
        "{last}."
    )
    yield "behind", words, _shifted(walk, 1)
    words = _(
        "That starts at the offset and walks out of the window: in dimension {d} the window is "
        "indices {offset} to {last}, and a negative stride starts at {last}."
    )
    yield "from-offset", words, range(offset, -1, stride)


def _swapped(walks: Sequence[Walk], x: Array) -> Iterator[Candidate]:
    """The numbers of the last two dimensions swapped."""
    others = [*walks[:-2], walks[-1], walks[-2]]
    places = [_way(w.offset, w.window, w.stride) for w in others]
    inside = all(w.last < n for w, n in zip(others, x.shape, strict=True))
    if inside:
        words = _(
            "That swaps the numbers of the last two dimensions: the first number belongs to "
            "dimension 0."
        )
        yield "swapped", words, _taken(x, places)


def _way(offset: int, window: int, stride: int) -> range:
    """All places of a window, in the direction of the stride."""
    if stride > 0:
        return range(offset, offset + window, stride)
    return range(offset + window - 1, offset - 1, stride)


def _shifted(walk: Walk, by: int) -> range:
    start = walk.start + by
    return range(start, start + walk.stride * walk.count, walk.stride)


def _taken(x: Array, places: Ranges) -> Array:
    taken: Array = x[np.ix_(*(np.array(along) for along in places))]
    return taken
