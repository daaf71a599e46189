"""Movements that several libraries have, in the builder's operations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.code.arguments import as_tensor, ints, number, one_int, tensors
from dmlviz.code.builder import Builder
from dmlviz.code.indexing import get, written
from dmlviz.code.memory import copied_strides, reshaped_strides
from dmlviz.code.refusals import CodeRefused, computes_values, sorts_values
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import print_sizes, short_text
from dmlviz.tensors.types import Array, Sizes


def swapped(b: Builder, x: Tensor, one: Any, two: Any) -> Tensor:
    """Two dimensions exchanged."""
    order = list(range(x.rank))
    one, two = b.axis(one, x.rank), b.axis(two, x.rank)
    order[one], order[two] = two, one
    return b.transpose(x, order)


def reversed_axes(b: Builder, x: Tensor) -> Tensor:
    """All dimensions in reverse order."""
    return b.transpose(x, range(x.rank)[::-1])


def moved_axes(b: Builder, x: Tensor, source: Any, destination: Any) -> Tensor:
    """Dimensions moved to other places; the others keep their order."""
    old, new = (b.axes(ints(b, axes), x.rank) for axes in (source, destination))
    if len(old) != len(new):
        raise CodeRefused(
            "argument", _("There must be as many destinations as axes that are moved.")
        )
    order = [d for d in range(x.rank) if d not in old]
    for d, axis in sorted(zip(new, old, strict=True)):
        order.insert(d, axis)
    return b.transpose(x, order)


def rolled(b: Builder, x: Tensor, shift: Any, axis: Any) -> Tensor:
    """Elements shifted; those that leave one end enter at the other."""
    if axis is None:
        line = b.reshape(x, (-1,))
        return b.reshape(rolled(b, line, sum(ints(b, shift)), 0), x.sizes)
    shifts, axes = ints(b, shift), ints(b, axis)
    count = max(len(shifts), len(axes))
    shifts, axes = (v * count if len(v) == 1 else v for v in (shifts, axes))
    if len(shifts) != len(axes):
        raise _shifts_and_axes()
    for by, d in zip(shifts, axes, strict=True):
        d = b.axis(d, x.rank)
        size = x.sizes[d]
        if by % size:
            cut = size - by % size
            x = b.concat([b.slice(x, [(d, cut, size, 1)]), b.slice(x, [(d, 0, cut, 1)])], d)
    return b.copy(x)


def rolled_each(b: Builder, x: Tensor, shift: Any, axis: Any) -> Tensor:
    """Elements shifted as in :func:`rolled`, where a library takes as many shifts as axes."""
    if len(ints(b, shift)) != len(ints(b, axis)):
        raise _shifts_and_axes()
    return rolled(b, x, shift, axis)


def centered(b: Builder, x: Tensor, axes: Any, back: bool) -> Tensor:
    """The first element of each dimension in the middle, or back again: FFT's ``fftshift``."""
    dimensions = range(x.rank) if axes is None else b.axes(ints(b, axes), x.rank)
    halves = [-(x.sizes[d] // 2) if back else x.sizes[d] // 2 for d in dimensions]
    return rolled(b, x, halves, list(dimensions))


def _shifts_and_axes() -> CodeRefused:
    return CodeRefused("argument", _("There must be one shift for each axis."))


def rotated(b: Builder, x: Tensor, turns: Any, axes: Any) -> Tensor:
    """Quarter turns from the first axis toward the second."""
    first, second = b.axes(pair(b, axes), x.rank)
    order = list(range(x.rank))
    order[first], order[second] = second, first
    match one_int(b, turns) % 4:
        case 0:
            return x
        case 1:
            return b.transpose(b.flip(x, [second]), order)
        case 2:
            return b.flip(x, [first, second])
        case _:
            return b.flip(b.transpose(x, order), [second])


def pair(b: Builder, axes: Any) -> tuple[int, int]:
    """Two axes.

    Raises:
        CodeRefused: there are more or fewer.
    """
    numbers = ints(b, axes)
    if len(numbers) != 2:
        raise CodeRefused("argument", _("Exactly two axes are needed."))
    return numbers[0], numbers[1]


def cut(b: Builder, x: Tensor, places: Any, axis: Any) -> tuple[Tensor, ...]:
    """Parts between these places of a dimension."""
    axis = b.axis(axis, x.rank)
    size = x.sizes[axis]
    edges = [None, *ints(b, places), None]
    ends = [0, *ints(b, places), size]
    if not b.table.conventions.unsorted_cuts and ends != sorted(ends):
        message = _(
            "{library} divides a dimension at places from 0 to its size, {size}, ascending."
        )
        raise CodeRefused("argument", message.format(library=b.table.title, size=size))
    counts = [len(range(size)[start:stop]) for start, stop in pairwise(edges)]
    if 0 in counts:
        raise CodeRefused(
            "sizes",
            _(
                "A dimension of size {size} is divided into parts of {parts}; a part of 0 has no "
                "elements and is not shown."
            ).format(size=size, parts=", ".join(map(str, counts))),
        )
    return b.split(x, counts, axis)


def near_equal_parts(b: Builder, x: Tensor, parts: Any, axis: Any = 0) -> tuple[Tensor, ...]:
    """As many parts, the first of them longer by one where the size does not divide; or cuts."""
    if not isinstance(parts, int):
        return cut(b, x, parts, axis)
    size = x.sizes[b.axis(axis, x.rank)]
    if not 1 <= parts <= size:
        raise uneven(parts, size)
    small, more = divmod(size, parts)
    return b.split(x, [small + 1] * more + [small] * (parts - more), axis)


def equal_parts(b: Builder, x: Tensor, parts: Any, axis: Any = 0) -> tuple[Tensor, ...]:
    """As many equal parts of a dimension, or cuts."""
    if not isinstance(parts, int):
        return cut(b, x, parts, axis)
    size = x.sizes[b.axis(axis, x.rank)]
    if parts < 1 or size % parts:
        raise uneven(parts, size)
    return b.split(x, [size // parts] * parts, axis)


def uneven(parts: int, size: int) -> CodeRefused:
    """The refusal of parts that a dimension does not have."""
    return CodeRefused(
        "sizes",
        _("A dimension of size {size} does not divide into {parts} parts.").format(
            size=size, parts=parts
        ),
    )


def unknown_mode(mode: Any, modes: Iterable[str], name: str = "mode") -> CodeRefused:
    """The refusal of a mode of padding, or of another choice, that a library does not have."""
    return CodeRefused(
        "argument",
        _("{name}={mode} is not one of {modes}.").format(
            name=name, mode=short_text(mode), modes=", ".join(modes)
        ),
    )


def check_padding(
    x: Tensor, before: Sequence[int], after: Sequence[int], less: int | None, mode: str
) -> None:
    """Refuse padding that a mode cannot make of the tensor's own elements.

    Args:
        x: the tensor.
        before, after: elements in front of each dimension and behind it.
        less: how much less than a size they must be; None if they may be any.
        mode: as people write it.

    Raises:
        CodeRefused: a dimension gets too many.
    """
    for size, *sides in zip(x.sizes, before, after, strict=True):
        wide = max(sides)
        if less is not None and wide > size - less:
            raise CodeRefused(
                "sizes",
                _("Padding {wide} is too large for size {size} in mode {mode}.").format(
                    wide=wide, size=size, mode=mode
                ),
            )


def batch_of_images(b: Builder, images: Any) -> Tensor:
    """A tensor of four dimensions.

    Raises:
        CodeRefused: it has more or fewer.
    """
    x = as_tensor(b, images)
    if x.rank != 4:
        raise CodeRefused(
            "sizes", _("A batch of images has 4 dimensions, not {rank}.").format(rank=x.rank)
        )
    return x


def tiled(b: Builder, x: Tensor, repeats: Sequence[int]) -> Tensor:
    """The whole tensor repeated; missing repeats are 1, missing dimensions have size 1."""
    lead = len(repeats) - x.rank
    counts = [1] * -lead + list(repeats)
    wide = b.reshape(x, (1,) * lead + x.sizes) if lead > 0 else x
    return b.copy(b.tile(wide, counts))


def repeated(b: Builder, x: Tensor, repeats: Any, axis: Any) -> Tensor:
    """Each element along a dimension repeated; without an axis, each element of all."""
    if axis is None:
        x, axis = b.reshape(x, (-1,)), 0
    axis = b.axis(axis, x.rank)
    size = x.sizes[axis]
    counts = ints(b, repeats)
    counts = counts * size if len(counts) == 1 else counts
    if len(counts) != size or min(counts) < 0:
        raise unfit_repeats(len(counts), size)
    new = (*x.sizes[:axis], sum(counts), *x.sizes[axis + 1 :])
    b.check(new)
    if len(set(counts)) > 1:
        return b.gather(x, axis, control(np.repeat(np.arange(size), counts)))
    wide = (*x.sizes[: axis + 1], counts[0], *x.sizes[axis + 1 :])
    return b.copy(b.reshape(b.expand(b.unsqueeze(x, [axis + 1]), wide), new))


def unfit_repeats(count: int, size: int) -> CodeRefused:
    """The refusal of counts of repeats that a dimension of this size does not have."""
    return CodeRefused(
        "argument",
        _(
            "{count} repeats do not fit a dimension of size {size}; there must be one, or one "
            "for each place."
        ).format(count=count, size=size),
    )


def taken(b: Builder, x: Tensor, indices: Any, axis: Any) -> Tensor:
    """The places that indices choose; without an axis, elements of the whole tensor in a row."""
    if axis is None:
        x, axis = b.reshape(x, (-1,)), 0
    places = as_tensor(b, indices)
    b.index(places, x.sizes[b.axis(axis, x.rank)], taken=True)
    return b.gather(x, axis, places, typed=True)


def taken_along(b: Builder, x: Tensor, indices: Any, axis: Any) -> Tensor:
    """For each index its element along an axis; the other sizes are broadcast."""
    places = as_tensor(b, indices)
    if axis is None:
        x, axis = b.reshape(x, (-1,)), 0
    axis = b.axis(axis, x.rank)
    if places.rank != x.rank:
        raise CodeRefused(
            "sizes",
            _("Indices with {one} dimensions do not fit a tensor with {two}.").format(
                one=places.rank, two=x.rank
            ),
        )
    for d, (one, two) in enumerate(zip(x.sizes, places.sizes, strict=True)):
        if d != axis and one != two and 1 not in (one, two):
            raise CodeRefused(
                "sizes",
                _(
                    "The tensor has sizes {sizes}, the indices {indices}: {one} and {two} in "
                    "dimension {d}. Except along axis {axis}, sizes must be equal or 1."
                ).format(
                    sizes=print_sizes(x.sizes),
                    indices=print_sizes(places.sizes),
                    one=one,
                    two=two,
                    d=d,
                    axis=axis,
                ),
            )
    b.index(places, x.sizes[axis], taken=True)
    both = b.broadcast_sizes([_line(t, axis) for t in (x, places)])
    sizes, due = list(both), list(both)
    sizes[axis], due[axis] = x.sizes[axis], places.sizes[axis]
    b.check(due)
    wide = np.broadcast_to(b.control_values(places), due)
    return b.gather_elements(b.expand(x, sizes), axis, control(wide), typed=True)


def _line(x: Tensor, axis: int) -> Tensor:
    """A tensor's sizes with 1 along an axis, to broadcast the others."""
    return control(np.broadcast_to(0, [1 if d == axis else n for d, n in enumerate(x.sizes)]))


def diagonal(b: Builder, x: Tensor, offset: Any = 0, one: Any = 0, two: Any = 1) -> Tensor:
    """The diagonal of two dimensions as the last dimension; a view."""
    first, second = b.axes([one, two], x.rank)
    by = one_int(b, offset)
    rows = np.arange(max(0, -by), min(x.sizes[first], x.sizes[second] - by))
    if not rows.size:
        raise CodeRefused("sizes", _("This diagonal has no elements; choose a smaller offset."))
    others = [d for d in range(x.rank) if d not in (first, second)]
    t = b.transpose(x, [first, second, *others])
    t = b.gather_nd(t, control(np.stack([rows, rows + by], -1)))
    t = b.transpose(t, [*range(1, t.rank), 0])
    step = x.strides[first] + x.strides[second]
    strides = (*(x.strides[d] for d in others), step)
    t = b.as_view(t, x, strides, lambda b, x: diagonal(b, x, by, first, second))
    t.writable &= b.table.conventions.repeats_writable
    return t


def diagonal_matrix(b: Builder, x: Tensor, offset: Any = 0, one: Any = -2, two: Any = -1) -> Tensor:
    """The last dimension as the diagonal of two dimensions, and zeros around it."""
    first, second = b.axes([one, two], x.rank + 1)
    by, size = one_int(b, offset), x.sizes[-1]
    side = size + abs(by)
    rows = np.arange(size) + max(0, -by)
    b.check((*x.sizes[:-1], side, side))
    zeros = b.moved(control(np.zeros((side, side, *x.sizes[:-1]), np.int64)))
    line = b.transpose(b.moved(x), [x.rank - 1, *range(x.rank - 1)])
    made = b.scatter_nd(zeros, control(np.stack([rows, rows + by], -1)), line)
    rest = iter(range(2, made.rank))
    places = {first: 0, second: 1}
    return b.transpose(made, [places[d] if d in places else next(rest) for d in range(made.rank)])


def diagonal_or_matrix(b: Builder, x: Tensor, offset: Any) -> Tensor:
    """The diagonal of a matrix, or the matrix with a diagonal."""
    return diagonal_matrix(b, x, offset) if x.rank == 1 else diagonal(b, x, offset)


def triangle(b: Builder, x: Tensor, offset: Any, lower: bool) -> Tensor:
    """A triangle of the last two dimensions, and zeros in the other one."""
    if x.rank < 2:
        raise CodeRefused(
            "sizes", _("A triangle needs 2 dimensions or more, not {rank}.").format(rank=x.rank)
        )
    by = one_int(b, offset)
    mask = np.tri(x.sizes[-2], x.sizes[-1], by if lower else by - 1, dtype=bool)
    return b.where(control(mask if lower else ~mask), x, control(0))


def chosen_by(b: Builder, condition: Any, x: Any, y: Any) -> Tensor:
    """Elements of one tensor where a condition holds, of the other elsewhere."""
    return b.where(*(as_tensor(b, item) for item in (condition, x, y)))


def narrowed(b: Builder, x: Tensor, axis: Any, start: Any, length: Any) -> Tensor:
    """So many places of a dimension from one on."""
    axis = b.axis(axis, x.rank)
    size, count = x.sizes[axis], one_int(b, length)
    first = one_int(b, start)
    first = first + size if first < 0 else first
    if not 0 <= first <= first + count <= size or count < 1:
        raise CodeRefused(
            "sizes",
            _("{count} places from {first} on are not in a dimension of size {size}.").format(
                count=count, first=first, size=size
            ),
        )
    return b.slice(x, [(axis, first, first + count, 1)])


def selected(b: Builder, x: Tensor, axis: Any, index: Any) -> Tensor:
    """One place of a dimension, without the dimension."""
    axis = b.axis(axis, x.rank)
    return get(b, x, (*[slice(None)] * axis, one_int(b, index)))


def broadcast_all(b: Builder, items: Sequence[Any]) -> list[Tensor]:
    """Tensors expanded to the sizes that they have together."""
    parts = [as_tensor(b, item) for item in items]
    sizes = b.broadcast_sizes(parts)
    return [b.expand(part, sizes) for part in parts]


def at_least(b: Builder, x: Tensor, rank: int, library: str = "numpy") -> Tensor:
    """A tensor with so many dimensions or more; where new ones come is the library's rule."""
    if x.rank >= rank:
        return x
    if rank == 3:
        # both libraries put two dimensions first and the third behind
        return b.reshape(x, {0: (1, 1, 1), 1: (1, *x.sizes, 1), 2: (*x.sizes, 1)}[x.rank])
    return b.reshape(x, (1,) * (rank - x.rank) + x.sizes)


def joined_depth(b: Builder, items: Any, rank: int, axis: int) -> Tensor:
    """Tensors of this rank or more, joined along an axis."""
    return b.concat([at_least(b, part, rank) for part in tensors(b, items)], axis)


def joined_rows(b: Builder, items: Any) -> Tensor:
    """Tensors side by side: along the only dimension, otherwise along the second."""
    parts = [at_least(b, part, 1) for part in tensors(b, items)]
    return b.concat(parts, 0 if parts[0].rank == 1 else 1)


def joined_columns(b: Builder, items: Any) -> Tensor:
    """Tensors side by side, those of one dimension as columns."""
    parts = tensors(b, items)
    return b.concat([b.reshape(p, (-1, 1)) if p.rank < 2 else p for p in parts], 1)


def windows(b: Builder, x: Tensor, axis: Any, size: Any, step: Any) -> Tensor:
    """Overlapping windows along a dimension, as a new last dimension; a view."""
    axis = b.axis(axis, x.rank)
    wide, by, n = one_int(b, size), one_int(b, step), x.sizes[axis]
    if not 1 <= wide <= n or by < 1:
        raise CodeRefused(
            "argument",
            _("Windows of {wide} with steps of {by} do not fit a dimension of size {size}.").format(
                wide=wide, by=by, size=n
            ),
        )
    count = (n - wide) // by + 1
    b.check((*x.sizes[:axis], count, wide, *x.sizes[axis + 1 :]))
    places = np.arange(count)[:, None] * by + np.arange(wide)
    t = b.gather(x, axis, control(places))
    t = b.transpose(t, [*(d for d in range(t.rank) if d != axis + 1), axis + 1])
    strides = (*x.strides[:axis], x.strides[axis] * by, *x.strides[axis + 1 :], x.strides[axis])
    t = b.as_view(t, x, strides, lambda b, x: windows(b, x, axis, wide, by))
    t.writable &= b.table.conventions.repeats_writable
    return t


def strided(b: Builder, x: Tensor, sizes: Any, strides: Sequence[int], offset: int = 0) -> Tensor:
    """Memory read with other strides.

    Args:
        b: the builder.
        x: a tensor that is the whole of its memory, in order.
        sizes: of the result.
        strides: in elements.
        offset: the first element.
    """
    if not x.packed or x.memory.count != x.array.size:
        raise CodeRefused(
            "view",
            _("as_strided reads all memory of a view, which is not followed; copy it first."),
        )
    shape = ints(b, sizes)
    if len(shape) != len(strides):
        raise CodeRefused("argument", _("There must be one stride for each size."))
    b.check(shape)
    grid = np.indices(shape, sparse=True)
    places = offset + sum((i * s for i, s in zip(grid, strides, strict=True)), np.zeros(shape, int))
    if places.min() < 0 or places.max() >= x.array.size:
        raise CodeRefused(
            "sizes",
            _("These strides reach beyond the {count} elements of the memory.").format(
                count=x.array.size
            ),
        )
    t = b.gather(b.reshape(x, (-1,)), 0, control(places))
    return b.as_view(t, x, tuple(strides), lambda b, x: strided(b, x, sizes, strides, offset))


def reversed_parts(b: Builder, x: Tensor, lengths: Array, batch: int, time: int) -> Tensor:
    """The first places of a dimension in reverse, as many as each batch's length says.

    Args:
        b: the builder.
        x: the tensor.
        lengths: one for each place of the dimension ``batch``; whole numbers.
        batch, time: the numbers of two dimensions.
    """
    batch, time = b.axes([batch, time], x.rank)
    if lengths.shape != (x.sizes[batch],) or lengths.dtype.kind not in "iu":
        raise CodeRefused(
            "sizes",
            _("There must be one length for each of {count} places of axis {axis}.").format(
                count=x.sizes[batch], axis=batch
            ),
        )
    if lengths.min() < 0 or lengths.max() > x.sizes[time]:
        raise CodeRefused(
            "sizes",
            _("A length must be 0 to {size}, the size of axis {axis}.").format(
                size=x.sizes[time], axis=time
            ),
        )
    places = np.indices(x.sizes)[time]
    most = lengths.reshape([-1 if d == batch else 1 for d in range(x.rank)])
    turned = np.where(places < most, most - 1 - places, places)
    return b.gather_elements(x, time, control(turned))


def same_elements(b: Builder, x: Any, /) -> Tensor:
    """The tensor itself: a call that moves nothing."""
    return as_tensor(b, x)


def copied(b: Builder, x: Any, /) -> Tensor:
    """The same elements in memory of their own, dimensions in the order of memory."""
    x = as_tensor(b, x)
    return b.copy(x, copied_strides(x.sizes, x.strides))


def copied_in_order(b: Builder, x: Any, /) -> Tensor:
    """The same elements in memory of their own, in the order of indices."""
    return b.copy(as_tensor(b, x))


def flat(b: Builder, x: Tensor) -> Tensor:
    """NumPy's iterator: its parts are copies, and a write to it would reach the tensor."""
    line = b.copy(b.reshape(x, (-1,)))
    line.writable = False
    return line


def viewed(b: Builder, x: Tensor, sizes: Sequence[int]) -> Tensor:
    """A reshape that does not copy.

    Raises:
        CodeRefused: the memory cannot be read with these sizes.
    """
    new = b.whole_sizes(x, sizes)
    if reshaped_strides(x.sizes, x.strides, new) is None:
        raise CodeRefused(
            "view",
            _(
                "view cannot read sizes {sizes} with strides {strides} as sizes {new} without a "
                "copy; use reshape."
            ).format(
                sizes=print_sizes(x.sizes),
                strides=f"({', '.join(map(str, x.strides))})",
                new=print_sizes(new),
            ),
        )
    return b.reshape(x, new)


def region_written(b: Builder, x: Tensor, value: Any, choose: Callable[[Tensor], Tensor]) -> Tensor:
    """The tensor with a value of the same sizes in place of a part."""
    places = choose(control(np.arange(x.array.size).reshape(x.sizes))).array
    new = as_tensor(b, value)
    if new.sizes != places.shape:
        raise CodeRefused(
            "sizes",
            _("A value of sizes {sizes} must have sizes {due}.").format(
                sizes=print_sizes(new.sizes), due=print_sizes(places.shape)
            ),
        )
    return written(b, x, places, new)


def filled(b: Builder, sizes: Sequence[int], value: Any) -> Array:
    """An array of one value, after a check of its sizes."""
    b.check(sizes)
    return np.full(tuple(sizes), number(value))


def pixels_to_depth(b: Builder, x: Tensor, block: int, depth_first: bool = True) -> Tensor:
    """Blocks of the last two dimensions into channels: the inverse of :func:`depth_to_pixels`."""
    if x.rank < 3 or block < 1 or x.sizes[-1] % block or x.sizes[-2] % block:
        raise _no_block(x.sizes, block)
    *lead, c, h, w = x.sizes
    t = b.reshape(x, (*lead, c, h // block, block, w // block, block))
    r = len(lead)
    channels = (r, r + 2, r + 4) if depth_first else (r + 2, r + 4, r)
    t = b.transpose(t, (*range(r), *channels, r + 1, r + 3))
    return b.reshape(t, (*lead, c * block * block, h // block, w // block))


def depth_to_pixels(b: Builder, x: Tensor, block: int, depth_first: bool = True) -> Tensor:
    """Channels into blocks of the last two dimensions.

    Args:
        b: the builder.
        x: the tensor, channels before height and width.
        block: the size of a block.
        depth_first: whether channels are ordered by depth, then by place in the block, as in
            PyTorch's ``pixel_shuffle`` and ONNX's ``CRD``; otherwise by place in the block, then
            by depth, as in TensorFlow's ``depth_to_space`` and ONNX's ``DCR``.
    """
    if x.rank < 3 or block < 1 or x.sizes[-3] % (block * block):
        raise _no_block(x.sizes, block)
    *lead, c, h, w = x.sizes
    depth, r = c // (block * block), len(lead)
    channels = (depth, block, block) if depth_first else (block, block, depth)
    t = b.reshape(x, (*lead, *channels, h, w))
    first, row, column = (r, r + 1, r + 2) if depth_first else (r + 2, r, r + 1)
    t = b.transpose(t, (*range(r), first, r + 3, row, r + 4, column))
    return b.reshape(t, (*lead, depth, h * block, w * block))


def _no_block(sizes: Sizes, block: int) -> CodeRefused:
    return CodeRefused(
        "sizes",
        _(
            "Sizes {sizes} do not fit a block of {block}: rank 3 or more, and channels, or height "
            "and width, that it divides."
        ).format(sizes=print_sizes(sizes), block=block),
    )


def squeezed(b: Builder, x: Tensor, axes: Any) -> Tensor:
    """Without the axes, all of size 1; without all that have size 1 if there are none.

    Raises:
        CodeRefused: one of them has another size.
    """
    if axes is None:
        return b.squeeze(x, [d for d, n in enumerate(x.sizes) if n == 1])
    dimensions = b.axes(ints(b, axes), x.rank)
    for d in dimensions:
        if x.sizes[d] != 1:
            raise CodeRefused(
                "sizes",
                _("Axis {axis} has size {size}; only an axis of size 1 can be left out.").format(
                    axis=d, size=x.sizes[d]
                ),
            )
    return b.squeeze(x, dimensions)


def computes(b: Builder, *args: Any, **kwargs: Any) -> Tensor:
    """Refuse a function that makes new values; of numbers of the code, it is not read either."""
    raise computes_values()


def by_values(b: Builder, *args: Any, **kwargs: Any) -> Tensor:
    """Refuse a function that moves elements by their values."""
    if not any(isinstance(arg, Tensor) and arg.moving for arg in args):
        raise CodeRefused(
            "name", _("This function of numbers is not read; write its result as a list.")
        )
    raise sorts_values()


def in_place(b: Builder, *args: Any, **kwargs: Any) -> Tensor:
    """Refuse a function that writes into its argument and returns nothing."""
    raise CodeRefused(
        "view",
        _("This function writes into its argument and returns nothing; use y[...] = ... instead."),
    )


REFUSING = (computes, by_values, in_place)
"""Functions of tables that take any arguments, and refuse them all."""


def whole_product(b: Builder, sizes: Any) -> int:
    """The product of whole numbers."""
    return math.prod(ints(b, sizes))


def line_of(b: Builder, x: Tensor, method: str, numbers: Sequence[int]) -> str:
    """A call to write instead, such as ``x.permute(0, 2, 1)``."""
    name = x.name if x.name in b.inputs else "x"
    return f"{name}.{method}({', '.join(map(str, numbers))})"
