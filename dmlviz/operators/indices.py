"""Shared by operators with a tensor of indices: types, ranges, and conversion for ONNX."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.base.words import _
from dmlviz.movement import CONTROL
from dmlviz.movement.graphs import FLOW, Constant, Node, cast
from dmlviz.operators.feature_levels import ANY_RANK, Support
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import print_sizes
from dmlviz.tensors.types import Array, Sizes

INPUT, INDICES, UPDATES = "InputTensor", "IndicesTensor", "UpdatesTensor"

_TYPES = ("INT64", "INT32", "UINT64", "UINT32")

WORD = 1 << 32
"""DirectML calculates offsets modulo this."""


def indices_slot(first: str = "", *, like_first: bool = False) -> Slot:
    """IndicesTensor, which has four types from feature level 3_0 on.

    Args:
        first: the earlier level from which it has UINT32 at rank 4, if there is one.
        like_first: as in :class:`Slot`.
    """
    earlier = (Support(first, (4,), ("UINT32",)),) if first else ()
    support = (*earlier, Support("3_0", ANY_RANK, _TYPES))
    return Slot(INDICES, CONTROL, support=support, like_first=like_first)


def from_front(indices: Array, size: int | Array) -> Array:
    """Indices of a dimension of that size, with negative ones counted from the front; int64.

    If the last dimension of ``indices`` holds tuples, ``size`` can be an array of their sizes.

    >>> from_front(np.array([0, -1]), 5).tolist()
    [0, 4]
    """
    signed = indices.astype(np.int64)
    return np.where(signed < 0, signed + size, signed)


def outside(indices: Array, size: int) -> Array:
    """Which indices are outside an axis of that size; negative ones count from the end."""
    wrong: Array = indices >= size
    return wrong | (indices < -size) if indices.dtype.kind == "i" else wrong


def lowest(indices: Array, size: int) -> int:
    """The smallest valid index of an axis of that size; below 0 if the type is signed."""
    return -size if indices.dtype.kind == "i" else 0


def offsets(coordinates: Sequence[Array | int], sizes: Sizes) -> Array:
    """The flat offsets that DirectML 1.15.4 calculates in 32 bits, for any indices.

    Args:
        coordinates: for each dimension, indices counted from the front, int64; they can be
            outside.
        sizes: of the tensor.

    Returns:
        0 to 2**32 - 1, which can be outside the tensor; int64.
    """
    # the low 32 bits of a product are those of the factors' low 32 bits
    parts: list[Any] = [
        np.asarray(at, np.int64) % WORD * (math.prod(sizes[d + 1 :]) % WORD) % WORD
        for d, at in enumerate(coordinates)
    ]
    flat: Array = sum(parts, np.zeros((), np.int64)) % WORD
    return flat


def ranks_problem(structure: str, sizes: Mapping[str, Sizes]) -> Problem | None:
    """The problem if indices and input have different ranks; a shorter one can be filled up.

    Args:
        structure: of the operator.
        sizes: of its tensors.
    """
    indices, rank = sizes[INDICES], len(sizes[INPUT])
    if len(indices) == rank:
        return None
    message = _(
        "IndicesTensor: sizes {sizes} have rank {count}, the input has rank {rank}; the "
        "ranks must be equal, with leading ones if needed."
    ).format(sizes=print_sizes(indices), count=len(indices), rank=rank)
    return Problem(INDICES, message, f"{structure}, Tensor constraints")


def index_nodes(inputs: Mapping[str, TensorDesc]) -> tuple[list[Node], str]:
    """The nodes that convert IndicesTensor to a type that ONNX takes, and their result's name."""
    if not inputs[INDICES].data_type.startswith("U"):
        return [], INDICES
    return [cast(INDICES, "INT64")], FLOW


def shape_of(sizes: Sizes) -> Constant:
    """Sizes as ONNX takes them."""
    return Constant("shape", np.array(sizes, np.int64))
