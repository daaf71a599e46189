"""The nodes of a graph as lines of a library, by the library's forms.

A form is a line as the library writes it, with names in braces for what differs: ``mx.tile({x},
{repeats})``. A form with ``{y}`` is a statement, or several; any other is an expression. Its name
is that of the node, such as ``Tile``, or of one kind of it, such as ``Pad edge``: see
:func:`form_name`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, zip_longest
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.code.forms import slice_text
from dmlviz.movement.graphs import BOOL, ELEMENT_TYPES, Constant, Graph, Node
from dmlviz.movement.nodes import all_tensors
from dmlviz.operators.code.base import LITERAL_LIMIT, Case, laid_out, value_text
from dmlviz.tensors import DATA_TYPES
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

_TYPES = {
    **{number: str(DATA_TYPES[name].dtype) for name, number in ELEMENT_TYPES.items()},
    BOOL: "bool_",
}


class Numbers(tuple[Any, ...]):
    """Numbers in a form: ``{sizes}`` a tuple, ``{sizes:list}`` a list, ``{sizes:bare}`` neither."""

    def __format__(self, spec: str) -> str:
        bare = ", ".join(map(str, self))
        if spec == "list":
            return f"[{bare}]"
        return bare if spec == "bare" else str(tuple(self))


class FormMissing(Exception):
    """A library has no form for a node; the argument is the node's name."""


@dataclass(frozen=True)
class _Step:
    """A node with the names of its tensors in code.

    Attributes:
        node: it.
        texts: of its inputs.
        sizes: of its inputs; those of a constant are its own.
        outputs: the names of what it makes.
    """

    node: Node
    texts: tuple[str, ...]
    sizes: tuple[Sizes, ...]
    outputs: tuple[str, ...]


def lines_of(graph: Graph, case: Case, forms: Mapping[str, str]) -> list[str]:
    """The lines that make ``y`` from the inputs, or a list ``y`` of several outputs.

    Args:
        graph: its nodes.
        case: the tensors.
        forms: the library's.

    Raises:
        FormMissing: the library has no form for one of the nodes.
    """
    variables = {tensor.name: tensor.variable for tensor in (*case.inputs, *case.outputs)}
    types = {tensor.name: tensor.data_type for tensor in case.inputs}
    zeros = {x.name: np.zeros(x.sizes, DATA_TYPES[x.data_type].dtype) for x in case.inputs}
    every = all_tensors(graph, zeros, [x.name for x in case.outputs])
    first = case.inputs[0].name if case.inputs else ""
    lines: list[str] = []
    named = {name for node in graph.nodes for name in node.outputs}
    for node in graph.wired(first, case.outputs[0].name):
        of = node.inputs[0] if node.inputs else ""
        if node.op_type == "Cast" and isinstance(of, str) and types.get(of) in _types_of(node):
            # it has the type already
            variables[node.outputs[0]] = variables[of]
            continue
        outputs = [variables.get(n, n) if n in named else "y" for n in node.outputs]
        sizes = [i.values.shape if isinstance(i, Constant) else every[i].shape for i in node.inputs]
        texts = [
            "" if name in _NUMBERS else _text(item, variables, forms)
            for name, item in _named_inputs(node)
        ]
        lines += _statement(_Step(node, tuple(texts), tuple(sizes), tuple(outputs)), forms)
        variables |= zip(node.outputs, outputs, strict=True)
    due = [x.variable for x in case.outputs]
    last = variables[node.outputs[0]]
    if due != ["y"]:
        return lines if lines[-1].startswith("y = ") else [*lines, f"y = [{', '.join(due)}]"]
    return lines if last == "y" and lines else [*lines, f"y = {last}"]


def _named_inputs(node: Node) -> Iterator[tuple[str, str | Constant]]:
    """The inputs of a node by their names in forms; those of any number have none."""
    return zip_longest(
        _INPUTS.get(node.op_type, "").split()[: len(node.inputs)], node.inputs, fillvalue=""
    )


def _types_of(node: Node) -> list[str]:
    return [name for name, number in ELEMENT_TYPES.items() if number == node.attributes["to"]]


def _text(item: str | Constant, variables: Mapping[str, str], forms: Mapping[str, str]) -> str:
    """A tensor in a line: its name, or its elements.

    Raises:
        FormMissing: they are too many for a line.
    """
    if not isinstance(item, Constant):
        return variables.get(item, item)
    values = item.values
    if not values.ndim:
        return value_text(values.flat[0])
    dtype = str(values.dtype)
    first = value_text(values.flat[0])
    if values.size > 1 and all(value_text(value) == first for value in values.flat):
        return _filled(
            forms, "ConstantOfShape", sizes=Numbers(values.shape), value=first, dtype=dtype
        )
    if values.size > LITERAL_LIMIT:
        raise FormMissing(item.name)
    return _filled(forms, "constant", values=_nested(values), dtype=dtype)


def _nested(values: Any) -> str:
    if not values.ndim:
        return value_text(values[()])
    return f"[{', '.join(map(_nested, values))}]"


def _filled(forms: Mapping[str, str], name: str, **fields: Any) -> str:
    if name not in forms:
        raise FormMissing(name.partition(" ")[0])
    return forms[name].format(**fields)


def form_name(node: Node, sizes: Sequence[Sizes]) -> str:
    """The name of the form that writes a node.

    Args:
        node: it.
        sizes: of its inputs.

    >>> form_name(Node("Pad", attributes={"mode": "edge"}), [(2, 3)])
    'Pad edge'
    """
    attributes = node.attributes
    match node.op_type:
        case "Pad":
            return f"Pad {attributes.get('mode', 'constant')}"
        case "Slice" if any(step < 0 for step in _constants(node).get("steps", ())):
            return "Slice backward"
        case "DepthToSpace":
            return f"DepthToSpace {attributes.get('mode', 'DCR')}"
        case "Trilu":
            return f"Trilu {'upper' if attributes.get('upper', 1) else 'lower'}"
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


def _statement(step: _Step, forms: Mapping[str, str]) -> Iterator[str]:
    """The lines of a node.

    Raises:
        FormMissing: there is no form.
    """
    name = form_name(step.node, step.sizes)
    if name not in forms:
        raise FormMissing(step.node.op_type)
    form, fields, (made, *more) = forms[name], _fields(step), step.outputs
    if "{y}" in form:
        yield from form.format(y=made, **fields).splitlines()
        return
    made = "y" if more else made
    yield from laid_out(f"{made} = ", form, **fields).splitlines()


def _fields(step: _Step) -> dict[str, Any]:
    """What a form of a node can have in braces."""
    node = step.node
    names = _INPUTS.get(node.op_type, "").split()
    fields: dict[str, Any] = {**node.attributes, **dict(zip(names, step.texts, strict=False))}
    numbers = _constants(node)
    fields |= {name: Numbers(of) for name, of in numbers.items()}
    fields |= {n: of[0] for n, of in numbers.items() if n in ("k", "start", "limit", "delta")}
    match node.op_type:
        case "Concat":
            fields["parts"] = f"[{', '.join(step.texts)}]"
        case "Transpose":
            fields["order"] = Numbers(node.attributes["perm"])
        case "Cast":
            fields["dtype"] = _TYPES[node.attributes["to"]]
        case "ConstantOfShape":
            value = node.attributes["value"].values[0]
            fields |= {"value": value_text(value), "dtype": str(value.dtype)}
        case "Split":
            fields["cuts"] = Numbers(accumulate(numbers["parts"][:-1]))
        case "Pad":
            pads = numbers["pads"]
            count = len(pads) // 2
            fields["pairs"] = [*zip(pads[:count], pads[count:], strict=True)]
        case "Slice":
            fields["subscript"] = _subscript(numbers, step.sizes[0])
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
