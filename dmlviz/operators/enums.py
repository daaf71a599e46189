"""Members of DirectML's enumerations, in any common spelling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dmlviz.errors import Error
from dmlviz.operators.checks import whole_number
from dmlviz.tensors import shown
from dmlviz.words import _


def member(field: str, value: Any, enumeration: str, names: Sequence[str]) -> str:
    """A member's short name from its name, DirectML's full name, or its number.

    Args:
        field: its name in messages.
        value: the text or number given.
        enumeration: DirectML's, such as ``DML_AXIS_DIRECTION``.
        names: its members in order.

    Raises:
        Error: it is not one of them.

    >>> member("", "dml_axis_direction_increasing", "DML_AXIS_DIRECTION", ("INCREASING",))
    'INCREASING'
    """
    if isinstance(value, str):
        name = value.strip().upper().removeprefix(f"{enumeration}_")
        if name in names:
            return name
    else:
        try:
            number = whole_number(field, value)
        except Error:
            number = -1
        if 0 <= number < len(names):
            return names[number]
    raise Error(
        _("{field}: {value} is not one of {options}.").format(
            field=field, value=shown(value), options=", ".join(names)
        ),
        field,
    )
