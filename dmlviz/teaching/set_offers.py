"""What a teacher can put into a class: whole lessons and runs, and parts and presets alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from dmlviz.states.code import CODE
from dmlviz.states.pages import AnyState
from dmlviz.teaching.code_presets import code_presets
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.names import names
from dmlviz.teaching.posed import bare, preset_title
from dmlviz.teaching.presets import presets
from dmlviz.teaching.runs import runs
from dmlviz.teaching.search import LONGEST, matching
from dmlviz.teaching.sets import LessonPick, PresetPick, RunPick, SetPart, lesson_minutes

_WORD = re.compile(r"[^\W_]+")
_IN_TITLE, _BEGINS_IN_TITLE, _IN_QUESTION, _BEGINS_IN_QUESTION, _BY_NAME = range(5)


@dataclass(frozen=True)
class Offer:
    """One or more parts under one name.

    Attributes:
        key: its name among all offers.
        title: where it comes from, in a few words.
        parts: what is added.
        question: of a part alone; empty for a whole lesson or run.
        operators: keys of the operators that a part alone is about.
        code: that a part alone is about; empty for operators.
    """

    key: str
    title: str
    parts: tuple[SetPart, ...]
    question: str = ""
    operators: tuple[str, ...] = ()
    code: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole lesson or run."""
        return not self.question

    @property
    def is_run(self) -> bool:
        """Whether it is a whole run."""
        return self.is_whole and isinstance(self.parts[0].pick, RunPick)

    @property
    def minutes(self) -> int:
        """The minutes of all parts together."""
        return sum(part.minutes for part in self.parts)

    def title_words(self) -> tuple[str, ...]:
        """The words of its title, in lowercase."""
        return _words(self.title)

    def question_words(self) -> tuple[str, ...]:
        """The words of its question, its code and its key, in lowercase."""
        return _words(f"{self.question} {self.code} {self.key}")


def offers() -> tuple[Offer, ...]:
    """Everything there is: whole runs and lessons first, then parts of lessons, then presets."""
    return (*_wholes(), *_parts(), *_presets())


def matching_offers(typed: str) -> tuple[Offer, ...]:
    """The offers that have every word of a text, those with whole words in the title first.

    A text that is a name of an operator in any library finds the parts about that operator too.

    Args:
        typed: its first :data:`LONGEST` characters count; without words, whole runs and lessons
            are all that is offered.
    """
    wanted = _words(normalize("NFKC", typed[:LONGEST]))
    if not wanted:
        return tuple(each for each in offers() if each.is_whole)
    called = {name.key for name in matching(typed, names())}
    ranked = []
    for place, offer in enumerate(offers()):
        ranks = [_rank(word, offer) for word in wanted]
        if any(rank is None for rank in ranks):
            if called.intersection(offer.operators):
                ranked.append(((_BY_NAME, 0), place, offer))
            continue
        worst = max(rank for rank in ranks if rank is not None)
        ranked.append((worst, place, offer))
    return tuple(offer for _rank, _place, offer in sorted(ranked, key=lambda one: one[:2]))


def _rank(word: str, offer: Offer) -> tuple[int, int] | None:
    """How a word is in an offer: smaller is better; None if it is not there."""
    places = (
        (offer.title_words, _IN_TITLE, _BEGINS_IN_TITLE),
        (offer.question_words, _IN_QUESTION, _BEGINS_IN_QUESTION),
    )
    for words_of, whole, begins in places:
        words = words_of()
        if word in words:
            return whole, words.index(word)
        for at, each in enumerate(words):
            if each.startswith(word):
                return begins, at
    return None


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def _wholes() -> Iterator[Offer]:
    for run in runs():
        parts = tuple(
            SetPart(RunPick(run.key, number), each.minutes)
            for number, each in enumerate(run.parts, 1)
        )
        yield Offer(f"run-{run.key}", run.title, parts)
    for lesson in lessons():
        minutes = lesson_minutes(lesson)
        parts = tuple(
            SetPart(LessonPick(lesson.key, number), minutes)
            for number in range(1, len(lesson.parts) + 1)
        )
        yield Offer(f"lesson-{lesson.key}", lesson.title, parts)


def _parts() -> Iterator[Offer]:
    for lesson in lessons():
        for number, part in enumerate(lesson.parts, 1):
            yield Offer(
                f"part-{lesson.key}-{number}",
                f"{lesson.title} \u00b7 {part.title}",
                (SetPart(LessonPick(lesson.key, number), lesson_minutes(lesson)),),
                bare(part.prediction.prompt),
                *_about(state_of(part.link)),
            )


def _presets() -> Iterator[Offer]:
    for each in presets():
        title, question = preset_title(each), bare(each.question)
        parts = (SetPart(PresetPick(each.key)),)
        yield Offer(f"preset-{each.key}", title, parts, question, *_about(each.state))
    for code in code_presets():
        title, question = preset_title(code), bare(code.question)
        parts = (SetPart(PresetPick(f"code-{code.key}")),)
        yield Offer(f"preset-code-{code.key}", title, parts, question, *_about(code.state))


def _about(state: AnyState) -> tuple[tuple[str, ...], str]:
    """The keys of the operators of a state, and its code."""
    return state.operators, state.parameters().get(CODE, "")


def missing_of(offer: Offer, parts: Sequence[SetPart]) -> tuple[SetPart, ...]:
    """The parts of an offer that a class does not have yet."""
    there = {part.pick for part in parts}
    return tuple(part for part in offer.parts if part.pick not in there)
