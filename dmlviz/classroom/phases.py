"""A class, its moves from one phase to another, and the options that its teacher chooses."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from dmlviz.base.deferred import dataclass
from dmlviz.classroom.phase_table import (
    ASK,
    FOLLOWING,
    JOIN,
    MOST_SECONDS,
    PHASES,
    REOPENED,
    ROUNDS,
    TALK,
    Phase,
)
from dmlviz.classroom.polls import Poll
from dmlviz.classroom.refusals import NotNow

MOST_DISCUSSION = 600
"""The most seconds of a discussion's clock."""

Nicknames = Literal["none", "teacher", "wall"]
"""Who sees nicknames: nobody can give one, only the teacher does, or the wall shows them too."""

Theme = Literal["screen", "light", "dark"]
"""The wall's colors: those that its screen prefers, or always the same."""

LEAST_SECONDS = 10
"""The least seconds of a vote's clock."""

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
        phase: one of :data:`dmlviz.classroom.phase_table.PHASES`.
        round: of the newest vote on this question, or of the answers that count in this phase.
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
        phase_before, round_before: of the class before answers last began to count, for the return
            from one's own pace and from writing.
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
    phase_before: str = JOIN
    round_before: int = 1

    @property
    def poll(self) -> Poll:
        """The current question."""
        return self.polls[self.number]

    @property
    def kind(self) -> Phase:
        """The declaration of its phase."""
        return PHASES[self.phase]

    @property
    def vote_round(self) -> int:
        """The round of the newest vote on its question."""
        return self.round if self.round in ROUNDS else self.round_before

    @property
    def is_last(self) -> bool:
        """Whether no question comes after the current one."""
        return self.number + 1 == len(self.polls)

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
        if self.kind.self_paced:
            return (self.phase_before,)
        return tuple(name for name in FOLLOWING[self.phase] if self._has_use_for(PHASES[name]))

    def _has_use_for(self, to: Phase) -> bool:
        if to.self_paced:
            return any(poll.votes for poll in self.polls)
        if to.layout == "ended":
            return self.is_last
        if to.name == ASK:
            # after the last question there is no next one
            return not (self.is_last and self.kind.answers)
        return self.poll.votes or to.round is None

    @property
    def open(self) -> bool:
        """Whether votes count, ignoring the clock."""
        return self.kind.round is not None and not self.paused

    def at(self, now: int) -> Class:
        """The class at a time; its vote is closed if the clock has run out by then."""
        if not self.open or not self.closes or now < self.closes:
            return self
        return replace(self, phase=self.kind.ends, round=self.vote_round, closes=0)

    def remaining(self, now: int) -> int | None:
        """Milliseconds left on the clock; None if no clock runs."""
        if self.kind.seconds is None or not (self.left if self.paused else self.closes):
            return None
        return self.left if self.paused else max(0, self.closes - now)


def move(current: Class, to: str, now: int, *, number: int | None = None) -> Class:
    """The class in another phase.

    Args:
        current: where it is.
        to: one of :data:`dmlviz.classroom.phase_table.PHASES`.
        now: milliseconds since 1970.
        number: of the question, from 0. ``ask`` can name any question in any phase, so that a
            teacher can skip one or go back; a discussion then begins with ``discuss``. Without it,
            ``ask`` after ``reveal`` is the next question. ``alone`` needs no number: each device
            has its own. It keeps the class's question, to which the class returns.

    Raises:
        NotNow: the new phase cannot follow the current one.
    """
    here = current.at(now)
    jumps = to == ASK and number is not None
    if number is None:
        number = here.number + (here.kind.answers and to == ASK)
    elif not jumps and number != here.number:
        raise NotNow
    follows = jumps or to in here.following
    if not follows or not 0 <= number < len(here.polls):
        raise NotNow
    there = replace(
        here,
        number=number,
        phase=to,
        round=here.vote_round,
        left=0,
        paused=False,
        bars=False,
        invites=False,
        step=STANDS if PHASES[to].layout == "revealed" else FREE,
        version=current.version + 1,
    )
    if to == ASK and not there.poll.votes:
        there = replace(there, phase=TALK, round=1)
    turn = there.kind.round
    if turn is not None:
        there = replace(there, phase_before=here.phase, round_before=there.round, round=turn)
    seconds = there.kind.seconds(there) if there.kind.seconds else 0
    return replace(there, closes=now + 1_000 * seconds if seconds else 0)


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
    if not here.kind.votes:
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
    if here.phase in REOPENED:
        kind = PHASES[REOPENED[here.phase]]
        here, left = replace(here, phase=kind.name, round=kind.round or here.round), 0
    if left is None:
        raise NotNow
    left = min(left + 1_000 * seconds, here.kind.longest * 1_000)
    changed = replace(here, version=current.version + 1)
    return replace(changed, left=left) if here.paused else replace(changed, closes=now + left)


def finish(current: Class, now: int) -> Class:
    """The class in which all have answered: its vote closes in a moment, if it was not to sooner.

    Raises:
        NotNow: no vote is open, or it closes as soon anyway.
    """
    here = current.at(now)
    soon = now + ALL_ANSWERED
    if not here.kind.votes or here.paused or 0 < here.closes <= soon:
        raise NotNow
    return replace(here, closes=soon, version=current.version + 1)


def adjust(current: Class, now: int, **changed: Any) -> Class:
    """The class with other values of its attributes; a discussion's new clock begins with the next
    discussion.
    """
    return replace(current.at(now), **changed, version=current.version + 1)
