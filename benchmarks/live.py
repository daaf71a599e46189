"""A page that becomes live in the reader's browser: ``python -m benchmarks.live``.

Needs Pyodide and its NumPy, as ``tests/browser/test_live.py`` finds them. Processor time and memory
are those of all of Chromium's processes together, as Linux counts them.
"""

from __future__ import annotations

import argparse
import functools
import gzip
import http.server
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from benchmarks import run_program
from benchmarks.servers import APP, serving
from benchmarks.tables import middle, table
from dmlviz.commands.site import live_page, operator_page
from dmlviz.live.bundle import ENGINE, LiveFiles, live_files, numpy_wheel
from dmlviz.picture.files import plotly_path
from dmlviz.site import write_site
from dmlviz.states import first_state
from tests.browser.chromium import FLAGS
from tests.tools import Missing, find

ROUNDS = 3
SHARED = Path(__file__).resolve().parents[2] / "shared" / "serverless"
CELLS = {54: "/tile", 4_096: "/tile?sizes=1,1,32,32&values=count-1&repeats=1,1,2,2"}
CELLS |= {65_536: "/tile?sizes=1,1,128,128&values=count-1&repeats=1,1,2,2"}
HAND_WRITTEN = Path(__file__).resolve().parent / "pages"
"""A page that tiles with Pyodide and NumPy and draws a heatmap, and no more."""
READY = ".dmlviz-player[data-ready='true']"
# from a control's change to the heatmap of the page that is written by hand
DRAWN = """() => new Promise((done) => {
  const control = document.getElementById("repeats");
  const begun = performance.now();
  control.value = "1,1,2,2";
  control.dispatchEvent(new Event("input"));
  const look = () => {
    if (document.body.dataset.ready) requestAnimationFrame(() => done(performance.now() - begun));
    else requestAnimationFrame(look);
  };
  look();
})"""
# from a control's change to the new picture, as the page sees it
CHANGED = """([label, value]) => new Promise((done) => {
  const stage = document.getElementById("stage");
  const before = document.getElementById("check").textContent;
  const control = document.querySelector(`form [aria-label="${label}"]`);
  const begun = performance.now();
  control.value = value;
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
  const look = () => {
    const same = document.getElementById("check").textContent === before;
    if (same || !stage.dataset.ready) requestAnimationFrame(look);
    else requestAnimationFrame(() => done(performance.now() - begun));
  };
  look();
})"""


def main() -> None:
    """Print three tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = parser.parse_args().rounds
    chromium = find("browser_tool")
    files = bundle()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        pages = [live_page(operator_page(first_state("tile")), files)]
        write_site(folder, pages, live=files)
        write_by_hand(Path(folder) / "hand")
        print(sizes(Path(folder), files))
        print()
        with static(folder) as site, serving(APP) as app:
            print(
                first_pictures(
                    playwright, chromium, f"{app.address}/tile", f"{site}/tile.html", rounds
                )
            )
            print()
            print(changes(playwright, chromium, site, rounds))


def bundle() -> LiveFiles:
    """Pyodide and NumPy.

    Raises:
        Missing: they are not here.
    """
    pyodide, wheel = sources()
    return live_files(pyodide, wheel, find("npm_tool") / "onnxruntime-web", find("node_tool"))


def sources() -> tuple[Path, Path]:
    """Pyodide's folder, and its NumPy.

    Raises:
        Missing: they are not here.
    """
    pyodide = find("npm_tool") / "pyodide"
    if not pyodide.is_dir():
        raise Missing("Pyodide is not installed (npm install --no-package-lock)", "LIVE")
    wheel = Path(os.environ.get("DMLVIZ_NUMPY_WHEEL", SHARED / numpy_wheel(pyodide)))
    if not wheel.is_file():
        raise Missing(f"NumPy for Pyodide is not here ({wheel})", "LIVE")
    return pyodide, wheel


def write_by_hand(folder: Path) -> None:
    """The page that is written by hand, with the same Pyodide, NumPy and plotly.js."""
    folder.mkdir()
    pyodide, wheel = sources()
    names = ("js", "asm.js", "asm.wasm")
    parts = [pyodide / f"pyodide.{name}" for name in names]
    parts += [pyodide / "python_stdlib.zip", pyodide / "pyodide-lock.json", wheel]
    for part in parts:
        shutil.copy(part, folder / part.name)
    shutil.copy(plotly_path(), folder / "plotly.min.js")
    shutil.copy(HAND_WRITTEN / "pyodide.html", folder / "tile.html")
    shutil.copy(HAND_WRITTEN / "pyodide_worker.js", folder / "worker.js")


def sizes(folder: Path, files: LiveFiles) -> str:
    """Bytes of a still page and of what makes it live, as they are and as a host sends them."""
    still = ["tile.html", "player.css", "plotly.min.js", "live.js"]
    live = [*files.loaded, "worker.js", "pyodide.js", "pyodide.asm.js"]
    rows = []
    # scripts of the engine included
    engine = [name for name in files.files if name.startswith("ort") or name == ENGINE]
    groups = {"still page": still, "to become live": live, "ONNX Runtime Web, if chosen": engine}
    for name, parts in groups.items():
        data = [(folder / part).read_bytes() for part in parts]
        packed = sum(min(len(one), len(gzip.compress(one, 9))) for one in data)
        rows.append([name, len(parts), f"{sum(map(len, data)) / 1e6:.2f}", f"{packed / 1e6:.2f}"])
    return table(["what is loaded", "files", "MB", "MB with gzip"], rows)


def first_pictures(playwright: Any, chromium: Path, app: str, still: str, rounds: int) -> str:
    """From an empty cache to the first picture."""
    taken: dict[str, list[float]] = {"app": [], "still page": []}
    for _round in range(rounds):
        for name, address in (("app", app), ("still page", still)):
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            page = browser.new_page(viewport={"width": 1366, "height": 650})
            begun = time.perf_counter()
            page.goto(address, wait_until="commit")
            page.wait_for_selector(READY, state="attached", timeout=120_000)
            taken[name].append(1000 * (time.perf_counter() - begun))
            browser.close()
    whole = middle(taken["app"])
    rows = [
        [n, f"{middle(times):.0f}", f"{middle(times) / whole:.2f}"] for n, times in taken.items()
    ]
    return table(["Tile", "first picture ms", "times the app"], rows)


def changes(playwright: Any, chromium: Path, site: str, rounds: int) -> str:
    """From the first touch to the first live picture, then from a setting to the picture."""
    rows = []
    touched: list[tuple[float, float]] = []
    by_hand: list[tuple[float, float]] = []
    chosen: list[tuple[float, float]] = []
    later: dict[int, list[float]] = {cells: [] for cells in CELLS}
    memory = dict.fromkeys(CELLS, 0.0)
    for _round in range(rounds):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": 1366, "height": 650})
        page.set_default_timeout(120_000)
        page.goto(f"{site}/tile.html")
        page.wait_for_selector(READY)
        before = processes("cpu")
        passed = page.evaluate(CHANGED, ["Repeats [3]", "2"])
        touched.append((passed / 1000, processes("cpu") - before))
        for cells, link in CELLS.items():
            page.evaluate("link => { location.hash = link; }", link)
            page.wait_for_timeout(2_500)
            for value in ("1", "2", "1"):
                later[cells].append(page.evaluate(CHANGED, ["Repeats [2]", value]))
            memory[cells] = max(memory[cells], processes("memory"))
        # last, as the engine has memory of its own
        page.evaluate("location.hash = '/tile'")
        page.wait_for_timeout(2_500)
        before = processes("cpu")
        passed = page.evaluate(CHANGED, ["Engine", "ONNX Runtime Web"])
        chosen.append((passed / 1000, processes("cpu") - before))
        browser.close()
        by_hand.append(heatmap(playwright, chromium, site))
    first = {
        "first touch to live picture": touched,
        "the same, Pyodide and NumPy by hand": by_hand,
        "engine chosen to its picture": chosen,
    }
    for name, both in first.items():
        wall, processor = (middle([one[k] for one in both]) for k in (0, 1))
        rows.append([name, f"{1000 * wall:.0f}", f"{processor:.1f}", ""])
    pairs = tuple(zip(touched, by_hand, strict=True))
    ratios = (middle([ours[k] / theirs[k] for ours, theirs in pairs]) for k in (0, 1))
    rows.insert(2, ["times the page by hand", *(f"{ratio:.2f}" for ratio in ratios), ""])
    for cells, times in later.items():
        name = f"a setting, {cells:,} cells"
        rows.append([name, f"{middle(times):.0f}", "", f"{memory[cells]:.0f}"])
    return table(["live page", "ms", "processor seconds", "MB of the tab"], rows)


def heatmap(playwright: Any, chromium: Path, site: str) -> tuple[float, float]:
    """Seconds from a touch of the page by hand to its heatmap, and those of processors."""
    browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
    page = browser.new_page(viewport={"width": 1366, "height": 650})
    page.goto(f"{site}/hand/tile.html")
    before = processes("cpu")
    passed = page.evaluate(DRAWN)
    spent = processes("cpu") - before
    browser.close()
    return passed / 1000, spent


def processes(figure: str) -> float:
    """Processor seconds of all of this browser's processes, or MB of its largest renderer."""
    ticks, largest = 0.0, 0.0
    for folder in descendants():
        try:
            if figure == "cpu":
                parts = (folder / "stat").read_text().rpartition(")")[2].split()
                ticks += float(parts[11]) + float(parts[12])
            elif b"--type=renderer" in (folder / "cmdline").read_bytes():
                text = (folder / "smaps_rollup").read_text()
                pss = next(line for line in text.splitlines() if line.startswith("Pss:"))
                largest = max(largest, float(pss.split()[1]) / 1000)
        except (OSError, StopIteration):
            continue
    return ticks / os.sysconf("SC_CLK_TCK") if figure == "cpu" else largest


def descendants() -> list[Path]:
    """The folders in /proc of all processes that this one has started, but for the app's."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if b"chromium" in (folder / "cmdline").read_bytes():
                parents[folder.name] = (folder / "stat").read_text().rpartition(")")[2].split()[1]
    ours: list[Path] = []
    for name in parents:
        above = name
        while above in parents:
            above = parents[above]
        # the driver of the browser, which this process has started
        with suppress(OSError):
            stat = Path(f"/proc/{above}/stat").read_text().rpartition(")")[2].split()
            if int(stat[1]) == os.getpid():
                ours.append(Path("/proc") / name)
    return ours


@contextmanager
def static(folder: str) -> Iterator[str]:
    """Any web server for a folder; its address."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_words: object) -> None:
            """Nothing."""

    handler = functools.partial(Handler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


if __name__ == "__main__":
    run_program(main)
