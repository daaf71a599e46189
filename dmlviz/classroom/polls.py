"""A question for a class as data, and its valid answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from math import prod
from typing import Any

from dmlviz.addresses import split_link
from dmlviz.errors import Error
from dmlviz.kept import kept
from dmlviz.lessons.lesson import HIDES, SIZES
from dmlviz.states import read_link
from dmlviz.tensors import print_sizes, read_sizes, sizes_of
from dmlviz.words import _

KINDS = ("choice", "cell", "sizes", "value")
"""The kinds of answers: one of the choices, an element, sizes, or a number."""

MOST_POLLS = 60
"""The most questions of one class."""

MOST_CHOICES = 8
"""The most choices: A to H, or 1 to 8."""

MOST_TEXT = 2_000
"""The most characters of each text of a question and of its link."""

MOST_ANSWER = 80
"""The most characters of an answer as it is sent."""

MOST_CELLS = 1_000_000
"""The most elements of all tensors in which a cell can be tapped."""

REPEATS = ("lessons", "practice")
"""The pages that can ask a question again."""

_IN_APP = re.compile(r"/(?!/)")

CONSTANT = -1
"""The cell number that means "no element: a constant", as in a source map."""

_MOST_EXPONENT = 400


@dataclass(frozen=True)
class Choice:
    """One choice of a question.

    Attributes:
        text: the answer.
        misconception: the mistake behind this choice; empty if none is known.
    """

    text: str
    misconception: str = ""


@dataclass(frozen=True)
class Tensor:
    """A tensor in whose picture a cell can be tapped.

    Attributes:
        name: DirectML's, such as ``InputTensor``.
        sizes: the tensor's sizes.
    """

    name: str
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Poll:
    """One question.

    Attributes:
        key: its name within the class, such as ``padding-modes-3``.
        kind: one of :data:`KINDS`.
        prompt: the question.
        choices: for ``choice``, two to :data:`MOST_CHOICES`; otherwise none.
        answer: the right one, as :func:`read_answer` writes it: the number of a choice from
            0; a flat index counted across all ``tensors``, or -1 for a constant; sizes; a
            number.
        link: the address of its state, such as ``/tile?sizes=2,3``.
        tensors: for ``cell``, those that can be tapped, in order.
        misconceptions: for the other kinds, pairs of wrong answers and their misconceptions.
        hides: what the picture hides until the answer, one of
            :data:`dmlviz.lessons.lesson.HIDES`.
        told: what the teacher can say after the answer; often empty.
        following: what the teacher can ask next; often empty.
        repeat: the link for answering it again: a lesson's part or a practice question; empty if
            it is ``link``.
        settings: the operator and its settings on one line, without those in question; empty if
            nothing is known.
        background: what learners need to know first; often empty.
    """

    key: str
    kind: str
    prompt: str
    choices: tuple[Choice, ...]
    answer: str
    link: str
    tensors: tuple[Tensor, ...] = ()
    misconceptions: tuple[tuple[str, str], ...] = ()
    hides: str = SIZES
    told: str = ""
    following: str = ""
    repeat: str = ""
    settings: str = ""
    background: str = ""

    @property
    def compares(self) -> bool:
        """Whether its state compares two settings, which are called A and B."""
        return split_link(self.link).parameters.get("compare") == "true"

    def mark(self, number: int) -> str:
        """What a choice is called: a letter, or a number from 1 if A and B are settings."""
        return str(number + 1) if self.compares else chr(ord("A") + number)

    def misconception(self, answer: str) -> str:
        """The misconception behind an answer; empty for the right answer or if none is known."""
        if answer == self.answer:
            return ""
        if self.kind == "choice":
            return self.choices[int(answer)].misconception
        return dict(self.misconceptions).get(answer, "")

    def shown(self, answer: str) -> str:
        """An answer for people: a choice's mark and text, a cell's index, or the answer."""
        if self.kind == "cell":
            return self._cell(int(answer))
        if self.kind != "choice":
            return answer
        return f"{self.mark(int(answer))}: {self.choices[int(answer)].text}"

    def _cell(self, number: int) -> str:
        for tensor in self.tensors if number >= 0 else ():
            if number < (count := prod(tensor.sizes)):
                index: list[int] = []
                for size in reversed(tensor.sizes):
                    number, at = divmod(number, size)
                    index.insert(0, at)
                name = tensor.name if len(self.tensors) > 1 else "in"
                return f"{name}[{', '.join(map(str, index))}]"
            number -= count
        return _("No element: a constant")


def read_answer(poll: Poll, given: object) -> str:
    """An answer in its normal form, so that equal answers are equal strings.

    Args:
        poll: the question.
        given: a string of at most :data:`MOST_ANSWER` characters, or a whole number.

    Raises:
        Error: it is not a valid answer to this question.

    >>> poll = Poll("a", "value", "?", (), "2", "")
    >>> read_answer(poll, " 2.50 "), read_answer(poll, "-0"), read_answer(poll, "1e2")
    ('2.5', '0', '100')
    """
    if isinstance(given, bool) or not isinstance(given, str | int):
        raise _no_answer()
    # Python refuses to print a whole number with thousands of digits
    if isinstance(given, int) and abs(given) >= 10**MOST_ANSWER:
        raise _no_answer()
    text = str(given).strip().replace("−", "-")
    if not text or len(text) > MOST_ANSWER:
        raise _no_answer()
    if poll.kind == "choice":
        return _number(text, 0, len(poll.choices))
    if poll.kind == "cell":
        return _number(text, CONSTANT, sum(prod(t.sizes) for t in poll.tensors))
    if poll.kind == "sizes":
        return print_sizes(read_sizes(text))
    return _value(text)


def read_polls(given: object) -> tuple[Poll, ...]:
    """Read and check the questions of a class from JSON values.

    Raises:
        Error: a question is invalid; the message names the question and the field.
    """
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_POLLS:
        sentence = _("questions: a class has 1 to {most} questions.").format(most=MOST_POLLS)
        raise Error(sentence, "questions")
    polls = tuple(_poll(each, number) for number, each in enumerate(given, 1))
    if len({poll.key for poll in polls}) < len(polls):
        raise Error(_("questions: two questions have the same key."), "questions")
    return polls


def print_polls(polls: Sequence[Poll]) -> str:
    """The questions as the JSON that is stored."""
    return json.dumps([asdict(poll) for poll in polls], ensure_ascii=False)


@kept(megabytes=4, words=False)
def stored_polls(text: str) -> tuple[Poll, ...]:
    """The questions that :func:`print_polls` wrote; they are not checked again."""
    return tuple(_plain(each) for each in json.loads(text))


def _plain(each: Mapping[str, Any]) -> Poll:
    return Poll(
        key=each["key"],
        kind=each["kind"],
        prompt=each["prompt"],
        choices=tuple(Choice(**choice) for choice in each["choices"]),
        answer=each["answer"],
        link=each["link"],
        tensors=tuple(Tensor(t["name"], tuple(t["sizes"])) for t in each["tensors"]),
        misconceptions=tuple((wrong, why) for wrong, why in each["misconceptions"]),
        # classes opened by an earlier version lack these fields
        hides=each.get("hides", SIZES),
        told=each.get("told", ""),
        following=each.get("following", ""),
        repeat=each.get("repeat", ""),
        settings=each.get("settings", ""),
        background=each.get("background", ""),
    )


def _poll(each: object, number: int) -> Poll:
    if not isinstance(each, dict):
        raise _wrong(number, "question")
    for field in ("key", "kind", "prompt", "link"):
        if not _is_text(each.get(field)):
            raise _wrong(number, field)
    if each["kind"] not in KINDS:
        raise _wrong(number, "kind")
    for field in ("told", "following", "repeat", "settings", "background"):
        if not _is_text(each.get(field, ""), 0):
            raise _wrong(number, field)
    if each.get("hides", SIZES) not in HIDES:
        raise _wrong(number, "hides")
    choices = each.get("choices", [])
    tensors = each.get("tensors", [])
    misconceptions = each.get("misconceptions", [])
    if not _are_choices(choices, 2 if each["kind"] == "choice" else 0, each["kind"]):
        raise _wrong(number, "choices")
    if not _are_tensors(tensors, each["kind"]):
        raise _wrong(number, "tensors")
    if not _are_pairs(misconceptions):
        raise _wrong(number, "misconceptions")
    if read_link(each["link"]).problems:
        raise _wrong(number, "link")
    again = each.get("repeat", "")
    # only a link within the app: pages put it after their own address
    if again and (not _IN_APP.match(again) or split_link(again).page not in REPEATS):
        raise _wrong(number, "repeat")
    plain = {**each, "choices": [_choice(c) for c in choices], "tensors": tensors}
    poll = _plain({**plain, "answer": "", "misconceptions": []})
    try:
        answer = read_answer(poll, each.get("answer"))
        pairs = [(read_answer(poll, wrong), why) for wrong, why in misconceptions]
    except Error as error:
        raise _wrong(number, "answer") from error
    return _plain({**plain, "answer": answer, "misconceptions": pairs})


def _is_text(value: object, least: int = 1) -> bool:
    # JSON allows half of a surrogate pair, but it cannot be stored
    return (
        isinstance(value, str)
        and least <= len(value) <= MOST_TEXT
        and value.encode("utf-8", "replace").decode("utf-8") == value
        and "\0" not in value
    )


def _choice(given: Mapping[str, Any]) -> dict[str, str]:
    return {"text": given["text"], "misconception": given.get("misconception", "")}


def _are_choices(given: object, least: int, kind: str) -> bool:
    most = MOST_CHOICES if kind == "choice" else 0
    return (
        isinstance(given, list)
        and least <= len(given) <= most
        and all(
            isinstance(c, dict)
            and _is_text(c.get("text"))
            and _is_text(c.get("misconception", ""), 0)
            for c in given
        )
    )


def _are_tensors(given: object, kind: str) -> bool:
    if not isinstance(given, list) or bool(given) != (kind == "cell") or len(given) > 16:
        return False
    cells = 0
    for tensor in given:
        if not isinstance(tensor, dict) or not _is_text(tensor.get("name")):
            return False
        sizes = tensor.get("sizes")
        if not isinstance(sizes, list) or any(type(size) is not int for size in sizes):
            return False
        try:
            sizes_of(sizes)
        except Error:
            return False
        cells += prod(sizes)
    return cells <= MOST_CELLS


def _are_pairs(given: object) -> bool:
    return (
        isinstance(given, list)
        and len(given) <= 32
        and all(isinstance(p, list) and len(p) == 2 and _is_text(p[1]) for p in given)
    )


def _number(text: str, least: int, end: int) -> str:
    try:
        number = int(text)
    except ValueError:
        raise _no_answer() from None
    if not least <= number < end:
        raise _no_answer()
    return str(number)


def _value(text: str) -> str:
    try:
        number = Decimal(text)
    except InvalidOperation:
        raise _no_answer() from None
    if number.is_nan():
        return "nan"
    if number.is_infinite():
        return "inf" if number > 0 else "-inf"
    if abs(number.adjusted()) > _MOST_EXPONENT:
        raise _no_answer()
    if number == 0:
        return "0"
    plain = format(number.normalize(), "f")
    return plain if len(plain) <= MOST_ANSWER else str(number.normalize())


def _no_answer() -> Error:
    return Error(_("This is not an answer to the question."), "answer")


def _wrong(number: int, field: str) -> Error:
    sentence = _("Question {number}: {field} is missing or invalid.")
    return Error(sentence.format(number=number, field=field), field)
