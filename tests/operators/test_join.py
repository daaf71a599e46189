"""Join: DirectML's examples, what is refused and why, and the way there and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Join, operator_from_desc
from tests.one_input import snippet
from tests.strategies import bits, several

KIND = Join.operator_type


def named(*given):
    return {f"InputTensors[{k}]": x for k, x in enumerate(given)}


def counted(*shapes):
    """Tensors of consecutive numbers, from 0 on through all of them."""
    found, start = [], 0
    for shape in shapes:
        stop = start + int(np.prod(shape))
        found.append(np.arange(start, stop).reshape(shape))
        start = stop
    return named(*found)


def run(operator, *given):
    return dmlviz.run(operator, named(*given)).output


def test_sources_count_through_all_inputs():
    trace = dmlviz.run(Join(1), counted((2, 3), (2, 1)))
    assert trace.output.tolist() == [[0, 1, 2, 6], [3, 4, 5, 7]]
    assert trace.source.tolist() == trace.output.tolist()


def test_one_tensor_is_copied():
    x = np.arange(7)
    for given_x in (x, named(x)):
        trace = dmlviz.run(Join(0), given_x)
        assert trace.output.tolist() == x.tolist()
    assert Join(0).sums({"InputTensors[0]": (7,)}) == {"OutputTensor": ("7",)}
    assert Join(0).explain(named(x), (3,)) == (
        "out[w] = InputTensors[0][w]\nout[3] = InputTensors[0][3]"
    )
    assert Join(0).misreadings(named(x)) == ()


def test_eight_tensors_and_not_nine():
    rows = [np.full((1, 2), k) for k in range(9)]
    assert run(Join(0), *rows[:8])[:, 0].tolist() == list(range(8))
    with pytest.raises(dmlviz.Error, match="InputTensors has 9 tensors; at most 8 are allowed"):
        run(Join(0), *rows)


def test_types_have_to_agree():
    with pytest.raises(dmlviz.Refused, match="data type UINT32 differs from INT32"):
        run(Join(0), np.zeros(2, np.int32), np.zeros(2, np.uint32))


def test_a_gap_among_the_tensors_is_said():
    x = np.zeros(2)
    with pytest.raises(dmlviz.Error, match=r"InputTensors\[1\] is missing"):
        dmlviz.run(Join(0), {"InputTensors[0]": x, "InputTensors[2]": x})


def test_sizes_of_a_description_are_checked():
    desc = {
        "Axis": 1,
        "InputCount": 2,
        "InputTensors": [{"Sizes": [2, 3]}, {"Sizes": [2, 4]}],
        "OutputTensor": {"Sizes": [2, 7]},
    }
    assert operator_from_desc(KIND, desc) == Join(1)
    assert operator_from_desc(KIND, {"Axis": 1, "InputCount": 8}) == Join(1)
    for changed, words in (
        ({"OutputTensor": {"Sizes": [2, 8]}}, r"has Sizes \[2, 8\], not \{2, 7\}"),
        ({"InputCount": 3}, "InputCount is 3, but InputTensors of .* has 2 tensors"),
        ({"InputCount": 9}, "InputCount of .* is 9; it must be 1 to 8 here"),
        ({"InputTensors": [{"Sizes": [2, 3]}, {"Sizes": [3, 4]}]}, "dimension 0 has size 3"),
        ({"InputTensors": {"Sizes": [2, 3]}}, "it must be a list of at most 8"),
        ({"InputTensors": [[2, 3]]}, r"InputTensors is \[2, 3\]"),
        ({"Axis": 2}, "axis: 2 is invalid"),
        ({"Axis": 1.5}, "axis: 1.5 is not a whole number"),
        ({"Axes": 1}, 'has no field "Axes"'),
    ):
        with pytest.raises(dmlviz.Error, match=words):
            operator_from_desc(KIND, {**desc, **changed})


def test_each_input_has_its_formula():
    inputs = counted((2, 3), (2, 4))
    assert Join(1).explain(inputs, (1, 5)) == (
        "out[h, w] = InputTensors[1][h, w − 3] for w from 3 to 6\n"
        "out[1, 5] = InputTensors[1][1, 5 − 3] = InputTensors[1][1, 2]"
    )
    assert (
        Join(1)
        .explain(inputs, (1, 2))
        .startswith("out[h, w] = InputTensors[0][h, w] for w from 0 to 2\n")
    )


def test_steps_go_tensor_by_tensor():
    steps = Join(1).moves(counted((2, 3), (2, 1), (2, 2)))
    assert [(step.title, step.caption) for step in steps.steps] == [
        (
            "InputTensors[0]",
            "The first tensor stays where it is: along dimension 1 its size is 3 (6 elements).",
        ),
        (
            "InputTensors[1]",
            "There are 3 before it along dimension 1: its index 0 lands at index 3 (2 elements).",
        ),
        (
            "InputTensors[2]",
            "There are 4 before it along dimension 1: its indices 0 to 1 land at indices 4 to 5 "
            "(4 elements).",
        ),
    ]
    assert steps.step_of.tolist() == [0, 0, 0, 1, 2, 2] * 2


@given(several(Join))
def test_it_is_numpys_concatenate(state):
    operator, inputs = state
    due = np.concatenate(list(inputs.values()), operator.axis)
    output = dmlviz.run(operator, inputs).output
    np.testing.assert_array_equal(bits(output), bits(due), strict=True)


@given(several(Join))
def test_joined_in_two_goes_it_is_the_same(state):
    operator, inputs = state
    first, *others = inputs.values()
    output = first
    for x in others:
        output = run(operator, output, x)
    due = dmlviz.run(operator, inputs).output
    np.testing.assert_array_equal(bits(output), bits(due), strict=True)


@given(st.integers(0, 3), st.integers(1, 4))
def test_copies_of_one_tensor_are_its_tile(axis, count):
    x = np.arange(2 * 3 * 5 * 7).reshape(2, 3, 5, 7)
    repeats = [count if d == axis else 1 for d in range(4)]
    tiled = dmlviz.run(dmlviz.Tile(repeats), x).output
    np.testing.assert_array_equal(run(Join(axis), *[x] * count), tiled)


def test_misreadings():
    found = {m.key: m for m in Join(1).misreadings(counted((2, 2), (2, 2)))}
    assert {key: (m.output_sizes, m.source.tolist()) for key, m in found.items()} == {
        "axis-0": ((4, 2), [0, 1, 2, 3, 4, 5, 6, 7]),
        "stacked": ((2, 2, 2), [0, 1, 4, 5, 2, 3, 6, 7]),
        "last-first": ((2, 4), [4, 5, 0, 1, 6, 7, 2, 3]),
        "in-turn": ((2, 4), [0, 4, 1, 5, 2, 6, 3, 7]),
        "memory": ((2, 4), [0, 1, 2, 3, 4, 5, 6, 7]),
    }
    assert found["axis-0"].words == (
        "That joins along dimension 0: with Axis 1 it is dimension 1 that grows."
    )
    assert "sizes {2, 4}" in found["stacked"].words
    assert "axis-0" not in {m.key for m in Join(1).misreadings(counted((2, 2), (2, 1)))}


def test_code():
    sizes = {"InputTensors[0]": (2, 3), "InputTensors[1]": (2, 4)}
    assert snippet(Join(1), sizes, "numpy").text == (
        "import numpy as np\n\n"
        "x0 = np.arange(6).astype(np.float32).reshape(2, 3)\n"
        "x1 = np.arange(8).astype(np.float32).reshape(2, 4)\n"
        "y = np.concatenate([x0, x1], axis=1)\n"
        "print(y)\n"
    )
    assert snippet(Join(1), sizes, "pytorch").body == "y = torch.cat([x0, x1], dim=1)"
    assert snippet(Join(1), sizes, "tensorflow").body == "y = tf.concat([x0, x1], axis=1)"
    assert 'pack([x0, x1], "h *")' in snippet(Join(1), sizes, "einops").body
    assert (
        'make_node("Concat", ["x0", "x1"], ["y"], axis=1)' in snippet(Join(1), sizes, "onnx").body
    )
    directml = snippet(Join(1), sizes, "directml").body
    assert "const DML_TENSOR_DESC inputTensors[] = {input0Tensor, input1Tensor};" in directml
    assert "operatorDesc.InputCount = 2;\n    operatorDesc.InputTensors = inputTensors;" in directml
    with pytest.raises(dmlviz.Refused):
        snippet(Join(0), sizes, "numpy")
