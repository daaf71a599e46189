"""No line on the stage goes through a number, an index or a title."""

from __future__ import annotations

import pytest

# texts of which the middle is inked on a canvas over them
CROSSED = """(player, canvas) => {
  const { width } = canvas;
  const k = width / parseFloat(canvas.style.width);
  const [left, top = 0] = canvas.style.translate.split(" ").map(parseFloat);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const inked = ({ left: x, top: y, width: w, size }) => {
    for (let v = y + 0.35 * size; v < y + 0.85 * size; v += 1 / k) {
      for (let u = x; u < x + w; u += 1 / k) {
        const [column, row] = [Math.round((u - left) * k), Math.round((v - top) * k)];
        if (column >= 0 && row >= 0 && data[(row * width + column) * 4 + 3] > 60) return true;
      }
    }
    return false;
  };
  const texts = player.texts.layer.canvas.written.filter(({ text }) => text.trim());
  return texts.filter(inked).map(({ text }) => text);
}"""
PINNED = f"player => ({CROSSED})(player, player.pins.layer.canvas)"
INK = """player => {
  const { canvas } = player.pins.layer;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((a, i) => i % 4 === 3 && a > 60).length;
}"""


@pytest.mark.parametrize(
    ("path", "pins", "width", "height"),
    [
        ("tile", (53, 45, 27, 8), 1366, 650),
        ("tile", (53, 45), 390, 740),
        ("gather", (0, 4), 1366, 650),
        ("depth-to-space", (47, 40, 5), 1366, 650),
        pytest.param("padding", (79, 36), 820, 1100, marks=pytest.mark.thorough),
        pytest.param("scatter", (0, 5), 390, 740, marks=pytest.mark.thorough),
    ],
)
def test_arcs_of_pins_leave_the_texts_free(visit, path, pins, width, height):
    window = visit(path, width=width, height=height)
    window.js("player => player.seek(player.steps)")
    pin = "(player, pins) => { player.pins.pins = pins; player.pins.update(); }"
    window.js(pin, list(pins))
    assert window.js(INK) > 500, "lines and frames are there"
    assert window.js(PINNED) == []
    # what is pointed at, too: a source with many copies has many lines
    window.js(
        "player => { player.pins.clear(); player.pins.hover({ side: 'input', element: 3 }); }"
    )
    assert window.js(PINNED) == []
