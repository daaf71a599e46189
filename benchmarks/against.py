"""Which figures became worse than those in RESULTS.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).with_name("RESULTS.md")
FIFTH = 0.8
"""A ratio below this part of the older one is marked."""
MORE_IS_BETTER = {"times shipped", "times tuned", "times", "times as much", "times one"}
"""Columns, or rows, whose ratios count what dmlviz does more; the others count what it costs."""


@dataclass(frozen=True)
class Table:
    """A Markdown table's cells, as they are printed."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def named(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """Rows by as many of their first cells as tell them apart."""
        for count in range(1, len(self.head)):
            found = {row[:count]: row for row in self.rows}
            if len(found) == len(self.rows):
                return found
        return {}


def tables(text: str) -> list[Table]:
    """All tables in a text, in order.

    >>> tables("| cells | times |\\n|---|---|\\n| 64 | 1.5 |\\n")
    [Table(head=('cells', 'times'), rows=(('64', '1.5'),))]
    """
    blocks = re.findall(r"(?:^\|.*\|[ ]*\n?)+", text, re.MULTILINE)
    found = []
    for block in blocks:
        head, _line, *rows = [
            tuple(cell.strip() for cell in line.strip().strip("|").split("|"))
            for line in block.splitlines()
        ]
        found.append(Table(head, tuple(rows)))
    return found


def missing(results: str, printed: str) -> list[str]:
    """Heads of tables in RESULTS.md that were not printed."""
    heads = {table.head for table in tables(printed)}
    return [" | ".join(table.head) for table in tables(results) if table.head not in heads]


def fallen(results: str, printed: str) -> list[str]:
    """A line for each ratio that is more than a fifth worse than in RESULTS.md.

    Ratios are in columns named "times …" or "this / that" and in the row "times as much". Of one
    that counts costs, the inverse has to fall by more than a fifth. Rows are matched by name.

    >>> fallen(
    ...     "| cells | times |\\n|---|---|\\n| 64 | 42 |\\n",
    ...     "| cells | times |\\n|---|---|\\n| 64 | 30 |\\n",
    ... )
    ['64, times: 30 instead of 42']
    """
    now = {table.head: table.named() for table in tables(printed)}
    found = []
    for table in tables(results):
        rows = now.get(table.head, {})
        for name, row in table.named().items():
            if name not in rows:
                continue
            ratios = zip(table.head, row, rows[name], strict=True)
            found += [
                f"{', '.join(name)}, {column}: {after} instead of {before}"
                for column, before, after in list(ratios)[len(name) :]
                if _worse(name[0] if name[0] == "times as much" else column, before, after)
            ]
    return found


def _worse(kind: str, before: str, after: str) -> bool:
    """Whether a ratio fell by more than a fifth; what is no ratio or no number never did."""
    if not (kind.startswith("times") or " / " in kind or ", times " in kind):
        return False
    try:
        old, new = (float(cell.replace(",", "")) for cell in (before, after))
    except ValueError:
        return False
    return new < FIFTH * old if kind in MORE_IS_BETTER else FIFTH * new > old
