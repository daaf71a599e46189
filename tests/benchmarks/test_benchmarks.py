"""Every benchmark is started, small, and prints its tables: none may be found broken when it is
needed.  What they print is not looked at: figures are not asserted.
"""

from __future__ import annotations

import sys
from contextlib import ExitStack, contextmanager
from importlib import import_module

import pytest

from benchmarks.__main__ import NAMES
from benchmarks.servers import APP, serving
from tests.browser.chromium import installed, missing
from tests.deploy.cluster import NGINX

SMALL = {
    "interactions": ["--sessions", "1", "--rounds", "1"],
    "changes": ["64"],
    "first": [],
    "pictures": ["64"],
    "engines": ["--most", "1024"],
    "memory": ["--sessions", "1", "--interactions", "10"],
    "load": ["--sessions", "2", "--minutes", "0.02", "--visits", "10"],
    "stage": ["16"],
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
    if hasattr(found, "sync_playwright"):
        try:
            installed()
        except FileNotFoundError as error:
            missing(str(error))
    if name == "replicas" and not NGINX:
        pytest.skip("nginx is not installed")
    for constant, value in LESS.get(name, {}).items():
        assert hasattr(found, constant)
        monkeypatch.setattr(found, constant, value)
    if hasattr(found, "serving"):
        monkeypatch.setattr(found, "serving", shared)
    monkeypatch.setattr(sys, "argv", [name, *SMALL[name]])
    found.main()
    printed = capsys.readouterr().out
    rows = [line for line in printed.splitlines() if line.startswith("| ")]
    assert len(rows) >= 2
    assert "error:" not in printed
