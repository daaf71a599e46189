"""Operators as ONNX models: the operator's tensors are the graph's inputs and outputs.

The fields of a model that graphs here need are written as protocol buffers. Source: onnx.in.proto
of ONNX and "Encoding" at protobuf.dev. Fields are in the order in which the onnx package writes
them, so that files are the same, byte for byte.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.base.errors import EngineRefused
from dmlviz.base.words import _
from dmlviz.engines.base import Inputs
from dmlviz.movement import VALUES
from dmlviz.movement.graphs import BOOL, ELEMENT_TYPES, LEFT_OUT, Constant, Node
from dmlviz.movement.nodes import all_tensors
from dmlviz.operators import Graph, Operator
from dmlviz.operators.slots import TensorDesc, descs_of

IR_VERSION = 8
"""A version that every supported runtime loads; the newest may be too new for one."""

PRODUCER = "dmlviz"

# wire types: how a field is written
_VARINT, _BYTES, _FLOAT = 0, 2, 5

# AttributeProto.AttributeType
_ONE_FLOAT, _ONE_INT, _ONE_STRING, _TENSOR, _FLOATS, _INTS, _STRINGS = 1, 2, 3, 4, 6, 7, 8


def build(operator: Operator, inputs: Inputs, graph: Graph) -> bytes:
    """The model that runs ``graph`` on inputs of these sizes and types, serialized.

    Tensors are graph inputs, never initializers: a model with only initializers is folded away on
    the CPU before any provider sees it.
    """
    descs = descs_of(inputs)
    outputs = operator.output_descs(descs)
    nodes = graph.wired(next(iter(descs), ""), next(iter(outputs)))
    return model_bytes(operator.operator_type, tuple(nodes), descs, outputs, graph.opset)


def dimension_counts(operator: Operator, inputs: Inputs, graph: Graph) -> dict[str, int]:
    """How many dimensions each tensor of a graph has, by name, constants included: no runtime."""
    outputs = tuple(operator.output_descs(descs_of(inputs)))
    # the elements that move have no part in it: one zero stands for all of them
    smallest = {
        name: np.broadcast_to(np.int8(0), x.shape) if operator.role(name) == VALUES else x
        for name, x in inputs.items()
    }
    tensors = all_tensors(graph, smallest, outputs)
    constants = {
        f"{node.op_type}_{k}_{item.name}": item.values
        for k, node in enumerate(graph.nodes)
        for item in node.inputs
        if isinstance(item, Constant)
    }
    return {name: np.ndim(x) for name, x in {**constants, **tensors}.items()}


def written_or_lowered(operator: Operator, inputs: Inputs, form: str, exact: bool) -> Graph | None:
    """The graph to run.

    Args:
        operator: what to run.
        inputs: its tensors by name.
        form: ``"native"`` or ``"lowered"`` to require one, otherwise empty.
        exact: whether the engine runs the operator as written exactly.

    Returns:
        None if the required form does not exist.
    """
    descs = descs_of(inputs)
    written = operator.native_graph(descs)
    if form == "native":
        return written
    if form != "lowered" and written is not None and exact:
        return written
    return operator.lowered_graph(descs)


def model_to_run(
    name: str,
    operator: Operator,
    inputs: Inputs,
    form: str,
    exact: bool,
    most: int | None = None,
) -> tuple[bytes, Graph]:
    """The serialized model for an engine to run, and the graph that it was made from.

    Args:
        name: the engine's name, for the error message.
        operator, inputs, form, exact: as in :func:`written_or_lowered`.
        most: the limit of dimensions of a tensor in the engine; None if it has none.

    Raises:
        EngineRefused: the required form does not exist, or has a tensor of more dimensions.
    """
    graph = written_or_lowered(operator, inputs, form, exact)
    if graph is None:
        raise EngineRefused(
            _("{engine}: ONNX has no operator for {operator} with these settings.").format(
                engine=name, operator=operator.operator_type
            ),
            "engine",
        )
    if most is not None and (
        (count := max(dimension_counts(operator, inputs, graph).values())) > most
    ):
        raise EngineRefused(
            _(
                "{engine}: with these sizes and settings, {operator} as ONNX needs a tensor of "
                "{count} dimensions; {engine} takes at most {most} dimensions."
            ).format(engine=name, operator=operator.operator_type, count=count, most=most),
            "engine",
        )
    return build(operator, inputs, graph), graph


def model_file(operator: Operator, inputs: Inputs) -> bytes:
    """The ONNX model of a state: ONNX's own operator if there is one, otherwise the lowering."""
    # some versions would answer it with unrelated memory, so nobody should run it
    written = operator.native_graph(descs_of(inputs))
    graph = written_or_lowered(operator, inputs, "", written is not None and not written.cpu_from)
    assert graph is not None
    return build(operator, inputs, graph)


def model_bytes(
    name: str,
    nodes: Sequence[Node],
    inputs: Mapping[str, TensorDesc],
    outputs: Mapping[str, TensorDesc],
    opset: int,
) -> bytes:
    """A model of one graph, serialized.

    Args:
        name: of the graph.
        nodes: with a name for every tensor, as :meth:`dmlviz.movement.graphs.Graph.wired` gives
            them; their constants become initializers.
        inputs, outputs: of the graph, in order.
        opset: of ONNX's default domain.
    """
    written, initializers = [], []
    for k, node in enumerate(nodes):
        names: list[str] = []
        for item in node.inputs:
            if isinstance(item, Constant):
                names.append(f"{node.op_type}_{k}_{item.name}_{len(names)}")
                initializers.append(_tensor(item.values, names[-1]))
            else:
                names.append("" if item == LEFT_OUT else item)
        written.append(_node(node, f"{node.op_type}_{k}", names))
    graph = b"".join(
        (
            *(_message(1, node) for node in written),
            _message(2, name.encode()),
            *(_message(5, tensor) for tensor in initializers),
            *(_message(11, _value_info(name, desc)) for name, desc in inputs.items()),
            *(_message(12, _value_info(name, desc)) for name, desc in outputs.items()),
        )
    )
    opset_import = _message(1, b"") + _number(2, opset)
    return b"".join(
        (
            _number(1, IR_VERSION),
            _message(2, PRODUCER.encode()),
            _message(7, graph),
            _message(8, opset_import),
        )
    )


def _node(node: Node, name: str, inputs: Sequence[str]) -> bytes:
    attributes = sorted((key, v) for key, v in node.attributes.items() if v is not None)
    return b"".join(
        (
            *(_message(1, tensor.encode()) for tensor in inputs),
            *(_message(2, tensor.encode()) for tensor in node.outputs),
            _message(3, name.encode()),
            _message(4, node.op_type.encode()),
            *(_message(5, _attribute(key, value)) for key, value in attributes),
        )
    )


def _tensor(values: Any, name: str) -> bytes:
    array = np.asarray(values)
    kind = BOOL if array.dtype == bool else ELEMENT_TYPES[array.dtype.name.upper()]
    little_endian = array.astype(array.dtype.newbyteorder("<"))
    return b"".join(
        (
            *(_number(1, int(n)) for n in array.shape),
            _number(2, kind),
            _message(8, name.encode()),
            _message(9, little_endian.tobytes()),
        )
    )


def _attribute(name: str, value: Any) -> bytes:
    """An attribute whose values are all whole numbers, all numbers, or all text; or a tensor."""
    if isinstance(value, Constant):
        tensor = _message(5, _tensor(value.values, value.name))
        return b"".join((_message(1, name.encode()), tensor, _number(20, _TENSOR)))
    several = isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)
    values = list(value) if several else [value]
    if all(isinstance(v, int | np.integer) for v in values):
        kind = _INTS if several else _ONE_INT
        written = [_number(8 if several else 3, int(v)) for v in values]
    elif all(isinstance(v, str) for v in values):
        kind = _STRINGS if several else _ONE_STRING
        written = [_message(9 if several else 4, v.encode()) for v in values]
    else:
        kind = _FLOATS if several else _ONE_FLOAT
        written = [_key(7 if several else 2, _FLOAT) + struct.pack("<f", v) for v in values]
    return b"".join((_message(1, name.encode()), *written, _number(20, kind)))


def _value_info(name: str, desc: TensorDesc) -> bytes:
    shape = b"".join(_message(1, _number(1, int(n))) for n in desc.sizes)
    tensor = _number(1, ELEMENT_TYPES[desc.data_type]) + _message(2, shape)
    return _message(1, name.encode()) + _message(2, _message(1, tensor))


def _message(field: int, data: bytes) -> bytes:
    return _key(field, _BYTES) + _varint(len(data)) + data


def _number(field: int, n: int) -> bytes:
    return _key(field, _VARINT) + _varint(n)


def _key(field: int, wire_type: int) -> bytes:
    return _varint(field << 3 | wire_type)


def _varint(n: int) -> bytes:
    """Seven bits a byte, the lowest first; negative numbers as 64 bits."""
    n &= (1 << 64) - 1
    written = bytearray()
    while n > 0x7F:
        written.append(n & 0x7F | 0x80)
        n >>= 7
    written.append(n)
    return bytes(written)
