"""Questions as one HTML page for printing: the answers begin on a new page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from string import Template

import segno

from dmlviz.player.policy import policy
from dmlviz.questions import Question
from dmlviz.questions.support import support_head, support_note, support_rows
from dmlviz.trace import run
from dmlviz.words import _, language
from dmlviz.worksheet.exercise import Drawn, Exercise, drawn_of
from dmlviz.worksheet.tables import tables

_HERE = Path(__file__).resolve().parent
_LETTERS = "ABCDEFGH"
_MOST_SCANNED = 500
_MANY = 75
_SHORT, _LONG = 14, 36


def worksheet(
    questions: Sequence[Question | Exercise], title: str, *, told: str = "", address: str = ""
) -> str:
    """A page to print: questions with boxes to tick, then, on a new sheet, answers with reasons.

    It contains no script, loads nothing, and needs no color.

    Args:
        questions: in order.
        title: the heading.
        told: what gives the same questions again, such as the seed; at the foot of each part.
        address: where they are on the web, also shown as a QR code for phones; can be empty.

    >>> from dmlviz.questions import ask
    >>> page = worksheet([ask(7, 1)], "Tile & others")
    >>> "<h1>Tile &amp; others</h1>" in page, "<script" in page
    (True, False)
    """
    foot = _foot(told, address)
    asked = "".join(_question(n, q) for n, q in enumerate(questions, 1))
    return Template((_HERE / "sheet.html").read_text(encoding="utf-8")).substitute(
        policy=escape(policy("'none'"), quote=True),
        style=_style(),
        language=language(),
        title=escape(title),
        name=escape(_("Name")),
        date=escape(_("Date")),
        points=escape(_("Right")),
        count=len(questions),
        hint=escape(
            _("Where there are boxes, one answer is right: tick it before you try it out.")
        ),
        questions=asked,
        many="many" if asked.count("<td>") > _MANY * max(1, len(questions)) else "",
        answers_title=escape(_("Answers: {title}").format(title=title)),
        answers="".join(_answer(n, q) for n, q in enumerate(questions, 1)),
        foot=foot,
        again=f"<footer><p>{escape(told)}</p></footer>" if told else "",
    )


@cache
def _style() -> str:
    return (_HERE / "sheet.css").read_text(encoding="utf-8")


def _question(number: int, question: Question | Exercise) -> str:
    asked = f"<p>{escape(question.prompt)}</p>{_asked(question)}"
    style = f"asked {_width(question)}"
    return f'<li class="question" value="{number}"><div class="{style}">{asked}</div></li>'


def _width(question: Question | Exercise) -> str:
    """Whether each choice needs a whole line, or two choices fit on a line."""
    if isinstance(question, Exercise):
        return ""
    longest = max(len(choice.text) for choice in question.choices)
    return "long" if longest > _LONG else "short" if longest <= _SHORT else ""


def _asked(question: Question | Exercise) -> str:
    if isinstance(question, Exercise):
        lines = "".join(f"<li><code>{escape(line)}</code></li>" for line in question.lines)
        text = f'<ol class="lines-of">{lines}</ol>' if lines else ""
        return _tensors(question.drawn, question.kind) + text
    choices = "".join(
        f'<li><span class="box"></span><b>{letter}</b> {escape(choice.text)}</li>'
        for letter, choice in zip(_LETTERS, question.choices, strict=False)
    )
    return f'{_drawn(question)}<ul class="choices">{choices}</ul>'


def _drawn(question: Question) -> str:
    """The tensors to show with the question."""
    if question.shows == "support":
        return _support(question)
    if question.shows not in ("input", "both"):
        return ""
    drawn = drawn_of(question.inputs, _("Input"))
    if question.shows == "both":
        drawn += drawn_of(run(question.operator, question.inputs).outputs, _("Output"))
    return _tensors(drawn)


def _tensors(drawn: Sequence[Drawn], kind: str = "") -> str:
    if not drawn:
        return ""
    parts = (tables(one.name, one.values, one.given, one.marks) for one in drawn)
    return f'<div class="tensors {kind}">{"".join(parts)}</div>'


def _support(question: Question) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in support_head())
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
        for row in support_rows(question.operator)
    )
    return (
        f'<div class="support"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        f"<p>{escape(support_note())}</p></div>"
    )


def _answer(number: int, question: Question | Exercise) -> str:
    if isinstance(question, Exercise):
        told = f"<strong>{escape(question.answer)}</strong>" if question.answer else ""
        parts = (told, escape(question.explanation))
        because = "".join(f'<p class="because">{part}</p>' for part in parts if part)
        return f'<li class="answer" value="{number}">{_tensors(question.answered)}{because}</li>'
    right = question.choices[question.right]
    wrong = "".join(
        f"<li><b>{letter}</b> {escape(choice.text)}: {escape(choice.why)}</li>"
        for letter, choice in zip(_LETTERS, question.choices, strict=False)
        if choice.why
    )
    return (
        f'<li class="answer" value="{number}"><p><b>{_LETTERS[question.right]}</b> '
        f'<strong>{escape(right.text)}</strong></p><p class="because">'
        f'{escape(question.explanation)}</p><ul class="wrong">{wrong}</ul></li>'
    )


def _foot(told: str, address: str) -> str:
    """The parameters that give the same sheet again, and its address on the web."""
    code = ""
    if address and len(address) <= _MOST_SCANNED:
        drawn = segno.make(address, micro=False, error="m")
        code = drawn.svg_inline(scale=3, border=2, omitsize=True, svgclass="code")
    lines = [escape(told)] if told else []
    if address:
        lines += [escape(_("The same questions in the app:")), f"<span>{escape(address)}</span>"]
    if not lines:
        return ""
    return f"<footer>{code}<p>{'<br>'.join(lines)}</p></footer>"
