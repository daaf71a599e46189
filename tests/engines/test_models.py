"""The ONNX models: what is stamped on them, what is in them, and that they load."""

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, numpy_helper

import dmlviz
from dmlviz.engines.models import (
    ELEMENT_TYPES,
    IR_VERSION,
    build,
    model_bytes,
    model_file,
    written_or_lowered,
)
from dmlviz.movement.graphs import Node
from dmlviz.operators import OPERATORS
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import DATA_TYPES, data_type_of
from tests.every import every
from tests.models import model_of, written_by_onnx
from tests.one_input import lowered, native
from tests.strategies import MODES, ORDERS, each_operator, named

BLOCKS = np.arange(1 * 8 * 4 * 6).reshape(1, 8, 4, 6)
ROWS = np.arange(2 * 3 * 5).reshape(2, 3, 5)
OPERATIONS = {
    "tile": (dmlviz.Tile((2, 1, 3)), ROWS),
    "tile-once": (dmlviz.Tile((1, 1, 1)), ROWS),
    **{f"d2s-{order}": (dmlviz.DepthToSpace(2, order), BLOCKS) for order in ORDERS},
    **{f"s2d-{order}": (dmlviz.SpaceToDepth(2, order), BLOCKS) for order in ORDERS},
    **{mode: (dmlviz.Padding(mode, (0, 2, 11), (1, 0, 13), 3), ROWS) for mode in MODES},
    **{f"{mode}-none": (dmlviz.Padding(mode, (0,) * 3, (0,) * 3, 3), ROWS) for mode in MODES},
}
GRAPHS_OF = {"written": native, "lowered": lowered}
GRAPHS = [
    (name, form, data_type)
    for name in OPERATIONS
    for form in GRAPHS_OF
    for data_type in DATA_TYPES
    if native(OPERATIONS[name][0], OPERATIONS[name][1].shape, data_type) or form == "lowered"
]
NATIVE = {
    "tile": ["Tile"],
    "tile-once": ["Tile"],
    "d2s-DEPTH_COLUMN_ROW": ["DepthToSpace"],
    "d2s-COLUMN_ROW_DEPTH": ["DepthToSpace"],
    "s2d-DEPTH_COLUMN_ROW": ["SpaceToDepth"],
    **{mode + none: ["Pad"] for mode in MODES for none in ("", "-none")},
}
LOWERED = {
    "tile": ["Gather"] * 2,
    "tile-once": ["Identity"],
    **{
        f"{kind}-{o}": ["Reshape", "Transpose", "Reshape"]
        for kind in ("d2s", "s2d")
        for o in ORDERS
    },
    **dict.fromkeys(MODES, ["Gather"] * 3),
    "CONSTANT": ["Concat"] * 3,
    **{f"{mode}-none": ["Identity"] for mode in MODES},
}


def graph_of(name, form, data_type):
    operator, x = OPERATIONS[name]
    x = x.astype(DATA_TYPES[data_type].dtype)
    graph = GRAPHS_OF[form](operator, x.shape, data_type)
    return operator, x, graph, model_of(operator, named(x), graph)


@every(("name", "form", "data_type"), GRAPHS)
def test_stamps(name, form, data_type):
    _operator, _x, graph, model = graph_of(name, form, data_type)
    assert model.ir_version == IR_VERSION == 8
    (opset,) = model.opset_import
    assert opset.domain == ""
    assert opset.version == (19 if name.startswith("WRAP") and form == "written" else 13)
    assert graph.form == ("native" if form == "written" else "lowered")
    onnx.checker.check_model(model, full_check=True)


@every(("name", "form", "data_type"), GRAPHS)
def test_data_is_the_only_input_and_never_an_initialiser(name, form, data_type):
    operator, x, _graph, model = graph_of(name, form, data_type)
    (given_in,), (given_out,) = model.graph.input, model.graph.output
    for value, title, sizes in (
        (given_in, "InputTensor", x.shape),
        (given_out, "OutputTensor", operator.output_sizes(x.shape)),
    ):
        assert value.name == title
        assert value.type.tensor_type.elem_type == ELEMENT_TYPES[data_type]
        assert tuple(d.dim_value for d in value.type.tensor_type.shape.dim) == sizes
    constants = {constant.name for constant in model.graph.initializer}
    assert len(constants) == len(model.graph.initializer)
    used = {name for node in model.graph.node for name in node.input}
    assert constants == used - {"InputTensor"} - {
        n for node in model.graph.node for n in node.output
    }
    # the data reaches every node: nothing can be folded away beforehand
    flowing = {"InputTensor"}
    for node in model.graph.node:
        assert flowing & set(node.input)
        flowing = set(node.output)
    assert flowing == {"OutputTensor"}


@every(("name", "form", "data_type"), GRAPHS)
def test_nodes(name, form, data_type):
    *_others, model = graph_of(name, form, data_type)
    kinds = [node.op_type for node in model.graph.node]
    assert kinds == (NATIVE if form == "written" else LOWERED)[name]
    assert [node.name for node in model.graph.node] == [f"{k}_{i}" for i, k in enumerate(kinds)]
    constants = {c.name: c for c in model.graph.initializer}
    for node in model.graph.node:
        types = [constants[n].data_type for n in node.input if n in constants]
        if node.op_type == "Gather":
            assert types == [TensorProto.INT32]
        elif node.op_type in ("Tile", "Reshape"):
            assert types == [TensorProto.INT64]
        elif node.op_type == "Pad":
            assert (
                types
                == [TensorProto.INT64, ELEMENT_TYPES[data_type]][: 2 if "CONST" in name else 1]
            )
            # without it DirectML's kernel takes reflect
            assert [a.name for a in node.attribute] == ["mode"]
        elif node.op_type == "Concat":
            assert set(types) == {ELEMENT_TYPES[data_type]}


def test_pads_are_all_starts_then_all_ends():
    *_others, model = graph_of("REFLECTION", "written", "INT8")
    assert numpy_helper.to_array(model.graph.initializer[0]).tolist() == [0, 2, 11, 1, 0, 13]


@pytest.mark.parametrize(("order", "mode"), [(ORDERS[0], b"DCR"), (ORDERS[1], b"CRD")])
def test_modes_of_depth_to_space(order, mode):
    *_others, model = graph_of(f"d2s-{order}", "written", "INT8")
    written = {a.name: a.s or a.i for a in model.graph.node[0].attribute}
    assert written == {"blocksize": 2, "mode": mode}


def test_space_to_depth_has_no_mode_before_opset_28():
    *_others, model = graph_of("s2d-DEPTH_COLUMN_ROW", "written", "INT8")
    assert [a.name for a in model.graph.node[0].attribute] == ["blocksize"]


@pytest.mark.parametrize("data_type", DATA_TYPES)
@pytest.mark.parametrize("name", ["SYMMETRIC", "SYMMETRIC-none", "s2d-COLUMN_ROW_DEPTH"])
def test_what_onnx_does_not_have_is_not_written(name, data_type):
    operator, x = OPERATIONS[name]
    x = x.astype(DATA_TYPES[data_type].dtype)
    assert native(operator, x.shape, data_type) is None
    assert written_or_lowered(operator, named(x), "native", True) is None
    for form in ("", "lowered"):
        assert written_or_lowered(operator, named(x), form, True).form == "lowered"


def test_forms():
    operator, x = OPERATIONS["tile"]
    for form, exact, due in (
        ("", True, "native"),
        ("", False, "lowered"),
        ("native", True, "native"),
        ("native", False, "native"),
        ("lowered", True, "lowered"),
        ("lowered", False, "lowered"),
    ):
        assert written_or_lowered(operator, named(x), form, exact).form == due


def test_a_negative_zero_and_a_nan_are_padding_values():
    for value, due in ((-0.0, 1 << 31), (float("nan"), 0x7FC00000)):
        operator = dmlviz.Padding("CONSTANT", (1,), (0,), value)
        x = np.zeros(2, np.float32)
        (node,) = native(operator, x.shape, "FLOAT32").nodes
        assert node.inputs[2].values.shape == ()
        assert node.inputs[2].values.view(np.uint32) == due


# FACTS 4.1: what every supported version of the CPU provider has kernels for, by casts or not.
KERNELS = {
    "Tile": set(DATA_TYPES),
    "Pad": set(DATA_TYPES) - {"INT16", "UINT16"},
    "DepthToSpace": {"FLOAT64", "FLOAT32", "FLOAT16"},
    "SpaceToDepth": {"FLOAT64", "FLOAT32", "FLOAT16"},
}


@pytest.mark.parametrize("data_type", DATA_TYPES)
@pytest.mark.parametrize("name", OPERATIONS)
def test_the_file_of_a_state_loads(name, data_type):
    operator, x = OPERATIONS[name]
    x = x.astype(DATA_TYPES[data_type].dtype)
    data = model_file(operator, named(x))
    model = onnx.load_from_string(data)
    assert model.producer_name == "dmlviz"
    written = native(operator, x.shape, data_type)
    due = NATIVE if written and not written.cpu_from else LOWERED
    assert [node.op_type for node in model.graph.node] == due[name]
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:
        assert "NOT_IMPLEMENTED" in str(error), error
        assert data_type not in KERNELS.get(model.graph.node[0].op_type, DATA_TYPES)
        return
    assert [i.name for i in session.get_inputs()] == ["InputTensor"]
    assert tuple(session.get_outputs()[0].shape) == operator.output_sizes(x.shape)


@each_operator(16)
def test_any_operation_has_the_model_that_onnx_writes_in_each_form(run):
    operator, inputs = run
    rank = max((array.ndim for array in inputs.values()), default=0)
    for form in ("native", "lowered"):
        graph = written_or_lowered(operator, inputs, form, True)
        if graph is not None:
            due = written_by_onnx(operator, inputs, graph)
            assert build(operator, inputs, graph) == due.SerializeToString()
            model = model_of(operator, inputs, graph)
            assert len(model.graph.node) <= max(10, 2 * rank)
            # what is computed from is never brought along
            assert [given.name for given in model.graph.input] == list(inputs)
            onnx.checker.check_model(model, full_check=True)
    assert {data_type_of(array.dtype) for array in inputs.values()} <= set(ELEMENT_TYPES)


@pytest.mark.parametrize(
    "value", [0, -1, 2**40, -(2**63), 1.5, -0.0, "a", (1, -2, 300), (0.5, 2), ("x", "yz")], ids=str
)
def test_attributes_are_those_that_onnx_writes(value):
    """What no graph here has yet is written as onnx writes it, too."""
    node = Node("Identity", ("x",), {"some": value}, ("y",))
    descs = {"x": TensorDesc((2,), "INT8")}, {"y": TensorDesc((2,), "INT8")}
    model = onnx.load_from_string(model_bytes("g", (node,), *descs, 13))
    (written,) = model.graph.node[0].attribute
    assert written == onnx.helper.make_attribute("some", value)


def test_every_operator_and_type_is_here():
    # those that are not listed above are among the runs of the test before this one
    assert {type(operator) for operator, _x in OPERATIONS.values()} <= set(OPERATORS)
    assert set(ELEMENT_TYPES) == set(DATA_TYPES)
