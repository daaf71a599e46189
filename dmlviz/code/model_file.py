"""The bytes of an ONNX model: its nodes, tensors and sizes, read without any package.

Source: onnx.in.proto of ONNX and "Encoding" at protobuf.dev. Only the fields that movements need
are read; graphs within nodes are not, so nothing is nested deeper than a tensor of a node.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.code.builder import LIST_LIMIT
from dmlviz.code.refusals import CodeRefused
from dmlviz.movement.graphs import BOOL, ELEMENT_TYPES
from dmlviz.tensors import DATA_TYPES, short_text
from dmlviz.tensors.types import Array, Sizes

FILE_LIMIT = 64 << 20
"""The limit of bytes of a file."""

NODE_LIMIT = 20_000
"""The limit of nodes of a model."""

FIELD_LIMIT = 1_000_000
"""The limit of fields that are read."""

NAME_LIMIT = 1_000
"""The limit of bytes of a name."""

RANK_LIMIT = 32
"""The limit of dimensions of a tensor in a file."""

_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_EXTERNAL = 1

_TYPES = {number: DATA_TYPES[name].dtype for name, number in ELEMENT_TYPES.items()}
_TYPES[BOOL] = np.dtype(bool)


@dataclass(frozen=True, eq=False)
class FileTensor:
    """A tensor of a file.

    Attributes:
        name: its name.
        sizes: its sizes.
        values: its elements; None if they are too many, or of another type than numbers.
    """

    name: str
    sizes: Sizes
    values: Array | None


@dataclass(frozen=True, eq=False)
class FileNode:
    """A node of a file.

    Attributes:
        name: its name; empty if it has none.
        op_type: its operator.
        domain: the operator's; empty for ONNX's own.
        inputs, outputs: names of tensors; an empty name leaves an input out.
        attributes: numbers, texts, lists of them, tensors as arrays; None for what is not read.
        graphs: whether it runs graphs of its own.
    """

    name: str
    op_type: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any]
    graphs: bool


@dataclass(frozen=True, eq=False)
class ModelFile:
    """What a file says.

    Attributes:
        opset: of ONNX's own domain.
        nodes: in the order in which they run.
        tensors: initializers by name.
        inputs: the names of the graph's inputs without initializers.
        outputs: the names of the graph's outputs.
        sizes: those that the file says in numbers, by the tensor's name.
    """

    opset: int
    nodes: tuple[FileNode, ...]
    tensors: Mapping[str, FileTensor]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    sizes: Mapping[str, Sizes]


def read_model_file(data: bytes) -> ModelFile:
    """The model in a file.

    Args:
        data: the bytes of an ``.onnx`` file.

    Raises:
        CodeRefused: it is not an ONNX model, is too large, has its tensors in other files, or has
            functions of its own.
    """
    if len(data) > FILE_LIMIT:
        raise too_large(len(data))
    try:
        return _FileReader().model(memoryview(data))
    except (ValueError, OverflowError, struct.error, UnicodeDecodeError) as error:
        if isinstance(error, CodeRefused):
            raise
        raise _damaged() from None


def read_initializers(data: memoryview) -> Iterator[tuple[str, int, Sizes, memoryview | Array]]:
    """The initializers of a model of any size: their elements are not copied.

    Args:
        data: the bytes of an ``.onnx`` file.

    Yields:
        A name, the number of ONNX's data type, the sizes, and the bytes of the elements; or the
        elements, of a tensor that has them as a list.

    Raises:
        CodeRefused: it is not an ONNX model, or has a tensor in another file.
    """
    reader = _FileReader()
    try:
        graphs = [_bytes(value) for number, value in reader.messages(data) if number == 7]
        for number, value in reader.messages(graphs[-1]) if graphs else ():
            if number == 5:
                yield reader.initializer(_bytes(value))
    except (ValueError, OverflowError, struct.error, UnicodeDecodeError) as error:
        if isinstance(error, CodeRefused):
            raise
        raise _damaged() from None
    if not graphs:
        raise _damaged()


def _in_another_file(name: str) -> CodeRefused:
    return CodeRefused(
        "syntax",
        _("The tensor {name} is in another file; save the model as one file.").format(
            name=short_text(name)
        ),
    )


def too_large(count: int) -> CodeRefused:
    """The refusal of a file of so many bytes."""
    return CodeRefused(
        "limit",
        _("The file has {count} bytes; at most {most} are read.").format(
            count=f"{count:,}", most=f"{FILE_LIMIT:,}"
        ),
    )


def _damaged() -> CodeRefused:
    return CodeRefused("syntax", _("This is not an ONNX model, or the file is damaged."))


@dataclass
class _FileReader:
    """The state while a file is read: how many fields and nodes there were."""

    fields: int = 0
    nodes: int = 0
    external: list[str] = field(default_factory=list)

    def messages(self, data: memoryview) -> Iterator[tuple[int, Any]]:
        """The fields of a message: number, and a whole number or bytes."""
        at, end = 0, len(data)
        while at < end:
            self.fields += 1
            if self.fields > FIELD_LIMIT:
                raise CodeRefused(
                    "limit",
                    _("The file has more than {most} fields.").format(most=f"{FIELD_LIMIT:,}"),
                )
            key, at = _varint(data, at)
            match key & 7:
                case 0:
                    value, at = _varint(data, at)
                    yield key >> 3, value
                    continue
                case 1:
                    size = 8
                case 2:
                    size, at = _varint(data, at)
                case 5:
                    size = 4
                case _:
                    raise _damaged()
            if size > end - at:
                raise _damaged()
            yield key >> 3, data[at : at + size]
            at += size

    def model(self, data: memoryview) -> ModelFile:
        opset, graph, functions = 0, None, []
        for number, value in self.messages(data):
            match number:
                case 7:
                    graph = _bytes(value)
                case 8:
                    domain, version = self._opset(_bytes(value))
                    opset = version if domain in ("", "ai.onnx") else opset
                case 25:
                    functions.append(_bytes(value))
        if functions:
            raise CodeRefused(
                "syntax",
                _("The model has functions of its own; inline them first (onnx.inliner)."),
            )
        if graph is None:
            raise _damaged()
        return self._graph(graph, opset or 1)

    def _opset(self, data: memoryview) -> tuple[str, int]:
        domain, version = "", 1
        for number, value in self.messages(data):
            if number == 1:
                domain = _text(value)
            elif number == 2:
                version = _signed(value)
        return domain, version

    def _graph(self, data: memoryview, opset: int) -> ModelFile:
        nodes: list[FileNode] = []
        tensors: dict[str, FileTensor] = {}
        inputs: list[str] = []
        outputs: list[str] = []
        sizes: dict[str, Sizes] = {}
        for number, value in self.messages(data):
            match number:
                case 1:
                    nodes.append(self._node(_bytes(value)))
                    if len(nodes) > NODE_LIMIT:
                        raise CodeRefused(
                            "limit",
                            _("The model has more than {most} nodes.").format(
                                most=f"{NODE_LIMIT:,}"
                            ),
                        )
                case 5:
                    tensor = self._tensor(_bytes(value))
                    tensors[tensor.name] = tensor
                case 11 | 12 | 13:
                    name, of = self._value_info(_bytes(value))
                    if of is not None:
                        sizes[name] = of
                    if number != 13:
                        (inputs if number == 11 else outputs).append(name)
        if self.external:
            raise _in_another_file(self.external[0])
        made = Counter(name for node in nodes for name in node.outputs if name)
        twice = next((name for name, count in made.items() if count > 1), None)
        if twice is not None:
            raise CodeRefused(
                "syntax",
                _("Two nodes give the tensor {name}; each tensor has one node.").format(
                    name=short_text(twice)
                ),
            )
        sizes |= {name: tensor.sizes for name, tensor in tensors.items()}
        free = tuple(name for name in inputs if name not in tensors)
        return ModelFile(opset, tuple(nodes), tensors, free, tuple(outputs), sizes)

    def _node(self, data: memoryview) -> FileNode:
        inputs: list[str] = []
        outputs: list[str] = []
        texts = {3: "", 4: "", 7: ""}
        attributes: dict[str, Any] = {}
        graphs = False
        for number, value in self.messages(data):
            match number:
                case 1:
                    inputs.append(_text(value))
                case 2:
                    outputs.append(_text(value))
                case 3 | 4 | 7:
                    texts[number] = _text(value)
                case 5:
                    name, of, graph = self._attribute(_bytes(value))
                    attributes[name] = of
                    graphs = graphs or graph
        domain = "" if texts[7] == "ai.onnx" else texts[7]
        return FileNode(
            texts[3], texts[4], domain, tuple(inputs), tuple(outputs), attributes, graphs
        )

    def _attribute(self, data: memoryview) -> tuple[str, Any, bool]:
        """Name, value, and whether it is a graph."""
        name, kind = "", 0
        values: dict[int, list[Any]] = {}
        for number, value in self.messages(data):
            if number == 1:
                name = _text(value)
            elif number == 20:
                kind = _signed(value)
            else:
                values.setdefault(number, []).append(value)
        if kind in (5, 10) or 6 in values or 11 in values:
            return name, None, True
        single = {1: (2, _float), 2: (3, _signed), 3: (4, _start)}
        several: dict[int, tuple[int, Callable[[Any], list[Any]]]] = {
            6: (7, _floats),
            7: (8, self._whole),
        }
        if kind in single:
            number, read = single[kind]
            return name, read(values[number][-1]) if number in values else read(b""), False
        if kind in several:
            number, read_all = several[kind]
            return name, [n for part in values.get(number, ()) for n in read_all(part)], False
        if kind == 8:
            return name, [_start(part) for part in values.get(9, ())], False
        if kind == 4 and 5 in values:
            return name, self._tensor(_bytes(values[5][-1])), False
        return name, None, False

    def _whole(self, value: Any) -> list[int]:
        """Whole numbers of a repeated field: one, or packed."""
        if isinstance(value, int):
            return [_signed(value)]
        numbers: list[int] = []
        at = 0
        while at < len(value):
            self.fields += 1
            if len(numbers) > LIST_LIMIT:
                raise _damaged()
            number, at = _varint(value, at)
            numbers.append(_signed(number))
        return numbers

    def _tensor(self, data: memoryview) -> FileTensor:
        name, kind, sizes, raw, lists = self._tensor_fields(data)
        dtype, count = _TYPES.get(kind), math.prod(sizes)
        if dtype is None or count > LIST_LIMIT:
            return FileTensor(name, sizes, None)
        values = self._elements(dtype, count, raw, lists)
        return FileTensor(name, sizes, None if values is None else values.reshape(sizes))

    def initializer(self, data: memoryview) -> tuple[str, int, Sizes, memoryview | Array]:
        """See :func:`read_initializers`."""
        name, kind, sizes, raw, lists = self._tensor_fields(data)
        if self.external:
            raise _in_another_file(name)
        if raw is not None or kind not in _TYPES:
            return name, kind, sizes, memoryview(b"") if raw is None else raw
        values = self._elements(_TYPES[kind], math.prod(sizes), raw, lists)
        return name, kind, sizes, memoryview(b"") if values is None else values.reshape(sizes)

    def _tensor_fields(
        self, data: memoryview
    ) -> tuple[str, int, Sizes, memoryview | None, dict[int, list[Any]]]:
        """The name, the type, the sizes, and the elements as bytes or as lists."""
        dims: list[int] = []
        kind, name, raw = 0, "", None
        lists: dict[int, list[Any]] = {}
        for number, value in self.messages(data):
            match number:
                case 1:
                    dims += self._whole(value)
                case 2:
                    kind = _signed(value)
                case 4 | 5 | 7 | 10 | 11:
                    lists.setdefault(number, []).append(value)
                case 8:
                    name = _text(value)
                case 9:
                    raw = _bytes(value)
                case 14:
                    if value == _EXTERNAL:
                        self.external.append(name or "?")
        if len(dims) > RANK_LIMIT or min(dims, default=1) < 0:
            raise _damaged()
        return name, kind, tuple(dims), raw, lists

    def _elements(
        self,
        dtype: np.dtype[Any],
        count: int,
        raw: memoryview | None,
        lists: Mapping[int, list[Any]],
    ) -> Array | None:
        """The elements of a tensor, which are in one of its fields."""
        if raw is not None:
            if len(raw) != count * dtype.itemsize:
                raise _damaged()
            # a byte other than 0 and 1 is no truth value
            stored = np.dtype(np.uint8) if dtype.kind == "b" else dtype
            return np.frombuffer(raw, stored.newbyteorder("<"), count).astype(dtype)
        if not lists:
            return np.zeros(0, dtype) if not count else None
        number, parts = next(iter(lists.items()))
        if number in (4, 10):
            width = "<f4" if number == 4 else "<f8"
            joined = b"".join(bytes(_bytes(part)) for part in parts)
            if len(joined) % int(width[2]):
                raise _damaged()
            numbers: Array = np.frombuffer(joined, width)
        else:
            whole = [n for part in parts for n in self._whole(part)]
            numbers = np.array(whole, np.int64)
            if dtype == np.float16:
                # its bits are whole numbers
                numbers = numbers.astype(np.uint16).view(np.float16)
        if numbers.size != count:
            raise _damaged()
        with np.errstate(all="ignore"):
            return numbers.astype(dtype)

    def _value_info(self, data: memoryview) -> tuple[str, Sizes | None]:
        name, sizes = "", None
        for number, value in self.messages(data):
            if number == 1:
                name = _text(value)
            elif number == 2:
                sizes = self._type(_bytes(value))
        return name, sizes

    def _type(self, data: memoryview) -> Sizes | None:
        """The sizes of a tensor's type; None if one of them has no number."""
        for number, value in self.messages(data):
            if number == 1:
                for inner, shape in self.messages(_bytes(value)):
                    if inner == 2:
                        return self._shape(_bytes(shape))
        return None

    def _shape(self, data: memoryview) -> Sizes | None:
        sizes: list[int] = []
        for number, value in self.messages(data):
            if number == 1:
                dim_values = [n for inner, n in self.messages(_bytes(value)) if inner == 1]
                if (
                    not dim_values
                    or not isinstance(dim_values[-1], int)
                    or _signed(dim_values[-1]) < 0
                ):
                    return None
                sizes.append(_signed(dim_values[-1]))
        return tuple(sizes) if len(sizes) <= RANK_LIMIT else None


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """A whole number of seven bits a byte, the lowest first; and where it ends."""
    value = 0
    for k in range(10):
        if at + k >= len(data):
            raise _damaged()
        byte = data[at + k]
        value |= (byte & 0x7F) << (7 * k)
        if byte < 0x80:
            return value & (1 << 64) - 1, at + k + 1
    raise _damaged()


def _signed(value: Any) -> int:
    """A whole number of 64 bits with its sign; nothing is 0."""
    if not isinstance(value, int):
        if len(value):
            raise _damaged()
        return 0
    return value - (1 << 64) if value >= 1 << 63 else value


def _bytes(value: Any) -> memoryview:
    if isinstance(value, int):
        raise _damaged()
    return memoryview(value)


def _text(value: Any) -> str:
    data = _bytes(value)
    if len(data) > NAME_LIMIT:
        raise CodeRefused(
            "limit", _("A name in the file has more than {most} bytes.").format(most=NAME_LIMIT)
        )
    return bytes(data).decode()


def _start(value: Any) -> str:
    """The start of a text that may be long, or no text at all."""
    return bytes(_bytes(value)[:NAME_LIMIT]).decode(errors="replace")


def _float(value: Any) -> float:
    data = bytes(_bytes(value))
    return float(struct.unpack("<f", data)[0]) if data else 0.0


def _floats(value: Any) -> list[float]:
    data = bytes(_bytes(value))
    if len(data) % 4 or len(data) > 4 * LIST_LIMIT:
        raise _damaged()
    return [float(n) for n in np.frombuffer(data, "<f4")]
