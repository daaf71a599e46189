"""How people misread SliceGrad."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dmlviz.operators.misreadings import Array, Candidate
from dmlviz.operators.walks import Walk
from dmlviz.words import _

Places = Sequence[Sequence[int]]


def misread_slice_grad(walks: Sequence[Walk], out: Sequence[int], x: Array) -> Iterator[Candidate]:
    """Wrong outputs of SliceGrad for a tensor of numbers; 0 marks places without an element.

    Args:
        walks: the places of each dimension's elements.
        out: the output's sizes.
        x: the elements, numbered from 1.
    """
    truth = [walk.places for walk in walks]
    for d in reversed(range(len(walks))):
        walk = walks[d]
        numbers = {
            "d": d,
            "offset": walk.offset,
            "window": walk.window,
            "start": walk.start,
            "last": walk.last,
            "stride": walk.stride,
            "step": walk.step,
            "out": out[d],
        }
        for key, words, places in _along(walk):
            if min(places) >= 0 and max(places) < out[d]:
                # the same misconception has a key for each dimension
                moved = _put([*truth[:d], places, *truth[d + 1 :]], out, x)
                yield f"{key}-{d}", words.format(**numbers), moved
        yield from _other_sizes(d, walks, out, x, numbers)
    spread = [_nearest(walk, n) for walk, n in zip(walks, out, strict=True)]
    if any(walk.step > 1 for walk in walks):
        words = _("That fills the gaps with copies: the places between elements are 0.")
        yield "copies", words, x[np.ix_(*spread)]


def _along(walk: Walk) -> Iterator[tuple[str, str, list[int]]]:
    """Other places along one dimension; the sentences still lack their numbers."""
    steps = range(walk.count)
    if walk.stride < 0:
        words = _(
            "That ignores the sign: stride {stride} in dimension {d} starts at the window's last "
            "place, {last}."
        )
        yield "forwards", words, [walk.offset + walk.step * k for k in steps]
    if walk.step > 1:
        words = _("That ignores stride {stride} of dimension {d}: places are {step} apart.")
        sign = 1 if walk.stride > 0 else -1
        yield "dense", words, [walk.start + sign * k for k in steps]
        words = _("That leaves {step} gaps: stride {stride} in dimension {d} moves on by {step}.")
        yield "skipped", words, [walk.start + (walk.stride + sign) * k for k in steps]
    if walk.offset:
        words = _("That begins at index 0 of dimension {d}: the window begins at {offset}.")
        yield "offset", words, [place - walk.offset for place in walk.places]
    words = _("That is one too far in dimension {d}: the first element goes to index {start}.")
    yield "one-later", words, [place + 1 for place in walk.places]
    words = _("That is one too early in dimension {d}: the first element goes to index {start}.")
    yield "one-earlier", words, [place - 1 for place in walk.places]


def _other_sizes(
    d: int, walks: Sequence[Walk], out: Sequence[int], x: Array, numbers: dict[str, int]
) -> Iterator[Candidate]:
    """Outputs with another size in one dimension."""
    walk = walks[d]
    own = [place - walk.offset for place in walk.places]
    for key, words, size, places in (
        (
            "window",
            _("That makes the output as large as the window: dimension {d} has size {out}."),
            walk.window,
            own,
        ),
        (
            "between",
            _("That puts zeros only between elements: dimension {d} has size {out}."),
            1 + (walk.count - 1) * walk.step,
            [place - min(walk.places) for place in walk.places],
        ),
        (
            "behind",
            _("That has the input's size times the stride: dimension {d} has size {out}."),
            walk.count * walk.step,
            [place - min(walk.places) for place in walk.places],
        ),
        (
            "input",
            _("That keeps the input's size in dimension {d}: its elements go into size {out}."),
            walk.count,
            list(range(walk.count)),
        ),
        (
            "longer",
            _("That counts one more after the window: dimension {d} has size {out}."),
            out[d] + 1,
            list(walk.places),
        ),
    ):
        if size != out[d]:
            sizes = [*out[:d], size, *out[d + 1 :]]
            all_places = [list(other.places) for other in walks]
            all_places[d] = places
            yield f"{key}-{d}", words.format(**numbers), _put(all_places, sizes, x)


def _put(places: Places, out: Sequence[int], x: Array) -> Array:
    y = np.zeros(tuple(out), x.dtype)
    y[np.ix_(*(np.array(along) for along in places))] = x
    return y


def _nearest(walk: Walk, size: int) -> Array:
    """For each place of a dimension, the element at the last place before it."""
    at = np.arange(size) - walk.start
    k = at // walk.step if walk.stride > 0 else -at // walk.step
    return np.clip(k, 0, walk.count - 1)
