"""What ``dmlviz verify`` does with one page: read, verified, and put into a report's form."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dmlviz.commands.verify_files import read
from dmlviz.verify import (
    Document,
    Options,
    PageReport,
    Report,
    as_lines,
    as_markdown,
    page_report,
    verify,
    without_ignored,
)
from dmlviz.verify.baseline import without_known
from dmlviz.verify.formats import document_data
from dmlviz.verify.options import JSON, MARKDOWN, TEXT
from dmlviz.verify.terminal import drawn
from dmlviz.words import _

# below this, a bar is gone before it can be read
_BAR_FROM = 20

Verified = tuple[PageReport, list[Any]]
"""What reports say of a page, and what the formats that need its verdicts keep of it."""


@dataclass(frozen=True)
class Check:
    """What every page of a run is checked with; all of it can be sent to another process.

    Attributes:
        names: of the engines.
        asked: the pages that were asked for one by one.
        chosen: the options.
        known: the fingerprints of known problems.
        colored: whether text is for a terminal with colors.
    """

    names: tuple[str, ...]
    asked: tuple[str, ...]
    chosen: Options
    known: frozenset[str]
    colored: bool

    def file(self, file: str) -> Verified:
        """The page in a file."""
        document, text = read(file)
        return self.report(*self.verified(document, text))

    def verified(self, document: Document, text: str) -> tuple[Report, PageReport]:
        """A page's verdicts, and what reports say of it.

        Args:
            document: the page.
            text: the page as its file has it.
        """
        document = without_ignored(document, self.chosen)
        report = Report(document, verify(document, self.names))
        page = page_report(report, text, self.asked, strict=self.chosen.strict)
        return report, without_known(page, self.known) if self.known else page

    def report(self, report: Report, page: PageReport) -> Verified:
        """The same without its tensors."""
        form = self.chosen.output_format
        if self.chosen.quiet and page.outcome.code is None and form != JSON:
            return page, []
        if form == TEXT:
            return page, as_lines(report, lambda verdict: drawn(verdict, colored=self.colored))
        if form == MARKDOWN:
            return page, [as_markdown(report)]
        return page, [document_data(report, page)] if form == JSON else []


def is_colored(chosen: Options) -> bool:
    """Whether the report goes to a terminal that may have colors."""
    return chosen.output_file is None and sys.stdout.isatty() and not os.getenv("NO_COLOR")


@contextmanager
def progress(count: int, quiet: bool) -> Iterator[Callable[[int], object]]:
    """A bar on standard error, where there are many pages; gives what moves it on."""
    if quiet or count < _BAR_FROM:
        yield lambda _pages: None
        return
    from tqdm import tqdm

    with tqdm(
        total=count,
        desc=_("pages"),
        unit=" " + _("pages"),
        # in a log that nobody watches, a line now and then
        mininterval=0.1 if sys.stderr.isatty() else 5,
    ) as bar:
        yield bar.update


def in_this_process(
    files: Iterable[str], check: Check, moved: Callable[[int], object]
) -> Iterator[Verified]:
    """The pages one after the other."""
    for file in files:
        yield check.file(file)
        moved(1)


def jobs_for(files: Sequence[str], chosen: Options) -> int:
    """How many processes verify the pages: as asked for, otherwise by the number of pages."""
    if chosen.jobs is not None:
        return chosen.jobs
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(cores or 1, len(files) // PAGES_A_JOB))


PAGES_A_JOB = 250
"""From how many pages on another process saves more time than it takes to start."""
