"""The moves of OneHot: sequence by sequence."""

from __future__ import annotations

import math

import numpy as np

from dmlviz.movement.steps import Array, Step, Steps
from dmlviz.operators.one_hot.layout import INDICES, Layout
from dmlviz.tensors import print_value
from dmlviz.words import _, ngettext

# The remaining indices share one step: nobody watches the ninth.
_SHOWN = 8


def one_hot_steps(layout: Layout, indices: Array, off_and_on: Array) -> Steps:
    """One step for each index: its sequence lands.

    Args:
        layout: the positions of inputs and outputs.
        indices: IndicesTensor.
        off_and_on: the two values.
    """
    cells = math.prod(layout.indices)
    steps = [_sequence(layout, indices, k, off_and_on) for k in range(min(cells, _SHOWN))]
    if cells > _SHOWN:
        steps[-1] = _further(layout, _SHOWN - 1)
    step_of = np.minimum(layout.drivers().ravel(), _SHOWN - 1).astype(np.int32)
    return Steps(tuple(steps), step_of, np.full(step_of.size, -1, np.int64))


def _at(layout: Layout, k: int) -> list[str]:
    return [str(int(i)) for i in np.unravel_index(k, layout.indices)]


def _sequence(layout: Layout, indices: Array, k: int, off_and_on: Array) -> Step:
    """The step of one index."""
    at = _at(layout, k)
    value = int(indices.ravel()[k])
    place = value + layout.depth if value < 0 else value
    cell = ", ".join(at)
    at[layout.axis] = str(place)
    target = ", ".join(at)
    at[layout.axis] = ":"
    off, on = (print_value(one) for one in off_and_on)
    if not 0 <= place < layout.depth:
        caption = _(
            "{value} is not a place from 0 to {last}: all of out[{sequence}] is the off "
            "value, {off}."
        )
    elif value < 0:
        caption = _(
            "{value} counts from the end, {value} + {depth} = {place}: out[{target}] is the on "
            "value, {on}. The rest of out[{sequence}] is {off}."
        )
    else:
        caption = _(
            "The index is {value}: out[{target}] is the on value, {on}. The rest of "
            "out[{sequence}] is {off}."
        )
    told = caption.format(
        value=value,
        last=layout.depth - 1,
        depth=layout.depth,
        place=place,
        target=target,
        sequence=", ".join(at),
        on=on,
        off=off,
    )
    return Step(f"{INDICES}[{cell}] = {value}", told)


def _further(layout: Layout, k: int) -> Step:
    """The step of an index and of all after it."""
    count = math.prod(layout.indices) - k
    first, last = (", ".join(_at(layout, at)) for at in (k, k + count - 1))
    told = ngettext(
        "The other {count} indices do the same: each becomes {depth} element along dimension "
        "{axis}.",
        "The other {count} indices do the same: each becomes {depth} elements along dimension "
        "{axis}.",
        layout.depth,
    )
    return Step(
        f"{INDICES}[{first}] – [{last}]",
        told.format(count=count, depth=layout.depth, axis=layout.axis),
    )
