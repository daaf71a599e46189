"""A class as sessions that ask each second, and what it costs beside ours."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.learners import Learner
from benchmarks.servers import Server
from benchmarks.tables import late, middle, table

EVERY = 1.0
"""Seconds between two questions of a session, as ``benchmarks/pages/class.py`` asks for them."""

ANSWERS = ("in[0, 0]", "in[1, 1]", "in[2, 2]", "in[3, 3]")


@dataclass(frozen=True)
class Cost:
    """What a class took.

    Attributes:
        joined: seconds until all had what they look at.
        idle: cores that the server used while nobody voted.
        voting: processor seconds of the server while all voted.
        acknowledged: seconds of each vote.
        received: the most bytes that came to one of them, the page's own files not counted.
    """

    joined: float
    idle: float
    voting: float
    acknowledged: Sequence[float]
    received: int


class _Session:
    """One learner's, which asks by the clock; between two questions it may vote."""

    def __init__(self, address: str) -> None:
        self.learner = Learner(address)
        self.one = asyncio.Lock()
        self.task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        await self.learner.open()
        self.task = asyncio.create_task(self._ask())

    async def _ask(self) -> None:
        await asyncio.sleep(random.uniform(0, EVERY))
        while True:
            due = time.monotonic() + EVERY
            async with self.one:
                await self.learner.ask_again()
            await asyncio.sleep(max(0.0, due - time.monotonic()))

    async def vote(self, after: float) -> float:
        await asyncio.sleep(after)
        begun = time.perf_counter()
        async with self.one:
            await self.learner.change("answer", random.choice(ANSWERS))
        return time.perf_counter() - begun

    async def close(self) -> None:
        if self.task:
            # what went wrong in it is told here
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
            if not self.task.cancelled():
                self.task.result()
        await self.learner.close()


async def poll_class(server: Server, sessions: int, seconds: float) -> Cost:
    """The class of :func:`benchmarks.classroom.run_class` on ``benchmarks/pages/class.py``."""
    all_of_them = [_Session(server.address) for _each in range(sessions)]
    begun = time.perf_counter()
    await asyncio.gather(*(each.open() for each in all_of_them))
    joined = time.perf_counter() - begun
    await asyncio.sleep(EVERY)
    idle = await idle_cores(server, seconds)
    used = server.seconds()
    votes = [each.vote(random.uniform(0, seconds)) for each in all_of_them]
    acknowledged = list(await asyncio.gather(*votes))
    used = server.seconds() - used
    received = max(each.learner.received for each in all_of_them)
    await asyncio.gather(*(each.close() for each in all_of_them))
    return Cost(joined, idle, used, acknowledged, received)


async def idle_cores(server: Server, seconds: float) -> float:
    """Cores that a server uses while nobody does anything."""
    used, begun = server.seconds(), time.monotonic()
    await asyncio.sleep(seconds)
    return (server.seconds() - used) / (time.monotonic() - begun)


def compared(telephones: int, ours: Cost, polled: Cost) -> str:
    """A table of both, and how many times as much the polled one takes."""
    head = ["the same class", "phones", "join s", "idle cores", "CPU s of voting"]
    head += ["vote p50 ms", "p95 ms", "kB a phone"]
    times = [
        b / a if a > 0 else float("inf") for a, b in zip(_sums(ours), _sums(polled), strict=True)
    ]
    rows: list[Sequence[object]] = [
        ["dmlviz", telephones, *(f"{figure:.3g}" for figure in _sums(ours))],
        [
            "Streamlit sessions that poll",
            telephones,
            *(f"{figure:.3g}" for figure in _sums(polled)),
        ],
        ["times as much", "", *(f"{figure:.1f}" for figure in times)],
    ]
    return table(head, rows)


def _sums(cost: Cost) -> list[float]:
    votes = cost.acknowledged
    times = [1_000 * middle(votes), 1_000 * late(votes)]
    return [cost.joined, cost.idle, cost.voting, *times, cost.received / 1_000]
