"""InterpolationMode and RoundingDirection."""

from __future__ import annotations

from typing import Any

from dmlviz.errors import Error
from dmlviz.operators.enums import member
from dmlviz.words import _

NEAREST, _LINEAR = "NEAREST_NEIGHBOR", "LINEAR"
MODE = "DML_INTERPOLATION_MODE"
DIRECTION = "DML_AXIS_DIRECTION"
UP, DOWN = "INCREASING", "DECREASING"


def read_mode(value: Any, field: str = "interpolation_mode") -> str:
    """The mode's short name, from any spelling.

    Raises:
        Error: it is not a mode, or not the one whose outputs are copies.
    """
    found = member(field, value, MODE, (NEAREST, _LINEAR))
    if found == _LINEAR:
        raise Error(
            _(
                "{field}: LINEAR is not shown: it averages neighbors, so no element is a copy. "
                "NEAREST_NEIGHBOR copies."
            ).format(field=field),
            field,
        )
    return found


def read_direction(value: Any) -> str:
    """The direction's short name, from any spelling.

    Raises:
        Error: it is none.
    """
    return member("rounding_direction", value, DIRECTION, (UP, DOWN))
