"""An ONNX model's parts that only move elements, each as a chain.

A part is as many nodes as are connected and only move; what they need to know, such as the sizes
of a reshape, is calculated from constants. All other nodes are the boundary, each with a reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.display import Displayed
from dmlviz.base.words import _
from dmlviz.code.builder import OPERATION_LIMIT
from dmlviz.code.chain import Chain, read
from dmlviz.code.model_choosing import chosen_sizes
from dmlviz.code.model_file import Dimensions, FileBytes, FileNode, ModelFile, read_model_file
from dmlviz.code.model_graph import ModelGraph, model_graph
from dmlviz.code.model_text import PartWriter
from dmlviz.code.model_walk import ModelWalk, Refusal, calculating
from dmlviz.code.native import OPSET, NativeNodes
from dmlviz.code.onnx import ONNX, opset_import
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.running import ChainTrace, PartOfCode, run_part
from dmlviz.movement.graphs import LEFT_OUT, Constant, Node
from dmlviz.tensors import one_line, short_text
from dmlviz.tensors.types import Sizes, Tensors

PART_LIMIT = 256
"""The limit of parts of a model."""

LISTED_PARTS = 20
"""The limit of parts that a notebook lists."""


@dataclass(frozen=True, eq=False, repr=False)
class ModelPart(PartOfCode):
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

    def run(self, values: Tensors | None = None, engine: str = "numpy") -> ChainTrace:
        """Run the part.

        Args:
            values: of its inputs, by the chain's names; those that are missing count from 1, or
                are the file's constants if they fit the others' data type.
            engine: the name of an engine that is available here.

        Raises:
            Error: as :func:`dmlviz.code.run_chain`.
        """
        return run_part(self.chain, values, engine, self.constants, self.native)


@dataclass(frozen=True, eq=False, repr=False)
class Model(Displayed):
    """What of an ONNX model only moves elements.

    Attributes:
        nodes: how many it has.
        folded: how many of them are calculated from constants.
        parts: the largest first.
        refused: the other nodes, in order.
        inputs: the sizes of the model's inputs.
        outputs: the names of its outputs.
        open_inputs: the inputs of which the file leaves sizes open, as it states them: a number, a
            name that stands for one, or None; None for an input without any.
        chosen_sizes: of those of them that were not given.
        graph: its parts and what computes between them.
    """

    nodes: int
    folded: int
    parts: tuple[ModelPart, ...]
    refused: tuple[Refusal, ...]
    inputs: Mapping[str, Sizes]
    outputs: tuple[str, ...]
    open_inputs: Mapping[str, Dimensions | None]
    chosen_sizes: Mapping[str, Sizes]
    graph: ModelGraph

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
    data: bytes | FileBytes,
    sizes: Mapping[str, Sequence[int]] | None = None,
    arrays: Tensors | None = None,
) -> Model:
    """The parts of an ONNX model that only move elements.

    Args:
        data: the bytes of an ``.onnx`` file of any size; those of weights are not touched.
        sizes: of the model's inputs, by name; sizes that the file leaves open and that are not
            here are chosen. Also of tensors whose sizes follow from nothing.
        arrays: the values of inputs that say where elements go, by name.

    Raises:
        CodeRefused: it is not a model, has too many nodes, or has functions of its own; or a
            tensor has no such name or other sizes.
    """
    file = read_model_file(memoryview(data) if isinstance(data, bytes) else data)
    requested = _requested_sizes(file, sizes or {}, arrays or {})
    chosen = chosen_sizes(file, requested, arrays or {})
    walk = ModelWalk(file, file.stated_inputs() | requested | chosen, arrays or {})
    for name, of in requested.items():
        if walk.sizes.get(name) != of:
            raise _no_input(file, name)
    parts: list[ModelPart] = []
    kept: list[list[int]] = []
    takers = _takers(walk)
    # the largest first, if there are too many
    for members in sorted(walk.components(), key=len, reverse=True):
        try:
            with calculating():
                if len(parts) == PART_LIMIT:
                    raise CodeRefused(
                        "limit",
                        _("The model has more than {most} parts.").format(most=PART_LIMIT),
                    )
                parts.append(_part(walk, members, takers))
                kept.append(members)
        except CodeRefused as refused:
            for number in members:
                walk.refuse(number, refused)
    return Model(
        len(file.nodes),
        len(walk.folded),
        tuple(parts),
        tuple(of for _number, of in sorted(walk.refused.items())),
        MappingProxyType({name: walk.sizes[name] for name in file.inputs}),
        file.outputs,
        MappingProxyType(file.open_inputs()),
        MappingProxyType(chosen),
        model_graph(file, walk.folded, kept, walk.sizes),
    )


def _requested_sizes(
    file: ModelFile, sizes: Mapping[str, Sequence[int]], arrays: Tensors
) -> dict[str, Sizes]:
    """The sizes that are requested, of inputs and of what nodes give."""
    due = {name: tuple(int(n) for n in of) for name, of in sizes.items()}
    due |= {name: np.shape(array) for name, array in arrays.items()}
    made = {name for node in file.nodes for name in node.outputs}
    for name in due:
        if name not in file.inputs and (name not in made or name in arrays):
            raise _no_input(file, name)
    return due


def _no_input(file: ModelFile, name: str) -> CodeRefused:
    """The refusal of sizes of a tensor that the model does not have, or whose sizes follow."""
    return CodeRefused(
        "name",
        _("{name} is not an input of the model; its inputs are {inputs}.").format(
            name=short_text(name), inputs=short_text(", ".join(file.inputs)) or "-"
        ),
    )


def _takers(walk: ModelWalk) -> Mapping[str, set[int]]:
    """For each tensor the numbers of the nodes that take its elements; -1 for the outputs."""
    takers: dict[str, set[int]] = defaultdict(set)
    for number, node in enumerate(walk.file.nodes):
        if number not in walk.folded:
            for name in (*node.inputs, *node.captured):
                takers[name].add(number)
    for name in walk.file.outputs:
        takers[name].add(-1)
    return takers


def _part(walk: ModelWalk, members: Sequence[int], takers: Mapping[str, set[int]]) -> ModelPart:
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
    writer = PartWriter(walk.sizes, walk.values)
    inside = {*members}
    made = [name for k in members for name in walk.moves[k].outputs if name]
    outputs = [name for name in dict.fromkeys(made) if takers[name] - inside]
    if not outputs:
        raise CodeRefused("nothing", _("No other node takes the elements of what this gives."))
    for number in members:
        writer.line(walk.moves[number])
    text = writer.text(outputs)
    if walk.file.opset != OPSET:
        text = f"{opset_import(walk.file.opset)}\n{text}"
    taken = {*writer.inputs.values()}
    # a part that is refused is none
    chain = read(text, writer.sizes, writer.arrays, ONNX.key)
    return ModelPart(
        text,
        MappingProxyType(writer.sizes),
        MappingProxyType(writer.arrays),
        tuple(walk.name(number) for number in members),
        tuple(walk.file.nodes[number].op_type for number in members),
        MappingProxyType(writer.inputs),
        MappingProxyType({writer.names[name]: name for name in outputs}),
        MappingProxyType(dict(chain.inputs)),
        MappingProxyType({name: chain.sizes[of] for name, of in chain.outputs.items()}),
        MappingProxyType(
            {n: walk.values[of] for n, of in writer.inputs.items() if of in walk.values}
        ),
        NativeNodes(
            walk.file.opset,
            tuple(_native(walk, walk.file.nodes[k], taken) for k in members),
            MappingProxyType(writer.inputs),
            MappingProxyType({code: name for name, code in writer.names.items()}),
        ),
    )


def _native(walk: ModelWalk, node: FileNode, inputs: Collection[str]) -> Node:
    """A node as the file has it; what is no input of the part is a constant."""
    items: list[str | Constant] = []
    for name in node.inputs:
        constant = name in walk.values and name not in inputs
        items.append(Constant(name, walk.values[name]) if constant else name or LEFT_OUT)
    return Node(node.op_type, tuple(items), node.attributes, node.outputs)
