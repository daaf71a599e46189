"""ONNX: a model of one or a few nodes, made with ``onnx.helper``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.movement.graphs import FLOW, Constant, Graph
from dmlviz.operators.code.base import (
    NUMPY_TENSORS,
    Case,
    NamedTensor,
    Snippet,
    all_made,
    call,
    tuple_text,
    value_text,
    with_file,
)

_IMPORTS = """\
import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper
from onnx.reference import ReferenceEvaluator"""

_ELEMENT_TYPES = {"FLOAT64": "DOUBLE", "FLOAT32": "FLOAT"}


@dataclass(frozen=True)
class NodeText:
    """One node, as text.

    Attributes:
        op_type: ONNX's name.
        inputs: names of tensors in order; :data:`~dmlviz.movement.graphs.FLOW` is what the node
            before gave.
        constants: the inputs that the model contains, with the expressions that make them.
        attributes: names, and values as Python writes them.
        outputs: names; empty for one that the next node takes.
    """

    op_type: str
    inputs: tuple[str, ...] = (FLOW,)
    constants: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)
    outputs: tuple[str, ...] = ()


def nodes_of(graph: Graph) -> list[NodeText]:
    """The nodes of a graph with short constants: one or two numbers per dimension, or a value."""
    texts = []
    for k, node in enumerate(graph.nodes):
        inputs, constants = [], {}
        for item in node.inputs:
            if isinstance(item, Constant):
                name = f"{item.name}{k}" if len(graph.nodes) > 1 else item.name
                constants[name] = _array(item)
                item = name
            inputs.append(item)
        attributes = {name: _attribute(value) for name, value in node.attributes.items()}
        texts.append(NodeText(node.op_type, tuple(inputs), constants, attributes, node.outputs))
    return texts


def _attribute(value: Any) -> str:
    if isinstance(value, Constant):
        return f"numpy_helper.from_array({_array(value)})"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _array(constant: Constant) -> str:
    values = constant.values
    texts = [value_text(value) for value in values.ravel()]
    inner = f"[{', '.join(texts)}]" if values.ndim else texts[0]
    shape = f".reshape({tuple_text(values.shape)})" if values.ndim > 1 else ""
    return f"np.array({inner}, dtype=np.{values.dtype}){shape}"


def onnx_snippet(
    case: Case,
    nodes: Sequence[NodeText],
    opset: int = 13,
    before: Sequence[str] = (),
    note: str = "",
) -> Snippet:
    """A model of a chain of nodes, run by ONNX's own reference implementation.

    Args:
        case: the tensors; nodes can use DirectML's names for them.
        nodes: first to last.
        opset: the lowest one that has all of them.
        before: lines that the nodes' constants need.
        note: one sentence, or empty.
    """
    constants: dict[str, str] = {}
    for node in nodes:
        constants |= node.constants
    tensors = [*_infos(case.inputs), *_infos(case.outputs)]
    feeds = ", ".join(f'"{x.variable}": {x.variable}' for x in case.inputs)
    # all of several outputs
    first = "[0]" if case.outputs[0].variable == "y" else ""
    body = list(before)
    if constants:
        body += ["constants = {", *(f'    "{k}": {v},' for k, v in constants.items()), "}"]
    body += ["nodes = [", *(f"    {line}," for line in _nodes(nodes, case)), "]"]
    body += ["graph = helper.make_graph(", "    nodes,", f'    "{case.operator_type}",', *tensors]
    if constants:
        body.append(
            "    [numpy_helper.from_array(value, name) for name, value in constants.items()],"
        )
    body += [
        ")",
        "model = helper.make_model(",
        f'    graph, opset_imports=[helper.make_opsetid("", {opset})], ir_version=8',
        ")",
        "checker.check_model(model)",
        call("y = ReferenceEvaluator(model).run", "None", f"{{{feeds}}}") + first,
    ]
    helped = any("numpy_helper" in line for line in body)
    imports = _IMPORTS if helped else _IMPORTS.replace(", numpy_helper", "")
    return Snippet(
        "onnx", imports, all_made(NUMPY_TENSORS, case), "\n".join(body), with_file(case, note)
    )


def onnxscript_snippet(case: Case, graph: Graph) -> Snippet:
    """A graph as onnxscript writes it: ``y = op.Gather(x, indices, axis=0)``.

    Args:
        case: the tensors.
        graph: of nodes with one output each; casts of indices are left out.
    """
    variables = {tensor.name: tensor.variable for tensor in (*case.inputs, *case.outputs)}
    flow = case.inputs[0].variable if case.inputs else ""
    lines = []
    for k, node in enumerate(graph.nodes):
        arguments = [
            str(one.values.tolist()) if isinstance(one, Constant) else variables.get(one, one)
            for one in node.inputs
        ]
        arguments = [one or flow for one in arguments]
        made = node.outputs[0] if node.outputs else f"y{k}"
        if node.op_type == "Cast":
            variables[made] = flow = arguments[0]
            continue
        made = "y" if k == len(graph.nodes) - 1 else variables.get(made, made)
        arguments += [f"{name}={_attribute(value)}" for name, value in node.attributes.items()]
        lines.append(f"{made} = op.{node.op_type}({', '.join(arguments)})")
        flow = made
    return Snippet("onnx", body="\n".join(lines))


def onnx_gathers(
    case: Case, name: str, indices: Mapping[int, str], before: Sequence[str], note: str
) -> Snippet:
    """A model with one Gather for each dimension that changes.

    Args:
        case: the tensors.
        name: of the indices' constants, before the number of the dimension.
        indices: by dimension, the expression of the input's index for each of the output's.
        before: lines that the expressions need.
        note: one sentence, or empty.
    """
    nodes = [
        NodeText("Gather", (FLOW, f"{name}{d}"), {f"{name}{d}": text}, {"axis": str(d)})
        for d, text in indices.items()
    ]
    return onnx_snippet(case, nodes or [NodeText("Identity")], before=before, note=note)


def _infos(tensors: Sequence[NamedTensor]) -> list[str]:
    infos = [
        f'helper.make_tensor_value_info("{tensor.variable}", '
        f"TensorProto.{_ELEMENT_TYPES.get(tensor.data_type, tensor.data_type)}, "
        f"{list(tensor.sizes)})"
        for tensor in tensors
    ]
    if len(infos) < 2:
        return [f"    [{''.join(infos)}],"]
    return ["    [", *(f"        {info}," for info in infos), "    ],"]


def _nodes(nodes: Sequence[NodeText], case: Case) -> list[str]:
    texts = []
    flow = case.inputs[0].variable if case.inputs else ""
    variables = {tensor.name: tensor.variable for tensor in (*case.inputs, *case.outputs)}
    for k, node in enumerate(nodes):
        named = (flow if name == FLOW else variables.get(name, name) for name in node.inputs)
        inputs = ", ".join(f'"{name}"' for name in named)
        last = "y" if k == len(nodes) - 1 else f"y{k}"
        made = tuple(variables.get(name, name) for name in node.outputs) or (last,)
        flow = made[0]
        outputs = ", ".join(f'"{name}"' for name in made)
        options = [f"{name}={value}" for name, value in node.attributes.items()]
        text = call(
            "helper.make_node", f'"{node.op_type}"', f"[{inputs}]", f"[{outputs}]", *options
        )
        texts.append(text.replace("\n", "\n    "))
    return texts
