"""ONNX's file format: the fields of a model that graphs here need, as protocol buffers.

Source: onnx.in.proto of ONNX and "Encoding" at protobuf.dev. Fields are in the order in which
the onnx package writes them, so that files are the same, byte for byte.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.movement.graphs import BOOL, ELEMENT_TYPES, Constant, Node
from dmlviz.operators.slots import TensorDesc

IR_VERSION = 8
"""A version that every supported runtime loads; the newest may be too new for one."""

PRODUCER = "dmlviz"

# wire types: how a field is written
_VARINT, _BYTES, _FLOAT = 0, 2, 5

# AttributeProto.AttributeType
_ONE_FLOAT, _ONE_INT, _ONE_STRING, _TENSOR, _FLOATS, _INTS, _STRINGS = 1, 2, 3, 4, 6, 7, 8


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
                names.append(item)
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
