"""Three replicas behind nginx: learners stay where they are, and come back when one dies."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from threading import Event, Thread

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.browser.conftest import Visit, browser
from tests.browser.test_addresses import words
from tests.browser.test_app import fill
from tests.browser.test_faults import drawn
from tests.deploy.cluster import DEPLOY, Nginx, Replicas, until
from tests.deploy.learner import Learner

__all__ = ["browser"]  # a fixture

COOKIE = re.compile(r"[123]-[0-9a-f]{32}")


@pytest.fixture(scope="module")
def replicas(nginx_tool):
    running = Replicas()
    yield running
    running.close()


@pytest.fixture(scope="module")
def nginx(nginx_tool, replicas, tmp_path_factory):
    running = Nginx(nginx_tool, tmp_path_factory.mktemp("nginx"), replicas.ports)
    yield running
    running.close()
    assert "[emerg]" not in running.log.read_text()


def test_nginx_takes_the_files_as_they_are(nginx_tool, tmp_path):
    command = [nginx_tool, "-t", "-p", f"{tmp_path}/", "-c", str(DEPLOY / "nginx.conf")]
    tried = subprocess.run(command, capture_output=True, text=True)
    assert tried.returncode == 0, tried.stderr
    assert "warn" not in tried.stderr


FIRST = 4
"""Rows that are not the documentation example's: that one has an address without words."""


def spread(port, least=2):
    """Learners at every replica, each with rows of its own number."""
    learners = []
    while min(Counter(x.place for x in learners).get(p, 0) for p in "123") < least:
        assert len(learners) < 40
        number = len(learners) + FIRST
        learner = Learner(port, "tile").open().set("[2]", number)
        assert COOKIE.fullmatch(learner.cookies["dmlviz"])
        learners.append(learner)
    return learners


class AtWork(Thread):
    """A learner who changes a number again and again, and comes back when the connection is lost."""

    def __init__(self, learner, rows):
        super().__init__(daemon=True)
        self.learner, self.rows = learner, rows
        self.enough = Event()
        self.turns = self.losses = 0
        self.wrong = []

    def run(self):
        try:
            while not self.enough.wait(0.2):
                self.turn()
                self.turns += 1
        except Exception as error:  # told by the test, not by a thread
            self.wrong.append(repr(error))

    def turn(self):
        try:
            self.learner.set("[3]", 1 + self.turns % 4)
        except ConnectionClosed:
            self.losses += 1
            self.come_back()

    def come_back(self):
        """Open the address again as the page does: nothing but its words tells the state."""
        address = self.learner.query
        self.learner.widgets.clear()
        self.learner.stage = {}
        self.learner.connect()
        columns = int(re.search(r"repeats=1%2C1%2C\d+%2C(\d+)", address)[1])
        shown = json.loads(self.learner.stage["payload"])["output"]["tensors"][0]["sizes"]
        if shown != [1, 1, 2 * self.rows, 3 * columns] or self.learner.query != address:
            self.wrong.append(f"{address} came back as {self.learner.query}, {shown}")


def test_a_browser_that_keeps_no_cookie_of_ours_stays_too(nginx):
    """In another site's frame, where browsers refuse cookies; Streamlit's own is its matter.

    Before any replica has died: where one has, others get its browsers for some seconds.
    """
    for number in range(6):
        learner = Learner(nginx.port, "verify", agent=f"a school's {number}", refuses="dmlviz")
        learner.open()
        assert [learner.upload() for _again in range(2)] == [204, 204]
        assert "dmlviz" not in learner.cookies
        learner.close()


def test_a_replica_dies_under_load(replicas, nginx):
    replicas.mend()
    learners = spread(nginx.port)
    assert [learner.upload() for learner in learners] == [204] * len(learners)
    places = [learner.place for learner in learners]
    dead = Counter(places).most_common(1)[0][0]
    work = [AtWork(learner, number + FIRST) for number, learner in enumerate(learners)]
    for each in work:
        each.start()
    until(lambda: all(each.turns >= 2 for each in work))
    replicas.kill(dead)
    until(
        lambda: all(each.losses or each.wrong for each in work if places[work.index(each)] == dead)
    )
    turns = [each.turns for each in work]
    until(
        lambda: all(each.wrong or each.turns >= t + 3 for each, t in zip(work, turns, strict=True))
    )
    for each in work:
        each.enough.set()
        each.join()
    assert [each.wrong for each in work] == [[] for _each in work]
    # nobody else has noticed
    assert [each.losses for each in work] == [int(place == dead) for place in places]
    now = [learner.place for learner in learners]
    assert dead not in now
    assert [p for p, was in zip(now, places, strict=True) if was != dead] == [
        p for p in places if p != dead
    ]
    assert [learner.upload() for learner in learners] == [204] * len(learners)
    # alive again it gets new learners; those who had to leave stay where their session is now
    replicas.start(dead)
    newcomers = []

    def arrived():
        newcomer = Learner(nginx.port, "tile")
        newcomer.ask("GET", "/tile")
        newcomers.append(newcomer)
        return newcomer.place == dead

    until(arrived)
    assert newcomers[-1].connect().place == dead
    newcomers[-1].close()
    assert [learner.upload() for learner in learners] == [204] * len(learners)
    assert [learner.place for learner in learners] == now
    for learner in learners:
        assert learner.alive
        learner.close()


@pytest.mark.parametrize(
    "said", ["9-" + "0" * 32, "replica_2", "127.0.0.1:22-" + "0" * 32, "1-x\\"]
)
def test_a_strange_cookie_is_replaced(nginx, said):
    learner = Learner(nginx.port, "tile")
    learner.cookies["dmlviz"] = said
    learner.open()
    assert COOKIE.fullmatch(learner.cookies["dmlviz"])
    assert learner.upload() == 204
    learner.close()


def test_a_page_of_somebody_else_opens_no_session(nginx):
    """What nginx passes on as Host is what the app compares the page's origin with."""
    own = Learner(nginx.port, "tile", host="school.test:8443", origin="https://school.test:8443")
    assert own.open().stage
    own.close()
    for origin in ("https://evil.test", "https://school.test", "null"):
        foreign = Learner(nginx.port, "tile", host="school.test:8443", origin=origin)
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            foreign.open()
        foreign.close()


def test_figures_for_the_owner_are_not_for_visitors(nginx):
    for path in (
        "/_stcore/metrics",
        "/_stcore/metrics/",
        "/_stcore/metrics?families=active_sessions",
        "//_stcore//metrics",
        "/_stcore/%6detrics",
        "/static/../_stcore/metrics",
        "/tile/_stcore/metrics",
        "/static/_stcore/metrics",
    ):
        status, body = Learner(nginx.port, "").ask("GET", path)
        assert status == 404, path
        assert b"active_sessions" not in body
    assert Learner(nginx.port, "").ask("GET", "/healthz") == (200, b"ok\n")


@pytest.mark.thorough
@pytest.mark.flaky(reruns=1)  # a browser on a busy machine may miss a click
def test_in_a_browser(browser, replicas, nginx):
    replicas.mend()
    page = browser.new_page()

    def place():
        return next(c["value"][0] for c in page.context.cookies() if c["name"] == "dmlviz")

    def upload(path, *expected):
        window.page.locator("input[type=file]").set_input_files(path)
        for text in expected:
            window.page.get_by_text(text).first.wait_for()

    window = Visit(page, f"http://localhost:{nginx.port}")
    window.page.set_default_timeout(90_000)
    window.open("tile")
    fill(window, "[3]", "4")
    drawn(window, [1, 1, 6, 12])
    window.seek(2)
    window.js("player => player.pins.toggle({ side: 'output', element: 12 })")
    address = words(window)
    assert address == {"repeats": "1,1,3,4", "step": "2", "pinned": "0,0,1,0"}
    dead = place()
    replicas.kill(dead)
    window.lose()
    window.come_back()
    assert place() != dead
    looks = "player => [player.payload.output.tensors[0].sizes, player.t, player.pins.pins]"
    assert window.js(looks) == [[1, 1, 6, 12], 2, [12]]
    assert words(window) == address
    fill(window, "[3]", "2")
    drawn(window, [1, 1, 6, 6])
    assert window.js(looks) == [[1, 1, 6, 6], 2, []]
    # the page that takes files, with the replica back that this browser had at first
    replicas.start(dead)
    window.page.goto(f"{window.server}/verify")
    window.page.get_by_text("Upload", exact=True).click()
    upload(DEPLOY.parent / "assets" / "documents" / "tile.en.md", "example matches")
    assert place() != dead
    assert window.problems == []
    page.close()
