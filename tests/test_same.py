"""Calls that are an operator whatever its indices are, before those that its indices make equal."""

import numpy as np
import pytest

import dmlviz
from dmlviz.code import read
from dmlviz.code.dialects import DIALECTS, LIBRARY_KEYS
from dmlviz.engines.trace import run
from dmlviz.live.below import SECTIONS
from dmlviz.movement import VALUES
from dmlviz.operators import OPERATORS
from dmlviz.operators.gather import Gather
from dmlviz.operators.tile import Tile
from dmlviz.states.pages import read_any_link
from dmlviz.states.same import same_by_reach, same_of
from tests.every import every

WITH_INDICES = [
    (cls, example)
    for cls in OPERATORS
    for example in cls.examples()
    if len({cls.role(name) for name in example.inputs}) > 1
]


def control_of(operator, inputs):
    (name,) = (name for name in inputs if operator.role(name) != VALUES)
    return name


@every(("cls", "example"), WITH_INDICES, ids=str)
def test_a_call_of_the_operator_is_the_same_with_other_indices(cls, example):
    inputs, control = example.inputs, control_of(cls, example.inputs)
    trace = run(example.operator, inputs)
    # the same numbers in another order are indices that the operator takes
    others = inputs[control].ravel()[::-1].reshape(inputs[control].shape)
    due = run(example.operator, inputs | {control: others})
    for one in same_of(trace):
        if one.kind != "call":
            continue
        state = read_any_link(one.link).state
        arrays = state.arrays()
        name = next(n for n in arrays if n not in ("x", "values", "updates"))
        arrays[name] = others.astype(np.int64)
        chain = read(state.code, {n: x.shape for n, x in arrays.items()}, arrays, one.library)
        (output,) = chain.outputs.values()
        (source,) = due.sources.values()
        assert np.array_equal(np.maximum(chain.maps[output], -1), source), one.text


def rows_of_a_table(*indices):
    inputs = {
        "InputTensor": np.arange(1, 7, dtype=np.float32).reshape(3, 2),
        "IndicesTensor": np.array([indices], np.int64),
    }
    return run(Gather(0, 1), inputs)


def test_what_only_these_indices_make_equal_comes_later():
    trace = rows_of_a_table(2, 1, 0)
    (first, calls), (second, others) = same_by_reach(trace, same_of(trace))
    assert first == "The same for every IndicesTensor:"
    assert second == "Only with the IndicesTensor on screen:"
    assert {one.library for one in calls} == {
        LIBRARY_KEYS[name] for name in DIALECTS if name not in ("directml", "einops")
    }
    assert calls[0].text == "np.take(x, indices.reshape((3,)), axis=0)"
    assert "x[::-1]" in [one.text for one in others]
    assert not {one.text for one in calls} & {one.text for one in others}


def test_what_only_the_values_of_code_make_equal_says_so():
    trace = dmlviz.code("np.where(x > 0, x[::-1], x)", x=np.arange(1, 7).reshape(2, 3))
    ((words, _every),) = same_by_reach(trace, same_of(trace))
    assert words == "Only with the x on screen:"
    trace = dmlviz.code("np.take(x, i, axis=0)", x=(3, 4), i=np.array([2, 0, 2]))
    (every, _only) = same_by_reach(trace, same_of(trace))
    assert every[0] == "The same for every i:"
    assert every[1][0].text == "Gather(axis=0, index_dimensions=1)"


def reaches(code, library="numpy", **tensors):
    trace = dmlviz.code(code, library=library, **tensors)
    return {
        words: [str(one) for one in every] for words, every in same_by_reach(trace, same_of(trace))
    }


def test_how_far_it_holds_is_said():
    strided = "Strided(input_tensor_sizes=(1, 2, 2, 1), input_tensor_strides=(0, 2, 1, 0))"
    assert list(reaches("x.permute(0, 2, 3, 1)", "torch", x=(1, 1, 2, 2)).items()) == [
        ("The same with other sizes too:", ["x.permute(0, 2, 3, 1)", "channels_last"]),
        ("Only with these sizes:", [strided]),
    ]
    assert [*reaches("x.reshape(2, 3, 4).transpose(0, 2, 1)", x=(2, 12))] == [
        "Compared for every element, with these sizes."
    ]
    i = np.array([[2, 3], [0, 1]])
    assert [*reaches("np.take(x.reshape(-1), i)", x=(2, 2), i=i)] == [
        "Only with the i on screen and with these sizes:"
    ]


@pytest.mark.parametrize("cls", OPERATORS, ids=lambda cls: cls.key)
def test_an_operator_is_the_same_as_short_lines(cls):
    for example in cls.examples():
        every = same_by_reach(trace := run(example.operator, example.inputs), same_of(trace))
        lines = [one for _words, each in every for one in each if one.kind != "call"]
        assert all(one.calls <= 2 for one in lines)


def test_an_operator_is_tried_with_other_sizes():
    trace = run(Tile((1, 2)), np.arange(1, 5, dtype=np.float32).reshape(2, 2))
    groups = {
        words: [str(o) for o in every] for words, every in same_by_reach(trace, same_of(trace))
    }
    assert groups["The same with other sizes too:"] == ["repeat(x, 'h w -> h (r1 w)', r1=2)"]
    # with two columns, wrapping around is the same as a reflection
    texts = [text for each in groups.values() for text in each]
    assert not [text for text in texts if "SYMMETRIC" in text or "REFLECTION" in text]


def test_a_live_page_has_them_in_the_same_order():
    parts = SECTIONS["same"](rows_of_a_table(2, 1, 0))
    notes = [part.notes[0] for part in parts if part.notes]
    texts = [part.text for part in parts]
    assert notes == ["The same for every IndicesTensor:", "Only with the IndicesTensor on screen:"]
    assert texts.index("np.take(x, indices.reshape((3,)), axis=0)") < texts.index("x[::-1]")
