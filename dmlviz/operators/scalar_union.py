"""DML_SCALAR_UNION: one value in the type of the tensors, and the member that names that type."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from operator import index as as_int
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.spelling import MOST_TYPED
from dmlviz.base.words import _
from dmlviz.operators.code.base import value_text
from dmlviz.operators.code.directml import float_text
from dmlviz.operators.settings import Dice, Number
from dmlviz.tensors import DATA_TYPES, print_value, short_text
from dmlviz.tensors.types import Sizes

VALUE_TYPE = "ValueDataType"
"""The structure's member that names the type of its value."""

TYPE_PREFIX = "DML_TENSOR_DATA_TYPE_"
"""The beginning of DirectML's names of types."""

# the union has the bits of a FLOAT16
_MEMBERS = {"FLOAT64": "Float64", "FLOAT32": "Float32", "FLOAT16": "UInt16"}
# DirectML.h's numbers of the types, from 1 on
_NUMBERED = (
    *("FLOAT32", "FLOAT16", "UINT32", "UINT16", "UINT8", "INT32"),
    *("INT16", "INT8", "FLOAT64", "UINT64", "INT64"),
)
_CPP_LEAST = {"INT32": "INT32_MIN", "INT64": "INT64_MIN"}
_CPP_SUFFIXES = {"INT64": "LL", "UINT64": "ULL"}


@dataclass(frozen=True)
class Scalar(Number):
    """A value that the type of the tensors must hold; the setting itself has no type."""

    def checked(self, value: Any) -> float:
        try:
            if isinstance(value, bool | str | bytes):
                raise TypeError
            return float(value)
        except (TypeError, ValueError, OverflowError):
            raise Error(
                _("{field}: {value} is not a number.").format(
                    field=self.name, value=short_text(value)
                ),
                self.name,
            ) from None

    def as_member(self, value: Any) -> Any:
        # -0.0 does not equal its integer bit for bit
        whole = value.is_integer() and str(value) != "-0.0"
        return int(value) if whole else value


def scalar(value: float, data_type: str) -> np.generic:
    """The value in the tensor's type.

    >>> scalar(7.0, "UINT8"), scalar(0.5, "FLOAT16")
    (np.uint8(7), np.float16(0.5))
    """
    known = DATA_TYPES[data_type]
    typed: np.generic = known.dtype.type(int(value) if known.is_integer else value)
    return typed


@dataclass(frozen=True)
class ExactScalar(Scalar):
    """The same where the type is a setting, too: whole numbers of 64 bits stay exact ints."""

    def checked(self, value: Any) -> float:
        try:
            exact = as_int(value)
        except TypeError:
            number = super().checked(value)
            # -0.0 does not equal its integer bit for bit
            small = abs(number) < 1 << 53 and str(number) != "-0.0"
            return int(number) if small and number.is_integer() else number
        plain = not isinstance(value, bool) and -(1 << 63) <= exact < 1 << 64
        return exact if plain else super().checked(value)

    def as_member(self, value: Any) -> Any:
        return value

    def read(self, text: str) -> float:
        plain = text.strip()
        digits = plain.removeprefix("-")
        whole = digits.isascii() and digits.isdigit() and len(digits) <= MOST_TYPED
        return self.checked(int(plain) if whole and plain != "-0" else super().read(text))

    def spell(self, value: Any) -> str:
        return str(value) if isinstance(value, int) else super().spell(value)

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[float]:
        yield from (value + 1, value - 1)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return dice.between(1, 9)

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[float, ...]:
        return (3 + turn,)


def scalar_message(field: str, value: float, data_type: str) -> str:
    """Why a tensor of this type cannot hold the value; empty if it can.

    The union has a member for each type, so values are not rounded to whole numbers.
    """
    known = DATA_TYPES[data_type]
    numbers = {"field": field, "value": print_value(np.float64(value)), "data_type": data_type}
    if not known.is_integer:
        with np.errstate(over="ignore"):
            overflows = math.isfinite(value) and np.isinf(known.dtype.type(value))
        words = _("{field}: {value} is out of range for {data_type}.")
        return words.format(**numbers) if overflows else ""
    info = np.iinfo(known.dtype)
    if math.isfinite(value) and int(value) == value and info.min <= int(value) <= info.max:
        return ""
    return _(
        "{field}: {value} is invalid; {data_type} holds whole numbers from {low:,} to {high:,}."
    ).format(low=int(info.min), high=int(info.max), **numbers)


def type_named(member: str, value: Any) -> str:
    """One of the eleven types, from its name, DirectML's full name, or its number.

    Args:
        member: of a structure, for the message.
        value: what a description has for it.

    Raises:
        Error: it is not one of them.

    >>> type_named("ValueDataType", "DML_TENSOR_DATA_TYPE_INT8"), type_named("ValueDataType", 1)
    ('INT8', 'FLOAT32')
    """
    if type(value) is int and 1 <= value <= len(_NUMBERED):
        return _NUMBERED[value - 1]
    name = str(value).removeprefix(TYPE_PREFIX)
    if name in DATA_TYPES:
        return name
    raise Error(
        _("desc: {name} is {value}; it must be the type of the tensors, such as {such}.").format(
            name=member, value=short_text(value), such="FLOAT32"
        ),
        member,
    )


def cpp_scalar(value: np.generic, data_type: str, label: str = "Value") -> dict[str, str]:
    """The members ``ValueDataType`` and ``Value``, or another label, as C++ writes them.

    >>> cpp_scalar(np.int64(7), "INT64")
    {'ValueDataType': 'DML_TENSOR_DATA_TYPE_INT64', 'Value.Int64': '7LL'}
    >>> cpp_scalar(np.float16(7), "FLOAT16")["Value.UInt16"]
    '0x4700'
    """
    member = _MEMBERS.get(data_type, data_type.replace("UINT", "UInt").replace("INT", "Int"))
    number: Any = value
    if data_type == "FLOAT16":
        text = f"0x{int(np.array(value).view(np.uint16)):04x}"
    elif data_type == "FLOAT64" and math.isfinite(number):
        text = repr(float(number))
    elif not DATA_TYPES[data_type].is_integer:
        text = float_text(float(number))
    elif data_type in _CPP_LEAST and number == np.iinfo(number.dtype).min:
        # the digits alone do not fit
        text = _CPP_LEAST[data_type]
    else:
        text = f"{int(number)}{_CPP_SUFFIXES.get(data_type, '')}"
    return {VALUE_TYPE: TYPE_PREFIX + data_type, f"{label}.{member}": text}


def cpp_scalar_note(data_type: str, *values: np.generic) -> str:
    """A sentence where C++ does not write the values as numbers."""
    if data_type != "FLOAT16":
        return ""
    return _("DirectML's union has no FLOAT16: these are the bits of {value}.").format(
        value=", ".join(map(value_text, values))
    )
