"""What an operator is compared with first: possible on the same inputs, or itself."""

import numpy as np
import pytest

from dmlviz import Gather, Join, Padding, Split
from dmlviz.operators import OPERATORS
from dmlviz.operators.base import alternative_on


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_an_alternative_is_possible_or_the_operator_itself(cls):
    for example in cls.examples():
        other = alternative_on(example.operator, example.inputs)
        assert other == example.operator or not other.refusals(example.inputs)


@pytest.mark.parametrize(
    ("cls", "number", "due"),
    [
        (Gather, 0, Gather(0, 1)),
        (Gather, 2, Gather(0, 1)),
        (Gather, 4, Gather(1, 3)),
        (Join, 0, Join(3)),
        (Join, 1, Join(0)),
        (Split, 0, Split(2, (3, 1, 2))),
        (Split, 1, Split(3, (1, 1))),
    ],
)
def test_other_settings_take_the_place_of_one_that_is_refused(cls, number, due):
    example = cls.examples()[number]
    assert alternative_on(example.operator, example.inputs) == due


def test_where_the_inputs_are_refused_anyway_it_is_the_usual_one():
    inputs = Join.examples()[0].inputs
    assert alternative_on(Join(1), inputs) == Join(1).alternative()
    assert alternative_on(Gather(1, 1), {}) == Gather(0, 1)


def test_a_setting_that_shows_no_difference_is_passed_over():
    inputs = {"InputTensor": np.full((1, 3), 5.0, np.float32)}
    operator = Padding("EDGE", (0, 0), (0, 1))
    usual = operator.alternative()
    assert np.array_equal(*(o.evaluate(inputs)["OutputTensor"] for o in (operator, usual)))
    other = alternative_on(operator, inputs)
    assert other.evaluate(inputs)["OutputTensor"].tolist() == [[5, 5, 5, 0]]
