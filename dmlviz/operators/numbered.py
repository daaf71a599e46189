"""The elements that travel as numbers of their own: what tells where everything came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from dmlviz.operators.slots import INDEX, VALUES

if TYPE_CHECKING:
    from dmlviz.operators.base import Operator

Array = np.ndarray[Any, Any]
Inputs = Mapping[str, Array]
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Numbered:
    """Inputs whose elements are numbers, and what the numbers are of.

    Attributes:
        inputs: by name; ``control`` inputs are as they were.
        first: the smallest number; what is less is of no element.
        order: for each number, from the first on, the flat index of its element; None where they
            are numbered in their own order.
    """

    inputs: dict[str, Array]
    first: int
    order: Array | None

    def source(self, numbers: Array) -> Array:
        """The flat indices of the elements that have these numbers; below 0 where none has; int64.

        What lies beyond all numbers lies beyond all elements.
        """
        with np.errstate(invalid="ignore"):
            found: Array = numbers.astype(np.int64) - self.first
        if self.order is None:
            return found
        known = (found >= 0) & (found < self.order.size)
        return np.where(known, self.order[np.where(known, found, 0)], found)


def numbered(operator: Operator, inputs: Inputs, dtype: Any = np.int64) -> Numbered:
    """The inputs of a run on indices.

    Args:
        operator: what runs.
        inputs: what it takes, by name; nothing refuses them.
        dtype: of the numbers; it holds all of them.
    """
    order, first = operator.ranking(inputs), operator.first_index
    role = operator.role
    count = sum(array.size for name, array in inputs.items() if role(name) == VALUES)
    line = np.arange(first, first + count, dtype=dtype)
    if order is not None:
        line[order] = line.copy()
    found, start = {}, 0
    for name, array in inputs.items():
        if role(name) == VALUES:
            found[name] = line[start : start + array.size].reshape(array.shape)
            start += array.size
        else:
            found[name] = array
    return Numbered(found, first, order)


def with_indices(operator: Operator, copies: Mapping[str, T]) -> dict[str, T]:
    """The same of every output: one of indices has what the elements have that they are of.

    Args:
        operator: what ran.
        copies: of the outputs that hold copies, by name.
    """
    found: dict[str, T] = {}
    for slot in operator.output_slots:
        if slot.role == INDEX:
            found[slot.name] = copies[slot.of]
        else:
            found |= {name: of for name, of in copies.items() if name.split("[")[0] == slot.name}
    return found
