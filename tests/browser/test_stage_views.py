"""Other ways to look at a movement: its parts, all at once, faster, again, larger."""

from __future__ import annotations

import json
import re
import time
from functools import partial

import numpy as np
import pytest

import dmlviz
from tests.browser.conftest import is_paper

# whether the marks reach the upper edge of the first output cell
FRAMED = """player => {
  const { canvas, part } = player.pins.layer;
  const { x, y, w } = player.drawing.output;
  const [left, top] = [x[0] + w / 2 - part.left, y[0] - 1 - part.top];
  return canvas.getContext("2d").getImageData(left, top, 1, 3).data.some(Boolean);
}"""


# another player, in a page that has plotly.js already: to unpack and compile it takes a second
OTHER = """text => {
  const stage = document.getElementById("stage");
  const { options } = stage.dmlviz;
  stage.dmlviz.destroy();
  stage.dmlviz = null;
  for (const { name } of [...stage.attributes]) if (name !== "id") stage.removeAttribute(name);
  window.scrollTo(0, 0);
  window.dmlviz.mount(stage, JSON.parse(text), options);
}"""


def open_saved(visit, tmp_path, trace, **more):
    """A saved page, all in one window of a kind, without a network; each has a new player."""
    path = tmp_path.parent / "stage.html"
    player = dmlviz.player(trace)
    window = visit(None, server=path.parent.as_uri(), offline=True, **more)
    if window.page.url == path.as_uri():
        window.page.evaluate(OTHER, json.dumps(player.payload))
    else:
        window.page.goto(player.save(path).as_uri())
    window.page.wait_for_selector('.dmlviz-player[data-ready="true"]')
    return window.drawn()


@pytest.fixture
def saved(visit, tmp_path):
    """Open a saved page: ``saved(trace, width=390)``."""
    return partial(open_saved, visit, tmp_path)


def example(cls, number=0):
    found = cls.examples()[number]
    return dmlviz.run(found.operator, found.x)


def view(window, name):
    window.choose("view", name)
    window.drawn()


def options(window, name):
    return window.page.locator(f".dmlviz-{name} option").evaluate_all("o => o.map(e => e.value)")


def count(window):
    return window.page.locator(".dmlviz-count").inner_text()


def test_all_at_once(saved):
    window = saved(example(dmlviz.Tile), height=900)
    end = window.seek(5).shot()
    window.seek(0)
    view(window, "all")
    assert count(window) == "Step 0 of 1"
    window.seek(0.5)
    assert not is_paper(window.between())
    title = window.page.locator(".dmlviz-caption-title").inner_text()
    text = window.page.locator(".dmlviz-caption-text").inner_text()
    assert (title, text) == ("All at once", "All 54 elements land together.")
    window.press("last")
    assert window.t == 1
    assert np.array_equal(window.shot(), end)
    view(window, "steps")
    assert window.t == 5, "who was at the end stays there"


@pytest.mark.parametrize("cls", [dmlviz.DepthToSpace, dmlviz.SpaceToDepth], ids=lambda cls: cls.key)
@pytest.mark.parametrize("number", [0, 1])
def test_reshape_transpose_reshape_ends_as_the_steps_do(saved, cls, number):
    trace = example(cls, number)
    window = saved(trace, height=1100)
    steps = window.seek(4).shot()
    window.seek(0)
    view(window, "stages")
    zero = window.shot()
    board = window.board
    left, top = min(board["output"]["x"]), min(board["output"]["y"])
    assert is_paper(zero[int(top) - 40 :, int(left) - 20 :]), "nothing of the output is seen yet"
    seen = {zero.tobytes()}
    for t, part in enumerate(trace.operator.rule_parts(trace.inputs), 1):
        window.seek(t - 0.5)
        seen.add(window.shot().tobytes())
        window.seek(t)
        assert window.page.locator(".dmlviz-caption-title").inner_text() == part.title
        assert window.page.locator(".dmlviz-caption-text").inner_text() == part.caption
        seen.add(window.shot().tobytes())
    assert len(seen) == 7, "every moment is another picture"
    assert np.array_equal(window.shot(), steps)


def test_only_operators_of_several_parts_offer_them(saved):
    assert options(saved(example(dmlviz.DepthToSpace)), "view") == ["steps", "all", "stages"]
    assert options(saved(example(dmlviz.Tile)), "view") == ["steps", "all"]


def test_a_loop_begins_again_until_it_is_let_go(saved):
    window = saved(example(dmlviz.Tile))
    view(window, "all")
    window.speed(4)
    window.press("loop")
    assert window.page.locator(".dmlviz-loop").get_attribute("aria-pressed") == "true"
    window.press("toggle")
    for _round in range(2):
        window.until("t === 1")
        assert window.page.locator(".dmlviz-toggle").inner_text() == "Pause"
        window.until("t < 1")
    window.press("loop")
    window.until("t === 1")
    window.page.wait_for_timeout(1_700)
    assert window.t == 1
    assert window.page.locator(".dmlviz-toggle").inner_text() == "Replay"


def test_speed(saved):
    """A step at speed 4 is over long before one at speed 1/4 is half way."""
    window = saved(example(dmlviz.Tile))
    assert options(window, "speed") == ["0.25", "0.5", "1", "2", "4"]
    durations = {}
    for speed in (0.25, 4):
        window.seek(0)
        window.speed(speed)
        began = time.monotonic()
        window.press("toggle")
        window.until("t >= 0.3")
        durations[speed] = time.monotonic() - began
        window.press("toggle")
    assert durations[0.25] > 0.3 * 0.8 * 4 * 0.9
    assert durations[4] < durations[0.25] * 0.7


def test_zoom_enlarges_cells_and_numbers_and_scrolls_within_the_stage(saved):
    window = saved(example(dmlviz.SpaceToDepth), height=1100)

    def look():
        window.drawn()
        return window.board["output"]["h"], window.numbers[0][3]

    before = look()
    for _press in range(3):
        window.press("larger")
    larger = look()
    assert larger[0] > before[0] * 1.4
    assert larger[1] > before[1]
    assert window.page.evaluate("document.scrollingElement.scrollWidth") <= 1280
    for _press in range(5):
        window.press("smaller")
    assert look()[0] < before[0]
    # the marks go along
    window.seek(4)
    window.js("player => player.pins.hover({ side: 'output', element: 0 })")
    assert window.js(FRAMED)


def test_zoom_has_its_ends(saved):
    window = saved(example(dmlviz.Tile))

    def zoom(name, times):
        # the menu stays open
        for _press in range(times - 1):
            window.control(name).click()
        window.press(name)
        return window.drawn().js("player => player.zoom")

    assert zoom("larger", 9) == 6
    assert zoom("smaller", 12) == 0.5
    assert window.js("player => player.root.dataset.ready") == "true"


def test_full_screen_for_the_projector(saved):
    window = saved(example(dmlviz.Tile), height=900)
    before, stage = window.board["output"]["h"], window.seek(2.5).t
    numbers = window.numbers[0][3]
    caption = ".dmlviz-caption"
    small = float(re.match(r"[\d.]+", size_of(window, caption)).group())
    window.press("full")
    window.page.wait_for_function(
        "document.fullscreenElement?.classList.contains('dmlviz-player')", polling=20
    )
    height = "document.querySelector('.dmlviz-player').dmlviz.drawing.output.h"
    window.page.wait_for_function(f"least => {height} > least", arg=before)
    window.drawn()
    assert float(re.match(r"[\d.]+", size_of(window, caption)).group()) > small * 1.3
    assert window.t == stage
    assert window.numbers[0][3] > numbers
    # everything is on the screen
    for name in (".dmlviz-board", ".dmlviz-words", ".dmlviz-toggle", ".dmlviz-full"):
        box = window.page.locator(name).bounding_box()
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= 1280, name
        assert box["y"] + box["height"] <= 900, name
    window.press("full")
    window.page.wait_for_function("!document.fullscreenElement", polling=20)
    window.page.wait_for_function(f"before => {height} === before", arg=before)


def size_of(window, selector):
    return window.page.locator(selector).first.evaluate("e => getComputedStyle(e).fontSize")


def test_reduced_motion_in_every_view(saved):
    """Nothing but a cross-cut between two pictures: whatever shows stands where it belongs."""
    window = saved(example(dmlviz.DepthToSpace), height=650, reduced_motion="reduce")
    for name, end in (("all", 1), ("stages", 3), ("steps", 4)):
        window.seek(0)
        view(window, name)
        for t in np.arange(0.25, end, 0.5):
            window.seek(float(t))
            assert is_paper(window.between()), (name, t)
        window.seek(end)
