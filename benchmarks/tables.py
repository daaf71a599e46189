"""Tables of figures, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; numbers as they are given.

    >>> print(table(["cells", "ms"], [[64, "1.5"]]))
    | cells | ms |
    |---|---|
    | 64 | 1.5 |
    """
    lines = [list(head), ["---"] * len(head), *rows]
    lines[1] = ["---"] * len(head)
    text = [f"| {' | '.join(str(cell) for cell in line)} |" for line in lines]
    text[1] = f"|{'|'.join(lines[1])}|"
    return "\n".join(text)


def middle(figures: Sequence[float]) -> float:
    """The median."""
    return sorted(figures)[len(figures) // 2]


def late(figures: Sequence[float]) -> float:
    """The 95th percentile."""
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
