"""A setting for the data type of an output: it does not affect where elements go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dmlviz.operators.settings import Choice, Dice
from dmlviz.tensors.types import Sizes


@dataclass(frozen=True)
class OutputType(Choice):
    """One of a few data types; questions do not change it."""

    def unspoken(self, value: Any) -> bool:
        return bool(value == self.default)

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Any]:
        return iter(())

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Any, ...]:
        return (self.default,)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return self.default
