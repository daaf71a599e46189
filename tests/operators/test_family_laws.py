"""Laws between operators: one takes back what another did, or does the same in another way."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import dmlviz
from dmlviz import DepthToSpace, Padding, Slice, SpaceToDepth, Strided, Tile, TopK, Unfold
from dmlviz.operators.slots import packed_strides
from tests.strategies import bits, depth_to_spaces, paddings, sizes, space_to_depths, tensors, tiles


def same(found, due):
    np.testing.assert_array_equal(bits(found), bits(due), strict=True)


def out(operator, x):
    return dmlviz.run(operator, x).output


def cut(offsets, window):
    return Slice(offsets, window, (1,) * len(window))


@given(tiles(), st.data())
def test_a_slice_of_a_tile_is_the_input(run, data):
    tile, x = run
    copy = [data.draw(st.integers(0, repeat - 1)) for repeat in tile.repeats]
    offsets = [k * n for k, n in zip(copy, x.shape, strict=True)]
    same(out(cut(offsets, x.shape), out(tile, x)), x)


@given(paddings())
def test_a_slice_takes_padding_off(run):
    padding, x = run
    same(out(cut(padding.start_padding, x.shape), out(padding, x)), x)


@given(tensors(), st.data())
def test_a_tile_is_padding_that_wraps(x, data):
    repeats = [data.draw(st.integers(1, 3 if x.ndim < 5 else 2)) for _n in x.shape]
    none = (0,) * x.ndim
    ends = [(repeat - 1) * n for repeat, n in zip(repeats, x.shape, strict=True)]
    same(out(Padding("WRAP", none, ends), x), out(Tile(repeats), x))


@given(sizes((1, 4)), st.data())
def test_a_tile_is_strides_of_0(shape, data):
    x = data.draw(tensors(shape))
    repeats = [data.draw(st.integers(1, 3)) for _n in shape]
    told = list(itertools.chain(*zip(repeats, shape, strict=True)))
    strides = list(itertools.chain(*((0, stride) for stride in packed_strides(shape))))
    found = out(Strided(told, strides), x.ravel())
    due = out(Tile(repeats), x)
    same(found.reshape(due.shape), due)


@given(depth_to_spaces())
def test_depth_to_space_is_strides_in_another_order(run):
    operator, x = run
    n, c, h, w = x.shape
    b = operator.block_size
    deep = operator.order == "DEPTH_COLUMN_ROW"
    memory = (n, b, b, c // b**2, h, w) if deep else (n, c // b**2, b, b, h, w)
    order = (0, 3, 4, 1, 5, 2) if deep else (0, 1, 4, 2, 5, 3)
    strides = packed_strides(memory)
    view = Strided([memory[d] for d in order], [strides[d] for d in order])
    due = out(operator, x)
    same(out(view, x.ravel()).reshape(due.shape), due)


@given(depth_to_spaces() | space_to_depths())
def test_each_block_operator_undoes_the_other(run):
    operator, x = run
    other = SpaceToDepth if isinstance(operator, DepthToSpace) else DepthToSpace
    same(out(other(operator.block_size, operator.order), out(operator, x)), x)


@given(tensors((23,)), st.integers(1, 5), st.integers(1, 6))
def test_every_few_elements_are_a_slice(x, stride, count):
    count = min(count, 1 + 22 // stride)
    found = out(Strided((count,), (stride,)), x)
    same(found, out(Slice((0,), (1 + (count - 1) * stride,), (stride,)), x))


@given(
    st.tuples(*(st.integers(1, 4),) * 4).flatmap(lambda shape: tensors(shape, ("INT32", "FLOAT16")))
)
def test_the_middle_of_every_window_is_the_input(x):
    columns = out(Unfold((3, 3), (1, 1), (1, 1), (1, 1), (1, 1)), x)
    # nine rows a channel, and the fifth is the middle of the window
    same(columns[:, 4::9].reshape(x.shape), x)


@given(tensors((3, 5), ("INT32", "UINT8")), st.integers(1, 5))
def test_the_first_of_a_sorted_row_are_its_beginning(x, k):
    rows = np.sort(x, axis=1)
    run = dmlviz.run(TopK(1, k, "INCREASING"), rows)
    same(run.outputs["OutputValueTensor"], rows[:, :k])
    assert (run.outputs["OutputIndexTensor"] == np.arange(k)).all()
