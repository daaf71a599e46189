"""The command line: ``python -m dmlviz``."""

import subprocess
import sys
from pathlib import Path

import pytest

import dmlviz
from dmlviz.__main__ import main
from dmlviz.engines import ENGINES

ROOT = Path(__file__).resolve().parents[1]


def command(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "dmlviz", *arguments],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_engines():
    done = command("engines")
    assert done.returncode == 0
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    for line, status in zip(lines, dmlviz.engines(), strict=True):
        name, mark, words = line.split(maxsplit=2)
        assert name == status.name
        assert mark == ("yes" if status.available else "no")
        assert words == (status.detail if status.available else status.reason)


def test_engines_that_are_not_here_are_no_failure(capsys, monkeypatch):
    class Absent:
        def status(self):
            return dmlviz.Engine("directml", "DirectML", False, "DirectML needs Windows.", "")

    monkeypatch.setitem(ENGINES, "directml", Absent())
    assert main(["engines"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "directml     no   DirectML needs Windows."


def test_no_arguments():
    done = command()
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("usage: dmlviz ")
    assert "engines" in done.stderr


@pytest.mark.parametrize("arguments", [["engine"], ["engines", "all"], ["--engines"], [""]])
def test_what_is_no_command(arguments):
    done = command(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("usage: dmlviz ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [["--help"], ["engines", "--help"]])
def test_help(arguments):
    done = command(*arguments)
    assert done.returncode == 0
    assert done.stdout.startswith("usage: dmlviz ")


def test_help_says_what_each_command_does():
    told = " ".join(command("--help").stdout.split())
    assert "list the engines that can run here, and why the others cannot" in told
