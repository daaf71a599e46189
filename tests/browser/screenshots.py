"""The pictures of the README, from the real app: ``python -m tests.browser.screenshots``.

Needs what the browser tests need: Playwright from requirements-dev.txt and a Chromium.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import FLAGS
from tests.browser.conftest import serving
from tests.browser.waiting import wait_for_function
from tests.tools import find

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "assets" / "screenshots"
MOMENTS = {
    "tile": 2.55,
    "depth-to-space": 1.6,
    "space-to-depth": 1.45,
    "padding": 2.6,
    "scatter": 2.5,
}


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find("browser_tool"), args=FLAGS)
        for scheme in ("light", "dark"):
            for name, moment in MOMENTS.items():
                page = opened(browser, f"{address}/{name}", scheme)
                seek(page, moment)
                save(page.screenshot(), FOLDER / f"{name}-{scheme}.png")
                pin(page)
                save(page.screenshot(), FOLDER / f"{name}-pinned-{scheme}.png")
                page.close()
            page = opened(browser, address, scheme, height=1250)
            save(page.screenshot(), FOLDER / f"home-{scheme}.png")
            page.close()
        film(
            opened(browser, f"{address}/tile", "light", width=1180, height=720), FOLDER / "tile.gif"
        )
        browser.close()


def opened(
    browser: Browser, address: str, scheme: str, *, width: int = 1366, height: int = 768
) -> Page:
    """A page on which everything is drawn."""
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.goto(address)
    page.wait_for_selector('.dmlviz-player[data-ready="true"]', timeout=60_000)
    wait_for_function(
        page, "[...document.querySelectorAll('.dmlviz-player')].every(p => p.dataset.ready)"
    )
    page.wait_for_timeout(700)
    return page


def seek(page: Page, moment: float) -> None:
    """Bring the stage to a moment."""
    page.evaluate("t => document.querySelector('.dmlviz-player').dmlviz.seek(t)", moment)
    page.wait_for_timeout(60)


def pin(page: Page) -> None:
    """Pin two cells of the finished output, as clicks would."""
    page.evaluate(
        """() => {
          const player = document.querySelector('.dmlviz-player').dmlviz;
          player.seek(player.steps);
          const last = player.model.source.length - 1;
          for (const element of [5, Math.min(31, last)]) player.pins.toggle({ side: 'output', element });
          document.querySelector('[data-testid=stMain]').scrollTo(0, 150);
        }"""
    )
    page.wait_for_timeout(150)


def save(png: bytes, path: Path) -> None:
    """A PNG of few colours: the pictures are flat, and the repository stays small."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    image.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


def film(page: Page, path: Path) -> None:
    """The whole movement as an animated GIF."""
    frames, durations = [], []
    steps = page.evaluate("document.querySelector('.dmlviz-player').dmlviz.steps")
    for step in range(steps):
        for part in range(10):
            seek(page, step + part / 10)
            png = page.locator("[data-testid=stMain]").screenshot()
            frames.append(Image.open(io.BytesIO(png)).convert("RGB"))
            durations.append(500 if part == 0 else 70)
    seek(page, steps)
    png = page.locator("[data-testid=stMain]").screenshot()
    frames.append(Image.open(io.BytesIO(png)).convert("RGB"))
    durations.append(2500)
    palette = frames[-1].quantize(64)
    small = [f.quantize(palette=palette, dither=Image.Dither.NONE) for f in frames]
    small[0].save(
        path, save_all=True, append_images=small[1:], duration=durations, loop=0, optimize=True
    )


if __name__ == "__main__":
    main()
