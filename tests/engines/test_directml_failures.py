"""Each way in which DirectML can be missing, refuse, or leave no proof."""

import os
import tempfile
import types
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.engines.directml import DirectMLEngine
from tests.engines.standins import CPU, DML, FELL_BACK, NO_ADAPTER, Machine, Runtime

X = np.arange(6, dtype=np.float32).reshape(2, 3)
TILE = dmlviz.Tile((2, 2))
SYMMETRIC = dmlviz.Padding("SYMMETRIC", (5, 0), (0, 4))
UNINSTALL = (
    "the installed ONNX Runtime has no DmlExecutionProvider; uninstall onnxruntime, then install "
    "onnxruntime-directml."
)


@pytest.fixture(autouse=True)
def nothing_is_left_behind(monkeypatch, tmp_path):
    """Profiles go into a folder of the test's own, which is empty at the end."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert list(tmp_path.iterdir()) == []


def refused(runtime, operator=TILE, x=X):
    with pytest.raises(dmlviz.EngineRefused) as caught:
        DirectMLEngine(Machine(runtime)).run(operator, x)
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
            "the package onnxruntime-directml exists for x64 Windows only; this is ARM64. "
            "onnxruntime-windowsml, installed instead of onnxruntime, has DirectML for it.",
        ),
        (
            Machine(ModuleNotFoundError("No module named 'onnxruntime'"), []),
            "ONNX Runtime is not installed; pip install -r requirements.txt brings it.",
        ),
        (
            Machine(ModuleNotFoundError("No module named 'onnxruntime'"), [], machine="ARM64"),
            "ONNX Runtime is not installed; pip install -r requirements.txt brings it.",
        ),
        (
            Machine(Runtime(), ["onnxruntime", "onnxruntime-directml"]),
            "onnxruntime and onnxruntime-directml are installed over each other, so that neither "
            "is whole; uninstall all of them, then install the one of requirements.txt.",
        ),
    ],
)
def test_not_available(machine, reason):
    runner = DirectMLEngine(machine)
    found = runner.status()
    assert (found.available, found.reason, found.detail) == (False, reason, "")
    with pytest.raises(dmlviz.EngineUnavailable) as caught:
        runner.run(TILE, X)
    assert str(caught.value) == f"engine: {reason}"


def test_windows_on_arm_with_windows_ml():
    machine = Machine(Runtime(), ["onnxruntime-windowsml"], machine="ARM64")
    found = DirectMLEngine(machine).status()
    assert found.available
    assert DirectMLEngine(machine).run(TILE, X).provider == DML


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
        "directml refused: a part of the model would have run on the CPU. In its own words: "
        + FELL_BACK
    )


def test_an_adapter_without_doubles():
    runtime = Runtime(refuse=lambda model: RuntimeError(FELL_BACK))
    assert refused(runtime, x=X.astype(np.float64)) == (
        "directml refused: this graphics adapter has no doubles, so FLOAT64 would have run on the "
        f"CPU. In its own words: {FELL_BACK}"
    )


def test_no_adapter():
    words = refused(Runtime(refuse=lambda model: RuntimeError(NO_ADAPTER), devices=[]))
    assert words == f"directml refused: {NO_ADAPTER}"


@pytest.mark.parametrize("error", [ValueError("a\n  b"), OSError("a b"), Exception("a b")])
def test_whatever_creation_raises(error):
    assert refused(Runtime(refuse=lambda model: error)) == "directml refused: a b"


def test_long_words_are_cut():
    assert len(refused(Runtime(refuse=lambda model: RuntimeError("x" * 10_000)))) < 700


@pytest.mark.parametrize("operator", [TILE, SYMMETRIC])
def test_running_fails(operator):
    error = RuntimeError("80070057 The parameter is incorrect.")
    assert refused(Runtime(fail=error), operator) == f"directml refused: {error}"


@pytest.mark.parametrize("assignment", ["", None, CPU])
@pytest.mark.parametrize("profile", [None, CPU])
def test_no_node_ran_there(assignment, profile):
    assert refused(Runtime(assignment=assignment, profile=profile)) == (
        "directml: the session ran, but reports no node that DirectML executed."
    )


@pytest.mark.parametrize("assignment", ["", None])
def test_the_profile_is_the_second_witness(assignment):
    runner = DirectMLEngine(Machine(Runtime(assignment=assignment)))
    assert runner.run(TILE, X).nodes == ("Tile",)
    assert runner.run(SYMMETRIC, X).nodes == ("Gather", "Gather")


def test_the_profile_of_a_fused_graph():
    runner = DirectMLEngine(Machine(Runtime(assignment=None, fused=True)))
    assert runner.run(SYMMETRIC, X).nodes == ("DmlFusedNode_0_0",)


def test_the_assignment_is_enough():
    runner = DirectMLEngine(Machine(Runtime(profile=None)))
    assert runner.run(SYMMETRIC, X).nodes == ("Gather", "Gather")


@pytest.mark.parametrize(
    "wanted",
    [
        {"fail": RuntimeError("80070057")},
        {"given": [CPU]},
        {"refuse": lambda model: RuntimeError(FELL_BACK)},
        {},
    ],
)
def test_a_profile_that_is_still_open(monkeypatch, wanted):
    """Windows deletes no open file; that must not hide the refusal, nor end a run."""
    runtime, real = Runtime(**wanted), os.unlink

    def unlink(path, *, dir_fd=None):
        if any(s.open and s.file.name == Path(os.fsdecode(path)).name for s in runtime.sessions):
            raise PermissionError(13, "The process cannot access the file", path)
        real(path, dir_fd=dir_fd)

    with monkeypatch.context() as windows:
        windows.setattr(os, "unlink", unlink)
        if wanted:
            refused(runtime)
        else:
            DirectMLEngine(Machine(runtime)).run(TILE, X)
