"""Questions as one HTML page for printing: the answers begin on a new page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import segno

from dmlviz.player.policy import policy
from dmlviz.teaching.questions import Question, support_head, support_note, support_rows
from dmlviz.templates import render, trusted
from dmlviz.tensors import print_label, print_sizes
from dmlviz.trace import run
from dmlviz.words import _, language
from dmlviz.worksheet.exercise import Drawn, Exercise, drawn_of

MOST_CELLS = 400
"""The limit of cells of a tensor to print."""

FOLDER = Path(__file__).resolve().parent
"""The folder of the templates: ``sheet.html``, and ``tensor.html`` with a :class:`Printed`."""

_LETTERS = "ABCDEFGH"
_MOST_SCANNED = 500
_MANY = 75
_MANY_OF_TENSOR = 64
_SHORT, _LONG = 14, 36


@dataclass(frozen=True)
class Cell:
    """A cell: its value, or a letter (often none) in a box to fill in."""

    text: str
    empty: bool = False


@dataclass(frozen=True)
class PrintedPlane:
    """A table of the last two dimensions, and its index, which is empty if there is only one."""

    index: str
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Printed:
    """A tensor as tables for paper, without color.

    Attributes:
        name, sizes: for its heading.
        note: instead of its planes, if it is too large.
        planes: in order.
        single: whether it has only one dimension.
        dense: whether it has many cells.
    """

    name: str
    sizes: str
    note: str
    planes: Sequence[PrintedPlane]
    single: bool
    dense: bool

    @property
    def cells(self) -> int:
        """How many cells there are to print, with the corners of the tables."""
        corners = 0 if self.single else len(self.planes)
        return corners + sum(len(row) for plane in self.planes for row in plane.rows)


def worksheet(
    questions: Sequence[Question | Exercise],
    title: str,
    *,
    description: str = "",
    address: str = "",
) -> str:
    """A page to print: questions with boxes to tick, then, on a new sheet, answers with reasons.

    It contains no script, loads nothing, and needs no color.

    Args:
        questions: in order.
        title: the heading.
        description: what gives the same questions again, such as the seed; at the foot of each
            part.
        address: where they are on the web, also shown as a QR code for phones; can be empty.

    >>> from dmlviz.teaching.practice import ask
    >>> page = worksheet([ask(7, 1)], "Tile & others")
    >>> "<h1>Tile &amp; others</h1>" in page, "<script" in page
    (True, False)
    """
    parts = [_exercise(q) if isinstance(q, Exercise) else _question(q) for q in questions]
    cells = sum(_cells(part) for part in parts)
    return render(
        FOLDER,
        "sheet.html",
        policy=policy("'none'"),
        style=_style(),
        language=language(),
        title=title,
        answers_title=_("Answers: {title}").format(title=title),
        questions=parts,
        many=cells > _MANY * max(1, len(questions)),
        description=description,
        address=address,
        code=_qr(address) if address and len(address) <= _MOST_SCANNED else "",
        words={
            "name": _("Name"),
            "date": _("Date"),
            "right": _("Right"),
            "hint": _("Where there are boxes, one answer is right: tick it before you try it out."),
            "again": _("The same questions in the app:"),
        },
    )


@cache
def _style() -> str:
    return trusted((FOLDER / "sheet.css").read_text(encoding="utf-8"))


def _qr(address: str) -> str:
    code = segno.make(address, micro=False, error="m")
    svg = code.svg_inline(scale=3, border=2, omitsize=True, svgclass="code")
    return trusted(svg)


def _exercise(exercise: Exercise) -> dict[str, Any]:
    return {
        "prompt": exercise.prompt,
        "width": "",
        "kind": exercise.kind,
        "support": None,
        "tensors": [printed(each) for each in exercise.drawn],
        "lines": exercise.lines,
        "choices": (),
        "right": None,
        "answered": [printed(each) for each in exercise.answered],
        "answer": exercise.answer,
        "explanation": exercise.explanation,
    }


def _question(question: Question) -> dict[str, Any]:
    choices = list(zip(_LETTERS, question.choices, strict=False))
    support = {
        "head": support_head(),
        "rows": list(support_rows(question.operator)),
        "note": support_note(),
    }
    return {
        "prompt": question.prompt,
        "width": _width(question),
        "kind": "",
        "support": support if question.shows == "support" else None,
        "tensors": [printed(each) for each in _drawn(question)],
        "lines": (),
        "choices": choices,
        "right": choices[question.right],
        "answered": (),
        "answer": "",
        "explanation": question.explanation,
    }


def _cells(part: Mapping[str, Any]) -> int:
    rows = part["support"]["rows"] if part["support"] else ()
    cells: int = sum(len(row) for row in rows) + sum(tensor.cells for tensor in part["tensors"])
    return cells


def _width(question: Question) -> str:
    """Whether each choice needs a whole line, or two choices fit on a line."""
    longest = max(len(choice.text) for choice in question.choices)
    return "long" if longest > _LONG else "short" if longest <= _SHORT else ""


def _drawn(question: Question) -> Sequence[Drawn]:
    """The tensors to show with the question."""
    if question.shows not in ("input", "both"):
        return ()
    drawn = drawn_of(question.inputs, _("Input"))
    if question.shows == "both":
        drawn += drawn_of(run(question.operator, question.inputs).outputs, _("Output"))
    return drawn


def printed(drawn: Drawn) -> Printed:
    """The tables of a tensor; of one with more than 400 elements, only the sizes."""
    x = drawn.values
    sizes, single, dense = print_sizes(x.shape), x.ndim == 1, x.size > _MANY_OF_TENSOR
    if x.size > MOST_CELLS:
        note = _("It has {count} elements, too many to print.").format(count=f"{x.size:,}")
        return Printed(drawn.name, sizes, note, (), single, dense=False)
    cells = [
        Cell(print_label(value))
        if drawn.printed is None or i in drawn.printed
        else Cell(drawn.marks.get(i, ""), empty=True)
        for i, value in enumerate(x.flat)
    ]
    numbers = np.arange(x.size).reshape(-1, *(1, *x.shape)[-2:])
    planes = [
        PrintedPlane(
            ", ".join([*map(str, outer), ":", ":"]) if outer else "",
            [[cells[i] for i in row] for row in plane.tolist()],
        )
        for outer, plane in zip(np.ndindex(x.shape[:-2]), numbers, strict=True)
    ]
    return Printed(drawn.name, sizes, "", planes, single, dense)
