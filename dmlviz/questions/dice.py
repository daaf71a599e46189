"""Random numbers that are the same for a seed on every machine and version of Python."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """A random generator with a seed.

    Python guarantees the same sequence only for ``random()``, so everything is based on that.

    >>> Dice("7").shuffled([1, 2, 3, 4]) == Dice("7").shuffled([1, 2, 3, 4])
    True
    """

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)  # noqa: S311  a game, not a secret

    def below(self, n: int) -> int:
        """A whole number from 0 to n − 1."""
        return min(int(self._random.random() * n), n - 1)

    def between(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """The items in random order."""
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found
