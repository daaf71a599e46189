"""SliceGrad: DirectML's example, what is refused and why, and that it takes a slice back."""

import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import Slice, SliceGrad, operator_from_desc
from tests.one_input import moves, snippet
from tests.operators import recordings
from tests.strategies import bits, drawn

KIND = SliceGrad.operator_type
WIDE = SliceGrad((1, 2), (4, 5), (-3, 2), (5, 7))


@pytest.mark.parametrize(
    ("operator", "x", "due"),
    [
        (SliceGrad((1,), (5,), (-2,), (7,)), [1, 2, 3], [0, 3, 0, 2, 0, 1, 0]),
        (SliceGrad((0,), (3,), (1,)), [1, 2, 3], [1, 2, 3]),
        (SliceGrad((0,), (3,), (-1,)), [1, 2, 3], [3, 2, 1]),
        # fewer elements than the window has room for
        (SliceGrad((1,), (6,), (2,)), [1, 2], [0, 1, 0, 2, 0, 0, 0]),
        (SliceGrad((2,), (1,), (-9,), (4,)), [5], [0, 0, 5, 0]),
    ],
)
def test_places(operator, x, due):
    for engine in recordings.ENGINES:
        trace = dmlviz.run(operator, np.array(x), engine)
        assert trace.output.tolist() == due
        assert trace.agrees


def test_nothing_huge_is_allocated():
    with pytest.raises(dmlviz.TooLarge):
        dmlviz.run(SliceGrad((0, 0), (65_536, 65_536), (1, 1)), np.zeros((2, 2), np.int8))
    assert SliceGrad((2**32,), (5,), (1,)).problems((3,), None)


def test_sizes_of_a_description():
    desc = {
        "DimensionCount": 1,
        "InputWindowOffsets": [1],
        "InputWindowSizes": [5],
        "InputWindowStrides": [2],
    }
    sizes = {"InputGradientTensor": {"Sizes": [3]}, "OutputGradientTensor": {"Sizes": [7]}}
    assert operator_from_desc(KIND, desc).output_sizes((3,)) == (6,)
    whole = operator_from_desc(KIND, {**desc, **sizes})
    assert whole == SliceGrad((1,), (5,), (2,), (7,))
    assert operator_from_desc(KIND, whole.desc) == whole
    with pytest.raises(dmlviz.Error, match=r"4 elements in dimension 0 do not fit"):
        operator_from_desc(KIND, {**desc, **sizes, "InputGradientTensor": {"Sizes": [4]}})
    with pytest.raises(dmlviz.Error, match="DimensionCount is 2"):
        operator_from_desc(KIND, {**desc, "DimensionCount": 2})


def test_the_formula_asks_whether_an_element_goes_there():
    operator = SliceGrad((1,), (5,), (-2,), (7,))
    assert operator.explain((3,), (3,)) == (
        "out[w] = in[((5 − w) div 2) if ((5 − w) mod 2) < 1 else -1]\n"
        "out[3] = in[((5 − 3) div 2) if ((5 − 3) mod 2) < 1 else -1] = in[1]"
    )
    assert operator.explain((3,), (4,)).endswith(
        "in dimension 0: it is 0, and no input element is its source."
    )


def test_steps():
    steps = moves(SliceGrad((1,), (5,), (-2,), (7,)), (3,))
    assert [(step.title, step.caption) for step in steps.steps] == [
        (
            "Zeros",
            "4 of the output's 7 elements get nothing from the input and are 0.",
        ),
        (
            "Dimension 0: input index 0",
            "The window of dimension 0 is output indices 1 to 5. Stride -2 starts at the last "
            "one: input index 0 lands at 5 (1 element).",
        ),
        (
            "Dimension 0: input index 1",
            "2 back: input index 1 lands at output index 3 (1 element).",
        ),
        (
            "Dimension 0: input index 2",
            "2 back: input index 2 lands at output index 1 (1 element).",
        ),
    ]
    assert steps.step_of.tolist() == [0, 3, 0, 2, 0, 1, 0]
    many = moves(SliceGrad((0,), (20,), (1,)), (20,))
    assert np.bincount(many.step_of).tolist() == [1] * 7 + [13]
    assert many.steps[-1].title == "Dimension 0: input indices 7 to 19"


@given(drawn(SliceGrad))
def test_a_slice_takes_it_back(state):
    operator, x = state
    trace = dmlviz.run(operator, x)
    back = Slice(
        operator.input_window_offsets,
        operator.input_window_sizes,
        operator.input_window_strides,
        x.shape,
    )
    np.testing.assert_array_equal(bits(dmlviz.run(back, trace.output).output), bits(x), strict=True)
    assert (trace.source < 0).sum() == trace.output.size - x.size


def test_settings_follow_the_input():
    names = [setting.name for setting in SliceGrad.parameters()]
    values = dict(zip(names, ((1,), (5,), (-2,), (7,)), strict=True))
    wider = SliceGrad(**SliceGrad.fitted(values, (9,), (3,)))
    assert wider == SliceGrad((1,), (17,), (-2,))
    assert not wider.problems((9,), None)
    assert SliceGrad(**SliceGrad.fitted(values, (2,), (3,))) == SliceGrad(**values)
    deeper = SliceGrad(**SliceGrad.fitted(values, (3, 4), (3,)))
    assert not deeper.problems((3, 4), None)


def test_misreadings():
    found = {m.key: m for m in SliceGrad((1,), (5,), (-2,), (7,)).misreadings((3,))}
    assert found["forwards-0"].source.tolist() == [-1, 0, -1, 1, -1, 2, -1]
    assert found["offset-0"].source.tolist() == [2, -1, 1, -1, 0, -1, -1]
    assert found["dense-0"].source.tolist() == [-1, -1, -1, 2, 1, 0, -1]
    assert (found["window-0"].output_sizes, found["window-0"].source.tolist()) == (
        (5,),
        [2, -1, 1, -1, 0],
    )
    assert found["input-0"].output_sizes == (3,)
    copied = {m.key: m for m in SliceGrad((0,), (6,), (2,)).misreadings((3,))}["copies"]
    assert copied.source.tolist() == [0, 0, 1, 1, 2, 2]


def test_code():
    numpy = snippet(WIDE, (2, 3), "numpy").text
    assert "z = np.zeros((5, 7), dtype=x.dtype)\nz[4:0:-3, 2:7:2] = x\ny = z" in numpy
    assert "x = x.flip([0])" in snippet(WIDE, (2, 3), "pytorch").body
    assert "z[1:5:3, 2:7:2] = x" in snippet(WIDE, (2, 3), "pytorch").body
    assert "index_select" in snippet(WIDE, (2, 3), "pytorch", "UINT16").body
    assert "tf.raw_ops.StridedSliceGrad" in snippet(WIDE, (2, 3), "tensorflow").body
    assert "end_mask=1" in snippet(SliceGrad((0,), (3,), (-1,)), (3,), "tensorflow").body
    assert "Concat" in snippet(WIDE, (2, 3), "onnx").body
    assert "const INT inputWindowStrides[] = {-3, 2};" in snippet(WIDE, (2, 3), "directml").body
    assert "makes no zeros" in snippet(WIDE, (2, 3), "einops").note


def test_outputs_of_a_page():
    """A page tells of the output's sizes beside the tensor, and not among its parameters."""
    operator = SliceGrad((1,), (5,), (2,))
    assert operator.with_output_sizes({"OutputGradientTensor": (7,)}) == SliceGrad(
        (1,), (5,), (2,), (7,)
    )
    for impossible in ((5,), (7, 7), ()):
        assert operator.with_output_sizes({"OutputGradientTensor": impossible}) is operator
