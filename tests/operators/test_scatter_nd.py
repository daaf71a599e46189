"""ScatterND: its published page, and the way there and back."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import GatherND, ScatterND
from dmlviz.verify import available, read_document, verify
from tests.strategies import bits, several, tensors
from tests.verify.pages import real


def named(x, indices, updates, kind=np.int64):
    x = np.array(x)
    return {
        "InputTensor": x,
        "IndicesTensor": np.array(indices, kind),
        "UpdatesTensor": np.array(updates, x.dtype),
    }


def trace(settings, *tensors, engine="numpy", **kind):
    return dmlviz.run(ScatterND(*settings), named(*tensors, **kind), engine)


def test_the_published_example_is_refused_as_printed():
    text = real("family/ns-directml-dml_scatter_nd_operator_desc.md")
    page = read_document(text)
    # the sizes further up illustrate: their counts are those of other tensors
    missing = "line 122: {} is missing; it was read as {}, the only number that the sizes allow."
    inferred = [("IndicesDimensionCount", 2), ("InputDimensionCount", 1)]
    assert [str(finding) for finding in page.all_findings] == [
        missing.format(name, count) for name, count in inferred
    ]
    types = "DML_SCATTER_ND takes INT64, INT32, UINT64, UINT32 there."
    refused = "line {}: IndicesTensor: FLOAT32 is not supported; " + types
    verdicts = {(verdict.status, verdict.message) for verdict in verify(page, available())}
    assert verdicts == {("refused", refused.format(125))}
    counts = "InputDimensionCount: 1\nIndicesDimensionCount: 2\n"
    page = read_document(
        text.replace("\nInputTensor: (Sizes:{8}", f"\n{counts}InputTensor: (Sizes:{{8}}")
    )
    assert not page.all_findings
    verdicts = {(verdict.status, verdict.message) for verdict in verify(page, available())}
    assert verdicts == {("refused", refused.format(127))}
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
