import numpy as np
from hypothesis import given

import dmlviz
from dmlviz.operators.blocks import ORDERS
from tests.one_input import moves
from tests.strategies import space_to_depths


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


def test_the_help_of_the_order_says_what_the_engine_does():
    """2 channels of 2 by 2 to 8, and back."""
    numbers = np.repeat(np.arange(2.0, dtype=np.float32), 4).reshape(1, 2, 2, 2)
    deep = np.arange(8.0, dtype=np.float32).reshape(1, 8, 1, 1)
    (to_depth,) = (one for one in dmlviz.SpaceToDepth.parameters() if one.name == "order")
    (to_space,) = (one for one in dmlviz.DepthToSpace.parameters() if one.name == "order")
    for order in ORDERS:
        for setting, operator, x in (
            (to_depth, dmlviz.SpaceToDepth(2, order), numbers),
            (to_space, dmlviz.DepthToSpace(2, order), deep),
        ):
            taken = dmlviz.run(operator, x).output.ravel()[:4].astype(int).tolist()
            words = " and ".join(", ".join(map(str, taken)).rsplit(", ", 1))
            assert f"{words} with {order}" in setting.help
