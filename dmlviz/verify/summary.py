"""What a run comes to: how much was checked, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from dmlviz.verify.page import PageReport
from dmlviz.verify.reader import Tally
from dmlviz.words import _, listed, ngettext


def summary_lines(pages: Sequence[PageReport], *, strict: bool) -> list[str]:
    """The last lines of a report.

    Args:
        pages: all that were read.
        strict: whether remarks fail the run.
    """
    return [*checked_lines(pages), *_remarks(pages, strict), *_skipped(pages), _matching(pages)]


def summary_data(pages: Sequence[PageReport]) -> dict[str, Any]:
    """The same as JSON has it: the numbers of all pages together."""
    outcomes = [page.outcome for page in pages]
    return {
        "pages": len(outcomes),
        "pages_with_examples": sum(bool(found.runs) for found in outcomes),
        "runs": sum(found.runs for found in outcomes),
        "matching": sum(found.matching for found in outcomes),
        "remarks": sum(found.remarks for found in outcomes),
        "skipped": sum(found.skipped for found in outcomes),
        "checked": _checked(pages),
        "unchecked": _unchecked(pages),
    }


def checked_lines(pages: Sequence[PageReport]) -> list[str]:
    """What was checked on all pages, and how much was not; nothing where there was nothing."""
    lines = []
    for message, counts in (
        (_("checked: {what}."), _checked(pages).values()),
        (_("not checked: {what}."), _unchecked(pages).values()),
    ):
        if any(counts):
            lines.append(message.format(what=listed(_counted(*counts))))
    return lines


def _checked(pages: Sequence[PageReport]) -> dict[str, int]:
    return {
        kind.name: sum(getattr(page.tally, kind.name).checked for page in pages)
        for kind in fields(Tally)
    }


def _unchecked(pages: Sequence[PageReport]) -> dict[str, int]:
    return {
        kind.name: sum(len(getattr(page.tally, kind.name).unchecked) for page in pages)
        for kind in fields(Tally)
    }


def _counted(examples: int, tables: int, formulas: int, introductions: int) -> list[str]:
    told = (
        (examples, ngettext("{n} example", "{n} examples", examples)),
        (tables, ngettext("{n} feature-level table", "{n} feature-level tables", tables)),
        (formulas, ngettext("{n} line with formulas", "{n} lines with formulas", formulas)),
        (
            introductions,
            ngettext(
                "{n} sentence that says which level introduced the operator",
                "{n} sentences that say which level introduced the operator",
                introductions,
            ),
        ),
    )
    return [message.format(n=f"{count:,}") for count, message in told if count]


def _remarks(pages: Sequence[PageReport], strict: bool) -> list[str]:
    """What was found beside the examples, in one line; nothing where nothing was."""
    count = sum(page.outcome.remarks for page in pages)
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


def _skipped(pages: Sequence[PageReport]) -> list[str]:
    count = sum(page.outcome.skipped for page in pages)
    if not count:
        return []
    told = ngettext(
        "{n} example is skipped by its page.", "{n} examples are skipped by their pages.", count
    )
    return [told.format(n=f"{count:,}")]


def _matching(pages: Sequence[PageReport]) -> str:
    outcomes = [page.outcome for page in pages]
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
