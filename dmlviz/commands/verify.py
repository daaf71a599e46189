"""``python -m dmlviz verify PAGE…``: run the examples of documentation pages."""

from __future__ import annotations

import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dmlviz.documents import (
    PAGE_LIMIT,
    RECORDED,
    Document,
    Outcome,
    Report,
    as_data,
    as_lines,
    available,
    outcome,
    read_document,
    verify,
    worst,
)
from dmlviz.engines import ENGINES
from dmlviz.words import _, ngettext

NAME = "verify"
SUFFIXES = (".md", ".txt", ".html", ".htm")
STANDARD_INPUT = "-"
# below this, a bar is gone before it can be read
_BAR_FROM = 20


def help() -> str:
    """What it does."""
    return _("run the examples of documentation pages and compare them with an engine's results")


def add(parser: ArgumentParser) -> None:
    """Pages, engine and format."""
    parser.description = _(
        "Exit code 0: every example matches; 1: some differ or are refused; 2: one "
        "cannot be read, or there is none. In a folder, pages about other subjects are "
        "ignored."
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
        help=_("the engine that runs them; all: every engine that can run here"),
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help=_("also return exit code 1 for wrong formulas, wrong tables and other findings"),
    )
    parser.add_argument("--json", action="store_true", help=_("print JSON instead of a table"))
    parser.add_argument("--quiet", action="store_true", help=_("hide the progress bar"))


def run(arguments: Namespace) -> int:
    """Verify every page; print a table or JSON."""
    names = available() if arguments.engine == "all" else (arguments.engine,)
    verify(Document("", ""), names)  # an engine that cannot run here is said before any page
    files = list(_files(arguments.pages))
    outcomes: list[Outcome] = []
    lines: list[str] = []
    data: list[Any] = []
    for file in _with_bar(files, arguments.quiet):
        # what is printed is kept, and not the page's tensors
        document = _read(file)
        report = Report(document, verify(document, names))
        outcomes.append(outcome(report, arguments.pages, arguments.strict))
        if arguments.json:
            data += as_data([report])["documents"]
        else:
            lines += as_lines(report)
    if arguments.json:
        print(json.dumps({"documents": data}, indent=2))
    else:
        print("\n".join([*lines, *_remarks(outcomes, arguments.strict), _summary(outcomes)]))
    return worst(outcomes)


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
        problem = _("page: cannot read {file}: {reason}.").format(
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


def _remarks(outcomes: list[Outcome], strict: bool) -> list[str]:
    """What was found beside the examples, in one line; nothing where nothing was."""
    count = sum(found.remarks for found in outcomes)
    if not count:
        return []
    if strict:
        told = ngettext(
            "{n} remark affects the exit code (found, wrong).",
            "{n} remarks affect the exit code (found, wrong).",
            count,
        )
    else:
        told = ngettext(
            "{n} remark does not affect the exit code (found, wrong); with --strict it does.",
            "{n} remarks do not affect the exit code (found, wrong); with --strict they do.",
            count,
        )
    return [told.format(n=f"{count:,}")]


def _summary(outcomes: list[Outcome]) -> str:
    runs = sum(found.runs for found in outcomes)
    told = ngettext(
        "{matching} of {n} run matches, {pages} of {files} pages have examples.",
        "{matching} of {n} runs match, {pages} of {files} pages have examples.",
        runs,
    )
    return told.format(
        matching=sum(found.matching for found in outcomes),
        n=runs,
        pages=sum(bool(found.runs) for found in outcomes),
        files=len(outcomes),
    )
