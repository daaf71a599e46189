"""Installations that are missing, broken, or in conflict: each is reported in a sentence."""

import importlib.util
import sys
import types
from importlib import metadata

import numpy as np
import pytest

import dmlviz
from dmlviz.engines import ENGINES
from dmlviz.engines.base import RUNTIMES, Installed
from dmlviz.engines.directml import DirectMLEngine
from dmlviz.engines.onnxruntime import OnnxRuntimeEngine
from tests.engines.standins import Machine, Runtime
from tests.strategies import named

X = np.arange(6, dtype=np.float32).reshape(2, 3)
TILE = dmlviz.Tile((2, 2))
DLL = "DLL load failed while importing onnxruntime_pybind11_state: A dynamic link library failed."

BROKEN = {
    "missing": (
        Machine(ModuleNotFoundError("No module named 'onnxruntime'"), ()),
        'onnxruntime is not installed; run pip install "dmlviz[onnxruntime]".',
    ),
    "does not load": (
        Machine(ImportError(f"{DLL}\n"), ("onnxruntime",)),
        f"onnxruntime is installed but cannot be loaded: {DLL}",
    ),
    "two": (
        Machine(Runtime(), ("onnxruntime", "onnxruntime-directml")),
        (
            "onnxruntime and onnxruntime-directml conflict with each other; uninstall all of "
            'them, then run pip install "dmlviz[onnxruntime]".'
        ),
    ),
    "three": (
        Machine(ImportError(), RUNTIMES[:3]),
        "onnxruntime, onnxruntime-directml and onnxruntime-windowsml conflict with each other",
    ),
    # what is left of two packages when one of them is uninstalled: a folder with some files
    "emptied": (Machine(types.ModuleType("onnxruntime"), ()), "onnxruntime"),
    "emptied, still listed": (
        Machine(types.ModuleType("onnxruntime"), ("onnxruntime",)),
        "onnxruntime",
    ),
    "system library": (
        Machine(OSError("[WinError 1114] A dynamic link library (DLL) failed"), ("onnxruntime",)),
        "onnxruntime is installed but cannot be loaded: [WinError 1114]",
    ),
    "other module": (
        Machine(AttributeError("module 'numpy' has no attribute 'core'"), ("onnxruntime",)),
        "onnxruntime is installed but cannot be loaded: module 'numpy'",
    ),
}


@pytest.mark.parametrize("cls", [OnnxRuntimeEngine, DirectMLEngine])
@pytest.mark.parametrize("name", BROKEN)
def test_it_says_so(name, cls, monkeypatch):
    machine, words = BROKEN[name]
    runner = cls(machine)
    found = runner.status()
    assert not found.available
    assert found.reason.startswith(words)
    assert found.detail == ""
    assert "\n" not in found.reason
    with pytest.raises(dmlviz.EngineUnavailable) as caught:
        runner.run(TILE, named(X))
    assert str(caught.value) == f"engine: {found.reason}"
    assert caught.value.field == "engine"
    monkeypatch.setitem(ENGINES, found.name, runner)
    assert found in dmlviz.engines()
    with pytest.raises(dmlviz.EngineUnavailable) as caught:
        dmlviz.run(TILE, X, found.name)
    assert str(caught.value) == f"engine: {found.reason}"


def test_the_names_of_packages_are_read_as_pip_writes_them(monkeypatch):
    def distribution(name):
        return types.SimpleNamespace(name=name)

    names = ["numpy", "onnxruntime_directml", "ONNXRuntime", None, "onnxruntime-extensions"]
    monkeypatch.setattr(metadata, "distributions", lambda: map(distribution, names))
    # a copy of the module, which has not read the real ones yet
    spec = importlib.util.find_spec("dmlviz.engines.base")
    copy = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(copy)
    assert copy.Installed().packages() == ["onnxruntime", "onnxruntime-directml"]


def test_this_installation_is_whole():
    here = Installed()
    assert here.why_no_models() == ""
    assert len(here.packages()) == 1
    assert here.system == sys.platform
    assert here.version() == here.onnxruntime().__version__


@pytest.mark.parametrize(
    "error", [RuntimeError("out of memory"), MemoryError(), OSError(5, "disk"), KeyError("output")]
)
def test_whatever_a_runtime_raises_is_a_refusal(error):
    runtime = Runtime(fail=error)
    # the stand-in has no thread count; it takes any
    with pytest.raises(dmlviz.EngineRefused, match="onnxruntime refused") as caught:
        OnnxRuntimeEngine(Machine(CpuRuntime(runtime))).run(TILE, named(X))
    assert caught.value.__cause__ is error
    with pytest.raises(dmlviz.EngineRefused, match="directml refused"):
        DirectMLEngine(Machine(runtime)).run(TILE, named(X))


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_but_not_what_a_person_does(error):
    with pytest.raises(type(error)):
        DirectMLEngine(Machine(Runtime(fail=error))).run(TILE, named(X))


class CpuRuntime:
    """The stand-in, asked for the CPU provider without a profile."""

    def __init__(self, runtime):
        self.runtime = runtime
        self.SessionOptions = runtime.SessionOptions
        self.GraphOptimizationLevel = runtime.GraphOptimizationLevel

    def InferenceSession(self, model, options, providers):
        runtime = self.runtime

        class CpuSession:
            def run(self, outputs, feed):
                raise runtime.fail

        return CpuSession()
