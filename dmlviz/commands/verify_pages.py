"""What ``dmlviz verify`` does with pages: found, read, changed, verified, and put into a report."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _, ngettext
from dmlviz.verify import (
    PAGE_LIMIT,
    Document,
    Options,
    Report,
    as_lines,
    as_markdown,
    check,
    document_data,
    read_document,
)
from dmlviz.verify.fixes import as_diff, changed, edits
from dmlviz.verify.options import JSON, MARKDOWN, TEXT, leads_out
from dmlviz.verify.report import relative
from dmlviz.verify.text import decode, text_of, too_long

# fmt: off
SUFFIXES = (
    ".md", ".markdown", ".mdx", ".txt", ".html", ".htm", ".rst", ".adoc", ".asciidoc", ".ipynb",
    ".tex",
)
# fmt: on
STANDARD_INPUT = "-"

PAGES_A_JOB = 250
"""From how many pages on another process saves more time than it takes to start."""

# below this, a bar is gone before it can be read
_BAR_FROM = 20
_MARK = "\ufeff"

Verified = tuple[Report, list[Any]]
"""The report on a page without its tensors, and its part of a report that needs them."""


@dataclass(frozen=True)
class VerifyRun:
    """What every page of a run is checked with; all of it can be sent to another process.

    Attributes:
        engine_names: of the engines.
        options: what is checked and counted.
        baseline: the fingerprints of known problems, which do not count.
        colored: whether text is for a terminal with colors.
    """

    engine_names: tuple[str, ...]
    options: Options
    baseline: frozenset[str]
    colored: bool

    def file(self, file: str) -> Verified:
        """The page in a file."""
        return self.verified(self.check(*read(file)))

    def check(self, document: Document, text: str) -> Report:
        """What :func:`dmlviz.verify.check` reports on a page."""
        return check(
            document,
            text,
            self.engine_names,
            options=self.options,
            baseline=self.baseline,
        )

    def verified(self, report: Report) -> Verified:
        """A page's report without its tensors, and its part of the run's."""
        return report.without_tensors(), self._part(report)

    def _part(self, report: Report) -> list[Any]:
        form = self.options.output_format
        if self.options.quiet and not (report.verdicts or report.problems) and form != JSON:
            return []
        if form == TEXT:
            return as_lines(report, planes=True, colored=self.colored)
        if form == MARKDOWN:
            return [as_markdown(report)]
        return [document_data(report)] if form == JSON else []


def is_colored(options: Options) -> bool:
    """Whether the report goes to a terminal that may have colors."""
    return options.output_file is None and sys.stdout.isatty() and not os.getenv("NO_COLOR")


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
    files: Iterable[str], run: VerifyRun, advance: Callable[[int], object]
) -> Iterator[Verified]:
    """The pages one after the other."""
    for file in files:
        yield run.file(file)
        advance(1)


def jobs_for(files: Sequence[str], options: Options) -> int:
    """How many processes verify the pages: the option's number, otherwise by that of the pages.

    There are never more than this process has cores: the option can come from anybody's repository.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    wanted = len(files) // PAGES_A_JOB if options.jobs is None else options.jobs
    return max(1, min(cores or 1, wanted))


def files(pages: Sequence[str], options: Options, *, changed: bool = False) -> Iterator[str]:
    """Files as they are named, folders as the pages in them, in order.

    Args:
        pages: files, folders, or ``-``.
        options: what is left out of folders; so is the file of its report.
        changed: whether only files are wanted that Git says differ from the last commit.

    Raises:
        Error: Git cannot say what has changed.
    """
    wanted = _changed_files() if changed else None
    report = os.path.realpath(options.output_file) if options.output_file else None
    for page in pages:
        folder = Path(page)
        # unlike Path's, these never raise: a path may be too long, or not ours to look into
        if page != STANDARD_INPUT and os.path.isdir(page):  # noqa: PTH112
            inside = _inside(folder)
            named = [
                str(path)
                for path in inside
                # a report is no page
                if not (report and os.path.realpath(path) == report)
                and not options.excludes(relative(path))
            ]
        else:
            named = [page]
        for file in named:
            if wanted is None or file == STANDARD_INPUT or os.path.realpath(file) in wanted:
                yield file


def read(file: str) -> tuple[Document, str]:
    """The page in a file, and its text; one that cannot be opened has a problem instead."""
    try:
        # one byte more than allowed is enough to know
        if file == STANDARD_INPUT:
            data = sys.stdin.buffer.read(PAGE_LIMIT + 1)
        else:
            with Path(file).open("rb") as opened:
                data = opened.read(PAGE_LIMIT + 1)
                size = max(len(data), os.fstat(opened.fileno()).st_size)
                if len(data) > PAGE_LIMIT:
                    return Document(file, "", problem=str(too_long(size)), unreadable=True), ""
    except OSError as error:
        problem = _("page: cannot read {file}: {reason}.").format(
            file=file, reason=error.strerror or error
        )
        return Document(file, "", problem=problem, unreadable=True), ""
    return read_document(data, file), text_of(data)


def _inside(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in SUFFIXES
        # a link to nothing is a page that cannot be read
        and (os.path.isfile(path) or not os.path.exists(path))  # noqa: PTH110, PTH113
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def _changed_files() -> set[str]:
    """Files that differ from the last commit, and those that Git does not know yet."""
    names = set()
    top = Path(_git("rev-parse", "--show-toplevel").strip())
    for command in (
        ("diff", "--name-only", "--diff-filter=d", "-z", "HEAD"),
        ("ls-files", "--others", "--exclude-standard", "--full-name", "-z"),
    ):
        names |= {os.path.realpath(top / name) for name in _git(*command).split("\0") if name}
    return names


def _git(*arguments: str) -> str:
    try:
        return subprocess.run(  # noqa: S603
            ["git", *arguments],  # noqa: S607
            capture_output=True,
            check=True,
            encoding="utf-8",
            timeout=60,
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        reason = getattr(error, "stderr", "") or str(error)
        message = _("--changed: Git cannot say what has changed: {reason}")
        raise Error(message.format(reason=" ".join(reason.split())), "changed") from None


class Fixer:
    """Changes pages, or gathers what it would change.

    Args:
        engine_names: of the engines that verify them.
        pages: the files and folders that were named; no link leads out of them.
        values: whether output values that differ become the engine's.
        diff: whether changes are gathered in ``diffs`` instead of written.
    """

    def __init__(
        self, engine_names: Sequence[str], pages: Sequence[str], *, values: bool, diff: bool
    ) -> None:
        self.engine_names, self.pages, self.values, self.diff = engine_names, pages, values, diff
        self.diffs: list[str] = []
        self.count = self.files = 0

    def fixed(self, file: str, document: Document, text: str) -> tuple[Document, str]:
        """The page and its text as they are now.

        A page that would read or verify otherwise than expected stays as it was, and so does one
        that is not UTF-8 text, or that a link has outside of the folder that was named; all
        three are reported on standard error.

        Raises:
            Error: the file cannot be written.
        """
        if document.unreadable:
            return document, text
        data = text.encode() if file == STANDARD_INPUT else _bytes(file)
        # the file may have changed since it was read
        current = read_document(data, file)
        if current.unreadable:
            return document, text
        page = decode(data)
        mark = _MARK if data.startswith(_MARK.encode()) else ""
        before = check(current, page, self.engine_names)
        changes = edits(page, before, values=self.values)
        if not changes:
            return document, text
        if data != (mark + page).encode():
            self._report(_("{file}: not fixed, because it is not UTF-8 text."), file)
            return document, text
        if any(leads_out(file, folder) for folder in (".", *self.pages)):
            self._report(_("{file}: not fixed, because a link leads out of the folder."), file)
            return document, text
        fixed = changed(page, changes, before, self.engine_names, values=self.values)
        if fixed is None:
            self._report(
                _("{file}: not fixed, because it would not verify better than before."), file
            )
            return document, text
        read, new = fixed[0], mark + fixed[1]
        self.count += len(changes)
        self.files += 1
        if self.diff:
            self.diffs.append(as_diff(mark + page, new, relative(file)))
            return document, text
        try:
            Path(file).write_bytes(new.encode())
        except OSError as error:
            message = _("--fix: {file} cannot be written: {reason}.")
            reason = error.strerror or error
            raise Error(message.format(file=file, reason=reason), "fix") from None
        return read, new

    def summary(self) -> str:
        """How much was changed, or would be."""
        if self.diff:
            message = ngettext(
                "{n} fix possible (files: {files}); nothing was changed.",
                "{n} fixes possible (files: {files}); nothing was changed.",
                self.count,
            )
        else:
            message = ngettext(
                "{n} fix made (files changed: {files}).",
                "{n} fixes made (files changed: {files}).",
                self.count,
            )
        return message.format(n=f"{self.count:,}", files=f"{self.files:,}")

    def _report(self, message: str, file: str) -> None:
        print(message.format(file=relative(file)), file=sys.stderr)


def _bytes(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError:
        return b""
