"""What pyproject.toml asks for: the package alone, and with each of its extras."""

from __future__ import annotations

import shutil
import tomllib
from importlib.metadata import PackageNotFoundError, distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dmlviz.base.places import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def asked(*extras):
    """The lines of the package with extras, in order; an extra's own extras are read too."""
    lines = [*PROJECT["dependencies"]]
    for extra in extras:
        for line in EXTRAS[extra]:
            one = Requirement(line)
            lines += asked(*sorted(one.extras)) if one.name == "dmlviz" else [line]
    return [*dict.fromkeys(lines)]


def distributions(lines):
    """What is installed here of some requirements and of all that these need, by name."""
    found = {}
    waiting = [Requirement(line) for line in lines]
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        if name in found or (one.marker and not one.marker.evaluate({"extra": ""})):
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:
            continue
        waiting += map(Requirement, found[name].requires or ())
    return found


def modules(lines):
    """The names that Python imports of them."""
    return {name for one in distributions(lines).values() for name in _tops(one)}


def _tops(one):
    for file in one.files or ():
        top = file.parts[0]
        if top != ".." and not top.endswith((".dist-info", ".libs", ".data", "__pycache__")):
            yield top.partition(".")[0]


def only(lines, folder):
    """Make a folder from which Python imports these and nothing else that is installed here.

    Args:
        lines: requirements.
        folder: an empty one.
    """
    for one in distributions(lines).values():
        for top in {file.parts[0] for file in one.files or ()} - {"..", "__pycache__"}:
            source = one.locate_file(top)
            try:
                (folder / top).symlink_to(source)
            except FileExistsError:
                continue
            except OSError:  # Windows lets not everybody make links
                copy = shutil.copytree if source.is_dir() else shutil.copy
                copy(source, folder / top)
