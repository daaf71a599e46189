"""What colours say: value, channel, place, picture; NaN and padding by pattern; both themes."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import dmlviz
from dmlviz.tensors import draw
from tests.browser.conftest import near
from tests.browser.test_stage_views import example, open_saved, options, view


@pytest.fixture
def saved(visit, tmp_path):
    return partial(open_saved, visit, tmp_path)


def color(window, mode):
    window.choose("color", mode)
    window.drawn()


def cell_colors(window, side):
    """The colour of every cell of a side, where no number stands and no mark of a corner."""
    pixels, at = window.shot(), window.board[side]
    rows = [int(y + at["h"] * 0.85) for y in at["y"]]
    columns = [int(x + at["w"] * 0.12) for x in at["x"]]
    return pixels[rows, columns]


def test_every_mode_colours_cells_anew_and_keeps_the_numbers(saved):
    trace = example(dmlviz.SpaceToDepth)
    window = saved(trace, height=1100)
    window.seek(4)
    texts = window.output_texts
    assert len(texts) == trace.output.size
    assert options(window, "color") == ["value", "channel", "position"]
    palette = window.board["palette"]
    source = trace.source.ravel()
    seen = {}
    for mode in ("value", "channel", "position"):
        color(window, mode)
        assert window.t == 4
        assert window.output_texts == texts
        inputs, outputs = cell_colors(window, "input"), cell_colors(window, "output")
        assert abs(outputs - inputs[source]).max() <= 2, "a copy has its source's colour"
        seen[mode] = inputs
        # what flies has it too
        assert len(set(window.board["colors"])) > 1
    assert len({found.tobytes() for found in seen.values()}) == 3
    # two channels of 4 by 6: two colours, the palette's
    channels = seen["channel"].reshape(2, 24, 3)
    for channel, due in zip(channels, palette["kinds"], strict=False):
        assert near(channel, due, 3).all()
    # corners of a plane have the corners' colours
    places = seen["position"].reshape(2, 4, 6, 3)
    corners = places[:, [0, 0, -1, -1], [0, -1, 0, -1]]
    for k, due in enumerate(palette["corners"]):
        assert near(corners[:, k], due, 3).all()


def test_a_picture_is_offered_where_there_are_three_channels(saved):
    def offered(sizes):
        x = draw("cat", sizes, "UINT8") if sizes[1] > 2 else np.ones(sizes, np.uint8)
        window = saved(dmlviz.run(dmlviz.Tile((1, 1, 1, 2)), x))
        return "picture" in options(window, "color")

    assert offered((1, 3, 4, 4))
    assert not offered((1, 4, 4, 4))
    assert not offered((1, 1, 4, 4))
    below_zero = dmlviz.run(dmlviz.Tile((1, 1, 1, 2)), np.full((1, 3, 2, 2), -1, np.int8))
    assert "picture" not in options(saved(below_zero), "color")


def test_a_picture_in_its_own_colours_with_readable_numbers(saved):
    x = np.zeros((1, 3, 2, 3), np.uint8)
    x[0, 0, :, 0] = x[0, 1, :, 1] = x[0, 2, :, 2] = 255
    trace = dmlviz.run(dmlviz.Tile((1, 1, 1, 2)), x)
    window = saved(trace, height=1000)
    window.press("last")
    color(window, "picture")
    found = cell_colors(window, "output").reshape(3, 2, 6, 3)
    due = np.eye(3, dtype=int)[[0, 1, 2, 0, 1, 2]] * 255
    assert abs(found - due).max() <= 2
    # dark ink on green, light ink on blue: the canvas writes the numbers
    inks = window.js("player => player.drawing.inks")
    assert set(inks) == {"#000000", "#ffffff"}
    pixels, at = window.shot(), window.board["output"]
    for i in (1, 2):
        x0, y0 = int(at["x"][i]), int(at["y"][i])
        cell = pixels[y0 + 4 : y0 + int(at["h"]) - 4, x0 + 4 : x0 + int(at["w"]) - 4]
        assert near(cell, inks[trace.source.ravel()[i]], 40).sum() > 8, "no number in the cell"
    # and in the air
    window.seek(0.5)
    view(window, "all")
    assert window.page.locator(".dmlviz-color").input_value() == "picture"


def test_nan_and_infinities_carry_dots_wherever_they_are(saved):
    x = np.array([[1, np.nan, 3], [np.inf, 5, -np.inf]], np.float32)
    window = saved(dmlviz.run(dmlviz.Tile((2, 1)), x))
    strange = {1, 3, 5}

    def dotted(side):
        pixels, board = window.shot(), window.board
        at, ink = board[side], board["palette"]["ink"]
        strips = [
            pixels[
                int(y + at["h"] * 0.84) : int(y + at["h"] - 2), int(x + 4) : int(x + at["w"] - 4)
            ]
            for x, y in zip(at["x"], at["y"], strict=True)
        ]
        return {i for i, strip in enumerate(strips) if near(strip, ink, 30).sum() >= 8}

    assert dotted("input") == strange
    assert dotted("output") == set(), "nothing has landed"
    window.press("last")
    assert dotted("output") == strange | {i + 6 for i in strange}


@pytest.mark.parametrize("width", [1280, 390])
def test_another_theme_redraws_at_the_same_moment_with_all_that_is_pinned(saved, width):
    window = saved(example(dmlviz.Padding), width=width, height=1300, color_scheme="light")
    window.seek(2.5)
    window.js(
        "player => { for (const element of [0, 14]) player.pins.toggle({ side: 'output', element }); }"
    )
    shots, palettes, axes = {}, {}, {}
    for scheme in ("light", "dark", "light"):
        window.page.emulate_media(color_scheme=scheme)
        window.page.wait_for_function(
            "s => document.querySelector('.dmlviz-player').dataset.theme === s",
            arg=scheme,
            polling=20,
        )
        window.drawn()
        assert window.t == 2.5
        assert window.page.locator(".dmlviz-pin").count() == 2
        shot, palette = window.shot(), window.board["palette"]
        span = ".dmlviz-formula span[style]"
        axes[scheme] = window.page.locator(span).first.evaluate("s => s.style.color")
        assert near(shot, palette["pins"][0], 6).sum() > 100, "the frames are of another theme"
        if scheme in shots:
            assert np.array_equal(shots[scheme], shot)
        shots[scheme], palettes[scheme] = shot, palette
    assert shots["dark"].mean() < 100 < shots["light"].mean()
    assert axes["light"] != axes["dark"]
    assert palettes["light"]["scale"] != palettes["dark"]["scale"]
    assert palettes["dark"]["paper"] == "#10161d"
