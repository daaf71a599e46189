"""Index arithmetic in a normal form: a constant and multiples of atoms, each with a range.

Two expressions that are equal by the rules below have one form, so that rules of several
operations, put into each other, become short. :meth:`Linear.expression` gives the form as an
:class:`~dmlviz.movement.expressions.Expr`.

Source of the rules: floor division and its remainder, ``y == m * (y // m) + y % m`` with
``0 <= y % m < m``.

A form that is put into itself again and again doubles: whoever makes forms opens a budget of
``terms``, which each atom spends by its weight.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from dmlviz.base.budget import spend
from dmlviz.base.deferred import dataclass
from dmlviz.movement import expressions
from dmlviz.movement.expressions import Expr, Tables
from dmlviz.tensors.types import Array


class Atom(ABC):
    """What cannot be divided further: an index, a quotient, a remainder and so on."""

    @cached_property
    @abstractmethod
    def range(self) -> tuple[int, int]:
        """Its smallest and its largest value, both possible or beyond what is possible."""

    @abstractmethod
    def expression(self) -> Expr:
        """It as an expression."""

    def parts(self) -> Iterable[Linear]:
        """The forms that it is made of."""
        return ()


@dataclass(frozen=True)
class Linear:
    """A constant and multiples of atoms.

    Attributes:
        constant: the constant.
        terms: pairs of an atom and its factor, which is not 0; no atom is there twice.

    >>> h, w = index(0, 4), index(1, 6)
    >>> ((h * 6 + w) // 6 * 6 + (h * 6 + w) % 6).expression().show(["h", "w"])
    'h · 6 + w'
    """

    constant: int = 0
    terms: frozenset[tuple[Atom, int]] = frozenset()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # without it, each form would hash all that are within it again
        return hash((self.constant, self.terms))

    @cached_property
    def range(self) -> tuple[int, int]:
        """Bounds of its values: the smallest and the largest."""
        low = high = self.constant
        for atom, factor in self.terms:
            ends = [factor * end for end in atom.range]
            low, high = low + min(ends), high + max(ends)
        return low, high

    def __add__(self, other: Linear | int) -> Linear:
        if isinstance(other, int):
            return Linear(self.constant + other, self.terms)
        factors = dict(self.terms)
        for atom, factor in other.terms:
            factors[atom] = factors.get(atom, 0) + factor
        return _joined(_linear(self.constant + other.constant, factors.items()))

    def __sub__(self, other: Linear | int) -> Linear:
        return self + other * -1

    def __mul__(self, factor: int) -> Linear:
        return _linear(self.constant * factor, ((a, k * factor) for a, k in self.terms))

    def __floordiv__(self, m: int) -> Linear:
        """The quotient, rounded down, by a number above 0."""
        if m == 1:
            return self
        whole, rest = self._multiples(m)
        if rest.range[1] < m:
            return whole
        for g in rest.divisors(m):
            # (g · large + small) div m with 0 <= small < g does not depend on small
            large, small = rest._multiples(g)
            if small.range[1] < g:
                return whole + large // (m // g)
        atom = rest.atom
        if isinstance(atom, Quotient):
            return whole + atom.value // (atom.by * m)
        if isinstance(atom, Remainder) and atom.by % m == 0:
            return whole + (atom.value // m) % (atom.by // m)
        return whole + _of(Quotient(rest, m))

    def __mod__(self, m: int) -> Linear:
        """The remainder of a division by a number above 0; never negative."""
        if m == 1:
            return Linear()
        _whole, plain = self._multiples(m)
        reduced = _linear(
            self.constant % m, ((a, k % m if k > 0 or k <= -m else k) for a, k in self.terms)
        )
        _whole, rest = reduced._multiples(m)
        for one in (rest, plain):
            if one.range[1] < m:
                return one
        for g in rest.divisors(m):
            large, small = rest._multiples(g)
            if small.range[1] < g:
                return large % (m // g) * g + small
        atom = rest.atom
        if isinstance(atom, Remainder) and atom.by % m == 0:
            return atom.value % m
        return _of(Remainder(rest, m))

    def _multiples(self, m: int) -> tuple[Linear, Linear]:
        """The quotient of the part that m divides, and the rest, whose minimum is 0 to m - 1."""
        whole = [(a, k // m) for a, k in self.terms if k % m == 0]
        rest = _linear(self.constant, ((a, k) for a, k in self.terms if k % m))
        q = rest.range[0] // m
        return _linear(q, whole), rest + -q * m

    def divisors(self, m: int) -> list[int]:
        """Common divisors of m and one of the factors, the largest first."""
        return sorted({math.gcd(k, m) for _a, k in self.terms} - {1}, reverse=True)

    @property
    def atom(self) -> Atom | None:
        """The atom, if it is nothing else."""
        if self.constant or len(self.terms) != 1:
            return None
        ((atom, factor),) = self.terms
        return atom if factor == 1 else None

    @cached_property
    def weight(self) -> int:
        """How many operations and names a reader sees."""
        return (self.constant != 0) + sum(
            1 + (k != 1) + sum(1 + part.weight for part in a.parts()) for a, k in self.terms
        )

    def atoms(self) -> Iterable[Atom]:
        """Every atom, those inside others included."""
        for atom, _factor in self.terms:
            yield atom
            for part in atom.parts():
                yield from part.atoms()

    def expression(self) -> Expr:
        """The form as an expression: large factors first, what is subtracted last."""
        parts = [(k, atom.expression()) for atom, k in self.terms]
        parts.sort(key=lambda part: (part[0] < 0, -abs(part[0]), str(part[1].tree())))
        constant, made = self.constant, None
        if not parts or (constant > 0 and parts[0][0] < 0):
            made, constant = expressions.const(constant), 0
        for k, expression in parts:
            term = expression * abs(k)
            if made is None:
                made = term if k > 0 else expressions.const(0) - term
            else:
                made = made + term if k > 0 else made - term
        assert made is not None
        return made + constant if constant > 0 else made - -constant


@dataclass(frozen=True)
class Index(Atom):
    """The index of the output element in a dimension of this size."""

    dimension: int
    size: int

    @cached_property
    def range(self) -> tuple[int, int]:
        return 0, self.size - 1

    def expression(self) -> Expr:
        return expressions.index(self.dimension)


@dataclass(frozen=True)
class OfValue(Atom):
    """An atom that is calculated from one value."""

    value: Linear

    def parts(self) -> Iterable[Linear]:
        return (self.value,)


@dataclass(frozen=True)
class Quotient(OfValue):
    """``value div by``."""

    by: int

    @cached_property
    def range(self) -> tuple[int, int]:
        low, high = self.value.range
        return low // self.by, high // self.by

    def expression(self) -> Expr:
        return self.value.expression() // self.by


@dataclass(frozen=True)
class Remainder(OfValue):
    """``value mod by``."""

    by: int

    @cached_property
    def range(self) -> tuple[int, int]:
        return 0, self.by - 1

    def expression(self) -> Expr:
        return self.value.expression() % self.by


@dataclass(frozen=True)
class Limited(OfValue):
    """The number from ``low`` to ``high`` that is nearest to the value."""

    low: int
    high: int

    @cached_property
    def range(self) -> tuple[int, int]:
        low, high = self.value.range
        return min(max(low, self.low), self.high), max(min(high, self.high), self.low)

    def expression(self) -> Expr:
        (low, high), made = self.value.range, self.value.expression()
        if high > self.high:
            made = expressions.smaller(made, self.high)
        return expressions.larger(made, self.low) if low < self.low else made


@dataclass(frozen=True)
class Inside(OfValue):
    """A value that only matters where it is from ``low`` to ``high``."""

    low: int
    high: int

    @cached_property
    def range(self) -> tuple[int, int]:
        low, high = self.value.range
        return max(low, self.low), min(high, self.high)

    def expression(self) -> Expr:
        return self.value.expression()


@dataclass(frozen=True)
class IfLess(Atom):
    """``then`` if the value is less than ``limit``, else ``other``."""

    value: Linear
    limit: int
    then: Linear
    other: Linear

    @cached_property
    def range(self) -> tuple[int, int]:
        low, high = self.value.range
        ends = (
            *self._ends(self.then, low, self.limit - 1),
            *self._ends(self.other, self.limit, high),
        )
        return min(ends), max(ends)

    def _ends(self, part: Linear, low: int, high: int) -> tuple[int, int]:
        """The range of a branch, for the values from low to high only."""
        start, end = part.range
        for sign in (1, -1):
            rest = part - self.value * sign
            if not rest.terms:
                ends = sorted((sign * low + rest.constant, sign * high + rest.constant))
                return max(start, ends[0]), min(end, ends[1])
        return start, end

    def expression(self) -> Expr:
        then, other = self.then.expression(), self.other.expression()
        if all(k < 0 for _a, k in self.value.terms):
            # −h < −3 is 3 < h
            less = expressions.const(self.value.constant - self.limit)
            more = _linear(0, self.value.terms) * -1
            return expressions.below(less, more.expression(), then, other)
        limit = expressions.const(self.limit)
        return expressions.below(self.value.expression(), limit, then, other)

    def parts(self) -> Iterable[Linear]:
        return (self.value, self.then, self.other)


@dataclass(frozen=True)
class Look(Atom):
    """The element of a tensor of numbers.

    Attributes:
        tensor: its name.
        at: the indices.
        low, high: the smallest and the largest element.
    """

    tensor: str
    at: tuple[Linear, ...]
    low: int
    high: int

    @cached_property
    def range(self) -> tuple[int, int]:
        return self.low, self.high

    def expression(self) -> Expr:
        return expressions.look(self.tensor, *(part.expression() for part in self.at))

    def parts(self) -> Iterable[Linear]:
        return self.at


@dataclass(frozen=True)
class Other(Atom):
    """An expression that has no normal form, such as one of real numbers.

    Attributes:
        original: the expression, whose values are whole numbers.
        low, high: its smallest and its largest value.
    """

    original: Expr
    low: int
    high: int

    @cached_property
    def range(self) -> tuple[int, int]:
        return self.low, self.high

    def expression(self) -> Expr:
        return self.original


def _linear(constant: int, terms: Iterable[tuple[Atom, int]]) -> Linear:
    return Linear(constant, frozenset((atom, k) for atom, k in terms if k))


def _of(atom: Atom) -> Linear:
    spend("terms", 1 + sum(part.weight for part in atom.parts()))
    return Linear(0, frozenset([(atom, 1)]))


def index(dimension: int, size: int) -> Linear:
    """The output element's index in a dimension of this size; 0 if that is the only one."""
    return _of(Index(dimension, size)) if size > 1 else Linear()


def indices(sizes: Sequence[int]) -> tuple[Linear, ...]:
    """The indices in all dimensions."""
    return tuple(index(d, n) for d, n in enumerate(sizes))


def limited(value: Linear, low: int, high: int) -> Linear:
    """The number from ``low`` to ``high`` that is nearest to the value."""
    if low <= value.range[0] and value.range[1] <= high:
        return value
    return Linear(low) if low == high else _of(Limited(value, low, high))


def inside(value: Linear, low: int, high: int) -> Linear:
    """The value where it is from ``low`` to ``high``; elsewhere any number.

    Rules may use these bounds, so what follows is true only inside.
    """
    if low <= value.range[0] and value.range[1] <= high:
        return value
    return Linear(low) if low == high else _of(Inside(value, low, high))


def outright(value: Linear) -> Linear:
    """The same without bounds of :func:`inside`: equal to the value inside them."""
    made = Linear(value.constant)
    for atom, k in value.terms:
        made += _outright(atom) * k
    return made


def _outright(atom: Atom) -> Linear:
    match atom:
        case Inside():
            return outright(atom.value)
        case Quotient():
            return outright(atom.value) // atom.by
        case Remainder():
            return outright(atom.value) % atom.by
        case Limited():
            return limited(outright(atom.value), atom.low, atom.high)
        case IfLess():
            parts = (outright(part) for part in (atom.value, atom.then, atom.other))
            value, then, other = parts
            return choice(value, atom.limit, then, other)
        case Look():
            return _of(replace(atom, at=tuple(map(outright, atom.at))))
    return _of(atom)


def choice(value: Linear, limit: int, then: Linear, other: Linear) -> Linear:
    """``then`` if the value is less than ``limit``, else ``other``."""
    value, limit = _condition(value, limit)
    low, high = value.range
    if high < limit or then == other:
        return then
    if low >= limit:
        return other
    then, other = _narrowed(then, value, low, limit - 1), _narrowed(other, value, limit, high)
    if then == other:
        return then
    asked = value.atom
    if isinstance(asked, IfLess):
        # which branch it is decides first
        parts = (choice(part, limit, then, other) for part in (asked.then, asked.other))
        return choice(asked.value, asked.limit, *parts)
    # a number that one value alone has, as that value and a number
    start = value + (then.constant - low) if not then.terms and low == limit - 1 else then
    end = value + (other.constant - high) if not other.terms and high == limit else other
    apart = start - end
    if not apart.terms and apart.constant > 0 and end == value - limit:
        # a roll: h − k + n if h < k, else h − k
        n = apart.constant
        if high - limit < n and low - limit >= -n:
            return end % n
    return _of(IfLess(value, limit, then, other))


def _condition(value: Linear, limit: int) -> tuple[Linear, int]:
    """A value and a limit of the same condition without a constant and a common factor."""
    g = math.gcd(*(k for _a, k in value.terms)) or 1
    terms = ((a, k // g) for a, k in value.terms)
    return _linear(0, terms), -((value.constant - limit) // g)


def _narrowed(part: Linear, value: Linear, low: int, high: int) -> Linear:
    """A branch for the values from low to high only."""
    atom = part.atom
    if not isinstance(atom, IfLess) or atom.value != value:
        return part
    if atom.limit > high:
        return _narrowed(atom.then, value, low, high)
    if atom.limit <= low:
        return _narrowed(atom.other, value, low, high)
    then = _narrowed(atom.then, value, low, atom.limit - 1)
    other = _narrowed(atom.other, value, atom.limit, high)
    return then if then == other else _of(IfLess(value, atom.limit, then, other))


def look(tensor: str, at: Sequence[Linear], table: Array) -> Linear:
    """The element of a table at these indices."""
    return _of(Look(tensor, tuple(at), int(table.min()), int(table.max())))


def flat(at: Sequence[Linear], sizes: Sequence[int]) -> Linear:
    """The number of an element, in row-major order, by its indices."""
    number = Linear()
    for d, one in enumerate(at):
        number += one * math.prod(sizes[d + 1 :])
    return number


def unflat(number: Linear, sizes: Sequence[int]) -> tuple[Linear, ...]:
    """The indices of an element by its number in row-major order."""
    return tuple(number // math.prod(sizes[d + 1 :]) % n for d, n in enumerate(sizes))


def _joined(x: Linear) -> Linear:
    """Quotients and remainders of one value put together: ``m · (y div m) + y mod m`` is y."""
    factors = dict(x.terms)
    for atom, k in x.terms:
        if not isinstance(atom, Remainder):
            continue
        y, m = atom.value, atom.by
        quotient = y // m
        if quotient.terms and all(factors.get(a, 0) == q * k * m for a, q in quotient.terms):
            gone = {atom, *dict(quotient.terms)}
            rest = ((a, q) for a, q in x.terms if a not in gone)
            return _linear(x.constant - quotient.constant * k * m, rest) + y * k
        for other, q in x.terms:
            # k · (y mod m) + k · m · ((y div m) mod n) is k · (y mod m · n)
            if isinstance(other, Remainder) and q == k * m and other.value == quotient:
                rest = ((a, q) for a, q in x.terms if a not in (atom, other))
                return _linear(x.constant, rest) + y % (m * other.by) * k
    return x


_ARITHMETIC: Mapping[str, Callable[[Linear, Linear], Linear]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
}
_BY_NUMBER: Mapping[str, Callable[[Linear, int], Linear | None]] = {
    "mul": lambda a, k: a * k,
    "div": lambda a, k: a // k if k > 0 else None,
    "mod": lambda a, k: a % k if k > 0 else None,
    "min": lambda a, k: limited(a, min(a.range[0], k), k),
    "max": lambda a, k: limited(a, k, max(a.range[1], k)),
}


def linear(expression: Expr, sizes: Sequence[int], tables: Tables) -> Linear:
    """The normal form of an expression over the indices of an output of these sizes.

    Args:
        expression: its values are whole numbers.
        sizes: of the output.
        tables: the tensors to look up, by name.
    """
    op, args = expression.op, expression.args
    number = args[0]
    if op == "const" and isinstance(number, int):
        return Linear(number)
    if op == "index" and isinstance(number, int):
        return _of(Index(number, sizes[number]))
    inner = (
        [linear(arg, sizes, tables) for arg in args if isinstance(arg, Expr)]
        if _whole(expression)
        else []
    )
    made: Linear | None = None
    if op in _ARITHMETIC and inner:
        made = _ARITHMETIC[op](*inner)
    elif op in _BY_NUMBER and inner:
        a, b = inner
        if not b.terms:
            made = _BY_NUMBER[op](a, b.constant)
        elif not a.terms and op in ("mul", "min", "max"):
            made = _BY_NUMBER[op](b, a.constant)
    elif op == "below" and inner:
        a, b, then, other = inner
        made = choice(a - b, 0, then, other)
    elif op == "look":
        made = look(str(args[0]), inner, tables[str(args[0])])
    if made is None:
        values = expression.on(np.indices(sizes, sparse=True), tables)
        return _of(Other(expression, int(np.min(values)), int(np.max(values))))
    return made


def _whole(expression: Expr) -> bool:
    """Whether the parts of an expression have whole numbers as values."""
    return expression.op not in ("real", "over", "single", "floor", "ceil")
