"""The bytes of an ONNX model: its nodes, tensors and sizes, read without any package.

The elements of weights are passed over, in the file or in others; only sizes and types are needed,
and the numbers that can be indices, sizes and edges. The graphs of If are read as nodes before it;
of those of other nodes only what they take is.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from itertools import islice
from types import MappingProxyType
from typing import Any, BinaryIO, overload

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.code.builder import LIST_LIMIT
from dmlviz.code.refusals import CodeRefused
from dmlviz.movement.graphs import BOOL, ELEMENT_TYPES
from dmlviz.movement.onnx_file import ATTRIBUTE_TYPES, EXTERNAL, fields, numbers
from dmlviz.tensors import DATA_TYPES, short_text
from dmlviz.tensors.types import Array, Sizes

NODE_LIMIT = 20_000
"""The limit of nodes of a model."""

FIELD_LIMIT = 1_000_000
"""The limit of fields that are read."""

NAME_LIMIT = 1_000
"""The limit of bytes of a name."""

PAGE = 1 << 16
"""How many bytes of a file are read at once; larger fields are read when they are used."""

DEPTH_LIMIT = 8
"""The limit of graphs within graphs whose nodes are read."""

RANK_LIMIT = 32
"""The limit of dimensions of a tensor in a file."""

VALUES_LIMIT = 1_024
"""The limit of elements that are read of a tensor whose type is none of indices or masks."""

INDEX_TYPES = frozenset({ELEMENT_TYPES["INT32"], ELEMENT_TYPES["INT64"], BOOL})
"""The types of indices and masks, of which up to 65,536 elements are read."""

_TYPES = {number: DATA_TYPES[name].dtype for name, number in ELEMENT_TYPES.items()}
_TYPES[BOOL] = np.dtype(bool)

_ENDS = ("input", "output")

Dimensions = tuple[int | str | None, ...]
"""Sizes as a file states them: a number, a name that stands for one, or None."""


@dataclass(frozen=True, eq=False)
class FileTensor:
    """A tensor of a file.

    Attributes:
        name: its name.
        sizes: its sizes.
        values: its elements; None if they are too many, are not in the file, or are no numbers.
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
        has_graphs: whether it runs graphs of its own.
        branches: of If, what each of its graphs gives, by the attribute; their nodes come before
            it.
        captured: what else it takes: what its branches give, or what nodes of its graphs take.
        depth: in how many graphs of other nodes it is.
    """

    name: str
    op_type: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Any]
    has_graphs: bool = False
    branches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    captured: frozenset[str] = frozenset()
    depth: int = 0


@dataclass(frozen=True, eq=False)
class ModelFile:
    """What a file says.

    Attributes:
        opset: of ONNX's own domain.
        nodes: in the order in which they run, those of the branches of If before it. A name that
            several graphs have has a number after the first.
        tensors: initializers by name.
        inputs: the names of the graph's inputs without initializers.
        outputs: the names of the graph's outputs.
        stated: the sizes of inputs, outputs and others as the file states them, by name.
    """

    opset: int
    nodes: tuple[FileNode, ...]
    tensors: Mapping[str, FileTensor]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    stated: Mapping[str, Dimensions]

    def stated_inputs(self) -> dict[str, Sizes]:
        """The sizes of the inputs that the file states in numbers."""
        due = {name: sizes_in_numbers(self.stated.get(name)) for name in self.inputs}
        return {name: of for name, of in due.items() if of is not None}

    def open_inputs(self) -> dict[str, Dimensions | None]:
        """The inputs of which the file leaves sizes open; None if it states nothing of one."""
        stated = self.stated_inputs()
        return {name: self.stated.get(name) for name in self.inputs if name not in stated}


def sizes_in_numbers(
    stated: Dimensions | None, named: Mapping[str, int] = MappingProxyType({})
) -> Sizes | None:
    """Stated sizes, if all of them are numbers.

    Args:
        stated: by the file; None if it states none.
        named: the numbers that names stand for.
    """
    due = [named.get(n) if isinstance(n, str) else n for n in stated or ()]
    return None if stated is None or None in due else tuple(n for n in due if n is not None)


class FileBytes:
    """The bytes of an open file, or a part of them: read where they are used, by seeking there.

    Args:
        file: open for reading bytes.
        start, end: of the part, in bytes from the file's first.
    """

    def __init__(self, file: BinaryIO, start: int, end: int) -> None:
        self._file, self._start, self._end = file, start, end
        self._page, self._at = memoryview(b""), 0

    def __len__(self) -> int:
        return self._end - self._start

    def tobytes(self) -> bytes:
        """All of them."""
        self._file.seek(self._start)
        return self._file.read(len(self))

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> Bytes: ...

    def __getitem__(self, place: int | slice) -> int | Bytes:
        if isinstance(place, int):
            return self._paged(place, 1)[0]
        first, end, _step = place.indices(len(self))
        if end - first > PAGE:
            return FileBytes(self._file, self._start + first, self._start + end)
        return self._paged(first, end - first)

    def _paged(self, at: int, count: int) -> memoryview:
        """Bytes of the page that is in memory, or of a new one that begins with them."""
        if not self._at <= at <= at + count <= self._at + len(self._page):
            self._file.seek(self._start + at)
            self._page, self._at = memoryview(self._file.read(PAGE)), at
        return self._page[at - self._at : at - self._at + count]


Bytes = memoryview | FileBytes


def read_model_file(data: Bytes) -> ModelFile:
    """The model in a file.

    Args:
        data: the bytes of an ``.onnx`` file of any size; those of large tensors are not touched.

    Raises:
        CodeRefused: it is not an ONNX model, has too many nodes or fields, or has functions of its
            own.
    """
    try:
        return _FileReader().model(data)
    except (ValueError, OverflowError, struct.error) as error:
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
        graphs = [graph for name, graph in reader.fields("Model", data) if name == "graph"]
        for name, value in reader.fields("Graph", graphs[-1]) if graphs else ():
            if name == "initializer":
                yield reader.initializer(value)
    except (ValueError, OverflowError, struct.error) as error:
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


def _damaged() -> CodeRefused:
    return CodeRefused("syntax", _("This is not an ONNX model, or the file is damaged."))


@dataclass(frozen=True, eq=False)
class _TensorFields:
    """A tensor before its elements are read.

    Attributes:
        name, kind, sizes: its name, the number of its type, its sizes.
        external: whether its elements are in another file.
        raw: its elements as bytes.
        lists: its elements by the field that lists them.
    """

    name: str
    kind: int
    sizes: Sizes
    external: bool
    raw: memoryview | None
    lists: Mapping[str, list[int | memoryview]]

    @property
    def count(self) -> int:
        """How many elements it has."""
        return math.prod(self.sizes)

    def values(self) -> Array | None:
        """Its elements in its sizes; None if they are not in the file, or are no numbers.

        Raises:
            ValueError: they are not as many as its sizes say.
        """
        dtype = _TYPES.get(self.kind)
        if dtype is None or self.external:
            return None
        if self.raw is not None:
            if len(self.raw) != self.count * dtype.itemsize:
                raise _damaged()
            # a byte other than 0 and 1 is no truth value
            stored = np.dtype(np.uint8) if dtype.kind == "b" else dtype
            made: Array = np.frombuffer(self.raw.tobytes(), stored.newbyteorder("<"))
        elif not self.lists:
            return None if self.count else np.zeros(self.sizes, dtype)
        else:
            made = self._listed(dtype)
        with np.errstate(all="ignore"):
            return made.astype(dtype).reshape(self.sizes)

    def _listed(self, dtype: np.dtype[Any]) -> Array:
        name, parts = next(iter(self.lists.items()))
        if name in ("float_data", "double_data"):
            width = 4 if name == "float_data" else 8
            if sum(len(_bytes(part)) for part in parts) != width * self.count:
                raise _damaged()
            return np.frombuffer(b"".join(_bytes(part).tobytes() for part in parts), f"<f{width}")
        if _how_many(parts) != self.count:
            raise _damaged()
        whole = np.array([n for part in parts for n in numbers(part)], np.int64)
        # the bits of a half are a whole number
        return whole.astype(np.uint16).view(np.float16) if dtype == np.float16 else whole


@dataclass
class _FileReader:
    """The state while a file is read: how many fields there were, and what is read of it."""

    count: int = 0
    nodes: list[FileNode] = field(default_factory=list)
    tensors: dict[str, FileTensor] = field(default_factory=dict)
    stated: dict[str, Dimensions] = field(default_factory=dict)
    _used: Counter[str] = field(default_factory=Counter)

    def _spend(self) -> None:
        self.count += 1
        if self.count > FIELD_LIMIT:
            raise CodeRefused(
                "limit",
                _("The file has more than {most} fields.").format(most=f"{FIELD_LIMIT:,}"),
            )

    def fields(self, message: str, data: Any) -> Iterator[tuple[str, Any]]:
        """See :func:`dmlviz.movement.onnx_file.fields`."""
        return fields(message, _bytes(data), self._spend)

    def model(self, data: Bytes) -> ModelFile:
        opset, graph, functions = 0, None, False
        for name, value in self.fields("Model", data):
            match name:
                case "graph":
                    graph = value
                case "opset_import":
                    domain, version = self._opset(value)
                    opset = version if domain in ("", "ai.onnx") else opset
                case "functions":
                    functions = True
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
        for name, value in self.fields("OperatorSet", data):
            if name == "domain":
                domain = _text(value)
            else:
                version = value
        return domain, version

    def _graph(self, data: memoryview, opset: int) -> ModelFile:
        inputs, outputs = self._scope(data, {}, 0)
        free = tuple(name for name in inputs if name not in self.tensors)
        return ModelFile(opset, tuple(self.nodes), self.tensors, free, outputs, self.stated)

    def _scope(
        self, data: memoryview, outside: Mapping[str, str], depth: int
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Read a graph, and the branches of its nodes before the nodes themselves.

        Args:
            data: its bytes.
            outside: what names of the graphs around it are called here.
            depth: how many those are.

        Returns:
            The names of its inputs and outputs.
        """
        nodes: list[tuple[FileNode, list[Any]]] = []
        tensors: list[FileTensor] = []
        stated: dict[str, Dimensions | None] = {}
        ends: dict[str, list[str]] = {"input": [], "output": [], "value_info": []}
        for field_name, value in self.fields("Graph", data):
            match field_name:
                case "node":
                    nodes.append(self._node(value))
                    self._check_count(len(nodes))
                case "initializer":
                    tensors.append(self._tensor(value))
                case "input" | "output" | "value_info":
                    name, stated[name] = self._value_info(value)
                    ends[field_name].append(name)
        made = Counter(name for node, _graphs in nodes for name in node.outputs if name)
        twice = next((name for name, count in made.items() if count > 1), None)
        if twice is not None:
            raise CodeRefused(
                "syntax",
                _("Two nodes give the tensor {name}; each tensor has one node.").format(
                    name=short_text(twice)
                ),
            )
        names = dict(outside)
        for name in (*(tensor.name for tensor in tensors), *made):
            names[name] = self._free(name)
        self.tensors |= {names[of.name]: replace(of, name=names[of.name]) for of in tensors}
        self.stated |= {names.get(name, name): of for name, of in stated.items() if of is not None}
        for node, graphs in nodes:
            self._append(node, graphs, names, depth)
        inputs, outputs = (tuple(names.get(name, name) for name in ends[of]) for of in _ENDS)
        return inputs, outputs

    def _append(
        self, node: FileNode, graphs: list[Any], names: Mapping[str, str], depth: int
    ) -> None:
        branches: dict[str, tuple[str, ...]] = {}
        if node.op_type == "If" and not node.domain and depth < DEPTH_LIMIT:
            titles = [name for name, value in node.attributes.items() if value is None]
            for title, graph in zip(titles, graphs, strict=False):
                branches[title] = self._scope(_bytes(graph), names, depth + 1)[1]
        inner = branches.values() if branches else [self._captured(graphs)]
        called = {name for of in inner for name in of}
        self.nodes.append(
            replace(
                node,
                inputs=tuple(names.get(name, name) for name in node.inputs),
                outputs=tuple(names.get(name, name) for name in node.outputs),
                has_graphs=bool(graphs),
                branches=branches,
                captured=frozenset(names.get(name, name) for name in called),
                depth=depth,
            )
        )
        self._check_count(len(self.nodes))

    def _check_count(self, count: int) -> None:
        if count > NODE_LIMIT:
            raise CodeRefused(
                "limit",
                _("The model has more than {most} nodes.").format(most=f"{NODE_LIMIT:,}"),
            )

    def _free(self, name: str) -> str:
        """The name, or one that no other graph of the file has."""
        self._used[name] += 1
        return name if self._used[name] == 1 else f"{name}#{self._used[name]}"

    def _node(self, data: memoryview) -> tuple[FileNode, list[Any]]:
        """A node by the names of its own graph, and its graphs."""
        names: dict[str, list[str]] = {"input": [], "output": []}
        texts = {"name": "", "op_type": "", "domain": ""}
        attributes: dict[str, Any] = {}
        graphs: list[Any] = []
        for field_name, value in self.fields("Node", data):
            if field_name == "attribute":
                name, of, inner = self._attribute(value)
                attributes[name] = of
                graphs += inner
            elif field_name in texts:
                texts[field_name] = _text(value)
            else:
                names[field_name].append(_text(value))
        node = FileNode(
            texts["name"],
            texts["op_type"],
            "" if texts["domain"] == "ai.onnx" else texts["domain"],
            tuple(names["input"]),
            tuple(names["output"]),
            attributes,
        )
        return node, graphs

    def _attribute(self, data: memoryview) -> tuple[str, Any, list[Any]]:
        """Name, value, and its graphs."""
        name, kind = "", 0
        values: dict[str, list[Any]] = {}
        for field_name, value in self.fields("Attribute", data):
            if field_name == "name":
                name = _text(value)
            elif field_name == "type":
                kind = value
            else:
                values.setdefault(field_name, []).append(value)
        graphs = [*values.get("g", ()), *values.get("graphs", ())]
        if graphs:
            return name, None, graphs
        due = next((of for of, number in ATTRIBUTE_TYPES.items() if number == kind), "")
        parts = values.get(due, [])
        match due:
            case "i":
                return name, parts[-1] if parts else 0, []
            case "f":
                return name, next(iter(_floats(parts[-1:])), 0.0), []
            case "s":
                return name, _start(parts[-1]) if parts else "", []
            case "t" if parts:
                return name, self._tensor(parts[-1]), []
            case "ints":
                return name, _whole(parts), []
            case "floats":
                return name, _floats(parts), []
            case "strings":
                return name, [_start(part) for part in parts], []
        return name, None, []

    def _captured(self, graphs: list[Any]) -> Iterator[str]:
        """What the nodes of graphs take, and those of the graphs in them."""
        graphs = [*graphs]
        while graphs:
            for part, node in self.fields("Graph", graphs.pop()):
                for name, value in self.fields("Node", node) if part == "node" else ():
                    if name == "input":
                        yield _text(value)
                    elif name == "attribute":
                        inner = self.fields("Attribute", value)
                        graphs += [of for field_name, of in inner if field_name in ("g", "graphs")]

    def _tensor(self, data: Any) -> FileTensor:
        of = self._tensor_fields(data)
        most = LIST_LIMIT if of.kind in INDEX_TYPES else VALUES_LIMIT
        return FileTensor(of.name, of.sizes, of.values() if of.count <= most else None)

    def initializer(self, data: Any) -> tuple[str, int, Sizes, memoryview | Array]:
        """See :func:`read_initializers`."""
        of = self._tensor_fields(data)
        if of.external:
            raise _in_another_file(of.name)
        if of.raw is not None or of.kind not in _TYPES:
            return of.name, of.kind, of.sizes, memoryview(b"") if of.raw is None else of.raw
        values = of.values()
        return of.name, of.kind, of.sizes, memoryview(b"") if values is None else values

    def _tensor_fields(self, data: Any) -> _TensorFields:
        dims: list[int] = []
        kind, name, external, raw = 0, "", False, None
        lists: dict[str, list[int | memoryview]] = {}
        for field_name, value in self.fields("Tensor", data):
            match field_name:
                case "dims":
                    dims += islice(numbers(value), RANK_LIMIT + 1)
                case "data_type":
                    kind = value
                case "name":
                    name = _text(value)
                case "raw_data":
                    raw = _bytes(value)
                case "data_location":
                    external = value == EXTERNAL
                case _:
                    lists.setdefault(field_name, []).append(value)
        if len(dims) > RANK_LIMIT or min(dims, default=1) < 0:
            raise _damaged()
        return _TensorFields(name, kind, tuple(dims), external, raw, lists)

    def _value_info(self, data: memoryview) -> tuple[str, Dimensions | None]:
        name, stated = "", None
        for field_name, value in self.fields("ValueInfo", data):
            if field_name == "name":
                name = _text(value)
            else:
                stated = self._type(value)
        return name, stated

    def _type(self, data: memoryview) -> Dimensions | None:
        """The sizes of a tensor's type; None if it has no shape."""
        for _type, tensor in self.fields("Type", data):
            for name, shape in self.fields("TensorType", tensor):
                if name == "shape":
                    dims = [self._dimension(dim) for _dim, dim in self.fields("Shape", shape)]
                    return tuple(dims) if len(dims) <= RANK_LIMIT else None
        return None

    def _dimension(self, data: Any) -> int | str | None:
        """A number, a name, or None; a size below 0 and a question mark say nothing."""
        stated: int | str | None = None
        for name, value in self.fields("Dimension", data):
            if name == "dim_value":
                stated = value if value >= 0 else None
            else:
                text = _text(value)
                stated = None if text in ("", "?") else text
        return stated


def _bytes(value: Any) -> Any:
    """A field's bytes, which can be those of a file that are not read yet."""
    if isinstance(value, int):
        raise _damaged()
    return value


def _whole(parts: list[Any]) -> Any:
    """Whole numbers; of very many only how many they are, as a tensor without values."""
    count = _how_many(parts)
    if count > LIST_LIMIT:
        return FileTensor("", (count,), None)
    return [n for part in parts for n in numbers(part)]


def _how_many(parts: Iterable[int | memoryview]) -> int:
    """How many whole numbers there are: the last byte of each is below 128."""
    return sum(
        1
        if isinstance(part, int)
        else int(np.count_nonzero(np.frombuffer(part.tobytes(), np.uint8) < 0x80))
        for part in parts
    )


def _floats(parts: list[Any]) -> Any:
    """The same of numbers of four bytes each."""
    size = sum(len(_bytes(part)) for part in parts)
    if size > 4 * LIST_LIMIT:
        return FileTensor("", (size // 4,), None)
    return [
        float(n) for n in np.frombuffer(b"".join(_bytes(part).tobytes() for part in parts), "<f4")
    ]


def _text(value: Any) -> str:
    data = _bytes(value)
    if len(data) > NAME_LIMIT:
        raise CodeRefused(
            "limit", _("A name in the file has more than {most} bytes.").format(most=NAME_LIMIT)
        )
    return str(data.tobytes(), "utf-8")


def _start(value: Any) -> str:
    """The start of a text that may be long, or no text at all."""
    return str(_bytes(value)[:NAME_LIMIT].tobytes(), "utf-8", "replace")
