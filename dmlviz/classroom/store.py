"""What a store of classes does; whoever keeps them elsewhere implements this."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from dmlviz.classroom.phases import Class
from dmlviz.classroom.polls import Poll
from dmlviz.classroom.report import Votes
from dmlviz.classroom.tally import Counts

MOST_DEVICES = 600
"""Devices of one class: what the code lets in, even where somebody makes up devices."""

MOST_SEQ = 2**53 - 1
"""The highest number of a device's answers: JavaScript counts exactly to here."""


@dataclass(frozen=True)
class Opened:
    """A class that was opened now; the tokens are stored nowhere.

    Attributes:
        code: four letters to join by.
        teacher, wall: secrets of 128 bits.
        expires: milliseconds since 1970.
    """

    code: str
    teacher: str
    wall: str
    expires: int


@dataclass(frozen=True)
class Vote:
    """An answer that is stored.

    Attributes:
        answer: in its one spelling.
        seq: the device's own number of it.
    """

    answer: str
    seq: int


@dataclass(frozen=True)
class Ballot:
    """An answer that a device sends.

    Attributes:
        code: of the class.
        device: its token.
        number, round: of the question, from 0 on, and of the vote: 1 or 2.
        seq: the device's own number; of two answers the one with the higher number stays.
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
        lost: its learner is lost at the question that is on.
        vote: its answer in the round that is on, if there is one.
    """

    lost: bool
    vote: Vote | None


Changed = Callable[[frozenset[str]], None]
"""Told the codes of the classes that changed, once that is stored; from any thread."""


class Store(Protocol):
    """Classes with their devices and votes.

    What writes gives a future, which is done once it is stored: not before.  Reads take their
    time, and belong into a thread.  Both raise the refusals of
    :mod:`dmlviz.classroom.refusals`; ``Away`` where the database does not answer.
    """

    def open_class(self, polls: Sequence[Poll], title: str, seconds: int) -> Future[Opened]:
        """Open a class, before its first question."""

    def join(self, code: str, device: str) -> Future[None]:
        """A device joins; once more changes nothing."""

    def vote(self, ballot: Ballot) -> Future[Vote]:
        """Store an answer; the one that is stored then, which may be a later one."""

    def raise_hands(
        self, code: str, number: int, turn: int, counts: Mapping[str, int]
    ) -> Future[None]:
        """A show of hands, counted by the teacher; it takes the place of an earlier one."""

    def lose(self, code: str, device: str, lost: bool) -> Future[None]:
        """A learner is lost at the question that is on, or is no longer."""

    def change(self, code: str, change: Callable[[Class, int], Class]) -> Future[Class]:
        """Replace a class by what the function makes of it and the time."""

    def delete(self, code: str) -> Future[None]:
        """Forget a class, its devices and votes."""

    def purge(self) -> Future[int]:
        """Forget classes that are older than they may be; how many."""

    def find(self, code: str) -> Class:
        """A class, which may have expired."""

    def role(self, code: str, token: str) -> str:
        """``teacher``, ``wall``, or empty where the token is of neither."""

    def member(self, code: str, device: str) -> Member | None:
        """A device of a class; None where it has not joined."""

    def counts(self, current: Class) -> Counts:
        """What is counted of a class at its question."""

    def votes(self, code: str) -> Votes:
        """All votes of a class, counted."""

    def close(self) -> None:
        """Store what waits, and let go."""
