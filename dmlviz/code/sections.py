"""A movement of blocks as a few calls: a short order, an exclusive or, parts that are joined.

A result is a proposal: whoever shows it compares all elements.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.code.forms import Call, Calls, Concatenation, JoinedPart, Reshape, Take, Xor
from dmlviz.code.maps import Map, shortened, spend_trial
from dmlviz.tensors.types import Array, Sizes

LIST_LIMIT = 16
"""The limit of places in a list: a longer one says no more than the map."""

JOIN_LIMIT = 8
"""The limit of parts that are joined."""

PART_NUMBERS = 3
"""The numbers that say where a part begins, how long it is, and how far it is from the next."""

FEW = 2
"""How many times a small movement does the same, and the elements of its blocks."""

TERM_LIMIT = 3
"""The limit of terms of an exclusive or."""


@dataclass(frozen=True)
class _BlockOrder:
    """The same order of blocks, several times.

    Attributes:
        outer: how many times.
        table: for each block of the output, its number in the input, within one time.
        before: the blocks of the input in one time.
        inner: the elements of a block.
    """

    outer: int
    table: Array
    before: int
    inner: int


def ordered(movement: Map) -> Calls | None:
    """A short order of blocks, or one whose numbers are combined by an exclusive or."""
    if movement.has_constants:
        return None
    spend_trial(movement.work, movement.source.size)
    count = math.prod(movement.sizes)
    blocks = _blocks(movement.source.ravel(), [count])
    lead, rest, tail = _around(movement.sizes, blocks.outer, blocks.inner)
    axis = len(lead)
    call: Call | None = None
    if blocks.table.size <= LIST_LIMIT:
        call = Take(tuple(blocks.table.tolist()), axis)
    elif blocks.table.size == blocks.before:
        call = _xor(blocks.table, axis)
    if call is None:
        return None
    sizes = (*lead, blocks.before, *((rest,) if rest > 1 else ()), *tail)
    after = (*lead, blocks.table.size, *sizes[axis + 1 :])
    first: Calls = [Reshape(sizes)] if sizes != movement.sizes else []
    last: Calls = [Reshape(movement.source.shape)] if after != movement.source.shape else []
    return [*first, call, *last]


def reduced(movement: Map, most: int) -> Map | None:
    """A movement of the same kind with at most so many elements.

    Fewer times the same, smaller blocks, and digits with fewer steps; None if it has none.

    Args:
        movement: from one tensor, without constants.
        most: the limit of elements of the output, and of the input.
    """
    digits = shortened(movement)
    if digits is not None and max(digits.source.size, math.prod(digits.sizes)) <= most:
        return digits
    blocks = _blocks(movement.source.ravel(), [math.prod(movement.sizes)])
    outer, inner = min(blocks.outer, FEW), min(blocks.inner, FEW)
    if outer * inner * max(blocks.table.size, blocks.before) > most:
        return None
    steps = np.arange(outer)[:, None, None] * blocks.before + blocks.table[:, None]
    source = (steps * inner + np.arange(inner)).squeeze()
    sizes = tuple(n for n in (outer, blocks.before, inner) if n > 1)
    return Map(sizes, source)


def numbers_of(order: Calls) -> int:
    """The numbers of the longest list in an order's calls."""
    return max((len(call.places) for call in order if isinstance(call, Take)), default=0)


def _blocks(source: Array, counts: Sequence[int]) -> _BlockOrder:
    """The largest blocks that stay together, and how many times they have the same order.

    Args:
        source: of one dimension, without constants.
        counts: the elements of each input.
    """
    inner = _inner(source, counts)
    table, before = source[::inner] // inner, sum(counts) // inner
    outer = 1
    for times in divisors(math.gcd(table.size, before))[::-1]:
        size, step = table.size // times, before // times
        first = table[:size]
        if first.min() < 0 or first.max() >= step:
            continue
        if _repeats(table, times, np.full(size, step)):
            outer, table, before = times, first, step
            break
    return _BlockOrder(outer, table, before, inner)


def _inner(source: Array, counts: Sequence[int]) -> int:
    """The elements of the largest blocks that the output is made of, at multiples of their size."""
    breaks = np.flatnonzero(np.diff(source) != 1) + 1
    starts = source[np.concatenate([[0], breaks])]
    places = (np.gcd.reduce(each) for each in (breaks, starts) if each.size)
    return math.gcd(source.size, *counts, *map(int, places))


def _repeats(table: Array, times: int, steps: Array) -> bool:
    """Whether every part of a table is the one before, moved on by steps."""
    size = table.size // times
    if times > 1 and not np.array_equal(table[size : 2 * size] - table[:size], steps):
        return False
    return bool((table[size:] - table[:-size] == np.tile(steps, times - 1)).all())


def divisors(n: int) -> list[int]:
    """The divisors of a number, the smallest first."""
    small = [k for k in range(1, math.isqrt(n) + 1) if n % k == 0]
    return sorted({*small, *(n // k for k in small)})


def _around(sizes: Sizes, lead: int, tail: int) -> tuple[Sizes, int, Sizes]:
    """The first dimensions that have so many elements, and the last ones within so many.

    Returns:
        The first ones, or one dimension in their place; what is left of the elements; the last
        ones.

    >>> _around((4, 2, 3, 5), 8, 10)
    ((4, 2), 2, (5,))
    """
    products = [math.prod(sizes[:k]) for k in range(len(sizes) + 1)]
    k = products.index(lead) if lead in products else 0
    first = sizes[:k] if products[k] == lead else (lead,)
    last = next(j for j in range(k, len(sizes) + 1) if tail % math.prod(sizes[j:]) == 0)
    return first, tail // math.prod(sizes[last:]), sizes[last:]


def _xor(table: Array, axis: int) -> Xor | None:
    """A table of which every number is its place, some bits of it inverted by others."""
    n = table.size
    if n & (n - 1):
        return None
    bits = n.bit_length() - 1
    constant = int(table[0])
    images = [int(table[1 << bit]) ^ constant for bit in range(bits)]
    made = np.array([constant])
    for image in images:
        made = np.concatenate([made, made ^ image])
    if not np.array_equal(made, table):
        return None
    terms: list[tuple[int, int, int]] = []
    # neighboring bits that are inverted by neighboring bits are one term
    for shift in range(1 - bits, bits):
        inverted = [
            bit
            for bit in range(max(0, shift), min(bits, bits + shift))
            if (images[bit] >> (bit - shift) & 1) != (shift == 0)
        ]
        while inverted:
            low = inverted[0]
            run = next(k for k in range(1, bits + 2) if low + k not in inverted)
            terms.append((1 << low, 1 << run, 1 << (low - shift)))
            inverted = inverted[run:]
    return Xor(n, constant, tuple(terms), axis) if len(terms) <= TERM_LIMIT else None


def joined(
    inputs: Sequence[Sizes], source: Array, recognize: Callable[[Map], Calls | None], work: Map
) -> Calls | None:
    """Parts of tensors, one after another along an axis.

    Args:
        inputs: the sizes of the tensors.
        source: for each element of the output, its number through all tensors; no constants.
        recognize: gives the calls of a part.
        work: the movement whose work is spent.

    Returns:
        The join and a reshape; None if there are too many parts, or one is nothing known.
    """
    line, counts = source.ravel(), [math.prod(sizes) for sizes in inputs]
    inner = _inner(line, counts)
    table = line[::inner] // inner
    ends = np.cumsum(counts) // inner
    tensor = np.searchsorted(ends, table, side="right")
    times, breaks = _sections(table, tensor)
    count = breaks.size + 1
    # more numbers than those of the table say nothing
    if not 2 <= count <= JOIN_LIMIT or (len(inputs) == 1 and PART_NUMBERS * count > table.size):
        return None
    lead, rest, tail = _around(source.shape, times, inner)
    columns = line.reshape(times, -1)
    edges = [0, *(int(k) * inner for k in breaks), columns.shape[1]]
    parts: list[JoinedPart] = []
    for start, end in itertools.pairwise(edges):
        number = int(tensor[start // inner])
        offset = sum(counts[:number])
        sizes = (*lead, (end - start) // math.prod(tail), *tail)
        own = (columns[:, start:end] - offset).reshape(sizes)
        calls = recognize(replace(work, sizes=inputs[number], source=own, values=(), shapes=()))
        if calls is None:
            return None
        parts.append(JoinedPart(number, inputs[number], tuple(calls)))
    whole = (*lead, rest * (columns.shape[1] // inner), *tail)
    last: Calls = [Reshape(source.shape)] if whole != source.shape else []
    return [Concatenation(tuple(parts), len(lead)), *last]


def _sections(table: Array, tensor: Array) -> tuple[int, Array]:
    """How many times a table repeats in even steps, and where its sections begin.

    A section of one tensor is a run of blocks; of several, all that comes from one of them.

    Returns:
        The number of times that has the fewest sections, and the first place of every section but
        the first.
    """
    several = bool((tensor != tensor[0]).any())
    best: tuple[int, Array] = (1, np.arange(1, table.size))
    for times in divisors(table.size):
        size = table.size // times
        rows = tensor.reshape(times, size)
        if times > 1 and not (rows[0] == rows[1]).all():
            continue
        if several:
            if not (rows == rows[0]).all():
                continue
            breaks = np.flatnonzero(np.diff(rows[0])) + 1
        else:
            steps = table[size : 2 * size] - table[:size] if times > 1 else np.zeros(size, int)
            if not _repeats(table, times, steps):
                continue
            first = table[:size]
            breaks = np.flatnonzero((np.diff(first) != 1) | (np.diff(steps) != 0)) + 1
        if breaks.size < best[1].size:
            best = times, breaks
    return best
