"""GatherND: its published pages, and laws of tuples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Gather, GatherND
from dmlviz.verify import available, read_document, verify
from tests.strategies import bits, several, tensors
from tests.verify.pages import real


def named(x, indices, kind=np.int64):
    return {"InputTensor": np.asarray(x), "IndicesTensor": np.array(indices, kind)}


def trace(settings, x, indices, kind=np.int64, engine="numpy"):
    return dmlviz.run(GatherND(*settings), named(x, indices, kind), engine)


@pytest.mark.parametrize("page", ["gather_nd", "gather_nd1"])
def test_published_pages_match_in_every_engine(page):
    verdicts = verify(
        read_document(real(f"family/ns-directml-dml_{page}_operator_desc.md")), available()
    )
    assert {verdict.status for verdict in verdicts} == {"match"}
    assert len(verdicts) == 2 * len(available())


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
