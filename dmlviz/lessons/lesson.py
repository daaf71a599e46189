"""A lesson: short parts, each with a state, a question before it and a change to try after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dmlviz.addresses import write_link
from dmlviz.lessons.code import Code
from dmlviz.teaching.facts import state_of

ALL, SIZES, CELLS, NOTHING = HIDES = ("all", "sizes", "cells", "nothing")
"""What is hidden until an answer: also the input, the output with its sizes, the output's elements,
or nothing."""

END = "end"
"""The value of ``part`` in the address of a lesson's end."""


def passed(marks: Sequence[bool | None]) -> bool:
    """Whether a lesson is passed: all parts are answered, and at least two thirds are right.

    Args:
        marks: of each part, None if it was not answered.

    >>> passed([True, False, True]), passed([True, False]), passed([True, True, None])
    (True, False, False)
    """
    return None not in marks and 3 * sum(map(bool, marks)) >= 2 * len(marks)


@dataclass(frozen=True)
class Answer:
    """One answer of a prediction.

    Attributes:
        text: the answer to choose.
        why: what is wrong with it, with its own numbers; empty for the right one.
        claim: what must hold for this answer to be right.
    """

    text: str
    why: str
    claim: str


@dataclass(frozen=True)
class Prediction:
    """A question to answer before anything moves.

    Attributes:
        prompt: the question.
        answers: two to four, of which one is right.
        reveal: what the picture shows now, in one to three sentences.
        hides: what the picture hides until the answer, one of :data:`HIDES`; empty if
            that follows from the answers.
        hides_settings: names of settings that are not told until the answer.
    """

    prompt: str
    answers: tuple[Answer, ...]
    reveal: str
    hides: str = ""
    hides_settings: tuple[str, ...] = ()

    @property
    def right(self) -> int:
        """The number of the right answer, from 0 on."""
        return next(i for i, answer in enumerate(self.answers) if not answer.why)


@dataclass(frozen=True)
class WhatIf:
    """A changed state, and what happens then.

    Attributes:
        words: the change and its result.
        link: of the changed state.
        claims: about it.
    """

    words: str
    link: str
    claims: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """One part of a lesson: text, then a question, then one short move, then a pause.

    Attributes:
        title: a few words.
        words: what learners need to know, in short sentences with the state's own numbers.
        link: of the state; the move ends at its ``step``, and its ``pinned`` cells are highlighted.
        look: what to look at while it moves.
        claims: about the state, such as ``out[0, 0, 2, 3] = 1``.
        prediction: asked before the output is seen.
        what_if: one change to try.
        text: ``"input"`` or ``"both"`` to show the state also as documentation text,
            before the answer and after it; otherwise empty.
        code: lines that give the same output, shown after the answer.
    """

    title: str
    words: str
    link: str
    look: str
    claims: tuple[str, ...]
    prediction: Prediction
    what_if: WhatIf
    text: str
    code: tuple[Code, ...] = ()

    def reading(self) -> Iterator[str]:
        """All its texts, in reading order."""
        yield self.title
        yield self.words
        yield self.prediction.prompt
        yield from (answer.text for answer in self.prediction.answers)
        yield self.prediction.reveal
        yield from (answer.why for answer in self.prediction.answers if answer.why)
        yield self.look
        yield self.what_if.words


@dataclass(frozen=True)
class Misunderstanding:
    """A common misconception, and a state that disproves it.

    Attributes:
        words: the misconception, and the correct statement.
        link: of the state.
        claims: about it.
    """

    words: str
    link: str
    claims: tuple[str, ...]


@dataclass(frozen=True)
class ClassQuestion:
    """A question for the class, with notes for the teacher.

    Attributes:
        ask: the question.
        right: its answer.
        wrong: the wrong answer to expect, and why it is wrong.
        following: what to ask next.
        link: of the state that their numbers come from; empty if there is none.
        claims: about it.
    """

    ask: str
    right: str
    wrong: str
    following: str
    link: str = ""
    claims: tuple[str, ...] = ()

    def reading(self) -> Iterator[str]:
        """All its texts, in reading order."""
        yield from (self.ask, self.right, self.wrong, self.following)


@dataclass(frozen=True)
class Plan:
    """The plan for the teacher.

    Attributes:
        opening: how to begin, in one or two sentences.
        questions: to ask the class.
        misunderstandings: those to expect.
    """

    opening: str
    questions: tuple[ClassQuestion, ...]
    misunderstandings: tuple[Misunderstanding, ...]


@dataclass(frozen=True)
class Lesson:
    """One lesson, with numbers filled in.

    Attributes:
        key: its file's name and its name in addresses, such as ``padding-modes``.
        title: its display name.
        audience: who it is for.
        aims: what learners can do by the end.
        minutes: how long it takes in a class.
        parts: in order.
        plan: for the teacher.
    """

    key: str
    title: str
    audience: str
    aims: tuple[str, ...]
    minutes: int
    parts: tuple[Part, ...]
    plan: Plan

    @property
    def operators(self) -> tuple[str, ...]:
        """The keys of the operators that its parts show, in order."""
        return tuple(dict.fromkeys(state_of(part.link).key for part in self.parts))

    def reading(self) -> Iterator[str]:
        """All texts for learners, in reading order."""
        yield self.audience
        yield from self.aims
        for part in self.parts:
            yield from part.reading()

    def link(self, number: int = 1) -> str:
        """The address of one of its parts, or of its end if the number is past the last part."""
        part = str(number) if number <= len(self.parts) else END
        return write_link("lessons", {"lesson": self.key, "part": part})

    def links(self) -> Iterator[str]:
        """Every state that it opens."""
        for part in self.parts:
            yield part.link
            yield part.what_if.link
        yield from (found.link for found in self.plan.misunderstandings)
        yield from (asked.link for asked in self.plan.questions if asked.link)
