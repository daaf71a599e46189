"""Settings of a sliding window: random values fit in the input."""

from __future__ import annotations

from dataclasses import dataclass

from dmlviz.operators.per_dimension import PerDimension, Stride
from dmlviz.operators.settings import Dice, Sizes


@dataclass(frozen=True)
class Window(PerDimension):
    """How many places a window covers."""

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return (tuple(1 + (d + turn) % 3 for d in self.dimensions(sizes)),)

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return dice.between(min(2, size), min(size, 3))


@dataclass(frozen=True)
class Apart(Stride):
    """How far apart windows, or the places of one, are: mostly side by side."""

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return (1, 1, 2)[dice.between(0, 2)]


@dataclass(frozen=True)
class Zeros(PerDimension):
    """How many zeros are at an end: few."""

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return (tuple((d + turn) % 3 for d in self.dimensions(sizes)),)

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return (0, 0, 1)[dice.between(0, 2)]
