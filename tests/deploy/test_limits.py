"""What nginx tells the replicas, keeps and refuses; servers that only repeat stand for them."""

from __future__ import annotations

import json
import socket
import time
from contextlib import ExitStack
from uuid import uuid4

import pytest

from dmlviz.classroom.asking import MOST_BODY, MOST_CLASS
from tests.deploy.learner import Learner

COOKIE = "dmlviz=1-" + "0123456789abcdef" * 2


def test_what_a_replica_is_told(nginx):
    learner = Learner(nginx.port, "")
    told = json.loads(learner.ask("GET", "/tile", X_Forwarded_Proto="https", Host="school.test")[1])
    assert told["Host"] == "school.test"
    assert told["X-Forwarded-Host"] == "school.test"
    assert told["X-Forwarded-Proto"] == "https"
    assert told["X-Forwarded-For"] == "127.0.0.1"
    assert told["Connection"] == "close"
    upgraded = learner.ask("GET", "/_stcore/stream", Upgrade="websocket", Connection="Upgrade")[1]
    assert json.loads(upgraded)["Upgrade"] == "websocket"
    assert json.loads(upgraded)["Connection"] == "upgrade"


@pytest.mark.parametrize("host", ["school.test", "school.test:8443", "[::1]:8080"])
def test_a_replica_sees_the_host_that_the_browser_sees(nginx, host):
    """The app takes a WebSocket only where the Origin's host is the Host, with its port."""
    learner = Learner(nginx.port, "")
    answer = learner.ask(
        "GET",
        "/_stcore/stream",
        Host=host,
        Origin=f"https://{host}",
        Upgrade="websocket",
        Connection="Upgrade",
    )
    told = json.loads(answer[1])
    assert told["Host"] == host
    assert told["Origin"] == f"https://{host}"


def test_new_browsers_are_spread_and_each_stays(echoes, nginx):
    ports = set()
    for _browser in range(60):
        learner = Learner(nginx.port, "")
        at = {json.loads(learner.ask("GET", path)[1])["port"] for path in ("/", "/media/a", "/b")}
        assert len(at) == 1
        assert echoes[int(learner.place) - 1].server_port in at
        ports |= at
    assert ports == {server.server_port for server in echoes}


@pytest.mark.parametrize("path", ["/class/ABCD/vote", "/class", "/viz/class/ABCD/events"])
def test_any_replica_serves_a_class(nginx, path):
    """A telephone has no WebSocket with which its cookie could move from a dead replica."""
    ports = set()
    for number in range(60):
        learner = Learner(nginx.port, "")
        cookie = f"dmlviz=1-{number:032x}"
        ports.add(json.loads(learner.ask("GET", path, Cookie=cookie)[1])["port"])
    assert len(ports) == 3


def flood(nginx, method, paths, rate, burst):
    """Ask for far more than the limit lets in: what it lets in fits the time that it took.

    A bucket that leaks holds exactly. Where a request is refused, as many have been let in as
    the burst and what has leaked since the first; and never more.
    """
    before = time.monotonic()
    first = refused = None
    let_in = at_refusal = 0
    for path in paths:
        sent = time.monotonic()
        status = Learner(nginx.port, "").ask(method, path)[0]
        assert status in (200, 429)
        first = first or time.monotonic()
        let_in += status == 200
        if status == 429:
            refused, at_refusal = sent, let_in
    assert refused is not None
    # one more or less, because nginx counts in thousandths of a second
    assert at_refusal >= burst + rate * (refused - first) - 1
    assert let_in <= 1 + burst + rate * (time.monotonic() - before) + 1


def test_a_class_behind_one_address_is_welcome_and_a_flood_is_not(nginx):
    def handshake():
        return Learner(nginx.port, "").ask("GET", "/_stcore/stream")[0]

    assert {handshake() for _learner in range(200)} == {200}


def test_new_sessions_of_one_address(nginx):
    flood(nginx, "GET", ["/_stcore/stream"] * 2_500, rate=30, burst=500)


def upload_path(session=None):
    return f"/_stcore/upload_file/{session or uuid4()}/{uuid4()}"


def test_uploads_of_one_tab(nginx):
    session = uuid4()
    flood(nginx, "PUT", [upload_path(session) for _file in range(1_500)], rate=1, burst=30)
    # its neighbour behind the same address is not held up by it
    assert Learner(nginx.port, "").ask("PUT", upload_path())[0] == 200


def test_a_class_uploads_at_once(nginx):
    for _learner in range(200):
        learner, path = Learner(nginx.port, ""), upload_path()
        assert learner.ask("PUT", path, b"# a page" * 1_000)[0] == 200
        assert learner.ask("DELETE", path)[0] == 200


def test_uploads_of_one_address(nginx):
    flood(nginx, "PUT", [upload_path() for _file in range(1_500)], rate=10, burst=400)


def begin(nginx, standing, path, cookie=""):
    """Send the head of an upload and no body: what nginx says to that, as it waits or refuses."""
    wire = standing.enter_context(socket.create_connection(("127.0.0.1", nginx.port), 60))
    head = f"PUT {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nExpect: 100-continue\r\n"
    wire.sendall(f"{head}Cookie: {cookie}\r\n\r\n".encode())
    return int(wire.recv(4096).split()[1])


def test_uploads_that_arrive_slowly(nginx):
    with ExitStack() as standing:
        assert {begin(nginx, standing, upload_path()) for _learner in range(200)} == {100}
        assert begin(nginx, standing, upload_path()) == 429
        assert Learner(nginx.port, "").ask("GET", "/tile")[0] == 200


def test_what_one_browser_holds_open(nginx):
    with ExitStack() as standing:
        assert {begin(nginx, standing, "/tile", COOKIE) for _tab in range(60)} == {100}
        assert begin(nginx, standing, "/tile", COOKIE) == 429
        assert begin(nginx, standing, upload_path(), COOKIE) == 429
        assert begin(nginx, standing, "/tile", COOKIE.replace("a", "b")) == 100


def test_shared_files_are_asked_for_once(echoes, nginx):
    before = sum(server.asked for server in echoes)
    found = {Learner(nginx.port, "").ask("GET", "/static/js/index.js")[1] for _browser in range(20)}
    assert len(found) == 1
    assert sum(server.asked for server in echoes) == before + 1


def test_sizes(nginx):
    learner = Learner(nginx.port, "")
    assert learner.ask("GET", "/tile?literal=" + "7," * 25_000)[0] == 200
    # as the app itself: a page of 1 MB, with what the form adds
    assert learner.ask("PUT", upload_path(), b"7" * 1_048_576)[0] == 200
    assert learner.ask("PUT", upload_path(), b"7" * 1_048_577)[0] == 413
    # the questions of a class, and what its learners send
    assert learner.ask("POST", "/class", b"7" * MOST_CLASS)[0] == 200
    assert learner.ask("POST", "/viz/class", b"7" * (MOST_CLASS + 1))[0] == 413
    assert learner.ask("POST", "/class/ABCD/vote", b"7" * MOST_BODY)[0] == 200
    assert learner.ask("POST", "/class/ABCD/vote", b"7" * (MOST_BODY + 1))[0] == 413
    # nothing else has a body
    assert learner.ask("POST", "/tile", b"7" * 5_000)[0] == 413
    assert learner.ask("PUT", "/_stcore/stream", b"7" * 5_000)[0] == 413
