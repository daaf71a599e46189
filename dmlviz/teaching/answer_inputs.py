"""How an answer is given: chosen, tapped in a picture, or typed; and how each is read and told.

Pages for a class have one control for each of these and know nothing else of a question. A kind of
question (:mod:`dmlviz.teaching.kinds`) says which one its answers are given with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from types import MappingProxyType

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.tensors import print_sizes, read_sizes

MOST_ANSWER = 80
"""The most characters of an answer as it is sent."""

CONSTANT = -1
"""The place that means "no element: a constant", as in a source map."""

_MOST_EXPONENT = 400
_TEXT = regex(r"[^\x00-\x1f\x7f\ud800-\udfff]{1,40}")


def _nowhere() -> str:
    return ""


@dataclass(frozen=True)
class AnswerInput:
    """One way of giving an answer.

    Attributes:
        name: what pages call it; empty if nothing can be given.
        stored: its name in questions of a class, as they are sent and stored.
        read: gives a text in its normal form, so that equal answers are equal strings, or None if
            it is not an answer; and gets the numbers of all answers, where these are numbers.
        rule: a sentence with ``{text}``, which is not an answer, and how one is written.
        offers: the field of a question that has what can be given: ``choices`` or ``tensors``;
            empty if the answer is typed.
        invitation: what a wall says while learners answer.
        label: of the field to type in.
        instead: how learners answer in a class, said beside choices that their phones do not show.
    """

    name: str
    stored: str
    read: Callable[[str, range], str | None]
    rule: Callable[[], str]
    offers: str = ""
    invitation: Callable[[], str] = _nowhere
    label: Callable[[], str] = _nowhere
    instead: Callable[[], str] = _nowhere


def _number_of(text: str, numbers: range) -> str | None:
    try:
        number = int(text)
    except ValueError:
        return None
    return str(number) if number in numbers else None


def _sizes(text: str, _numbers: range) -> str | None:
    try:
        return print_sizes(read_sizes(text, least_rank=0))
    except Error:
        return None


def _value(text: str, _numbers: range) -> str | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    if number.is_nan():
        return "nan"
    if number.is_infinite():
        return "inf" if number > 0 else "-inf"
    if abs(number.adjusted()) > _MOST_EXPONENT:
        return None
    if number == 0:
        return "0"
    plain = format(number.normalize(), "f")
    return plain if len(plain) <= MOST_ANSWER else str(number.normalize())


def _line(text: str, _numbers: range) -> str | None:
    line = " ".join(text.split()).casefold()
    return line if _TEXT.fullmatch(line) else None


def _one_of_numbers() -> str:
    return _("{text} is not one of the answers, the whole numbers from {least} to {most}.")


CHOICE = AnswerInput("choice", "choice", _number_of, _one_of_numbers, "choices")

PLACE = AnswerInput(
    "place",
    "cell",
    _number_of,
    _one_of_numbers,
    "tensors",
    invitation=lambda: _("Tap the element on your phone"),
    instead=lambda: _("In a class, learners tap the element on their phones instead of choosing."),
)

# the examples of the rules are unlikely answers
SIZES_TYPED = AnswerInput(
    "sizes",
    "sizes",
    _sizes,
    lambda: _(
        "{text} is not a list of sizes. "
        "Type whole numbers from 1 up, separated by commas, such as 7, 11, 13."
    ),
    invitation=lambda: _("Type the sizes on your phone"),
    label=lambda: _("Sizes, separated by commas"),
    instead=lambda: _("In a class, learners type the sizes on their phones instead of choosing."),
)

NUMBER = AnswerInput(
    "number",
    "value",
    _value,
    lambda: _("{text} is not a number that can be an answer. Type one such as 12 or -0.5."),
    invitation=lambda: _("Type the number on your phone"),
    label=lambda: _("A number"),
    instead=lambda: _("In a class, learners type the number on their phones instead of choosing."),
)

TEXT = AnswerInput(
    "text",
    "text",
    _line,
    lambda: _("{text} is not an answer of 1 to 40 characters."),
    invitation=lambda: _("Type the answer on your phone"),
    label=lambda: _("Your answer"),
    instead=lambda: _("In a class, learners type the answer on their phones instead of choosing."),
)

NONE = AnswerInput(
    "",
    "discussion",
    lambda _text, _numbers: None,
    lambda: _("This question is to talk about: answers to it are not counted."),
    instead=lambda: _("In a class, learners talk about it and do not vote."),
)

INPUTS: Mapping[str, AnswerInput] = MappingProxyType(
    {each.stored: each for each in (CHOICE, PLACE, SIZES_TYPED, NUMBER, TEXT, NONE)}
)
"""Each way, by its name in stored questions."""
