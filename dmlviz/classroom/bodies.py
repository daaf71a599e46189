"""What the bodies of requests say, as values: see :mod:`dmlviz.classroom.routes`."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType, inspect
from starlette.requests import Request

from dmlviz.classroom import phases
from dmlviz.classroom.guard import MOST_BODY, read_object
from dmlviz.classroom.phases import LEAST_SECONDS, MOST_SECONDS, Class
from dmlviz.classroom.polls import MOST_POLLS
from dmlviz.classroom.refusals import Invalid, Stale
from dmlviz.classroom.store import MOST_DEVICES, MOST_SEQ
from dmlviz.decoding import InvalidValue, decode
from dmlviz.errors import Error
from dmlviz.words import _

MOST_TITLE = 200
"""The most characters of a class's title."""

MOST_HANDS = 64
"""The most different answers in a show of hands."""

_ACTIONS = ("to", "paused", "seconds", "bars", "step", "locked", "per_address")

Question = Annotated[int, Meta(ge=0, le=1_000)]
Round = Annotated[int, Meta(ge=1, le=2)]
Seq = Annotated[int, Meta(ge=0, le=MOST_SEQ)]

_T = TypeVar("_T", bound=Struct)


class Opening(Struct, frozen=True):
    """A class to open; its questions are not checked yet."""

    questions: Any = None
    title: Annotated[str, Meta(max_length=MOST_TITLE)] = ""
    seconds: Annotated[int, Meta(ge=0, le=MOST_SECONDS)] = 0

    def __post_init__(self) -> None:
        """Check what a type cannot say.

        Raises:
            Error: the title has more than one line, or the clock is too short.
        """
        if not self.title.isprintable():
            raise Error(_title())
        if self.seconds and self.seconds < LEAST_SECONDS:
            raise Error(out_of_range("seconds", LEAST_SECONDS, MOST_SECONDS))


class Voting(Struct, frozen=True):
    """An answer to a question in a round."""

    question: Question
    round: Round
    seq: Seq
    answer: Any = None


class Losing(Struct, frozen=True):
    """Whether a learner is lost."""

    lost: bool


class Removing(Struct, frozen=True):
    """The devices of a burst."""

    origin: Annotated[int, Meta(ge=0, le=2**16 - 1)]
    first: Seq
    last: Seq


class Hands(Struct, frozen=True):
    """A show of hands: answers, in any spelling, and how many there are of each."""

    question: Question
    round: Round
    counts: Annotated[
        dict[str, Annotated[int, Meta(ge=0, le=MOST_DEVICES)]], Meta(max_length=MOST_HANDS)
    ]


class Change(Struct, frozen=True):
    """A teacher's change of the class at a version: exactly one of ``to`` (with ``number``),
    ``paused``, ``seconds``, ``bars``, ``step``, ``locked`` and ``per_address``.
    """

    version: Annotated[int, Meta(ge=0, le=2**31 - 2)]
    to: Any = UNSET
    number: Annotated[int, Meta(ge=0, le=MOST_POLLS)] | UnsetType = UNSET
    paused: bool | UnsetType = UNSET
    seconds: Annotated[int, Meta(ge=0, le=MOST_SECONDS)] | UnsetType = UNSET
    bars: bool | UnsetType = UNSET
    step: Annotated[int, Meta(ge=phases.FREE, le=phases.MOST_STEP)] | UnsetType = UNSET
    locked: bool | UnsetType = UNSET
    per_address: Annotated[int, Meta(ge=1, le=MOST_DEVICES)] | UnsetType = UNSET

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
        if self.bars is not UNSET:
            return phases.show(current, now, bars=self.bars)
        if self.step is not UNSET:
            return phases.show(current, now, step=self.step)
        if self.locked is not UNSET:
            return phases.admit(current, locked=self.locked)
        if self.per_address is not UNSET:
            return phases.admit(current, per_address=self.per_address)
        number = None if self.number is UNSET else self.number
        return phases.move(current, self.to, now, number=number)


async def read_body(request: Request, kind: type[_T], most: int = MOST_BODY) -> _T:
    """The body of a request.

    Args:
        request: with a JSON object.
        kind: what it has to say; more is ignored.
        most: bytes of the body.

    Raises:
        NotJson, TooLong: as :func:`dmlviz.classroom.guard.read_object` has it.
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
        case inspect.StrType():
            return _title()
        case inspect.DictType():
            return _("counts: each answer needs a number.")
    return error.rule


def out_of_range(field: str, least: int | None, most: int | None) -> str:
    """The sentence about a number that is none or is not between two others."""
    sentence = _("{field} is not a whole number from {least} to {most}.")
    return sentence.format(field=field, least=least, most=most)


def _title() -> str:
    return _("title: it must be one short line of text.")
