"""The moves of GatherElements: element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlviz.operators.indices import INDICES, cell
from dmlviz.operators.steps import Step, Steps
from dmlviz.words import _

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]

# The remaining elements share one step: nobody watches the ninth.
_SHOWN = 8


def gather_elements_steps(sizes: Sizes, axis: int, indices: Array, places: Array) -> Steps:
    """One step for each index: its element moves from its place along the axis.

    Args:
        sizes: of the input.
        axis: the dimension in which an index replaces the element's own.
        indices: IndicesTensor.
        places: for each index, flat, the flat index of the element that it names.
    """
    shown = min(indices.size, _SHOWN)
    steps = [_one(sizes, axis, indices, k, int(places[k])) for k in range(shown)]
    if indices.size > _SHOWN:
        steps[-1] = _further(axis, indices)
    step_of = np.minimum(np.arange(indices.size), _SHOWN - 1).astype(np.int32)
    return Steps(tuple(steps), step_of, np.full(step_of.size, -1, np.int64))


def _one(sizes: Sizes, axis: int, indices: Array, k: int, place: int) -> Step:
    value, at = int(indices.ravel()[k]), cell(k, indices.shape)
    if value < 0:
        caption = _(
            "Index {value} counts from the end: {value} + {size} = {found}. in{source} lands at "
            "out{target}; only dimension {axis} may differ between the two."
        )
    else:
        caption = _(
            "The index is {value}: in{source} lands at out{target}; only dimension {axis} may "
            "differ between the two."
        )
    told = caption.format(
        value=value,
        size=sizes[axis],
        found=value + sizes[axis],
        source=cell(place, sizes),
        target=at,
        axis=axis,
    )
    return Step(f"{INDICES}{at} = {value}", told)


def _further(axis: int, indices: Array) -> Step:
    """The step of the eighth index and of all after it."""
    first, last = (cell(k, indices.shape) for k in (_SHOWN - 1, indices.size - 1))
    told = _(
        "So do the other {count} indices: each replaces the coordinate of its own cell in "
        "dimension {axis}."
    ).format(count=indices.size - _SHOWN + 1, axis=axis)
    return Step(f"{INDICES}{first} – {last}", told)
