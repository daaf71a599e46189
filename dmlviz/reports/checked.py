"""How much of the pages was checked, in one line or two."""

from __future__ import annotations

from collections.abc import Sequence

from dmlviz.reports.page import PageReport
from dmlviz.words import _, listed, ngettext


def checked_lines(pages: Sequence[PageReport]) -> list[str]:
    """What was checked on all pages, and how much was not; nothing where there was nothing."""
    tallies = [page.tally for page in pages]
    kinds = [
        [getattr(tally, kind) for tally in tallies]
        for kind in ("examples", "tables", "formulas", "introductions")
    ]
    lines = []
    for message, counts in (
        (_("checked: {what}."), [sum(c.checked for c in kind) for kind in kinds]),
        (_("not checked: {what}."), [sum(len(c.unchecked) for c in kind) for kind in kinds]),
    ):
        if any(counts):
            lines.append(message.format(what=listed(_counted(*counts))))
    return lines


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
