"""PaddingValue: a FLOAT that becomes a value of the tensor's type."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from dmlviz.errors import Error, Problem
from dmlviz.tensors import DATA_TYPES, print_value, shown
from dmlviz.words import _

_SOURCE = "DML_PADDING_OPERATOR_DESC, PaddingValue"


def read_padding_value(value: Any) -> float:
    """A Python float from any real number.

    Raises:
        Error: it is not a number.
    """
    try:
        if isinstance(value, bool | str | bytes):
            raise TypeError
        return float(value)
    except OverflowError:
        # more than a double holds is more than a FLOAT holds: kept as the largest double,
        # so that it is refused as too large and not taken for infinity
        return math.copysign(sys.float_info.max, 1 if value > 0 else -1)
    except (TypeError, ValueError):
        raise Error(
            _("padding_value: {value} is not a number.").format(value=shown(value)),
            "padding_value",
        ) from None


def value_problems(value: float, data_type: str) -> list[Problem]:
    """Why a tensor of ``data_type`` cannot be padded with ``value``.

    DirectML's field is a FLOAT, so the value is first rounded to 32 bits; integer types then
    drop its fraction.  Values outside the type have no portable result and are refused.
    """
    message = ""
    as_float = _to_float(value)
    if math.isinf(as_float) and not math.isinf(value):
        message = _(
            "padding_value: {value} is too large; DirectML's PaddingValue is a FLOAT, up to "
            "3.4028235e+38."
        ).format(value=f"{value:g}")
    elif DATA_TYPES[data_type].is_integer:
        info = np.iinfo(DATA_TYPES[data_type].dtype)
        if not math.isfinite(as_float):
            message = _(
                "padding_value: {value} cannot become a whole number; {data_type} holds {low} to "
                "{high}."
            )
        elif not int(info.min) <= math.trunc(as_float) <= int(info.max):
            message = _("padding_value: {value} does not fit; {data_type} holds {low} to {high}.")
        message = message.format(
            value=print_value(np.float32(as_float)),
            data_type=data_type,
            low=f"{info.min:,}",
            high=f"{info.max:,}",
        )
    elif data_type == "FLOAT16" and math.isfinite(as_float):
        with np.errstate(over="ignore"):
            overflows = np.isinf(np.float16(as_float))
        if overflows:
            message = _(
                "padding_value: {value} does not fit; FLOAT16 holds -65504 to 65504."
            ).format(value=print_value(np.float32(as_float)))
    return [Problem("padding_value", message, _SOURCE)] if message else []


def padding_scalar(value: float, data_type: str) -> np.generic:
    """The value that a tensor of ``data_type`` is padded with.

    >>> padding_scalar(10.6, "INT32"), padding_scalar(16777217, "FLOAT64")
    (np.int32(10), np.float64(16777216.0))
    """
    dtype = DATA_TYPES[data_type].dtype
    as_float = _to_float(value)
    whole = DATA_TYPES[data_type].is_integer
    scalar: np.generic = dtype.type(math.trunc(as_float) if whole else as_float)
    return scalar


def print_padding_value(value: float) -> str:
    """The value as DirectML's FLOAT holds it."""
    return print_value(np.float32(_to_float(value)))


def _to_float(value: float) -> float:
    with np.errstate(over="ignore"):
        return float(np.float32(value))
