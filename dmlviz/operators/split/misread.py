"""How people misread Split."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise

import numpy as np

from dmlviz.operators.misreadings import Array, Candidate
from dmlviz.operators.split.operator import OUTPUTS, Split
from dmlviz.words import _


def misread_split(operator: Split, x: Array) -> Iterator[Candidate]:
    """Wrong outputs of Split for a tensor of indices.

    Args:
        operator: with its settings.
        x: the tensor of indices.
    """
    axis, parts, size = operator.axis, operator.parts, x.shape[operator.axis]
    numbers = {"axis": axis, "first": parts[0], "count": len(parts), "size": size}
    if all(a < b for a, b in pairwise((0, *parts, size))):
        words = _(
            "That cuts at the numbers, as np.split does: a part of {first} is {first} long, "
            "wherever it begins."
        )
        yield "cuts", words.format(**numbers), _named(np.split(x, parts, axis))
    for d, n in enumerate(x.shape):
        if d != axis and n == size:
            words = _("That cuts dimension {d}: Axis is {axis}.")
            # the same misconception has a key for each dimension
            yield f"axis-{d}", words.format(d=d, **numbers), _cut(x, parts, d)
    if len(parts) > 1:
        words = _(
            "That makes {count} parts of equal or nearly equal size: here each part has its "
            "own size."
        )
        yield "equal", words.format(**numbers), _named(np.array_split(x, len(parts), axis))
        words = _("That begins at the end: the first part begins at index 0.")
        yield "from-behind", words, _named(np.split(x, _cuts(parts[::-1]), axis)[::-1])
        words = _("That takes the parts in another order: the first one has size {first}.")
        yield "other-order", words.format(**numbers), _cut(x, parts[::-1], axis)
    pieces = range(0, size, parts[0])
    if len(pieces) <= OUTPUTS.most:
        words = _(
            "That makes every part {first} long, as torch.split does with one number: here "
            "each part has a number of its own."
        )
        yield "chunks", words.format(**numbers), _named(np.split(x, pieces[1:], axis))
    if 1 < len(parts) <= size:
        words = _(
            "That deals the indices out in turn: a part is {first} neighbors, indices 0 to {last}."
        )
        dealt = [np.take(x, np.arange(k, size, len(parts)), axis) for k in range(len(parts))]
        yield "in-turn", words.format(last=parts[0] - 1, **numbers), _named(dealt)


def _cuts(parts: Sequence[int]) -> list[int]:
    return list(accumulate(parts))[:-1]


def _cut(x: Array, parts: Sequence[int], axis: int) -> dict[str, Array]:
    return _named(np.split(x, _cuts(parts), axis))


def _named(pieces: Sequence[Array]) -> dict[str, Array]:
    return dict(zip(OUTPUTS.names(len(pieces)), pieces, strict=True))
