"""The fixtures of :mod:`tests.tools`, and the marks of the tests that ask for one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.tools import TOOLS, Missing, find


def need(name: str) -> Path:
    """Find a tool for a test, which without it is skipped, or fails where the tool is required."""
    try:
        return find(name)
    except Missing as error:
        leave_out(str(error), error.required)


def leave_out(reason: str, required: str) -> None:
    """Skip the test, or fail it where ``DMLVIZ_REQUIRE_...`` of that name is set."""
    variable = f"DMLVIZ_REQUIRE_{required}"
    if os.environ.get(variable):
        pytest.fail(f"{variable} is set, but {reason}")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser_tool() -> Path:
    return need("browser_tool")


@pytest.fixture(scope="session")
def nginx_tool() -> Path:
    return need("nginx_tool")


@pytest.fixture(scope="session")
def postgres_tool() -> Path:
    return need("postgres_tool")


@pytest.fixture(scope="session")
def git_tool() -> Path:
    return need("git_tool")


@pytest.fixture(scope="session")
def node_tool() -> Path:
    return need("node_tool")


@pytest.fixture(scope="session")
def npm_tool() -> Path:
    return need("npm_tool")


@pytest.fixture(scope="session")
def uv_tool() -> Path:
    return need("uv_tool")


@pytest.fixture(scope="session")
def compiler_tool() -> Path:
    return need("compiler_tool")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a tool, themselves or through other fixtures."""
    for item in items:
        tools = TOOLS.keys() & {*getattr(item, "fixturenames", ())}
        if tools:
            item.add_marker(pytest.mark.tool)
        if any(TOOLS[name].slow for name in tools):
            item.add_marker(pytest.mark.slow)
