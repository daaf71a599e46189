"""The app in Korean in a real browser: nothing overflows, keys work, what is said is Korean."""

from __future__ import annotations

import re

import pytest

from dmlviz.base.words import _, speaking
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.practice import ask
from tests.browser.chromium import missing
from tests.browser.test_lessons import right_key
from tests.browser.test_looks import OVERFLOWS, texts_are_whole

HANGUL = re.compile("[가-힣]")
PAGES = {
    "home": "?lang=ko",
    "explorer": "padding?lang=ko",
    "lesson": "lessons?lesson=tile&part=1&lang=ko",
    "practice": "practice?seed=7&level=1&operator=tile&number=1&lang=ko",
    "worksheet": "worksheet?lang=ko",
    "verify": "verify?lang=ko",
}
# texts of buttons, tabs and chosen entries that are cut off, or stand out of their window
CUT = """() => [...document.querySelectorAll('button, [role=tab], select')]
  .flatMap(e => [e, ...e.querySelectorAll('p, span, div')])
  .filter(e => e.innerText?.trim() && e.getClientRects().length)
  .filter(e => {
    const at = e.getBoundingClientRect(), looks = getComputedStyle(e);
    const hidden = looks.overflowX !== 'visible' && looks.display !== 'inline';
    const wide = hidden && e.scrollWidth > e.clientWidth + 1;
    const high = hidden && e.scrollHeight > e.clientHeight + 2;
    // what only screen readers read is one pixel wide
    return (at.width > 1 && (wide || high)) || (at.width > 2 && at.x < innerWidth && at.right > innerWidth + 1);
  }).map(e => e.innerText)"""
# words of running text that are broken in the middle though a line has room for them
SPLIT = """() => [...document.querySelectorAll('h1, [data-testid=stMain] p, .dmlviz-caption span')]
  .filter(e => e.getClientRects().length).flatMap(e => {
    const texts = document.createTreeWalker(e, NodeFilter.SHOW_TEXT), found = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const word of text.data.matchAll(/[\uac00-\ud7a3]+/g)) {
        const range = document.createRange();
        range.setStart(text, word.index); range.setEnd(text, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map(box => Math.round(box.y)));
        if (lines.size > 1) found.push(word[0]);
      }
    }
    return found;
  })"""
WIDE = "() => document.documentElement.scrollWidth - innerWidth"
LETTERS = """() => {
  const pen = document.createElement('canvas').getContext('2d');
  const drawn = text => {
    pen.clearRect(0, 0, 300, 150); pen.font = '40px sans-serif'; pen.fillText(text, 10, 60);
    return pen.canvas.toDataURL();
  };
  return drawn('한') !== drawn('국');
}"""


def come(window, name):
    """Open a page in Korean and wait until all of it is there."""
    window.page.goto(f"{window.server}/{PAGES[name]}")
    window.page.wait_for_function("document.querySelector('h1')?.innerText.trim()")
    if name in ("home", "explorer"):
        return window.ready()
    return window.rested()


@pytest.fixture(params=[390, pytest.param(1280, marks=pytest.mark.thorough)])
def window(visit, request):
    return visit(None, width=request.param)


def test_nothing_overflows(window):
    page = window.page
    for name in PAGES:
        come(window, name)
        # an operator's page has the operator's own name
        title = page.locator("h1").first.inner_text()
        assert HANGUL.search(title) or (name, title) == ("explorer", "Padding")
        assert page.evaluate("document.documentElement.lang") == "ko"
        assert page.evaluate(WIDE) <= 0, name
        assert page.evaluate(OVERFLOWS) == [], name
        assert page.evaluate(CUT) == [], name
        assert page.evaluate(SPLIT) == [], name
        texts_are_whole(window, name)
        if name == "explorer":
            page.locator(".st-key-asked button").first.click()
            answer = page.locator(".st-key-answer p").first
            assert answer.evaluate("e => getComputedStyle(e).wordBreak") == "keep-all"
    # what is cut is found
    page.evaluate(
        "document.querySelector('.st-key-language button').style = 'max-width: 30px; overflow: hidden'"
    )
    assert page.evaluate(CUT) != []
    if not page.evaluate(LETTERS):
        missing("there is no font with Korean letters: install fonts-noto-cjk")


def test_keys_work_on_the_stage_and_the_live_region_speaks_korean(window):
    page = come(window, "explorer").page
    caption = page.locator(".dmlviz-player [aria-live=polite].dmlviz-caption")
    page.locator(".dmlviz-stage").focus()
    said = []
    for step in (1, 2):
        page.keyboard.press("ArrowRight")
        window.until(f"t === {step}")
        said.append(caption.inner_text())
    steps = window.js("player => player.payload.steps.map(s => [s.title, s.caption])")
    for text, (title, words) in zip(said, steps, strict=False):
        assert title in text
        assert words in text
        assert HANGUL.search(title)
        assert HANGUL.search(words)
    page.keyboard.press("End")
    window.until(f"t === {len(steps)}")
    panel = page.locator(".dmlviz-pins[aria-live=polite]")
    hint = panel.inner_text()
    page.keyboard.press("Enter")
    assert "out[0, 0, 0, 0]: " in panel.inner_text()
    for told in (hint, panel.inner_text()):
        assert HANGUL.search(told)
    page.keyboard.press("Escape")
    assert panel.inner_text() == hint
    page.keyboard.press("ArrowLeft")
    window.until(f"t === {len(steps) - 1}")


def test_a_lesson_and_practice_by_keyboard(visit):
    window = visit(None, width=1280)
    with speaking("ko"):
        part = next(found for found in lessons() if found.key == "tile").parts[0]
        question = ask(7, 1, level=1, operator="tile")
        right = _("Right: {answer}")
    page = come(window, "lesson").page
    page.keyboard.press(right_key(part.prediction.answers, part.prediction.right))
    said = right.format(answer=part.prediction.answers[part.prediction.right].text)
    page.get_by_text(said).wait_for()
    window.ready()
    come(window, "practice")
    page.wait_for_selector(".st-key-practice_choice_0 button")
    page.keyboard.press(right_key(question.choices, question.right))
    page.get_by_text(right.format(answer=question.choices[question.right].text)).wait_for()
    window.ready()
