"""ReverseSubsequences: DirectML's examples, what is refused and why, and lengths beyond the axis."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import ReverseSubsequences, operator_from_desc
from dmlviz.operators.slots import TensorDesc
from dmlviz.teaching.presets import presets_of
from tests.operators import recordings
from tests.strategies import bits, several, tensors

KIND = ReverseSubsequences.operator_type
LENGTHS = "SequenceLengthsTensor"
LONGER = "reverse-subsequences-longer-is-clamped"
ROWS = np.arange(1, 16).reshape(3, 5)
OWN = recordings.cases(recordings.own("reverse-subsequences"), KIND)


def named(x, lengths, kind=np.uint32):
    return {"InputTensor": x, LENGTHS: np.array(lengths, kind)}


def run(axis, x, lengths, kind=np.uint32):
    return dmlviz.run(ReverseSubsequences(axis), named(x, lengths, kind)).output


@pytest.mark.parametrize(
    ("number", "due"),
    [
        (0, [[[[2, 1, 3, 4], [8, 7, 6, 5], [11, 10, 9, 12]]]]),
        (1, [[[[5, 10, 3, 4], [1, 6, 7, 8], [9, 2, 11, 12]]]]),
    ],
)
def test_documentation_examples(number, due):
    example = ReverseSubsequences.examples()[number]
    trace = dmlviz.run(example.operator, example.inputs)
    np.testing.assert_array_equal(trace.output, np.float32(due), strict=True)


def test_a_length_for_each_sequence_of_every_type():
    for kind in (np.uint32, np.uint64):
        for engine in recordings.ENGINES:
            trace = dmlviz.run(ReverseSubsequences(1), named(ROWS, [[0], [2], [5]], kind), engine)
            assert trace.output.tolist() == [
                [1, 2, 3, 4, 5],
                [7, 6, 8, 9, 10],
                [15, 14, 13, 12, 11],
            ]
            assert trace.drivers["OutputTensor"].tolist() == [[0] * 5, [1] * 5, [2] * 5]
    deep = np.arange(12).reshape(2, 3, 2)
    assert run(1, deep, [[[3, 1]], [[0, 2]]]).tolist() == [
        [[4, 1], [2, 3], [0, 5]],
        [[6, 9], [8, 7], [10, 11]],
    ]


@pytest.mark.parametrize(
    ("axis", "lengths", "field", "words"),
    [
        (2, (3, 1), "axis", "2 is invalid; the input's dimensions are 0 to 1"),
        (-1, (3, 1), "axis", "-1 is invalid"),
        (10**400, (3, 1), "axis", "a number of 1,329 bits"),
        (1, (1, 5), LENGTHS, r"sizes \{1, 5\} are not \{3, 1\}, the input's \{3, 5\} with 1 in"),
        (0, (3, 1), LENGTHS, r"are not \{1, 5\}, the input's \{3, 5\} with 1 in dimension 0"),
        (1, (3,), LENGTHS, r"sizes \{3\} are not \{3, 1\}"),
    ],
)
def test_refusals(axis, lengths, field, words):
    sizes = {"InputTensor": (3, 5), LENGTHS: lengths}
    [found] = ReverseSubsequences(axis).problems(sizes, None)
    assert found.field == field
    with pytest.raises(dmlviz.Refused, match=words):
        ReverseSubsequences(axis).output_sizes(sizes)


@pytest.mark.parametrize(
    ("length", "kind", "words"),
    [
        (6, np.uint32, r"6 at \[1, 0\] is more than 5, .* first 2 elements would all be copies of"),
        (5 + 2**32, np.uint64, r"does not refuse it: it takes the low 32 bits, 5\."),
        (2**32 - 1, np.uint32, "the first 5 elements would all be copies of index 4"),
        (2**64 - 1, np.uint64, "18446744073709551615 at .* first 5 elements"),
    ],
)
def test_a_length_beyond_the_axis_is_refused_with_what_directml_does(length, kind, words):
    with pytest.raises(dmlviz.Refused, match=words) as refused:
        run(1, ROWS, [[1], [length], [2]], kind)
    assert str(refused.value).startswith(f"{LENGTHS}: ")


def test_what_directml_does_beyond_the_axis():
    [case] = [case for case in OWN if case["id"] == LONGER]
    operator, inputs = recordings.operator_of(case), recordings.tensors(case)
    [due] = recordings.tensors(case, "outputs").values()
    read = operator.read_anyway(inputs)
    np.testing.assert_array_equal(inputs["InputTensor"].ravel()[read], due)
    # no clamping of the length
    five = named(np.arange(1, 6), [6])
    assert ReverseSubsequences(0).read_anyway(five).tolist() == [4, 4, 3, 2, 1]
    with pytest.raises(dmlviz.Refused, match="does not clamp it to 5"):
        dmlviz.run(operator, inputs)


def test_sizes_of_a_description_are_checked():
    given = {"InputTensor": {"Sizes": [3, 5]}, LENGTHS: {"Sizes": [3, 1]}}
    assert operator_from_desc(KIND, {"Axis": 1, **given}) == ReverseSubsequences(1)
    with pytest.raises(dmlviz.Error, match=r"has Sizes \[5, 3\], not \{3, 5\}"):
        operator_from_desc(KIND, {"Axis": 1, **given, "OutputTensor": {"Sizes": [5, 3]}})
    with pytest.raises(dmlviz.Error, match=r"sizes \{3, 1\} are not \{1, 5\}"):
        operator_from_desc(KIND, {"Axis": 0, **given})


def test_the_formula_compares_with_the_length():
    assert ReverseSubsequences(1).explain(named(ROWS, [[4], [2], [0]]), (0, 1)) == (
        "out[h, w] = in[h, SequenceLengthsTensor[h, 0] − 1 − w if w < "
        "SequenceLengthsTensor[h, 0] else w]\n"
        "out[0, 1] = in[0, SequenceLengthsTensor[0, 0] − 1 − 1 if 1 < "
        "SequenceLengthsTensor[0, 0] else 1] = in[0, 2]"
    )


def test_steps_go_sequence_by_sequence():
    steps = ReverseSubsequences(1).moves(named(ROWS, [[4], [5], [1]]))
    assert [(step.title, step.caption) for step in steps.steps] == [
        (
            f"{LENGTHS}[0, 0] = 4",
            "The length is 4: indices 0 to 3 of in[0, :] are reversed, the other 1 element stays.",
        ),
        (f"{LENGTHS}[1, 0] = 5", "The length is 5: all 5 elements of in[1, :] are reversed."),
        (f"{LENGTHS}[2, 0] = 1", "The length is 1: in[2, :] stays as it is (5 elements)."),
    ]
    assert steps.step_of.tolist() == [0] * 5 + [1] * 5 + [2] * 5
    many = ReverseSubsequences(0).moves(named(np.zeros((2, 50)), [[1] * 50]))
    assert np.bincount(many.step_of).tolist() == [2] * 7 + [86]
    assert many.steps[-1].title == f"{LENGTHS}[0, 7] – [0, 49]"
    assert "the other 43 sequences along dimension 0" in many.steps[-1].caption


@given(several(ReverseSubsequences))
def test_twice_is_the_input(state):
    operator, inputs = state
    once = dmlviz.run(operator, inputs)
    again = dmlviz.run(operator, {**inputs, "InputTensor": once.output})
    np.testing.assert_array_equal(bits(again.output), bits(inputs["InputTensor"]), strict=True)
    # within the axis DirectML reads what the rule says
    np.testing.assert_array_equal(operator.read_anyway(inputs), once.source)


@given(tensors(), st.data())
def test_lengths_of_the_whole_axis_are_a_flip(x, data):
    axis = data.draw(st.integers(0, x.ndim - 1))
    shape = tuple(1 if d == axis else n for d, n in enumerate(x.shape))
    output = run(axis, x, np.full(shape, x.shape[axis]))
    np.testing.assert_array_equal(bits(output), bits(np.flip(x, axis)), strict=True)
    short = run(axis, x, data.draw(st.sampled_from((0, 1))) * np.ones(shape, int))
    np.testing.assert_array_equal(bits(short), bits(x), strict=True)


def test_misreadings():
    rows = named(np.arange(10).reshape(2, 5), [[5], [3]])
    found = {m.key: m for m in ReverseSubsequences(1).misreadings(rows)}
    assert found["whole"].source.tolist() == [4, 3, 2, 1, 0, 9, 8, 7, 6, 5]
    assert "at [1, 0] the length is 3" in found["whole"].words
    assert found["behind"].source.tolist()[5:] == [5, 6, 9, 8, 7]
    assert found["last-index"].source.tolist()[5:] == [8, 7, 6, 5, 9]
    assert found["short"].source.tolist()[5:] == [6, 5, 7, 8, 9]
    assert found["both"].source.tolist()[5:] == [7, 6, 5, 9, 8]
    square = named(np.arange(9).reshape(3, 3), [[2], [1], [3]])
    found = {m.key: m for m in ReverseSubsequences(1).misreadings(square)}
    assert found["axis-0"].source.tolist() == [3, 1, 8, 0, 4, 5, 6, 7, 2]
    assert found["first-length"].source.tolist() == [1, 0, 2, 4, 3, 5, 7, 6, 8]
    long = named(np.arange(5), [4])
    found = {m.key: m for m in ReverseSubsequences(0).misreadings(long)}
    assert found["ends"].source.tolist() == [3, 1, 2, 0, 4]


def snippet(axis, sizes, dialect, kind="FLOAT32"):
    lengths = tuple(1 if d == axis else n for d, n in enumerate(sizes))
    descs = {"InputTensor": TensorDesc(sizes, kind), LENGTHS: TensorDesc(lengths, "UINT32")}
    return next(s for s in ReverseSubsequences(axis).code(descs) if s.dialect == dialect)


def test_code():
    numpy = snippet(1, (3, 5), "numpy").text
    assert "sequencelengths = np.arange(3).astype(np.uint32).reshape(3, 1)" in numpy
    assert "np.where(i < n, n - 1 - i, i), axis=1)" in numpy
    assert "ReverseSequence" in snippet(1, (3, 5), "onnx").body
    assert "up to 1.24.4" in snippet(1, (3, 5), "onnx").note
    assert "GatherElements" in snippet(1, (2, 3, 5), "onnx").body
    assert "one length for each batch" in snippet(1, (2, 3, 5), "onnx").note
    assert "tf.transpose(x, [0, 2, 1])" in snippet(1, (2, 3, 5), "tensorflow").body
    assert "unsigned" in snippet(1, (3, 5), "pytorch", "UINT16").note
    assert "Axis = 1;" in snippet(1, (3, 5), "directml").body
    assert "takes no lengths" in snippet(1, (3, 5), "einops").note


def test_the_preset_of_lengths_beyond_is_what_was_recorded():
    [case] = [c for c in OWN if c["id"] == LONGER]
    given = next(p for p in presets_of("reverse-subsequences") if p.key.endswith("beyond")).inputs
    for name, due in recordings.tensors(case).items():
        np.testing.assert_array_equal(given[name], due, strict=True)
