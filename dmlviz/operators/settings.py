"""Kinds of setting: each can read, print, neutralize and vary its values.

Pages and questions do not know operators; they use the settings, and only through the
members below, never by kind. Only ``_control`` of ``dmlviz/states/form.py`` chooses a control for
a kind.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, field
from typing import Any, TypeVar, dataclass_transform

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.spelling import read_integer, read_name, read_real, read_whole
from dmlviz.base.words import _
from dmlviz.operators.checks import whole_number, whole_numbers
from dmlviz.operators.code.directml import float_text
from dmlviz.tensors import MAX_RANK, print_sizes, print_value, short_text
from dmlviz.tensors.types import Sizes

T = TypeVar("T")

MOST_NUMBER = 65_536
"""The largest number in a widget for one dimension, or for a block."""


def setting(kind: type[Setting], label: str, /, *, default: Any = MISSING, **more: Any) -> Any:
    """A dataclass field of an operator that is one of its settings.

    Args:
        kind: how it is read, printed, checked and varied.
        label: DirectML's member, such as ``Repeats``; of a tensor, ``OutputTensor.Sizes``.
        default: of the Python argument; without one it is required.
        more: what the kind takes beside a name, a label and a help; the help is the sentence
            that the operator's TOML file has for the field under ``[settings]``.
    """
    metadata = {"kind": kind, "label": label, "more": more}
    return field(default=default, metadata=metadata)


@dataclass_transform(frozen_default=True, field_specifiers=(setting,))
def with_settings(cls: type[T]) -> type[T]:
    """A frozen dataclass whose fields are made by :func:`setting`.

    Type checkers read its parameters, and which of them are required, from the class itself,
    as PEP 681 says.
    """
    return dataclass(frozen=True)(cls)


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
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order


@dataclass(frozen=True)
class Setting:
    """One setting.

    Attributes:
        name: the Python field, such as ``repeats``.
        label: its name in DirectML, such as ``Repeats``.
        help: one sentence for a learner.
        used: whether it matters, given the other settings.
    """

    name: str
    label: str
    help: str
    used: Callable[[Mapping[str, Any]], bool] = lambda settings: True

    @property
    def ranked(self) -> bool:
        """Whether it has a number for each of the input's dimensions, or for some of them."""
        return False

    def dimensions(self, sizes: Sizes) -> range:
        """The dimensions of such an input that have a number, in the order of the numbers."""
        return range(0)

    @property
    def enumerated(self) -> bool:
        """Whether it is one of a few values."""
        return False

    @property
    def typed(self) -> bool:
        """Whether it is typed as text: invalid text stays in its box."""
        return False

    @property
    def real(self) -> bool:
        """Whether it is a real number."""
        return False

    @property
    def counted(self) -> bool:
        """Whether it is one whole number from a large range."""
        return False

    @property
    def listed(self) -> bool:
        """Whether it is a list of whole numbers whose length is free."""
        return False

    @property
    def signed(self) -> bool:
        """Whether its whole numbers are signed: INT, not UINT."""
        return False

    @property
    def tensor(self) -> str:
        """The tensor that it belongs to, such as ``OutputTensor``; empty for the operator's own."""
        return self.label.rpartition(".")[0]

    def checked(self, value: Any) -> Any:
        """The value of a Python argument or of a description, in its one form.

        Raises:
            Error: it is not of this kind; ``problems`` checks whether it is valid.
        """
        return value

    def as_member(self, value: Any) -> Any:
        """The value as a member of DirectML's structure has it."""
        return list(value) if isinstance(value, tuple) else value

    def documented(self, value: Any) -> Any:
        """The value as documentation writes it."""
        return self.as_member(value)

    def cpp(self, value: Any) -> str:
        """The value as C++ writes it, if it is not an array."""
        return str(self.documented(value))

    def left_open(self, value: Any) -> bool:
        """Whether the value leaves the sizes of a tensor to DirectML."""
        return False

    def read(self, text: str) -> Any:
        """The value from the text of a link or an option, as written by ``print_setting``.

        Raises:
            Error: the text is invalid; the error's field is the setting's name.
        """
        raise NotImplementedError

    def spell(self, value: Any) -> str:
        """The value in a sentence."""
        return str(value)

    def neutral(self, sizes: Sizes) -> Any:
        """The value that changes nothing, or the one on a new page."""
        raise NotImplementedError

    def fitted(self, value: Any, sizes: Sizes, before: Sizes) -> Any:
        """The value for an input of other sizes.

        Args:
            value: the previous value.
            sizes: the input's sizes now.
            before: the sizes that the value belongs to.
        """
        return value

    def unspoken(self, value: Any) -> bool:
        """Whether a sentence about the settings omits this value."""
        return False

    def options(self, sizes: Sizes) -> tuple[Any, ...]:
        """The values to choose from for such an input; empty if they are not enumerated."""
        return ()

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Any]:
        """Values slightly different from this one."""
        return iter(())

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Any]:
        """Values that are invalid at every feature level, made from a valid one."""
        return iter(())

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        """A value for a question.

        Args:
            sizes: of the input.
            active: the dimensions in which the value should have an effect.
            most: the limit of what it can add, given a dimension's size.
            dice: the random generator.

        Returns:
            None if no value has an effect.
        """
        return self.neutral(sizes)

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Any, ...]:
        """Values that distinguish formulas, to try on an input of these sizes.

        Args:
            sizes: of the input.
            primes: numbers that occur nowhere else in the state.
            turn: the number of the state, from 0.
        """
        return (self.neutral(sizes),)


@dataclass(frozen=True)
class Choice(Setting):
    """One of a few values.

    Attributes:
        enumeration: DirectML's, if they are members of one, such as ``DML_PADDING_MODE``; members
            have the numbers of their order in ``offered``.
        offered: returns the values that given sizes allow; without sizes, all values.
        initial: the value on a new page.
        least: the smallest valid value, if they are whole numbers.
        idle: the value that changes nothing; questions do not use it.
    """

    offered: Callable[[Sizes], tuple[Any, ...]] = lambda sizes: ()
    initial: Any = None
    least: int = 1
    idle: Any = None
    enumeration: str = ""

    @property
    def enumerated(self) -> bool:
        return True

    def checked(self, value: Any) -> Any:
        if self.enumeration:
            return read_name(self.name, value, f"{self.enumeration}_", self.options(()))
        return value if isinstance(self.initial, str) else whole_number(self.name, value)

    def documented(self, value: Any) -> Any:
        return f"{self.enumeration}_{value}" if self.enumeration else value

    def read(self, text: str) -> Any:
        known = self.options(())
        if not all(isinstance(option, int) for option in known):
            if text in known:
                return text
            raise Error(
                _("{field}: {value} is not one of {options}.").format(
                    field=self.name, value=short_text(text), options=", ".join(map(str, known))
                ),
                self.name,
            )
        # the valid numbers depend on the sizes
        return read_integer(self.name, text, self.least, MOST_NUMBER)

    def neutral(self, sizes: Sizes) -> Any:
        return self.initial

    def options(self, sizes: Sizes) -> tuple[Any, ...]:
        return self.offered(sizes)

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Any]:
        yield from self.options(sizes)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Any]:
        if isinstance(value, int):
            yield from (n for n in (2, 3, 4, 5, 0) if n not in self.options(sizes))

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Any, ...]:
        choices = self.options(sizes)
        if all(isinstance(choice, int) for choice in choices):
            # a value that changes nothing comes last
            return choices[::-1]
        return (choices[turn % len(choices)],)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        options = tuple(option for option in self.options(sizes) if option != self.idle)
        return dice.choice(options) if options else None


@dataclass(frozen=True)
class Axis(Choice):
    """One of the input's dimensions."""

    offered: Callable[[Sizes], tuple[Any, ...]] = lambda sizes: tuple(range(len(sizes) or MAX_RANK))
    initial: Any = 0
    least: int = 0

    def fitted(self, value: Any, sizes: Sizes, before: Sizes) -> Any:
        if value >= len(before):
            return value
        more = len(sizes) - len(before)
        # adding or removing leading dimensions moves it; a valid value stays valid
        longer, shorter = (sizes, before) if more > 0 else (before, sizes)
        if longer[abs(more) :] == shorter:
            value = max(0, value + more)
        return min(value, len(sizes) - 1)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Any]:
        yield len(sizes)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return dice.choice(tuple(active) or self.options(sizes))


@dataclass(frozen=True)
class Number(Setting):
    """A real number, typed."""

    initial: float = 0.0

    @property
    def typed(self) -> bool:
        return True

    @property
    def real(self) -> bool:
        return True

    def cpp(self, value: Any) -> str:
        return float_text(value)

    def read(self, text: str) -> float:
        return read_real(self.name, text)

    def spell(self, value: Any) -> str:
        return print_value(value)

    def neutral(self, sizes: Sizes) -> float:
        return self.initial


@dataclass(frozen=True)
class Numbers(Setting):
    """Typed whole numbers, of any count.

    Attributes:
        least: the smallest that is read.
        count: the limit of numbers.
    """

    least: int = 1
    count: int = 8

    @property
    def typed(self) -> bool:
        return True

    @property
    def listed(self) -> bool:
        return True

    def checked(self, value: Any) -> Sizes:
        return whole_numbers(self.name, value)

    def read(self, text: str) -> Sizes:
        words = text.split(",", self.count)
        numbers = [read_whole(word, self.least, MOST_NUMBER) for word in words]
        parsed = tuple(number for number in numbers if number is not None)
        if len(words) > self.count or len(parsed) != len(words):
            raise Error(
                _(
                    "{field}: {value} is not a list of 1 to {count} whole numbers from {least} to "
                    "{most:,}."
                ).format(
                    field=self.name,
                    value=short_text(text),
                    count=self.count,
                    least=self.least,
                    most=MOST_NUMBER,
                ),
                self.name,
            )
        return parsed

    def spell(self, value: Any) -> str:
        return print_sizes(value)

    def neutral(self, sizes: Sizes) -> Sizes:
        return (self.least,)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        for k, number in enumerate(value):
            yield (*value[:k], number + 1, *value[k + 1 :])

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield value[::-1]
        for k in range(len(value) - 1):
            for by in (1, -1):
                if min(value[k] + by, value[k + 1] - by) >= self.least:
                    yield (*value[:k], value[k] + by, value[k + 1] - by, *value[k + 2 :])


@dataclass(frozen=True)
class Count(Setting):
    """One whole number: a count.

    Attributes:
        least, highest: the smallest and the largest valid values.
        initial: the value on a new page.
        most: the largest that has an effect for an input of given sizes; 0 if there is none.
        drawn_most: the largest value in questions.
    """

    least: int = 1
    highest: int = MOST_NUMBER
    initial: int = 1
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
        return self.initial

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


@dataclass(frozen=True)
class OutputType(Choice):
    """One of a few data types; questions do not change it."""

    def unspoken(self, value: Any) -> bool:
        return bool(value == self.initial)

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Any]:
        return iter(())

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Any, ...]:
        return (self.initial,)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return self.initial
