"""From a widget's change to the new picture in a browser, beside a page with ``px.imshow``.

``python -m benchmarks.changes`` prints a table.  The naive page is what a user would write: a frame
for each step, with ``st.plotly_chart``.  Absolute figures are this machine's; read the ratio.
"""

from __future__ import annotations

import argparse
import time

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks import run_program
from benchmarks.servers import APP, NAIVE, Server, serving
from benchmarks.tables import middle, table
from tests.browser.chromium import FLAGS
from tests.tools import find

CELLS = (64, 256, 1_024, 4_096)
ROUNDS = 27

# resolves in the next frame after the picture has this many columns
OURS = """(columns) => new Promise((done) => {
  const look = () => {
    const player = document.querySelector(".dmlviz-player")?.dmlviz;
    if (player?.payload.output.tensors[0].sizes[3] === columns) requestAnimationFrame(() => done());
    else requestAnimationFrame(look);
  };
  look();
})"""

THEIRS = """(columns) => new Promise((done) => {
  const look = () => {
    const plot = document.querySelector(".js-plotly-plot");
    const cells = plot?._fullData?.[0]?._length ?? plot?.calcdata?.[0]?.[0]?.z?.[0]?.length;
    if (cells === columns && plot.querySelector(".heatmaplayer image")) {
      requestAnimationFrame(() => done());
    } else requestAnimationFrame(look);
  };
  look();
})"""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", nargs="*", type=int, default=CELLS)
    sizes = parser.parse_args().cells
    rows, chromium = [], find("browser_tool")
    with sync_playwright() as playwright, serving(APP) as app, serving(NAIVE) as naive:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for cells in sizes:
            side = int((cells // 2) ** 0.5)
            ours = middle(of_dmlviz(browser, app, side))
            theirs = middle(of_naive(browser, naive, side))
            rows.append(
                [f"{2 * side * side:,}", f"{ours:.0f}", f"{theirs:.0f}", f"{ours / theirs:.2f}"]
            )
        browser.close()
    print(table(["cells", "dmlviz, ms", "naive page, ms", "times the naive page"], rows))


def of_dmlviz(browser: Browser, server: Server, side: int) -> list[float]:
    """Milliseconds from Enter in Repeats[3] to the new picture."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    query = f"sizes=1,1,{side},{side}&values=count-1&repeats=1,1,1,2"
    page.goto(f"{server.address}/tile?{query}")
    page.wait_for_selector(".dmlviz-player[data-ready='true']", timeout=120_000)
    found = _changed(page, ".st-key-tile_repeats_3 input", OURS, side)
    page.close()
    return found


def of_naive(browser: Browser, server: Server, side: int) -> list[float]:
    """The same on the naive page."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(server.address)
    page.wait_for_selector(".heatmaplayer image", state="attached", timeout=120_000)
    # start with the same sizes as our page
    box = page.locator(".st-key-side input")
    box.fill(str(side))
    box.press("Enter")
    page.evaluate(THEIRS, 2 * side)
    found = _changed(page, ".st-key-repeats input", THEIRS, side)
    page.close()
    return found


def _changed(page: Page, widget: str, drawn: str, side: int) -> list[float]:
    box = page.locator(widget)
    taken = []
    for turn in range(ROUNDS):
        repeats = 3 if turn % 2 == 0 else 2
        page.wait_for_timeout(400)
        box.fill(str(repeats))
        begun = time.perf_counter()
        box.press("Enter")
        page.evaluate(drawn, repeats * side)
        taken.append(1000 * (time.perf_counter() - begun))
    # the first change to each value is computed; later ones are cached
    return taken[2:]


if __name__ == "__main__":
    run_program(main)
