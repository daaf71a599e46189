"""Notifies this process's hub of other processes' changes in the database.

Every notice is only a hint to read again: an extra one does no harm. After a lost connection,
one notice for all classes replaces those that were missed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from dmlviz.classroom.database import PATIENCE, Database
from dmlviz.classroom.refusals import Away, ClassRefusal
from dmlviz.classroom.store import CHANNEL

POLL = 0.25
"""Seconds between two checks of SQLite's change counter."""

RECONNECT = 0.5
"""Seconds before connecting to PostgreSQL again."""

Told = Callable[[frozenset[str] | None], None]


class Watch:
    """A thread that sleeps while nobody listens.

    Args:
        database: the database to watch.
        told: called with the codes of classes that changed, or None for all.
        needed: returns whether anybody listens.
    """

    def __init__(self, database: Database, told: Told, needed: Callable[[], bool]) -> None:
        self._database, self._reported, self._needed = database, told, needed
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
            self._reported(None)
            while self._goes_on():
                found = connection.exec_driver_sql("PRAGMA data_version").scalar()
                if found != seen and seen is not None:
                    self._reported(None)
                seen = found
                time.sleep(POLL)

    def _listen(self) -> None:
        import psycopg  # only those who keep classes in PostgreSQL have it

        engine = self._database.reading
        args, named = engine.dialect.create_connect_args(engine.url)
        options = {**named, **PATIENCE}
        try:
            with psycopg.Connection.connect(*args, autocommit=True, **options) as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                self._reported(None)
                while self._goes_on():
                    for notice in connection.notifies(timeout=POLL):
                        self._reported(frozenset([notice.payload]))
        except psycopg.Error as error:
            raise Away from error
