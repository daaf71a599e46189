import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import Tile
from tests.strategies import bits, named, tiles


def test_each_dimension_has_its_own_repeat():
    x = np.arange(30).reshape(2, 3, 5)
    out = dmlviz.run(Tile((7, 1, 2)), x).output
    assert out.shape == (14, 3, 10)
    assert out[13, 2, 9] == x[1, 2, 4]
    assert out[12, 0, 5] == x[0, 0, 0]


def test_steps_of_the_documentation_example():
    steps = Tile((1, 1, 3, 3)).moves(named(np.zeros((1, 1, 2, 3))))
    assert [step.title for step in steps.steps] == [
        "The input itself",
        "Dimension 3: copy 2 of 3",
        "Dimension 3: copy 3 of 3",
        "Dimension 2: copy 2 of 3",
        "Dimension 2: copy 3 of 3",
    ]
    assert [step.caption for step in steps.steps] == [
        "The 6 elements of the input keep their places: copy 1 of 9.",
        "Repeats[3] is 3: 6 elements land again, at indices 3 to 5 of dimension 3.",
        "Repeats[3] is 3: 6 elements land again, at indices 6 to 8 of dimension 3.",
        "Repeats[2] is 3: 18 elements land again, at indices 2 to 3 of dimension 2.",
        "Repeats[2] is 3: 18 elements land again, at indices 4 to 5 of dimension 2.",
    ]
    assert steps.step_of.reshape(6, 9)[::2, ::3].tolist() == [[0, 1, 2], [3, 3, 3], [4, 4, 4]]


def test_the_ninth_copy_lands_with_all_further_ones():
    steps = Tile((100,)).moves(named(np.zeros((1,))))
    assert len(steps.steps) == 8
    assert np.bincount(steps.step_of).tolist() == [1, 1, 1, 1, 1, 1, 1, 93]
    assert steps.steps[-1].title == "Dimension 0: copies 8 to 100"
    assert "93 elements land again, at indices 7 to 99" in steps.steps[-1].caption


def test_explain():
    assert Tile((2, 3)).explain((5, 7), (9, 20)) == (
        "out[h, w] = in[h mod 5, w mod 7]\nout[9, 20] = in[9 mod 5, 20 mod 7] = in[4, 6]"
    )
    assert Tile((1,)).explain((2,), (1,)) == "out[w] = in[w]\nout[1] = in[1]"


@pytest.mark.parametrize("index", [(10, 0), (0, -1), (0,), (0, 0, 0)])
def test_explain_of_an_element_that_is_not_there(index):
    with pytest.raises(dmlviz.Error, match="not an element"):
        Tile((2, 3)).explain((5, 7), index)


@given(tiles())
def test_every_copy_is_the_input(run):
    operator, x = run
    out = bits(dmlviz.run(operator, x).output)
    for copy in np.ndindex(operator.repeats):
        block = tuple(slice(k * n, (k + 1) * n) for k, n in zip(copy, x.shape, strict=True))
        np.testing.assert_array_equal(out[block], bits(x))
