"""Dark and light, wide and narrow."""

from __future__ import annotations

import numpy as np

from tests.browser.conftest import near
from tests.limits import CONTRAST, GRAPHIC_CONTRAST, SMALL_TARGET, TARGET

BACKGROUND = "getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"
OVERFLOWS = """() => [document.scrollingElement, document.querySelector('[data-testid=stMain]'),
  ...document.querySelectorAll('.dmlviz-player')]
  .filter(e => e.scrollWidth > e.clientWidth + 1)
  .map(e => [e.className, e.scrollWidth, e.clientWidth])"""


TEXTS = """() => [...document.querySelectorAll('.dmlviz-stage')].map(stage => {
  const at = stage.getBoundingClientRect();
  const board = stage.firstElementChild.getBoundingClientRect();
  const texts = (stage.querySelector('.dmlviz-texts').written ?? [])
    .filter(t => !t.numeral && t.text.trim())
    .map(t => [t.text, board.x - at.x + t.left, board.y - at.y + t.top, t.width, t.size * 1.2]);
  return { width: at.width, height: at.height, texts };
})"""


def luminance(css):
    numbers = [int(css[i : i + 2], 16) for i in (1, 3, 5)]
    linear = [n / 255 / 12.92 if n <= 10 else ((n / 255 + 0.055) / 1.055) ** 2.4 for n in numbers]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def themed(window, scheme):
    """The system's theme is another: the app takes it, then the stage."""
    window.page.emulate_media(color_scheme=scheme)
    window.page.wait_for_function(
        "s => document.querySelector('.dmlviz-player').dataset.theme === s", arg=scheme
    )
    window.drawn()


def test_theme_change_redraws_at_the_same_moment_in_other_colours(visit):
    window = visit("padding", color_scheme="light").seek(2.5)
    light = window.shot()
    themed(window, "dark")
    assert window.t == 2.5
    dark = window.shot()
    assert dark.mean() < 100 < light.mean()
    themed(window, "light")
    assert np.array_equal(window.shot(), light)
    window.press("last")
    seen = {}
    for scheme in ("light", "dark"):
        themed(window, scheme)
        board = window.board
        pixels = window.shot()
        palette = board["palette"]
        # the page behind the stage and the stage are one colour
        red, green, blue = pixels[2, 2]
        assert f"rgb({red}, {green}, {blue})" == window.page.evaluate(BACKGROUND), scheme
        assert near(pixels, palette["ink"], 24).sum() > 100, scheme
        for _at, color in palette["scale"]:
            assert contrast(palette["ink"], color) >= CONTRAST, scheme
        for name in ("padding", "paper"):
            assert contrast(palette["ink"], palette[name]) >= CONTRAST, scheme
        assert contrast(palette["line"], palette["paper"]) >= CONTRAST, scheme
        assert contrast(palette["accent"], palette["paper"]) >= GRAPHIC_CONTRAST, scheme
        seen[scheme] = (window.page.evaluate(BACKGROUND), palette)
    assert seen["light"][0] != seen["dark"][0]
    for name in ("scale", "ink", "paper", "slot", "padding", "accent"):
        assert seen["light"][1][name] != seen["dark"][1][name]


def test_controls_and_settings_are_reachable_on_a_narrow_window(visit):
    window = visit("tile", width=390)
    # the scrubber's ends are those of the movement
    for name in ("back", "toggle", "forward", "scrub", "predict", "looks"):
        control = window.page.locator(f".dmlviz-{name}")
        control.scroll_into_view_if_needed()
        box = control.bounding_box()
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= 390, name
        assert min(box["width"], box["height"]) >= SMALL_TARGET, name
        control.click(trial=True)
    for name in ("full", "larger", "loop", "speed"):
        box = window.control(name).bounding_box()
        assert 0 <= box["x"] < box["x"] + box["width"] <= 390, name
        assert box["height"] >= TARGET, name
    window.page.keyboard.press("Escape")
    window.page.get_by_test_id("stExpandSidebarButton").click()
    sizes = window.page.get_by_label("Sizes", exact=True)
    sizes.click()
    sizes.fill("1, 1, 2, 2")
    sizes.press("Enter")
    window.page.wait_for_function(
        "document.querySelector('.dmlviz-player').dmlviz.payload.input.tensors[0].sizes[3] === 2"
    )
    assert window.rested().t == 0


def texts_are_whole(window, path):
    """What Plotly writes lies inside its stage, and no text lies over another."""
    for stage in window.page.evaluate(TEXTS):
        for text, x, y, w, h in stage["texts"]:
            assert x >= -1, (path, text)
            assert x + w <= stage["width"] + 1, (path, text)
            assert y >= -1, (path, text)
            assert y + h <= stage["height"] + 1, (path, text)
        boxes = np.array([entry[1:] for entry in stage["texts"]])
        for i, (x, y, w, h) in enumerate(boxes):
            rest = boxes[i + 1 :]
            across = np.minimum(x + w, rest[:, 0] + rest[:, 2]) - np.maximum(x, rest[:, 0])
            down = np.minimum(y + h, rest[:, 1] + rest[:, 3]) - np.maximum(y, rest[:, 1])
            # boxes of texts are higher than their letters
            over = np.flatnonzero((across > 2) & (down > 5))
            found = [(stage["texts"][i], stage["texts"][i + 1 + j]) for j in over]
            assert not found, (path, found)
