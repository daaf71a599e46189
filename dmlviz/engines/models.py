"""Operators as ONNX models: the operator's tensors are the graph's inputs and outputs.

Their bytes are those that the onnx package writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.base.errors import EngineRefused
from dmlviz.base.words import _
from dmlviz.engines.base import Inputs
from dmlviz.movement import VALUES
from dmlviz.movement.graphs import BOOL, ELEMENT_TYPES, LEFT_OUT, Constant, Node
from dmlviz.movement.nodes import all_tensors
from dmlviz.movement.onnx_file import ATTRIBUTE_TYPES, encoded
from dmlviz.operators import Graph, Operator
from dmlviz.operators.slots import TensorDesc, descs_of

IR_VERSION = 8
"""A version that every supported runtime loads; the newest may be too new for one."""

PRODUCER = "dmlviz"


def build(operator: Operator, inputs: Inputs, graph: Graph) -> bytes:
    """The model that runs ``graph`` on inputs of these sizes and types, serialized.

    Tensors are graph inputs, never initializers: a model with only initializers is folded away on
    the CPU before any provider sees it.
    """
    descs = descs_of(inputs)
    outputs = operator.output_descs(descs)
    nodes = graph.wired(next(iter(descs), ""), next(iter(outputs)))
    return model_bytes(operator.operator_type, tuple(nodes), descs, outputs, graph.opset)


def dimension_counts(operator: Operator, inputs: Inputs, graph: Graph) -> dict[str, int]:
    """How many dimensions each tensor of a graph has, by name, constants included: no runtime."""
    outputs = tuple(operator.output_descs(descs_of(inputs)))
    # the elements that move have no part in it: one zero stands for all of them
    smallest = {
        name: np.broadcast_to(np.int8(0), x.shape) if operator.role(name) == VALUES else x
        for name, x in inputs.items()
    }
    tensors = all_tensors(graph, smallest, outputs)
    constants = {
        f"{node.op_type}_{k}_{item.name}": item.values
        for k, node in enumerate(graph.nodes)
        for item in node.inputs
        if isinstance(item, Constant)
    }
    return {name: np.ndim(x) for name, x in {**constants, **tensors}.items()}


def written_or_lowered(operator: Operator, inputs: Inputs, form: str, exact: bool) -> Graph | None:
    """The graph to run.

    Args:
        operator: what to run.
        inputs: its tensors by name.
        form: ``"native"`` or ``"lowered"`` to require one, otherwise empty.
        exact: whether the engine runs the operator as written exactly.

    Returns:
        None if the required form does not exist.
    """
    descs = descs_of(inputs)
    written = operator.native_graph(descs)
    if form == "native":
        return written
    if form != "lowered" and written is not None and exact:
        return written
    return operator.lowered_graph(descs)


def model_to_run(
    name: str,
    operator: Operator,
    inputs: Inputs,
    form: str,
    exact: bool,
    most: int | None = None,
) -> tuple[bytes, Graph]:
    """The serialized model for an engine to run, and the graph that it was made from.

    Args:
        name: the engine's name, for the error message.
        operator, inputs, form, exact: as in :func:`written_or_lowered`.
        most: the limit of dimensions of a tensor in the engine; None if it has none.

    Raises:
        EngineRefused: the required form does not exist, or has a tensor of more dimensions.
    """
    graph = written_or_lowered(operator, inputs, form, exact)
    if graph is None:
        raise EngineRefused(
            _("{engine}: ONNX has no operator for {operator} with these settings.").format(
                engine=name, operator=operator.operator_type
            ),
            "engine",
        )
    if most is not None and (
        (count := max(dimension_counts(operator, inputs, graph).values())) > most
    ):
        raise EngineRefused(
            _(
                "{engine}: with these sizes and settings, {operator} as ONNX needs a tensor of "
                "{count} dimensions; {engine} takes at most {most} dimensions."
            ).format(engine=name, operator=operator.operator_type, count=count, most=most),
            "engine",
        )
    return build(operator, inputs, graph), graph


def model_file(operator: Operator, inputs: Inputs) -> bytes:
    """The ONNX model of a state: ONNX's own operator if there is one, otherwise the lowering."""
    # some versions would answer it with unrelated memory, so nobody should run it
    written = operator.native_graph(descs_of(inputs))
    graph = written_or_lowered(operator, inputs, "", written is not None and not written.cpu_from)
    assert graph is not None
    return build(operator, inputs, graph)


def model_bytes(
    name: str,
    nodes: Sequence[Node],
    inputs: Mapping[str, TensorDesc],
    outputs: Mapping[str, TensorDesc],
    opset: int,
) -> bytes:
    """A model of one graph, serialized.

    Args:
        name: of the graph.
        nodes: with a name for every tensor, as :meth:`dmlviz.movement.graphs.Graph.wired` gives
            them; their constants become initializers.
        inputs, outputs: of the graph, in order.
        opset: of ONNX's default domain.
    """
    written, initializers = [], []
    for k, node in enumerate(nodes):
        names: list[str] = []
        for item in node.inputs:
            if isinstance(item, Constant):
                names.append(f"{node.op_type}_{k}_{item.name}_{len(names)}")
                initializers.append(_tensor(item.values, names[-1]))
            else:
                names.append("" if item == LEFT_OUT else item)
        written.append(_node(node, f"{node.op_type}_{k}", names))
    return encoded(
        "Model",
        {
            "ir_version": IR_VERSION,
            "producer_name": PRODUCER,
            "graph": encoded(
                "Graph",
                {
                    "node": written,
                    "name": name,
                    "initializer": initializers,
                    "input": [_value_info(name, desc) for name, desc in inputs.items()],
                    "output": [_value_info(name, desc) for name, desc in outputs.items()],
                },
            ),
            "opset_import": [encoded("OperatorSet", {"domain": "", "version": opset})],
        },
    )


def _node(node: Node, name: str, inputs: Sequence[str]) -> bytes:
    attributes = sorted((key, v) for key, v in node.attributes.items() if v is not None)
    return encoded(
        "Node",
        {
            "input": inputs,
            "output": node.outputs,
            "name": name,
            "op_type": node.op_type,
            "attribute": [_attribute(key, value) for key, value in attributes],
        },
    )


def _tensor(values: Any, name: str) -> bytes:
    array = np.asarray(values)
    kind = BOOL if array.dtype == bool else ELEMENT_TYPES[array.dtype.name.upper()]
    little_endian = array.astype(array.dtype.newbyteorder("<"))
    return encoded(
        "Tensor",
        {
            "dims": array.shape,
            "data_type": kind,
            "name": name,
            "raw_data": little_endian.tobytes(),
        },
    )


def _attribute(name: str, value: Any) -> bytes:
    """An attribute whose values are all whole numbers, all numbers, or all text; or a tensor."""
    several = isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)
    values = list(value) if several else [value]
    if isinstance(value, Constant):
        field, value = "t", _tensor(value.values, value.name)
    elif all(isinstance(v, int | np.integer) for v in values):
        field = "ints" if several else "i"
    elif all(isinstance(v, str) for v in values):
        field = "strings" if several else "s"
    else:
        field = "floats" if several else "f"
    return encoded("Attribute", {"name": name, field: value, "type": ATTRIBUTE_TYPES[field]})


def _value_info(name: str, desc: TensorDesc) -> bytes:
    shape = encoded("Shape", {"dim": [encoded("Dimension", {"dim_value": n}) for n in desc.sizes]})
    tensor = {"elem_type": ELEMENT_TYPES[desc.data_type], "shape": shape}
    kind = encoded("Type", {"tensor_type": encoded("TensorType", tensor)})
    return encoded("ValueInfo", {"name": name, "type": kind})
