"""The main things that a person does, in the app, wide and narrow, light and dark."""

from __future__ import annotations

import numpy as np
import pytest

import dmlviz
from tests.browser.conftest import near
from tests.browser.test_stage_links import PIN_TEXTS, click, due_lines, framed, point

# widgets of the player that stick out of the window, or are too small for a finger
OUTSIDE = """[...document.querySelectorAll('.dmlviz-player button, .dmlviz-player select, .dmlviz-pin')]
  .filter(e => e.checkVisibility())
  .map(e => [e.getAttribute('aria-label') ?? e.className, e.getBoundingClientRect()])
  .filter(([_name, b]) => b.left < 0 || b.right > innerWidth || b.height < 24 || b.width < 24)
  .map(([name, b]) => [name, b.left, b.right, b.width, b.height])"""


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1280, "light"),
        (390, "dark"),
        pytest.param(1280, "dark", marks=pytest.mark.thorough),
        pytest.param(390, "light", marks=pytest.mark.thorough),
    ],
)
def test_play_point_pin_and_come_back(visit, width, scheme):
    found = dmlviz.SpaceToDepth.examples()[0]
    trace = dmlviz.run(found.operator, found.x)
    window = visit("space-to-depth", width=width, height=1900, color_scheme=scheme)
    page = window.page
    assert page.locator(".dmlviz-player").get_attribute("data-theme") == scheme
    zero = window.shot()
    window.speed(4)
    window.press("toggle")
    window.until("t > 0")
    window.until("t === 4")
    assert len(window.output_texts) == trace.output.size
    value = int(trace.output.ravel()[40])
    source = np.unravel_index(trace.source.ravel()[40], trace.x.shape)
    index = np.unravel_index(40, trace.output.shape)
    said = point(window, "output", 40)
    names = [", ".join(str(int(n)) for n in at) for at in (index, source)]
    assert said == f"out[{names[0]}] = in[{names[1]}] = {value}"
    tip = page.locator(".dmlviz-tip").bounding_box()
    assert tip["x"] >= 0
    assert tip["x"] + tip["width"] <= width
    assert framed(window) == ([trace.source.ravel()[40]], [40])
    click(window, "output", 40)
    assert page.evaluate(PIN_TEXTS) == [due_lines(trace, 40, str(value))]
    assert near(window.shot(), window.board["palette"]["pins"][0], 8).sum() > 60
    assert page.evaluate(OUTSIDE) == []
    page.locator(".dmlviz-stage").focus()
    page.keyboard.press("Escape")
    assert page.evaluate(PIN_TEXTS) == []
    page.keyboard.press("Home")
    page.evaluate("document.activeElement.blur()")
    assert np.array_equal(window.shot(), zero)


def test_the_other_setting_comes_to_the_same_stage(visit):
    """It is switched on in a wide window, then looked at in a narrow one."""
    window = visit("depth-to-space", width=1280, height=2_400)
    page = window.page
    page.get_by_text("Compare with another setting").click()
    page.wait_for_function(
        "document.querySelector('.dmlviz-player').dmlviz.payload.output.tensors.length === 2",
        polling=20,
    )
    window.ready()
    assert page.locator(".dmlviz-player").count() == 1
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 2_400})
        window.let_pass(100).drawn()
        window.js("player => player.seek(player.steps)")
        # cells that differ have a struck corner, in both
        differing, marked = window.js(
            """player => {
              const { x, y, w } = player.drawing.output;
              const g = player.painter.ground.getContext("2d");
              const corner = i => g.getImageData(x[i] + w - 4, y[i] + 3, 1, 1).data[3] > 0;
              return [player.payload.differing, Array.from(x, (_x, i) => i).filter(corner)];
            }"""
        )
        assert marked == differing, width
        assert {number < 48 for number in differing} == {True, False}, width


def test_the_theme_chosen_in_the_menu_redraws_the_stage(visit):
    window = visit("tile", color_scheme="light").seek(2.5)
    window.js("player => player.pins.toggle({ side: 'output', element: 4 })")
    shots = {}

    def choose(name):
        window.page.get_by_test_id("stMainMenu").click()
        window.page.get_by_role("menuitemradio", name=name).click()
        window.page.keyboard.press("Escape")

    for name in ("dark", "light", "dark", "system"):
        choose(name)
        theme = name.replace("system", "light")
        window.page.wait_for_function(
            "t => document.querySelector('.dmlviz-player').dataset.theme === t",
            arg=theme,
            polling=20,
        )
        window.drawn()
        assert window.t == 2.5
        assert window.js("player => player.pins.pins") == [4]
        shot, palette = window.shot(), window.board["palette"]
        assert near(shot, palette["pins"][0], 6).sum() > 60
        assert near(shot, palette["paper"], 1).sum() > shot.shape[0] * shot.shape[1] / 4
        assert np.array_equal(shots.setdefault(theme, shot), shot)
    assert shots["dark"].mean() < 100 < shots["light"].mean()
    # a page that is opened anew has the theme that was chosen on another
    choose("dark")
    window.open("padding")
    assert window.page.locator(".dmlviz-player").get_attribute("data-theme") == "dark"


def test_settings_of_different_steps_come_to_their_ends_together(visit):
    window = visit("tile", height=1_600)
    page = window.page
    page.get_by_text("Compare with another setting").click()
    player = "document.querySelector('.dmlviz-player').dmlviz"
    page.wait_for_function(f"{player}.payload.output.tensors.length === 2", polling=20)
    window.ready()
    box = page.locator('[class*="st-key-tile_b_repeats_3"] input')
    box.fill("6")
    box.press("Enter")
    page.wait_for_function(f"{player}.steps === 10", polling=20)
    window.rested()
    window.press("last")
    assert window.t == 10
    counts = window.js(
        "player => player.payload.output.tensors.map(t => t.sizes.reduce((a, b) => a * b))"
    )
    assert counts[0] == 54 < counts[1]
    assert len(window.output_texts) == sum(counts), "one of them is half done"
