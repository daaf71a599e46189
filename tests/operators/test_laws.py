"""What holds for every operator: output, source, formula and steps tell one story."""

import numpy as np
from hypothesis import given

import dmlviz
from tests.strategies import bits, runs


@given(runs())
def test_every_element_is_its_source(run):
    operator, x = run
    trace = dmlviz.run(operator, x)
    assert trace.output.dtype == x.dtype
    assert trace.output.shape == trace.source.shape == operator.output_sizes(x.shape)
    assert trace.agrees
    inside = trace.source >= 0
    np.testing.assert_array_equal(bits(x).ravel()[trace.source[inside]], bits(trace.output)[inside])
    assert (trace.output[~inside] == 3).all()


@given(runs())
def test_the_sums_of_sizes_are_the_outputs(run):
    operator, x = run
    sums = operator.size_sums(x.shape)
    for text, size in zip(sums, operator.output_sizes(x.shape), strict=True):
        assert int(text.rpartition(" = ")[2]) == size
        worked = text.partition(" = ")[0]
        for sign, python in {"·": "*", "/": "//", "div": "//", "−": "-"}.items():
            worked = worked.replace(sign, python)
        assert eval(worked, {"__builtins__": {}, "min": min}) == size


@given(runs())
def test_the_formula_says_the_same_as_the_engine(run):
    operator, x = run
    trace = dmlviz.run(operator, x)
    formula = operator.formula(x.shape)
    assert formula.output_sizes == trace.output.shape
    for at in np.ndindex(trace.output.shape):
        found = formula.locate(at)
        flat = -1 if found is None else int(np.ravel_multi_index(found, x.shape))
        assert flat == trace.source[at], at


@given(runs())
def test_every_element_lands_once_in_a_step_that_has_words(run):
    operator, x = run
    steps = operator.steps(x.shape)
    count = int(np.prod(operator.output_sizes(x.shape)))
    assert steps.step_of.shape == steps.via.shape == (count,)
    landed = np.bincount(steps.step_of, minlength=len(steps.steps))
    assert len(landed) == len(steps.steps)
    assert landed.all()
    assert all(step.title and step.caption for step in steps.steps)
    assert all("{" not in step.title + step.caption for step in steps.steps)


@given(runs())
def test_via_is_a_copy_of_the_same_element_that_is_there_by_then(run):
    operator, x = run
    source = dmlviz.run(operator, x).source.ravel()
    steps = operator.steps(x.shape)
    passed = np.flatnonzero(steps.via >= 0)
    through = steps.via[passed]
    np.testing.assert_array_equal(source[through], source[passed])
    assert (steps.step_of[through] <= steps.step_of[passed]).all()
    assert (through != passed).all()
