"""A run or a class on paper and for other programs: a handout, Moodle's GIFT, and a table.

The handout has each question with its picture, then the answers with theirs; the table has a row
for each choice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from dmlviz.base.deferred import regex
from dmlviz.base.errors import Error
from dmlviz.base.spreadsheets import write_csv
from dmlviz.base.templates import render, trusted
from dmlviz.base.words import _, language
from dmlviz.picture.compared import compared
from dmlviz.picture.exports import image_address, inputs_svg, spoken, svg_size, tensors_svg
from dmlviz.picture.policy import policy
from dmlviz.states.pages import AnyState, refusals_of
from dmlviz.teaching.answers import ALL, CELLS, NOTHING
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.posed import Posed
from dmlviz.teaching.runs import Run
from dmlviz.teaching.worksheets import FOLDER
from dmlviz.tensors.numbering import print_all_sizes, sizes_by_name

_CONTROL = regex(r"([\\~=#{}:])")
_FORMAT = "[plain]"
_COLUMNS = (
    *("part", "minutes", "title", "background", "settings", "question"),
    *("choice", "text", "right", "why", "answer", "next", "link"),
)
_LETTERS = "ABCDEFGH"

MOST_CELLS = 1_024
"""The most cells of inputs and outputs of a picture on paper."""

WIDTH = 520
"""The width in pixels that a picture is drawn for."""

TALL = 320
"""The height in pixels of the room before the answer, as in ``handout.css``: 85 mm."""

_LETTERS = "ABCDEFGH"

_HERE = Path(__file__).resolve().parent


def as_gift(run: Run) -> str:
    """The questions in Moodle's GIFT format, one after another with a blank line between.

    Questions with choices become multiple choice, with the reason as feedback of each wrong choice;
    open ones become essays. Instead of a picture a question has the values of its inputs, unless
    they would give the answer away.
    The format: https://docs.moodle.org/en/GIFT_format.

    Args:
        run: of the app, or a teacher's class.
    """
    return "\n\n".join(_gift(number, part.posed) for number, part in enumerate(run.parts, 1)) + "\n"


def _gift(number: int, posed: Posed) -> str:
    title = f"{number:02} {posed.prompt}"[:80]
    parts = (posed.words, posed.runs, posed.support, _tensors(posed), posed.prompt)
    # a format in brackets says that nothing in the text is markup
    head = f"::{_escaped(title)}::{_FORMAT}{_escaped(_blocks(parts))}"
    after = f"\n####{_FORMAT}{_escaped(posed.reveal)}" if posed.reveal else ""
    if posed.right < 0:
        return f"{head} {{{after}\n}}"
    lines = "".join(f"\n{line}" for line in _gift_choices(posed))
    return f"{head} {{{lines}{after}\n}}"


def _blocks(texts: Iterable[str]) -> str:
    return "\n\n".join(filter(None, texts))


def _tensors(posed: Posed) -> str:
    """What the picture shows before the answer, in words."""
    if not posed.link or posed.hides == ALL:
        return ""
    state = state_of(posed.link)
    try:
        inputs = state.inputs()
        if posed.hides == NOTHING and not refusals_of(state):
            # A and B, if two are compared
            outputs = [scene.trace.outputs for scene in state.scenes()]
        else:
            outputs = []
    except Error:
        return ""
    words = [spoken(state.input_title or name, x) for name, x in inputs.items()]
    for letter, each in zip(("A", "B") if len(outputs) > 1 else ("",), outputs, strict=False):
        words += [spoken(f"{letter} {name}".strip(), x) for name, x in each.items()]
    return "\n".join(words)


def _gift_choices(posed: Posed) -> Iterator[str]:
    for answer in posed.answers:
        # the weight is written, so that a text that begins like one is not read as one
        sign = "~%0%" if answer.why else "="
        why = f"#{_FORMAT}{_escaped(answer.why)}" if answer.why else ""
        yield f"{sign}{_FORMAT}{_escaped(answer.text)}{why}"


def _escaped(text: str) -> str:
    """A text in which no sign has GIFT's meaning; an end of line is written ``\\\\n``.

    >>> print(_escaped("a = {1: 2}\\nb"))
    a \\= \\{1\\: 2\\}\\nb
    """
    return "\\n".join(_CONTROL.sub(r"\\\1", line) for line in text.splitlines())


def choices_csv(run: Run, root: str = "") -> str:
    """The questions as CSV: a row for each choice, and one for a question without choices.

    Its form is that of :func:`dmlviz.base.spreadsheets.write_csv`; ``right`` is 1 or 0.

    Args:
        run: of the app, or a teacher's class.
        root: the app's address, such as ``https://example.org``, for links that are whole; without
            it they begin with ``/``.
    """
    return write_csv(_COLUMNS, _rows(run, root))


def _rows(run: Run, root: str) -> Iterator[list[str | int]]:
    for number, part in enumerate(run.parts, 1):
        posed = part.posed
        head: list[str | int] = [number, part.minutes, posed.title, posed.words]
        head += [posed.runs, posed.prompt]
        tail = [posed.reveal, posed.following, f"{root}{posed.link}" if posed.link else ""]
        for letter, answer in zip(_LETTERS, posed.answers, strict=False):
            yield [*head, letter, answer.text, int(not answer.why), answer.why, *tail]
        if not posed.answers:
            yield [*head, "", "", "", "", *tail]


def handout(run: Run) -> str:
    """A page to print: questions with pictures before, then, on a new sheet, answers and after.

    It contains no script, loads nothing, and its texts are escaped.

    Args:
        run: of the app, or a teacher's class; notes are not printed.
    """
    return render(
        FOLDER,
        "handout.html",
        policy=policy("'none'"),
        style=_style(),
        language=language(),
        title=run.title,
        answers_title=_("Answers: {title}").format(title=run.title),
        questions=[_question(part.posed) for part in run.parts],
        words={
            "name": _("Name"),
            "date": _("Date"),
            "before": _("Before"),
            "after": _("After"),
        },
    )


@cache
def _style() -> str:
    sheets = ("worksheet.css", "handout.css")
    return trusted("\n".join((_HERE / name).read_text(encoding="utf-8") for name in sheets))


def _question(posed: Posed) -> dict[str, Any]:
    choices = list(zip(_LETTERS, posed.answers, posed.reasons, strict=False))
    state = state_of(posed.link) if posed.link else None
    return {
        "prompt": posed.prompt,
        "runs": posed.runs,
        "code": posed.runs_code,
        "words": posed.words,
        "support": posed.support,
        "choices": choices,
        "right": choices[posed.right] if posed.right >= 0 else None,
        "reveal": posed.reveal,
        "before": _picture(posed, state, answered=False) if state else None,
        "after": _picture(posed, state, answered=True) if state else None,
    }


def _picture(posed: Posed, state: AnyState, *, answered: bool) -> dict[str, Any] | None:
    """The picture before or after the answer; None if there is none, or it is too large."""
    if not answered and posed.hides == ALL:
        return None
    try:
        inputs = state.inputs()
        refused = bool(refusals_of(state))
        if answered and refused:
            return None
        scenes = () if refused else state.scenes()
    except Error:
        return None
    cells = sum(x.size for x in inputs.values())
    cells += sum(x.size for scene in scenes for x in scene.trace.outputs.values())
    sizes = print_all_sizes(sizes_by_name(inputs))
    if cells > MOST_CELLS:
        note = _("A picture of {cells} cells is too large for paper; the input has sizes {sizes}.")
        return {"note": note.format(cells=f"{cells:,}", sizes=sizes)} if not answered else None
    words = [spoken(state.input_title or name, x) for name, x in inputs.items()]
    marked = () if posed.marked < 0 else (posed.marked,)
    if scenes and (answered or posed.hides == NOTHING or (posed.hides == CELLS and marked)):
        scene = compared(*scenes) if len(scenes) > 1 else scenes[0]
        landed = answered or posed.hides == NOTHING
        asked, tall = () if landed else marked, None if answered else TALL
        drawing = tensors_svg(scene, landed=landed, asked=asked, width=WIDTH, tall=tall)
        if landed:
            words += [spoken(name, x) for name, x in scene.outputs.items()]
    else:
        runs = ("A", "B") if len(scenes) > 1 else ("",)
        drawing = inputs_svg(
            inputs,
            width=WIDTH,
            tall=TALL,
            title=state.input_title,
            runs=runs,
            controls=state.controls(),
        )
    wide, high = (round(side) for side in svg_size(drawing))
    source = image_address(drawing)
    return {"source": source, "wide": wide, "high": high, "alt": " ".join(words), "note": ""}
