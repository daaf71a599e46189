"""Operators as ONNX models: one chain of nodes, the data as the graph's only input."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from dmlviz.errors import EngineRefused
from dmlviz.operators import Graph, Operator
from dmlviz.operators.graphs import folds_beyond
from dmlviz.tensors import data_type_of
from dmlviz.words import _

Array = np.ndarray[Any, Any]

IR_VERSION = 8
"""Loads in every runtime that is supported here; onnx itself would stamp its newest."""

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


def build(operator: Operator, x: Array, graph: Graph) -> onnx.ModelProto:
    """The model that does ``graph`` on an input of ``x``'s sizes and type.

    The data is a graph input, never an initialiser: a model of initialisers alone is folded
    away on the CPU before any provider sees it.
    """
    data_type = data_type_of(x.dtype)
    element = ELEMENT_TYPES[data_type]
    nodes, initializers = [], []
    flowing = "input"
    for k, node in enumerate(graph.nodes):
        names: dict[str, list[str]] = {"before": [], "after": []}
        for side, constants in (("before", node.before), ("after", node.constants)):
            for j, constant in enumerate(constants):
                name = f"{node.op_type}_{k}_{side}_{j}"
                initializers.append(numpy_helper.from_array(np.asarray(constant), name))
                names[side].append(name)
        result = "output" if k == len(graph.nodes) - 1 else f"{node.op_type}_{k}_out"
        nodes.append(
            helper.make_node(
                node.op_type,
                [*names["before"], flowing, *names["after"]],
                [result],
                name=f"{node.op_type}_{k}",
                **node.attributes,
            )
        )
        flowing = result
    out = operator.output_sizes(x.shape)
    model = helper.make_model(
        helper.make_graph(
            nodes,
            operator.operator_type,
            [helper.make_tensor_value_info("input", element, x.shape)],
            [helper.make_tensor_value_info("output", element, out)],
            initializers,
        ),
        opset_imports=[helper.make_opsetid("", graph.opset)],
        ir_version=IR_VERSION,
        producer_name="dmlviz",
    )
    onnx.checker.check_model(model)
    return model


def written_or_lowered(operator: Operator, x: Array, form: str, exact: bool) -> Graph | None:
    """The graph to run.

    Args:
        operator: what to do.
        x: the input.
        form: ``"native"`` or ``"lowered"`` to insist, else empty.
        exact: whether the engine runs the operator as written exactly.

    Returns:
        None where the form insisted on does not exist.
    """
    data_type = data_type_of(x.dtype)
    written = operator.written(x.shape, data_type)
    if form == "native":
        return written
    if form != "lowered" and written is not None and exact:
        return written
    return operator.lowered(x.shape, data_type)


def model_to_run(
    name: str, operator: Operator, x: Array, form: str, exact: bool
) -> tuple[bytes, Graph]:
    """The model that an engine is to run, serialised, and the graph it was made from.

    Args:
        name: the engine's, for the refusal.
        operator, x, form, exact: as :func:`written_or_lowered` takes them.

    Raises:
        EngineRefused: the form insisted on does not exist.
    """
    graph = written_or_lowered(operator, x, form, exact)
    if graph is None:
        raise EngineRefused(
            _("{engine}: ONNX has no operator that is {operator} as it is set here.").format(
                engine=name, operator=operator.operator_type
            ),
            "engine",
        )
    return build(operator, x, graph).SerializeToString(), graph


def model_file(operator: Operator, x: Array) -> bytes:
    """The ONNX model of a state, as ONNX writes it where it can, else lowered."""
    # runtimes since 1.25 refuse a reflection beyond the tensor, older ones read beyond it
    written = operator.written(x.shape, data_type_of(x.dtype))
    runs = written is not None and not folds_beyond(written, x.shape)
    graph = written_or_lowered(operator, x, "", runs)
    assert graph is not None
    data: bytes = build(operator, x, graph).SerializeToString()
    return data
