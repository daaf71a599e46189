"""Real numbers that DirectML stores as FLOAT: reading, and writing with the fewest digits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from dmlviz.errors import Error
from dmlviz.tensors import shown
from dmlviz.words import _


def single(value: float) -> float:
    """The FLOAT nearest to a number, as the shortest decimal number that rounds to it.

    >>> single(0.1), single(float(np.float32(0.1))), single(1 / 3), single(1e39)
    (0.1, 0.1, 0.33333334, inf)
    """
    with np.errstate(over="ignore"):
        nearest = np.float32(value)
    # no minus before 0: it has no meaning here
    short = float(str(nearest)) + 0.0
    return short if np.float32(short) == nearest else float(nearest)


def real_numbers(field: str, values: Any) -> tuple[float, ...]:
    """A tuple of FLOATs from any sequence of real numbers.

    Raises:
        Error: it is not one; ``problems`` checks the numbers themselves.
    """
    try:
        if isinstance(values, str | bytes) or not isinstance(values, Iterable):
            raise TypeError
        return tuple(single(_real(value)) for value in values)
    except (TypeError, ValueError, OverflowError):
        raise Error(
            _("{field}: {value} is not a list of real numbers.").format(
                field=field, value=shown(values)
            ),
            field,
        ) from None


def _real(value: Any) -> float:
    if isinstance(value, bool | np.bool_ | str | bytes):
        raise TypeError
    return float(value)
