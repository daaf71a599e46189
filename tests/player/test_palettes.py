"""Contrast as WCAG 2 computes it."""

import itertools
import re

import pytest

from dmlviz.player.palettes import DARK, LIGHT

THEMES = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])


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
        assert contrast(parts(palette.ink), cell) >= 4.5, percent


@THEMES
@pytest.mark.parametrize("name", ["padding", "slot", "paper"])
def test_numbers_are_readable_on_everything_else(palette, name):
    assert contrast(parts(palette.ink), parts(getattr(palette, name))) >= 4.5


@THEMES
def test_titles_of_planes_are_readable(palette):
    assert contrast(parts(palette.line), parts(palette.paper)) >= 4.5


@THEMES
def test_frames_round_what_moves_are_seen(palette):
    assert contrast(parts(palette.accent), parts(palette.paper)) >= 3


@THEMES
def test_a_scale_runs_from_0_to_1_and_goes_one_way_in_brightness(palette):
    places = [place for place, _color in palette.scale]
    assert places[0] == 0
    assert places[-1] == 1
    assert places == sorted(set(places))
    bright = [luminance(color_at(palette.scale, percent / 100)) for percent in (0, 50, 100)]
    assert bright == sorted(bright, reverse=palette is LIGHT)
