"""The nodes of a graph as lines of a library, by the library's forms.

A form is a line as the library writes it, with names in braces for what differs: ``mx.tile({x},
{repeats})``. A form with ``{y}`` is a statement, or several; any other is an expression. Its name
is that of the node, such as ``Tile``, or of one kind of it, such as ``Pad edge``: see
:func:`form_name`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, zip_longest
from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code.builder import LIST_LIMIT
from dmlviz.code.forms import slice_text
from dmlviz.code.library import Library
from dmlviz.movement.graphs import BOOL, ELEMENT_TYPES, Constant, Graph, Node
from dmlviz.movement.nodes import all_tensors
from dmlviz.operators.code.base import LITERAL_LIMIT, NUMPY_TENSORS, Case, laid_out, value_text
from dmlviz.tensors import DATA_TYPES, element_count
from dmlviz.tensors.types import Sizes

_INPUTS: Mapping[str, str] = {
    "Add": "x other",
    "Cast": "x",
    "ConstantOfShape": "sizes",
    "Equal": "x other",
    "Expand": "x sizes",
    "Gather": "x indices",
    "GatherElements": "x indices",
    "GatherND": "x indices",
    "Identity": "x",
    "Less": "x other",
    "Mul": "x other",
    "Pad": "x pads value",
    "Range": "start limit delta",
    "Reshape": "x sizes",
    "ScatterElements": "x indices updates",
    "ScatterND": "x indices updates",
    "Slice": "x starts ends axes steps",
    "Split": "x parts",
    "Sub": "x other",
    "Tile": "x repeats",
    "Transpose": "x",
    "Trilu": "x k",
    "Where": "condition x other",
    "DepthToSpace": "x",
    "SpaceToDepth": "x",
}
"""The names in forms of a node's inputs, in ONNX's order."""

_NUMBERS = {"sizes", "pads", "starts", "ends", "axes", "steps", "parts", "repeats"} | {
    *("start", "limit", "delta", "k")
}
"""The inputs that are numbers in a line, and no tensors."""

_SIZED = ("GatherElements", "ScatterElements", "ScatterND", "Slice")
"""The nodes whose lines depend on the sizes of their inputs."""

_TYPES = {
    **{number: str(DATA_TYPES[name].dtype) for name, number in ELEMENT_TYPES.items()},
    BOOL: "bool_",
}


class FormNumbers(tuple[Any, ...]):
    """Numbers in a form: ``{sizes}`` a tuple, ``{sizes:list}`` a list, ``{sizes:bare}`` neither."""

    def __format__(self, spec: str) -> str:
        bare = ", ".join(map(str, self))
        if spec == "list":
            return f"[{bare}]"
        return bare if spec == "bare" else str(tuple(self))


_SHORT = 40
"""The characters that a list of numbers has within a line; a longer one has a line of its own."""


def is_small(case: Case) -> bool:
    """Whether the tensors have no more elements than code that is read can have."""
    return all(element_count(x.sizes) <= LIST_LIMIT for x in (*case.inputs, *case.outputs))


class FormMissing(Exception):
    """A library has no form for a node; the argument is the node's name."""


def lines_of(graph: Graph, case: Case, library: Library) -> list[str]:
    """The lines that make ``y`` from the inputs, or a list ``y`` of several outputs.

    Args:
        graph: its nodes.
        case: the tensors.
        library: whose forms are used.

    Raises:
        FormMissing: the library has no form for one of the nodes.
    """
    writer = _GraphWriter(graph, case, library)
    for node in graph.wired(case.inputs[0].name if case.inputs else "", case.outputs[0].name):
        writer.write(node)
    return writer.whole()


class _GraphWriter:
    """The lines of a graph while they are written.

    Args:
        graph, case, library: as of :func:`lines_of`.
    """

    def __init__(self, graph: Graph, case: Case, library: Library) -> None:
        self.graph, self.case, self.forms = graph, case, library.forms
        self.sizes = {tensor.name: tensor.sizes for tensor in case.inputs}
        self.tensors = library.tensors or NUMPY_TENSORS
        self.lines: list[str] = []
        self.constants: dict[str, str] = {}
        self.texts = {tensor.name: tensor.variable for tensor in (*case.inputs, *case.outputs)}
        self.types = {tensor.name: tensor.data_type for tensor in case.inputs}
        self.controls = {tensor.name for tensor in case.inputs if tensor.below}
        self.named = {name for node in graph.nodes for name in node.outputs}
        self.uses = Counter(
            item for node in graph.nodes for item in node.inputs if isinstance(item, str)
        )

    def write(self, node: Node) -> None:
        """Add a node.

        Raises:
            FormMissing: there is no form.
        """
        sizes = [self._sizes(item) for item in node.inputs] if node.op_type in _SIZED else []
        name = form_name(node, sizes)
        if name not in self.forms:
            raise FormMissing(node.op_type)
        texts = [
            "" if input_name in _NUMBERS else self._text(item)
            for input_name, item in _named_inputs(node)
        ]
        fields = _fields(node, texts, sizes)
        first = node.inputs[0] if node.inputs else ""
        if node.op_type == "Cast" and isinstance(first, str) and first in self.types:
            (made,) = node.outputs
            if self.types[first] in _types_of(node):
                # it has the type already
                self.texts[made] = self.texts[first]
                return
            if self.uses[made] < 2 and made not in self.output_names:
                self.texts[made] = self.forms[name].format(**fields)
                if first in self.controls:
                    self.controls.add(made)
                return
        self._statement(node, self.forms[name], fields)

    def _sizes(self, item: str | Constant) -> Sizes:
        """Of a tensor.

        Raises:
            FormMissing: the tensors of the operator are too large to find out those between.
        """
        if isinstance(item, Constant):
            sizes: Sizes = item.values.shape
            return sizes
        if item not in self.sizes:
            self.sizes |= self._sizes_between()
        return self.sizes[item]

    def _sizes_between(self) -> dict[str, Sizes]:
        """Of every tensor of the graph."""
        if not is_small(self.case):
            raise FormMissing(_("code for tensors of this size"))
        zeros = {x.name: np.zeros(x.sizes, DATA_TYPES[x.data_type].dtype) for x in self.case.inputs}
        every = all_tensors(self.graph, zeros, [x.name for x in self.case.outputs])
        return {name: array.shape for name, array in every.items()}

    @property
    def output_names(self) -> set[str]:
        """The names of the outputs."""
        return {tensor.name for tensor in self.case.outputs}

    def _statement(self, node: Node, form: str, fields: Mapping[str, Any]) -> None:
        tensors = [item for item in node.inputs if isinstance(item, str)]
        usual = "i" if tensors and self.controls.issuperset(tensors) else "y"
        if usual == "i":
            self.controls |= {*node.outputs}
        for output in node.outputs:
            if output not in self.texts:
                self.texts[output] = output if output in self.named else usual
        made = self.texts[node.outputs[0]] if len(node.outputs) == 1 else "y"
        line = form.format(y=made, **fields) if "{y}" in form else ""
        line = line or laid_out(f"{made} = ", form, **fields)
        self.lines += line.splitlines()

    def _text(self, item: str | Constant) -> str:
        """A tensor in a line: its name, or its elements, which have a line of their own if long.

        Raises:
            FormMissing: they are too many.
        """
        if not isinstance(item, Constant):
            return self.texts[item]
        values = item.values
        if values.size and not self.tensors.takes(values):
            raise FormMissing(_("number from {number} on").format(number="2**63"))
        if not values.ndim:
            return _nested(values)
        dtype, first = str(values.dtype), value_text(values.flat[0])
        form = self.forms.get("ConstantOfShape", "")
        if form and values.size > 1 and all(value_text(value) == first for value in values.flat):
            return form.format(sizes=FormNumbers(values.shape), value=first, dtype=dtype)
        if values.size > LITERAL_LIMIT or "constant" not in self.forms:
            raise FormMissing(_("list of {count} numbers").format(count=values.size))
        elements = {"values": _nested(values), "dtype": dtype}
        text = self.forms["constant"].format(**elements)
        if len(text) <= _SHORT:
            return text
        if text in self.constants:
            return self.constants[text]
        name = self.constants[text] = f"{item.name}{len(self.constants)}"
        self.lines += laid_out(f"{name} = ", self.forms["constant"], **elements).splitlines()
        return name

    def whole(self) -> list[str]:
        """All lines, the last of which make ``y``."""
        variables = [x.variable for x in self.case.outputs]
        # a call that makes several is a list
        if variables == ["y"] or self.lines[-1].startswith("y = "):
            return self.lines
        return [*self.lines, f"y = [{', '.join(variables)}]"]


def _named_inputs(node: Node) -> Iterator[tuple[str, str | Constant]]:
    """The inputs of a node by their names in forms; those of any number have none."""
    return zip_longest(
        _INPUTS.get(node.op_type, "").split()[: len(node.inputs)], node.inputs, fillvalue=""
    )


def _types_of(node: Node) -> list[str]:
    return [name for name, number in ELEMENT_TYPES.items() if number == node.attributes["to"]]


def _nested(values: Any) -> str:
    if not values.ndim:
        return value_text(values[()])
    return f"[{', '.join(map(_nested, values))}]"


def form_name(node: Node, sizes: Sequence[Sizes]) -> str:
    """The name of the form that writes a node.

    Args:
        node: it.
        sizes: of its inputs; only those of some kinds matter.

    >>> form_name(Node("Pad", attributes={"mode": "edge"}), [])
    'Pad edge'
    """
    attributes = node.attributes
    match node.op_type:
        case "Expand" if isinstance(of := node.inputs[0], Constant) and not of.values.ndim:
            return "ConstantOfShape"
        case "Pad":
            return f"Pad {attributes.get('mode', 'constant')}"
        case "Slice" if any(step < 0 for step in _constants(node).get("steps", ())):
            return "Slice backward"
        case "DepthToSpace" | "SpaceToDepth" if attributes["blocksize"] == 1:
            return "Identity"
        case "DepthToSpace":
            return f"DepthToSpace {attributes.get('mode', 'DCR')}"
        case "Trilu":
            return f"Trilu {'upper' if attributes.get('upper', 1) else 'lower'}"
        case "ScatterND" if len(sizes[1]) != 2:
            return "ScatterND deep"
        case "GatherND" if attributes.get("batch_dims", 0):
            return "GatherND batch"
        case "GatherElements" | "ScatterElements":
            axis = attributes.get("axis", 0) % len(sizes[0])
            one, other = ([*n[:axis], *n[axis + 1 :]] for n in sizes[:2])
            return node.op_type if one == other else f"{node.op_type} part"
    return node.op_type


def _constants(node: Node) -> dict[str, list[Any]]:
    """The inputs of a node that are numbers, by their names in forms."""
    return {
        name: item.values.ravel().tolist()
        for name, item in _named_inputs(node)
        if name in _NUMBERS and isinstance(item, Constant)
    }


def _fields(node: Node, texts: Sequence[str], sizes: Sequence[Sizes]) -> dict[str, Any]:
    """What a form of a node can have in braces."""
    names = _INPUTS.get(node.op_type, "").split()
    fields: dict[str, Any] = {**node.attributes, **dict(zip(names, texts, strict=False))}
    numbers = _constants(node)
    fields |= {name: FormNumbers(of) for name, of in numbers.items()}
    fields |= {n: of[0] for n, of in numbers.items() if n in ("k", "start", "limit", "delta")}
    match node.op_type:
        case "Expand" if isinstance(node.inputs[0], Constant):
            values = node.inputs[0].values
            fields |= {"value": texts[0], "dtype": str(values.dtype)}
        case "Concat":
            fields["parts"] = f"[{', '.join(texts)}]"
        case "Transpose":
            fields["order"] = FormNumbers(node.attributes["perm"])
        case "Cast":
            fields["dtype"] = _TYPES[node.attributes["to"]]
        case "ConstantOfShape":
            value = node.attributes["value"].values[0]
            fields |= {"value": value_text(value), "dtype": str(value.dtype)}
        case "Split":
            fields["cuts"] = FormNumbers(accumulate(numbers["parts"][:-1]))
        case "Pad":
            pads = numbers["pads"]
            count = len(pads) // 2
            fields["pairs"] = [*zip(pads[:count], pads[count:], strict=True)]
        case "Slice":
            fields["subscript"] = _subscript(numbers, sizes[0])
    return fields


def _subscript(numbers: Mapping[str, list[int]], sizes: Sizes) -> str:
    texts = [":"] * len(sizes)
    axes = numbers.get("axes", range(len(numbers["starts"])))
    steps = numbers.get("steps", [1] * len(numbers["starts"]))
    for start, end, axis, step in zip(numbers["starts"], numbers["ends"], axes, steps, strict=True):
        n = sizes[axis]
        until = end if end > -n - 1 or step > 0 else None
        texts[axis] = slice_text(slice(start, until, step).indices(n), n)
    last = next((k for k in range(len(texts), 0, -1) if texts[k - 1] != ":"), 1)
    return ", ".join(texts[:last])
