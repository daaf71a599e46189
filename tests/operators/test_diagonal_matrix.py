"""DiagonalMatrix: DirectML's answers, triangles and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import DiagonalMatrix
from tests.operators import recordings
from tests.strategies import bits, tensors
from tests.test_recordings import REFUSED_WITH_REASON

CASES = recordings.cases(recordings.own("diagonal-matrix"), "DML_OPERATOR_DIAGONAL_MATRIX")
MATRICES = st.tuples(st.integers(1, 3), st.integers(1, 7), st.integers(1, 7))


def test_directml_drops_a_fraction_that_is_refused_here():
    fractions = [case for case in CASES if case["desc"]["Value"] % 1]
    assert len(fractions) == 2
    for case in fractions:
        assert int(case["desc"]["Value"]) in case["outputs"][0]["values"]
        assert case["id"] in REFUSED_WITH_REASON


def test_the_value_is_a_number():
    with pytest.raises(dmlviz.Error, match='value: "x" is not a number'):
        DiagonalMatrix("x", 0, 1)


@given(MATRICES, st.integers(-9, 9), st.integers(-9, 9), st.data())
def test_it_is_the_rule_of_the_page(sizes, begin, end, data):
    x = data.draw(tensors(sizes))
    output = dmlviz.run(DiagonalMatrix(3, begin, end), x).output
    for at in np.ndindex(sizes):
        top = at[-1] - at[-2]
        filled = (end >= begin) ^ (top >= begin) ^ (top < end)
        due = np.array(3, x.dtype) if filled else x[at]
        assert bits(np.asarray(output[at])) == bits(np.asarray(due))


@given(MATRICES, st.integers(-9, 9), st.data())
def test_triangles_are_numpys(sizes, k, data):
    x = data.draw(tensors(sizes))
    upper, lower = DiagonalMatrix(0, -99, k), DiagonalMatrix(0, k + 1, 99)
    np.testing.assert_array_equal(bits(dmlviz.run(upper, x).output), bits(np.triu(x, k)))
    np.testing.assert_array_equal(bits(dmlviz.run(lower, x).output), bits(np.tril(x, k)))


@given(MATRICES, st.integers(-9, 9), st.integers(-9, 9))
def test_exchanged_bounds_fill_everything_else(sizes, begin, end):
    x = np.zeros(sizes)
    one, other = DiagonalMatrix(1, begin, end), DiagonalMatrix(1, end, begin)
    filled = dmlviz.run(one, x).output + dmlviz.run(other, x).output
    assert (filled == (0 if begin == end else 1)).all()


def test_an_element_says_its_diagonal_beside_those_that_are_filled():
    def last(*settings):
        return dmlviz.DiagonalMatrix(*settings).explain((3, 3), (0, 2)).splitlines()[-1]

    assert last(0, -1, 0) == "Column − row = 2 − 0 = 2; -1 is filled."
    assert last(0, 1, 3) == "Column − row = 2 − 0 = 2; 1 to 2 are filled."
    assert last(0, 1, 0) == "Column − row = 2 − 0 = 2; 0 is kept, all others are filled."
