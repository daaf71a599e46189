"""Every piece of Python gives bit for bit what the operator gives."""

import warnings

import numpy as np
import pytest
from hypothesis import given

from dmlviz.tensors import DATA_TYPES
from tests.operators.code import running
from tests.strategies import bits, runs

_REASON = "{module} is not installed; its code is checked where it is"


@pytest.fixture(params=running.PYTHON, scope="module")
def dialect(request):
    module = {"numpy": "numpy", "onnx": "onnx", "pytorch": "torch"}.get(
        request.param, request.param
    )
    with warnings.catch_warnings():
        # what a library thinks of its own dependencies is not ours to mend
        warnings.simplefilter("ignore")
        pytest.importorskip(module, reason=_REASON.format(module=module))
    return request.param


def test_documentation_examples(dialect):
    for operator, x in running.examples():
        running.check(operator, x, dialect)


def test_recorded_cases(dialect):
    for operator, x in running.recorded():
        running.check(operator, x, dialect)


def test_corners(dialect):
    for operator, x in running.corners():
        running.check(operator, x, dialect)


def test_every_state(dialect):
    @given(runs())
    def check(state):
        operator, x = state
        running.check(operator, x, dialect)

    check()


def test_pasted_as_it_is(dialect):
    for operator, example in running.examples():
        for known in DATA_TYPES.values():
            piece = running.snippet(operator, example.astype(known.dtype), dialect)
            names = {}
            exec(piece.text, names)
            if piece.text:
                counted = np.arange(example.size).astype(known.dtype).reshape(example.shape)
                np.testing.assert_array_equal(np.asarray(names["x"]), counted, strict=True)
                y = np.asarray(names["y"])
                assert (y.shape, y.dtype) == (operator.output_sizes(example.shape), known.dtype)


def on_the_cpu(operator, x):
    """What ONNX Runtime's CPU provider makes of the model; None where it has no such kernel."""
    ort = pytest.importorskip("onnxruntime")
    model = running.run(running.snippet(operator, x, "onnx"), x)["model"]
    options = ort.SessionOptions()
    options.log_severity_level = 4
    try:
        session = ort.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
    except ort.capi.onnxruntime_pybind11_state.NotImplemented:
        kinds = {node.op_type for node in model.graph.node}
        assert kinds <= {"DepthToSpace", "SpaceToDepth", "Pad"}
        assert x.dtype != np.float32
        return None
    return session.run(None, {"x": x})[0]


def assert_same_on_the_cpu(operator, x):
    y = on_the_cpu(operator, x)
    if y is None:
        return
    due = running.output(running.snippet(operator, x, "onnx"), x)
    if x.dtype == np.float16:
        # computed in 32 bits on the CPU, which quietens NaNs
        np.testing.assert_array_equal(y, due, strict=True)
    else:
        np.testing.assert_array_equal(bits(y), bits(due), strict=True)


@given(runs())
def test_models_on_the_cpu(state):
    assert_same_on_the_cpu(*state)


def test_models_of_recorded_cases_on_the_cpu():
    states = running.examples() + running.recorded()
    assert sum(on_the_cpu(*state) is not None for state in states) > len(states) // 2
    for state in states:
        assert_same_on_the_cpu(*state)
