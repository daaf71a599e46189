"""The command line: one file a command.

A command is a row of :data:`COMMANDS` and a module with ``add(parser)`` and ``run(arguments)``,
which prints and returns the exit code.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, cast

from dmlviz.base.errors import Error
from dmlviz.base.excerpts import one_line
from dmlviz.base.importing import import_much
from dmlviz.base.words import _


class Command(Protocol):
    """What a command's module has."""

    def add(self, parser: ArgumentParser) -> None:
        """Its arguments."""

    def run(self, arguments: Namespace) -> int:
        """Do it; the exit code."""


COMMANDS: Mapping[str, Callable[[], str]] = {
    "app": lambda: _("open the app in a browser"),
    "engines": lambda: _("list the engines that can run here, and why the others cannot"),
    "verify": lambda: _(
        "run the examples of documentation pages and compare them with an engine's results"
    ),
    "example": lambda: _("write a state as an example in the style of DirectML's documentation"),
    "run": lambda: _("run an operator on an input: the output, and where each element came from"),
    "code": lambda: _(
        "read a line of NumPy, PyTorch or another library, or an ONNX model, and show where each "
        "element goes"
    ),
    "between": lambda: _(
        "find out which tensors of a file the tensors of another file were made of, and how"
    ),
    "export": lambda: _(
        "save a state: a page that plays offline, a picture, a model, arrays or code"
    ),
    "site": lambda: _("write all lessons and presets as linked static pages that need no server"),
    "worksheet": lambda: _(
        "write questions to print, with the answers on a separate page, as HTML"
    ),
}
"""What each command does, by its name, which is its module's too, in the order of the help."""


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


def named_command(words: Sequence[str]) -> str | None:
    """The name of the command that runs; None where there is none yet.

    Args:
        words: the arguments without ``--lang``.

    >>> named_command(["engines", "--json"]), named_command(["--help"])
    ('engines', None)
    """
    return next((word for word in words if word in COMMANDS), None)


def command(name: str) -> Command:
    """The module of a command. Each takes its own part of dmlviz, so no other is imported."""
    return cast(Command, import_much(f"dmlviz.commands.{name}"))


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
