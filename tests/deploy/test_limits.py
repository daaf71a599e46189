"""What nginx tells the replicas, keeps and refuses; servers that only repeat stand for them."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.deploy.cluster import Nginx, need_nginx
from tests.deploy.learner import Learner


class Echo(BaseHTTPRequestHandler):
    """Answers with what it was asked."""

    def do_GET(self):
        said = {"port": self.server.server_port, "path": self.path, **dict(self.headers)}
        body = json.dumps(said).encode()
        self.server.asked += 1
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header(
            "Cache-Control", "public, max-age=60" if "static" in self.path else "no-cache"
        )
        self.end_headers()
        self.wfile.write(body)

    do_PUT = do_GET

    def log_message(self, *_said):
        """Say nothing."""


@pytest.fixture(scope="module")
def echoes():
    need_nginx()
    servers = [ThreadingHTTPServer(("127.0.0.1", 0), Echo) for _place in range(3)]
    for server in servers:
        server.asked = 0
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield servers
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def nginx(echoes, tmp_path):
    running = Nginx(tmp_path, [server.server_port for server in echoes])
    yield running
    running.close()


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


def test_new_browsers_are_spread_and_each_stays(echoes, nginx):
    ports = set()
    for _browser in range(60):
        learner = Learner(nginx.port, "")
        at = {json.loads(learner.ask("GET", path)[1])["port"] for path in ("/", "/media/a", "/b")}
        assert len(at) == 1
        assert echoes[int(learner.place) - 1].server_port in at
        ports |= at
    assert ports == {server.server_port for server in echoes}


def test_a_class_behind_one_address_is_welcome_and_a_flood_is_not(nginx):
    def handshake(_number):
        return Learner(nginx.port, "").ask("GET", "/_stcore/stream")[0]

    assert {handshake(number) for number in range(200)} == {200}
    # as many again, two times: two classes more, and then too many
    assert 429 in {handshake(number) for number in range(1_500)}


def test_shared_files_are_asked_for_once(echoes, nginx):
    before = sum(server.asked for server in echoes)
    found = {Learner(nginx.port, "").ask("GET", "/static/js/index.js")[1] for _browser in range(20)}
    assert len(found) == 1
    assert sum(server.asked for server in echoes) == before + 1


def test_sizes(nginx):
    learner = Learner(nginx.port, "")
    assert learner.ask("GET", "/tile?literal=" + "7," * 25_000)[0] == 200
    assert learner.ask("PUT", "/_stcore/upload_file/a/b", b"7" * 1_200_000)[0] == 200
    assert learner.ask("PUT", "/_stcore/upload_file/a/b", b"7" * 2_200_000)[0] == 413
