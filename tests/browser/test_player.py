"""The Tile page's documentation example is played from start to end, and back."""

from __future__ import annotations

import numpy as np
import pytest

from tests.browser.conftest import is_paper, near

DUE = [str(n) for n in ([1, 2, 3] * 3 + [4, 5, 6] * 3) * 3]
# counts, for every frame that is drawn, what stands on the canvas between the tensors
WATCH = """player => {
  const b = player.drawing;
  const left = Math.max(...b.input.x) + b.input.w + 6;
  const right = Math.min(...b.output.x) - 26;
  const canvas = player.painter.canvas;
  const k = canvas.width / parseFloat(canvas.style.width);
  window.watched = [];
  const paint = player.paint.bind(player);
  player.paint = () => {
    paint();
    const image = canvas.getContext("2d").getImageData(left * k, 0, (right - left) * k, canvas.height);
    let drawn = 0;
    for (let i = 3; i < image.data.length; i += 4) drawn += image.data[i] > 0;
    window.watched.push([player.t, drawn]);
  };
}"""
# a frame comes every 40 ms by the page's own clock, however busy the machine is; until restored
EVEN_FRAMES = """() => {
  const frame = window.requestAnimationFrame;
  let now = performance.now(), last = 0;
  performance.now = () => now;
  window.requestAnimationFrame = (draw) => frame((time) => {
    if (time !== last) now += 40;
    last = time;
    draw(now);
  });
  window.restore = () => {
    delete performance.now;
    window.requestAnimationFrame = frame;
  };
}"""


def test_play_from_start_to_end(tile):
    assert tile.t == 0
    first, empty = tile.shot(), tile.between()
    assert is_paper(empty)
    # slowly into the first step, to look at squares in flight
    tile.speed(0.25)
    tile.press("toggle")
    tile.until("t > 0.4")
    tile.press("toggle")
    flying, moment = tile.between(), tile.t
    assert 0.4 < moment < 1
    accent = near(flying, tile.board["palette"]["accent"])
    assert accent.sum() > 40, "no frame of a square between input and output"
    cells = [near(flying, color, 2) for color in set(tile.board["colors"])]
    assert sum(int(found.sum()) for found in cells) > 200, "no square between input and output"
    tile.speed(4)
    tile.press("toggle")
    tile.until("t === 5")
    assert is_paper(tile.between())
    assert tile.page.locator(".dmlviz-toggle").inner_text() == "Replay"
    assert tile.page.locator(".dmlviz-count").inner_text() == "Step 5 of 5"
    # the numbers of the documentation, in the data and in what Plotly wrote
    board = tile.board
    labels = tile.js("player => player.model.inputLabels")
    assert [labels[s] for s in board["source"]] == board["labels"] == DUE
    assert tile.output_texts == DUE
    # and back to the first picture, pixel for pixel
    tile.page.locator(".dmlviz-scrub").fill("0")
    assert tile.t == 0
    tile.drawn()
    assert np.array_equal(tile.shot(), first)


def test_every_step_flies_and_every_rest_is_at_rest(tile):
    tile.js(WATCH)
    tile.speed(4)
    tile.page.evaluate(EVEN_FRAMES)
    tile.press("toggle")
    tile.until("t === 5")
    tile.page.evaluate("restore()")
    watched = tile.page.evaluate("watched")
    moments = [t for t, _drawn in watched]
    assert moments == sorted(moments)
    for step in range(5):
        inside = [drawn for t, drawn in watched if step < t < step + 1]
        assert max(inside, default=0) > 100, f"nothing was seen to fly in step {step + 1}"
    for t, drawn in watched:
        if t == int(t):
            assert drawn == 0, f"something hangs in the air at rest {t}"


def test_the_picture_is_a_function_of_the_moment(tile):
    moments = [0, 0.5, 1, 2.25, 3, 4.9, 5]
    there = [tile.seek(t).shot() for t in moments]
    back = [tile.seek(t).shot() for t in reversed(moments)]
    for one, other in zip(there, reversed(back), strict=True):
        assert np.array_equal(one, other)
    assert len({one.tobytes() for one in there}) == len(moments)


def test_step_back_at_rest(tile):
    two = tile.seek(2).shot()
    tile.seek(3)
    tile.press("back")
    assert tile.t == 2
    assert np.array_equal(tile.shot(), two)


def test_step_back_in_the_middle_of_a_step(tile):
    two = tile.seek(2).shot()
    tile.seek(2.6)
    tile.press("back")
    assert tile.t == 2
    assert np.array_equal(tile.shot(), two)


def test_step_back_while_playing(tile):
    tile.speed(0.25)
    tile.seek(2)
    tile.press("toggle")
    tile.until("t > 2.1")
    tile.press("back")
    assert tile.t == 2
    tile.page.wait_for_timeout(300)
    assert tile.t == 2


def test_step_back_at_the_start_stays_there(tile):
    tile.press("back")
    assert tile.t == 0


def test_step_forward_plays_one_step(tile):
    tile.speed(0.25)
    tile.press("forward")
    tile.until("t > 0.2 && t < 1")
    tile.until("t === 1")
    tile.page.wait_for_timeout(700)
    assert tile.t == 1


def test_first_and_last(tile):
    tile.press("last")
    assert tile.t == 5
    tile.press("first")
    assert tile.t == 0


def test_pause_and_go_on(tile):
    tile.speed(0.25)
    tile.press("toggle")
    tile.until("t > 0.2")
    assert tile.page.locator(".dmlviz-toggle").inner_text() == "Pause"
    tile.press("toggle")
    paused = tile.t
    tile.page.wait_for_timeout(400)
    assert tile.t == paused < 1
    tile.press("toggle")
    tile.until(f"t > {paused}")


def test_play_at_the_end_begins_again(tile):
    tile.seek(5)
    tile.press("toggle")
    tile.until("t > 0 && t < 2")


def test_captions_follow_the_steps(tile):
    title = tile.page.locator(".dmlviz-caption-title")
    text = tile.page.locator(".dmlviz-caption-text")
    assert title.inner_text() == "Ready"
    seen = set()
    for step in range(1, 6):
        tile.seek(step)
        assert tile.page.locator(".dmlviz-count").inner_text() == f"Step {step} of 5"
        assert any(c.isdigit() for c in text.inner_text())
        seen.add((title.inner_text(), text.inner_text()))
    assert len(seen) == 5


def test_nothing_moves_until_asked(tile):
    first = tile.shot()
    tile.page.wait_for_timeout(2_000)
    assert tile.page.locator(".dmlviz-player").get_attribute("data-t") == "0"
    assert np.array_equal(tile.shot(), first)


def test_keyboard(tile):
    tile.speed(0.25)
    tile.page.locator(".dmlviz-stage").focus()
    keys = tile.page.keyboard
    keys.press("End")
    assert tile.t == 5
    keys.press("ArrowLeft")
    assert tile.t == 4
    keys.press("Home")
    assert tile.t == 0
    keys.press("ArrowRight")
    tile.until("t > 0 && t < 1")
    tile.until("t === 1")
    keys.press("Space")
    tile.until("t > 1.2")
    keys.press("Space")
    paused = tile.t
    assert 1 < paused < 2
    tile.page.wait_for_timeout(300)
    assert tile.t == paused
    # Space has not scrolled the page
    assert tile.page.get_by_test_id("stMain").evaluate("e => e.scrollTop") == 0


def test_keys_on_a_button_act_once(tile):
    tile.page.locator(".dmlviz-last").focus()
    tile.page.keyboard.press("Space")
    assert tile.t == 5
    tile.page.keyboard.press("ArrowLeft")
    assert tile.t == 4


def test_all_controls_are_reached_with_tab_and_show_it(tile):
    tile.page.locator(".dmlviz-stage").focus()
    names = []
    for _press in range(7):
        tile.page.keyboard.press("Tab")
        names.append(
            tile.page.evaluate(
                "getComputedStyle(document.activeElement).outlineStyle !== 'none' && "
                "document.activeElement.getAttribute('aria-label')"
            )
        )
    assert names == [
        "Go to the start (Home)",
        "One step back (left arrow)",
        "Play or pause (Space)",
        "One step forward (right arrow)",
        "Go to the end (End)",
        "Position in the movement",
        "Speed",
    ]


def test_reduced_motion_has_no_flights(visit):
    window = visit("tile", reduced_motion="reduce")
    zero = window.shot()
    for t in (0.3, 0.5, 0.8, 2.5, 4.5):
        window.seek(t)
        assert is_paper(window.between())
    half = window.seek(0.5).shot()
    assert not np.array_equal(half, zero), "the cells do not appear either"
    window.seek(0)
    window.js(WATCH)
    window.press("toggle")
    window.until("t > 1.2")
    watched = window.page.evaluate("watched")
    assert len(watched) > 5
    assert all(drawn == 0 for _t, drawn in watched)


@pytest.mark.parametrize("moment", [0.5, 2.5])
def test_the_picture_survives_another_width(tile, moment):
    before = tile.seek(moment).shot()
    tile.page.set_viewport_size({"width": 1000, "height": 900})
    tile.drawn()
    assert tile.t == moment
    assert tile.shot().shape != before.shape
    tile.page.set_viewport_size({"width": 1280, "height": 900})
    tile.drawn()
    assert np.array_equal(tile.shot(), before)
