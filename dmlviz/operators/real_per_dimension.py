"""Settings with a real number for each dimension, which DirectML stores as FLOAT."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.base.spelling import print_setting, read_real
from dmlviz.base.words import _
from dmlviz.operators.settings import Dice, Setting
from dmlviz.tensors import MAX_RANK, short_text
from dmlviz.tensors.types import Sizes

Reals = tuple[float, ...]


@dataclass(frozen=True)
class RealPerDimension(Setting):
    """A FLOAT for each dimension.

    Attributes:
        usual: the number that changes nothing.
        positive: whether each number is above 0.
        tried: numbers for questions and comparisons.
    """

    usual: float = 0.0
    positive: bool = False
    tried: Reals = ()

    @property
    def ranked(self) -> bool:
        return True

    @property
    def real(self) -> bool:
        return True

    def checked(self, value: Any) -> Reals:
        return real_numbers(self.name, value)

    def dimensions(self, sizes: Sizes) -> range:
        """The dimensions of such an input that have a number."""
        return range(len(sizes))

    def read(self, text: str) -> Reals:
        words = text.split(",", MAX_RANK)
        try:
            parsed = tuple(single(read_real(self.name, word)) for word in words)
        except Error:
            parsed = ()
        if (
            len(parsed) != len(words)
            or len(words) > MAX_RANK
            or not all(map(math.isfinite, parsed))
        ):
            raise Error(
                _(
                    "{field}: {value} is not a list of finite numbers, one for each of 1 to "
                    "{rank} dimensions."
                ).format(field=self.name, value=short_text(text), rank=MAX_RANK),
                self.name,
            )
        return parsed

    def spell(self, value: Any) -> str:
        return "{" + ", ".join(map(print_setting, value)) + "}"

    def neutral(self, sizes: Sizes) -> Reals:
        return (self.usual,) * len(sizes)

    def fitted(self, value: Any, sizes: Sizes, before: Sizes) -> Reals:
        return (*value, *self.neutral(sizes)[len(value) :])[: len(sizes)]

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Reals]:
        for d, number in enumerate(value):
            if number != self.usual:
                for other in self.tried:
                    yield (*value[:d], other, *value[d + 1 :])

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Reals]:
        if self.positive:
            for d, number in enumerate(value):
                for other in (0.0, -number):
                    yield (*value[:d], other, *value[d + 1 :])
        if len(value) > 1:
            yield value[1:]

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Reals, ...]:
        own = tuple(map(float, primes[: len(sizes)]))
        return own, tuple(number / 2 for number in own)

    def drawn(
        self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice
    ) -> Reals:
        numbers = list(self.neutral(sizes))
        for d in sorted(active):
            numbers[d] = dice.choice(self.tried)
        return tuple(numbers)


def single(value: float) -> float:
    """The FLOAT nearest to a number, as the shortest decimal number that rounds to it.

    >>> single(0.1), single(float(np.float32(0.1))), single(1 / 3), single(1e39)
    (0.1, 0.1, 0.33333334, inf)
    """
    with np.errstate(over="ignore"):
        nearest = np.float32(value)
    # no minus before 0: it has no meaning here
    short = float(str(nearest)) + 0.0
    return short if np.float32(short) == nearest else float(nearest)


def real_numbers(field: str, values: Any) -> tuple[float, ...]:
    """A tuple of FLOATs from any sequence of real numbers.

    Raises:
        Error: it is not one; ``problems`` checks the numbers themselves.
    """
    try:
        if isinstance(values, str | bytes) or not isinstance(values, Iterable):
            raise TypeError
        return tuple(single(_real(value)) for value in values)
    except (TypeError, ValueError, OverflowError):
        raise Error(
            _("{field}: {value} is not a list of real numbers.").format(
                field=field, value=short_text(values)
            ),
            field,
        ) from None


def _real(value: Any) -> float:
    if isinstance(value, bool | np.bool_ | str | bytes):
        raise TypeError
    return float(value)
