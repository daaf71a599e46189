"""Processes that get a part of a core's time, as if their machine were slower.

The processor of a machine that measures itself is shared; slower processes leave some of it to
those that ask them.  Needs a system with SIGSTOP.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

SECONDS = 0.02
"""How long a turn is in which they run for a part and stand still for the rest."""


@contextmanager
def slowed(part: float, processes: Sequence[int]) -> Iterator[None]:
    """Processes run for ``part`` of the time, from 0 to 1, together and in short turns."""
    command = [sys.executable, "-m", __name__, str(part), *map(str, processes)]
    with subprocess.Popen(command) as turns:
        try:
            yield
        finally:
            turns.terminate()
            turns.wait()
            _all(signal.SIGCONT, processes)


def main() -> None:
    """Let the processes of the command line run and stand still in turns."""
    part, processes = float(sys.argv[1]), [int(word) for word in sys.argv[2:]]
    while True:
        _all(signal.SIGCONT, processes)
        time.sleep(SECONDS * part)
        _all(signal.SIGSTOP, processes)
        time.sleep(SECONDS * (1 - part))


def _all(sign: signal.Signals, processes: Sequence[int]) -> None:
    for process in processes:
        os.kill(process, sign)


if __name__ == "__main__":
    main()
