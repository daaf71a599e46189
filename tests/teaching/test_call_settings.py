"""Which argument of a call became which setting of the operator that does the same."""

import pytest

from dmlviz.base.words import speaking
from dmlviz.teaching.call_settings import call_as_operator
from dmlviz.teaching.facts import operator_state_of


@pytest.mark.parametrize(
    ("call", "key", "due"),
    [
        (
            "np.pad(x, ((1,1),(0,2)), mode='reflect')",
            "padding",
            "pad_width → StartPadding [1, 0]; EndPadding [1, 2] · mode → PaddingMode REFLECTION",
        ),
        (
            "np.pad(x, 2, mode='wrap')",
            "padding",
            "pad_width → StartPadding [2, 2]; EndPadding [2, 2] · mode → PaddingMode WRAP",
        ),
        (
            "F.pad(x, (1, 2), value=7)",
            "padding",
            "pad → StartPadding [0, 1]; EndPadding [0, 2] · value → PaddingValue 7",
        ),
        ("np.tile(x, (2, 1))", "tile", "reps → Repeats [2, 1]"),
        ("tf.tile(x, [2, 1])", "tile", "multiples → Repeats [2, 1]"),
        ("F.pixel_shuffle(x, 2)", "depth-to-space", "upscale_factor → BlockSize 2"),
        ("F.pixel_unshuffle(x, 3)", "space-to-depth", "downscale_factor → BlockSize 3"),
        ("np.flip(x, axis=0)", "slice", "axis → InputWindowStrides [-1, 1]"),
        (
            "F.unfold(x, 3, padding=1)",
            "unfold",
            "kernel_size → WindowSizes [3, 3] · padding → StartPadding [1, 1]; EndPadding [1, 1]",
        ),
        ("np.repeat(x, 3, axis=0)", "resample", "repeats → Scales [3.0, 1.0] · axis → Scales"),
    ],
)
def test_arguments_became_settings(call, key, due):
    found = call_as_operator(call)
    assert found.key == key
    assert found.sentence().startswith(due)
    assert operator_state_of(found.link).address(whole=True) == found.link


def test_the_order_of_blocks_is_that_of_the_library():
    assert "order=COLUMN_ROW_DEPTH" in call_as_operator("F.pixel_shuffle(x, 2)").link
    assert "order=COLUMN_ROW_DEPTH" in call_as_operator("F.pixel_shuffle(x, 3)").link


@pytest.mark.parametrize(
    "text",
    [
        "np.roll(x, 1, axis=1)",  # of two columns, it would be a flip
        "np.concatenate([x, y])",
        "softmax(x)",
        "x.T",
        "np.pad(x,",
        "np.pad(x, 1",
        "__import__('os').system('true')",
        "",
    ],
)
def test_other_texts_are_no_operator(text):
    assert call_as_operator(text) is None


def test_names_decide_between_operators_that_do_the_same():
    zeros = "np.pad(x, ((0, 1), (0, 2)))"
    assert call_as_operator(zeros).key == "padding"
    assert call_as_operator(zeros, ("slice-grad",)).key == "slice-grad"


def test_it_is_the_same_in_every_language():
    call = "np.pad(x, 1, mode='edge')"
    with speaking("ko"):
        korean = call_as_operator(call)
    assert korean == call_as_operator(call)
