"""The formula of several nodes: the rule of each is put into the next one, and simplified.

Each node has a rule: from an index of an output, the places in its inputs that an element can
come from. :func:`composed` follows them from an output to the inputs of all nodes, and returns
only formulas that give the source of every element.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from dmlviz.base.budget import Exhausted, budget
from dmlviz.base.deferred import dataclass
from dmlviz.movement.expressions import Expr
from dmlviz.movement.fitting import fitted, folded
from dmlviz.movement.formulas import Formula, Range
from dmlviz.movement.graphs import Constant, Node
from dmlviz.movement.linear import (
    Linear,
    Look,
    choice,
    flat,
    indices,
    inside,
    linear,
    outright,
    unflat,
)
from dmlviz.movement.lookups import Lookups, broadcast, constant_along
from dmlviz.movement.nodes import KERNELS
from dmlviz.tensors.types import Array, Sizes

PLACE_LIMIT = 400
"""The limit of places that are followed: each part of a Concat is a way of its own."""

_AT_ONCE = 1 << 18
"""How many elements a formula is calculated for at once."""

CASE_LIMIT = 12
"""The limit of formulas of one output; nobody reads the thirteenth."""

TERM_LIMIT = 100_000
"""The limit of terms that are made for the formulas of one output; nobody reads the longest."""

LONG = 6
"""The weight from which an index is also calculated anew from its numbers."""


@dataclass(frozen=True)
class TensorPlace:
    """A place in a tensor.

    Attributes:
        tensor: its name.
        at: the index in each dimension.
        within: values with their bounds; where one of them is outside, the element is a constant.
    """

    tensor: str
    at: tuple[Linear, ...]
    within: tuple[tuple[Linear, int, int], ...] = ()

    def to(self, tensor: str, at: Sequence[Linear]) -> TensorPlace:
        """A place in another tensor under the same conditions."""
        return replace(self, tensor=tensor, at=tuple(at))


@dataclass(frozen=True)
class Fork:
    """``then`` if a value is less than ``limit``, else ``other``."""

    value: Linear
    limit: int
    then: Case
    other: Case


Case = TensorPlace | Fork | None
"""Where an element comes from; None is a constant."""

Rule = Callable[["_Nodes", Node, TensorPlace], Case]


@dataclass(frozen=True)
class _Leaf:
    """A place, and the values with their bounds for which it holds."""

    place: TensorPlace
    where: tuple[tuple[Linear, int, int], ...] = ()


class _Nodes(Lookups):
    """Nodes by what they make, and the tables that their rules look up."""

    def __init__(
        self,
        nodes: Sequence[Node],
        inputs: Mapping[str, Sizes],
        sizes: Mapping[str, Sizes],
        controls: Mapping[str, Array],
    ) -> None:
        super().__init__(inputs, sizes, controls)
        self.makers = {name: node for node in nodes for name in node.outputs}
        self.followed = 0

    def follow(self, case: Case) -> Case:
        """The same with places in the inputs of all nodes."""
        if case is None:
            return None
        if isinstance(case, Fork):
            then, other = self.follow(case.then), self.follow(case.other)
            return forked(case.value, case.limit, then, other)
        self.followed += 1
        if self.followed > PLACE_LIMIT:
            raise OverflowError
        if case.tensor in self.inputs:
            return case
        node = self.makers.get(case.tensor)
        if node is None:
            return None
        return self.follow(RULES.get(node.op_type, _mapped)(self, node, case))

    def along(self, place: TensorPlace, axis: int) -> TensorPlace:
        """The place in the tensor of which its tensor is a part along one axis."""
        node = self.makers.get(place.tensor)
        while node is not None and node.op_type == "Slice" and _constants(node)[2] == [axis]:
            place = place.to(_first(node), _slice(self, node, place).at)
            node = self.makers.get(place.tensor)
        return place


def composed(
    nodes: Sequence[Node],
    inputs: Mapping[str, Sizes],
    sizes: Mapping[str, Sizes],
    output: str,
    source: Array,
    controls: Mapping[str, Array],
    missing: str,
) -> tuple[Formula, ...]:
    """The formulas of one output, of which one holds for each element; empty if there are none.

    Args:
        nodes: with constants in the values' type as names that no node makes.
        inputs: the sizes of the tensors whose elements move, by name, in the order of numbers.
        sizes: of every tensor, by name.
        output: the name of the tensor.
        source: for each of its elements, the number of its source, or a negative number.
        controls: the values of the tensors that choose elements, by name.
        missing: what an element without a source holds, in words.
    """
    if (source < 0).all():
        return ()
    walk = _Nodes(nodes, inputs, sizes, controls)
    start = TensorPlace(output, indices(source.shape))
    # arithmetic for numbers that the code says would be true by coincidence alone
    typed = any(isinstance(i, Constant) and i.typed for node in nodes for i in node.inputs)
    for by_numbers in (False,) if typed else (False, True):
        walk.followed = 0
        with suppress(OverflowError, Exhausted), budget(terms=TERM_LIMIT):
            case = walk.follow(_numbered(walk, source, start) if by_numbers else start)
            leaves = list(_leaves(case, ()))
            if len(leaves) > CASE_LIMIT:
                continue
            formulas = [_formula(walk, leaf, source, missing) for leaf in leaves]
            made = _complete([formula for formula in formulas if formula is not None], source)
            if made:
                return made
    return ()


def verified(formula: Formula, source: Array, start: int = 0) -> bool:
    """Whether a formula gives the source of every element for which it holds.

    Args:
        formula: it names one input.
        source: for each element of the output, the number of its source, or a negative number.
        start: the number of the input's first element.
    """
    grid = np.indices(source.shape, sparse=True)
    for block in _blocks(source.shape):
        part = source[block]
        at = [grid[d][(slice(None),) * d + (cut,)] for d, cut in enumerate(block)]
        places = np.broadcast_arrays(part, *(e.on(at, formula.tables) for e in formula.source))[1:]
        bounds = list(zip(places, formula.sizes, strict=True))
        inner = np.logical_and.reduce([(i >= 0) & (i < n) for i, n in bounds])
        number = np.zeros(part.shape, np.int64)
        for i, n in bounds:
            number = number * n + i
        due = np.where(inner, number + start, -1)
        holds = formula.holds_for_each(at)
        if not np.array_equal(due[holds], np.maximum(part, -1)[holds]):
            return False
    return True


def _blocks(sizes: Sizes) -> Iterator[tuple[slice, ...]]:
    """Parts of a tensor, none of which has many elements, as a slice of each dimension."""
    rest = [math.prod(sizes[d + 1 :]) for d in range(len(sizes))]
    axis = next((d for d, count in enumerate(rest) if count <= _AT_ONCE), 0)
    step = max(1, _AT_ONCE // rest[axis]) if sizes else 1
    for before in np.ndindex(*sizes[:axis]):
        first = tuple(slice(i, i + 1) for i in before)
        after = (slice(None),) * (len(sizes) - axis - 1)
        for start in range(0, sizes[axis], step) if sizes else (0,):
            yield (*first, slice(start, start + step), *after)[: len(sizes)]


def shortened(formula: Formula) -> Formula:
    """The formula with fewer operations, if its sizes allow that: equal for every element.

    >>> from dmlviz.movement.expressions import index
    >>> wide = Formula((4,), (2, 4), (index(0) // 2 * 4 + index(1) % 4,))
    >>> shortened(wide).symbolic()
    'out[h, w] = in[w]'
    """
    grid = np.indices(formula.output_sizes, sparse=True)
    with suppress(Exhausted), budget(terms=TERM_LIMIT):
        return replace(formula, source=tuple(_shorter(e, grid, formula) for e in formula.source))
    return formula


def _shorter(expression: Expr, grid: Any, formula: Formula) -> Expr:
    short = linear(expression, formula.output_sizes, formula.tables).expression()
    values = (np.asarray(one.on(grid, formula.tables)) for one in (expression, short))
    before, after = np.broadcast_arrays(*values)
    return short if short.count < expression.count and np.array_equal(before, after) else expression


def forked(value: Linear, limit: int, then: Case, other: Case) -> Case:
    """The case of a fork, as one place if that is possible."""
    if then == other:
        return then
    if other is None or then is None:
        return _missing(value, limit, then, other)
    if not (
        isinstance(then, TensorPlace)
        and isinstance(other, TensorPlace)
        and then.tensor == other.tensor
    ):
        return Fork(value, limit, then, other)
    if then.within != other.within:
        then, other = bounded(then), bounded(other)
    pairs = zip(then.at, other.at, strict=True)
    return then.to(then.tensor, [choice(value, limit, a, b) for a, b in pairs])


def _missing(value: Linear, limit: int, then: Case, other: Case) -> Case:
    """The case of a fork with a constant on one side: one index there is -1, no source."""
    case = then or other
    if isinstance(case, Fork):
        parts = (
            _missing(value, limit, then and one, other and one) for one in (case.then, case.other)
        )
        return forked(case.value, case.limit, *parts)
    if case is None:
        return None
    d = _dimension(case, value)
    index = case.at[d]
    one = choice(value, limit, index if then else Linear(-1), index if other else Linear(-1))
    return case.to(case.tensor, (*case.at[:d], one, *case.at[d + 1 :]))


def bounded(place: TensorPlace, count: int | None = None) -> TensorPlace:
    """The place with -1, no source, where a value is outside its bounds.

    Args:
        place: a place in an input.
        count: how many of the values; None for all.
    """
    for value, low, high in place.within[:count]:
        d = _dimension(place, value)
        one = choice(value, high + 1, place.at[d], Linear(-1))
        one = choice(value, low, Linear(-1), one)
        place = place.to(place.tensor, (*place.at[:d], one, *place.at[d + 1 :]))
    return replace(place, within=())


def _dimension(place: TensorPlace, value: Linear) -> int:
    """The first dimension that depends on what a value depends on."""
    atoms = set(value.atoms())
    return next((d for d, one in enumerate(place.at) if atoms & set(one.atoms())), 0)


# ---- rules of nodes


def _constants(node: Node) -> list[list[int]]:
    """The numbers of a node's constants, in order."""
    return [item.values.tolist() for item in node.inputs if isinstance(item, Constant)]


def _first(node: Node) -> str:
    item = node.inputs[0]
    assert isinstance(item, str)
    return item


def _identity(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    return place.to(_first(node), place.at)


def _reshape(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    x = _first(node)
    number = flat(place.at, walk.sizes[place.tensor])
    return place.to(x, unflat(number, walk.sizes[x]))


def _transpose(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    order = list(node.attributes["perm"])
    return place.to(_first(node), [place.at[order.index(d)] for d in range(len(order))])


def _expand(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    return place.to(_first(node), broadcast(place.at, walk.sizes[_first(node)]))


def _tile(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    x = _first(node)
    return place.to(x, [one % n for one, n in zip(place.at, walk.sizes[x], strict=True)])


def _slice(walk: _Nodes, node: Node, place: TensorPlace) -> TensorPlace:
    starts, _ends, axes, steps = _constants(node)
    at = list(place.at)
    for start, d, step in zip(starts, axes, steps, strict=True):
        at[d] = at[d] * step + start
    return place.to(_first(node), at)


def _pad(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    x, (pads, *_value) = _first(node), _constants(node)
    sizes, mode = walk.sizes[x], node.attributes["mode"]
    at = [one - before for one, before in zip(place.at, pads, strict=False)]
    if mode != "constant":
        return place.to(x, [folded(one, n, mode) for one, n in zip(at, sizes, strict=True)])
    bounds = [(one, 0, n - 1) for one, n in zip(at, sizes, strict=True)]
    outer = [b for b in bounds if b[0].range[0] < b[1] or b[0].range[1] > b[2]]
    return replace(
        place.to(x, [inside(*bound) for bound in bounds]), within=(*place.within, *outer)
    )


def _concat(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    axis, start, cases = node.attributes["axis"], 0, []
    one = place.at[axis]
    for item in node.inputs:
        assert isinstance(item, str)
        n = walk.sizes[item][axis]
        if one.range[1] >= start and one.range[0] < start + n:
            at = inside(one - start, 0, n - 1)
            part = place.to(item, (*place.at[:axis], at, *place.at[axis + 1 :]))
            cases.append((start + n, walk.along(part, axis)))
        start += n
    case: Case = cases[-1][1]
    for limit, part in cases[-2::-1]:
        # parts of one tensor, such as those of a roll, stay one
        single = isinstance(case, TensorPlace) and case.tensor == part.tensor
        case = (forked if single else Fork)(one, limit, part, case)
    return case


def _split(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    axis, ((*parts,),) = node.attributes["axis"], _constants(node)
    start = sum(parts[: node.outputs.index(place.tensor)])
    at = list(place.at)
    at[axis] = at[axis] + start
    return place.to(_first(node), at)


def _gather(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    axis, table = node.attributes["axis"], _table(node)
    end = axis + table.values.ndim
    one = walk.looked_up(table, place.at[axis:end])
    return place.to(_first(node), (*place.at[:axis], one, *place.at[end:]))


def _gather_elements(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    axis, at = node.attributes["axis"], list(place.at)
    at[axis] = walk.looked_up(_table(node), place.at)
    return place.to(_first(node), at)


def _gather_nd(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    table, batch = _table(node), node.attributes.get("batch_dims", 0)
    if not table.typed:
        return _mapped(walk, node, place)
    count = table.values.ndim - 1
    tuples = [walk.looked_up(table, place.at[:count], k) for k in range(table.values.shape[-1])]
    return place.to(_first(node), (*place.at[:batch], *tuples, *place.at[count:]))


def _where(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    condition, *choices = node.inputs
    assert isinstance(condition, Constant)
    mask = condition.values
    for name, array in walk.controls.items():
        if array.shape == mask.shape and np.array_equal(array.astype(bool), mask):
            # a mask with a name is looked up, whatever it looks like
            value = walk.look_at_mask(name, array, broadcast(place.at, mask.shape))
            then, other = (
                place.to(item, broadcast(place.at, walk.sizes[item]))
                for item in choices
                if isinstance(item, str)
            )
            return Fork(value, 1, other, then)
    return _mapped(walk, node, place)


def _scatter(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    """An update where an index tensor has the place, else the tensor before.

    One index tensor says the place along one axis; along the others, updates stay.
    """
    x, indices, updates = node.inputs
    assert isinstance(x, str)
    assert isinstance(indices, Constant)
    assert isinstance(updates, str)
    axis, numbers = node.attributes.get("axis", 0), indices.values
    if node.op_type == "ScatterND":
        along = [
            d for d in range(numbers.shape[-1]) if not _counts(numbers[..., d], numbers.ndim - 1, d)
        ]
        if len(along) != 1 or numbers.shape[-1] != numbers.ndim - 1:
            return _mapped(walk, node, place)
        (axis,) = along
        numbers = numbers[..., axis]
    kept = [d for d in range(numbers.ndim) if d == axis or not constant_along(numbers, d)]
    own = numbers[tuple(slice(None) if d in kept else 0 for d in range(numbers.ndim))]
    typed = walk.control_like(own, walk.sizes[x][axis])
    evenly = own.ndim == 1 and len(set(np.diff(own).tolist())) < 2
    part = any(n < walk.sizes[x][d] for d, n in enumerate(walk.sizes[updates]) if d != axis)
    if part or (typed is None and evenly):
        return _mapped(walk, node, place)
    own = own if typed is None else typed
    position = walk.position(
        own, kept.index(axis), [place.at[d] for d in kept], walk.sizes[x][axis]
    )
    at = list(place.at)
    at[axis] = inside(position, 0, numbers.shape[axis] - 1)
    return Fork(position, 0, place.to(x, place.at), place.to(updates, at))


def _counts(numbers: Array, rank: int, d: int) -> bool:
    """Whether numbers only count along a dimension, from 0 on."""
    if d >= rank:
        return False
    along = np.arange(numbers.shape[d]).reshape([-1 if e == d else 1 for e in range(rank)])
    return bool((numbers == along).all())


def _table(node: Node) -> Constant:
    item = node.inputs[1]
    assert isinstance(item, Constant)
    return item


def _mapped(walk: _Nodes, node: Node, place: TensorPlace) -> Case:
    """The rule of any node, from its run on numbers."""
    start, taken = 0, []
    for item in node.inputs:
        if isinstance(item, Constant):
            taken.append(item.values)
            continue
        count = math.prod(walk.sizes[item])
        taken.append(np.arange(start, start + count).reshape(walk.sizes[item]))
        start += count
    made = KERNELS[node.op_type](*taken, **node.attributes)
    source = (made if isinstance(made, tuple) else (made,))[node.outputs.index(place.tensor)]
    items = [item for item in node.inputs if isinstance(item, str)]
    return _parts(walk, np.asarray(source), place, dict.fromkeys(items))


def _numbered(walk: _Nodes, source: Array, place: TensorPlace) -> Case:
    """The rule of all nodes together, from the sources alone."""
    return _parts(walk, source, place, dict.fromkeys(walk.inputs))


def _parts(walk: _Nodes, source: Array, place: TensorPlace, tensors: Sequence[str] | Any) -> Case:
    """A case for each tensor that elements come from, the largest part last."""
    start, parts = 0, []
    for name in tensors:
        end = start + math.prod(walk.sizes[name])
        mask = (source >= start) & (source < end)
        if mask.any():
            parts.append((mask, name, start))
        start = end
    parts.sort(key=lambda part: -int(part[0].sum()))
    case: Case = None
    for k, (mask, name, first) in enumerate(parts):
        is_constant = name not in walk.makers and name not in walk.inputs
        own = None if is_constant else _region(walk, source - first, mask, place, name)
        # later parts cover the first one; where no part is, an element is a constant
        whole = k == 0 and (source >= 0).all()
        case = own if whole else _masked(walk, mask, place, own, case)
    return case


def _region(walk: _Nodes, number: Array, mask: Array, place: TensorPlace, name: str) -> TensorPlace:
    """The place in one tensor, by the numbers where the mask holds."""
    sizes = walk.sizes[name]
    lead = mask.ndim - len(sizes)
    if lead >= 0 and all(n in (1, m) for n, m in zip(sizes, mask.shape[lead:], strict=True)):
        stay = np.broadcast_to(np.arange(math.prod(sizes)).reshape(sizes), mask.shape)
        if np.array_equal(stay[mask], number[mask]):
            at = broadcast(place.at, sizes)
            return place.to(name, [inside(one, 0, n - 1) for one, n in zip(at, sizes, strict=True)])
    grid = _grid(mask)
    if grid is not None:
        part = number[np.ix_(*(np.arange(s, s + k * n, k) for s, k, n in grid))]
        at = [
            inside((one - s) // k, 0, n - 1) for one, (s, k, n) in zip(place.at, grid, strict=True)
        ]
        parts = np.unravel_index(part, sizes)
        return place.to(name, [walk.numbers(one, at) for one in parts])
    single = walk.numbers(np.where(mask, number, 0), place.at)
    single = inside(single, 0, math.prod(sizes) - 1)
    pairs = zip(unflat(single, sizes), sizes, strict=True)
    return place.to(name, [inside(one, 0, n - 1) for one, n in pairs])


def _masked(walk: _Nodes, mask: Array, place: TensorPlace, then: Case, other: Case) -> Case:
    """``then`` where a mask holds, else ``other``."""
    for own, a, b in ((mask, then, other), (~mask, other, then)):
        grid = _grid(own)
        if grid is not None:
            case = a
            for one, (s, k, n), size in zip(place.at, grid, mask.shape, strict=True):
                if k > 1:
                    case = Fork((one - s) % k, 1, case, b)
                if s > 0:
                    case = Fork(one, s, b, case)
                if s + k * n < size or (k == 1 and s + n < size):
                    case = Fork(one, s + k * (n - 1) + 1, case, b)
            return case
    if mask.ndim >= 2:
        rows, columns = mask.shape[-2:]
        apart = place.at[-1] - place.at[-2]
        for own, a, b in ((mask, then, other), (~mask, other, then)):
            counts = own[(0,) * (mask.ndim - 2)].sum(-1)
            k = int(np.argmax(own[(0,) * (mask.ndim - 2)][0])) if own.any() else 0
            if np.array_equal(
                own, np.broadcast_to(np.eye(rows, columns, k, dtype=bool), own.shape)
            ):
                return Fork(apart, k + 1, Fork(apart, k, b, a), b)
            for k in (int(counts[-1]) - rows, int(counts[0]) - 1):
                lower = np.tri(rows, columns, k, dtype=bool)
                if np.array_equal(own, np.broadcast_to(lower, own.shape)):
                    return Fork(apart, k + 1, a, b)
    return Fork(walk.numbers(mask.astype(np.int64), place.at, "mask"), 1, other, then)


def _grid(mask: Array) -> list[tuple[int, int, int]] | None:
    """Start, step and count in each dimension, if a mask holds on such a grid."""
    grid = []
    for d in range(mask.ndim):
        axes = tuple(e for e in range(mask.ndim) if e != d)
        places = np.flatnonzero(mask.any(axis=axes))
        step = int(places[1] - places[0]) if places.size > 1 else 1
        if not places.size or (np.diff(places) != step).any():
            return None
        grid.append((int(places[0]), step, places.size))
    return grid if mask.sum() == math.prod(n for _s, _k, n in grid) else None


RULES: Mapping[str, Rule] = {
    "Concat": _concat,
    "Expand": _expand,
    "Gather": _gather,
    "GatherElements": _gather_elements,
    "GatherND": _gather_nd,
    "Identity": _identity,
    "Pad": _pad,
    "Reshape": _reshape,
    "ScatterElements": _scatter,
    "ScatterND": _scatter,
    "Slice": _slice,
    "Split": _split,
    "Tile": _tile,
    "Transpose": _transpose,
    "Where": _where,
}
"""By the node's name; other nodes have the rule that their run on numbers gives."""


# ---- from cases to formulas


def _leaves(case: Case, where: tuple[tuple[Linear, int, int], ...]) -> Iterator[_Leaf]:
    if isinstance(case, TensorPlace):
        yield _Leaf(case, where)
    elif isinstance(case, Fork):
        low, high = case.value.range
        yield from _leaves(case.then, _within(where, case.value, low, case.limit - 1))
        yield from _leaves(case.other, _within(where, case.value, case.limit, high))


def _within(
    where: tuple[tuple[Linear, int, int], ...], value: Linear, low: int, high: int
) -> tuple[tuple[Linear, int, int], ...]:
    """Bounds with those of one more value; bounds of one value become one."""
    rest = tuple(bound for bound in where if bound[0] != value)
    for own, start, end in where:
        if own == value:
            low, high = max(low, start), min(high, end)
    return (*rest, (value, low, high))


def _formula(walk: _Nodes, leaf: _Leaf, source: Array, missing: str) -> Formula | None:
    """The formula of a place; None if it is not that of every element."""
    grid, start = np.indices(source.shape, sparse=True), 0
    for name, of in walk.inputs.items():
        if name == leaf.place.tensor:
            break
        start += math.prod(of)
    # an index is often outside by itself where a value is outside its bounds
    for count in range(len(leaf.place.within) + 1):
        at = [outright(one) for one in bounded(leaf.place, count).at]
        formula = Formula(
            walk.inputs[leaf.place.tensor],
            source.shape,
            tuple(_shortest(walk, one, grid, source.shape).expression() for one in at),
            missing,
            leaf.place.tensor,
            where=tuple(
                Range(outright(v).expression(), low, high + 1) for v, low, high in leaf.where
            ),
            tables=walk.tables,
            written=walk.typed,
        )
        if verified(formula, source, start):
            return formula
    return None


def _shortest(walk: _Nodes, value: Linear, grid: Any, sizes: Sizes) -> Linear:
    """The index, or arithmetic that gives the same numbers and is shorter."""
    looked = {atom.tensor for atom in value.atoms() if isinstance(atom, Look)}
    if value.weight < LONG or looked & walk.typed.keys():
        return value
    numbers = value.expression().on(grid, walk.tables)
    table = np.broadcast_to(numbers, sizes)
    if table.min() < 0:
        # arithmetic that leads to -1 hides that there is no source
        return value
    shared = [d for d, n in enumerate(sizes) if n > 1 and not constant_along(table, d)]
    kept = table[tuple(slice(None) if d in shared else 0 for d in range(len(sizes)))]
    rule, own = fitted(kept), indices(sizes)
    short = rule and rule([own[d] for d in shared])
    return short if short is not None and (short.weight < value.weight or bool(looked)) else value


def _complete(formulas: Sequence[Formula], source: Array) -> tuple[Formula, ...]:
    """Those that hold for some elements, if one holds for each element; else none."""
    grid = np.indices(source.shape, sparse=True)
    holds = [formula.holds_for_each(grid) for formula in formulas]
    times = np.zeros(source.shape, np.uint16)
    for each in holds:
        times += each
    if (times != 1).any():
        return ()
    used = {
        name
        for f in formulas
        for e in (*f.source, *(r.value for r in f.where))
        for name in e.tensors
    }
    return tuple(
        replace(
            formula,
            tables={n: t for n, t in formula.tables.items() if n in used},
            written={n: of for n, of in formula.written.items() if n in used},
        )
        for formula, each in zip(formulas, holds, strict=True)
        if each.any()
    )
