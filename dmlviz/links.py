"""A state of an explorer as an address, and back.

The words of the address are those of Python and DirectML: ``/tile?sizes=1,1,2,3&
data_type=FLOAT32&values=own&literal=[...]&repeats=1,1,3,3``.  Everything read from an
address is text from outside: it is parsed by the readers that check typed text.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from dmlviz.errors import Error
from dmlviz.operators import Operator
from dmlviz.tensors import check_element_count, data_type_of, print_literal, shown
from dmlviz.trace import as_input
from dmlviz.words import _

LINK_LIMIT = 4_096
"""The most elements whose own values fit an address: browsers and servers cut longer ones."""

VIEW = ("feature_level",)


def link(operator: Operator, x: Any, **view: Any) -> str:
    """The address, from the app's root on, that opens ``operator`` on ``x``.

    Args:
        operator: with its settings.
        x: the input; at most 4,096 elements.
        view: ``feature_level``.

    Raises:
        TooLarge: ``x`` has more elements than an address carries.
        Error: ``x`` is not a tensor, or a word of ``view`` is unknown.

    >>> import numpy as np
    >>> from dmlviz.operators import Tile
    >>> link(Tile((2,)), np.array([7, 8], np.uint8))
    '/tile?sizes=2&data_type=UINT8&values=own&literal=%5B7%2C+8%5D&repeats=2'
    """
    x = as_input(x)
    check_element_count(x.shape, LINK_LIMIT, "x")
    for name in view:
        if name not in VIEW:
            raise Error(
                _("{name} is not a part of a view; those are {names}.").format(
                    name=shown(name), names=", ".join(VIEW)
                ),
                name,
            )
    parts = {
        "sizes": ",".join(map(str, x.shape)),
        "data_type": data_type_of(x.dtype),
        "values": "own",
        "literal": " ".join(print_literal(x).split()),
        **{name: write(value) for name, value in operator.settings.items()},
        **{name: str(value) for name, value in view.items() if value is not None},
    }
    return f"/{operator.key}?{urlencode(parts)}"


def write(value: Any) -> str:
    """A setting as text, as the page reads it."""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if isinstance(value, float) and value.is_integer() and str(value) != "-0.0":
        return str(int(value))
    return str(value)
