"""Writes what :mod:`dmlviz.app.server` compares with, after a file of the app was changed.

python -m tests.sums
"""

from __future__ import annotations

from dmlviz.app.server import SUMS, sums
from dmlviz.base.places import ROOT


def write_sums() -> None:
    """Write the list of the files as they are now; its last line shows that it is whole."""
    lines = list(sums())
    text = "".join(f"{line}\n" for line in [*lines, f"# {len(lines)} files"])
    (ROOT / SUMS).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_sums()
