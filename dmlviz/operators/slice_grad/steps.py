"""The moves of SliceGrad: zeros first, then index by index along one dimension."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.walks import Walk
from dmlviz.words import _, ngettext

# The remaining indices along the dimension share one step: nobody watches the ninth.
_SHOWN = 8


def slice_grad_steps(out: Sequence[int], walks: Sequence[Walk]) -> Steps:
    """A step for all zeros, then one for each index of the outermost dimension that has several.

    Args:
        out: the output's sizes.
        walks: the places of each dimension's elements.
    """
    elements = math.prod(walk.count for walk in walks)
    d = next((d for d, walk in enumerate(walks) if walk.count > 1), 0)
    walk, zeros = walks[d], math.prod(out) - elements
    steps = [_zeros(out, zeros)] if zeros else []
    number = np.zeros(tuple(out), np.int32)
    each = elements // walk.count
    places = np.ix_(*(np.array(other.places) for other in walks))
    order = np.minimum(np.arange(walk.count), _SHOWN - 1).astype(np.int32) + len(steps)
    shape = [-1 if e == d else 1 for e in range(len(out))]
    number[places] = order.reshape(shape)
    steps += [_index(d, walk, k, each) for k in range(min(walk.count, _SHOWN))]
    return Steps(tuple(steps), number.ravel(), np.full(number.size, -1, np.int64))


def _zeros(out: Sequence[int], zeros: int) -> Step:
    told = ngettext(
        "{n} of the output's {count} elements gets nothing from the input and is 0.",
        "{n} of the output's {count} elements get nothing from the input and are 0.",
        zeros,
    )
    return Step(_("Zeros"), told.format(n=zeros, count=math.prod(out)))


def _index(d: int, walk: Walk, k: int, each: int) -> Step:
    """The step of an index; the last step also includes all remaining ones."""
    last = walk.count - 1 if k == _SHOWN - 1 else k
    moved = each * (last - k + 1)
    numbers = {
        "d": d,
        "k": k,
        "last": last,
        "offset": walk.offset,
        "behind": walk.last,
        "stride": walk.stride,
        "step": walk.step,
        "place": walk.places[k],
        "last_place": walk.places[last],
        "moved": moved,
    }
    title = _("Dimension {d}: input index {k}")
    if last > k:
        title = _("Dimension {d}: input indices {k} to {last}")
    return Step(title.format(**numbers), _caption(walk, k, last, moved).format(**numbers))


def _caption(walk: Walk, k: int, last: int, moved: int) -> str:
    if last > k:
        return _(
            "Stride {stride} goes on: input indices {k} to {last} land at output indices {place} "
            "to {last_place} ({moved} elements)."
        )
    if k == 0 and walk.stride > 0:
        return ngettext(
            "The window of dimension {d} is output indices {offset} to {behind}. Stride {stride} "
            "starts at the first one: input index {k} lands at {place} ({moved} element).",
            "The window of dimension {d} is output indices {offset} to {behind}. Stride {stride} "
            "starts at the first one: input index {k} lands at {place} ({moved} elements).",
            moved,
        )
    if k == 0:
        return ngettext(
            "The window of dimension {d} is output indices {offset} to {behind}. Stride {stride} "
            "starts at the last one: input index {k} lands at {place} ({moved} element).",
            "The window of dimension {d} is output indices {offset} to {behind}. Stride {stride} "
            "starts at the last one: input index {k} lands at {place} ({moved} elements).",
            moved,
        )
    if walk.stride > 0:
        return ngettext(
            "{step} further: input index {k} lands at output index {place} ({moved} element).",
            "{step} further: input index {k} lands at output index {place} ({moved} elements).",
            moved,
        )
    return ngettext(
        "{step} back: input index {k} lands at output index {place} ({moved} element).",
        "{step} back: input index {k} lands at output index {place} ({moved} elements).",
        moved,
    )
