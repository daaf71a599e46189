"""Settings of a tensor laid over memory: one number for each of its own dimensions.

Sizes and strides are drawn separately; the memory's sizes give both the same count.
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
        # there are not that many elements, unless a stride of 0 repeats one
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
        # no element is that far from another
        yield from _impossible(value, sizes[0])

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield from _near(value, self.least)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return tuple(dice.between(0, min(4, sizes[0] // 2)) for _d in range(_rank(sizes)))


def _rank(sizes: Sizes) -> int:
    """How many dimensions to draw for memory of these sizes."""
    count = sizes[0]
    return 1 if count < 3 else 3 if count % 6 == 0 and count > 6 else 2


def _impossible(value: Sizes, number: int) -> Iterator[Sizes]:
    """One number replaced by an invalid one, and one number too few."""
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
