import numpy as np
from hypothesis import given

from dmlviz import SpaceToDepth
from tests.one_input import moves
from tests.strategies import space_to_depths


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
