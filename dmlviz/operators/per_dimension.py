"""Settings with a whole number for each dimension, or for each after the leading ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dmlviz.base.errors import Error
from dmlviz.base.spelling import read_whole
from dmlviz.base.words import _
from dmlviz.operators.checks import whole_numbers
from dmlviz.operators.settings import MOST_NUMBER, Dice, Setting
from dmlviz.tensors import MAX_RANK, print_sizes, short_text
from dmlviz.tensors.types import Sizes

_MOST_DIGITS = 10**10
"""No number in a sentence is larger."""


@dataclass(frozen=True)
class PerDimension(Setting):
    """A whole number for each dimension.

    Attributes:
        least: the smallest valid number; if it is below 0, the numbers are signed.
        usual: the number that changes nothing, if that does not depend on the input's size.
        skip: how many leading dimensions have no number: 2 if they are batch and channel.
    """

    least: int = 0
    usual: int = 0
    skip: int = 0

    @property
    def ranked(self) -> bool:
        return True

    @property
    def signed(self) -> bool:
        return self.least < 0

    def dimensions(self, sizes: Sizes) -> range:
        return range(self.skip, len(sizes))

    def checked(self, value: Any) -> Sizes:
        return whole_numbers(self.name, value)

    def read(self, text: str) -> Sizes:
        if self.skip and not text.strip():
            # an input that has none of its dimensions
            return ()
        most = MAX_RANK - self.skip
        words = text.split(",", most)
        numbers = [read_whole(word, self.least, MOST_NUMBER) for word in words]
        parsed = tuple(number for number in numbers if number is not None)
        if len(words) > most or len(parsed) != len(words):
            if len(words) <= most:
                self._check_range(words)
            raise Error(
                _(
                    "{field}: {value} is not a list of whole numbers from {least} to {most:,}, one "
                    "for each of 1 to {rank} dimensions."
                ).format(
                    field=self.name,
                    value=short_text(text),
                    least=self.least,
                    most=MOST_NUMBER,
                    rank=most,
                ),
                self.name,
            )
        return parsed

    def _check_range(self, words: list[str]) -> None:
        """Refuse a list of whole numbers for the first one that is out of range.

        Raises:
            Error: as of :meth:`read`.
        """
        numbers = [read_whole(word, -_MOST_DIGITS, _MOST_DIGITS) for word in words]
        known = [number for number in numbers if number is not None]
        outside = (k for k, n in enumerate(known) if not self.least <= n <= MOST_NUMBER)
        k = next(outside, None) if len(known) == len(words) else None
        if k is None:
            return
        sentence = _(
            "{field}: {number} in dimension {d} is invalid; it must be a whole number from {least} "
            "to {most}."
        ).format(
            field=self.name,
            number=known[k],
            d=k + self.skip,
            least=self.least,
            most=MOST_NUMBER,
        )
        raise Error(sentence, self.name)

    def spell(self, value: Any) -> str:
        return print_sizes(value)

    def neutral(self, sizes: Sizes) -> Sizes:
        return (self.usual,) * len(self.dimensions(sizes))

    def fitted(self, value: Any, sizes: Sizes, before: Sizes) -> Sizes:
        neutral = self.neutral(sizes)
        return (*value, *neutral[len(value) :])[: len(neutral)]

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        for d, (number, usual) in enumerate(zip(value, self.neutral(sizes), strict=True)):
            if number != usual:
                for by in (1, -1):
                    yield moved(value, d, by)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        for k, d in enumerate(self.dimensions(sizes)):
            for number in self.impossible(sizes[d]):
                yield (*value[:k], number, *value[k + 1 :])
        if len(value) > 1:
            yield value[1:]

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return (primes[: len(self.dimensions(sizes))],)

    def impossible(self, size: int) -> tuple[int, ...]:
        """Numbers that are invalid for a dimension of that size."""
        return (self.least - 1,)

    def drawn(
        self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice
    ) -> Sizes:
        numbers = list(self.neutral(sizes))
        for k, d in enumerate(self.dimensions(sizes)):
            if d in active:
                numbers[k] = self.drawn_number(sizes[d], most(sizes[d]), dice)
        return tuple(numbers)

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        """A number for a dimension of that size, within a limit of the neutral one."""
        return self.usual + dice.between(0, most)


@dataclass(frozen=True)
class Stride(PerDimension):
    """The distance from one element to the next; a sign gives the direction; never 0."""

    least: int = -MOST_NUMBER
    usual: int = 1

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        own = self.dimensions(sizes)
        return tuple(tuple(1 + (d + k + turn) % 3 for d in own) for k in (0, 1))

    def impossible(self, size: int) -> tuple[int, ...]:
        return (0,)

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        number = 1 + dice.between(0, min(most, size - 1))
        return -number if self.signed and dice.between(0, 1) else number


@dataclass(frozen=True)
class IndexPerDimension(PerDimension):
    """An index in each dimension: below its size."""

    def impossible(self, size: int) -> tuple[int, ...]:
        return (*super().impossible(size), size)

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        own = self.dimensions(sizes)
        return (tuple((2 * d + turn) % (sizes[d] // 4 + 1) for d in own),)

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return dice.between(0, min(most, size - 1))


@dataclass(frozen=True)
class Extent(PerDimension):
    """The extent in each dimension: the full size changes nothing."""

    def neutral(self, sizes: Sizes) -> Sizes:
        return tuple(min(sizes[d], MOST_NUMBER) for d in self.dimensions(sizes))

    def fitted(self, value: Any, sizes: Sizes, before: Sizes) -> Sizes:
        # a full dimension stays full
        wholes = before[self.skip :]
        known = min(len(value), len(wholes))
        return tuple(
            value[k] if k < known and value[k] != wholes[k] else whole
            for k, whole in enumerate(self.neutral(sizes))
        )

    def impossible(self, size: int) -> tuple[int, ...]:
        return (*super().impossible(size), size + 1)

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        # leave a quarter of the dimension for an offset
        own = [(d, sizes[d]) for d in self.dimensions(sizes)]
        return tuple(
            tuple(max(1, n - n // 4 - (d + k + turn) % (n // 4 + 1)) for d, n in own)
            for k in (0, 2)
        )

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return size - dice.between(0, min(most, size - 1))


@dataclass(frozen=True)
class Limit(PerDimension):
    """An optional number for each dimension: 0 leaves it to the operator."""

    def left_open(self, value: Any) -> bool:
        return not any(value)

    def unspoken(self, value: Any) -> bool:
        return not any(value)

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return (self.neutral(sizes),)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        return iter(())

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return 0


def moved(values: Sizes, d: int, by: int) -> Sizes:
    """The numbers with one of them changed."""
    return (*values[:d], values[d] + by, *values[d + 1 :])
