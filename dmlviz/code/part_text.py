"""A part of read code as code of its own: the calls that move, with the numbers that they have.

Names of the code stay; what has none is inside the next call if only that takes it. Calls that
cannot be written so, such as writes into memory, are written as ONNX's operators.
"""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

from dmlviz.code.arguments import Named, flat
from dmlviz.code.boundaries import BoundaryReader, ReadCall
from dmlviz.code.library import IndexedPart, Later
from dmlviz.code.python.values import ValueMethod
from dmlviz.code.tensor import Tensor
from dmlviz.movement.graphs import Constant, Node
from dmlviz.tensors.types import Array, Sizes

LITERAL_LIMIT = 64
"""The limit of elements of a constant that is written out; a larger one is a tensor of its own."""


_LETTERS = ("t", "i")
"""The letters of tensors, and of indices, that have no name in the code."""


class Unwritten(Exception):
    """What cannot be written."""


class _Text:
    """The names of one part while it is written.

    Attributes:
        sizes: of the tensors that it takes, by name.
        arrays: the values of those that choose elements.
        inputs: the tensors that it takes and that move, by name.
    """

    def __init__(self, reader: BoundaryReader, sources: Mapping[str, str]) -> None:
        self.reader, self.sources = reader, sources
        self.lines: list[str] = []
        self.sizes: dict[str, Sizes] = {}
        self.arrays: dict[str, Array] = {}
        self.inputs: dict[str, Tensor] = {}
        self.names: dict[str, str] = {}
        self._taken = {*sources.values(), "op"}

    def free(self, name: str) -> str:
        """A name that nothing has; with a number if it has to be."""
        new = "" if name in _LETTERS else name
        numbers = count(1)
        while not new or new in self._taken:
            new = f"{name}{next(numbers)}"
        self._taken.add(new)
        return new

    def source(self, tensor: Tensor) -> str:
        """An input, or what a boundary computes."""
        name = self.sources[tensor.name]
        self.inputs[name], self.sizes[name] = tensor, tensor.sizes
        return name

    def choosing(self, tensor: Tensor) -> str:
        """Indices or a mask, as a tensor of its own, or one number."""
        if tensor.computed is not None:
            raise Unwritten
        if not tensor.rank:
            return repr(tensor.array.item())
        same = [name for name, x in self.arrays.items() if x is tensor.array]
        if same:
            return same[0]
        known = (name for name, x in self.reader.names.items() if x is tensor)
        name = self.free(next(known, "i"))
        self.sizes[name], self.arrays[name] = tensor.sizes, tensor.array
        return name


Written = tuple[str, _Text]
"""The code of a part, and the names in it."""


def code_of(
    reader: BoundaryReader,
    numbers: Sequence[int],
    outputs: Sequence[Tensor],
    sources: Mapping[str, str],
) -> Written:
    """A part as code of its library.

    Args:
        reader: what read the code.
        numbers: of the part's calls, in order.
        outputs: what it gives.
        sources: the names of all inputs and computed tensors, by the builder's names.

    Raises:
        Unwritten: a call of it has no text of its own.
    """
    text = _Text(reader, sources)
    calls = [reader.read.get(k) for k in numbers]
    every = [call for call in calls if call is not None]
    if len(every) < len(calls):
        raise Unwritten
    uses = Counter(
        x.name for call in every for x in _moving([call.function, call.args, call.kwargs])
    )
    uses.update(tensor.name for tensor in outputs)
    last: list[str] = []
    for number, call in zip(numbers, every, strict=True):
        made = list(reader.calls[number].tensors)
        if all(x.name in text.names or x.name in sources for x in made):
            continue
        line = _line(text, call)
        single = isinstance(call.returned, Tensor)
        if single and uses[made[0].name] == 1 and made[0].name not in reader.tensor_names:
            text.names[made[0].name] = line
            last = [line]
            continue
        if not single and list(call.returned) != made:
            raise Unwritten
        named = [text.free(reader.tensor_names.get(x.name, "t")) for x in made]
        text.names |= zip((x.name for x in made), named, strict=True)
        left = named[0] if single else f"({named[0]},)" if len(named) == 1 else ", ".join(named)
        text.lines.append(f"{left} = {line}")
        last = named
    items = [text.names[tensor.name] for tensor in outputs]
    if items != last or not text.lines or text.names[outputs[-1].name] not in text.lines[-1]:
        text.lines.append(", ".join(items))
    return "\n".join(text.lines), text


def _moving(value: Any) -> list[Tensor]:
    """The tensors that move in nested arguments."""
    due, moving = [value], list[Tensor]()
    while due:
        item = due.pop()
        match item:
            case Tensor():
                moving += [item] * item.moving
            case list() | tuple():
                due += item
            case dict():
                due += item.values()
            case IndexedPart():
                due += [item.tensor, item.key]
            case ValueMethod():
                due.append(item.of)
    return moving


def _line(text: _Text, call: ReadCall) -> str:
    """A call as an expression."""
    match call.function:
        case ".":
            return f"{_literal(text, call.args[0])}.{call.args[1]}"
        case "[":
            return f"{_literal(text, call.args[0])}[{_subscript(text, call.args[1])}]"
        case ValueMethod():
            function = f"{_literal(text, call.function.of)}.{call.function.name}"
        case Later():
            made = _arguments(text, call.function.args, call.function.kwargs)
            function = f"{call.function.name}({made})"
        case Named() if isinstance(call.node, ast.Call):
            function = ast.unparse(call.node.func)
        case _:
            raise Unwritten
    return f"{function}({_arguments(text, call.args, call.kwargs)})"


def _arguments(text: _Text, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    items = [_literal(text, x) for x in args]
    return ", ".join([*items, *(f"{name}={_literal(text, x)}" for name, x in kwargs.items())])


def _subscript(text: _Text, key: Any) -> str:
    if isinstance(key, tuple) and key:
        inner = ", ".join(_subscript(text, one) for one in key)
        return f"{inner}," if len(key) == 1 else inner
    if isinstance(key, slice):
        start, stop, step = (
            "" if edge is None else _literal(text, edge) for edge in (key.start, key.stop, key.step)
        )
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"
    return "..." if key is Ellipsis else _literal(text, key)


def _literal(text: _Text, value: Any) -> str:
    """A value as code."""
    match value:
        case Tensor() if value.moving:
            return text.names[value.name] if value.name in text.names else text.source(value)
        case Tensor():
            return text.choosing(value)
        case IndexedPart():
            return f"{_literal(text, value.tensor)}.at[{_subscript(text, value.key)}]"
        case Named():
            raise Unwritten
        case None | bool() | int() | str():
            return repr(value)
        case float():
            return repr(value) if math.isfinite(value) else f"float('{value}')"
        case list():
            return f"[{', '.join(_literal(text, x) for x in value)}]"
        case tuple():
            inner = ", ".join(_literal(text, x) for x in value)
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        case range():
            return repr(value)
    if value is Ellipsis:
        return "..."
    raise Unwritten


def onnx_code_of(
    reader: BoundaryReader,
    numbers: Sequence[int],
    outputs: Sequence[Tensor],
    sources: Mapping[str, str],
) -> Written:
    """A part as ONNX's operators; arguments as of :func:`code_of`."""
    text, builder = _Text(reader, sources), reader.builder
    by_name = {x.name: x for call in reader.calls for x in call.tensors}
    by_name |= {x.name: x for each in reader.boundaries for x in each.gives}
    by_name |= dict(builder.inputs)

    def written(item: str | Constant) -> str:
        if isinstance(item, Constant) or item in builder.constants:
            values = item.values if isinstance(item, Constant) else builder.constants[item]
            if values.size <= LITERAL_LIMIT:
                return repr(values.tolist())
            name = text.free("i")
            text.sizes[name], text.arrays[name] = values.shape, values
            return name
        return text.names[item] if item in text.names else text.source(by_name[item])

    def line(node: Node) -> str:
        items = [written(item) for item in node.inputs]
        items += [f"{name}={value!r}" for name, value in node.attributes.items()]
        named = [text.free(reader.tensor_names.get(name, "t")) for name in node.outputs]
        text.names |= zip(node.outputs, named, strict=True)
        several = node.op_type == "Split" and len(named) == 1
        left = f"({named[0]},)" if several else ", ".join(named)
        return f"{left} = op.{node.op_type}({', '.join(items)})"

    due = {tensor.name for tensor in outputs}
    used = _needed([made.node for made in builder.nodes if made.call in {*numbers}], due)
    text.lines += [line(node) for node in used]
    text.lines.append(", ".join(text.names[tensor.name] for tensor in outputs))
    return "\n".join(text.lines), text


def _needed(nodes: Sequence[Node], due: set[str]) -> list[Node]:
    """The nodes that these tensors need."""
    kept = []
    for node in reversed(nodes):
        if due & {*node.outputs}:
            kept.append(node)
            due |= {item for item in node.inputs if isinstance(item, str)}
    return kept[::-1]


Writer = Callable[
    [BoundaryReader, Sequence[int], Sequence[Tensor], Mapping[str, str]],
    Written,
]

WRITERS: tuple[tuple[Writer, bool], ...] = ((code_of, False), (onnx_code_of, True))
"""The ways in which a part is written, the best first, and whether it is code of ONNX."""


def tensors_in(value: Any) -> list[Tensor]:
    """The tensors of nested lists."""
    return [x for x in flat([value]) if isinstance(x, Tensor)]
