"""What a lesson is: short parts, each with a state, a question before it and a surprise behind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dmlviz.addresses import write_link
from dmlviz.errors import Error
from dmlviz.kept import kept
from dmlviz.lessons.code import Code
from dmlviz.states import State, read_link

END = "end"
"""What stands for a part in the address of a lesson's end."""


def passed(marks: Sequence[bool | None]) -> bool:
    """Whether a lesson is passed: all is answered, and at least two of three are right.

    Args:
        marks: of each part, None where it was not answered.

    >>> passed([True, False, True]), passed([True, False]), passed([True, True, None])
    (True, False, False)
    """
    return None not in marks and 3 * sum(map(bool, marks)) >= 2 * len(marks)


@dataclass(frozen=True)
class Answer:
    """One of a prediction's answers.

    Attributes:
        text: what can be chosen.
        why: what is wrong with it, with its own numbers; empty for the right one.
        claim: what has to hold for this answer to be right.
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
        reveal: what is seen now, in one to three sentences.
    """

    prompt: str
    answers: tuple[Answer, ...]
    reveal: str

    @property
    def right(self) -> int:
        """The number of the right answer, from 0 on."""
        return next(i for i, answer in enumerate(self.answers) if not answer.why)


@dataclass(frozen=True)
class WhatIf:
    """A changed state, and what happens then.

    Attributes:
        words: the change and what comes of it.
        link: of the changed state.
        claims: about it.
    """

    words: str
    link: str
    claims: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """One move of a lesson: text, then a question, then one short move, then rest.

    Attributes:
        title: a few words.
        words: what has to be known, in short sentences with the state's own numbers.
        link: of the state; its ``step`` is where the move ends, its ``pinned`` cells light up.
        look: what to look at while it moves.
        claims: about the state, such as ``out[0, 0, 2, 3] = 1``.
        prediction: asked before the output is seen.
        what_if: one change to try.
        text: ``"input"`` or ``"both"`` where the state is to be seen as documentation text,
            too, before the answer and after it; else empty.
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
        """All its texts, in the order in which they are read."""
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
    """What learners often believe, and the state that exposes it.

    Attributes:
        words: the belief, and what is so instead.
        link: of the state.
        claims: about it.
    """

    words: str
    link: str
    claims: tuple[str, ...]


@dataclass(frozen=True)
class ClassQuestion:
    """A question for the class, with what the teacher has to know.

    Attributes:
        ask: the question.
        right: its answer.
        wrong: the wrong answer to expect, and what is wrong with it.
        following: what to ask next.
        link: of the state that vouches for their numbers; empty where there is none.
        claims: about it.
    """

    ask: str
    right: str
    wrong: str
    following: str
    link: str = ""
    claims: tuple[str, ...] = ()

    def reading(self) -> Iterator[str]:
        """All its texts, in the order in which they are read."""
        yield from (self.ask, self.right, self.wrong, self.following)


@dataclass(frozen=True)
class Plan:
    """For the teacher.

    Attributes:
        opening: how to begin, in one or two sentences.
        questions: to ask the class.
        misunderstandings: to expect.
    """

    opening: str
    questions: tuple[ClassQuestion, ...]
    misunderstandings: tuple[Misunderstanding, ...]


@dataclass(frozen=True)
class Lesson:
    """One lesson, its texts filled with numbers.

    Attributes:
        key: its file's name and its word in addresses, such as ``padding-modes``.
        title: for people.
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
        """All texts of a learner, in the order in which they are read."""
        yield self.audience
        yield from self.aims
        for part in self.parts:
            yield from part.reading()

    def link(self, number: int = 1) -> str:
        """Of one of its parts; of its end where the number is past the last part."""
        part = str(number) if number <= len(self.parts) else END
        return write_link("lessons", {"lesson": self.key, "part": part})

    def links(self) -> Iterator[str]:
        """Every state that it opens."""
        for part in self.parts:
            yield part.link
            yield part.what_if.link
        yield from (found.link for found in self.plan.misunderstandings)
        yield from (asked.link for asked in self.plan.questions if asked.link)


@kept(megabytes=4, words=False)
def state_of(link: str) -> State:
    """The state that a link of a lesson or of the glossary opens.

    Raises:
        Error: a part of the link is not possible.
    """
    opened = read_link(link)
    for problem in opened.problems:
        raise Error(problem.message, problem.field)
    assert opened.state is not None  # there was no problem
    return opened.state
