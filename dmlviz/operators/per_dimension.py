"""Settings with a number for each dimension, whole or not, or for each after the leading ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.spelling import print_setting, read_real, read_whole
from dmlviz.base.words import _
from dmlviz.operators.checks import whole_numbers
from dmlviz.operators.settings import MOST_NUMBER, Dice, Setting
from dmlviz.tensors import MAX_RANK, print_sizes, short_text
from dmlviz.tensors.types import Sizes

_MOST_DIGITS = 10**10
"""No number in a sentence is larger."""

Reals = tuple[float, ...]


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
