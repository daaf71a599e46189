"""DML_PADDING1: the padding value in the tensor's own type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.operators.checks import agreeing_count, desc_fields, whole_numbers
from dmlviz.operators.padding.value import padding_scalar, read_padding_value, value_problems
from dmlviz.tensors import DATA_TYPES, shown
from dmlviz.words import _

_STRUCTURE = "DML_PADDING1_OPERATOR_DESC"
_MODE, _TYPE, _VALUE, _COUNT, *_ARRAYS = (
    "PaddingMode",
    "PaddingValueDataType",
    "PaddingValue",
    "DimensionCount",
    "StartPadding",
    "EndPadding",
)
_PREFIX = "DML_TENSOR_DATA_TYPE_"
# DirectML.h's numbers of the types, from 1 on
_NUMBERED = (
    *("FLOAT32", "FLOAT16", "UINT32", "UINT16", "UINT8", "INT32"),
    *("INT16", "INT8", "FLOAT64", "UINT64", "INT64"),
)

NEWER = ("DML_OPERATOR_PADDING1", _STRUCTURE, (_MODE, _TYPE, _VALUE, _COUNT, *_ARRAYS))
"""Operator type, structure and members."""


def read_newer(desc: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the Padding that does what DML_PADDING1's fields describe.

    Raises:
        Error: a field is missing, unknown or invalid, or the padding value is one that
            DML_PADDING, which has a FLOAT for it, cannot give a tensor of that type.

    >>> read_newer({"PaddingMode": "EDGE", "PaddingValueDataType": "INT8",
    ...             "StartPadding": [1], "EndPadding": [0]})["padding_value"]
    0.0
    """
    desc_fields(_STRUCTURE, desc, (_MODE, _TYPE, *_ARRAYS), (_VALUE, _COUNT))
    arrays = {name: whole_numbers(name, desc[name]) for name in _ARRAYS}
    agreeing_count(_STRUCTURE, desc, _COUNT, arrays)
    value, kind = desc.get(_VALUE, 0), _data_type(desc[_TYPE])
    if str(desc[_MODE]).removeprefix("DML_PADDING_MODE_") in ("CONSTANT", "0"):
        _check_value(value, kind)
    return {
        "padding_mode": desc[_MODE],
        "start_padding": arrays["StartPadding"],
        "end_padding": arrays["EndPadding"],
        "padding_value": read_padding_value(value),
    }


def write_newer(operator: Any, data_type: str) -> dict[str, Any]:
    """The fields for a Padding of tensors of that type."""
    fields = {**operator.documented, _TYPE: _PREFIX + data_type}
    return {name: fields[name] for name in NEWER[2] if name in fields}


def _data_type(given: Any) -> str:
    """One of the eleven, from its name, DirectML's full name, or its number."""
    if type(given) is int and 1 <= given <= len(_NUMBERED):
        return _NUMBERED[given - 1]
    name = str(given).removeprefix(_PREFIX)
    if name in DATA_TYPES:
        return name
    raise Error(
        _("desc: {name} is {value}; it must be the type of the tensors, such as {such}.").format(
            name=_TYPE, value=shown(given), such="FLOAT32"
        ),
        _TYPE,
    )


def _check_value(value: Any, kind: str) -> None:
    """Refuse values that a FLOAT would change."""
    as_float, known = read_padding_value(value), DATA_TYPES[kind]
    refused = value_problems(as_float, kind)
    if refused:
        raise Error(refused[0].message, refused[0].field)
    whole = known.is_integer and value == int(value)
    with np.errstate(over="ignore"):
        exact = known.dtype.type(int(value) if whole else as_float)
    given = padding_scalar(as_float, kind)
    if (known.is_integer and not whole) or exact.tobytes() != given.tobytes():
        raise Error(
            _(
                "desc: {name} of {structure} is {value} in {data_type}; DML_PADDING, which "
                "stores it as a FLOAT, would turn it into {given}."
            ).format(
                name=_VALUE, structure=_STRUCTURE, value=shown(value), data_type=kind, given=given
            ),
            _VALUE,
        )
