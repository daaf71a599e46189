"""Misreadings of a run: wrong sizes and wrong sources, for every kind of question."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np

from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.operators.calculations import Calculation
from dmlviz.operators.misreadings import Misreading
from dmlviz.tensors import print_sizes
from dmlviz.tensors.numbering import sizes_by_name
from dmlviz.tensors.types import Array, NamedSizes, Sizes

_MOST_ORDERED = 5
"""The most dimensions whose order is looked for."""


def misread_sizes(trace: Trace) -> Iterator[tuple[NamedSizes, Misreading]]:
    """The sizes that each misreading gives to the outputs, in the misreadings' order."""
    right = sizes_by_name(trace.outputs)
    for misreading in trace.operator.misreadings(trace.inputs):
        sizes: Any = misreading.output_sizes
        named = sizes if isinstance(sizes, Mapping) else {next(iter(right)): sizes}
        yield {name: tuple(each) for name, each in named.items()}, misreading


def misread_sources(trace: Trace) -> list[Misreading]:
    """The misreadings that cover every cell: those whose outputs have the right sizes."""
    right = sizes_by_name(trace.outputs)
    return [misreading for sizes, misreading in misread_sizes(trace) if sizes == right]


def sources_of(trace: Trace) -> Array:
    """The sources of all outputs' elements, one output after the other."""
    return np.concatenate([source.ravel() for source in trace.sources.values()])


def indices_of(trace: Trace) -> Array:
    """Whether each output element, in the same order, is an index rather than a copy."""
    indices = trace.operator.index_slots()
    parts = (np.full(source.size, name in indices) for name, source in trace.sources.items())
    return np.concatenate(list(parts))


def wrong_sizes(trace: Trace) -> Iterator[tuple[NamedSizes, str]]:
    """Plausible wrong sizes of the outputs, and why they are wrong; likeliest first.

    With several outputs, sizes that do not come from a misreading are wrong in the first output.
    No reason says the right sizes: who reads it may still choose.
    """
    for sizes, misreading in misread_sizes(trace):
        yield sizes, misreading.words
    order = _order(trace)
    if order is None:
        yield from _likely_wrong(trace)
        return
    ((name, right),) = sizes_by_name(trace.outputs).items()
    # the order of who reads where each dimension goes, not where it comes from
    inverse = tuple(right[d] for d in order)
    others = (each[name] for each, _why in _likely_wrong(trace))
    for wrong in (inverse, *others):
        yield {name: wrong}, _why_not_in_order(trace.x.shape, order, wrong)


def _order(trace: Trace) -> Sizes | None:
    """For each dimension of the output, the input's; None unless only their order changes."""
    if len(trace.inputs) != 1 or len(trace.outputs) != 1 or trace.x.ndim > _MOST_ORDERED:
        return None
    numbers = np.arange(trace.x.size).reshape(trace.x.shape)
    if np.array_equal(numbers.ravel(), trace.source.ravel()):
        return None
    orders = permutations(range(trace.x.ndim))
    return next((o for o in orders if np.array_equal(numbers.transpose(o), trace.source)), None)


def _why_not_in_order(before: Sizes, order: Sizes, sizes: Sizes) -> str:
    """Which order of the input's dimensions would give wrong sizes, beside the right order."""
    orders = permutations(range(len(before)))
    other = next((o for o in orders if tuple(before[d] for d in o) == sizes), None)
    if other is None:
        return _(
            "{sizes} are not the input's sizes {before} in another order; the order of its "
            "dimensions is {order}."
        ).format(sizes=print_sizes(sizes), before=print_sizes(before), order=order)
    return _(
        "{sizes} would come from the order {other} of the input's dimensions; the order is {order}."
    ).format(sizes=print_sizes(sizes), other=other, order=order)


def _likely_wrong(trace: Trace) -> Iterator[tuple[NamedSizes, str]]:
    """The wrong sizes that come from no misreading of the operator's own."""
    outputs = sizes_by_name(trace.outputs)
    name, right = next(iter(outputs.items()))
    sums = trace.operator.sums(sizes_by_name(trace.inputs))[name]
    if added := _added(sums, right):
        yield {**outputs, name: added[0]}, added[1]
    firsts = list(trace.inputs.values())[:1]
    for x in firsts:
        yield (
            {**outputs, name: x.shape},
            _("{sizes} are the input's own sizes; those of the output differ.").format(
                sizes=print_sizes(x.shape)
            ),
        )
    if len(right) > 1:
        yield (
            {**outputs, name: (*right[:-2], right[-1], right[-2])},
            _("That is {rows} rows of {columns}: the last number is the number of columns.").format(
                rows=right[-1], columns=right[-2]
            ),
        )
    # off by one in the dimension that the operator changes most, otherwise in any
    before = next((x.shape for x in firsts if x.ndim == len(right)), right)
    changed = sorted(range(len(right)), key=lambda d: (-abs(math.log(right[d] / before[d])), -d))
    for d in changed:
        for one in (-1, 1):
            yield (
                {**outputs, name: tuple(n + one * (e == d) for e, n in enumerate(right))},
                _one_off(d, one, sums[d], "" if sums[d].sign else trace.operator.size_words()),
            )


def _added(sums: Sequence[Calculation], right: Sizes) -> tuple[Sizes, str] | None:
    """The sizes of who adds where a size is multiplied, or subtracts where it is divided."""
    sizes, words = list(right), ""
    for d, scaling in enumerate(each.scaling for each in sums):
        if scaling is None or scaling[2] == 1:
            continue
        a, sign, b = scaling
        sizes[d] = a + b if sign == "·" else a - b
        if sizes[d] == right[d]:
            continue
        words = _("That adds {b} to {a} in dimension {d}: the size is multiplied by {b}.")
        if sign == "/":
            words = _("That takes {b} from {a} in dimension {d}: the size is divided by {b}.")
        words = words.format(a=a, b=b, d=d)
    return (tuple(sizes), words) if words else None


def _one_off(d: int, by: int, rule: Calculation, origin: str) -> str:
    """Why a size is wrong by one; with the sum whose result is the right one, if there is one.

    Args:
        d: the dimension.
        by: 1 or -1.
        rule: its calculation.
        origin: where the sizes come from, if no calculation says it.
    """
    if rule.sign and by > 0:
        return _("That is one too many in dimension {d}: its size is {rule}.").format(
            d=d, rule=rule
        )
    if rule.sign:
        return _("That is one too few in dimension {d}: its size is {rule}.").format(d=d, rule=rule)
    words = _("That is one too many in dimension {d}.") if by > 0 else ""
    words = words or _("That is one too few in dimension {d}.")
    return " ".join(filter(None, (words.format(d=d), origin)))
