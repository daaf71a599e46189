"""A preset's state and what an engine makes of it, straight from the operator's folder."""

from types import SimpleNamespace

import numpy as np

import dmlviz
from dmlviz.operators import operator_class
from dmlviz.tensors import data_type, read_literal, start


def inputs_of(cls, opening):
    """The inputs by name that a page with this opening has."""
    if opening.operator is None:
        return cls.examples()[0].inputs
    first = cls.input_slots[0].names()[0]
    found = {first: _tensor(opening, opening.data_type)}
    for name, given in opening.more.items():
        assert not given.literal or given.values == "own"
        kind = given.data_type or opening.data_type
        found[name] = _tensor(given, kind)
        assert found[name].dtype == data_type(kind).dtype
    return found


def _tensor(given, kind):
    if given.literal:
        return read_literal(given.literal, kind, limit=1000).values.reshape(given.sizes)
    return start(given.values, given.sizes, kind)


def opened(key):
    """Every preset of an operator: its key, its question, its answer, its run."""
    cls = operator_class(key)
    for question in cls.teaching().presets():
        opening = question.opening
        operator = opening.operator or cls.examples()[0].operator
        inputs = inputs_of(cls, opening)
        refused = operator.refusals(inputs)
        preset = SimpleNamespace(
            operator=operator,
            second=opening.compare,
            x=next(iter(inputs.values())),
            refusal=refused[0].message if refused else "",
            trace=lambda operator=operator, inputs=inputs: dmlviz.run(operator, inputs),
            second_trace=lambda other=opening.compare, inputs=inputs: dmlviz.run(other, inputs),
        )
        yield question, question.tell(preset), None if refused else preset.trace()


def check(key, answers):
    """Each preset has its outputs, as nested lists by name or alone, and says its words.

    What is refused has None for its outputs.
    """
    found = list(opened(key))
    assert [question.key for question, _answer, _trace in found] == list(answers)
    for question, answer, trace in found:
        due, told = answers[question.key]
        assert question.question.endswith("?")
        assert "{" not in answer.replace("{", "", answer.count("}"))
        for words in told:
            assert words in answer, answer
        if due is None:
            assert trace is None
            continue
        only = operator_class(key).output_slots[0].name
        outputs = due if isinstance(due, dict) else {only: due}
        assert list(trace.outputs) == list(outputs)
        for name, values in outputs.items():
            np.testing.assert_array_equal(trace.outputs[name], values)
