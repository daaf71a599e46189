"""Movements compose, turn back and are compared as the arrays that they move."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz.base.errors import Error
from dmlviz.movement import Difference, Movement, Output
from tests.strategies import bits, each_operator, sizes


def movement(x, y):
    """Of one tensor to another, both of indices."""
    return Movement({"x": x.shape}, {"y": Output(y)})


@st.composite
def permutations(draw, shape):
    order = np.array(draw(st.permutations(range(int(np.prod(shape))))), np.int64)
    return Movement({"x": shape}, {"y": Output(order.reshape(shape))})


@each_operator(8)
def test_a_run_is_its_movement(run):
    operator, inputs = run
    trace = dmlviz.run(operator, inputs)
    values = {n: a for n, a in trace.inputs.items() if operator.role(n) == "values"}
    moved = trace.movement.moved(values)
    assert list(moved) == list(trace.copies)
    for name, output in moved.items():
        np.testing.assert_array_equal(bits(output), bits(trace.outputs[name]))


@given(st.data())
def test_composing_is_associative_and_an_inverse_undoes(data):
    shape = data.draw(sizes((1, 3)))
    a, b, c = (data.draw(permutations(shape)) for _k in range(3))
    assert a.then(b).then(c).same_as(a.then(b.then(c)))
    back = a.inverse()
    x = np.arange(a.count).reshape(shape)
    assert a.then(back).moved({"x": x})["x"].tolist() == x.tolist()


def test_composition_is_that_of_the_arrays():
    x = np.arange(6).reshape(2, 3)
    tiled = dmlviz.run(dmlviz.Tile((1, 2)), x).movement
    cut = dmlviz.run(dmlviz.Slice((0, 1), (2, 4), (1, 1)), np.tile(x, (1, 2))).movement
    both = tiled.then(cut)
    assert both.moved({"InputTensor": x})["OutputTensor"].tolist() == [[1, 2, 0, 1], [4, 5, 3, 4]]
    assert both.outputs["OutputTensor"].source.tolist() == [[1, 2, 0, 1], [4, 5, 3, 4]]


def test_constants_keep_their_own_values():
    x = np.int32([1, 2])
    nine = dmlviz.run(dmlviz.Padding("CONSTANT", (1,), (0,), 9), x).movement
    seven = dmlviz.run(dmlviz.Padding("CONSTANT", (0,), (1,), 7), np.int32([0, 0, 0])).movement
    both = nine.then(seven)
    assert both.moved({"InputTensor": x})["OutputTensor"].tolist() == [9, 1, 2, 7]
    assert both.outputs["OutputTensor"].source.tolist() == [-1, 0, 1, -1]
    other = dmlviz.run(dmlviz.Padding("CONSTANT", (0,), (1,), 8), np.int32([0, 0, 0])).movement
    assert both.first_difference(nine.then(other)) == Difference("OutputTensor", (3,), 1)


def test_the_first_difference():
    x = np.arange(6).reshape(2, 3)
    one, two = movement(x, np.rot90(x)), movement(x, np.rot90(x, -1))
    assert one.first_difference(two) == Difference("y", (0, 0), 6)
    assert one.first_difference(one) is None
    assert not one.same_as(movement(x, x))
    with pytest.raises(Error, match=r"sizes \{3, 2\} and \{2, 3\}"):
        one.first_difference(movement(x, x))


def test_what_cannot_be_undone():
    x = np.arange(2)
    assert movement(x, np.tile(x, 2)).inverse() is None
    assert movement(x, x[:1]).inverse() is None
    assert movement(x, np.array([0, -1])).inverse() is None


def test_several_outputs_and_inputs_are_wired_by_name():
    x = np.arange(4)
    parts = dmlviz.run(dmlviz.Split(0, (1, 3)), x).movement
    joined = dmlviz.run(
        dmlviz.Join(0), {"InputTensors[0]": np.zeros(3, int), "InputTensors[1]": np.zeros(1, int)}
    ).movement
    names = {"InputTensors[0]": "OutputTensors[1]", "InputTensors[1]": "OutputTensors[0]"}
    rolled = parts.then(joined, names)
    assert rolled.moved({"InputTensor": x})["OutputTensor"].tolist() == [1, 2, 3, 0]
    with pytest.raises(Error, match="no output of the first movement"):
        parts.then(joined)


def test_what_cannot_be_moved():
    x = np.arange(2)
    with pytest.raises(Error, match=r"x must be a tensor of sizes \{2\}"):
        movement(x, x).moved({"x": np.arange(3)})
    with pytest.raises(Error, match="without a source or a value"):
        movement(x, np.array([0, -1])).moved({"x": x})


def test_the_steps_are_the_indices_of_the_outermost_dimension():
    one = Output(np.arange(6).reshape(1, 3, 2))
    both = Movement({"x": (6,)}, {"y": one, "z": Output(np.array(2))})
    assert both.steps.step_of.tolist() == [0, 0, 1, 1, 2, 2, 3]
    assert [step.title for step in both.steps.steps] == [
        "y[:, 0, :]",
        "y[:, 1, :]",
        "y[:, 2, :]",
        "z",
    ]
    many = Movement({"x": (9,)}, {"y": Output(np.arange(9))})
    assert many.steps.step_of.tolist() == [*range(8), 7]
    assert many.steps.steps[-1].title == "The rest"
