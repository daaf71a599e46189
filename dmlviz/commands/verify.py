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
    as_markdown,
    available,
    outcome,
    read_document,
    verify,
    worst,
)
from dmlviz.engines import ENGINES
from dmlviz.errors import Error
from dmlviz.reports import FORMATS, PageReport, page_report
from dmlviz.reports.formats import problem_data
from dmlviz.words import _, ngettext

NAME = "verify"
TEXT, JSON, MARKDOWN = "text", "json", "markdown"
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
        "read, or there is none. In a folder, pages about other things do not count."
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
    parser.add_argument(
        "--strict",
        action="store_true",
        help=_("wrong formulas, wrong tables and findings make the exit code 1, too"),
    )
    parser.add_argument(
        "--output-format",
        choices=[TEXT, JSON, MARKDOWN, *FORMATS],
        help=_("how to write the report; text is for people"),
    )
    parser.add_argument(
        "--output-file", metavar="FILE", help=_("write the report to a file instead of printing it")
    )
    parser.add_argument("--json", action="store_true", help=_("same as --output-format json"))
    parser.add_argument("--quiet", action="store_true", help=_("no progress bar"))


def run(arguments: Namespace) -> int:
    """Verify every page and write the report; the exit code."""
    form = arguments.output_format or (JSON if arguments.json else TEXT)
    names = available() if arguments.engine == "all" else (arguments.engine,)
    verify(Document("", ""), names)  # an engine that cannot run here is said before any page
    files = list(_files(arguments.pages))
    pages: list[PageReport] = []
    written: list[Any] = []
    for file in _with_bar(files, arguments.quiet):
        # what is written is kept, and not the page's tensors
        document, text = _read(file)
        report = Report(document, verify(document, names))
        found = outcome(report, arguments.pages, arguments.strict)
        pages.append(page_report(report, found, text, strict=arguments.strict))
        written += _of_page(report, pages[-1], form)
    outcomes = [page.outcome for page in pages]
    if form in FORMATS:
        told = FORMATS[form](pages)
    elif form == JSON:
        told = json.dumps({"documents": written}, indent=2)
    else:
        told = "\n".join([*written, *_remarks(outcomes, arguments.strict), _summary(outcomes)])
    if told and arguments.output_file:
        _write(arguments.output_file, told)
    elif told:
        print(told)
    return worst(outcomes)


def _of_page(report: Report, page: PageReport, form: str) -> list[Any]:
    """What the formats that need a page's verdicts keep of it."""
    if form == TEXT:
        return as_lines(report)
    if form == MARKDOWN:
        return [as_markdown(report)]
    if form == JSON:
        data = as_data([report])["documents"][0]
        return [{**data, "problems": [problem_data(problem) for problem in page.problems]}]
    return []


def _write(file: str, text: str) -> None:
    try:
        Path(file).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        message = _("--output-file: {file} cannot be written: {reason}.")
        reason = error.strerror or error
        raise Error(message.format(file=file, reason=reason), "output-file") from None


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


def _read(file: str) -> tuple[Document, str]:
    """The page in a file, and its text; one that cannot be opened has a problem instead."""
    try:
        # one byte more than allowed is enough to know
        if file == STANDARD_INPUT:
            read = sys.stdin.buffer.read(PAGE_LIMIT + 1)
        else:
            with Path(file).open("rb") as opened:
                read = opened.read(PAGE_LIMIT + 1)
    except OSError as error:
        problem = _("page: {file} cannot be read: {reason}.").format(
            file=file, reason=error.strerror or error
        )
        return Document(file, "", problem=problem, unreadable=True), ""
    return read_document(read, file), read.decode(errors="replace")


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
            "{n} remark counts in the exit code (found, wrong).",
            "{n} remarks count in the exit code (found, wrong).",
            count,
        )
    else:
        told = ngettext(
            "{n} remark does not count in the exit code (found, wrong); with --strict it does.",
            "{n} remarks do not count in the exit code (found, wrong); with --strict they do.",
            count,
        )
    return [told.format(n=f"{count:,}")]


def _summary(outcomes: list[Outcome]) -> str:
    runs = sum(found.runs for found in outcomes)
    told = ngettext(
        "{matching} of {n} run matches, {pages} of {files} pages hold examples.",
        "{matching} of {n} runs match, {pages} of {files} pages hold examples.",
        runs,
    )
    return told.format(
        matching=sum(found.matching for found in outcomes),
        n=runs,
        pages=sum(bool(found.runs) for found in outcomes),
        files=len(outcomes),
    )
