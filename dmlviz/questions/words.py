"""The names of operators, cells and values in questions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.operators import Operator
from dmlviz.operators.slots import VALUES
from dmlviz.tensors import print_sizes, print_value
from dmlviz.tensors.numbering import located, print_all_sizes, print_cell
from dmlviz.tensors.types import Array, Sizes
from dmlviz.trace import Trace
from dmlviz.words import _


def name(operator: Operator) -> str:
    """The operator's name, such as ``DepthToSpace``."""
    return type(operator).__name__


def settings(operator: Operator, but: Collection[str] = ()) -> str:
    """Its settings that matter, with DirectML's names.

    Args:
        operator: with its settings.
        but: names of settings to omit.

    >>> from dmlviz.operators import Padding
    >>> settings(Padding("EDGE", (0, 2), (1, 0)))
    'PaddingMode EDGE, StartPadding {0, 2}, EndPadding {1, 0}'
    """
    now = operator.settings
    parts = []
    for parameter in operator.parameters():
        value = now[parameter.name]
        if parameter.name not in but and parameter.used(now) and not parameter.unspoken(value):
            told = parameter.spell(value) if parameter.ranked else _printed(value)
            parts.append(f"{parameter.label} {told}")
    return ", ".join(parts)


def setup(operator: Operator, sizes: Mapping[str, Sizes]) -> str:
    """The first sentence of a question: the operator and its input."""
    told = settings(operator)
    if not sizes:
        words = _("{operator} with {settings} makes a tensor without an input.")
        return words.format(operator=name(operator), settings=told)
    if not told:
        return runs_on(operator, sizes)
    words = _("{operator} with {settings} runs on {sizes}.")
    if len(sizes) == 1:
        words = _("{operator} with {settings} runs on an input of sizes {sizes}.")
    return words.format(operator=name(operator), settings=told, sizes=print_all_sizes(sizes))


def runs_on(operator: Operator, sizes: Mapping[str, Sizes]) -> str:
    """The operator and its input in a sentence, without settings."""
    words = _("{operator} runs on {sizes}.")
    if len(sizes) == 1:
        words = _("{operator} runs on an input of sizes {sizes}.")
    return words.format(operator=name(operator), sizes=print_all_sizes(sizes))


def sums(operator: Operator, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
    """The calculation of each size of each output; an unchanged size is only its number."""
    return operator.sums(sizes)


def worked(operator: Operator, sizes: Mapping[str, Sizes]) -> list[str]:
    """The calculations that are more than a number."""
    return [text for texts in sums(operator, sizes).values() for text in texts if " = " in text]


def cell(tensor: str, index: Sequence[int]) -> str:
    """An element, such as ``in[0, 3]``."""
    return f"{tensor}[{', '.join(str(i) for i in index)}]"


def source(number: int, travels: Mapping[str, Array]) -> str:
    """The input element with that number, or words that there is none.

    Args:
        number: through all inputs whose elements move; -1 for none.
        travels: these inputs by name.
    """
    if number < 0:
        return _("no input element: the padding value")
    return print_cell(number, travels, "in")


def at(flat: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """The index that belongs to a flat index."""
    return tuple(int(i) for i in np.unravel_index(flat, tuple(sizes)))


def value(number: int, travels: Mapping[str, Array], padding: np.generic | None) -> str:
    """The value of an input element, or the padding value."""
    if number < 0:
        return "0" if padding is None else print_value(padding)
    tensor, index = located(number, travels)
    return print_value(travels[tensor][index])


def travelling(trace: Trace) -> dict[str, Array]:
    """The inputs whose elements move, by name."""
    role = trace.operator.role
    return {name: x for name, x in trace.inputs.items() if role(name) == VALUES}


def given(trace: Trace) -> Any:
    """The input of a question, or all inputs by name."""
    return trace.x if len(trace.inputs) == 1 else dict(trace.inputs)


def _printed(value: Any) -> str:
    if isinstance(value, tuple):
        return print_sizes(value)
    if isinstance(value, float):
        return print_value(np.float32(value))
    return str(value)
