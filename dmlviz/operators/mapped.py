"""Operators of one map: each output element copies the input element that the map names.

The map is written once, as arithmetic on an output element's index. Called with expressions it is
the formula, called with arrays the NumPy rule and the places that steps begin at, called with
numbers the offset that DirectML calculates.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from itertools import accumulate
from operator import mul
from typing import Any, Protocol

import numpy as np

from dmlviz.movement import VALUES
from dmlviz.movement.expressions import Expr, const, expression, index, look
from dmlviz.movement.formulas import Formula
from dmlviz.operators.base import Operator
from dmlviz.operators.indices import from_front
from dmlviz.tensors.types import Array, Sizes, Tensors

At = tuple[Any, ...]
"""The index of an element, or of many: an expression, an array or a number for each dimension."""


class Lookup(Protocol):
    """Elements of control tensors, for a map."""

    def __call__(self, name: str, at: At) -> Any:
        """The element of the tensor of that name at an index."""

    def from_front(self, name: str, at: At, size: int) -> Any:
        """The same for an index along a dimension of ``size``; negative ones count from the end."""

    def negative(self, name: str) -> bool:
        """Whether the tensor of that name has negative elements."""

    def sizes(self, name: str) -> Sizes:
        """The sizes of the tensor of that name."""


class Controls:
    """Control tensors, by name, and what is the same in any of their forms."""

    def __init__(self, inputs: Tensors) -> None:
        self.inputs = inputs

    def negative(self, name: str) -> bool:
        return bool((self.inputs[name] < 0).any())

    def sizes(self, name: str) -> Sizes:
        return tuple(self.inputs[name].shape)


class ControlValues(Controls):
    """Control tensors as arrays: for the rule, and for one element."""

    def __call__(self, name: str, at: At) -> Any:
        return self.inputs[name][at].astype(np.int64)

    def from_front(self, name: str, at: At, size: int) -> Any:
        return from_front(self.inputs[name][at], size)


class ControlPlaces(Controls):
    """The places of control tensors that a map reads, in order, as flat indices.

    Every element is 0 here, so only the first place means something: no element decides about it.
    """

    def __init__(self, inputs: Tensors) -> None:
        super().__init__(inputs)
        self.places: list[Any] = []

    def __call__(self, name: str, at: At) -> Any:
        strides = accumulate(self.sizes(name)[:0:-1], mul, initial=1)
        self.places.append(sum(i * stride for i, stride in zip(at[::-1], strides, strict=True)))
        return 0

    def from_front(self, name: str, at: At, size: int) -> Any:
        return self(name, at)


class Letters(Controls):
    """Control tensors by name: for the formula."""

    def __call__(self, name: str, at: At) -> Any:
        return look(name, *map(expression, at))

    def from_front(self, name: str, at: At, size: int) -> Any:
        chosen = self(name, at)
        # only what is read here decides how it is written: a tuple's indices are of several sizes
        here = tuple(slice(None) if isinstance(i, Expr) else i for i in at)
        return Expr("mod", (chosen, const(size))) if (self.inputs[name][here] < 0).any() else chosen


def put(at: At, dimension: int, value: Any) -> At:
    """The index with another number in one dimension.

    >>> put((4, 5, 6), 1, 0)
    (4, 0, 6)
    """
    return (*at[:dimension], value, *at[dimension + 1 :])


class Mapped(Operator):
    """An operator with one input of values and one output, whose map is :meth:`source`."""

    @abstractmethod
    def shape(self, sizes: Mapping[str, Sizes]) -> Sizes:
        """The sizes of the output, for valid inputs."""

    @abstractmethod
    def source(self, at: At, control: Lookup, sizes: Sizes) -> At:
        """The index of the element that the output element at ``at`` copies.

        Args:
            at: for each dimension of the output, an expression, an array or a number.
            control: the elements of the control tensors.
            sizes: of the input whose elements move.

        Returns:
            For each dimension of that input the same kind, or a number; outside it, there is no
            source.
        """

    @classmethod
    def values_slot(cls) -> str:
        """The name of the input whose elements move."""
        return next(slot.name for slot in cls.input_slots if slot.role == VALUES)

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {self.output_slots[0].name: self.shape(sizes)}

    def coordinates(self, inputs: Tensors) -> list[Array]:
        """For each dimension of the input, the index of each output element's source; int64.

        They can be outside the input where the inputs are not valid, or where there is no source.
        """
        out = self.shape({name: array.shape for name, array in inputs.items()})
        return [np.broadcast_to(axis, out) for axis in self._mapped(inputs, ControlValues(inputs))]

    def _mapped(self, inputs: Tensors, control: Lookup) -> At:
        """The index of each output element's source, as arrays that can be broadcast."""
        out = self.shape({name: array.shape for name, array in inputs.items()})
        at = tuple(np.indices(out, np.int64, sparse=True))
        return self.source(at, control, inputs[self.values_slot()].shape)

    def places(self, inputs: Tensors) -> Array:
        """For each output element, the flat index of its source, or -1; int64, output's sizes."""
        sizes = inputs[self.values_slot()].shape
        at = self.coordinates(inputs)
        inside = np.logical_and.reduce([(i >= 0) & (i < n) for i, n in zip(at, sizes, strict=True)])
        return np.where(inside, np.ravel_multi_index(tuple(at), sizes, mode="clip"), -1)

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        if not self.controls():
            return {}
        cells = ControlPlaces(inputs)
        self._mapped(inputs, cells)
        out = self.shape({name: array.shape for name, array in inputs.items()})
        first = np.ascontiguousarray(np.broadcast_to(cells.places[0], out))
        return {self.output_slots[0].name: first}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        return {self.output_slots[0].name: self.copied(inputs)}

    def copied(self, inputs: Tensors) -> Array:
        """The output that the map gives: the specification of :meth:`evaluate`."""
        values, places = inputs[self.values_slot()], self.places(inputs)
        copied: Array = values.ravel()[places]
        constant = self.padding(self.values_type(inputs))
        return copied if constant is None else np.where(places < 0, constant, copied)

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        sizes = {name: array.shape for name, array in inputs.items()}
        out, values = self.shape(sizes), sizes[self.values_slot()]
        at = tuple(index(d) for d in range(len(out)))
        tables = {name: a.astype(np.int64) for name, a in inputs.items() if name in self.controls()}
        source = tuple(map(expression, self.source(at, Letters(inputs), values)))
        output = self.output_slots[0].name
        letters = self.letters(sizes)[output]
        formula = Formula(values, out, source, self.missing(), tables=tables, letters=letters)
        return {output: (formula,)}

    def missing(self) -> str:
        """What an element without a source holds, in words; empty if there is none."""
        return ""

    @classmethod
    def controls(cls) -> Sequence[str]:
        """The names of the control inputs."""
        return [slot.name for slot in cls.input_slots if slot.role != VALUES]
