"""A phone's touches, as a finger makes them: one tap is one answer, and a scroll is none."""

from __future__ import annotations

import pytest

from tests.browser.test_predict import choice, drawn, first, name, said
from tests.browser.test_stage_keys import PINS
from tests.browser.test_stage_links import PIN_TEXTS, due_lines, framed, place
from tests.limits import TARGET

PHONE = {"width": 390, "height": 740, "has_touch": True, "is_mobile": True}
# a laptop whose screen can be touched has a mouse too
HYBRID = {"width": 1366, "height": 650, "has_touch": True}
KINDS = pytest.mark.parametrize("device", [PHONE, HYBRID], ids=["phone", "hybrid"])
ROWS = """name => [...document.querySelectorAll(name)].filter(e => e.offsetHeight)
  .map(e => e.getBoundingClientRect().top)"""
TIP = "document.querySelector('.dmlviz-tip').hidden ? '' : document.querySelector('.dmlviz-tip').textContent"


def tap(window, side, i):
    """Touch a cell, and let all events pass that the browser makes of it."""
    window.page.touchscreen.tap(*place(window, side, i))
    window.let_pass(400)


@KINDS
def test_a_tap_pins_and_the_next_unpins(visit, device):
    trace, _asked = first("tile")
    window = visit("tile", **device)
    window.seek(5)
    for cell in (31, 0, 53):
        tap(window, "output", cell)
        source = int(trace.source.flat[cell])
        assert window.js(PINS) == [cell]
        assert window.page.evaluate(PIN_TEXTS) == [
            due_lines(trace, cell, f"{trace.x.flat[source]:g}")
        ]
        assert framed(window)[0] == [source]
        # the finger has gone, and what it touched is still told
        assert window.page.evaluate(TIP).startswith(name("out", cell, trace.output.shape))
        tap(window, "output", cell)
        assert window.js(PINS) == []
        assert window.page.evaluate(TIP) == ""
        assert framed(window) == ([], [])
    tap(window, "input", 4)
    assert window.js(PINS) == [trace.source.ravel().tolist().index(4)]
    assert window.page.evaluate(TIP).startswith("in[0, 0, 1, 1] = 5, copies: 9")
    tap(window, "output", 31)
    assert len(window.js(PINS)) == 2
    # what else is touched takes the tip away, not the pins
    window.page.locator(".dmlviz-toggle").tap()
    assert window.page.evaluate(TIP) == ""
    assert len(window.js(PINS)) == 2


def test_a_finger_that_scrolls_pins_nothing(visit):
    window = visit("tile", **PHONE)
    window.seek(5)
    x, y = place(window, "output", 31)
    touch = window.page.context.new_cdp_session(window.page)
    touch.send(
        "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    )
    for k in range(1, 9):
        point = {"x": x, "y": y - 15 * k}
        touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    window.let_pass(400)
    assert window.js(PINS) == []
    assert window.page.evaluate(TIP) == ""


@KINDS
def test_predict_first_takes_one_answer_from_one_tap(visit, device):
    trace, asked = first("depth-to-space")
    window = visit("depth-to-space?predict=true", **device)
    stood = place(window, "input", 0)
    window.page.locator(".dmlviz-quiz-choice").nth(choice(asked, True)).tap()
    said(window, "Question 1: right, the output has sizes")
    question = asked["cells"][0]
    drawn(window)
    wrong = next(int(i) for i, why in question["traps"].items() if "_DEPTH" in why)
    tap(window, "input", wrong)
    said(window, "No: ")
    # no answer moves a cell in the window, however long its sentence is
    assert place(window, "input", 0) == stood
    tap(window, "input", int(trace.source.flat[question["cell"]]))
    assert "Right: " in said(window, "Right: ")
    # answered, and one pin: that of the question
    assert window.js(PINS) == [question["cell"]]
    assert window.js("player => player.quiz.phase") == "answered"
    assert place(window, "input", 0) == stood


def test_a_phone_turns_predict_first_on_and_off_beside_play(visit):
    window = visit("tile", **PHONE)
    page = window.page
    switch, play = page.locator(".dmlviz-predict"), page.locator(".dmlviz-toggle")
    # in one row with Play, and the page's own switch is not there a second time
    boxes = [each.bounding_box() for each in (switch, play)]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert min(boxes[0]["width"], boxes[0]["height"]) >= TARGET
    assert not page.get_by_role("switch", name="Predict first").is_visible()
    switch.tap()
    page.wait_for_function("location.search.includes('predict=true')")
    page.locator(".dmlviz-quiz-choice").first.wait_for()
    assert switch.get_attribute("aria-pressed") == "true"
    switch.tap()
    page.wait_for_function("!location.search.includes('predict')")
    play.wait_for()
    assert switch.get_attribute("aria-pressed") == "false"
    # the speed is in the menu beside it
    window.speed(2)
    # the smallest phone has each of its rows once, too
    page.set_viewport_size({"width": 320, "height": 568})
    window.drawn()
    assert len(set(page.evaluate(ROWS, ".dmlviz-player > .dmlviz-bar > button"))) == 1
    assert len(set(page.evaluate(ROWS, ".st-key-asked button"))) == 1
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@pytest.mark.parametrize(
    ("lang", "words"), [("en", ("Tap a cell", "Click")), ("ko", ("탭하면", "클릭"))]
)
def test_a_phone_is_told_of_taps(visit, lang, words):
    window = visit(f"tile?lang={lang}", **PHONE)
    hint = window.page.locator(".dmlviz-pins").inner_text()
    assert words[0] in hint
    assert words[1] not in hint


def sheet(window):
    """Whether the sheet of settings is open."""
    return window.page.evaluate(
        "document.querySelector('.stSidebar')?.dataset.collapsed === 'false'"
    )


def open_sheet(window):
    window.page.get_by_test_id("stExpandSidebarButton").tap()
    window.page.wait_for_selector(".stSidebar[data-collapsed=false]")
    return window.let_pass(400).drawn()


def test_play_plays_while_the_sheet_is_open(visit):
    window = open_sheet(visit("tile", **PHONE))
    page = window.page
    play = page.locator(".dmlviz-toggle")
    box = play.bounding_box()
    assert box["y"] + box["height"] <= page.evaluate(
        "document.querySelector('.stSidebar').getBoundingClientRect().y"
    )
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    window.until("t > 0")
    assert sheet(window)
    # so does what Streamlit drew, and the switch of Predict first
    page.locator(".st-key-shortcuts button").first.tap()
    window.rested()
    assert sheet(window)
    page.locator(".dmlviz-predict").tap()
    page.locator(".dmlviz-quiz-choice").first.wait_for()
    window.rested()
    # what is nothing to press closes it
    page.get_by_text("Turn off Predict first to see").tap()
    page.wait_for_selector(".stSidebar[data-collapsed=true]", state="attached")


def test_the_sheet_is_closed_on_the_next_page_and_after_a_reload(visit):
    window = open_sheet(visit("tile", **PHONE))
    page = window.page
    page.locator(".st-key-bar_narrow button").first.tap()
    page.locator(".st-key-menu_narrow").get_by_text("Padding", exact=True).tap()
    page.wait_for_function("location.pathname === '/padding'")
    window.ready()
    assert not sheet(window)
    open_sheet(window)
    page.reload()
    window.ready()
    assert not sheet(window)
    open_sheet(window)
    page.go_back()
    page.wait_for_function("location.pathname === '/tile'")
    window.ready()
    assert not sheet(window)


MEANING = ".dmlviz-term:not([hidden])"


def test_a_tap_on_a_word_of_the_glossary_says_what_it_means(visit):
    window = visit(None, **PHONE, fresh=True)
    page = window.page
    page.goto(f"{window.server}/lessons?lesson=dimensions&part=1")
    words = page.locator('.stMarkdown a[href*="glossary?term"]:visible')
    words.first.wait_for()
    for word in words.all():
        word.tap()
        tip = page.locator(MEANING)
        assert tip.inner_text() == word.get_attribute("title")
        box = tip.bounding_box()
        assert 0 <= box["x"] <= PHONE["width"] - box["width"]
        assert 0 <= box["y"] <= PHONE["height"] - box["height"]
    page.locator("h1:visible").tap()
    assert page.locator(MEANING).count() == 0
    words.first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert page.locator(MEANING).count() == 1
    page.keyboard.press("Escape")
    assert page.locator(MEANING).count() == 0
