"""The command line: ``python -m dmlviz``."""

from __future__ import annotations

import argparse
import sys

from dmlviz.engines import engines
from dmlviz.words import _


def main(arguments: list[str] | None = None) -> int:
    """Run a command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="dmlviz", description=_("See what a tensor operator does to every element.")
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("engines", help=_("what can run here, and why the rest cannot"))
    parser.parse_args(arguments)
    for engine in engines():
        mark = _("yes") if engine.available else _("no")
        print(f"{engine.name:12} {mark:4} {engine.detail or engine.reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
