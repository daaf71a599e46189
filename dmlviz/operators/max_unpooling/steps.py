"""The moves of MaxUnpooling: zeros first, then element by element."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.indices import INDICES, cell
from dmlviz.operators.writers import winners
from dmlviz.words import _, ngettext

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]

# The remaining elements share one step: nobody watches the ninth.
_SHOWN = 8


def unpooling_steps(sizes: Sizes, out: Sizes, places: Array) -> Steps:
    """One step for the zeros, then one for each element that stays.

    Args:
        sizes: of the input.
        out: of the output.
        places: for each element, the flat index in the output at which it lands.
    """
    total = math.prod(out)
    last = winners(places, total)
    zeros = int((last < 0).sum())
    steps = [_zeros(zeros, total)] if zeros else []
    shown = np.unique(last[last >= 0])
    steps += [_element(sizes, out, places, int(k)) for k in shown[:_SHOWN]]
    if shown.size > _SHOWN:
        steps[-1] = _further(sizes, shown[_SHOWN - 1 :])
    order = np.minimum(np.searchsorted(shown, last), _SHOWN - 1) + (1 if zeros else 0)
    step_of = np.where(last < 0, 0, order).astype(np.int32)
    return Steps(tuple(steps), step_of, np.full(total, -1, np.int64))


def _zeros(zeros: int, total: int) -> Step:
    told = ngettext(
        "{zeros} of {total} elements is named by no index and is 0.",
        "{zeros} of {total} elements are named by no index and are 0.",
        zeros,
    )
    return Step(_("Zeros"), told.format(zeros=zeros, total=total))


def _element(sizes: Sizes, out: Sizes, places: Array, k: int) -> Step:
    place = int(places[k])
    numbers = {"source": cell(k, sizes), "place": place, "target": cell(place, out)}
    title = "{indices}{source} = {place}".format(indices=INDICES, **numbers)
    others = np.flatnonzero(places == place)
    if others.size > 1:
        rival = cell(int(others[others != k][0]), sizes)
        told = _(
            "in{source} is at out{target} here. in{rival} is put there too: which one wins "
            "is undefined."
        )
        return Step(title, told.format(rival=rival, **numbers))
    told = _(
        "Element {place} of the output, counted through all of it, is out{target}: in{source} is "
        "put there."
    )
    return Step(title, told.format(**numbers))


def _further(sizes: Sizes, left: Array) -> Step:
    """The step of an element and of all after it."""
    told = _("The other {count} elements go where their indices point, in the same way.")
    first, last = (cell(int(k), sizes) for k in (left[0], left[-1]))
    return Step(f"{INDICES}{first} – {last}", told.format(count=left.size))


def remarks(
    sizes: Sizes, out: Sizes, places: Array, indices: Iterable[Sequence[int]]
) -> Iterator[list[str]]:
    """What each of these elements of the output holds, and which input element it comes from.

    Args:
        sizes, out: of the input and the output.
        places: the flat place of each input element.
        indices: the elements.
    """
    return (_remark(sizes, out, places, index) for index in indices)


def _remark(sizes: Sizes, out: Sizes, places: Array, index: Sequence[int]) -> list[str]:
    place = int(np.ravel_multi_index(tuple(index), out))
    at, found = cell(place, out), np.flatnonzero(places == place)
    if not found.size:
        words = _(
            "out{at} = 0: it is element {place} of the output, which no index names, and no input "
            "element is its source."
        )
        return [words.format(at=at, place=place)]
    sources = [cell(int(k), sizes) for k in found[:3]]
    if found.size > 1:
        words = _(
            "out{at}: the elements at {sources} are all put at this place, {place}; which "
            "one wins is undefined."
        )
        return [words.format(at=at, sources=", ".join(sources), place=place)]
    words = _("It is element {place} of the output: IndicesTensor{source} = {place}.")
    return [f"out{at} = in{sources[0]}", words.format(place=place, source=sources[0])]
