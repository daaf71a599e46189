import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dmlviz
from dmlviz.picture.board import board
from dmlviz.picture.drawing import moment_drawing
from dmlviz.picture.moment import moment
from dmlviz.picture.raster import Painter
from tests import strategies
from tests.thorough import tries


def board_of(operator, x):
    return board(dmlviz.scene(dmlviz.run(operator, x)), False, 480)


def drawn(of, t):
    return moment_drawing(of, moment(of, t), "Inter")


@settings(max_examples=tries(40))
@given(strategies.runs(), st.floats(0, 1))
def test_every_element_is_waiting_moving_or_landed(run, part):
    of = board_of(*run)
    now = moment(of, part * len(of.steps))
    moving = np.concatenate([now.flying, now.growing])
    assert np.array_equal(now.landed, of.step_of < now.step)
    if now.fraction:
        assert np.array_equal(np.sort(moving), np.flatnonzero(of.step_of == now.step))
        assert not now.landed[moving].any()
    else:
        assert moving.size == 0


@settings(max_examples=tries(25))
@given(strategies.runs())
def test_flights_begin_at_the_source_and_end_in_place(run):
    of = board_of(*run)
    for step in range(len(of.steps)):
        begin, end = moment(of, step + 1e-9), moment(of, step + 1 - 1e-9)
        source, via = of.source[begin.flying], of.via[begin.flying]
        passed = via >= 0
        due = np.where(passed, of.output.x[via], of.input.x[np.maximum(source, 0)])
        assert np.abs(begin.x - due).max(initial=0) <= 1
        assert np.array_equal(end.x, of.output.x[end.flying])
        assert np.abs(end.y - of.output.y[end.flying]).max(initial=0) <= 1


@settings(max_examples=tries(25))
@given(strategies.runs())
def test_flights_rise_above_the_straight_way(run):
    of = board_of(*run)
    for step in range(len(of.steps)):
        begin, half, end = (moment(of, step + part) for part in (1e-9, 0.5, 1 - 1e-9))
        way = np.hypot(end.x - begin.x, end.y - begin.y)
        rise = (begin.y + end.y) / 2 - half.y
        # not beyond the upper edge, and places are whole pixels
        assert (rise > -1).all()
        assert (rise[(way > 30) & (half.y > 0)] > 2).all()
        assert (rise < 40).all()


def test_what_is_marked_between_steps():
    of = board_of(dmlviz.Tile((1, 3)), np.array([[1, 2]]))
    rest = moment(of, 1)
    assert rest.marked_input.tolist() == [0, 1]
    assert rest.marked_output.tolist() == [0, 1]
    for t in (0, 3):
        now = moment(of, t)
        assert now.marked_input.size == now.marked_output.size == 0


@pytest.mark.parametrize(
    ("t", "count"), [(0, "0 of 3"), (0.1, "1 of 3"), (1, "1 of 3"), (3, "3 of 3")]
)
def test_the_words_of_a_moment(t, count):
    of = board_of(dmlviz.Tile((1, 3)), np.array([[1, 2]]))
    now = moment(of, t)
    assert now.count == f"Step {count}"
    said = int(count[0])
    assert now.title == (of.steps[said - 1].title if said else "Ready")


@settings(max_examples=5)
@given(strategies.paddings(), st.permutations(range(7)))
def test_a_picture_does_not_depend_on_the_one_before(run, order):
    of = board_of(*run)
    drawings = [drawn(of, k / 6 * len(of.steps)) for k in range(7)]
    one = Painter()
    for k in order:
        assert np.array_equal(one.paint(drawings[k]), Painter().paint(drawings[k]))


def test_a_tuple_is_framed_as_a_whole():
    inputs = {
        "InputTensor": np.arange(6).reshape(2, 3),
        "IndicesTensor": np.array([[1, 2], [0, 1]]),
    }
    of = board_of(dmlviz.GatherND(2, 2, 0), inputs)
    for t in (1.5, 1):
        framed = moment(of, t).marked_input.tolist()
        # input elements 5 and 1 come first, then the cells of both tuples
        assert framed == ([1, 8, 9] if t == 1.5 else [5, 6, 7])


def test_what_is_covered_later_stands_there_first():
    example = dmlviz.operators.Scatter.examples()[1]
    of = board(dmlviz.scene(dmlviz.run(example.operator, example.inputs)), False, 480)
    assert of.covers.tolist() == [0, 1, 3]
    assert of.uncovered(moment(of, 0).landed).tolist() == []
    assert of.uncovered(moment(of, 1).landed).tolist() == [2, 4, 5, 6, 7]
    assert of.uncovered(moment(of, 2).landed).tolist() == [1, 2, 4, 5, 7]
    assert of.uncovered(moment(of, None).landed).tolist() == [0, 1, 2, 3, 4]
    # the one that stands there and the one that does not, each with its index
    assert moment(of, 2.5).marked_input.tolist() == [5, 7, 9, 11]
    painter = Painter()
    there = [painter.paint(drawn(of, t)) for t in (0, 1, 2, None)]
    for t, picture in ((2, there[2]), (0, there[0]), (1, there[1]), (None, there[3])):
        assert np.array_equal(painter.paint(drawn(of, t)), picture)
