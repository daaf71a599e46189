"""Memory of a session beside the minimal page's, and over many interactions.

``python -m benchmarks.memory`` prints two tables.  The collection after every run is off in this
project's configuration; the second table shows that memory stays bounded all the same.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.interactions import EMPTY, SETTING, WAYS, Way
from benchmarks.learners import Learner
from benchmarks.servers import APP, MINIMAL, Server, serving
from benchmarks.tables import table

Found = TypeVar("Found")

SESSIONS = 60
INTERACTIONS = 10_000
LEAST = 1024
"""The fewest bytes of a session that the server's memory shows."""


async def per_session(server: Server, way: Way, sessions: int) -> float:
    """Bytes of a session that is open and has worked, beyond what the first ones took."""
    learners = [Learner(server.address, way.page, way.query) for _ in range(sessions + 10)]
    before = 0
    for number, learner in enumerate(learners):
        if number == 10:
            before = server.resident()
        await learner.open()
        for value in way.values:
            await learner.change(way.key, value)
    after = server.resident()
    for learner in learners:
        await learner.close()
    return (after - before) / sessions


async def over_time(server: Server, interactions: int) -> list[tuple[int, int]]:
    """The server's memory after so many interactions of all kinds, each in a changing state."""
    found = [(0, server.resident())]
    learners = {way: Learner(server.address, way.page, way.query) for way in WAYS}
    for learner in learners.values():
        await learner.open()
    done = 0
    while done < interactions:
        for way, learner in learners.items():
            await learner.change(way.key, way.values[done // len(WAYS) % len(way.values)])
            done += 1
            if done % (interactions // 10) == 0:
                found.append((done, server.resident()))
    for learner in learners.values():
        await learner.close()
    return found


def sessions_table(minimal: float, ours: float) -> str:
    """A table of the bytes of a session of each page, and how many times as much ours takes.

    A server that gives memory back meanwhile grows by less than its sessions take: below
    :data:`LEAST` a figure is not a measurement, and there is no ratio.
    """
    pages = {"minimal page": minimal, "dmlviz, Tile": ours}
    measured = min(pages.values()) >= LEAST
    rows = [
        [
            name,
            f"{size / 1024:.0f}" if size >= LEAST else "less than 1",
            f"{size / minimal:.2f}" if measured else "-",
        ]
        for name, size in pages.items()
    ]
    return table(["a session", "KB", "times the minimal page"], rows)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--interactions", type=int, default=INTERACTIONS)
    asked = parser.parse_args()
    minimal = _in_server(MINIMAL, lambda server: per_session(server, EMPTY, asked.sessions))
    ours = _in_server(APP, lambda server: per_session(server, SETTING, asked.sessions))
    print(sessions_table(minimal, ours))
    print()
    found = _in_server(APP, lambda server: over_time(server, asked.interactions))
    settled = found[1][1]
    print(
        table(
            ["interactions", "MB", "times the first row but one"],
            [[f"{n:,}", f"{m / 1e6:.1f}", f"{m / settled:.2f}"] for n, m in found],
        )
    )


def _in_server(script: Path, work: Callable[[Server], Coroutine[Any, Any, Found]]) -> Found:
    with serving(script) as server:
        return asyncio.run(work(server))


if __name__ == "__main__":
    main()
