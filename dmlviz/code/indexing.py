"""Subscripts: basic and advanced indexing by NumPy's rules, and by other libraries' that differ.

Sources: numpy.org/doc/stable/user/basics.indexing.html; PyTorch 2.13, which applies whole numbers
before lists, and has no negative steps; JAX 0.10, which takes arrays and no lists; TensorFlow
2.21, which takes whole numbers and slices, or one mask.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.code.arguments import as_tensor
from dmlviz.code.builder import Builder, check_once
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Tensor, control
from dmlviz.tensors import print_sizes, short_text
from dmlviz.tensors.numbering import distinct
from dmlviz.tensors.types import Array, Sizes


@dataclass(frozen=True)
class _Item:
    """A part of a subscript.

    Attributes:
        kind: ``new`` for a new dimension, ``keep`` for a slice, ``drop`` for a number that is
            applied at once, ``at`` for indices.
        axis: of the tensor; -1 for a new dimension.
        indices: of ``at``; int64.
        written: of ``at``, what the code says: these indices, or a mask.
    """

    kind: str
    axis: int = -1
    indices: Array | None = None
    written: Array | None = None


def get(b: Builder, x: Tensor, key: Any) -> Tensor:
    """The elements that a subscript chooses.

    Args:
        b: the builder.
        x: the tensor.
        key: one item or a tuple: whole numbers, slices, None, ``...``, lists, tensors, masks.

    Raises:
        CodeRefused: the subscript does not fit, or depends on values that move.
    """
    items, parts = _read(b, x, _whole_key(b, x, key))
    whole, x = x, b.slice(x, parts)
    dropped = [item.axis for item in items if item.kind == "drop"]
    x = b.squeeze(x, dropped)
    left = [item.axis for item in items if item.kind in ("keep", "at")]
    items = [
        replace(item, axis=sorted(left).index(item.axis) if item.axis >= 0 else -1)
        for item in items
        if item.kind != "drop"
    ]
    if any(item.kind == "at" for item in items):
        x, kinds = _chosen(b, x, items)
    else:
        kinds = [item.kind for item in items]
    made = b.unsqueeze(x, [d for d, kind in enumerate(kinds) if kind == "new"])
    if b.table.conventions.scalars_apart and not made.rank and not _has_dots(key):
        return b.apart(made, ())
    if made is whole and not b.table.conventions.has_views:
        return b.apart(made, made.strides)
    return made


def _has_dots(key: Any) -> bool:
    return key is Ellipsis or (isinstance(key, tuple) and any(item is Ellipsis for item in key))


def _whole_key(b: Builder, x: Tensor, key: Any) -> list[Any]:
    """A subscript with one item for each dimension, and None for each new one."""
    items = [_item(b, item) for item in (key if isinstance(key, tuple) else (key,))]
    if b.table.conventions.basic_only:
        _check_basic(b, items)
    used = sum(0 if i is None or i is Ellipsis else i.rank if _is_mask(i) else 1 for i in items)
    dots = [n for n, item in enumerate(items) if item is Ellipsis]
    if len(dots) > 1:
        raise CodeRefused("argument", _("A subscript has at most one “...”."))
    if used > x.rank:
        raise CodeRefused(
            "argument",
            _("{count} indices do not fit a tensor with {rank} dimensions.").format(
                count=used, rank=x.rank
            ),
        )
    at = dots[0] if dots else len(items)
    return [*items[:at], *[slice(None)] * (x.rank - used), *items[at + 1 :]]


def _item(b: Builder, item: Any) -> Any:
    """One item of a subscript: None, ``...``, a slice, a whole number, or a control tensor."""
    if isinstance(item, range) and b.library != "tensorflow":
        item = list(item)
    if isinstance(item, list | tuple):
        library, lists = b.table, b.table.conventions.list_indices
        message = ""
        if lists == "none":
            message = _("{library} takes no lists as indices; write {maker}(...).")
        if lists == "flat" and any(isinstance(inner, list | tuple) for inner in item):
            message = _("{library} reads lists in lists in its own way; write {maker}(...).")
        if message:
            words = message.format(library=library.title, maker=library.of_list)
            raise CodeRefused("argument", words)
        item = as_tensor(b, list(item))
    if isinstance(item, Tensor):
        array = b.control_values(item)
        return int(array) if item.rank == 0 and array.dtype.kind in "iu" else control(array)
    if isinstance(item, bool) or not (
        item is None or item is Ellipsis or isinstance(item, slice | int | np.integer)
    ):
        raise CodeRefused(
            "argument",
            _("{value} is not an index; use whole numbers, slices, lists or tensors.").format(
                value=short_text(item)
            ),
        )
    return item


def _check_basic(b: Builder, items: list[Any]) -> None:
    """Refuse indices of a library whose tensors take only numbers and slices, or one mask."""
    if any(isinstance(i, Tensor) for i in items) and not (len(items) == 1 and _is_mask(items[0])):
        message = _("{library} takes only whole numbers and slices as indices; use {function}.")
        raise CodeRefused(
            "argument",
            message.format(library=b.table.title, function=b.table.conventions.gather),
        )


def _is_mask(item: Any) -> bool:
    return isinstance(item, Tensor) and item.array.dtype == bool


def _read(
    b: Builder, x: Tensor, key: list[Any]
) -> tuple[list[_Item], list[tuple[int, int, int, int]]]:
    """The items of a subscript, and the parts of dimensions to slice first."""
    advanced = any(isinstance(item, Tensor) for item in key)
    items: list[_Item] = []
    parts = []
    axis = 0
    for item in key:
        if item is None:
            items.append(_Item("new"))
            continue
        if isinstance(item, Tensor):
            if _is_mask(item) and x.moving and not b.table.conventions.reads_masks:
                message = _("{library} reads no elements by a mask; use indices, or where.")
                raise CodeRefused("argument", message.format(library=b.table.title))
            for indices in _places(item, x, axis):
                places = b.index(indices, x.sizes[axis]).array
                items.append(_Item("at", axis, places, item.array))
                axis += 1
            continue
        size = x.sizes[axis]
        if isinstance(item, slice):
            parts.append((axis, *_slice(b, item, size)))
            items.append(_Item("keep", axis))
        else:
            place = int(b.index(control(item), size).array)
            if advanced and not b.table.conventions.numbers_first:
                items.append(_Item("at", axis, np.asarray(place), np.asarray(place)))
            else:
                parts.append((axis, place, place + 1, 1))
                items.append(_Item("drop", axis))
        axis += 1
    return items, parts


def _slice(b: Builder, item: slice, size: int) -> tuple[int, int, int]:
    if item.step == 0:
        raise CodeRefused("argument", _("A step of 0 is invalid; use 1 or more."))
    start, stop, step = item.indices(size)
    if step < 0 and not b.table.conventions.backward_slices:
        message = _("{library} has no slices with a negative step; use {function}.")
        raise CodeRefused(
            "argument",
            message.format(library=b.table.title, function=b.table.conventions.backward),
        )
    if not range(start, stop, step):
        raise CodeRefused(
            "sizes",
            _("This slice of a dimension of size {size} has no elements.").format(size=size),
        )
    return start, stop, step


def _places(item: Tensor, x: Tensor, axis: int) -> list[Tensor]:
    """Indices for each dimension that an item takes: a mask takes as many as it has."""
    if not _is_mask(item):
        return [item]
    check_mask(item.sizes, x.sizes[axis : axis + item.rank])
    places = np.nonzero(item.array)
    if not places[0].size:
        raise CodeRefused("sizes", _("The mask chooses no elements."))
    return [control(indices) for indices in places]


def check_mask(mask: Sizes, sizes: Sizes) -> None:
    """Refuse a mask that does not have the sizes of the dimensions that it takes.

    Raises:
        CodeRefused: it does not, or it takes none.
    """
    if mask != sizes or not mask:
        raise CodeRefused(
            "sizes",
            _("A mask of sizes {mask} does not fit dimensions of sizes {sizes}.").format(
                mask=print_sizes(mask), sizes=print_sizes(sizes)
            ),
        )


def _chosen(b: Builder, x: Tensor, items: list[_Item]) -> tuple[Tensor, list[str]]:
    """The elements at indices, and what each dimension of the result is, new ones included.

    The dimensions of the indices stand where the first of them was, if they stand together;
    otherwise in front.
    """
    chosen = [n for n, item in enumerate(items) if item.kind == "at"]
    axes = [items[n].axis for n in chosen]
    lists = [control(items[n].indices) for n in chosen]
    b.broadcast_sizes(lists)
    arrays = np.broadcast_arrays(*(indices.array for indices in lists))
    count = arrays[0].ndim
    written = tuple(array for n in chosen if (array := items[n].written) is not None)
    if len(axes) == 1:
        x, spot = b.gather(x, axes[0], control(arrays[0]), typed=written), axes[0]
    else:
        x = b.transpose(x, [*axes, *(d for d in range(x.rank) if d not in axes)])
        x, spot = b.gather_nd(x, control(np.stack(arrays, -1)), typed=written), 0
    together = all(item.kind == "at" for item in items[chosen[0] : chosen[-1] + 1])
    first = chosen[0] if together else 0
    before = sum(item.kind == "keep" for item in items[:first])
    kept = [d for d in range(x.rank) if not spot <= d < spot + count]
    moved = range(spot, spot + count)
    x = b.transpose(x, [*kept[:before], *moved, *kept[before:]])
    kinds = [item.kind for item in items if item.kind != "at"]
    at = sum(item.kind != "at" for item in items[:first])
    return x, [*kinds[:at], *["at"] * count, *kinds[at:]]


def put(b: Builder, x: Tensor, key: Any, value: Any) -> Tensor:
    """The tensor after ``x[key] = value``."""
    if isinstance(key, Tensor) and key.sizes == x.sizes and not isinstance(value, Tensor | list):
        mask = b.control_values(key)
        if mask.dtype == bool and mask.any() and x.rank and x.moving:
            # one value wherever a mask holds
            return b.where(control(mask), b.moved(control(value)), b.moved(x))
    places = get(b, control(np.arange(x.array.size).reshape(x.sizes)), key).array
    return written(b, x, places, value)


def written(b: Builder, x: Tensor, places: Array, value: Any) -> Tensor:
    """The tensor with a value, broadcast, at these places.

    Args:
        b: the builder.
        x: the tensor.
        places: flat indices of its elements; int64.
        value: a number or a tensor.
    """
    new = as_tensor(b, value)
    moving = x.moving or new.moving
    if moving:
        x, new = b.moved(x), b.moved(new)
    lead = new.rank - places.ndim
    if lead > 0 and set(new.sizes[:lead]) == {1}:
        new = b.reshape(new, new.sizes[lead:])
    if new.array.size == 1:
        # one value twice in a place is no question
        places, new = distinct(places), b.reshape(new, (1,))
    new = b.expand(new, places.shape)
    if not moving:
        check_once(places, x.sizes)
        array = x.array.copy()
        array.flat[places] = new.array
        return b.derived(array, x, new)
    if x.rank == 0:
        return b.reshape(new, ())
    tuples = np.stack(np.unravel_index(places, x.sizes), -1)
    return b.scatter_nd(x, control(tuples), new)
