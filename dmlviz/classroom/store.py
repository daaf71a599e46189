"""Classes in a SQL database: SQLite for one process, PostgreSQL where replicas share a class."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import field
from typing import Any, TypeVar

from sqlalchemy import (
    Connection,
    and_,
    delete,
    func,
    select,
    text,
)

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.classroom.codes import fits, grouped, hashed, new_code, new_token
from dmlviz.classroom.counting import read_answers, read_counts, read_votes
from dmlviz.classroom.database import USUAL_DEVICES, Database, Writer, answering
from dmlviz.classroom.phase_table import ALONE_ROUND, JOIN, ROUNDS, WRITTEN_ROUND
from dmlviz.classroom.phases import (
    FREE,
    USUAL,
    Class,
    ClassOptions,
    print_options,
)
from dmlviz.classroom.polls import Poll, print_polls, read_answer, read_sentence
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
    NoNicknames,
    NotJoined,
    Stale,
)
from dmlviz.classroom.report import Votes
from dmlviz.classroom.statements import (
    STATE,
    Vote,
    count_rows,
    insert,
    insert_device,
    read_class,
    read_device,
    read_hashes,
    read_vote,
    read_with_key,
    upsert_vote,
)
from dmlviz.classroom.tables import CLASS, DEVICE, HANDS, VOTE, migrate
from dmlviz.classroom.tally import Counts

CHANNEL = "dmlviz_class"
"""PostgreSQL's channel for the codes of classes that changed."""

HOURS = 12
"""How long learners can join with a code."""

MOST_CLASSES = 2_000
"""The most classes that are open at the same time; expired ones do not count."""

MOST_OF_ADDRESS = 200
"""The most classes of one address that are open at the same time."""

MOST_SEQ = 2**53 - 1
"""The highest ``seq`` of an answer: the largest integer that JavaScript counts exactly."""


_DAY = 86_400_000  # milliseconds
_TRIES = 40
_READY = 10.0  # seconds that the first reader waits for the tables

_START: dict[str, Any] = {
    "number": 0,
    "phase": JOIN,
    "round": ROUNDS[0],
    "closes": 0,
    "left": 0,
    "paused": False,
    "bars": False,
    "step": FREE,
    "invites": False,
    "version": 1,
}

_T = TypeVar("_T")


@dataclass(frozen=True)
class OpenedClass:
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
        first: its answer in the first round, while a later one is on; empty if there is none.
        nickname: of its learner; often empty.
        answers: while everybody goes at their own pace, its answers, as :func:`standing` has them,
            by the number of the question.
    """

    lost: bool = False
    vote: Vote | None = None
    first: str = ""
    nickname: str = ""
    answers: Mapping[int, str] = field(default_factory=dict)


Changed = Callable[[frozenset[str]], None]
"""Called from any thread with the codes of classes whose changes were stored."""


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


class Store:
    """Classes with their devices and votes.

    A write returns a future, which is done only once it is stored. Reads block, so call them in a
    thread. Both raise the refusals of :mod:`dmlviz.classroom.refusals`; ``Away`` if the database
    does not respond.

    Args:
        database: the database.
        days: how long a class's data is kept.
        devices: how many can join a class.
        changed: called with the codes of classes that this process has changed.
        clock: the time, as :func:`now` gives it.

    Attributes:
        kept_ms: how long a class's data is kept after its opening, in milliseconds.
        most_devices: how many devices can join a class.
    """

    def __init__(
        self,
        database: Database,
        days: int,
        changed: Changed = lambda codes: None,
        clock: Callable[[], int] = now,
        devices: int = USUAL_DEVICES,
    ) -> None:
        self._database, self._clock = database, clock
        self.most_devices = devices
        self.kept_ms = days * _DAY
        self._prepared: Future[None] | None = None
        self._preparing = threading.Lock()
        self._erasing = False
        self._writer = Writer(
            database.writing, migrate, self._finish, self._erase, changed, self._purge
        )

    def open_class(
        self,
        polls: Sequence[Poll],
        title: str,
        seconds: int,
        address: str = "",
        options: ClassOptions = USUAL,
    ) -> Future[OpenedClass]:
        """Open a class, before its first question; ``address`` is the teacher's."""
        teacher, wall = new_token(), new_token()
        origin = grouped(address, "")
        printed = print_polls(polls)
        code = new_code()

        def run(connection: Connection) -> OpenedClass:
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
                "options": print_options(options),
            }
            open_now = select(func.count()).where(CLASS.c.expires > opened)
            of_address = open_now.where(CLASS.c.origin == origin)
            if origin >= 0 and connection.execute(of_address).scalar_one() >= MOST_OF_ADDRESS:
                raise AddressClassesFull(MOST_OF_ADDRESS)
            if connection.execute(open_now).scalar_one() < MOST_CLASSES:
                for free in [code, *(new_code() for _try in range(_TRIES))]:
                    row = insert(connection, CLASS).values(**values, code=free)
                    if count_rows(connection, row.on_conflict_do_nothing()):
                        return OpenedClass(free, teacher, wall, values["expires"])
            raise ClassesFull(MOST_CLASSES)

        return self._writer.do(code, run, quiet=True)

    def join(self, code: str, device: str, address: str = "") -> Future[Class]:
        """Add a device of an address, and return the class; repeating changes nothing."""
        key = hashed(device)

        def run(connection: Connection) -> Class:
            row = read_with_key(connection, code)
            if row is None:
                raise NoClass
            current, grouping = row
            # with a key of its own, the groups of two classes say nothing about each other
            origin, time = grouped(address, grouping), self._clock()
            if insert_device(connection, code, key, origin, time, self.most_devices):
                return current
            if read_device(connection, code, key) is not None:
                return current
            if current.expires <= time:
                raise NoClass
            if current.locked:
                raise Locked
            devices = select(func.count()).where(DEVICE.c.code == code)
            if connection.execute(devices).scalar_one() >= self.most_devices:
                raise ClassFull(self.most_devices)
            raise AddressFull(current.per_address)

        return self._writer.do(code, run)

    def remove_devices(self, code: str, origin: int, first: int, last: int) -> Future[int]:
        """Remove the devices of a :class:`dmlviz.classroom.tally.Burst`, with all their votes.

        Returns:
            how many devices there were.
        """
        joined = DEVICE.c.joined.between(first, last)
        return self._remove(code, and_(DEVICE.c.origin == origin, joined))

    def remove_person(self, code: str, device: str) -> Future[int]:
        """Remove the device of a :class:`dmlviz.classroom.tally.Person`, with all its votes.

        Returns:
            how many devices there were: 1, or 0 if it was removed before.
        """
        return self._remove(code, DEVICE.c.device.startswith(device, autoescape=True))

    def _remove(self, code: str, those: Any) -> Future[int]:
        which = and_(DEVICE.c.code == code, those)
        devices = select(DEVICE.c.device).where(which)

        def run(connection: Connection) -> int:
            if read_class(connection, code, lock=True) is None:
                raise NoClass
            self._erasing = True
            connection.execute(delete(VOTE).where(VOTE.c.code == code, VOTE.c.device.in_(devices)))
            return count_rows(connection, delete(DEVICE).where(which))

        return self._writer.do(code, run)

    def vote(self, ballot: Ballot) -> Future[Vote]:
        """Store an answer; return the one that is now stored, which may be a later one."""
        device = hashed(ballot.device)
        place = {"number": ballot.number, "round": ballot.round}
        key = {"code": ballot.code, "device": device, **place}

        def run(connection: Connection) -> Vote:
            current = self._living(connection, ballot.code)
            if not 0 <= ballot.number < len(current.polls):
                raise Closed
            try:
                answer = (
                    read_sentence(ballot.answer)
                    if ballot.round == WRITTEN_ROUND
                    else read_answer(current.polls[ballot.number], ballot.answer)
                )
            except Error as error:
                raise Invalid(str(error)) from error
            vote = Vote(answer, ballot.seq)
            shut = ballot.round == ALONE_ROUND and _shut_alone(connection, current, key)
            if not shut and upsert_vote(connection, key, vote, self._clock()):
                return vote
            # closed, too early, answered in the class, sent again or older than the stored one, or
            # the device is unknown
            stored = read_vote(connection, key)
            if stored is not None and (stored.seq >= ballot.seq or ballot.round == ALONE_ROUND):
                return stored
            if read_device(connection, ballot.code, device) is None:
                raise NotJoined
            raise Closed

        return self._writer.do(ballot.code, run)

    def keep_contact(self, code: str, devices: Collection[str]) -> Future[None]:
        """Note that these devices of a class are here now, by the hashes of their tokens."""
        here = and_(DEVICE.c.code == code, DEVICE.c.device.in_(sorted(devices)))

        def run(connection: Connection) -> None:
            connection.execute(DEVICE.update().where(here).values(contact=self._clock()))

        return self._writer.do(code, run, quiet=True)

    def raise_hands(
        self, code: str, number: int, turn: int, counts: Mapping[str, int]
    ) -> Future[None]:
        """Store a show of hands that the teacher counted; it replaces an earlier one."""
        place = {"code": code, "number": number, "round": turn}
        rows = [{**place, "answer": answer, "count": n} for answer, n in counts.items() if n]

        def run(connection: Connection) -> None:
            if read_class(connection, code, lock=True) is None:
                raise NoClass
            connection.execute(delete(HANDS).filter_by(**place))
            if rows:
                connection.execute(HANDS.insert(), rows)

        return self._writer.do(code, run)

    def hide(self, code: str, number: int, device: str) -> Future[int]:
        """Erase what the device of a :class:`dmlviz.classroom.tally.Sentence` has written.

        Returns:
            how many there were: 1, or 0 if it was removed before.
        """
        writer = VOTE.c.device.startswith(device, autoescape=True)
        place = {"code": code, "number": number, "round": WRITTEN_ROUND}

        def run(connection: Connection) -> int:
            self._erasing = True
            erased = VOTE.update().filter_by(**place).where(writer).values(answer="")
            return count_rows(connection, erased)

        return self._writer.do(code, run)

    def lose(self, code: str, device: str, lost: bool) -> Future[None]:
        """Set or clear that a learner is lost at the current question."""
        key = hashed(device)

        def run(connection: Connection) -> None:
            current = self._living(connection, code)
            if read_device(connection, code, key) is None:
                raise NotJoined
            update = DEVICE.update().filter_by(code=code, device=key)
            connection.execute(update.values(lost=current.number if lost else -1))

        return self._writer.do(code, run)

    def call(self, code: str, device: str, nickname: str) -> Future[None]:
        """Store a learner's nickname; an empty one removes it."""
        key = hashed(device)

        def run(connection: Connection) -> None:
            if self._living(connection, code).options.nicknames == "none":
                raise NoNicknames
            update = DEVICE.update().filter_by(code=code, device=key)
            if not count_rows(connection, update.values(nickname=nickname)):
                raise NotJoined

        return self._writer.do(code, run)

    def change(self, code: str, change: Callable[[Class, int], Class]) -> Future[Class]:
        """Replace a class by the function's result for the class and the time."""

        def run(connection: Connection) -> Class:
            current = read_class(connection, code, lock=True)
            if current is None:
                raise NoClass
            new = change(current, self._clock())
            state = {name: getattr(new, name) for name in STATE}
            state["options"] = print_options(new.options)
            same = CLASS.update().filter_by(code=code, version=current.version)
            if not count_rows(connection, same.values(version=new.version, **state)):
                raise Stale
            if new.options.nicknames == "none" != current.options.nicknames:
                self._erasing = True
                connection.execute(DEVICE.update().filter_by(code=code).values(nickname=""))
            return new

        return self._writer.do(code, run)

    def delete(self, code: str) -> Future[None]:
        """Delete a class, its devices and its votes."""

        def run(connection: Connection) -> None:
            if not _delete_classes(connection, CLASS.c.code == code):
                raise NoClass
            self._erasing = True

        return self._writer.do(code, run)

    def purge(self) -> Future[int]:
        """Delete classes whose data is too old; return how many."""
        return self._writer.do("", self._purge, quiet=True)

    def find(self, code: str) -> Class:
        """A class, which may have expired."""
        current = self._read(lambda connection: read_class(connection, code))
        if current is None:
            raise NoClass
        return current

    def role(self, code: str, token: str) -> str:
        """``teacher`` or ``wall``; empty if the token is neither's."""
        hashes = self._read(lambda connection: read_hashes(connection, code))
        if hashes is None:
            raise NoClass
        # always compare both, so that the time does not show which one fits
        teacher, wall = (fits(token, stored) for stored in hashes)
        return "teacher" if teacher else "wall" if wall else ""

    def find_member(self, code: str, device: str) -> tuple[Class, Member | None]:
        """A class, which may have expired, and a device of it; None if it has not joined."""
        key = hashed(device)

        def read(connection: Connection) -> tuple[Class, Member | None]:
            current = read_class(connection, code)
            if current is None:
                raise NoClass
            row = read_device(connection, code, key)
            if row is None:
                return current, None
            lost, nickname = row
            place = {"code": code, "device": key, "number": current.number}
            vote = read_vote(connection, {**place, "round": current.round})
            before = None
            if current.round not in (ALONE_ROUND, ROUNDS[0]):
                before = read_vote(connection, {**place, "round": ROUNDS[0]})
            first = before.answer if before else ""
            answers = read_answers(connection, code, key) if current.kind.self_paced else {}
            return current, Member(lost == current.number, vote, first, nickname, answers)

        return self._read(read)

    def devices(self, code: str) -> frozenset[str]:
        """The hashes of the tokens of all devices of a class."""
        hashes = select(DEVICE.c.device).where(DEVICE.c.code == code)
        return self._read(lambda connection: frozenset(connection.execute(hashes).scalars()))

    def counts(self, current: Class) -> Counts:
        """The counts of a class at its current question."""
        time = self._clock()
        return self._read(lambda connection: read_counts(connection, current, time))

    def votes(self, code: str) -> Votes:
        """All votes of a class, counted."""
        return self._read(lambda connection: read_votes(connection, code))

    def close(self) -> None:
        """Store what waits, and close."""
        self._writer.close()
        self._database.dispose()

    def _living(self, connection: Connection, code: str) -> Class:
        current = read_class(connection, code)
        if current is None or current.expires <= self._clock():
            raise NoClass
        return current

    def _purge(self, connection: Connection) -> int:
        oldest = self._clock() - self.kept_ms
        deleted = _delete_classes(connection, CLASS.c.opened < oldest)
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

    def _read(self, read: Callable[[Connection], _T]) -> _T:
        self._prepare()
        with answering(), self._database.reading.connect() as connection:
            return read(connection)

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


def _shut_alone(connection: Connection, current: Class, key: Mapping[str, Any]) -> bool:
    """Whether a device cannot answer a question at its own pace.

    It has not answered all before it, or has the right answer already, from the class.

    Args:
        key: see :func:`dmlviz.classroom.statements.upsert_vote`.
    """
    answers = read_answers(connection, current.code, key["device"])
    number = key["number"]
    return number in answers or number > current.furthest(answers)


def _delete_classes(connection: Connection, where: Any) -> int:
    """Delete classes and all their data; return how many."""
    codes = select(CLASS.c.code).where(where)
    for table in (VOTE, HANDS, DEVICE):
        connection.execute(delete(table).where(table.c.code.in_(codes)))
    return count_rows(connection, delete(CLASS).where(where))
