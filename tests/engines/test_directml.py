"""What DirectML would be given, and how: checked on a stand-in, and run where it is."""

import json
import os
import tempfile
import threading
import time
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from hypothesis import given, settings
from onnx import TensorProto
from onnx.numpy_helper import to_array

import dmlviz
from dmlviz.engines import ENGINES, engine
from dmlviz.engines.directml import Adapter, DirectMLEngine, remove_leftovers
from dmlviz.engines.models import ELEMENT_TYPES
from dmlviz.operators.declaration import types_ever
from dmlviz.tensors import DATA_TYPES, data_type_of
from tests.engines.standins import CPU, DML, Machine, Runtime, adapter
from tests.one_input import applied
from tests.strategies import MODES, ORDERS, bits, named, runs
from tests.thorough import tries

FILE = Path(__file__).resolve().parents[2] / "assets" / "recordings" / "directml-1.15.4.json"
ANSWERED = {
    case["id"]: case
    for case in json.loads(FILE.read_text(encoding="utf-8"))["cases"]
    if "output" in case
}
ROWS = np.arange(1, 31).reshape(2, 3, 5)
DEPTH = np.arange(1 * 8 * 2 * 3).reshape(1, 8, 2, 3)
IMAGE = np.arange(1 * 2 * 4 * 6).reshape(1, 2, 4, 6)
BLOCKS = ("Reshape", "Transpose", "Reshape")
CASES = {
    "tile": (dmlviz.Tile((2, 1, 3)), ROWS, ("Tile",)),
    "d2s-dcr": (dmlviz.DepthToSpace(2, ORDERS[0]), DEPTH, ("DepthToSpace",)),
    "d2s-crd": (dmlviz.DepthToSpace(2, ORDERS[1]), DEPTH, ("DepthToSpace",)),
    "s2d-dcr": (dmlviz.SpaceToDepth(2, ORDERS[0]), IMAGE, ("SpaceToDepth",)),
    "s2d-crd": (dmlviz.SpaceToDepth(2, ORDERS[1]), IMAGE, BLOCKS),
    **{
        mode: (
            dmlviz.Padding(mode, (0, 2, 11), (0, 0, 13), 3),
            ROWS,
            ("Gather",) * 2 if mode == "SYMMETRIC" else ("Pad",),
        )
        for mode in MODES
    },
}


@pytest.fixture
def here(monkeypatch, profiles):
    """Puts an engine with a stand-in runtime where the real one is; gives back the runtime."""

    def make(**wanted):
        runtime = Runtime(**wanted)
        monkeypatch.setitem(ENGINES, "directml", DirectMLEngine(Machine(runtime)))
        return runtime

    return make


@pytest.mark.parametrize("data_type", DATA_TYPES)
@pytest.mark.parametrize("name", CASES)
def test_models_and_answers(here, name, data_type):
    operator, x, nodes = CASES[name]
    x = x.astype(DATA_TYPES[data_type].dtype)
    runtime = here()
    trace = dmlviz.run(operator, x, "directml")
    due = dmlviz.run(operator, x)
    np.testing.assert_array_equal(bits(trace.output), bits(due.output), strict=True)
    np.testing.assert_array_equal(trace.source, due.source, strict=True)
    assert trace.agrees
    assert trace.check().startswith("DirectML: ")
    form = "native" if len(nodes) == 1 else "lowered"
    ran = trace.ran
    assert (ran.provider, ran.nodes, ran.form) == (DML, nodes, form)
    assert ran.seconds >= 0
    # once on the values, once on the indices, in the type that every adapter has
    values, indices = runtime.sessions
    assert [a.dtype for a in values.fed] == [x.dtype]
    assert indices.fed[0].dtype == np.int32
    np.testing.assert_array_equal(indices.fed[0].ravel(), np.arange(x.size))
    for session, kind in ((values, data_type), (indices, "INT32")):
        graph = session.model.graph
        assert tuple(node.op_type for node in graph.node) == nodes
        assert [i.name for i in graph.input] == ["InputTensor"]
        assert graph.input[0].type.tensor_type.elem_type == ELEMENT_TYPES[kind]
        assert session.model.ir_version == 8
        opset = 19 if name == "WRAP" else 13
        assert [(o.domain, o.version) for o in session.model.opset_import] == [("", opset)]
        if "Gather" in nodes:
            assert {c.data_type for c in graph.initializer} == {TensorProto.INT32}


def test_the_padding_value_on_indices_is_minus_one(here):
    runtime = here()
    operator, x, _nodes = CASES["CONSTANT"]
    trace = dmlviz.run(operator, x, "directml")
    values = [to_array(s.model.graph.initializer[1]) for s in runtime.sessions]
    assert [v.item() for v in values] == [3, -1]
    assert (trace.source == -1).any()


def folder(path, age):
    path.mkdir()
    (path / "profile.json").write_text("{}")
    then = time.time() - age
    os.utime(path, (then, then))
    return path


def test_folders_of_killed_runs_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    day = 24 * 60 * 60
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    old = folder(tmp_path / "dmlviz-directml-old", day + 60)
    new = folder(tmp_path / "dmlviz-directml-new", day - 600)
    other = folder(tmp_path / "another-program", day + 60)
    kept = folder(elsewhere / "kept", day + 60)
    link = tmp_path / "dmlviz-directml-link"
    link.symlink_to(kept, target_is_directory=True)
    os.utime(link, (0, 0), follow_symlinks=False)
    inside = folder(tmp_path / "dmlviz-directml-inside", 0)
    (inside / "link").symlink_to(kept, target_is_directory=True)
    os.utime(inside, (0, 0))
    file = tmp_path / "dmlviz-directml-file"
    file.write_text("")
    os.utime(file, (0, 0))
    remove_leftovers()
    assert not old.exists()
    assert not inside.exists()
    assert all(path.exists() for path in (new, other, link, file, kept / "profile.json"))


def test_folders_of_others_are_left(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    theirs = folder(tmp_path / "dmlviz-directml-theirs", 1e6)
    real = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: real + 1)
    remove_leftovers()
    assert theirs.exists()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    remove_leftovers()


def test_the_folder_of_a_run_has_the_prefix(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names = []

    def refuse(model):
        names.extend(path.name for path in tmp_path.iterdir())

    DirectMLEngine(Machine(Runtime(refuse=refuse))).run(dmlviz.Tile((1, 2, 1)), named(ROWS))
    (name,) = names
    assert name.startswith("dmlviz-directml-")


@settings(max_examples=tries(150))
@given(runs())
def test_equal_to_numpy(run):
    operator, x = run
    runner = DirectMLEngine(Machine(Runtime()))
    for form in ("", "lowered"):
        ran = runner.run(operator, operator.named_inputs(x, "x"), form)
        np.testing.assert_array_equal(bits(ran.output), bits(applied(operator, x)), strict=True)
        assert ran.form == (form or ran.form)
    given = operator.named_inputs(x, "x")
    assert runner.index_type(operator, given) == "INT32"
    assert runner.index_type(operator, given, "lowered") == "INT32"
    if "INT32" not in types_ever(operator):
        assert runner.index_type(operator, given, "native") == "FLOAT32"


@pytest.mark.parametrize("name", CASES)
def test_session_options_are_exactly_these(here, name):
    runtime = here()
    operator, x, _nodes = CASES[name]
    dmlviz.run(operator, x, "directml")
    for session in runtime.sessions:
        assert session.providers == [(DML, {})]
        # without it Python tries again on the CPU
        assert session.enable_fallback == 0
        set_here = dict(vars(session.options))
        folder = Path(set_here.pop("profile_file_prefix")).parent
        assert not folder.exists()
        assert set_here == {
            "entries": {
                "session.disable_cpu_ep_fallback": "1",
                "session.record_ep_graph_assignment_info": "1",
                "ep.dml.disable_graph_fusion": "1",
            },
            "log_severity_level": 4,
            "enable_mem_pattern": False,
            "execution_mode": "sequential",
            "graph_optimization_level": "none",
            "enable_profiling": True,
        }
        real = onnxruntime.SessionOptions()
        assert all(hasattr(real, option) for option in set_here.keys() - {"entries"})


def test_the_real_runtime_knows_these_names():
    assert hasattr(onnxruntime.ExecutionMode, "ORT_SEQUENTIAL")
    assert hasattr(onnxruntime.GraphOptimizationLevel, "ORT_DISABLE_ALL")
    for device in getattr(onnxruntime, "get_ep_devices", list)():
        assert device.ep_name
        assert dict(device.ep_options) is not None
        assert dict(device.device.metadata) is not None


def test_an_adapter_of_ones_own(here):
    runtime = here(devices=[adapter("Arc", 0), adapter("Radeon", 1)])
    operator, x, _nodes = CASES["tile"]
    trace = dmlviz.run(operator, x, "directml:1")
    assert [s.providers for s in runtime.sessions] == [[(DML, {"device_id": "1"})]] * 2
    assert trace.engine == "directml:1"
    assert trace.check() == "DirectML: 180 elements, each equal to its source."
    dmlviz.run(operator, x, "directml:0")
    assert runtime.sessions[-1].providers == [(DML, {"device_id": "0"})]


def test_an_adapter_that_is_not_there(here):
    here()
    operator, x, _nodes = CASES["tile"]
    with pytest.raises(dmlviz.EngineRefused, match="no adapter with the specified ordinal"):
        dmlviz.run(operator, x, "directml:9")


@pytest.mark.parametrize(
    "name", ["directml:x", "directml:-1", "directml:1.5", "directml: 1", "directml:1:2"]
)
def test_adapters_that_are_no_number(here, name):
    here()
    with pytest.raises(dmlviz.EngineUnavailable, match="is unknown; this version has"):
        engine(name)


def test_adapters_are_listed():
    devices = [
        adapter("Intel(R) UHD Graphics", 1),
        adapter("AMD Radeon RX 7800 XT", 0, device_id="0"),
        adapter("Cpu", 0, ep_name=CPU),
        adapter("NVIDIA RTX 4070", 3, device_id="2"),
    ]
    runner = DirectMLEngine(Machine(Runtime(devices=devices)))
    assert runner.adapters() == [
        Adapter(1, "Intel(R) UHD Graphics"),
        Adapter(0, "AMD Radeon RX 7800 XT"),
        Adapter(2, "NVIDIA RTX 4070"),
    ]
    found = runner.status()
    assert (found.name, found.title, found.available, found.reason) == (
        "directml",
        "DirectML",
        True,
        "",
    )
    assert found.detail == (
        "ONNX Runtime 1.24.4, DmlExecutionProvider (1: Intel(R) UHD Graphics, "
        "0: AMD Radeon RX 7800 XT, 2: NVIDIA RTX 4070)"
    )


def test_a_runtime_that_lists_no_adapters():
    runner = DirectMLEngine(Machine(Runtime(devices=None)))
    assert runner.adapters() == []
    assert runner.status().detail == "ONNX Runtime 1.24.4, DmlExecutionProvider"
    assert runner.run(dmlviz.Tile((2,)), named(np.zeros(3))).provider == DML


def test_forms():
    runner = DirectMLEngine(Machine(Runtime()))
    x = ROWS.astype(np.float32)
    assert runner.run(dmlviz.Tile((1, 1, 2)), named(x), "lowered").nodes == ("Gather",)
    assert runner.run(CASES["EDGE"][0], named(x), "lowered").nodes == ("Gather", "Gather")
    assert runner.run(CASES["CONSTANT"][0], named(x), "lowered").nodes == ("Concat", "Concat")
    for operator, array in (CASES["SYMMETRIC"][:2], CASES["s2d-crd"][:2]):
        with pytest.raises(dmlviz.EngineRefused) as caught:
            runner.run(operator, named(array.astype(np.float32)), "native")
        assert str(caught.value) == (
            f"directml: ONNX has no operator for {operator.operator_type} with these settings."
        )
        assert caught.value.field == "engine"


def no_wrap(model):
    """What a provider says that knows no such mode."""
    modes = [a.s for node in model.graph.node for a in node.attribute if a.name == "mode"]
    return RuntimeError("Unknown Pad mode attribute.") if b"wrap" in modes else None


def test_wrap_where_the_provider_does_not_know_it(here):
    runtime = here(refuse=no_wrap)
    operator, x, _nodes = CASES["WRAP"]
    trace = dmlviz.run(operator, x, "directml")
    assert trace.agrees
    np.testing.assert_array_equal(trace.output, applied(operator, x), strict=True)
    assert (trace.ran.nodes, trace.ran.form) == (("Gather", "Gather"), "lowered")
    kinds = [[node.op_type for node in session.model.graph.node] for session in runtime.sessions]
    assert kinds == [["Pad"], ["Gather"] * 2, ["Gather"] * 2]
    with pytest.raises(dmlviz.EngineRefused, match="Unknown Pad mode attribute"):
        dmlviz.run(operator, x, "directml", "native")


def test_nothing_else_is_tried_in_another_form(here):
    runtime = here(refuse=lambda model: RuntimeError("no"))
    for name in ("REFLECTION", "SYMMETRIC", "tile"):
        operator, x, _nodes = CASES[name]
        runtime.sessions.clear()
        with pytest.raises(dmlviz.EngineRefused, match="no"):
            dmlviz.run(operator, x, "directml")
        assert len(runtime.sessions) == 1


def test_threads_take_turns(here):
    runtime = here(slow=0.002)
    operator, x, _nodes = CASES["tile"]
    wrong = []

    def many(seed):
        for n in range(4):
            trace = dmlviz.run(operator, x + seed + 1, "directml:0" if n % 2 else "directml")
            if not (trace.agrees and trace.output.all()):
                wrong.append((seed, trace.check()))

    threads = [threading.Thread(target=many, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(runtime.sessions) == 4 * 4 * 2


@pytest.fixture(scope="session")
def directml():
    """The real engine; a machine without it, or without an adapter, says why and skips."""
    status = next(found for found in dmlviz.engines() if found.name == "directml")
    if not status.available:
        pytest.skip(status.reason)
    runner = DirectMLEngine()
    if not runner.adapters():
        try:
            runner.run(dmlviz.Tile((2,)), named(np.zeros(3, np.float32)))
        except dmlviz.EngineRefused as refused:
            pytest.skip(f"no adapter is listed, and {refused}")
    return runner


@pytest.mark.parametrize("name", ANSWERED)
def test_recording_on_directml(directml, name):
    case = ANSWERED[name]
    dtype = DATA_TYPES[case["data_type"]].dtype
    x = np.array(case["input"], dtype).reshape(case["input_sizes"])
    due = np.array(case["output"], dtype).reshape(case["output_sizes"])
    operator = dmlviz.operator_from_desc(case["operator"], case["desc"])
    try:
        trace = dmlviz.run(operator, x, "directml")
    except dmlviz.EngineRefused as refused:
        if data_type_of(dtype) == "FLOAT64" and "has no doubles" in str(refused):
            pytest.skip(str(refused))
        raise
    np.testing.assert_array_equal(trace.output, due, strict=True)
    assert trace.agrees
    assert trace.ran.provider == DML
    assert trace.ran.nodes
