"""No title, index or number on the stage is cut off, covered by another or run into it."""

from __future__ import annotations

import json

import pytest

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.picture.compared import compared
from dmlviz.picture.payload import payload
from dmlviz.picture.scene import scene
from dmlviz.teaching.presets import presets
from dmlviz.words import speaking
from tests.browser.test_stage_views import open_saved

WINDOWS = [(1366, 650), (390, 740), (1440, 780), (1920, 950), (820, 1100)]

QUICK = [(1366, 650, "en"), (390, 740, "ko")]

# texts that meet another one by more than a pixel, or leave the board
MEETING = """(player) => {
  const board = player.board.getBoundingClientRect();
  const texts = player.texts.layer.canvas.written
    .filter(({ text }) => text.trim())
    .map(({ text, left, top, width, size }) => [
      text, new DOMRect(board.left + left, board.top + top, width, size * 1.2),
    ])
    .filter(([_text, box]) => box.width && box.height)
    .sort(([_a, a], [_b, b]) => a.left - b.left);
  const found = [];
  for (const [text, box] of texts) {
    if (box.left < board.left - 1 || box.right > board.right + 1) found.push(`${text} leaves the stage`);
    if (box.top < board.top - 1 || box.bottom > board.bottom + 1) found.push(`${text} leaves the stage`);
  }
  texts.forEach(([text, a], i) => {
    for (let k = i + 1; k < texts.length && texts[k][1].left < a.right - 1; k++) {
      const [other, b] = texts[k];
      // letters are lower than their boxes
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (down > 0.25 * Math.min(a.height, b.height)) found.push(`${text} meets ${other}`);
    }
  });
  return found;
}"""
# as text, which is faster to hand over than Playwright's copy of an object
SHOWN = f"""async (player, payload) => {{
  player.show(JSON.parse(payload));
  while (!player.root.dataset.ready) await new Promise(requestAnimationFrame);
  player.seek(player.steps);
  return ({MEETING})(player);
}}"""


def drawn(preset):
    first = scene(preset.trace())
    return first if preset.second is None else compared(first, scene(preset.second_trace()))


@pytest.mark.parametrize(
    ("width", "height", "language"),
    [
        pytest.param(
            *window,
            language,
            marks=[] if (*window, language) in QUICK else [pytest.mark.thorough],
        )
        for window in WINDOWS
        for language in ("en", "ko")
    ],
)
def test_no_text_of_any_preset_meets_another(visit, tmp_path, width, height, language):
    example = OPERATORS[0].examples()[0]
    trace = dmlviz.run(example.operator, example.inputs)
    window = open_saved(visit, tmp_path, trace, width=width, height=height)
    found = {}
    with speaking(language):
        for preset in (preset for preset in presets() if preset.opens):
            if met := window.js(SHOWN, json.dumps(payload(drawn(preset)))):
                found[preset.key] = met[:4]
    assert found == {}
