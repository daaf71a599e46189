"""One practice question from a seed and a number, and the address that names it.

>>> question = ask(7, 1, operator="tile", kind="sizes")
>>> question.choices[question.right].text in question.explanation
True
"""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import chain
from typing import Any, ClassVar

from dmlviz.base.addresses import Reading
from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _
from dmlviz.operators import OPERATORS, Operator, operator_class
from dmlviz.operators.settings import Dice
from dmlviz.teaching.kinds import KINDS, QuestionKind, kinds_for, kinds_of_practice
from dmlviz.teaching.plain import (
    PLAIN,
    ask_plain,
    in_plain_words,
    plain_operators,
    plain_sentence_first,
)
from dmlviz.teaching.questions import LEVELS, Question
from dmlviz.teaching.subjects import FIRST_QUESTIONS, FirstQuestions, Level, no_question, subjects
from dmlviz.tensors import short_text

MOST_SEED = 2**31 - 1
MOST_NUMBER = 1_000_000
_FEW, _PATIENCE = 2, 8


_REMEMBERED = 20
"""So many questions back, a question is one that a learner remembers."""


@dataclass(frozen=True)
class Practice:
    """The parameters of a practice question.

    Attributes:
        seed, level, operator, number: as in :func:`ask`.
    """

    key: ClassVar[str] = "practice"

    seed: int
    level: int = 1
    operator: str = ""
    number: int = 1

    def question(self) -> Question:
        """The question itself."""
        return ask(self.seed, self.number, level=self.level, operator=self.operator)

    def following(self) -> Practice:
        """The next question of a run that does not repeat one of the last 20.

        Every question keeps its number, so links stay valid: a repeated one is skipped. If all of
        the next 20 are repeated, the next one is asked again.
        """
        first, last = max(1, self.number - _REMEMBERED + 1), self.number + _REMEMBERED
        before = {_identity(replace(self, number=n)) for n in range(first, self.number + 1)}
        ahead = (replace(self, number=min(n, MOST_NUMBER)) for n in range(self.number + 1, last))
        other = next((each for each in ahead if _identity(each) not in before), None)
        return other or replace(self, number=min(self.number + 1, MOST_NUMBER))

    def parameters(self) -> dict[str, str]:
        """The parameters of its link.

        >>> Practice(7).parameters()
        {'seed': '7', 'level': '1', 'number': '1'}
        """
        return {name: str(value) for name, value in asdict(self).items() if value != ""}


def read_practice(
    parameters: Mapping[str, str], usual: Practice
) -> tuple[Practice, tuple[Problem, ...]]:
    """The question that an address names, and the problems with the address.

    Args:
        parameters: names and texts, untrusted.
        usual: the defaults for missing parameters.
    """
    reading = Reading(parameters)
    level = reading.whole("level", PLAIN, LEVELS[-1], usual.level)
    operators = ["", *(cls.key for cls in operators_at(level))]
    other = usual.operator if usual.operator in operators else ""
    practice = Practice(
        reading.whole("seed", 0, MOST_SEED, usual.seed),
        level,
        reading.one_of("operator", operators, other),
        reading.whole("number", 1, MOST_NUMBER, usual.number),
    )
    return practice, reading.all_problems()


def operators_at(level: int) -> Sequence[type[Operator]]:
    """The operators that a level has questions about, in display order."""
    return plain_operators() if level == PLAIN else OPERATORS


def ask(seed: int, number: int, *, level: int = 1, operator: str = "", kind: str = "") -> Question:
    """The question with that number; the same arguments give the same one on every machine.

    Args:
        seed: the seed of a class or a worksheet, 0 to 2,147,483,647.
        number: the number of the question, 1 to 1,000,000.
        level: 0 to 3.
        operator: the key of one, such as ``depth-to-space``; empty for all.
        kind: a key of :data:`dmlviz.teaching.kinds.KINDS`; empty for all.

    If an operator does not suit a kind of question, another kind is used; if that kind, or any
    kind, is impossible for it, another operator is used, unless this one was requested. If all
    kinds are allowed, one question in every eight asks what is refused. Level 0 has plain words,
    for a few operators, and the first three kinds only. Level 0 begins with rows, and level 1 with
    questions as small as those of level 0, each after a sentence in its words: see
    :data:`dmlviz.teaching.subjects.FIRST_QUESTIONS`. Two questions one after
    the other are not about the same operator, or, if only one is allowed, not about the same run,
    whose output the first explains, unless there is no other.

    Raises:
        Error: an argument is invalid, or there is no such question; the message says which.
    """
    check_whole("seed", seed, 0, MOST_SEED)
    check_whole("number", number, 1, MOST_NUMBER)
    check_whole("level", level, PLAIN, LEVELS[-1])
    check_kind(kind)
    every = operators_at(level)
    cls = operator_class(operator) if operator else None
    if cls and cls not in every:
        raise Error(
            _(
                "operator: level 0 has no questions about {operator}, only about {operators}."
            ).format(operator=cls.title(), operators=", ".join(one.title() for one in every)),
            "operator",
        )
    if cls and kind and not KINDS[kind].suits(cls):
        raise Error(
            _("kind: {kind} cannot be asked about {operator}.").format(
                kind=kind, operator=operator
            ),
            "kind",
        )

    def question_at(number: int, again: str = "") -> Question | None:
        dice = Dice(f"{seed} {number} {level} {operator} {kind}{again}")
        return _question_at(seed, number, level, cls, kind, dice)

    question = question_at(number)
    if question is None:
        raise no_question(seed, number, operator, kind)
    # those of odd numbers stay, so none depends on more than its neighbors
    if number % 2 == 0:
        alike = _run_of if cls else _operator_of
        beside = [
            alike(each) for each in (question_at(number - 1), question_at(number + 1)) if each
        ]
        others = (question_at(number, f" {again}") for again in range(_PATIENCE))
        candidates = chain([question], others)
        question = next((one for one in candidates if one and alike(one) not in beside), question)
    # it runs the operator once more: only for the question that is asked
    return plain_sentence_first(question) if level == LEVELS[0] else question


@cached(megabytes=0.1)
def _identity(practice: Practice) -> Hashable:
    """What two questions have in common that a learner takes for the same one.

    None without such a question.
    """
    try:
        question = practice.question()
    except Error:
        return None
    # without a picture, only the choices tell
    choices = sorted(each.text for each in question.choices) if not question.pictured else ()
    run = (question.operator, question.marked, question.lands, _run_of(question), choices)
    return question.kind, zlib.crc32(repr(run).encode())


def _operator_of(question: Question) -> tuple[Any, ...]:
    return (question.operator.key,)


def _run_of(question: Question) -> tuple[Any, ...]:
    """What two questions about the same run have in common."""
    inputs = ((name, x.shape, x.tobytes()) for name, x in question.inputs.items())
    return question.operator, *inputs


def _question_at(
    seed: int, number: int, level: int, wanted: type[Operator] | None, kind: str, dice: Dice
) -> Question | None:
    every = operators_at(level)
    cls = wanted or dice.choice(every)
    kinds = (KINDS[kind],) if kind else _kinds(seed, number, dice)
    if level == PLAIN:
        kinds = tuple(each for each in kinds if each.plain())
    elif rare := _only_rare(wanted) if wanted and not kind else ():
        kinds = rare
    elif not kind:
        kinds = tuple(each for each in kinds if each.least_level <= level)
    for first in FIRST_QUESTIONS.get(level, ()) if not kind else ():
        if number <= first.until:
            question = _first(first, level, (cls,) if wanted else plain_operators(), dice)
            if question is not None:
                return question
    classes = (cls,) if wanted else (cls, *(other for other in every if other is not cls))
    for subject_class in classes:
        for each in (each for each in kinds if each.suits(subject_class)):
            question = _drawn(subject_class, each, level, dice)
            if question is not None:
                return question
    return None


def _kinds(seed: int, number: int, dice: Dice) -> tuple[QuestionKind, ...]:
    """The kinds to try: first those that are asked once in so many numbers, if it is their turn."""
    kinds = kinds_of_practice().values()
    others = dice.shuffled(kind for kind in kinds if not kind.one_in)
    rare = (kind for kind in kinds if kind.one_in)
    turns = (each for each in rare if number % each.one_in == _turn(seed, each))
    return (*turns, *others)


def _turn(seed: int, kind: QuestionKind) -> int:
    return Dice(f"{seed} {kind.key}").below(kind.one_in)


def _only_rare(cls: type[Operator]) -> tuple[QuestionKind, ...]:
    """The kinds that suit an operator, if most numbers ask none of them."""
    kinds = tuple(kinds_for(cls).values())
    return kinds if all(kind.one_in for kind in kinds) else ()


def _first(
    first: FirstQuestions, level: int, classes: Sequence[type[Operator]], dice: Dice
) -> Question | None:
    """One of a level's first questions; None if there is none about these operators.

    Args:
        first: which of them.
        level: that they lead to.
        classes: the operators to choose from.
        dice: draws all else.
    """
    for cls in dice.shuffled(cls for cls in classes if cls in plain_operators()):
        for kind in dice.shuffled(kind for kind in first.kinds if KINDS[kind].suits(cls)):
            question = _drawn(cls, KINDS[kind], level, dice, first.at)
            if question is not None:
                return question
    return None


def _drawn(
    cls: type[Operator], kind: QuestionKind, level: int, dice: Dice, at: Level | None = None
) -> Question | None:
    spare = None
    for tried, subject in enumerate(subjects(cls, level, dice, at)):
        if level == PLAIN:
            question = ask_plain(kind.key, kind.plain(), subject, dice)
        else:
            question = kind.ask(subject, level, dice)
            if question is not None and at is not None:
                question = in_plain_words(question, subject)
        if question is not None and len(question.choices) > _FEW:
            return question
        spare = spare or question
        if spare is not None and tried >= _PATIENCE:
            break
    return spare


def check_kind(kind: str) -> None:
    """Refuse an unknown kind of question; empty means all."""
    kinds = kinds_of_practice()
    if kind and kind not in kinds:
        raise Error(
            _("kind: {kind} is not one of {kinds}.").format(
                kind=short_text(kind), kinds=", ".join(kinds)
            ),
            "kind",
        )


def check_whole(field: str, value: object, least: int, most: int) -> None:
    """Refuse anything but a whole number between the two."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not least <= value <= most:  # type: ignore[operator]
        raise Error(
            _("{field}: {value} is not a whole number from {least} to {most}.").format(
                field=field, value=short_text(value), least=least, most=f"{most:,}"
            ),
            field,
        )
