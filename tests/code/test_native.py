"""What is called an engine's answer is its answer to ONNX's own nodes, and Resize is exact."""

import itertools
import json
import random

import numpy as np
import onnx
import onnxruntime
import pytest

from dmlviz.base.errors import EngineRefused
from dmlviz.code import read_model, run_chain, run_code, running
from dmlviz.code.native_run import _operator
from dmlviz.commands.code import _described
from dmlviz.engines.frames import operator_of, operator_words
from dmlviz.engines.models import build
from dmlviz.operators.slots import descs_of
from tests.code.models import MODELS, model
from tests.code.test_models import cases, chosen
from tests.thorough import THOROUGH

SCALES = (0.3, 0.5, 0.6, 0.8, 1.2, 1.25, 1.4, 1.5, 1.6, 2.0, 2.5, 3.3)
COORDINATES = [
    "half_pixel",
    "asymmetric",
    "align_corners",
    "pytorch_half_pixel",
    "half_pixel_symmetric",
]
NEAREST = ["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"]
GRID = [*itertools.product((5, 7), SCALES, COORDINATES, NEAREST)]
DIFFERS = (5, 0.8, "asymmetric", "round_prefer_ceil")
LONGER = (5, 1.4, "asymmetric", "floor")
EQUAL = (5, 2.0, "asymmetric", "floor")


def resize(size, scale, coordinates, nearest, after=()):
    """A file with a Resize of one axis, and nodes after it."""
    modes = {"coordinate_transformation_mode": coordinates, "nearest_mode": nearest}
    nodes = [("Resize", ["x", "", "s"], ["y"], modes), *after]
    last = nodes[-1][2]
    return model(nodes, {"x": [size]}, last, {"s": np.array([scale], np.float32)}, opset=19)


def by_session(data, x):
    """What ONNX Runtime makes of a whole file."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    return session.run(None, {"x": x})[0]


def ran(data, engine="onnxruntime"):
    (part,) = read_model(data).parts
    return part.run(engine=engine)


def check(case):
    data = resize(*case)
    (part,) = read_model(data).parts
    due = by_session(data, np.arange(1, case[0] + 1, dtype=np.float32))
    for trace in (
        part.run(engine="onnxruntime"),
        run_code(part.text, dict(part.tensors), "onnx", "onnxruntime"),
    ):
        equal = trace.output.shape == due.shape and np.array_equal(trace.output, due)
        assert trace.agrees == equal, case
        assert all(step.trace.agrees == equal for step in trace.steps), case
        assert bool(trace.disagreements) != equal, case
        assert ("differ from the rule" in trace.check()) != equal
        for each in trace.disagreements:
            (k,) = each.index
            # element k of x has the value k + 1
            rule, engine = (
                f"x[{of[k] - 1:.0f}]" if k < of.size else None for of in (trace.output, due)
            )
            assert (each.output, each.rule, each.engine) == ("y", rule, engine), case
            assert each.version == onnxruntime.__version__
    return not equal


def test_the_engine_agrees_where_its_own_session_gives_the_same():
    some = GRID if THOROUGH else random.Random(7).sample(GRID, 60)
    assert sum(map(check, [DIFFERS, LONGER])) == 2
    assert not check(EQUAL)
    assert 0 < sum(map(check, some)) < len(some) // 3


def test_the_sizes_of_a_resize_are_those_of_shape_inference():
    for size, scale in itertools.product(range(1, 12), SCALES):
        data = resize(size, scale, "asymmetric", "floor")
        inferred = onnx.shape_inference.infer_shapes(onnx.load_from_string(data)).graph.output[0]
        (due,) = (n.dim_value for n in inferred.type.tensor_type.shape.dim)
        read = read_model(data)
        assert [n for part in read.parts for n in part.output_sizes["y"]] == [due] * bool(due)


@pytest.mark.slow
@pytest.mark.parametrize(("nearest", "up"), [("floor", False), ("ceil", True)])
def test_ties_of_a_resize_are_exact(nearest, up):
    for old, new in itertools.product(range(1, 24), repeat=2):
        code = f"op.Resize(x, None, None, [{new}], nearest_mode='{nearest}')"
        made = run_code(code, {"x": (old,)}, "onnx").source
        # the center of element k, (k + 1/2) * old / new - 1/2, in whole numbers
        tops = [(2 * k + 1) * old - new for k in range(new)]
        due = [-(-top // (2 * new)) if up else top // (2 * new) for top in tops]
        np.testing.assert_array_equal(made, np.clip(due, 0, old - 1))


def test_both_ends_of_a_symmetric_resize_are_exact():
    trace = ran(resize(7, 0.5, "half_pixel_symmetric", "ceil"), "numpy")
    assert trace.source.tolist() == [1, 3, 5]


def test_a_file_runs_the_nodes_that_it_has():
    (part,) = read_model(MODELS["older"]).parts
    trace = part.run(engine="onnxruntime")
    assert trace.agrees
    assert {"Upsample", "Dropout", "Pad"} <= {*trace.ran.nodes}
    assert part.native.opset == 9
    assert [node.op_type for node in part.native.nodes] == [*part.op_types]
    assert run_chain(part.chain, dict(trace.inputs), "onnxruntime").native is not None


def test_an_older_node_is_not_taken_for_the_newest():
    # without these modes, ONNX Runtime takes the next element where it makes a tensor smaller
    tensors = {"s": np.array([0.4], np.float32)}
    data = model([("Resize", ["x", "s"], ["y"], {})], {"x": [5]}, ["y"], tensors, opset=10)
    trace = ran(data)
    due = by_session(data, np.arange(1, 6, dtype=np.float32))
    assert trace.agrees == np.array_equal(trace.output, due)
    assert not trace.agrees


OLDER = [
    (7, ("Slice", ["x"], ["y"], {"starts": [1], "ends": [4], "axes": [1]}), {}),
    (9, ("Pad", ["x"], ["y"], {"pads": [0, 1, 1, 0], "value": 7.0}), {}),
    (10, ("Pad", ["x"], ["y"], {"pads": [0, 1, 0, 2], "mode": "reflect"}), {}),
    (11, ("Pad", ["x", "p", "v"], ["y"], {}), {"p": [0, 1, 1, 0], "v": np.float32(7)}),
    (12, ("Squeeze", ["x"], ["y"], {"axes": [0]}), {}),
    (11, ("Unsqueeze", ["x"], ["y"], {"axes": [1]}), {}),
    (11, ("Split", ["x"], ["y", "z"], {"axis": 1, "split": [1, 3]}), {}),
    (13, ("Split", ["x"], ["y", "z"], {"axis": 1}), {}),
    (17, ("Split", ["x", "s"], ["y", "z"], {"axis": 1}), {"s": [1, 3]}),
    (7, ("Upsample", ["x"], ["y"], {"scales": [1.0, 2.0]}), {}),
    (9, ("Upsample", ["x", "s"], ["y"], {}), {"s": np.float32([1, 2])}),
    (10, ("Resize", ["x", "s"], ["y"], {}), {"s": np.float32([1, 0.75])}),
    (
        11,
        ("Resize", ["x", "r", "s"], ["y"], {}),
        {"r": np.zeros(0, "f"), "s": np.float32([1, 1.5])},
    ),
    (13, ("Resize", ["x", "", "s"], ["y"], {}), {"s": np.float32([1, 0.75])}),
    (
        10,
        ("Scatter", ["x", "i", "u"], ["y"], {"axis": 1}),
        {"i": [[0, 2]], "u": np.float32([[8, 9]])},
    ),
    (16, ("ScatterElements", ["x", "i", "x"], ["y"], {}), {"i": [[0, 0, 0, 0]]}),
    (10, ("Dropout", ["x"], ["y"], {"ratio": 0.3}), {}),
    (13, ("Dropout", ["x", "r"], ["y"], {}), {"r": np.float32(0.3)}),
    (20, ("Transpose", ["x"], ["y"], {}), {}),
]


@pytest.mark.parametrize(("opset", "node", "constants"), OLDER)
def test_the_code_of_a_part_runs_the_node_of_the_file_in_its_opset(opset, node, constants):
    tensors = {name: np.asarray(of) for name, of in constants.items()}
    nodes = [node, ("Transpose", node[2][:1], ["w"], {})]
    (part,) = read_model(model(nodes, {"x": [1, 4]}, ["w"], tensors, opset=opset)).parts
    own = part.run(engine="onnxruntime")
    opened = run_code(part.text, dict(part.tensors), "onnx", "onnxruntime")
    assert [each.op_type for each in opened.chain.native.nodes] == [node[0], "Transpose"]
    assert opened.chain.native.opset == part.native.opset == opset
    assert opened.ran.nodes == own.ran.nodes
    assert opened.disagreements == own.disagreements
    for one, two in zip(own.native.outputs.values(), opened.native.outputs.values(), strict=True):
        np.testing.assert_array_equal(one, two)


def test_a_node_that_its_opset_does_not_have_is_refused_by_the_engine():
    code = "from onnxscript import opset9 as op\nop.Trilu(x)"
    assert run_code(code, {"x": (2, 2)}, "onnx").agrees
    with pytest.raises(EngineRefused, match="Trilu"):
        run_code(code, {"x": (2, 2)}, "onnx", "onnxruntime")


def test_a_node_after_one_that_differs_is_not_blamed():
    data = resize(*DIFFERS, [("Slice", ["y", "a", "b"], ["z"], {})])
    read = onnx.load_from_string(data)
    read.graph.initializer.extend(
        onnx.numpy_helper.from_array(np.array([n]), name) for name, n in (("a", 1), ("b", 4))
    )
    trace = ran(read.SerializeToString())
    assert [step.trace.agrees for step in trace.steps] == [False, True]
    assert [(of.output, of.index, of.rule, of.engine) for of in trace.disagreements] == [
        ("z", (1,), "x[2]", "x[3]")
    ]
    assert trace.source.tolist() == [1, 2, 4]


def test_a_node_that_moves_nothing_by_the_rule_is_run():
    code = "y = op.Resize(x, None, [1.0])\nop.Transpose(y)"
    trace = run_code(code, {"x": (2,)}, "onnx", "onnxruntime")
    assert trace.ran.nodes == ("Resize", "Transpose", *trace.ran.nodes[2:])
    assert trace.agrees


@pytest.mark.parametrize(
    "code",
    [
        "op.Pad(x, [0, 1, 0, 1], 7.0)",
        "op.Pad(x, [1, 0, 1, 0])",
        "op.Trilu(x, 1)",
        "op.CenterCropPad(x, [3, 5])",
        "op.Where([[True, False, True]], x, 2.5)",
        "op.Concat(x, [[4.0, 5.0, 6.0]], axis=0)",
        "op.Squeeze(op.Unsqueeze(x, axes=[0]), [0])",
    ],
)
def test_constants_of_nodes_are_no_elements(code):
    trace = run_code(code, {"x": (2, 3)}, "onnx", "onnxruntime")
    assert trace.agrees
    assert trace.native is not None
    np.testing.assert_array_equal(trace.native.sources["out"], trace.source)


def test_other_code_beside_nodes_runs_as_its_movement():
    trace = run_code("op.Tile(x, [2])[::-1]", {"x": (2,)}, "onnx", "onnxruntime")
    assert trace.agrees
    assert trace.native is None
    assert trace.check().endswith(
        " It ran the nodes of the movement (Tile, Slice), not those of the code."
    )


def test_an_engine_that_runs_the_movement_is_not_said_to_run_the_node(monkeypatch):
    code, sizes = "op.DepthToSpace(x, blocksize=2)", {"x": (1, 4, 1, 3)}
    own, rule = (run_code(code, sizes, "onnx", engine) for engine in ("onnxruntime", "numpy"))
    assert _described(own)["ran"] == {"of_code": True, "nodes": ["DepthToSpace"]}
    assert "ran" not in _described(rule)
    # no engine but ONNX Runtime gets ONNX's own nodes
    monkeypatch.setattr(running, "NATIVE_ENGINE", "directml")
    other = run_code(code, sizes, "onnx", "onnxruntime")
    ran = _described(other)["ran"]
    assert not ran["of_code"]
    assert "DepthToSpace" not in ran["nodes"]
    assert other.check().endswith(
        " It ran the nodes of the movement (Reshape, Transpose), not those of the code."
    )
    assert not any("movement" in trace.check() for trace in (own, rule))
    assert "movement" not in run_code("x.T", {"x": (2, 3)}, "numpy", "onnxruntime").check()


def test_the_nodes_reach_another_process():
    for name in ("older", "constants"):
        (part,) = read_model(MODELS[name]).parts
        operator = _operator(part.chain, part.native)
        again = operator_of(json.loads(json.dumps(operator_words(operator))))
        inputs = dict(part.run().inputs)
        one, two = (
            build(of, inputs, of.native_graph(descs_of(inputs))) for of in (operator, again)
        )
        assert one == two


def test_json_has_what_differs():
    described = _described(ran(resize(*DIFFERS)))
    assert described["agrees"] is False
    assert described["outputs"][0]["source"] == [0, 1, 2, 4]
    assert described["disagreements"] == [
        {
            "output": "y",
            "index": (2,),
            "rule": "x[2]",
            "engine": "x[3]",
            "version": onnxruntime.__version__,
        }
    ]
    assert _described(ran(resize(*LONGER)))["disagreements"][0]["rule"] is None
    equal = _described(ran(resize(*EQUAL)))
    assert equal["agrees"] is True
    assert "disagreements" not in equal


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning:onnx")
def test_onnx_runtime_answers_onnx_own_node_tests_as_the_rule_does():
    some = [*cases()]
    some = some if THOROUGH else random.Random(7).sample(some, 60)
    count = 0
    for name, case, inputs, _outputs in some:
        given = dict(zip([i.name for i in case.graph.input], inputs, strict=False))
        controls = {tensor: given[tensor] for tensor in chosen(case) & given.keys()}
        sizes = {tensor: x.shape for tensor, x in given.items()}
        for part in read_model(case.SerializeToString(), sizes, controls).parts:
            own = part.run(engine="onnxruntime")
            code = run_chain(part.chain, dict(own.inputs), "onnxruntime")
            for trace in (own, code):
                assert trace.native is not None, name
                assert trace.agrees, (name, trace.check())
                count += 1
    assert count >= 60
