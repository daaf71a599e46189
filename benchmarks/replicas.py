"""What two replicas behind nginx do beside one: ``python -m benchmarks.replicas``.

Each replica is pinned to a core of its own and gets a part of its time, so that the learners who
ask and nginx, which share these cores, are not what is measured.  Needs Linux with two cores, and
nginx.
"""

from __future__ import annotations

import argparse
import asyncio
import secrets
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

from benchmarks import run_program
from benchmarks.interactions import SETTING
from benchmarks.learners import Learner
from benchmarks.servers import Server, serving
from benchmarks.slowed import slowed
from benchmarks.tables import late, middle, table
from tests.browser.conftest import free_port
from tests.deploy.cluster import Nginx, addresses
from tests.tools import find

SESSIONS, ROUNDS, PART = 16, 20, 0.25


async def measured(nginx: Nginx, servers: list[Server], sessions: int, rounds: int) -> list[Any]:
    """A row: so many sessions on each replica change a setting as fast as they are answered."""
    learners = [
        Learner(
            f"http://127.0.0.1:{nginx.port}",
            SETTING.page,
            SETTING.query,
            # which replica, as nginx.conf says it
            cookie=f"dmlviz={place}-{secrets.token_hex(16)}",
        )
        for place, _server in enumerate(servers, 1)
        for _ in range(sessions)
    ]
    for learner in learners:
        await learner.open()
        for value in SETTING.values:
            await learner.change(SETTING.key, value)
    taken: list[float] = []

    async def work(number: int, learner: Learner) -> None:
        for turn in range(rounds):
            value = SETTING.values[(number + turn + 1) % len(SETTING.values)]
            taken.append(await learner.change(SETTING.key, value))

    before = [server.seconds() for server in servers]
    begun, passed = time.perf_counter(), _seconds(nginx)
    await asyncio.gather(*(work(number, learner) for number, learner in enumerate(learners)))
    seconds, passed = time.perf_counter() - begun, _seconds(nginx) - passed
    used = [server.seconds() - old for server, old in zip(servers, before, strict=True)]
    for learner in learners:
        await learner.close()
    each = 1000 * sum(used) / len(taken)
    share = f"{min(used) / sum(used):.2f} to {max(used) / sum(used):.2f}"
    return [
        len(servers),
        len(learners),
        f"{len(taken) / seconds:.0f}",
        f"{each:.2f}",
        f"{1000 * passed / len(taken):.2f}",
        share,
        f"{1000 * middle(taken):.0f}",
        f"{1000 * late(taken):.0f}",
    ]


def _seconds(nginx: Nginx) -> float:
    """Processor seconds of nginx and its workers."""
    main = psutil.Process(nginx.process.pid)
    times = [one.cpu_times() for one in (main, *main.children())]
    return sum(one.user + one.system for one in times)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--part", type=float, default=PART, help="of a core, for each replica")
    asked = parser.parse_args()
    program = find("nginx_tool")
    rows: list[list[Any]] = []
    with ExitStack() as running:
        servers = [running.enter_context(serving()) for _ in range(2)]
        for core, server in enumerate(servers):
            server.process.cpu_affinity([core])
        ports = [urlsplit(server.address).port or 0 for server in servers]
        # the others of replicas.conf are never asked
        ports += [free_port() for _ in addresses()[len(ports) :]]
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        nginx = Nginx(program, folder, ports)
        running.callback(nginx.close)
        running.enter_context(slowed(asked.part, [server.process.pid for server in servers]))
        for count in (1, 2):
            rows.append(asyncio.run(measured(nginx, servers[:count], asked.sessions, asked.rounds)))
    one = float(rows[0][2])
    rows = [[*row[:3], f"{float(row[2]) / one:.2f}", *row[3:]] for row in rows]
    head = ["replicas", "sessions", "a second", "times one", "replicas' CPU ms", "nginx's CPU ms"]
    head += ["shares", "p50 ms", "p95 ms"]
    print(table(head, rows))


if __name__ == "__main__":
    run_program(main)
