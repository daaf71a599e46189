"""The event streams of classes: the first change is sent at once, then at most 4 a second."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import random
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import field

from starlette.concurrency import run_in_threadpool

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import ENGLISH, speaking
from dmlviz.classroom import views
from dmlviz.classroom.phases import Class, finish
from dmlviz.classroom.refusals import (
    AddressStreamsFull,
    ClassRefusal,
    NoClass,
    NotNow,
    Stale,
    StreamsFull,
)
from dmlviz.classroom.store import Store, now
from dmlviz.classroom.tally import Counts

MOST_STREAMS = 4_000
"""The most streams of one process; fewer if it may not open twice as many files."""

SHARES: Mapping[bool, float] = {True: 0.25, False: 0.75}
"""The shares of the streams of staff, which is the teachers and the walls, and of learners: devices
that fill their own share leave the teacher's alone."""

ADDRESS_SHARE = 0.5
"""The part of either share that one address can have; a whole school can be behind one."""

MOST_OF_ONE: Mapping[str, int] = {"learner": 2, "wall": 16, "teacher": 16}
"""The most streams of one device or token; its newest one ends its oldest."""

HEARTBEAT = 15.0
"""Seconds without a message before a stream sends a sign of life; proxies cut silent streams."""

TICK = 0.25
"""Seconds between two messages; changes in between are sent together."""

CONTACT = 10.0
"""Seconds between two notes of which devices are here; see :data:`counting.AWAY`."""

_RETRY, _JITTER = 2_000, 1_000  # milliseconds; listeners must not all reconnect at once
_AGAIN = 1.0  # seconds before a retry if the database does not respond


_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Message:
    """The message for one kind of listener, in two parts.

    Attributes:
        place: everything except the question, as JSON.
        question: as JSON; sent only if it differs from the last one sent.
    """

    place: str
    question: str

    def event(self, last: str) -> bytes:
        """The message as a server-sent event."""
        both = f'{self.place[:-1]}, "question": {self.question}}}'
        return f"event: state\ndata: {self.place if self.question == last else both}\n\n".encode()


@dataclass(eq=False)
class _Listener:
    code: str
    role: str
    who: str
    address: str = ""
    language: str = ENGLISH
    waiting: asyncio.Event = field(default_factory=asyncio.Event)
    message: Message | None = None
    last: str = ""  # the name of an event that ends the stream

    def end(self, event: str) -> None:
        self.last = event
        self.waiting.set()

    def tell(self, message: Message) -> None:
        # a slow reader gets only the newest message
        self.message = message
        self.waiting.set()


@dataclass(eq=False)
class _Room:
    code: str
    listeners: set[_Listener] = field(default_factory=set)
    dirty: asyncio.Event = field(default_factory=asyncio.Event)
    urgent: asyncio.Event = field(default_factory=asyncio.Event)
    current: Class | None = None
    counts: Counts | None = None
    announced: Class | None = None
    refused: Counter[str] = field(default_factory=Counter)
    refusals_sent: Counter[str] = field(default_factory=Counter)
    finished: tuple[int, int] = (-1, 0)  # the question and the round in which all had answered
    # by role and language
    messages: dict[tuple[str, str], Message] = field(default_factory=dict)
    clock: asyncio.TimerHandle | None = None
    tasks: tuple[asyncio.Task[None], ...] = ()


class Hub:
    """All streams of this process.  Call only :meth:`changed` and :meth:`close` from other threads.

    Args:
        store: it is read again after every change.
        waken: called for every new stream.
        clock: milliseconds since 1970.
        most: the most streams.
    """

    def __init__(
        self,
        store: Store,
        waken: Callable[[], None] = lambda: None,
        clock: Callable[[], int] = now,
        most: int = MOST_STREAMS,
    ) -> None:
        self._store, self._waken, self._clock, self._most = store, waken, clock, most
        self._loop: asyncio.AbstractEventLoop | None = None
        self._rooms: dict[str, _Room] = {}
        self._of: defaultdict[str, list[_Listener]] = defaultdict(list)
        self._open: Counter[tuple[bool, str]] = Counter()
        self.closed = False

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return sum(map(len, self._of.values()))

    def has(self, code: str) -> bool:
        """Whether somebody listens to a class, which then exists."""
        room = self._rooms.get(code)
        return room is not None and room.current is not None

    def check_room(self, role: str, who: str, address: str = "") -> None:
        """Check that another stream may begin.

        Args:
            role: ``learner``, ``wall`` or ``teacher``.
            who: a name for the device or token; a stream that replaces its oldest needs no room.
            address: of the listener; empty if it is unknown.

        Raises:
            StreamsFull: the share of the learners, or of the staff, is used up.
            AddressStreamsFull: the listener's address has used up its part of it.
        """
        if len(self._of.get(who, ())) >= MOST_OF_ONE[role]:
            return
        most = int(self._most * SHARES[_is_staff(role)])
        if self._open[_is_staff(role), ""] >= most:
            raise StreamsFull(most)
        most = int(most * ADDRESS_SHARE)
        if address and self._open[_is_staff(role), address] >= most:
            raise AddressStreamsFull(most)

    def refuse(self, code: str, refusal: ClassRefusal) -> None:
        """Let the teacher know that a device was refused."""
        if room := self._rooms.get(code):
            room.refused[refusal.key] += 1
            room.dirty.set()

    def admit(self, code: str) -> None:
        """Forget the refused devices, because the teacher admits more now."""
        if room := self._rooms.get(code):
            room.refused.clear()

    async def stream(
        self, code: str, role: str, who: str, address: str = "", language: str = ENGLISH
    ) -> AsyncIterator[bytes]:
        """The bytes of one stream.

        Args:
            code: of an existing class.
            role, who, address: see :meth:`check_room`.
            language: of the questions.
        """
        listener = _Listener(code, role, who, address, language)
        self._enter(listener)
        try:
            yield f"retry: {_RETRY + random.randrange(_JITTER)}\n\n".encode()  # noqa: S311
            last = ""
            while not self.closed:
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await listener.waiting.wait()
                except TimeoutError:
                    yield b": here\n\n"
                    continue
                listener.waiting.clear()
                if listener.last:
                    yield f"event: {listener.last}\ndata: {{}}\n\n".encode()
                    return
                if listener.message and not self.closed:
                    yield listener.message.event(last)
                    last = listener.message.question
        finally:
            self._leave(listener)

    def changed(self, codes: frozenset[str] | None) -> None:
        """Note a change in these classes, or in all if None; can be called from any thread."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._mark, codes)

    def hurry(self, code: str) -> None:
        """Send the teacher's change of this class without waiting for the next tick."""
        if room := self._rooms.get(code):
            room.urgent.set()
            room.dirty.set()

    def close(self) -> None:
        """End all streams; can be called from any thread and from a signal handler."""
        self.closed = True
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        for room in self._rooms.values():
            for listener in room.listeners:
                listener.waiting.set()

    def _mark(self, codes: frozenset[str] | None) -> None:
        for code in self._rooms.keys() if codes is None else codes & self._rooms.keys():
            self._rooms[code].dirty.set()

    def _enter(self, listener: _Listener) -> None:
        self._loop = asyncio.get_running_loop()
        same = self._of[listener.who]
        # a device that lost its connection comes back before the old stream has ended
        while len(same) >= MOST_OF_ONE[listener.role]:
            oldest = same[0]
            oldest.end("replaced")
            self._leave(oldest)
        self._of[listener.who].append(listener)
        for address in {"", listener.address}:
            self._open[_is_staff(listener.role), address] += 1
        room = self._rooms.get(listener.code)
        if room is None:
            room = self._rooms[listener.code] = _Room(listener.code)
            room.dirty.set()
            attending = (self._attend(room), self._keep_contact(room))
            room.tasks = tuple(asyncio.create_task(each) for each in attending)
        room.listeners.add(listener)
        if room.current is not None:
            if room.current.remaining(self._clock()) is not None:
                room.messages.clear()
            listener.tell(self._message(room, listener.role, listener.language))
        self._waken()

    def _leave(self, listener: _Listener) -> None:
        same = self._of.get(listener.who, [])
        if listener not in same:
            return  # a newer one has ended it
        same.remove(listener)
        if not same:
            del self._of[listener.who]
        for address in {"", listener.address}:
            place = _is_staff(listener.role), address
            self._open[place] -= 1
            if not self._open[place]:
                del self._open[place]
        room = self._rooms[listener.code]
        room.listeners.discard(listener)
        if not room.listeners:
            del self._rooms[listener.code]
            if room.clock:
                room.clock.cancel()
            for task in room.tasks:
                task.cancel()

    async def _attend(self, room: _Room) -> None:
        while True:
            await room.dirty.wait()
            room.dirty.clear()
            try:
                await self._refresh(room)
            except NoClass:
                for listener in room.listeners:
                    listener.end("gone")
            except Exception as error:
                # listeners keep the last message until the database responds
                if not isinstance(error, ClassRefusal):
                    _LOG.exception("A class could not be shown")
                room.dirty.set()
                await asyncio.sleep(_AGAIN)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK):
                    await room.urgent.wait()
            room.urgent.clear()

    async def _keep_contact(self, room: _Room) -> None:
        """Note again and again who is here, and count anew."""
        while True:
            here = {each.who for each in room.listeners if each.role == "learner"}
            # while the database does not respond, nobody can vote either
            with contextlib.suppress(ClassRefusal):
                if here:
                    await asyncio.wrap_future(self._store.keep_contact(room.code, here))
            # the last one may have left
            room.dirty.set()
            await asyncio.sleep(CONTACT)

    async def _refresh(self, room: _Room) -> None:
        current, counts = await run_in_threadpool(self._ask, room.code)
        time = self._clock()
        here = current.at(time)
        if current.expires <= time:
            raise NoClass
        if room.counts is not None and counts.joined < room.counts.joined:
            await self._end_removed(room)
        moved = here != room.announced
        refused = room.refused.copy()
        counted = moved or counts != room.counts or refused != room.refusals_sent
        room.refusals_sent = refused
        room.current, room.counts, room.announced = current, counts, here
        self._set_clock(room, time)
        room.messages.clear()
        for listener in room.listeners:
            # sending counts to 300 phones would take 90,000 events a round
            if moved or (counted and listener.role != "learner"):
                listener.tell(self._message(room, listener.role, listener.language))
        await self._finish(room, here, counts)

    async def _finish(self, room: _Room, here: Class, counts: Counts) -> None:
        """Close the vote soon in which all who are here have answered, once in each round."""
        turn = here.number, here.round
        if (
            not here.options.finishes
            or not here.kind.votes
            or not counts.answered
            or counts.waiting
            or room.finished == turn
        ):
            return
        room.finished = turn
        # another replica may have been first
        with contextlib.suppress(NotNow, Stale):
            await asyncio.wrap_future(self._store.change(room.code, finish))

    async def _end_removed(self, room: _Room) -> None:
        devices = await run_in_threadpool(self._store.devices, room.code)
        for listener in room.listeners:
            if listener.role == "learner" and listener.who not in devices:
                listener.end("removed")

    def _ask(self, code: str) -> tuple[Class, Counts]:
        current = self._store.find(code)
        return current, self._store.counts(current)

    def _set_clock(self, room: _Room, time: int) -> None:
        if room.clock:
            room.clock.cancel()
        current = room.current
        assert current is not None
        assert self._loop is not None
        ends = current.closes if current.at(time).open and current.closes else current.expires
        # a timer may fire slightly early
        room.clock = self._loop.call_later((ends - time) / 1_000 + 0.01, room.dirty.set)

    def _message(self, room: _Room, role: str, language: str) -> Message:
        kind = role, language
        if kind not in room.messages:
            room.messages[kind] = self._new_message(room, *kind)
        return room.messages[kind]

    def _new_message(self, room: _Room, role: str, language: str) -> Message:
        assert room.current is not None
        assert room.counts is not None
        current, time, teacher = room.current, self._clock(), role == "teacher"
        counts: views.View = {}
        with speaking(language):
            if role != "learner":
                most = self._store.most_devices
                counts = views.counted(current, room.counts, time, most, teacher=teacher)
            view = {**views.place(current, time, role, counts.get("advice", "")), "role": role}
            if counts:
                view["counts"] = counts
            if teacher:
                view["refused"] = dict(room.refused)
            asked = views.question(current, time, teacher=teacher)
        return Message(_json(view), _json(asked))


def _is_staff(role: str) -> bool:
    return role != "learner"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
