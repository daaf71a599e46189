"""ONNX: a model of one or a few nodes, made with ``onnx.helper``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dmlviz.operators.code.base import Case, Snippet, call, numpy_x, value_text
from dmlviz.operators.graphs import Graph

_IMPORTS = """\
import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper
from onnx.reference import ReferenceEvaluator"""

_CONSTANTS = {"Pad": ("pads", "value"), "Reshape": ("sizes",), "Tile": ("repeats",)}

_ELEMENT_TYPES = {"FLOAT64": "DOUBLE", "FLOAT32": "FLOAT"}


@dataclass(frozen=True)
class NodeText:
    """One node in a chain, as text.

    Attributes:
        op_type: ONNX's name.
        constants: the inputs behind the data: names, and the expressions that make them.
        attributes: names, and values as Python writes them.
    """

    op_type: str
    constants: Mapping[str, str] = field(default_factory=dict)
    attributes: Mapping[str, str] = field(default_factory=dict)


def nodes_of(graph: Graph) -> list[NodeText]:
    """The nodes of a graph whose constants are short: a number per dimension or two, or a value."""
    texts = []
    for k, node in enumerate(graph.nodes):
        constants = {}
        for name, array in zip(_CONSTANTS.get(node.op_type, ()), node.constants, strict=False):
            values = [value_text(value) for value in array.ravel()]
            inner = f"[{', '.join(values)}]" if array.ndim else values[0]
            unique = f"{name}{k}" if len(graph.nodes) > 1 else name
            constants[unique] = f"np.array({inner}, dtype=np.{array.dtype})"
        attributes = {
            name: f'"{value}"' if isinstance(value, str) else str(value)
            for name, value in node.attributes.items()
        }
        texts.append(NodeText(node.op_type, constants, attributes))
    return texts


def onnx_snippet(
    case: Case,
    nodes: Sequence[NodeText],
    opset: int = 13,
    before: Sequence[str] = (),
    note: str = "",
) -> Snippet:
    """A model of a chain of nodes, and what ONNX's own reference makes of ``x``.

    Args:
        case: the tensors.
        nodes: first to last.
        opset: the lowest that has them all.
        before: lines that the nodes' constants need.
        note: one sentence, or empty.
    """
    constants: dict[str, str] = {}
    for node in nodes:
        constants |= node.constants
    element = _ELEMENT_TYPES.get(case.data_type, case.data_type)
    tensors = [
        f'    [helper.make_tensor_value_info("{name}", TensorProto.{element}, {list(sizes)})],'
        for name, sizes in (("x", case.sizes), ("y", case.output_sizes))
    ]
    body = list(before)
    if constants:
        body += ["constants = {", *(f'    "{k}": {v},' for k, v in constants.items()), "}"]
    body += ["nodes = [", *(f"    {line}," for line in _nodes(nodes)), "]"]
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
        'y = ReferenceEvaluator(model).run(None, {"x": x})[0]',
    ]
    imports = _IMPORTS if constants else _IMPORTS.replace(", numpy_helper", "")
    return Snippet("onnx", imports, numpy_x(case), "\n".join(body), note)


def _nodes(nodes: Sequence[NodeText]) -> list[str]:
    texts = []
    for k, node in enumerate(nodes):
        data = f"y{k - 1}" if k else "x"
        result = "y" if k == len(nodes) - 1 else f"y{k}"
        inputs = ", ".join(f'"{name}"' for name in (data, *node.constants))
        options = [f"{name}={value}" for name, value in node.attributes.items()]
        made = call(
            "helper.make_node", f'"{node.op_type}"', f"[{inputs}]", f'["{result}"]', *options
        )
        texts.append(made.replace("\n", "\n    "))
    return texts
