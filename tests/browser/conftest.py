"""The real app on a server of its own, in a real browser.

Without Playwright or a Chromium these tests are skipped with a reason, or fail where
DMLVIZ_REQUIRE_BROWSER is set.
"""

from __future__ import annotations

import base64
import io
import random
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from PIL import Image
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.browser.chromium import chromium, leave

ROOT = Path(__file__).resolve().parents[2]
# sizes and themes are observed, and told, with the next frames
FRAMES = """async () => {
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
}"""
PROBES = re.compile(r"/[a-z-]+/_stcore/(health|host-config)$")
# Streamlit asks for these below a page and copes with the 404


def free_port() -> int:
    """A port that nobody uses now.

    None of those that systems give to connections: until a server has it, one might get it.
    """
    while True:
        port = random.SystemRandom().randrange(10_240, 32_768)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def start(
    port: int, root: Path = ROOT, before: tuple[str, ...] = (), **options: Any
) -> subprocess.Popen[bytes]:
    """``streamlit run app.py`` in a folder, on its way; options are Popen's."""
    command = [*before, sys.executable, "-m", "streamlit", "run", "app.py"]
    command += ["--server.headless", "true", "--server.port", str(port)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, cwd=root, **{**quiet, **options})


def await_health(server: subprocess.Popen[bytes], port: int) -> None:
    """Wait until a server answers."""
    for _attempt in range(480):
        assert server.poll() is None, "the server ended by itself"
        try:
            with urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.125)


@contextmanager
def serving(root: Path = ROOT, before: tuple[str, ...] = (), **options: Any) -> Iterator[str]:
    """A server for a while; its address."""
    port = free_port()
    with start(port, root, before, **options) as server:
        try:
            await_health(server, port)
            yield f"http://localhost:{port}"
        finally:
            server.kill()


# what a canvas shows cannot be read, so keep what is written on the one of titles, indices and
# numbers; a number's x and y are its middle
WRITTEN = """(() => {
  const { prototype } = CanvasRenderingContext2D;
  const { clearRect, fillText } = prototype;
  prototype.fillText = function (text, x, y) {
    if (this.canvas.written) {
      const size = parseFloat(/[\\d.]+px/.exec(this.font)[0]);
      const { width } = this.measureText(text);
      const left = x - (this.textAlign === "center" ? width / 2 : 0);
      const top = y - size * (this.textBaseline === "middle" ? 0.6 : 0.93);
      const numeral = this.font.startsWith("600");
      this.canvas.written.push({ text, x, y, size, width, left, top, numeral });
    }
    fillText.call(this, text, x, y);
  };
  prototype.clearRect = function (...box) {
    if (this.canvas.written) this.canvas.written = [];
    clearRect.apply(this, box);
  };
  const { set, get } = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, "width");
  Object.defineProperty(HTMLCanvasElement.prototype, "width", { get, set(width) {
    if (this.classList.contains("dmlviz-texts")) this.written = [];
    set.call(this, width);
  } });
})()"""
# the board in whole pixels, and no more of it than its stage shows
SEEN = """() => {
  document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
  const board = document.querySelector(".dmlviz-board");
  const { x, y, right, bottom } = board.getBoundingClientRect();
  const stage = board.closest(".dmlviz-stage").getBoundingClientRect();
  const [left, top] = [x, y].map((edge) => Math.floor(edge + 1e-3));
  const [width, height] = [Math.min(right, stage.right) - left, Math.min(bottom, stage.bottom) - top]
    .map((size) => Math.ceil(size - 1e-3));
  return { x: left + scrollX, y: top + scrollY, width, height, scale: 1 };
}"""
NUMBERS = """(document.querySelector('.dmlviz-texts')?.written ?? [])
  .filter(({ numeral }) => numeral)"""
TITLES = "[...document.querySelectorAll('.dmlviz-texts > span')].map(t => t.textContent)"


class Visit:
    """One person's browser window; keeps all that went over the wire or wrong."""

    def __init__(self, page: Any, server: str) -> None:
        self.server = server
        self.page = page
        self.page.set_default_timeout(30_000)
        self.page.add_init_script(WRITTEN)
        self._tools = page.context.new_cdp_session(page)
        self.requests: list[str] = []
        self.problems: list[str] = []
        on = self.page.on
        on("request", lambda request: self.requests.append(request.url))
        on("pageerror", lambda error: self.problems.append(f"page error: {error}"))
        on("console", self._console)
        on("requestfailed", self._failed)
        on("websocket", self._connected)
        self.running = False
        self.runs = 0

    def _connected(self, socket: Any) -> None:
        """Follow what the page asks of Streamlit, and what it is told."""
        self.requests.append(socket.url)
        self.running = False

        def asked(frame: bytes | str) -> None:
            if isinstance(frame, bytes) and BackMsg.FromString(frame).HasField("rerun_script"):
                self.running = True
                self.runs += 1

        def told(frame: bytes | str) -> None:
            if not isinstance(frame, bytes):
                return
            message = ForwardMsg.FromString(frame)
            early = ForwardMsg.FINISHED_EARLY_FOR_RERUN
            if message.HasField("script_finished") and message.script_finished != early:
                self.running = False

        def closed(_socket: Any) -> None:
            self.running = False

        if urlsplit(socket.url).path.endswith("/_stcore/stream"):
            socket.on("framesent", asked)
            socket.on("framereceived", told)
            socket.on("close", closed)

    def _console(self, message: Any) -> None:
        url = message.location.get("url", "")
        if message.type == "error" and not PROBES.search(urlsplit(url).path):
            self.problems.append(f"console: {message.text} ({url})")

    def _failed(self, request: Any) -> None:
        if "ERR_ABORTED" not in str(request.failure):  # by leaving the page
            self.problems.append(f"failed: {request.url} {request.failure}")

    @property
    def foreign(self) -> list[str]:
        """Requests to anybody but our own server."""
        own = ("data:", "blob:", f"{self.server}/", self.server.replace("http", "ws") + "/")
        return [url for url in self.requests if not url.startswith(own)]

    def open(self, path: str = "") -> Visit:
        self.page.goto(f"{self.server}/{path}")
        return self.ready()

    def ready(self) -> Visit:
        """Wait until every player has drawn and the script is at rest."""
        self.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
        return self.rested().drawn()

    def drawn(self) -> Visit:
        """Wait until every player has drawn what its size, theme and settings ask for."""
        self.page.evaluate(FRAMES)
        players = "[...document.querySelectorAll('.dmlviz-player')]"
        self.page.wait_for_function(f"{players}.every(p => p.dataset.ready)")
        return self

    def lose(self) -> None:
        """Wait until the page has noticed that its connection is gone."""
        self.page.wait_for_selector(
            "[data-test-connection-state]:not([data-test-connection-state='CONNECTED'])"
        )
        # a run may be over before anybody looks
        self.page.evaluate(
            """() => {
              const app = document.querySelector("[data-test-script-state]");
              window.ranAgain = false;
              new MutationObserver((changes) => {
                window.ranAgain ||= changes.some((change) => change.oldValue === "running");
              }).observe(app, { attributeFilter: ["data-test-script-state"], attributeOldValue: true });
            }"""
        )

    def come_back(self) -> Visit:
        """Wait until the page has found a server by itself and was run there."""
        self.page.wait_for_selector("[data-test-connection-state='CONNECTED']")
        self.page.wait_for_function("window.ranAgain")
        return self.rested()

    def rested(self) -> Visit:
        """Wait until Streamlit has finished what was asked of it, and the page has taken it."""
        for _wait in range(2):
            self._had_time()
            end = time.monotonic() + 30
            while self.running:
                assert time.monotonic() < end, "Streamlit has not finished what was asked of it"
                self.page.wait_for_timeout(20)
            self.page.wait_for_selector('[data-test-script-state="notRunning"]')
        return self

    def _had_time(self) -> None:
        """The page's own clock has gone on long enough to ask for what it wants to ask for."""
        from playwright.sync_api import Error

        try:
            self.let_pass(100)
        except Error as error:
            # it left for another page meanwhile, whose script starts from the beginning
            if "context" not in error.message:
                raise
            self.page.wait_for_timeout(200)

    def let_pass(self, ms: int) -> Visit:
        """Time by the page's own clock: whatever was due before has been done, however slowly."""
        self.page.evaluate("ms => new Promise(done => setTimeout(done, ms))", ms)
        return self

    def go(self, title: str) -> Visit:
        """Click a page's name in the navigation."""
        heading = "See where every element goes" if title == "Home" else title
        if title == "Home":
            self.page.locator(".st-key-bar_wide").get_by_role("link", name=title).click()
        else:
            self.page.get_by_role("button", name="Operators").click()
            self.page.locator(".st-key-menu_wide").get_by_text(title, exact=True).click()
        come = "t => document.querySelector('h1')?.innerText === t"
        self.page.wait_for_function(come, arg=heading)
        return self.ready()

    def js(self, expression: str, argument: Any = None) -> Any:
        """A JavaScript function of the player and an argument."""
        player = "document.querySelector('.dmlviz-player').dmlviz"
        return self.page.evaluate(f"a => ({expression})({player}, a)", argument)

    @property
    def t(self) -> float:
        return float(self.page.locator("[data-t]").first.get_attribute("data-t"))

    def seek(self, t: float) -> Visit:
        self.js("(player, t) => player.seek(t)", t)
        self.page.evaluate(FRAMES)
        return self

    def until(self, condition: str) -> Visit:
        """Wait for something that holds of t."""
        self.page.wait_for_function(
            f"() => {{ const t = Number(document.querySelector('.dmlviz-player').dataset.t);"
            f"return {condition}; }}",
            polling=20,
        )
        return self

    def control(self, name: str) -> Any:
        """One of the player's controls, in the menu *View* too."""
        found = self.page.locator(f".dmlviz-{name}").first
        if found.evaluate("e => Boolean(e.closest('.dmlviz-menu:not(:popover-open)'))"):
            self.page.locator(".dmlviz-looks").first.click()
        return found

    def press(self, name: str) -> None:
        self.control(name).click()
        self._close_menu()

    def choose(self, name: str, value: str) -> None:
        self.control(name).select_option(value)
        self._close_menu()

    def _close_menu(self) -> None:
        closing = (
            "[...document.querySelectorAll('.dmlviz-menu:popover-open')].map(m => m.hidePopover())"
        )
        self.page.evaluate(closing)

    def speed(self, times: float) -> None:
        self.choose("speed", f"{times:g}")

    @property
    def board(self) -> dict[str, Any]:
        """Where every cell stands on the stage, in pixels, and how it is painted."""
        return self.js(
            """player => {
              const b = player.drawing;
              const cells = c => ({ x: Array.from(c.x), y: Array.from(c.y), w: c.w, h: c.h });
              return { input: cells(b.input), output: cells(b.output), palette: b.palette,
                colors: b.colors, labels: b.labels, source: Array.from(b.source) };
            }"""
        )

    def shot(self) -> np.ndarray:
        """The stage as it is seen, as rows, columns, red-green-blue."""
        self.page.mouse.move(2, 2)
        # Playwright's own screenshot of an element takes twice as long
        sent = {"format": "png", "optimizeForSpeed": True, "clip": self.page.evaluate(SEEN)}
        png = base64.b64decode(self._tools.send("Page.captureScreenshot", sent)["data"])
        return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)

    def between(self) -> np.ndarray:
        """The strip between the two tensors, clear of the row numbers of the output."""
        board = self.board
        left = max(board["input"]["x"]) + board["input"]["w"] + 6
        right = min(board["output"]["x"]) - 26
        bottom = max(board["output"]["y"]) + board["output"]["h"]
        assert right - left > 12
        return self.shot()[int(min(board["output"]["y"])) : int(bottom), int(left) : int(right)]

    @property
    def numbers(self) -> list[tuple[str, float, float, float]]:
        """The numbers in cells: text, middle in pixels of the board, and size of the font."""
        found: list[dict[str, Any]] = self.page.evaluate(NUMBERS)
        return [(n["text"], n["x"], n["y"], n["size"]) for n in found]

    @property
    def output_texts(self) -> list[str]:
        """What is written into the output's cells, row by row."""
        cells = self.board["output"]
        x = np.array(cells["x"]) + cells["w"] / 2
        y = np.array(cells["y"]) + cells["h"] / 2
        found = [
            (v, u, text)
            for text, u, v, _size in self.numbers
            if (np.hypot(x - u, y - v) < cells["h"] / 4).any()
        ]
        found = [(round(y / 8), x, text) for y, x, text in found if text.strip()]
        return [text for _y, _x, text in sorted(found)]


def is_paper(pixels: np.ndarray) -> bool:
    """One colour all over."""
    return bool((pixels == pixels[0, 0]).all())


def near(pixels: np.ndarray, css: str, tolerance: int = 10) -> np.ndarray:
    """Where the pixels have a colour, ``#rrggbb`` or ``rgb(r,g,b)``, or nearly."""
    color = [int(n) for n in re.findall(r"\d+", css)]
    if css.startswith("#"):
        color = [int(css[i : i + 2], 16) for i in (1, 3, 5)]
    return (abs(pixels - np.array(color)) <= tolerance).all(axis=-1)


@pytest.fixture(scope="module")
def browser(browser_tool: Path) -> Iterator[Any]:
    """A Chromium."""
    yield chromium.browser
    if not chromium.stays:
        chromium.close()


@pytest.fixture(scope="session")
def _server() -> Iterator[str]:
    with serving() as address:
        yield address


@pytest.fixture
def server(browser: Any, _server: str) -> str:
    """The address of the app; the same server for all tests."""
    return _server


@pytest.fixture(scope="module")
def _windows(browser: Any) -> Iterator[dict[Any, Visit]]:
    kept: dict[Any, Visit] = {}
    yield kept
    for window in kept.values():
        leave(window.page)


@pytest.fixture
def visit(
    browser: Any, _windows: dict[Any, Visit], request: pytest.FixtureRequest
) -> Iterator[Callable[..., Visit]]:
    """Open a window: ``visit("tile", width=390)``; every one has to end without a problem.

    Each visit is a session of its own for the app. Windows of the same kind are one window in
    the tests of a file, unless ``fresh``; what pages have kept is forgotten with the window.
    """
    used: list[Visit] = []

    def window(
        path: str | None = "",
        *,
        server: str = "",
        width: int = 1280,
        height: int = 900,
        fresh: bool = False,
        **more: Any,  # for Playwright's new_context
    ) -> Visit:
        server = server or request.getfixturevalue("server")
        kind = (server, width, tuple(sorted(more.items())))
        if fresh and kind in _windows:
            leave(_windows.pop(kind).page)
        if kind not in _windows:
            _windows[kind] = Visit(chromium.page(**more), server)
        found = _windows[kind]
        if found.page.url.startswith("http"):
            found.page.evaluate("sessionStorage.clear()")
        found.requests.clear()
        found.problems.clear()
        found.page.set_viewport_size({"width": width, "height": height})
        used.append(found)
        return found if path is None else found.open(path)

    yield window
    for found in used:
        assert found.problems == []
        assert found.foreign == []


@pytest.fixture(scope="session")
def axe(npm_tool: Path) -> str:
    """The script of axe-core, which looks for what keeps people out."""
    return (npm_tool / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def tile(visit: Callable[..., Visit]) -> Visit:
    """The Tile page on its documentation example, for tests that touch nothing but the player."""
    found = visit(None)
    if not found.page.url.endswith("/tile"):
        return found.open("tile")
    found.js("player => { delete player.paint; player.seek(0); document.activeElement.blur(); }")
    found.speed(1)
    return found.drawn()


def here(path: Path) -> bool:
    """Whether a file is one of these tests."""
    return path.is_relative_to(Path(__file__).parent)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Keep the browser until the last test of this folder."""
    chromium.stays = nextitem is not None and here(nextitem.path)


def pytest_collection_modifyitems(items):
    """A browser on a busy machine may miss a click: such a test gets a second chance.

    ``.ci/run`` names every test that needed it.
    """
    for item in items:
        if here(item.path):
            item.add_marker(pytest.mark.flaky(reruns=1))
