"""A map of sources to recognize: how much work a search for its calls may do, and as a pattern.

A pattern is slices, a pattern of einops and flips: sums of digits times strides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from typing import Any

import numpy as np

from dmlviz.base.budget import Budget
from dmlviz.base.deferred import dataclass
from dmlviz.code.forms import Calls, Flip, Pattern, Slice, Slicing
from dmlviz.movement.expressions import names_of
from dmlviz.movement.fitting import digits
from dmlviz.movement.nodes import fold
from dmlviz.tensors.numbering import distinct
from dmlviz.tensors.types import Array, Sizes

WORK_LIMIT = 3_000_000
"""The limit of elements that a search looks at: less than a second."""

TRIAL = 1_000
"""What a trial costs besides its elements, in elements."""


def search(whole: Budget | None = None, most: int = WORK_LIMIT) -> Budget:
    """What a search may do, in elements that it looks at.

    Args:
        whole: the budget of a larger search, of which this one has a share.
        most: elements.
    """
    return Budget({"comparisons": most}, whole)


def spend_trial(work: Budget, elements: int) -> None:
    """Count a trial with so many elements before it; each costs something more than its elements.

    Raises:
        Exhausted: there is not so much left.
    """
    work.spend("comparisons", TRIAL + elements)


@dataclass(frozen=True)
class Map:
    """A movement from one tensor.

    Attributes:
        sizes: of the tensor.
        source: for each element of the output, its number in the tensor; ``-1 - k`` is the value k.
        values: constants.
        shapes: sizes that it may go through, such as those of the tensors on the way.
        work: what the search for its calls may still do.
    """

    sizes: Sizes
    source: Array
    values: tuple[Any, ...] = ()
    shapes: tuple[Sizes, ...] = ()
    work: Budget = field(default_factory=search, compare=False)

    def value(self, number: int) -> Any:
        """The constant that a negative number means."""
        return self.values[-1 - number]

    @property
    def stays(self) -> bool:
        """Whether the output is the tensor."""
        return self.source.shape == self.sizes and self.is_order

    @property
    def is_order(self) -> bool:
        """Whether the output has the tensor's elements in their order."""
        count = math.prod(self.sizes)
        return self.source.size == count and bool(
            np.array_equal(self.source.ravel(), np.arange(count))
        )

    @property
    def has_constants(self) -> bool:
        """Whether an element has no source."""
        return bool((self.source < 0).any())

    def is_made(self, source: Array, values: Sequence[Any] = ()) -> bool:
        """Whether sources and constants, of the same meaning, are this movement's."""
        due = self.source
        if source.shape != due.shape or not equal(np.maximum(source, -1), np.maximum(due, -1)):
            return False
        if not (due < 0).any():
            return True
        one, two = (-1 - x[x < 0].astype(np.int64) for x in (source, due))
        count = int(two.max()) + 1
        pairs = (divmod(pair, count) for pair in distinct(one * count + two).tolist())
        return all(values[mine] == self.value(-1 - own) for mine, own in pairs)

    def coordinates(self) -> tuple[Array, ...]:
        """The index in each dimension; of elements without a source, of any element."""
        return np.unravel_index(np.maximum(self.source, 0), self.sizes)


def equal(one: Array, two: Array) -> bool:
    """Whether arrays of the same sizes are equal; most that are not differ at an end."""
    if one.size and (one.flat[0] != two.flat[0] or one.flat[-1] != two.flat[-1]):
        return False
    return bool((one == two).all())


MODES = ("edge", "reflect", "symmetric", "wrap")
"""The modes of padding that copy elements, as NumPy calls them."""

STARTS_LIMIT = 8
"""The limit of places where padding may begin that are looked at as a whole."""

FEW = 8
"""How many elements show that most of the others are none."""


def padding_starts(line: Array, n: int, mode: str) -> list[int]:
    """Where an axis of size n can begin in a line that padding makes of it.

    Args:
        line: the axis's places, at least n.
        n: the size of the axis.
        mode: one of ``MODES``.
    """
    # the axis itself is between the padding
    starts = np.flatnonzero((line[: line.size - n + 1] == 0) & (line[n - 1 :] == n - 1))
    if not starts.size:
        return []
    few = np.arange(FEW) * (line.size - 1) // (FEW - 1)
    looks = (fold(few - starts[:, None], n, mode) == line[few]).all(1)
    every = np.arange(line.size)
    return [int(k) for k in starts[looks][:STARTS_LIMIT] if equal(fold(every - k, n, mode), line)]


@dataclass
class _Digit:
    """A part of an output's axis: its axis, how many steps it has, and how far each goes."""

    axis: int
    size: int
    stride: int
    name: str = ""


def pattern(movement: Map) -> Calls | None:
    """Slices, einops' ``rearrange`` or ``repeat``, and flips; None if it is nothing like this."""
    source, sizes = movement.source, movement.sizes
    spend_trial(movement.work, source.size)
    parts = _digits(source)
    if parts is None:
        return None
    strides = [math.prod(sizes[d + 1 :]) for d in range(len(sizes))]
    split = _split(parts, sizes, strides)
    if split is None:
        return None
    low = int(source.flat[0]) + sum(p.stride * (p.size - 1) for p in split if p.stride < 0)
    flipped = {id(p) for p in split if p.stride < 0}
    slices: list[Slice | None] = []
    left: list[tuple[str, ...]] = []
    lengths: dict[str, int] = {}
    letters = names_of(len(sizes))
    for d, n in enumerate(sizes):
        start = low // strides[d] % n
        own = [p for p in split if p.stride and _axis_of(p, sizes, strides) == d]
        own.sort(key=lambda p: -abs(p.stride))
        steps = [abs(p.stride) // strides[d] for p in own]
        if any(abs(p.stride) % strides[d] for p in own):
            return None
        if any(a != b * p.size for a, b, p in zip(steps, steps[1:], own[1:], strict=False)):
            return None
        count = math.prod(p.size for p in own)
        step = steps[-1] if steps else 1
        if start + (count - 1) * step >= n:
            return None
        backward = bool(own) and all(id(p) in flipped for p in own)
        if backward:
            flipped -= {id(p) for p in own}
            slices.append((start + (count - 1) * step, start - 1, -step))
        else:
            whole = (start, count, step) == (0, n, 1)
            slices.append(None if whole else (start, start + (count - 1) * step + 1, step))
        for k, p in enumerate(own):
            p.name = letters[d] if len(own) == 1 else f"{letters[d]}{k + 1}"
        if len(own) > 1:
            lengths |= {p.name: p.size for p in own}
        left.append(tuple(p.name for p in own))
    fresh = [p for p in split if not p.stride]
    for k, p in enumerate(fresh):
        p.name = f"r{k + 1}"
    right = tuple(tuple(p.name for p in split if p.axis == d) for d in range(source.ndim))
    new = {p.name: p.size for p in fresh}
    turned, last = _last_flips(split, flipped, source.ndim)
    calls: Calls = [Slicing(tuple(slices))] if any(slices) else []
    groups = tuple(left)
    if turned:
        # factors that run backward: divide, flip, and put together
        factors = tuple((name,) for group in left for name in group)
        calls.append(_pattern_of(groups, factors, lengths, {}))
        backward_names = {p.name for p in split if id(p) in turned}
        calls.append(Flip(tuple(k for k, (name,) in enumerate(factors) if name in backward_names)))
        groups = factors
    if groups != right or new:
        calls.append(_pattern_of(groups, right, lengths, new))
    if last:
        calls.append(Flip(tuple(last)))
    return calls


SHORT = 3
"""The limit of steps of a digit in a small movement."""


def shortened(movement: Map) -> Map | None:
    """The same digits with fewer steps; None if they are not all elements of the input."""
    sizes, source = movement.sizes, movement.source
    parts = _digits(source) if source.size == math.prod(sizes) else None
    strides = [math.prod(sizes[d + 1 :]) for d in range(len(sizes))]
    split = None if parts is None else _split(parts, sizes, strides)
    if split is None:
        return None
    new_sizes = dict.fromkeys(range(len(sizes)), 1)
    total, step, due = np.zeros((), np.int64), 1, 1
    few = {id(p): min(p.size, SHORT) for p in split}
    new_steps: dict[int, int] = {}
    for p in sorted(split, key=lambda p: abs(p.stride)):
        if abs(p.stride) != due:
            return None
        new_steps[id(p)], due = step, due * p.size
        new_sizes[_axis_of(p, sizes, strides)] *= few[id(p)]
        step *= few[id(p)]
    shape: list[int] = [1] * source.ndim
    for p in split:
        line = np.arange(few[id(p)]) * new_steps[id(p)]
        total = total[..., None] + (line[::-1] if p.stride < 0 else line)
        shape[p.axis] *= few[id(p)]
    return Map(tuple(new_sizes.values()), total.reshape(shape))


def _digits(source: Array) -> list[_Digit] | None:
    """The source as a sum of digits times strides, for each axis the slowest first."""
    first = (0,) * source.ndim
    start = source[first]
    lines = [
        source[tuple(slice(None) if e == d else 0 for e in range(source.ndim))] - start
        for d in range(source.ndim)
    ]
    # most maps are no such sum, and the last element shows it for next to nothing
    if source[(-1,) * source.ndim] != start + sum(int(line[-1]) for line in lines):
        return None
    total = start
    for d, line in enumerate(lines):
        total = total + line.reshape([-1 if e == d else 1 for e in range(source.ndim)])
    if not np.array_equal(total, source):
        return None
    parts: list[_Digit] = []
    for d, line in enumerate(lines):
        own = digits(line)
        if own is None:
            return None
        parts += [_Digit(d, size, stride) for size, stride in own[::-1]]
    return parts


def are_sums_at_ends(ends: Array) -> Array:
    """Whether elements can be those of a sum of one line for each dimension; BOOL.

    Args:
        ends: in the last dimension, the first element, the last one of each dimension from it,
            and the last of all.
    """
    first, each, last = ends[..., 0], ends[..., 1:-1], ends[..., -1]
    sums: Array = last - first == (each - first[..., None]).sum(-1)
    return sums


def _split(parts: Sequence[_Digit], sizes: Sizes, strides: Sequence[int]) -> list[_Digit] | None:
    """The digits, each within one axis of the input."""
    split: list[_Digit] = []
    waiting = list(parts)[::-1]
    while waiting:
        p = waiting.pop()
        if p.stride:
            d = _axis_of(p, sizes, strides)
            step, top = abs(p.stride), strides[d] * sizes[d]
            if step * (p.size - 1) >= top:
                q = top // step if top % step == 0 else 0
                if q < 2 or p.size % q:
                    return None
                waiting.append(_Digit(p.axis, q, p.stride))
                waiting.append(_Digit(p.axis, p.size // q, p.stride * q))
                continue
        split.append(p)
    return split


def _axis_of(p: _Digit, sizes: Sizes, strides: Sequence[int]) -> int:
    """The axis of the input in which a digit steps."""
    return next(d for d, s in enumerate(strides) if abs(p.stride) >= s and sizes[d] > 1)


def _last_flips(
    split: Sequence[_Digit], flipped: set[int], rank: int
) -> tuple[set[int], list[int]]:
    """The digits to flip in between, and the axes of the output to flip at the end."""
    rest, last = set(flipped), []
    for d in range(rank):
        own = [p for p in split if p.axis == d]
        backward = [p for p in own if id(p) in rest]
        if backward and all(id(p) in rest or not p.stride for p in own):
            last.append(d)
            rest -= {id(p) for p in own}
    return rest, last


def _pattern_of(
    left: tuple[tuple[str, ...], ...],
    right: tuple[tuple[str, ...], ...],
    lengths: dict[str, int],
    new: dict[str, int],
) -> Pattern:
    """The pattern with those lengths that einops does not find itself."""
    names = {name for group in (*left, *right) for name in group}
    due = {name: n for name, n in lengths.items() if name in names} | new
    for group in left:
        known = [name for name in group if name in due]
        if len(group) == 1 or (known and len(known) == len(group)):
            for name in known[:1]:
                del due[name]
    return Pattern(left, right, tuple(due.items()), tuple(new))
