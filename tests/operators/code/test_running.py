"""Every piece of Python gives bit for bit what the operator gives."""

import warnings

import numpy as np
import pytest
from hypothesis import given

from dmlviz.operators.problems import types_ever
from dmlviz.operators.slots import CONTROL
from dmlviz.tensors import DATA_TYPES
from tests.operators.code import running
from tests.strategies import any_runs, one_nan

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
        try:
            running.check(operator, x, dialect)
        except NotImplementedError as error:
            if not running.lacks_unsigned(error):
                raise


def test_corners(dialect):
    for operator, x in running.corners():
        running.check(operator, x, dialect)


def test_every_state(dialect):
    @given(any_runs())
    def check(state):
        operator, x = state
        running.check(operator, x, dialect)

    check()


def test_pasted_as_it_is(dialect):
    for operator, example in running.examples():
        for known in (DATA_TYPES[name] for name in types_ever(operator)):
            given = {
                name: array if operator.role(name) == CONTROL else array.astype(known.dtype)
                for name, array in example.items()
            }
            if operator.refusals(given):
                assert known.name == "FLOAT64"
                continue
            piece = running.snippet(operator, given, dialect)
            names = {}
            try:
                exec(piece.text, names)
            except NotImplementedError as error:
                if running.lacks_unsigned(error):
                    continue
                raise
            if piece.text:
                for (variable, due), name in zip(
                    running.variables(operator, given).items(), given, strict=True
                ):
                    made = np.asarray(names[variable])
                    assert (made.shape, made.dtype) == (due.shape, due.dtype)
                    if operator.role(name) != CONTROL:
                        counted = np.arange(due.size).astype(known.dtype).reshape(due.shape)
                        np.testing.assert_array_equal(made, counted, strict=True)
                made = {
                    variable: np.asarray(names[variable])
                    for variable in running.variables(operator, given)
                }
                running.assert_same(
                    operator,
                    dict(zip(given, made.values(), strict=True)),
                    [np.asarray(y) for y in _every(names["y"])],
                )


def _every(y):
    return y if isinstance(y, list | tuple) else [y]


def on_the_cpu(operator, x):
    """What ONNX Runtime's CPU provider makes of the model; None where it has no such kernel."""
    ort = pytest.importorskip("onnxruntime")
    given = running.variables(operator, x)
    model = running.run(running.snippet(operator, x, "onnx"), given)["model"]
    options = ort.SessionOptions()
    options.log_severity_level = 4
    try:
        session = ort.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
    except ort.capi.onnxruntime_pybind11_state.NotImplemented:
        kinds = {node.op_type for node in model.graph.node}
        assert kinds <= {"DepthToSpace", "SpaceToDepth", "Pad", "Trilu", "Where", "TopK", "Cast"}
        assert given["x"].dtype != np.float32
        return None
    return session.run(None, given)


def assert_same_on_the_cpu(operator, x):
    found = on_the_cpu(operator, x)
    if found is None:
        return
    given = running.variables(operator, x)
    every = running.outputs(running.snippet(operator, x, "onnx"), given)
    for y, due in zip(found, every, strict=True):
        # some kernels move FLOAT16 in 32 bits, others quieten NaNs
        np.testing.assert_array_equal(one_nan(y), one_nan(due), strict=True)


@given(any_runs())
def test_models_on_the_cpu(state):
    assert_same_on_the_cpu(*state)


def test_models_of_recorded_cases_on_the_cpu():
    states = running.examples() + running.recorded()
    assert sum(on_the_cpu(*state) is not None for state in states) > len(states) // 2
    for state in states:
        assert_same_on_the_cpu(*state)
