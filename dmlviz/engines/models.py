"""Operators as ONNX models: the operator's tensors are the graph's inputs and outputs."""

from __future__ import annotations

import numpy as np

from dmlviz.engines.base import Inputs
from dmlviz.engines.onnx_format import model_bytes
from dmlviz.errors import EngineRefused
from dmlviz.movement import VALUES
from dmlviz.movement.graphs import Constant
from dmlviz.movement.nodes import all_tensors
from dmlviz.operators import Graph, Operator
from dmlviz.operators.slots import descs_of
from dmlviz.words import _


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
