import numpy as np
from hypothesis import given

import dmlviz
from dmlviz import DepthToSpace
from tests.one_input import applied, moves
from tests.strategies import depth_to_spaces


def test_the_first_order_is_the_default():
    assert DepthToSpace(3).order == "DEPTH_COLUMN_ROW"
    assert DepthToSpace(3).output_sizes((2, 45, 7, 11)) == (2, 5, 21, 33)


def test_steps_name_the_channels_that_land_there():
    first = moves(DepthToSpace(2), (1, 8, 2, 3))
    assert [step.title for step in first.steps] == [
        f"Place {place} in every block" for place in ("[0, 0]", "[0, 1]", "[1, 0]", "[1, 1]")
    ]
    assert first.steps[1].caption == (
        "From channels 2 and 3: 12 elements land at row 0, column 1 of their 2 by 2 blocks."
    )
    assert first.step_of.reshape(2, 4, 6)[1, 2:, 2:4].tolist() == [[0, 1], [2, 3]]
    second = moves(DepthToSpace(2, "COLUMN_ROW_DEPTH"), (1, 8, 2, 3))
    assert second.steps[1].caption.startswith("From channels 1 and 5: 12 elements")


@given(depth_to_spaces())
def test_the_channels_of_a_caption_are_those_that_the_step_moves(run):
    operator, x = run
    steps = moves(operator, x.shape)
    source = dmlviz.run(operator, x).source.ravel()
    for number, step in enumerate(steps.steps):
        channels = np.unravel_index(source[steps.step_of == number], x.shape)[1]
        listed = sorted(set(channels.tolist()))
        words = " and ".join(", ".join(map(str, listed)).rsplit(", ", 1))
        assert step.caption.startswith(f"From channel{'s' * (len(listed) > 1)} {words}: ")


def test_explain_both_orders():
    assert DepthToSpace(2).explain((1, 8, 2, 3), (0, 1, 3, 2)).splitlines() == [
        "out[n, c, h, w] = in[n, (h mod 2) · 4 + (w mod 2) · 2 + c, h div 2, w div 2]",
        "out[0, 1, 3, 2] = in[0, (3 mod 2) · 4 + (2 mod 2) · 2 + 1, 3 div 2, 2 div 2]"
        " = in[0, 5, 1, 1]",
    ]
    assert "in[n, c · 4 + (h mod 2) · 2 + (w mod 2), " in DepthToSpace(
        2, "COLUMN_ROW_DEPTH"
    ).explain((1, 8, 2, 3), (0, 0, 0, 0))


def test_a_picture_comes_out_whole_in_the_first_order_only():
    def draw(sizes):
        return np.arange(np.prod(sizes)).reshape(sizes)

    stored = DepthToSpace(2).picture_input((1, 8, 3, 5), draw)
    np.testing.assert_array_equal(applied(DepthToSpace(2), stored), draw((1, 2, 6, 10)))
    other = DepthToSpace(2, "COLUMN_ROW_DEPTH")
    np.testing.assert_array_equal(other.picture_input((1, 8, 3, 5), draw), stored)
    assert not np.array_equal(applied(other, stored), draw((1, 2, 6, 10)))
