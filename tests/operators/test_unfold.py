"""Unfold: zeros, and what its columns are for."""

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import Unfold, operator_from_desc
from dmlviz.engines.recorded import recorded
from dmlviz.operators.unfold import Slide
from dmlviz.states import read_link
from tests.operators import recordings
from tests.strategies import bits, drawn

KIND = Unfold.operator_type
OWN = recordings.cases(recordings.own("unfold"), KIND)
WIDE = Unfold((2, 3), (2, 1), (1, 2), (1, 0), (0, 3))


def test_a_0_of_the_input_is_none_of_the_padding():
    _first, second = Unfold.examples()
    padded = dmlviz.run(second.operator, second.x)
    assert padded.output[0, 0].tolist()[:5] == [0, 0, 0, 0, 1]
    assert padded.source[0, 0].tolist()[:5] == [-1, -1, -1, 0, 1]


def reference(operator, x):
    """Element by element, from the formula of the page."""
    slides = operator.slides(x.shape)
    y = np.zeros(operator.output_sizes(x.shape), x.dtype)
    taps = list(np.ndindex(*(slide.window for slide in slides)))
    windows = list(np.ndindex(*(slide.count for slide in slides)))
    for n, c in np.ndindex(x.shape[:2]):
        for k, tap in enumerate(taps):
            for column, window in enumerate(windows):
                at = [
                    w * slide.stride + t * slide.dilation - slide.start
                    for w, t, slide in zip(window, tap, slides, strict=True)
                ]
                if all(0 <= i < size for i, size in zip(at, x.shape[2:], strict=True)):
                    y[n, c * len(taps) + k, column] = x[(n, c, *at)]
    return y


@given(drawn(Unfold))
def test_it_is_the_formula_of_the_page(state):
    operator, x = state
    due = reference(operator, x)
    np.testing.assert_array_equal(bits(dmlviz.run(operator, x).output), bits(due), strict=True)


@pytest.mark.parametrize("size", [3, 5])
def test_a_convolution_is_a_product_with_the_columns(size):
    random = np.random.default_rng(7)
    x = random.integers(-9, 9, (2, 3, 6, size))
    filters = random.integers(-9, 9, (4, 3, 3, 2))
    operator = Unfold((3, 2), (2, 1), (1, 2), (1, 1), (0, 1))
    columns = dmlviz.run(operator, x).output
    found = filters.reshape(4, -1) @ columns
    padded = np.pad(x, ((0, 0), (0, 0), (1, 0), (1, 1)))
    rows, wide = (slide.count for slide in operator.slides(x.shape))
    for i, j in np.ndindex(rows, wide):
        patch = padded[:, :, 2 * i : 2 * i + 3, j : j + 3 : 2]
        due = np.einsum("fcij,ncij->nf", filters, patch)
        np.testing.assert_array_equal(found[:, :, i * wide + j], due)


def test_nothing_huge_is_allocated():
    x = np.zeros((1, 1, 2, 2), np.int8)
    with pytest.raises(dmlviz.TooLarge):
        dmlviz.run(Unfold((1, 1), (1, 1), (1, 1), (9_000,) * 2, (0, 0)), x)
    # windows far apart: what lies between them is not made
    far = Unfold((1, 1), (65_000,) * 2, (1, 1), (65_536,) * 2, (65_536,) * 2)
    for engine in recordings.ENGINES:
        assert dmlviz.run(far, x, engine).output.shape == (1, 1, 9)
    wrong = {found.key for found in far.misreadings(x.shape)}
    assert "every-2" not in wrong


def test_one_dimension():
    slide = Slide(size=5, window=3, stride=2, dilation=2, start=1, end=2)
    assert (slide.padded, slide.extent, slide.count) == (8, 5, 2)
    assert slide.places.tolist() == [[-1, 1], [1, 3], [3, 5]]
    assert (slide.covered(1), slide.zeros(1)) == ((1, 3, 5), 1)


def test_what_directml_said_to_double_is_found():
    (case,) = (case for case in OWN if case["id"].endswith("float64"))
    found = recorded(operator_from_desc(KIND, case["desc"]), recordings.tensors(case))
    assert found.refusal == "IDMLDevice::CompileOperator: 0x887A0004"


def test_a_link_has_a_number_for_each_spatial_dimension():
    link = dmlviz.link(WIDE, np.zeros((1, 2, 5, 3), np.int8))
    opened = read_link(link)
    assert not opened.problems
    assert opened.state.operator() == WIDE
    wrong = read_link("/unfold?sizes=1,2,5,3&window_sizes=2,2,2&strides=1,1")
    (problem,) = wrong.problems
    assert "it has 3 numbers where 2 are needed: one for each of the 4" in problem.message
    # a new size takes the page's settings along
    assert read_link("/unfold?sizes=1,1,7").state.operator().window_sizes == (3,)
