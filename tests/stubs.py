"""Writes the stubs of the public names, after an operator or a public name was added.

python -m tests.stubs
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import dmlviz
from dmlviz.base.places import ROOT
from dmlviz.operators import OPERATORS

HEADER = "# written by python -m tests.stubs\n\n"


def stubs() -> Iterator[tuple[str, str]]:
    """The path of each stub in the project, and its text."""
    classes = [(cls.__module__, cls.__name__) for cls in OPERATORS]
    yield "dmlviz/operators/classes.pyi", HEADER + imports(classes)
    public = [*((home, name) for name, home in dmlviz._HOMES.items()), *classes]
    listed = "".join(f'    "{name}",\n' for name in dmlviz.__all__)
    text = f"{imports(public)}\n__all__ = [\n{listed}]\n__version__: str\n"
    yield "dmlviz/__init__.pyi", HEADER + text


def imports(names: Iterable[tuple[str, str]]) -> str:
    """Lines that import names, given with their modules, for others to import from here."""
    return "".join(f"from {home} import {name} as {name}\n" for home, name in sorted(names))


def write_stubs() -> None:
    """Write the stubs of the names as they are now."""
    for path, text in stubs():
        (ROOT / path).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_stubs()
