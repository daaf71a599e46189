"""The pre-commit hook and the GitHub Action run what the command line takes."""

import os
import shlex
import subprocess
import sys

import pytest
import yaml

from dmlviz.__main__ import main
from dmlviz.places import ROOT
from tests.documents.pages import TILE

WRONG = TILE.replace("4, 5, 6, 4, 5, 6", "4, 5, 6, 4, 9, 6")


@pytest.fixture
def pages(tmp_path, monkeypatch):
    (tmp_path / "right.md").write_text(TILE)
    (tmp_path / "wrong.md").write_text(WRONG)
    (tmp_path / "README.md").write_text("# About\n")
    monkeypatch.chdir(tmp_path)


def test_the_hook_passes_over_other_files(pages):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    command = shlex.split(hook["entry"])
    assert command[0] == "dmlviz"
    assert main([*command[1:], "README.md"]) == 0
    assert main([*command[1:], "README.md", "right.md"]) == 0
    assert main([*command[1:], "README.md", "wrong.md"]) == 1


def test_the_steps_of_the_action(pages, tmp_path):
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    steps = [step for step in action["runs"]["steps"] if "run" in step]
    given = {"pages": "right.md wrong.md", "options": "--strict"}
    assert given.keys() == action["inputs"].keys()
    (tmp_path / "dmlviz").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m dmlviz "$@"\n')
    (tmp_path / "dmlviz").chmod(0o755)
    told = steps[-1]["env"]
    for name, value in given.items():
        told = {key: text.replace(f"${{{{ inputs.{name} }}}}", value) for key, text in told.items()}
    environment = {**os.environ, **told, "PYTHONPATH": str(ROOT)}
    environment["PATH"] = f"{tmp_path}{os.pathsep}{environment['PATH']}"
    ran = subprocess.run(
        ["bash", "-e", "-c", steps[-1]["run"]],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.startswith("::error title=DOC101 output-differs,file=wrong.md,line=8,")
    # no text that somebody hands in becomes a part of a script
    assert all("${{" not in step["run"] for step in steps)
