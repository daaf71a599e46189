"""The moves of GatherND: tuple by tuple."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.indices import INDICES
from dmlviz.operators.tuples import Tuples
from dmlviz.words import _, ngettext

Array = np.ndarray[Any, Any]

# The remaining tuples share one step: nobody watches the ninth.
_SHOWN = 8


def gather_nd_steps(tuples: Tuples, indices: Array) -> Steps:
    """One step for each tuple: the element or slice that it selects moves to the output.

    Args:
        tuples: what they select.
        indices: IndicesTensor.
    """
    count, each = math.prod(tuples.cells), math.prod(tuples.slices)
    steps = [_one(tuples, indices, k, each) for k in range(min(count, _SHOWN))]
    if count > _SHOWN:
        steps[-1] = _further(tuples, count, each)
    of_tuple = np.minimum(np.arange(count), _SHOWN - 1).astype(np.int32)
    step_of = np.repeat(of_tuple, each)
    return Steps(tuple(steps), step_of, np.full(step_of.size, -1, np.int64))


def _one(tuples: Tuples, indices: Array, k: int, n: int) -> Step:
    told, source, target = tuples.told(indices, k)
    one = tuples.inside(indices).reshape(-1, tuples.length)[k]
    if int(one.min()) < 0:
        caption = ngettext(
            "{tuple} counts negative indices from the end: in{source} lands at out{target} ({n} "
            "element).",
            "{tuple} counts negative indices from the end: in{source} lands at out{target} ({n} "
            "elements).",
            n,
        )
    elif tuples.batches:
        caption = ngettext(
            "{tuple} selects from its own batch: in{source} lands at out{target} ({n} element).",
            "{tuple} selects from its own batch: in{source} lands at out{target} ({n} elements).",
            n,
        )
    elif tuples.slices:
        caption = ngettext(
            "{tuple} selects a slice: in{source} lands at out{target} ({n} element).",
            "{tuple} selects a slice: in{source} lands at out{target} ({n} elements).",
            n,
        )
    else:
        caption = _("{tuple} names one element: in{source} lands at out{target}.")
    words = caption.format(tuple=told, source=source, target=target, n=n)
    return Step(f"{INDICES}{tuples.cell(k)} = {told}", words)


def _further(tuples: Tuples, count: int, each: int) -> Step:
    """The step of the eighth tuple and of all after it."""
    left = count - _SHOWN + 1
    n = left * each
    words = ngettext(
        "So do the other {count} tuples, {n} element in all.",
        "So do the other {count} tuples, {n} elements in all.",
        n,
    ).format(count=left, n=n)
    first, last = tuples.cell(_SHOWN - 1), tuples.cell(count - 1)
    return Step(f"{INDICES}{first} – {last}", words)
