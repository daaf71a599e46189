"""Three more phases, each a row of the table, appear everywhere; no other file changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WALK = ROOT / "tests" / "newcomer" / "another_phase.py"

ROWS = """
    Phase(
        "hint",
        after=("closed",),
        layout="talking",
        teacher=lambda _here: "The hint is shown",
        phone=lambda _here: "Read the hint on the wall.",
        wall=lambda _here: "Count from 0",
        action=lambda _here: "Show the hint",
        next=lambda _here, _advice: "third",
        seconds=lambda _here: 40,
        longest=50,
        key="H",
    ),
    Phase(
        "third",
        after=("hint", "closed_again"),
        layout="answering",
        teacher=lambda _here: "The third vote is open",
        phone=lambda _here: "Vote once more.",
        wall=lambda _here: "Vote once more",
        action=lambda _here: "Start the third vote",
        next=lambda _here, _advice: "closed_third",
        round=3,
        ends="closed_third",
        reopen=lambda _here: "Reopen the third vote",
        seconds=lambda here: here.seconds,
    ),
    Phase(
        "closed_third",
        after=("third",),
        before=("reveal",),
        layout="answered",
        teacher=lambda _here: "The third vote is closed",
        phone=lambda _here: "Closed.",
        action=lambda _here: "Close the third vote",
        next=lambda _here, _advice: "reveal",
    ),
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with three more rows."""
    there = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "dmlviz", there / "dmlviz", ignore=shutil.ignore_patterns("__pycache__"))
    (there / "assets").symlink_to(ROOT / "assets")
    table = there / "dmlviz" / "classroom" / "phase_table.py"
    text = table.read_text(encoding="utf-8")
    end = '\n)\n"""All phases'
    assert text.count(end) == 1
    table.write_text(text.replace(end, ROWS.rstrip() + end), encoding="utf-8")
    return there


@pytest.mark.slow
@pytest.mark.parametrize("room", ["teacher", "phone", "wall", "store", "report"])
def test_it_is_in_every_room(project, room):
    ran = subprocess.run(
        [sys.executable, "-P", str(WALK), room],
        cwd=project,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(project), str(ROOT)])},
        capture_output=True,
        encoding="utf-8",
        timeout=240,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    assert ran.stdout.splitlines()[-1] == f"{room}: 3"
