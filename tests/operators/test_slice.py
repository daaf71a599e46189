"""Slice: DirectML's examples, what is refused and why, and the laws of windows."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Slice, operator_from_desc
from dmlviz.__main__ import main
from dmlviz.engines.recorded import recorded
from dmlviz.states import read_link
from tests.one_input import moves, parts_of, snippet
from tests.operators import recordings
from tests.strategies import bits, sizes, tensors

OLDER = "DML_OPERATOR_SLICE"
ROW = np.arange(7)


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


def test_the_older_form_may_have_a_count():
    fields = {"Offsets": [0, 1], "Sizes": [2, 2], "Strides": [2, 3]}
    operator = operator_from_desc(OLDER, {**fields, "DimensionCount": 2})
    assert operator == operator_from_desc("DML_SLICE_OPERATOR_DESC", fields)
    assert operator == Slice((0, 1), (3, 4), (2, 3))


@pytest.mark.parametrize(
    ("settings", "due"),
    [
        (((2,), (4,), (1,)), [2, 3, 4, 5]),
        (((0,), (7,), (-1,)), [6, 5, 4, 3, 2, 1, 0]),
        (((1,), (6,), (-2,)), [6, 4, 2]),
        (((1,), (6,), (2,)), [1, 3, 5]),
        (((3,), (2,), (-100,)), [4]),
        (((3,), (2,), (100,)), [3]),
        (((0,), (7,), (-1,), (3,)), [6, 5, 4]),
        (((0,), (7,), (3,), (2,)), [0, 3]),
    ],
)
def test_rows(settings, due):
    assert run(Slice(*settings), ROW).tolist() == due


def test_sizes_of_the_output_may_be_given():
    desc = {"InputWindowOffsets": [0, 1], "InputWindowSizes": [2, 3], "InputWindowStrides": [1, -2]}
    free = operator_from_desc("DML_OPERATOR_SLICE1", desc)
    assert free == Slice((0, 1), (2, 3), (1, -2)) == Slice((0, 1), (2, 3), (1, -2), (0, 0))
    assert free.output_sizes((2, 4)) == (2, 2)
    assert free.desc == desc
    for due in ([2, 2], [1, 2], [1, 1]):
        whole = {**desc, "OutputTensor": {"Sizes": due}}
        operator = operator_from_desc("DML_OPERATOR_SLICE1", whole)
        assert operator.output_sizes((2, 4)) == tuple(due)
        assert operator.desc == whole
    with pytest.raises(dmlviz.Refused, match=r"3 in dimension 1 .* 1 \+ \(3 − 1\) div 2 = 2"):
        Slice((0, 1), (2, 3), (1, -2), (2, 3)).output_sizes((2, 4))


@pytest.mark.parametrize(
    ("desc", "field"),
    [
        ({"Offsets": [0], "Sizes": [0], "Strides": [1]}, "Sizes"),
        ({"Offsets": [0], "Sizes": [1], "Strides": [-1]}, "Strides"),
        ({"Offsets": [0], "Sizes": [1], "Strides": [0]}, "Strides"),
        ({"Offsets": [0], "Sizes": [1, 1], "Strides": [1]}, "Sizes"),
        ({"Offsets": [0], "Sizes": [2]}, "Strides"),
        ({"Offsets": [0], "Sizes": [2], "Strides": [1], "Ends": [2]}, "Ends"),
        ({"Offsets": [0], "Sizes": [2], "Strides": [1], "DimensionCount": 2}, "DimensionCount"),
        ({"Offsets": [0], "Sizes": [2], "Strides": [1], "OutputTensor": [2]}, "OutputTensor"),
        (
            {"Offsets": [0], "Sizes": [2], "Strides": [1], "OutputTensor": {"Sizes": [1]}},
            "OutputTensor",
        ),
    ],
)
def test_the_older_form_refuses(desc, field):
    with pytest.raises(dmlviz.Error) as refused:
        operator_from_desc(OLDER, desc)
    assert refused.value.field == field
    assert field in str(refused.value)


def test_the_last_element_of_the_older_form_has_to_be_inside():
    operator = operator_from_desc(OLDER, {"Offsets": [1], "Sizes": [3], "Strides": [3]})
    assert run(operator, np.arange(8)).tolist() == [1, 4, 7]
    assert operator.problems((7,), None)


def test_the_formula_lays_the_window_first():
    operator = Slice((0, 0, 0, 1), (1, 1, 4, 3), (1, 1, -2, 2))
    assert operator.explain((1, 1, 4, 4), (0, 0, 1, 0)) == (
        "out[n, c, h, w] = in[n, c, 0 + 4 − 1 − 2 · h, 1 + 2 · w]\n"
        "out[0, 0, 1, 0] = in[0, 0, 0 + 4 − 1 − 2 · 1, 1 + 2 · 0] = in[0, 0, 1, 1]"
    )


def test_steps_of_the_documentation_example():
    steps = moves(Slice((0, 0, 0, 1), (1, 1, 4, 3), (1, 1, -2, 2)), (1, 1, 4, 4))
    assert [step.title for step in steps.steps] == [
        "Dimension 2: output index 0",
        "Dimension 2: output index 1",
    ]
    assert [step.caption for step in steps.steps] == [
        "The window of dimension 2 is indices 0 to 3. Stride -2 is negative, so it starts at "
        "the last one: input index 3 lands at output index 0 (2 elements).",
        "2 back: input index 1 lands at output index 1 (2 elements).",
    ]
    assert steps.step_of.tolist() == [0, 0, 1, 1]


def test_the_ninth_place_lands_with_all_further_ones():
    steps = moves(Slice((0,), (100,), (2,)), (100,))
    assert np.bincount(steps.step_of).tolist() == [1] * 7 + [43]
    assert steps.steps[-1].title == "Dimension 0: output indices 7 to 49"
    assert "input indices 14 to 98 land at output indices 7 to 49" in steps.steps[-1].caption


def test_parts_of_the_rule():
    operator = Slice((0, 0, 0, 1), (1, 1, 4, 3), (1, 1, -2, 2), (1, 1, 1, 2))
    found = parts_of(operator, (1, 1, 4, 4))
    assert [(stage.title, stage.sizes) for stage in found] == [
        ("The window", (1, 1, 4, 3)),
        ("Dimension 2: reversed", (1, 1, 4, 3)),
        ("Dimension 2: steps of 2", (1, 1, 2, 3)),
        ("Dimension 3: steps of 2", (1, 1, 2, 2)),
        ("What the output has room for", (1, 1, 1, 2)),
    ]
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


@pytest.mark.parametrize(
    ("before", "sizes", "settings", "due"),
    [
        # the whole of a dimension stays the whole of it
        ((4,), (9,), [(0,), (4,), (-1,), (0,)], [(0,), (9,), (-1,), (0,)]),
        ((4,), (9,), [(1,), (3,), (2,), (2,)], [(1,), (3,), (2,), (2,)]),
        # what no longer fits is cut off at the end
        ((7,), (4,), [(1,), (4,), (-1,), (4,)], [(1,), (3,), (-1,), (0,)]),
        ((7,), (2,), [(5,), (2,), (1,), (0,)], [(1,), (1,), (1,), (0,)]),
        # another rank
        ((4,), (4, 5), [(1,), (2,), (2,), (0,)], [(1, 0), (2, 5), (2, 1), (0, 0)]),
        ((4, 5), (4,), [(1, 0), (2, 5), (2, 1), (0, 0)], [(1,), (2,), (2,), (0,)]),
        # a stride that is not possible stays for its sentence
        ((4,), (9,), [(0,), (4,), (0,), (0,)], [(0,), (9,), (0,), (0,)]),
    ],
)
def test_settings_follow_the_sizes(before, sizes, settings, due):
    names = [parameter.name for parameter in Slice.parameters()]
    found = Slice.fitted(dict(zip(names, settings, strict=True)), sizes, before)
    assert list(found.values()) == due


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


def test_misreadings():
    found = {m.key: m for m in Slice((2,), (4,), (1,)).misreadings((7,))}
    assert found["end-0"].source.tolist() == [2, 3]
    assert found["short-0"].source.tolist() == [2, 3, 4]
    found = {m.key: m for m in Slice((1,), (4,), (-2,)).misreadings((8,))}
    assert found["turned-last-0"].source.tolist() == [3, 1]
    assert found["forwards-0"].source.tolist() == [1, 3]
    assert found["behind-0"].source.tolist() == [5, 3]
    assert found["from-offset-0"].source.tolist() == [1]
    assert "last index, 4." in found["forwards-0"].words


def test_code():
    operator = Slice((0, 1), (4, 3), (-1, 2))
    numpy = snippet(operator, (4, 4), "numpy")
    assert numpy.body == "y = x[0:4, 1:4]\ny = y[::-1, ::2]"
    assert "x[3::-1, 1:4:2]" in numpy.note
    assert "flip([0])" in snippet(operator, (4, 4), "pytorch").body
    assert "index_select(0, torch.arange(3, -1, -1))" in (
        snippet(operator, (4, 4), "pytorch", "UINT16").body
    )
    assert snippet(operator, (4, 4), "tensorflow").body == "y = x[3::-1, 1:4:2]"
    onnx = snippet(operator, (4, 4), "onnx")
    assert '"ends": np.array([-9223372036854775808, 4], dtype=np.int64)' in onnx.body
    assert "-1 means the last index" in onnx.note
    assert "const INT inputWindowStrides[] = {-1, 2};" in snippet(operator, (4, 4), "directml").body
    assert "einops cuts nothing out" in snippet(operator, (4, 4), "einops").note


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
