"""How people misread Tile."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from dmlviz.operators.misreadings import MISREADING_LIMIT, Array, Candidate
from dmlviz.tensors import print_sizes
from dmlviz.words import _

Repeats = tuple[int, ...]


def misread_tile(repeats: Repeats, x: Array) -> Iterator[Candidate]:
    """Wrong outputs of Tile for a tensor of indices.

    Args:
        repeats: one for each dimension of ``x``.
        x: the tensor of indices.
    """
    tiled = [d for d, r in enumerate(repeats) if r > 1]
    if not tiled:
        return
    yield "elements", _elements_words(repeats, x.shape), _elements(repeats, x)
    yield from _other_repeats(repeats, x)
    d = tiled[-1]
    n, r = x.shape[d], repeats[d]
    places = np.arange(n * r)
    along = [
        (
            "mirrored",
            _(
                "That reverses every second copy: after index {last} of dimension {d} it takes "
                "element {last} again, but Tile starts again with element 0."
            ),
            np.where(places // n % 2, n - 1 - places % n, places % n),
        ),
        (
            "shifted",
            _(
                "That is off by one: it takes element {last} at index 0 of dimension {d}, but "
                "Tile begins with element 0."
            ),
            (places - 1) % n,
        ),
        (
            "stops",
            _(
                "That stays at element {last} after the end of dimension {d}; Tile starts again "
                "with element 0 at index {n}."
            ),
            np.minimum(places, n - 1),
        ),
    ]
    for key, words, source in along:
        rest = tuple(1 if e == d else m for e, m in enumerate(repeats))
        wrong = np.take(np.tile(x, rest), source, axis=d)
        yield key, words.format(d=d, n=n, last=n - 1), wrong


def _elements(repeats: Repeats, x: Array) -> Array:
    for d, r in enumerate(repeats):
        x = np.repeat(x, r, axis=d)
    return x


def _elements_words(repeats: Repeats, sizes: tuple[int, ...]) -> str:
    # shown along a dimension where the two differ
    d = max((d for d, r in enumerate(repeats) if r > 1), key=lambda d: (sizes[d] > 1, d))
    n, r = sizes[d], repeats[d]
    places = range(min(n * r, 6))
    return _(
        "That repeats each element in place: along dimension {d} it takes elements "
        "{wrong}, but Tile takes the whole input again: {right}."
    ).format(
        d=d,
        wrong=", ".join(str(i // r) for i in places),
        right=", ".join(str(i % n) for i in places),
    )


def _other_repeats(repeats: Repeats, x: Array) -> Iterator[Candidate]:
    wrong_dimension = _(
        "That reads Repeats as {wrong}: each of {right} belongs to its own dimension, "
        "from dimension 0 on."
    )
    others = {
        "swapped": repeats[:-2] + repeats[:-3:-1],
        "backwards": repeats[::-1],
        "next-dimension": repeats[1:] + repeats[:1],
    }
    for key, other in others.items():
        words = wrong_dimension.format(wrong=print_sizes(other), right=print_sizes(repeats))
        yield key, words, np.tile(x, other)
    more = tuple(r + 1 if r > 1 else r for r in repeats)
    d = max(d for d, r in enumerate(repeats) if r > 1)
    if x.size * math.prod(more) <= MISREADING_LIMIT:
        words = _(
            "That adds {r} copies to the input along dimension {d}, {more} in all: "
            "the input itself is the first of the {r}."
        )
        yield "one-more", words.format(r=repeats[d], d=d, more=more[d]), np.tile(x, more)
    fewer = tuple(r - 1 if r > 1 else r for r in repeats)
    words = _("That is one copy short: along dimension {d} there are {r} copies, not {fewer}.")
    yield "one-fewer", words.format(r=repeats[d], d=d, fewer=fewer[d]), np.tile(x, fewer)
