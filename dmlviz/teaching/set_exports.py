"""A run or a class for other programs: Moodle's GIFT, and a table with a row for each choice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dmlviz.base.errors import Error
from dmlviz.base.spreadsheets import write_csv
from dmlviz.picture.exports import spoken
from dmlviz.states.pages import refusals_of
from dmlviz.teaching.answers import ALL, NOTHING
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.posed import Posed
from dmlviz.teaching.runs import Run

_CONTROL = re.compile(r"([\\~=#{}:])")
_FORMAT = "[plain]"
_COLUMNS = (
    *("part", "minutes", "title", "background", "settings", "question"),
    *("choice", "text", "right", "why", "answer", "next", "link"),
)
_LETTERS = "ABCDEFGH"


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
