"""Padding lands fold by fold, so that the second fold is seen to come from the first."""

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import Padding
from tests.one_input import moves
from tests.strategies import MODES, paddings


def test_titles_and_captions_of_a_reflection():
    steps = moves(Padding("REFLECTION", (0, 2), (3, 8)), (5, 3)).steps
    assert [step.title for step in steps] == [
        "The body: the input itself",
        "Dimension 1: start padding, fold 1",
        "Dimension 1: end padding, fold 1",
        "Dimension 1: end padding, fold 2",
        "Dimension 1: end padding, fold 3",
        "Dimension 1: end padding, fold 4",
        "Dimension 0: end padding, fold 1",
    ]
    assert steps[0].caption == "The 15 elements of the input land, moved by 2 in dimension 1."
    assert steps[1].caption == (
        "10 elements are mirrored at the edge; the edge itself is not repeated."
    )
    assert steps[3].caption == (
        "The padding is larger than the input, so fold 2 mirrors what fold 1 put there: "
        "10 elements."
    )
    assert steps[6].caption.startswith("39 elements are mirrored")


@pytest.mark.parametrize(
    ("mode", "caption"),
    [
        ("CONSTANT", "10 new elements hold the padding value 9: they are not copies."),
        ("EDGE", "The edge is repeated 2 times: 10 elements."),
        ("SYMMETRIC", "10 elements are mirrored outside the edge; the edge itself is repeated."),
        ("WRAP", "10 elements wrap around from the other end."),
    ],
)
def test_captions_of_the_other_modes(mode, caption):
    assert moves(Padding(mode, (0, 2), (0, 0), 9), (5, 3)).steps[1].caption == caption


def test_without_padding_there_is_the_body_only():
    (step,) = moves(Padding("WRAP", (0, 0), (0, 0)), (5, 3)).steps
    assert step.caption == "The 15 elements of the input keep their places."


def test_the_folds_from_the_sixth_on_land_together():
    steps = moves(Padding("SYMMETRIC", (0,), (23,)), (3,))
    assert steps.steps[-1].title == "Dimension 0: end padding, folds 6 to 8"
    assert np.bincount(steps.step_of).tolist() == [3, 3, 3, 3, 3, 3, 8]


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
