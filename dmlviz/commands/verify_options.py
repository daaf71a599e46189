"""The options of ``dmlviz verify``."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, Namespace
from dataclasses import fields
from typing import Any

from dmlviz.documents import RECORDED
from dmlviz.engines import ENGINES
from dmlviz.reports import FORMATS, Options
from dmlviz.words import _

TEXT, JSON, MARKDOWN, HTML = "text", "json", "markdown", "html"


def add_options(parser: ArgumentParser) -> None:
    """Each is absent where it is not given: then a file may say it."""
    parser.add_argument(
        "--engine",
        default=SUPPRESS,
        choices=[*ENGINES, RECORDED, "all"],
        help=_("the engine that runs them; all: every engine that can run here"),
    )
    parser.add_argument(
        "--strict",
        default=SUPPRESS,
        action="store_true",
        help=_("also return exit code 1 for wrong formulas, wrong tables and other findings"),
    )
    parser.add_argument(
        "--exclude",
        default=SUPPRESS,
        action="append",
        metavar="PATTERN",
        help=_("leave these files and folders out of folders; may be repeated"),
    )
    parser.add_argument(
        "--ignore",
        default=SUPPRESS,
        action="append",
        metavar="CODE",
        help=_("do not report remarks with this code, such as DOC306; may be repeated"),
    )
    parser.add_argument(
        "--expect",
        default=SUPPRESS,
        type=int,
        metavar="N",
        help=_("exit with 1 unless exactly N examples match"),
    )
    parser.add_argument(
        "--baseline",
        default=SUPPRESS,
        metavar="FILE",
        help=_("do not count the problems in this file"),
    )
    parser.add_argument(
        "--write-baseline",
        metavar="FILE",
        help=_("write all problems to a file for --baseline, and exit with 0"),
    )
    parser.add_argument(
        "--changed",
        action="store_true",
        help=_("only files that Git says differ from the last commit"),
    )
    parser.add_argument(
        "--skip-other-pages",
        action="store_true",
        help=_("ignore a file about another subject, even if it is named"),
    )
    parser.add_argument(
        "--output-format",
        default=SUPPRESS,
        choices=[TEXT, JSON, MARKDOWN, HTML, *FORMATS],
        help=_("how to write the report; text is for people"),
    )
    parser.add_argument(
        "--output-file",
        default=SUPPRESS,
        metavar="FILE",
        help=_("write the report to a file instead of printing it"),
    )
    parser.add_argument(
        "--json",
        dest="output_format",
        default=SUPPRESS,
        action="store_const",
        const=JSON,
        help=_("same as --output-format json"),
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help=_(
            "change the files where that is certain: commas between rows, and a second "
            "InputTensor that is the output"
        ),
    )
    parser.add_argument(
        "--fix-values",
        action="store_true",
        help=_("same as --fix; output values that differ become the engine's, too"),
    )
    parser.add_argument(
        "--diff",
        action="store_true",
        help=_("print what --fix would change, and change nothing; exit with 1 if there is any"),
    )
    parser.add_argument(
        "--jobs",
        default=SUPPRESS,
        type=int,
        metavar="N",
        help=_("verify pages in N processes; by default in one, and in more for many pages"),
    )
    parser.add_argument(
        "--watch",
        action="store_true",
        help=_("verify again whenever a file changes, until Ctrl+C"),
    )
    parser.add_argument(
        "--quiet",
        default=SUPPRESS,
        action="store_true",
        help=_("hide the progress bar and pages about other subjects"),
    )


def asked_for(arguments: Namespace) -> dict[str, Any]:
    """What was given on the command line, by the names of :class:`Options`."""
    names = {each.name for each in fields(Options)}
    given = {name: value for name, value in vars(arguments).items() if name in names}
    return {n: tuple(value) if isinstance(value, list) else value for n, value in given.items()}
