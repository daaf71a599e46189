"""Why elements move as they do, in words: from where they come from, whatever call moved them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _, ngettext
from dmlviz.movement.nodes import fold
from dmlviz.movement.steps import Steps, outermost_steps
from dmlviz.tensors.numbering import distinct, print_element
from dmlviz.tensors.printing import print_value
from dmlviz.tensors.types import Array, Sizes

LISTED = 8
"""The limit of indices that a sentence lists."""

RUNS = 4
"""The limit of parts of a join that a sentence names."""

STARTS = 8
"""The limit of places where padding may begin that are looked at as a whole."""

Clauses = list[str]


@dataclass(frozen=True)
class Arrival:
    """An element of an output, and where it comes from: what a sentence names.

    Attributes:
        output: the tensor's name.
        index: of the element.
        number: of its source through all inputs; below 0 for a constant.
    """

    output: str
    index: tuple[int, ...]
    number: int


def clauses_of(inputs: Mapping[str, Sizes], source: Array) -> Clauses:
    """The rule of a movement in parts of a sentence; none if it has no short one.

    Args:
        inputs: the sizes of the tensors whose elements move, by name.
        source: for each element of an output, its number through all inputs; below 0 for a
            constant.

    >>> clauses_of({"x": (2, 3)}, np.array([[0, 3], [1, 4], [2, 5]]))
    ['rows and columns are exchanged']
    >>> clauses_of({"x": (2, 3)}, np.arange(6).reshape(3, 2))
    ['the order of the elements stays']
    """
    used = source >= 0
    if not used.any():
        return []
    ends = np.cumsum([math.prod(sizes) for sizes in inputs.values()])
    tensor = np.where(used, np.searchsorted(ends, source, side="right"), -1)
    taken = distinct(tensor[used]).tolist()
    if len(taken) > 1:
        return _of_several(list(inputs), tensor, taken)
    (number,) = taken
    sizes = list(inputs.values())[number]
    own = np.where(used, source - (int(ends[number]) - math.prod(sizes)), -1)
    return _of_one(sizes, own)


def example(
    inputs: Mapping[str, Sizes], outputs: Mapping[str, Array], name: str, elements: Array
) -> Arrival:
    """The element of a step that shows best where it comes from: one that moves, if any does.

    Args:
        inputs: the sizes of the tensors whose elements move, by name.
        outputs: the sources of each output, by name.
        name: of the output in which the step lands.
        elements: flat, of that output.
    """
    shape, every = outputs[name].shape, list(inputs.values())
    source = outputs[name].ravel()[elements]
    other = source != elements
    if len(every) == 1 and len(every[0]) == len(shape) > 0:
        there = np.unravel_index(np.maximum(source, 0), every[0])
        here = np.unravel_index(elements, shape)
        other = np.logical_or.reduce([one != two for one, two in zip(here, there, strict=True)])
    moved, constant = np.flatnonzero((source >= 0) & other), np.flatnonzero(source < 0)
    first = [int(each[0]) for each in (moved, constant) if each.size]
    chosen = int(elements[first[0] if first else -1])
    index = tuple(int(i) for i in np.unravel_index(chosen, shape))
    return Arrival(name, index, int(outputs[name].ravel()[chosen]))


def _order_stays() -> str:
    return _("the order of the elements stays")


def origin_in_words(
    arrival: Arrival,
    inputs: Mapping[str, Sizes],
    constant: object = None,
    *,
    counted: bool = False,
) -> str:
    """Where an element comes from, in words.

    Args:
        arrival: the element.
        inputs: the sizes of the tensors whose elements move, by name.
        constant: its value, if it has no source.
        counted: whether to count elements in their order, which stays.

    >>> origin_in_words(Arrival("out", (2, 0), 2), {"x": (2, 3)})
    'row 2, column 0 comes from row 0, column 2'
    >>> origin_in_words(Arrival("out", (0, 2, 0), 2), {"x": (2, 3)})
    'out[0, 2, 0] comes from x[0, 2]'
    """
    if arrival.number < 0:
        here = _place(arrival.output, arrival.index, len(arrival.index))
        if constant is None:
            return _("{here} is a constant").format(here=here)
        words = _("{here} is the constant {value}")
        return words.format(here=here, value=print_value(constant))  # type: ignore[arg-type]
    name, there = _origin(arrival.number, inputs)
    rank = len(there) if len(there) == len(arrival.index) else 0
    here = _place(arrival.output, arrival.index, rank)
    place = _place(name, there, rank)
    if len(inputs) > 1 and rank in (1, 2):
        place = _("{place} of {name}").format(place=place, name=name)
    if counted:
        words = _("element {n}, counted from 0, goes from {there} to {here}")
        return words.format(n=arrival.number, there=place, here=here)
    return _("{here} comes from {there}").format(here=here, there=place)


def reasoned(
    inputs: Mapping[str, Sizes],
    outputs: Mapping[str, Array],
    constants: Mapping[str, Array | None],
    calculated: Callable[[Arrival], str],
) -> Steps:
    """A step for each index of the outputs' outermost dimension, with the reason of its moves.

    Args:
        inputs: the sizes of the tensors whose elements move, by name.
        outputs: for each output by its name, the sources of its elements.
        constants: the values of the elements without a source.
        calculated: where an element comes from, as arithmetic, for what has no rule in short.
    """
    steps = outermost_steps({name.strip(): source.shape for name, source in outputs.items()})
    starts = np.cumsum([0, *(source.size for source in outputs.values())])
    clauses = {name: clauses_of(inputs, source) for name, source in outputs.items()}
    captions: list[str] = []
    for number in range(len(steps.steps)):
        elements = np.flatnonzero(steps.step_of == number)
        which = int(np.searchsorted(starts, elements[0], side="right")) - 1
        name = list(outputs)[which]
        arrival = example(
            inputs, outputs, name, elements[elements < starts[which + 1]] - starts[which]
        )
        captions.append(reason(inputs, clauses[name], arrival, constants[name], calculated))
    pairs = zip(steps.steps, captions, strict=True)
    return replace(steps, steps=tuple(replace(step, caption=text) for step, text in pairs))


def reason(
    inputs: Mapping[str, Sizes],
    clauses: Sequence[str],
    arrival: Arrival,
    constants: Array | None,
    calculated: Callable[[Arrival], str],
) -> str:
    """Why elements move, in a sentence that ends with one of them.

    Args:
        inputs, calculated: as of :func:`reasoned`.
        clauses: the rule.
        arrival: the element.
        constants: the values of the elements of its output without a source.
    """
    value = None if constants is None or arrival.number >= 0 else constants[arrival.index]
    counted = [*clauses] == [_order_stays()]
    place = origin_in_words(
        replace(arrival, output=arrival.output.strip()), inputs, value, counted=counted
    )
    if not clauses and arrival.number >= 0:
        place = calculated(arrival) or place
    return f"{'; '.join([*clauses, place])}."


def _origin(number: int, inputs: Mapping[str, Sizes]) -> tuple[str, tuple[int, ...]]:
    """The tensor that has the element of that number through all inputs, and its index there."""
    first = 0
    for name, sizes in inputs.items():
        if number < first + math.prod(sizes):
            return name, tuple(int(i) for i in np.unravel_index(number - first, sizes))
        first += math.prod(sizes)
    raise IndexError(number)


def _place(name: str, index: Sequence[int], rank: int) -> str:
    if rank == 1:
        return _Dimension(0, 1).some(str(index[0]), 1)
    if rank == 2:
        return _("row {row}, column {column}").format(row=index[0], column=index[1])
    return print_element(name, index)


@dataclass(frozen=True)
class _Dimension:
    """A dimension as a noun: rows, columns, elements, or indices of a dimension.

    Attributes:
        number: of the dimension.
        rank: of its tensor.
    """

    number: int
    rank: int

    @property
    def every(self) -> str:
        """All of its indices."""
        if self.rank == 1:
            return _("elements")
        if self.rank == 2:
            return _("columns") if self.number else _("rows")
        return _("indices of dimension {d}").format(d=self.number)

    def some(self, indices: str, count: int) -> str:
        """Some of its indices, by their numbers."""
        if self.rank == 1:
            return ngettext("element {i}", "elements {i}", count).format(i=indices)
        if self.rank == 2 and self.number:
            return ngettext("column {i}", "columns {i}", count).format(i=indices)
        if self.rank == 2:
            return ngettext("row {i}", "rows {i}", count).format(i=indices)
        words = ngettext("index {i} of dimension {d}", "indices {i} of dimension {d}", count)
        return words.format(i=indices, d=self.number)


# ---- several tensors


def _of_several(names: Sequence[str], tensor: Array, taken: Sequence[int]) -> Clauses:
    """Which parts come from which tensor: one after another along a dimension, or in between."""
    for axis in range(tensor.ndim):
        line = tensor[tuple(slice(None) if d == axis else 0 for d in range(tensor.ndim))]
        if not (tensor == line.reshape([-1 if d == axis else 1 for d in range(tensor.ndim)])).all():
            continue
        runs = [(k, len(list(part))) for k, part in itertools.groupby(line.tolist())]
        if len(runs) > RUNS or min(k for k, _count in runs) < 0:
            return []
        parts, first = Clauses(), 0
        for number, count in runs:
            last = first + count - 1
            indices = str(first) if count == 1 else _("{i} to {j}").format(i=first, j=last)
            places = _Dimension(axis, tensor.ndim).some(indices, count)
            words = ngettext("{places} comes from {name}", "{places} come from {name}", count)
            parts.append(words.format(places=places, name=names[number]))
            first += count
        return parts
    count = int((tensor == taken[-1]).sum())
    words = ngettext("{n} element comes from {name}", "{n} elements come from {name}", count)
    rest = len(taken) == 2 and bool((tensor >= 0).all())
    others = [_("the others come from {name}").format(name=names[taken[0]])] if rest else []
    return [words.format(n=f"{count:,}", name=names[taken[-1]]), *others]


# ---- one tensor


def _of_one(sizes: Sizes, source: Array) -> Clauses:
    count = math.prod(sizes)
    if source.size == count and np.array_equal(source.ravel(), np.arange(count)):
        if [n for n in sizes if n > 1] == [n for n in source.shape if n > 1]:
            same = source.shape == sizes
            return [_("every element stays") if same else _("only dimensions of size 1 change")]
        return [_order_stays()]
    base = int(source.flat[int((source >= 0).argmax())])
    lines = _lines(sizes, source)
    if lines is not None:
        return _along(sizes, source.shape, lines, np.unravel_index(base, sizes))
    line = source.ravel()
    if source.shape == sizes and np.array_equal(line[line >= 0], np.flatnonzero(line >= 0)):
        return [_("every element stays or becomes a constant")]
    shift = _shift(line, count)
    if shift:
        words = _("all elements move on by {shift} in their order, and the last come to the front")
        return [words.format(shift=shift)]
    columns = np.arange(count).reshape(sizes).ravel(order="F")
    if source.size == count and np.array_equal(source.ravel(order="F"), columns):
        return [_("the order of the elements stays if the first index runs fastest")]
    if (line < 0).any():
        return []
    changes = (find(line, count, _Dimension(0, 1)) for find in (_reversed, _repeated, _padded))
    clause = next(filter(None, changes), "")
    words = _("of all elements in their order: {clause}")
    return [words.format(clause=clause)] if clause else []


def _shift(line: Array, count: int) -> int:
    """How far all elements are rolled in their order; 0 if they are not."""
    shift = int(-line[0]) % count
    return shift if np.array_equal(line, (np.arange(line.size) - shift) % count) else 0


@dataclass(frozen=True)
class _Line:
    """What one dimension of an output copies.

    Attributes:
        axis: of the output.
        dimensions: of the input, those in which a step along the axis goes on.
        places: for each, the indices that are copied; -1 for a constant.
    """

    axis: int
    dimensions: tuple[int, ...]
    places: tuple[Array, ...]


def _lines(sizes: Sizes, source: Array) -> list[_Line] | None:
    """Each dimension by itself; None if an index depends on several, or on a part of one."""
    used = source >= 0
    base = tuple(int(i) for i in np.unravel_index(int(used.argmax()), source.shape))
    at = np.unravel_index(np.maximum(source, 0), sizes) if sizes else ()
    total, inside = np.asarray(source[base]), np.ones((), np.bool_)
    lines: list[_Line] = []
    for axis in range(source.ndim):
        cut = tuple(slice(None) if d == axis else i for d, i in enumerate(base))
        line, shape = source[cut], [-1 if d == axis else 1 for d in range(source.ndim)]
        total = total + np.where(line < 0, 0, line - source[base]).reshape(shape)
        inside = inside & (line >= 0).reshape(shape)
        varies = [d for d, one in enumerate(at) if distinct(one[cut][line >= 0]).size > 1]
        places = tuple(np.where(line < 0, -1, at[d][cut]) for d in varies)
        lines.append(_Line(axis, tuple(varies), places if places else (np.minimum(line, 0),)))
    driven = [d for line in lines for d in line.dimensions]
    if not np.array_equal(np.where(inside, total, -1), np.where(used, source, -1)):
        return None
    if len(driven) != len({*driven}) or not all(map(_is_even, lines)):
        return None
    return lines


def _is_even(line: _Line) -> bool:
    """Whether a dimension goes on in one of the input's, or in several by steps of one."""
    places = [one[one >= 0] for one in line.places]
    return len(line.dimensions) < 2 or all((np.diff(one) == 1).all() for one in places)


def _along(sizes: Sizes, out: Sizes, lines: Sequence[_Line], base: Sequence[Any]) -> Clauses:
    """What is done along each dimension.

    Args:
        sizes, out: of the input and of the output.
        lines: each dimension of the output by itself.
        base: the index in the input of an element that all lines have.
    """
    rank = len(sizes)
    clauses = _order([d for line in lines for d in line.dimensions[:1]], rank)
    for line in lines:
        if len(line.dimensions) > 1:
            one, other = line.dimensions[:2]
            words = _("the diagonal of dimensions {one} and {other} is taken")
            clauses.append(words.format(one=one, other=other))
        elif line.dimensions:
            (d,) = line.dimensions
            places = line.places[0]
            clauses += _changes(places[places >= 0], sizes[d], _Dimension(d, rank))
        elif out[line.axis] > 1 and (line.places[0] >= 0).all():
            words = _("all {count} {dimension} are alike")
            dimension = _Dimension(line.axis, len(out)).every
            clauses.append(words.format(count=out[line.axis], dimension=dimension))
    driven = {d for line in lines for d in line.dimensions}
    for d, n in enumerate(sizes):
        if n > 1 and d not in driven:
            clauses.append(_taken(np.array(base[d : d + 1]), n, _Dimension(d, rank)))
    # constants are in the output, whose dimensions may be others
    filled = [line for line in lines if (line.places[0] < 0).any()]
    return clauses + [_constants(one.places[0], _Dimension(one.axis, len(out))) for one in filled]


def _order(order: Sequence[int], rank: int) -> Clauses:
    """That dimensions are in another order."""
    if list(order) == sorted(order):
        return []
    if rank == 2:
        return [_("rows and columns are exchanged")]
    moved = [d for d, due in zip(order, sorted(order), strict=True) if d != due]
    if len(moved) == 2:
        words = _("dimensions {one} and {other} are exchanged")
        return [words.format(one=min(moved), other=max(moved))]
    words = _("the dimensions are in the order {order}")
    return [words.format(order=", ".join(map(str, order)))]


def _constants(places: Array, of: _Dimension) -> str:
    """Where the constants of a dimension are."""
    inside = np.flatnonzero(places >= 0)
    before, after = int(inside[0]), int(places.size - 1 - inside[-1])
    if inside.size == inside[-1] - inside[0] + 1:
        words = _("{before} before the {dimension} and {after} after them are constants")
        return words.format(dimension=of.every, before=before, after=after)
    words = _("{count} between the {dimension} are constants")
    return words.format(dimension=of.every, count=places.size - inside.size)


def _changes(line: Array, n: int, of: _Dimension) -> Clauses:
    """What is done to a dimension of size n, from the indices that are copied."""
    if np.array_equal(line, np.arange(n)):
        return []
    return [next(filter(None, (find(line, n, of) for find in _FINDERS)))]


def _reversed(line: Array, n: int, of: _Dimension) -> str:
    if not np.array_equal(line, np.arange(n)[::-1]):
        return ""
    return _("{dimension} in reverse").format(dimension=of.every)


def _rolled(line: Array, n: int, of: _Dimension) -> str:
    shift = int(-line[0]) % n
    if line.size != n or not np.array_equal(line, (np.arange(n) - shift) % n):
        return ""
    if shift <= n // 2:
        words = _("{dimension} move on by {shift}, and the last come to the front")
        return words.format(dimension=of.every, shift=shift)
    words = _("{dimension} move back by {shift}, and the first come to the end")
    return words.format(dimension=of.every, shift=n - shift)


def _repeated(line: Array, n: int, of: _Dimension) -> str:
    count, rest = divmod(line.size, n)
    if rest or count < 2:
        return ""
    if np.array_equal(line, np.repeat(np.arange(n), count)):
        words = _("each of the {dimension} is repeated {count} times")
        return words.format(dimension=of.every, count=count)
    if np.array_equal(line, np.tile(np.arange(n), count)):
        words = _("all {dimension} together are repeated {count} times")
        return words.format(dimension=of.every, count=count)
    return ""


def _padded(line: Array, n: int, of: _Dimension) -> str:
    """A dimension with copies before and after it."""
    sentences = {
        "edge": _("{before} before the {dimension} and {after} after them repeat the edge"),
        "reflect": _(
            "{before} before the {dimension} and {after} after them mirror them without the edge"
        ),
        "symmetric": _(
            "{before} before the {dimension} and {after} after them mirror them with the edge"
        ),
        "wrap": _("{before} before the {dimension} and {after} after them come from the other end"),
    }
    if line.size <= n:
        return ""
    starts = np.flatnonzero((line[: line.size - n + 1] == 0) & (line[n - 1 :] == n - 1))
    for before in (int(k) for k in starts[:STARTS]):
        for mode, words in sentences.items():
            if np.array_equal(fold(np.arange(line.size) - before, n, mode), line):
                after = line.size - n - before
                return words.format(dimension=of.every, before=before, after=after)
    return ""


def _taken(line: Array, _n: int, of: _Dimension) -> str:
    indices = [str(k) for k in line.tolist()]
    if len(indices) > LISTED:
        indices = [*indices[: LISTED - 2], "…", indices[-1]]
    words = ngettext("{places} is taken", "{places} are taken", line.size)
    return words.format(places=of.some(", ".join(indices), line.size))


_FINDERS: tuple[Callable[[Array, int, _Dimension], str], ...] = (
    _reversed,
    _rolled,
    _repeated,
    _padded,
    _taken,
)
"""Sentences about a dimension, the first that is true; the last one always is."""
