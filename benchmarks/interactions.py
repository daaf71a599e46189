"""What a widget's change costs the server, beside a minimal page with an empty chart.

``python -m benchmarks.interactions`` prints two tables: interactions a second with 16 sessions,
and how they grow with the picture.  The minimal page is measured twice: as Streamlit ships it
(a full garbage collection after every run), and with this project's configuration.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.learners import Learner
from benchmarks.servers import APP, AS_SHIPPED, MINIMAL, Server, serving
from benchmarks.tables import late, middle, table

SESSIONS = 16
ROUNDS = 12
CELLS = (64, 256, 1_024, 4_096)


@dataclass(frozen=True)
class Way:
    """One kind of interaction.

    Attributes:
        title: for people.
        page: where.
        query: the words of its address.
        key: of the widget that is changed.
        values: that it is set to, in turn.
    """

    title: str
    page: str
    query: str
    key: str
    values: Sequence[Any]


# what nobody asks a question about, so that a setting redraws the stage alone
PLAIN = "sizes=1,1,2,3&values=count-1&repeats=1,1,1,2"
SETTING = Way("a setting: Repeats[3]", "tile", PLAIN, "tile_repeats_3", (3, 4, 5, 6, 7))
WAYS = (
    SETTING,
    Way("sizes", "tile", PLAIN, "tile_sizes", ("1,1,2,5", "1,1,3,5", "1,1,2,7", "1,1,3,7")),
    Way("feature level", "tile", PLAIN, "tile_feature_level", ("6_4", "6_3", "6_2", "6_1")),
    Way(
        "a padding extent",
        "padding",
        "sizes=1,1,3,5&values=count-1",
        "padding_start_padding_3",
        (1, 2, 3, 4),
    ),
)
EMPTY = Way("minimal page", "", "", "n", (1, 2, 3, 4, 5))


@dataclass(frozen=True)
class Figures:
    """Interactions a second in all, and milliseconds of one."""

    rate: float
    processor: float
    middle: float
    late: float


async def measured(server: Server, way: Way, sessions: int, rounds: int) -> Figures:
    """Sessions that each change the widget again and again, as fast as they are answered."""
    learners = [Learner(server.address, way.page, way.query) for _ in range(sessions)]
    for learner in learners:
        await learner.open()
        # what a class works on is computed once for all of it; here that is done before
        await learner.change(way.key, way.values[0])
    for value in way.values:
        await learners[0].change(way.key, value)
    taken: list[float] = []

    async def work(number: int, learner: Learner) -> None:
        for turn in range(rounds):
            value = way.values[(number + turn + 1) % len(way.values)]
            taken.append(await learner.change(way.key, value))

    used, begun = server.seconds(), time.perf_counter()
    await asyncio.gather(*(work(number, learner) for number, learner in enumerate(learners)))
    seconds, used = time.perf_counter() - begun, server.seconds() - used
    for learner in learners:
        await learner.close()
    count = len(taken)
    return Figures(count / seconds, 1000 * used / count, 1000 * middle(taken), 1000 * late(taken))


def figures(way: Way, *, shipped: bool = False, sessions: int, rounds: int) -> Figures:
    """One way on a server of its own."""
    script = MINIMAL if way is EMPTY else APP
    with serving(script, AS_SHIPPED if shipped else None) as server:
        return asyncio.run(measured(server, way, sessions, rounds))


def grown(cells: int) -> Way:
    """Tile to so many cells, and to a few more and less."""
    side = int((cells // 4) ** 0.5)
    query = f"sizes=1,1,{side},{side}&values=count-1&repeats=1,1,2,1"
    return Way(f"{cells:,} cells", "tile", query, "tile_repeats_2", (2, 3))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    asked = parser.parse_args()
    many = {"sessions": asked.sessions, "rounds": asked.rounds}
    shipped, tuned = figures(EMPTY, shipped=True, **many), figures(EMPTY, **many)
    rows = [
        _row("minimal page, as Streamlit ships", shipped, shipped, tuned),
        _row("minimal page, our configuration", tuned, shipped, tuned),
    ]
    rows += [_row(f"dmlviz: {way.title}", figures(way, **many), shipped, tuned) for way in WAYS]
    print(f"With {asked.sessions} sessions at once:\n")
    head = ["interaction", "a second", "times shipped", "times tuned", "CPU ms", "p50 ms", "p95 ms"]
    print(table(head, rows))
    first: Figures | None = None
    rows = []
    for cells in CELLS:
        found = figures(grown(cells), sessions=1, rounds=4 * asked.rounds)
        first = first or found
        rows.append(
            [
                f"{cells:,}",
                f"{found.processor:.1f}",
                f"{found.processor / first.processor:.2f}",
                f"{found.middle:.0f}",
            ]
        )
    print("\nOne session, a setting changed, by the output's cells:\n")
    print(table(["cells", "CPU ms", "times the first", "p50 ms"], rows))


def _row(title: str, found: Figures, shipped: Figures, tuned: Figures) -> list[str]:
    return [
        title,
        f"{found.rate:.0f}",
        f"{found.rate / shipped.rate:.2f}",
        f"{found.rate / tuned.rate:.2f}",
        f"{found.processor:.1f}",
        f"{found.middle:.0f}",
        f"{found.late:.0f}",
    ]


if __name__ == "__main__":
    main()
