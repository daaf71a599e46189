"""An operator, a module and a TOML file, appears everywhere; no other file changes."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
GIVEN = ROOT / "tests" / "newcomer"
ROOMS = [
    *("interface", "engines", "links", "player", "exports"),
    *("questions", "documents", "commands", "pages"),
]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with one more module and its TOML file."""
    there = tmp_path_factory.mktemp("project")
    unneeded = shutil.ignore_patterns("screenshots", "notebooks")
    for name in ("dmlviz", "pages", "assets", ".streamlit"):
        shutil.copytree(ROOT / name, there / name, ignore=unneeded)
    shutil.copy(ROOT / "app.py", there)
    shutil.copy(ROOT / "tests" / "pages.py", there / "opening.py")
    for name in ("roll.py", "roll.toml"):
        shutil.copy(GIVEN / name, there / "dmlviz" / "operators")
    return there


@pytest.mark.parametrize("room", ROOMS)
def test_it_is_in_every_room(project, room):
    ran = subprocess.run(
        [sys.executable, "-P", str(GIVEN / "rooms.py"), room],
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
