"""The models that engines run, as the onnx package reads and writes them."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from dmlviz.engines.models import IR_VERSION, build
from dmlviz.movement.graphs import Constant
from dmlviz.operators.slots import descs_of


def model_of(operator, inputs, graph):
    """The model that an engine runs, read back."""
    return onnx.load_from_string(build(operator, inputs, graph))


def written_by_onnx(operator, inputs, graph):
    """The same model, made by the onnx package's helpers."""
    descs = descs_of(inputs)
    outputs = operator.output_descs(descs)
    nodes, initializers = [], []
    for k, node in enumerate(graph.wired(next(iter(descs), ""), next(iter(outputs)))):
        names = []
        for item in node.inputs:
            if isinstance(item, Constant):
                name = f"{node.op_type}_{k}_{item.name}_{len(names)}"
                initializers.append(numpy_helper.from_array(np.asarray(item.values), name))
                names.append(name)
            else:
                names.append(item)
        attributes = {
            name: numpy_helper.from_array(value.values, value.name)
            if isinstance(value, Constant)
            else value
            for name, value in node.attributes.items()
        }
        nodes.append(
            helper.make_node(
                node.op_type,
                names,
                list(node.outputs),
                name=f"{node.op_type}_{k}",
                **attributes,
            )
        )
    return helper.make_model(
        helper.make_graph(
            nodes, operator.operator_type, _infos(descs), _infos(outputs), initializers
        ),
        opset_imports=[helper.make_opsetid("", graph.opset)],
        ir_version=IR_VERSION,
        producer_name="dmlviz",
    )


def _infos(descs):
    types = {"FLOAT64": TensorProto.DOUBLE, "FLOAT32": TensorProto.FLOAT}
    return [
        helper.make_tensor_value_info(
            name,
            types.get(desc.data_type) or getattr(TensorProto, desc.data_type),
            desc.sizes,
        )
        for name, desc in descs.items()
    ]
