"""``python -m dmlviz engines``: what can run here, and why the rest cannot."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from dmlviz.base.words import _
from dmlviz.engines import engines


def add(parser: ArgumentParser) -> None:
    """It takes no arguments."""


def run(arguments: Namespace) -> int:
    """One line per engine."""
    for engine in engines():
        mark = _("yes") if engine.available else _("no")
        print(f"{engine.name:12} {mark:4} {engine.detail or engine.reason}")
    return 0
