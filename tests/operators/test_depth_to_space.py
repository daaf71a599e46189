import numpy as np
from hypothesis import given

import dmlviz
from dmlviz import DepthToSpace
from tests.one_input import applied, moves
from tests.strategies import depth_to_spaces


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


def test_a_picture_comes_out_whole_in_the_first_order_only():
    def draw(sizes):
        return np.arange(np.prod(sizes)).reshape(sizes)

    stored = DepthToSpace(2).picture_input((1, 8, 3, 5), draw)
    np.testing.assert_array_equal(applied(DepthToSpace(2), stored), draw((1, 2, 6, 10)))
    other = DepthToSpace(2, "COLUMN_ROW_DEPTH")
    np.testing.assert_array_equal(other.picture_input((1, 8, 3, 5), draw), stored)
    assert not np.array_equal(applied(other, stored), draw((1, 2, 6, 10)))
