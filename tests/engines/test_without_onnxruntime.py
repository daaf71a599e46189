"""Machines without ONNX Runtime: dmlviz is light, runs with NumPy, and says what is missing."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dmlviz.operators import by_family

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

# a fresh interpreter without these modules, whatever is installed
WITHOUT = """
import sys, json
for name in {missing}:
    sys.modules[name] = None
import numpy as np, dmlviz
from dmlviz.engines.base import Installed
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
    reason = 'onnxruntime is not installed; run pip install "dmlviz[onnxruntime]".'
    assert told["numpy"] == [True, "", f"NumPy {np.__version__}"]
    assert told["onnxruntime"] == [False, reason, ""]
    assert told["raised"] == f"engine: {reason}"
    assert told["directml"][0] is False


def test_with_an_onnxruntime_that_does_not_load():
    told = json.loads(fresh(WITHOUT.format(missing=("onnxruntime", "onnx"), uninstalled=False)))
    available, reason, _detail = told["onnxruntime"]
    assert not available
    assert reason.startswith("onnxruntime")
    assert "is installed but cannot be loaded: import of onnxruntime halted" in reason


def test_without_onnx():
    told = json.loads(fresh(WITHOUT.format(missing=("onnx",), uninstalled=False)))
    assert told["onnxruntime"][:2] == [True, ""]
    assert "raised" not in told


PAGES = """
import sys, json
sys.modules["onnxruntime"] = sys.modules["onnx"] = None
from dmlviz.engines.base import Installed
Installed.packages = lambda self: []
from streamlit.testing.v1 import AppTest
from tests.pages import go_to
told = {}
at = AppTest.from_file("app.py", default_timeout=60).run()
for page in ("home", "tile", "depth_to_space", "space_to_depth", "padding", "engines"):
    at.session_state[f"{page}_more"] = ["engines", "files"]
    go_to(at, page).run()
    told[page] = {
        "exceptions": [e.message for e in at.exception],
        "errors": [e.value for e in at.error],
        "texts": [m.value for m in at.markdown],
        # the bar has one for the language
        "stages": len(at.get("bidi_component")) - 1,
        "downloads": len(at.get("download_button")),
        "engines": [s.options for s in at.selectbox if s.key.endswith("_engine")],
    }
print("TOLD" + json.dumps(told))
"""


def test_the_app_without_onnxruntime():
    done = subprocess.run(
        [sys.executable, "-c", PAGES],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert "TOLD" in done.stdout, done.stderr
    told = json.loads(done.stdout.split("TOLD")[1])
    reason = 'onnxruntime is not installed; run pip install "dmlviz[onnxruntime]".'
    for page, found in told.items():
        assert found["exceptions"] == found["errors"] == [], page
        # on Home a player and a grid of cards of each family
        assert found["stages"] == (1 + len(by_family()) if page == "home" else 1)
        # a model needs no runtime to be written
        assert found["downloads"] == (0 if page in ("home", "engines") else 6)
        if page != "home":
            assert f":material/cloud_off: **ONNX Runtime**: {reason}" in found["texts"]
            assert any(
                text.startswith(":material/check_circle: **NumPy**: the reference")
                for text in found["texts"]
            )
        if page not in ("home", "engines"):
            assert found["engines"] == [["NumPy"]]
