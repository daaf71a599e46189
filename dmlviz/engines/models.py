"""Operators as ONNX models: the operator's tensors are the graph's inputs and outputs."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from dmlviz.engines.base import Inputs
from dmlviz.errors import EngineRefused
from dmlviz.movement.graphs import Constant
from dmlviz.operators import Graph, Operator
from dmlviz.operators.slots import TensorDesc, descs_of
from dmlviz.words import _

IR_VERSION = 8
"""A version that every supported runtime loads; onnx would write its newest by default."""

ELEMENT_TYPES = {
    "FLOAT64": TensorProto.DOUBLE,
    "FLOAT32": TensorProto.FLOAT,
    "FLOAT16": TensorProto.FLOAT16,
    "INT64": TensorProto.INT64,
    "INT32": TensorProto.INT32,
    "INT16": TensorProto.INT16,
    "INT8": TensorProto.INT8,
    "UINT64": TensorProto.UINT64,
    "UINT32": TensorProto.UINT32,
    "UINT16": TensorProto.UINT16,
    "UINT8": TensorProto.UINT8,
}


def build(operator: Operator, inputs: Inputs, graph: Graph) -> onnx.ModelProto:
    """The model that runs ``graph`` on inputs of these sizes and types.

    Tensors are graph inputs, never initializers: a model with only initializers is folded away on
    the CPU before any provider sees it.
    """
    descs = descs_of(inputs)
    outputs = operator.output_descs(descs)
    nodes, initializers = [], []
    for k, node in enumerate(graph.wired(next(iter(descs)), next(iter(outputs)))):
        names: list[str] = []
        for item in node.inputs:
            if isinstance(item, Constant):
                name = f"{node.op_type}_{k}_{item.name}_{len(names)}"
                initializers.append(numpy_helper.from_array(np.asarray(item.values), name))
                names.append(name)
            else:
                names.append(item)
        nodes.append(
            helper.make_node(
                node.op_type,
                names,
                list(node.outputs),
                name=f"{node.op_type}_{k}",
                **node.attributes,
            )
        )
    model = helper.make_model(
        helper.make_graph(
            nodes, operator.operator_type, _infos(descs), _infos(outputs), initializers
        ),
        opset_imports=[helper.make_opsetid("", graph.opset)],
        ir_version=IR_VERSION,
        producer_name="dmlviz",
    )
    onnx.checker.check_model(model)
    return model


def dimension_counts(model: onnx.ModelProto) -> dict[str, int]:
    """How many dimensions each tensor of a model has, by name: ONNX's own inference, no runtime."""
    graph = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph
    infos = (*graph.input, *graph.output, *graph.value_info)
    return {info.name: len(info.type.tensor_type.shape.dim) for info in infos} | {
        constant.name: len(constant.dims) for constant in graph.initializer
    }


def _infos(descs: Mapping[str, TensorDesc]) -> list[onnx.ValueInfoProto]:
    return [
        helper.make_tensor_value_info(name, ELEMENT_TYPES[desc.data_type], desc.sizes)
        for name, desc in descs.items()
    ]


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
    model = build(operator, inputs, graph)
    if most is not None and (count := max(dimension_counts(model).values())) > most:
        raise EngineRefused(
            _(
                "{engine}: with these sizes and settings, {operator} as ONNX needs a tensor of "
                "{count} dimensions; {engine} takes at most {most} dimensions."
            ).format(engine=name, operator=operator.operator_type, count=count, most=most),
            "engine",
        )
    return model.SerializeToString(), graph


def model_file(operator: Operator, inputs: Inputs) -> bytes:
    """The ONNX model of a state: ONNX's own operator if there is one, otherwise the lowering."""
    # some versions would answer it with unrelated memory, so nobody should run it
    written = operator.native_graph(descs_of(inputs))
    graph = written_or_lowered(operator, inputs, "", written is not None and not written.cpu_from)
    assert graph is not None
    data: bytes = build(operator, inputs, graph).SerializeToString()
    return data
