import numpy as np
from hypothesis import given

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
