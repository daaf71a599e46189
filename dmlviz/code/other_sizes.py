"""Other sizes of the tensors that code takes, with which a statement about it is tried again."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Generic, TypeVar

from dmlviz.code.sections import divisors
from dmlviz.tensors.types import Sizes

LIMIT = 8_192
"""The limit of elements of all tensors together, unless those of the code have more."""

OTHERS = 6
"""So many other sets of sizes are tried."""

NUMBER_LIMIT = 64
"""A number of the code above it is not made room for."""

TURNS_LIMIT = 4
"""A size that became no large prime, no small one and no neighbor in so many turns stays."""

SMALL = 65_536
"""Elements of all tensors together above which smaller sizes are sought first."""

TRIED = 1 << 24
"""The limit of elements of all that is tried at sizes above those."""

FACTORS = (3, 2, 5)
"""What a size that must be a multiple is multiplied by."""

T = TypeVar("T")
Shapes = dict[str, Sizes]
Place = tuple[str, int]


def other_sizes(
    sizes: Mapping[str, Sizes],
    at: Callable[[Shapes], T | None],
    text: str = "",
    others: int = OTHERS,
    limit: int = LIMIT,
) -> tuple[T, ...]:
    """What holds with other sizes: of equal ranks, prime and different where that is accepted.

    A size that must be a multiple becomes another multiple, sizes that must be equal stay so, and
    one that cannot change stays.

    Args:
        sizes: of each tensor that can have others.
        at: gives what holds with sizes; None where they are refused.
        text: of the code; the first sizes are larger than its numbers where there is room, and the
            next ones are small.
        others: how many sets are searched for.
        limit: of elements of all tensors together.

    Returns:
        What ``at`` gives, for each set that is found; none if no size can change.

    >>> def even(sizes):
    ...     return sizes["x"] if sizes["x"][1] % 2 == 0 else None
    >>> other_sizes({"x": (1, 4)}, even, others=2)
    ((5, 12), (3, 8))
    """
    numbers = [int(word) for word in re.findall(r"\d+", text) if len(word) < 4]
    accepted, smallest = list[T](), list[T]()
    tried = {tuple(sizes.items())}
    if _elements(sizes) > SMALL:
        smaller = smaller_sizes(sizes, at, text)
        # what must have many elements is not tried again and again
        if smaller is None or _elements(smaller[0]) > SMALL:
            return ()
        sizes = smaller[0]
        tried.add(tuple(sizes.items()))
        smallest.append(smaller[1])
    largest = max((n for n in numbers if n <= NUMBER_LIMIT), default=0)
    own = [n for of in sizes.values() for n in of]
    if not own:
        return ()
    trials = _SizeTrials(dict(sizes), at, limit)
    for turn, most in enumerate(_wanted(sizes, 2 * largest, min(limit, LIMIT))):
        wanted = [_unlike(n, other, numbers) for n, other in zip(own, most, strict=True)]
        new = trials.changed(wanted, turn)
        if new is not None and tuple(new[0].items()) not in tried:
            tried.add(tuple(new[0].items()))
            accepted.append(new[1])
        if len(accepted) == others:
            break
    return (*accepted, *smallest)


def smaller_sizes(
    sizes: Mapping[str, Sizes], at: Callable[[Shapes], T | None], text: str = ""
) -> tuple[Shapes, T] | None:
    """The same with small sizes: each dimension as small as is accepted, and above the numbers of
    the code, so that no slice is cut off.

    Args:
        sizes, at, text: as of :func:`other_sizes`.

    Returns:
        The sizes, and what ``at`` gives; None if no size can become smaller.

    >>> def even(sizes):
    ...     return sizes["x"] if sizes["x"][1] % 16 == 0 else None
    >>> smaller_sizes({"x": (300, 1600)}, even)
    ({'x': (2, 16)}, (2, 16))
    """
    # rot90 has no number
    numbers, left = [int(word) for word in re.findall(r"(?<!\w)\d{1,4}\b", text)], TRIED
    shapes, best = dict(sizes), None
    places = [(name, d) for name, of in sizes.items() for d in range(len(of))]
    groups: dict[int, list[Place]] = {}
    for place in sorted(places, key=lambda place: -sizes[place[0]][place[1]]):
        groups.setdefault(sizes[place[0]][place[1]], []).append(place)
    # sizes that are equal may have to stay so
    together = [(n, group) for n, group in groups.items() if len(group) > 1]
    alone = [(n, [place]) for n, group in groups.items() for place in group]
    for n, group in sorted([*together, *alone], key=lambda pair: -pair[0]):
        name, d = group[0]
        above = max((k for k in numbers if k < n), default=1)
        for other in _smaller(n, above) if shapes[name][d] == n else ():
            new = _put(shapes, dict.fromkeys(group, other))
            left -= _elements(new)
            if left < 0:
                return best
            made = at(new)
            if made is not None:
                shapes, best = new, (new, made)
                break
    return best


def smaller_numbers(
    sizes: Mapping[str, Sizes],
    numbers: Mapping[str, int],
    at: Callable[[Shapes, dict[str, int]], bool],
    text: str = "",
) -> tuple[Shapes, dict[str, int]]:
    """Small sizes and numbers with which code is still accepted.

    A number that a size is a multiple of, such as that of heads, becomes smaller together with it.

    Args:
        sizes, text: as of :func:`other_sizes`.
        numbers: of the names that are no tensors.
        at: whether sizes and numbers are accepted.

    >>> def heads(sizes, numbers):
    ...     return sizes["x"][1] == numbers["h"] * numbers["d"]
    >>> smaller_numbers({"x": (128, 768)}, {"h": 12, "d": 64}, heads)
    ({'x': (2, 6)}, {'h': 3, 'd': 2})
    """
    shapes, small = dict(sizes), dict(numbers)
    for name, n in sorted(numbers.items(), key=lambda pair: -pair[1]):
        places = [(of, d) for of, own in shapes.items() for d, m in enumerate(own) if m % n == 0]
        trials = [(least, group) for least in (2, 3) for group in ([], *([p] for p in places))]
        for least, group in trials if n > 3 else ():
            changed = {(of, d): shapes[of][d] // n * least for of, d in group}
            new, least_numbers = _put(shapes, changed), {**small, name: least}
            if least not in small.values() and at(new, least_numbers):
                shapes, small = new, least_numbers
                break
    shrunk = smaller_sizes(shapes, lambda new: at(new, small) or None, text)
    return (shapes if shrunk is None else shrunk[0]), small


def _smaller(n: int, above: int) -> list[int]:
    """Sizes below one that are worth a try: small primes, and what it is a multiple of."""
    primes = [*islice(_primes_above(above), 2)]
    return sorted({k for k in (*primes, *divisors(n)) if above < k < n})


def _elements(sizes: Mapping[str, Sizes]) -> int:
    return sum(math.prod(of) for of in sizes.values())


def _wanted(sizes: Mapping[str, Sizes], above: int, limit: int) -> Iterator[list[int]]:
    """Sizes of all dimensions, one tensor's after another, that are worth a try.

    Large primes, then small ones, because slices are cut off below the numbers of the code; then
    the neighbors of the code's own sizes, and primes in other orders.
    """
    own = [n for of in sizes.values() for n in of]
    large, small = (_primes(sizes, least, limit) for least in (max(4, above), 1))
    yield large
    yield small[::-1]
    yield [n + 1 for n in own]
    yield [max(2, n - 1) for n in own]
    yield [*large[1:], *large[:1]] if len(own) > 1 else [7]
    yield [*small[1:], *small[:1]] if len(own) > 1 else [3]
    yield [2 * n + 1 for n in own]
    yield [n + 2 for n in own]
    yield large[::-1] if len(own) > 1 else [11]
    yield small if len(own) > 1 else [4]


def _unlike(n: int, wanted: int, numbers: Sequence[int]) -> int:
    """A size like the wanted one; a size of 1 becomes no number of the code.

    With either, the code can expand a dimension that it leaves alone with the other.
    """
    return next(k for k in count(wanted) if n > 1 or k not in numbers)


class _SizeTrials(Generic[T]):
    """Sizes that are tried, each of them once.

    Attributes:
        changes: how each place changed in the last sizes that were found: to the wanted size of
            this number, or, if it is None, to a multiple.
        refused: in how many turns each place could not change.
    """

    def __init__(self, sizes: Shapes, at: Callable[[Shapes], T | None], limit: int) -> None:
        self.sizes, self.at = sizes, at
        self.places = [(name, d) for name, of in sizes.items() for d in range(len(of))]
        self.most = max(limit, 2 * _elements(sizes))
        self.made: dict[tuple[tuple[str, Sizes], ...], T | None] = {}
        self.changes: dict[Place, int | None] = {}
        self.refused = Counter[Place]()

    def changed(self, wanted: Sequence[int], turn: int) -> tuple[Shapes, T] | None:
        """Sizes of which as many are others as can be, and what holds with them."""
        if not self._open():
            return None
        # what could change the last time mostly can again
        again = {
            place: _multiples(self._size(self.sizes, place), turn)[0] if k is None else wanted[k]
            for place, k in self.changes.items()
        }
        new = self._tried(_put(self.sizes, again)) if again else None
        if new is None:
            self.changes = dict(zip(self.places, count()))
            new = self._tried(_put(self.sizes, dict(zip(self.places, wanted, strict=True))))
        if new is None:
            self.changes = {}
        return self._one_by_one(new, wanted, turn)

    def _open(self) -> list[Place]:
        """The places that may change."""
        return [place for place in self.places if self.refused[place] < TURNS_LIMIT]

    def _one_by_one(
        self, best: tuple[Shapes, T] | None, wanted: Sequence[int], turn: int
    ) -> tuple[Shapes, T] | None:
        """The other places changed, too: each alone, or else those of one size together."""
        start = dict(self.sizes) if best is None else best[0]
        equal: dict[int, list[Place]] = {}
        for place in (place for place in self._open() if place not in self.changes):
            new = self._first(start, [place], self.places.index(place), wanted, turn)
            if new is None:
                equal.setdefault(self._size(self.sizes, place), []).append(place)
            else:
                start, best = new[0], new
        for k, places in enumerate(equal.values()):
            new = self._first(start, places, k, wanted, turn) if len(places) > 1 else None
            if new is None:
                self.refused.update(places)
            else:
                start, best = new[0], new
        return best

    def _first(
        self, start: Shapes, places: Sequence[Place], k: int, wanted: Sequence[int], turn: int
    ) -> tuple[Shapes, T] | None:
        """The first other size that these places can have together."""
        n = self._size(start, places[0])
        for number, other in ((k, wanted[k]), *((None, m) for m in _multiples(n, turn) if n > 1)):
            new = self._tried(_put(start, dict.fromkeys(places, other))) if other != n else None
            if new is not None:
                self.changes |= dict.fromkeys(places, number)
                return new
        return None

    def _tried(self, shapes: Shapes) -> tuple[Shapes, T] | None:
        key = tuple(shapes.items())
        if key not in self.made:
            is_small = _elements(shapes) <= self.most
            self.made[key] = self.at(shapes) if is_small else None
        made = self.made[key]
        return None if made is None else (shapes, made)

    @staticmethod
    def _size(shapes: Shapes, place: Place) -> int:
        name, d = place
        return shapes[name][d]


def _multiples(n: int, turn: int) -> list[int]:
    """The multiples of a size that are tried, those of another turn first in each."""
    return [n * k for k in (*FACTORS[turn % 2 :], FACTORS[0])[:2]]


def _put(shapes: Shapes, sizes: Mapping[Place, int]) -> Shapes:
    return {
        name: tuple(sizes.get((name, d), n) for d, n in enumerate(of))
        for name, of in shapes.items()
    }


def _primes(sizes: Mapping[str, Sizes], above: int, limit: int) -> list[int]:
    """A prime for each dimension: the first above a number with which there is room."""
    ranks = [len(of) for of in sizes.values()]
    for least in range(above, 0, -1):
        primes = [*islice(_primes_above(least), sum(ranks))]
        if math.prod(primes[-max(ranks) :]) * len(ranks) <= limit:
            return primes
    return [(2, 3, 5)[k % 3] for k in range(sum(ranks))]


def _primes_above(least: int) -> Iterator[int]:
    return (n for n in count(least + 1) if n > 1 and all(n % k for k in range(2, n)))
