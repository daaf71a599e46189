"""The engines by name: which are here, and what asking for another one says."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dmlviz
from dmlviz.engines import ENGINES, Engine, engine
from dmlviz.engines.directml import DirectMLEngine
from tests.engines.standins import Machine, Runtime

ROOT = Path(__file__).resolve().parents[2]
NAMES = ["numpy", "onnxruntime", "directml"]

# a fresh interpreter without these modules, whatever is installed
WITHOUT = """
import sys, json
for name in {missing}:
    sys.modules[name] = None
import numpy as np, dmlviz
from dmlviz.engines.installed import Installed
if {uninstalled}:
    Installed.packages = lambda self: []
trace = dmlviz.run(dmlviz.Tile((2,)), np.array([7, 8]))
assert trace.output.tolist() == [7, 8, 7, 8] and trace.agrees
told = {{e.name: [e.available, e.reason, e.detail] for e in dmlviz.engines()}}
try:
    dmlviz.run(dmlviz.Tile((2,)), np.array([7, 8]), engine="onnxruntime")
except dmlviz.EngineUnavailable as error:
    told["raised"] = str(error)
print(json.dumps(told))
"""


def fresh(code):
    """What a fresh interpreter prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_three():
    found = dmlviz.engines()
    assert [e.name for e in found] == list(ENGINES) == NAMES
    assert [e.title for e in found] == ["NumPy", "ONNX Runtime", "DirectML"]
    for status in found:
        assert isinstance(status, Engine)
        assert status.available == (status.reason == "")
        assert status.available == bool(status.detail)
        assert status.reason == "" or status.reason.endswith(".")
    assert all(status.available for status in found[:2])


@pytest.mark.parametrize("name", NAMES)
def test_what_is_not_here_says_why_when_asked(name):
    status = ENGINES[name].status()
    if status.available:
        assert engine(name) is ENGINES[name]
        return
    with pytest.raises(dmlviz.EngineUnavailable) as caught:
        dmlviz.run(dmlviz.Tile((1,)), np.zeros(1), engine=name)
    assert str(caught.value) == f"engine: {status.reason}"
    assert caught.value.field == "engine"


@pytest.mark.skipif(sys.platform == "win32", reason="DirectML may be here")
def test_directml_elsewhere():
    system = {"linux": "Linux", "darwin": "macOS"}.get(sys.platform, sys.platform)
    status = ENGINES["directml"].status()
    assert status.reason == f"DirectML needs Windows; this is {system}."
    for name in ("directml", "directml:0", "directml:1"):
        with pytest.raises(dmlviz.EngineUnavailable, match="DirectML needs Windows; this is "):
            engine(name)


@pytest.mark.parametrize(
    "name",
    [
        *("tensorflow", "", " ", "NumPy", None, 3, ["numpy"], b"numpy", ":", ":1"),
        *("numpy:1", "numpy:", "onnxruntime:0", "onnxruntime:", "directml:x", "directml:"),
        *("directml:-1", "directml:1234567", "directml:0:1"),
    ],
)
def test_engines_that_do_not_exist(name, monkeypatch):
    monkeypatch.setitem(ENGINES, "directml", DirectMLEngine(Machine(Runtime())))
    with pytest.raises(dmlviz.EngineUnavailable, match="is not one of the engines") as caught:
        dmlviz.run(dmlviz.Tile((1,)), np.zeros(1), engine=name)
    assert caught.value.field == "engine"
    assert all(known in str(caught.value) for known in NAMES)


def test_an_adapters_number(monkeypatch):
    monkeypatch.setitem(ENGINES, "directml", DirectMLEngine(Machine(Runtime())))
    assert engine("directml").adapter is None
    assert [engine(f"directml:{n}").adapter for n in (0, 1, 12)] == [0, 1, 12]


@pytest.mark.parametrize("what", ["dmlviz", "dmlviz.engines", "dmlviz.engines.directml"])
def test_importing_is_light(what):
    code = f"import sys, {what}; print([m for m in ('onnx', 'onnxruntime') if m in sys.modules])"
    assert fresh(code) == "[]"


def test_running_on_numpy_is_light():
    code = (
        "import sys, dmlviz; dmlviz.run(dmlviz.Tile((2,)), [1]).check();"
        "print([m for m in ('onnx', 'onnxruntime') if m in sys.modules])"
    )
    assert fresh(code) == "[]"


def test_without_onnxruntime():
    told = json.loads(fresh(WITHOUT.format(missing=("onnxruntime", "onnx"), uninstalled=True)))
    reason = "ONNX Runtime is not installed; pip install -r requirements.txt brings it."
    assert told["numpy"] == [True, "", f"NumPy {np.__version__}"]
    assert told["onnxruntime"] == [False, reason, ""]
    assert told["raised"] == f"engine: {reason}"
    assert told["directml"][0] is False


def test_with_an_onnxruntime_that_does_not_load():
    told = json.loads(fresh(WITHOUT.format(missing=("onnxruntime", "onnx"), uninstalled=False)))
    available, reason, _detail = told["onnxruntime"]
    assert not available
    assert reason.startswith("onnxruntime")
    assert "is installed but does not load: import of onnxruntime halted" in reason


def test_without_onnx():
    told = json.loads(fresh(WITHOUT.format(missing=("onnx",), uninstalled=False)))
    reason = "the package onnx is not installed; pip install -r requirements.txt brings it."
    assert told["onnxruntime"] == [False, reason, ""]
    assert told["raised"] == f"engine: {reason}"


def test_a_run_takes_every_engine_that_is_here():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for status in dmlviz.engines():
        if status.available and status.name != "directml":
            trace = dmlviz.run(dmlviz.Tile((2, 2)), x, engine=status.name)
            assert trace.check() == f"{status.title}: 24 elements, each equal to its source."
