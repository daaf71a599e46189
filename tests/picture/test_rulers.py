"""The positions on rulers in exported pictures: where the caption says, and in every format."""

from xml.etree import ElementTree

import numpy as np
import pytest

import dmlviz
from dmlviz import Resample
from dmlviz.picture.board import board
from dmlviz.picture.drawing import moment_drawing
from dmlviz.picture.moment import moment
from dmlviz.picture.raster import Painter
from dmlviz.picture.svg import svg

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def of():
    operator = Resample("DECREASING", (1, 2, 1.5), (0,) * 3, (-0.5,) * 3)
    x = np.arange(1, 13, dtype=np.float32).reshape(2, 2, 3)
    return board(dmlviz.scene(dmlviz.run(operator, x)), False, 900)


def test_a_line_crosses_every_plane_where_the_pixel_falls(of):
    # output pixel 2 of dimension 1: its center 2.5 is 1.25 on the input's ruler
    (step,) = [
        k for k, step in enumerate(of.steps) if step.title.startswith("Dimension 1: output pixel 2")
    ]
    (wide, high), marks = of.at.cell, of.rulers[step]
    assert [mark.text for mark in marks] == ["1.25", "1.25", "2.5", "2.5"]
    for cells, place, of_plane, columns, found in (
        (of.input, 1.25, 6, 3, marks[:2]),
        (of.output, 2.5, 16, 4, marks[2:]),
    ):
        for plane, mark in enumerate(found):
            first = plane * of_plane
            assert mark.start == pytest.approx(
                (cells.x[first], cells.y[first] + place * high), abs=1
            )
            assert mark.end == (cells.x[first + columns - 1] + wide, mark.start[1])


def test_no_line_goes_through_a_number(of):
    assert of.at.font
    through = 0
    for mark in (mark for marks in of.rulers for mark in marks):
        along, across = (1, 0) if mark.upright else (0, 1)
        at = mark.start[across]
        for cells in (of.input, of.output):
            for i, label in enumerate(cells.labels):
                middle = (cells.x[i] + of.at.cell[0] / 2, cells.y[i] + of.at.cell[1] / 2)
                half = (len(label) * of.at.font * 0.25, of.at.font * 0.33)
                if abs(middle[across] - at) >= half[across]:
                    continue
                ends = middle[along] - half[along], middle[along] + half[along]
                through += any(
                    a < ends[1] and b > ends[0]
                    for a, b in [mark.start[along : along + 1] + mark.end[along : along + 1]]
                )
                assert not any(a < ends[1] and b > ends[0] for a, b in mark.pieces())
    assert through, "whole lines would have gone through some"


def test_what_lies_outside_is_marked_at_the_edge():
    shifted = Resample("DECREASING", (2,), (0.5,), (3,))
    scene = dmlviz.scene(dmlviz.run(shifted, np.arange(3, dtype=np.float32)))
    of = board(scene, False, 900)
    # output pixel 0 lies at -3 on its own ruler, and at -1.5 on the input's
    assert [(mark.text, mark.start[0]) for mark in of.rulers[0]] == [
        ("-1.5", of.input.x[0]),
        ("-3", of.output.x[0]),
    ]
    assert all(mark.upright for mark in of.rulers[0])


@pytest.mark.parametrize(("t", "step"), [(0, None), (1.5, 1), (2, 1), (None, None)])
def test_they_belong_to_the_moving_step_or_the_last(of, t, step):
    assert moment(of, t).ruled == (() if step is None else of.rulers[step])


def test_an_svg_draws_them():
    scene = dmlviz.scene(dmlviz.run(Resample("DECREASING", (2,), (0,), (-0.5,)), np.zeros(3, "f4")))
    root = ElementTree.fromstring(svg(scene, 2.5))
    (group,) = [found for found in root.iter(f"{SVG}g") if found.get("id") == "rulers"]
    assert [text.text for text in group.iter(f"{SVG}text")] == ["1.25", "2.5"]
    assert not [
        g for g in ElementTree.fromstring(svg(scene)).iter(f"{SVG}g") if g.get("id") == "rulers"
    ]


def test_a_film_draws_them_and_takes_them_away(of):
    painter = Painter()
    accent = np.array([int(of.palette.accent[k : k + 2], 16) for k in (1, 3, 5)])

    def drawn(t):
        return (painter.paint(moment_drawing(of, moment(of, t), "Inter")) == accent).all(axis=-1)

    for t in (1.5, 3.5):
        for mark in of.rulers[int(t)]:
            x, y = int(mark.start[0]) + 2, round(mark.start[1])
            # the arrowhead at the line's start
            assert drawn(t)[y - 1 : y + 2, x].any()
    assert not drawn(None).any()
