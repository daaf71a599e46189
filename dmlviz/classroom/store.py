"""The interface of a store of classes; implement it to keep them elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from dmlviz.classroom.phases import Class
from dmlviz.classroom.polls import Poll
from dmlviz.classroom.report import Votes
from dmlviz.classroom.tally import Counts

MOST_DEVICES = 1_000
"""The most devices of one class, even if somebody makes up devices."""

MOST_SEQ = 2**53 - 1
"""The highest ``seq`` of an answer: the largest integer that JavaScript counts exactly."""


@dataclass(frozen=True)
class Opened:
    """A class that was just opened; the tokens themselves are not stored.

    Attributes:
        code: four letters for joining.
        teacher, wall: secrets of 128 bits.
        expires: milliseconds since 1970.
    """

    code: str
    teacher: str
    wall: str
    expires: int


@dataclass(frozen=True)
class Vote:
    """A stored answer.

    Attributes:
        answer: in its normal form.
        seq: the device's number for it.
    """

    answer: str
    seq: int


@dataclass(frozen=True)
class Ballot:
    """An answer that a device sends.

    Attributes:
        code: of the class.
        device: its token.
        number, round: of the question, from 0, and of the vote, 1 or 2.
        seq: the device's number; of two answers, the one with the higher number is kept.
        answer: as sent.
    """

    code: str
    device: str
    number: int
    round: int
    seq: int
    answer: object


@dataclass(frozen=True)
class Member:
    """A device of a class.

    Attributes:
        lost: whether its learner is lost at the current question.
        vote: its answer in the current round, or None.
    """

    lost: bool
    vote: Vote | None


Changed = Callable[[frozenset[str]], None]
"""Called from any thread with the codes of classes whose changes were stored."""


class Store(Protocol):
    """Classes with their devices and votes.

    A write returns a future, which is done only once it is stored. Reads block, so call them in a
    thread. Both raise the refusals of :mod:`dmlviz.classroom.refusals`; ``Away`` if the database
    does not respond.

    Attributes:
        kept_ms: how long a class's data is kept after its opening, in milliseconds.
    """

    kept_ms: int

    def open_class(
        self, polls: Sequence[Poll], title: str, seconds: int, address: str = ""
    ) -> Future[Opened]:
        """Open a class, before its first question; ``address`` is the teacher's."""

    def join(self, code: str, device: str, address: str = "") -> Future[None]:
        """Add a device of an address; repeating changes nothing."""

    def remove_devices(self, code: str, origin: int, first: int, last: int) -> Future[int]:
        """Remove the devices of a :class:`dmlviz.classroom.tally.Burst`, with all their votes.

        Returns:
            how many devices there were.
        """

    def vote(self, ballot: Ballot) -> Future[Vote]:
        """Store an answer; return the one that is now stored, which may be a later one."""

    def raise_hands(
        self, code: str, number: int, turn: int, counts: Mapping[str, int]
    ) -> Future[None]:
        """Store a show of hands that the teacher counted; it replaces an earlier one."""

    def lose(self, code: str, device: str, lost: bool) -> Future[None]:
        """Set or clear that a learner is lost at the current question."""

    def change(self, code: str, change: Callable[[Class, int], Class]) -> Future[Class]:
        """Replace a class by the function's result for the class and the time."""

    def delete(self, code: str) -> Future[None]:
        """Delete a class, its devices and its votes."""

    def purge(self) -> Future[int]:
        """Delete classes whose data is too old; return how many."""

    def find(self, code: str) -> Class:
        """A class, which may have expired."""

    def role(self, code: str, token: str) -> str:
        """``teacher`` or ``wall``; empty if the token is neither's."""

    def member(self, code: str, device: str) -> Member | None:
        """A device of a class; None if it has not joined."""

    def devices(self, code: str) -> frozenset[str]:
        """The hashes of the tokens of all devices of a class."""

    def counts(self, current: Class) -> Counts:
        """The counts of a class at its current question."""

    def votes(self, code: str) -> Votes:
        """All votes of a class, counted."""

    def close(self) -> None:
        """Store what waits, and close."""
