"""How questions speak of operators, cells and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dmlviz.operators import Operator
from dmlviz.tensors import print_sizes, print_value
from dmlviz.words import _

Array = np.ndarray[Any, Any]


def name(operator: Operator) -> str:
    """The operator's name, such as ``DepthToSpace``."""
    return type(operator).__name__


def settings(operator: Operator) -> str:
    """Its settings in DirectML's words, those that matter.

    >>> from dmlviz.operators import Padding
    >>> settings(Padding("EDGE", (0, 2), (1, 0)))
    'PaddingMode EDGE, StartPadding {0, 2}, EndPadding {1, 0}'
    """
    now = operator.settings
    parts = []
    for parameter in operator.parameters():
        value = now[parameter.name]
        if parameter.used(now) and not parameter.unspoken(value):
            parts.append(f"{parameter.label} {_printed(value)}")
    return ", ".join(parts)


def setup(operator: Operator, sizes: Sequence[int]) -> str:
    """The first sentence of a question: what runs on what."""
    return _("{operator} with {settings} runs on an input of sizes {sizes}.").format(
        operator=name(operator), settings=settings(operator), sizes=print_sizes(sizes)
    )


def sums(operator: Operator, sizes: Sequence[int]) -> tuple[str, ...]:
    """How each size of the output is worked out; an unchanged one is just the number."""
    return next(iter(operator.sums(operator.named_inputs(sizes)).values()))


def cell(tensor: str, index: Sequence[int]) -> str:
    """An element, such as ``in[0, 3]``."""
    return f"{tensor}[{', '.join(str(i) for i in index)}]"


def source(flat: int, sizes: Sequence[int]) -> str:
    """The input element of a flat index, or that there is none."""
    if flat < 0:
        return _("no input element: the padding value")
    return cell("in", at(flat, sizes))


def at(flat: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """The index of a flat index."""
    return tuple(int(i) for i in np.unravel_index(flat, tuple(sizes)))


def value(flat: int, x: Array, padding: np.generic | None) -> str:
    """The value of an input element, or the padding value."""
    if flat < 0:
        return "0" if padding is None else print_value(padding)
    return print_value(x.flat[flat])


def _printed(value: Any) -> str:
    if isinstance(value, tuple):
        return print_sizes(value)
    if isinstance(value, float):
        return print_value(np.float32(value))
    return str(value)
