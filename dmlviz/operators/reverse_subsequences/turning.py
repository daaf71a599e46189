"""Where the elements of a sequence come from, and what DirectML does with a length beyond it."""

from __future__ import annotations

from typing import Any

import numpy as np

from dmlviz.tensors import one_line
from dmlviz.words import _, ngettext

INPUT, LENGTHS = "InputTensor", "SequenceLengthsTensor"

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]

_WORD = 1 << 32


def places(n: int, axis: int, rank: int) -> Array:
    """The indices 0 to ``n - 1`` along an axis of a tensor of that rank; int64."""
    return np.arange(n, dtype=np.int64).reshape((1,) * axis + (n,) + (1,) * (rank - axis - 1))


def sources(lengths: Array, n: int, axis: int) -> Array:
    """For each element of the output, the index along the axis that it comes from.

    Args:
        lengths: one for each sequence, 0 to ``n``; its size along the axis is 1.
        n: the input's size along the axis.
        axis: what is reversed.

    Returns:
        int64, of the input's sizes.
    """
    at = places(n, axis, lengths.ndim)
    signed = lengths.astype(np.int64)
    return np.where(at < signed, signed - 1 - at, at)


def read_anyway(lengths: Array, n: int, axis: int) -> Array:
    """What DirectML 1.15.4 reads for any lengths, including those beyond the axis.

    It takes a length's low 32 bits, and the last index for places beyond the axis. If
    no length is beyond it, this equals :func:`sources`.
    """
    return np.minimum(sources(lengths.astype(np.uint64) % np.uint64(_WORD), n, axis), n - 1)


def beyond_sentence(sizes: Sizes, axis: int, lengths: Array, cell: int) -> str:
    """The problem with a length, and what DirectML would do with it.

    Args:
        sizes: of the input.
        axis: what is reversed.
        lengths: SequenceLengthsTensor.
        cell: the flat index of the length that is too large.
    """
    n, wrong = sizes[axis], int(lengths.ravel()[cell])
    low = wrong % _WORD
    count = min(n, low - n + 1)
    numbers = {
        "length": one_line(str(wrong), 24),
        "cell": [int(i) for i in np.unravel_index(cell, lengths.shape)],
        "n": n,
        "axis": axis,
        "low": low,
        "last": n - 1,
        "count": count,
    }
    if low <= n:
        return _(
            "SequenceLengthsTensor: {length} at {cell} is more than {n}, the input's size in "
            "dimension {axis}. DirectML does not refuse it: it takes the low 32 bits, {low}."
        ).format(**numbers)
    return ngettext(
        "SequenceLengthsTensor: {length} at {cell} is more than {n}, the input's size in dimension "
        "{axis}. DirectML does not refuse it, and does not clamp it to {n} as its page says: the "
        "first {count} element would be a copy of index {last}.",
        "SequenceLengthsTensor: {length} at {cell} is more than {n}, the input's size in dimension "
        "{axis}. DirectML does not refuse it, and does not clamp it to {n} as its page says: the "
        "first {count} elements would all be copies of index {last}.",
        count,
    ).format(**numbers)
