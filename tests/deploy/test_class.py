"""A live class behind nginx: two real replicas, one PostgreSQL, and one replica that dies."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager

from tests.browser.conftest import await_health, free_port, start
from tests.classroom.conftest import QUESTIONS, postgres
from tests.classroom.serving import Lesson
from tests.deploy.cluster import Nginx, addresses, until

__all__ = ["postgres"]  # a fixture

PHONES = 20
BEFORE = 2 + PHONES
"""Requests before the first vote: the class is opened, all join, and voting begins."""


@contextmanager
def two_replicas(database):
    """Two that run, and ports for all that nginx knows; the others were never started."""
    ports = [free_port() for _address in addresses()]
    environment = {**os.environ, "DMLVIZ_DATABASE": database}
    processes = {port: start(port, env=environment) for port in ports[:2]}
    try:
        for port, process in processes.items():
            await_health(process, port)
        yield ports, processes
    finally:
        for process in processes.values():
            process.kill()
            process.wait()


def posted(nginx):
    """What the log has of requests that change something; a stream is there once it has ended."""
    return [visit for visit in nginx.visits(1) if visit["method"] == "POST"]


def vote_all(lesson, phones, nginx, seq, answer):
    """All vote, one after the other; the port that answered each.

    Every vote has to be taken the first time: no telephone notices which replica is there.
    """
    before = BEFORE + (seq - 1) * len(phones)
    for phone in phones:
        status, told = lesson.vote(phone, answer, seq)
        assert (status, told["stored"]) == (200, {"answer": str(answer), "seq": seq})
    until(lambda: len(posted(nginx)) == before + len(phones))
    return [int(re.search(r"\d+$", visit["replicas"])[0]) for visit in posted(nginx)[before:]]


def test_a_class_outlives_one_of_its_replicas(nginx_tool, postgres, tmp_path):
    with two_replicas(postgres.database()) as (ports, processes):
        nginx = Nginx(nginx_tool, tmp_path, ports)
        try:
            go_through(nginx, processes)
        finally:
            nginx.close()


def go_through(nginx, processes):
    lesson = Lesson(nginx.port, QUESTIONS)
    events = f"{lesson.path}/events"
    phones = [lesson.join() for _phone in range(PHONES)]
    wall = lesson.wall().listen(events)
    streams = [phone.listen(events) for phone in phones]
    lesson.move("ask")
    for stream in streams:
        stream.until(lambda state: state["phase"] == "ask")
    places = vote_all(lesson, phones, nginx, 1, 0)
    assert set(places) == set(processes)
    wall.until(lambda state: state.get("counts", {}).get("votes") == PHONES)

    dead = places[0]
    processes[dead].kill()
    processes[dead].wait()
    lost = [stream for stream, place in zip(streams, places, strict=True) if place == dead]
    until(lambda: not any(stream.thread.is_alive() for stream in lost), 5)
    assert sum(stream.thread.is_alive() for stream in streams) == PHONES - len(lost)
    # a browser opens its stream again by itself
    again = [
        phone.listen(events) if stream in lost else stream
        for phone, stream in zip(phones, streams, strict=True)
    ]
    places = vote_all(lesson, phones, nginx, 2, 1)
    assert set(places) == set(processes) - {dead}
    if not wall.thread.is_alive():
        lost.append(wall)
        wall = lesson.wall().listen(events)
    lesson.move("closed")
    for stream in (*again, wall):
        stream.until(lambda state: state["phase"] == "closed")
    row = lesson.teacher.get(f"{lesson.path}/results")[1]["rows"][0]
    assert row["rounds"][0]["counts"] == {"1": PHONES}
    for stream in {*streams, *again, *lost, wall}:
        stream.close()
