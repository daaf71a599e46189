"""The stage beside ``px.imshow(animation_frame=...)`` of the same movement, in a real browser.

``python -m benchmarks.stage`` prints a table.  Absolute figures are this machine's; read the
two columns against each other.
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
from playwright.sync_api import Browser, sync_playwright

import dmlviz
from benchmarks.tables import middle
from tests.browser.screenshots import FLAGS, chromium

CELLS = (64, 256, 1_024, 4_096, 16_384)
OPENINGS = 3

# the page's own policy lets no text be evaluated inside it: what is played stands in here
WATCH = """async () => {
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
  await PLAY();
  running = false;
  const total = gaps.reduce((a, b) => a + b, 0);
  return { fps: (1000 * gaps.length) / total, longest: Math.max(...gaps) };
}"""

OURS = """async () => {
  const player = document.querySelector('.dmlviz-player').dmlviz;
  player.clock.play(0, player.steps);
  while (player.clock.playing) await new Promise((done) => setTimeout(done, 50));
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
    first: float
    size: int


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", nargs="*", type=int, default=CELLS)
    sizes = parser.parse_args().cells
    print("| cells | fps | naive | longest ms | naive | first ms | naive | bytes | naive |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        for cells in sizes:
            trace = movement(cells)
            ours, naive = both(browser, Path(folder), trace)
            print(
                f"| {cells:,} | {ours.fps:.0f} | {naive.fps:.0f} | {ours.longest:.0f} | "
                f"{naive.longest:.0f} | {ours.first:.0f} | {naive.first:.0f} | "
                f"{ours.size:,} | {naive.size:,} |",
                flush=True,
            )
        browser.close()


def movement(cells: int) -> dmlviz.Trace:
    """Tile by 2 and 2 to a square of so many cells."""
    side = int(cells**0.5)
    x = np.arange(side * side // 4, dtype=np.int32).reshape(1, 1, side // 2, side // 2) % 1000
    return dmlviz.run(dmlviz.Tile((1, 1, 2, 2)), x)


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
    ours = measure(
        browser, page, ".dmlviz-player[data-ready='true']", OURS, len(json.dumps(player.payload))
    )
    figure = naive_figure(trace)
    page = folder / "naive.html"
    figure.write_html(page, include_plotlyjs=True, auto_play=False)
    naive = measure(browser, page, ".plotly-graph-div .heatmaplayer", NAIVE, len(figure.to_json()))
    return ours, naive


def measure(browser: Browser, path: Path, drawn: str, play: str, size: int) -> Figures:
    """Open a page some times for the first picture, then play it."""
    firsts = []
    for attempt in range(OPENINGS):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(path.as_uri(), wait_until="commit")
        page.wait_for_selector(drawn, state="attached", timeout=120_000)
        firsts.append(page.evaluate("performance.now()"))
        if attempt < OPENINGS - 1:
            page.close()
    page.wait_for_timeout(500)
    seen = page.evaluate(WATCH.replace("PLAY", f"({play})"))
    page.close()
    return Figures(seen["fps"], seen["longest"], middle(firsts), size)


if __name__ == "__main__":
    main()
