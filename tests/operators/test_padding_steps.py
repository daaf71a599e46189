"""Padding lands fold by fold, so that the second fold is seen to come from the first."""

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import Padding
from tests.one_input import moves
from tests.strategies import MODES, paddings


def folds(operator, sizes):
    """Independently of the code: for each place and dimension the number of its fold, and
    whether the place is the last one of that fold."""
    out = operator.output_sizes(sizes)
    fold, last = np.zeros((len(out), *out), int), np.zeros((len(out), *out), bool)
    for d, (start, n) in enumerate(zip(operator.start_padding, sizes, strict=True)):
        place = np.arange(out[d]) - start
        beyond = np.maximum(0, np.maximum(-place, place - n + 1))
        period = n - 1 if operator.padding_mode == "REFLECTION" else n
        number = -(-beyond // period) if period else np.minimum(beyond, 1)
        shape = [-1 if e == d else 1 for e in range(len(out))]
        fold[d] = number.reshape(shape)
        last[d] = (beyond == number * period).reshape(shape)
    return fold.reshape(len(out), -1), last.reshape(len(out), -1)


@given(paddings(("REFLECTION", "SYMMETRIC", "WRAP")))
def test_a_fold_comes_from_the_fold_before_it(run):
    operator, x = run
    check_folds(operator, x.shape)


@pytest.mark.parametrize("mode", ["REFLECTION", "SYMMETRIC", "WRAP"])
@pytest.mark.parametrize("sizes", [(3,), (1,), (2,), (2, 3), (1, 3, 2)])
def test_many_folds_on_both_sides(mode, sizes):
    check_folds(Padding(mode, [7] * len(sizes), [11] * len(sizes)), sizes)


def check_folds(operator, sizes):
    steps = moves(operator, sizes)
    fold, last = folds(operator, sizes)
    body = np.flatnonzero(fold.sum(0) == 0)
    assert (steps.via[body] == -1).all()
    assert (steps.step_of[body] == 0).all()
    padding = np.flatnonzero(fold.sum(0))
    through = steps.via[padding]
    assert (through >= 0).all()
    # one fold less in the outermost padded dimension, nothing else changed
    less = fold[:, padding] - fold[:, through]
    outermost = np.argmax(fold[:, padding] > 0, axis=0)
    due = (np.arange(len(less))[:, None] == outermost).astype(int)
    if operator.padding_mode == "REFLECTION":
        # the line runs through a place, so the last place mirrors what lies one before the fold
        due *= 1 + (last & (fold > 1))[:, padding]
    np.testing.assert_array_equal(less, due)
    # seen to have landed, except where folds are so many that the last ones land together
    shown = fold[outermost, padding] <= 6
    assert (steps.step_of[through] < steps.step_of[padding])[shown].all()


@given(paddings(("EDGE",)))
def test_the_edge_comes_from_the_edge(run):
    operator, x = run
    steps = moves(operator, x.shape)
    padding = np.flatnonzero(steps.step_of)
    assert (steps.via[padding] >= 0).all()
    assert (steps.step_of[steps.via[padding]] < steps.step_of[padding]).all()


@given(paddings(("CONSTANT",)))
def test_the_padding_value_comes_from_nowhere(run):
    operator, x = run
    steps = moves(operator, x.shape)
    assert (steps.via == -1).all()
    np.testing.assert_array_equal(steps.step_of > 0, dmlviz.run(operator, x).source.ravel() < 0)


@pytest.mark.parametrize("mode", MODES)
def test_start_comes_before_end_and_inner_dimensions_first(mode):
    titles = [step.title for step in moves(Padding(mode, (1, 1, 1), (1, 1, 1)), (3, 2, 5)).steps]
    assert [title.split(",")[0] for title in titles[1:]] == [
        f"Dimension {d}: {side} padding" for d in (2, 1, 0) for side in ("start", "end")
    ]
