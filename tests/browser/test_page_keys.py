"""The movement's keys on a page where nothing has been clicked, and beside what has keys itself."""

from __future__ import annotations

from tests.browser.test_predict import choice, first
from tests.browser.test_stage_keys import press


def test_keys_of_a_fresh_page_are_those_of_the_movement(visit):
    window = visit("tile", fresh=True)
    page = window.page
    assert page.evaluate("document.activeElement === document.body")
    press(window, "End")
    window.until("t === 5")
    press(window, "ArrowLeft")
    window.until("t === 4")
    press(window, "Home")
    window.until("t === 0")
    press(window, "ArrowRight")
    window.until("t === 1")
    press(window, "Space")
    window.until("t > 1.1")
    press(window, "Space")
    paused = window.t
    assert paused < 5
    # nobody steps who types, chooses or presses something else
    sizes = page.get_by_label("Sizes", exact=True).first
    sizes.focus()
    press(window, "Home", "ArrowRight", "Space", "End", "Backspace")
    assert window.t == paused
    assert sizes.input_value().replace(" ", "") == "1,1,2,"
    press(window, "3")
    page.get_by_role("combobox").first.focus()
    press(window, "ArrowRight", "Home", "End")
    assert window.t == paused
    switch = page.get_by_role("switch", name="Predict first")
    switch.focus()
    press(window, "Space")
    page.locator(".dmlviz-quiz-choice").first.wait_for()
    window.rested()
    # and the digits answer at once
    right = choice(first("tile")[1], True)
    press(window, str(right + 1))
    page.get_by_text("Question 1: right, the output has sizes").wait_for()
    window.drawn()
    press(window, "ArrowRight", "ArrowRight")
    page.wait_for_function(
        "document.querySelector('.dmlviz-quiz-tip').textContent.includes('[0, 0, 0, 1]')"
    )


def test_keys_scroll_a_page_whose_picture_is_out_of_sight(visit):
    window = visit("tile", width=390, height=320, fresh=True)
    main = window.page.locator(".stMain")
    main.evaluate("e => e.scrollTo(0, e.scrollHeight)")
    window.let_pass(200)
    press(window, "End", "Space")
    window.let_pass(300)
    assert window.t == 0
    main.evaluate("e => e.scrollTo(0, 0)")
    window.let_pass(200)
    press(window, "End")
    window.until("t === 5")


def test_two_pictures_do_not_share_a_key(visit):
    """The page of documentation has a picture of its own, and its text has the keys of its marks."""
    window = visit("verify")
    page = window.page
    players = page.locator(".dmlviz-player").count()
    press(window, "End")
    moved = "[...document.querySelectorAll('.dmlviz-player')].filter(p => Number(p.dataset.t) > 0).length"
    page.wait_for_function(f"{moved} === 1")
    assert players >= 1
