"""Servers that are killed or told to end, as processes of their own."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from dmlviz.classroom.service import end_streams_first
from tests.browser.conftest import ROOT, free_port, start
from tests.classroom.conftest import QUESTIONS
from tests.classroom.serving import Browser, Lesson, until

SERVER = Path(__file__).with_name("app_server.py")

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals are a matter of POSIX"),
    pytest.mark.slow,
]


class Replica:
    """A process that can be killed and started again, at the same port."""

    def __init__(self, database):
        self.port = free_port()
        self.environment = {**os.environ, "DMLVIZ_DATABASE": str(database), "PYTHONPATH": str(ROOT)}
        self.start()

    def start(self):
        command = [sys.executable, str(SERVER), str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment)
        until(self.answers, 20)

    def answers(self):
        assert self.process.poll() is None
        try:
            return Browser(self.port).get("/class/")[0] == 404
        except OSError:
            return False

    def kill(self):
        self.process.kill()
        self.process.wait()


@contextmanager
def replicas(database, count=1):
    made = []
    try:
        for _each in range(count):
            made.append(Replica(database))
        yield made
    finally:
        for each in made:
            each.kill()


def voting(lesson, browser, ports, acknowledged, key, stopped):
    """Vote again and again, a seq each; what was not answered is sent again as it was."""
    seq = 1
    while not stopped.is_set():
        browser.port = ports[seq % len(ports)]
        try:
            status, told = lesson.vote(browser, seq % 3, seq)
        except (OSError, http.client.HTTPException):
            ports = ports[::-1]
            time.sleep(0.02)
            continue
        if status == 200:
            assert told["stored"] == {"answer": str(seq % 3), "seq": seq}
            acknowledged[key] = seq
            seq += 1
        else:
            assert status in (429, 503), told
            time.sleep(0.05)


def pour(lesson, ports, disturb):
    """Votes of 12 devices while something happens; what each was last acknowledged."""
    browsers = [lesson.join() for _each in range(12)]
    acknowledged, stopped = {}, threading.Event()
    threads = [
        threading.Thread(target=voting, args=(lesson, browser, ports, acknowledged, key, stopped))
        for key, browser in enumerate(browsers)
    ]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    disturb()
    time.sleep(0.3)
    stopped.set()
    for thread in threads:
        thread.join(20)
    assert len(acknowledged) == len(browsers)
    return browsers, acknowledged


def joined(browser, lesson):
    """What a device is told when it comes back; on a quick machine it has voted too fast."""
    while True:
        status, told = browser.post(f"{lesson.path}/join")
        if status != 429:
            return told
        time.sleep(0.1)


def check(lesson, browsers, acknowledged, port):
    """Each device has the answer that it was told last, or one that it has sent since."""
    for key, seq in acknowledged.items():
        browsers[key].port = port
        vote = joined(browsers[key], lesson)["mine"]["vote"]
        assert vote["seq"] in (seq, seq + 1)
        assert vote["answer"] == str(vote["seq"] % 3)
    lesson.teacher.port = port
    row = lesson.teacher.get(f"{lesson.path}/results")[1]["rows"][0]
    assert row["rounds"][0]["votes"] == len(browsers)


def test_no_acknowledged_vote_is_lost_when_the_server_is_killed(tmp_path):
    with replicas(tmp_path / "x.sqlite") as (only,):
        lesson = Lesson(only.port, QUESTIONS)
        lesson.move("ask")

        def disturb():
            only.kill()
            only.start()

        browsers, acknowledged = pour(lesson, [only.port], disturb)
        check(lesson, browsers, acknowledged, only.port)
        # and the class goes on where it was
        lesson.move("closed")
        lesson.move("reveal")


def test_one_of_two_replicas_is_killed(postgres):
    with replicas(postgres.database(), 2) as (first, second):
        lesson = Lesson(first.port, QUESTIONS)
        lesson.move("ask")
        browsers, acknowledged = pour(lesson, [first.port, second.port], first.kill)
        check(lesson, browsers, acknowledged, second.port)


def test_classes_in_the_app(tmp_path):
    """Behind the app's own layers and a prefix; and it ends at once with streams open.

    Its server waits for every answer, and a stream never ends.
    """
    port = free_port()
    environment = {
        **os.environ,
        "DMLVIZ_DATABASE": str(tmp_path / "x.sqlite"),
        "STREAMLIT_SERVER_BASE_URL_PATH": "viz",
    }
    process = start(port, env=environment)
    try:
        until(lambda: _healthy(port), 40)
        # nobody has opened a class yet
        assert not (tmp_path / "x.sqlite").exists()
        lesson = Lesson(port, QUESTIONS, "/viz")
        ann = lesson.join()
        origin = f"http://127.0.0.1:{port}"
        assert ann.post(f"{lesson.path}/join", Origin=origin)[0] == 200
        assert ann.answered.getheader("x-content-type-options") == "nosniff"
        assert ann.post(f"{lesson.path}/join", Origin="http://evil.example")[0] == 403
        for path in ("/class/", f"{lesson.path}/vote", "/class/ABCD/nosuch"):
            status, told = ann.get(path)
            assert (status, told["error"]) == (404, "not_found")
        stream = ann.listen(f"{lesson.path}/events")
        stream.next()
        began = time.monotonic()
        lesson.move("ask")
        # not held back by packing or any other layer
        stream.until(lambda state: state["phase"] == "ask")
        assert time.monotonic() - began < 0.5
        streams = [lesson.join().listen(f"{lesson.path}/events") for _each in range(20)]
        for each in streams:
            assert each.next()[0] == "state"
        began = time.monotonic()
        process.terminate()
        process.wait(10)
        assert time.monotonic() - began < 1
        for each in (stream, *streams):
            assert each.rest() == ["end"]
            each.close()
    finally:
        process.kill()
        process.wait()


def test_every_signal_that_ends_the_server_ends_the_streams_first():
    done = []
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        for number in before:
            signal.signal(number, lambda number, frame: done.append(number))
        end_streams_first(lambda: done.append("streams"))
        for number in before:
            signal.raise_signal(number)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert done == ["streams", signal.SIGTERM, "streams", signal.SIGINT]


def _healthy(port):
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=2)) as connection:
            connection.request("GET", "/viz/_stcore/health")
            return connection.getresponse().status == 200
    except OSError:
        return False
