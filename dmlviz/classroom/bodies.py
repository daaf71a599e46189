"""What the bodies of requests say, as values: see :mod:`dmlviz.classroom.routes`."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, inspect
from starlette.requests import Request

from dmlviz.base.decoding import InvalidValue, decode
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.classroom import phases
from dmlviz.classroom.asking import MOST_BODY, read_object
from dmlviz.classroom.counting import DEVICE_LETTERS
from dmlviz.classroom.database import MOST_DEVICES
from dmlviz.classroom.phase_table import MOST_SECONDS, ROUNDS, WRITTEN_ROUND
from dmlviz.classroom.phases import LEAST_SECONDS, USUAL, Class, ClassOptions
from dmlviz.classroom.polls import MOST_POLLS, one_line
from dmlviz.classroom.refusals import Invalid, Stale
from dmlviz.classroom.store import MOST_SEQ

MOST_TITLE = 200
"""The most characters of a class's title."""

MOST_HANDS = 64
"""The most different answers in a show of hands."""

# what changes nothing else
_PLAIN = ("bars", "invites", "step", "locked", "per_address", "options")
_ACTIONS = ("to", "paused", "seconds", "more", *_PLAIN)

Question = Annotated[int, Meta(ge=0, le=1_000)]
Round = Annotated[int, Meta(ge=1, le=ROUNDS[-1])]
Seq = Annotated[int, Meta(ge=0, le=MOST_SEQ)]

Device = Annotated[str, Meta(pattern=rf"\A[0-9a-f]{{{DEVICE_LETTERS}}}\Z")]

_T = TypeVar("_T", bound=Struct)

MOST_NICKNAME = 20
"""The most characters of a nickname."""


class Opening(Struct, frozen=True):
    """A class to open; its questions are not checked yet."""

    questions: Any = None
    title: Annotated[str, Meta(max_length=MOST_TITLE)] = ""
    seconds: Annotated[int, Meta(ge=0, le=MOST_SECONDS)] = 0
    options: ClassOptions = USUAL

    def __post_init__(self) -> None:
        """Check what a type cannot say.

        Raises:
            Error: the title has more than one line, or the clock is too short.
        """
        if not self.title.isprintable():
            raise Error(_title())
        if self.seconds and self.seconds < LEAST_SECONDS:
            raise Error(out_of_range("seconds", LEAST_SECONDS, MOST_SECONDS))


class Joining(Struct, frozen=True):
    """A device that joins, or asks for its state again: the question that it wants to see at its
    own pace, and its learner's nickname.
    """

    question: Question | UnsetType = UNSET
    nickname: Annotated[str, Meta(max_length=MOST_TITLE)] | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Check the nickname.

        Raises:
            Error: it is none.
        """
        if self.nickname is not UNSET:
            read_nickname(self.nickname)


class Voting(Struct, frozen=True):
    """An answer to a question in a round."""

    question: Question
    round: Annotated[int, Meta(ge=WRITTEN_ROUND, le=ROUNDS[-1])]
    seq: Seq
    answer: Any = None


class Losing(Struct, frozen=True):
    """Whether a learner is lost."""

    lost: bool


class Removing(Struct, frozen=True):
    """The devices of a burst, or the device of a person."""

    origin: Annotated[int, Meta(ge=0, le=2**16 - 1)] = 0
    first: Seq = 0
    last: Seq | UnsetType = UNSET
    device: Device | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Check that it names one or the other.

        Raises:
            Error: it names both or neither.
        """
        if (self.last is UNSET) == (self.device is UNSET):
            names = "last, device"
            raise Error(_("Exactly one of {names} is needed.").format(names=names))


class Hiding(Struct, frozen=True):
    """A sentence that the wall must not show: its question, and the device that wrote it."""

    question: Question
    device: Device


class Hands(Struct, frozen=True):
    """A show of hands: answers, in any spelling, and how many there are of each."""

    question: Question
    round: Round
    counts: Annotated[
        dict[str, Annotated[int, Meta(ge=0, le=MOST_DEVICES)]], Meta(max_length=MOST_HANDS)
    ]


class Change(Struct, frozen=True):
    """A teacher's change of the class at a version: exactly one of ``to`` (with ``number``),
    ``paused``, ``seconds``, ``more``, ``bars``, ``invites``, ``step``, ``locked``, ``per_address``
    and ``options``, which are all of them.
    """

    version: Annotated[int, Meta(ge=0, le=2**31 - 2)]
    to: Any = UNSET
    number: Annotated[int, Meta(ge=0, le=MOST_POLLS)] | UnsetType = UNSET
    paused: bool | UnsetType = UNSET
    seconds: Annotated[int, Meta(ge=0, le=MOST_SECONDS)] | UnsetType = UNSET
    more: Annotated[int, Meta(ge=1, le=MOST_SECONDS)] | UnsetType = UNSET
    bars: bool | UnsetType = UNSET
    invites: bool | UnsetType = UNSET
    step: Annotated[int, Meta(ge=phases.FREE, le=phases.MOST_STEP)] | UnsetType = UNSET
    locked: bool | UnsetType = UNSET
    per_address: Annotated[int, Meta(ge=1, le=MOST_DEVICES)] | UnsetType = UNSET
    options: ClassOptions | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Check that there is one change.

        Raises:
            Error: there is none, or there are several.
        """
        if sum(getattr(self, name) is not UNSET for name in _ACTIONS) != 1:
            names = ", ".join(_ACTIONS)
            raise Error(_("Exactly one of {names} is needed.").format(names=names))

    @property
    def admits(self) -> bool:
        """Whether it is about who can join."""
        return self.locked is not UNSET or self.per_address is not UNSET

    def apply(self, current: Class, now: int) -> Class:
        """The changed class.

        Raises:
            Stale: the class has another version.
            NotNow: the change is not possible now.
        """
        if current.version != self.version:
            raise Stale
        if self.paused is not UNSET:
            return phases.pause(current, self.paused, now)
        if self.seconds is not UNSET:
            return phases.set_clock(current, self.seconds, now)
        if self.more is not UNSET:
            return phases.extend(current, self.more, now)
        plain = {name: getattr(self, name) for name in _PLAIN if getattr(self, name) is not UNSET}
        if plain:
            return phases.adjust(current, now, **plain)
        number = None if self.number is UNSET else self.number
        return phases.move(current, self.to, now, number=number)


async def read_body(request: Request, kind: type[_T], most: int = MOST_BODY) -> _T:
    """The body of a request.

    Args:
        request: with a JSON object.
        kind: what it has to say; more is ignored.
        most: bytes of the body.

    Raises:
        NotJson, TooLong: as :func:`dmlviz.classroom.asking.read_object` has it.
        Invalid: a field is missing or has another type or value.
    """
    body = await read_object(request, most)
    try:
        return decode(body, kind)
    except InvalidValue as error:
        raise Invalid(_sentence(error)) from None


def _sentence(error: InvalidValue) -> str:
    match error.expected:
        case inspect.IntType(ge=least, le=most):
            return out_of_range(error.place, least, most)
        case inspect.BoolType():
            return _("{field} is neither true nor false.").format(field=error.place)
        case inspect.StrType() if error.place == "title":
            return _title()
        case inspect.DictType():
            return _("counts: each answer needs a number.")
    return str(error)


def out_of_range(field: str, least: int | None, most: int | None) -> str:
    """The sentence about a number that is none or is not between two others."""
    sentence = _("{field} is not a whole number from {least} to {most}.")
    return sentence.format(field=field, least=least, most=most)


def _title() -> str:
    return _("title: it must be one short line of text.")


def read_nickname(text: str) -> str:
    """A nickname in its normal form, with single spaces; empty for none.

    Raises:
        Error: it is too long, or it has characters that are no part of a name, such as those that
            turn the direction of a line.

    >>> read_nickname("  Ada   L. ")
    'Ada L.'
    """
    name = one_line(text)
    if name is None or len(name) > MOST_NICKNAME:
        sentence = _("nickname: it is one line of at most {most} characters.")
        raise Error(sentence.format(most=MOST_NICKNAME))
    return name
