"""A lesson: short parts, each with a state, a question before it and a change to try after it.

The structs are the form of the files, too; see :mod:`dmlviz.lessons.reading`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from dmlviz.addresses import write_link
from dmlviz.errors import Error
from dmlviz.lessons.code import LIBRARIES, Code
from dmlviz.teaching.answers import Answer
from dmlviz.teaching.facts import state_of
from dmlviz.words import _

Hides = Literal["all", "sizes", "cells", "nothing"]
"""What is hidden until an answer: also the input, the output with its sizes, the output's elements,
or nothing."""

ALL: Hides = "all"
SIZES: Hides = "sizes"
CELLS: Hides = "cells"
NOTHING: Hides = "nothing"

Positive = Annotated[int, Meta(ge=1)]
"""A whole number from 1 on."""

_ANSWERS = (2, 4)

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


class Choices(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Answers to choose from, one of which is right, and what would give it away.

    Attributes:
        answers: two to four.
        answer: the fact that a claim of an answer's own text is about, such as ``out[:]``.
        hides: what the picture hides until the answer; empty if that follows from the answers.
        hides_settings: names of settings that are not told until the answer.
    """

    answers: tuple[Answer, ...] = field(name="choices")
    answer: str = ""
    hides: Hides | Literal[""] = ""
    hides_settings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the answers.

        Raises:
            Error: there are not two to four, not exactly one has no ``why``, or one lacks a claim.
        """
        low, high = _ANSWERS
        if not low <= len(self.answers) <= high:
            rule = _("there must be {low} to {high} of them.").format(low=low, high=high)
            raise Error(rule, "choices")
        if sum(not answer.why for answer in self.answers) != 1:
            raise Error(_("only the right answer has no why."), "choices")
        if not self.answer and not all(answer.claim for answer in self.answers):
            raise Error(_("it is missing."), "answer")

    @property
    def right(self) -> int:
        """The number of the right answer, from 0 on."""
        return next(i for i, answer in enumerate(self.answers) if not answer.why)

    @property
    def claimed(self) -> tuple[Answer, ...]:
        """The answers, each with its claim."""
        return tuple(
            replace(each, claim=each.claim or f"{self.answer} = {each.text}")
            for each in self.answers
        )

    def check_settings(self, link: str) -> None:
        """Check the names of settings.

        Raises:
            Error: the operator of the link has no such setting.
        """
        if not self.hides_settings:
            return
        settings = [parameter.name for parameter in state_of(link).operator().parameters()]
        if not set(self.hides_settings) <= set(settings):
            rule = _("it must be one of {options}.").format(options=", ".join(settings))
            raise Error(rule, "hides_settings")


class Prediction(Choices, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A question to answer before anything moves.

    Attributes:
        prompt: the question.
        reveal: what the picture shows now, in one to three sentences.
    """

    prompt: str
    reveal: str


class WhatIf(Struct, frozen=True, forbid_unknown_fields=True):
    """A changed state, and what happens then.

    Attributes:
        words: the change and its result.
        link: of the changed state.
        claims: about it.
    """

    words: str
    link: str
    claims: tuple[str, ...] = ()


class Lines(Struct, frozen=True, forbid_unknown_fields=True):
    """Lines of code by their library's key; empty if there are none."""

    numpy: str = ""
    torch: str = ""
    tensorflow: str = ""


class Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
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
        lines: code that gives the same output, shown after the answer.
    """

    title: str
    words: str
    link: str
    look: str
    claims: tuple[str, ...] = ()
    prediction: Prediction = field(name="predict")
    what_if: WhatIf
    text: Literal["", "input", "both"] = ""
    lines: Lines = field(name="code", default=Lines())

    @property
    def code(self) -> tuple[Code, ...]:
        """The lines of each library that has some."""
        texts = ((library, getattr(self.lines, library).strip()) for library in LIBRARIES)
        return tuple(Code(library, text) for library, text in texts if text)

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


class Misunderstanding(Struct, frozen=True, forbid_unknown_fields=True):
    """A common misconception, and a state that disproves it.

    Attributes:
        words: the misconception, and the correct statement.
        link: of the state.
        claims: about it.
    """

    words: str
    link: str
    claims: tuple[str, ...] = ()


class ClassQuestion(Struct, frozen=True, forbid_unknown_fields=True):
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
    following: str = field(name="next")
    link: str = ""
    claims: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check that claims have a state.

        Raises:
            Error: there is a link without claims, or the other way round.
        """
        if bool(self.link) != bool(self.claims):
            raise Error(_("a link and claims about it belong together."), "claims")

    def reading(self) -> Iterator[str]:
        """All its texts, in reading order."""
        yield from (self.ask, self.right, self.wrong, self.following)


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """The plan for the teacher.

    Attributes:
        opening: how to begin, in one or two sentences.
        questions: to ask the class.
        misunderstandings: those to expect.
    """

    opening: str
    questions: Annotated[tuple[ClassQuestion, ...], Meta(min_length=1)]
    misunderstandings: Annotated[tuple[Misunderstanding, ...], Meta(min_length=1)]


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
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
    minutes: Positive
    parts: Annotated[tuple[Part, ...], Meta(min_length=1)]
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
        yield from (each.link for each in self.plan.misunderstandings)
        yield from (each.link for each in self.plan.questions if each.link)
