"""Few scripts run at once, the first come first.

Streamlit runs each session's script in a thread. Hundreds of them share one interpreter, and every
message that one sends asks for the configuration behind one lock: run all together, they wait for
each other, and each is late. A few at a time, all are done sooner.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition, get_ident


class Turns:
    """Turns to run.

    Args:
        most: how many run at once.
        seconds: after so long a script goes on without a turn: what takes long keeps nobody
            waiting.

    >>> with Turns(most=1, seconds=0.25).turn():
    ...     print("runs")
    runs
    """

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._changed = Condition()
        self._since: dict[int, float] = {}

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, and end it; a thread that has one goes on with it."""
        me = get_ident()
        if me in self._since:
            yield
            return
        with self._changed:
            while (wait := self._wait()) > 0:
                self._changed.wait(wait)
            self._since[me] = time.monotonic()
        try:
            yield
        finally:
            with self._changed:
                del self._since[me]
                self._changed.notify()

    def _wait(self) -> float:
        """The seconds until a turn is free, at most; 0 if there is one now."""
        late = time.monotonic() - self._seconds
        running = sorted(since for since in self._since.values() if since > late)
        return running[-self._most] - late if len(running) >= self._most else 0


_TURNS = Turns(2, 0.25)
turn = _TURNS.turn
"""Wait for this process's turn to run a script."""
