"""The moves of Split: part after part."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from dmlviz.movement.steps import Step, Steps
from dmlviz.words import _, ngettext

Sizes = tuple[int, ...]


def split_steps(outputs: Mapping[str, Sizes], axis: int) -> Steps:
    """One step for each output.

    Args:
        outputs: sizes by name, in order.
        axis: the dimension that is cut.
    """
    steps, step_of, start = [], [], 0
    for k, (name, sizes) in enumerate(outputs.items()):
        steps.append(_step(name, sizes, axis, start, len(outputs)))
        step_of.append(np.full(math.prod(sizes), k, np.int32))
        start += sizes[axis]
    flat = np.concatenate(step_of)
    return Steps(tuple(steps), flat, np.full(flat.size, -1, np.int64))


def _step(name: str, sizes: Sizes, axis: int, start: int, count: int) -> Step:
    """The step of an output whose part begins at ``start``."""
    part, n = sizes[axis], math.prod(sizes)
    if count == 1:
        caption = ngettext(
            "There is one part: all {part} of dimension {axis} are copied ({n} element).",
            "There is one part: all {part} of dimension {axis} are copied ({n} elements).",
            n,
        )
    elif part == 1:
        caption = ngettext(
            "This part has size 1: index {start} of dimension {axis} becomes index 0 ({n} "
            "element).",
            "This part has size 1: index {start} of dimension {axis} becomes index 0 ({n} "
            "elements).",
            n,
        )
    else:
        caption = _(
            "This part has size {part}: indices {start} to {last} of dimension {axis} become "
            "indices 0 to {own} ({n} elements)."
        )
    told = caption.format(
        part=part, axis=axis, start=start, last=start + part - 1, own=part - 1, n=n
    )
    return Step(name, told)
