"""The parts of live classes in one process: store, hub, watch and limits."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import signal
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from starlette.concurrency import run_in_threadpool

from dmlviz.classroom.database import (
    DEVICES,
    USUAL_DEVICES,
    Database,
    connect,
    wanted_days,
    wanted_devices,
    wanted_url,
)
from dmlviz.classroom.hub import ADDRESS_SHARE, MOST_STREAMS, SHARES, Hub
from dmlviz.classroom.limits import Limits, usual_limits
from dmlviz.classroom.refusals import Away
from dmlviz.classroom.store import Store
from dmlviz.classroom.watch import Watch

PATIENCE = 8.0
"""The most seconds that a request waits for its write."""

_T = TypeVar("_T")

_LOG = logging.getLogger(__name__)
_SIGNALS = ("SIGTERM", "SIGINT", "SIGBREAK")


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
        Away: it took longer than :data:`PATIENCE`; a write that has not begun by then is cancelled.
    """
    try:
        return await asyncio.wait_for(asyncio.wrap_future(future), PATIENCE)
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
