"""A live class on one process: phones join at once, and vote within five seconds.

``python -m benchmarks.classroom`` prints three tables: the class alone and beside sessions that
work on the app; what the class costs these sessions; and the same class as Streamlit sessions that
poll, with how many times as much that takes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

from benchmarks.interactions import SETTING
from benchmarks.learners import Learner
from benchmarks.polling import Cost, compared, idle_cores, poll_class
from benchmarks.servers import CLASS, Server, serving
from benchmarks.tables import late, middle, table
from dmlviz.classroom.phases import USUAL_PER_ADDRESS

TELEPHONES = 300
SECONDS = 5.0
"""The seconds in which all vote once."""
OTHERS = 16
"""Sessions that use the app at the same time, each with about one change a second."""
ROUNDS = 8
"""Changes of each session without the class, and at least as many during it."""

_IDLE = 4.0

QUESTION = {
    "key": "repeats",
    "kind": "choice",
    "prompt": "Which element of the input is copied to the marked cell of the output?",
    "link": "/tile?sizes=2,3&repeats=2,2",
    "choices": [
        {"text": f"in[{n}, {n}]", "misconception": "counts from the end"} for n in range(4)
    ],
    "answer": 1,
}


class Wire:
    """One connection of a phone, which is kept open; counts the bytes that come."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)
        self.cookie, self.token, self.received = "", "", 0
        self.used = -_IDLE

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and values of the answer."""
        await self.send(method, path, body)
        status, headers = await self.head()
        text = await self.reader.readexactly(int(headers.get("content-length", "0")))
        self.received += len(text)
        if found := headers.get("set-cookie"):
            self.cookie = found.partition(";")[0]
        return status, json.loads(text)

    async def send(self, method: str, path: str, body: Any = None) -> None:
        """A request; the connection is opened with the first."""
        # the server closes connections that are idle for five seconds; browsers reconnect
        if time.monotonic() - self.used > _IDLE:
            self.close()
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port)
        self.used = time.monotonic()
        text = json.dumps(body or {}).encode() if method == "POST" else b""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}"]
        lines += ["Content-Type: application/json", f"Content-Length: {len(text)}"]
        lines += [f"Cookie: {self.cookie}"] * bool(self.cookie)
        lines += [f"Authorization: Bearer {self.token}"] * bool(self.token)
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + text)
        await self.writer.drain()

    async def head(self) -> tuple[int, dict[str, str]]:
        """Read the status and headers of the response."""
        text = await self.reader.readuntil(b"\r\n\r\n")
        self.received += len(text)
        first, *lines = text.decode().strip().split("\r\n")
        pairs = (line.split(": ", 1) for line in lines)
        return int(first.split()[1]), {name.lower(): value for name, value in pairs}

    async def events(self) -> Any:
        """Read the states of the stream, one after another."""
        while line := await self.reader.readline():
            self.received += len(line)
            if line.startswith(b"data: "):
                yield json.loads(line[6:])

    def close(self) -> None:
        """Close the connection, as closing a browser's tab does."""
        if hasattr(self, "writer"):
            self.writer.close()


@dataclass
class Figures:
    """The figures of one class.

    Attributes:
        joined: seconds until all had joined and received the class's state.
        joining: processor seconds of the server for each phone until then.
        acknowledged: seconds of each vote.
        wall: seconds from the last acknowledged vote until the wall had all votes.
        phase: seconds until a change of phase reached each phone.
        idle: cores of the server before the first vote, where that was waited for.
        used: processor seconds of the server while all voted.
        received: bytes that came to each phone.
        voting: when the vote began and when its last answer was acknowledged.
    """

    joined: float = 0.0
    joining: float = 0.0
    acknowledged: list[float] = field(default_factory=list)
    wall: float = 0.0
    phase: list[float] = field(default_factory=list)
    idle: float = 0.0
    used: float = 0.0
    received: list[int] = field(default_factory=list)
    voting: tuple[float, float] = (0.0, 0.0)


Change = tuple[float, float]
"""When a session's change began, and the seconds that it took."""


class Telephone:
    """One learner's: a stream, and a connection for what is sent."""

    def __init__(self, address: str, path: str) -> None:
        self.path = path
        self.wire, self.stream = Wire(address), Wire(address)
        self.seen: dict[str, float] = {}
        self.changed = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    async def join(self) -> None:
        """Join, open the stream, and wait for the first state."""
        status, _told = await self.wire.ask("POST", f"{self.path}/join")
        assert status == 200, status
        self.stream.cookie = self.wire.cookie
        await self.stream.send("GET", f"{self.path}/events")
        status, _headers = await self.stream.head()
        assert status == 200, status
        self.task = asyncio.create_task(self._listen())
        await self.sees("join")

    async def _listen(self) -> None:
        async for state in self.stream.events():
            self.seen.setdefault(state["phase"], time.perf_counter())
            self.changed.set()

    async def sees(self, phase: str) -> float:
        """When this phase came."""
        while phase not in self.seen:
            self.changed.clear()
            await self.changed.wait()
        return self.seen[phase]

    async def vote(self, after: float) -> float:
        """The seconds until a vote is acknowledged."""
        await asyncio.sleep(after)
        body = {"question": 0, "round": 1, "seq": 1, "answer": random.randrange(4)}
        begun = time.perf_counter()
        status, told = await self.wire.ask("POST", f"{self.path}/vote", body)
        assert status == 200, told
        return time.perf_counter() - begun

    def close(self) -> None:
        """Close both connections."""
        if self.task:
            self.task.cancel()
        self.wire.close()
        self.stream.close()


async def run_class(server: Server, telephones: int, seconds: float, idle: float = 0.0) -> Figures:
    """A class from joining to the close of its first vote.

    Args:
        server: of the app.
        phones: how many join.
        seconds: in which all vote.
        idle: idle seconds before the votes.
    """
    figures = Figures()
    teacher = Wire(server.address)
    status, opened = await teacher.ask("POST", "/class", {"questions": [QUESTION]})
    assert status == 201, opened
    teacher.token, path = opened["teacher"], f"/class/{opened['code']}"
    more = {"version": 1, "per_address": max(telephones, USUAL_PER_ADDRESS)}
    status, _place = await teacher.ask("POST", f"{path}/phase", more)
    assert status == 200, status
    wall = Wire(server.address)
    wall.token = opened["wall"]
    await wall.send("GET", f"{path}/events")
    await wall.head()
    complete: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    async def watch() -> None:
        async for state in wall.events():
            if state["counts"]["votes"] == telephones and not complete.done():
                complete.set_result(time.perf_counter())

    watching = asyncio.create_task(watch())
    phones = [Telephone(server.address, path) for _each in range(telephones)]
    begun, used = time.perf_counter(), server.seconds()
    await asyncio.gather(*(phone.join() for phone in phones))
    figures.joined = time.perf_counter() - begun
    figures.joining = (server.seconds() - used) / telephones
    await asyncio.sleep(1)
    if idle:
        figures.idle = await idle_cores(server, idle)
    for version, phase in ((2, "ask"), (3, "closed")):
        begun = time.perf_counter()
        await teacher.ask("POST", f"{path}/phase", {"version": version, "to": phase})
        figures.phase += [await phone.sees(phase) - begun for phone in phones]
        if phase == "ask":
            used = server.seconds()
            after = [random.uniform(0, seconds) for _phone in phones]
            votes = [phone.vote(late) for phone, late in zip(phones, after, strict=True)]
            figures.acknowledged = list(await asyncio.gather(*votes))
            last = time.perf_counter()
            figures.voting = begun, last
            figures.wall = max(0.0, await asyncio.wait_for(complete, 10) - last)
            figures.used = server.seconds() - used
    figures.received = [phone.wire.received + phone.stream.received for phone in phones]
    watching.cancel()
    for each in (*phones, wall, teacher):
        each.close()
    return figures


class _Until(Protocol):
    def is_set(self) -> bool: ...


async def work(learners: Sequence[Learner], until: _Until, rounds: int) -> list[Change]:
    """Seconds of each change, about one a second for each learner, until the class ends."""
    taken: list[Change] = []

    async def one(learner: Learner) -> None:
        await asyncio.sleep(random.random())
        done = 0
        while done < rounds or not until.is_set():
            begun = time.perf_counter()
            done += 1
            value = SETTING.values[done % len(SETTING.values)]
            taken.append((begun, await learner.change(SETTING.key, value)))
            await asyncio.sleep(random.uniform(0.6, 1.4))

    await asyncio.gather(*(one(learner) for learner in learners))
    return taken


def at_work(address: str, others: int, rounds: int, over: _Until, told: Connection) -> None:
    """Sessions in a process of their own, as their browsers do not wait for the phones'.

    Sends the changes without the class, then those until it is over.
    """

    async def both() -> None:
        learners = [Learner(address, SETTING.page, SETTING.query) for _other in range(others)]
        await asyncio.gather(*(learner.open() for learner in learners))
        alone = asyncio.Event()
        alone.set()
        for until in (alone, over):
            told.send(await work(learners, until, rounds))
        await asyncio.gather(*(learner.close() for learner in learners))

    asyncio.run(both())


async def measure(server: Server, telephones: int, seconds: float, others: int) -> Cost:
    """The first two tables; what the class alone took, for the third."""
    # the first class of a process makes the tables
    await run_class(server, min(telephones, 20), 0.5)
    alone = await run_class(server, telephones, seconds, seconds)
    processes = multiprocessing.get_context("spawn")
    over = processes.Event()
    told, tells = processes.Pipe(duplex=False)
    working = processes.Process(target=at_work, args=(server.address, others, ROUNDS, over, tells))
    working.start()
    without: list[Change] = await asyncio.to_thread(told.recv)
    beside = await run_class(server, telephones, seconds)
    over.set()
    with_class: list[Change] = await asyncio.to_thread(told.recv)
    await asyncio.to_thread(working.join)
    head = [
        "phones",
        "others",
        "join s",
        "CPU ms a phone",
        "vote p50 ms",
        "p95 ms",
        "max ms",
        "wall after s",
    ]
    head += ["phase max ms", "CPU s", "kB a phone"]
    rows = [_row(telephones, 0, alone), _row(telephones, others, beside)]
    print(table(head, rows))
    print()
    first, last = beside.voting
    lines = [
        ("without a class", [taken for _begun, taken in without]),
        ("while the class votes", [t for begun, t in with_class if first <= begun <= last]),
        ("beside the class, with its joining", [taken for _begun, taken in with_class]),
    ]
    # a short vote may pass without a change
    sessions = [
        (n, len(t), *((_ms(middle(t)), _ms(late(t))) if t else ("-", "-"))) for n, t in lines
    ]
    print(table([f"{others} sessions", "changes", "p50 ms", "p95 ms"], sessions))
    return Cost(alone.joined, alone.idle, alone.used, alone.acknowledged, max(alone.received))


def _row(telephones: int, others: int, figures: Figures) -> Sequence[object]:
    votes = figures.acknowledged
    times = [_ms(middle(votes)), _ms(late(votes)), _ms(max(votes))]
    ends = [f"{figures.wall:.2f}", _ms(max(figures.phase)), f"{figures.used:.2f}"]
    most = f"{max(figures.received) / 1_000:.1f}"
    return [telephones, others, f"{figures.joined:.2f}", _ms(figures.joining), *times, *ends, most]


def _ms(seconds: float) -> str:
    return f"{1_000 * seconds:.1f}"


def main() -> int:
    """Print the tables."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--telephones", type=int, default=TELEPHONES)
    asked.add_argument("--seconds", type=float, default=SECONDS)
    asked.add_argument("--others", type=int, default=OTHERS)
    told = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # all are of one address, from which half of a class's devices can join at once
        environment = {"DMLVIZ_DATABASE": str(Path(folder) / "classes.sqlite")}
        environment["DMLVIZ_CLASS_DEVICES"] = str(max(1_000, 2 * told.telephones))
        with serving(environment=environment) as server:
            ours = asyncio.run(measure(server, told.telephones, told.seconds, told.others))
    with serving(CLASS) as server:
        # warm up with a first session, as our server had a first class
        asyncio.run(poll_class(server, 1, 0.1))
        polled = asyncio.run(poll_class(server, told.telephones, told.seconds))
    print(f"\n{compared(told.telephones, ours, polled)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
