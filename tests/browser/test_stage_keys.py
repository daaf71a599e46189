"""Pins by keyboard, pins over reruns, and the elements that are followed."""

from __future__ import annotations

import numpy as np
import pytest

import dmlviz
from tests.browser.conftest import near
from tests.browser.test_stage_links import PIN_TEXTS, click, due_lines, framed

# where the focus is: the last of our classes, or what Streamlit calls it
FOCUS = "document.activeElement.className.split?.(' ').at(-1) ?? ''"
PINS = "player => player.pins.pins"


@pytest.fixture
def stage(tile):
    """The Tile page, nothing pinned or followed, everything landed, the stage in focus."""
    tile.js("player => { player.pins.clear(); }")
    tile.seek(5)
    tile.page.locator(".dmlviz-stage").focus()
    return tile


@pytest.fixture
def example():
    found = dmlviz.Tile.examples()[0]
    return dmlviz.run(found.operator, found.x)


def press(window, *keys):
    for key in keys:
        window.page.keyboard.press(key)


def test_the_whole_stage_by_keyboard_alone(visit, example):
    window = visit("tile")
    page = window.page
    for _press in range(80):
        press(window, "Tab")
        if page.evaluate(FOCUS) == "dmlviz-stage":
            break
    else:
        raise AssertionError("Tab never came to the stage")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) != "none", "the focus is not seen"
    # so slowly that a busy machine pauses it in time
    window.js("player => player.clock.setSpeed(0.25)")
    press(window, "Space")
    window.until("t > 0.1")
    press(window, "Space")
    paused = window.t
    assert 0 < paused < 1
    window.js("player => player.clock.setSpeed(1)")
    press(window, "ArrowRight")
    window.until("t === 1")
    press(window, "ArrowRight")
    window.until("t === 2")
    press(window, "ArrowLeft")
    assert window.t == 1
    press(window, "End")
    assert window.t == 5
    press(window, "Enter")
    assert page.evaluate(PIN_TEXTS) == [due_lines(example, 0, "1")]
    press(window, "ArrowRight", "ArrowDown", "ArrowDown")
    assert page.evaluate(PIN_TEXTS) == [due_lines(example, 19, "2")]
    press(window, "Enter")
    assert window.js(PINS) == [19, 20]
    # Esc closes the menu that is open, and nothing else
    page.locator(".dmlviz-looks").click()
    press(window, "Escape")
    assert page.locator(".dmlviz-menu").is_hidden()
    assert window.js(PINS) == [19, 20]
    page.locator(".dmlviz-stage").focus()
    press(window, "Escape")
    assert page.evaluate(PIN_TEXTS) == []
    # and arrows are steps again
    press(window, "ArrowLeft")
    assert window.t == 4
    # on to the controls, and out of the stage again
    press(window, "Tab")
    assert page.evaluate(FOCUS) == "dmlviz-first"
    press(window, "Shift+Tab", "Shift+Tab")
    assert "dmlviz" not in page.evaluate(FOCUS)


def test_arrows_stop_at_the_border(stage):
    press(stage, "Enter", "ArrowLeft", "ArrowUp")
    assert stage.js(PINS) == [0]
    press(stage, *["ArrowRight"] * 10)
    assert stage.js(PINS) == [8]
    press(stage, *["ArrowDown"] * 7)
    assert stage.js(PINS) == [53]
    press(stage, "ArrowRight", "ArrowUp", "ArrowLeft")
    assert stage.js(PINS) == [43]


def test_a_walk_leads_from_plane_to_plane(visit):
    """DepthToSpace's input example backwards: eight planes of 2 by 3, two side by side."""
    window = visit("space-to-depth")
    x = window.board["output"]["x"]
    assert sorted(window.js("player => player.payload.output.tensors[0].sizes")) == [1, 2, 3, 8]
    window.page.locator(".dmlviz-stage").focus()
    press(window, "Enter", "ArrowRight", "ArrowRight")
    assert window.js(PINS) == [2]
    press(window, "ArrowRight")
    (across,) = window.js(PINS)
    assert across >= 6, "still in the first plane"
    assert x[across] > x[2]
    press(window, "ArrowLeft")
    assert window.js(PINS) == [2]
    press(window, "ArrowDown", "ArrowDown")
    (below,) = window.js(PINS)
    assert below >= 6
    assert x[below] == x[2]


def test_keys_in_the_scrubber_and_selects_do_not_pin(stage):
    stage.page.locator(".dmlviz-speed").focus()
    press(stage, "Enter", "Escape")
    stage.page.locator(".dmlviz-scrub").focus()
    press(stage, "Enter")
    assert stage.js(PINS) == []


def test_most_pins_are_six(stage):
    press(stage, *["Enter"] * 8)
    assert len(stage.js(PINS)) == 6
    assert stage.page.locator(".dmlviz-pin").count() == 6


def settle(window, condition):
    window.page.wait_for_function(
        f"(() => {{ const p = document.querySelector('.dmlviz-player').dmlviz; return {condition}; }})()",
        polling=20,
    )
    window.rested()


def fill(window, label, text):
    box = window.page.get_by_label(label, exact=True)
    box.fill(text)
    box.press("Enter")


def test_pins_stay_where_the_output_keeps_its_sizes(visit):
    window = visit("padding")
    window.seek(5)
    click(window, "output", 0)
    click(window, "output", 15)
    fill(window, "PaddingValue", "7")
    settle(window, "p.payload.paddingLabel === '7'")
    assert window.js(PINS) == [0, 15]
    found = dmlviz.Padding.examples()[0]
    operator = dmlviz.Padding("CONSTANT", (0, 0, 1, 2), (0, 0, 3, 4), 7)
    trace = dmlviz.run(operator, found.x)
    texts = window.page.evaluate(PIN_TEXTS)
    assert texts[0] == due_lines(trace, 0)
    assert texts[1][:2] == due_lines(trace, 15, "4")[:2]
    assert 0 in framed(window)[1]
    assert window.t == 5
    # other sizes have no such elements
    fill(window, "Sizes", "1, 1, 2, 2")
    settle(window, "p.payload.input.tensors[0].sizes[3] === 2")
    assert window.js(PINS) == []
    assert window.page.evaluate(PIN_TEXTS) == []
    assert framed(window) == ([], [])


FOLLOWED = """player => {
  const { canvas } = player.painter;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let solid = 0, faint = 0;
  for (let i = 3; i < data.length; i += 4) {
    if (data[i] > 200) solid++;
    else if (data[i] > 20 && data[i] < 60) faint++;
  }
  return { solid, faint };
}"""


def test_the_followed_fly_and_the_others_fade(stage):
    stage.seek(1.5)
    alike = stage.js(FOLLOWED)
    assert alike["faint"] < 0.02 * alike["solid"]
    # copies of element 4 land in every step
    stage.js("player => player.pins.toggle({ side: 'output', element: 31 })")
    stage.press("follow")
    assert stage.page.locator(".dmlviz-follow").get_attribute("aria-pressed") == "true"
    followed = stage.js(FOLLOWED)
    assert followed["solid"] < 0.5 * alike["solid"]
    assert followed["faint"] > followed["solid"]
    # the trail of the followed
    pixels = stage.between()
    assert near(pixels, stage.board["palette"]["accent"], 30).sum() > 20
    stage.js("player => player.pins.clear()")
    assert stage.js(FOLLOWED) == alike, "nothing pinned: nothing to follow"
    stage.press("follow")
    assert stage.page.locator(".dmlviz-follow").get_attribute("aria-pressed") == "false"
    assert stage.js(FOLLOWED) == alike


def test_the_end_is_the_same_whatever_is_followed(stage):
    stage.js("player => player.pins.toggle({ side: 'output', element: 31 })")
    stage.page.locator(".dmlviz-stage").evaluate("stage => stage.blur()")
    plain = stage.shot()
    stage.press("follow")
    stage.seek(2.5)
    stage.seek(5)
    followed = stage.shot()
    stage.press("follow")
    assert np.array_equal(plain, followed)


def test_the_formula_below_has_the_numbers_of_the_newest_pin(visit):
    window = visit("padding")
    window.page.get_by_role("button", name="Formula").last.click()
    below = window.page.locator(".st-key-section-formula pre").last
    below.wait_for()
    assert below.inner_text().startswith("out[0, 0, 7, 9]: ")
    window.js("player => { player.pins.pins = [12]; player.pins.update(); }")
    assert below.inner_text() == "out[0, 0, 1, 2] = in[0, 0, 1 − 1, 2 − 2] = in[0, 0, 0, 0]"
    window.js("player => { player.pins.clear(); }")
    assert below.inner_text().startswith("out[0, 0, 7, 9]: ")
