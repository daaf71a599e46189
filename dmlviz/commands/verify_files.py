"""The files that ``dmlviz verify`` reads."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from dmlviz.errors import Error
from dmlviz.verify import PAGE_LIMIT, Document, Options, read_document
from dmlviz.verify.page import relative
from dmlviz.verify.text import decode, too_long
from dmlviz.words import _

# fmt: off
SUFFIXES = (
    ".md", ".markdown", ".mdx", ".txt", ".html", ".htm", ".rst", ".adoc", ".asciidoc", ".ipynb",
    ".tex",
)
# fmt: on
STANDARD_INPUT = "-"


def files(pages: Sequence[str], options: Options, *, changed: bool = False) -> Iterator[str]:
    """Files as they are named, folders as the pages in them, in order.

    Args:
        pages: files, folders, or ``-``.
        options: what is left out of folders; so is the file of its report.
        changed: whether only files are wanted that Git says differ from the last commit.

    Raises:
        Error: Git cannot say what has changed.
    """
    wanted = _changed() if changed else None
    report = os.path.realpath(options.output_file) if options.output_file else None
    for page in pages:
        folder = Path(page)
        # unlike Path's, these never raise: a path may be too long, or not ours to look into
        if page != STANDARD_INPUT and os.path.isdir(page):  # noqa: PTH112
            inside = _inside(folder)
            found = [
                str(path)
                for path in inside
                # a report is no page
                if not (report and os.path.realpath(path) == report)
                and not options.excludes(relative(path))
            ]
        else:
            found = [page]
        for file in found:
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
    try:
        text = decode(data)
    except Error:
        text = data.decode(errors="replace")
    return read_document(data, file), text


def _inside(folder: Path) -> list[Path]:
    return sorted(
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in SUFFIXES
        # a link to nothing is a page that cannot be read
        and (os.path.isfile(path) or not os.path.exists(path))  # noqa: PTH110, PTH113
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )


def _changed() -> set[str]:
    """Files that differ from the last commit, and those that Git does not know yet."""
    found = set()
    top = Path(_git("rev-parse", "--show-toplevel").strip())
    for command in (
        ("diff", "--name-only", "--diff-filter=d", "-z", "HEAD"),
        ("ls-files", "--others", "--exclude-standard", "--full-name", "-z"),
    ):
        found |= {os.path.realpath(top / name) for name in _git(*command).split("\0") if name}
    return found


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
        said = getattr(error, "stderr", "") or str(error)
        message = _("--changed: Git cannot say what has changed: {reason}")
        raise Error(message.format(reason=" ".join(said.split())), "changed") from None
