"""One thread that writes: all waiting jobs share one transaction.

Threads that write separately compete for a lock that has no queue. With 300 votes at once,
separate transactions took up to 0.5 s; one thread took 9 ms.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from dmlviz.classroom.database import is_everybodys, is_worth_another, refusal_of
from dmlviz.classroom.refusals import Away, ClassRefusal

MOST_AT_ONCE = 500
"""The most jobs of one transaction."""

MOST_WAITING = 5_000
"""The most waiting jobs; one more is refused."""

_HOUR = 3_600
_LOG = logging.getLogger(__name__)

_T = TypeVar("_T")


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
