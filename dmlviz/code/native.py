"""ONNX's own nodes, as code of ``onnx`` or a file has them, for an engine that runs them itself.

Source of their inputs and attributes: onnx.ai/onnx/operators.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.code.calls import Call
from dmlviz.code.model_nodes import CONTROLS, default, of_opset
from dmlviz.code.onnx import FUNCTIONS
from dmlviz.code.tensor import Tensor
from dmlviz.movement.graphs import LEFT_OUT, Constant, Node
from dmlviz.tensors.types import Array, Sizes

OPSET = 19
"""The opset of code: the lowest that has every operator that is read."""

_LATER = {("SpaceToDepth", "mode"): 28}
"""The opset of attributes that came later, which older engines do not have."""

_CHOOSING: Mapping[str, tuple[int, ...]] = {
    **CONTROLS,
    "Pad": (1, 3),
    "Scatter": (1,),
    "Upsample": (1,),
}
"""By the operator, also of older opsets, which inputs have elements that reach no output."""

_INPUTS = {"ScatterElements": 3, "ScatterND": 3, "Where": 3}
"""How many inputs an operator has, if those are more than one and what chooses elements."""

_TYPES = {
    ("Compress", 1): "bool",
    ("Dropout", 1): "float32",
    ("Dropout", 2): "bool",
    ("Resize", 1): "float32",
    ("Resize", 2): "float32",
    ("Where", 0): "bool",
}
"""The data types of inputs that choose elements and are not INT64."""

_SHAPED = ("Compress", "Dropout", "Gather", "ReverseSequence", "Scatter", "Trilu", "Where")
"""What the names of operators start with whose indices or masks have any number of dimensions."""

_FLOATS = ("cubic_coeff_a", "extrapolation_value")
"""The attributes of movements that are numbers and not whole."""


@dataclass(frozen=True, eq=False)
class NativeNodes:
    """Nodes that an engine runs as they are.

    Attributes:
        opset: of ONNX's own domain.
        nodes: in order, with a name for every tensor.
        inputs: for each input of a chain that they need, their name of it.
        outputs: for each tensor of the chain that they make, their name of it.
    """

    opset: int
    nodes: tuple[Node, ...]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]


def reaches_output(op_type: str, k: int) -> bool:
    """Whether elements of a node's input ``k`` can reach an output."""
    return k not in _CHOOSING.get(op_type, ())


def nodes_of_calls(
    calls: Sequence[Call],
    inputs: Mapping[str, Tensor],
    made: Mapping[str, Tensor],
    opset: int | None = None,
) -> NativeNodes | None:
    """The nodes that calls of ``onnx`` name.

    Args:
        calls: in order.
        inputs: the tensors whose elements move, by name.
        made: the tensors to make, by the chain's name.
        opset: that the code names; None for the lowest that has all of them.

    Returns:
        Nodes in the form of the opset. None if other code than such calls makes a tensor.
    """
    names = {id(tensor): name for name, tensor in inputs.items()}
    nodes: list[Node] = []
    for number, call in enumerate(calls):
        if call.onnx is None:
            continue
        taken, attributes = _bound(*call.onnx)
        items = [_item(call.onnx[0], k, item, names) for k, item in enumerate(taken)]
        known = tuple(item for item in items if item is not None)
        if len(known) < len(items):
            # what only chooses elements is no node of theirs
            continue
        outputs = tuple(f"{number}_{k}" for k in range(len(call.tensors)))
        names |= zip(map(id, call.tensors), outputs, strict=True)
        nodes.append(Node(call.onnx[0], known, attributes, outputs))
    if opset is None:
        later = (_LATER.get((n.op_type, name), OPSET) for n in nodes for name in n.attributes)
        opset = max((OPSET, *later))
    nodes = [of_opset(node, opset) for node in nodes]
    if not nodes or any(id(tensor) not in names for tensor in made.values()):
        return None
    outputs_of = {name: names[id(tensor)] for name, tensor in made.items()}
    return NativeNodes(opset, tuple(nodes), dict(zip(inputs, inputs, strict=True)), outputs_of)


def _bound(
    op_type: str, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]]:
    """The inputs of a call in ONNX's order, and its attributes."""
    parameters = [*inspect.signature(FUNCTIONS[f"onnx.{op_type}"]).parameters.values()][1:]
    named = dict(kwargs)
    if parameters[0].kind is inspect.Parameter.VAR_POSITIONAL:
        inputs = [*args]
    else:
        named |= {p.name: item for p, item in zip(parameters, args, strict=False)}
        count = _INPUTS.get(op_type, 1 + len(CONTROLS.get(op_type, ())))
        inputs = [named.pop(p.name, None) for p in parameters[:count]]
    while inputs and inputs[-1] is None:
        inputs.pop()
    return inputs, {
        name: float(value) if name in _FLOATS else value
        for name, value in named.items()
        if value != default(op_type, name)
    }


def _item(op_type: str, k: int, item: Any, names: Mapping[int, str]) -> str | Constant | None:
    """An input of a node; None if it is a tensor that no node makes."""
    if item is None:
        return LEFT_OUT
    moves = reaches_output(op_type, k)
    if isinstance(item, Tensor) and moves and item.moving:
        return names.get(id(item))
    if isinstance(item, Tensor):
        item = item.values if item.moving else item.array
    values = np.asarray(item)
    if values.dtype.kind not in "biuf":
        return None
    if not moves:
        values = values.astype(_TYPES.get((op_type, k), "int64"))
        if not op_type.startswith(_SHAPED):
            values = np.atleast_1d(values)
    return Constant("constant", values)


def pads_beyond(node: Node, sizes: Sizes | None) -> str:
    """The mode of a Pad that may need more elements on a side than its tensor has; else empty.

    Args:
        node: any node.
        sizes: of its first input; None if they are unknown.
    """
    mode = str(node.attributes.get("mode", "constant")) if node.op_type == "Pad" else ""
    item = node.inputs[1] if len(node.inputs) > 1 else None
    pads: Array = np.asarray(
        item.values if isinstance(item, Constant) else node.attributes.get("pads", [0])
    )
    least = 1 if sizes is None else min(sizes, default=1)
    return mode if pads.size and pads.max() > least - 1 else ""
