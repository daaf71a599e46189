"""The moves of Join: tensor after tensor."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from dmlviz.movement.steps import Step, Steps
from dmlviz.words import _, ngettext

Sizes = tuple[int, ...]


def join_steps(sizes: Mapping[str, Sizes], axis: int) -> Steps:
    """One step for each input, which lands after those before it.

    Args:
        sizes: of the inputs by name.
        axis: the dimension that they are joined along.
    """
    steps, owners, start = [], [], 0
    for k, (name, given) in enumerate(sizes.items()):
        steps.append(_step(name, given, axis, start))
        owners += [k] * given[axis]
        start += given[axis]
    first = next(iter(sizes.values()))
    out = (*first[:axis], start, *first[axis + 1 :])
    shape = [-1 if d == axis else 1 for d in range(len(out))]
    step_of = np.broadcast_to(np.array(owners, np.int32).reshape(shape), out).ravel()
    return Steps(tuple(steps), step_of, np.full(step_of.size, -1, np.int64))


def _step(name: str, sizes: Sizes, axis: int, start: int) -> Step:
    """The step of an input whose first place along the axis is ``start``."""
    n = math.prod(sizes)
    numbers = {
        "axis": axis,
        "size": sizes[axis],
        "start": start,
        "last": start + sizes[axis] - 1,
        "n": n,
    }
    if start == 0:
        caption = ngettext(
            "The first tensor stays where it is: along dimension {axis} its size is {size} ({n} "
            "element).",
            "The first tensor stays where it is: along dimension {axis} its size is {size} ({n} "
            "elements).",
            n,
        )
    elif sizes[axis] == 1:
        caption = ngettext(
            "There are {start} before it along dimension {axis}: its index 0 lands at index "
            "{start} ({n} element).",
            "There are {start} before it along dimension {axis}: its index 0 lands at index "
            "{start} ({n} elements).",
            n,
        )
    else:
        caption = _(
            "There are {start} before it along dimension {axis}: its indices 0 to {own} land at "
            "indices {start} to {last} ({n} elements)."
        )
    return Step(name, caption.format(own=sizes[axis] - 1, **numbers))
