"""Contrast as WCAG 2 computes it."""

import itertools
import math
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest

from dmlviz.picture.palettes import DARK, LIGHT
from tests.limits import CONTRAST, GRAPHIC_CONTRAST

ROOT = Path(__file__).resolve().parents[2]
THEMES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])

# Machado, Oliveira, Fernandes 2009: colour vision deficiency of full severity, linear RGB
VISIONS = {
    "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "deuteranopia": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
    "tritanopia": [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
}


def parts(color):
    assert re.fullmatch("#[0-9a-f]{6}", color), color
    return [int(color[i : i + 2], 16) for i in (1, 3, 5)]


def luminance(rgb):
    linear = [
        v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (p / 255 for p in rgb)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def color_at(scale, at):
    for (a, low), (b, high) in itertools.pairwise(scale):
        if at <= b:
            f = (at - a) / (b - a)
            return [u + (v - u) * f for u, v in zip(parts(low), parts(high), strict=True)]
    raise AssertionError(at)


def test_the_formula():
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast(parts("#777777"), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@THEMES
def test_numbers_are_readable_on_every_value(palette):
    for percent in range(101):
        cell = color_at(palette.scale, percent / 100)
        assert contrast(parts(palette.ink), cell) >= CONTRAST, percent


@THEMES
@pytest.mark.parametrize("name", ["padding", "slot", "paper"])
def test_numbers_are_readable_on_everything_else(palette, name):
    assert contrast(parts(palette.ink), parts(getattr(palette, name))) >= CONTRAST


@THEMES
def test_numbers_are_readable_on_every_channel(palette):
    for kind in palette.kinds:
        assert contrast(parts(palette.ink), parts(kind)) >= CONTRAST, kind


@THEMES
@pytest.mark.parametrize("name", ["kinds", "corners", "pins"])
@pytest.mark.parametrize("vision", VISIONS)
def test_colours_differ_for_every_eye(palette, name, vision):
    """Two colours that are 2 apart can just be told apart side by side; cells stand apart."""
    found = [lab(VISIONS[vision], parts(color)) for color in getattr(palette, name)]
    near = {
        (i, j): round(math.dist(found[i], found[j]), 1)
        for i, j in itertools.combinations(range(len(found)), 2)
        if math.dist(found[i], found[j]) < 5
    }
    assert near == {}


def lab(vision, rgb):
    """CIE L*a*b* of a colour as this eye sees it."""
    linear = [
        v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (p / 255 for p in rgb)
    ]
    seen = np.clip(np.array(vision) @ linear, 0, 1)
    to_xyz = [[0.4125, 0.3576, 0.1804], [0.2127, 0.7152, 0.0722], [0.0193, 0.1192, 0.9503]]
    x, y, z = np.cbrt(np.array(to_xyz) @ seen / [0.9505, 1, 1.0888])
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@THEMES
def test_numbers_are_readable_on_every_mix_of_corners(palette):
    top_left, top_right, bottom_left, bottom_right = (parts(color) for color in palette.corners)
    for across, down in itertools.product(range(16), repeat=2):
        top, bottom = mix(top_left, top_right, across), mix(bottom_left, bottom_right, across)
        cell = mix(top, bottom, down)
        assert contrast(parts(palette.ink), cell) >= CONTRAST, (across, down)


def mix(one, other, sixteenths):
    return [a + (b - a) * sixteenths / 15 for a, b in zip(one, other, strict=True)]


def papers(palette):
    """What may lie behind the stage: our own paper, and Streamlit's under this theme."""
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
    return palette.paper, theme["light" if palette is LIGHT else "dark"]["backgroundColor"]


@THEMES
@pytest.mark.parametrize("name", ["axes", "pins"])
def test_there_is_a_colour_for_each(palette, name):
    colors = getattr(palette, name)
    assert len(set(colors)) == len(colors) == {"axes": 8, "pins": 6}[name]


@THEMES
def test_indices_of_a_formula_are_readable(palette):
    for color, paper in itertools.product(palette.axes, papers(palette)):
        assert contrast(parts(color), parts(paper)) >= CONTRAST, (color, paper)


@THEMES
def test_frames_of_pinned_cells_are_seen(palette):
    for color, paper in itertools.product(palette.pins, papers(palette)):
        assert contrast(parts(color), parts(paper)) >= GRAPHIC_CONTRAST, (color, paper)


@THEMES
def test_titles_of_planes_are_readable(palette):
    for paper in papers(palette):
        assert contrast(parts(palette.line), parts(paper)) >= CONTRAST


@THEMES
def test_frames_round_what_moves_are_seen(palette):
    for paper in papers(palette):
        assert contrast(parts(palette.accent), parts(paper)) >= GRAPHIC_CONTRAST


@THEMES
def test_a_scale_runs_from_0_to_1_and_goes_one_way_in_brightness(palette):
    places = [place for place, _color in palette.scale]
    assert places[0] == 0
    assert places[-1] == 1
    assert places == sorted(set(places))
    bright = [luminance(color_at(palette.scale, percent / 100)) for percent in (0, 50, 100)]
    assert bright == sorted(bright, reverse=palette is LIGHT)
