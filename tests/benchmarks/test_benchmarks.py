"""Every benchmark is started, small, and prints its tables: none may be found broken when it is
needed.  What they print is not looked at: figures are not asserted.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack, contextmanager
from importlib import import_module

import pytest

from benchmarks import SKIPPED
from benchmarks import __main__ as benchmarks_main
from benchmarks.__main__ import NAMES, main
from benchmarks.memory import sessions_table
from benchmarks.servers import APP, serving
from tests.tool_fixtures import leave_out
from tests.tools import Missing

SMALL = {
    "live": ["--rounds", "1"],
    "interactions": ["--sessions", "1", "--rounds", "1"],
    "changes": ["64"],
    "first": [],
    "pictures": ["64"],
    "engines": ["--most", "1024"],
    "rules": ["--most", "262144", "--operators", "Tile", "Unfold"],
    "lines": [],
    "memory": ["--sessions", "1", "--interactions", "10"],
    "load": ["--sessions", "2", "--minutes", "0.02", "--visits", "10"],
    "stage": ["16"],
    "start": ["--rounds", "2", "--servers", "1"],
    "exports": ["54"],
    "documents": ["2", "--engine", "numpy"],
    "replicas": [
        "--sessions",
        "1",
        "--rounds",
        "8",
    ],  # less than a tick of the processor divides by zero
    "classroom": ["--telephones", "3", "--seconds", "0.2", "--others", "1"],
}
LESS = {
    "interactions": {"CELLS": (64,)},
    "changes": {"ROUNDS": 3},
    "stage": {"OPENINGS": 1, "LARGE": ()},
    "documents": {"ROUNDS": 1, "LARGE": {}},
    "classroom": {"ROUNDS": 1},
    "first": {"ROUNDS": 1},
    "lines": {"ROUNDS": 1},
    "exports": {"ROUNDS": 1},
    "pictures": {"ROUNDS": 1},
}
"""What has no option."""


@pytest.fixture(scope="module")
def shared():
    """One server of each script, whatever its options, instead of a new one for every table."""
    with ExitStack() as running:
        servers = {}

        @contextmanager
        def lend(script=APP, options=None, environment=None):
            if environment:
                # a database that is gone afterwards
                with serving(script, environment=environment) as server:
                    yield server
                return
            if script not in servers:
                servers[script] = running.enter_context(serving(script))
            yield servers[script]

        yield lend


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
def test_it_starts(name, shared, monkeypatch, capsys):
    found = import_module(f"benchmarks.{name}")
    for constant, value in LESS.get(name, {}).items():
        assert hasattr(found, constant)
        monkeypatch.setattr(found, constant, value)
    if hasattr(found, "serving"):
        monkeypatch.setattr(found, "serving", shared)
    monkeypatch.setattr(sys, "argv", [name, *SMALL[name]])
    try:
        found.main()
    except Missing as error:
        leave_out(str(error), error.required)
    printed = capsys.readouterr().out
    rows = [line for line in printed.splitlines() if line.startswith("| ")]
    assert len(rows) >= 2
    assert "error:" not in printed


@pytest.mark.slow
def test_what_is_not_installed_is_named_and_the_others_run(monkeypatch, capfd):
    needing = [name for name in NAMES if hasattr(import_module(f"benchmarks.{name}"), "find")]
    assert {"changes", "first", "stage", "replicas"} <= {*needing}
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(sys, "argv", ["benchmarks", *needing, "engines"])
    run = benchmarks_main.run
    monkeypatch.setattr(
        benchmarks_main, "run", lambda name: run(name) if name in needing else (0, "it ran")
    )
    assert main() == 0
    printed, errors = capfd.readouterr()
    lines = [line for line in printed.splitlines() if line.startswith("skipped: ")]
    assert len(lines) == len(needing)
    assert all(" is not installed (" in line for line in lines)
    assert "## engines" in printed
    assert "error:" not in printed
    assert "Traceback" not in errors


def test_a_benchmark_that_fails_is_not_skipped(monkeypatch, capfd):
    codes = dict.fromkeys(NAMES, 0) | {"load": 1, "replicas": SKIPPED}
    monkeypatch.setattr(sys, "argv", ["benchmarks"])
    monkeypatch.setattr(benchmarks_main, "run", lambda name: (codes[name], ""))
    assert main() == 1
    printed = capfd.readouterr().out
    assert printed.count("error:") == 1
    assert "error: load failed" in printed
    # of a complete run no table is absent
    codes = dict.fromkeys(NAMES, 0)
    assert main() == 1
    assert "error: this table was not printed" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("minimal", "ours", "rows"),
    [
        (102_400, 204_800, [["100", "1.00"], ["200", "2.00"]]),
        (-169_984, 86_052_864, [["less than 1", "-"], ["84036", "-"]]),
        (102_400, -5, [["100", "-"], ["less than 1", "-"]]),
        (0, 0, [["less than 1", "-"], ["less than 1", "-"]]),
    ],
)
def test_memory_that_a_server_gave_back_is_no_ratio(minimal, ours, rows):
    printed = sessions_table(minimal, ours).splitlines()[2:]
    assert [line.strip("| ").split(" | ")[1:] for line in printed] == rows
