"""Several tensors on the stage: what is drawn, what is linked, what is asked. From saved pages."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import dmlviz
from dmlviz.teaching.predict import predictions
from tests.browser.conftest import TITLES, near
from tests.browser.test_predict import said
from tests.browser.test_stage_links import PIN_TEXTS, click, framed, place, point
from tests.browser.test_stage_views import open_saved
from tests.several import chained, cut, picked

# every heatmap, in the order of the figure
BOXES = """player => ["input", "output"].flatMap(side => player.payload[side].tensors.map(t => {
  const { x, y, w, h } = player.drawing[side];
  const own = [...Array(t.sizes.reduce((a, b) => a * b, 1)).keys()].map(i => t.first + i);
  return [Math.min(...own.map(i => x[i])), Math.min(...own.map(i => y[i])),
    Math.max(...own.map(i => x[i] + w)), Math.max(...own.map(i => y[i] + h))];
}))"""


@pytest.fixture
def opened(visit, tmp_path):
    """Opens a run's saved page."""
    return partial(open_saved, visit, tmp_path)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    ("make", "titles"),
    [
        (picked, ["InputTensor", "IndicesTensor", "OutputTensor"]),
        (chained, ["InputTensors[0]", "InputTensors[1]", "OutputTensor"]),
        (cut, ["InputTensor", *(f"OutputTensors[{k}]" for k in range(3))]),
    ],
)
def test_every_tensor_has_its_name_and_its_room(opened, make, titles, width):
    window = opened(make(), width=width)
    found = window.page.evaluate(TITLES)
    # where there is little room, without a word that says nothing
    short = [title.replace("Tensors", "").replace("Tensor", "") for title in titles]
    for text, title, least in zip(found, titles, short, strict=True):
        assert text.split()[0] in (title, least)
    if width == 1280:
        assert all("{1, 1, " in text for text in found)
    boxes = window.js(BOXES)
    for i, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left < right <= width
        for a, b, c, d in boxes[i + 1 :]:
            assert right <= a or c <= left or bottom + 26 <= b or d + 26 <= top


def test_a_control_tensor_has_no_colour_but_a_dashed_frame(opened):
    window = opened(picked())
    board = window.board
    shot = window.shot()
    for cell in (12, 13, 14):
        x, y = int(board["input"]["x"][cell]), int(board["input"]["y"][cell])
        assert near(shot[y + 6 : y + 10, x + 6 : x + 20], board["palette"]["paper"]).all()
    x, y = board["input"]["x"][12], board["input"]["y"][12]
    wide = int(3 * board["input"]["w"])
    edges = shot[int(y) - 6 : int(y), int(x) : int(x) + wide]
    drawn = near(edges, board["palette"]["line"], 60)
    assert 0.4 < drawn.mean(axis=1).max() < 0.8, "dashes"


def test_an_output_cell_shows_its_source_and_what_chose_it(opened):
    window = opened(picked()).seek(3)
    text = point(window, "output", 5)
    assert text == "out[0, 0, 1, 1] = in[0, 0, 0, 1] = 2, chosen by IndicesTensor[0, 0, 0, 1] = 0"
    assert framed(window) == ([1, 13], [5])


def test_a_control_cell_shows_everything_that_it_chose(opened):
    window = opened(picked()).seek(3)
    text = point(window, "input", 12)
    assert text == "IndicesTensor[0, 0, 0, 0] = 2, elements chosen: 4"
    assert framed(window) == ([8, 9, 10, 11, 12], [0, 1, 2, 3])
    # pinned, the first of them
    click(window, "input", 12)
    ((rule, numbers),) = window.page.evaluate(PIN_TEXTS)
    assert rule == "out[n, c, h, w] = in[n, c, IndicesTensor[0, 0, 0, h], w]"
    assert numbers.endswith("= in[0, 0, 2, 0] = 9")


def test_a_source_in_another_tensor_says_which(opened):
    trace = chained((1, 1, 2, 3), (1, 1, 1, 3))
    window = opened(trace).seek(2)
    assert point(window, "output", 7) == "out[0, 0, 2, 1] = InputTensors[1][0, 0, 0, 1] = 8"
    assert framed(window) == ([7], [7])
    assert point(window, "input", 7) == "InputTensors[1][0, 0, 0, 1] = 8, copies: 1"
    click(window, "output", 7)
    ((rule, numbers),) = window.page.evaluate(PIN_TEXTS)
    assert rule == "out[n, c, h, w] = InputTensors[1][n, c, h − 2, w] for h from 2 to 2"
    assert numbers.endswith("= InputTensors[1][0, 0, 0, 1] = 8")


def test_arrows_walk_over_all_outputs(opened):
    window = opened(cut((1, 1, 2, 3), (1, 2))).seek(2)
    click(window, "output", 0)
    window.page.locator(".dmlviz-stage").focus()
    for _press in range(2):
        window.page.keyboard.press("ArrowDown")
    assert window.js("player => player.pins.pins") == [2], "the first cell of the second output"
    ((rule, _numbers),) = window.page.evaluate(PIN_TEXTS)
    assert rule.startswith("OutputTensors[1][n, c, h, w] = in[n, c, h, w + 1]")


def test_what_flies_comes_from_its_own_tensor_and_its_index_is_lit(opened):
    window = opened(picked()).seek(1.01)
    board = window.board
    shot = window.shot()
    accent = board["palette"]["accent"]

    def lit(cell):
        x, y = int(board["input"]["x"][cell]), int(board["input"]["y"][cell])
        return near(shot[y : y + 4, x + 10 : x + 40], accent, 40).any()

    assert [lit(cell) for cell in (12, 13, 14)] == [False, True, False]
    assert lit(0)
    assert not lit(8)


@pytest.mark.parametrize("make", [picked, chained, cut])
def test_nothing_is_given_away_before_it_is_predicted(opened, make):
    trace = make()
    asked = predictions(dmlviz.scene(trace)).as_json
    window = opened(trace)
    window.js("(player, asked) => player.show(player.payload, asked)", asked)
    window.drawn()
    assert window.output_texts == []
    right = next(i for i, c in enumerate(asked["choices"]) if not c["why"])
    window.page.locator(".dmlviz-quiz-choice").nth(right).click()
    window.drawn()
    assert window.output_texts == []
    cell = asked["cells"][0]["cell"]
    answer = window.page.locator(".dmlviz-quiz-answer")
    if make is picked:
        window.page.mouse.click(*place(window, "input", 13))
        assert answer.text_content() == (
            "IndicesTensor only says where elements go; it is not copied. Choose another cell."
        )
        # two clicks in a row are one double click
        window.let_pass(500)
    source = int(dmlviz.scene(trace).source[cell])
    window.page.mouse.click(*place(window, "input", source))
    assert said(window, "Right: ").startswith("Right: ")


def test_keys_choose_among_cells_that_are_answers(opened):
    trace = picked()
    window = opened(trace)
    window.js(
        "(player, asked) => player.show(player.payload, asked)",
        predictions(dmlviz.scene(trace)).as_json,
    )
    window.js("player => { player.quiz.turn('place', 1); player.quiz.redraw(); }")
    window.drawn().page.locator(".dmlviz-stage").focus()
    for _press in range(6):
        window.page.keyboard.press("ArrowDown")
    assert window.js("player => player.quiz.cursor") == 8, "not into the indices below"


def test_a_row_of_many_columns_is_scrolled_to(opened):
    x = np.arange(1800, dtype=np.int32).reshape(2, 900)
    window = opened(dmlviz.run(dmlviz.Tile((1, 1)), x))
    width, scrolled = window.page.evaluate(
        "(() => { const s = document.querySelector('.dmlviz-stage');"
        "return [s.clientWidth, s.scrollWidth]; })()"
    )
    board = window.board
    last = max(board["input"]["x"]) + board["input"]["w"]
    assert width < last <= scrolled + 1
