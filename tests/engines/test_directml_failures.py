"""Each way in which DirectML can be missing, refuse, or leave no proof."""

import shutil
import types

import numpy as np
import pytest

import dmlviz
from dmlviz.__main__ import main
from dmlviz.base.errors import EngineLost, EngineRefused
from dmlviz.engines import ENGINES
from dmlviz.engines.directml import DirectMLEngine
from dmlviz.operators.slots import descs_of
from dmlviz.verify import write_example
from tests.engines.standins import (
    CPU,
    DML,
    FELL_BACK,
    LOST,
    NO_ADAPTER,
    OPEN,
    Machine,
    Runtime,
    adapter,
)
from tests.strategies import named

X = np.arange(6, dtype=np.float32).reshape(2, 3)
TILE = dmlviz.Tile((2, 2))
NO_ADAPTERS = "DirectML found no graphics adapter on this machine."
SYMMETRIC = dmlviz.Padding("SYMMETRIC", (5, 0), (0, 4))
UNINSTALL = (
    "the installed ONNX Runtime has no DmlExecutionProvider; uninstall onnxruntime, then install "
    "onnxruntime-directml."
)


pytestmark = pytest.mark.usefixtures("profiles")


def refused(runtime, operator=TILE, x=X):
    with pytest.raises(dmlviz.EngineRefused) as caught:
        DirectMLEngine(Machine(runtime)).run(operator, named(x))
    assert caught.value.field == "engine"
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("machine", "reason"),
    [
        (Machine(system="linux", machine="x86_64"), "DirectML needs Windows; this is Linux."),
        (Machine(system="darwin", machine="arm64"), "DirectML needs Windows; this is macOS."),
        (Machine(system="freebsd14"), "DirectML needs Windows; this is freebsd14."),
        (Machine(Runtime(providers=[CPU]), ["onnxruntime"]), UNINSTALL),
        (
            Machine(Runtime(providers=["AzureExecutionProvider", CPU]), ["onnxruntime"]),
            UNINSTALL,
        ),
        (
            Machine(Runtime(providers=[CPU]), ["onnxruntime"], machine="ARM64"),
            (
                "the package onnxruntime-directml is for x64 Windows only; this is ARM64. "
                "Install onnxruntime-windowsml instead of onnxruntime to get DirectML here."
            ),
        ),
        (
            Machine(ModuleNotFoundError("No module named 'onnxruntime'"), []),
            'onnxruntime is not installed; run pip install "dmlviz[onnxruntime]".',
        ),
        (
            Machine(ModuleNotFoundError("No module named 'onnxruntime'"), [], machine="ARM64"),
            'onnxruntime is not installed; run pip install "dmlviz[onnxruntime]".',
        ),
        (Machine(Runtime(devices=[])), NO_ADAPTERS),
        (Machine(Runtime(devices=[adapter("Cpu", 0, ep_name=CPU)])), NO_ADAPTERS),
        (
            Machine(Runtime(), ["onnxruntime", "onnxruntime-directml"]),
            (
                "onnxruntime and onnxruntime-directml conflict with each other; uninstall all of "
                'them, then run pip install "dmlviz[onnxruntime]".'
            ),
        ),
    ],
)
def test_not_available(machine, reason):
    runner = DirectMLEngine(machine)
    found = runner.status()
    assert (found.available, found.reason, found.detail) == (False, reason, "")
    with pytest.raises(dmlviz.EngineUnavailable) as caught:
        runner.run(TILE, named(X))
    assert str(caught.value) == f"engine: {reason}"


def test_windows_on_arm_with_windows_ml():
    machine = Machine(Runtime(), ["onnxruntime-windowsml"], machine="ARM64")
    found = DirectMLEngine(machine).status()
    assert found.available
    assert DirectMLEngine(machine).run(TILE, named(X)).provider == DML


def test_status_runs_nothing():
    runtime = Runtime()
    DirectMLEngine(Machine(runtime)).status()
    assert runtime.sessions == []


def test_listing_adapters_fails():
    runtime = Runtime()

    def fails():
        raise RuntimeError("DXGI: 887A0001")

    runtime.get_ep_devices = fails
    runner = DirectMLEngine(Machine(runtime))
    assert runner.adapters() == []
    assert runner.status().available


def test_an_adapter_that_says_nothing():
    device = types.SimpleNamespace(
        ep_name=DML, ep_options={}, device=types.SimpleNamespace(metadata={})
    )
    (found,) = DirectMLEngine(Machine(Runtime(devices=[device]))).adapters()
    assert (found.number, found.name) == (0, "unnamed adapter")


@pytest.mark.parametrize("given", [[CPU], [CPU, DML], ["AzureExecutionProvider", CPU]])
def test_the_session_was_given_another_provider(given):
    assert refused(Runtime(given=given)) == (
        f"directml: the session was given {', '.join(given)} instead of DmlExecutionProvider."
    )


@pytest.mark.parametrize(("operator", "dtype"), [(TILE, np.float32), (SYMMETRIC, np.uint64)])
def test_a_node_on_the_cpu(operator, dtype):
    words = refused(
        Runtime(refuse=lambda model: RuntimeError(FELL_BACK)), operator, X.astype(dtype)
    )
    assert words == (
        "directml refused: a part of the model would have run on the CPU. Its message: " + FELL_BACK
    )


@pytest.mark.parametrize("operator", [TILE, SYMMETRIC])
def test_an_adapter_without_doubles(operator):
    runtime = Runtime(doubles=False)
    assert refused(runtime, operator, X.astype(np.float64)) == (
        "directml refused: this graphics adapter has no doubles, so FLOAT64 would have run on the "
        f"CPU. Its message: {FELL_BACK}"
    )
    assert DirectMLEngine(Machine(runtime)).run(operator, named(X)).provider == DML


NO_KERNEL = (
    "[ONNXRuntimeError] : 9 : NOT_IMPLEMENTED : Could not find an implementation for OneHot(11) "
    "node with name 'OneHot_4'"
)


@pytest.mark.parametrize("dtype", [np.float64, np.int16])
def test_what_neither_directml_nor_the_cpu_has(dtype):
    """The CPU provider has no OneHot of FLOAT64: nothing there to fall back to."""
    operator = dmlviz.OneHot(0, 3)
    inputs = {"IndicesTensor": np.array([1], np.int64), "ValuesTensor": np.array([0, 1], dtype)}
    runner = DirectMLEngine(Machine(Runtime(refuse=lambda model: RuntimeError(NO_KERNEL))))
    with pytest.raises(EngineRefused) as caught:
        runner.run(operator, inputs)
    ours = "this graphics adapter has no doubles, so it cannot run FLOAT64. Its message: "
    start = "directml refused: " + (ours if dtype == np.float64 else "")
    assert str(caught.value) == start + NO_KERNEL


def test_a_failed_session_is_remembered():
    """A process in which one failed is not used again; one that ran is."""
    runtime = Runtime(refuse=lambda model: refusal)
    runner = DirectMLEngine(Machine(runtime))
    refusal = None
    runner.run(TILE, named(X))
    assert not runner.spent
    refusal = RuntimeError("80070057 The parameter is incorrect.")
    with pytest.raises(EngineRefused):
        runner.run(TILE, named(X))
    assert runner.spent


@pytest.mark.parametrize("kind", ["FLOAT16", "FLOAT32"])
def test_a_model_that_changes_bits_is_not_used(kind):
    """DirectML's provider makes signaling NaNs of FLOAT16 quiet in Resize and MaxUnpool."""
    dtype = np.dtype(kind.lower())
    resample = dmlviz.Resample("DECREASING", (2,), (0,), (-0.5,))
    unpooling = dmlviz.MaxUnpooling((1, 1, 2, 2))
    x = np.ones((1, 1, 1, 1), dtype)
    for operator, inputs, native in (
        (resample, named(x.reshape(1)), "Resize"),
        (unpooling, {"InputTensor": x, "IndicesTensor": np.zeros(x.shape, np.uint32)}, "MaxUnpool"),
    ):
        graph = operator.native_graph(descs_of(inputs))
        assert native in [node.op_type for node in graph.nodes]
        runtime = Runtime(refuse=lambda model: RuntimeError("enough"))
        with pytest.raises(EngineRefused):
            DirectMLEngine(Machine(runtime)).run(operator, inputs)
        names = [node.op_type for node in runtime.sessions[0].model.graph.node]
        assert (native in names) == (kind == "FLOAT32"), names


def test_a_runtime_too_old_to_list_its_adapters_has_none():
    words = refused(Runtime(refuse=lambda model: RuntimeError(NO_ADAPTER), devices=None))
    assert words == f"directml refused: {NO_ADAPTER}"


def test_a_page_is_right_where_there_is_no_adapter(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(ENGINES, "directml", DirectMLEngine(Machine(Runtime(devices=[]))))
    trace = dmlviz.run(TILE, X)
    page = tmp_path / "page.md"
    page.write_text(write_example(TILE, X, trace.output), encoding="utf-8")
    assert main(["verify", str(page), "--engine", "all"]) == 0
    page.unlink()


@pytest.mark.parametrize("code", ["887A0005", "887A0006", "887a0007", "887A0020"])
def test_a_device_that_is_lost(code):
    runtime = Runtime(lose=lambda model: code if model.graph.node[0].op_type == "Tile" else "")
    runner = DirectMLEngine(Machine(runtime))
    assert runner.run(SYMMETRIC, named(X)).provider == DML
    for operator in (TILE, SYMMETRIC, dmlviz.Padding("WRAP", (1, 1), (0, 0))):
        with pytest.raises(EngineLost) as caught:
            runner.run(operator, named(X))
        assert str(caught.value) == f"directml: the graphics adapter was lost: {LOST.format(code)}"
        assert caught.value.field == "engine"
    # a lost device is not asked for the lowering
    assert len(runtime.sessions) == 4


@pytest.mark.parametrize("error", [ValueError("a\n  b"), OSError("a b"), Exception("a b")])
def test_whatever_creation_raises(error):
    assert refused(Runtime(refuse=lambda model: error)) == "directml refused: a b"


def test_long_words_are_cut():
    assert len(refused(Runtime(refuse=lambda model: RuntimeError("x" * 10_000)))) < 700


@pytest.mark.parametrize("operator", [TILE, SYMMETRIC])
def test_running_fails(operator):
    error = RuntimeError("80070057 The parameter is incorrect.")
    assert refused(Runtime(fail=error), operator) == f"directml refused: {error}"


@pytest.mark.parametrize("assignment", ["", None])
def test_no_node_ran_there(assignment):
    assert refused(Runtime(assignment=assignment, profile=None)) == (
        "directml: the session ran, but does not report that DirectML executed Tile."
    )


def second_on(provider):
    """The first node of two on DirectML, the other one elsewhere."""
    return lambda node: DML if node.name.endswith("_0") else provider


@pytest.mark.parametrize(
    ("assignment", "profile", "operator", "missing"),
    [
        (CPU, CPU, TILE, "Tile"),
        (CPU, DML, TILE, "Tile"),
        (DML, CPU, TILE, "Tile"),
        (None, CPU, TILE, "Tile"),
        ("", second_on(CPU), SYMMETRIC, "Gather"),
        (second_on(CPU), None, SYMMETRIC, "Gather"),
        (DML, second_on(CPU), SYMMETRIC, "Gather"),
    ],
)
def test_a_runtime_that_lets_the_cpu_help(assignment, profile, operator, missing):
    """It would have to overlook the session key that forbids it."""
    assert refused(Runtime(assignment=assignment, profile=profile), operator) == (
        f"directml: CPUExecutionProvider executed {missing}, not DirectML."
    )


@pytest.mark.parametrize(
    ("assignment", "profile"),
    [(second_on(""), None), ("", second_on(None)), (None, second_on(None))],
)
def test_a_node_that_nobody_says_who_executed(assignment, profile):
    assert refused(Runtime(assignment=assignment, profile=profile), SYMMETRIC) == (
        "directml: the session ran, but does not report that DirectML executed Gather → Gather."
    )


@pytest.mark.parametrize(("assignment", "profile"), [(second_on(""), DML), (DML, second_on(""))])
def test_one_whole_witness_is_enough(assignment, profile):
    runner = DirectMLEngine(Machine(Runtime(assignment=assignment, profile=profile)))
    assert runner.run(SYMMETRIC, named(X)).nodes == ("Gather", "Gather")


def test_a_reshape_moves_nothing_and_may_be_left_out():
    x = np.arange(16, dtype=np.float32).reshape(1, 4, 2, 2)
    unseen = Runtime(
        assignment=None, profile=lambda node: None if node.op_type == "Reshape" else DML
    )
    ran = DirectMLEngine(Machine(unseen)).run(dmlviz.DepthToSpace(2), named(x), "lowered")
    assert ran.nodes == ("Transpose",)


@pytest.mark.parametrize("assignment", ["", None])
def test_the_profile_is_the_second_witness(assignment):
    runner = DirectMLEngine(Machine(Runtime(assignment=assignment)))
    assert runner.run(TILE, named(X)).nodes == ("Tile",)
    assert runner.run(SYMMETRIC, named(X)).nodes == ("Gather", "Gather")


def test_the_profile_of_a_fused_graph():
    runner = DirectMLEngine(Machine(Runtime(assignment=None, fused=True)))
    assert runner.run(SYMMETRIC, named(X)).nodes == ("DmlFusedNode_0_0",)


def test_the_assignment_is_enough():
    runner = DirectMLEngine(Machine(Runtime(profile=None)))
    assert runner.run(SYMMETRIC, named(X)).nodes == ("Gather", "Gather")


@pytest.mark.parametrize(
    "wanted",
    [
        {"fail": RuntimeError("80070057")},
        {"given": [CPU]},
        {"refuse": lambda model: RuntimeError(FELL_BACK)},
        {"devices": None, "refuse": lambda model: RuntimeError(NO_ADAPTER)},
        {"lose": lambda model: "887A0005"},
        {"profile": CPU},
    ],
)
def test_a_session_that_is_still_referred_to(wanted):
    """It would hold its profile open, and Windows could not delete the folder."""
    runner = DirectMLEngine(Machine(Runtime(**wanted)))
    with pytest.raises(dmlviz.EngineRefused) as caught:
        runner.run(TILE, named(X))
    assert set() == OPEN
    assert caught.value.__traceback__ is not None


def test_a_person_interrupts():
    with pytest.raises(KeyboardInterrupt):
        DirectMLEngine(Machine(Runtime(fail=KeyboardInterrupt()))).run(TILE, named(X))
    assert set() == OPEN


def test_a_file_that_something_else_holds_open(tmp_path, monkeypatch):
    """It must not hide the refusal."""
    held = []

    def refuse(model):
        (folder,) = tmp_path.iterdir()
        (file,) = folder.iterdir()
        held.append(f"another{file.name}")
        (folder / held[0]).write_text("", encoding="utf-8")
        OPEN.add(held[0])
        return RuntimeError("its own words")

    assert refused(Runtime(refuse=refuse)) == "directml refused: its own words"
    OPEN.discard(held[0])
    (folder,) = tmp_path.iterdir()
    shutil.rmtree(folder)
