"""A class of two hundred on one process, and sessions that come and go for an hour.

``python -m benchmarks.load`` prints three tables: the interactions of a class whose ten minutes
are compressed, beside the same on a minimal page; the memory while it works; and the memory while
sessions are opened, used and closed again.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.learners import Learner
from benchmarks.servers import APP, MINIMAL, Server, serving
from benchmarks.tables import late, middle, table

SESSIONS = 200
INTERACTIONS = 20
MINUTES = 2.0
"""How many seconds the class takes here; it represents ten minutes of a real class."""

_LESSON = 10.0

Step = tuple[str, Any]
"""A widget's key, and what it is set to."""


@dataclass
class Class:
    """What a class did.

    Attributes:
        opened: seconds that each first page took.
        taken: seconds of every interaction.
        errors: what went wrong, in words.
        memory: seconds since the beginning and bytes of the server.
    """

    opened: list[float] = field(default_factory=list)
    taken: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    memory: list[tuple[float, int]] = field(default_factory=list)


def as_a_learner(chance: random.Random) -> tuple[str, Sequence[Step]]:
    """A page, and what somebody does on it: mostly settings, sometimes the tensor itself."""
    page, settings = chance.choice(_PAGES)
    steps: list[Step] = []
    held: dict[str, Any] = {}
    for _turn in range(INTERACTIONS):
        of = chance.choices([settings, _TENSOR, _VIEW], [7, 2, 1])[0]
        key, values = chance.choice(of)
        # nobody sets a widget to what it holds; that would run the whole page for no change
        held[key] = chance.choice([value for value in values if value != held.get(key)])
        steps.append((f"{page.replace('-', '_')}_{key}", held[key]))
    return page, steps


def as_little(chance: random.Random) -> tuple[str, Sequence[Step]]:
    """As many changes of the minimal page's only widget."""
    return "", [("n", chance.randrange(1_000_000)) for _turn in range(INTERACTIONS)]


# every combination is one that the operator takes, or refuses in words
_PAGES: Sequence[tuple[str, Sequence[tuple[str, Sequence[Any]]]]] = (
    ("tile", [(f"repeats_{d}", (1, 2, 3)) for d in range(4)]),
    ("depth-to-space", [("order", ("DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH"))]),
    ("space-to-depth", [("order", ("DEPTH_COLUMN_ROW", "COLUMN_ROW_DEPTH"))]),
    (
        "padding",
        [(f"{side}_padding_{d}", (0, 1, 2, 3, 5)) for side in ("start", "end") for d in (2, 3)]
        + [("padding_mode", ("CONSTANT", "EDGE", "REFLECTION", "SYMMETRIC"))],
    ),
)
_TENSOR = [
    ("data_type", ("FLOAT32", "FLOAT16", "INT32", "UINT8")),
    ("sizes", ("1,4,4,4", "1,4,2,6", "1,8,4,2", "2,4,2,2")),
    ("values", ("count-0", "count-1", "random")),
]
_VIEW = [("predict", (True, False)), ("feature_level", ("6.4", "5.0", "3.0"))]


async def class_of(
    server: Server,
    sessions: int,
    seconds: float,
    behave: Callable[[random.Random], tuple[str, Sequence[Step]]],
) -> Class:
    """Sessions that open a page in the first tenth and work for the rest of the time."""
    done = Class()
    begun = time.perf_counter()
    think = 0.9 * seconds / INTERACTIONS

    async def learn(number: int) -> None:
        chance = random.Random(number)
        page, steps = behave(chance)
        await asyncio.sleep(chance.uniform(0, 0.1 * seconds))
        learner = Learner(server.address, page)
        try:
            done.opened.append(await learner.open())
            for key, value in steps:
                await asyncio.sleep(chance.uniform(0.5, 1.5) * think)
                if key in learner.widgets:
                    done.taken.append(await learner.change(key, value))
        except Exception as error:
            done.errors.append(f"{type(error).__name__}: {error}")
        await learner.close()

    async def watch() -> None:
        while True:
            done.memory.append((time.perf_counter() - begun, server.resident()))
            await asyncio.sleep(seconds / 8)

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(learn(number) for number in range(sessions)))
    watching.cancel()
    done.memory.append((time.perf_counter() - begun, server.resident()))
    return done


async def come_and_go(server: Server, sessions: int, at_once: int = 20) -> list[tuple[int, int]]:
    """Sessions opened, used twice and closed; the server's memory as they go by."""
    found = [(0, server.resident())]
    left = iter(range(sessions))
    gone = 0

    async def visits() -> None:
        nonlocal gone
        for number in left:
            chance = random.Random(number)
            page, steps = as_a_learner(chance)
            learner = Learner(server.address, page)
            await learner.open()
            for key, value in steps[:2]:
                if key in learner.widgets:
                    await learner.change(key, value)
            await learner.close()
            gone += 1
            if gone % (sessions // 10) == 0:
                found.append((gone, server.resident()))

    await asyncio.gather(*(visits() for _ in range(at_once)))
    return found


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("--visits", type=int, default=6 * SESSIONS, help="sessions of an hour")
    asked = parser.parse_args()
    seconds = 60 * asked.minutes
    print(
        f"{asked.sessions} sessions, {INTERACTIONS} interactions each, {_LESSON:.0f} minutes' "
        f"worth in {asked.minutes:g}:\n"
    )
    ours = _served(APP, lambda server: class_of(server, asked.sessions, seconds, as_a_learner))
    least = _served(MINIMAL, lambda server: class_of(server, asked.sessions, seconds, as_little))
    head = ["page", "interactions", "errors", "p50 ms", "p95 ms", "first page p50 ms", "p95 ms"]
    print(table(head, [_row("dmlviz", ours), _row("minimal page", least)]))
    for words in sorted(set(ours.errors + least.errors)):
        print(f"\nerror: {words}")
    rows = [[f"{at:.0f}", f"{memory / 1e6:.0f}"] for at, memory in ours.memory]
    print(f"\n{table(['seconds', 'MB of the server'], rows)}")
    print(f"\n{asked.visits} sessions opened, used and closed, 20 at a time:\n")
    found = _served(APP, lambda server: come_and_go(server, asked.visits))
    settled = found[1][1]
    rows = [[f"{n:,}", f"{m / 1e6:.0f}", f"{m / settled:.2f}"] for n, m in found]
    print(table(["sessions so far", "MB of the server", "times the second row"], rows))


def _row(title: str, done: Class) -> list[str]:
    return [
        title,
        f"{len(done.taken):,}",
        str(len(done.errors)),
        f"{1000 * middle(done.taken):.0f}",
        f"{1000 * late(done.taken):.0f}",
        f"{1000 * middle(done.opened):.0f}",
        f"{1000 * late(done.opened):.0f}",
    ]


def _served(script: Path, work: Callable[[Server], Any]) -> Any:
    with serving(script) as server:
        return asyncio.run(work(server))


if __name__ == "__main__":
    main()
