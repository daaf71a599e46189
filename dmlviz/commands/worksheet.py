"""``python -m dmlviz worksheet``: questions from a seed to print, answers on their own page."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.operators import OPERATORS
from dmlviz.tensors import short_text


def add(parser: ArgumentParser) -> None:
    """What is asked, and where it goes."""
    from dmlviz.teaching.worksheets import titles_of_kinds

    parser.add_argument(
        "--seed", type=int, default=1, help=_("the same seed gives the same questions")
    )
    parser.add_argument("--level", type=int, default=1, help=_("level from 1 to 3"))
    parser.add_argument(
        "--operator",
        default="",
        choices=[cls.key for cls in OPERATORS],
        help=_("ask about this operator only"),
    )
    parser.add_argument(
        "--kind",
        default="",
        choices=tuple(titles_of_kinds()),
        help=_("ask this kind of question only"),
    )
    parser.add_argument("--lesson", default="", help=_("the questions of this lesson"))
    parser.add_argument("--count", type=int, default=8, help=_("number of questions, 1 to 30"))
    parser.add_argument("--title", default="", help=_("title of the worksheet"))
    parser.add_argument(
        "--address",
        default="",
        help=_(
            "address of the app, such as https://example.org/; adds a QR code that opens the "
            "same questions"
        ),
    )
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE", help=_("file to write; - prints the page")
    )


def run(arguments: Namespace) -> int:
    """Write the page; where it is, on standard error."""
    from dmlviz.teaching.worksheets import Sheet, worksheet

    sheet = Sheet(
        arguments.seed,
        arguments.level,
        arguments.operator,
        arguments.kind,
        arguments.count,
        arguments.lesson,
    )
    page = worksheet(
        sheet.questions(),
        arguments.title or sheet.title(),
        description=sheet.description(),
        address=_address(arguments.address, sheet.address),
    )
    if arguments.output == "-":
        sys.stdout.write(page)
        return 0
    try:
        Path(arguments.output).write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise Error(
            _("output: cannot write {file}: {reason}.").format(
                file=arguments.output, reason=error.strerror or error
            ),
            "output",
        ) from None
    print(_("{file}: print it from a browser").format(file=arguments.output), file=sys.stderr)
    return 0


def _address(root: str, address: Callable[[str], str]) -> str:
    """The address of the questions in the app at ``root``; empty for an empty one."""
    if not root:
        return address(root)
    try:
        parts = urlsplit(root)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment:
        raise Error(
            _(
                "address: {address} is not the address of an app, such as https://example.org/."
            ).format(address=short_text(root)),
            "address",
        )
    return address(root)
