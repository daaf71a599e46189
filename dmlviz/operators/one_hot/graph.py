"""OneHot as ONNX writes it, and in plainer operators."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dmlviz.movement.graphs import FLOW, Constant, Node
from dmlviz.operators.one_hot.layout import INDICES, VALUES, Layout

_INT64, _INT32 = 7, 6
"""ONNX's numbers of the types."""


def written_nodes(layout: Layout, index_type: str) -> tuple[Node, ...]:
    """ONNX's own OneHot, which adds the dimension that its indices lack.

    Args:
        layout: the positions of inputs and outputs.
        index_type: the data type of the indices.
    """
    # ONNX's indices have at least one dimension, which is one too many here
    alone = len(layout.indices) == 1
    inner = (*layout.indices[: layout.axis], *layout.indices[layout.axis + 1 :]) or (1,)
    cast = () if index_type == "INT64" else (Node("Cast", (INDICES,), {"to": _INT64}),)
    return (
        *cast,
        Node("Reshape", (FLOW if cast else INDICES, _whole("inner", inner)), outputs=("places",)),
        Node("Reshape", (VALUES, _whole("two", (-1,))), outputs=("every",)),
        Node(
            "Slice",
            ("every", _whole("starts", (0,)), _whole("ends", (2,))),
            outputs=("off_and_on",),
        ),
        Node(
            "OneHot",
            ("places", _whole("depth", layout.depth), "off_and_on"),
            _axis(1 if alone else layout.axis),
        ),
        *((Node("Reshape", (FLOW, _whole("shape", layout.output))),) if alone else ()),
    )


def plain_nodes(layout: Layout, index_type: str) -> tuple[Node, ...]:
    """Whether each place equals its index, as 0 or 1, then the value with that number.

    Args:
        layout: the positions of inputs and outputs.
        index_type: the data type of the indices.
    """
    return tuple(_plain(layout, index_type))


def _plain(layout: Layout, index_type: str) -> Iterator[Node]:
    along = [1] * len(layout.indices)
    along[layout.axis] = layout.depth
    ends = (_whole("start", 0), _whole("limit", layout.depth), _whole("delta", 1))
    yield Node("Range", ends, outputs=("line",))
    yield Node("Reshape", ("line", _whole("along", along)), outputs=("places",))
    # a copy, so that every type has a named tensor
    cast = Node("Cast", (INDICES,), {"to": _INT64}, ("counted",))
    yield cast
    found = "counted"
    if not index_type.startswith("U"):
        depth = _whole("depth", layout.depth)
        yield Node("Less", (found, _whole("zero", 0)), outputs=("backwards",))
        yield Node("Add", (found, depth), outputs=("from_the_end",))
        yield Node("Where", ("backwards", "from_the_end", found), outputs=("index",))
        found = "index"
    yield Node("Equal", (found, "places"), outputs=("hot",))
    yield Node("Cast", ("hot",), {"to": _INT32}, ("which",))
    yield Node("Reshape", (VALUES, _whole("flat", (-1,))), outputs=("off_and_on",))
    yield Node("Gather", ("off_and_on", "which"), _axis(0))


def _axis(axis: int) -> dict[str, int]:
    return {"axis": axis}


def _whole(name: str, numbers: int | tuple[int, ...] | list[int]) -> Constant:
    return Constant(name, np.array(numbers, np.int64))
