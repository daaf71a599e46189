"""All explorers to their end, and padding's hatching."""

from __future__ import annotations

import numpy as np
import pytest

import dmlviz
from dmlviz.operators import OPERATORS
from tests.browser.conftest import near
from tests.browser.test_looks import themed
from tests.thorough import THOROUGH

PLAYED = ("tile", "padding", "join")
"""In CI the others go to the end at once: time passes alike for all."""

CANVAS = """player => [player.painter.ground, player.painter.canvas].map(canvas => {
  const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const alpha = [];
  for (let i = 3; i < image.data.length; i += 4) alpha.push(image.data[i] && 1);
  return { width: canvas.width, alpha: alpha.join("") };
})"""


def covered(window):
    """Where anything is drawn over Plotly's heatmaps: 1, else 0."""
    layers = window.js(CANVAS)
    pixels = [
        np.frombuffer(layer["alpha"].encode(), np.uint8).reshape(-1, layer["width"]) - ord("0")
        for layer in layers
    ]
    return np.maximum(*pixels)


def cell(pixels, place, i):
    """The pixels of a cell, without the lines round it."""
    x, y, w, h = place["x"][i], place["y"][i], place["w"], place["h"]
    return pixels[int(y + 4) : int(y + h - 4), int(x + 4) : int(x + w - 4)]


def corner(pixels, place, i):
    """Its upper left corner, where no number stands."""
    found = cell(pixels, place, i)
    third = min(found.shape[:2]) // 4
    return found[:third, :third]


def assert_end_is_the_output(window, trace):
    board, pixels, over = window.board, window.shot(), covered(window)
    values = [value for output in trace.outputs.values() for value in output.ravel()]
    expected = [dmlviz.tensors.print_label(value) for value in values]
    assert board["labels"] == expected
    assert board["source"] == [
        number for source in trace.sources.values() for number in source.ravel().tolist()
    ]
    assert len(window.output_texts) == len(values)
    assert sorted(window.output_texts) == sorted(expected)
    place = board["output"]
    for i, source in enumerate(board["source"]):
        if source < 0:
            # between the lines of its hatching
            assert near(corner(pixels, place, i), board["palette"]["padding"], 5).any()
            continue
        # nothing covers an element that has landed: Plotly's own cell is what is seen
        assert cell(over, place, i).max() == 0
        seen = cell(pixels, place, i)[0, 0]
        assert near(seen[None, :], board["colors"][source], 3).all()
        assert abs(seen - cell(pixels, board["input"], source)[0, 0]).max() <= 2


@pytest.mark.parametrize(
    "cls",
    [
        pytest.param(cls, marks=[pytest.mark.thorough] if k % 2 else [])
        for k, cls in enumerate(OPERATORS)
    ],
    ids=lambda cls: cls.key,
)
def test_explorer_plays_to_the_end(visit, cls):
    example = cls.examples()[0]
    trace = dmlviz.run(example.operator, example.inputs)
    window = visit(cls.key)
    assert window.t == 0
    steps = window.js("player => player.steps")
    if THOROUGH or cls.key in PLAYED:
        window.speed(4)
        window.press("toggle")
        window.until(f"t === {steps}")
    else:
        window.press("last")
    assert_end_is_the_output(window, trace)
    assert window.page.locator(".dmlviz-count").inner_text() == f"Step {steps} of {steps}"


def test_padding_cells_are_hatched_and_others_are_not(visit):
    window = visit("padding")
    step_of = window.js("player => Array.from(player.moves.stepOf)")
    landing = [i for i, step in enumerate(step_of) if step == 1]
    # the last one is what other tests of the file find
    for scheme in ("dark", "light"):
        themed(window, scheme)
        window.press("first")
        board, pixels = window.board, window.shot()
        hatch = board["palette"]["hatch"]
        for i in range(80):
            assert not near(cell(pixels, board["output"], i), hatch, 24).any(), scheme
        # in flight
        window.seek(1.9)
        board, pixels = window.board, window.shot()
        assert all(board["source"][i] < 0 for i in landing)
        hits = [near(corner(pixels, board["output"], i), hatch, 24).any() for i in landing]
        assert all(hits), scheme
        window.press("last")
        board, pixels = window.board, window.shot()
        padding = [i for i, source in enumerate(board["source"]) if source < 0]
        assert len(padding) == 64
        for i, source in enumerate(board["source"]):
            found = near(corner(pixels, board["output"], i), hatch, 24).sum()
            assert (found > 3) == (source < 0), (scheme, i, source, found)
        for i in range(16):
            assert not near(corner(pixels, board["input"], i), hatch, 24).any(), scheme


def test_the_second_fold_comes_from_the_first(visit):
    """REFLECTION further than the input reaches: later folds fly from cells of the output."""
    window = visit(
        "padding?sizes=3&values=count-1&padding_mode=REFLECTION&start_padding=0&end_padding=5"
    )
    via = window.js("player => player.moves.via && Array.from(player.moves.via)")
    assert via is not None
    assert max(via) >= 3
    window.press("last")
    x = np.array([1, 2, 3], np.float32)
    trace = dmlviz.run(dmlviz.Padding("REFLECTION", (0,), (5,)), x)
    assert window.output_texts == [str(int(v)) for v in trace.output]


@pytest.mark.parametrize(
    "query",
    [
        "sizes=5&values=count-0&repeats=2",
        "sizes=2,3,2,2,2&values=count-0&repeats=1,1,2,1,2",
        "sizes=1,2,1,2,1,2,1,2&values=count-0&repeats=1,1,1,1,1,1,1,2",
        "sizes=1,1,128,64&values=picture&repeats=1,1,1,2",
    ],
)
def test_any_rank_and_size_plays(visit, query):
    # a stage that is higher than its window cannot be photographed whole
    window = visit(f"tile?{query}", height=2_300)
    steps = window.js("player => player.steps")
    zero = window.shot()
    middle = window.seek(steps - 0.5).shot()
    end = window.seek(0).seek(steps).shot()
    assert not np.array_equal(zero, middle)
    assert not np.array_equal(middle, end)
    assert covered(window).max() == 0
    board = window.board
    for i in range(0, len(board["source"]), max(1, len(board["source"]) // 50)):
        x, y = board["output"]["x"][i], board["output"]["y"][i]
        w, h = board["output"]["w"], board["output"]["h"]
        # clear of the number, where there is one
        dx, dy = (5, 5) if w > 12 else (w / 2, h / 2)
        seen = end[int(y + dy), int(x + dx)][None, :]
        assert near(seen, board["colors"][board["source"][i]], 4).all()
    assert np.array_equal(window.seek(0).shot(), zero)


@pytest.mark.parametrize(
    "path",
    ["tile", "padding", "padding?padding_mode=SYMMETRIC", "tile?sizes=5&values=count-0&repeats=2"],
)
def test_the_picture_does_not_depend_on_the_way_to_it(visit, path):
    """Step by step, or with one jump: (step, fraction) alone decides what is seen."""
    window = visit(path)
    steps = window.js("player => player.steps")
    for t in range(1, steps + 1):
        window.seek(0)
        jumped = window.seek(t).shot()
        window.seek(0)
        for step in range(1, t + 1):
            window.js("(player, t) => player.seek(t)", step)
        different = (jumped != window.shot()).any(axis=-1)
        assert not different.any(), f"{different.sum()} pixels differ at {t}"
