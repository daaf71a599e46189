"""Value: a scalar of the tensor's own type."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.tensors import DATA_TYPES, print_value, shown
from dmlviz.words import _


def read_value(value: Any) -> float:
    """A Python float from any real number.

    Raises:
        Error: it is not a number that a float holds.
    """
    try:
        if isinstance(value, bool | str | bytes):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise Error(
            _("value: {value} is not a number.").format(value=shown(value)), "value"
        ) from None


def value_message(value: float, data_type: str) -> str:
    """Why a tensor of this type cannot hold the value; empty if it can.

    DirectML's Value is a union of all types, so values are not rounded to whole numbers.
    """
    known = DATA_TYPES[data_type]
    told = print_value(np.float64(value))
    if not known.is_integer:
        with np.errstate(over="ignore"):
            overflows = math.isfinite(value) and np.isinf(known.dtype.type(value))
        if not overflows:
            return ""
        return _("value: {value} is out of range for {data_type}.").format(
            value=told, data_type=data_type
        )
    info = np.iinfo(known.dtype)
    if math.isfinite(value) and value.is_integer() and info.min <= int(value) <= info.max:
        return ""
    return _(
        "value: {value} is invalid; {data_type} holds whole numbers from {low:,} to {high:,}."
    ).format(value=told, data_type=data_type, low=int(info.min), high=int(info.max))


def scalar(value: float, data_type: str) -> np.generic:
    """The value in the tensor's type.

    >>> scalar(7.0, "UINT8"), scalar(0.5, "FLOAT16")
    (np.uint8(7), np.float16(0.5))
    """
    known = DATA_TYPES[data_type]
    found: np.generic = known.dtype.type(int(value) if known.is_integer else value)
    return found
