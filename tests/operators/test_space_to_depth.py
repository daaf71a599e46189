import numpy as np
from hypothesis import given

import dmlviz
from dmlviz import DepthToSpace, SpaceToDepth
from tests.one_input import moves
from tests.strategies import bits, space_to_depths

DUE = np.array(
    [
        [
            [[0, 1, 2], [3, 4, 5]],
            [[9, 10, 11], [12, 13, 14]],
            [[18, 19, 20], [21, 22, 23]],
            [[27, 28, 29], [30, 31, 32]],
            [[36, 37, 38], [39, 40, 41]],
            [[45, 46, 47], [48, 49, 50]],
            [[54, 55, 56], [57, 58, 59]],
            [[63, 64, 65], [66, 67, 68]],
        ]
    ],
    np.uint32,
)


def test_documentation_example_1():
    x = [
        [
            [0, 18, 1, 19, 2, 20],
            [36, 54, 37, 55, 38, 56],
            [3, 21, 4, 22, 5, 23],
            [39, 57, 40, 58, 41, 59],
        ],
        [
            [9, 27, 10, 28, 11, 29],
            [45, 63, 46, 64, 47, 65],
            [12, 30, 13, 31, 14, 32],
            [48, 66, 49, 67, 50, 68],
        ],
    ]
    out = dmlviz.run(SpaceToDepth(2, "DEPTH_COLUMN_ROW"), np.array([x], np.uint32)).output
    np.testing.assert_array_equal(out, DUE, strict=True)


def test_documentation_example_2():
    x = [
        [
            [0, 9, 1, 10, 2, 11],
            [18, 27, 19, 28, 20, 29],
            [3, 12, 4, 13, 5, 14],
            [21, 30, 22, 31, 23, 32],
        ],
        [
            [36, 45, 37, 46, 38, 47],
            [54, 63, 55, 64, 56, 65],
            [39, 48, 40, 49, 41, 50],
            [57, 66, 58, 67, 59, 68],
        ],
    ]
    out = dmlviz.run(SpaceToDepth(2, "COLUMN_ROW_DEPTH"), np.array([x], np.uint32)).output
    np.testing.assert_array_equal(out, DUE, strict=True)


def test_sizes_are_those_of_the_examples_and_not_of_the_page():
    assert SpaceToDepth(3).output_sizes((2, 5, 21, 33)) == (2, 45, 7, 11)


def test_steps_name_the_channels_that_are_filled():
    first = moves(SpaceToDepth(2), (1, 2, 4, 6))
    assert [step.title for step in first.steps] == [
        f"Place {place} in every block" for place in ("[0, 0]", "[0, 1]", "[1, 0]", "[1, 1]")
    ]
    assert first.steps[2].caption == (
        "Row 1, column 0 of every 2 by 2 block: 12 elements land in channels 4 and 5."
    )
    assert first.step_of.reshape(8, 6)[:, 0].tolist() == [0, 0, 1, 1, 2, 2, 3, 3]
    second = moves(SpaceToDepth(2, "COLUMN_ROW_DEPTH"), (1, 2, 4, 6))
    assert second.steps[2].caption.endswith("land in channels 2 and 6.")
    assert second.step_of.reshape(8, 6)[:, 0].tolist() == [0, 1, 2, 3, 0, 1, 2, 3]


@given(space_to_depths())
def test_the_channels_of_a_caption_are_those_that_the_step_fills(run):
    operator, x = run
    steps = moves(operator, x.shape)
    out = operator.output_sizes(x.shape)
    for number, step in enumerate(steps.steps):
        channels = np.unravel_index(np.flatnonzero(steps.step_of == number), out)[1]
        listed = sorted(set(channels.tolist()))
        words = " and ".join(", ".join(map(str, listed)).rsplit(", ", 1))
        assert step.caption.endswith(f" in channel{'s' * (len(listed) > 1)} {words}.")


def test_explain_both_orders():
    assert SpaceToDepth(2).explain((1, 2, 4, 6), (0, 5, 1, 2)).splitlines() == [
        "out[n, c, h, w] = in[n, c mod 2, h · 2 + (c div 4), w · 2 + ((c div 2) mod 2)]",
        "out[0, 5, 1, 2] = in[0, 5 mod 2, 1 · 2 + (5 div 4), 2 · 2 + ((5 div 2) mod 2)]"
        " = in[0, 1, 3, 4]",
    ]
    other = SpaceToDepth(2, "COLUMN_ROW_DEPTH").explain((1, 2, 4, 6), (0, 5, 1, 2))
    assert other.endswith(" = in[0, 1, 2, 5]")


@given(space_to_depths())
def test_depth_to_space_undoes_it(run):
    operator, x = run
    there = dmlviz.run(operator, x).output
    back = dmlviz.run(DepthToSpace(operator.block_size, operator.order), there).output
    np.testing.assert_array_equal(bits(back), bits(x), strict=True)
