"""What every hostile input is read under: little memory more, little time."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext

import pytest

from tests.memory import at_most

MEMORY = 256 << 20
"""Bytes that reading may ask for beyond what the process has."""

SECONDS = 20
"""Of the processor's time, for one input: a thousand times what the slowest needs."""


class TookTooLong(BaseException):
    """No Exception, so that nobody catches it on the way."""


@pytest.fixture
def bounded() -> Iterator[Callable[..., None]]:
    """Memory is limited by the system (Linux); the clock of an input starts with each call."""
    if sys.platform == "win32":  # which knows neither
        yield lambda seconds=SECONDS: None
        return

    def late(number: int, frame: object) -> None:
        raise TookTooLong

    def start(seconds: float = SECONDS) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)

    before = signal.signal(signal.SIGVTALRM, late)
    try:
        with at_most(MEMORY) if sys.platform == "linux" else nullcontext():
            yield start
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
