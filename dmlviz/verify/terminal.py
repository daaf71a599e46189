"""What a page says beside what the engine gave, drawn in letters for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dmlviz.tensors import print_value
from dmlviz.tensors.types import Array
from dmlviz.verify.verifier import Verdict, differing_elements
from dmlviz.words import _

ROWS, COLUMNS = 12, 16
"""The largest plane that is drawn."""

_RED, _GREEN, _END = "\x1b[1;31m", "\x1b[1;32m", "\x1b[0m"
_MARGIN = "             "


def drawn(verdict: Verdict, *, colored: bool = False) -> list[str]:
    """The plane of an output in which the first difference is; what differs has brackets.

    Args:
        verdict: of an example.
        colored: whether the terminal shows colours.

    Returns:
        Lines; none where nothing differs, the sizes do, or the plane has more than 12 rows or 16
        columns.
    """
    first = verdict.first_difference
    if first is None or first.tensor not in verdict.outputs:
        return []
    actual, expected = verdict.outputs[first.tensor], verdict.example.outputs.get(first.tensor)
    if expected is None or expected.shape != actual.shape or actual.ndim == 0:
        return []
    plane = first.index[:-2]
    ours, theirs = (np.atleast_2d(np.asarray(side[plane])) for side in (expected, actual))
    if ours.shape[0] > ROWS or ours.shape[1] > COLUMNS:
        return []
    wrong = np.zeros(actual.size, bool)
    wrong[differing_elements(expected, actual)] = True
    marked = np.atleast_2d(wrong.reshape(actual.shape)[plane])
    left, wide = _rows(_("page"), ours, marked, _RED * colored)
    right, _wide = _rows(verdict.engine, theirs, marked, _GREEN * colored)
    lines = [f"{_MARGIN}[{', '.join([*map(str, plane), ':', ':'])}]"] if plane else []
    for (a, letters), (b, _letters) in zip(left, right, strict=True):
        lines.append(f"{_MARGIN}{a}{' ' * (wide - letters)}   {b}".rstrip())
    return lines


def _rows(
    title: str, plane: Array, marked: Array, color: str
) -> tuple[Sequence[tuple[str, int]], int]:
    """A heading and the rows, each with the letters that it takes; and the most of those."""
    texts = [[print_value(value) for value in row] for row in plane]
    width = max(len(text) for row in texts for text in row)
    rows = [(title, len(title))]
    for row, marks in zip(texts, marked, strict=True):
        plain = [
            f"[{text:>{width}}]" if mark else f" {text:>{width}} "
            for text, mark in zip(row, marks, strict=True)
        ]
        shown = [
            f"{color}{text}{_END}" if mark and color else text
            for text, mark in zip(plain, marks, strict=True)
        ]
        rows.append(("".join(shown), sum(map(len, plain))))
    return rows, max(letters for _text, letters in rows)
