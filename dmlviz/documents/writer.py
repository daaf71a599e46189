"""A state of an explorer as a documentation example, which the reader reads back."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlviz.operators import Operator
from dmlviz.tensors import print_sizes, print_tensor, print_value

Array = np.ndarray[Any, Any]


def write_example(operator: Operator, x: Array, output: Array, *, named: bool = True) -> str:
    """An example in the style of DirectML's pages.

    Args:
        operator: with its settings.
        x: the input, any of the 11 data types.
        output: what an engine gave for it.
        named: whether the structure's name stands first, so that the text says by itself
            which operator it is about.

    >>> from dmlviz.operators import Tile
    >>> print(write_example(Tile((2,)), np.int8([7]), np.int8([7, 7]), named=False))
    RepeatsCount: 1
    Repeats: {2}
    <BLANKLINE>
    InputTensor: (Sizes:{1}, DataType:INT8)
    [7]
    <BLANKLINE>
    OutputTensor: (Sizes:{2}, DataType:INT8)
    [7, 7]
    """
    fields = [f"{name}: {_value(value)}" for name, value in operator.documented.items()]
    parts = [operator.structure] if named else []
    parts += ["\n".join(fields), print_tensor("InputTensor", x)]
    parts.append(print_tensor("OutputTensor", output))
    return "\n\n".join(parts)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return print_sizes(value)
    return value if isinstance(value, str) else print_value(value)
