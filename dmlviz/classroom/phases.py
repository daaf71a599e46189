"""Where a class is, and where it can go from there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dmlviz.classroom.polls import Poll
from dmlviz.classroom.refusals import NotNow

PHASES = ("join", "ask", "closed", "discuss", "again", "closed_again", "reveal", "over")
"""In the order of a question: before the first one ``join``, after the last one ``over``."""

FOLLOWING: Mapping[str, tuple[str, ...]] = {
    "join": ("ask",),
    "ask": ("closed",),
    "closed": ("discuss", "again", "reveal", "ask"),
    "discuss": ("again", "reveal"),
    "again": ("closed_again",),
    "closed_again": ("reveal", "again"),
    "reveal": ("ask", "over"),
    "over": ("reveal",),
}
"""Which phases can follow which.  ``closed`` to ``ask`` opens the same vote once more."""

OPEN = ("ask", "again")
"""The phases in which votes count."""

LEAST_SECONDS, MOST_SECONDS = 10, 600
"""A clock's seconds, where there is one."""

FREE = -1
"""The step of a class in which everybody looks freely."""

MOST_STEP = 10_000_000

GRACE = 1_000
"""Milliseconds for votes on their way when the clock runs out."""


@dataclass(frozen=True)
class Class:
    """A class and where it is.

    Attributes:
        code: four letters, by which learners join.
        title: for people.
        polls: its questions.
        number: which of them is on, from 0 on.
        phase: one of :data:`PHASES`.
        round: 1, or 2 from ``again`` on until the next question.
        seconds: of the clock when a vote opens; 0 for none.
        closes: when the clock runs out, in milliseconds since 1970 by the server's clock; 0
            where none runs.
        left: milliseconds that were left when the class was paused.
        paused: nobody can vote, and the clock stands still.
        bars: the wall shows how the votes are spread though nothing is revealed yet.
        step: the step of the picture that everybody sees, or :data:`FREE`.
        opened, expires: when; in milliseconds since 1970. After ``expires`` nobody joins or votes.
        version: counts the changes.
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

    @property
    def poll(self) -> Poll:
        """The question that is on."""
        return self.polls[self.number]

    @property
    def open(self) -> bool:
        """Whether votes count, clock aside."""
        return self.phase in OPEN and not self.paused

    def at(self, now: int) -> Class:
        """The class at a time: closed once the clock has run out, without anybody's doing."""
        if not self.open or not self.closes or now < self.closes:
            return self
        return replace(self, phase=_closed(self.phase), closes=0)

    def remaining(self, now: int) -> int | None:
        """Milliseconds of the clock; None where none runs."""
        if self.phase not in OPEN or not (self.left if self.paused else self.closes):
            return None
        return self.left if self.paused else max(0, self.closes - now)


def move(current: Class, to: str, now: int, *, number: int | None = None) -> Class:
    """The class in another phase.

    Args:
        current: where it is.
        to: one of :data:`PHASES`.
        now: milliseconds since 1970.
        number: of the question, from 0 on. For ``ask`` any question may be named, from any
            phase: a teacher may leave one out or go back. Without it, ``ask`` after ``reveal``
            is the next question.

    Raises:
        NotNow: that does not follow.
    """
    here = current.at(now)
    jumps = to == "ask" and number is not None
    if number is None:
        number = here.number + (here.phase == "reveal" and to == "ask")
    elif not jumps and number != here.number:
        raise NotNow
    follows = jumps or to in FOLLOWING.get(here.phase, ())
    if not follows or not 0 <= number < len(here.polls):
        raise NotNow
    if to == "over" and here.number < len(here.polls) - 1:
        raise NotNow
    turns = 1 if to == "ask" else 2 if to == "again" else here.round
    clock = here.seconds * 1_000 if to in OPEN else 0
    return replace(
        here,
        number=number,
        phase=to,
        round=turns,
        closes=now + clock if clock else 0,
        left=0,
        paused=False,
        bars=False,
        step=0 if to == "reveal" else FREE,
        version=current.version + 1,
    )


def pause(current: Class, paused: bool, now: int) -> Class:
    """The class paused, or going on with as much time as was left."""
    here = current.at(now)
    if here.paused == paused:
        return replace(here, version=current.version + 1)
    left = max(0, here.closes - now) if paused and here.closes else 0
    closes = now + here.left if here.left and not paused else 0
    return replace(here, paused=paused, left=left, closes=closes, version=current.version + 1)


def set_clock(current: Class, seconds: int, now: int) -> Class:
    """The class with another clock, which starts now where a vote is open.

    Raises:
        NotNow: the seconds are neither 0 nor from 10 to 600.
    """
    if seconds and not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise NotNow
    here = current.at(now)
    runs = seconds and here.phase in OPEN
    return replace(
        here,
        seconds=seconds,
        closes=now + seconds * 1_000 if runs and not here.paused else 0,
        left=seconds * 1_000 if runs and here.paused else 0,
        version=current.version + 1,
    )


def show(current: Class, now: int, *, bars: bool | None = None, step: int | None = None) -> Class:
    """The class with the bars shown or hidden, or at another step of the picture."""
    here = current.at(now)
    return replace(
        here,
        bars=here.bars if bars is None else bars,
        step=here.step if step is None else min(max(step, FREE), MOST_STEP),
        version=current.version + 1,
    )


def _closed(phase: str) -> str:
    return "closed" if phase == "ask" else "closed_again"
