"""Settings as text, as users type them and links write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.base.excerpts import short_text
from dmlviz.base.words import _

MOST_TYPED = 60
"""The limit of characters in a real number."""


def print_setting(value: Any) -> str:
    """A setting as text, as its ``read`` takes it.

    >>> print_setting((1, 2)), print_setting(9.0), print_setting(-0.0), print_setting("EDGE")
    ('1,2', '9', '-0.0', 'EDGE')
    >>> print_setting((2.0, -0.5))
    '2,-0.5'
    """
    if isinstance(value, tuple):
        return ",".join(map(print_setting, value))
    # all digits of 1e60 would exceed the limit for reading
    plain = isinstance(value, float) and value.is_integer() and abs(value) < 1e16
    if plain and str(value) != "-0.0":
        return str(int(value))
    return str(value)


def read_real(name: str, text: str) -> float:
    """A real number from typed text.

    Raises:
        Error: the text is not one.
    """
    try:
        if len(text) > MOST_TYPED:
            raise ValueError
        return float(text.strip().replace("_", "x"))
    except ValueError:
        raise Error(
            _("{field}: {value} is not a number.").format(field=name, value=short_text(text)), name
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


def read_integer(name: str, text: str, least: int, most: int) -> int:
    """A whole number from typed text, in ASCII digits.

    Raises:
        Error: the text is not one, or not between the two.
    """
    number = read_whole(text, least, most)
    if number is None:
        raise Error(
            _("{field}: {value} is not a whole number from {least} to {most:,}.").format(
                field=name, value=short_text(text), least=least, most=most
            ),
            name,
        )
    return number


def read_name(field: str, value: Any, prefix: str, names: Sequence[str]) -> str:
    """A name of an enum from the name, DirectML's full name, or its number.

    Args:
        field: its name in messages.
        value: the text or number given.
        prefix: of DirectML's full names, such as ``DML_AXIS_DIRECTION_``.
        names: by number.

    Raises:
        Error: it is neither a name nor a number. ``problems`` reports unknown ones.

    >>> read_name("way", "dml_way_up", "DML_WAY_", ("DOWN", "UP")), read_name("way", 0, "", ("A",))
    ('UP', 'A')
    """
    if isinstance(value, str):
        name = value.strip().upper().removeprefix(prefix)
        return name if name in names else value.strip()
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return names[int(value)] if 0 <= value < len(names) else short_text(value)
    raise Error(
        _("{field}: {value} is not one of {names}.").format(
            field=field, value=short_text(value), names=", ".join(names)
        ),
        field,
    )
