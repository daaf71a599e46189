"""DML_DIAGONAL_MATRIX: one diagonal, with zeros elsewhere instead of an input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dmlviz.operators.checks import desc_fields, whole_number
from dmlviz.operators.diagonal_matrix.value import read_value

_STRUCTURE = "DML_DIAGONAL_MATRIX_OPERATOR_DESC"
_MEMBERS = ("Offset", "Value")

OLDER = ("DML_OPERATOR_DIAGONAL_MATRIX", _STRUCTURE, _MEMBERS)
"""Operator type, structure and members."""


def read_older(desc: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that fill the same diagonal of an input of zeros.

    Raises:
        Error: a field is missing, unknown or not a number.

    >>> read_older({"Offset": -1, "Value": 1.0})
    {'value': 1.0, 'diagonal_fill_begin': -1, 'diagonal_fill_end': 0}
    """
    desc_fields(_STRUCTURE, desc, _MEMBERS, ())
    offset = whole_number("Offset", desc["Offset"])
    with np.errstate(over="ignore"):
        # its Value is a FLOAT
        value = float(np.float32(read_value(desc["Value"])))
    return {"value": value, "diagonal_fill_begin": offset, "diagonal_fill_end": offset + 1}


def write_older(operator: Any, _data_type: str) -> dict[str, Any]:
    """The fields for a DiagonalMatrix that fills one diagonal, the first of those it fills."""
    return {"Offset": operator.diagonal_fill_begin, "Value": operator.value}
