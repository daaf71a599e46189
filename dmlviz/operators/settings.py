"""Kinds of setting: each reads, prints, neutralises and varies itself.

No page and no question knows an operator; they ask its settings, and these are asked by the
members below, never by their kind. Only widgets go by kind, in one table of ``dmlviz/ui``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from dmlviz.errors import Error
from dmlviz.tensors import print_value, shown
from dmlviz.words import _

Sizes = tuple[int, ...]

MOST_NUMBER = 65_536
"""The largest number that a widget for one dimension, or for a block, takes."""

MOST_TYPED = 60
"""How many characters of a real number are read."""


class Dice(Protocol):
    """What draws: :class:`dmlviz.questions.dice.Dice`."""

    def between(self, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``, both included."""

    def choice(self, items: tuple[Any, ...]) -> Any:
        """One of the items."""


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
        """Whether it has a number for each dimension of the input."""
        return False

    @property
    def enumerated(self) -> bool:
        """Whether it is one of a few values."""
        return False

    @property
    def typed(self) -> bool:
        """Whether it is text until it is read: what cannot be read stays in its box."""
        return False

    @property
    def real(self) -> bool:
        """Whether it is a real number."""
        return False

    @property
    def signed(self) -> bool:
        """Whether its whole numbers have a sign: INT where others are UINT."""
        return False

    def read(self, text: str) -> Any:
        """The value that a link or an option writes; ``print_setting`` wrote it.

        Raises:
            Error: the text is not such a value; its field is the setting's name.
        """
        raise NotImplementedError

    def spell(self, value: Any) -> str:
        """The value in a sentence."""
        return str(value)

    def neutral(self, sizes: Sizes) -> Any:
        """The value that changes nothing, or the one that a new page has."""
        raise NotImplementedError

    def fitted(self, value: Any, sizes: Sizes, before: Sizes) -> Any:
        """The value for an input of other sizes.

        Args:
            value: what was set.
            sizes: of the input now.
            before: the sizes that the value was set for.
        """
        return value

    def unspoken(self, value: Any) -> bool:
        """Whether a sentence about the settings leaves this value out."""
        return False

    def options(self, sizes: Sizes) -> tuple[Any, ...]:
        """The values to choose from for such an input; empty where they are not enumerated."""
        return ()

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Any]:
        """Values a little different from this one."""
        return iter(())

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Any]:
        """Values that no feature level takes, made of one that is taken."""
        return iter(())

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        """A value to ask about.

        Args:
            sizes: of the input.
            active: the dimensions that something should happen in.
            most: how much may be added, given a dimension's size.
            dice: what draws.

        Returns:
            None where there is no value that does something.
        """
        return self.neutral(sizes)

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Any, ...]:
        """Values that tell formulas apart, to be tried on an input of these sizes.

        Args:
            sizes: of the input.
            primes: numbers that nothing else of the state has.
            turn: which of several states this is, from 0.
        """
        return (self.neutral(sizes),)


@dataclass(frozen=True)
class Choice(Setting):
    """One of a few values.

    Attributes:
        offered: those that an input of given sizes allows; of no sizes, all that there are.
        default: the one that a new page has.
    """

    offered: Callable[[Sizes], tuple[Any, ...]] = lambda sizes: ()
    default: Any = None

    @property
    def enumerated(self) -> bool:
        return True

    def read(self, text: str) -> Any:
        known = self.options(())
        if not all(isinstance(option, int) for option in known):
            if text in known:
                return text
            raise Error(
                _("{field}: {value} is not one of {options}.").format(
                    field=self.name, value=shown(text), options=", ".join(map(str, known))
                ),
                self.name,
            )
        # which numbers fit depends on the sizes
        number = read_whole(text, 1, MOST_NUMBER)
        if number is None:
            raise Error(
                _("{field}: {value} is not a whole number from 1 to {most:,}.").format(
                    field=self.name, value=shown(text), most=MOST_NUMBER
                ),
                self.name,
            )
        return number

    def neutral(self, sizes: Sizes) -> Any:
        return self.default

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
            # one that changes nothing comes last
            return choices[::-1]
        return (choices[turn % len(choices)],)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        # a block size of 1 leaves everything where it is
        options = tuple(option for option in self.options(sizes) if option != 1)
        return dice.choice(options) if options else None


@dataclass(frozen=True)
class Number(Setting):
    """A real number, typed."""

    default: float = 0.0

    @property
    def typed(self) -> bool:
        return True

    @property
    def real(self) -> bool:
        return True

    def read(self, text: str) -> float:
        return read_real(self.name, text)

    def spell(self, value: Any) -> str:
        return print_value(value)

    def neutral(self, sizes: Sizes) -> float:
        return self.default


def print_setting(value: Any) -> str:
    """A setting as text, as its ``read`` takes it.

    >>> print_setting((1, 2)), print_setting(9.0), print_setting(-0.0), print_setting("EDGE")
    ('1,2', '9', '-0.0', 'EDGE')
    """
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    # all digits of 1e60 would be more than are read back
    plain = isinstance(value, float) and value.is_integer() and abs(value) < 1e16
    if plain and str(value) != "-0.0":
        return str(int(value))
    return str(value)


def read_real(name: str, text: str) -> float:
    """A real number as people type it.

    Raises:
        Error: the text is not one.
    """
    try:
        if len(text) > MOST_TYPED:
            raise ValueError
        return float(text.strip().replace("_", "x"))
    except ValueError:
        raise Error(
            _("{field}: {value} is not a number.").format(field=name, value=shown(text)), name
        ) from None


def read_whole(text: str, least: int, most: int) -> int | None:
    """A whole number between the two, in ASCII digits, or None.

    >>> read_whole("7", 0, 9), read_whole("-2", -9, 9), read_whole("-2", 0, 9)
    (7, -2, None)
    """
    text = text.strip()
    digits = text.removeprefix("-") if least < 0 else text
    if not (digits.isascii() and digits.isdigit() and len(digits) < 11):
        return None
    return int(text) if least <= int(text) <= most else None
