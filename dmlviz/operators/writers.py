"""Updates written over a copy of the input: which update lands where, and the order to show it.

If two updates have the same place, which one stays is undefined in DirectML. Engines here keep
the last one, and so do pictures; sentences name all of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.indices import INPUT, UPDATES, cell
from dmlviz.tensors import print_sizes
from dmlviz.words import _, ngettext

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]

# The remaining updates share one step: nobody watches the ninth.
_SHOWN = 8
_NAMED = 3


def update_problems(
    structure: str, due: Sizes, sizes: Sizes, types: Mapping[str, str]
) -> Iterator[Problem]:
    """Problems with the updates' sizes and data type.

    Args:
        structure: DirectML's structure.
        due: the sizes that the updates must have.
        sizes: the sizes that they have.
        types: the known data types, by the tensors' names.
    """
    if sizes != due:
        message = _("UpdatesTensor: sizes {sizes} are not {due}, one update for each index.")
        yield Problem(
            UPDATES,
            message.format(sizes=print_sizes(sizes), due=print_sizes(due)),
            f"{structure}, {UPDATES}",
        )
    first = types.get(INPUT)
    if types.get(UPDATES, first) != first:
        message = _("UpdatesTensor: data type {data_type} is not {due}, the input's data type.")
        yield Problem(
            UPDATES,
            message.format(data_type=types[UPDATES], due=first),
            f"{structure}, Tensor constraints",
        )


def winners(places: Array, count: int) -> Array:
    """For each of ``count`` places, the last update that lands there, or -1; int64."""
    found = np.full(count, -1, np.int64)
    np.maximum.at(found, places, np.arange(places.size, dtype=np.int64))
    return found


def writer_steps(
    sizes: Sizes,
    updates: Sizes,
    places: Array,
    names: Sequence[str],
    slices: int = 0,
    numbers: int = 1,
) -> Steps:
    """The whole input first, then one step for each update that stays.

    Args:
        sizes: of input and output.
        updates: of the updates.
        places: the flat place of each update, in order: an element, or one of the slices
            along the last dimensions.
        names: the name of each of them with its index, such as ``IndicesTensor[2] = 3``.
        slices: how many last dimensions an update spans; 0 if it is one element.
        numbers: how many numbers of IndicesTensor form an index.
    """
    each = math.prod(sizes[len(sizes) - slices :])
    total = math.prod(sizes) // each
    last = winners(places, total)
    steps = [_input(int((last < 0).sum()) * each, total * each)]
    shown = np.unique(last[last >= 0])
    for k in shown[:_SHOWN]:
        writers = np.flatnonzero(places == places[k])
        others = writers[writers != k]
        target = _spot(int(places[k]), sizes, slices)
        spots = [_spot(int(w), updates, slices) for w in (k, *others[: _NAMED + 1])]
        title = ", ".join(names[w] for w in (k, *others[:_NAMED]))
        marks: list[int] = []
        if others.size:
            # every update of the place, and its index
            chose = total * each + places.size * each
            marks = [*_run(writers, each, total * each), *_run(writers, numbers, chose)]
        steps.append(Step(title, _update(target, spots), tuple(marks)))
    if shown.size > _SHOWN:
        left = shown[_SHOWN - 1 :]
        ends = (_spot(int(k), updates, slices) for k in (left[0], left[-1]))
        steps[-1] = _further(left.size, *ends)
    order = np.minimum(np.searchsorted(shown, last), _SHOWN - 1) + 1
    step_of = np.repeat(np.where(last < 0, 0, order), each).astype(np.int32)
    every = np.arange(total * each, dtype=np.int64)
    before = np.where(np.repeat(last < 0, each), -1, every)
    written, times = np.unique(places, return_counts=True)
    contested = np.array(_run(written[times > 1], each, 0), np.int64)
    return Steps(tuple(steps), step_of, np.full_like(every, -1), before, contested)


def _run(which: Array, each: int, first: int) -> list[int]:
    """The numbers of all elements of some slices of ``each``, counted from ``first``."""
    found: list[int] = (first + which[:, None] * each + np.arange(each)).ravel().tolist()
    return found


def _spot(k: int, sizes: Sizes, slices: int) -> str:
    """An element as ``[0, 2]``, or a slice as ``[0, :]``."""
    outer = sizes[: len(sizes) - slices]
    at = np.unravel_index(k, outer) if outer else ()
    return f"[{', '.join([*(str(int(i)) for i in at), *[':'] * slices])}]"


def _input(staying: int, total: int) -> Step:
    if not staying:
        told = _("The whole input is copied first; updates cover all {total} elements.")
        return Step(INPUT, told.format(total=total))
    told = ngettext(
        "The whole input is copied first: {staying} of {total} elements stays, updates cover the "
        "others.",
        "The whole input is copied first: {staying} of {total} elements stay, updates cover the "
        "others.",
        staying,
    )
    return Step(INPUT, told.format(staying=staying, total=total))


def _update(target: str, spots: Sequence[str]) -> str:
    """What the first of several updates does, if all land at the same place."""
    at, *others = spots
    if not others:
        told = _("The update at {cell} covers InputTensor{target} at out{target}.")
        return told.format(cell=at, target=target)
    told = _(
        "The update at {cell} is at out{target} here. The one at {others} is put there "
        "too: which one wins is undefined."
    )
    return told.format(cell=at, target=target, others=_list(others))


def _further(count: int, first: str, last: str) -> Step:
    """The step of an update and of all after it."""
    told = _("The other {count} updates cover their places in the same way.")
    return Step(f"{UPDATES}{first} – {last}", told.format(count=count))


def remarks(
    sizes: Sizes, updates: Sizes, places: Array, indices: Iterable[Sequence[int]]
) -> Iterator[list[str]]:
    """What each of these elements of the output holds, and which update wrote it.

    Args:
        sizes: of the output.
        updates: the sizes of the updates.
        places: the flat place of each update.
        indices: the elements.
    """
    return (_remark(sizes, updates, places, index) for index in indices)


def _remark(sizes: Sizes, updates: Sizes, places: Array, index: Sequence[int]) -> list[str]:
    place = int(np.ravel_multi_index(tuple(index), sizes))
    at, found = cell(place, sizes), np.flatnonzero(places == place)
    if not found.size:
        return [f"out{at} = {INPUT}{at}", _("No index names this place.")]
    if found.size == 1:
        update = cell(int(found[0]), updates)
        return [f"out{at} = {UPDATES}{update}", _("Its index names this place.")]
    told = _(
        "out{cell}: the updates at {updates} are all put at this place; which one wins "
        "is undefined."
    )
    spots = [cell(int(k), updates) for k in found[: _NAMED + 1]]
    return [told.format(cell=at, updates=_list(spots))]


def _list(named: Sequence[str]) -> str:
    """The first of some elements or slices, as ``[0], [2]``."""
    return ", ".join([*named[:_NAMED], "…"] if len(named) > _NAMED else named)
