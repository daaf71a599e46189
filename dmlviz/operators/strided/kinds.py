"""Settings of a tensor that is laid over memory: as many numbers as it has dimensions of its own.

Sizes and strides are drawn apart; that they have equally many, both know from the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dmlviz.operators.settings import MOST_NUMBER, Dice, Numbers, Sizes


@dataclass(frozen=True)
class Extents(Numbers):
    """The tensor's sizes."""

    def neutral(self, sizes: Sizes) -> Sizes:
        return (min(sizes[0], MOST_NUMBER),)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield from _impossible(value, 0)
        # so many elements are not there, unless they are one and the same
        yield from _impossible(value, sizes[0] + 1)

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield from _near(value, self.least)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return tuple(dice.between(2, 4) for _d in range(_rank(sizes)))


@dataclass(frozen=True)
class Distances(Numbers):
    """The tensor's strides."""

    least: int = 0

    def neutral(self, sizes: Sizes) -> Sizes:
        return (1,)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield from _impossible(value, -1)
        # so far from any element there is none
        yield from _impossible(value, sizes[0])

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield from _near(value, self.least)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return tuple(dice.between(0, min(4, sizes[0] // 2)) for _d in range(_rank(sizes)))


def _rank(sizes: Sizes) -> int:
    """How many dimensions are drawn for memory of these sizes."""
    count = sizes[0]
    return 1 if count < 3 else 3 if count % 6 == 0 and count > 6 else 2


def _impossible(value: Sizes, number: int) -> Iterator[Sizes]:
    """One of the numbers replaced by one that there cannot be, and one number too few."""
    for k in range(len(value)):
        yield (*value[:k], number, *value[k + 1 :])
    if len(value) > 1:
        yield value[1:]


def _near(value: Sizes, least: int) -> Iterator[Sizes]:
    yield value[::-1]
    for k, number in enumerate(value):
        yield from (
            (*value[:k], n, *value[k + 1 :]) for n in (number + 1, number - 1) if n >= least
        )
