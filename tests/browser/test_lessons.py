"""One whole lesson with the keyboard alone."""

from __future__ import annotations

import pytest

from dmlviz.lessons import lessons

LESSONS = {lesson.key: lesson for lesson in lessons()}
IN_FOCUS = "document.activeElement.className.split?.(' ')[0] ?? ''"


def title(window, text):
    window.page.wait_for_function("t => document.querySelector('h1')?.innerText === t", arg=text)
    window.rested()


@pytest.mark.parametrize("key", ["tile", "padding-folding", "depth-to-space-crd", "space-to-depth"])
def test_a_whole_lesson_by_keyboard_alone(visit, key):
    lesson = LESSONS[key]
    window = visit(None)
    page = window.page
    page.goto(f"{window.server}/lessons?lesson={key}&part=1")
    for number, part in enumerate(lesson.parts, 1):
        title(window, part.title)
        page.wait_for_function(f"location.search.endsWith('part={number}')")
        assert page.locator(".dmlviz-player").count() == 0
        page.keyboard.press(str(part.prediction.right + 1))
        page.get_by_text("Right: ").wait_for()
        window.ready()
        window.js("player => player.clock.setSpeed(8)")
        step = int(part.link.partition("step=")[2].partition("&")[0])
        # one move by itself, then rest, with the cells to look at lit
        window.until(f"t === {step}")
        pinned = part.link.partition("pinned=")[2]
        count = len(pinned.split(";")) if pinned else 0
        pins = "document.querySelector('.dmlviz-player').dmlviz.pins.pins.length"
        page.wait_for_function(f"count => {pins} === count", arg=count)
        # the stage has the keys
        page.wait_for_function(f"({IN_FOCUS}) === 'dmlviz-stage'")
        page.keyboard.press("Home")
        window.until("t === 0")
        page.keyboard.press("n")
    title(window, "Lessons")


def test_a_term_is_found_from_a_lesson_and_its_state_opens(visit):
    window = visit(None)
    page = window.page
    page.goto(f"{window.server}/lessons?lesson=tile&part=1")
    title(window, LESSONS["tile"].parts[0].title)
    target = page.get_by_role("link", name="repeats", exact=True).first.get_attribute("href")
    page.goto(f"{window.server}/{target}")
    heading = page.get_by_role("heading", name="repeats", exact=True).first
    heading.wait_for()
    window.rested()
    assert 0 <= heading.bounding_box()["y"] < page.viewport_size["height"]
    page.get_by_role("link", name="Open it: repeats").first.click()
    title(window, "Tile")
    window.ready()
    assert "repeats=1,3" in page.url.replace("%2C", ",")
    assert window.t == 3
