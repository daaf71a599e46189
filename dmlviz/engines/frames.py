"""The messages between two processes about a run: JSON and the bytes of tensors.

A frame is the length of its JSON (4 bytes, little-endian), the JSON, and the elements of the
tensors that the JSON names, in its order and this machine's byte order. Nothing in a frame is
ever executed.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from importlib import import_module
from typing import IO, Any

import numpy as np

from dmlviz.operators import Operator, operator_class
from dmlviz.tensors import DATA_TYPES, data_type_of
from dmlviz.tensors.types import Array, Tensors

Words = dict[str, Any]

WORDS_LIMIT = 1 << 20
"""The limit of bytes of JSON in a frame."""

TENSOR_LIMIT = 1 << 30
"""The limit of bytes of all tensors in a frame; the largest run uses half of it."""

READY = "ready"
"""The first message that a process sends."""

SPENT = "spent"
"""In an answer: the process should be ended, because its runtime may fail from now on."""

_LENGTH = struct.Struct("<I")


def write_frame(
    stream: IO[bytes], words: Mapping[str, Any], tensors: Tensors | None = None
) -> None:
    """Write one frame and flush.

    Args:
        stream: a pipe.
        words: JSON's own types only.
        tensors: by name, of the 11 types.

    Raises:
        OSError: the reader has closed the pipe.
    """
    tensors = tensors or {}
    headers = [[name, data_type_of(t.dtype), list(t.shape)] for name, t in tensors.items()]
    text = json.dumps({"words": words, "tensors": headers}).encode()
    stream.write(_LENGTH.pack(len(text)) + text)
    for tensor in tensors.values():
        stream.write(np.ascontiguousarray(tensor).reshape(-1).view(np.uint8).data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[Words, dict[str, Array]] | None:
    """Read one frame; None if the stream ends before it.

    Raises:
        EOFError: the stream ends within the frame.
        ValueError: this is not a frame; nothing large was allocated.
    """
    start = stream.read(_LENGTH.size)
    if not start:
        return None
    if len(start) < _LENGTH.size:
        raise EOFError
    (length,) = _LENGTH.unpack(start)
    if length > WORDS_LIMIT:
        raise ValueError(f"a frame of {length} bytes of JSON")
    text = bytearray(length)
    _fill(stream, memoryview(text))
    head = json.loads(text)
    if not isinstance(head, dict) or not isinstance(head.get("words"), dict):
        raise ValueError("a frame without words")
    tensors, room = {}, TENSOR_LIMIT
    for name, *type_and_sizes in head.get("tensors", ()):
        tensor = tensors[str(name)] = _empty(type_and_sizes, room)
        room -= tensor.nbytes
        _fill(stream, tensor.reshape(-1).view(np.uint8).data)
    return head["words"], tensors


def operator_words(operator: Operator) -> Words:
    """An operator as JSON; :func:`operator_of` returns an equal operator, bit for bit.

    >>> from dmlviz.operators import Tile
    >>> operator_words(Tile((2, 3)))
    {'operator': 'tile', 'settings': {'repeats': (2, 3)}}
    """
    # JSON has neither NaN's sign nor its payload
    settings = {
        name: {"double": struct.pack("<d", value).hex()} if isinstance(value, float) else value
        for name, value in operator.settings.items()
    }
    return {"operator": operator.maker or operator.key, "settings": settings}


def operator_of(words: Mapping[str, Any]) -> Operator:
    """The operator that :func:`operator_words` described.

    Raises:
        Error: there is none with that name.
    """
    settings = {
        name: struct.unpack("<d", bytes.fromhex(value["double"]))[0]
        if isinstance(value, dict)
        else value
        for name, value in words["settings"].items()
    }
    module, colon, name = words["operator"].partition(":")
    make = getattr(import_module(module), name) if colon else operator_class(module)
    operator: Operator = make(**settings)
    return operator


def _empty(type_and_sizes: Any, room: int) -> Array:
    """Space for a tensor that a frame announces, at most ``room`` bytes."""
    data_type, sizes = type_and_sizes
    if data_type not in DATA_TYPES or not all(isinstance(n, int) and n >= 0 for n in sizes):
        raise ValueError(f"a tensor of {type_and_sizes}"[:200])
    dtype = DATA_TYPES[data_type].dtype
    if len(sizes) > 8 or math.prod(sizes) * dtype.itemsize > room:
        raise ValueError(f"a tensor of {type_and_sizes}"[:200])
    return np.empty(tuple(sizes), dtype)


def _fill(stream: IO[bytes], room: memoryview) -> None:
    done = 0
    while done < len(room):
        count = stream.readinto(room[done:])  # type: ignore[attr-defined]
        if not count:
            raise EOFError
        done += count
