import numpy as np
import pytest

import dmlviz
from dmlviz.engines import engine


def test_it_is_here():
    (found,) = [e for e in dmlviz.engines() if e.name == "numpy"]
    assert found.available
    assert found.reason == ""
    assert found.title == "NumPy"
    assert np.__version__ in found.detail


def test_it_runs_the_operators_rule():
    x = np.arange(6).reshape(2, 3)
    np.testing.assert_array_equal(
        engine("numpy").run(dmlviz.Tile((1, 2)), x), [[0, 1, 2, 0, 1, 2], [3, 4, 5, 3, 4, 5]]
    )


@pytest.mark.parametrize("name", ["tensorflow", "", "NumPy", None, 3, ["numpy"]])
def test_engines_that_do_not_exist(name):
    with pytest.raises(dmlviz.EngineUnavailable, match=r"not one of the engines.*numpy") as caught:
        dmlviz.run(dmlviz.Tile((1,)), np.zeros(1), engine=name)
    assert caught.value.field == "engine"


def test_every_engine_that_is_not_here_says_why():
    for found in dmlviz.engines():
        assert found.title
        assert found.available == (not found.reason)
        if not found.available:
            with pytest.raises(dmlviz.EngineUnavailable, match="engine: "):
                engine(found.name)
