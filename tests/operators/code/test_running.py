"""Every piece of Python gives bit for bit what the operator gives."""

import warnings

import numpy as np
import pytest

import dmlviz
from dmlviz import Tile
from dmlviz.operators import OPERATORS
from dmlviz.operators.declaration import types_ever
from dmlviz.operators.slots import descs_of
from dmlviz.picture import formats
from dmlviz.states import first_state
from dmlviz.teaching.presets import presets
from dmlviz.tensors import DATA_TYPES
from tests.operators.code import running
from tests.strategies import EACH, bits, each_operator, hold, one_nan

_REASON = "{module} is not installed; its code is checked where it is"


@pytest.fixture(params=running.PYTHON, scope="module")
def dialect(request):
    module = {"pytorch": "torch", "mlx": "mlx.core"}.get(request.param, request.param)
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


@pytest.mark.slow
def test_corners(dialect):
    for operator, x in running.corners():
        running.check(operator, x, dialect)


@EACH
def test_every_state(cls, dialect):
    hold(lambda run: running.check(*run, dialect), cls, 6)


def states():
    """Every default page and every preset with a picture: its name, operator and inputs."""
    found = [(cls.key, first_state(cls.key)) for cls in OPERATORS]
    found += [(preset.key, preset.state) for preset in presets() if preset.opens]
    return [pytest.param(s.operator(), s.inputs(), id=name) for name, s in found]


@pytest.mark.parametrize(("operator", "inputs"), states())
def test_what_is_printed_gives_the_picture(operator, inputs, dialect, tmp_path, monkeypatch):
    """Pasted as it is, with what Download saves beside it: the inputs, then every output."""
    monkeypatch.chdir(tmp_path)
    trace = dmlviz.run(operator, inputs)
    (tmp_path / f"{operator.key}.npz").write_bytes(formats.npz(trace))
    pasted(operator, trace.inputs, dialect)


@pytest.mark.parametrize("data_type", types_ever(Tile))
def test_values_of_every_type(dialect, data_type, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dtype = DATA_TYPES[data_type].dtype
    if dtype.kind == "f":
        limits = np.finfo(dtype)
        corners = [limits.max, limits.min, limits.smallest_subnormal, np.inf, -np.inf, np.nan]
        corners += [-0.0, 0.1, 7, 2049]
    else:
        corners = [np.iinfo(dtype).max, np.iinfo(dtype).min, 0, 1, 7]
    rows = [np.array(corners, dtype), np.arange(3, 9).astype(dtype), np.zeros(5, dtype)]
    rows += [
        np.tile(rows[0], 14),
        np.tile(rows[0], 12)[:24].reshape(2, 3, 4),
        rows[1].reshape(3, 2),
    ]
    for x in rows:
        operator, inputs = Tile((2,) * x.ndim), {"InputTensor": x}
        (tmp_path / "tile.npz").write_bytes(formats.npz(dmlviz.run(operator, inputs)))
        pasted(operator, inputs, dialect)


def pasted(operator, inputs, dialect):
    """The code makes these inputs and the operator's outputs, bit for bit."""
    piece = running.snippet(operator, inputs, dialect, values=True)
    assert all(len(line) <= 100 for line in piece.make_x.splitlines())
    if not piece.text:
        assert piece.note
        return
    names = {}
    try:
        exec(piece.text, names)
    except NotImplementedError as error:
        if running.lacks_unsigned(error):
            return
        raise
    # of MLX and of kernels of PyTorch, which NaN a number is may change
    read = one_nan if dialect in ("pytorch", "mlx") else bits
    # Keras with NumPy writes into the tensor that it updates
    kept = {} if dialect == "keras" else running.variables(operator, inputs)
    for variable, due in kept.items():
        made = np.asarray(names[variable])
        assert (made.shape, made.dtype) == (due.shape, due.dtype)
        np.testing.assert_array_equal(read(made), read(due), strict=True)
    running.assert_same(operator, inputs, [np.asarray(y) for y in _every(names["y"])], read)


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


def makes_zeros(operator, x):
    """Whether a runtime, up to 1.24.4, makes zeros of a sequence of length 0 in a native model."""
    ort = pytest.importorskip("onnxruntime")
    old = tuple(map(int, ort.__version__.split(".")[:3])) <= (1, 24, 4)
    lengths = x.get("SequenceLengthsTensor") if isinstance(x, dict) else None
    native = lengths is not None and operator.native_graph(descs_of(x)) is not None
    return old and native and not lengths.all()


def assert_same_on_the_cpu(operator, x):
    found = on_the_cpu(operator, x)
    if found is None or makes_zeros(operator, x):
        return
    given = running.variables(operator, x)
    every = running.outputs(running.snippet(operator, x, "onnx"), given)
    for y, due in zip(found, every, strict=True):
        # some kernels move FLOAT16 in 32 bits, others quieten NaNs
        np.testing.assert_array_equal(one_nan(y), one_nan(due), strict=True)


@each_operator(6)
def test_models_on_the_cpu(run):
    assert_same_on_the_cpu(*run)


@pytest.mark.slow
def test_models_of_recorded_cases_on_the_cpu():
    states = running.examples() + running.recorded()
    assert sum(on_the_cpu(*state) is not None for state in states) > len(states) // 2
    for state in states:
        assert_same_on_the_cpu(*state)
