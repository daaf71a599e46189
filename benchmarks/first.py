"""The first picture in a browser that has nothing in its cache: ``python -m benchmarks.first``.

The naive page is what a user would write with ``st.plotly_chart``.  A second table says which files
our page loads, and when.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Playwright, sync_playwright

from benchmarks import run_program
from benchmarks.servers import APP, NAIVE, serving
from benchmarks.tables import middle, table
from tests.browser.chromium import FLAGS
from tests.tools import find

ROUNDS = 7
LARGEST = 8
"""How many files the second table has."""

PAGES = {
    "dmlviz, Tile": (APP, "/tile", ".dmlviz-player[data-ready='true']"),
    "naive page": (NAIVE, "/", ".heatmaplayer image"),
}
"""Script, path, and what is there once the picture is."""

LOADED = """() => performance.getEntriesByType("resource").map((file) => [
  file.name, file.transferSize, file.startTime, file.responseEnd,
])"""


def main() -> None:
    """Print both tables."""
    chromium = find("browser_tool")
    taken: dict[str, list[float]] = {name: [] for name in PAGES}
    files: dict[str, list[list[Any]]] = {}
    with sync_playwright() as playwright, serving(APP) as app, serving(NAIVE) as naive:
        for _round in range(ROUNDS):
            for (name, (_script, path, drawn)), server in zip(
                PAGES.items(), (app, naive), strict=True
            ):
                passed, files[name] = opened(playwright, chromium, f"{server.address}{path}", drawn)
                taken[name].append(passed)
    naively = middle(taken["naive page"])
    rows = []
    for name, times in taken.items():
        size = sum(size for _name, size, *_when in files[name]) / 1e6
        ratio = f"{middle(times) / naively:.2f}"
        rows.append([name, f"{middle(times):.0f}", ratio, len(files[name]), f"{size:.1f}"])
    print(table(["page", "first picture ms", "times the naive page", "files", "MB"], rows))
    print()
    largest = sorted(files["dmlviz, Tile"], key=lambda file: -file[1])[:LARGEST]
    print(
        table(
            ["file", "kB", "requested after ms", "loaded after ms"],
            [
                [called(name), *(f"{figure:.0f}" for figure in (size / 1000, start, end))]
                for name, size, start, end in largest
            ],
        )
    )


def opened(
    playwright: Playwright, chromium: Path, address: str, drawn: str
) -> tuple[float, list[list[Any]]]:
    """Milliseconds to the first picture in a new browser, and what it has loaded."""
    browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
    page = browser.new_page(viewport={"width": 1366, "height": 650})
    begun = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector(drawn, state="attached", timeout=120_000)
    passed = 1000 * (time.perf_counter() - begun)
    files = page.evaluate(LOADED)
    browser.close()
    return passed, files


def called(address: str) -> str:
    """A file's name without the letters that change with what is in it."""
    name = urlsplit(address).path.rpartition("/")[2]
    return re.sub(r"\.[\w-]{8}(?=\.\w+$)", "", name)


if __name__ == "__main__":
    run_program(main)
