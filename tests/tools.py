"""Programs that some tests need and not every machine has: the one place that looks for them.

A tool is looked for on PATH, and where Debian puts it beside a folder of PATH. A test asks for one
with the fixture of its name (:file:`tool_fixtures.py`), and is skipped without it. ``python -m
tests.tools`` prints the names of all programs, so that :file:`.ci/without-tools` can hide them before
anything is installed: this module needs Python alone.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class Missing(Exception):
    """A tool is not on this machine; the text says which one, and how to get it.

    Attributes:
        required: as the tool's.
    """

    def __init__(self, message: str, required: str) -> None:
        super().__init__(message)
        self.required = required


@dataclass(frozen=True)
class Tool:
    """Something that tests start.

    Attributes:
        title: as people call it.
        programs: their names; the first that is there is taken.
        advice: how to get one.
        required: ``DMLVIZ_REQUIRE_...`` with this name makes a failure of skipping.
        beside: further folders, relative to the parent of each folder of PATH.
        files: what must be in the project's folder too.
        slow: what it starts takes seconds, so that the tests are marked ``slow``.
    """

    title: str
    programs: tuple[str, ...]
    advice: str
    required: str
    beside: str = ""
    files: str = ""
    slow: bool = False


TOOLS = {
    "browser_tool": Tool(
        "Chromium or Chrome",
        ("chromium", "chromium-browser", "google-chrome"),
        "install one, or set CHROMIUM to its path",
        "BROWSER",
        slow=True,
    ),
    "nginx_tool": Tool(
        "nginx",
        ("nginx",),
        "Debian: apt-get install nginx-light",
        "NGINX",
        beside="sbin",
        slow=True,
    ),
    "postgres_tool": Tool(
        "PostgreSQL",
        ("initdb",),
        "Debian: apt-get install postgresql",
        "POSTGRES",
        beside="lib/postgresql/*/bin",
        slow=True,
    ),
    "git_tool": Tool("Git", ("git",), "Debian: apt-get install git", "GIT"),
    "node_tool": Tool("Node.js", ("node",), "install version 18.20 or newer", "NODE"),
    "npm_tool": Tool(
        "npm with the packages of package.json",
        ("npm",),
        "npm install --no-package-lock",
        "NODE",
        files="node_modules",
    ),
    "compiler_tool": Tool(
        "a C++ compiler", ("g++", "clang++"), "Debian: apt-get install g++", "COMPILER"
    ),
    "uv_tool": Tool("uv", ("uv",), "pip install uv", "UV", slow=True),
}
"""Every tool by the name of its fixture."""


def find(name: str) -> Path:
    """Where a tool of :data:`TOOLS` is: its program, or the folder of its files.

    Raises:
        Missing: it is not on this machine.
    """
    tool = TOOLS[name]
    folders = [Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    if tool.beside:
        # of several versions the newest
        folders += [f for d in folders for f in sorted(d.parent.glob(tool.beside), reverse=True)]
    named = os.environ.get("CHROMIUM") if name == "browser_tool" else None
    path = os.pathsep.join(map(str, folders))
    found = (shutil.which(program, path=path) for program in (named, *tool.programs) if program)
    program = next(filter(None, found), None)
    if program is None or not (ROOT / tool.files).exists():
        raise Missing(f"{tool.title} is not installed ({tool.advice})", tool.required)
    return ROOT / tool.files if tool.files else Path(program)


if __name__ == "__main__":
    for each in TOOLS.values():
        print(*each.programs, sep="\n")  # noqa: T201
