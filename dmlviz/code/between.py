"""What lies between two arrays: the source of each element by its value, and lines that do it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.display import Displayed
from dmlviz.base.errors import Error
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _
from dmlviz.code.builder import RANK_LIMIT
from dmlviz.code.chain import read
from dmlviz.code.forms import LINE_LIBRARIES, made, plain, written
from dmlviz.code.maps import WORK_LIMIT, Map, pattern, search
from dmlviz.code.matching import (
    as_compared,
    chance_is_small,
    compared_bits,
    completed,
    matched,
    orders_that_agree,
    sources_in_runs,
)
from dmlviz.code.recognizing import part_calls, recognized
from dmlviz.code.running import ChainTrace, run_code
from dmlviz.code.same import Same, is_made_by, line_address, same_movement
from dmlviz.code.sections import joined, reduced
from dmlviz.tensors import DATA_TYPES, print_sizes
from dmlviz.tensors.types import Array, Sizes

MODEL_LIMIT = 1_024
"""The limit of elements of a picture; a larger movement is drawn as a small one of its kind."""

SEARCHES = 24
"""How many times the search looks at every element."""


@dataclass(frozen=True, eq=False, repr=False)
class Between(Displayed):
    """What lies between two arrays, or between several and one.

    Attributes:
        source: for each element of ``after`` its number in ``before``, counted through all of its
            arrays; -1 for one that is not there. Of a value that is at several places, the place
            that the lines take, or the first one if there are none. INT64, of after's sizes.
        missing: how many elements of ``after`` are not in ``before``.
        ambiguous: how many have a value that is at several places in ``before``.
        before: its arrays by name: ``x``, or ``x1``, ``x2`` and so on.
        after: the other array.
        same_as: lines of NumPy, einops and PyTorch, and operators, each of which gives ``after``.
            Empty if an element is missing, if nothing short does it, or if the values do not
            determine what does.
    """

    source: Array
    missing: int
    ambiguous: int
    before: Mapping[str, Array]
    after: Array
    same_as: tuple[Same, ...] = ()

    @property
    def _line(self) -> Same | None:
        """The first line of a library."""
        return next((one for one in self.same_as if one.library), None)

    @property
    def movement(self) -> Map:
        """The movement of one tensor."""
        (x,) = self.before.values()
        return Map(x.shape, self.source)

    @cached_property
    def formula(self) -> str:
        """Where each element comes from, as arithmetic; empty if no line is named.

        Of a movement that is too large to be read, that of the small model.
        """
        line = self._line
        if line is None:
            return ""
        sizes = {name: x.shape for name, x in self.before.items()}
        with suppress(Error):
            return read(line.text, sizes, library=line.library).formula
        return "" if self.model is None else self.model.formula

    def inverse(self) -> Between:
        """What lies between ``after`` and ``before``.

        Raises:
            Error: there are several arrays before.
        """
        if len(self.before) > 1:
            raise Error(_("before: it has several arrays; only one has an inverse."), "before")
        (x,) = self.before.values()
        return between(self.after, x)

    @cached_property
    def model(self) -> ChainTrace | None:
        """A run of the first line, on sizes that can be drawn; None if there is none."""
        line = self._line
        if line is None:
            return None
        tensors: dict[str, Any] = {
            name: x if x.dtype in _DRAWN else x.shape for name, x in self.before.items()
        }
        if max(self.source.size, *(x.size for x in self.before.values())) <= MODEL_LIMIT:
            with suppress(Error):
                return run_code(line.text, tensors, line.library)
        small = reduced(self.movement, MODEL_LIMIT) if len(self.before) == 1 else None
        if small is None:
            return None
        (name,) = self.before
        for one in same_movement(small, name):
            if one.library:
                return run_code(one.text, {name: small.sizes}, one.library)
        return None

    def displayed_runs(self) -> Sequence[ChainTrace]:
        """See :class:`dmlviz.base.display.Displayed`."""
        return () if self.model is None else (self.model,)

    def displayed_text(self) -> str:
        """The sizes, the lines, and what is missing and ambiguous."""
        counts = _("{missing} elements missing, {ambiguous} ambiguous").format(
            missing=f"{self.missing:,}", ambiguous=f"{self.ambiguous:,}"
        )
        return "\n".join([self._sizes(), counts, *map(str, self.same_as)])

    def displayed_summary(self) -> str:
        """The sizes, a line if there is one, and what is missing and ambiguous."""
        line = [excerpt(str(self.same_as[0]))] if self.same_as else []
        counts = f"missing={self.missing}, ambiguous={self.ambiguous}"
        return "; ".join([self._sizes(), *line, counts])

    def _sizes(self) -> str:
        before = ", ".join(f"{name} {print_sizes(x.shape)}" for name, x in self.before.items())
        return f"{before}  ->  {print_sizes(self.after.shape)}"


_DRAWN = {of.dtype for of in DATA_TYPES.values()}


def between(before: Any, after: Any) -> Between:
    """What lies between two arrays: where each element comes from, by its value.

    Values are compared by their bits, so 0.0 is not -0.0, and one NaN equals itself. Where values
    repeat, a movement is proposed from those that do not, and compared for every element.

    Args:
        before: an array of any sizes, of a numeric type or BOOL; or a tuple or list of several.
        after: an array of the same type.

    Raises:
        Error: one of them is no array, has no elements, or elements that are not numbers; or they
            have different types.

    >>> x = np.arange(6).reshape(2, 3)
    >>> both = between(x, x.T)
    >>> str(both.same_as[-1]), both.missing, both.ambiguous
    ('x.T', 0, 0)
    >>> both.source.tolist()
    [[0, 3], [1, 4], [2, 5]]
    """
    several = isinstance(before, list | tuple) and any(hasattr(x, "__array__") for x in before)
    named = {f"x{k}": x for k, x in enumerate(before, 1)} if several else {"x": before}
    arrays = {name: as_compared("before", x) for name, x in named.items()}
    return between_arrays(arrays, as_compared("after", after))


def between_arrays(before: Mapping[str, Array], after: Array) -> Between:
    """What lies between several arrays, by the names that lines give them, and one.

    Args:
        before: arrays of one type that have elements.
        after: such an array.

    Raises:
        Error: they have different types.
    """
    for x in before.values():
        if x.dtype.newbyteorder("=") != after.dtype.newbyteorder("="):
            raise Error(
                _("after: it has the type {after}, and before has {before}.").format(
                    after=after.dtype.name, before=x.dtype.name
                ),
                "after",
            )
    line = np.concatenate([x.reshape(-1) for x in before.values()])
    words, after_words = compared_bits(line, after)
    source, several = matched(words, after_words)
    missing, ambiguous = int((source < 0).sum()), int(several.sum())
    source = source.reshape(after.shape)
    named: tuple[Same, ...] = ()
    if not missing:
        candidates = _candidates(source, several, before, words, after_words)
        for candidate in candidates:
            named = tuple(lines_of(before, candidate))
            if named:
                source = candidate
                break
    source.setflags(write=False)
    return Between(source, missing, ambiguous, MappingProxyType(dict(before)), after, named)


def _candidates(
    source: Array, several: Array, before: Mapping[str, Array], words: Array, after: Array
) -> Iterator[Array]:
    """The sources that the values determine; none if orders of dimensions say two things."""
    if not several.any():
        yield source
        return
    agreeing: list[Array] = []
    if len(before) == 1:
        (x,) = before.values()
        agreeing = orders_that_agree(x.shape, source.shape, words, after)
        if len(agreeing) > 1:
            return
    start = np.where(several.reshape(source.shape), -1, source)
    if words.itemsize <= 2:
        runs = sources_in_runs(words, after).reshape(source.shape)
        start = np.where(start < 0, runs, start)
    for every in completed(start, words, after) if (start >= 0).any() else ():
        if all(np.array_equal(every, one) for one in agreeing):
            yield every
    if agreeing and chance_is_small(after):
        yield agreeing[0]


def lines_of(
    before: Mapping[str, Array], source: Array, values: Sequence[Any] = ()
) -> Iterator[Same]:
    """What a movement is the same as: lines and operators, each compared for every element.

    Args:
        before: the tensors by name.
        source: for each element of the output its number in all of them; ``-1 - k`` is value k.
        values: constants.
    """
    sizes, names = [x.shape for x in before.values()], list(before)
    ranks = [source.ndim, *(len(of) for of in sizes)]
    if len(before) > 1:
        if not values:
            yield from _named_joins(names, sizes, source)
        return
    if not 1 <= min(ranks) <= max(ranks) <= RANK_LIMIT:
        yield from _named_numbers(names[0], sizes[0], source)
        return
    work = search(most=WORK_LIMIT + SEARCHES * source.size)
    movement = Map(sizes[0], source, tuple(values), work=work)
    for one in same_movement(movement, names[0], alone=True):
        yield one
        if one.kind == "pattern":
            yield from _plain_lines(movement, names[0])


def _plain_lines(movement: Map, name: str) -> Iterator[Same]:
    """The pattern of a movement by reshapes and an order of dimensions, in each library."""
    calls = pattern(replace(movement, work=search(most=WORK_LIMIT + 2 * movement.source.size)))
    if calls is None:
        return
    plainly = plain(calls, movement.sizes)
    for library in LINE_LIBRARIES if is_made_by(plainly, movement) else ():
        line = written(plainly, movement.sizes, library, name)
        if line is not None and "repeat(" not in line.text:
            address = line_address(line.text, {name: movement.sizes}, library)
            yield Same("line", line.text, address, library, line.calls)


def _named_joins(names: Sequence[str], sizes: Sequence[Sizes], source: Array) -> Iterator[Same]:
    """Lines that join several arrays."""
    if not 1 <= min(map(len, sizes)) <= max(map(len, sizes)) <= RANK_LIMIT or not source.ndim:
        return
    start = Map(sizes[0], source, work=search(most=WORK_LIMIT + SEARCHES * source.size))

    def calls_of(part: Map) -> Any:
        return part_calls(part) or next(recognized(part), None)

    calls = joined(sizes, source, calls_of, start)
    if calls is None:
        return
    ends = np.cumsum([math.prod(of) for of in sizes])
    numbers = [
        np.arange(end - math.prod(of), end).reshape(of) for end, of in zip(ends, sizes, strict=True)
    ]
    if not np.array_equal(made(calls, numbers), source):
        return
    for library in LINE_LIBRARIES:
        line = written(calls, sizes[0], library, tensors=names)
        if line is not None:
            address = line_address(line.text, dict(zip(names, sizes, strict=True)), library)
            yield Same("line", line.text, address, library, line.calls)


def _named_numbers(name: str, sizes: Sizes, source: Array) -> Iterator[Same]:
    """Lines where one of the two arrays is a number, or has more dimensions than code can have."""
    text = ""
    if sizes == source.shape and np.array_equal(source.ravel(), np.arange(source.size)):
        text = name
    elif not source.ndim and sizes:
        at = ", ".join(str(int(i)) for i in np.unravel_index(int(source), sizes))
        text = f"{name}[{at}]"
    elif not sizes and source.size == 1:
        text = f"{name}.reshape({', '.join(map(str, source.shape))})"
    if text:
        stays = text == name
        yield Same("nothing" if stays else "line", text, "", "numpy", int(not stays))
