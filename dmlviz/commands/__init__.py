"""The command line: one file a command.

A command is a module with ``NAME``, ``help()``, ``add(parser)`` and ``run(arguments)``, which
prints and returns the exit code.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Protocol

from dmlviz.commands import app, engines, example, export, run, site, verify, worksheet


class Command(Protocol):
    """What a command's module has."""

    NAME: str

    def help(self) -> str:
        """What it does, in a few words."""

    def add(self, parser: ArgumentParser) -> None:
        """Its arguments."""

    def run(self, arguments: Namespace) -> int:
        """Do it; the exit code."""


COMMANDS: tuple[Command, ...] = (app, engines, verify, example, run, export, site, worksheet)
"""Every command, in the order of the help."""
