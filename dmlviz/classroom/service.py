"""The parts of live classes in one process: store, hub, watch and limits."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.concurrency import run_in_threadpool

from dmlviz.classroom.database import Database, connect, wanted_days, wanted_url
from dmlviz.classroom.hub import Hub
from dmlviz.classroom.limits import Limits, usual_limits
from dmlviz.classroom.sql import SqlStore
from dmlviz.classroom.watch import Watch

_SIGNALS = ("SIGTERM", "SIGINT", "SIGBREAK")


class Service:
    """What routes and pages use.

    Attributes:
        store: of classes; pages can call it from any thread.
        hub: of streams.
        limits: of this process.
    """

    def __init__(self, database: Database, days: int, limits: Limits | None = None) -> None:
        self._database = database
        self.limits = limits or usual_limits()
        self.store = SqlStore(database, days, lambda codes: self.hub.changed(codes))
        self._watch = Watch(
            database, lambda codes: self.hub.changed(codes), lambda: self.hub.streams > 0
        )
        self.hub = Hub(self.store, self._watch.wake)

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
    return Service(connect(wanted_url()), wanted_days())


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


async def stored(future: Any, seconds: float) -> Any:
    """The result of a write, once it is stored.

    Raises:
        TimeoutError: it took longer; a write that has not begun by then is cancelled.
    """
    return await asyncio.wait_for(asyncio.wrap_future(future), seconds)
