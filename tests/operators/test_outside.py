"""Operators that pick or write by index: indices outside, and what drives each element."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz.operators import OPERATORS
from dmlviz.operators.indices import (
    INDICES,
    INPUT,
    UPDATES,
    from_front,
    read_anyway,
    written_anyway,
)
from dmlviz.operators.picked import Picked
from dmlviz.teaching.presets import presets_of
from tests.operators import recordings
from tests.strategies import several

PICKED = [cls for cls in OPERATORS if issubclass(cls, Picked)]
WRITTEN = [dmlviz.Scatter, dmlviz.ScatterND]
RECORDED = [
    case
    for cls in (*PICKED, *WRITTEN)
    for case in recordings.cases(
        recordings.own(cls.key),
        cls.operator_type,
        *(form.operator_type for form in cls.older_forms),
    )
    if case.get("note") == "out-of-range index"
]


def each(classes):
    return pytest.mark.parametrize("cls", classes, ids=lambda cls: cls.key)


def test_outside_was_recorded():
    keys = [recordings.operator_of(case).key for case in RECORDED]
    assert set(keys) == {cls.key for cls in PICKED} | {"scatter-nd"}


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["id"])
def test_what_directml_reads_and_writes_outside(case):
    inputs, (due,) = recordings.tensors(case), recordings.tensors(case, "outputs").values()
    operator, x = recordings.operator_of(case), inputs[INPUT]
    coordinates = operator.coordinates(inputs)
    if isinstance(operator, Picked):
        np.testing.assert_array_equal(x.ravel()[read_anyway(coordinates, x.shape)], due)
    else:
        at, out = written_anyway(coordinates, x.shape).ravel(), x.ravel().copy()
        assert (at < 0).any()
        out[at[at >= 0]] = inputs[UPDATES].ravel()[at >= 0]
        np.testing.assert_array_equal(out.reshape(due.shape), due)
    with pytest.raises(dmlviz.Refused, match="DirectML does not refuse it"):
        dmlviz.run(operator, inputs)


@pytest.mark.parametrize(
    ("preset", "recorded"),
    [
        ("gather-64-bits", "gather-indices-uint64-beyond-32-bits"),
        ("gather-nd-64-bits", "gather-nd-indices-int64-beyond-32-bits"),
        ("scatter-nd-dropped", "scatter-nd-out-of-range"),
    ],
)
def test_a_preset_is_what_was_recorded(preset, recorded):
    [case] = [case for case in RECORDED if case["id"] == recorded]
    inputs = next(p for p in presets_of(recordings.operator_of(case).key) if p.key == preset).inputs
    for name, due in recordings.tensors(case).items():
        np.testing.assert_array_equal(inputs[name], due, strict=True)


@each(PICKED)
@given(st.data())
def test_otherwise_directml_reads_what_the_rule_says(cls, data):
    operator, inputs = data.draw(several(cls))
    read = read_anyway(operator.coordinates(inputs), inputs[INPUT].shape)
    np.testing.assert_array_equal(read, dmlviz.run(operator, inputs).source)


@each(WRITTEN)
@given(st.data())
def test_otherwise_directml_writes_where_the_rule_says(cls, data):
    operator, inputs = data.draw(several(cls))
    x, updates = inputs[INPUT], inputs[UPDATES]
    at = written_anyway(operator.coordinates(inputs), x.shape)
    source = dmlviz.run(operator, inputs).source.ravel()
    np.testing.assert_array_equal(source[at].ravel(), x.size + np.arange(updates.size))


@each(PICKED)
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


@each((*PICKED, *WRITTEN))
@given(st.data())
def test_the_first_index_outside_is_the_one_that_is_refused(cls, data):
    operator, inputs = data.draw(several(cls))
    last = inputs[INDICES].size - 1
    for cell in {0, last // 2, last}:
        wrong = inputs[INDICES].copy()
        wrong.flat[cell:] = 99
        (problem,) = operator.control_problems({**inputs, INDICES: wrong})
        at = ", ".join(map(str, np.unravel_index(cell, wrong.shape)))
        assert problem.message.startswith(f"IndicesTensor: 99 at [{at}] is outside ")


@pytest.mark.parametrize(
    ("indices", "end"),
    [
        ([[5, 0, 0]], "is read."),
        ([[5, 0, -6], [1, 9, 2]], " Also outside: -6 at [0, 2], 9 at [1, 1]."),
        ([[5, 7, -6], [1, 9, 2]], " Also outside: 7 at [0, 1], -6 at [0, 2], and 1 more."),
    ],
)
def test_all_indices_outside_are_named(indices, end):
    inputs = {"InputTensor": np.zeros((5, 3)), "IndicesTensor": np.array(indices, np.int32)}
    (problem,) = dmlviz.GatherElements(0).control_problems(inputs)
    assert problem.message.endswith(end)
