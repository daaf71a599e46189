"""No title, index or number on the stage is cut off, covered by another or run into it."""

from __future__ import annotations

import json

import pytest

import dmlviz
from dmlviz.base.words import speaking
from dmlviz.operators import OPERATORS
from dmlviz.picture.compared import compared
from dmlviz.picture.payload import payload
from dmlviz.picture.scene import scene
from dmlviz.teaching.presets import presets
from tests.browser.test_crossed import CROSSED
from tests.browser.test_stage_views import open_saved

WINDOWS = [(1366, 650), (390, 740), (1440, 780), (1920, 950), (820, 1100)]

LEAST_LETTER = 7.5
"""Pixels of the smallest letters and digits that a stage may have."""

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


# the smallest letters of what is shown, and how far Play lies below the window
SEEN = f"""async (player, payload) => {{
  const wrong = await ({SHOWN})(player, payload);
  const letters = player.texts.layer.canvas.written.filter(({{ text }}) => text.trim()).map(({{ size }}) => size);
  if (Math.min(...letters) < {LEAST_LETTER} - 0.01) wrong.push(`letters of ${{Math.min(...letters)}} px`);
  const play = player.root.querySelector('.dmlviz-bar > .dmlviz-toggle').getBoundingClientRect();
  if (play.bottom > innerHeight) wrong.push(`Play ends at ${{play.bottom}}`);
  return wrong;
}}"""


def test_the_stage_of_every_operator_is_whole_in_the_other_windows(visit, tmp_path):
    """One tab, which is resized in place; the windows of phones and laptops have all presets."""
    example = OPERATORS[0].examples()[0]
    trace = dmlviz.run(example.operator, example.inputs)
    window = open_saved(visit, tmp_path, trace)
    first = {preset.operator.key: preset for preset in reversed(presets()) if preset.opens}
    assert first.keys() == {cls.key for cls in OPERATORS}
    sent = {key: json.dumps(payload(drawn(preset))) for key, preset in first.items()}
    found = {}
    for width, height in WINDOWS[2:]:
        window.page.set_viewport_size({"width": width, "height": height})
        window.let_pass(100)
        for key, told in sent.items():
            if wrong := window.js(SEEN, told):
                found[key, width] = wrong[:4]
    assert found == {}


# what is wrong with a page in the window that it has now
WRONG = rf"""() => {{
  const wrong = [];
  const isSmall = (size) => size < {LEAST_LETTER} - 0.01;
  for (const root of document.querySelectorAll('.dmlviz-player')) {{
    const player = root.dmlviz;
    if (player.compact) continue;
    wrong.push(...({MEETING})(player), ...({CROSSED})(player, player.pins.layer.canvas).map((text) => `a line crosses ${{text}}`));
    const small = player.texts.layer.canvas.written.filter(({{ text, size }}) => text.trim() && isSmall(size));
    wrong.push(...small.map(({{ text, size }}) => `${{text}} has ${{size.toFixed(1)}} px`));
    // whoever sees no digits cannot answer
    if (player.quiz.beside && !player.texts.layer.canvas.written.some(({{ numeral }}) => numeral)) wrong.push('a question has no digits');
    const play = root.querySelector('.dmlviz-bar > .dmlviz-toggle').getBoundingClientRect();
    const foot = document.querySelector('.st-key-lesson_foot')?.getBoundingClientRect().top ?? innerHeight;
    // on Home the doors come first
    if (play.bottom > foot && !player.options.bare) wrong.push(`Play ends at ${{play.bottom}} of ${{foot}}`);
  }}
  for (const line of document.querySelectorAll('h1, h1 *')) {{
    const hidden = getComputedStyle(line.closest('.stElementContainer') ?? line).position === 'absolute';
    if (!hidden && line.scrollWidth > line.clientWidth + 1 && line.clientWidth) wrong.push(`${{line.textContent}} is cut`);
  }}
  for (const part of [document.scrollingElement, document.querySelector('[data-testid=stMain]'), ...document.querySelectorAll('.dmlviz-player')]) {{
    if (part.scrollWidth > part.clientWidth + 1) wrong.push(`${{part.className || 'the page'}} is wider than its window`);
  }}
  for (const shortcut of document.querySelectorAll('.st-key-shortcuts button')) {{
    if (!shortcut.checkVisibility() || shortcut.getBoundingClientRect().bottom > innerHeight) wrong.push(`${{shortcut.textContent}} is not in view`);
  }}
  return [...new Set(wrong)].slice(0, 6);
}}"""


def test_every_kind_of_page_fits_its_window(visit):
    window = visit(None, fresh=True)
    tools = window.page.context.new_cdp_session(window.page)
    wrong = {}

    def check(name):
        for width, height in WINDOWS:
            touches = {"enabled": width < 500, "maxTouchPoints": 1}
            tools.send("Emulation.setTouchEmulationEnabled", touches)
            window.page.set_viewport_size({"width": width, "height": height})
            window.let_pass(150).drawn()
            if found := window.page.evaluate(WRONG):
                wrong[name, width] = found

    def answer(button):
        window.page.locator(button).first.click()
        window.ready()
        window.js("player => player.seek(player.steps)")

    for name in (
        "practice?seed=7&level=1&operator=scatter&number=2",
        "lessons?lesson=gather&part=2",
    ):
        window.page.goto(f"{window.server}/{name}")
        window.page.locator(".st-key-lesson_question button").first.wait_for()
        window.rested()
        check(name)
        answer(".st-key-lesson_question button")
        check(f"{name}, answered")
    for name in ("", "padding", "code", "tile?predict=true"):
        window.open(name)
        check(name)
        # sections open from the first view
        sections = {"padding": 3, "code": 2}.get(name, 0)
        assert window.page.locator(".st-key-shortcuts button").count() == sections, name
    assert wrong == {}
