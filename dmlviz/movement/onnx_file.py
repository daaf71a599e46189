"""The fields of an ONNX file, in one table for what is read and what is written.

Source: onnx.in.proto of ONNX and "Encoding" at protobuf.dev. Only the fields that graphs here need
are in the table, in the order in which the onnx package writes them, so that files are the same,
byte for byte.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from typing import Any

NUMBER, NUMBERS, FLOAT, FLOATS, BYTES, TEXT, TEXTS = (
    *("number", "numbers", "float", "floats", "bytes", "text", "texts"),
)
"""The kinds of fields that are no messages. A plural is a field that is there several times; so is
that of a message whose name ends in ``*``."""

MESSAGES: Mapping[str, Mapping[str, tuple[int, str]]] = {
    "Model": {
        "ir_version": (1, NUMBER),
        "producer_name": (2, TEXT),
        "graph": (7, "Graph"),
        "opset_import": (8, "OperatorSet*"),
        "functions": (25, "Function*"),
    },
    "OperatorSet": {"domain": (1, TEXT), "version": (2, NUMBER)},
    "Graph": {
        "node": (1, "Node*"),
        "name": (2, TEXT),
        "initializer": (5, "Tensor*"),
        "input": (11, "ValueInfo*"),
        "output": (12, "ValueInfo*"),
        "value_info": (13, "ValueInfo*"),
    },
    "Node": {
        "input": (1, TEXTS),
        "output": (2, TEXTS),
        "name": (3, TEXT),
        "op_type": (4, TEXT),
        "attribute": (5, "Attribute*"),
        "domain": (7, TEXT),
    },
    "Attribute": {
        "name": (1, TEXT),
        "f": (2, FLOAT),
        "i": (3, NUMBER),
        "s": (4, TEXT),
        "t": (5, "Tensor"),
        "g": (6, "Graph"),
        "floats": (7, FLOATS),
        "ints": (8, NUMBERS),
        "strings": (9, TEXTS),
        "graphs": (11, "Graph*"),
        "type": (20, NUMBER),
    },
    "Tensor": {
        "dims": (1, NUMBERS),
        "data_type": (2, NUMBER),
        "float_data": (4, FLOATS),
        "int32_data": (5, NUMBERS),
        "int64_data": (7, NUMBERS),
        "name": (8, TEXT),
        "raw_data": (9, BYTES),
        "double_data": (10, FLOATS),
        "uint64_data": (11, NUMBERS),
        "data_location": (14, NUMBER),
    },
    "ValueInfo": {"name": (1, TEXT), "type": (2, "Type")},
    "Type": {"tensor_type": (1, "TensorType")},
    "TensorType": {"elem_type": (1, NUMBER), "shape": (2, "Shape")},
    "Shape": {"dim": (1, "Dimension*")},
    "Dimension": {"dim_value": (1, NUMBER), "dim_param": (2, TEXT)},
}
"""By the message, the number and the kind of each field."""

ATTRIBUTE_TYPES = {"f": 1, "i": 2, "s": 3, "t": 4, "g": 5, "floats": 6, "ints": 7, "strings": 8}
"""AttributeProto.AttributeType, by the field that has the value."""

EXTERNAL = 1
"""TensorProto.DataLocation of elements in another file."""

# wire types: how a field is written
_VARINT, _FIXED64, _DELIMITED, _FIXED32 = 0, 1, 2, 5

_NAMES = {
    message: {number: (name, kind) for name, (number, kind) in fields.items()}
    for message, fields in MESSAGES.items()
}


class DamagedFile(ValueError):
    """Bytes that are no message of this kind."""


def encoded(message: str, values: Mapping[str, Any]) -> bytes:
    """A message, serialized.

    Args:
        message: a key of :data:`MESSAGES`.
        values: by the field. A message is bytes; of a field that is there several times, a list.
    """
    parts: list[bytes] = []
    for name, (number, kind) in MESSAGES[message].items():
        if name in values:
            several = kind in (NUMBERS, FLOATS, TEXTS) or kind.endswith("*")
            for value in values[name] if several else (values[name],):
                parts.append(_written_field(number, kind, value))
    return b"".join(parts)


def _written_field(number: int, kind: str, value: Any) -> bytes:
    if kind in (NUMBER, NUMBERS):
        return _key(number, _VARINT) + _varint(int(value))
    if kind in (FLOAT, FLOATS):
        return _key(number, _FIXED32) + struct.pack("<f", value)
    data = value.encode() if isinstance(value, str) else value
    return _key(number, _DELIMITED) + _varint(len(data)) + data


def _key(number: int, wire_type: int) -> bytes:
    return _varint(number << 3 | wire_type)


def _varint(n: int) -> bytes:
    """Seven bits a byte, the lowest first; negative numbers as 64 bits."""
    n &= (1 << 64) - 1
    made = bytearray()
    while n > 0x7F:
        made.append(n & 0x7F | 0x80)
        n >>= 7
    made.append(n)
    return bytes(made)


def fields(message: str, data: Any, count: Callable[[], None]) -> Iterator[tuple[str, Any]]:
    """The fields of a message that are in the table; others are passed over, unread.

    Args:
        message: a key of :data:`MESSAGES`.
        data: its bytes: a memoryview, or what is indexed and sliced as one.
        count: called for each field, also for others.

    Yields:
        A name, and a number or bytes: those of a number of a fixed width, of several numbers
        together, of a text or of a message.

    Raises:
        DamagedFile: a field has no end, or is of another kind.
    """
    names, at, end = _NAMES[message], 0, len(data)
    while at < end:
        count()
        key, at = read_varint(data, at)
        value: Any
        match key & 7:
            case 0:
                value, at = read_varint(data, at)
            case 1 | 2 | 5 as wire_type:
                size = {_FIXED64: 8, _FIXED32: 4}.get(wire_type)
                if size is None:
                    size, at = read_varint(data, at)
                if size > end - at:
                    raise DamagedFile
                value, at = data[at : at + size], at + size
            case _:
                raise DamagedFile
        if key >> 3 in names:
            name, kind = names[key >> 3]
            yield name, _checked(kind, value)


def _checked(kind: str, value: Any) -> Any:
    """A field's value, if its kind has it."""
    if isinstance(value, int):
        if kind not in (NUMBER, NUMBERS):
            raise DamagedFile
        return signed(value)
    if kind == NUMBER:
        if len(value):
            raise DamagedFile
        return 0
    return value


def numbers(value: int | memoryview) -> Iterator[int]:
    """Whole numbers of a repeated field: one, or several together."""
    if isinstance(value, int):
        yield value
        return
    at = 0
    while at < len(value):
        number, at = read_varint(value, at)
        yield signed(number)


def read_varint(data: Any, at: int) -> tuple[int, int]:
    """A whole number of seven bits a byte, the lowest first; and where it ends."""
    value = 0
    for k in range(10):
        if at + k >= len(data):
            raise DamagedFile
        byte = data[at + k]
        value |= (byte & 0x7F) << (7 * k)
        if byte < 0x80:
            return value & (1 << 64) - 1, at + k + 1
    raise DamagedFile


def signed(value: int) -> int:
    """A whole number of 64 bits with its sign."""
    return value - (1 << 64) if value >= 1 << 63 else value
