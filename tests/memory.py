"""A bound on the memory that something takes."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def at_most(more: int) -> Iterator[None]:
    """The process may ask for so many bytes more than it has.

    On Linux the system refuses more, at no cost in time; elsewhere Python counts, three times as
    slow.

    Raises:
        MemoryError, AssertionError: it asked for more.
    """
    if sys.platform == "linux":
        import resource

        held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        limits = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (held + more, limits[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_AS, limits)
    else:
        tracemalloc.start()
        try:
            yield
            assert tracemalloc.get_traced_memory()[1] < more
        finally:
            tracemalloc.stop()
