"""Unfold: DirectML's examples, what is refused and why, zeros, and what its columns are for."""

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import Unfold, operator_from_desc
from dmlviz.engines.recorded import recorded
from dmlviz.operators.unfold import Slide
from dmlviz.states import read_link
from tests.one_input import moves, snippet
from tests.operators import recordings
from tests.strategies import bits, drawn

KIND = Unfold.operator_type
OWN = recordings.cases(recordings.own("unfold"), KIND)
ROW = Unfold((3,), (2,), (1,), (1,), (1,))
WIDE = Unfold((2, 3), (2, 1), (1, 2), (1, 0), (0, 3))


def test_a_0_of_the_input_is_none_of_the_padding():
    _first, second = Unfold.examples()
    padded = dmlviz.run(second.operator, second.x)
    assert padded.output[0, 0].tolist()[:5] == [0, 0, 0, 0, 1]
    assert padded.source[0, 0].tolist()[:5] == [-1, -1, -1, 0, 1]


@pytest.mark.parametrize(
    ("operator", "x", "due"),
    [
        (ROW, [[1, 2, 3, 4, 5]], [[0, 2, 4], [1, 3, 5], [2, 4, 0]]),
        (Unfold((3,), (1,), (2,), (0,), (0,)), [[1, 2, 3, 4, 5, 6]], [[1, 2], [3, 4], [5, 6]]),
        # channel after channel
        (
            Unfold((2,), (1,), (1,), (0,), (0,)),
            [[1, 2, 3], [7, 8, 9]],
            [[1, 2], [2, 3], [7, 8], [8, 9]],
        ),
        # what is left at the end is in no window
        (Unfold((2,), (3,), (1,), (0,), (0,)), [[1, 2, 3, 4]], [[1], [2]]),
        # nothing but padding
        (Unfold((1,), (9,), (1,), (5,), (5,)), [[1, 2, 3]], [[0, 0]]),
        (Unfold((1,), (1,), (1,), (0,), (0,)), [[1, 2, 3]], [[1, 2, 3]]),
    ],
)
def test_places(operator, x, due):
    for engine in recordings.ENGINES:
        trace = dmlviz.run(operator, np.array([x]), engine)
        assert trace.output.tolist() == [due]
        assert trace.agrees


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


def test_ranks_and_types():
    assert [p.field for p in ROW.problems((2, 5), None)] == ["sizes"]
    assert "takes 3 to 8" in ROW.problems((2, 5), None)[0].message
    (found,) = ROW.problems((1, 1, 5), "FLOAT64")
    assert found.field == "data_type"
    assert found.message.startswith(
        "data_type: FLOAT64 is not supported; DML_UNFOLD takes FLOAT32,"
    )
    assert [p.field for p in ROW.problems((1, 1, 5), "FLOAT64", "6_4")] == ["data_type"]
    assert [p.field for p in ROW.problems((1, 1, 5), "INT8", "6_3")] == ["feature_level"]
    assert ROW.problems((1, 1, 5), "INT8", "6_4") == []
    with pytest.raises(dmlviz.Refused, match="FLOAT64"):
        dmlviz.run(ROW, np.zeros((1, 1, 5)))


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


def test_a_description():
    desc = {**WIDE.documented}
    assert operator_from_desc(Unfold.structure, desc) == WIDE
    with pytest.raises(dmlviz.Error, match=r"DimensionCount is 3, but WindowSizes .* has 2"):
        operator_from_desc(KIND, {**desc, "DimensionCount": 3})
    tensors = {"InputTensor": {"Sizes": [1, 2, 5, 3]}, "OutputTensor": {"Sizes": [1, 12, 6]}}
    assert operator_from_desc(KIND, {**desc, **tensors}) == WIDE
    tensors["OutputTensor"] = {"Sizes": [1, 1, 12, 6]}
    with pytest.raises(dmlviz.Error, match=r"has Sizes \[1, 1, 12, 6\], not \{1, 12, 6\}"):
        operator_from_desc(KIND, {**desc, **tensors})


def test_the_formula():
    assert WIDE.explain((1, 2, 5, 3), (0, 7, 3)) == (
        "out[n, r, p] = in[n, r div 6, (p div 2) · 2 + ((r mod 6) div 3) − 1, "
        "(p mod 2) + ((r mod 6) mod 3) · 2]\n"
        "out[0, 7, 3] = in[0, 7 div 6, (3 div 2) · 2 + ((7 mod 6) div 3) − 1, "
        "(3 mod 2) + ((7 mod 6) mod 3) · 2] = in[0, 1, 1, 3], and index 3 is outside 0 to 2 in "
        "dimension 3: it is 0, and no input element is its source."
    )
    # one channel, one row of windows: nothing is left to divide
    assert ROW.explain((1, 1, 5), (0, 1, 2)).startswith("out[n, r, p] = in[n, 0, p · 2 + r − 1]")


def test_steps():
    steps = moves(ROW, (2, 1, 5))
    assert [(step.title, step.caption) for step in steps.steps] == [
        (
            "Window 0",
            "It covers indices -1 to 1 of dimension 2. Its 6 elements become column 0; 2 lie in "
            "the padding and are 0.",
        ),
        ("Window 1", "It covers indices 1 to 3 of dimension 2. Its 6 elements become column 1."),
        (
            "Window 2",
            "It covers indices 3 to 5 of dimension 2. Its 6 elements become column 2; 2 lie in "
            "the padding and are 0.",
        ),
    ]
    assert steps.step_of.tolist() == [0, 1, 2] * 6
    many = moves(Unfold((1,), (1,), (1,), (0,), (0,)), (1, 1, 20))
    assert np.bincount(many.step_of).tolist() == [1] * 11 + [9]
    assert many.steps[-1].title == "Windows 11 to 19"
    far = moves(Unfold((5,), (1,), (2,), (0,), (0,)), (1, 1, 9))
    assert "indices 0, 2, 4, …, 8 of dimension 2" in far.steps[0].caption


def test_misreadings():
    found = {m.key: m for m in Unfold((2,), (1,), (1,), (0,), (0,)).misreadings((1, 2, 3))}
    assert found["place-first"].source.tolist() == [0, 1, 3, 4, 1, 2, 4, 5]
    assert found["rows"].output_sizes == (1, 2, 4)
    assert found["apart"].output_sizes == (1, 2, 2, 2)
    assert found["flipped"].source.tolist() == [1, 2, 0, 1, 4, 5, 3, 4]
    assert found["side-by-side-2"].source.tolist() == [0, 1, 3, 4]
    padded = {m.key: m for m in ROW.misreadings((1, 1, 5))}
    assert padded["unpadded"].source.tolist() == [0, 2, 1, 3, 2, 4]
    assert padded["every-2"].output_sizes == (1, 3, 5)
    square = {
        m.key for m in Unfold((2, 2), (1, 1), (1, 1), (0, 0), (0, 0)).misreadings((1, 1, 3, 3))
    }
    assert {"window-turned", "windows-turned"} <= square


def test_settings_follow_the_input():
    settings = {p.name: getattr(WIDE, p.name) for p in Unfold.parameters()}
    fewer = Unfold(**Unfold.fitted(settings, (1, 2, 5), (1, 2, 5, 3)))
    assert fewer == Unfold((2,), (2,), (1,), (1,), (0,))
    more = Unfold(**Unfold.fitted(settings, (1, 2, 5, 3, 4), (1, 2, 5, 3)))
    assert more == Unfold((2, 3, 1), (2, 1, 1), (1, 2, 1), (1, 0, 0), (0, 3, 0))


def test_one_dimension():
    slide = Slide(size=5, window=3, stride=2, dilation=2, start=1, end=2)
    assert (slide.padded, slide.extent, slide.count) == (8, 5, 2)
    assert slide.places.tolist() == [[-1, 1], [1, 3], [3, 5]]
    assert (slide.covered(1), slide.zeros(1)) == ((1, 3, 5), 1)


def test_code():
    sizes, even = (1, 2, 5, 3), Unfold((2, 3), (2, 1), (1, 1), (1, 0), (1, 0))
    assert "sliding_window_view(p, (2, 5), axis=(2, 3))" in snippet(WIDE, sizes, "numpy").body
    assert "v = v[:, :, ::2, ::1, ::1, ::2]" in snippet(WIDE, sizes, "numpy").body
    assert "y = F.unfold(" in snippet(even, sizes, "pytorch").body
    assert "v.unfold(2, 2, 2)" in snippet(even, sizes, "pytorch", "INT32").body
    assert "x = torch.arange" in snippet(WIDE, sizes, "pytorch").make_x
    assert "at3 = np.arange(3)[:, None] * 2 + np.arange(2)" in snippet(WIDE, sizes, "onnx").body
    assert "const UINT dilations[] = {1, 2};" in snippet(WIDE, sizes, "directml").body
    assert "operatorDesc.DimensionCount = 2;" in snippet(WIDE, sizes, "directml").body
    assert "channels last" in snippet(WIDE, sizes, "tensorflow").note
    patches = Unfold((2, 2), (2, 2), (1, 1), (0, 0), (0, 0))
    found = snippet(patches, (1, 1, 4, 6), "einops").body
    assert "n c (b0 w0) (b1 w1) -> n (c w0 w1) (b0 b1)" in found
    assert "side by side" in snippet(patches, (1, 1, 5, 6), "einops").note


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
