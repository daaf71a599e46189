"""A setting that is one whole number: a count, a length, or a choice from a large range."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dmlviz.base.spelling import read_integer
from dmlviz.operators.checks import whole_number
from dmlviz.operators.settings import MOST_NUMBER, Dice, Setting
from dmlviz.tensors.types import Sizes


@dataclass(frozen=True)
class Count(Setting):
    """One whole number: a count.

    Attributes:
        least, highest: the smallest and the largest valid values.
        default: the value on a new page.
        most: the largest that has an effect for an input of given sizes; 0 if there is none.
        drawn_most: the largest value in questions.
    """

    least: int = 1
    highest: int = MOST_NUMBER
    default: int = 1
    most: Callable[[Sizes], int] = lambda sizes: 0
    drawn_most: int = 5

    @property
    def counted(self) -> bool:
        return True

    def checked(self, value: Any) -> int:
        return whole_number(self.name, value)

    def read(self, text: str) -> int:
        return read_integer(self.name, text, self.least, self.highest)

    @property
    def signed(self) -> bool:
        return self.least < 0

    def neutral(self, sizes: Sizes) -> int:
        return self.default

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[int]:
        most = self.most(sizes) or MOST_NUMBER
        yield from (n for n in (value + 1, value - 1) if self.least <= n <= most)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[int]:
        yield self.least - 1
        if self.most(sizes):
            yield self.most(sizes) + 1

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        highest = min(self.drawn_most, self.most(sizes) or self.drawn_most)
        return dice.between(self.least, max(self.least, highest))

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[int, ...]:
        highest = self.most(sizes) or MOST_NUMBER
        return tuple(max(self.least, min(highest, 2 + (k + turn) % 4)) for k in (0, 1))
