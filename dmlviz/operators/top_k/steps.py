"""The moves of TopK: the first of every sequence, then the next."""

from __future__ import annotations

import numpy as np

from dmlviz.movement.steps import Array, Step, Steps
from dmlviz.operators.indices import cell
from dmlviz.operators.top_k.picking import Picking
from dmlviz.tensors import print_value
from dmlviz.words import _

# The remaining places share one step: nobody watches the ninth.
_SHOWN = 8


def top_k_steps(picking: Picking, x: Array) -> Steps:
    """One step for each place: its element in every sequence, and the index.

    Args:
        picking: the elements to pick.
        x: the input.
    """
    indices = picking.indices(x)
    steps = [_place(picking, x, indices, k) for k in range(min(picking.k, _SHOWN))]
    if picking.k > _SHOWN:
        steps[-1] = _further(picking)
    place = np.minimum(np.indices(picking.output)[picking.axis], _SHOWN - 1)
    # values and indices land together
    step_of = np.concatenate([place.ravel(), place.ravel()]).astype(np.int32)
    return Steps(tuple(steps), step_of, np.full(step_of.size, -1, np.int64))


def _place(picking: Picking, x: Array, indices: Array, k: int) -> Step:
    """The step of one place, described with a sequence that shows it well."""
    axis = picking.axis
    line = np.moveaxis(indices, axis, -1).reshape(-1, picking.k)
    picked = np.take_along_axis(np.moveaxis(x, axis, -1).reshape(len(line), -1), line, -1)
    ties = np.flatnonzero(picked[:, k] == picked[:, k - 1]) if k else np.empty(0, np.int64)
    sequence = int(ties[0]) if ties.size else 0
    index = int(line[sequence, k])
    others = (*picking.output[:axis], *picking.output[axis + 1 :])
    at = [int(i) for i in np.unravel_index(sequence, others)] if others else []
    at.insert(axis, index)
    source = cell(int(np.ravel_multi_index(at, picking.sizes)), picking.sizes)
    told = _caption(picking.largest, k, bool(ties.size)).format(
        axis=axis,
        source=source,
        value=print_value(picked[sequence, k]),
        index=index,
        before=int(line[sequence, k - 1]),
        place=k,
    )
    return Step(_("Place {place} of each sequence").format(place=k), told)


def _caption(largest: bool, k: int, tie: bool) -> str:
    if tie:
        return _(
            "{value} again: of equal elements the one with the lower index comes first, {before} "
            "before {index}. in{source} lands at place {place} of its sequence."
        )
    if k and largest:
        return _(
            "The largest of what is left in each sequence: in{source} = {value} lands at place "
            "{place}, and the other output gets its index, {index}."
        )
    if k:
        return _(
            "The smallest of what is left in each sequence: in{source} = {value} lands at place "
            "{place}, and the other output gets its index, {index}."
        )
    if largest:
        return _(
            "The largest of each sequence along dimension {axis}: in{source} = {value} lands "
            "first. The other output gets its index in the sequence, {index}."
        )
    return _(
        "The smallest of each sequence along dimension {axis}: in{source} = {value} lands first. "
        "The other output gets its index in the sequence, {index}."
    )


def _further(picking: Picking) -> Step:
    """The step of the eighth place and of all after it."""
    words = _("And so on up to place {last}, always the smallest of what is left.")
    if picking.largest:
        words = _("And so on up to place {last}, always the largest of what is left.")
    title = _("Places {first} to {last} of each sequence")
    numbers = {"first": _SHOWN - 1, "last": picking.k - 1}
    return Step(title.format(**numbers), words.format(**numbers))
