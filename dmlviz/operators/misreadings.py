"""How people misread an operator: wrong answers that somebody really believes in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

MISREADING_LIMIT = 65_536
"""The most elements of an output, true or misread, that misreadings are worked out for."""

Candidate = tuple[str, str, Array]
"""Key, sentence, and the misread output of a tensor of indices."""


@dataclass(frozen=True, eq=False)
class Misreading:
    """One wrong idea of an operator, worked out for an input of given sizes.

    Attributes:
        key: names the idea, such as ``other-order``; unique within one operator.
        words: one sentence that names the confusion, with its numbers.
        output_sizes: the sizes that the output would have.
        source: for each element of that output, flat, the flat index of the input element
            that it would be a copy of, or -1 for a padding value; int64, read-only.
    """

    key: str
    words: str
    output_sizes: tuple[int, ...]
    source: Array


def distinct(truth: Array, candidates: Iterable[Candidate]) -> tuple[Misreading, ...]:
    """The candidates that differ from the truth and from each other, in their order.

    Args:
        truth: the operator's output for a tensor of indices.
        candidates: wrong outputs for the same tensor; what has more than 65,536 elements
            or none is left out.
    """
    seen = {(truth.shape, truth.astype(np.int64).tobytes())}
    found = []
    for key, words, output in candidates:
        if not 0 < output.size <= MISREADING_LIMIT:
            continue
        source = np.array(output, np.int64).ravel()
        mark = (output.shape, source.tobytes())
        if mark in seen:
            continue
        seen.add(mark)
        source.setflags(write=False)
        found.append(Misreading(key, words, output.shape, source))
    return tuple(found)
