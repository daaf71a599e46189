"""What the README says is so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_python_of_the_readme_runs(tmp_path):
    [code] = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    code += (
        "\nassert trace.output.tolist() == [[3, 2, 1, 2, 3, 2, 1, 2, 3]]"
        "\nassert op.problems((1, 3), 'INT32', '1_0')"
        "\nassert dmlviz.link(op, x).startswith('/padding?')\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "SYSTEMROOT": "C:\\Windows"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "movement.html").stat().st_size > 1_000_000


@pytest.mark.parametrize("path", re.findall(r"\]\(((?!http)[^)#]+)\)", README))
def test_what_the_readme_links_to_is_there(path):
    assert (ROOT / path).exists()


def test_ci_runs_the_command_of_the_readme():
    [command] = re.findall(r"<!-- test -->\n```\n(.*?)\n```", README)
    assert command.startswith("python3 -m venv .venv && ")
    assert "README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize("address", ["tile", "depth-to-space", "space-to-depth", "padding"])
def test_the_pages_of_the_readme_exist(address):
    assert f"`/{address}`" in README
    assert (ROOT / "pages" / f"{address.replace('-', '_')}.py").exists()
