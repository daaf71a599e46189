"""Where the elements of an array are in another one, by their bits."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.code.sections import divisors
from dmlviz.tensors import short_text
from dmlviz.tensors.types import Array, Sizes

NUMERIC = "biufc"
"""NumPy's kinds of numbers, BOOL included."""

WORD = 8
"""The bytes of the largest bits that are compared at once."""

ROUNDS = 64
"""The limit of times that the neighbors of elements without a source are looked at."""

LEVELS_WORK = 8_000_000
"""The limit of steps of a line that are looked at to find its digits."""

FEW = 3
"""How many pairs of sizes of digits are tried in any case."""

SLOW = 64
"""Neighbors that settle less than this part of what is open, as a divisor, are no help."""

ORDERS_LIMIT = 128
"""The limit of orders of dimensions, some of them reversed, that are tried."""

SAMPLE = 256
"""How many elements show that an order of dimensions is another one."""

CHANCE_BITS = 16
"""Values of which fewer arrangements exist, as bits, can agree with an order by chance."""


def as_compared(name: str, x: Any, *, empty: bool = False) -> Array:
    """An array whose elements can be compared.

    Args:
        name: what the caller calls it.
        x: an array of NumPy, or of another library that gives one.
        empty: whether it may have no elements.

    Raises:
        Error: it is no array, has no elements, or they are not numbers.
    """
    array = None
    if not isinstance(x, list | tuple | str | bytes) and hasattr(x, "__array__"):
        try:
            array = np.asarray(x)
        except Exception:  # another library's reasons
            array = None
    if array is None:
        raise Error(_("{name}: {value} is not an array.").format(name=name, value=_short(x)), name)
    # a type that a library registers, such as bfloat16, has bits as any other
    registered = array.dtype.isbuiltin == 2
    if array.dtype.kind not in NUMERIC and not registered:
        raise Error(
            _("{name}: the array has the type {type}; its elements must be numbers.").format(
                name=name, type=short_text(str(array.dtype))
            ),
            name,
        )
    if not array.size and not empty:
        raise Error(_("{name}: the array has no elements.").format(name=name), name)
    return array


def _short(x: Any) -> str:
    try:
        return " ".join(short_text(x).split())
    except Exception:  # a repr of a stranger's
        return type(x).__name__


def bits_of(array: Array) -> Array:
    """The bits of every element as a whole number, of one dimension; UINT8 to UINT64.

    Those of a longer type, such as complex numbers of 16 bytes, are two words for each element.
    """
    dtype = array.dtype.newbyteorder("=")
    line = np.ascontiguousarray(array, dtype).reshape(-1)
    size = dtype.itemsize
    if dtype.kind in "fc" and size >= 2 * WORD and np.finfo(dtype).nmant > 52:
        # bytes that only fill up a long number say nothing
        parts = line.view(np.uint8).reshape(-1, np.dtype(np.longdouble).itemsize).copy()
        parts[:, 10:] = 0
        line = parts.reshape(-1)
    return line.view(f"u{size}" if size <= WORD else np.uint64)


def compared_bits(before: Array, after: Array) -> tuple[Array, Array]:
    """The bits of two arrays of one type as one word for each element."""
    words = [bits_of(x).reshape(x.size, -1) for x in (before, after)]
    every = np.concatenate(words)
    ranks = every[:, 0]
    for column in every.T[1:]:
        pairs = [np.unique(part, return_inverse=True)[1] for part in (ranks, column)]
        ranks = (pairs[0] * np.int64(every.shape[0]) + pairs[1]).view(np.uint64)
    return ranks[: before.size], ranks[before.size :]


def matched(before: Array, after: Array) -> tuple[Array, Array]:
    """For each element the first place of its value, and whether that is at several places.

    Args:
        before, after: bits, of one dimension.

    Returns:
        INT64 places, -1 for a value that is not there; and BOOL.
    """
    if before.itemsize <= 2:
        count = 1 << 8 * before.itemsize
        first = np.full(count, -1)
        # of several places, the last that is written is the first
        first[before[::-1]] = np.arange(before.size)[::-1]
        return first[after], np.bincount(before, minlength=count)[after] > 1
    order, ordered = _sorted(before)
    heads = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    several = np.diff(np.append(heads, ordered.size)) > 1
    values = ordered[heads]
    # needles in their order are near each other
    needles, ordered_after = _sorted(after)
    places = np.empty(after.size, np.int64)
    places[needles] = np.searchsorted(values, ordered_after)
    places = np.minimum(places, values.size - 1)
    is_there = values[places] == after
    return np.where(is_there, order[heads[places]], -1), is_there & several[places]


def _sorted(bits: Array) -> tuple[Array, Array]:
    """The places of bits in their order, equal ones as they come, and the bits in it."""
    if bits.itemsize > WORD // 2 or bits.size >> 32:
        order = np.argsort(bits, kind="stable")
        return order, bits[order]
    # words of bits and places are sorted in half the time
    words = bits.astype(np.uint64) << np.uint64(32) | np.arange(bits.size, dtype=np.uint64)
    words.sort()
    places = words & np.uint64((1 << 32) - 1)
    return places.astype(np.int64), (words >> np.uint64(32)).astype(bits.dtype)


def sources_in_runs(before: Array, after: Array) -> Array:
    """The sources of elements in runs of several that are at only one place; -1 for the others.

    Args:
        before, after: bits of 1 or 2 bytes, of one dimension.
    """
    count = WORD // before.itemsize
    source = np.full(after.size, -1)
    if min(before.size, after.size) < count:
        return source
    places, several = matched(*(runs_of_bits(bits, count) for bits in (before, after)))
    start = np.flatnonzero((places >= 0) & ~several)
    unlike = np.full(after.size, False)
    for k in range(count):
        # a run that is in two parts of before is also found beside one of them, by chance
        unlike[start + k] |= (source[start + k] >= 0) & (source[start + k] != places[start] + k)
        source[start + k] = places[start] + k
    return np.where(unlike, -1, source)


def runs_of_bits(bits: Array, count: int) -> Array:
    """The bits of every run of so many elements as one word; of one, as they are."""
    if count == 1:
        return bits
    size = bits.size - count + 1
    words = np.zeros(size, np.uint64)
    for k in range(count):
        words = words << np.uint64(8 * bits.itemsize) | bits[k : k + size]
    return words


def completed(source: Array, before: Array, after: Array) -> Iterator[Array]:
    """Sources of all elements that agree with those of some, and with every value.

    Args:
        source: of the output's sizes; -1 where it is open.
        before, after: bits.
    """
    for complete in (_by_lines, _by_neighbors):
        every = complete(source, before, after)
        if every is not None and np.array_equal(before[every.ravel()], after):
            yield every


def _by_lines(source: Array, before: Array, after: Array) -> Array | None:
    """Sources as a sum of one line for each dimension; None if the elements do not say them."""
    known = source >= 0
    total = np.zeros((1,) * source.ndim, np.int64)
    for d, n in enumerate(source.shape):
        if n == 1:
            continue
        rows, there = (np.moveaxis(x, d, 0).reshape(n, -1) for x in (source, known))
        both = there[1:] & there[:-1]
        column = both.argmax(1)
        at = np.arange(n - 1)
        steps = rows[at + 1, column] - rows[at, column]
        line = _filled(steps, both[at, column])
        if line is None:
            return None
        total = total + np.append(0, np.cumsum(line)).reshape(
            [-1 if e == d else 1 for e in range(source.ndim)]
        )
    first = np.unravel_index(int(known.argmax()), source.shape)
    total = total + (source[first] - total[first])
    inside = total.min() >= 0 and total.max() < before.size
    return total if inside and (total[known] == source[known]).all() else None


def _filled(steps: Array, is_known: Array) -> Array | None:
    """The steps of a line, those that are open as those at the same place of its digits.

    None if no step is known.
    """
    if is_known.all():
        return steps
    n = steps.size + 1
    places = np.arange(1, n)
    sizes = divisors(n)[1:]
    levels = ((a, b) for a in sizes for b in sizes if b % a == 0)
    for a, b in itertools.islice(levels, max(FEW, LEVELS_WORK // n)):
        level = (places % a == 0).astype(int) + (places % b == 0)
        filled = steps.copy()
        for one in range(3):
            of_level = level == one
            values = steps[of_level & is_known]
            if not of_level.any():
                continue
            if not values.size or (values != values[0]).any():
                break
            filled[of_level] = values[0]
        else:
            return filled
    if not is_known.any():
        return None
    # a line without digits goes on as before
    last = np.maximum.accumulate(np.where(is_known, np.arange(n - 1), 0))
    last[: int(is_known.argmax())] = int(is_known.argmax())
    onward: Array = steps[last]
    return onward


def _by_neighbors(source: Array, before: Array, after: Array) -> Array | None:
    """Sources that go on as their neighbors do, where the value is the one that is due."""
    line = source.reshape(-1).copy()
    # the edges of the tensor have no neighbors outside
    at_edge = np.pad(np.full(source.shape, True), 2)
    apart = tuple(math.prod(at_edge.shape[d + 1 :]) for d in range(source.ndim))
    inside = np.flatnonzero(at_edge)
    padded = np.full(at_edge.size, -1)
    padded[inside] = line
    moves = _neighbors(apart)
    for _round in range(ROUNDS):
        start = np.flatnonzero(line < 0)
        if not start.size:
            break
        for signs in moves:
            where = start[line[start] < 0]
            known = [padded[inside[where] + move] for _sign, move in signs]
            all_known = np.logical_and.reduce([one >= 0 for one in known])
            guess = sum(sign * one for (sign, _move), one in zip(signs, known, strict=True))
            fits = all_known & (guess >= 0) & (guess < before.size)
            where, guess = where[fits], np.asarray(guess)[fits]
            right = before[guess] == after[where]
            line[where[right]] = padded[inside[where[right]]] = guess[right]
        if SLOW * np.count_nonzero(line[start] >= 0) < start.size:
            break
    return line.reshape(source.shape) if (line >= 0).all() else None


def _neighbors(apart: Sequence[int]) -> list[list[tuple[int, int]]]:
    """Sums of sources of neighbors that give an element's: signs, and how far they are."""
    steps = [sign * n for n in apart for sign in (1, -1)]
    straight = [[(2, k), (-1, 2 * k)] for k in steps]
    pairs = itertools.combinations(range(len(steps)), 2)
    corners = [
        [(1, steps[a]), (1, steps[b]), (-1, steps[a] + steps[b])]
        for a, b in pairs
        if a // 2 != b // 2
    ]
    return [*straight, *corners]


def orders_that_agree(sizes: Sizes, after_sizes: Sizes, before: Array, after: Array) -> list[Array]:
    """The sources of all orders of dimensions, reversed or not, that give the values.

    Args:
        sizes, after_sizes: of the two arrays.
        before, after: their bits.

    Returns:
        Those that differ from each other, at most two.
    """
    if before.size != after.size:
        return []
    numbers = np.arange(before.size).reshape(sizes)
    sample = np.linspace(0, after.size - 1, min(after.size, SAMPLE)).astype(np.int64)
    wide = [d for d, n in enumerate(sizes) if n > 1]
    orders = itertools.product(
        itertools.permutations(wide), itertools.product((1, -1), repeat=len(wide))
    )
    kept: list[Array] = []
    for order, steps in itertools.islice(orders, ORDERS_LIMIT):
        view = numbers.reshape([sizes[d] for d in wide]).transpose([wide.index(d) for d in order])
        view = view[tuple(slice(None, None, step) for step in steps)]
        if not (before[view.flat[sample]] == after[sample]).all():
            continue
        source = view.reshape(after_sizes)
        new = not any(np.array_equal(source, one) for one in kept)
        if new and np.array_equal(before[source.ravel()], after):
            kept.append(source)
            if len(kept) > 1:
                break
    return kept


def chance_is_small(bits: Array) -> bool:
    """Whether the values have so many arrangements that none agrees by chance."""
    counts = np.unique(bits, return_counts=True)[1]
    log = math.lgamma(bits.size + 1)
    kinds, times = np.unique(counts, return_counts=True)
    log -= sum(int(n) * math.lgamma(int(k) + 1) for k, n in zip(kinds, times, strict=True))
    return log / math.log(2) >= CHANCE_BITS
