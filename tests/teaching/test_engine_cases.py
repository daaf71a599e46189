"""The runs on the engines page."""

import pytest

import dmlviz
from dmlviz.teaching.presets import engine_cases
from tests.operators import recordings

CASES = {case.key: case for case in engine_cases()}


def test_their_keys_differ():
    assert len(CASES) == len(engine_cases())


@pytest.mark.parametrize("key", CASES)
@pytest.mark.parametrize("engine", recordings.ENGINES)
def test_engines_agree(key, engine):
    assert dmlviz.run(CASES[key].operator, CASES[key].inputs, engine).agrees
