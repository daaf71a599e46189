"""Misreadings of a run: wrong sizes and wrong sources, for every kind of question."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dmlviz.engines.trace import Trace
from dmlviz.operators.misreadings import Misreading
from dmlviz.tensors import print_sizes
from dmlviz.tensors.numbering import sizes_by_name
from dmlviz.tensors.types import Array, NamedSizes
from dmlviz.words import _


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
    """
    for sizes, misreading in misread_sizes(trace):
        yield sizes, misreading.words
    outputs = sizes_by_name(trace.outputs)
    name, right = next(iter(outputs.items()))
    firsts = list(trace.inputs.values())[:1]
    for x in firsts:
        yield (
            {**outputs, name: x.shape},
            _("{sizes} are the input's own sizes: {n} elements.").format(
                sizes=print_sizes(x.shape), n=f"{x.size:,}"
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
                _("Dimension {d} has size {right}, not {n}.").format(
                    d=d, right=right[d], n=right[d] + one
                ),
            )
