"""Where a function moves elements, from what it makes of probes: no code is read.

A probe numbers the elements of all inputs by values that every type has exactly. The values are
signed, in several orders, one of which is another one backward, so that what compares or computes
gives other sources for another probe. Where a type has too few values, several runs are one probe:
each says a digit of the numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.display import Displayed
from dmlviz.base.errors import Error
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _
from dmlviz.code.address import DATA_TYPE
from dmlviz.code.between import Between, lines_of
from dmlviz.code.matching import as_compared
from dmlviz.code.running import as_sizes
from dmlviz.code.same import Same
from dmlviz.tensors import DATA_TYPES, check_element_count, print_sizes, short_text
from dmlviz.tensors.sizes import READ_LIMIT
from dmlviz.tensors.types import Array, Sizes

LARGEST = 1 << 24
"""The largest whole number of a probe: FLOAT32 has all up to it."""

WIDE = 1 << 16
"""The largest number of probes whose values are far apart, for functions that limit them."""

FEW, MANY = 3, 12
"""How many more orders are tried, and how many of small tensors, where two can agree by chance."""

SMALL = 1_024
"""The elements of small tensors."""


@dataclass(frozen=True, eq=False, repr=False)
class Observed(Displayed):
    """Where a function moves the elements of its inputs.

    Attributes:
        inputs: their sizes by name, in the order of the elements' numbers.
        outputs: what lies between the inputs and each output, by name: ``out``, or ``out1``,
            ``out2`` and so on, or the keys of a dict.
    """

    inputs: Mapping[str, Sizes]
    outputs: Mapping[str, Between]

    @property
    def sources(self) -> dict[str, Array]:
        """For each element its number in all inputs, -1 for a constant; INT64, by output."""
        return {name: both.source for name, both in self.outputs.items()}

    @property
    def source(self) -> Array:
        """The sources, if there is one output."""
        (both,) = self.outputs.values()
        return both.source

    @property
    def same_as(self) -> tuple[Same, ...]:
        """Lines and operators that do the same as the only output; none for several."""
        return next(iter(self.outputs.values())).same_as if len(self.outputs) == 1 else ()

    @cached_property
    def formula(self) -> str:
        """Where each element comes from, as arithmetic: lines for each output with a line."""
        return "\n".join(
            line.replace("out[", f"{name}[", 1)
            for name, both in self.outputs.items()
            for line in both.formula.splitlines()
        )

    def displayed_runs(self) -> Sequence[Any]:
        """See :class:`dmlviz.base.display.Displayed`."""
        both = next(iter(self.outputs.values()))
        return both.displayed_runs() if len(self.outputs) == 1 else ()

    def displayed_text(self) -> str:
        """The lines and the formula."""
        lines = [str(one) for both in self.outputs.values() for one in both.same_as]
        return "\n".join(filter(None, [*lines, self.formula]))

    def displayed_summary(self) -> str:
        """The sizes of the outputs, and a line if there is one."""
        made = [f"{name} {print_sizes(both.after.shape)}" for name, both in self.outputs.items()]
        line = [excerpt(str(self.same_as[0]))] if self.same_as else []
        return "; ".join([", ".join(made), *line])


def observed(function: Callable[..., Any], /, **tensors: Any) -> Observed:
    """Where a function that can only be called moves elements.

    It is called on several probes, on copies of them, one of them twice.

    Args:
        function: takes arrays by position, and gives an array, or several in a tuple, list or
            dict.
        tensors: for each input in order, a tuple for the sizes of a FLOAT32 tensor, or an array
            for its sizes and its type. All together have at most 4,194,304 elements.

    Raises:
        Error: the function computes new values, answers otherwise when it is called again, or
            returns no array; or a tensor is invalid.

    >>> moved = observed(lambda x: np.rot90(x), x=(2, 3))
    >>> moved.source.tolist(), "x[:, ::-1].T" in map(str, moved.same_as)
    ([[2, 5], [1, 4], [0, 3]], True)
    """
    shapes = {name: _shape(name, x) for name, x in tensors.items()}
    if not shapes:
        raise Error(_("tensors: give the sizes of each input, such as x=(2, 3)."), "tensors")
    count = sum(math.prod(sizes) for sizes, _dtype in shapes.values())
    check_element_count((count,), READ_LIMIT, "tensors")
    first: dict[str, Array] = {}
    sources: dict[str, Array] = {}
    taken: dict[str, Array] = {}
    for number, probe in enumerate(_probes(count, [dtype for _sizes, dtype in shapes.values()])):
        answers = [_answer(function, shapes, values) for values in probe.values]
        if not number:
            taken = _inputs(shapes, probe.values[0])
            again = _answer(function, shapes, probe.values[0])
            if not _are_equal(again, answers[0]):
                raise Error(_("The function answers otherwise when it is called again."))
            first, sources = answers[0], dict(probe.sources(answers))
            constant = {name: np.full(x.shape, True) for name, x in first.items()}
            continue
        if [(n, x.shape) for n, x in answers[0].items()] != [
            (n, x.shape) for n, x in first.items()
        ]:
            raise _computes()
        for name, source in probe.sources(answers):
            constant[name] &= _alike(answers, first, name)
            sources[name] = np.where(sources[name] == source, source, -1)
    if any(((sources[name] < 0) & ~constant[name]).any() for name in first):
        raise _computes()
    outputs = {name: _between(taken, sources[name], constant[name], first[name]) for name in first}
    return Observed(
        MappingProxyType({name: sizes for name, (sizes, _dtype) in shapes.items()}),
        MappingProxyType(outputs),
    )


def _computes() -> Error:
    return Error(_("The function computes new values."))


def _shape(name: str, x: Any) -> tuple[Sizes, np.dtype[Any]]:
    """Sizes and type of an input."""
    if isinstance(x, tuple):
        sizes = as_sizes(name, x)
        if any(n < 1 for n in sizes):
            raise Error(
                _("{name}: {value} are not sizes; each must be 1 or more.").format(
                    name=name, value=short_text(x)
                ),
                name,
            )
        return sizes, DATA_TYPES[DATA_TYPE].dtype
    array = as_compared(name, x)
    return array.shape, array.dtype


@dataclass(frozen=True)
class _Probe:
    """Numbers for the elements of all inputs, as values.

    Attributes:
        values: for each run the value of each element; INT64.
        places: for each number that runs say together, the element that has it.
        digit_of: for each value, the digit that it says, by the value and ``least``; -1 for none.
        least: the least value.
        base: how many digits there are.
    """

    values: tuple[Array, ...]
    places: Array
    digit_of: Array
    least: int
    base: int

    def sources(self, answers: Sequence[Mapping[str, Array]]) -> Iterator[tuple[str, Array]]:
        """For each output, the element that the values of each of its elements say; -1 for none."""
        for name, first in answers[0].items():
            number, inside = np.zeros(first.shape, np.int64), np.full(first.shape, True)
            for answer in reversed(answers):
                place, whole = _as_whole(answer[name], self.least, self.digit_of.size)
                digit = self.digit_of[place]
                inside &= whole & (digit >= 0)
                number = number * self.base + digit
            inside &= number < self.places.size
            yield name, np.where(inside, self.places[np.where(inside, number, 0)], -1)


def _as_whole(x: Array, least: int, count: int) -> tuple[Array, Array]:
    """Values as places from the least one on, and whether they are such whole numbers."""
    with np.errstate(all="ignore"):
        real = np.real(x)
        wide = real.astype(np.int64) if x.dtype.kind in "iub" else real.astype(np.float64)
        inside = (wide >= least) & (wide < least + count) & (x == real)
        place = np.where(inside, wide, least).astype(np.int64)
        return place - least, inside & (place == np.where(inside, wide, least))


def _probes(count: int, dtypes: Sequence[np.dtype[Any]]) -> Iterator[_Probe]:
    """Probes: an order, the same one backward, and others."""
    most = min(LARGEST, *(_largest(dtype) for dtype in dtypes))
    signed = all(dtype.kind in "ifc" for dtype in dtypes)
    base = min(max(2, count), most + (not signed and most == 1))
    rng = np.random.default_rng(count)
    rounds = 1
    while base**rounds < count:
        rounds += 1
    order = rng.permutation(count)
    start = 0 if most == 1 else 1
    sizes = np.arange(start, start + base)
    signs = rng.choice((-1, 1), base) if signed else np.ones(base, np.int64)
    values = rng.permutation(sizes) * signs
    backward = -values if signed else sizes[0] + sizes[-1] - values
    yield _probe(order, values, rounds)
    yield _probe(order, backward, rounds)
    apart = max(1, min(most, WIDE) // (base + 1))
    for turn in range(MANY if count <= SMALL else FEW):
        signs = rng.choice((-1, 1), base) if signed else signs
        values = rng.permutation(sizes) * signs * (1 if turn % 2 else apart)
        yield _probe(rng.permutation(count), values, rounds)


def _largest(dtype: np.dtype[Any]) -> int:
    """The last whole number up to which a type has all from 1."""
    if dtype.kind == "b":
        return 1
    if dtype.kind in "iu":
        return int(np.iinfo(dtype).max)
    return int(2 ** (np.finfo(dtype).nmant + 1))


def _probe(order: Array, values: Array, rounds: int) -> _Probe:
    """The probe in which the element n has the number ``order[n]``, whose digits are values."""
    base, least = values.size, int(values.min())
    digit_of = np.full(int(values.max()) - least + 1, -1)
    digit_of[values - least] = np.arange(base)
    runs = tuple(values[order // base**k % base] for k in range(rounds))
    places = np.empty_like(order)
    places[order] = np.arange(order.size)
    return _Probe(runs, places, digit_of, least, base)


def _inputs(shapes: Mapping[str, tuple[Sizes, np.dtype[Any]]], values: Array) -> dict[str, Array]:
    inputs, start = {}, 0
    for name, (sizes, dtype) in shapes.items():
        end = start + math.prod(sizes)
        inputs[name] = values[start:end].reshape(sizes).astype(dtype)
        start = end
    return inputs


def _answer(
    function: Callable[..., Any],
    shapes: Mapping[str, tuple[Sizes, np.dtype[Any]]],
    values: Array,
) -> dict[str, Array]:
    """The outputs of one call by name, as arrays of their own.

    Raises:
        Error: one is no array.
    """
    answer = function(*_inputs(shapes, values).values())
    if isinstance(answer, Mapping):
        named = {str(name): x for name, x in answer.items()}
    elif isinstance(answer, list | tuple):
        named = {f"out{k}": x for k, x in enumerate(answer, 1)}
        named = {"out": answer[0]} if len(answer) == 1 else named
    else:
        named = {"out": answer}
    try:
        outputs = {name: as_compared(name, x, empty=True).copy() for name, x in named.items()}
        return outputs or _nothing()
    except Error:
        return _nothing()


def _nothing() -> dict[str, Array]:
    raise Error(_("The function returns no array.")) from None


def _are_equal(one: Mapping[str, Array], two: Mapping[str, Array]) -> bool:
    return list(one) == list(two) and all(
        x.shape == two[name].shape and x.dtype == two[name].dtype and _same(x, two[name]).all()
        for name, x in one.items()
    )


def _same(one: Array, two: Array) -> Array:
    """Whether elements are equal, NaN included."""
    same: Array = (one == two) | ((one != one) & (two != two))
    return same


def _alike(answers: Sequence[Mapping[str, Array]], first: Mapping[str, Array], name: str) -> Array:
    """Whether each element is the same in all runs."""
    alike = np.full(first[name].shape, True)
    for answer in answers:
        alike &= _same(answer[name], first[name])
    return alike


def _between(taken: Mapping[str, Array], source: Array, constant: Array, output: Array) -> Between:
    """One output as what lies between two arrays, its constants missing."""
    is_constant = source < 0
    values: list[Any] = []
    numbered = source.copy()
    finite = bool(np.isfinite(output[is_constant]).all())
    if is_constant.any() and finite:
        unique, numbers = np.unique(output[is_constant], return_inverse=True)
        numbered[is_constant] = -1 - numbers.reshape(-1)
        values = [int(v) if v == int(v) else v for v in np.real(unique).tolist()]
    named = tuple(lines_of(taken, numbered, values)) if finite and (source >= 0).any() else ()
    return Between(source, int(is_constant.sum()), 0, taken, output, named)
