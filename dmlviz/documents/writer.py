"""A state of an explorer as a documentation example, which the reader reads back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dmlviz.documents.naming import count_members
from dmlviz.operators import Operator
from dmlviz.operators.slots import by_name
from dmlviz.tensors import print_tensor, print_value

Array = np.ndarray[Any, Any]


def write_example(operator: Operator, inputs: Any, outputs: Any, *, named: bool = True) -> str:
    """An example in the style of DirectML's pages.

    Args:
        operator: with its settings.
        inputs: the input, any of the 11 data types; where there may be several, all of them by
            DirectML's names.
        outputs: what an engine gave for them, likewise.
        named: whether the structure's name stands first, so that the text says by itself
            which operator it is about.

    Raises:
        Error: a tensor is missing or unknown.

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
    tensors = operator.named_inputs(inputs, "x") | by_name(operator.output_slots, outputs, "output")
    fields = _counts(operator, tensors) | operator.documented
    parts = [operator.structure] if named else []
    if fields:
        parts.append("\n".join(f"{name}: {_value(value)}" for name, value in fields.items()))
    for name, tensor in tensors.items():
        told = operator.buffers.get(name)
        parts.append(print_tensor(name, tensor, *((told.sizes, told.strides) if told else ())))
    return "\n\n".join(parts)


def _counts(operator: Operator, tensors: Mapping[str, Array]) -> dict[str, int]:
    """How many tensors the lists have."""
    return {
        count: sum(tensor.startswith(f"{name}[") for tensor in tensors)
        for name, count in count_members(type(operator)).items()
    }


def _value(value: Any) -> str:
    if isinstance(value, list):
        return "{" + ", ".join(map(print_value, value)) + "}"
    return value if isinstance(value, str) else print_value(value)
