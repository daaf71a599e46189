"""Rolls before a pattern, and after it: most are ruled out by the corners of what they make."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dmlviz.code.forms import Calls, Reshape, Roll
from dmlviz.code.maps import Map, are_sums_at_ends, pattern
from dmlviz.tensors.types import Array, Sizes

CORNER_LIMIT = 16
"""The limit of corners that a flat roll can bring to the front."""

TURN_LIMIT = 81
"""The limit of combinations of rolled axes that are tried."""


def simple(movement: Map) -> Calls | None:
    """Nothing, other sizes, or a pattern."""
    if movement.stays:
        return []
    if movement.is_order:
        return [Reshape(movement.source.shape)]
    return pattern(movement)


def turned(movement: Map) -> Calls | None:
    """A pattern before or after rolls, of axes or of all elements in their order.

    Args:
        movement: without constants.
    """
    source, sizes = movement.source, movement.sizes
    count, ends = math.prod(sizes), _ends(source.shape)

    def simple_calls(before: Array) -> Calls | None:
        return simple(replace(movement, source=before))

    at = movement.coordinates()
    shifts = _shifts([int(one.flat[0]) for one in at], sizes)
    of_ends = np.array([one[ends] for one in at])
    few = (of_ends - shifts[..., None]) % np.array(sizes)[:, None]
    made = np.ravel_multi_index(tuple(np.moveaxis(few, 1, 0)), sizes)
    for each in shifts[are_sums_at_ends(made)].tolist():
        rolled = ((one - k) % n for one, k, n in zip(at, each, sizes, strict=True))
        calls = simple_calls(np.ravel_multi_index(tuple(rolled), sizes))
        if calls is not None:
            return [*_rolls([-k for k in each], sizes), *calls]
    first = int(np.argmin(source))
    shifts = _shifts([int(i) for i in np.unravel_index(first, source.shape)], source.shape)
    few = (np.array(ends) + shifts[..., None]) % np.array(source.shape)[:, None]
    for each in shifts[are_sums_at_ends(source[tuple(np.moveaxis(few, 1, 0))])].tolist():
        calls = simple_calls(np.roll(source, [-k for k in each], range(source.ndim)))
        if calls is not None:
            return [*calls, *_rolls(each, source.shape)]
    some = itertools.islice(itertools.product(*({0, n - 1} for n in source.shape)), CORNER_LIMIT)
    corners = tuple(np.array([*some]).T)
    starts = source[corners]
    made = (source[ends] - starts[:, None]) % count
    for start in starts[are_sums_at_ends(made) & (starts != 0)].tolist():
        calls = simple_calls((source - start) % count)
        if calls is not None:
            return [Roll(-start if start <= count // 2 else count - start, None), *calls]
    flat = first - np.ravel_multi_index(corners, source.shape)
    line = np.ravel_multi_index(ends, source.shape) + flat[:, None]
    made = source.ravel()[line % source.size]
    for shift in flat[are_sums_at_ends(made) & (flat != 0)].tolist():
        calls = simple_calls(np.roll(source, -shift))
        if calls is not None:
            return [*calls, Roll(shift, None)]
    return None


def _ends(sizes: Sizes) -> tuple[Array, ...]:
    """The indices of the first element, of the last one of each dimension from it, and of the last.

    >>> [i.tolist() for i in _ends((2, 3))]
    [[0, 1, 0, 1], [0, 0, 2, 2]]
    """
    last = np.array(sizes) - 1
    return tuple(np.vstack([np.zeros_like(last), np.diag(last), last]).T)


def _shifts(start: Sequence[int], sizes: Sizes) -> Array:
    """Shifts of axes that bring a start to the first or the last place, the fewest first.

    Returns:
        A row for each combination, a column for each axis.
    """
    options = [
        sorted({0, k, (k + 1) % n}) if n > 1 else [0] for k, n in zip(start, sizes, strict=True)
    ]
    every = itertools.islice(itertools.product(*options), TURN_LIMIT)
    ordered = sorted(filter(any, every), key=lambda shifts: sum(k != 0 for k in shifts))
    return np.array(ordered, np.int64).reshape(-1, len(sizes))


def _rolls(shifts: Sequence[int], sizes: Sizes) -> Calls:
    calls: Calls = []
    for axis, (shift, n) in enumerate(zip(shifts, sizes, strict=True)):
        k = shift % n
        if k:
            calls.append(Roll(k - n if k > n // 2 else k, axis))
    return calls
