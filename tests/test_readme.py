"""What the README says is so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from dmlviz.operators import operator_class

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
OTHERS = {path.name: path.read_text(encoding="utf-8") for path in ROOT.glob("README.*.md")}
LINK = re.compile(r"\]\(((?!http)[^)#]+)\)")
BLOCK = re.compile(r"```(.*?)```", re.DOTALL)


def test_the_python_of_the_readme_runs(tmp_path):
    outside = re.sub(r"````.*?````", "", README, flags=re.DOTALL)  # pages that README quotes
    [code] = re.findall(r"```python\n(.*?)```", outside, re.DOTALL)
    code += (
        "\nassert trace.output.tolist() == [[3, 2, 1, 2, 3, 2, 1, 2, 3]]"
        "\nassert op.problems((1, 3), 'INT32', '1_0')"
        "\nassert dmlviz.link(op, x).startswith('/padding?')\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={
            "PYTHONPATH": str(ROOT),
            "PATH": "",
            "SYSTEMROOT": "C:\\Windows",
            # what the check says may not be in the letters of a region
            "PYTHONIOENCODING": "utf-8",
        },
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "movement.html").stat().st_size > 1_000_000


@pytest.mark.parametrize("text", [README, *OTHERS.values()], ids=["README.md", *OTHERS])
def test_what_the_readme_links_to_is_there(text):
    assert [path for path in LINK.findall(text) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("name", OTHERS)
def test_every_readme_says_the_same(name):
    other = OTHERS[name]
    assert f"]({name})" in README
    assert sorted(set(LINK.findall(other)) - {"README.md"}) == sorted(
        set(LINK.findall(README)) - set(OTHERS)
    )

    def commands(text):
        return [re.sub(r" +# .*", "", block) for block in BLOCK.findall(text)]

    assert commands(other) == commands(README)
    assert other.count("\n## ") == README.count("\n## ")
    assert other.count("\n| ") == README.count("\n| ")


def test_ci_runs_the_command_of_the_readme():
    [command] = re.findall(r"<!-- test -->\n```\n(.*?)\n```", README)
    assert command.startswith("python3 -m venv .venv && ")
    assert "README.md" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize("address", ["tile", "depth-to-space", "space-to-depth", "padding"])
def test_the_pages_of_the_readme_exist(address):
    assert f"`/{address}`" in README
    assert operator_class(address).key == address
