"""The command line: ``python -m dmlviz``."""

import subprocess
import sys
from pathlib import Path

import pytest

import dmlviz
from dmlviz.__main__ import main
from dmlviz.commands import COMMANDS
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


def test_the_commands_are_listed_in_braces_wherever_the_usage_is_shown():
    names = "{app,engines,verify,example,run,code,between,export,site,worksheet}"
    told = command("--help").stdout
    assert " ".join(told.split("\n\n")[0].split()).endswith(names + " ...")
    listed = [line.split()[0] for line in told.splitlines() if line.startswith("    ")]
    assert [name for name in listed if name in COMMANDS] == [*COMMANDS]
    # not only the one that is used
    assert names in command("engines", "--unknown").stderr


def test_version():
    done = command("--version")
    assert (done.returncode, done.stdout) == (0, f"dmlviz {dmlviz.__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "passed"),
    [
        (["--server.port", "8600"], ["--server.port", "8600"]),
        (["--", "--server.port", "8600"], ["--server.port", "8600"]),
        (["--lang", "en", "--server.port=8600"], ["--server.port=8600"]),
        (["--lang", "en", "--", "--server.headless", "true"], ["--server.headless", "true"]),
        (["-h2", "-1"], ["-h2", "-1"]),
        ([], []),
    ],
)
def test_streamlit_takes_the_options_of_the_app(monkeypatch, arguments, passed):
    def replaced(*given, **_options):
        """As if another program took the place of this one."""
        words = given[-1]
        raise SystemExit(" ".join(words[words.index("run") + 2 :]))

    monkeypatch.setattr("os.execv", replaced)
    monkeypatch.setattr("dmlviz.commands.app.subprocess.run", replaced)
    with pytest.raises(SystemExit) as ended:
        main(["app", *arguments])
    assert ended.value.code == " ".join(passed)


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_the_help_of_the_app(option):
    done = command("app", option)
    assert done.returncode == 0
    assert "--server.port 8600" in done.stdout
