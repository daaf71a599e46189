"""The event streams of classes: the first change is sent at once, then at most 4 a second."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from starlette.concurrency import run_in_threadpool

from dmlviz.classroom import views
from dmlviz.classroom.phases import Class
from dmlviz.classroom.refusals import NoClass, Refusal, TooMany
from dmlviz.classroom.sql import now
from dmlviz.classroom.store import MOST_DEVICES, Store
from dmlviz.classroom.tally import Counts

MOST_STREAMS = 4_000
"""The most streams of one process."""

MOST_OF_CLASS = MOST_DEVICES + 50
"""The most streams of one class: its devices and the screens of the teacher and the wall."""

MOST_OF_ONE = 4
"""The most streams of one device or token."""

HEARTBEAT = 15.0
"""Seconds without a message before a stream sends a sign of life; proxies cut silent streams."""

TICK = 0.25
"""Seconds between two messages; changes in between are sent together."""

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
    role: str
    due: asyncio.Event = field(default_factory=asyncio.Event)
    message: Message | None = None
    gone: bool = False

    def tell(self, message: Message) -> None:
        # a slow reader gets only the newest message
        self.message = message
        self.due.set()


@dataclass(eq=False)
class _Room:
    code: str
    listeners: set[_Listener] = field(default_factory=set)
    dirty: asyncio.Event = field(default_factory=asyncio.Event)
    urgent: asyncio.Event = field(default_factory=asyncio.Event)
    current: Class | None = None
    counts: Counts | None = None
    told: Class | None = None
    clock: asyncio.TimerHandle | None = None
    task: asyncio.Task[None] | None = None


class Hub:
    """All streams of this process.  Call only :meth:`changed` and :meth:`close` from other threads.

    Args:
        store: it is read again after every change.
        waken: called for every new stream.
        clock: milliseconds since 1970.
    """

    def __init__(
        self,
        store: Store,
        waken: Callable[[], None] = lambda: None,
        clock: Callable[[], int] = now,
    ) -> None:
        self._store, self._waken, self._clock = store, waken, clock
        self._loop: asyncio.AbstractEventLoop | None = None
        self._rooms: dict[str, _Room] = {}
        self._of: Counter[str] = Counter()
        self.closed = False

    @property
    def streams(self) -> int:
        """How many streams are open."""
        return self._of.total()

    def check_room(self, code: str, who: str) -> None:
        """Check that another stream may begin.

        Raises:
            TooMany: one more stream would exceed a limit.
        """
        room = self._rooms.get(code)
        of_class = len(room.listeners) if room else 0
        if (
            self.streams >= MOST_STREAMS
            or of_class >= MOST_OF_CLASS
            or self._of[who] >= MOST_OF_ONE
        ):
            raise TooMany

    async def stream(self, code: str, role: str, who: str) -> AsyncIterator[bytes]:
        """The bytes of one stream.

        Args:
            code: of an existing class.
            role: ``learner``, ``wall`` or ``teacher``.
            who: a name for the device or token, whose number of streams is limited.
        """
        listener = _Listener(role)
        self._enter(code, listener, who)
        try:
            yield f"retry: {_RETRY + random.randrange(_JITTER)}\n\n".encode()  # noqa: S311
            last = ""
            while not self.closed:
                try:
                    async with asyncio.timeout(HEARTBEAT):
                        await listener.due.wait()
                except TimeoutError:
                    yield b": here\n\n"
                    continue
                listener.due.clear()
                if listener.gone:
                    yield b"event: gone\ndata: {}\n\n"
                    return
                if listener.message and not self.closed:
                    yield listener.message.event(last)
                    last = listener.message.question
        finally:
            self._leave(code, listener, who)

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
                listener.due.set()

    def _mark(self, codes: frozenset[str] | None) -> None:
        for code in self._rooms.keys() if codes is None else codes & self._rooms.keys():
            self._rooms[code].dirty.set()

    def _enter(self, code: str, listener: _Listener, who: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._of[who] += 1
        room = self._rooms.get(code)
        if room is None:
            room = self._rooms[code] = _Room(code)
            room.dirty.set()
            room.task = asyncio.create_task(self._attend(room))
        room.listeners.add(listener)
        if room.current is not None:
            listener.tell(self._message(room, listener.role))
        self._waken()

    def _leave(self, code: str, listener: _Listener, who: str) -> None:
        self._of[who] -= 1
        if not self._of[who]:
            del self._of[who]
        room = self._rooms[code]
        room.listeners.discard(listener)
        if not room.listeners:
            del self._rooms[code]
            if room.clock:
                room.clock.cancel()
            if room.task:
                room.task.cancel()

    async def _attend(self, room: _Room) -> None:
        while True:
            await room.dirty.wait()
            room.dirty.clear()
            try:
                await self._refresh(room)
            except NoClass:
                for listener in room.listeners:
                    listener.gone = True
                    listener.due.set()
            except Exception as error:
                # listeners keep the last message until the database responds
                if not isinstance(error, Refusal):
                    _LOG.exception("A class could not be shown")
                room.dirty.set()
                await asyncio.sleep(_AGAIN)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK):
                    await room.urgent.wait()
            room.urgent.clear()

    async def _refresh(self, room: _Room) -> None:
        current, counts = await run_in_threadpool(self._ask, room.code)
        time = self._clock()
        here = current.at(time)
        if current.expires <= time:
            raise NoClass
        moved = here != room.told
        counted = moved or counts != room.counts
        room.current, room.counts, room.told = current, counts, here
        self._set_clock(room, time)
        messages: dict[str, Message] = {}
        for listener in room.listeners:
            # sending counts to 300 phones would take 90,000 events a round
            if moved or (counted and listener.role != "learner"):
                if listener.role not in messages:
                    messages[listener.role] = self._message(room, listener.role)
                listener.tell(messages[listener.role])

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

    def _message(self, room: _Room, role: str) -> Message:
        assert room.current is not None
        assert room.counts is not None
        current, time, teacher = room.current, self._clock(), role == "teacher"
        view = {**views.place(current, time), "role": role}
        if role != "learner":
            view["counts"] = views.counted(current, room.counts, time, teacher=teacher)
        asked = views.question(current, time, teacher=teacher)
        return Message(_json(view), _json(asked))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
