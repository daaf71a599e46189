"""``dmlviz verify --watch``: again whenever a file changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

INTERVAL = 0.5
"""Seconds between two looks at the files."""

# where nothing was verified yet, as shells have it
_INTERRUPTED = 130

State = dict[str, tuple[int, int]]


def watch(
    files: Callable[[], Iterable[str]],
    verify: Callable[[], int],
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Verify, and again after each change, until Ctrl+C; the last exit code.

    Args:
        files: lists those that count now: one may come or go.
        verify: reads them and writes the report; gives the exit code.
        sleep: waits so many seconds.
    """
    code = _INTERRUPTED
    try:
        while True:
            # what changes while it is read is seen next time
            seen = state(files())
            code = verify()
            while state(files()) == seen:
                sleep(INTERVAL)
    except KeyboardInterrupt:
        return code


def state(files: Iterable[str]) -> State:
    """When each file was changed last, and its size; one that cannot be looked at has neither."""
    found: State = {}
    for file in files:
        try:
            said = Path(file).stat()
            found[file] = said.st_mtime_ns, said.st_size
        except (OSError, ValueError):
            found[file] = 0, 0
    return found
