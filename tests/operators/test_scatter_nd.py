"""ScatterND: DirectML's example, what is refused and why, and what DirectML does instead."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import GatherND, ScatterND
from dmlviz.documents import available, read_document, verify
from dmlviz.operators.slots import TensorDesc
from tests.documents.pages import real
from tests.operators import recordings
from tests.strategies import bits, several, tensors

KIND = ScatterND.operator_type
TABLE = np.arange(15).reshape(5, 3)


def named(x, indices, updates, kind=np.int64):
    x = np.array(x)
    return {
        "InputTensor": x,
        "IndicesTensor": np.array(indices, kind),
        "UpdatesTensor": np.array(updates, x.dtype),
    }


def trace(settings, *tensors, engine="numpy", **kind):
    return dmlviz.run(ScatterND(*settings), named(*tensors, **kind), engine)


def test_documentation_example():
    (example,) = ScatterND.examples()
    found = dmlviz.run(example.operator, example.inputs)
    np.testing.assert_array_equal(
        found.output, np.float32([[1, 11, 3, 10, 9, 6, 7, 12]]), strict=True
    )


def test_the_published_example_is_refused_as_printed():
    text = real("family/ns-directml-dml_scatter_nd_operator_desc.md")
    page = read_document(text)
    # the sizes further up illustrate: their counts are those of other tensors
    needed = "line 122: DML_SCATTER_ND_OPERATOR_DESC needs the field InputDimensionCount."
    assert [str(finding) for finding in page.all_findings] == [needed]
    verdicts = {(verdict.status, verdict.message) for verdict in verify(page, available())}
    assert verdicts == {("unreadable", needed)}
    counts = "InputDimensionCount: 1\nIndicesDimensionCount: 2\n"
    page = read_document(
        text.replace("\nInputTensor: (Sizes:{8}", f"\n{counts}InputTensor: (Sizes:{{8}}")
    )
    verdicts = {(verdict.status, verdict.message) for verdict in verify(page, available())}
    types = "DML_SCATTER_ND takes INT64, INT32, UINT64, UINT32 there."
    refused = f"line 127: IndicesTensor: FLOAT32 is not supported; {types}"
    assert verdicts == {("refused", refused)}
    [example] = page.examples
    operator = ScatterND(1, 2)
    # the ranks would do for a refusal, too, whatever the page's parameters were
    whole = dict(example.inputs) | {
        "IndicesTensor": example.inputs["IndicesTensor"].astype(np.uint32)
    }
    assert [p.message for p in operator.refusals(whole)] == [
        (
            "IndicesTensor: sizes {4, 1} have rank 2, the input has rank 1; the ranks must "
            "be equal, with leading ones if needed."
        )
    ]


@pytest.mark.parametrize(
    ("settings", "sizes", "indices", "updates", "due"),
    [
        ((1, 1), (3,), [2], [9], [0, 1, 9]),
        ((1, 2), (1, 3), [[2], [0]], [[8, 9]], [[9, 1, 8]]),
        ((2, 2), (2, 3), [[1], [-2]], [[7, 8, 9], [4, 5, 6]], [[4, 5, 6], [7, 8, 9]]),
        ((2, 2), (2, 3), [[1, 2], [0, -3]], [[8, 9]], [[9, 1, 2], [3, 4, 8]]),
        ((2, 2), (1, 2, 2), [[[0, 1]]], [[[9]]], [[[0, 9], [2, 3]]]),
    ],
)
def test_ones_in_front(settings, sizes, indices, updates, due):
    x = np.arange(np.prod(sizes)).reshape(sizes)
    for engine in recordings.ENGINES:
        assert trace(settings, x, indices, updates, engine=engine).output.tolist() == due


@pytest.mark.parametrize(
    ("settings", "indices", "updates", "field", "words"),
    [
        ((3, 2), (4, 1), (4, 3), "input_dimension_count", "3 is invalid; InputTensor has 2"),
        ((1, 2), (4, 1), (4, 3), "input_dimension_count", "1 leaves out dimension 0 .* size 5"),
        ((2, 1), (4, 1), (4, 3), "indices_dimension_count", "1 leaves out dimension 0 .* size 4"),
        ((2, 2), (4,), (4,), "IndicesTensor", r"sizes \{4\} have rank 1, the input has rank 2"),
        ((2, 2), (4, 3), (4, 3), "IndicesTensor", "each tuple has 3 indices; at most 2"),
        ((2, 2), (4, 1), (1, 4), "UpdatesTensor", r"sizes \{1, 4\} are not \{4, 3\}"),
        ((2, 2), (4, 2), (4,), "UpdatesTensor", r"sizes \{4\} are not \{1, 4\}"),
    ],
)
def test_refusals(settings, indices, updates, field, words):
    sizes = {"InputTensor": (5, 3), "IndicesTensor": indices, "UpdatesTensor": updates}
    found = ScatterND(*settings).problems(sizes, None)
    assert [problem.field for problem in found] == [field]
    with pytest.raises(dmlviz.Refused, match=words):
        ScatterND(*settings).output_sizes(sizes)


def test_updates_have_the_type_of_the_input():
    inputs = named([[1, 2, 3]], [[0]], [[9]]) | {"UpdatesTensor": np.array([[9]], np.float32)}
    with pytest.raises(dmlviz.Refused, match="data type FLOAT32 is not INT64"):
        dmlviz.run(ScatterND(1, 2), inputs)


@pytest.mark.parametrize(
    ("indices", "kind", "words"),
    [
        (
            [[0, 3]],
            np.int64,
            r"3 at \[0, 1\] is outside -3 to 2, .* offset 3 is used, .* out\[1, 0\]",
        ),
        ([[-6, 4]], np.int32, r"-6 at \[0, 0\] .* offset 1 is used, .* out\[0, 1\]"),
        ([[5, 0]], np.uint32, "flat offset 15 lies beyond the tensor, and the update is dropped"),
        (
            [[2**32 + 1, 1]],
            np.int64,
            r"low 32 bits of a 64-bit index, 1 here, and the update lands at out\[1, 1\]",
        ),
    ],
)
def test_an_index_out_of_range_is_refused_with_what_directml_does(indices, kind, words):
    with pytest.raises(dmlviz.Refused, match=words) as refused:
        trace((2, 2), TABLE, indices, [[9]], kind=kind)
    assert str(refused.value).startswith("IndicesTensor: ")


@given(several(ScatterND))
def test_what_was_put_is_gathered_again(state):
    operator, inputs = state
    put = dmlviz.run(operator, inputs).output
    back = {"InputTensor": put, "IndicesTensor": inputs["IndicesTensor"]}
    taken = dmlviz.run(GatherND(*operator.desc.values(), 0), back).output
    np.testing.assert_array_equal(bits(taken), bits(inputs["UpdatesTensor"]), strict=True)


@given(tensors(), st.integers(0, 2**32 - 1))
def test_all_places_in_any_order_give_the_updates(x, seed):
    order = np.random.default_rng(seed).permutation(x.size)
    x = x.reshape(1, -1)
    output = trace((1, 2), np.zeros_like(x), order[:, None], x[:, order]).output
    np.testing.assert_array_equal(bits(output), bits(x))


def test_two_writers_are_both_named_and_neither_is_promised():
    inputs = named(np.arange(6).reshape(3, 2), [[1], [0], [1]], [[10, 11], [12, 13], [14, 15]])
    operator = ScatterND(2, 2)
    steps = operator.moves(inputs)
    assert [step.title for step in steps.steps] == [
        "InputTensor",
        "IndicesTensor[1, :] = (0)",
        "IndicesTensor[2, :] = (1), IndicesTensor[0, :] = (1)",
    ]
    assert steps.steps[0].caption.startswith("The whole input is copied first: 2 of 6 elements")
    assert steps.steps[1].caption == "The update at [1, :] covers InputTensor[0, :] at out[0, :]."
    assert "The update at [2, :] is at out[1, :] here" in steps.steps[2].caption
    assert "The one at [0, :] is put there too" in steps.steps[2].caption
    assert steps.step_of.tolist() == [1, 1, 2, 2, 0, 0]
    assert operator.explain(inputs, (1, 1)) == (
        "out[1, 1]: the updates at [0, 1], [2, 1] are all put at this place; which one "
        "wins is undefined."
    )
    assert operator.explain(inputs, (0, 1)).startswith("out[0, 1] = UpdatesTensor[1, 1]\n")
    assert operator.explain(inputs, (2, 0)).startswith("out[2, 0] = InputTensor[2, 0]\n")


def test_the_ninth_tuple_is_followed_with_all_further_ones():
    order = np.arange(50)[::-1]
    steps = ScatterND(2, 2).moves(
        named(np.arange(100).reshape(50, 2), order[:, None], np.arange(100).reshape(50, 2))
    )
    assert np.bincount(steps.step_of).tolist() == [0] + [2] * 7 + [86]
    assert steps.steps[-1].title == "UpdatesTensor[7, :] – [49, :]"
    assert "other 43 updates" in steps.steps[-1].caption


def misread(settings, *tensors):
    operator = ScatterND(*settings)
    return {m.key: m for m in operator.misreadings(named(*tensors))}


def test_misreadings():
    square = np.arange(9).reshape(3, 3)
    found = misread((2, 2), square, [[0, 2], [-1, 1]], [[100, 101]])
    assert found["backwards"].source.tolist() == [0, 1, 2, 3, 4, 10, 9, 7, 8]
    assert found["first"].source.tolist() == [9, 9, 9, 3, 4, 5, 10, 10, 10]
    assert found["clamped"].source.tolist() == [0, 10, 9, 3, 4, 5, 6, 7, 8]
    assert found["in-order"].source.tolist() == [9, 10, 2, 3, 4, 5, 6, 7, 8]
    assert found["taken"].source.tolist() == [2, 7]
    assert found["alone"].output_sizes == (1, 2)
    rows = misread((2, 2), square, [[2], [1]], [[10, 11, 12], [13, 14, 15]])
    assert rows["last"].source.tolist() == [0, 12, 9, 3, 13, 10, 6, 14, 11]
    assert rows["from-one"].source.tolist() == [12, 13, 14, 9, 10, 11, 6, 7, 8]
    wide = misread((2, 2), np.arange(8).reshape(2, 4), [[1]], [[10, 11, 12, 13]])
    # as far as the updates reach
    assert wide["last"].source.tolist() == [0, 8, 2, 3, 4, 9, 6, 7]


def test_code():
    def piece(dialect, kind="INT64", settings=(2, 2), sizes=((5, 3), (4, 2), (1, 4))):
        names = ("InputTensor", "IndicesTensor", "UpdatesTensor")
        descs = {n: TensorDesc(s, "FLOAT32") for n, s in zip(names, sizes, strict=True)}
        descs["IndicesTensor"] = TensorDesc(sizes[1], kind)
        return next(s for s in ScatterND(*settings).code(descs) if s.dialect == dialect)

    assert "out[tuple(i)] = updates.reshape((4,))" in piece("numpy").body
    rows = ((1, 5, 3), (1, 4, 1), (1, 4, 3))
    numpy = piece("numpy", settings=(2, 2), sizes=rows).body
    assert "out = x.copy().reshape(5, 3)" in numpy
    assert numpy.endswith("y = out.reshape(1, 5, 3)")
    assert "index_put" in piece("pytorch").note
    assert "tf.tensor_scatter_nd_update(x, i, tf.reshape(updates, [4]))" in piece("tensorflow").body
    assert "starts from zeros" in piece("tensorflow").note
    assert '"ScatterND"' in piece("onnx").body
    assert "INT64 only" in piece("onnx", "UINT32").note
    assert "InputDimensionCount = 2;" in piece("directml").body
