"""How an operator is written for ONNX: plain data, which engines turn into models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Node:
    """One ONNX node in a chain; its first input is what the node before it gave.

    Attributes:
        op_type: ONNX's name, default domain.
        constants: further inputs, in order; an empty one is left out.
        attributes: by ONNX's names.
        before: constants that stand before the data, for Concat.
    """

    op_type: str
    constants: tuple[Array, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    before: tuple[Array, ...] = ()


@dataclass(frozen=True, eq=False)
class Graph:
    """A chain of nodes that does what an operator does.

    Attributes:
        form: ``"native"`` where it is ONNX's own operator, ``"lowered"`` where it is others that
            do exactly the same.
        nodes: first to last.
        opset: the lowest opset of the default domain that has all of them.
    """

    form: str
    nodes: tuple[Node, ...]
    opset: int = 13


def gathers(places: Sequence[tuple[int, Array]]) -> tuple[Node, ...]:
    """One Gather per axis: output place k along the axis holds input place ``places[k]``.

    Indices are INT32, which hold every place of an axis here; DirectML's provider and the CPU's
    take INT64 ones too.
    """
    return tuple(
        Node("Gather", (np.asarray(index, np.int32),), {"axis": axis}) for axis, index in places
    )


def folds_beyond(graph: Graph, sizes: tuple[int, ...]) -> bool:
    """Whether a Pad folds where versions differ, refuse, or read beyond the tensor.

    Reflection beyond size - 1 gives memory of others before 1.25 and a refusal since; wrap is
    wrong beyond twice the size before 1.31.
    """
    for node in graph.nodes:
        mode = node.attributes.get("mode", "")
        if node.op_type != "Pad" or mode not in ("reflect", "wrap"):
            continue
        pads = node.constants[0]
        rank = len(sizes)
        for d, n in enumerate(sizes):
            most = int(max(pads[d], pads[d + rank]))
            if most > n - 1 or (most and n == 1):
                return True
    return False
