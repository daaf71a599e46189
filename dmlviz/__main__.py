"""The command line: ``python -m dmlviz``.

It speaks the language of ``--lang``, else that of the environment, as gettext reads it. Only the
command line looks at the environment: a server or a script may run on a machine whose language is
not its readers'.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence

from dmlviz.base.errors import Error
from dmlviz.base.version import VERSION
from dmlviz.base.words import ENGLISH, _, language_named, languages, ngettext, speaking
from dmlviz.commands import COMMANDS, check_names, command, named_command, separated

_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code: 2 if it cannot do what was asked."""
    _use_utf8()
    translate_argparse()
    with speaking(language_of()):
        chosen, others = language_option().parse_known_args(arguments)
    with speaking(chosen.lang or language_of()):
        return _run(arguments, others)


def _run(arguments: list[str] | None, words: Sequence[str]) -> int:
    command_line = sys.argv[1:] if arguments is None else arguments
    try:
        check_names(command_line)
    except Error as error:
        print(f"dmlviz: {error}", file=sys.stderr)
        return 2
    option = language_option()
    parser = argparse.ArgumentParser(
        prog="dmlviz",
        description=_("See what a tensor operator does to every element."),
        parents=[option],
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"dmlviz {VERSION}",
        help=_("show the version and exit"),
    )
    names = f"{{{','.join(COMMANDS)}}}"
    subparsers = parser.add_subparsers(dest="command", metavar=names, required=True)
    chosen = named_command(words)
    for name, description in COMMANDS.items():
        # before and after the command
        described = subparsers.add_parser(name, help=description(), parents=[option])
        if name == chosen:
            module = command(name)
            module.add(described)
            described.set_defaults(run=module.run)
    parsed = parser.parse_args(list(_joined(separated(command_line, words))))
    try:
        code: int = parsed.run(parsed)
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


def language_option() -> argparse.ArgumentParser:
    """The option by itself: it is read before the words of all others are needed."""
    option = argparse.ArgumentParser("dmlviz", add_help=False, allow_abbrev=False)
    option.add_argument("--lang", choices=languages(), help=_("language of the output"))
    return option


def language_of(environment: Mapping[str, str] | None = None) -> str:
    """The language of the first variable that says one; English where there is no such catalogue.

    >>> language_of({"LC_ALL": "en_GB.UTF-8"}), language_of({"LANG": "C"}), language_of({})
    ('en', 'en', 'en')
    """
    variables = os.environ if environment is None else environment
    setting = next((variables[name] for name in _VARIABLES if variables.get(name)), "")
    return next(
        (language for part in setting.split(":") if (language := language_named(part))), ENGLISH
    )


def translate_argparse() -> None:
    """Let argparse take its own words from the catalogue too.

    It asks gettext, which reads compiled files only.  Where nothing is translated it gets its
    words back as they are.
    """
    module: dict[str, object] = vars(argparse)
    module.update(_=_, ngettext=ngettext)


def argparse_words() -> tuple[str, ...]:
    """What argparse says: its messages stand here for the catalogue to hold."""
    return (
        _("usage: "),
        _("positional arguments"),
        _("options"),
        _("show this help message and exit"),
        _("%(prog)s: error: %(message)s\n"),
        _("argument %(argument_name)s: %(message)s"),
        _("the following arguments are required: %s"),
        _("unrecognized arguments: %s"),
        _("invalid choice: %(value)r (choose from %(choices)s)"),
        _("invalid %(type)s value: %(value)r"),
        _("expected one argument"),
        _("expected at least one argument"),
        _("ambiguous option: %(option)s could match %(matches)s"),
        _("ignored explicit argument %r"),
    )


if __name__ == "__main__":
    sys.exit(main())
