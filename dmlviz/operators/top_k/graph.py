"""TopK as ONNX writes it, and in types that every runtime sorts."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlviz.movement.graphs import FLOW, Constant, Node
from dmlviz.operators.top_k.picking import INDICES, INPUT, VALUES, Picking

NATIVE = frozenset({"FLOAT32", "FLOAT16", "INT32", "INT64"})
"""The data types that ONNX Runtime's CPU provider sorts in every supported version."""

_TYPES = {"INT32": 6, "INT64": 7, "UINT32": 12, "UINT64": 13}
"""ONNX's numbers of the types."""


def written_nodes(picking: Picking, index_type: str) -> tuple[Node, ...]:
    """ONNX's TopK, whose indices are INT64.

    Args:
        picking: the elements to pick.
        index_type: their data type.
    """
    return (_top_k(picking, INPUT, (VALUES, "places")), _cast("places", index_type, INDICES))


def plain_nodes(picking: Picking, data_type: str, index_type: str) -> tuple[Node, ...]:
    """The same on numbers of a sortable type in the same order, converted back at the end.

    Args:
        picking: the elements to pick.
        data_type: of the input.
        index_type: the data type of the indices.
    """
    nodes = tuple(_sorted_as(data_type))
    flow = FLOW if nodes else INPUT
    return (
        *nodes,
        _top_k(picking, flow, ("picked", "places")),
        Node("GatherElements", (INPUT, "places"), {"axis": picking.axis}, (VALUES,)),
        _cast("places", index_type, INDICES),
    )


def _sorted_as(data_type: str) -> Iterator[Node]:
    """The nodes that turn the input into numbers in the same order."""
    if data_type == "UINT64":
        # as wide as INT64, half of which is below 0; older runtimes add no UINT64
        yield _cast(INPUT, "INT64", "turned")
        half = Constant("half", np.array(-(1 << 63), np.int64))
        yield Node("Add", ("turned", half))
    elif data_type == "UINT32":
        yield _cast(INPUT, "INT64", "")
    elif data_type not in NATIVE:
        yield _cast(INPUT, "INT32", "")


def _top_k(picking: Picking, flow: str, outputs: tuple[str, str]) -> Node:
    k = Constant("k", np.array([picking.k], np.int64))
    attributes = {"axis": picking.axis, "largest": int(picking.largest), "sorted": 1}
    return Node("TopK", (flow, k), attributes, outputs)


def _cast(tensor: str, data_type: str, output: str) -> Node:
    return Node("Cast", (tensor,), {"to": _TYPES[data_type]}, (output,) if output else ())
