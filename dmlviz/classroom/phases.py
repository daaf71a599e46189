"""The phases of a class, the moves between them, and the options that its teacher chooses."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from dmlviz.base.deferred import dataclass
from dmlviz.classroom.polls import Poll
from dmlviz.classroom.refusals import NotNow
from dmlviz.teaching.sets import MOST_MINUTES

MOST_DISCUSSION = 600
"""The most seconds of a discussion's clock."""

Nicknames = Literal["none", "teacher", "wall"]
"""Who sees nicknames: nobody can give one, only the teacher does, or the wall shows them too."""

Theme = Literal["screen", "light", "dark"]
"""The wall's colors: those that its screen prefers, or always the same."""

ALONE = "alone"
"""The phase in which everybody answers all questions at their own pace."""

PHASES = ("join", "ask", "closed", "discuss", "again", "closed_again", "reveal", ALONE, "over")
"""In the order of a question; ``join`` is before the first question, ``over`` after the last."""

FOLLOWING: Mapping[str, tuple[str, ...]] = {
    "join": ("ask", ALONE),
    "ask": ("closed",),
    "closed": ("discuss", "again", "reveal", "ask"),
    "discuss": ("again", "reveal"),
    "again": ("closed_again",),
    "closed_again": ("reveal", "again"),
    "reveal": ("ask", "over", ALONE),
    ALONE: ("join", "reveal", "over"),
    "over": ("reveal", ALONE),
}
"""Which phases can follow each phase; ``closed`` to ``ask`` reopens the same vote. After ``alone``,
only the phase before it can; see :attr:`Class.following`."""

VOTES = ("ask", "again")
"""The phases in which everybody votes on the same question."""

OPEN = (*VOTES, ALONE)
"""The phases in which answers count."""

ALONE_ROUND = 0
"""The round of answers at one's own pace: the first answer to a question stays, because the device
then gets the right one."""

CLOCKS = (*VOTES, "discuss")
"""The phases in which a clock can run."""

LEAST_SECONDS, MOST_SECONDS = 10, 600
"""The range of a clock's seconds."""

FREE = -1
"""The step at which everybody can move freely."""

STANDS = 10_000_000
"""The step after every movement's last one: a reveal shows the answer with its reason, and the
movement that led to it waits for its key."""

MOST_STEP = STANDS + 1
"""The step at which the movement plays to its end."""

USUAL_PER_ADDRESS = 400
"""How many devices of one address can join until the teacher allows more: a large lecture behind
one address, and less than a class has room for."""

ALL_ANSWERED = 3_000
"""Milliseconds until a vote closes in which all have answered; the last one can change it once."""

GRACE = 1_000
"""Milliseconds of grace for votes in transit when the clock runs out."""


class ClassOptions(Struct, frozen=True):
    """The choices of one class, besides the clock of a vote and who can join.

    Attributes:
        discussion: seconds of the clock that runs during a discussion; 0 for no clock.
        finishes: whether a vote closes a moment after the last device that is here has answered.
        nicknames: who sees them; ``none`` means that nobody can give one.
        theme: the wall's colors.
    """

    discussion: Annotated[int, Meta(ge=0, le=MOST_DISCUSSION)] = 0
    finishes: bool = False
    nicknames: Nicknames = "none"
    theme: Theme = "screen"


USUAL = ClassOptions()
"""The choices of a class whose teacher has chosen nothing."""


def print_options(options: ClassOptions) -> str:
    """The options as the JSON that is stored."""
    return msgspec.json.encode(options).decode()


def read_options(text: str) -> ClassOptions:
    """The options that :func:`print_options` wrote, also in an earlier version."""
    return msgspec.json.decode(text, type=ClassOptions)


@dataclass(frozen=True)
class Class:
    """A class and its current state.

    Attributes:
        code: four letters that learners join with.
        title: shown to people.
        polls: its questions.
        number: of the current question, from 0.
        phase: one of :data:`PHASES`.
        round: 1, or 2 from ``again`` until the next question, or :data:`ALONE_ROUND`.
        seconds: the clock's seconds when a vote opens; 0 for no clock. A discussion has the minutes
            of its part or the seconds of ``options``.
        closes: when the clock runs out, in milliseconds since 1970 by the server's clock; 0
            if no clock runs.
        left: milliseconds that were left when the class was paused.
        paused: whether voting and the clock are stopped.
        bars: whether the wall shows the distribution of votes before the reveal.
        step: the step of the picture that everybody sees, :data:`FREE`, :data:`STANDS` or
            :data:`MOST_STEP`.
        opened, expires: milliseconds since 1970. After ``expires`` nobody can join or vote.
        version: the number of changes.
        locked: whether the teacher has closed the class to new devices.
        per_address: how many devices of one address can join.
        invites: whether the wall shows the code and its QR code instead of the question.
        options: what the teacher has chosen.
        phase_before, round_before: of the class when everybody last began to go at their own pace,
            for the return.
    """

    code: str
    title: str
    polls: tuple[Poll, ...]
    number: int
    phase: str
    round: int
    seconds: int
    closes: int
    left: int
    paused: bool
    bars: bool
    step: int
    opened: int
    expires: int
    version: int
    locked: bool = False
    per_address: int = USUAL_PER_ADDRESS
    invites: bool = False
    options: ClassOptions = USUAL
    phase_before: str = "join"
    round_before: int = 1

    @property
    def poll(self) -> Poll:
        """The current question."""
        return self.polls[self.number]

    @property
    def alone(self) -> tuple[int, ...]:
        """The numbers of the questions at one's own pace, where nobody discusses."""
        return tuple(number for number, poll in enumerate(self.polls) if poll.votes)

    def furthest(self, answered: Collection[int]) -> int:
        """The last question that a device can see at its own pace.

        It is the first one without an answer, or the last one of all. The picture of a later one
        may show the answer to it.

        Args:
            answered: the numbers of the questions that the device has answered, in the class or at
                its own pace.
        """
        return next((each for each in self.alone if each not in answered), self.alone[-1])

    @property
    def following(self) -> tuple[str, ...]:
        """The phases that can follow, ignoring the clock."""
        if self.phase == ALONE:
            return (self.phase_before,)
        last = self.number + 1 == len(self.polls)
        following = FOLLOWING[self.phase]
        if not self.poll.votes:
            following = tuple(phase for phase in following if phase != "again")
        if not any(poll.votes for poll in self.polls):
            following = tuple(phase for phase in following if phase != ALONE)
        # after the last question there is no next one, and before it no end
        left_out = ("ask" if self.phase == "reveal" else "") if last else "over"
        return tuple(phase for phase in following if phase != left_out)

    @property
    def open(self) -> bool:
        """Whether votes count, ignoring the clock."""
        return self.phase in OPEN and not self.paused

    def at(self, now: int) -> Class:
        """The class at a time; its vote is closed if the clock has run out by then."""
        if not self.open or not self.closes or now < self.closes:
            return self
        return replace(self, phase=_closed(self.phase), closes=0)

    def remaining(self, now: int) -> int | None:
        """Milliseconds left on the clock; None if no clock runs."""
        if self.phase not in CLOCKS or not (self.left if self.paused else self.closes):
            return None
        return self.left if self.paused else max(0, self.closes - now)


def move(current: Class, to: str, now: int, *, number: int | None = None) -> Class:
    """The class in another phase.

    Args:
        current: where it is.
        to: one of :data:`PHASES`.
        now: milliseconds since 1970.
        number: of the question, from 0. ``ask`` can name any question in any phase, so that a
            teacher can skip one or go back; a discussion then begins with ``discuss``. Without it,
            ``ask`` after ``reveal`` is the next question. ``alone`` needs no number: each device
            has its own. It keeps the class's question, to which the class returns.

    Raises:
        NotNow: the new phase cannot follow the current one.
    """
    here = current.at(now)
    jumps = to == "ask" and number is not None
    if number is None:
        number = here.number + (here.phase == "reveal" and to == "ask")
    elif not jumps and number != here.number:
        raise NotNow
    follows = jumps or to in here.following
    if not follows or not 0 <= number < len(here.polls):
        raise NotNow
    turns = here.round_before if here.phase == ALONE else here.round
    if to == "ask" and not here.polls[number].votes:
        to, turns = "discuss", 1
    if to == ALONE:
        here = replace(here, phase_before=here.phase, round_before=here.round)
    clock = 1_000 * _seconds(here, here.polls[number], to)
    return replace(
        here,
        number=number,
        phase=to,
        round=_TURNS.get(to, turns),
        closes=now + clock if clock else 0,
        left=0,
        paused=False,
        bars=False,
        invites=False,
        step=STANDS if to == "reveal" else FREE,
        version=current.version + 1,
    )


def pause(current: Class, paused: bool, now: int) -> Class:
    """The class paused, or resumed with the time that was left."""
    here = current.at(now)
    if here.paused == paused:
        return replace(here, version=current.version + 1)
    left = max(0, here.closes - now) if paused and here.closes else 0
    closes = now + here.left if here.left and not paused else 0
    return replace(here, paused=paused, left=left, closes=closes, version=current.version + 1)


def set_clock(current: Class, seconds: int, now: int) -> Class:
    """The class with another clock, which starts now if a vote is open.

    Raises:
        NotNow: the seconds are neither 0 nor from 10 to 600.
    """
    if seconds and not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise NotNow
    here = current.at(now)
    changed = replace(here, seconds=seconds, version=current.version + 1)
    if here.phase not in VOTES:
        return changed
    left = seconds * 1_000
    if here.paused:
        return replace(changed, closes=0, left=left)
    return replace(changed, closes=now + left if left else 0)


def extend(current: Class, seconds: int, now: int) -> Class:
    """The class with more time: on a clock that runs, or in a vote that was closed and opens again.

    Raises:
        NotNow: no clock runs, and no vote was just closed.
    """
    here = current.at(now)
    left = here.remaining(now)
    if here.phase in _REOPENED:
        here, left = replace(here, phase=_REOPENED[here.phase]), 0
    if left is None:
        raise NotNow
    most = 60 * MOST_MINUTES if here.phase == "discuss" else MOST_SECONDS
    left = min(left + 1_000 * seconds, most * 1_000)
    changed = replace(here, version=current.version + 1)
    return replace(changed, left=left) if here.paused else replace(changed, closes=now + left)


def finish(current: Class, now: int) -> Class:
    """The class in which all have answered: its vote closes in a moment, if it was not to sooner.

    Raises:
        NotNow: no vote is open, or it closes as soon anyway.
    """
    here = current.at(now)
    soon = now + ALL_ANSWERED
    if here.phase not in VOTES or here.paused or 0 < here.closes <= soon:
        raise NotNow
    return replace(here, closes=soon, version=current.version + 1)


def choose(current: Class, options: ClassOptions, now: int) -> Class:
    """The class with other options; a discussion's new clock begins with the next discussion."""
    return replace(current.at(now), options=options, version=current.version + 1)


def show(
    current: Class,
    now: int,
    *,
    bars: bool | None = None,
    invites: bool | None = None,
    step: int | None = None,
) -> Class:
    """The class with the bars or the code shown or hidden, or at another step of the picture."""
    here = current.at(now)
    return replace(
        here,
        bars=here.bars if bars is None else bars,
        invites=here.invites if invites is None else invites,
        step=here.step if step is None else min(max(step, FREE), MOST_STEP),
        version=current.version + 1,
    )


def admit(current: Class, *, locked: bool | None = None, per_address: int | None = None) -> Class:
    """The class closed or opened to new devices, or with another limit for one address."""
    return replace(
        current,
        locked=current.locked if locked is None else locked,
        per_address=current.per_address if per_address is None else per_address,
        version=current.version + 1,
    )


_TURNS: Mapping[str, int] = {"ask": 1, "again": 2, ALONE: ALONE_ROUND}
_REOPENED: Mapping[str, str] = {"closed": "ask", "closed_again": "again"}


def _seconds(current: Class, poll: Poll, to: str) -> int:
    """The clock of a phase of a question in seconds; 0 for none."""
    if to == "discuss":
        # a discussion without a vote is the whole of its part, and takes its minutes
        return (0 if poll.votes else 60 * poll.minutes) or current.options.discussion
    return current.seconds if to in VOTES else 0


def _closed(phase: str) -> str:
    return "closed" if phase == "ask" else "closed_again"
