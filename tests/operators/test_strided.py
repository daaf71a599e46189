"""Strided: layouts, documents and laws."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import Strided
from dmlviz.operators.slots import BufferDesc, packed_strides
from dmlviz.operators.strided import dense, offsets
from dmlviz.verify import read_document, verify
from tests.one_input import native
from tests.operators import recordings
from tests.strategies import bits, drawn, sizes, tensors


def out(operator, x, engine="numpy", form=""):
    trace = dmlviz.run(operator, x, engine, form)
    assert trace.agrees
    return trace.output


@given(tensors(), st.data())
def test_strides_in_another_order_transpose(x, data):
    perm = data.draw(st.permutations(range(x.ndim)))
    packed = packed_strides(x.shape)
    operator = Strided([x.shape[d] for d in perm], [packed[d] for d in perm])
    for engine in recordings.ENGINES:
        found = out(operator, x.ravel(), engine)
        np.testing.assert_array_equal(bits(found), bits(x.transpose(perm)), strict=True)


@given(sizes((2, 2)), st.data())
def test_transposed_twice_is_what_it_was(shape, data):
    x = data.draw(tensors(shape))
    there = out(Strided(shape[::-1], (1, shape[1])), x.ravel())
    back = out(Strided(shape, (1, shape[0])), there.ravel())
    np.testing.assert_array_equal(bits(back), bits(x), strict=True)


@given(tensors(), st.data())
def test_stride_0_broadcasts(x, data):
    times = [data.draw(st.integers(1, 3)) if n == 1 else n for n in x.shape]
    strides = [s if n > 1 else 0 for n, s in zip(x.shape, packed_strides(x.shape), strict=True)]
    operator = Strided(times, strides)
    for engine in recordings.ENGINES:
        found = out(operator, x.ravel(), engine)
        np.testing.assert_array_equal(bits(found), bits(np.broadcast_to(x, times)), strict=True)


@given(tensors((11,)), st.integers(1, 11), st.integers(1, 4))
def test_windows_are_numpys(x, window, step):
    due = np.lib.stride_tricks.sliding_window_view(x, window)[::step]
    found = out(Strided(due.shape, (step, 1)), x)
    np.testing.assert_array_equal(bits(found), bits(due), strict=True)


@given(drawn(Strided))
def test_what_is_dense_is_a_transpose_that_repeats(run):
    operator, x = run
    found = dense(operator.buffer, x.size)
    if found is None:
        assert native(operator, x.shape, "INT8") is None
        return
    turned = np.broadcast_to(x.reshape(found.memory).transpose(found.perm), found.sizes)
    np.testing.assert_array_equal(bits(turned), bits(out(operator, x)), strict=True)
    assert np.unique(offsets(operator.buffer)).size == x.size


def test_a_buffer_is_not_dense_where_its_elements_are_apart():
    assert dense(BufferDesc((2, 2), (1, 2)), 5) is None


def test_nothing_huge_is_made():
    whole = Strided((2**32 - 1,), (0,))
    assert whole.output_sizes((1,)) == (2**32 - 1,)
    with pytest.raises(dmlviz.TooLarge, match="output_sizes"):
        dmlviz.run(whole, np.zeros(1))


PAGE = """{}
InputTensor: (Sizes:{{2, 3}}, {}DataType:INT32) {}
OutputTensor: (Sizes:{{2, 3}}, DataType:INT32) [[1, 2, 3], [4, 5, 6]]"""


@pytest.mark.parametrize(
    ("strides", "memory", "told"),
    [
        ("Strides:{1, 2}, ", "[1, 4, 2, 5, 3, 6]", (1, 2)),
        ("Strides:{3, 1}, ", "[1, 2, 3, 4, 5, 6, 7]", (3, 1)),
        ("Strides = {4,1}, ", "[1, 2, 3, 0, 4, 5, 6]", (4, 1)),
        ("", "[[1, 2, 3], [4, 5, 6]]", (3, 1)),
    ],
)
def test_pages_give_strides_and_memory(strides, memory, told):
    for name in (Strided.structure, "")[: 2 if strides else 1]:
        document = read_document(PAGE.format(name, strides, memory))
        [example] = document.examples
        assert example.unreadable is None
        assert example.operator == Strided((2, 3), told)
        [verdict] = verify(document)
        assert verdict.status == "match"


@pytest.mark.parametrize(
    ("strides", "memory", "status", "words"),
    [
        ("Strides:{1, 2}, ", "[1, 4, 2, 5, 6, 3]", "mismatch", r"out\[0, 2\] is 3 on the page"),
        (
            "Strides:{1, 2}, ",
            "[[1, 4, 2], [5, 3, 6]]",
            "mismatch",
            "so its values must be memory, one row",
        ),
        ("Strides:{1, 3}, ", "[1, 4, 2, 5, 3, 6]", "refused", "= 7 of memory"),
        ("Strides:{1}, ", "[1, 4, 2, 5, 3, 6]", "refused", "the count is 1; it must be 2"),
        ("Strides:{1, -2}, ", "[1, 4, 2, 5, 3, 6]", "unreadable", 'Strides "1, -2" are not'),
        ("Strides:{1, 4294967296}, ", "[1]", "unreadable", "are not 1 to 8 whole numbers"),
    ],
)
def test_pages_whose_strides_are_wrong(strides, memory, status, words):
    [verdict] = verify(read_document(PAGE.format(Strided.structure, strides, memory)))
    assert verdict.status == status
    assert re.search(words, verdict.message), verdict.message


def test_other_pages_have_no_strides():
    page = """DML_TILE_OPERATOR_DESC
    Repeats: {1}
    InputTensor: (Sizes:{2}, Strides:{1}, DataType:INT32) [1, 2]
    OutputTensor: (Sizes:{2}, DataType:INT32) [1, 2]"""
    [verdict] = verify(read_document(page))
    assert verdict.message.endswith("InputTensor has Strides, which are ignored for this tensor.")


def test_a_literal_with_strides_is_memory():
    text = "InputTensor: (Sizes:{2, 3}, Strides:{1, 2}, DataType:INT8) [1, 4, 2, 5, 3, 6]"
    literal = dmlviz.tensors.read_literal(text, "INT8")
    assert literal.sizes == (6,)
    assert literal.findings == (
        "The header gives Strides, so the values were read as memory, in their order.",
    )
