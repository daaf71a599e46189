"""Where two chains on the same tensors first differ, and what makes one result of the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.base.words import _, ngettext
from dmlviz.code.chain import Chain
from dmlviz.code.maps import Map
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.same import Same, same_movement
from dmlviz.movement import Difference, Movement
from dmlviz.tensors import print_sizes
from dmlviz.tensors.types import Array, Sizes

VALUES_TYPE = "FLOAT64"
"""The data type in which constants are compared: it has every number that code writes."""


@dataclass(frozen=True)
class Comparison:
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
            short does.
    """

    first_sizes: tuple[Sizes, ...]
    second_sizes: tuple[Sizes, ...]
    difference: Difference | None
    sources: tuple[int, int] | None
    agreeing: int
    first_only: int
    second_only: int
    second_of_first: tuple[Same, ...]

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


def _printed(chain: Chain) -> str:
    return ", ".join(f"{name} {print_sizes(sizes)}" for name, sizes in chain.inputs.items())


def _reached(movement: Movement) -> Array:
    """The numbers of the input elements that reach an output."""
    numbers = np.concatenate([output.source.ravel() for output in movement.outputs.values()])
    reached: Array = np.unique(numbers[numbers >= 0])
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
    """What makes the second result of the first, if its elements are all there, each once."""
    if len(first.outputs) != 1 or len(second.outputs) != 1:
        return []
    start, end = (chain.maps[next(iter(chain.outputs.values()))] for chain in (first, second))
    valued = second.valued(end)
    line = start.ravel()
    if valued is None or (line < 0).any() or not start.ndim:
        return []
    source, values = valued
    order = np.argsort(line, kind="stable")
    places = np.minimum(np.searchsorted(line[order], np.maximum(source, 0)), line.size - 1)
    numbers = order[places]
    there = line[numbers] == source
    if np.unique(line).size != line.size or not (there | (source < 0)).all():
        return []
    movement = Map(start.shape, np.where(source < 0, source, numbers), values)
    return list(same_movement(movement, "A"))
