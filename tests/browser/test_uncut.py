"""Nothing with a number in it is cut: a number without its end is another number."""

from __future__ import annotations

import re

import pytest

from dmlviz.operators import OPERATORS
from dmlviz.states import first_state
from tests.browser.conftest import ROOT
from tests.browser.test_class_learner import QUESTIONS
from tests.browser.test_class_staff import Screen
from tests.classroom.serving import Lesson
from tests.classroom.test_options import chosen

WIDTHS = range(1920, 319, -40)

# of every text with a digit, the lines that an element around it cuts off and does not scroll to
CUT = r"""() => {
  const spoken = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "OPTION", "TEXTAREA"]);
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const own = text.parentElement;
    if (!/\d/.test(text.data) || spoken.has(own.tagName)) continue;
    // nothing of it is seen
    if (own.closest(".stSidebar[data-collapsed=true]")) continue;
    if (!own.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()].filter(({ width, height }) => width && height);
    for (let at = lines.length ? own : null; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      // it is heard, not seen
      if (style.clipPath !== "none" || at.clientWidth === 1) break;
      if (style.display !== "inline" && style.overflow !== "visible") {
        const box = at.getBoundingClientRect();
        const left = box.left + at.clientLeft, top = box.top + at.clientTop;
        const [right, bottom] = [left + at.clientWidth, top + at.clientHeight];
        const bars = style.scrollbarWidth !== "none";
        const scrolls = (overflow) => bars && /auto|scroll/.test(overflow);
        // letters are lower than their lines
        const across = lines.some((line) => line.right > right + 1 || line.left < left - 1);
        const down = lines.some((line) => line.bottom > bottom + 4 || line.top < top - 4);
        if ((across && !scrolls(style.overflowX)) || (down && !scrolls(style.overflowY))) {
          found.push(`${at.className}: ${text.data.slice(0, 60)}`);
        }
        if (across || down) break;
      }
      if (style.position === "fixed") break;
    }
  }
  return found;
}"""


# as where the sidebar slides in
AT_REST = "document.getAnimations().every((one) => !(one instanceof CSSTransition))"


def widen(window, width):
    """Give the window a width, and wait until all of its page has taken it."""
    window.page.set_viewport_size({"width": width, "height": 800})
    window.let_pass(60).drawn()
    window.page.wait_for_function(AT_REST)


def assert_uncut(window):
    """No text with a digit is cut, however wide the window is."""
    for width in WIDTHS:
        widen(window, width)
        assert (width, window.page.evaluate(CUT)) == (width, [])


@pytest.mark.parametrize(
    "path",
    [
        "depth-to-space?pinned=0,0,1,3;0,1,2,2&step=1",
        "code?code=x.reshape(2, 3, 4, 5, 6).permute(0, 2, 1, 4, 3)[:, 1:, ::2]&sizes=x:720&step=1",
    ],
)
def test_formulas_and_calls_are_whole(visit, path):
    assert_uncut(visit(path, width=1920, fresh=True))


@pytest.mark.thorough
@pytest.mark.parametrize("key", [cls.key for cls in OPERATORS])
def test_a_pinned_formula_and_every_caption_are_whole(visit, key):
    state = first_state(key)
    last = ",".join(str(n - 1) for n in state.stage_sizes()[0])
    name = "0," if state.several else ""
    window = visit(f"{key}?pinned={name}{last}&step=1", width=1920, fresh=True)
    assert_uncut(window)
    for step in range(min(window.js("player => player.steps"), 4) + 1):
        window.seek(step)
        for width in (320, 768, 1280):
            widen(window, width)
            assert (step, width, window.page.evaluate(CUT)) == (step, width, [])


@pytest.mark.thorough
@pytest.mark.parametrize(
    "path",
    [
        *("", "names", "glossary", "engines", "teach?lesson=tile", "my-class", "start-class"),
        *("gather?compare=true", "tile?predict=true", "padding?embed=true&pinned=0,0,0,0&step=2"),
        *("tile?present=true&pinned=0,0,1,1&step=1", "present?lesson=tile&part=1"),
        *("lessons?lesson=tile&part=1", "practice?seed=3&level=3&number=2"),
        "code?code=x.repeat(1,2)&library=torch&compare=x.repeat_interleave(2,1)&sizes=x:2,3",
    ],
)
def test_titles_and_captions_are_whole(visit, path):
    window = visit(None, width=1920, fresh=True)
    window.page.goto(f"{window.server}/{path}")
    # an embedded page has its stage alone
    window.page.wait_for_selector("h1, .dmlviz-wall, .dmlviz-player")
    window.rested()
    assert_uncut(window)


def test_no_style_sheet_ends_a_text_where_its_room_ends():
    """Three dots in the place of a number's end are no end of it."""
    sheets = sorted(path for path in (ROOT / "dmlviz").rglob("*.css"))
    assert len(sheets) > 15
    cutting = re.compile("text-overflow|line-clamp")
    assert [path.name for path in sheets if cutting.search(path.read_text(encoding="utf-8"))] == []


TITLE = "Padding, folds 1 to 12, of tensors {2, 3, 4, 6}: page 35 of chapter 7, term 2026"
NAMES = ["W" * 17 + f"{number:3}" for number in range(117, 120)]
MINE = """async ([path, nickname]) => (await fetch(path, { method: "POST", body: JSON.stringify({ nickname }),
  headers: { "Content-Type": "application/json" } })).status"""


@pytest.mark.parametrize(
    "widths", [(1920, 820, 320), pytest.param(WIDTHS, marks=pytest.mark.thorough)]
)
def test_titles_and_nicknames_of_a_class_are_whole(browser, server, widths):
    lesson = Lesson(int(server.rpartition(":")[2]), QUESTIONS, title=TITLE)
    lesson.change(options=chosen(nicknames="wall"))
    path = f"{lesson.path}/join"
    for name in NAMES:
        assert lesson.join().post(path, {"nickname": name})[0] == 200
    wall = Screen(browser, f"{server}{lesson.path}/wall?lang=en#t={lesson.wall_token}")
    teacher = Screen(browser, f"{server}{lesson.path}/teach?lang=en#t={lesson.teacher.token}")
    phone = Screen(browser, f"{server}/class?code={lesson.code}&lang=en")
    phone.see("You are in.")
    assert phone.page.evaluate(MINE, [path, NAMES[-1]]) == 200
    phone.page.reload()
    phone.page.locator(".me", has_text=NAMES[-1]).wait_for()
    wall.see(NAMES[0])
    teacher.see(NAMES[0])
    for screen in (wall, teacher, phone):
        for width in widths:
            screen.page.set_viewport_size({"width": width, "height": 800})
            screen.page.wait_for_timeout(60)
            assert (width, screen.page.evaluate(CUT)) == (width, [])
        screen.close()
