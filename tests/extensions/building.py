"""Small projects with documentation, built by the tools themselves."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser

from dmlviz.base.places import ROOT
from dmlviz.extensions.movement import movement

LINK = "/tile?sizes=1,3&repeats=1,2"
EXAMPLE = movement(LINK).example
WRONG = EXAMPLE.removesuffix("3]]") + "4]]"
SAID = "out[0, 5] is 4 on the page, but the engine gives 3; 1 of 6 elements differ."


def built(tool, *arguments, folder, plugins=""):
    """What became of ``python -m TOOL``; the entry points are those of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = folder / "installed"
    information = installed / "dmlviz-0.dist-info"
    information.mkdir(parents=True, exist_ok=True)
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: dmlviz\nVersion: 0\n")
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {where}" for name, where in points.items()))
    ]
    (information / "entry_points.txt").write_text("\n".join(lines))
    path = os.pathsep.join((str(ROOT), str(installed)))
    return subprocess.run(
        [sys.executable, "-m", tool, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


class Frames(HTMLParser):
    """The frames of a page."""

    def __init__(self, path):
        super().__init__()
        self.found = []
        self.feed(path.read_text(encoding="utf-8"))
        for frame in self.found:
            assert frame["title"]
            assert not re.match(r"\w+:|/", frame["src"]), "not relative"
            frame["file"] = (path.parent / frame["src"]).resolve()
            assert frame["file"].is_file()

    def handle_starttag(self, tag, attributes):
        if tag == "iframe":
            self.found.append(dict(attributes))
