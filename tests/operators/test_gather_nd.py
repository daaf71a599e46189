"""GatherND: DirectML's examples, what is refused and why, and what DirectML does instead."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Gather, GatherND, operator_from_desc
from dmlviz.documents import available, read_document, verify
from dmlviz.operators.slots import TensorDesc
from tests.documents.pages import real
from tests.operators import recordings
from tests.strategies import bits, several, tensors

KIND, OLDER = GatherND.operator_type, "DML_OPERATOR_GATHER_ND"
TABLE = np.arange(15).reshape(5, 3)


def named(x, indices, kind=np.int64):
    return {"InputTensor": np.asarray(x), "IndicesTensor": np.array(indices, kind)}


def trace(settings, x, indices, kind=np.int64, engine="numpy"):
    return dmlviz.run(GatherND(*settings), named(x, indices, kind), engine)


@pytest.mark.parametrize(
    ("number", "due"), [(0, [[2, 3], [0, 1]]), (1, [[[[0, 3], [7, 4], [9, 10]]]])]
)
def test_documentation_examples(number, due):
    example = GatherND.examples()[number]
    found = dmlviz.run(example.operator, example.inputs)
    np.testing.assert_array_equal(found.output, np.float32(due), strict=True)


@pytest.mark.parametrize(
    ("older", "settings", "sizes", "indices", "due"),
    [
        ((2, 2), (2, 2, 0), (2, 2), [[1], [0]], [[2, 3], [0, 1]]),
        ((3, 2), (3, 2, 0), (1, 2, 2, 2), [[[[0, 1], [1, 0]]]], [[[[2, 3], [4, 5]]]]),
    ],
)
def test_examples_of_the_older_page(older, settings, sizes, indices, due):
    desc = dict(zip(GatherND.members, older, strict=False))
    for name in (OLDER, "DML_GATHER_ND_OPERATOR_DESC"):
        assert operator_from_desc(name, desc) == GatherND(*settings)
    x = np.arange(np.prod(sizes)).reshape(sizes)
    assert trace(settings, x, indices, np.uint32).output.tolist() == due


def test_the_older_form_has_no_batches():
    desc = {"InputDimensionCount": 2, "IndicesDimensionCount": 2, "BatchDimensionCount": 0}
    with pytest.raises(dmlviz.Error, match='has no field "BatchDimensionCount"'):
        operator_from_desc(OLDER, desc)
    with pytest.raises(dmlviz.Error, match="needs the field IndicesDimensionCount"):
        operator_from_desc(OLDER, {"InputDimensionCount": 2})


@pytest.mark.parametrize(
    ("page", "remarks"),
    [
        (
            "gather_nd",
            [
                "DML_GATHER_ND_OPERATOR_DESC is an older form of DML_GATHER_ND1_OPERATOR_DESC: its "
                "examples were read as GatherND."
            ],
        ),
        (
            "gather_nd1",
            [
                (
                    "InputTensor: text after // among its values, on lines 150-152, is read as "
                    "comments."
                )
            ],
        ),
    ],
)
def test_published_pages(page, remarks):
    found = read_document(real(f"family/ns-directml-dml_{page}_operator_desc.md"))
    assert [finding.message for finding in found.all_findings] == remarks
    verdicts = verify(found, available())
    assert {verdict.status for verdict in verdicts} == {"match"}
    assert len(verdicts) == 2 * len(available())


@pytest.mark.parametrize(
    ("settings", "sizes", "indices", "due"),
    [
        ((1, 1, 0), (3,), [2], [2]),
        ((2, 1, 0), (2, 3), [[1, 2]], [[5]]),
        ((2, 1, 0), (2, 3), [[1]], [[3, 4, 5]]),
        ((1, 2, 0), (1, 3), [[2], [0]], [[2, 0]]),
        ((2, 2, 1), (2, 3), [[1], [-1]], [[1, 5]]),
        ((3, 3, 2), (2, 2, 2), [[[0], [1]], [[-1], [0]]], [[[0, 3], [5, 6]]]),
    ],
)
def test_ones_in_front_give_the_rank_of_the_input(settings, sizes, indices, due):
    x = np.arange(np.prod(sizes)).reshape(sizes)
    for engine in recordings.ENGINES:
        assert trace(settings, x, indices, engine=engine).output.tolist() == due


@pytest.mark.parametrize(
    ("settings", "sizes", "indices", "field", "words"),
    [
        ((0, 2, 0), (5, 3), (4, 2), "input_dimension_count", "0 is invalid; InputTensor .* 2"),
        ((3, 2, 0), (5, 3), (4, 2), "input_dimension_count", "3 is invalid"),
        ((1, 2, 0), (5, 3), (4, 1), "input_dimension_count", "1 leaves out dimension 0 .* size 5"),
        ((2, 3, 0), (5, 3), (4, 2), "indices_dimension_count", "3 is invalid; IndicesTensor"),
        (
            (2, 1, 0),
            (5, 3),
            (4, 2),
            "indices_dimension_count",
            "1 leaves out dimension 0 .* size 4",
        ),
        ((2, 2, 2), (5, 3), (5, 1), "batch_dimension_count", "2 is invalid; .* 0 to 1 can"),
        ((2, 2, -1), (5, 3), (5, 1), "batch_dimension_count", "-1 is invalid"),
        ((2, 2, 1), (5, 3), (4, 1), "IndicesTensor", "batch dimension 0 has size 4 .* has 5"),
        ((2, 2, 0), (5, 3), (4, 3), "IndicesTensor", "each tuple has 3 indices; at most 2"),
        ((2, 2, 1), (5, 3), (5, 2), "IndicesTensor", "each tuple has 2 indices; at most 1"),
        ((2, 2, 0), (5, 3), (2,), "IndicesTensor", r"sizes \{2\} have rank 1, the input has rank"),
        ((3, 3, 0), (5, 3, 2), (2, 4, 1), "IndicesTensor", r"\{2, 4\}.* \{3, 2\}, make 4 dimens"),
        ((10**400, 2, 0), (5, 3), (4, 2), "input_dimension_count", "a number of 1,329 bits"),
    ],
)
def test_refusals(settings, sizes, indices, field, words):
    given = {"InputTensor": sizes, "IndicesTensor": indices}
    found = GatherND(*settings).problems(given, None)
    assert [problem.field for problem in found] == [field]
    assert found[0].message.startswith(f"{field}: ")
    with pytest.raises(dmlviz.Refused, match=words):
        GatherND(*settings).output_sizes(given)


@pytest.mark.parametrize(
    ("indices", "kind", "words"),
    [
        (
            [[0, 3]],
            np.int64,
            r"3 at \[0, 1\] is outside -3 to 2, .* reads flat offset 3, which is in\[1, 0\]",
        ),
        ([[5, 0]], np.uint32, r"outside 0 to 4, .* dimension 0\. .* offset 15, and in\[4, 2\]"),
        ([[-6, 1]], np.int32, r"-6 at .* would lie at flat offset -2, and in\[4, 2\] is read"),
        (
            [[2**32 + 1, 1]],
            np.int64,
            r"low 32 bits of a 64-bit index, 1 here, and reads from in\[1, 1\]",
        ),
        # no number of 64 bits holds the offset
        ([[2**62 + 7, 0]], np.int64, r"would lie at flat offset 13,835,058,055,282,163,733,"),
        ([[0, 2**64 - 4]], np.uint64, r"18446744073709551612 at \[0, 1\] .* offset -1"),
    ],
)
def test_an_index_out_of_range_is_refused_with_what_directml_does(indices, kind, words):
    with pytest.raises(dmlviz.Refused, match=words) as refused:
        trace((2, 2, 0), TABLE, indices, kind)
    assert str(refused.value).startswith("IndicesTensor: ")


def test_a_slice_and_a_batch_out_of_range():
    with pytest.raises(dmlviz.Refused, match=r"first element is read .* 6, which is in\[1, 0, 0\]"):
        trace((3, 3, 1), np.arange(12).reshape(2, 3, 2), [[[3]], [[0]]])
    with pytest.raises(dmlviz.Refused, match=r"dimension 2\. .* flat offset 6, .* in\[0, 2, 0\]"):
        trace((2, 2, 1), np.arange(12).reshape(1, 4, 3), [[[0], [3], [2], [0]]])


@given(several(GatherND))
def test_it_is_numpys_indexing_tuple_by_tuple(state):
    operator, inputs = state
    x, indices = inputs.values()
    tuples = operator.tuples_of(inputs)
    inner = x.reshape(tuples.inner)
    rows = indices.reshape(*tuples.cells, tuples.length)
    due = [
        inner[(*at[: tuples.batches], *map(int, rows[at]))].ravel()
        for at in np.ndindex(tuples.cells)
    ]
    output = dmlviz.run(operator, inputs).output
    np.testing.assert_array_equal(bits(output).ravel(), bits(np.concatenate(due)))


@given(tensors(), st.data())
def test_tuples_of_one_index_are_a_gather(x, data):
    n = x.shape[0]
    chosen = np.array(data.draw(st.lists(st.integers(-n, n - 1), min_size=1, max_size=4)))
    if x.ndim == 1:
        # two dimensions are needed for rows of tuples
        x = x[None]
    ones = (1,) * (x.ndim - 2)
    counted = x.ndim if x.shape[0] == n else 1
    tuples = trace((counted, 2, 0), x, chosen.reshape(*ones, -1, 1)).output
    inner = x if counted == x.ndim else x[0]
    np.testing.assert_array_equal(bits(tuples).ravel(), bits(np.take(inner, chosen, 0)).ravel())
    if counted == x.ndim:
        inputs = named(x, chosen.reshape(1, *ones, -1))
        whole = dmlviz.run(Gather(0, 1), inputs).output
        np.testing.assert_array_equal(bits(whole), bits(tuples), strict=True)


@given(tensors())
def test_all_places_in_order_are_the_input(x):
    places = np.stack(np.unravel_index(np.arange(x.size), x.shape), axis=-1)
    if x.ndim == 1:
        output = trace((1, 2, 0), x[None], places).output
    else:
        ones = (1,) * (x.ndim - 2)
        output = trace((x.ndim, 2, 0), x, places.reshape(*ones, -1, x.ndim)).output
    np.testing.assert_array_equal(bits(output).ravel(), bits(x).ravel())


@given(tensors(), st.data())
def test_batches_are_gathered_from_one_by_one(x, data):
    if x.ndim < 2:
        return
    n = x.shape[1]
    numbers = st.lists(st.integers(0, n - 1), min_size=x.shape[0], max_size=x.shape[0])
    chosen = np.array(data.draw(numbers)).reshape(*(1,) * (x.ndim - 2), -1, 1)
    output = trace((x.ndim, 2, 1), x, chosen).output
    due = np.stack([one[i] for one, i in zip(x, chosen.ravel(), strict=True)])
    np.testing.assert_array_equal(bits(output).ravel(), bits(due).ravel())


def test_settings_follow_the_sizes():
    counted, indices, _batches = GatherND.parameters()
    assert counted.options((1, 5, 3)) == (2, 3)
    assert counted.options((1, 1)) == (1, 2)
    assert counted.options((5,)) == (1,)
    assert counted.options(()) == tuple(range(1, 9))
    assert indices.options((5, 3)) == (1, 2)
    assert counted.fitted(2, (2, 5, 3), (5, 3)) == 3
    assert counted.fitted(2, (1, 5, 3), (1, 1, 5, 3)) == 2
    assert counted.fitted(3, (5, 3), (1, 1, 5, 3)) == 2


def test_the_formula_walks_through_the_tuple():
    assert GatherND(2, 2, 0).explain(named(TABLE, [[-1, 0], [2, 1]]), (0, 1)) == (
        "out[0, i] = in[IndicesTensor[i, 0] mod 5, IndicesTensor[i, 1]]\n"
        "out[0, 1] = in[IndicesTensor[1, 0] mod 5, IndicesTensor[1, 1]] = in[2, 1]"
    )
    batch = named(TABLE[None], [[[2], [0], [0], [1], [1]]])
    assert GatherND(2, 2, 1).explain(batch, (0, 0, 3)) == (
        "out[0, 0, h] = in[0, h, IndicesTensor[0, h, 0]]\n"
        "out[0, 0, 3] = in[0, 3, IndicesTensor[0, 3, 0]] = in[0, 3, 1]"
    )


def test_steps_go_tuple_by_tuple():
    def told(settings, x, indices):
        steps = GatherND(*settings).moves(named(x, indices))
        return [(step.title, step.caption) for step in steps.steps], steps.step_of.tolist()

    assert told((2, 2, 0), TABLE, [[4, 1], [-1, 2]]) == (
        [
            (
                "IndicesTensor[0, :] = (4, 1)",
                "(4, 1) names one element: in[4, 1] lands at out[0, 0].",
            ),
            (
                "IndicesTensor[1, :] = (-1, 2)",
                "(-1, 2) counts negative indices from the end: in[4, 2] lands at out[0, 1] "
                "(1 element).",
            ),
        ],
        [0, 1],
    )
    assert told((2, 1, 0), TABLE, [[2]])[0] == [
        (
            "IndicesTensor[0, :] = (2)",
            "(2) selects a slice: in[2, :] lands at out[0, :] (3 elements).",
        )
    ]
    captions, step_of = told((3, 3, 1), TABLE.reshape(1, 5, 3), [[[0], [4]]])
    assert captions[1] == (
        "IndicesTensor[0, 1, :] = (4)",
        "(4) selects from its own batch: in[0, 4, :] lands at out[0, 1, :] (3 elements).",
    )
    assert step_of == [0] * 3 + [1] * 3


def test_the_ninth_tuple_is_followed_with_all_further_ones():
    steps = GatherND(2, 2, 0).moves(named(TABLE, [[k % 5] for k in range(50)]))
    assert np.bincount(steps.step_of).tolist() == [3] * 7 + [43 * 3]
    assert steps.steps[-1].title == "IndicesTensor[7, :] – [49, :]"
    assert steps.steps[-1].caption == "So do the other 43 tuples, 129 elements in all."


def misread(settings, x, indices):
    operator = GatherND(*settings)
    return {m.key: m for m in operator.misreadings(named(x, indices))}


def test_misreadings():
    square = np.arange(9).reshape(3, 3)
    found = misread((2, 2, 0), square, [[0, 2], [1, 1]])
    assert found["rows"].output_sizes == (2, 2, 3)
    assert found["rows"].source.tolist() == [0, 1, 2, 6, 7, 8, 3, 4, 5, 3, 4, 5]
    assert "tf.gather" in found["rows"].words
    assert found["backwards"].source.tolist() == [6, 4]
    assert "dimension 0, its last along dimension 1" in found["backwards"].words
    assert found["first"].source.tolist() == [0, 1, 2, 3, 4, 5]
    assert found["flat"].source.tolist() == [0, 2, 1, 1]
    assert found["unranked"].output_sizes == (2,)
    rows = misread((2, 2, 0), square, [[1], [0], [2]])
    assert rows["last"].source.tolist() == [1, 4, 7, 0, 3, 6, 2, 5, 8]
    assert rows["a-batch"].source.tolist() == [1, 3, 8]
    batch = misread((2, 2, 1), square, [[1], [0], [2]])
    assert batch["first-batch"].source.tolist() == [1, 0, 2]
    assert batch["no-batch"].source.tolist() == [3, 4, 5, 0, 1, 2, 6, 7, 8]
    back = misread((2, 2, 0), square, [[1, -1], [2, 1]])
    assert back["clamped"].source.tolist() == [3, 7]
    assert "index -1 counts from the end of its dimension, -1 + 3 = 2." in back["clamped"].words
    assert back["from-one"].source.tolist() == [1, 3]


def snippet(settings, sizes, indices, dialect, kind="INT64"):
    descs = {
        "InputTensor": TensorDesc(sizes, "FLOAT32"),
        "IndicesTensor": TensorDesc(indices, kind),
    }
    return next(s for s in GatherND(*settings).code(descs) if s.dialect == dialect)


def test_code():
    assert snippet((2, 2, 0), (5, 3), (4, 2), "numpy").text == (
        "import numpy as np\n\n"
        "x = np.arange(15).astype(np.float32).reshape(5, 3)\n"
        "indices = (np.arange(8) % 3).astype(np.int64).reshape(4, 2)\n"
        "i = np.moveaxis(indices.astype(np.int64), -1, 0)\n"
        "y = x[tuple(i)].reshape(1, 4)\n"
        "print(y)\n"
    )
    batches = snippet((2, 2, 1), (1, 5, 3), (1, 5, 1), "numpy").body
    assert "batch = np.indices((5,), sparse=True)[:1]" in batches
    assert "y = x.reshape(5, 3)[(*batch, *i)].reshape(1, 1, 5)" in batches
    assert "torch.meshgrid" in snippet((2, 2, 1), (5, 3), (5, 1), "pytorch").body
    tensorflow = snippet((2, 2, 1), (5, 3), (5, 1), "tensorflow")
    assert "tf.gather_nd(x, i, batch_dims=1)" in tensorflow.body
    assert "gives 0 on a GPU" in tensorflow.note
    onnx = snippet((2, 2, 0), (5, 3), (4, 2), "onnx", "INT32")
    assert '"GatherND"' in onnx.body
    assert "INT64 only" in onnx.note
    directml = snippet((2, 2, 0), (5, 3), (4, 2), "directml").body
    assert "IndicesDimensionCount = 2;" in directml
    assert "BatchDimensionCount = 0;" in directml
    with pytest.raises(dmlviz.Refused):
        snippet((2, 2, 0), (5, 3), (4, 3), "numpy")
