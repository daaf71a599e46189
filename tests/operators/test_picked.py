"""Operators that pick by index: what drives each element, and what DirectML reads beyond."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.operators.indices import INDICES, INPUT, from_front
from dmlviz.operators.picked import Picked, read_anyway
from tests.operators import recordings
from tests.strategies import several

PICKED = [cls for cls in OPERATORS if issubclass(cls, Picked)]
EACH = pytest.mark.parametrize("cls", PICKED, ids=lambda cls: cls.key)
BEYOND = [
    case
    for cls in PICKED
    for case in recordings.cases(
        recordings.own(cls.key),
        cls.operator_type,
        *(form.operator_type for form in cls.older_forms),
    )
    if case.get("note") == "out-of-range index"
]


def test_each_of_them_was_recorded_beyond():
    assert {recordings.operator_of(case).key for case in BEYOND} == {cls.key for cls in PICKED}


@pytest.mark.parametrize("case", BEYOND, ids=lambda case: case["id"])
def test_what_directml_reads_beyond(case):
    inputs, (due,) = recordings.tensors(case), recordings.tensors(case, "outputs").values()
    operator, x = recordings.operator_of(case), inputs[INPUT]
    read = read_anyway(operator.coordinates(inputs), x.shape)
    np.testing.assert_array_equal(x.ravel()[read], due)
    with pytest.raises(dmlviz.Refused, match="DirectML does not refuse it"):
        dmlviz.run(operator, inputs)


@EACH
@given(st.data())
def test_otherwise_directml_reads_what_the_rule_says(cls, data):
    operator, inputs = data.draw(several(cls))
    read = read_anyway(operator.coordinates(inputs), inputs[INPUT].shape)
    np.testing.assert_array_equal(read, dmlviz.run(operator, inputs).source)


@EACH
@given(st.data())
def test_drivers_are_the_indices_that_say_where_an_element_comes_from(cls, data):
    operator, inputs = data.draw(several(cls))
    sizes = {name: array.shape for name, array in inputs.items()}
    trace = dmlviz.run(operator, inputs)
    (driver,), indices = trace.drivers.values(), inputs[INDICES].ravel()
    source = np.unravel_index(trace.source, sizes[INPUT])
    along = operator.along(sizes)
    assert operator.driver_length(inputs) == len(along)
    for k, d in enumerate(along):
        due = from_front(indices[driver + k], sizes[INPUT][d])
        np.testing.assert_array_equal(source[d], due)


@EACH
@given(st.data())
def test_the_first_index_beyond_is_the_one_that_is_refused(cls, data):
    operator, inputs = data.draw(several(cls))
    last = inputs[INDICES].size - 1
    for cell in {0, last // 2, last}:
        wrong = inputs[INDICES].copy()
        wrong.flat[cell:] = 99
        (problem,) = operator.control_problems({**inputs, INDICES: wrong})
        at = ", ".join(map(str, np.unravel_index(cell, wrong.shape)))
        assert problem.message.startswith(f"IndicesTensor: 99 at [{at}] is outside ")
