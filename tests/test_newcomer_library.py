"""A library, a module and its name in one table, appears everywhere; no other file changes."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GIVEN = ROOT / "tests" / "newcomer"
ROOMS = ["reader", "call", "same", "pages", "panel", "menus", "commands", "search", "names"]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with one more module, in the table of libraries."""
    there = tmp_path_factory.mktemp("project")
    unneeded = shutil.ignore_patterns("screenshots", "notebooks", "__pycache__")
    for name in ("dmlviz", "pages", "assets", ".streamlit"):
        shutil.copytree(ROOT / name, there / name, ignore=unneeded)
    shutil.copy(ROOT / "app.py", there)
    shutil.copy(ROOT / "tests" / "pages.py", there / "opening.py")
    shutil.copy(GIVEN / "wren.py", there / "dmlviz" / "code")
    table = there / "dmlviz" / "code" / "libraries.py"
    text = table.read_text(encoding="utf-8")
    text, count = re.subn(r"\bTORCH, TENSORFLOW\b", "TORCH, WREN, TENSORFLOW", text)
    assert count == 1
    imported = "from dmlviz.code.torch import TORCH\n"
    assert imported in text
    text = text.replace(imported, f"{imported}from dmlviz.code.wren import WREN\n")
    table.write_text(text, encoding="utf-8")
    return there


@pytest.mark.parametrize("room", ROOMS)
def test_it_is_in_every_room(project, room):
    ran = subprocess.run(
        [sys.executable, "-P", str(GIVEN / "library_rooms.py"), room],
        cwd=project,
        env={"PYTHONPATH": str(project), "PATH": "/usr/bin:/bin", "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert ran.stdout.splitlines()[-1] == f'{{"room": "{room}"}}'
