"""The nodes of a model, read in order: calculated, kept as movements, or refused with a reason."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.code import rules
from dmlviz.code.arguments import flat
from dmlviz.code.builder import Builder
from dmlviz.code.model_file import (
    FileNode,
    FileTensor,
    ModelFile,
    sizes_in_numbers,
)
from dmlviz.code.model_nodes import CONTROLS, Move, calculated, moves, newest
from dmlviz.code.model_sizes import is_sized, sizes_of_movement, sizes_of_outputs
from dmlviz.code.onnx import FUNCTIONS, ONNX
from dmlviz.code.refusals import CodeRefused, computes_values, depends_on_values
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import one_line, print_sizes, short_text
from dmlviz.tensors.sizes import READ_LIMIT
from dmlviz.tensors.types import Array, Sizes, Tensors

MODEL_ELEMENTS = 1 << 24
"""The limit of elements of all tensors that move or are constants, in a whole model: 128 MB."""

CONSTANT_LIMIT = 64
"""The limit of sizes, axes and edges of a movement that has a number for each dimension."""

_FEW = "CenterCropPad Expand Pad Reshape Resize Slice Squeeze Tile Unsqueeze"
"""The movements whose constants are a number for each dimension."""

UNCHANGED = ("Identity", "Dropout")
"""The movements whose output is their input."""

_ERRORS = (TypeError, ValueError, IndexError, KeyError, AttributeError, ArithmeticError)

_MISFITS = ("argument", "sizes")
"""The kinds of refusals of a movement that other sizes of the model's inputs may end."""


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


def named_numbers(file: ModelFile, sizes: Mapping[str, Sizes]) -> dict[str, int]:
    """The numbers that the file's names of sizes stand for, if its inputs have these sizes."""
    named: dict[str, int] = {}
    for name in file.inputs:
        for dimension, n in zip(file.stated.get(name, ()), sizes.get(name, ()), strict=False):
            if isinstance(dimension, str):
                named.setdefault(dimension, n)
    return named


@contextlib.contextmanager
def calculating() -> Iterator[None]:
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


class ModelWalk:
    """The state while a model's nodes are read in order.

    Args:
        file: the model.
        sizes: of all its inputs, and of tensors whose sizes nothing else says.
        arrays: the values of inputs that say where elements go.
        measuring: whether only sizes are needed; nothing is then moved.
    """

    def __init__(
        self,
        file: ModelFile,
        sizes: Mapping[str, Sizes],
        arrays: Tensors,
        *,
        measuring: bool = False,
    ) -> None:
        self.file, self._requested, self._measuring = file, sizes, measuring
        self.sizes = {name: tensor.sizes for name, tensor in file.tensors.items()}
        self.sizes |= {name: sizes[name] for name in file.inputs if name in sizes}
        self.values: dict[str, Array] = {
            name: tensor.values
            for name, tensor in file.tensors.items()
            if tensor.values is not None
        }
        self.values |= {name: np.asarray(array) for name, array in arrays.items()}
        self.moves: dict[int, Move] = {}
        self.refused: dict[int, Refusal] = {}
        self.folded: set[int] = set()
        self.misfits: set[int] = set()
        self._roots: dict[str, str] = {}
        self._named = named_numbers(file, sizes)
        self._elements = 0
        for number, node in enumerate(file.nodes):
            self._read(number, node)

    @property
    def unknown(self) -> int:
        """How many tensors have unknown sizes."""
        return len(self._roots)

    def name(self, number: int) -> str:
        """A node's name for readers."""
        node = self.file.nodes[number]
        return one_line(node.name or f"{node.op_type} {number + 1}")

    def refuse(self, number: int, refused: CodeRefused) -> None:
        """Note why a node is no part."""
        op_type = one_line(self.file.nodes[number].op_type)
        self.refused[number] = Refusal(self.name(number), op_type, refused.kind, str(refused))

    def _read(self, number: int, node: FileNode) -> None:
        """Read one node: calculate it, keep it as a movement, or note why not."""
        try:
            with calculating():
                self._step(number, node)
        except CodeRefused as refused:
            self.refuse(number, refused)
            self._note_sizes(number, node, refused)

    def _step(self, number: int, node: FileNode) -> None:
        if node.has_graphs or node.domain:
            raise CodeRefused(
                "computes",
                _("{operator} runs graphs of its own.").format(operator=short_text(node.op_type))
                if node.has_graphs
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
        made = self._run(move)
        if len(made) < len(move.outputs):
            raise CodeRefused("argument", _("The node has more outputs than its operator."))
        self.sizes |= zip(move.outputs, made, strict=False)
        self.moves[number] = move

    def _note_sizes(self, number: int, node: FileNode, refused: CodeRefused) -> None:
        """The sizes of what a node gives that is no movement here.

        They follow from the node; or the file states them; or they are given.
        """
        made: Sequence[Sizes | None] = ()
        if all(name in self.sizes for name in node.inputs if name):
            try:
                with calculating():
                    made = self._sizes_after(node)
                    if not made and refused.kind in _MISFITS:
                        raise refused
            except CodeRefused:
                self.misfits.add(number)
        unknown = (name for name in node.inputs if name and name not in self.sizes)
        root = next((self._roots.get(name, name) for name in unknown), None)
        for k, name in enumerate(node.outputs):
            due = made[k] if k < len(made) else None
            if due is None and number not in self.misfits:
                due = self._stated(node, k)
            if due is None:
                due = self._requested.get(name)
            if due is not None:
                self.sizes[name] = due
            elif name:
                self._roots[name] = name if root is None else root

    def _sizes_after(self, node: FileNode) -> Sequence[Sizes | None]:
        if node.branches:
            return [self._of_branches(node, k) for k in range(len(node.outputs))]
        if not node.domain and moves(node.op_type):
            move = newest(node, self.file.opset)
            controls = CONTROLS.get(move.op_type, ())
            if all(self._value(move.inputs[k]) is not None for k in controls if self._has(move, k)):
                return sizes_of_movement(move.op_type, self._inputs(move), move.attributes)
        return sizes_of_outputs(
            node.op_type,
            [self.sizes.get(name) for name in node.inputs],
            [self.values.get(name) for name in node.inputs],
            node.attributes,
        )

    def _of_branches(self, node: FileNode, k: int) -> Sizes | None:
        """The sizes of what an If gives: of the branch that runs, or if those that fit agree."""
        condition = self.values.get(node.inputs[0]) if node.inputs else None
        runs = {False: "else_branch", True: "then_branch"}
        of = [*node.branches.values()]
        if condition is not None and condition.size == 1:
            of = [node.branches.get(runs[bool(condition.item())], ())]
        known = {self.sizes.get(names[k]) for names in of if k < len(names)} - {None}
        return known.pop() if len(known) == 1 else None

    @staticmethod
    def _has(move: Move, k: int) -> bool:
        return k < len(move.inputs) and move.inputs[k] is not None

    def _stated(self, node: FileNode, k: int) -> Sizes | None:
        """The sizes that the file states of an output."""
        if self._departs:
            return None
        stated = self.file.stated.get(node.outputs[k])
        return sizes_in_numbers(stated, self._named)

    @cached_property
    def _departs(self) -> bool:
        """Whether inputs have other sizes than the file states, so that its others do not hold."""
        return any(
            len(stated) != len(self.sizes[name])
            or any(
                m not in (n, None)
                for n, m in zip(self.sizes[name], stated, strict=True)
                if not isinstance(m, str)
            )
            for name in self.file.inputs
            if name in self.sizes and (stated := self.file.stated.get(name)) is not None
        )

    def _folded(self, move: Move) -> bool:
        """Calculate a node from constants, or from sizes alone."""
        made: list[Array] | None
        if move.op_type == "Constant":
            ((value,), (name,)) = (move.attributes.values(), move.outputs)
            if isinstance(value, FileTensor) and value.values is None:
                # its elements are not needed
                self.sizes[name] = value.sizes
                return True
        if move.op_type in ("Shape", "Size") and move.inputs:
            sizes = self.sizes.get(str(move.inputs[0]))
            if sizes is None:
                raise self._unknown(move.inputs[0])
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
            if k and move.op_type in _FEW.split() and value.size > CONSTANT_LIMIT:
                raise CodeRefused(
                    "limit",
                    _("Sizes, axes and edges are {count} numbers; at most {most} are read.").format(
                        count=f"{value.size:,}", most=CONSTANT_LIMIT
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
                raise self._unknown(item)
            if (count := math.prod(self.sizes[item])) <= READ_LIMIT and not self._measuring:
                self._count(count)

    def _run(self, move: Move) -> list[Sizes]:
        """The sizes of what a movement gives: it is run on sources by itself."""
        inputs = self._inputs(move)
        measured = self._measuring and sizes_of_movement(move.op_type, inputs, move.attributes)
        if measured:
            return measured
        builder = Builder(ONNX.key)
        # any sources do, so inputs of the same sizes share a tensor
        kinds = dict.fromkeys(item for item in inputs if isinstance(item, tuple))
        tensors = {sizes: builder.input(f"x{k}", sizes) for k, sizes in enumerate(kinds)}
        taken = [tensors[item] if isinstance(item, tuple) else item for item in inputs]
        made = FUNCTIONS[f"onnx.{move.op_type}"](builder, *taken, **move.attributes)
        sizes = [tensor.sizes for tensor in flat([made]) if isinstance(tensor, Tensor)]
        if not self._measuring:
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
        for numbers in members.values():
            if all(self.moves[number].op_type in UNCHANGED for number in numbers):
                for number in numbers:
                    self.refuse(number, _unchanged(self.file.nodes[number].op_type))
        return [numbers for numbers in members.values() if numbers[0] not in self.refused]

    def _taken(self, move: Move) -> Iterator[str]:
        """The tensors of a movement whose elements move and are no constants."""
        controls = CONTROLS.get(move.op_type, ())
        for k, item in enumerate(move.inputs):
            if k not in controls and isinstance(item, str) and item not in self.values:
                yield item

    @cached_property
    def _makers(self) -> Mapping[str, int]:
        """For each tensor that a node gives the node's number."""
        nodes = enumerate(self.file.nodes)
        return {name: number for number, node in nodes for name in node.outputs if name}

    def _unknown(self, name: str | Array | None) -> CodeRefused:
        """The refusal of a tensor of unknown sizes: it says what they depend on."""
        root = self._roots.get(str(name), str(name))
        number = self._makers.get(root)
        words = {"tensor": short_text(name), "root": short_text(root)}
        if number is None:
            message = _("The sizes of {tensor} are unknown: nothing gives {root}.")
            return CodeRefused("sizes", message.format(**words))
        node = self.file.nodes[number]
        words["operator"] = one_line(node.op_type)
        if number in self.misfits:
            taken = ", ".join(print_sizes(self.sizes[n]) for n in node.inputs if n in self.sizes)
            message = _(
                "The sizes of {tensor} are unknown, because {operator} does not take tensors of "
                "the sizes {sizes}."
            )
            return CodeRefused("sizes", message.format(sizes=short_text(taken), **words))
        message = _(
            "The sizes of {tensor} depend on {operator}, and the file does not state them; give "
            "those of {root}."
        )
        return CodeRefused("sizes", message.format(**words))


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


def _unchanged(op_type: str) -> CodeRefused:
    message = _("{operator} moves nothing: its output is its input.")
    return CodeRefused("nothing", message.format(operator=one_line(op_type)))
