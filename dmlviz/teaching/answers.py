"""Answers to choose from; wrong ones are chosen so that the options do not reveal the right one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.operators import operator_class
from dmlviz.operators.settings import Dice
from dmlviz.teaching.facts import state_of

Hides = Literal["all", "sizes", "cells", "nothing"]
"""What is hidden until an answer: also the input, the output with its sizes, the output's elements,
or nothing."""

ALL: Hides = "all"
SIZES: Hides = "sizes"
CELLS: Hides = "cells"
NOTHING: Hides = "nothing"

MOST_WRONG = 3
"""The limit of wrong answers of a question."""

_FEWEST, _MOST = 2, 4

_MOST_WEIGHED = 10
# divisible by two, three and four answers
_TWELFTHS = 12


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """One answer to choose.

    Attributes:
        text: the answer.
        why: what is wrong with it, with its own numbers; empty for the right one.
        claim: in a lesson, what must hold for this answer to be right.
    """

    text: str
    why: str = ""
    claim: str = ""


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
        if not _FEWEST <= len(self.answers) <= _MOST:
            rule = _("there must be {low} to {high} of them.").format(low=_FEWEST, high=_MOST)
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
    def with_claims(self) -> tuple[Answer, ...]:
        """The answers, each with its claim."""
        return tuple(
            replace(each, claim=each.claim or f"{self.answer} = {each.text}")
            for each in self.answers
        )

    @property
    def described(self) -> tuple[str, ...]:
        """The answers' texts, if they say what sizes or elements the output has; else none."""
        of_output = all(each.claim.startswith(("sizes", "out")) for each in self.with_claims)
        return tuple(each.text for each in self.answers) if of_output else ()

    def check_settings(self, link: str) -> None:
        """Check the names of settings.

        Raises:
            Error: what the link opens has no such setting.
        """
        if not self.hides_settings:
            return
        state = state_of(link)
        # a page that is no operator's has one setting, of its own name
        settings = [p.name for key in state.operators for p in operator_class(key).parameters()]
        settings = settings or [state.key]
        if not set(self.hides_settings) <= set(settings):
            rule = _("it must be one of {options}.").format(options=", ".join(settings))
            raise Error(rule, "hides_settings")


def right_is(text: str) -> str:
    """What is wrong with an answer of which no mistake is known."""
    return _("The right answer is {answer}.").format(answer=text)


@dataclass(frozen=True)
class Places:
    """The place that the right answer should have among all answers, in twelfths of their number.

    Attributes:
        middle: the share of the answers that have more in common with the others.
        size: the share of the answers that are larger.
    """

    middle: int
    size: int


def places(dice: Dice) -> Places:
    """Random places."""
    return Places(dice.below(_TWELFTHS), dice.below(_TWELFTHS))


def evened(right: Answer, wrong: Sequence[Answer], dice: Dice) -> list[Answer]:
    """Up to three of the wrong answers; :func:`weighed` with random places."""
    return weighed(right, wrong, places(dice))[1]


def weighed(right: Answer, wrong: Sequence[Answer], wanted: Places) -> tuple[float, list[Answer]]:
    """Up to three of the wrong answers, and the right one's distance from its intended places.

    Most wrong answers are the right one with one change. Chosen freely, the right one would be
    the one with most in common with the others, and neither the largest nor the smallest. So both
    places are drawn first, and the three answers that come nearest to them are taken; of equally
    good ones, the first.

    Args:
        right: the right answer.
        wrong: any number, likeliest first; only the first nine are compared.
        wanted: the two places.
    """
    count = min(len(wrong), MOST_WRONG)
    answers = [right, *wrong[:_MOST_WEIGHED]]
    tokens = [_tokens(answer.text) for answer in answers]
    alike = [[sum(map(str.__eq__, one, other)) for other in tokens] for one in tokens]
    amount = [sum(float(token) for token in one if _is_number(token)) for one in tokens]
    middle = wanted.middle * (count + 1) // _TWELFTHS
    size = wanted.size * (count + 1) // _TWELFTHS

    def far(chosen: tuple[int, ...]) -> float:
        four = (0, *chosen)
        shared = [sum(alike[i][j] for j in four if j != i) for i in four]
        sized = _place([amount[i] for i in four])
        return abs(_place(shared) - middle) + abs(sized - size)

    nearest = min(combinations(range(1, len(answers)), count), key=far)
    return far(nearest), [answers[i] for i in nearest]


def _place(scores: Sequence[float]) -> float:
    """How many of the others are greater than the first; an equal one counts half."""
    return sum((score > scores[0]) + (score == scores[0]) / 2 for score in scores[1:])


def _tokens(text: str) -> list[str]:
    return re.findall(r"-?\d+(?:\.\d+)?|[^\W\d]\w*", text)


def _is_number(token: str) -> bool:
    return token[-1].isdigit() and token.lstrip("-")[0].isdigit() and "_" not in token
