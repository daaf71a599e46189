"""Frames that no browser sends: the server lives, others go on working, nothing is given away."""

from __future__ import annotations

import json
import re
import socket
import urllib.request
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.exceptions import ConnectionClosed

from dmlviz.base.places import ROOT
from tests.browser.conftest import serving
from tests.wire.client import PATIENCE, forged, learner, stream

pytestmark = pytest.mark.slow

PAGES = (
    "",
    "tile",
    "depth-to-space",
    "space-to-depth",
    "padding",
    "practice",
    "worksheet",
    "glossary",
    "names",
    "lessons",
    "teach",
    "verify",
    "engines",
)
# of a traceback, of this folder, of Python's packages
_INNER = re.compile(rf"Traceback|site-packages|File \"|{re.escape(str(ROOT))}")


@pytest.fixture
def other(watched):
    """Somebody else, who works before and after; whose session must not notice."""
    with learner(watched.address) as one:
        one.ask("tile")
        before = one.ids
        yield one
        one.ask("tile")
        assert one.exceptions == []
        assert one.ids == before


# the glossary and the list of lessons have none of their own
@pytest.mark.parametrize(
    "page", ["", "tile", "padding", "practice", "worksheet", "teach", "verify", "engines"]
)
def test_forged_states_of_every_widget(watched, other, page):
    with learner(watched.address) as one:
        one.ask(page)
        assert one.exceptions == []
        found = [widget for widget in one.ids if page == "" or "language" not in widget]
    assert found
    for widget in found:
        with learner(watched.address) as one:
            one.ask(page)
            for state in forged(widget):
                one.ask(page, widgets=[state])
                assert not _INNER.search(one.told), state
    # Streamlit refuses what is of the wrong kind; what it lets through, our own code takes
    ended = re.findall(
        r'File "([^"]+)", line \d+[^\n]*\n(?:    [^\n]*\n)*(?=\S)', watched.log.read_text("utf-8")
    )
    assert [file for file in ended if file.startswith(str(ROOT / "dmlviz"))] == []


@pytest.mark.parametrize(
    "url",
    [
        "http://[",
        "http://[::1",
        "//",
        "javascript:alert(1)",
        "https://" + "a" * 100_000,
        "\0\n\u2028",
        "http://a\u2100b",
        "http://example:99999999/tile",
    ],
)
def test_no_page_raises_on_a_forged_address_of_itself(watched, other, url):
    with learner(watched.address) as one:
        for page in PAGES:
            one.ask(page, url=url)
            assert one.exceptions == [], page
    # where the player asks for the dialog, and the room for a code to scan
    for query, event in (("", "share"), ("present=true", "scan")):
        with learner(watched.address) as one:
            one.ask("tile", query)
            stage = next(widget for widget in one.ids if widget.endswith(("-stage", "-wall")))
            said = json.dumps([{"event": event, "value": "?step=1"}])
            trigger = WidgetState(id=_make_trigger_id(stage, "events"), json_trigger_value=said)
            one.ask("tile", query, url=url, widgets=[trigger])
            assert one.exceptions == []
            player = WidgetState(id=stage, json_value="{}")
            one.ask("tile", query, url=url, widgets=[player, trigger])
            assert one.exceptions == []
            assert "/tile?step=1" in one.told


@pytest.mark.parametrize("fragment", ["x", "../..", "9" * 10_000, "\u202e\0"])
def test_fragments_that_never_were(watched, other, fragment):
    with learner(watched.address) as one:
        one.ask("tile")
        found = one.ids
        one.send("tile", fragment_id=fragment)
        # nothing is run for it; what is asked next is
        one.ask("tile")
        assert one.exceptions == []
        assert one.ids == found
        assert not _INNER.search(one.told)


@pytest.mark.parametrize(
    "frame",
    [b"", b"\xff" * 100, b"\x0a\xff\xff\xff\xff\x0f", "text", b"\0" * (9 * 2**20), "{" * 100],
    ids=["empty", "noise", "cut", "text", "large", "json"],
)
def test_frames_that_are_no_messages(watched, other, frame):
    with stream(watched.address, origin=watched.address) as connection:
        connection.send(frame)
        told = b""
        try:
            for _message in range(3):
                told += bytes(str(connection.recv(timeout=1)), "utf-8")
        except (TimeoutError, ConnectionClosed) as end:
            told += bytes(str(end), "utf-8")
        assert not _INNER.search(told.decode("utf-8"))


def test_messages_for_developers_stop_nothing(watched, other):
    with stream(watched.address, origin=watched.address) as connection:
        for name in ("debug_shutdown_runtime", "debug_disconnect_websocket"):
            message = BackMsg()
            setattr(message, name, True)
            connection.send(message.SerializeToString())


def test_who_reads_nothing_holds_nobody_up(watched, other):
    """Each asks for many runs and takes no answer; then their lines go dead."""
    lines = []
    with ExitStack() as ends:
        for _slow in range(4):
            one = ends.enter_context(learner(watched.address))
            one.socket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            lines.append(one.socket.socket)
            for turn in range(15):
                one.send("padding", f"values=random&seed={turn}")
        other.ask("tile", "repeats=1,1,3,3")
        assert other.exceptions == []
        # at once, without a word
        for connection in lines:
            connection.shutdown(socket.SHUT_RDWR)
    other.ask("tile")


def unfinished(address, count):
    """Connections that begin a request's header and never end it."""
    for _connection in range(count):
        made = socket.create_connection(
            (urlsplit(address).hostname, urlsplit(address).port), timeout=PATIENCE
        )
        made.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        yield made


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="ulimit is a shell's of these systems")
def test_unfinished_headers_refuse_nobody():
    few = ("sh", "-c", 'ulimit -n 256 && exec "$@"', "sh")
    with serving(before=few) as address, learner(address) as one, ExitStack() as held:
        one.ask("tile")
        for connection in unfinished(address, 300):
            held.enter_context(connection)
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=PATIENCE) as answer:
            assert answer.read() == b"ok"
        with learner(address) as another:
            another.ask("tile")
            assert another.exceptions == []
        # who works is never the one that has waited longest
        one.ask("tile")
        assert one.exceptions == []
