"""Arithmetic that gives the numbers of a table, such as an index tensor.

Every rule that is tried is compared with the whole table, so a wrong one is never returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from dmlviz.movement.linear import Linear, choice, flat, index, limited
from dmlviz.tensors.types import Array

Rule = Callable[[Sequence[Linear]], Linear]
"""From the indices of an element of a table to its number."""

_Line = Callable[[Linear], Linear]

DIGIT_LIMIT = 4
"""The limit of digits in one line: a longer rule is no easier to read than its table."""

RATIO_LIMIT = 16
"""The limit of the numbers p and q in ``(h · p) div q``."""


def fitted(table: Array) -> Rule | None:
    """The arithmetic of a table of whole numbers; None if there is none here.

    >>> fitted(np.array([[3, 4], [0, 1]]))([index(0, 2), index(1, 2)]).expression().show("hw")
    'w − h · 3 + 3'
    """
    if table.size == 1:
        number = int(table.ravel()[0])
        return lambda at: Linear(number)
    if table.ndim == 1:
        line = _fitted_line(table)
        return line and (lambda at: line(at[0]))
    first = (0,) * table.ndim
    start, total, lines = int(table[first]), table[first], []
    for d, n in enumerate(table.shape):
        along = table[tuple(slice(None) if e == d else 0 for e in range(table.ndim))] - start
        total = total + along.reshape([n if e == d else 1 for e in range(table.ndim)])
        lines.append(along)
    if not np.array_equal(total, table):
        whole = _fitted_line(table.ravel())
        return whole and (lambda at: whole(flat(at, table.shape)))
    rules = [_fitted_line(line) for line in lines]
    if None in rules:
        return None

    def added(at: Sequence[Linear]) -> Linear:
        number = Linear(start)
        for rule, one in zip(rules, at, strict=True):
            assert rule is not None
            number += rule(one)
        return number

    return added


def folded(i: Linear, n: int, mode: str) -> Linear:
    """The index within an axis of size n that padding copies to index i.

    Args:
        i: counted from the axis's first element.
        n: the axis's size.
        mode: ``edge``, ``reflect``, ``symmetric`` or ``wrap``, as in NumPy's ``pad``.
    """
    if mode == "edge":
        return limited(i, 0, n - 1)
    if mode == "wrap":
        return i % n
    if n == 1:
        return Linear()
    # symmetric padding repeats the edge
    edge = 1 if mode == "symmetric" else 0
    period, (low, high) = 2 * n - 2 + 2 * edge, i.range
    if low < edge - n or high > 2 * n - 2 + edge:
        i = i % period
    after = choice(i, n, i, i * -1 + (period - edge))
    return choice(i, 0, i * -1 - edge, after)


def digits(line: Array) -> list[tuple[int, int]] | None:
    """A line that starts with 0 as a sum of digits times strides.

    Returns:
        The size and the stride of each digit, the fastest first; None if it is no such sum.

    >>> digits(np.array([0, 4, 1, 5, 2, 6]))
    [(2, 4), (3, 1)]
    """
    n = line.size
    if n == 1:
        return []
    stride = int(line[1] - line[0])
    run = int(np.argmin(np.append(line == stride * np.arange(n), False)))
    for size in range(run, 1, -1):
        rows = line.reshape(-1, size) if n % size == 0 else line[:0].reshape(0, 1)
        if rows.size and np.array_equal(rows, rows[:, :1] + stride * np.arange(size)):
            rest = digits(rows[:, 0])
            if rest is not None:
                return [(size, stride), *rest]
    return None


def _fitted_line(line: Array) -> _Line | None:
    n = line.size
    if n == 1:
        return lambda i: Linear(int(line[0]))
    if (line == line[0]).all():
        return lambda i: Linear(int(line[0]))
    places = [np.arange(n)]
    for rule in _rules(line):
        values = rule(index(0, n)).expression().on(places)
        if np.array_equal(np.broadcast_to(values, (n,)), line):
            return rule
    return None


def _rules(line: Array) -> Iterator[_Line]:
    """Rules that could give the line, from a few of its numbers; the shortest first."""
    first, differences = int(line[0]), np.diff(line)
    step, low, high = int(differences[0]), int(line.min()), int(line.max())
    yield lambda i: i * step + first
    parts = digits(line - first)
    if parts is not None and len(parts) <= DIGIT_LIMIT:
        yield lambda i: _added(i, parts) + first
    n = high - low + 1
    moving = next((int(k) for k in differences if abs(k) < max(2, n - 1)), 0)
    places = np.arange(line.size)
    for k in {moving, step, 1, -1}:
        if np.array_equal((places * k + (first - low)) % n + low, line):
            yield lambda i, k=k: (i * k + (first - low)) % n + low  # type: ignore[misc]
    yield from _levels(line, differences)
    for mode in ("reflect", "symmetric"):
        for size in (n, n + 1):
            for start in {first, -first, -first - 1}:
                yield lambda i, start=start, size=size, mode=mode: folded(  # type: ignore[misc]
                    i + start, size, mode
                )
    yield from _two_parts(line)


def _added(i: Linear, parts: Sequence[tuple[int, int]]) -> Linear:
    number, step = Linear(), 1
    for size, stride in parts:
        number += i // step % size * stride
        step *= size
    return number


def _levels(line: Array, differences: Array) -> Iterator[_Line]:
    """Rules of lines that stay at one number for a while."""
    first, last, low, high = int(line[0]), int(line[-1]), int(line.min()), int(line.max())
    rises = np.flatnonzero(differences)
    step, at = int(differences[rises[0]]), int(rises[0])
    yield lambda i: limited(i * step + (first - step * at), low, high)
    if rises.size > 1 and abs(step) == 1:
        length = int(rises[1] - rises[0])
        yield lambda i: (i + (length - 1 - at)) // length * step + first
    places, n = np.arange(line.size), line.size
    for q in range(2, RATIO_LIMIT + 1):
        for p in range(1, q if abs(last - first) < n else RATIO_LIMIT + 1):
            for c in {0, q // 2, q - 1}:
                if last - first != ((n - 1) * p + c) // q:
                    continue
                if np.array_equal((places * p + c) // q + first, line):
                    yield lambda i, p=p, q=q, c=c: (i * p + c) // q + first  # type: ignore[misc]


def _two_parts(line: Array) -> Iterator[_Line]:
    """A rule for lines of two parts, each in even steps."""
    breaks = np.flatnonzero(np.diff(line, 2))
    if not breaks.size or np.ptp(breaks) > 1:
        return
    limit = int(breaks[0]) + (2 if breaks.size > 1 else 1)
    first, second = int(line[0]), int(line[limit])
    a = int(line[1]) - first if limit > 1 else 0
    b = int(line[limit + 1]) - second if limit + 1 < line.size else 0
    yield lambda i: choice(i, limit, i * a + first, (i - limit) * b + second)
