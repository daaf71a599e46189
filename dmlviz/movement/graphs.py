"""An operator written for ONNX: plain data that engines turn into models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.tensors.types import Array

ELEMENT_TYPES = {
    "FLOAT32": 1,
    "UINT8": 2,
    "INT8": 3,
    "UINT16": 4,
    "INT16": 5,
    "INT32": 6,
    "INT64": 7,
    "FLOAT16": 10,
    "FLOAT64": 11,
    "UINT32": 12,
    "UINT64": 13,
}
"""ONNX's numbers of data types, by DirectML's names. Source: TensorProto.DataType in onnx.proto."""

BOOL = 9
"""ONNX's number of the type that comparisons give; DirectML has no such type."""


@dataclass(frozen=True, eq=False)
class Constant:
    """A constant tensor of a graph.

    Attributes:
        name: ONNX's name of the input, such as ``pads``.
        values: its elements.
        written: the tensors of indices, or the masks, that a person wrote and that it was made of:
            one for all, or one for each of a tuple's numbers, of which a mask of several
            dimensions takes several. A formula looks them up, even where arithmetic would give
            the same.
    """

    name: str
    values: Array
    written: tuple[Array, ...] = ()

    @property
    def typed(self) -> bool:
        """Whether a person wrote its numbers."""
        return bool(self.written)


FLOW = ""
"""As a node's input: the first output of the node before; for the first, the graph's input."""

LEFT_OUT = "\0"
"""As a node's input: none at its place."""


@dataclass(frozen=True, eq=False)
class Node:
    """One ONNX node.

    Attributes:
        op_type: ONNX's name, default domain.
        inputs: in order: tensors of the operator by name, outputs of earlier nodes,
            :data:`FLOW`, :data:`LEFT_OUT`, or constants.
        attributes: by ONNX's names; a tensor is a constant.
        outputs: names; empty for one output that the next node takes as :data:`FLOW`, or
            that is the operator's own output if there is no next node.
    """

    op_type: str
    inputs: tuple[str | Constant, ...] = (FLOW,)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Graph:
    """Nodes that do what an operator does.

    Attributes:
        form: ``"native"`` for ONNX's own operator, ``"lowered"`` for others that
            do exactly the same.
        nodes: first to last.
        opset: the lowest opset of the default domain that has all of them.
        cpu_types: the data types for which ONNX Runtime's CPU provider runs a native graph bit
            for bit in every supported version.
        cpu_from: the version of ONNX Runtime from which its CPU provider answers this native
            graph with the tensor's own elements or refuses; empty if all versions do.
        directml_changes: the data types for which DirectML's provider does not run a native graph
            bit for bit: it makes signaling NaNs quiet.
    """

    form: str
    nodes: tuple[Node, ...]
    opset: int = 13
    cpu_types: frozenset[str] = frozenset()
    cpu_from: str = ""
    directml_changes: frozenset[str] = frozenset()

    def wired(self, start: str, end: str) -> Iterator[Node]:
        """The nodes with a name for every tensor.

        Args:
            start: the graph's input that the first :data:`FLOW` refers to; empty if there are none.
            end: the graph's output that the last node without output names makes.
        """
        flow = start
        for k, node in enumerate(self.nodes):
            inputs = tuple(flow if item == FLOW else item for item in node.inputs)
            last = k == len(self.nodes) - 1
            outputs = node.outputs or (end if last else f"{node.op_type}_{k}_out",)
            flow = outputs[0]
            yield Node(node.op_type, inputs, node.attributes, outputs)


def cast(tensor: str, data_type: str, output: str = "") -> Node:
    """The conversion of a tensor to one of DirectML's data types.

    >>> cast("IndicesTensor", "INT64").attributes
    {'to': 7}
    """
    to = {"to": ELEMENT_TYPES[data_type]}
    return Node("Cast", (tensor,), to, (output,) if output else ())


def gathers(places: Sequence[tuple[int, Array]]) -> tuple[Node, ...]:
    """One Gather per axis: output place k along the axis copies input place ``places[k]``.

    Indices are INT32, which holds every place of an axis here; DirectML's provider and the CPU's
    also take INT64.
    """
    return tuple(
        Node("Gather", (FLOW, Constant("indices", np.asarray(index, np.int32))), {"axis": axis})
        for axis, index in places
    )
