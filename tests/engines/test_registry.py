"""The engines by name: which are here, and what asking for another one says."""

import sys

import numpy as np
import pytest

import dmlviz
from dmlviz.engines import ENGINES, Engine, engine
from dmlviz.engines.directml import DirectMLEngine
from tests.engines.standins import Machine, Runtime

NAMES = ["numpy", "onnxruntime", "directml"]


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
    with pytest.raises(dmlviz.EngineUnavailable, match="is unknown; this version has") as caught:
        dmlviz.run(dmlviz.Tile((1,)), np.zeros(1), engine=name)
    assert caught.value.field == "engine"
    assert all(known in str(caught.value) for known in NAMES)


def test_an_adapters_number(monkeypatch):
    monkeypatch.setitem(ENGINES, "directml", DirectMLEngine(Machine(Runtime())))
    assert engine("directml").adapter is None
    assert [engine(f"directml:{n}").adapter for n in (0, 1, 12)] == [0, 1, 12]


def test_a_run_takes_every_engine_that_is_here():
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    for status in dmlviz.engines():
        if status.available and status.name != "directml":
            trace = dmlviz.run(dmlviz.Tile((2, 2)), x, engine=status.name)
            assert trace.check() == f"{status.title}: 24 elements, each equal to its source."
