"""Practice in a real browser, with the keyboard only."""

from __future__ import annotations

from dmlviz.teaching.practice import ask
from tests.browser.test_lessons import right_key
from tests.limits import DIGIT
from tests.one_input import moves


def test_keys_answer_and_go_on(visit):
    window = visit(None)
    window.page.goto(f"{window.server}/practice?seed=7&level=1&operator=tile&number=1")
    for number in (1, 2):
        question = ask(7, number, level=1, operator="tile")
        window.page.wait_for_selector(".st-key-practice_choice_0 button")
        window.rested()
        assert window.js("player => player.quiz.asking")
        window.page.keyboard.press(right_key(question.choices, question.right))
        said = window.page.get_by_text(f"Right: {question.choices[question.right].text}")
        said.wait_for()
        window.ready()
        # the real movement, ready to be played
        steps = window.js("player => player.steps")
        assert steps == len(moves(question.operator, question.x.shape).steps)
        assert f"number={number}" in window.page.url
        # rows of memory stay from one question to the next
        assert window.js("player => player.memory.rows.length") == (2 if number > 1 else 0)
        if number == 1:
            window.page.locator(".dmlviz-looks").click()
            window.page.get_by_role("button", name="In memory").click()
            assert window.js("player => player.memory.rows.length") == 2
            window.page.keyboard.press("Escape")
        window.page.keyboard.press("n")
    window.page.wait_for_function("location.search.includes('number=3')")
    window.page.get_by_text("Score 2 of 2").wait_for()
    window.page.wait_for_selector(".st-key-practice_choice_0 button")
    # a level that was clicked leaves the keys to the page
    window.page.locator(".st-key-practice_level label").get_by_text("2: as documented").click()
    window.page.wait_for_function("location.search.includes('level=2')")
    window.rested()
    window.page.keyboard.press("1")
    window.page.locator(".st-key-practice_next").wait_for()


def test_the_formula_of_an_answer_stands_once(visit):
    window = visit(None, width=1366, height=650)
    page = window.page
    page.goto(f"{window.server}/practice?seed=7&level=1&operator=padding&number=1")
    page.locator("[class*=st-key-practice_choice_] button").first.click()
    window.ready()
    formula = ask(7, 1, level=1, operator="padding").explanation.split("\n")[1]
    assert page.locator("body").inner_text().count(formula) == 1
    window.js("player => player.seek(player.steps)")
    assert page.locator(".dmlviz-caption[aria-live]").is_visible()
    assert page.locator("body").inner_text().count(formula) == 1
    # another cell's formula is nowhere else
    window.js("player => player.pins.toggle({ side: 'output', element: 3 })")
    assert page.locator(".dmlviz-pin").count() == 1
    # input and output begin at the same line
    board = window.board
    assert min(board["input"]["y"]) == min(board["output"]["y"])
    assert min(board["input"]["x"]) < min(board["output"]["x"])


def test_inputs_and_indices_are_seen_whole_with_numbers_on_a_phone_on_its_side(visit):
    window = visit(None, width=740, height=390, has_touch=True, is_mobile=True)
    path = "practice?seed=5&level=1&operator=gather-elements&number=1"
    window.page.goto(f"{window.server}/{path}")
    window.ready()
    assert window.js("player => player.drawing.fontSize") >= DIGIT
    stage = window.page.locator(".dmlviz-stage")
    assert stage.evaluate("e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")
