"""What holds for every operator: outputs, sources, formulas and steps tell one story."""

import math

import numpy as np

import dmlviz
from dmlviz.movement import CONTROL
from dmlviz.operators.mapped import Mapped
from dmlviz.tensors import DATA_TYPES, data_type_of
from tests.strategies import bits, each_operator


def values(operator, inputs, like):
    """The elements that travel, one tensor after the other, as bits; none without inputs."""
    found = [bits(a).ravel() for n, a in inputs.items() if operator.role(n) != CONTROL]
    return np.concatenate([np.zeros(0, bits(like).dtype), *found])


def sizes_of(inputs):
    return {name: array.shape for name, array in inputs.items()}


@each_operator(8)
def test_every_element_is_its_source(run):
    operator, inputs = run
    trace = dmlviz.run(operator, inputs)
    due = operator.outputs_after(sizes_of(inputs))
    assert list(trace.outputs) == list(trace.sources) == list(due)
    assert trace.agrees
    for name, output in trace.outputs.items():
        source = trace.sources[name]
        assert output.dtype == DATA_TYPES[operator.output_type(name, trace.data_type)].dtype
        assert output.shape == source.shape == due[name]
        inside = source >= 0
        if name in operator.index_slots():
            told = operator.index_values(name, source, inputs)
            np.testing.assert_array_equal(output, told.astype(output.dtype))
            continue
        assert trace.data_type == data_type_of(output.dtype)
        np.testing.assert_array_equal(
            values(operator, inputs, output)[source[inside]], bits(output)[inside]
        )
        constants = operator.constants(name, output.shape, trace.data_type)
        if constants is None:
            assert inside.all()
        else:
            assert (bits(output)[~inside] == bits(np.array(constants))[~inside]).all()


@each_operator(8)
def test_the_numpy_rule_is_what_the_map_gives(run):
    operator, inputs = run
    if isinstance(operator, Mapped):
        (output,) = operator.evaluate(inputs).values()
        copied = operator.copied(inputs)
        assert output.dtype == copied.dtype
        np.testing.assert_array_equal(bits(output), bits(copied))


@each_operator(8)
def test_drivers_are_elements_of_the_control_input(run):
    operator, inputs = run
    drivers = dmlviz.run(operator, inputs).drivers
    controls = [array for name, array in inputs.items() if operator.role(name) == CONTROL]
    assert bool(drivers) == bool(controls)
    for name, driver in drivers.items():
        assert driver.shape == operator.outputs_after(sizes_of(inputs))[name]
        assert driver.dtype == np.int64
        assert driver.min() >= -1
        assert driver.max() < controls[0].size


@each_operator(8)
def test_the_sums_of_sizes_are_the_outputs(run):
    operator, inputs = run
    outputs = operator.outputs_after(sizes_of(inputs))
    sums = operator.sums(sizes_of(inputs))
    assert list(sums) == list(outputs)
    for name, calculations in sums.items():
        for each, size in zip(calculations, outputs[name], strict=True):
            assert each.value == size
            assert int(each.equation.rpartition(" = ")[2]) == size
            worked = str(each)
            for sign, python in {"·": "*", "/": "//", "div": "//", "−": "-"}.items():
                worked = worked.replace(sign, python)
            assert (
                eval(worked, {"__builtins__": {}, "min": min, "max": max, "floor": math.floor})
                == size
            )


@each_operator(8)
def test_the_formulas_say_the_same_as_the_engine(run):
    operator, inputs = run
    trace = dmlviz.run(operator, inputs)
    first = {}
    for name in inputs:
        if operator.role(name) != CONTROL:
            first[name] = sum(a.size for n, a in inputs.items() if n in first)
    for output, formulas in operator.formulas(inputs).items():
        assert all(formula.output_sizes == trace.outputs[output].shape for formula in formulas)
        if not formulas:
            # remarks say it instead, element by element
            at = tuple(n - 1 for n in trace.outputs[output].shape)
            assert operator.remarks(inputs, at)
            continue
        for at in np.ndindex(trace.outputs[output].shape):
            [formula] = [f for f in formulas if f.holds(at)]
            found = formula.locate(at)
            # where there are several, the formula says which
            tensor = formula.tensor if formula.tensor in first else next(iter(first))
            assert formula.sizes == inputs[tensor].shape
            flat = -1
            if found is not None:
                flat = first[tensor] + int(np.ravel_multi_index(found, formula.sizes))
            assert flat == trace.sources[output][at], at


@each_operator(8)
def test_every_element_lands_once_in_a_step_that_has_words(run):
    operator, inputs = run
    steps = operator.moves(inputs)
    count = sum(map(math.prod, operator.outputs_after(sizes_of(inputs)).values()))
    assert steps.step_of.shape == steps.via.shape == (count,)
    landed = np.bincount(steps.step_of, minlength=len(steps.steps))
    assert len(landed) == len(steps.steps)
    # what comes first and is covered later lands nowhere for good
    assert landed[0 if steps.before is None else 1 :].all()
    assert all(step.title and step.caption for step in steps.steps)
    assert all("{" not in step.title + step.caption for step in steps.steps)


@each_operator(8)
def test_via_is_a_copy_of_the_same_element_that_is_there_by_then(run):
    operator, inputs = run
    sources = dmlviz.run(operator, inputs).sources
    source = np.concatenate([found.ravel() for found in sources.values()])
    steps = operator.moves(inputs)
    passed = np.flatnonzero(steps.via >= 0)
    through = steps.via[passed]
    np.testing.assert_array_equal(source[through], source[passed])
    assert (steps.step_of[through] <= steps.step_of[passed]).all()
    assert (through != passed).all()


@each_operator(8)
def test_no_misreading_is_the_truth_or_another(run):
    operator, inputs = run
    trace = dmlviz.run(operator, inputs)
    truth = np.concatenate([source.ravel() for source in trace.sources.values()])
    several = len(operator.output_slots) > 1 or operator.output_slots[0].most > 0
    due = operator.outputs_after(sizes_of(inputs))
    count = sum(a.size for name, a in inputs.items() if operator.role(name) != CONTROL)
    misreadings = operator.misreadings(inputs)
    assert len({m.key for m in misreadings}) == len(misreadings)
    answers = {(tuple(due.items()), truth.tobytes())}
    for found in misreadings:
        sizes = found.output_sizes if several else {next(iter(due)): found.output_sizes}
        assert sum(map(math.prod, sizes.values())) == found.source.size
        assert sizes != due or not np.array_equal(found.source, truth), found.key
        assert found.source.dtype == np.int64
        assert -1 <= found.source.min() <= found.source.max() < count
        assert not found.source.flags.writeable
        assert found.words.startswith("That ")
        assert found.words.endswith(".")
        assert "{d" not in found.words
        answers.add((tuple(sizes.items()), found.source.tobytes()))
    assert len(answers) == len(misreadings) + 1
