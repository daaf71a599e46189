"""Predict first, in the real app: guess, be told why not, see the move. And nothing seen before."""

from __future__ import annotations

import re

import numpy as np
import pytest

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.teaching.predict import predictions
from tests.browser.conftest import near
from tests.browser.test_stage_keys import FOCUS, press
from tests.browser.test_stage_links import PIN_TEXTS, due_lines, place

ANSWER = ".dmlviz-quiz-answer"
PROMPT = ".dmlviz-quiz-prompt"


def first(key):
    """What an operator's first example is, and what is asked about it."""
    (cls,) = [cls for cls in OPERATORS if cls.key == key]
    found = cls.examples()[0]
    trace = dmlviz.run(found.operator, found.x)
    return trace, predictions(dmlviz.scene(trace)).as_json


def said(window, part, selector=ANSWER):
    """Wait until something is said; all of it."""
    window.page.wait_for_function(
        "([at, part]) => document.querySelector(at).textContent.includes(part)",
        arg=[selector, part],
        polling=20,
    )
    return window.page.locator(selector).text_content()


def choice(asked, right):
    return next(i for i, c in enumerate(asked["choices"]) if (not c["why"]) == right)


def name(side, flat, sizes):
    return f"{side}[{', '.join(str(int(i)) for i in np.unravel_index(flat, sizes))}]"


def drawn(window):
    """Wait until the stage is as the newest question wants it."""
    window.drawn()


def tap(window, side, i):
    """Click a cell, as fast as a person does: Plotly looks every 50 ms at where the pointer is."""
    window.page.mouse.move(*place(window, side, i))
    window.page.wait_for_timeout(120)
    window.page.mouse.down()
    window.page.mouse.up()


def test_by_mouse_right_and_wrong(visit):
    trace, asked = first("depth-to-space")
    window = visit("depth-to-space?predict=true")
    choices = window.page.locator(".dmlviz-quiz-choice")
    assert choices.count() == len(asked["choices"])
    choices.nth(choice(asked, False)).click()
    assert asked["choices"][choice(asked, False)]["why"] in said(window, "Not {")
    choices.nth(choice(asked, True)).click()
    said(
        window,
        "Question 1: right, the output has sizes {1, 2, 4, 6}: 8 / (2 · 2) = 2, 2 · 2 = 4, 3 · 2 = 6.",
    )
    drawn(window)
    # what the other order would take: told by its own numbers, and nothing is given away
    question = asked["cells"][0]
    cell = question["cell"]
    wrong, words = next((int(i), w) for i, w in question["traps"].items() if "_DEPTH" in w)
    tap(window, "input", wrong)
    where = name("out", trace.source.ravel().tolist().index(wrong), trace.output.shape)
    told = said(window, "No: ")
    assert told == (
        f"No: {name('in', wrong, trace.x.shape)} = {trace.x.flat[wrong]} lands at {where}, "
        f"not at {name('out', cell, trace.output.shape)}. {words}"
    )
    assert window.output_texts == []
    assert window.t == 0
    source = int(trace.source.flat[cell])
    drawn(window)
    tap(window, "input", source)
    told = said(window, "Right: ")
    assert f"= {name('in', source, trace.x.shape)} = {question['value']}." in told
    # the cell moves alone, and its formula stands below: the others are asked about
    landed = int(dmlviz.scene(trace).step_of[cell]) + 1
    window.until(f"t === {landed}")
    drawn(window)
    assert window.page.evaluate(PIN_TEXTS) == [due_lines(trace, cell, question["value"])]
    assert window.js("player => Array.from(player.seen.stepOf).filter(Number.isFinite).length") == 1
    assert window.page.locator(".dmlviz-words").is_hidden()
    press(window, "End")
    assert window.t == landed
    window.page.locator(".dmlviz-quiz-next").click()
    said(window, name("out", asked["cells"][1]["cell"], trace.output.shape), PROMPT)
    drawn(window)
    assert window.t == 0
    assert window.output_texts == []


def test_the_whole_round_by_keyboard_alone(visit):
    trace, asked = first("padding")
    window = visit("padding?predict=true")
    page = window.page
    for _press in range(80):
        press(window, "Tab")
        if page.evaluate(FOCUS) == "dmlviz-stage":
            break
    # the keys of the player are asleep
    press(window, "Space", "End", "ArrowRight")
    page.wait_for_timeout(150)
    assert window.t == 0
    press(window, str(choice(asked, False) + 1))
    said(window, "Not {")
    press(window, str(choice(asked, True) + 1))
    said(window, "Question 1: right, the output has sizes")
    sources = trace.source.ravel()
    for number, question in enumerate(asked["cells"]):
        said(window, name("out", question["cell"], trace.output.shape), PROMPT)
        due = int(sources[question["cell"]])
        if number == 0:
            # walk to a wrong cell first
            press(window, "ArrowRight", "ArrowRight", "Enter")
            assert "in[0, 0, 0, 1] = 2 lands at" in said(window, "No: ")
            assert page.locator(".dmlviz-quiz-spoken").text_content() == ""
        if due >= 0:
            press(window, "ArrowRight", *["ArrowDown"] * (due // 4), *["ArrowRight"] * (due % 4))
            press(window, "Enter")
        else:
            # a digit goes to the field by itself
            press(window, question["value"])
            assert page.evaluate(FOCUS) == "dmlviz-quiz-value"
            press(window, "Enter")
        said(window, "Right: ")
        page.wait_for_function(f"({FOCUS}) === 'dmlviz-stage'")
        press(window, "n")
    # all but the first of the sizes and the first cell at the first try
    said(window, "4 of 6 right on the first try.", PROMPT)
    assert window.t == window.js("player => player.steps")
    press(window, "n")
    said(window, "What will the sizes", PROMPT)
    drawn(window)
    press(window, "r")
    said(window, "the output has sizes {1, 1, 8, 10}")
    assert page.locator(ANSWER).get_attribute("data-verdict") == "shown"


@pytest.mark.parametrize("color", ["value", "channel"])
def test_nothing_of_the_output_is_seen_before(visit, color):
    """Not its sizes while they are asked for, and no value in pixels or in the page's text."""
    x = np.arange(100, 104, dtype=np.uint8).reshape(1, 4, 1, 1)
    operator = dmlviz.DepthToSpace(2, "DEPTH_COLUMN_ROW")
    address = dmlviz.link(
        operator, x, predict=True, step=1, pinned=(0, 0, 0, 1), colors=color, moves="all"
    )
    window = visit(address.removeprefix("/"))
    drawn(window)
    main = window.page.locator("[data-testid=stMain]")
    player = window.page.locator(".dmlviz-player")
    board = window.board
    left = int(min(board["output"]["x"])) - 20
    text = main.inner_text()
    assert window.output_texts == []
    assert window.page.evaluate(PIN_TEXTS) == []
    assert "{1, 1, 2, 2} " not in player.inner_text()
    # each title of a plane once: the input's
    titles = window.page.evaluate(
        "document.querySelector('.dmlviz-texts').written.map(t => t.text)"
    )
    assert titles.count("[0, 0, :, :]") == titles.count("[0, 3, :, :]") == 1
    assert "becomes" not in text
    assert "hidden" in window.page.locator(".dmlviz-stage").get_attribute("aria-label")
    pixels = window.shot()[:, left:]
    assert not any(near(pixels, fill, 3).any() for fill in board["colors"])
    window.page.locator(".dmlviz-quiz-choice").get_by_text("{1, 1, 2, 2}").click()
    said(window, "right")
    drawn(window)
    pixels = window.shot()[:, left:]
    assert not any(near(pixels, fill, 3).any() for fill in board["colors"])
    assert near(pixels, board["palette"]["slot"], 2).any()
    # the question mark on its cell
    assert near(pixels, board["palette"]["accent"], 40).sum() > 30
    assert window.output_texts == []
    # every number is seen once: in the input
    assert [text for text, *_place in window.numbers] == [str(n) for n in x.ravel()]
    assert not any(str(n) in player.inner_text() for n in x.ravel())
    window.seek(1)
    assert not any(near(window.shot()[:, left:], f, 3).any() for f in board["colors"])
    # what had the focus is gone: it is on the stage
    press(window, "r")
    said(window, "= in[")
    window.until("t === 1")
    drawn(window)
    # only the color of the cell that was asked for
    seen = [f for f in board["colors"] if near(window.shot()[:, left:], f, 3).any()]
    assert len(seen) == 1


def test_the_switch_and_new_settings(visit):
    window = visit("tile", width=390)
    toggle = window.page.locator(".dmlviz-bar > .dmlviz-predict")
    assert window.page.locator(".dmlviz-quiz").is_hidden()
    toggle.click()
    said(window, "What will the sizes", PROMPT)
    window.rested()
    assert "predict=true" in window.page.url
    drawn(window)
    assert window.output_texts == []
    # the page does not scroll sideways, and the choices can be tapped
    wide = window.page.evaluate("document.querySelector('.dmlviz-quiz').scrollWidth")
    assert wide <= 390
    toggle.click()
    window.page.wait_for_selector(".dmlviz-quiz", state="hidden")
    window.rested()
    drawn(window)
    assert len(window.output_texts) == 54
    assert "predict" not in window.page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_right_answer_has_a_green_sign_and_a_wrong_one_the_accent(visit, scheme):
    _trace, asked = first("tile")
    window = visit("tile?predict=true", color_scheme=scheme)
    stroke = f"getComputedStyle(document.querySelector('{ANSWER} svg')).stroke"
    for right, sentence in ((False, "Not {"), (True, ": right, ")):
        window.page.locator(".dmlviz-quiz-choice").nth(choice(asked, right)).click()
        said(window, sentence)
        red, green, blue = map(int, re.findall(r"\d+", window.page.evaluate(stroke))[:3])
        assert (green > 1.3 * red and green > 1.2 * blue) is right
        assert (red > 1.3 * green) is not right
