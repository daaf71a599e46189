"""Classes in a SQL database: SQLite for one process, PostgreSQL where replicas share a class."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

from sqlalchemy import Connection, text

from dmlviz.classroom import statements as say
from dmlviz.classroom.codes import fits, grouped, hashed, new_code, new_token
from dmlviz.classroom.database import Database, answering
from dmlviz.classroom.phases import FREE, Class
from dmlviz.classroom.polls import Poll, print_polls, read_answer
from dmlviz.classroom.refusals import (
    AddressClassesFull,
    AddressFull,
    Away,
    ClassesFull,
    ClassFull,
    Closed,
    Invalid,
    Locked,
    NoClass,
    NotJoined,
    Stale,
)
from dmlviz.classroom.report import Votes
from dmlviz.classroom.store import MOST_DEVICES, Ballot, Changed, Member, Opened, Vote
from dmlviz.classroom.tables import CLASS, migrate
from dmlviz.classroom.tally import Counts
from dmlviz.classroom.writer import Writer
from dmlviz.errors import Error

CHANNEL = "dmlviz_class"
"""PostgreSQL's channel for the codes of classes that changed."""

HOURS = 12
"""How long learners can join with a code."""

MOST_CLASSES = 2_000
"""The most classes that are open at the same time; expired ones do not count."""

MOST_OF_ADDRESS = 200
"""The most classes of one address that are open at the same time."""

_DAY = 86_400_000  # milliseconds
_TRIES = 40
_READY = 10.0  # seconds that the first reader waits for the tables

_T = TypeVar("_T")


class _Clock:
    """The time, which goes on where the system's clock is set back: votes end when they are due."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last, self._behind = 0, 0

    def __call__(self) -> int:
        """Milliseconds since 1970."""
        with self._lock:
            time_ms = time.time_ns() // 1_000_000 + self._behind
            if time_ms < self._last:
                self._behind += self._last - time_ms
                time_ms = self._last
            self._last = time_ms
            return time_ms


now: Callable[[], int] = _Clock()
"""Milliseconds since 1970; never less than before."""


class SqlStore:
    """A :class:`dmlviz.classroom.store.Store`.

    Args:
        database: the database.
        days: how long a class's data is kept.
        changed: called with the codes of classes that this process has changed.
        clock: the time, as :func:`now` gives it.
    """

    def __init__(
        self,
        database: Database,
        days: int,
        changed: Changed = lambda codes: None,
        clock: Callable[[], int] = now,
    ) -> None:
        self._database, self._clock = database, clock
        self.kept_ms = days * _DAY
        self._prepared: Future[None] | None = None
        self._preparing = threading.Lock()
        self._erasing = False
        self._writer = Writer(
            database.writing, migrate, self._finish, self._erase, changed, self._purge
        )

    def open_class(  # noqa: D102
        self, polls: Sequence[Poll], title: str, seconds: int, address: str = ""
    ) -> Future[Opened]:
        teacher, wall = new_token(), new_token()
        origin = grouped(address, "")
        printed = print_polls(polls)
        code = new_code()

        def run(connection: Connection) -> Opened:
            self._purge(connection)
            opened = self._clock()
            values = {
                "title": title,
                "teacher_hash": hashed(teacher),
                "wall_hash": hashed(wall),
                "polls": printed,
                **_START,
                "seconds": seconds,
                "opened": opened,
                "expires": opened + HOURS * 3_600_000,
                "origin": origin,
            }
            if origin >= 0 and say.count_classes(connection, opened, origin) >= MOST_OF_ADDRESS:
                raise AddressClassesFull(MOST_OF_ADDRESS)
            if say.count_classes(connection, opened) < MOST_CLASSES:
                for tried in [code, *(new_code() for _try in range(_TRIES))]:
                    if say.insert_class(connection, {**values, "code": tried}):
                        return Opened(tried, teacher, wall, values["expires"])
            raise ClassesFull(MOST_CLASSES)

        return self._writer.do(code, run, quiet=True)

    def join(self, code: str, device: str, address: str = "") -> Future[None]:  # noqa: D102
        key = hashed(device)

        def run(connection: Connection) -> None:
            hashes = say.read_hashes(connection, code)
            if hashes is None:
                raise NoClass
            # with a key of its own, the groups of two classes say nothing about each other
            origin = grouped(address, hashes[0])
            say.insert_device(connection, code, key, origin, self._clock())
            if say.read_lost(connection, code, key) is not None:
                return
            current = self._living(connection, code)
            if current.locked:
                raise Locked
            if say.count_devices(connection, code) >= MOST_DEVICES:
                raise ClassFull(MOST_DEVICES)
            raise AddressFull(current.per_address)

        return self._writer.do(code, run)

    def remove_devices(  # noqa: D102
        self, code: str, origin: int, first: int, last: int
    ) -> Future[int]:
        def run(connection: Connection) -> int:
            if say.read_class(connection, code, lock=True) is None:
                raise NoClass
            self._erasing = True
            return say.delete_devices(connection, code, origin, first, last)

        return self._writer.do(code, run)

    def vote(self, ballot: Ballot) -> Future[Vote]:  # noqa: D102
        device = hashed(ballot.device)
        place = {"number": ballot.number, "round": ballot.round}
        key = {"code": ballot.code, "device": device, **place}

        def run(connection: Connection) -> Vote:
            current = self._living(connection, ballot.code)
            if not 0 <= ballot.number < len(current.polls):
                raise Closed
            try:
                answer = read_answer(current.polls[ballot.number], ballot.answer)
            except Error as error:
                raise Invalid(str(error)) from error
            vote = Vote(answer, ballot.seq)
            if say.upsert_vote(connection, key, vote, self._clock()):
                return vote
            # the vote is closed, sent again or older than the stored one, or the device is unknown
            stored = say.read_vote(connection, key)
            if stored is not None and stored.seq >= ballot.seq:
                return stored
            if say.read_lost(connection, ballot.code, device) is None:
                raise NotJoined
            raise Closed

        return self._writer.do(ballot.code, run)

    def raise_hands(  # noqa: D102
        self, code: str, number: int, turn: int, counts: Mapping[str, int]
    ) -> Future[None]:
        def run(connection: Connection) -> None:
            if say.read_class(connection, code, lock=True) is None:
                raise NoClass
            say.replace_hands(connection, code, number, turn, counts)

        return self._writer.do(code, run)

    def lose(self, code: str, device: str, lost: bool) -> Future[None]:  # noqa: D102
        key = hashed(device)

        def run(connection: Connection) -> None:
            current = self._living(connection, code)
            if say.read_lost(connection, code, key) is None:
                raise NotJoined
            say.update_lost(connection, code, key, current.number if lost else -1)

        return self._writer.do(code, run)

    def change(self, code: str, change: Callable[[Class, int], Class]) -> Future[Class]:  # noqa: D102
        def run(connection: Connection) -> Class:
            current = say.read_class(connection, code, lock=True)
            if current is None:
                raise NoClass
            new = change(current, self._clock())
            if not say.update_class(connection, current, new):
                raise Stale
            return new

        return self._writer.do(code, run)

    def delete(self, code: str) -> Future[None]:  # noqa: D102
        def run(connection: Connection) -> None:
            if not say.delete_classes(connection, CLASS.c.code == code):
                raise NoClass
            self._erasing = True

        return self._writer.do(code, run)

    def purge(self) -> Future[int]:  # noqa: D102
        return self._writer.do("", self._purge, quiet=True)

    def find(self, code: str) -> Class:  # noqa: D102
        found = self._read(lambda connection: say.read_class(connection, code))
        if found is None:
            raise NoClass
        return found

    def role(self, code: str, token: str) -> str:  # noqa: D102
        hashes = self._read(lambda connection: say.read_hashes(connection, code))
        if hashes is None:
            raise NoClass
        # always compare both, so that the time does not show which one fits
        teacher, wall = (fits(token, stored) for stored in hashes)
        return "teacher" if teacher else "wall" if wall else ""

    def member(self, code: str, device: str) -> Member | None:  # noqa: D102
        key = hashed(device)

        def ask(connection: Connection) -> Member | None:
            lost = say.read_lost(connection, code, key)
            current = say.read_class(connection, code)
            if lost is None or current is None:
                return None
            place = {"number": current.number, "round": current.round}
            vote = say.read_vote(connection, {"code": code, "device": key, **place})
            return Member(lost == current.number, vote)

        return self._read(ask)

    def devices(self, code: str) -> frozenset[str]:  # noqa: D102
        return self._read(lambda connection: say.read_devices(connection, code))

    def counts(self, current: Class) -> Counts:  # noqa: D102
        return self._read(lambda connection: say.read_counts(connection, current))

    def votes(self, code: str) -> Votes:  # noqa: D102
        return self._read(lambda connection: say.read_votes(connection, code))

    def close(self) -> None:  # noqa: D102
        self._writer.close()
        self._database.dispose()

    def _living(self, connection: Connection, code: str) -> Class:
        current = say.read_class(connection, code)
        if current is None or current.expires <= self._clock():
            raise NoClass
        return current

    def _purge(self, connection: Connection) -> int:
        oldest = self._clock() - self.kept_ms
        deleted = say.delete_classes(connection, CLASS.c.opened < oldest)
        self._erasing = self._erasing or deleted > 0
        return deleted

    def _finish(self, connection: Connection, codes: frozenset[str]) -> None:
        if not self._database.is_sqlite:
            for code in codes:
                # sent with the commit, once for all changes of the transaction
                connection.execute(_NOTIFY, {"channel": CHANNEL, "code": code})

    def _erase(self) -> None:
        """After a deletion: deleted rows must not stay in the file's write-ahead log."""
        if self._erasing:
            self._erasing = not self._database.erase_log()

    def _read(self, ask: Callable[[Connection], _T]) -> _T:
        self._prepare()
        with answering(), self._database.reading.connect() as connection:
            return ask(connection)

    def _prepare(self) -> None:
        """Wait until the tables exist; the writer makes them in its first transaction."""
        if self._writer.ready:
            return
        with self._preparing:
            prepared = self._prepared
            if prepared is None or (prepared.done() and prepared.exception()):
                prepared = self._prepared = self._writer.do("", lambda _c: None, quiet=True)
        try:
            prepared.result(_READY)
        except TimeoutError:
            raise Away from None


_NOTIFY = text("SELECT pg_notify(:channel, :code)")

_START: dict[str, Any] = {
    "number": 0,
    "phase": "join",
    "round": 1,
    "closes": 0,
    "left": 0,
    "paused": False,
    "bars": False,
    "step": FREE,
    "version": 1,
}
