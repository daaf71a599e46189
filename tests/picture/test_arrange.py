import itertools

import numpy as np
import pytest
from hypothesis import given, settings

import dmlviz
from dmlviz.picture.arrange import arrange, font_for
from dmlviz.picture.board import board
from tests import strategies
from tests.thorough import tries


@settings(max_examples=tries(30))
@given(strategies.runs())
def test_no_cell_covers_another_or_leaves_the_picture(run):
    scene = dmlviz.scene(dmlviz.run(*run))
    for width in (240, 1280):
        of = board(scene, False, width)
        wide, high = of.at.cell
        x = np.concatenate([of.input.x, of.output.x])
        y = np.concatenate([of.input.y, of.output.y])
        assert x.min() >= 0
        assert y.min() >= 0
        assert x.max() + wide <= of.width
        assert y.max() + high <= of.caption.top
        # squares do not overlap if no pixel belongs to two of them
        taken = np.zeros((of.height, of.width), np.int32)
        square_wide, square_high = of.square
        for left, top in zip(x.tolist(), y.tolist(), strict=True):
            taken[top : top + square_high, left : left + square_wide] += 1
        assert taken.max() == 1


def laid_out(sizes):
    return dmlviz.scene(dmlviz.run(dmlviz.Tile((1,) * len(sizes)), np.zeros(sizes))).input


def test_wide_pictures_put_them_side_by_side_and_narrow_ones_below():
    small = laid_out((8, 8))
    wide, narrow = (arrange(width, small, small, 2, (50, 50)) for width in (1280, 300))
    assert wide.input[1] == wide.output[1]
    assert wide.input[0] < wide.output[0]
    assert narrow.input[0] == narrow.output[0]
    assert narrow.input[1] < narrow.output[1]


def test_wide_titles_do_not_meet():
    one = laid_out((1, 1))
    at = arrange(1280, one, one, 1, (400.0, 400.0))
    assert at.output[0] - at.input[0] > 400


@pytest.mark.parametrize("letters", [1, 4, 6, 9])
def test_numbers_fit_into_their_cells(letters):
    for wide, high in itertools.product((10, 20, 40, 80), repeat=2):
        font = font_for(wide, high, letters)
        assert font == 0 or 9 <= font <= high / 2
        assert font * 0.6 * letters <= wide
