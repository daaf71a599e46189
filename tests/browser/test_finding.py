"""Home, its search, the page of names and the menu of operators, in low and narrow windows."""

from __future__ import annotations

import pytest

from dmlviz.operators import OPERATORS
from tests.browser.test_looks import OVERFLOWS

WINDOWS = [pytest.param(1366, 650, marks=pytest.mark.thorough), (390, 740)]
SEARCH = "Type a line of code or any name of an operator"
# whatever is wider than its place, but for what scrolls in it
WIDER = """() => [...document.querySelectorAll('[data-testid=stMain] :is(h1, h2, h3, p, a, td, li)')]
  .filter(e => e.getClientRects().length && e.getBoundingClientRect().right > innerWidth + 1)
  .map(e => e.textContent.slice(0, 60))"""


@pytest.mark.parametrize(("width", "height"), WINDOWS)
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_nothing_is_wider_than_the_window(visit, width, height, lang):
    window = visit(None, width=width, height=height)
    page = window.page
    for path in (f"?lang={lang}", f"?lang={lang}&search=pad", f"names?lang={lang}"):
        page.goto(f"{window.server}/{path}")
        page.wait_for_selector("h1")
        window.rested()
        page.wait_for_timeout(500)
        assert page.evaluate(OVERFLOWS) == [], path
        assert page.evaluate(WIDER) == [], path


@pytest.mark.parametrize(("width", "height"), WINDOWS)
def test_a_name_is_found_while_it_is_typed(visit, width, height):
    window = visit(None, width=width, height=height)
    page = window.page
    page.goto(window.server)
    field = page.get_by_label(SEARCH)
    field.wait_for()
    # in the first view, without a word of how
    box = field.bounding_box()
    assert box["y"] + box["height"] < height
    field.press_sequentially("F.pixel_shuf")
    found = page.get_by_role("link", name="F.pixel_shuffle")
    found.wait_for()
    box = found.bounding_box()
    assert box["y"] + box["height"] < height
    found.click()
    page.wait_for_function("document.querySelector('h1')?.innerText === 'Depth to space'")
    window.ready()
    assert "COLUMN_ROW_DEPTH" in page.url


def test_every_operator_of_the_menu_is_seen_in_a_low_window(visit):
    window = visit(None, width=1366, height=650)
    page = window.page
    page.goto(window.server)
    page.get_by_role("button", name="Operators").click()
    shown = page.locator(".st-key-menu_wide").get_by_role("link")
    shown.nth(len(OPERATORS) + 1).wait_for()
    # and the pages of their names and of all words
    assert shown.count() == len(OPERATORS) + 2
    body = page.get_by_test_id("stPopoverBody").bounding_box()
    for box in (one.bounding_box() for one in shown.all()):
        assert box["y"] + box["height"] <= body["y"] + body["height"] <= 650
