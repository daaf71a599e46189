"""Misreadings of an operator: plausible wrong results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.tensors.types import Array

MISREADING_LIMIT = 65_536
"""The limit of elements of an output, correct or misread, for calculating misreadings."""

Candidate = tuple[str, str, Array | Mapping[str, Array]]
"""Key, sentence, and the misread output of tensors of indices; by name if there can be several.
"""


@dataclass(frozen=True, eq=False)
class Misreading:
    """One misconception of an operator, calculated for an input of given sizes.

    Attributes:
        key: names the misconception, such as ``other-order``; unique within one operator.
        words: one sentence that names the confusion, with its numbers.
        output_sizes: the sizes that the output would have; by name if the operator can have
            several outputs.
        source: for each element of that output, flat, the flat index of the input element
            that it would copy, or -1 for a padding value; int64, read-only. The elements
            of several outputs, or inputs, are counted one tensor after the other.
    """

    key: str
    words: str
    output_sizes: Any
    source: Array


def distinct(
    truth: Array | Mapping[str, Array], candidates: Iterable[Candidate]
) -> tuple[Misreading, ...]:
    """The candidates that differ from the correct output and from each other, in their order.

    Args:
        truth: the operator's output for tensors of indices, or its outputs by name.
        candidates: wrong outputs for the same tensors; those with more than 65,536 elements
            or none are ignored.
    """
    seen = {_mark(truth)[1:]}
    misreadings = []
    for key, words, output in candidates:
        sizes, shapes, elements = _mark(output)
        if not 0 < len(elements) // 8 <= MISREADING_LIMIT or (shapes, elements) in seen:
            continue
        seen.add((shapes, elements))
        # bytes are immutable
        misreadings.append(Misreading(key, words, sizes, np.frombuffer(elements, np.int64)))
    return tuple(misreadings)


def _mark(output: Array | Mapping[str, Array]) -> tuple[Any, tuple[Any, ...], bytes]:
    """Sizes to report, sizes to compare, and all elements one after the other."""
    if not isinstance(output, Mapping):
        return output.shape, output.shape, np.ascontiguousarray(output, np.int64).tobytes()
    sizes = {name: array.shape for name, array in output.items()}
    flat = [np.ascontiguousarray(array, np.int64).tobytes() for array in output.values()]
    return sizes, tuple(sizes.items()), b"".join(flat)
