"""Where did this come from? Pointing and pinning, in the app and without its server."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dmlviz
from tests.browser.conftest import near

# the cells of a side that have a frame on the canvas of marks: drawn on all four edges
FRAMED = """(player, side) => {
  const { canvas, part } = player.pins.layer;
  if (canvas.hidden) return [];
  const { x, y, w, h } = player.drawing[side];
  const { data, width } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const k = canvas.width / parseFloat(canvas.style.width);
  const inked = (at, down) => data[(Math.floor((down - part.top) * k) * width + Math.floor((at - part.left) * k)) * 4 + 3] > 0;
  const along = [-4, -3, -2, -1, 0, 1, 2, 3, 4];
  // dashes are 4 long and 3 apart
  const edge = (at, down, dx, dy) => along.filter(s => inked(at + s * dx, down + s * dy)).length > 3;
  return Array.from(x, (_x, i) => i).filter(i =>
    edge(x[i] + w / 2, y[i], 1, 0) && edge(x[i] + w / 2, y[i] + h, 1, 0) &&
    edge(x[i], y[i] + h / 2, 0, 1) && edge(x[i] + w, y[i] + h / 2, 0, 1));
}"""
# the colour of a cell's frame, a quarter along its upper edge
FRAME_COLOR = """(player, [side, i]) => {
  const { x, y, w } = player.drawing[side];
  const { canvas, part } = player.pins.layer;
  const k = canvas.width / parseFloat(canvas.style.width);
  const [r, g, b, a] = canvas.getContext("2d").getImageData((x[i] + w / 4 - part.left) * k, (y[i] - part.top) * k, 1, 1).data;
  return a > 200 ? `rgb(${r},${g},${b})` : "";
}"""
PIN_TEXTS = "[...document.querySelectorAll('.dmlviz-pin')].map(p => [...p.querySelectorAll('code')].map(c => c.textContent))"


def place(window, side, i):
    """The middle of a cell in the window."""
    box = window.page.locator(".dmlviz-board").first.bounding_box()
    at = window.board[side]
    return box["x"] + at["x"][i] + at["w"] / 2, box["y"] + at["y"][i] + at["h"] / 2


def point(window, side, i):
    """Move the pointer onto a cell and wait for what is said of it."""
    window.page.mouse.move(2, 2)
    window.page.wait_for_function("document.querySelector('.dmlviz-tip').hidden", polling=20)
    window.page.mouse.move(*place(window, side, i))
    window.page.wait_for_function("!document.querySelector('.dmlviz-tip').hidden", polling=20)
    return window.page.locator(".dmlviz-tip").inner_text()


def click(window, side, i):
    """Click a cell; the pointer then leaves the stage."""
    point(window, side, i)
    before = window.page.evaluate(PIN_TEXTS)
    window.page.mouse.click(*place(window, side, i))
    window.page.wait_for_function(
        f"before => JSON.stringify({PIN_TEXTS}) !== before", arg=json_text(before), polling=20
    )
    window.page.mouse.move(2, 2)
    window.page.wait_for_function("document.querySelector('.dmlviz-tip').hidden", polling=20)


def json_text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def framed(window):
    """The framed cells of input and output."""
    return window.js(FRAMED, "input"), window.js(FRAMED, "output")


def due_lines(trace, i, value=""):
    """What a pinned cell's card has to say."""
    index = [int(n) for n in np.unravel_index(i, trace.output.shape)]
    rule, numbers, *rest = trace.operator.explain(trace.x.shape, index).split("\n")
    return [rule, numbers + (f" = {value}" if value else ""), *rest]


@pytest.fixture
def stage(tile):
    """The Tile page, nothing pinned, everything landed."""
    tile.js("player => player.pins.clear()")
    tile.seek(5)
    return tile


@pytest.fixture
def example():
    found = dmlviz.Tile.examples()[0]
    return dmlviz.run(found.operator, found.x)


def test_an_output_cell_its_source_and_the_other_copies(stage, example):
    said = point(stage, "output", 31)
    assert said == "out[0, 0, 3, 4] = in[0, 0, 1, 1] = 5"
    copies = np.flatnonzero(example.source.ravel() == 4).tolist()
    assert len(copies) == 9
    assert framed(stage) == ([4], copies)
    # the line between them
    at = stage.board
    between = stage.js(
        """(player, [from, to]) => {
          const { canvas } = player.pins.layer;
          const g = canvas.getContext("2d");
          const { data } = g.getImageData(from, 0, to - from, canvas.height);
          return data.filter((a, i) => i % 4 === 3 && a > 100).length;
        }""",
        [max(at["input"]["x"]) + at["input"]["w"] + 4, min(at["output"]["x"]) - 4],
    )
    assert between > 40


def test_an_input_cell_and_all_that_came_of_it(stage, example):
    said = point(stage, "input", 2)
    assert said == "in[0, 0, 0, 2] = 3, copies: 9"
    assert framed(stage) == ([2], np.flatnonzero(example.source.ravel() == 2).tolist())


def test_every_cell_names_its_source(stage, example):
    """Everywhere on the stage: no row or column is off by one."""
    for i in range(0, 54, 5):
        index = ", ".join(str(n) for n in np.unravel_index(i, (1, 1, 6, 9)))
        source = ", ".join(
            str(n) for n in np.unravel_index(example.source.ravel()[i], (1, 1, 2, 3))
        )
        value = int(example.output.ravel()[i])
        assert point(stage, "output", i) == f"out[{index}] = in[{source}] = {value}"
        assert framed(stage)[0] == [example.source.ravel()[i]]


def test_a_pointer_that_leaves_takes_its_marks_along(stage):
    point(stage, "output", 31)
    stage.page.mouse.move(2, 2)
    stage.page.wait_for_function("document.querySelector('.dmlviz-tip').hidden", polling=20)
    assert framed(stage) == ([], [])


def test_a_padding_value_has_no_source(visit):
    window = visit("padding")
    assert point(window, "output", 0) == "out[0, 0, 0, 0] = 9, the padding value"
    assert framed(window) == ([], [0])
    # the input's first element lies inside
    assert point(window, "input", 0) == "in[0, 0, 0, 0] = 1, copies: 1"
    assert framed(window) == ([0], [12])


def test_a_click_pins_the_formula_to_its_end(stage, example):
    stood = stage.page.locator(".dmlviz-stage").bounding_box()
    click(stage, "output", 31)
    assert stage.page.evaluate(PIN_TEXTS) == [due_lines(example, 31, "5")]
    # its numbers are in the window, and the picture stands where it stood
    numbers = stage.page.locator(".dmlviz-pinned")
    assert numbers.inner_text() == due_lines(example, 31, "5")[1]
    line = numbers.bounding_box()
    assert 0 < line["y"] < line["y"] + line["height"] < stage.page.viewport_size["height"]
    assert stage.page.locator(".dmlviz-stage").bounding_box() == stood
    # it stays, without the pointer
    ins, outs = framed(stage)
    assert ins == [4]
    assert 31 in outs
    pins = stage.board["palette"]["pins"]
    pixel = stage.js(FRAME_COLOR, ["output", 31])
    assert near(np.array([[int(n) for n in pixel[4:-1].split(",")]]), pins[0], 4).all()
    # the movement goes on: the caption is its step's again
    stage.seek(2)
    assert numbers.is_hidden()
    assert stage.page.locator(".dmlviz-caption-title").is_visible()


def test_the_indices_of_a_formula_have_their_axes_colours(stage):
    click(stage, "output", 31)
    axes = stage.board["palette"]["axes"]
    found = stage.page.evaluate(
        """[...document.querySelectorAll('.dmlviz-formula')[0].querySelectorAll('span')]
           .filter(s => s.style.color).map(s => [s.textContent, s.style.color])"""
    )
    for letter, color in found:
        due = axes["nchw".index(letter)]
        assert [int(n) for n in color[4:-1].split(",")] == [
            int(due[k : k + 2], 16) for k in (1, 3, 5)
        ]
    assert [letter for letter, _color in found] == [*"nchw", *"nchw"]


def test_a_second_pin_is_compared_and_clicked_away(stage, example):
    click(stage, "output", 31)
    click(stage, "output", 0)
    assert stage.page.evaluate(PIN_TEXTS) == [
        due_lines(example, 31, "5"),
        due_lines(example, 0, "1"),
    ]
    assert framed(stage)[0] == [0, 4]
    borders = stage.page.evaluate(
        "[...document.querySelectorAll('.dmlviz-pin')].map(p => p.style.borderColor)"
    )
    assert len(set(borders)) == 2
    click(stage, "output", 31)
    assert stage.page.evaluate(PIN_TEXTS) == [due_lines(example, 0, "1")]
    stage.page.get_by_role("button", name="Unpin out[0, 0, 0, 0]").click()
    assert stage.page.evaluate(PIN_TEXTS) == []
    assert "Point at a cell" in stage.page.locator(".dmlviz-pins").inner_text()
    assert framed(stage) == ([], [])


def test_an_input_cell_pins_its_first_copy(stage, example):
    click(stage, "input", 5)
    assert stage.page.evaluate(PIN_TEXTS) == [due_lines(example, 11, "6")]


def test_a_pinned_padding_value_says_why_it_has_no_source(visit):
    found = dmlviz.Padding.examples()[0]
    trace = dmlviz.run(found.operator, found.x)
    window = visit("padding")
    click(window, "output", 79)
    (lines,) = window.page.evaluate(PIN_TEXTS)
    assert lines == due_lines(trace, 79)
    assert lines[1].endswith("it is the padding value 9; no input element is its source.")
    assert lines[2:] == ["Dimension 2: 3 after the end.", "Dimension 3: 4 after the end."]
    assert framed(window) == ([], [79])


def test_nothing_of_this_asks_the_server(visit, example):
    window = visit(None, fresh=True)
    sent = []
    window.page.on("websocket", lambda socket: socket.on("framesent", lambda _f: sent.append(1)))
    window.open("tile")
    assert sent, "the app itself did not use this way"
    sent.clear()
    window.requests.clear()
    for side, i in [("output", 31), ("input", 2), ("output", 0)]:
        point(window, side, i)
    click(window, "output", 31)
    window.speed(4)
    window.press("toggle")
    window.until("t === 5")
    window.press("back")
    window.press("follow")
    window.choose("color", "position")
    window.choose("view", "all")
    window.page.locator(".dmlviz-stage").focus()
    for key in ("ArrowRight", "Enter", "Space", "Escape"):
        window.page.keyboard.press(key)
    window.page.wait_for_timeout(600)
    assert sent == []
    # a font is fetched when the first formula is written
    assert [url for url in window.requests if "/static/media/" not in url] == []
