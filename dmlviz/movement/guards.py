"""Where the elements of a formula are constants: ``0 if h < 1 else x[h − 1, w]``.

In arithmetic, an index outside the input means that an element has no source. A person who copies
the formula would read such an index otherwise: in Python, ``x[-1]`` is the last element. So the
formula that is shown says the condition and the constant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.movement.expressions import Expr, Tables, index
from dmlviz.movement.formulas import Condition, ConstantPart, Formula
from dmlviz.tensors.numbering import distinct
from dmlviz.tensors.types import Array

LISTED = 16
"""The most constants that are written out as a list."""

SPELLED = 4
"""The most places that are written out instead of a mask without a name."""

_All = tuple[Condition, ...]
"""Conditions that hold together."""


def guarded(formula: Formula, numbers: Array, texts: Sequence[str]) -> Formula:
    """The formula with the constants of the elements that have no source.

    Args:
        formula: it gives the source of each element for which it holds.
        numbers: for each element of the output without a source, the number of its constant.
        texts: the constants.
    """
    values = _Constants(numbers, texts)
    sizes = formula.output_sizes
    grid = tuple(np.broadcast_to(i, sizes) for i in np.indices(sizes, sparse=True))
    holds = formula.holds_for_each(grid)
    inside, ways = [], []
    for expression, n in zip(formula.source, formula.sizes, strict=True):
        walk = _Index(n, grid, formula.tables)
        ways += list(walk.ways(expression, holds))
        inside.append(walk.inner(expression, holds) or expression)
    if not ways:
        return formula
    joined = [_joined(way, grid, formula.tables) for way in ways]
    spelled = [one for way in joined for one in _spelled(way, grid, holds, formula)]
    parts = _parts(spelled, grid, values, holds, formula)
    return replace(formula, constants=parts, inside=tuple(inside))


def of_code(
    formulas: Sequence[Formula], output: str, controls: Collection[str], arrays: Collection[str]
) -> tuple[Formula, ...]:
    """The formulas of an output of code, with what the code does not say.

    Args:
        formulas: one holds for each element.
        output: its name.
        controls: the names of the tensors that only choose elements.
        arrays: of all tensors that choose elements; the formulas hold for the values of those
            that they do not look up.
    """
    used = {table for formula in formulas for table in formula.tables}
    used |= {name for formula in formulas for name, _array in formula.written.values()}
    return tuple(
        replace(
            formula,
            output=output,
            values_of=tuple(name for name in arrays if name not in used),
            unnamed=tuple(
                name
                for name in formula.tables
                if name not in formula.written and name not in controls
            ),
        )
        for formula in formulas
    )


class _Index:
    """The index in one dimension of an input, for output elements that masks choose."""

    def __init__(self, size: int, grid: Sequence[Array], tables: Tables) -> None:
        self.size, self.grid, self.tables = size, grid, tables

    def numbers(self, expression: Expr) -> Array:
        """The index of each output element."""
        return np.broadcast_to(expression.on(self.grid, self.tables), self.grid[0].shape)

    def branches(self, expression: Expr, mask: Array) -> Iterator[tuple[Expr, Array, Condition]]:
        """The branches of ``below``, each with the elements and the condition for which it is."""
        a, b, *parts = (arg for arg in expression.args if isinstance(arg, Expr))
        less = self.numbers(a) < self.numbers(b)
        for part, where, condition in zip(
            parts, (less, ~less), (_less(a, b), _less(a, b).opposite), strict=True
        ):
            if (mask & where).any():
                yield part, mask & where, condition

    def ways(self, expression: Expr, mask: Array) -> Iterator[_All]:
        """Each way in which the index is outside the input, as conditions that hold together."""
        if expression.op == "below":
            for part, where, condition in self.branches(expression, mask):
                for way in self.ways(part, where):
                    yield (condition, *way)
            return
        numbers = self.numbers(expression)[mask]
        if ((numbers < 0) | (numbers >= self.size)).all():
            yield ()
            return
        if (numbers < 0).any():
            yield (Condition(expression, None, -1).plain,)
        if (numbers >= self.size).any():
            yield (Condition(expression, self.size, None).plain,)

    def inner(self, expression: Expr, mask: Array) -> Expr | None:
        """The index without branches that lead outside; None if all do."""
        if expression.op == "below":
            made = [(c, self.inner(part, at)) for part, at, c in self.branches(expression, mask)]
            left = [(condition, part) for condition, part in made if part is not None]
            if len({part for _c, part in left}) < 2:
                return left[0][1] if left else None
            a, b = expression.args[:2]
            return replace(expression, args=(a, b, left[0][1], left[1][1]))
        numbers = self.numbers(expression)[mask]
        return expression if ((numbers >= 0) & (numbers < self.size)).any() else None


def _less(a: Expr, b: Expr) -> Condition:
    """The condition that one value is less than another one."""
    if b.op == "const":
        return Condition(a, None, int(b.args[0]) - 1).plain  # type: ignore[arg-type]
    if a.op == "const":
        return Condition(b, int(a.args[0]) + 1, None).plain  # type: ignore[arg-type]
    return Condition(a - b, None, -1)


def _joined(way: _All, grid: Sequence[Array], tables: Tables) -> _All:
    """The same conditions: one for each value, and no bound that always holds."""
    bounds: dict[Expr, tuple[int, int]] = {}
    ranges: dict[Expr, tuple[int, int]] = {}
    for each in way:
        numbers = np.asarray(each.value.on(grid, tables))
        least, most = ranges.setdefault(each.value, (int(numbers.min()), int(numbers.max())))
        low, high = bounds.get(each.value, (least, most))
        bounds[each.value] = (
            low if each.low is None else max(low, each.low),
            high if each.high is None else min(high, each.high),
        )
    made = []
    for value, (low, high) in bounds.items():
        least, most = ranges[value]
        single = low == high
        first = None if low <= least and not single else low
        last = None if high >= most and not single else high
        if (first, last) != (None, None) and not (single and least == most):
            made.append(Condition(value, first, last))
    return tuple(made)


def _spelled(way: _All, grid: Sequence[Array], holds: Array, formula: Formula) -> list[_All]:
    """The same as places, if few, instead of a mask that the code does not name."""
    if not any(each.value.tensors & set(formula.unnamed) for each in way):
        return [way]
    places = np.argwhere(_mask(way, grid, holds, formula.tables)).tolist()
    if len(places) > SPELLED:
        return [way]
    shown = [d for d, n in enumerate(formula.output_sizes) if n > 1]
    return [tuple(Condition(index(d), at[d], at[d]) for d in shown) for at in places]


def _mask(way: _All, grid: Sequence[Array], holds: Array, tables: Tables) -> Array:
    """The output elements of a formula for which conditions hold together."""
    mask: Array = np.logical_and.reduce([holds, *(each.on(grid, tables) for each in way)])
    return mask


def _parts(
    ways: Sequence[_All], grid: Sequence[Array], values: _Constants, holds: Array, formula: Formula
) -> tuple[ConstantPart, ...]:
    """Each constant with its conditions, in an order in which the first that holds is right."""
    parts = _ordered(ways, grid, values, holds, formula)
    if all(part.values for part in parts):
        return parts
    # rings of several constants, as padding around padding makes them
    places = [one for way in ways for one in _each_place(way, formula)]
    rings = _ordered(places, grid, values, holds, formula)
    return rings if all(part.values and part.at is None for part in rings) else parts


def _each_place(way: _All, formula: Formula) -> Sequence[_All]:
    """The same as one condition for each place along a dimension, if they are few."""
    each = way[0] if len(way) == 1 else None
    if each is None or each.value.op != "index":
        return [way]
    size = formula.output_sizes[int(each.value.args[0])]  # type: ignore[arg-type]
    low, high = each.low or 0, size - 1 if each.high is None else each.high
    if high - low >= LISTED:
        return [way]
    return [(Condition(each.value, at, at),) for at in range(low, high + 1)]


def _ordered(
    ways: Sequence[_All], grid: Sequence[Array], values: _Constants, holds: Array, formula: Formula
) -> tuple[ConstantPart, ...]:
    left = [(way, _mask(way, grid, holds, formula.tables)) for way in dict.fromkeys(ways)]
    covered, made = np.zeros_like(holds), list[ConstantPart]()
    while left:
        # the first whose elements, without those before, are one constant; a list if there is none
        single = [one for one in left if len(values.of(one[1] & ~covered)) < 2]
        again = [one for one in single if made and _is_all(made[-1], values.of(one[1] & ~covered))]
        chosen = [*again, *single, left[0]][0]
        left.remove(chosen)
        way, mask = chosen
        new = mask & ~covered
        if new.any():
            held, at = _constants_of(values, new)
            last = made[-1] if made else None
            if last and (last.values, last.at) == (held, at):
                made[-1] = replace(last, ways=(*last.ways, way))
            else:
                made.append(ConstantPart(held, at, (way,)))
        covered = covered | mask
    return tuple(made)


@dataclass(frozen=True, eq=False)
class _Constants:
    """For each element of the output without a source, the number of its constant, and the texts
    of all constants, each once."""

    numbers: Array
    texts: Sequence[str]

    def of(self, mask: Array) -> set[str]:
        """The constants of the elements of a mask."""
        return {self.texts[number] for number in distinct(self.numbers[mask]).tolist()}


def _is_all(part: ConstantPart, constants: set[str]) -> bool:
    return constants == {*part.values} and part.at is None


def _constants_of(values: _Constants, mask: Array) -> tuple[tuple[str, ...], Expr | None]:
    """The constants of the elements of a mask, and which is that of each."""
    constants = values.of(mask)
    if len(constants) == 1:
        return (*constants,), None
    own, count = values.numbers[mask], len(values.texts)
    for d, places in enumerate(np.nonzero(mask)):
        pairs = [divmod(pair, count) for pair in distinct(places * count + own).tolist()]
        table = {place: values.texts[number] for place, number in pairs}
        first, last = min(table), max(table)
        if len(table) == len(pairs) and last - first < LISTED:
            # places between that have no constant are never read
            return tuple(table.get(i, "0") for i in range(first, last + 1)), index(d) - first
    return (), None
