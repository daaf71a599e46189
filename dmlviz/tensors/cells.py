"""Read one number of a tensor exactly, or say why the data type cannot hold it."""

from __future__ import annotations

import re
from decimal import Context, Decimal
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import LiteralError
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _
from dmlviz.tensors.data_types import DataType
from dmlviz.tensors.data_types import data_type as find_type
from dmlviz.tensors.printing import print_value

# The exact decimal expansion of the smallest FLOAT64 has 1,077 characters.
_LONGEST_NUMBER = 1_100

# Every 64-bit integer is below 10 to this power.
_INTEGER_DIGITS = 20

_NUMBER = regex(
    r"""
    (?P<sign>[+-]?)
    (?: 0x (?P<hex> [0-9a-f]+ (?:_[0-9a-f]+)* ) [ul]{0,3}
      | (?P<decimal>
            (?: [0-9]+ (?:_[0-9]+)* (?: \. (?:[0-9]+ (?:_[0-9]+)*)? )? | \. [0-9]+ (?:_[0-9]+)* )
            (?: e [+-]? [0-9]+ )?
        ) [ful]{0,3}
      | (?P<nan> nan ) | (?P<infinity> inf (?:inity)? )
    )
    """,
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True)
class Special:
    """A value that is not a finite number: NaN or an infinity."""

    value: float


class Misfit(Exception):
    """An invalid typed value; the rule is a template with {value} and {position}."""


def read_number(text: str, data_type: str, position: tuple[int, ...]) -> np.generic:
    """One typed value as an element of a tensor.

    Args:
        text: a whole number, a fraction, an exponent form, hexadecimal (``0x1F``), NaN or
            an infinity; underscores between digits and C++ suffixes (``f``, ``u``, ``L``)
            are allowed.
        data_type: one of the eleven data types.
        position: the element's index in its tensor, for error messages.

    Returns:
        A NumPy scalar of that type.

    Raises:
        LiteralError: the text is not a number, or the type cannot hold it (field ``values``).
        Error: there is no such data type.

    >>> read_number("1_000", "INT16", (0, 2)), read_number(".5f", "FLOAT32", (0,))
    (np.int16(1000), np.float32(0.5))
    >>> read_number("3.5", "INT16", (0, 2))
    Traceback (most recent call last):
    dmlviz.base.errors.LiteralError: values: 3.5 at [0, 2] is not a whole number, as INT16 requires.
    """
    kind = find_type(data_type)
    try:
        return fit(text.strip(), kind)
    except Misfit as misfit:
        raise misfit_error(text, position, misfit) from None


def misfit_error(text: str, position: tuple[int, ...], misfit: Misfit) -> LiteralError:
    """The message that names the value, its index and the rule that it breaks."""
    plain = text.strip()
    simple = len(plain) <= 60 and _NUMBER.fullmatch(plain) is not None
    message = str(misfit.args[0]).format(
        value=plain if simple else excerpt(text), position=list(position), **misfit.args[1]
    )
    return LiteralError(message, field="values")


def fit(text: str, kind: DataType) -> np.generic:
    """The typed value in that type, exactly as typed.

    Raises:
        Misfit: it is not a value, or the type would change it.
    """
    if not kind.is_integer and len(text) < 4 and text.isascii() and text.isdecimal():
        # every floating-point type holds these exactly
        return _scalar(kind, int(text))
    number = _read(text)
    if isinstance(number, Special):
        if kind.is_integer:
            rule = _("values: {value} at {position} is not a whole number, as {name} requires.")
            raise Misfit(rule, {"name": kind.name})
        return _scalar(kind, number.value)
    if kind.is_integer:
        return _scalar(kind, _whole(number, kind))
    return _float(number, kind)


def _read(text: str) -> int | Decimal | Special:
    if len(text) > _LONGEST_NUMBER:
        rule = _(
            "values: {value} at {position} has {count:,} characters, more than the {most:,} "
            "that a number may have."
        )
        raise Misfit(rule, {"count": len(text), "most": _LONGEST_NUMBER})
    match = _NUMBER.fullmatch(text.replace("\N{MINUS SIGN}", "-"))
    if match is None:
        raise not_a_number(text)
    if match["hex"]:
        magnitude = int(match["hex"], 16)
        return -magnitude if match["sign"] == "-" else magnitude
    if match["decimal"]:
        return Decimal(_bounded(match["sign"] + match["decimal"].replace("_", "").lower()))
    value = float("nan") if match["nan"] else float("inf")
    return Special(-value if match["sign"] == "-" else value)


def _bounded(text: str) -> str:
    """The number with its exponent limited to Decimal's range; beyond it, all behave the same."""
    mantissa, e, exponent = text.partition("e")
    if not e:
        return text
    sign = "-" if exponent.startswith("-") else ""
    digits = exponent.lstrip("+-").lstrip("0") or "0"
    return f"{mantissa}e{sign}{digits if len(digits) <= 9 else '999999999'}"


def not_a_number(text: str) -> Misfit:
    """Why a text is not a number."""
    if not text:
        return Misfit(_("values: the value at {position} is empty; type a number."), {})
    if is_shortened(text):
        return Misfit(
            _("values: {value} at {position} means that the text was shortened; give every value."),
            {},
        )
    if text.lower() in ("true", "false"):
        return Misfit(
            _("values: {value} at {position} is a Boolean, not a number; type 1 or 0."), {}
        )
    return Misfit(_("values: {value} at {position} is not a number."), {})


def is_shortened(text: str) -> bool:
    """Whether a word represents omitted values."""
    return "..." in text or "…" in text


def _whole(number: int | Decimal, kind: DataType) -> int:
    # Check the exponent before int(): 1e999999999 would fill the memory.
    small = isinstance(number, int) or not number or number.adjusted() < _INTEGER_DIGITS
    if isinstance(number, Decimal) and small and number != number.to_integral_value():
        rule = _("values: {value} at {position} is not a whole number, as {name} requires.")
        raise Misfit(rule, {"name": kind.name})
    whole = int(number) if small and number else 0
    if not small or not kind.lowest <= whole <= kind.highest:
        rule = _(
            "values: {value} at {position} is outside {name}, which holds {lowest} to {highest}."
        )
        raise Misfit(rule, {"name": kind.name, "lowest": kind.lowest, "highest": kind.highest})
    return whole


def _float(number: int | Decimal, kind: DataType) -> np.generic:
    exact = Decimal(number)
    with np.errstate(over="ignore", under="ignore"):
        value = _scalar(kind, float(exact))
    if np.isinf(value):
        rule = _(
            "values: {value} at {position} is outside {name}, whose finite values are "
            "{lowest} to {highest}."
        )
        edges = np.finfo(kind.dtype)
        raise Misfit(
            rule,
            {
                "name": kind.name,
                "lowest": print_value(edges.min),
                "highest": print_value(edges.max),
            },
        )
    if _keeps(value, exact):
        return value
    # float() rounds once and the type rounds again; if both meet the middle between
    # two values, the correct one is the neighbor.
    for direction in (np.inf, -np.inf):
        with np.errstate(over="ignore", under="ignore"):
            neighbour = np.nextafter(value, kind.dtype.type(direction))
        if np.isfinite(neighbour) and _keeps(neighbour, exact):
            return neighbour  # type: ignore[no-any-return]
    rule = _("values: {value} at {position} would lose digits: {name} would keep {kept}.")
    raise Misfit(rule, {"name": kind.name, "kept": print_value(value)})


def _keeps(value: Any, exact: Decimal) -> bool:
    """Whether the typed text is a way to write exactly this value, down to the last digit.

    It can have the fewest digits that its type needs, as NumPy prints a value; the fewest
    that FLOAT64 needs, as Python and JSON print it; or any number of correct digits.
    """
    wide = float(value)
    if exact in (Decimal(str(value)), Decimal(repr(wide))):
        return True
    typed_digits = Context(prec=len(exact.as_tuple().digits))
    return typed_digits.create_decimal_from_float(wide) == exact


def _scalar(kind: DataType, value: float) -> np.generic:
    scalar: np.generic = kind.dtype.type(value)
    return scalar
