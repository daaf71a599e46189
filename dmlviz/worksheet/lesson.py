"""A lesson's own questions on paper, and the kinds of its questions."""

from __future__ import annotations

import re

from dmlviz.operators import operator_class
from dmlviz.teaching.answers import ALL, NOTHING
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.lessons import Lesson
from dmlviz.teaching.posed import of_part
from dmlviz.teaching.questions import KINDS, Question

MOST_CELLS = 64
"""The limit of input elements of a lesson's state to print."""

_OF = (("source of ", "source"), ("sizes", "sizes"), ("refused", "refused"))
_CELL = re.compile(r"(?:out|other|[A-Z]\w*Tensor)\S*\[")


def own_questions(lesson: Lesson) -> tuple[Question, ...]:
    """The questions of a lesson's parts, in order, in the lesson's words."""
    return tuple(_question(lesson, number) for number in range(1, len(lesson.parts) + 1))


def kinds_asked(lesson: Lesson) -> tuple[str, ...]:
    """The kinds of :data:`dmlviz.teaching.questions.KINDS` in its parts, in order of appearance.

    Each kind must be possible for all operators of the lesson.
    """
    claims = (part.prediction.answers[0].claim for part in lesson.parts)
    unasked = {kind for key in lesson.operators for kind in operator_class(key).unasked}
    found = tuple(kind for kind in dict.fromkeys(map(_kind, claims)) if kind not in unasked)
    return found or tuple(kind for kind in KINDS if kind not in unasked)


def _kind(claim: str) -> str:
    for begins, kind in _OF:
        if claim.startswith(begins):
            return kind
    return "value" if _CELL.match(claim) else "setting"


def _question(lesson: Lesson, number: int) -> Question:
    posed, part = of_part(lesson, number), lesson.parts[number - 1]
    state = state_of(part.link)
    inputs = state.inputs()
    small = sum(x.size for x in inputs.values()) <= MOST_CELLS
    shows = "both" if posed.hides == NOTHING and state.second() is None else "input"
    return Question(
        _kind(part.prediction.answers[0].claim),
        1,
        state.operator(),
        inputs,
        f"{posed.runs}. {posed.prompt}",
        posed.answers,
        posed.right,
        None,
        posed.reveal,
        shows if small and posed.hides != ALL else "none",
    )
