"""The command line: one file a command.

A command is a module with ``NAME``, ``help()``, ``add(parser)`` and ``run(arguments)``, which
prints and returns the exit code.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol, cast

from dmlviz.base.errors import Error
from dmlviz.base.excerpts import one_line
from dmlviz.base.words import _


class Command(Protocol):
    """What a command's module has."""

    NAME: str

    def help(self) -> str:
        """What it does, in a few words."""

    def add(self, parser: ArgumentParser) -> None:
        """Its arguments."""

    def run(self, arguments: Namespace) -> int:
        """Do it; the exit code."""


NAMES = (
    *("app", "engines", "verify", "example", "run", "code", "between", "export", "site"),
    "worksheet",
)
"""Every command's name, which is its module's too, in the order of the help."""


_PASSING_ON = ("app",)
"""The commands whose options are another program's."""


def separated(command_line: Sequence[str], words: Sequence[str]) -> list[str]:
    """The arguments to parse, with ``--`` before the options that a command passes on.

    Args:
        command_line: all arguments.
        words: those without ``--lang``.

    >>> separated(*[["app", "--server.port", "8600"]] * 2)
    ['app', '--', '--server.port', '8600']
    """
    if not (words and words[0] in _PASSING_ON):
        return [*command_line]
    own = words[1:2] in (["-h"], ["--help"], ["--"])
    return [*words] if own else [words[0], "--", *words[1:]]


def commands(words: Sequence[str]) -> tuple[Command, ...]:
    """The command that runs, or all of them where none is named yet.

    The others are not imported: each takes its own part of dmlviz.

    Args:
        words: the arguments without ``--lang``.

    >>> [command.NAME for command in commands(["engines", "--json"])]
    ['engines']
    """
    names = words[:1] if words[:1] and words[0] in NAMES else NAMES
    return tuple(cast(Command, import_module(f"dmlviz.commands.{name}")) for name in names)


def check_names(arguments: Sequence[str]) -> None:
    """Refuse an option that is also a file's name: a pattern such as ``*`` may have put it there.

    Raises:
        Error: there is one before ``--``.
    """
    for argument in arguments:
        if argument == "--":
            return
        # unlike Path's, this never raises
        if argument.startswith("-") and argument != "-" and os.path.lexists(argument):
            message = _(
                "{name} is an option, and also the name of a file here. Write -- before the "
                "names of files."
            )
            raise Error(message.format(name=one_line(argument)))
