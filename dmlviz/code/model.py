"""An ONNX model's parts that only move elements, each as a chain.

A part is as many nodes as are connected and only move; what they need to know, such as the sizes
of a reshape, is calculated from constants. All other nodes are the boundary, each with a reason.
"""

from __future__ import annotations

import contextlib
import keyword
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.display import Displayed
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _
from dmlviz.code import rules
from dmlviz.code.address import DATA_TYPE, START
from dmlviz.code.arguments import flat
from dmlviz.code.builder import OPERATION_LIMIT, Builder
from dmlviz.code.chain import Chain, read
from dmlviz.code.model_file import FileNode, ModelFile, read_model_file
from dmlviz.code.model_nodes import CONTROLS, Move, calculated, default, moves, newest
from dmlviz.code.model_sizes import is_sized, sizes_after, sizes_of_movement
from dmlviz.code.native import OPSET, NativeNodes
from dmlviz.code.onnx import FUNCTIONS, ONNX, opset_import
from dmlviz.code.refusals import CodeRefused, computes_values, depends_on_values
from dmlviz.code.running import ChainTrace, run_chain
from dmlviz.code.tensor import Tensor, control
from dmlviz.movement.graphs import LEFT_OUT, Constant, Node
from dmlviz.tensors import one_line, short_text, start
from dmlviz.tensors.types import Array, Sizes, Tensors

MODEL_ELEMENTS = 1 << 24
"""The limit of elements of all tensors that move or are constants, in a whole model: 128 MB."""

PART_LIMIT = 256
"""The limit of parts of a model."""

LISTED_PARTS = 20
"""The limit of parts that a notebook lists."""

LITERAL_LIMIT = 64
"""The limit of elements of a constant that is written out; a larger one is a tensor of its own."""

_FEW = "CenterCropPad Expand Pad Reshape Resize Slice Squeeze Tile Unsqueeze"
"""The movements whose constants are a number for each dimension."""

NAME_LIMIT = 24
"""The limit of characters of a file's name that the code keeps."""

_ERRORS = (TypeError, ValueError, IndexError, KeyError, AttributeError, ArithmeticError)


@dataclass(frozen=True)
class Refusal:
    """A node that is no part, and why.

    Attributes:
        node: its name in the file; its operator and number if it has none.
        op_type: its operator.
        kind: one of :data:`dmlviz.code.refusals.KINDS`.
        message: the reason, one sentence.
    """

    node: str
    op_type: str
    kind: str
    message: str


@dataclass(frozen=True, eq=False, repr=False)
class ModelPart(Displayed):
    """Nodes that only move elements.

    Attributes:
        text: what they do, as code of the library ``onnx``: one operation a node.
        tensors: the sizes of what the code takes.
        arrays: the values of those that choose elements.
        nodes: their names in the file, in the order of the operations.
        op_types: their operators.
        inputs, outputs: by the chain's name of a tensor, the file's.
        input_sizes, output_sizes: by the same names.
        constants: the values of inputs that are constants of the file.
        native: the nodes as the file has them, with its opset, attributes and constants.
    """

    text: str
    tensors: Mapping[str, Sizes]
    arrays: Tensors
    nodes: tuple[str, ...]
    op_types: tuple[str, ...]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    input_sizes: Mapping[str, Sizes]
    output_sizes: Mapping[str, Sizes]
    constants: Tensors
    native: NativeNodes

    @property
    def chain(self) -> Chain:
        """What the nodes do.

        It is read anew each time: the maps of all its tensors take 8 bytes an element, and a model
        can have hundreds of parts.
        """
        return read(self.text, self.tensors, self.arrays, ONNX.key)

    def displayed_runs(self) -> tuple[Displayed, ...]:
        """See :class:`dmlviz.base.display.Displayed`."""
        return (self.run(),)

    def displayed_text(self) -> str:
        """What its nodes do, as code."""
        return self.text

    def displayed_summary(self) -> str:
        """See :class:`dmlviz.base.display.Displayed`."""
        return excerpt(self.text)

    def run(self, values: Tensors | None = None, engine: str = "numpy") -> ChainTrace:
        """Run the part.

        Args:
            values: of its inputs, by the chain's names; those that are missing count from 1, or
                are the file's constants if they fit the others' data type.
            engine: the name of an engine that is available here.

        Raises:
            Error: as :func:`dmlviz.code.run_chain`.
        """
        kind = next((array.dtype for array in (values or {}).values()), None)
        kind = start(START, (1,), DATA_TYPE).dtype if kind is None else kind
        chain = self.chain
        made = {
            name: np.asarray(self.constants[name], kind)
            if name in self.constants
            else start(START, sizes, DATA_TYPE).astype(kind)
            for name, sizes in chain.inputs.items()
        }
        return run_chain(chain, {**made, **(values or {})}, engine, self.native)


@dataclass(frozen=True, eq=False, repr=False)
class Model(Displayed):
    """What of an ONNX model only moves elements.

    Attributes:
        nodes: how many it has.
        folded: how many of them are calculated from constants.
        parts: the largest first.
        refused: the other nodes, in order.
        inputs: the sizes of the model's inputs; None where the file leaves them open.
        outputs: the names of its outputs.
    """

    nodes: int
    folded: int
    parts: tuple[ModelPart, ...]
    refused: tuple[Refusal, ...]
    inputs: Mapping[str, Sizes | None]
    outputs: tuple[str, ...]

    def displayed_runs(self) -> tuple[Displayed, ...]:
        """See :class:`dmlviz.base.display.Displayed`: none, because parts are large and many."""
        return ()

    def displayed_text(self) -> str:
        """The largest parts, as code."""
        numbered = enumerate(self.parts[:LISTED_PARTS], 1)
        return "\n".join(f"{number}. {one_line(part.text)}" for number, part in numbered)

    def displayed_summary(self) -> str:
        """How many nodes it has, and how many parts and nodes became of them."""
        return f"nodes={self.nodes}, parts={len(self.parts)}, refused={len(self.refused)}"


def read_model(
    data: bytes,
    sizes: Mapping[str, Sequence[int]] | None = None,
    arrays: Tensors | None = None,
) -> Model:
    """The parts of an ONNX model that only move elements.

    Args:
        data: the bytes of an ``.onnx`` file, at most 64 MB.
        sizes: of the model's inputs that the file leaves open, by name.
        arrays: the values of inputs that say where elements go, by name.

    Raises:
        CodeRefused: it is not a model, is too large, has its tensors in other files, or has
            functions of its own; or an input has no such name or other sizes.
    """
    file = read_model_file(data)
    walk = _Walk(file, _sizes_of_inputs(file, sizes or {}, arrays or {}), arrays or {})
    for number, node in enumerate(file.nodes):
        walk.step(number, node)
    parts: list[ModelPart] = []
    # the largest first, if there are too many
    for members in sorted(walk.components(), key=len, reverse=True):
        try:
            with _calculating():
                if len(parts) == PART_LIMIT:
                    raise CodeRefused(
                        "limit",
                        _("The model has more than {most} parts.").format(most=PART_LIMIT),
                    )
                parts.append(walk.part(members))
        except CodeRefused as refused:
            for number in members:
                walk.refuse(number, refused)
    return Model(
        len(file.nodes),
        len(walk.folded),
        tuple(parts),
        tuple(of for _number, of in sorted(walk.refused.items())),
        MappingProxyType({name: walk.sizes.get(name) for name in file.inputs}),
        file.outputs,
    )


def _sizes_of_inputs(
    file: ModelFile, sizes: Mapping[str, Sequence[int]], arrays: Tensors
) -> dict[str, Sizes]:
    due = {name: tuple(int(n) for n in of) for name, of in sizes.items()}
    due |= {name: np.shape(array) for name, array in arrays.items()}
    for name in due:
        if name not in file.inputs:
            raise CodeRefused(
                "name",
                _("{name} is not an input of the model; its inputs are {inputs}.").format(
                    name=short_text(name), inputs=short_text(", ".join(file.inputs)) or "-"
                ),
            )
    return {**file.sizes, **due}


@contextlib.contextmanager
def _calculating() -> Iterator[None]:
    """What Python and NumPy refuse of damaged settings is a refusal, too."""
    try:
        with np.errstate(all="ignore"):
            yield
    except CodeRefused:
        raise
    except _ERRORS as error:
        reason = one_line(str(error).partition("\n")[0]).rstrip(".")
        raise CodeRefused(
            "argument", _("This cannot be calculated: {reason}.").format(reason=reason)
        ) from None


class _Walk:
    """The state while a model's nodes are read in order."""

    def __init__(self, file: ModelFile, sizes: dict[str, Sizes], arrays: Tensors) -> None:
        self.file, self.sizes = file, sizes
        self.values: dict[str, Array] = {
            name: tensor.values
            for name, tensor in file.tensors.items()
            if tensor.values is not None
        }
        self.values |= {name: np.asarray(array) for name, array in arrays.items()}
        self.moves: dict[int, Move] = {}
        self.refused: dict[int, Refusal] = {}
        self.folded: set[int] = set()
        self._elements = 0

    def name(self, number: int) -> str:
        """A node's name for readers."""
        node = self.file.nodes[number]
        return one_line(node.name or f"{node.op_type} {number + 1}")

    def refuse(self, number: int, refused: CodeRefused) -> None:
        """Note why a node is no part."""
        op_type = one_line(self.file.nodes[number].op_type)
        self.refused[number] = Refusal(self.name(number), op_type, refused.kind, str(refused))

    def step(self, number: int, node: FileNode) -> None:
        """Read one node: calculate it, keep it as a movement, or note why not."""
        try:
            with _calculating():
                self._step(number, node)
        except CodeRefused as refused:
            self.refuse(number, refused)
            self._note_sizes(node)

    def _step(self, number: int, node: FileNode) -> None:
        if node.graphs or node.domain:
            raise CodeRefused(
                "computes",
                _("{operator} runs graphs of its own.").format(operator=short_text(node.op_type))
                if node.graphs
                else _("{operator} is not one of ONNX's own operators.").format(
                    operator=short_text(f"{node.domain}.{node.op_type}")
                ),
            )
        move = newest(node, self.file.opset)
        self._check_constants(move)
        if self._folded(move):
            self.folded.add(number)
            return
        if not moves(node.op_type):
            raise _no_movement(node.op_type)
        self._check_inputs(move)
        try:
            made = self._run(move)
        except CodeRefused as refused:
            if refused.kind == "limit":
                sizes = sizes_of_movement(move.op_type, self._inputs(move), move.attributes)
                self._note(move, sizes)
            raise
        if len(made) < len(move.outputs):
            raise CodeRefused("argument", _("The node has more outputs than its operator."))
        self._note(move, made)
        self.moves[number] = move

    def _note(self, move: Move, made: Sequence[Sizes]) -> None:
        self.sizes |= zip(move.outputs, made, strict=False)

    def _note_sizes(self, node: FileNode) -> None:
        """The sizes of what a node gives that computes."""
        names = [name for name in node.inputs if name]
        if node.domain or not node.outputs or node.outputs[0] in self.sizes:
            return
        made = sizes_after(
            node.op_type,
            [self.sizes.get(name) for name in names],
            [self.values.get(name) for name in names],
            node.attributes,
        )
        if made is not None:
            self.sizes[node.outputs[0]] = made

    def _folded(self, move: Move) -> bool:
        """Calculate a node from constants, or from sizes alone."""
        made: list[Array] | None
        if move.op_type in ("Shape", "Size") and move.inputs:
            sizes = self.sizes.get(str(move.inputs[0]))
            if sizes is None:
                raise _unknown(move.inputs[0])
            part = slice(move.attributes.get("start"), move.attributes.get("end"))
            whole = sizes[part] if move.op_type == "Shape" else math.prod(sizes)
            made = [np.asarray(whole, np.int64)]
        else:
            inputs = [self._value(item) for item in move.inputs]
            if any(a is None and b is not None for a, b in zip(inputs, move.inputs, strict=True)):
                return False
            if not inputs and move.op_type != "Constant":
                return False
            made = calculated(move.op_type, inputs, move.attributes)
        if made is None:
            return False
        for name, array in zip(move.outputs, made, strict=False):
            self._count(array.size)
            self.values[name], self.sizes[name] = array, array.shape
        return True

    def _value(self, item: str | Array | None) -> Array | None:
        return self.values.get(item) if isinstance(item, str) else item

    def values_of(self, move: Move, k: int) -> Array | None:
        """The values of an input that is a constant."""
        return self._value(move.inputs[k]) if k < len(move.inputs) else None

    def _count(self, elements: int) -> None:
        self._elements += elements
        if self._elements > MODEL_ELEMENTS:
            raise CodeRefused(
                "limit",
                _("The model moves more than {most} elements in all.").format(
                    most=f"{MODEL_ELEMENTS:,}"
                ),
            )

    def _check_constants(self, move: Move) -> None:
        """Refuse constants that would take long."""
        for k, item in enumerate(move.inputs):
            value = self._value(item)
            if value is None:
                continue
            self._count(value.size)
            if k and move.op_type in _FEW.split() and value.size > LITERAL_LIMIT:
                raise CodeRefused(
                    "limit",
                    _("Sizes, axes and edges are {count} numbers; at most {most} are read.").format(
                        count=f"{value.size:,}", most=LITERAL_LIMIT
                    ),
                )

    def _check_inputs(self, move: Move) -> None:
        controls = CONTROLS.get(move.op_type, ())
        for k, item in enumerate(move.inputs):
            if not isinstance(item, str) or item in self.values:
                continue
            if k in controls:
                raise CodeRefused(
                    "values",
                    _(
                        "Where elements go depends on the values of {tensor}, which is not a "
                        "constant."
                    ).format(tensor=short_text(item)),
                )
            if item not in self.sizes:
                raise _unknown(item)
            self._count(math.prod(self.sizes[item]))

    def _run(self, move: Move) -> list[Sizes]:
        """The sizes of what a movement gives: it is run on sources by itself."""
        builder = Builder(ONNX.key)
        inputs = self._inputs(move)
        # any sources do, so inputs of the same sizes share a tensor
        kinds = dict.fromkeys(item for item in inputs if isinstance(item, tuple))
        tensors = {sizes: builder.input(f"x{k}", sizes) for k, sizes in enumerate(kinds)}
        taken = [tensors[item] if isinstance(item, tuple) else item for item in inputs]
        made = FUNCTIONS[f"onnx.{move.op_type}"](builder, *taken, **move.attributes)
        sizes = [tensor.sizes for tensor in flat([made]) if isinstance(tensor, Tensor)]
        self._count(sum(map(math.prod, sizes)))
        return sizes

    def _inputs(self, move: Move) -> list[Sizes | Tensor | None]:
        """Sizes of what moves, constants, and None for what is left out."""
        taken: list[Sizes | Tensor | None] = []
        for item in move.inputs:
            value = self._value(item)
            if item is None or value is not None:
                taken.append(None if value is None else control(value))
            else:
                taken.append(self.sizes[str(item)])
        return taken

    def components(self) -> list[list[int]]:
        """The numbers of movements that are connected by a tensor that one of them gives."""
        makers = {name: number for number, of in self.moves.items() for name in of.outputs if name}
        group = {number: number for number in self.moves}

        def first(number: int) -> int:
            while group[number] != number:
                group[number] = group[group[number]]
                number = group[number]
            return number

        for number, move in self.moves.items():
            for name in self._taken(move):
                if name in makers:
                    one, two = sorted((first(makers[name]), first(number)))
                    group[two] = one
        members: dict[int, list[int]] = {}
        for number in self.moves:
            members.setdefault(first(number), []).append(number)
        return list(members.values())

    @cached_property
    def _takers(self) -> Mapping[str, set[int]]:
        """For each tensor the numbers of the nodes that take its elements; -1 for the outputs."""
        takers: dict[str, set[int]] = defaultdict(set)
        for number, node in enumerate(self.file.nodes):
            if number not in self.folded:
                for name in node.inputs:
                    takers[name].add(number)
        for name in self.file.outputs:
            takers[name].add(-1)
        return takers

    def _taken(self, move: Move) -> Iterator[str]:
        """The tensors of a movement whose elements move and are no constants."""
        controls = CONTROLS.get(move.op_type, ())
        for k, item in enumerate(move.inputs):
            if k not in controls and isinstance(item, str) and item not in self.values:
                yield item

    def part(self, members: Sequence[int]) -> ModelPart:
        """Movements as a chain.

        Raises:
            CodeRefused: they are too many, or nothing takes what they give.
        """
        if len(members) > OPERATION_LIMIT:
            raise CodeRefused(
                "limit",
                _("This part has {count} nodes; at most {most} are shown.").format(
                    count=f"{len(members):,}", most=OPERATION_LIMIT
                ),
            )
        writer = _Writer(self)
        inside = {*members}
        made = [name for k in members for name in self.moves[k].outputs if name]
        outputs = [name for name in dict.fromkeys(made) if self._takers[name] - inside]
        if not outputs:
            raise CodeRefused("nothing", _("No other node takes the elements of what this gives."))
        for number in members:
            writer.line(self.moves[number])
        text = writer.text(outputs)
        if self.file.opset != OPSET:
            text = f"{opset_import(self.file.opset)}\n{text}"
        taken = {*writer.inputs.values()}
        # a part that is refused is none
        chain = read(text, writer.sizes, writer.arrays, ONNX.key)
        return ModelPart(
            text,
            MappingProxyType(writer.sizes),
            MappingProxyType(writer.arrays),
            tuple(self.name(number) for number in members),
            tuple(self.file.nodes[number].op_type for number in members),
            MappingProxyType(writer.inputs),
            MappingProxyType({writer.names[name]: name for name in outputs}),
            MappingProxyType(dict(chain.inputs)),
            MappingProxyType({name: chain.sizes[of] for name, of in chain.outputs.items()}),
            MappingProxyType(
                {n: self.values[of] for n, of in writer.inputs.items() if of in self.values}
            ),
            NativeNodes(
                self.file.opset,
                tuple(self._native(self.file.nodes[k], taken) for k in members),
                MappingProxyType(writer.inputs),
                MappingProxyType({code: name for name, code in writer.names.items()}),
            ),
        )

    def _native(self, node: FileNode, inputs: Collection[str]) -> Node:
        """A node as the file has it; what is no input of the part is a constant."""
        items: list[str | Constant] = []
        for name in node.inputs:
            constant = name in self.values and name not in inputs
            items.append(Constant(name, self.values[name]) if constant else name or LEFT_OUT)
        return Node(node.op_type, tuple(items), node.attributes, node.outputs)


def _no_movement(op_type: str) -> CodeRefused:
    function = FUNCTIONS.get(f"onnx.{op_type}")
    if function is rules.by_values:
        return depends_on_values()
    if function is rules.computes or is_sized(op_type):
        return computes_values()
    return CodeRefused(
        "name",
        _("{name} is not supported here.").format(name=short_text(op_type)),
    )


def _unknown(name: Any) -> CodeRefused:
    return CodeRefused(
        "sizes",
        _("The sizes of {tensor} are unknown; give the sizes of the model's inputs.").format(
            tensor=short_text(name)
        ),
    )


class _Writer:
    """A part as code: one line a node, and names that code can have."""

    def __init__(self, walk: _Walk) -> None:
        self.walk = walk
        self.lines: list[str] = []
        self.names: dict[str, str] = {}
        self._taken = {"op"}
        self._numbers: Counter[str] = Counter()
        self.inputs: dict[str, str] = {}
        self.sizes: dict[str, Sizes] = {}
        self.arrays: dict[str, Array] = {}
        self._last: tuple[str, ...] = ()

    def line(self, move: Move) -> None:
        """Write a node."""
        controls = CONTROLS.get(move.op_type, ())
        written = [self._input(move, k, item, k in controls) for k, item in enumerate(move.inputs)]
        while written and written[-1] == "None":
            written.pop()
        written += [
            f"{name}={_literal(value)}"
            for name, value in move.attributes.items()
            if value != default(move.op_type, name)
        ]
        self._last = tuple(self._name(name, "t") if name else "_" for name in move.outputs)
        several = move.op_type == "Split"
        left = f"({self._last[0]},)" if several and len(self._last) == 1 else ", ".join(self._last)
        self.lines.append(f"{left} = op.{move.op_type}({', '.join(written)})")

    def text(self, outputs: Sequence[str]) -> str:
        """The code; its last line gives these tensors."""
        names = tuple(self.names[name] for name in outputs)
        if names != self._last:
            self.lines.append(f"{', '.join(names)} = {', '.join(names)}")
        return "\n".join(self.lines)

    def _input(self, move: Move, k: int, item: str | Array | None, chooses: bool) -> str:
        if item is None:
            return "None"
        value = self.walk.values.get(item) if isinstance(item, str) else item
        if value is None:
            return self._tensor(str(item))
        if not value.size and move.op_type == "Resize":
            return "None"
        if move.op_type == "Slice" and k in (1, 2):
            return _literal(self._within(move, value).tolist())
        if move.op_type == "Pad" and k == 2:
            return _literal(value.ravel()[0].item()) if value.size else "None"
        if value.size <= LITERAL_LIMIT and (value.size or chooses):
            return _literal(value.tolist())
        if not chooses and isinstance(item, str):
            return self._tensor(item)
        name = self._free("c")
        self.sizes[name], self.arrays[name] = value.shape, value
        return name

    def _within(self, move: Move, edges: Array) -> Array:
        """Edges of a slice, those beyond the ends at the ends: ONNX's have 64 bits."""
        sizes = self.walk.sizes[str(move.inputs[0])]
        axes = self.walk.values_of(move, 3)
        reach = np.array([sizes[int(d)] for d in (range(edges.size) if axes is None else axes)])
        return np.clip(edges, -reach - 1, reach)

    def _tensor(self, name: str) -> str:
        """A tensor whose elements move: an input, if no node here gives it."""
        if name not in self.names:
            code = self._name(name, "x")
            self.inputs[code], self.sizes[code] = name, self.walk.sizes[name]
        return self.names[name]

    def _name(self, name: str, letter: str) -> str:
        if name not in self.names:
            # PyTorch names a node's output so
            code = re.sub(r"\W+", "_", name.removesuffix("_output_0"), flags=re.ASCII).strip("_")
            plain = code.isidentifier() and len(code) <= NAME_LIMIT and not keyword.iskeyword(code)
            free = plain and code not in self._taken
            self.names[name] = code if free else self._free(letter)
            self._taken.add(self.names[name])
        return self.names[name]

    def _free(self, letter: str) -> str:
        while True:
            self._numbers[letter] += 1
            name = f"{letter}{self._numbers[letter]}"
            if name not in self._taken:
                self._taken.add(name)
                return name


def _literal(value: Any) -> str:
    """A number, a text, or lists of them, as code."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    return repr(value)
