"""Tensors of indices that replace one coordinate of each element: GATHER_ELEMENTS, SCATTER."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dmlviz.errors import Problem
from dmlviz.operators.indices import INDICES, INPUT, from_front, offsets, outside
from dmlviz.operators.outside import Outside
from dmlviz.tensors import print_sizes, shown
from dmlviz.words import _

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]


def coordinates(sizes: Sizes, axis: int, indices: Array) -> list[Array]:
    """For each dimension of the input, the index that belongs to each index cell; int64.

    Args:
        sizes: of the input.
        axis: the dimension in which an index replaces the cell's own.
        indices: IndicesTensor; its indices can be outside the input.
    """
    found: list[Array] = list(np.indices(indices.shape, dtype=np.int64))
    found[axis] = from_front(indices, sizes[axis])
    return found


def places(sizes: Sizes, axis: int, indices: Array) -> Array:
    """The flat index of the element that each index names, if none is outside; int64."""
    found: Array = np.ravel_multi_index(tuple(coordinates(sizes, axis, indices)), sizes)
    return found


def flat_offsets(sizes: Sizes, axis: int, indices: Array) -> Array:
    """The flat offset that DirectML calculates for each index, even outside the tensor; int64."""
    return offsets(coordinates(sizes, axis, indices), sizes)


def element_problems(structure: str, sizes: Mapping[str, Sizes], axis: int) -> Iterator[Problem]:
    """Problems with the axis, or with the sizes of the indices.

    DirectML refuses other dimensions that are shorter than the input's; ONNX accepts them.
    """
    given, indices = sizes[INPUT], sizes[INDICES]
    if not 0 <= axis < len(given):
        message = _("axis: {axis} is invalid; the input's dimensions are 0 to {last}.").format(
            axis=shown(axis), last=len(given) - 1
        )
        yield Problem("axis", message, f"{structure}, Axis")
        return
    if len(indices) != len(given):
        message = _(
            "IndicesTensor: sizes {sizes} have rank {count}, the input has rank {rank}; the "
            "ranks must be equal."
        ).format(sizes=print_sizes(indices), count=len(indices), rank=len(given))
        yield Problem(INDICES, message, f"{structure}, Tensor constraints")
        return
    for d, (n, due) in enumerate(zip(indices, given, strict=True)):
        if n != due and d != axis:
            message = _(
                "IndicesTensor: dimension {d} has size {n} where the input has {due}; only "
                "dimension {axis}, along which the indices count, may differ."
            ).format(d=d, n=n, due=due, axis=shown(axis))
            yield Problem(INDICES, message, f"{structure}, IndicesTensor")
            return


def first_outside(sizes: Sizes, axis: int, indices: Array) -> int | None:
    """The flat cell of the first index that is outside the axis."""
    wrong = np.flatnonzero(outside(indices, sizes[axis]))
    return int(wrong[0]) if wrong.size else None


def outside_cell(sizes: Sizes, axis: int, indices: Array, at: int) -> Outside:
    """The index in a flat cell, which is outside the axis."""
    here = list(map(int, np.unravel_index(at, indices.shape)))
    signed = int(indices.ravel()[at].astype(np.int64))
    here[axis] = signed + sizes[axis] * (signed < 0)
    return Outside(indices, at, sizes, axis, tuple(here))
