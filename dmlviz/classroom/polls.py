"""A question for a class as data, and its valid answers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from math import prod
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta, Struct, field
from msgspec.structs import asdict, replace

from dmlviz.base.addresses import IN_APP, split_link
from dmlviz.base.cache import cached
from dmlviz.base.decoding import InvalidValue, decode
from dmlviz.base.deferred import regex
from dmlviz.base.errors import Error
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _, language
from dmlviz.states.pages import is_code, read_any_link
from dmlviz.teaching.answer_inputs import (
    CHOICE,
    CONSTANT,
    INPUTS,
    MOST_ANSWER,
    NONE,
    AnswerInput,
)
from dmlviz.teaching.answers import SIZES, Hides
from dmlviz.teaching.sets import MOST_MINUTES
from dmlviz.tensors import sizes_of
from dmlviz.tensors.numbering import print_element, usual_name

Kind = Literal["choice", "cell", "sizes", "value", "text", "discussion"]
"""How answers are given: see :data:`dmlviz.teaching.answer_inputs.INPUTS`."""

MOST_POLLS = 60
"""The most questions of one class."""

MOST_CHOICES = 8
"""The most choices: A to H, or 1 to 8."""

MOST_TEXT = 2_000
"""The most characters of each text of a question and of its link."""

MOST_TRANSLATIONS = 4
"""The most other languages of a question."""

MOST_SENTENCE = 140
"""The most characters of a sentence that a learner writes about a question."""

MOST_CELLS = 1_000_000
"""The most elements of all tensors in which a cell can be tapped."""

REPEATS = ("lessons", "practice")
"""The pages that can ask a question again."""

_IN_APP = regex(IN_APP)

_MOST_MARKS = 2  # above or below one letter, as Vietnamese has them

# JSON allows half of a surrogate pair, but it cannot be stored
_STORABLE = r"\A[^\0\ud800-\udfff]*\Z"

Text = Annotated[str, Meta(max_length=MOST_TEXT, pattern=_STORABLE)]
"""A text of a question, which may be empty."""

Words = Annotated[str, Meta(min_length=1, max_length=MOST_TEXT, pattern=_STORABLE)]
"""A text of a question, with at least one character."""


class AnswerChoice(Struct, frozen=True):
    """One choice of a question.

    Attributes:
        text: the answer.
        misconception: the mistake behind this choice; empty if none is known.
    """

    text: Words
    misconception: Text = ""


class TappedTensor(Struct, frozen=True):
    """A tensor in whose picture a cell can be tapped.

    Attributes:
        name: DirectML's, such as ``InputTensor``.
        sizes: the tensor's sizes.
    """

    name: Words
    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        """Check the sizes.

        Raises:
            Error: they are not a tensor's.
        """
        sizes_of(self.sizes)


class PollTexts(Struct, frozen=True):
    """The texts of a question in one language; the attributes are those of :class:`Poll`."""

    prompt: Words
    choices: Annotated[tuple[AnswerChoice, ...], Meta(max_length=MOST_CHOICES)] = ()
    misconceptions: Annotated[tuple[tuple[str, Words], ...], Meta(max_length=32)] = ()
    reveal: Text = field(name="told", default="")
    following: Text = ""
    settings: Text = ""
    background: Text = ""


class Poll(Struct, frozen=True):
    """One question, as it is sent and stored.

    Attributes:
        key: its name within the class, such as ``padding-modes-3``.
        kind: how an answer is given.
        prompt: the question.
        choices: for ``choice``, two to :data:`MOST_CHOICES`; otherwise none.
        answer: the right one, as :func:`read_answer` writes it: the number of a choice from
            0; a flat index counted across all ``tensors``, or -1 for a constant; sizes; a
            number; empty for a discussion.
        link: the address of its state, such as ``/tile?sizes=2,3``; empty for a question without a
            picture, which has choices or is a discussion.
        tensors: for ``cell``, those that can be tapped, in order.
        misconceptions: for the other kinds, pairs of wrong answers and their misconceptions.
        hides: what the picture hides until the answer.
        reveal: what the teacher can say after the answer; often empty. JSON calls it ``told``.
        following: what the teacher can ask next; often empty.
        repeat: the link for answering it again: a lesson's part or a practice question; empty if
            it is ``link``.
        settings: the operator and its settings on one line, without those in question; empty if
            nothing is known.
        background: what learners need to know first; often empty.
        minutes: that its part of a class takes; 0 if that is not known.
        notes: of the teacher, for the teacher alone; often empty.
        translations: pairs of another language, such as ``ko``, and the texts in it; without one,
            the texts are as the class was opened. What a teacher has written is in none.
    """

    key: Words
    kind: Kind
    prompt: Words
    choices: Annotated[tuple[AnswerChoice, ...], Meta(max_length=MOST_CHOICES)]
    answer: str
    link: Text
    tensors: Annotated[tuple[TappedTensor, ...], Meta(max_length=16)] = ()
    misconceptions: Annotated[tuple[tuple[str, Words], ...], Meta(max_length=32)] = ()
    hides: Hides = SIZES
    reveal: Text = field(name="told", default="")
    following: Text = ""
    repeat: Text = ""
    settings: Text = ""
    background: Text = ""
    minutes: Annotated[int, Meta(ge=0, le=MOST_MINUTES)] = 0
    notes: Text = ""
    translations: Annotated[
        tuple[tuple[str, PollTexts], ...], Meta(max_length=MOST_TRANSLATIONS)
    ] = ()

    def spoken(self) -> Poll:
        """The question in the language of this thread, if there are texts in it."""
        texts = dict(self.translations).get(language())
        return replace(self, **asdict(texts)) if texts else self

    @property
    def input(self) -> AnswerInput:
        """How an answer is given."""
        return INPUTS[self.kind]

    @property
    def votes(self) -> bool:
        """Whether learners vote on it; otherwise they talk about it."""
        return self.input is not NONE

    @property
    def numbers(self) -> range:
        """All answers, if they are numbers of choices or of cells."""
        if self.choices:
            return range(len(self.choices))
        return range(CONSTANT, sum(prod(tensor.sizes) for tensor in self.tensors))

    @property
    def compares(self) -> bool:
        """Whether its state compares two settings or two codes, which are called A and B."""
        return split_link(self.link).parameters.get("compare", "false") != "false"

    @property
    def runs_code(self) -> bool:
        """Whether its settings are lines of code, each after a library or below it."""
        return is_code(self.link)

    @property
    def expected(self) -> frozenset[str]:
        """The typed answers that are right, or whose misconception is known."""
        return frozenset((self.answer, *(wrong for wrong, _why in self.misconceptions)))

    def mark(self, number: int) -> str:
        """What a choice is called: a letter, or a number from 1 if A and B are other settings."""
        letters = "ABCDEFGH"
        pairs = zip(letters, self.choices, strict=False)
        same = all(f"{letter}: {choice.text}" in self.settings for letter, choice in pairs)
        return letters[number] if same or not self.compares else str(number + 1)

    def misconception(self, answer: str) -> str:
        """The misconception behind an answer; empty for the right answer or if none is known."""
        if answer == self.answer:
            return ""
        if self.choices:
            return self.choices[int(answer)].misconception
        return dict(self.misconceptions).get(answer, "")

    def answer_text(self, answer: str) -> str:
        """An answer for people: a choice's mark and text, a cell's index, or the answer."""
        if self.tensors:
            return self._cell(int(answer))
        if not self.choices:
            return answer
        return f"{self.mark(int(answer))}: {self.choices[int(answer)].text}"

    def _cell(self, number: int) -> str:
        for tensor in self.tensors if number >= 0 else ():
            if number < (count := prod(tensor.sizes)):
                name = tensor.name
                name = name if len(self.tensors) > 1 else usual_name(name, "in")
                return print_element(name, np.unravel_index(number, tensor.sizes))
            number -= count
        return _("No element: a constant")


def read_answer(poll: Poll, answer: object) -> str:
    """An answer in its normal form, so that equal answers are equal strings.

    Args:
        poll: the question.
        answer: a string of at most :data:`MOST_ANSWER` characters, or a whole number.

    Raises:
        Error: it is not a valid answer to this question.

    >>> poll = Poll("a", "value", "?", (), "2", "")
    >>> read_answer(poll, " 2.50 "), read_answer(poll, "-0"), read_answer(poll, "1e2")
    ('2.5', '0', '100')
    """
    text = _typed(answer)
    spelled = poll.input.read(text, poll.numbers) if 0 < len(text) <= MOST_ANSWER else None
    if spelled is None:
        least, most = poll.numbers[0], poll.numbers[-1]
        rule = poll.input.rule()
        raise Error(rule.format(text=excerpt(text, 24), least=least, most=most), "answer")
    return spelled


def read_sentence(text: object) -> str:
    """A sentence that a learner writes about a question, with single spaces.

    Args:
        text: as it was sent.

    Raises:
        Error: it is no text, is empty or too long, or has characters that are no part of a line,
            such as those that turn its direction.

    >>> read_sentence("  It counts   from 0. ")
    'It counts from 0.'
    """
    line = one_line(text) if isinstance(text, str) else None
    if not line or len(line) > MOST_SENTENCE:
        rule = _("answer: it must be one line of 1 to {most} characters.")
        raise Error(rule.format(most=MOST_SENTENCE), "answer")
    return line


def one_line(text: str) -> str | None:
    """A text on one line with single spaces, in Unicode's form C; None if it has characters that
    are no part of a line, or more marks over one letter than any language has.
    """
    line = unicodedata.normalize("NFC", " ".join(text.split()))
    marks = 0
    for letter in line:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks > _MOST_MARKS:
            return None
    return line if line.isprintable() else None


def read_polls(questions: object) -> tuple[Poll, ...]:
    """Read and check the questions of a class from JSON values.

    Raises:
        Error: a question is invalid; the message names the question and the field.
    """
    if not isinstance(questions, list) or not 1 <= len(questions) <= MOST_POLLS:
        sentence = _("questions: a class has 1 to {most} questions.").format(most=MOST_POLLS)
        raise Error(sentence, "questions")
    polls = tuple(_read_poll(question, number) for number, question in enumerate(questions, 1))
    if len({poll.key for poll in polls}) < len(polls):
        raise Error(_("questions: two questions have the same key."), "questions")
    return polls


def print_polls(polls: Sequence[Poll]) -> str:
    """The questions as the JSON that is stored."""
    return msgspec.json.encode(polls).decode()


@cached(megabytes=4, words=False)
def stored_polls(text: str) -> tuple[Poll, ...]:
    """The questions that :func:`print_polls` wrote, also in an earlier version."""
    return msgspec.json.decode(text, type=tuple[Poll, ...])


_Pair = tuple[str | int, Words]


class _SentPoll(Poll, frozen=True, kw_only=True):
    """A question as it is sent: a whole number can be an answer, too."""

    choices: Annotated[tuple[AnswerChoice, ...], Meta(max_length=MOST_CHOICES)] = ()
    answer: str | int  # type: ignore[assignment]
    misconceptions: Annotated[tuple[_Pair, ...], Meta(max_length=32)] = ()  # type: ignore[assignment]


def _read_poll(question: object, number: int) -> Poll:
    try:
        poll = decode(question, _SentPoll)
        _check_links(poll, number)
        _check(poll)
        try:
            answer = read_answer(poll, poll.answer) if poll.votes else ""
            pairs = tuple((read_answer(poll, wrong), why) for wrong, why in poll.misconceptions)
        except Error as error:
            raise Error(str(error), "answer") from error
    except _ForeignLink:
        raise
    except Error as error:
        place = error.place if isinstance(error, InvalidValue) else error.field
        name = re.split(r"[.\[]", place)[0] or "question"
        sentence = _("Question {number}: {field} is missing or invalid.")
        raise Error(sentence.format(number=number, field=name), name) from error
    return Poll(**{**asdict(poll), "answer": answer, "misconceptions": pairs})


class _ForeignLink(Error):
    """A link leads to another site."""


def _check_links(poll: Poll, number: int) -> None:
    """Check that links are the app's own: pages and reports put them after its address.

    Raises:
        _ForeignLink: one is not.
    """
    for field_, link in (("link", poll.link), ("repeat", poll.repeat)):
        if link and not _IN_APP.fullmatch(link):
            sentence = _(
                "Question {number}: {field} {link} is not the address of a page of this site, "
                "such as /tile?sizes=2,3."
            )
            text = excerpt(link, 60)
            raise _ForeignLink(sentence.format(number=number, field=field_, link=text), field_)


def _check(poll: Poll) -> None:
    """Check what one field says about another.

    Raises:
        Error: the field with this name is invalid.
    """
    if not (len(poll.choices) >= 2 if poll.input is CHOICE else not poll.choices):
        raise Error("", "choices")
    cells = sum(prod(tensor.sizes) for tensor in poll.tensors)
    if not poll.votes and poll.answer != "":
        raise Error("", "answer")
    if any(len(texts.choices) != len(poll.choices) for _name, texts in poll.translations):
        raise Error("", "translations")
    if bool(poll.tensors) != (poll.input.offers == "tensors") or cells > MOST_CELLS:
        raise Error("", "tensors")
    # without a picture, words are all that there is to choose from
    if read_any_link(poll.link).problems if poll.link else not (poll.choices or not poll.votes):
        raise Error("", "link")
    if poll.repeat and split_link(poll.repeat).page not in REPEATS:
        raise Error("", "repeat")


def _typed(answer: object) -> str:
    """An answer as text; empty if it is neither text nor a whole number of few digits."""
    if isinstance(answer, bool) or not isinstance(answer, str | int):
        return ""
    # Python refuses to print a whole number with thousands of digits
    if isinstance(answer, int) and abs(answer) >= 10**MOST_ANSWER:
        return ""
    return str(answer).strip().replace("−", "-")
