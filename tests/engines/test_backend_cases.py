"""ONNX's own backend tests: what its operators are expected to give is what ours give."""

import warnings

import numpy as np
import pytest
from onnx import helper

import dmlviz

MODES = {"constant": "CONSTANT", "edge": "EDGE", "reflect": "REFLECTION", "wrap": "WRAP"}
ORDERS = {"DCR": "DEPTH_COLUMN_ROW", "CRD": "COLUMN_ROW_DEPTH"}
# the last two came with opset 28
NEW = {"test_spacetodepth_dcr_mode_example", "test_spacetodepth_crd_mode_example"}
NAMES = [
    "test_tile",
    "test_tile_precomputed",
    "test_depthtospace_example",
    "test_depthtospace_crd_mode_example",
    "test_spacetodepth",
    "test_spacetodepth_example",
    *sorted(NEW),
    "test_constant_pad",
    "test_constant_pad_axes",
    "test_constant_pad_negative_axes",
    "test_edge_pad",
    "test_reflect_pad",
    "test_wrap_pad",
]


@pytest.fixture(scope="session")
def cases():
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it makes data for two thousand other tests
        return {case.name: case for case in collect_testcases(None)}


def operator_of(node, x, constants):
    """Ours for an ONNX node."""
    settings = {a.name: helper.get_attribute_value(a) for a in node.attribute}
    mode = settings.get("mode", b"").decode()
    if node.op_type == "Tile":
        return dmlviz.Tile(constants[0])
    if node.op_type == "DepthToSpace":
        return dmlviz.DepthToSpace(settings["blocksize"], ORDERS[mode or "DCR"])
    if node.op_type == "SpaceToDepth":
        return dmlviz.SpaceToDepth(settings["blocksize"], ORDERS[mode or "DCR"])
    assert node.op_type == "Pad"
    pads, *others = constants
    value = others[0] if others else 0
    axes = others[1] if len(others) > 1 else range(x.ndim)
    start, end = [0] * x.ndim, [0] * x.ndim
    for k, axis in enumerate(axes):
        start[axis], end[axis] = pads[k], pads[k + len(pads) // 2]
    return dmlviz.Padding(MODES[mode or "constant"], start, end, float(value))


@pytest.mark.parametrize("form", ["", "lowered"])
@pytest.mark.parametrize("engine", ["numpy", "onnxruntime"])
@pytest.mark.parametrize("name", NAMES)
def test_case(cases, name, engine, form):
    if name in NEW and name not in cases:
        pytest.skip("the installed onnx is older than this test")
    case = cases[name]
    (node,) = case.model.graph.node
    ((x, *constants), (due,)) = case.data_sets[0]
    operator = operator_of(node, x, constants)
    trace = dmlviz.run(operator, x, engine, form)
    np.testing.assert_array_equal(trace.output, due, strict=True)
    assert trace.agrees
