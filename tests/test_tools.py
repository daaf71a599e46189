"""Tools that not every machine has: found on PATH alone, in one place, and done without."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import tool_fixtures, tools
from tests.tool_fixtures import need
from tests.tools import ROOT, TOOLS, Missing, find

PROGRAMS = {program for tool in TOOLS.values() for program in tool.programs}
SOURCES = [path for room in ("tests", "benchmarks") for path in (ROOT / room).rglob("*.py")]
STARTS = {"which", "run", "Popen", "check_call", "check_output", "call", "system", "launch"}
HOMES = re.compile(r"^/usr(/local)?/s?bin|^/usr/lib")


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A PATH of one folder; programs are put in folders beside it, too."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CHROMIUM", raising=False)
    for tool in TOOLS.values():
        monkeypatch.delenv(f"DMLVIZ_REQUIRE_{tool.required}", raising=False)

    def put(path):
        program = tmp_path / path
        program.parent.mkdir(parents=True, exist_ok=True)
        # on Windows a program is what its extension says
        program = program.with_suffix(".EXE" if os.name == "nt" else "")
        program.touch(0o755)
        return program

    return put


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("browser_tool", ("bin/google-chrome", "bin/chromium")),
        ("nginx_tool", ("sbin/nginx", "bin/nginx")),
        ("postgres_tool", ("lib/postgresql/15/bin/initdb", "lib/postgresql/17/bin/initdb")),
        ("node_tool", ("bin/node",)),
        ("compiler_tool", ("bin/clang++", "bin/g++")),
    ],
)
def test_a_tool_is_on_path_or_beside_it(machine, name, paths):
    title = re.escape(TOOLS[name].title)
    with pytest.raises(Missing, match=rf"^{title} is not installed \(.+\)$"):
        find(name)
    for path in paths:
        # a better one each time
        program = machine(path)
        assert find(name) == program


def test_another_browser_may_be_named(machine, monkeypatch):
    machine("bin/chromium")
    other = machine("elsewhere/mine")
    monkeypatch.setenv("CHROMIUM", str(other))
    assert find("browser_tool") == other


def test_packages_of_npm_are_of_use_with_npm_alone(machine, monkeypatch, tmp_path):
    monkeypatch.setattr(tools, "ROOT", tmp_path)
    folder = tmp_path / TOOLS["npm_tool"].files
    folder.mkdir()
    with pytest.raises(Missing, match="npm install"):
        find("npm_tool")
    machine("bin/npm")
    assert find("npm_tool") == folder
    folder.rmdir()
    with pytest.raises(Missing):
        find("npm_tool")


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("name", TOOLS)
def test_a_test_without_its_tool_is_skipped_unless_it_is_required(name, monkeypatch):
    with pytest.raises(pytest.skip.Exception, match="is not installed"):
        need(name)
    monkeypatch.setenv(f"DMLVIZ_REQUIRE_{TOOLS[name].required}", "1")
    with pytest.raises(
        pytest.fail.Exception, match=f"_{TOOLS[name].required} is set, but .* is not installed"
    ):
        need(name)


def text_of(node):
    """The text of a constant, or of the first of a list."""
    if isinstance(node, ast.List | ast.Tuple) and node.elts:
        node = node.elts[0]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def lookups(source):
    """Where Python code looks for a tool, or starts one, by itself."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in STARTS and any(text_of(each) in PROGRAMS for each in node.args):
                yield node.lineno, f"{name} of a tool"
            elif name == "Path" and any(HOMES.match(text_of(each)) for each in node.args):
                yield node.lineno, "a system's folder of programs"
        elif isinstance(node, ast.BinOp) and text_of(node.right) == TOOLS["npm_tool"].files:
            yield node.lineno, "packages of npm"


@pytest.mark.parametrize(
    "source",
    [
        'shutil.which("node")',
        'subprocess.run(["npm", "test"])',
        'Path("/usr/lib/postgresql").glob("*")',
        'Path("/usr/sbin/nginx").exists()',
        'ROOT / "node_modules" / ".bin" / "tsc"',
    ],
)
def test_another_way_is_noticed(source):
    assert len(list(lookups(source))) == 1


def test_nobody_has_another_way():
    """Such a test would fail where the tool is not, or run where it was to be hidden."""
    ways = {
        f"{path.relative_to(ROOT).as_posix()}:{line}: {what}"
        for path in SOURCES
        if path != Path(tools.__file__)
        for line, what in lookups(path.read_text(encoding="utf-8"))
    }
    assert ways == set()


def test_ci_hides_every_program():
    assert " .ci/without-tools bash -c " in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    hides = (ROOT / ".ci" / "without-tools").read_text(encoding="utf-8")
    assert "python3 -m tests.tools |" in hides
    command = [sys.executable, "-m", "tests.tools"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {*printed.split()} == PROGRAMS


class Item:
    """A test that asks for some fixtures, as pytest collects it."""

    def __init__(self, *names):
        self.fixturenames, self.markers = names, []

    def add_marker(self, marker):
        self.markers.append(marker.name)


def test_who_needs_a_tool_is_marked():
    items = [
        Item("node", "node_tool", "tmp_path"),
        Item("tmp_path"),
        Item("npm_tool"),
        Item("nginx_tool"),
    ]
    tool_fixtures.pytest_collection_modifyitems(items)
    assert [item.markers for item in items] == [["tool"], [], ["tool"], ["tool", "slow"]]
