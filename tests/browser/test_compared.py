"""Two settings on one stage: both are in view, land together, and are asked one by one."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.conftest import TITLES
from tests.browser.test_overlaps import MEETING
from tests.browser.test_stage_links import PIN_TEXTS, click

MIRRORS = (
    "padding?sizes=5&data_type=INT32&values=count-1&padding_mode=REFLECTION&start_padding=3"
    "&end_padding=3&compare=true&b_padding_mode=SYMMETRIC"
)
ORDERS = "depth-to-space?compare=true&b_order=COLUMN_ROW_DEPTH"
IN_VIEW = """player => ["input", "output"].every(side => {
  const board = player.board.getBoundingClientRect();
  const stage = player.stage.getBoundingClientRect();
  const { x, y, w, h } = player.drawing[side];
  const last = Math.min(stage.bottom, window.innerHeight);
  return x.every((left, i) => board.left + left >= stage.left && board.left + left + w <= stage.right
    && board.top + y[i] >= stage.top && board.top + y[i] + h <= last);
})"""


@pytest.mark.parametrize("address", [MIRRORS, ORDERS, "split?compare=true&b_axis=3&b_parts=1,1"])
def test_both_outputs_are_on_one_stage(visit, address):
    window = visit(f"{address}&embed=true", width=1066, height=500)
    assert window.page.locator(".dmlviz-player").count() == 1
    assert window.js(IN_VIEW)
    play = window.page.locator(".dmlviz-toggle").bounding_box()
    assert play["y"] + play["height"] <= 500
    assert window.js(MEETING) == []


def test_play_lands_both(visit):
    window = visit(MIRRORS)
    titles = window.page.evaluate(TITLES)
    assert titles[1:] == [
        "A  PaddingMode: REFLECTION  {11} INT32",
        "B  PaddingMode: SYMMETRIC  {11} INT32",
    ]
    window.speed(4)
    window.press("toggle")
    window.until("t === 3")
    window.drawn()
    a = ["4", "3", "2", "1", "2", "3", "4", "5", "4", "3", "2"]
    b = ["3", "2", "1", "1", "2", "3", "4", "5", "5", "4", "3"]
    assert window.output_texts == [*a, *b]
    # its question is not answered yet
    assert "elements differ" not in window.page.inner_text("body")
    # one step back, and nothing of either is left of it
    window.press("back")
    window.drawn()
    assert window.t == 2


def test_a_pin_on_b_explains_the_setting_of_b(visit):
    window = visit(ORDERS)
    click(window, "output", 48 + 1)
    of_a, of_b = window.page.evaluate(PIN_TEXTS)
    assert of_b[1].startswith("B[0, 0, 0, 1] = in[0, ")
    assert of_b[1].endswith("in[0, 1, 0, 0] = 9")
    assert of_a[1].startswith("A[0, 0, 0, 1] = in[0, ")
    assert of_a[1].endswith("in[0, 2, 0, 0] = 18")
    window.page.wait_for_function("location.search.includes(';')")
    (pinned,) = parse_qs(urlsplit(window.page.url).query)["pinned"]
    assert pinned == "0:0,0,0,1;1:0,0,0,1"
    window.page.reload()
    window.ready()
    assert window.page.evaluate(PIN_TEXTS) == [of_a, of_b]


def test_both_outputs_have_the_same_element_pinned(visit):
    window = visit(ORDERS)
    half = window.js("player => player.payload.compared")
    pins = "player => player.pins.pins"
    toggle = "player => player.pins.toggle({ side: 'output', element: %d })"
    window.js("player => { player.pins.clear(); }")
    window.js(toggle % 0)
    assert window.js(pins) == [half, 0]
    window.js("player => player.pins.walk(1, 0)")
    assert window.js(pins) == [half + 1, 1]
    window.js(toggle % (half + 1))
    assert window.js(pins) == []
