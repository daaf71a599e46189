"""Answers to choose from; wrong ones are chosen so that the options do not reveal the right one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from msgspec import Struct

from dmlviz.operators.settings import Dice

MOST_WRONG = 3
"""The limit of wrong answers of a question."""

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
