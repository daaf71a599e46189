"""The setting that cuts a dimension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dmlviz.operators.settings import Dice, Numbers, Sizes


@dataclass(frozen=True)
class Parts(Numbers):
    """The parts of one of the input's dimensions, which add up to its size."""

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        # another setting draws the dimension to cut; it often has this size
        left = dice.choice(tuple(sizes[d] for d in active) or sizes)
        parts: list[int] = []
        while left > 1 and len(parts) < 2:
            parts.append(dice.between(1, left - 1))
            left -= parts[-1]
        return (*parts, left) if parts else None

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return tuple((1 + turn, n - turn - 1) for n in sizes if n > turn + 1)
