"""``dmlviz verify --jobs``: pages in several processes, in the order of one."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool

from dmlviz.commands.verify_pages import Verified, VerifyRun
from dmlviz.errors import Error
from dmlviz.words import _, locale, speaking

PAGES = 8
"""How many pages a process takes at a time."""

# Windows waits for no more than 63 things at once
_MOST = 60
_SAFE_PATH = "PYTHONSAFEPATH"


def in_processes(
    files: Sequence[str], run: VerifyRun, jobs: int, advance: Callable[[int], object]
) -> list[Verified]:
    """The pages in their order; this process is one of ``jobs`` and verifies some of them.

    The others start while it does, and import everything on their own: a fork of a process in
    which an engine may have threads is not safe. If this one is interrupted, they end.

    Args:
        files: no standard input among them.
        run: what each is checked with.
        jobs: from 2.
        advance: called with the number of pages that are done.

    Raises:
        Error: one of the processes ended before its pages were verified.
    """
    parts = [files[at : at + PAGES] for at in range(0, len(files), PAGES)]
    results: dict[int, list[Verified]] = {}
    before = multiprocessing.active_children()
    others = max(1, min(jobs - 1, len(parts), _MOST))
    path = os.environ.get(_SAFE_PATH)
    # until they get this one's path, they would import modules from the current folder
    os.environ[_SAFE_PATH] = "1"
    pool = ProcessPoolExecutor(others, multiprocessing.get_context("spawn"), _begin)
    left, running = deque(range(len(parts))), dict[Future[list[Verified]], int]()
    try:
        while left or running:
            # one more for each, so that none of them waits
            while left and len(running) < 2 * others:
                number = left.popleft()
                running[pool.submit(_verified, parts[number], run, locale())] = number
            if left:
                number = left.pop()
                results[number] = [run.file(file) for file in parts[number]]
                advance(len(parts[number]))
            else:
                wait(running, return_when=FIRST_COMPLETED)
            for done in [future for future in running if future.done()]:
                number = running.pop(done)
                results[number] = done.result()
                advance(len(parts[number]))
    except BrokenProcessPool:
        message = _("--jobs: a process that verified pages ended too early; try --jobs 1.")
        raise Error(message, "jobs") from None
    except BaseException:
        for process in multiprocessing.active_children():
            if process not in before:
                process.terminate()
        raise
    finally:
        pool.shutdown()
        if path is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = path
    return [verified for number in range(len(parts)) for verified in results[number]]


def _begin() -> None:
    """Ctrl+C reaches all processes of a terminal; the one that started this one ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _verified(files: Sequence[str], run: VerifyRun, language: str) -> list[Verified]:
    with speaking(language):
        return [run.file(file) for file in files]
