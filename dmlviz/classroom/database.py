"""Finds the database, connects to it, and writes with one thread: waiting jobs share a transaction.

Threads that write separately compete for a lock that has no queue. With 300 votes at once,
separate transactions took up to 0.5 s; one thread took 9 ms.
"""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_data_dir
from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.extras import extra
from dmlviz.base.words import _
from dmlviz.classroom.refusals import Away, ClassRefusal, Damaged, DiskFull

DATABASE = "DMLVIZ_DATABASE"
"""The environment variable that names another database: the path of a SQLite file, or
``postgresql+psycopg://user:password@host/name``."""

DAYS = "DMLVIZ_CLASS_DAYS"
"""The environment variable for how many days a class's data is kept: 1 to 3650, otherwise 30."""

DEVICES = "DMLVIZ_CLASS_DEVICES"
"""The environment variable for how many devices can join a class: 1 to 10,000, otherwise 1,000."""

USUAL_DEVICES = 1_000
"""The most devices of one class unless the setting says another number."""

MOST_DEVICES = 10_000
"""The most devices that the setting can allow."""

_USUAL_DAYS = 30
_BUSY = 2.0  # seconds to wait for a locked file
PATIENCE = {"connect_timeout": 3, "keepalives_idle": 10, "tcp_user_timeout": 10_000}
"""Settings of libpq: a server that does not respond is given up after 10 seconds."""

_AT_ONCE = 5  # four readers and one watcher
_SQLITE = "sqlite+pysqlite"
_POSTGRES = "postgresql+psycopg"
_FULL = ("53100", sqlite3.SQLITE_FULL)
_DAMAGED = ("XX001", "XX002", sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_LOG = logging.getLogger(__name__)

MOST_AT_ONCE = 500
"""The most jobs of one transaction."""

MOST_WAITING = 5_000
"""The most waiting jobs; one more is refused."""

_HOUR = 3_600

_LOG = logging.getLogger(__name__)

_T = TypeVar("_T")


@dataclass(frozen=True)
class Database:
    """Two engines for the same database.

    Attributes:
        writing: its transactions lock when they begin; for one thread.
        reading: for several threads at the same time.
    """

    writing: Engine
    reading: Engine

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file on this machine rather than PostgreSQL."""
        return self.writing.dialect.name == "sqlite"

    def is_there(self) -> bool:
        """Whether it exists: False only for a SQLite file that is missing; this creates no file."""
        path = self.writing.url.database or ""
        return not self.is_sqlite or Path(path).exists()

    def erase_log(self) -> bool:
        """Empty SQLite's write-ahead log, in which deleted rows stay; whether that succeeded.

        Call it between the transactions of ``writing``.
        """
        if not self.is_sqlite:
            return True
        with contextlib.closing(self.writing.raw_connection()) as connection:
            busy, _pages, _moved = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy

    def dispose(self) -> None:
        """Close all connections."""
        self.writing.dispose()
        self.reading.dispose()


def wanted_url() -> URL:
    """The database's URL: the one in the settings, or a file in the user's data folder.

    Raises:
        Error: the setting is neither a file nor a PostgreSQL URL with psycopg, or psycopg is not
            installed.
    """
    return url_of(os.environ.get(DATABASE, ""))


def url_of(named: str) -> URL:
    """The URL of the database that a setting names.

    Raises:
        Error: see :func:`wanted_url`. The sentence leaves out the text, which may hold a password.
    """
    if not named:
        path = Path(user_data_dir("dmlviz", appauthor=False)) / "classes.sqlite"
        return URL.create(_SQLITE, database=str(path))
    if not re.match(r"[a-z0-9+]+://", named):
        return URL.create(_SQLITE, database=named)
    try:
        url = make_url(named)
    except (SQLAlchemyError, ValueError):
        raise Error(_not_possible(), DATABASE) from None
    if url.drivername not in (_POSTGRES, _SQLITE, "sqlite"):
        raise Error(_not_possible(), DATABASE)
    if url.drivername == "sqlite":
        url = url.set(drivername=_SQLITE)
    if url.drivername == _POSTGRES:
        with extra("postgres", DATABASE):
            import_module("psycopg")
    return url


def _not_possible() -> str:
    sentence = _("{name} must be the path of a SQLite file or {example}.")
    return sentence.format(name=DATABASE, example=f"{_POSTGRES}://user:password@host/name")


def wanted_days() -> int:
    """How many days data is kept: the setting, or 30."""
    days = os.environ.get(DAYS, "")
    return int(days) if re.fullmatch(r"[1-9][0-9]{0,2}|[1-3][0-9]{3}", days) else _USUAL_DAYS


def wanted_devices() -> int:
    """How many devices can join a class: the setting, or 1,000."""
    setting = os.environ.get(DEVICES, "")
    devices = int(setting) if re.fullmatch(r"[1-9][0-9]{0,4}", setting) else USUAL_DEVICES
    return devices if devices <= MOST_DEVICES else USUAL_DEVICES


def connect(url: URL) -> Database:
    """A database, which may not exist yet; nothing is opened before its first use."""
    if url.drivername == _POSTGRES:
        options: dict[str, Any] = {"pool_pre_ping": True, "connect_args": dict(PATIENCE)}
        writing = create_engine(url, pool_size=1, max_overflow=0, **options)
        options |= {"isolation_level": "AUTOCOMMIT", "pool_timeout": 5}
        reading = create_engine(url, pool_size=_AT_ONCE, max_overflow=0, **options)
        for engine in (writing, reading):
            event.listen(engine, "connect", _bound)
        return Database(writing, reading)
    options = {"connect_args": {"timeout": _BUSY, "check_same_thread": False}}
    writing = create_engine(url, pool_size=1, max_overflow=0, **options)
    reading = create_engine(url, pool_size=_AT_ONCE, max_overflow=0, pool_timeout=5, **options)
    for engine in (writing, reading):
        event.listen(engine, "handle_error", _name_damage)
        event.listen(engine, "do_connect", _make_folder)
        event.listen(engine, "connect", _prepare)
    # SQLite refuses a transaction that reads, then locks, if another one wrote in between
    event.listen(writing, "begin", _lock)
    return Database(writing, reading)


def _bound(connection: Any, _record: object) -> None:
    # wait for another transaction's lock as long as for a locked file, not forever
    connection.execute(f"SET lock_timeout = {int(_BUSY * 1_000)}")
    connection.execute("SET statement_timeout = 5000")
    connection.commit()


def _make_folder(_dialect: object, _record: object, args: list[Any], _named: object) -> None:
    try:
        # other users must not read the votes
        Path(args[0]).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Away from error


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    # the driver must not begin transactions itself
    connection.isolation_level = None
    pragmas = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON")
    for pragma in pragmas:
        connection.execute(f"PRAGMA {pragma}")


def _name_damage(context: ExceptionContext) -> None:
    if (
        context.engine is not None
        and getattr(context.original_exception, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
    ):
        _LOG.error("The class's database is damaged: %s", context.engine.url.database)


def _lock(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def answering() -> Iterator[None]:
    """Raise every database error inside the ``with`` as a refusal."""
    try:
        yield
    except SQLAlchemyError as error:
        raise refusal_of(error) from error


def refusal_of(error: SQLAlchemyError) -> Away:
    """What a database error means to people: a full disk, a damaged file or no answer."""
    reason = getattr(error, "orig", None)
    # SQLite's extended codes have the plain one in their lowest byte
    code = getattr(reason, "sqlstate", None) or getattr(reason, "sqlite_errorcode", 0) & 0xFF
    if code in _DAMAGED:
        return Damaged()
    return DiskFull() if code in _FULL else Away()


def is_worth_another(error: Exception) -> bool:
    """Whether to retry immediately: the connection was lost, or there was a deadlock."""
    if not isinstance(error, DBAPIError):
        return False
    deadlock = getattr(error.orig, "sqlstate", "") in ("40P01", "40001")
    return error.connection_invalidated or deadlock


def is_everybodys(error: Exception) -> bool:
    """Whether every transaction would fail: the database is locked, full or unavailable."""
    return isinstance(error, SQLAlchemyError) and (
        not isinstance(error, DBAPIError) or isinstance(error, OperationalError)
    )


@dataclass(frozen=True, eq=False)
class _Job:
    code: str
    run: Callable[[Connection], Any]
    future: Future[Any]
    quiet: bool


class Writer:
    """The thread; it starts with the first job.

    Attributes:
        ready: whether ``before`` has succeeded.

    Args:
        engine: its transactions lock when they begin.
        before: runs with the first transaction, and again until it succeeds; it migrates.
        finish: runs at the end of each transaction, with the codes of the classes that changed.
        after: runs after each transaction, before its results are given.
        changed: called with these codes once the changes are stored.
        hourly: runs after an hour without other jobs.
    """

    def __init__(
        self,
        engine: Engine,
        before: Callable[[Connection], object],
        finish: Callable[[Connection, frozenset[str]], None],
        after: Callable[[], None],
        changed: Callable[[frozenset[str]], None],
        hourly: Callable[[Connection], object],
    ) -> None:
        self._engine, self._before, self._hourly = engine, before, hourly
        self._finish, self._after, self._changed = finish, after, changed
        self.ready = False
        self._jobs: queue.Queue[_Job | None] = queue.Queue(MOST_WAITING)
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    def do(self, code: str, run: Callable[[Connection], _T], *, quiet: bool = False) -> Future[_T]:
        """Run a job in the next transaction; the future gives its result once it is stored.

        Args:
            code: of the class that it changes.
            run: may raise a :class:`ClassRefusal` before it writes anything, and may run twice.
            quiet: whether to skip the notice of the change.
        """
        future: Future[_T] = Future()
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="classes", daemon=True)
                self._thread.start()
        try:
            self._jobs.put_nowait(_Job(code, run, future, quiet))
        except queue.Full:
            future.set_exception(Away())
        return future

    def close(self) -> None:
        """Store what waits, and stop."""
        with self._starting:
            thread, self._thread = self._thread, None
        if thread is not None:
            self._jobs.put(None)
            thread.join(10)

    def _work(self) -> None:
        going = True
        while going:
            waiting = [self._next()]
            while len(waiting) < MOST_AT_ONCE and not self._jobs.empty():
                waiting.append(self._jobs.get())
            going = None not in waiting
            jobs = [job for job in waiting if job and job.future.set_running_or_notify_cancel()]
            # all replicas lock classes in the same order, which prevents deadlocks
            jobs.sort(key=lambda job: job.code)
            self._store(jobs)

    def _next(self) -> _Job | None:
        try:
            return self._jobs.get(timeout=_HOUR)
        except queue.Empty:
            return _Job("", self._hourly, Future(), quiet=True)

    def _store(self, jobs: list[_Job]) -> None:
        if not jobs:
            return
        try:
            results = self._transact(jobs)
        except Exception as error:
            if len(jobs) > 1 and not is_everybodys(error):
                # one job is at fault; the others must not fail with it
                for job in jobs:
                    self._store([job])
                return
            failure = _failure(error)
            for job in jobs:
                job.future.set_exception(failure)
            return
        try:
            self._after()
        except SQLAlchemyError as error:
            _failure(error)  # everything is stored all the same
        for job, result in zip(jobs, results, strict=True):
            if isinstance(result, ClassRefusal):
                job.future.set_exception(result)
            else:
                job.future.set_result(result)
        if codes := _classes_to_notify(jobs, results):
            self._changed(codes)

    def _transact(self, jobs: list[_Job]) -> list[Any]:
        for again in (True, False):
            try:
                with self._engine.begin() as connection:
                    if not self.ready:
                        self._before(connection)
                    results = [_run(job, connection) for job in jobs]
                    self._finish(connection, _classes_to_notify(jobs, results))
            except Exception as error:
                if not again or not is_worth_another(error):
                    raise
            else:
                self.ready = True
                return results
        raise AssertionError("the second try returns or raises")


def _failure(error: Exception) -> Exception:
    if not isinstance(error, SQLAlchemyError):
        return error
    failure = refusal_of(error)
    # the error's own text contains the values, which must not be logged
    reason = getattr(error, "orig", None) or error
    _LOG.warning("The class's database: %s (%s)", failure.key, type(reason).__name__)
    failure.__cause__ = error
    return failure


def _run(job: _Job, connection: Connection) -> Any:
    try:
        return job.run(connection)
    except ClassRefusal as refusal:
        return refusal


def _classes_to_notify(jobs: list[_Job], results: list[Any]) -> frozenset[str]:
    pairs = zip(jobs, results, strict=True)
    return frozenset(j.code for j, r in pairs if not j.quiet and not isinstance(r, ClassRefusal))
