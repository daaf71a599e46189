"""An explorer before a room: large numbers, keys alone, an output that waits, a code to scan."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.player.payload import payload
from dmlviz.worksheet import Sheet, worksheet
from tests.browser.conftest import near

ROOM = {"width": 1920, "height": 1080}
EXAMPLES = [example for cls in OPERATORS for example in cls.examples()]
LEAST = 28


def landed(window):
    """Which cells of the output show their colour in the middle of their upper edge."""
    pixels, board = window.shot(), window.board
    at = board["output"]
    found = []
    for i, source in enumerate(board["source"]):
        if source >= 0:
            x, y = int(at["x"][i] + at["w"] * 0.5), int(at["y"][i] + at["h"] * 0.08)
            found.append(bool(near(pixels[y, x][None], board["colors"][source], 6).all()))
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_documentation_examples_are_read_from_the_last_row(visit, scheme):
    window = visit("depth-to-space?present=true&step=1", **ROOM, color_scheme=scheme)
    page = window.page
    for example in EXAMPLES if scheme == "light" else EXAMPLES[:1]:
        trace = dmlviz.run(example.operator, example.inputs)
        sent = payload(dmlviz.scene(trace))
        window.js("(player, sent) => { player.show(sent); player.seek(player.steps); }", sent)
        tensors = [*trace.inputs.values(), *trace.outputs.values()]
        count = sum(tensor.size for tensor in tensors)
        texts = "[...document.querySelectorAll('.dmlviz-plot .heatmap-label text')]"
        page.wait_for_function(f"{texts}.filter(text => text.textContent).length === {count}")
        sizes = page.evaluate(f"{texts}.map(t => parseFloat(getComputedStyle(t).fontSize))")
        assert min(sizes) >= LEAST, (trace.operator, min(sizes))
        caption = page.locator(".dmlviz-caption:visible").first
        assert caption.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") >= LEAST
        # all of it in the window
        stage = page.locator(".dmlviz-board").bounding_box()
        words = caption.bounding_box()
        assert stage["y"] >= 0
        assert stage["x"] + stage["width"] <= ROOM["width"]
        assert stage["y"] + stage["height"] <= words["y"] + 1
        assert words["y"] + words["height"] <= ROOM["height"]
    # and nothing to press
    assert page.locator("button:visible, select:visible, input:visible").count() == 0
    assert page.locator("a:visible").count() == 0


def test_keys_alone(visit):
    window = visit("tile?present=true", **ROOM)
    page = window.page
    press = page.keyboard.press
    assert page.get_by_text("Press Space and watch 54 elements land in 5 steps.").is_visible()
    press("ArrowRight")
    window.until("t === 1")
    press("PageDown")
    window.until("t === 2")
    press("ArrowLeft")
    window.until("t === 1")
    press("End")
    window.until("t === 5")
    assert all(landed(window))
    press("Home")
    window.until("t === 0")
    assert not any(landed(window))
    press(" ")
    window.until("t > 0.1")
    press(" ")
    press("End")

    press("r")
    assert page.get_by_text("What will the output be?").is_visible()
    assert not any(landed(window)), "the output is hidden at its end, too"
    window.js("player => player.pins.hover({ side: 'output', element: 8 })")
    assert page.locator(".dmlviz-tip:visible").count() == 0, "and is not told"
    press("R")
    assert page.get_by_text("What will the output be?").is_hidden()
    assert all(landed(window))

    press("q")
    code = page.locator(".dmlviz-qr")
    code.locator("img").wait_for()
    size = code.locator("img").evaluate("i => i.decode().then(() => [i.naturalWidth, i.height])")
    assert size[0] > 100
    assert size[1] > ROOM["height"] / 2
    assert code.locator("p").first.inner_text() == f"{window.server}/tile?step=5"
    press("q")
    assert code.is_hidden()
    press("q")
    code.locator("img").wait_for()
    press("q")

    press("Escape")
    page.locator(".dmlviz-present").wait_for()
    window.ready()
    assert parse_qs(urlsplit(page.url).query) == {"step": ["5"]}
    assert window.t == 5
    window.press("present")
    page.locator(".dmlviz-hall").wait_for()
    window.ready()
    assert parse_qs(urlsplit(page.url).query) == {"present": ["true"], "step": ["5"]}
    assert page.locator("button:visible").count() == 0


def test_two_settings_on_one_wall(visit):
    words = "present=true&predict=true&compare=true&b_order=COLUMN_ROW_DEPTH&step=4"
    window = visit(f"depth-to-space?{words}", **ROOM)
    page = window.page
    both = (
        "[...document.querySelectorAll('.dmlviz-player')].map(p => [p.dataset.veiled, p.dmlviz.t])"
    )
    assert page.evaluate(both) == [["true", 4]]
    page.keyboard.press("r")
    assert page.evaluate(both) == [["false", 4]]
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(f"""JSON.stringify({both}) === '[["false",3]]'""")


def test_paper_has_the_answers_on_a_page_of_their_own(browser):
    sheet = Sheet(7, 2, count=8)
    page = browser.new_page()
    texts = {}
    for part in ("both", "questions"):
        page.set_content(worksheet(sheet.questions(), sheet.title(), told=sheet.told()))
        if part == "questions":
            page.evaluate("document.querySelector('.answers').remove()")
        for paper in ("A4", "Letter"):
            printed = page.pdf(format=paper)
            texts[part, paper] = len(re.findall(rb"/Type\s*/Page\b", printed))
    # how high the answers are by themselves says how many pages they need
    page.set_content(worksheet(sheet.questions(), sheet.title(), told=sheet.told()))
    page.evaluate("document.querySelector('.questions').remove()")
    for paper in ("A4", "Letter"):
        alone = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format=paper)))
        assert alone >= 1
        assert texts["both", paper] == texts["questions", paper] + alone
    page.close()


def test_a_worksheet_is_chosen_seen_and_taken(visit):
    window = visit(None)
    page = window.page
    page.goto(f"{window.server}/worksheet?seed=7&operator=tile&count=2")
    frame = page.frame_locator("iframe")
    frame.locator("h1").wait_for()
    assert frame.locator(".question").count() == 2
    with page.expect_download() as waiting:
        page.get_by_test_id("stDownloadButton").get_by_role("button").click()
    text = waiting.value.path().read_text(encoding="utf-8")
    sheet = Sheet(7, operator="tile", count=2)
    expected = worksheet(
        sheet.questions(), sheet.title(), told=sheet.told(), address=sheet.address(window.server)
    )
    assert text == expected
    assert np.char.count(text, "<script") == 0
