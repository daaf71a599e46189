"""Whose WebSocket is opened, and that nobody else is asked about it."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from dmlviz.ui.gate import Gate
from tests.wire.client import learner, stream

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
    asyncio.run(Gate(streamlit)(scope, receive, send))
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
