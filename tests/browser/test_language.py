"""The switch in a real browser: what is set stays, on the page, in the player, in the address."""

from __future__ import annotations

import pytest

from tests.browser.test_addresses import looks, words
from tests.browser.test_app import fill


def switch(window, name, code):
    window.page.locator(".st-key-language button").click()
    window.page.get_by_role("radio", name=name).click()
    window.page.wait_for_function(
        "code => document.documentElement.lang === code"
        " && document.querySelector('.dmlviz-player').lang === code",
        arg=code,
    )
    window.ready()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_switch_keeps_everything(visit, width):
    window = visit("tile?values=count-0&colors=channel&step=2&lang=ko", width=width, fresh=True)
    here = window.page.locator(".st-key-language")
    box = here.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert window.page.evaluate("document.documentElement.lang") == "ko"
    switch(window, "English", "en")
    kept = {"values": "count-0", "colors": "channel", "step": "2", "lang": "en"}
    assert words(window) == kept
    assert looks(window) == ["channel", "steps", 2, []]
    if width < 600:
        return  # the widgets are behind a button there
    # browsers keep the words of what was chosen from a list: it was not lost with them
    fill(window, "[3]", "4")
    assert words(window) == {**kept, "repeats": "1,1,3,4"}
    # other pages' addresses say the language too, without a place of their own in the history
    before = window.page.evaluate("history.length")
    window.go("Padding")
    assert "/padding?" in window.page.url
    assert window.page.url.endswith("&lang=en")
    assert window.page.evaluate("history.length") == before + 1
    # NumPy's words are remembered by the browser, and no address says them
    url = window.page.url
    window.page.locator(".st-key-language button").click()
    window.page.get_by_role("radio", name="shape, axis").click()
    shape = window.page.get_by_label("Shape", exact=True)
    shape.wait_for()
    assert window.page.url == url
    window.page.reload()
    window.ready()
    shape.wait_for()
    assert window.page.url == url
    window.page.context.clear_cookies(name="dmlviz-words")
