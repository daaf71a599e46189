"""``python -m dmlviz verify PAGE…``: run the examples of documentation pages."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from dmlviz.documents import (
    PAGE_LIMIT,
    RECORDED,
    Document,
    Report,
    as_data,
    as_lines,
    available,
    exit_code,
    read_document,
    verify,
)
from dmlviz.documents.verifier import MATCH
from dmlviz.engines import ENGINES
from dmlviz.words import _, ngettext

NAME = "verify"
SUFFIXES = (".md", ".txt", ".html", ".htm")
STANDARD_INPUT = "-"
# below this, a bar is gone before it can be read
_BAR_FROM = 20


def help() -> str:
    """What it does."""
    return _("run the examples of documentation pages: do they say what an engine gives?")


def add(parser: ArgumentParser) -> None:
    """Pages, engine and format."""
    parser.description = _(
        "Exit code 0: every example matches; 1: some differ or are refused; 2: one cannot be "
        "read, or there is none."
    )
    parser.add_argument(
        "pages",
        nargs="+",
        metavar="PAGE",
        help=_("a file, a folder (its .md, .txt, .html files), or - for standard input"),
    )
    parser.add_argument(
        "--engine",
        default="numpy",
        choices=[*ENGINES, RECORDED, "all"],
        help=_("what to run them with; all: every engine that can run here"),
    )
    parser.add_argument("--json", action="store_true", help=_("print JSON instead of a table"))
    parser.add_argument("--quiet", action="store_true", help=_("no progress bar"))


def run(arguments: Namespace) -> int:
    """Verify every page; print a table or JSON."""
    names = available() if arguments.engine == "all" else (arguments.engine,)
    verify(Document("", ""), names)  # an engine that cannot run here is said before any page
    files = list(_files(arguments.pages))
    reports = []
    for file in _with_bar(files, arguments.quiet):
        document = _read(file)
        reports.append(Report(document, verify(document, names)))
    if arguments.json:
        print(json.dumps(as_data(reports), indent=2))
    else:
        lines = [line for report in reports for line in as_lines(report)]
        print("\n".join([*lines, _summary(reports)]))
    return exit_code(reports, arguments.pages)


def _files(pages: list[str]) -> Iterator[str]:
    """Files as they are named, folders as the pages in them, in order."""
    for page in pages:
        folder = Path(page)
        # unlike Path's, these never raise: a path may be too long, or not ours to look into
        if page != STANDARD_INPUT and os.path.isdir(page):  # noqa: PTH112
            inside = sorted(
                path
                for path in folder.rglob("*")
                if path.suffix.lower() in SUFFIXES
                and os.path.isfile(path)  # noqa: PTH113
                and not any(part.startswith(".") for part in path.relative_to(folder).parts)
            )
            yield from (str(path) for path in inside)
        else:
            yield page


def _read(file: str) -> Document:
    """The page in a file; one that cannot be opened has a problem, and never a traceback."""
    try:
        # one byte more than allowed is enough to know
        if file == STANDARD_INPUT:
            return read_document(sys.stdin.buffer.read(PAGE_LIMIT + 1), file)
        with Path(file).open("rb") as opened:
            return read_document(opened.read(PAGE_LIMIT + 1), file)
    except OSError as error:
        problem = _("page: {file} cannot be read: {reason}.").format(
            file=file, reason=error.strerror or error
        )
        return Document(file, "", problem=problem, unreadable=True)


def _with_bar(files: list[str], quiet: bool) -> Iterator[str]:
    if quiet or len(files) < _BAR_FROM:
        return iter(files)
    from tqdm import tqdm

    # in a log that nobody watches, a line now and then
    return iter(
        tqdm(
            files,
            desc=_("pages"),
            unit=" " + _("pages"),
            mininterval=0.1 if sys.stderr.isatty() else 5,
        )
    )


def _summary(reports: list[Report]) -> str:
    verdicts = [verdict for report in reports for verdict in report.verdicts]
    pages = sum(bool(report.verdicts) for report in reports)
    matching = sum(verdict.status == MATCH for verdict in verdicts)
    told = ngettext(
        "{matching} of {n} run matches, {pages} of {files} pages hold examples.",
        "{matching} of {n} runs match, {pages} of {files} pages hold examples.",
        len(verdicts),
    )
    return told.format(matching=matching, n=len(verdicts), pages=pages, files=len(reports))
