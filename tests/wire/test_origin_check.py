"""Whose WebSocket is opened, and that nobody else is asked about it."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from dmlviz.app import origin_check
from dmlviz.app.origin_check import PROXIES, OriginCheck
from tests.browser.conftest import serving
from tests.deploy.learner import Learner
from tests.wire.client import learner, stream

pytestmark = pytest.mark.slow

FOREIGN = (
    "http://evil.example",
    "https://127.0.0.1.evil.example",
    "http://127.0.0.1:1",  # which Streamlit itself would let in
    "https://example",
    "https://school.example.evil.example",
    "https://evilschool.example",
    "http://course.example",
    "https://course.example.evil.example",
    "null",
    "",
    "http://[",
    "app.example",
    "file://",
)


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_foreign_page_opens_no_session(watched, origin):
    with pytest.raises(InvalidStatus) as refused, stream(watched.address, origin=origin):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("origin", [*FOREIGN, "http://localhost:1", "https://localhost"])
def test_it_is_closed_before_streamlit_sees_it(origin):
    seen, sent = [], []

    async def streamlit(scope, receive, send):
        seen.append(scope)

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message)

    headers = [(b"host", b"app.example"), (b"origin", origin.encode())]
    scope = {"type": "websocket", "path": "/_stcore/stream", "headers": headers}
    asyncio.run(OriginCheck(streamlit)(scope, receive, send))
    assert sent == [{"type": "websocket.close", "code": 1008}]
    assert seen == []


@pytest.mark.parametrize(
    "origin",
    [
        "https://app.example",
        "https://APP.example:8443",
        "https://a.school.example",
        "https://course.example",
    ],
)
def test_a_configured_name_is_our_own(watched, origin):
    """A proxy in front may ask for the app by another name than the browser did."""
    with stream(watched.address, origin=origin) as socket:
        assert socket.protocol.handshake_exc is None


def test_no_browser_no_origin(watched):
    with stream(watched.address) as socket:
        assert socket.protocol.handshake_exc is None


def test_other_machines_are_asked_for_nothing(watched):
    """Not at start, not by pages, not by foreign origins, over WebSockets or without."""
    with learner(watched.address) as one:
        for page in ("", "tile", "verify", "engines", "lessons", "practice", "worksheet"):
            one.ask(page)
    for path in ("/", "/_stcore/health", "/_stcore/host-config", "/media/none.png", "/none.js"):
        asked = urllib.request.Request(
            watched.address + path, headers={"Origin": "http://evil.example"}
        )
        try:
            urllib.request.urlopen(asked).close()
        except urllib.error.HTTPError as refusal:
            assert refusal.code == 404
    with pytest.raises(InvalidStatus), stream(watched.address, origin="http://evil.example"):
        pass
    assert not watched.outward.exists(), watched.outward.read_text()
    # the watch was on
    environment = {
        **os.environ,
        "PYTHONPATH": str(watched.log.parent),
        "OUTWARD": str(watched.log.parent / "tried"),
    }
    tried = "import socket; socket.socket(2, 2).connect(('192.0.2.1', 1))"
    ended = subprocess.run([sys.executable, "-c", tried], env=environment, capture_output=True)
    assert b"lets nothing out" in ended.stderr
    assert Path(environment["OUTWARD"]).read_text() == "socket.connect 192.0.2.1\n"


MACHINE = "teacher-pc"
OUR_NAMES = (
    *("localhost", "LOCALHOST:8501", "localhost.", "dmlviz.localhost:8501"),
    *("127.0.0.1", "127.0.0.1:8501", "192.168.1.5:8501", "[::1]:8501", "[fe80::1]", "8.8.8.8"),
    *(MACHINE, f"{MACHINE}:8501", f"{MACHINE}.local", f"{MACHINE.upper()}.local.:8501", ""),
)
OTHER_NAMES = (
    *("evil.example", "evil.example:8501", "EVIL.example.", "localhost.evil.example"),
    *("127.0.0.1.evil.example", "192.168.1.5.nip.io:8501", "1.127.0.0.1", "evillocalhost"),
    *(f"{MACHINE}.evil.example", f"{MACHINE}.local.evil.example", "other.local", "example"),
    *(
        "evil.example@127.0.0.1",
        "127.0.0.1@evil.example",
        "evil.example/127.0.0.1",
        "[evil.example]",
    ),
    *(
        "127.0.0.1:80:evil.example",
        "evil.example#127.0.0.1",
        "evil.example\\127.0.0.1",
        "[::1",
        ".",
    ),
    *(" ", ":8501", "0x7f.1", "2130706433", "127.1", "\xb2.example", "*", "*.localhost.example"),
)


@pytest.fixture
def settings(monkeypatch):
    """The server's own settings; none are made."""
    made = {"server.allowedHosts": [], "server.corsAllowedOrigins": []}
    made["browser.serverAddress"] = "localhost"
    monkeypatch.setattr(origin_check.config, "get_option", made.get)
    monkeypatch.setattr(origin_check.socket, "gethostname", lambda: f"{MACHINE}.school.example")
    monkeypatch.delenv(PROXIES, raising=False)
    origin_check._server_names.cache_clear()
    yield made
    origin_check._server_names.cache_clear()


def passes(host, kind="http", path="/class", client=("127.0.0.1", 1), **headers):
    """The scope of a request as the app gets it; None if it does not."""
    seen = []

    async def app(scope, receive, send):
        seen.append(scope)

    async def receive():
        return {"type": f"{kind}.connect"}

    async def send(message):
        told.append(message)

    told = []
    pairs = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
    pairs += [(b"host", host.encode("latin-1"))]
    scope = {"type": kind, "path": path, "headers": pairs, "client": client, "method": "GET"}
    scope |= {"query_string": b"", "scheme": "http", "server": None}
    asyncio.run(OriginCheck(app)(scope, receive, send))
    assert bool(told) != bool(seen)
    if told and kind == "websocket":
        assert told == [{"type": "websocket.close", "code": 1008}]
    elif told:
        assert told[0]["status"] == 421
        assert b"STREAMLIT_SERVER_ALLOWED_HOSTS" in told[1]["body"]
        assert len(told[1]["body"]) < 500
    return seen[0] if seen else None


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize("host", OUR_NAMES)
def test_a_class_needs_no_settings(settings, host, kind):
    """At an address in the network, or by the machine's name."""
    assert passes(host, kind)


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize("host", OTHER_NAMES)
def test_nobodys_own_name_leads_a_browser_here(settings, host, kind):
    assert not passes(host, kind)
    assert not passes(host, kind, origin=f"http://{host}")
    # what a script can send to its own site
    forged = {
        "x_forwarded_for": "127.0.0.1",
        "x_forwarded_host": "localhost",
        "forwarded": "for=::1",
    }
    assert not passes(host, kind, **forged)


def test_only_health_is_told_by_any_name(settings):
    assert passes("evil.example", path="/_stcore/health")
    assert passes("evil.example", path="/prefix/_stcore/health")
    assert not passes("evil.example", path="/_stcore/health/")
    assert not passes("evil.example", path="/_stcore/host-config")


def test_names_in_the_settings(settings):
    settings["server.allowedHosts"] = ["app.example", "*.school.example"]
    assert passes("APP.example:8501")
    assert passes("a.school.example")
    assert not passes("school.example")
    assert not passes("evil.example")
    # whoever looks whether it runs asks for its address
    assert passes("10.244.1.7:8501")
    settings["server.allowedHosts"] = ["*"]
    assert passes("evil.example")
    assert not origin_check.is_same_origin("http://evil.example", "app.example")
    settings["server.allowedHosts"] = []
    settings["browser.serverAddress"] = "viz.example"
    assert passes("viz.example")
    assert not passes("evil.example")


def test_behind_a_proxy_of_ones_own_any_name_is_right(settings, monkeypatch):
    monkeypatch.setenv(PROXIES, "10.0.0.1")
    assert passes("viz.example")
    assert not passes("viz.example/evil")
    settings["server.allowedHosts"] = ["app.example"]
    assert not passes("viz.example")


@pytest.mark.parametrize(
    ("proxies", "client", "forwarded", "visitor"),
    [
        # as uvicorn has done it already, or will not
        (None, "192.0.2.9", "203.0.113.5", "192.0.2.9"),
        (None, "::ffff:192.0.2.9", "203.0.113.5", "192.0.2.9"),
        (None, "::ffff:127.0.0.1", "203.0.113.5", "203.0.113.5"),
        (None, "::ffff:127.0.0.1", "", "127.0.0.1"),
        ("10.0.0.0/8", "::ffff:10.1.2.3", "203.0.113.5", "203.0.113.5"),
        ("10.0.0.0/8", "::ffff:127.0.0.1", "203.0.113.5", "127.0.0.1"),
        ("10.1.2.3", "::ffff:10.1.2.3", "203.0.113.5, 192.0.2.9", "192.0.2.9"),
        # from one proxy to the next, which listens on :: too
        ("10.1.2.3", "::ffff:10.1.2.3", "6.6.6.6, 192.0.2.9, ::ffff:10.1.2.3", "192.0.2.9"),
        ("10.1.2.3", "::ffff:10.1.2.3", "6.6.6.6, ::ffff:192.0.2.9", "::ffff:192.0.2.9"),
        ("*", "::ffff:10.1.2.3", "203.0.113.5", "203.0.113.5"),
        ("10.1.2.3", "2001:db8::1", "203.0.113.5", "2001:db8::1"),
    ],
)
def test_a_proxy_is_known_in_either_notation(
    settings, monkeypatch, proxies, client, forwarded, visitor
):
    if proxies:
        monkeypatch.setenv(PROXIES, proxies)
    for kind in ("http", "websocket"):
        scope = passes("localhost", kind, client=(client, 1), x_forwarded_for=forwarded)
        assert scope["client"][0] == visitor


def status(server, host, path):
    asked = urllib.request.Request(server + path, headers={"Host": host})
    try:
        with urllib.request.urlopen(asked) as answer:
            return answer.status
    except urllib.error.HTTPError as refusal:
        return refusal.code


def test_a_server_as_a_teacher_starts_it():
    """With none of our settings, as other computers in the room ask for it."""
    environment = {name: text for name, text in os.environ.items() if name != PROXIES}
    with serving(env=environment) as server:
        port = server.rpartition(":")[2]
        for name in ("127.0.0.1", "192.168.1.5", socket.gethostname().partition(".")[0]):
            assert status(server, f"{name}:{port}", "/class") == 200
            page = Learner(int(port), "tile", host=f"{name}:{port}").open()
            assert page.stage
            page.close()
        for path in ("/", "/class", "/class/ABCD/events", "/tile", "/_stcore/host-config"):
            assert status(server, f"evil.example:{port}", path) == 421
        assert status(server, "evil.example", "/_stcore/health") == 200
        with pytest.raises(InvalidStatus):
            Learner(int(port), "tile", host=f"evil.example:{port}").connect()
