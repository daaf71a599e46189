"""An operator's settings as text, the way that widgets and links write them, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dmlviz.errors import Error
from dmlviz.operators import Operator
from dmlviz.operators.parameters import Choice, Parameter, PerDimension
from dmlviz.tensors import MAX_RANK, shown
from dmlviz.words import _

Settings = tuple[tuple[str, str], ...]
"""Names and texts, in the order of the page; texts, so that NaN equals itself."""

MOST_NUMBER = 65_536
"""The largest number that a widget for one dimension, or for a block, takes."""

MOST_TYPED = 60
"""How many characters of a real number are read."""


def settings_of(operator: Operator) -> Settings:
    """The settings that matter, as text.

    >>> from dmlviz.operators import Padding
    >>> settings_of(Padding("EDGE", (1,), (2,), 9))
    (('padding_mode', 'EDGE'), ('start_padding', '1'), ('end_padding', '2'))
    """
    return used_settings(type(operator), operator.settings)


def used_settings(cls: type[Operator], values: Mapping[str, Any]) -> Settings:
    """Those of the values that matter, given the others, as text."""
    return tuple(
        (parameter.name, print_setting(values[parameter.name]))
        for parameter in cls.parameters()
        if parameter.used(values)
    )


def print_setting(value: Any) -> str:
    """A setting as text, as :func:`read_setting` reads it.

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


def read_setting(parameter: Parameter, text: str) -> Any:
    """A setting from text: a tuple of whole numbers, one of a few values, or a real number.

    Args:
        parameter: which; a choice of numbers takes any from 1 to 65,536, since which of them
            fit depends on the sizes.
        text: as :func:`print_setting` writes it.

    Raises:
        Error: the text is none; field is the parameter's name.
    """
    if isinstance(parameter, PerDimension):
        return _whole_numbers(parameter, text)
    if isinstance(parameter, Choice):
        return _chosen(parameter, text)
    return read_real(parameter.name, text)


def read_real(name: str, text: str) -> float:
    """A real number as people type it.

    Raises:
        Error: the text is none.
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
    """A whole number between the two, in ASCII digits, or None."""
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 11):
        return None
    return int(text) if least <= int(text) <= most else None


def _whole_numbers(parameter: PerDimension, text: str) -> tuple[int, ...]:
    words = text.split(",", MAX_RANK)
    numbers = [read_whole(word, parameter.least, MOST_NUMBER) for word in words]
    found = tuple(number for number in numbers if number is not None)
    if len(words) > MAX_RANK or len(found) != len(words):
        raise Error(
            _(
                "{field}: {value} is not a list of whole numbers from {least} to {most:,}, one "
                "for each of 1 to {rank} dimensions."
            ).format(
                field=parameter.name,
                value=shown(text),
                least=parameter.least,
                most=MOST_NUMBER,
                rank=MAX_RANK,
            ),
            parameter.name,
        )
    return found


def _chosen(parameter: Choice, text: str) -> Any:
    known = parameter.options(())
    if not all(isinstance(option, int) for option in known):
        if text in known:
            return text
        raise Error(
            _("{field}: {value} is not one of {options}.").format(
                field=parameter.name, value=shown(text), options=", ".join(map(str, known))
            ),
            parameter.name,
        )
    number = read_whole(text, 1, MOST_NUMBER)
    if number is None:
        raise Error(
            _("{field}: {value} is not a whole number from 1 to {most:,}.").format(
                field=parameter.name, value=shown(text), most=MOST_NUMBER
            ),
            parameter.name,
        )
    return number
