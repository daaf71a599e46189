"""Operators that write: which update stays, and what is said where several meet."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.operators.indices import INDICES, INPUT
from dmlviz.operators.writers import Written
from dmlviz.tensors import data_type_of
from dmlviz.tensors.numbering import print_flat_index
from tests.strategies import bits, several

WRITTEN = [cls for cls in OPERATORS if issubclass(cls, Written)]
EACH = pytest.mark.parametrize("cls", WRITTEN, ids=lambda cls: cls.key)


def meeting(data, cls):
    """An operator with inputs of which some updates can have the same place."""
    operator, inputs = data.draw(several(cls))
    indices = inputs[INDICES].copy()
    same = data.draw(st.lists(st.integers(0, indices.size - 1), max_size=4))
    indices.flat[same] = 0
    return operator, {**inputs, INDICES: indices}


def test_there_are_some():
    assert {"scatter", "max-unpooling"} <= {cls.key for cls in WRITTEN}


@EACH
@given(st.data())
def test_the_numpy_rule_is_what_the_places_give(cls, data):
    operator, inputs = meeting(data, cls)
    (output,) = operator.evaluate(inputs).values()
    due = operator.written(inputs)
    assert output.dtype == due.dtype == inputs[INPUT].dtype
    np.testing.assert_array_equal(bits(output), bits(due))
    constant = operator.padding(data_type_of(output.dtype))
    assert constant is None or (operator.before(inputs) == constant).all()


@EACH
@given(st.data())
def test_the_last_update_of_a_place_stays_and_is_its_driver(cls, data):
    operator, inputs = meeting(data, cls)
    trace = dmlviz.run(operator, inputs)
    (driver,), source = trace.drivers.values(), trace.source
    places, last = operator.places(inputs), np.full(source.shape, -1)
    assert places.shape == (inputs[operator.updates].size,)
    for k, place in enumerate(places):
        last.flat[place] = k
    # so many updates are written by one index, or by one tuple of indices
    each = places.size * operator.driver_length(inputs) // inputs[INDICES].size
    due = np.where(last < 0, -1, last // each * operator.driver_length(inputs))
    np.testing.assert_array_equal(driver, due)
    first = 0 if operator.updates == INPUT else inputs[INPUT].size
    written = driver >= 0
    np.testing.assert_array_equal(source[written], first + last[written])
    before = operator.before({**inputs, INPUT: np.arange(inputs[INPUT].size)}).ravel()
    due = before if operator.padding(trace.data_type) is None else np.full(source.size, -1)
    np.testing.assert_array_equal(source[~written], due.reshape(source.shape)[~written])


@EACH
@given(st.data())
def test_remarks_name_every_update_of_a_place_and_steps_say_that_there_are_several(cls, data):
    operator, inputs = meeting(data, cls)
    (out,) = operator.outputs_after({n: array.shape for n, array in inputs.items()}).values()
    places, updates = operator.places(inputs), inputs[operator.updates].shape
    steps = operator.moves(inputs)
    for place in {0, *places.tolist()[:3], int(np.prod(out)) - 1}:
        writers = np.flatnonzero(places == place).tolist()
        told = " ".join(operator.remarks(inputs, np.unravel_index(place, out)))
        step = steps.steps[steps.step_of[place]]
        assert f"out{print_flat_index(place, out)}" in told
        assert ("o index names" in told) == (not writers)
        assert ("undefined" in told) == (len(writers) > 1)
        for k in writers[:3]:
            assert print_flat_index(k, updates) in told
        if writers and "– " not in step.title:
            assert ("undefined" in step.caption) == (len(writers) > 1)
    if steps.before is not None:
        contested = [k for k in range(steps.step_of.size) if (places == k).sum() > 1]
        assert steps.contested.tolist() == contested
        # the whole input comes first, and stays where no update covers it
        (driver,) = operator.drivers(inputs).values()
        due = np.where(driver.ravel() < 0, -1, np.arange(driver.size))
        np.testing.assert_array_equal(steps.before, due)
