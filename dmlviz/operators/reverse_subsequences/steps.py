"""The moves of ReverseSubsequences: sequence by sequence."""

from __future__ import annotations

import math

import numpy as np

from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.reverse_subsequences.turning import LENGTHS, Array, Sizes
from dmlviz.words import _, ngettext

# The remaining sequences share one step: nobody watches the ninth.
_SHOWN = 8


def reverse_steps(sizes: Sizes, axis: int, lengths: Array) -> Steps:
    """One step for each sequence: its first elements are reversed, the others stay.

    Args:
        sizes: of the input.
        axis: what is reversed.
        lengths: SequenceLengthsTensor.
    """
    count = lengths.size
    steps = [_sequence(sizes[axis], axis, lengths, k) for k in range(min(count, _SHOWN))]
    if count > _SHOWN:
        steps[-1] = _further(sizes, axis, lengths, _SHOWN - 1)
    numbered = np.arange(count).reshape(lengths.shape)
    step_of = np.minimum(np.broadcast_to(numbered, sizes), _SHOWN - 1).astype(np.int32).ravel()
    return Steps(tuple(steps), step_of, np.full(math.prod(sizes), -1, np.int64))


def _at(lengths: Array, k: int) -> list[int]:
    """The indices of a length."""
    return [int(i) for i in np.unravel_index(k, lengths.shape)]


def _sequence(n: int, axis: int, lengths: Array, k: int) -> Step:
    """The step of one sequence of ``n`` elements."""
    at, length = _at(lengths, k), int(lengths.ravel()[k])
    line = ", ".join(":" if d == axis else str(i) for d, i in enumerate(at))
    if length < 2:
        caption = ngettext(
            "The length is {length}: {line} stays as it is ({n} element).",
            "The length is {length}: {line} stays as it is ({n} elements).",
            n,
        )
    elif length == n:
        caption = _("The length is {length}: all {n} elements of {line} are reversed.")
    else:
        caption = ngettext(
            "The length is {length}: indices 0 to {last} of {line} are reversed, the other {rest} "
            "element stays.",
            "The length is {length}: indices 0 to {last} of {line} are reversed, the other {rest} "
            "elements stay.",
            n - length,
        )
    told = caption.format(length=length, line=f"in[{line}]", n=n, last=length - 1, rest=n - length)
    return Step(f"{LENGTHS}{at} = {length}", told)


def _further(sizes: Sizes, axis: int, lengths: Array, k: int) -> Step:
    """The step of a sequence and of all after it."""
    count = lengths.size - k
    told = _(
        "So do the other {count} sequences along dimension {axis}, each with its own length: {n} "
        "elements in all."
    ).format(count=count, axis=axis, n=count * sizes[axis])
    return Step(f"{LENGTHS}{_at(lengths, k)} – {_at(lengths, lengths.size - 1)}", told)
