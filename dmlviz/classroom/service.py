"""The parts of live classes in one process: store, hub, watch and limits."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool

from dmlviz.base.deferred import dataclass
from dmlviz.base.extras import extra
from dmlviz.classroom.database import (
    DEVICES,
    PATIENCE,
    USUAL_DEVICES,
    Database,
    connect,
    wanted_days,
    wanted_devices,
    wanted_url,
)
from dmlviz.classroom.hub import ADDRESS_SHARE, MOST_STREAMS, SHARES, Hub
from dmlviz.classroom.refusals import Away, ClassRefusal, WrongCodes
from dmlviz.classroom.store import CHANNEL, Store

WRITE_PATIENCE = 8.0
"""The most seconds that a request waits for its write."""

POLL = 0.25
"""Seconds between two checks of SQLite's change counter."""

RECONNECT = 0.5
"""Seconds before connecting to PostgreSQL again."""

Notify = Callable[[frozenset[str] | None], None]

_T = TypeVar("_T")

_LOG = logging.getLogger(__name__)
_SIGNALS = ("SIGTERM", "SIGINT", "SIGBREAK")


class Watch:
    """A thread that notifies this process's hub of other processes' changes in the database.

    It sleeps while nobody listens. Every notice is only a hint to read again: an extra one does no
    harm. After a lost connection, one notice for all classes replaces those that were missed.

    Args:
        database: the database to watch.
        notify: called with the codes of classes that changed, or None for all.
        needed: returns whether anybody listens.
    """

    def __init__(self, database: Database, notify: Notify, needed: Callable[[], bool]) -> None:
        self._database, self._notify, self._needed = database, notify, needed
        self._wake = threading.Event()
        self._stopped = False
        self._thread: threading.Thread | None = None

    def wake(self) -> None:
        """Wake the thread because somebody listens now."""
        self._wake.set()
        if self._thread is None and not self._stopped:
            self._thread = threading.Thread(target=self._work, name="watch", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop for good."""
        self._stopped = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join(5)

    def _work(self) -> None:
        look = self._poll if self._database.is_sqlite else self._listen
        while not self._stopped:
            self._wake.wait()
            self._wake.clear()
            try:
                look()
            except (SQLAlchemyError, ClassRefusal):
                self._wake.set()
                time.sleep(RECONNECT)

    def _goes_on(self) -> bool:
        return self._needed() and not self._stopped

    def _poll(self) -> None:
        with self._database.reading.connect() as connection:
            seen = None
            self._notify(None)
            while self._goes_on():
                version = connection.exec_driver_sql("PRAGMA data_version").scalar()
                if version != seen and seen is not None:
                    self._notify(None)
                seen = version
                time.sleep(POLL)

    def _listen(self) -> None:
        with extra("postgres"):
            import psycopg

        engine = self._database.reading
        args, named = engine.dialect.create_connect_args(engine.url)
        options = {**named, **PATIENCE}
        try:
            with psycopg.Connection.connect(*args, autocommit=True, **options) as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                self._notify(None)
                while self._goes_on():
                    for notice in connection.notifies(timeout=POLL):
                        self._notify(frozenset([notice.payload]))
        except psycopg.Error as error:
            raise Away from error


class RateLimit:
    """A rate limit for each asker: a burst, then so many requests a second.

    Args:
        at_once: the most requests that an asker can make at once.
        per_second: how many more are allowed each second.
        most: how many askers are remembered; the least recent one is forgotten first.
        clock: gives the time in seconds.

    >>> limit = RateLimit(2, 1.0, clock=lambda: 0.0)
    >>> limit.take("a"), limit.take("a"), limit.take("a"), limit.take("b")
    (True, True, False, True)
    """

    def __init__(
        self,
        at_once: float,
        per_second: float,
        most: int = 20_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._at_once, self._per_second, self._most = at_once, per_second, most
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def has(self, asker: Hashable) -> bool:
        """Whether the asker can make another request."""
        return self._now(asker) >= 1

    def take(self, asker: Hashable) -> bool:
        """Count one request; False if none is left."""
        left = self._now(asker)
        taken = left >= 1
        self._left[asker] = (left - taken, self._clock())
        self._left.move_to_end(asker)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        return taken

    def _now(self, asker: Hashable) -> float:
        left, at = self._left.get(asker, (self._at_once, 0.0))
        return min(self._at_once, left + (self._clock() - at) * self._per_second)


@dataclass(frozen=True)
class Limits:
    """The limits of one process.

    A whole school can share one address, so what one person there does must not shut out the
    others: a right code is always admitted, however many wrong ones came from its address.
    A code is therefore no secret; the teacher can close the class and remove devices.

    Attributes:
        device: requests of one device.
        failed: wrong codes of one address.
        joins: new devices of one address in one class.
        opened: classes opened from one address.
    """

    device: RateLimit
    failed: RateLimit
    joins: RateLimit
    opened: RateLimit

    def has_failed(self, address: str) -> None:
        """Count a wrong code.

        Raises:
            WrongCodes: the address has sent too many.
        """
        if not self.failed.take(address):
            raise WrongCodes


def usual_limits(devices: int = USUAL_DEVICES) -> Limits:
    """The default limits of the app, for classes of so many devices."""
    return Limits(
        device=RateLimit(30, 3.0),
        failed=RateLimit(40, 0.5),
        joins=RateLimit(max(500.0, devices / 2), max(10.0, devices / 100)),
        opened=RateLimit(20, 0.05),
    )


class Service:
    """What routes and pages use.

    Attributes:
        store: of classes; pages can call it from any thread.
        hub: of streams.
        limits: of this process.
    """

    def __init__(
        self,
        database: Database,
        days: int,
        limits: Limits | None = None,
        devices: int = USUAL_DEVICES,
    ) -> None:
        self._database = database
        self.limits = limits or usual_limits(devices)
        self.store = Store(database, days, lambda codes: self.hub.changed(codes), devices=devices)
        self._watch = Watch(
            database, lambda codes: self.hub.changed(codes), lambda: self.hub.streams > 0
        )
        self.hub = Hub(self.store, self._watch.wake, most=most_streams(devices))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While the server runs, delete old data and end the streams at a signal."""
        end_streams_first(self.hub.close)
        if self._database.is_there():
            self.store.purge()
        try:
            yield
        finally:
            self.hub.close()
            await run_in_threadpool(self.close)

    def close(self) -> None:
        """Store what waits, and close the database."""
        self._watch.stop()
        self.store.close()


def usual_service() -> Service:
    """The service that the settings define; nothing is opened before its first use.

    Raises:
        Error: ``DMLVIZ_DATABASE`` is not a valid database.
    """
    return Service(connect(wanted_url()), wanted_days(), devices=wanted_devices())


def end_streams_first(close: Callable[[], None]) -> None:
    """Make the signals that end the process end the streams first.

    The server waits for every response to end, and a stream never ends. The server's own handlers
    are already installed when its lifespan begins; they run after this one.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for name in _SIGNALS:
        number = getattr(signal, name, None)
        before = signal.getsignal(number) if number is not None else None
        if number is None or not callable(before):
            continue

        def chained(number: int, frame: Any, before: Callable[[int, Any], Any] = before) -> None:
            close()
            before(number, frame)

        with contextlib.suppress(ValueError, OSError):
            signal.signal(number, chained)


async def stored(future: Future[_T]) -> _T:
    """The result of a write, once it is stored.

    Raises:
        Away: it took longer than :data:`WRITE_PATIENCE`; a write that has not begun by then is
            cancelled.
    """
    try:
        return await asyncio.wait_for(asyncio.wrap_future(future), WRITE_PATIENCE)
    except TimeoutError:
        raise Away from None


def most_streams(devices: int = USUAL_DEVICES) -> int:
    """How many streams this process can have: half of the files that it may open, at most 4,000.

    There can be more if a class of so many devices, all of one address, needs more for each to have
    its stream. The soft limit, often 1,024, is first raised as far as it is needed and allowed; the
    log says if that is not enough for such a class.
    """
    needed = math.ceil(devices / SHARES[False] / ADDRESS_SHARE)
    most = max(MOST_STREAMS, needed)
    allowed = min(most, _allowed_files(2 * most) // 2)
    if allowed < needed:
        _LOG.warning(
            "%s is %d, but this process may open only %d files; a class of that size needs %d",
            DEVICES,
            devices,
            2 * allowed,
            2 * needed,
        )
    return allowed


def _allowed_files(wanted: int) -> int:
    """How many files this process may open, after raising the soft limit to what is wanted."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        raised = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        # some systems allow less than they say
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, hard))
        soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if soft == resource.RLIM_INFINITY else min(wanted, soft)
