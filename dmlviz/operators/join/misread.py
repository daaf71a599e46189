"""How people misread Join."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from dmlviz.operators.misreadings import Array, Candidate
from dmlviz.tensors import MAX_RANK, print_sizes
from dmlviz.words import _


def misread_join(tensors: Sequence[Array], axis: int) -> Iterator[Candidate]:
    """Wrong outputs of Join for tensors of indices.

    Args:
        tensors: the inputs, with elements numbered through all of them.
        axis: the dimension that they are joined along.
    """
    first = tensors[0].shape
    alike = all(x.shape == first for x in tensors)
    if len(tensors) == 1:
        return
    for d in range(len(first)):
        if d != axis and _joinable(tensors, d):
            words = _(
                "That joins along dimension {d}: with Axis {axis} it is dimension {axis} that "
                "grows."
            )
            # the same misconception has a key for each dimension
            yield f"axis-{d}", words.format(d=d, axis=axis), np.concatenate(tensors, d)
    if alike and len(first) < MAX_RANK:
        words = _(
            "That stacks the tensors along a new dimension: Join's output has as many dimensions "
            "as its inputs, and sizes {sizes}."
        )
        joined = np.concatenate(tensors, axis)
        told = words.format(sizes=print_sizes(joined.shape))
        yield "stacked", told, np.stack(tensors, axis)
    words = _("That begins with the last tensor: InputTensors[0] comes first.")
    yield "last-first", words, np.concatenate(tensors[::-1], axis)
    if alike:
        words = _(
            "That takes one place of each tensor in turn: all {size} of InputTensors[0] come "
            "before those of InputTensors[1]."
        )
        turned = np.stack(tensors, axis + 1).reshape(np.concatenate(tensors, axis).shape)
        yield "in-turn", words.format(size=first[axis]), turned
    words = _(
        "That writes the tensors into memory one after the other: a row of the output has a part "
        "of each."
    )
    joined = np.concatenate(tensors, axis)
    yield "memory", words, np.concatenate([x.ravel() for x in tensors]).reshape(joined.shape)


def _joinable(tensors: Sequence[Array], axis: int) -> bool:
    """Whether they have the same sizes in all other dimensions."""
    others = {(*x.shape[:axis], *x.shape[axis + 1 :]) for x in tensors}
    return len(others) == 1
