"""What every hostile input is read under: little memory more, little time."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

MEMORY = 256 << 20
"""Bytes that reading may ask for beyond what the process has."""

SECONDS = 20
"""Of the processor's time, for one input: a thousand times what the slowest needs."""


class TookTooLong(BaseException):
    """No Exception, so that nobody catches it on the way."""


@pytest.fixture
def bounded() -> Iterator[Callable[[], None]]:
    """Memory is limited by the system (Linux); the clock of an input starts with each call."""
    if sys.platform == "win32":  # which knows neither
        yield lambda: None
        return
    import resource

    def late(number: int, frame: object) -> None:
        raise TookTooLong

    def start() -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)

    before = signal.signal(signal.SIGVTALRM, late)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    if sys.platform == "linux":
        held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (held + MEMORY, limits[1]))
    try:
        yield start
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, limits)
