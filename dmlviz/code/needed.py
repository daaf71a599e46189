"""Which tensors and nodes of code that was read its outputs need."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.code.calls import CodeReading
from dmlviz.movement.graphs import Node
from dmlviz.tensors.types import Sizes


def live(reading: CodeReading) -> set[str]:
    """The tensors that an output is made of, the inputs included."""
    live = {tensor.name for tensor in reading.outputs.values()}
    for made in reversed(reading.builder.nodes):
        if live & {*made.node.outputs}:
            live |= {item for item in made.node.inputs if isinstance(item, str)}
    return live


def reached(reading: CodeReading, inputs: set[str]) -> set[str]:
    """These inputs, and the tensors made of them."""
    reached = set(inputs)
    for made in reading.builder.nodes:
        if reached & {item for item in made.node.inputs if isinstance(item, str)}:
            reached |= {*made.node.outputs}
    return reached


def renumbered(inputs: Mapping[str, Sizes], controls: set[str]) -> Any:
    """A function that counts elements without those of the controls."""
    if not controls:
        return lambda numbers: numbers
    moves = np.concatenate(
        [np.full(math.prod(sizes), name not in controls) for name, sizes in inputs.items()]
    )
    new = np.cumsum(moves) - 1
    return lambda numbers: np.where(numbers >= 0, new[np.maximum(numbers, 0)], numbers)


def needed(nodes: Sequence[Node], tensors: Iterable[str], inputs: Iterable[str]) -> list[Node]:
    """The nodes that make tensors of these inputs, in order."""
    start = set(inputs)
    due, needed = set(tensors) - start, []
    for node in reversed(nodes):
        if due & {*node.outputs}:
            needed.append(node)
            due |= {item for item in node.inputs if isinstance(item, str)} - start
    return needed[::-1]
