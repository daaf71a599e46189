"""ONNX Runtime gives what NumPy gives, bit for bit; as written it may refuse, never err."""

import contextlib
import json
from importlib import metadata
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dmlviz
from dmlviz.engines import engine
from dmlviz.engines.onnxruntime import OnnxRuntimeEngine
from dmlviz.movement import CONTROL, VALUES
from dmlviz.operators import OPERATORS
from dmlviz.operators.declaration import types_ever
from dmlviz.operators.slots import descs_of
from dmlviz.tensors import DATA_TYPES, data_type_of
from tests.engines.standins import CPU, VERSION, bad_as_written
from tests.one_input import native
from tests.strategies import (
    MODES,
    ORDERS,
    SEVERAL,
    bits,
    each_operator,
    named,
    paddings,
    runs,
    sampled,
    typed,
)
from tests.thorough import tries

FILE = Path(__file__).resolve().parents[2] / "assets" / "recordings" / "directml-1.15.4.json"
ANSWERED = {
    case["id"]: case
    for case in json.loads(FILE.read_text(encoding="utf-8"))["cases"]
    if "output" in case
}
X = np.arange(1, 36, dtype=np.float32).reshape(5, 7)
NOT_IN_ONNX = "onnxruntime: ONNX has no operator for {} with these settings."


def same(operator, x, form=""):
    """Run on both engines; output and source are equal, and both runs of each agree."""
    due = dmlviz.run(operator, x)
    found = dmlviz.run(operator, x, "onnxruntime", form)
    assert found.engine == "onnxruntime"
    assert list(found.outputs) == list(due.outputs)
    for name, output in found.outputs.items():
        assert output.dtype == due.outputs[name].dtype
        np.testing.assert_array_equal(bits(output), bits(due.outputs[name]), strict=True)
        np.testing.assert_array_equal(found.sources[name], due.sources[name], strict=True)
        assert found.sources[name].dtype == np.int64
    assert found.agrees
    assert found.ran.provider == CPU
    assert found.ran.seconds >= 0
    assert found.ran.form == (form or found.ran.form)
    return found


def same_or_refused(operator, x):
    """As ONNX writes it: equal, or refused in words; never silently another value."""
    exact = OnnxRuntimeEngine().exact(operator, named(x))
    if native(operator, x.shape, data_type_of(x.dtype)) is None:
        with pytest.raises(dmlviz.EngineRefused) as caught:
            dmlviz.run(operator, x, "onnxruntime", "native")
        assert str(caught.value) == NOT_IN_ONNX.format(operator.operator_type)
        assert not exact
        return
    if bad_as_written(operator, x):
        with pytest.raises(dmlviz.EngineRefused, match="reads memory beyond the tensor"):
            dmlviz.run(operator, x, "onnxruntime", "native")
        assert not exact
        return
    try:
        found = dmlviz.run(operator, x, "onnxruntime", "native")
    except dmlviz.EngineRefused as refused:
        assert not exact
        assert str(refused).startswith("onnxruntime refused: [ONNXRuntimeError]")
        assert refused.field == "engine"
        return
    assert found.ran.form == "native"
    due = dmlviz.run(operator, x)
    np.testing.assert_array_equal(found.source, due.source)
    if x.dtype == np.float16 and not exact:
        # kernels by casts: they quiet NaNs, so they are never taken unasked
        np.testing.assert_array_equal(found.output, due.output, strict=True)
    else:
        np.testing.assert_array_equal(bits(found.output), bits(due.output))
        assert found.agrees


@pytest.mark.parametrize("form", ["", "lowered"])
@pytest.mark.parametrize("name", ANSWERED)
def test_recording(name, form):
    case = ANSWERED[name]
    dtype = DATA_TYPES[case["data_type"]].dtype
    x = np.array(case["input"], dtype).reshape(case["input_sizes"])
    due = np.array(case["output"], dtype).reshape(case["output_sizes"])
    found = same(dmlviz.operator_from_desc(case["operator"], case["desc"]), x, form)
    np.testing.assert_array_equal(found.output, due, strict=True)


def test_all_recordings_are_here():
    assert len(ANSWERED) == 284


@each_operator(9)
def test_equal_to_numpy(run):
    for form in ("", "lowered"):
        same(*run, form)


@pytest.mark.parametrize("data_type", DATA_TYPES)
def test_several_tensors_as_written_in_every_type(data_type):
    dtype = DATA_TYPES[data_type].dtype
    for cls in SEVERAL:
        # the same numbers for each, whatever stands before it
        random = np.random.default_rng(5)
        for example in cls.examples():
            inputs = {
                name: array
                if cls.role(name) == CONTROL
                else np.frombuffer(random.bytes(array.size * dtype.itemsize), dtype).reshape(
                    array.shape
                )
                for name, array in example.inputs.items()
            }
            written = example.operator.native_graph(descs_of(inputs))
            if written is None or example.operator.refusals(inputs):
                continue
            if data_type in written.cpu_types:
                same(example.operator, inputs, "native")
                continue
            # the CPU provider has no kernel of every type; it never errs
            with contextlib.suppress(dmlviz.EngineRefused):
                same(example.operator, inputs, "native")


@settings(max_examples=tries(200))
@given(paddings(), st.sampled_from(["", "lowered"]))
def test_paddings_of_many_times_the_size(run, form):
    same(*run, form)


@settings(max_examples=tries(300))
@given(runs())
def test_as_written_it_is_equal_or_refused(run):
    same_or_refused(*run)


@pytest.mark.slow
@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_every_operator_in_all_ranks_and_types(cls):
    """The types of its values, then those of its control inputs, change nothing but themselves."""
    for rank in cls.ranks_ever():
        operator, counted = sampled(cls, rank)
        first = types_ever(cls)[0]
        due = dmlviz.run(typed(operator, first), retyped(operator, counted, first))
        for data_type in types_ever(cls):
            for form in ("", "lowered"):
                inputs = retyped(operator, counted, data_type)
                found = same(typed(operator, data_type), inputs, form)
                for name, source in found.sources.items():
                    np.testing.assert_array_equal(source, due.sources[name], strict=True)
        for data_type in {
            k for slot in cls.input_slots if slot.role == CONTROL for k in slot.data_types
        }:
            found = same(operator, retyped(operator, due.inputs, data_type, CONTROL))
            for name, output in found.outputs.items():
                np.testing.assert_array_equal(bits(output), bits(due.outputs[name]), strict=True)


def retyped(operator, inputs, data_type, role=VALUES):
    """The inputs with another type of those that have a role."""
    dtype = DATA_TYPES[data_type].dtype
    return {n: x.astype(dtype) if operator.role(n) == role else x for n, x in inputs.items()}


def operations():
    """Every operator, order and mode, in a few forms each, by rank."""
    for rank in range(1, 9):
        sizes = (3, 1, 2, 1, 2, 1, 1, 2)[:rank]
        yield f"tile-{rank}", dmlviz.Tile((2, 3, 1, 2, 1, 2, 1, 1)[:rank]), sizes
        for mode in MODES:
            start, end = (0, 2, 1, 1, 0, 0, 2, 1), (2, 0, 1, 0, 2, 0, 1, 0)
            yield f"{mode}-{rank}", dmlviz.Padding(mode, start[:rank], end[:rank], 3), sizes
    for mode in MODES:
        yield f"{mode}-much", dmlviz.Padding(mode, (0, 50, 31), (23, 50, 0), 3), (2, 3, 1)
        yield f"{mode}-one", dmlviz.Padding(mode, (5,), (7,), 3), (1,)
        yield f"{mode}-none", dmlviz.Padding(mode, (0, 0), (0, 0), 3), (2, 3)
    yield "tile-once", dmlviz.Tile((1, 1)), (2, 3)
    yield "tile-much", dmlviz.Tile((300,)), (7,)
    for order in ORDERS:
        for block in (1, 2, 3):
            yield f"d2s-{order}-{block}", dmlviz.DepthToSpace(block, order), (2, 36, 2, 5)
            yield f"s2d-{order}-{block}", dmlviz.SpaceToDepth(block, order), (2, 2, 6, 12)


OPERATIONS = {name: (operator, sizes) for name, operator, sizes in operations()}


@pytest.mark.slow
@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_in_all_types_and_forms(name):
    operator, sizes = OPERATIONS[name]
    random = np.random.default_rng(7)
    for data_type in DATA_TYPES.values():
        count = int(np.prod(sizes)) * data_type.dtype.itemsize
        x = np.frombuffer(random.bytes(count), data_type.dtype).reshape(sizes)
        for form in ("", "lowered"):
            same(operator, x, form)
        same_or_refused(operator, x)


@pytest.mark.parametrize(
    "operator",
    [
        dmlviz.Tile((1, 1, 1, 2)),
        dmlviz.DepthToSpace(2),
        dmlviz.SpaceToDepth(2),
        *(dmlviz.Padding(mode, (0, 0, 0, 3), (0, 0, 0, 2), 1) for mode in MODES),
    ],
    ids=lambda operator: getattr(operator, "padding_mode", operator.key),
)
def test_each_of_the_65536_numbers_of_float16(operator):
    x = np.arange(1 << 16, dtype=np.uint16).view(np.float16).reshape(1, 4, 64, 256)
    same(operator, x)
    same(operator, x, "lowered")


VALUES = (
    -0.0,
    0.1,
    10.6,
    -10.6,
    1e-45,
    -128,
    255,
    16777217,
    65504,
    3e38,
    *map(float, ("inf", "nan")),
)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("data_type", DATA_TYPES)
def test_padding_values(data_type, value):
    operator = dmlviz.Padding("CONSTANT", (0, 1), (2, 0), value)
    x = np.zeros((2, 3), DATA_TYPES[data_type].dtype)
    if operator.problems(x.shape, data_type):
        with pytest.raises(dmlviz.Refused):
            dmlviz.run(operator, x, "onnxruntime")
        return
    same(operator, x)
    same(operator, x, "lowered")


@pytest.mark.parametrize(
    ("x", "pad", "words"),
    [
        ([1, 2, 3], (3, 3), "Pad reflect: pre-pad (3) exceeds maximum allowed (2) for axis 0."),
        ([1, 2, 3], (0, 9), "Pad reflect: post-pad (9) exceeds maximum allowed (2) for axis 0."),
        ([7], (1, 1), "Pad reflect requires axis length >= 2"),
    ],
)
def test_reflection_as_large_as_the_axis(x, pad, words):
    operator = dmlviz.Padding("REFLECTION", pad[:1], pad[1:])
    x = np.array(x, np.float32)
    assert not OnnxRuntimeEngine().exact(operator, named(x))
    found = same(operator, x)
    assert (found.ran.form, found.ran.nodes) == ("lowered", ("Gather",))
    if VERSION < (1, 25):
        words = "reads memory beyond the tensor"
    with pytest.raises(dmlviz.EngineRefused) as caught:
        dmlviz.run(operator, x, "onnxruntime", "native")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("version", "mode", "asked"),
    [
        ("1.24.4", "REFLECTION", False),
        ("1.25.1", "REFLECTION", True),
        ("1.30.0", "WRAP", False),
        ("1.31.1", "WRAP", True),
        ("1.20.1", "EDGE", True),
        ("1.20.1", "SYMMETRIC", True),
    ],
)
def test_no_version_is_asked_for_memory_of_others(monkeypatch, version, mode, asked):
    engine = OnnxRuntimeEngine()
    monkeypatch.setattr(engine.installed, "version", lambda: version)
    operator, x = dmlviz.Padding(mode, (3,), (0,)), np.array([1, 2, 3], np.float32)
    if asked:
        engine.refuse_what_reads_beyond(native(operator, x.shape, "FLOAT32"))
        return
    with pytest.raises(dmlviz.EngineRefused, match=f"ONNX Runtime {version} reads memory"):
        engine.run(operator, named(x), "native")
    assert engine.run(operator, named(x)).form == "lowered"


def test_reflection_within_the_axis_is_taken_as_written():
    for start, end in ((6, 6), (0, 6), (1, 0)):
        found = same(dmlviz.Padding("REFLECTION", (0, start), (0, end)), X)
        assert (found.ran.form, found.ran.nodes) == ("native", ("Pad",))
    assert same(dmlviz.Padding("REFLECTION", (0, 7), (0, 0)), X).ran.form == "lowered"


@pytest.mark.parametrize(
    ("operator", "nodes", "form"),
    [
        (dmlviz.Tile((2, 3)), ("Tile",), "native"),
        (dmlviz.Padding("CONSTANT", (1, 1), (0, 0)), ("Pad",), "native"),
        (dmlviz.Padding("EDGE", (99, 1), (0, 0)), ("Pad",), "native"),
        (dmlviz.Padding("WRAP", (3, 1), (0, 0)), ("Pad",), "native"),
        (dmlviz.Padding("WRAP", (11, 1), (0, 0)), ("Gather", "Gather"), "lowered"),
        (dmlviz.Padding("SYMMETRIC", (1, 1), (0, 0)), ("Gather", "Gather"), "lowered"),
    ],
)
def test_what_ran(operator, nodes, form):
    ran = dmlviz.run(operator, X, "onnxruntime").ran
    assert (ran.nodes, ran.form, ran.provider) == (nodes, form, CPU)
    assert 0 <= ran.seconds < 60


@pytest.mark.parametrize(
    ("operator", "sizes"),
    [(dmlviz.DepthToSpace(2, ORDERS[1]), (1, 8, 2, 3)), (dmlviz.SpaceToDepth(2), (1, 2, 4, 6))],
)
def test_what_ran_of_blocks(operator, sizes):
    x = np.zeros(sizes)
    assert dmlviz.run(operator, x, "onnxruntime").ran.nodes == (type(operator).__name__,)
    for form, array in (("lowered", x), ("", x.astype(np.int16))):
        ran = dmlviz.run(operator, array, "onnxruntime", form).ran
        assert (ran.nodes, ran.form) == (("Reshape", "Transpose", "Reshape"), "lowered")


def test_the_source_is_the_engines_own_run(monkeypatch):
    fed = []
    real = onnxruntime.InferenceSession

    class Seen(real):
        def run(self, outputs, feed):
            fed.append(feed["InputTensor"])
            return super().run(outputs, feed)

    monkeypatch.setattr(onnxruntime, "InferenceSession", Seen)
    dmlviz.run(dmlviz.Tile((2, 3)), X, "onnxruntime")
    values, indices = fed
    np.testing.assert_array_equal(values, X)
    np.testing.assert_array_equal(indices, np.arange(35).reshape(5, 7))


def test_values_and_indices_of_one_model_have_one_session(monkeypatch):
    made = []
    real = onnxruntime.InferenceSession

    class Seen(real):
        def __init__(self, *arguments, **named):
            made.append(arguments)
            super().__init__(*arguments, **named)

    monkeypatch.setattr(onnxruntime, "InferenceSession", Seen)
    x = np.arange(6, dtype=np.float64)
    assert dmlviz.run(dmlviz.Tile((2,)), x, "onnxruntime").agrees
    assert len(made) == 1
    # a session keeps the memory of a large run
    assert dmlviz.run(dmlviz.Tile((1 << 15,)), x, "onnxruntime").agrees
    assert len(made) == 3


def test_status():
    found = engine("onnxruntime").status()
    assert (found.name, found.title, found.available, found.reason) == (
        "onnxruntime",
        "ONNX Runtime",
        True,
        "",
    )
    assert found.detail == f"ONNX Runtime {onnxruntime.__version__}, {CPU}"


def test_a_check_in_words():
    found = dmlviz.run(dmlviz.Padding("CONSTANT", (1, 0), (0, 0)), X, "onnxruntime")
    assert found.check() == (
        "ONNX Runtime: 42 elements, 35 equal to their source and 7 to the padding value."
    )


def test_what_is_installed_is_not_read_again_for_every_run(monkeypatch):
    dmlviz.run(dmlviz.Tile((2, 3)), X, "onnxruntime")
    read, real = [], metadata.Distribution.metadata
    counted = property(lambda self: read.append(self) or real.fget(self))
    monkeypatch.setattr(metadata.Distribution, "metadata", counted)
    dmlviz.run(dmlviz.Tile((2, 3)), X, "onnxruntime").check()
    assert len(read) == 0, "every run reads the metadata of every installed package"
