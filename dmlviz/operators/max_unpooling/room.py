"""The setting for the output's sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dmlviz.operators.settings import Dice, Numbers, Sizes


@dataclass(frozen=True)
class OutputSizes(Numbers):
    """The sizes of an output with the input's batches and channels, and planes of any size."""

    def neutral(self, sizes: Sizes) -> Sizes:
        # as before pooling with windows of 2 by 2
        return (*sizes[:2], *(2 * n for n in sizes[2:]))

    def fitted(self, value: Any, sizes: Sizes, before: Sizes) -> Sizes:
        if len(value) != len(before) or len(sizes) != len(before):
            return tuple(value)
        kept = zip(value, sizes, before, strict=True)
        return tuple(n if number == old else number for number, n, old in kept)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield value[1:]

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        for d in (2, 3):
            yield (*value[:d], value[d] + 1, *value[d + 1 :])

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return (*sizes[:2], *(n + dice.between(1, n) for n in sizes[2:]))

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return (self.neutral(sizes),)
