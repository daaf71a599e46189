"""A copy of the project with something new in it, and a walk through one of its rooms."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GIVEN = ROOT / "tests" / "newcomer"


def copied(there):
    """The project in a folder, with its way to open pages."""
    unneeded = shutil.ignore_patterns("screenshots", "notebooks", "__pycache__")
    for name in ("dmlviz", "pages", "assets", ".streamlit"):
        shutil.copytree(ROOT / name, there / name, ignore=unneeded)
    shutil.copy(ROOT / "app.py", there)
    shutil.copy(ROOT / "tests" / "pages.py", there / "opening.py")
    return there


def walk(project, script, room):
    """Walk a room of a copy in a process of its own; the script's last line names the room."""
    ran = subprocess.run(
        [sys.executable, "-P", str(GIVEN / script), room],
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
