"""Slice: the laws of windows, and settings that follow the sizes."""

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Slice, operator_from_desc
from dmlviz.__main__ import main
from dmlviz.engines.recorded import recorded
from dmlviz.states import read_link
from tests.one_input import parts_of
from tests.operators import recordings
from tests.strategies import bits, sizes, tensors


@st.composite
def slices(draw, x):
    """Any window of ``x`` and any way through it."""
    settings = []
    for n in x.shape:
        window = draw(st.integers(1, n))
        offset = draw(st.integers(0, n - window))
        stride = draw(st.integers(1, n + 2)) * draw(st.sampled_from((1, -1)))
        most = 1 + (window - 1) // abs(stride)
        settings.append((offset, window, stride, draw(st.integers(0, most))))
    return Slice(*zip(*settings, strict=True))


@st.composite
def runs(draw):
    x = draw(tensors())
    return draw(slices(x)), x


def run(operator, x):
    return dmlviz.run(operator, x).output


def test_the_second_part_is_reversed():
    operator = Slice((0, 0, 0, 1), (1, 1, 4, 3), (1, 1, -2, 2), (1, 1, 1, 2))
    found = parts_of(operator, (1, 1, 4, 4))
    assert found[1].order.tolist() == [13, 14, 15, 9, 10, 11, 5, 6, 7, 1, 2, 3]


@given(runs())
def test_the_parts_end_in_the_output(state):
    operator, x = state
    found = parts_of(operator, x.shape)
    source = dmlviz.run(operator, x).source
    if found:
        assert found[-1].sizes == source.shape
        np.testing.assert_array_equal(found[-1].order, source.ravel())
    else:
        np.testing.assert_array_equal(source.ravel(), np.arange(x.size))


@given(runs())
def test_it_is_the_place_that_directml_names(state):
    """``CopyStart + InputWindowStrides * OutputCoordinates``, of its page."""
    operator, x = state
    out = run(operator, x)
    for at in np.ndindex(out.shape):
        place = []
        for d, i in enumerate(at):
            start, stride = operator.input_window_offsets[d], operator.input_window_strides[d]
            if stride < 0:
                start += operator.input_window_sizes[d] - 1
            place.append(start + stride * i)
        assert bits(out)[at] == bits(x)[tuple(place)]


@given(tensors())
def test_a_slice_of_all_is_the_input(x):
    operator = Slice((0,) * x.ndim, x.shape, (1,) * x.ndim)
    np.testing.assert_array_equal(bits(run(operator, x)), bits(x), strict=True)


@given(tensors())
def test_turned_round_twice_is_the_input(x):
    operator = Slice((0,) * x.ndim, x.shape, (-1,) * x.ndim)
    turned = run(operator, x)
    np.testing.assert_array_equal(bits(turned), bits(np.flip(x)), strict=True)
    np.testing.assert_array_equal(bits(run(operator, turned)), bits(x), strict=True)


@given(st.data())
def test_a_slice_of_a_slice_is_a_slice(data):
    x = data.draw(tensors())
    first = data.draw(slices(x))
    middle = run(first, x)
    second = data.draw(slices(middle))
    settings = []
    for one, two in zip(first.walks, second.walks, strict=True):
        places = [one.places[i] for i in two.places]
        # the window from the lowest to the highest place
        low, high = min(places), max(places)
        stride = one.stride * two.stride
        settings.append((low, high - low + 1, stride, len(places)))
    both = Slice(*zip(*settings, strict=True))
    np.testing.assert_array_equal(bits(run(both, x)), bits(run(second, middle)), strict=True)


@given(runs())
def test_sizes_of_a_page_are_taken_where_they_are_possible(state):
    operator, x = state
    most = Slice(*list(operator.settings.values())[:3])
    out = operator.output_sizes(x.shape)
    again = most.with_output_sizes({"OutputTensor": out})
    assert again.output_sizes(x.shape) == out
    beyond = tuple(walk.most + 1 for walk in most.walks)
    for impossible in (beyond, (0, *out[1:]), (*out, 1), ()):
        assert most.with_output_sizes({"OutputTensor": impossible}) is most


@given(st.data())
def test_what_follows_the_sizes_is_possible(data):
    x = data.draw(tensors())
    operator = data.draw(slices(x))
    other = data.draw(sizes())
    fitted = Slice(**Slice.fitted(operator.settings, other, x.shape))
    assert fitted.problems(other, None) == []


def test_a_link_without_a_window_has_one_that_fits():
    state = read_link("/slice?sizes=3,2&input_window_strides=-1,1").state
    assert state.operator() == Slice((0, 0), (3, 2), (-1, 1))
    opened = read_link("/slice?sizes=3,2&input_window_sizes=4,2")
    assert opened.problems == ()
    assert [p.field for p in opened.state.operator().problems((3, 2), None)] == [
        "input_window_sizes"
    ]


def test_strides_on_the_command_line_may_begin_with_a_minus(capsys):
    asked = ["run", "slice", "--sizes", "2,4", "--input-window-strides", "-1,2", "--json"]
    assert main(asked) == 0
    assert json.loads(capsys.readouterr().out)["output"] == ["5", "7", "1", "3"]
    assert main([*asked, "--input-window-offsets", "-1,0"]) == 2
    assert "input_window_offsets: " in capsys.readouterr().err


def test_sizes_that_are_left_open_are_not_those_that_were_recorded():
    cases = recordings.cases(recordings.own("slice"), Slice.operator_type)
    (case,) = (case for case in cases if case["id"].endswith("fewer-than-reachable"))
    operator = operator_from_desc(case["operator"], case["desc"])
    assert recorded(operator, recordings.tensors(case)) is None
