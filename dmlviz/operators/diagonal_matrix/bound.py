"""A setting that names a diagonal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dmlviz.operators.count import Count
from dmlviz.operators.settings import Dice, Sizes


@dataclass(frozen=True)
class Bound(Count):
    """Column minus row of a diagonal; a whole number of 32 bits with a sign."""

    least: int = -(1 << 31)
    highest: int = (1 << 31) - 1
    default: int = 0

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[int]:
        yield from (n for n in (value + 1, value - 1) if self.least <= n <= self.highest)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        rows, columns = (1, 1, *sizes)[-2:]
        return dice.between(1 - rows, columns)

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[int, ...]:
        return ((turn % 3) - 1, 2 - (turn % 3))
