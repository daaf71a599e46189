"""The example notebook runs from its first cell to its last, and shows what it says."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.limits import NOTEBOOK_FIGURES, NOTEBOOK_FILE, PACKED_PAGE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "assets" / "notebooks" / "dmlviz.ipynb"
# In a process of its own: the kernel's client has an event loop and warnings of its own.
RUN = """
import json, sys, nbclient, nbformat
notebook = nbformat.read(sys.argv[1], as_version=4)
client = nbclient.NotebookClient(
    notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": sys.argv[2]}}
)
client.execute()
print(json.dumps([cell.outputs for cell in notebook.cells if cell.cell_type == "code"]))
"""


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Every code cell's outputs."""
    pytest.importorskip("nbclient", reason="pip install -r requirements-dev.txt")
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(NOTEBOOK), str(NOTEBOOK.parent)],
        cwd=tmp_path_factory.mktemp("notebook"),
        capture_output=True,
        encoding="utf-8",
        timeout=180,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def shown(outputs, kind):
    """What one cell shows of a kind."""
    return [
        "".join(output["data"][kind])
        if isinstance(output["data"][kind], list)
        else output["data"][kind]
        for output in outputs
        if kind in output.get("data", {})
    ]


def printed(outputs):
    return "".join(output["text"] for output in outputs if output.get("name") == "stdout")


def test_it_holds_no_outputs():
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(code) == 6
    for cell in code:
        assert cell["outputs"] == []
        assert cell["execution_count"] is None
    assert NOTEBOOK.stat().st_size < NOTEBOOK_FILE


def test_the_player_is_shown(outputs):
    assert printed(outputs[1]) == "NumPy: 54 elements, each equal to its source.\n"
    [player] = shown(outputs[1], "text/html")
    assert player.startswith('<iframe title="TILE: Repeats=[1, 1, 3, 3]" ')
    assert 500_000 < len(player) < PACKED_PAGE


def test_figures_are_shown(outputs):
    figures = [shown(outputs[n], "application/vnd.plotly.v1+json") for n in (2, 4, 5)]
    assert [len(found) for found in figures] == [1, 1, 1]
    assert [printed(outputs[n]) for n in (4, 5)] == ["DEPTH_COLUMN_ROW\n", "COLUMN_ROW_DEPTH\n"]
    assert figures[1] != figures[2]
    size = sum(len(json.dumps(outputs[n])) for n in (2, 4, 5))
    assert size < NOTEBOOK_FIGURES


def test_the_orders_are_compared(outputs):
    text = printed(outputs[3])
    assert text.startswith("12 of 16 elements differ, first at [0, 0, 0, 1]\n")
    assert "\nDEPTH_COLUMN_ROW\nout[" in text
    assert "\nCOLUMN_ROW_DEPTH\nout[" in text


def test_nothing_is_said_on_the_side(outputs):
    """No warning, no error."""
    for cell in outputs:
        assert [o for o in cell if o["output_type"] == "error" or o.get("name") == "stderr"] == []
