"""The command line: ``python -m dmlviz``."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Sequence

from dmlviz.commands import check_names, commands
from dmlviz.commands.language import language_of, language_option, translate_argparse
from dmlviz.errors import Error
from dmlviz.words import _, speaking


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code: 2 if it cannot do what was asked."""
    _use_utf8()
    translate_argparse()
    with speaking(language_of()):
        chosen, others = language_option().parse_known_args(arguments)
    with speaking(chosen.lang or language_of()):
        return _run(arguments, others)


def _run(arguments: list[str] | None, words: Sequence[str]) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    try:
        check_names(given)
    except Error as error:
        print(f"dmlviz: {error}", file=sys.stderr)
        return 2
    option = language_option()
    parser = argparse.ArgumentParser(
        prog="dmlviz",
        description=_("See what a tensor operator does to every element."),
        parents=[option],
    )
    subparsers = parser.add_subparsers(dest="command", required=True)
    for command in commands(words):
        # before and after the command
        described = subparsers.add_parser(command.NAME, help=command.help(), parents=[option])
        command.add(described)
        described.set_defaults(run=command.run)
    asked = parser.parse_args(list(_joined(given)))
    try:
        code: int = asked.run(asked)
        sys.stdout.flush()
    except Error as error:
        print(f"dmlviz: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # the reader closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        # as shells have it
        return 130
    return code


def _use_utf8() -> None:
    """Write UTF-8 to files and pipes; on a console, replace characters that it cannot show.

    By default, Windows writes only the characters of one region to a file.
    """
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # None leaves a console as it is
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="replace")


def _joined(arguments: Sequence[str]) -> Iterator[str]:
    """The arguments, with numbers that begin with a minus joined to their option.

    argparse takes ``-2,1`` for an option.

    >>> list(_joined(["run", "--strides", "-2,1", "--json"]))
    ['run', '--strides=-2,1', '--json']
    """
    option = ""
    for argument in arguments:
        if option and re.fullmatch(r"-[0-9][-0-9,. ]*", argument):
            yield f"{option}={argument}"
            option = ""
            continue
        if option:
            yield option
        option = argument if re.fullmatch(r"--[a-z][a-z0-9-]*", argument) else ""
        if not option:
            yield argument
    if option:
        yield option


if __name__ == "__main__":
    sys.exit(main())
