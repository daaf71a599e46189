import numpy as np
import pytest
from hypothesis import given

import dmlviz
from dmlviz import Tile
from tests.strategies import bits, tiles


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
