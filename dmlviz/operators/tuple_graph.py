"""Tensors of tuples in ONNX: only INT64 indices, without dimensions that do not count."""

from __future__ import annotations

import numpy as np

from dmlviz.movement.graphs import FLOW, Constant, Node
from dmlviz.operators.indices import INDICES, INPUT
from dmlviz.operators.tuples import Tuples

_INT64 = 7
"""ONNX's number of the type."""

Sizes = tuple[int, ...]


def counted_nodes(tuples: Tuples, index_type: str) -> tuple[list[Node], tuple[str, str]]:
    """The nodes that drop dimensions that do not count, and the names of input and indices after.

    Args:
        tuples: what the tuples select.
        index_type: the data type of IndicesTensor.
    """
    nodes, x, indices = [], INPUT, INDICES
    if tuples.inner != tuples.sizes:
        x = "counted"
        nodes.append(Node("Reshape", (INPUT, shape_of(tuples.inner)), outputs=(x,)))
    if index_type != "INT64":
        nodes.append(Node("Cast", (indices,), {"to": _INT64}, ("whole",)))
        indices = "whole"
    inner = (*cells_of(tuples), tuples.length)
    if inner != tuples.indices:
        nodes.append(Node("Reshape", (indices, shape_of(inner)), outputs=("tuples",)))
        indices = "tuples"
    return nodes, (x, indices)


def cells_of(tuples: Tuples) -> Sizes:
    """The sizes of the tensor of tuples; {1} for one tuple alone.

    DirectML takes no tensor without dimensions, which is what one tuple selects that has an index
    for each dimension.
    """
    return tuples.cells or (1,)


def ranked_nodes(exact: Sizes, output: Sizes) -> list[Node]:
    """The node that gives the output its own rank, if it needs one."""
    return [Node("Reshape", (FLOW, shape_of(output)))] if exact != output else []


def shape_of(sizes: Sizes) -> Constant:
    """Sizes as ONNX takes them."""
    return Constant("shape", np.array(sizes, np.int64))
