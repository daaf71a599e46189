"""The stage beside ``px.imshow(animation_frame=...)`` of the same movement, in a real browser.

``python -m benchmarks.stage`` prints two tables: Tile beside the naive page, and every operator at
16,384 and 65,536 cells.  Absolute figures are this machine's; read the columns against each other.
Where other work shares the machine a frame may be late although it was drawn in time: ``drawn``
says how long the page's own code took for it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import plotly.express as px
import plotly.graph_objects as go
from playwright.sync_api import Browser, ViewportSize, sync_playwright

import dmlviz
from benchmarks import run_program
from benchmarks.movements import movement, movements
from benchmarks.tables import middle, table
from tests.browser.chromium import FLAGS
from tests.tools import find

CELLS = (64, 256, 1_024, 4_096, 16_384)
LARGE = (16_384, 65_536)
MOST_STEPS = 5
OPENINGS = 3
PLAYED_MS = 2_000
VIEWPORT: ViewportSize = {"width": 1280, "height": 900}
DRAWN = ".dmlviz-player[data-ready='true']"

# the page's own policy lets no text be evaluated inside it: what is played stands in here
WATCH = """async (ms) => {
  const gaps = [];
  let last = 0, running = true;
  const tick = (now) => {
    if (last) gaps.push(now - last);
    last = now;
    if (running) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  gaps.length = 0;
  await PLAY(ms ?? Infinity);
  running = false;
  const total = gaps.reduce((a, b) => a + b, 0);
  const drawn = window.drawn ?? [0];
  const fps = (1000 * gaps.length) / total;
  return { fps, longest: Math.max(...gaps), drawn: Math.max(...drawn) };
}"""

OURS = """async (ms = Infinity) => {
  const player = document.querySelector('.dmlviz-player').dmlviz;
  const { clock } = player;
  const tick = clock.tick;
  window.drawn = [];
  clock.tick = () => {
    const began = performance.now();
    tick();
    window.drawn.push(performance.now() - began);
  };
  const until = performance.now() + ms;
  clock.play(0, Math.min(player.steps, MOST));
  while (clock.playing && performance.now() < until) {
    await new Promise((done) => setTimeout(done, 50));
  }
  clock.tick = tick;
  clock.stop();
}""".replace("MOST", str(MOST_STEPS))

# another operator in the page that is open, and how long it takes to be drawn
SHOW = """async (payload) => {
  const { dmlviz: player } = document.querySelector('.dmlviz-player');
  const began = performance.now();
  player.show(payload);
  while (!player.root.dataset.ready) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""

NAIVE = """async () => {
  const plot = document.querySelector('.plotly-graph-div');
  const pace = { frame: { duration: 800, redraw: true }, transition: { duration: 300 } };
  await Plotly.animate(plot, null, pace);
}"""


@dataclass(frozen=True)
class Figures:
    """One way at one size: frames a second, milliseconds, bytes."""

    fps: float
    longest: float
    drawn: float
    first: float
    size: int


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", nargs="*", type=int, default=CELLS)
    sizes, chromium = parser.parse_args().cells, find("browser_tool")
    print("| cells | fps | naive | longest ms | naive | first ms | naive | bytes | naive |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for cells in sizes:
            trace = movement(cells)
            ours, naive = both(browser, Path(folder), trace)
            print(
                f"| {cells:,} | {ours.fps:.0f} | {naive.fps:.0f} | {ours.longest:.0f} | "
                f"{naive.longest:.0f} | {ours.first:.0f} | {naive.first:.0f} | "
                f"{ours.size:,} | {naive.size:,} |",
                flush=True,
            )
        for cells in LARGE:
            print()
            print(every_operator(browser, Path(folder), cells), flush=True)
        browser.close()


def every_operator(browser: Browser, folder: Path, cells: int) -> str:
    """A table of every operator at one size, one after another in one page of ours."""
    rows = []
    page = browser.new_page(viewport=VIEWPORT)
    for name, trace in movements(cells).items():
        player = dmlviz.player(trace)
        if page.url == "about:blank":
            page.goto(player.save(folder / "ours.html").as_uri())
            page.wait_for_selector(DRAWN, state="attached", timeout=120_000)
        shown = page.evaluate(SHOW, player.payload)
        page.wait_for_timeout(250)
        seen = page.evaluate(WATCH.replace("PLAY", f"({OURS})"), PLAYED_MS)
        figures = (seen["fps"], seen["longest"], seen["drawn"], shown)
        size = len(json.dumps(player.payload))
        rows.append((name, *(f"{figure:.0f}" for figure in figures), f"{size:,}"))
    page.close()
    head = (f"{cells:,} cells", "fps", "longest ms", "longest drawn ms", "shown ms", "bytes")
    return table(head, rows)


def naive_figure(trace: dmlviz.Trace) -> go.Figure:
    """What a user would write: a heatmap per step, numbers in the cells."""
    steps = trace.operator.moves(trace.inputs)
    height, width = trace.output.shape[-2:]
    output = trace.output.reshape(height, width).astype(float)
    # no empty frame first: Plotly leaves a heatmap without any number out for good
    landed = [
        np.where(steps.step_of.reshape(height, width) < k, output, np.nan)
        for k in range(1, len(steps.steps) + 1)
    ]
    return px.imshow(np.stack(landed), animation_frame=0, text_auto=True)


def both(browser: Browser, folder: Path, trace: dmlviz.Trace) -> tuple[Figures, Figures]:
    """Our page and the naive page of one movement, measured one after the other."""
    player = dmlviz.player(trace)
    page = player.save(folder / "ours.html")
    ours = measure(browser, page, DRAWN, OURS, len(json.dumps(player.payload)))
    figure = naive_figure(trace)
    page = folder / "naive.html"
    figure.write_html(page, include_plotlyjs=True, auto_play=False)
    naive = measure(browser, page, ".plotly-graph-div .heatmaplayer", NAIVE, len(figure.to_json()))
    return ours, naive


def measure(browser: Browser, path: Path, drawn: str, play: str, size: int) -> Figures:
    """Open a page some times for the first picture, then play it."""
    firsts = []
    for attempt in range(OPENINGS):
        page = browser.new_page(viewport=VIEWPORT)
        page.goto(path.as_uri(), wait_until="commit")
        page.wait_for_selector(drawn, state="attached", timeout=120_000)
        firsts.append(page.evaluate("performance.now()"))
        if attempt < OPENINGS - 1:
            page.close()
    page.wait_for_timeout(500)
    seen = page.evaluate(WATCH.replace("PLAY", f"({play})"))
    page.close()
    return Figures(seen["fps"], seen["longest"], seen["drawn"], middle(firsts), size)


if __name__ == "__main__":
    run_program(main)
