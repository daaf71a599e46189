"""Where two chains on the same tensors first differ, and what makes one result of the other."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import Any

import numpy as np

from dmlviz.base.budget import Budget, Exhausted
from dmlviz.base.deferred import dataclass
from dmlviz.base.display import Displayed
from dmlviz.base.errors import Error
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _, ngettext
from dmlviz.code.chain import Chain
from dmlviz.code.maps import Map, equal, search, spend_trial
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.same import SEARCH_WORK, Same, chains_of_other_sizes, reach, same_movement
from dmlviz.movement import Difference, Movement
from dmlviz.tensors import print_sizes
from dmlviz.tensors.numbering import distinct
from dmlviz.tensors.types import Array, Sizes

VALUES_TYPE = "FLOAT64"
"""The data type in which constants are compared: it has every number that code writes."""


@dataclass(frozen=True, repr=False)
class Comparison(Displayed):
    """Two chains on the same tensors.

    Attributes:
        first_sizes, second_sizes: of each output, in order.
        difference: the first element that differs, and how many do; None if none does, or if sizes
            differ.
        sources: of that element, the number of its source in each chain, counted through all
            inputs; -1 for a constant; None without a difference.
        agreeing: how many calls from the start give equal tensors.
        first_only, second_only: how many elements of the inputs reach one of the results alone.
        second_of_first: what makes the second result of the first one, called A; empty if nothing
            short does. What only does so with these sizes is there if nothing else is.
        chains: the two.
    """

    first_sizes: tuple[Sizes, ...]
    second_sizes: tuple[Sizes, ...]
    difference: Difference | None
    sources: tuple[int, int] | None
    agreeing: int
    first_only: int
    second_only: int
    second_of_first: tuple[Same, ...]
    chains: tuple[Chain, Chain] = field(compare=False)

    def displayed_runs(self) -> tuple[Displayed, ...]:
        """See :class:`dmlviz.base.display.Displayed`: both, on values that count from 1."""
        return tuple(run for chain in self.chains for run in chain.displayed_runs())

    def displayed_text(self) -> str:
        """Both codes, and whether their results are equal."""
        codes = [f"{letter}: {c.text.strip()}" for letter, c in zip("AB", self.chains, strict=True)]
        equal = _("A and B give the same output, all {n} elements.")
        count = sum(math.prod(sizes) for sizes in self.first_sizes)
        lines = [equal.format(n=count)] if self.same else comparison_lines(self)
        return "\n".join([*codes, *lines])

    def displayed_summary(self) -> str:
        """Both codes, and whether their results are equal."""
        first, second = (excerpt(chain.text) for chain in self.chains)
        return f"{first} {'==' if self.same else '!='} {second}"

    @property
    def same(self) -> bool:
        """Whether sizes, sources and constants of all outputs are equal."""
        return self.first_sizes == self.second_sizes and self.difference is None


def compared(first: Chain, second: Chain) -> Comparison:
    """Compare two chains element by element.

    Args:
        first, second: their inputs have the same names and sizes.

    Raises:
        Error: the inputs differ, or a constant is no number.

    >>> from dmlviz.code import read
    >>> one, two = (read(text, {"x": (2, 3)}) for text in ("np.rot90(x)", "np.rot90(x, -1)"))
    >>> compared(one, two).difference
    Difference(output='out', at=(0, 0), count=6)
    """
    check_same_inputs(first, second)
    one, two = (chain.movement(data_type=VALUES_TYPE) for chain in (first, second))
    equal_sizes = list(one.sizes.values()) == list(two.sizes.values())
    difference = one.first_difference(two) if equal_sizes else None
    mine, other = (_reached(movement) for movement in (one, two))
    return Comparison(
        tuple(one.sizes.values()),
        tuple(two.sizes.values()),
        difference,
        None if difference is None else _sources(one, two, difference),
        _agreeing(first, second),
        int(np.setdiff1d(mine, other).size),
        int(np.setdiff1d(other, mine).size),
        () if equal_sizes and difference is None else tuple(_second_of_first(first, second)),
        (first, second),
    )


def check_same_inputs(first: Chain, second: Chain) -> None:
    """Refuse two chains that cannot be compared.

    Raises:
        Error: the elements of different tensors move in them; the field is ``inputs``.
        CodeRefused: one of them computes.
    """
    if first.computing or second.computing:
        raise CodeRefused(
            "computes",
            _(
                "Only movements are compared, and a convolution computes new values: open each "
                "code by itself."
            ),
        )
    if dict(first.inputs) != dict(second.inputs):
        raise Error(
            _("inputs: the two codes must take the same tensors, not {one} and {two}.").format(
                one=_printed(first), two=_printed(second)
            ),
            "inputs",
        )


def comparison_lines(both: Comparison) -> list[str]:
    """Sentences about two codes that differ: the calls that agree, and what only one result has.

    >>> from dmlviz.code import read
    >>> one, two = (read(text, {"x": (2, 3)}) for text in ("x.T[:2]", "x.T[1:]"))
    >>> print(*comparison_lines(compared(one, two)), sep="\\n")
    The first call gives the same tensor in both.
    Input elements in A only: 2; in B only: 2.
    """
    lines = [
        ngettext(
            "The first call gives the same tensor in both.",
            "The first {n} calls give the same tensors in both.",
            both.agreeing,
        ).format(n=both.agreeing)
        if both.agreeing
        else _("The first calls already give different tensors.")
    ]
    if both.first_only or both.second_only:
        lines.append(
            _("Input elements in A only: {one}; in B only: {two}.").format(
                one=both.first_only, two=both.second_only
            )
        )
    return lines


def result_words(both: Comparison) -> str:
    """What comes before the lines that make the second result of the first one."""
    if all(one.any_sizes is False for one in both.second_of_first):
        return _("With these sizes only, B is the result of A after this:")
    return _("B is the result of A after this:")


def _printed(chain: Chain) -> str:
    return ", ".join(f"{name} {print_sizes(sizes)}" for name, sizes in chain.inputs.items())


def _reached(movement: Movement) -> Array:
    """The numbers of the input elements that reach an output."""
    numbers = np.concatenate([output.source.ravel() for output in movement.outputs.values()])
    reached: Array = distinct(numbers[numbers >= 0])
    return reached


def _sources(one: Movement, two: Movement, difference: Difference) -> tuple[int, int]:
    place = list(one.outputs).index(difference.output)
    first, second = (list(movement.outputs.values())[place] for movement in (one, two))
    return int(first.source[difference.at]), int(second.source[difference.at])


def _agreeing(first: Chain, second: Chain) -> int:
    """The calls from the start that give equal tensors in both."""
    count = 0
    for one, two in zip(first.operations, second.operations, strict=False):
        if len(one.outputs) != len(two.outputs):
            break
        mine = first.movement(one.outputs, VALUES_TYPE)
        other = second.movement(two.outputs, VALUES_TYPE)
        if not mine.same_as(other):
            break
        count += 1
    return count


def _second_of_first(first: Chain, second: Chain) -> list[Same]:
    """What makes the second result of the first, if its elements are all there.

    An element that is several times in the first result has several places there that it can come
    from. One choice after the other is tried, until a line is found.
    """
    if len(first.outputs) != 1 or len(second.outputs) != 1:
        return []
    work = search(most=SEARCH_WORK)
    others = chains_of_other_sizes(first, second, work=work)
    proposals: list[list[Same]] = []
    tried: list[Map] = []
    for choice in _CHOICES:
        movement = _between(first, second, choice, work)
        if movement is None or any(movement.is_made(one.source, one.values) for one in tried):
            continue
        elsewhere = [_between(one, two, choice, work) for one, two in others]
        moved = [other for other in elsewhere if other is not None]
        if len(moved) == len(elsewhere):
            tried.append(movement)
        every = list(same_movement(movement, "A", moved))
        if len(moved) < len(elsewhere):
            # there is a size with which an element is missing
            every = [replace(one, any_sizes=False) for one in every]
        held = [one for one in every if one.any_sizes is not False]
        if any(one.kind != "operator" for one in held):
            return sorted(held, key=reach)
        proposals.append(every)
    # a table of places says less than a call
    proposals.sort(key=_word_count)
    return sorted(proposals[0], key=reach) if proposals else []


def _word_count(every: Sequence[Same]) -> float:
    """Of the line with the fewest words; more than any line has if there is none."""
    lines = (len(re.findall(r"\w+", one.text)) for one in every if one.kind != "operator")
    return min(lines, default=math.inf)


_CHOICES = ("turned", "in turn", "first", "last")
"""Of places with equal elements, B takes those of A with its axes in another order or reversed, or
each in turn, or the first one, or the last one."""

TURNED_LIMIT = 400
"""The limit of orders and directions of axes that are tried: all of four axes."""


def _between(first: Chain, second: Chain, choice: str, work: Budget) -> Map | None:
    """The movement from the first result to the second; None if an element is not in the first.

    Args:
        first, second: of one output each.
        choice: one of ``_CHOICES``.
        work: what a search is a share of.
    """
    start, end = (chain.maps[next(iter(chain.outputs.values()))] for chain in (first, second))
    valued = first.valued(start), second.valued(end)
    if valued[0] is None or valued[1] is None or not start.ndim:
        return None
    (line, values), (source, own_values) = (valued[0][0].ravel(), valued[0][1]), valued[1]
    # constants of both have one number for each value
    known = [*dict.fromkeys((*own_values, *values))]
    line, wanted = (
        _renumbered(numbers, of, known)
        for numbers, of in ((line, values), (source.ravel(), own_values))
    )
    if choice == "turned":
        places = _turned(line.reshape(start.shape), wanted.reshape(end.shape), work)
        return None if places is None else Map(start.shape, places, work=search(work))
    order = np.argsort(line, kind="stable")
    ordered = line[order]
    begin = np.searchsorted(ordered, wanted, "left")
    count = np.searchsorted(ordered, wanted, "right") - begin
    missing = count == 0
    if (missing & (wanted >= 0)).any():
        return None
    turn = {
        "in turn": _turns(wanted) % np.maximum(count, 1),
        "first": np.zeros_like(count),
        "last": count - 1,
    }[choice]
    places = order[np.minimum(begin + np.maximum(turn, 0), line.size - 1)]
    # a constant that is not there is written anew, and so is every one that is simple to write
    anew = missing | ((wanted < 0) & (choice != "in turn"))
    return Map(
        start.shape,
        np.where(anew, wanted, places).reshape(end.shape),
        tuple(known),
        work=search(work),
    )


def _turned(line: Array, wanted: Array, work: Budget) -> Array | None:
    """The places of a tensor with which it is another one, its axes in an order and reversed."""
    places, axes = np.arange(line.size).reshape(line.shape), range(line.ndim)
    orders = itertools.permutations(axes) if line.ndim == wanted.ndim else ()
    reversals = itertools.chain(*(itertools.combinations(axes, n) for n in range(line.ndim + 1)))
    turns = itertools.product(orders, list(reversals))
    with suppress(Exhausted):
        for order, reverse in itertools.islice(turns, TURNED_LIMIT):
            spend_trial(work, 0)
            turned = np.flip(line.transpose(order), reverse)
            if turned.shape == wanted.shape and equal(turned, wanted):
                made: Array = np.flip(places.transpose(order), reverse)
                return made
    return None


def _renumbered(numbers: Array, values: Sequence[Any], known: Sequence[Any]) -> Array:
    """Numbers of which ``-1 - k`` means another list's value k."""
    table = np.array([-1 - known.index(value) for value in values] or [0])
    renumbered: Array = np.where(
        numbers < 0, table[np.where(numbers < 0, -1 - numbers, 0)], numbers
    )
    return renumbered


def _turns(numbers: Array) -> Array:
    """For each number, how many equal ones come before it."""
    order = np.argsort(numbers, kind="stable")
    ordered = numbers[order]
    turns = np.empty_like(order)
    turns[order] = np.arange(order.size) - np.searchsorted(ordered, ordered, "left")
    return turns
