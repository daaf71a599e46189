"""Settings that reverse a slice: random values have space for the input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dmlviz.operators.per_dimension import Extent, Stride
from dmlviz.operators.settings import MOST_NUMBER, Dice, Sizes


@dataclass(frozen=True)
class Apart(Stride):
    """How far apart elements land, and in which direction: never 0."""

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return (2, -1, -2)[dice.between(0, 2)]


@dataclass(frozen=True)
class Room(Extent):
    """How many places a window has for a dimension's elements."""

    def fitted(self, value: Any, sizes: Sizes, before: Sizes) -> Sizes:
        # never too small for elements side by side
        found = super().fitted(value, sizes, before)
        return tuple(
            max(number, min(n, MOST_NUMBER)) for number, n in zip(found, sizes, strict=True)
        )

    def impossible(self, size: int) -> tuple[int, ...]:
        return (size - 1,)

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return (tuple(3 * n + d + turn for d, n in enumerate(sizes)),)

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return 2 * size - 1 + dice.between(0, 1)
