import numpy as np
import pytest

import dmlviz
from dmlviz.engines import Ran, engine
from tests.strategies import named


def test_it_is_here():
    (found,) = [e for e in dmlviz.engines() if e.name == "numpy"]
    assert found.available
    assert found.reason == ""
    assert found.title == "NumPy"
    assert np.__version__ in found.detail


@pytest.mark.parametrize("form", ["", "native", "lowered"])
def test_it_runs_the_operators_rule(form):
    x = np.arange(6).reshape(2, 3)
    ran = engine("numpy").run(dmlviz.Tile((1, 2)), named(x), form)
    assert isinstance(ran, Ran)
    np.testing.assert_array_equal(ran.output, [[0, 1, 2, 0, 1, 2], [3, 4, 5, 3, 4, 5]])
    assert (ran.provider, ran.nodes, ran.form) == ("NumPy", ("Tile",), "native")
    assert ran.seconds >= 0


def test_indices_are_whole_numbers():
    x = np.arange(3, dtype=np.float32)
    assert engine("numpy").index_type(dmlviz.Tile((2,)), named(x)) == "INT64"
