"""The server dies during a visit, and a visitor leaves while the server computes."""

from __future__ import annotations

import os
import re
import urllib.request
from urllib.parse import urlsplit

import pytest

from dmlviz.app.origin_check import METRICS
from tests.browser.conftest import Visit, await_health, free_port, start
from tests.browser.test_addresses import words
from tests.browser.test_app import fill, widget


class Server:
    """A server of its own that can be killed and started again on its port; keeps its log."""

    def __init__(self, folder):
        self.port = free_port()
        self.log = folder / "log"
        self.start()

    def start(self):
        with self.log.open("ab") as log:
            more = {**os.environ, METRICS: "1"}
            self.process = start(self.port, stdout=log, stderr=log, env=more)
        await_health(self.process, self.port)

    def kill(self):
        """At once, without a chance to say or save anything."""
        self.process.kill()
        self.process.wait()

    @property
    def sessions(self):
        """How many sessions the server holds, those included whose browser may come back."""
        address = f"http://localhost:{self.port}/_stcore/metrics?families=active_sessions"
        with urllib.request.urlopen(address, timeout=30) as answer:
            return int(re.search(r"^active_sessions (\d+)", answer.read().decode(), re.M)[1])


@pytest.fixture
def mortal(tmp_path):
    server = Server(tmp_path)
    yield server
    server.kill()


def visit_of(browser, server):
    """A window of its own; a server that has just started has everything to load."""
    window = Visit(browser.new_page(), f"http://localhost:{server.port}")
    window.page.set_default_timeout(90_000)
    return window


def moment(window):
    return window.js(
        "player => [player.payload.output.tensors[0].sizes, player.t, player.color, player.pins.pins]"
    )


def drawn(window, sizes):
    """Wait until the output has these sizes."""
    window.page.wait_for_function(
        "s => String(document.querySelector('.dmlviz-player').dmlviz.payload.output.tensors[0].sizes) === s",
        arg=",".join(map(str, sizes)),
    )


def test_server_killed_and_started_again(browser, mortal):
    window = visit_of(browser, mortal).open("tile")
    fill(window, "[3]", "4")
    drawn(window, [1, 1, 6, 12])
    window.choose("color", "channel")
    window.seek(2)
    window.js("player => player.pins.toggle({ side: 'output', element: 12 })")
    before, address = moment(window), words(window)
    assert before == [[1, 1, 6, 12], 2, "channel", [12]]
    assert address == {"repeats": "1,1,3,4", "colors": "channel", "step": "2", "pinned": "0,0,1,0"}
    window.page.evaluate("window.mark = 'the same document'")
    mortal.kill()
    window.lose()
    # what is on the page needs no server
    window.press("back")
    window.until("t === 1")
    window.press("forward")
    window.until("t === 2")
    window.problems.clear()
    mortal.start()
    window.come_back()
    assert moment(window) == before
    assert words(window) == address
    assert widget(window, "[3]").input_value() == "4"
    # and on from there
    fill(window, "[3]", "2")
    drawn(window, [1, 1, 6, 6])
    assert moment(window) == [[1, 1, 6, 6], 2, "channel", []]
    assert words(window) == {"repeats": "1,1,3,2", "colors": "channel", "step": "2"}
    assert window.page.evaluate("window.mark") == "the same document"
    # asked in vain while nobody was there
    vain = re.compile(
        "ERR_CONNECTION_REFUSED|WebSocket connection|reaching server endpoint|Streamlit still running"
    )
    assert [problem for problem in window.problems if not vain.search(problem)] == []
    window.page.close()
    assert "Traceback" not in mortal.log.read_text()


def test_browser_closed_in_mid_run(browser, mortal):
    def leave_in_mid_run(path):
        context = browser.new_context()
        page = context.new_page()
        page.set_default_timeout(90_000)
        # what a page sends first asks for a run of it
        sent = []
        page.on("websocket", lambda socket: socket.on("framesent", lambda _frame: sent.append(1)))
        page.goto(f"http://localhost:{mortal.port}/{path}", wait_until="commit")
        while not sent:
            page.wait_for_timeout(5)
        context.close()

    for path in ("verify", "engines", "padding?values=random&seed=5&sizes=1,1,60,60"):
        leave_in_mid_run(path)
    window = visit_of(browser, mortal).open("padding")
    assert window.js("player => player.payload.output.tensors[0].sizes") == [1, 1, 8, 10]
    assert urlsplit(window.page.url).path == "/padding"
    assert window.problems == []
    assert mortal.sessions == 1
    window.page.close()
    log = mortal.log.read_text()
    assert "Traceback" not in log
    assert "Error" not in log
