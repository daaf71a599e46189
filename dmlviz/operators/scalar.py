"""A setting in DML_SCALAR_UNION: a number of the type that another member names."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import index as as_int
from typing import Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.operators.code.directml import float_text
from dmlviz.operators.settings import Dice, Number, Sizes
from dmlviz.operators.spelling import MOST_TYPED, read_real
from dmlviz.tensors import DATA_TYPES, print_value, shown
from dmlviz.words import _

Real = float | int

_MEMBERS = {"FLOAT32": "Float32", "FLOAT64": "Float64", "FLOAT16": "UInt16"}


@dataclass(frozen=True)
class Scalar(Number):
    """A real number; a whole one of up to 64 bits stays exact.

    Attributes:
        drawn_least, drawn_most: the limits of whole numbers in questions.
    """

    drawn_least: int = 1
    drawn_most: int = 9

    def checked(self, value: Any) -> Real:
        if isinstance(value, bool | np.bool_ | str | bytes):
            raise self._not_a_number(value)
        try:
            return as_int(value)
        except TypeError:
            pass
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise self._not_a_number(value) from None
        # -0.0 does not equal its integer bit for bit
        whole = number.is_integer() and abs(number) < 1 << 53
        return int(number) if whole and math.copysign(1, number or value) > 0 else number

    def _not_a_number(self, value: Any) -> Error:
        words = _("{field}: {value} is not a number.")
        return Error(words.format(field=self.name, value=shown(value)), self.name)

    def described(self, value: Any) -> Any:
        return value

    def read(self, text: str) -> Real:
        plain = text.strip()
        digits = plain.removeprefix("-")
        if digits.isascii() and digits.isdigit() and len(digits) <= MOST_TYPED and plain != "-0":
            return int(plain)
        return self.checked(read_real(self.name, text))

    def spell(self, value: Any) -> str:
        return str(value) if isinstance(value, int) else print_value(np.float64(value))

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Real]:
        yield from (value + 1, value - 1)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return dice.between(self.drawn_least, self.drawn_most)

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Real, ...]:
        return (3 + turn,)


def scalar_message(field: str, value: Real, data_type: str, *, signed: bool = False) -> str:
    """Why a union cannot hold a value as one of this type; empty if it can.

    Values are not rounded to whole numbers; a float is rounded to its type.

    Args:
        field: its name in the message.
        value: a real number.
        data_type: one of DirectML's 11.
        signed: whether a negative number of an unsigned type stands for its two's complement.
    """
    kind = DATA_TYPES[data_type]
    text = shown(value) if isinstance(value, int) else print_value(np.float64(value))
    if not kind.is_integer:
        largest = float(np.finfo(kind.dtype).max)
        with np.errstate(over="ignore"):
            # what a double cannot hold is compared as a whole number
            huge = abs(value) > sys.float_info.max and isinstance(value, int)
            if not huge and (not math.isfinite(value) or abs(kind.dtype.type(value)) <= largest):
                return ""
        words = _("{field}: {value} is out of range for {data_type}.")
        return words.format(field=field, value=text, data_type=data_type)
    info = np.iinfo(kind.dtype)
    low, high = int(info.min), int(info.max)
    if signed and not low:
        low = -(high + 1) // 2
    if isinstance(value, int) and low <= value <= high:
        return ""
    words = _(
        "{field}: {value} is invalid; {data_type} takes whole numbers from {low:,} to {high:,} "
        "here."
    )
    return words.format(field=field, value=text, data_type=data_type, low=low, high=high)


def scalar(value: Real, data_type: str) -> np.generic:
    """The value in the type, for one that a union can hold; unsigned types wrap around.

    >>> scalar(7, "UINT8"), scalar(-2, "UINT8"), scalar(0.5, "FLOAT16")
    (np.uint8(7), np.uint8(254), np.float16(0.5))
    """
    kind = DATA_TYPES[data_type]
    if kind.is_integer:
        wrapped: np.generic = np.array([int(value) % (1 << 64)], np.uint64).astype(kind.dtype)[0]
        return wrapped
    rounded: np.generic = kind.dtype.type(value)
    return rounded


def union_member(label: str, value: np.generic, data_type: str) -> tuple[str, str]:
    """The member of the union that C++ sets, and its value there; FLOAT16 as its bits.

    >>> union_member("Value", np.uint8(254), "UINT8")
    ('Value.UInt8', '254')
    >>> union_member("Value", np.float16(1), "FLOAT16")
    ('Value.UInt16', '0x3c00')
    """
    plain = data_type.replace("UINT", "UInt").replace("INT", "Int")
    name = f"{label}.{_MEMBERS.get(data_type, plain)}"
    number = np.array(value)
    if data_type == "FLOAT16":
        return name, f"0x{int(number.view(np.uint16)):04x}"
    if data_type == "FLOAT32":
        return name, float_text(float(number))
    if data_type == "FLOAT64":
        whole = float(number)
        return name, repr(whole) if math.isfinite(whole) else float_text(whole)
    least = {"INT64": -(1 << 63), "INT32": -(1 << 31)}.get(data_type)
    if int(number) == least:
        return name, f"{data_type}_MIN"
    return name, f"{int(number)}{ {'UINT64': 'ULL', 'INT64': 'LL'}.get(data_type, '') }"
