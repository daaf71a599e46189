"""PaddingValue: a FLOAT that becomes a value of the tensor's type; in DML_PADDING1 it has the type.

DML_PADDING1 is read as DML_PADDING where a FLOAT holds its value.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _
from dmlviz.operators.checks import agreeing_count, desc_fields, whole_numbers
from dmlviz.operators.older import OlderForm
from dmlviz.operators.scalar_union import TYPE_PREFIX, Scalar, type_named
from dmlviz.tensors import DATA_TYPES, print_value, short_text

_SOURCE = "DML_PADDING_OPERATOR_DESC, PaddingValue"


@dataclass(frozen=True)
class PaddingValue(Scalar):
    """A FLOAT, of which a tensor of whole numbers drops the fraction."""

    def checked(self, value: Any) -> float:
        if isinstance(value, int) and abs(value) > sys.float_info.max:
            # more than a double holds is more than a FLOAT holds: kept as the largest double,
            # so that it is refused as too large and not taken for infinity
            value = math.copysign(sys.float_info.max, 1 if value > 0 else -1)
        return super().checked(value)


def value_problems(value: float, data_type: str) -> list[Problem]:
    """Why a tensor of ``data_type`` cannot be padded with ``value``.

    DirectML's field is a FLOAT, so the value is first rounded to 32 bits; integer types then
    drop its fraction.  Values outside the type have no portable result and are refused.
    """
    as_float, known = to_float(value), DATA_TYPES[data_type]
    numbers: dict[str, Any] = {"value": print_value(np.float32(as_float))}
    message = ""
    if math.isinf(as_float) and not math.isinf(value):
        numbers = {"value": f"{value:g}"}
        message = _(
            "padding_value: {value} is too large; DirectML's PaddingValue is a FLOAT, up to "
            "3.4028235e+38."
        )
    elif known.is_integer:
        info = np.iinfo(known.dtype)
        numbers |= {"data_type": data_type, "low": f"{info.min:,}", "high": f"{info.max:,}"}
        if not math.isfinite(as_float):
            message = _(
                "padding_value: {value} cannot become a whole number; {data_type} holds {low} to "
                "{high}."
            )
        elif not int(info.min) <= math.trunc(as_float) <= int(info.max):
            message = _("padding_value: {value} does not fit; {data_type} holds {low} to {high}.")
    elif data_type == "FLOAT16" and math.isfinite(as_float):
        with np.errstate(over="ignore"):
            overflows = np.isinf(np.float16(as_float))
        if overflows:
            message = _("padding_value: {value} does not fit; FLOAT16 holds -65504 to 65504.")
    return [Problem("padding_value", message.format(**numbers), _SOURCE)] if message else []


def padding_scalar(value: float, data_type: str) -> np.generic:
    """The value that a tensor of ``data_type`` is padded with.

    >>> padding_scalar(10.6, "INT32"), padding_scalar(16777217, "FLOAT64")
    (np.int32(10), np.float64(16777216.0))
    """
    whole, as_float = DATA_TYPES[data_type].is_integer, to_float(value)
    scalar: np.generic = DATA_TYPES[data_type].dtype.type(
        math.trunc(as_float) if whole else as_float
    )
    return scalar


def to_float(value: float) -> float:
    """The number as DirectML's FLOAT holds it."""
    with np.errstate(over="ignore"):
        return float(np.float32(value))


# ---- DML_PADDING1: the padding value in the tensor's own type

_NEWER = "DML_PADDING1_OPERATOR_DESC"
_MODE, _TYPE, _VALUE, _COUNT, *_ARRAYS = (
    "PaddingMode",
    "PaddingValueDataType",
    "PaddingValue",
    "DimensionCount",
    "StartPadding",
    "EndPadding",
)
_SETTING = PaddingValue("padding_value", "PaddingValue", "")


def _read_newer(desc: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the Padding that does what DML_PADDING1's fields describe.

    Raises:
        Error: a field is missing, unknown or invalid, or the padding value is one that
            DML_PADDING, which has a FLOAT for it, cannot give a tensor of that type.

    >>> _read_newer({"PaddingMode": "EDGE", "PaddingValueDataType": "INT8",
    ...              "StartPadding": [1], "EndPadding": [0]})["padding_value"]
    0.0
    """
    desc_fields(_NEWER, desc, (_MODE, _TYPE, *_ARRAYS), (_VALUE, _COUNT))
    arrays = {name: whole_numbers(name, desc[name]) for name in _ARRAYS}
    agreeing_count(_NEWER, desc, _COUNT, arrays)
    value, data_type = desc.get(_VALUE, 0), type_named(_TYPE, desc[_TYPE])
    as_float = _SETTING.checked(value)
    if str(desc[_MODE]).removeprefix("DML_PADDING_MODE_") in ("CONSTANT", "0"):
        _same_as_float(value, as_float, data_type)
    return {
        "padding_mode": desc[_MODE],
        "start_padding": arrays["StartPadding"],
        "end_padding": arrays["EndPadding"],
        "padding_value": as_float,
    }


def _write_newer(operator: Any, data_type: str) -> dict[str, Any]:
    """The fields for a Padding of tensors of that type."""
    fields = {**operator.documented, _TYPE: TYPE_PREFIX + data_type}
    return {name: fields[name] for name in (_MODE, _TYPE, _VALUE, *_ARRAYS) if name in fields}


def _same_as_float(value: Any, as_float: float, data_type: str) -> None:
    """Refuse values that a FLOAT would change."""
    problems = value_problems(as_float, data_type)
    if problems:
        raise Error(problems[0].message, problems[0].field)
    integer = DATA_TYPES[data_type].is_integer
    whole = integer and value == int(value)
    with np.errstate(over="ignore"):
        exact = DATA_TYPES[data_type].dtype.type(int(value) if whole else as_float)
    scalar = padding_scalar(as_float, data_type)
    if (integer and not whole) or exact.tobytes() != scalar.tobytes():
        numbers = {"value": short_text(value), "data_type": data_type, "given": scalar}
        raise Error(
            _(
                "desc: {name} of {structure} is {value} in {data_type}; DML_PADDING, which stores "
                "it as a FLOAT, would turn it into {given}."
            ).format(name=_VALUE, structure=_NEWER, **numbers),
            _VALUE,
        )


PADDING1 = OlderForm(
    "DML_OPERATOR_PADDING1",
    _NEWER,
    (_MODE, _TYPE, _VALUE, _COUNT, *_ARRAYS),
    _read_newer,
    newer=True,
    write=_write_newer,
)
