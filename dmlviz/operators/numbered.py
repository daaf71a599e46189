"""Inputs whose elements are their own numbers: they show where every element comes from."""

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
    """Inputs whose elements are numbers, and the elements that the numbers refer to.

    Attributes:
        inputs: by name; ``control`` inputs are unchanged.
        first: the smallest number; smaller values do not refer to an element.
        order: for each number, from the first on, the flat index of its element; None if they
            are numbered in memory order.
    """

    inputs: dict[str, Array]
    first: int
    order: Array | None

    def source(self, numbers: Array) -> Array:
        """The flat indices of the elements with these numbers; below 0 if there is none; int64.

        Numbers beyond the last one give indices beyond all elements.
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
        operator: the operator to run.
        inputs: its inputs by name; they are valid.
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
    """The same for every output; an output of indices gets those of the elements that it indexes.

    Args:
        operator: the operator that ran.
        copies: those of the outputs that hold copies, by name.
    """
    found: dict[str, T] = {}
    for slot in operator.output_slots:
        if slot.role == INDEX:
            found[slot.name] = copies[slot.of]
        else:
            found |= {name: of for name, of in copies.items() if name.split("[")[0] == slot.name}
    return found
