"""A map of sources as a few calls: what is on the outside is taken off, the rest is a pattern.

A result is a proposal: whoever shows it reads the code and compares all elements.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from dmlviz.base.budget import Exhausted
from dmlviz.code.forms import (
    Call,
    Calls,
    Copies,
    Diagonal,
    Flip,
    Insert,
    Pad,
    Pattern,
    Repeat,
    Reshape,
    Roll,
    Slice,
    Slicing,
    Take,
    Triangle,
    put,
)
from dmlviz.code.maps import (
    MODES,
    Map,
    equal,
    padding_starts,
    pattern,
    spend_trial,
)
from dmlviz.code.sections import joined, numbers_of, ordered
from dmlviz.code.turning import simple, turned
from dmlviz.movement.expressions import names_of
from dmlviz.movement.nodes import fold
from dmlviz.tensors.numbering import distinct
from dmlviz.tensors.types import Array, Sizes

TABLE_LIMIT = 8
"""The limit of a table's places in a line of code: a longer one says no more than the map."""

COPY_LIMIT = 16
"""The limit of copies of an axis that are cut afterward."""

ENOUGH = 2
"""So many calls are short: no shorter ones are searched for."""

DEPTH_LIMIT = 3
"""The limit of calls that copy along one axis."""

FACTOR = 6364136223846793005
"""Powers of it are the weights of a row's numbers: Knuth's multiplier of random numbers."""

PAD_LIMIT = 3
"""The limit of places that padding after other copies adds at each end."""

SHAPE_LIMIT = 24
"""The limit of pairs of sizes between which a movement is tried."""


def recognized(movement: Map, most: float = math.inf) -> Iterator[Calls]:
    """Calls that could be the movement, the most likely first.

    Args:
        movement: from a tensor of rank 1 to 8; it is also tried between the sizes on its way.
        most: the limit of calls with which it is tried so.
    """
    try:
        yield from _proposals(movement, most)
    except Exhausted:
        return


def orders_of_blocks(movement: Map, most: float = math.inf) -> Iterator[Calls]:
    """Short orders and parts that are joined, for what is not :func:`recognized`."""
    if movement.has_constants or not movement.source.ndim:
        return
    with suppress(Exhausted):
        order = ordered(movement)
        if order is None or numbers_of(order) > TABLE_LIMIT:
            parts = joined([movement.sizes], movement.source, part_calls, movement)
            if parts is not None:
                yield parts
        if order is not None:
            yield order


def part_calls(movement: Map) -> Calls | None:
    """The calls of a part that is joined, without other sizes on the way."""
    return _direct(movement, turns=False)


def _proposals(movement: Map, most: float) -> Iterator[Calls]:
    calls = _direct(movement, turns=True)
    if calls is not None:
        yield calls
        # a pattern says which dimensions are joined or split, whatever their sizes are
        named = pattern(movement) if movement.is_order else None
        if named:
            yield named
        return
    pairs = [
        pair
        for pair in dict.fromkeys(itertools.islice(_shapes(movement), SHAPE_LIMIT))
        if 1 + (pair[0][0] != movement.sizes) + (pair[1][0] != movement.source.shape) <= most
    ]
    between = {pair: _Direct(_reshaped(movement, *pair)) for pair in pairs}
    for turns in (False, True):
        for (before, after), direct in between.items():
            calls = direct.calls(turns)
            if calls is not None:
                sizes, order = after
                first: Calls = [Reshape(*before)] if before[0] != movement.sizes else []
                last: Calls = (
                    [Reshape(movement.source.shape, order)]
                    if sizes != movement.source.shape
                    else []
                )
                yield _joined([*first, *calls, *last])


Shape = tuple[Sizes, str]
"""Sizes, and the order of a reshape: C or F."""


def _shapes(movement: Map) -> Iterator[tuple[Shape, Shape]]:
    """Sizes before and after that are worth a try, those of one reshape first."""
    count, size = math.prod(movement.sizes), movement.source.size
    starts = [(count,), *(s for s in movement.shapes if math.prod(s) == count)]
    ends = [(size,), *(s for s in movement.shapes if math.prod(s) == size)]
    plain, out = (movement.sizes, "C"), (movement.source.shape, "C")
    befores = [(s, order) for s in starts for order in "CF" if s != movement.sizes]
    afters = [(s, order) for s in ends for order in "CF" if s != movement.source.shape]
    yield from ((plain, after) for after in afters)
    yield from ((before, out) for before in befores)
    yield from ((a, b) for a in befores for b in afters if a[1] == b[1])


def _reshaped(movement: Map, before: Shape, after: Shape) -> Map:
    """The movement between a reshape before it and one after it."""
    source, sizes = movement.source, before[0]
    if before[1] == "F" and sizes != movement.sizes:
        at = movement.coordinates()
        number = np.ravel_multi_index(at, movement.sizes, order="F")
        places = np.unravel_index(number, sizes, order="F")
        source = np.where(source < 0, source, np.ravel_multi_index(places, sizes))
    order: Any = after[1]
    return replace(movement, sizes=sizes, source=source.reshape(after[0], order=order))


def _direct(movement: Map, turns: bool) -> Calls | None:
    """Calls without other sizes on the way.

    Args:
        movement: from any sizes.
        turns: whether rolls and flips in front of a pattern, and after it, are tried, too.
    """
    return _Direct(movement).calls(turns)


class _Direct:
    """A search for calls without other sizes on the way; what it has found is not looked for again.

    Args:
        movement: from any sizes.
    """

    def __init__(self, movement: Map) -> None:
        self.movement = movement
        self._front: Calls = []
        self._tried_cores: list[_Core] = []
        self._waiting: Iterator[_Core] | None = None

    def calls(self, turns: bool) -> Calls | None:
        """As :func:`_direct`."""
        movement = self.movement
        if movement.stays:
            return []
        if movement.is_order:
            return [Reshape(movement.source.shape)]
        if (movement.source < 0).all() or not movement.source.ndim:
            return None
        best: Calls | None = None
        for core in self._cores():
            middle = core.calls(turns)
            calls = None if middle is None else _joined([*self._front, *middle, *core.back])
            if calls is not None and (best is None or len(calls) < len(best)):
                best = calls
            if best is not None and len(best) <= ENOUGH:
                break
        taken = _taken(movement) if best is None or len(best) > 1 else None
        return taken or best

    def _cores(self) -> Iterator[_Core]:
        """The movement without what is on the outside, in each way tried."""
        if self._waiting is None:
            part, self._front = _cropped(self.movement)
            self._waiting = (_Core(*each) for each in _peelings(part))
        yield from self._tried_cores
        for core in self._waiting:
            self._tried_cores.append(core)
            yield core


class _Core:
    """What is left of a movement.

    Attributes:
        movement: without constants, or with those between its elements.
        back: the calls after it.
    """

    def __init__(self, movement: Map, back: Calls) -> None:
        self.movement, self.back = movement, back
        self._plain: list[Calls | None] = []

    def calls(self, turns: bool) -> Calls | None:
        """The calls before those at the back."""
        if self.movement.has_constants:
            return _masked(self.movement, turns)
        if not self._plain:
            self._plain.append(_shortest(self.movement, simple, _between_orders, _diagonal))
        (best,) = self._plain
        if not turns or (best is not None and len(best) <= ENOUGH):
            return best
        before = turned(self.movement)
        return before if best is None or (before and len(before) < len(best)) else best


def _shortest(movement: Map, *finders: Callable[[Map], Calls | None]) -> Calls | None:
    """The fewest calls of what the finders find, the first that are short enough."""
    best: Calls | None = None
    for find in finders:
        calls = find(movement)
        if calls is not None and (best is None or len(calls) < len(best)):
            best = calls
        if best is not None and len(best) <= ENOUGH:
            break
    return best


def _taken(movement: Map) -> Calls | None:
    """Places of one axis, by a short table."""
    source, sizes = movement.source, movement.sizes
    if source.ndim != len(sizes) or movement.has_constants:
        return None
    changed = [d for d, (n, m) in enumerate(zip(sizes, source.shape, strict=True)) if n != m]
    numbers = np.arange(math.prod(sizes)).reshape(sizes)
    for axis in changed if changed else range(len(sizes)):
        if len(changed) > 1 or source.shape[axis] > TABLE_LIMIT:
            continue
        line = movement.coordinates()[axis]
        places = line[tuple(slice(None) if d == axis else 0 for d in range(source.ndim))]
        if np.array_equal(np.take(numbers, places, axis), source):
            return [Take(tuple(places.tolist()), axis)]
    return None


# ---- on the outside


def _masked(movement: Map, turns: bool) -> Calls | None:
    """A movement whose result has 0 above or below a diagonal."""
    source = movement.source
    if source.ndim < 2 or {movement.value(n) for n in distinct(source[source < 0])} != {0}:
        return None
    mask = source >= 0
    rows, columns = source.shape[-2:]
    counts = mask.sum(-1)[(0,) * (source.ndim - 2)]
    for k in sorted({int(counts[0]) - 1, int(counts[-1]) - rows, columns - int(counts[0]) - 1}):
        lower = np.tri(rows, columns, k, dtype=bool)
        for name, keeps, diagonal in (("tril", lower, k), ("triu", ~lower, k + 1)):
            if np.array_equal(mask, np.broadcast_to(keeps, mask.shape)):
                whole = _filled(movement)
                calls = None if whole is None else _direct(whole, turns)
                return None if calls is None else [*calls, Triangle(name, diagonal)]
    return None


def _filled(movement: Map) -> Map | None:
    """The movement with sources in place of constants, if its axes have steps of their own."""
    source = movement.source
    mask = source >= 0
    axes = range(source.ndim)
    full = np.logical_and.reduce(
        [np.broadcast_to(mask.all(d, keepdims=True), source.shape) for d in axes]
    )
    if not full.any():
        return None
    base = tuple(int(i) for i in np.argwhere(full)[0])
    total = source[base]
    for d in axes:
        line = source[tuple(slice(None) if e == d else base[e] for e in axes)] - source[base]
        total = total + line.reshape([-1 if e == d else 1 for e in axes])
    inside = total.min() >= 0 and total.max() < math.prod(movement.sizes)
    right = np.array_equal(total[mask], source[mask])
    return replace(movement, source=total) if inside and right else None


def _marked(places: Array, n: int) -> Array:
    """The places of a dimension that occur, in order; the first one if it is the only one."""
    marks = np.zeros(n, bool)
    marks[places if n > 1 else 0] = True
    return np.flatnonzero(marks)


def _cropped(movement: Map) -> tuple[Map, Calls]:
    """The movement from the places that are used, and the calls that take them."""
    comes = movement.source >= 0
    used = [
        _marked(one[comes] if movement.has_constants else one, n)
        for one, n in zip(movement.coordinates(), movement.sizes, strict=True)
    ]
    slices: list[Slice | None] = []
    calls: Calls = []
    for d, (places, n) in enumerate(zip(used, movement.sizes, strict=True)):
        step = int(places[1] - places[0]) if places.size > 1 else 1
        even = bool((np.diff(places) == step).all())
        if not even and places.size <= TABLE_LIMIT:
            calls.append(Take(tuple(places.tolist()), d))
        elif not even:
            used[d] = np.arange(n)
        cut = even and places.size < n
        slices.append((int(places[0]), int(places[-1]) + 1, step) if cut else None)
    if any(slices):
        calls.insert(0, Slicing(tuple(slices)))
    if not calls:
        return movement, []
    sizes = tuple(places.size for places in used)
    pairs = zip(used, movement.coordinates(), strict=True)
    at = [np.clip(np.searchsorted(places, one), 0, places.size - 1) for places, one in pairs]
    source = np.where(movement.source < 0, movement.source, np.ravel_multi_index(tuple(at), sizes))
    return replace(movement, sizes=sizes, source=source), calls


def _peelings(movement: Map) -> Iterator[tuple[Map, Calls]]:
    """The movement without copies and constants of whole rows, in each order of rows tried."""
    yield movement, []
    for by_source in (False, True):
        peeled = _peeled(movement, by_source)
        if peeled is not None:
            yield peeled


def _peeled(movement: Map, by_source: bool) -> tuple[Map, Calls] | None:
    """The movement to the distinct rows along each axis, and the calls that copy them.

    Args:
        movement: to any output.
        by_source: whether rows are in the order of their sources; otherwise as they come.
    """
    source, back = movement.source, Calls()
    changed = True
    while changed:
        changed = False
        spend_trial(movement.work, source.ndim * source.size)
        for axis in range(source.ndim):
            rows = np.moveaxis(source, axis, 0).reshape(source.shape[axis], -1)
            labels, kept = _labels(rows, by_source)
            if kept.size == len(rows) and (not by_source or (np.diff(kept) > 0).all()):
                continue
            if not kept.size:
                return None
            calls = _axis_calls(movement, labels, kept.size, axis, source.ndim)
            if calls is None:
                return None
            source = np.take(source, kept, axis)
            back, changed = [*calls, *back], True
    return (replace(movement, source=source), back) if back else None


def _labels(rows: Array, by_source: bool) -> tuple[Array, Array]:
    """For each row, the number of its kind, or the constant that it has; and a row of each kind."""
    constant = (rows[:, 0] < 0) & (rows == rows[:, :1]).all(1)
    labels = np.where(constant, rows[:, 0], 0)
    places = np.flatnonzero(~constant)
    kinds, first = _kinds(rows[places])
    order = np.argsort(rows[places][first].max(1) if by_source else first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    labels[places] = rank[kinds]
    return labels, places[first[order]]


def _kinds(rows: Array) -> tuple[Array, Array]:
    """For each row, the number of its kind, as they come; and the first row of each kind."""
    # a sum of a row with weights tells most rows apart, and where it does not, their bytes do
    weights = np.multiply.accumulate(np.full(rows.shape[1], FACTOR))
    sums = (rows * weights).sum(1)
    ordered = np.argsort(sums, kind="stable")
    new = np.append(True, np.diff(sums[ordered]) != 0)[: sums.size]
    first = ordered[new]
    kinds = np.empty_like(ordered)
    kinds[ordered] = np.cumsum(new) - 1
    if not np.array_equal(rows[first[kinds]], rows):
        kinds_of: dict[bytes, int] = {}
        kinds = np.array([kinds_of.setdefault(r.tobytes(), len(kinds_of)) for r in rows], np.int64)
        first = np.array([int(np.argmax(kinds == k)) for k in range(len(kinds_of))], np.int64)
        return kinds, first
    as_they_come = np.argsort(first)
    number = np.empty_like(as_they_come)
    number[as_they_come] = np.arange(first.size)
    return number[kinds], first[as_they_come]


def _axis_calls(
    movement: Map, labels: Array, count: int, axis: int, rank: int, depth: int = 0
) -> Calls | None:
    """Calls that make a line of places and constants of an axis with ``count`` places."""
    spend_trial(movement.work, labels.size)
    n, m = count, labels.size
    if m == n and np.array_equal(labels, np.arange(n)):
        return []
    if depth > DEPTH_LIMIT:
        return None

    def more(line: Array, *calls: Call) -> Calls | None:
        """The calls for a shorter line, then these."""
        before = _axis_calls(movement, line, n, axis, rank, depth + 1)
        return None if before is None else [*before, *calls]

    if labels[0] < 0 or labels[-1] < 0:
        return _ends_calls(movement, labels, axis, rank, more)
    direct = _places_calls(labels, n, axis, rank) if (labels >= 0).all() else None
    if direct is not None:
        return direct
    for copies in range(2, min(m, COPY_LIMIT) + 1):
        if m % copies:
            continue
        if equal(labels, np.repeat(labels[::copies], copies)):
            return more(labels[::copies], Repeat(copies, axis))
        part = labels[: m // copies]
        if equal(labels, np.tile(part, copies)):
            return more(part, Copies(put((1,) * rank, axis, copies)))
    if m % 2 == 0 and np.array_equal(labels, labels[::-1]):
        return more(labels[: m // 2], _pad(axis, rank, (0, m // 2), "symmetric"))
    between = np.flatnonzero(labels < 0)
    if not between.size:
        # padding of padding is no shorter than a table
        padded = None if depth else _padded_calls(movement, labels, axis, rank, more)
        return padded or _cut_calls(labels, n, axis, rank)
    if distinct(labels[between]).size > 1 or between.size > TABLE_LIMIT:
        return None
    at = tuple(int(k) - n for n, k in enumerate(between))
    return more(labels[labels >= 0], Insert(at, movement.value(int(labels[between[0]])), axis))


More = Callable[..., Calls | None]


def _ends_calls(movement: Map, labels: Array, axis: int, rank: int, more: More) -> Calls | None:
    """Constants at the ends of an axis, one number at each end."""
    first, last = int(labels[0]), int(labels[-1])
    before = int(np.argmax(labels != first)) if first < 0 else 0
    after = int(np.argmax(labels[::-1] != last)) if last < 0 else 0
    values: list[tuple[Any, Any]] = [(None, None)] * rank
    values[axis] = (
        movement.value(first) if before else None,
        movement.value(last) if after else None,
    )
    pad = _pad(axis, rank, (before, after), "constant")
    return more(labels[before : labels.size - after], replace(pad, values=tuple(values)))


def _padded_calls(movement: Map, labels: Array, axis: int, rank: int, more: More) -> Calls | None:
    """A line that padding by a mode makes of a shorter one."""
    ends = labels.tolist()
    for before, after in itertools.product(range(PAD_LIMIT + 1), repeat=2):
        modes = [mode for mode in MODES if _can_end(ends, before, after, mode)]
        line = labels[before : labels.size - after]
        if not before + after or line.size < 2 or not modes:
            continue
        spend_trial(movement.work, len(modes) * labels.size)
        for mode in modes:
            places = fold(np.arange(-before, line.size + after), line.size, mode)
            if equal(line[places], labels):
                calls = more(line, _pad(axis, rank, (before, after), mode))
                if calls is not None:
                    return calls
    return None


def _can_end(labels: Sequence[int], before: int, after: int, mode: str) -> bool:
    """Whether a line that a mode pads can have these first and last elements."""
    n = len(labels) - before - after
    if n < 2:
        return False
    # how far the place is that the one next to the end copies, from that end
    from_end = {"edge": 0, "reflect": 1, "symmetric": 0, "wrap": n - 1}[mode]
    first = not before or labels[before - 1] == labels[before + from_end]
    return first and (not after or labels[before + n] == labels[before + n - 1 - from_end])


def _pad(axis: int, rank: int, widths: tuple[int, int], mode: str) -> Pad:
    return Pad((*((0, 0),) * axis, widths, *((0, 0),) * (rank - axis - 1)), mode)


def _places_calls(places: Array, n: int, axis: int, rank: int) -> Calls | None:
    """Calls that take places of an axis of size n: rolls, flips, copies and padding."""
    m = places.size
    for backward in (False, True):
        line = places[::-1] if backward else places
        last: Calls = [Flip((axis,))] if backward else []
        if m == n and np.array_equal(line, np.arange(n)):
            return last
        if m == n and np.array_equal(line, (np.arange(n) + line[0]) % n):
            shift = int(-line[0]) % n
            return [Roll(shift - n if shift > n // 2 else shift, axis), *last]
        for mode in MODES if m > n else ():
            for start in padding_starts(line, n, mode):
                # np.tile says it better
                if mode != "wrap" or m % n or start:
                    return [_pad(axis, rank, (start, m - n - start), mode), *last]
    return None


def _cut_calls(places: Array, n: int, axis: int, rank: int) -> Calls | None:
    """Calls that take places of an axis, by a cut of its copies, or by a table."""
    m, first = places.size, int(places[0])

    def cut(start: int, stop: int, step: int = 1) -> Slicing:
        return Slicing((*(None,) * axis, (start, stop, step), *(None,) * (rank - axis - 1)))

    if m > 1:
        for step in {(int(places[1]) - first) % n or n}:
            copies = -(-(first + step * (m - 1) + 1) // n)
            if copies <= COPY_LIMIT and np.array_equal(places, (first + step * np.arange(m)) % n):
                end = first + step * (m - 1) + 1
                return [Copies(put((1,) * rank, axis, copies)), cut(first, end, step)]
        rises = np.flatnonzero(np.diff(places))
        if rises.size and (np.diff(places) >= 0).all():
            runs = np.diff(rises)
            count = int(runs[0]) if runs.size else max(int(rises[0]) + 1, m - 1 - int(rises[0]))
            start = count - 1 - int(rises[0]) + first * count
            cuts = count > 1 and start >= 0
            if cuts and np.array_equal(places, (start + np.arange(m)) // count):
                return [Repeat(count, axis), cut(start, start + m)]
    if m <= TABLE_LIMIT:
        return [Take(tuple(places.tolist()), axis)]
    return None


def _joined(calls: Sequence[Call]) -> Calls:
    """The same with neighbors of one kind as one call."""
    joined: Calls = []
    for call in calls:
        if joined:
            both = _both(joined[-1], call)
            if both is not None:
                joined[-1] = both
                continue
        joined.append(call)
    return joined


def _both(one: Call, two: Call) -> Call | None:
    match one, two:
        case Slicing(a), Slicing(b):
            return Slicing(tuple(map(_slice_of_slice, a, b)))
        case Flip(a), Flip(b) if not {*a} & {*b}:
            return Flip(tuple(sorted((*a, *b))))
        case Copies(a), Copies(b):
            return Copies(tuple(m * n for m, n in zip(a, b, strict=True)))
        case Pad(), Pad() if one.mode == two.mode:
            if any(a != (0, 0) != b for a, b in zip(one.widths, two.widths, strict=True)):
                return None
            values = {v for pair in (*one.values, *two.values) for v in pair if v is not None}
            if len(values) > 1:
                return None
            pairs = zip(one.widths, two.widths, strict=True)
            widths = tuple((a + c, b + d) for (a, b), (c, d) in pairs)
            (value,) = values or (0,)
            filled = ((value, value),) * len(widths) if one.values else ()
            return Pad(widths, one.mode, filled)
    return None


def _slice_of_slice(one: Slice | None, two: Slice | None) -> Slice | None:
    """A slice of a slice as one."""
    if one is None or two is None:
        return one or two
    start, step = one[0] + two[0] * one[2], one[2] * two[2]
    count = len(range(*two))
    return start, start + (count - 1) * step + (1 if step > 0 else -1), step


# ---- the rest: orders of elements


def _order(order: Sequence[int]) -> Pattern:
    names = names_of(len(order))
    return Pattern(tuple((name,) for name in names), tuple((names[d],) for d in order))


def _between_orders(movement: Map) -> Calls | None:
    """Axes in another order, other sizes, and axes in another order again."""
    source, sizes = movement.source, movement.sizes
    if source.size != math.prod(sizes) or max(source.ndim, len(sizes)) > 4:
        return None
    spend_trial(movement.work, 8 * source.size)
    numbers = np.arange(source.size).reshape(sizes)
    starts: dict[bytes, tuple[int, ...]] = {}
    for order in itertools.permutations(range(len(sizes))):
        starts.setdefault(numbers.transpose(order).tobytes(), order)
    for order in itertools.permutations(range(source.ndim)):
        turned = np.ascontiguousarray(source.transpose(order))
        start = starts.get(turned.astype(numbers.dtype).tobytes())
        if start is None:
            continue
        if start == (*range(len(sizes)),)[::-1] and order == (*range(source.ndim),)[::-1]:
            return [Reshape(source.shape, "F")]
        back = tuple(int(d) for d in np.argsort(order))
        calls: Calls = []
        if start != (*range(len(sizes)),):
            calls.append(_order(start))
        calls.append(Reshape(turned.shape))
        if back != (*range(source.ndim),):
            calls.append(_order(back))
        return calls
    return None


def _diagonal(movement: Map) -> Calls | None:
    """The diagonal of two axes, then a pattern."""
    at, sizes = movement.coordinates(), movement.sizes
    for a, b in itertools.combinations(range(len(sizes)), 2):
        apart = at[b] - at[a]
        if sizes[a] == 1 or sizes[b] == 1 or (apart != apart.flat[0]).any():
            continue
        offset = int(apart.flat[0])
        rest = [d for d in range(len(sizes)) if d not in (a, b)]
        n = min(sizes[a] + min(offset, 0), sizes[b] - max(offset, 0))
        new = (*(sizes[d] for d in rest), n)
        places = (*(at[d] for d in rest), at[a] + min(offset, 0))
        source = np.ravel_multi_index(places, new)
        calls = _direct(replace(movement, sizes=new, source=source), turns=False)
        if calls is not None:
            return [Diagonal(offset, (a, b)), *calls]
    return None
