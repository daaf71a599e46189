"""Updates that are put over a copy of the input: who writes where, and in which order to show it.

Where two updates have the same place, DirectML does not promise which one stays. Engines here keep
the last one, and so do pictures; sentences name them all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.errors import Problem
from dmlviz.operators.indices import INPUT, UPDATES, cell
from dmlviz.operators.steps import Step, Steps
from dmlviz.tensors import print_sizes
from dmlviz.words import _, ngettext

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]

# Further updates are followed together: nobody watches the ninth.
_SHOWN = 8
_NAMED = 3


def update_problems(
    structure: str, due: Sizes, sizes: Sizes, types: Mapping[str, str]
) -> Iterator[Problem]:
    """What is wrong with the updates' sizes and data type.

    Args:
        structure: DirectML's.
        due: the sizes that the updates have to have.
        sizes: those that they have.
        types: the data types that are known, by the tensors' names.
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
        message = _("UpdatesTensor: data type {data_type} is not {due}, that of the input.")
        yield Problem(
            UPDATES,
            message.format(data_type=types[UPDATES], due=first),
            f"{structure}, Tensor constraints",
        )


def winners(places: Array, count: int) -> Array:
    """For each of ``count`` places the last update that is put there, -1 where none is; int64."""
    found = np.full(count, -1, np.int64)
    np.maximum.at(found, places, np.arange(places.size, dtype=np.int64))
    return found


def writer_steps(sizes: Sizes, indices: Sizes, places: Array, names: Sequence[str]) -> Steps:
    """The whole input first, then one step for each update that stays.

    Args:
        sizes: of input and output.
        indices: of the indices and updates.
        places: the flat place of each update, in order.
        names: what each of them is called with its index, such as ``IndicesTensor[2] = 3``.
    """
    total = math.prod(sizes)
    last = winners(places, total)
    steps = [_input(int((last < 0).sum()), total)]
    shown = np.unique(last[last >= 0])
    for k in shown[:_SHOWN]:
        others = np.flatnonzero(places == places[k])
        told = _update(sizes, indices, int(k), int(places[k]), others[others != k])
        writers = [k, *others[others != k][:_NAMED]]
        # every update of the place, and its index
        marks = np.concatenate([total + others, total + places.size + others])
        title = ", ".join(names[w] for w in writers)
        steps.append(Step(title, told, tuple(marks.tolist()) if others.size > 1 else ()))
    if shown.size > _SHOWN:
        steps[-1] = _further(indices, shown[_SHOWN - 1 :])
    order = np.minimum(np.searchsorted(shown, last), _SHOWN - 1) + 1
    step_of = np.where(last < 0, 0, order).astype(np.int32)
    before = np.where(last < 0, -1, np.arange(total, dtype=np.int64))
    written, times = np.unique(places, return_counts=True)
    nothing = np.full(total, -1, np.int64)
    return Steps(tuple(steps), step_of, nothing, before, written[times > 1].astype(np.int64))


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


def _update(sizes: Sizes, indices: Sizes, k: int, place: int, others: Array) -> str:
    at, target = cell(k, indices), cell(place, sizes)
    if not others.size:
        told = _("The update at {cell} covers InputTensor{target} at out{target}.")
        return told.format(cell=at, target=target)
    told = _(
        "The update at {cell} stands at out{target} here. The one at {others} is put there too: "
        "which one wins is not promised."
    )
    return told.format(cell=at, target=target, others=_list(indices, others))


def _further(indices: Sizes, left: Array) -> Step:
    """The step of an update and of all behind it."""
    told = _("The other {count} updates cover their places in the same way.")
    first, last = (cell(int(k), indices) for k in (left[0], left[-1]))
    return Step(f"{UPDATES}{first} – {last}", told.format(count=left.size))


def remarks(sizes: Sizes, indices: Sizes, places: Array, index: Sequence[int]) -> list[str]:
    """What stands at an element of the output, and who put it there."""
    place = int(np.ravel_multi_index(tuple(index), sizes))
    at, found = cell(place, sizes), np.flatnonzero(places == place)
    if not found.size:
        return [f"out{at} = {INPUT}{at}", _("No index names this place.")]
    if found.size == 1:
        update = cell(int(found[0]), indices)
        return [f"out{at} = {UPDATES}{update}", _("Its index names this place.")]
    told = _(
        "out{cell}: the updates at {updates} are all put at this place; which one wins is not "
        "promised."
    )
    return [told.format(cell=at, updates=_list(indices, found))]


def _list(sizes: Sizes, cells: Array) -> str:
    """The first of some elements, as ``[0], [2]``."""
    named = [cell(int(k), sizes) for k in cells[:_NAMED]]
    return ", ".join([*named, "…"] if cells.size > _NAMED else named)
