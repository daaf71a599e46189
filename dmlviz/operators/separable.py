"""Operators that treat each dimension by itself: TILE, SLICE, PADDING, RESAMPLE."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.movement.graphs import Graph, Node, gathers
from dmlviz.operators.calculations import Calculation
from dmlviz.operators.checks import count_problem
from dmlviz.operators.mapped import At, Lookup, Mapped
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors.numbering import take
from dmlviz.tensors.types import Array, Sizes, Tensors


class Separable(Mapped):
    """An operator whose map has a rule for each dimension, which is :meth:`along`.

    It has one input, one output, and a number for each dimension in each of its arrays.
    """

    @abstractmethod
    def extent(self, d: int, size: int) -> int:
        """The output's size in dimension ``d``, where the input has ``size``."""

    @abstractmethod
    def along(self, d: int, i: Any, size: int) -> Any:
        """The index in dimension ``d`` of the input that index ``i`` of the output copies.

        Args:
            d: the dimension.
            i: an expression, an array or a number.
            size: of the input in this dimension.

        Returns:
            The same kind; ``i`` itself if nothing changes in this dimension.
        """

    @abstractmethod
    def sum_of(self, d: int, size: int) -> Calculation:
        """The calculation of :meth:`extent`."""

    def problems_along(self, d: int, size: int) -> Iterator[Problem]:
        """Problems with the settings of a dimension, where the input has ``size``."""
        return iter(())

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        (input_sizes,) = sizes.values()
        counts = [
            count_problem(
                name, getattr(self, name), len(input_sizes), self.structure, setting.label
            )
            for name, setting in self.declared.items()
            if setting.ranked and not setting.left_open(getattr(self, name))
        ]
        wrong = [problem for problem in counts if problem]
        if wrong:
            return wrong
        return [
            problem
            for d, size in enumerate(input_sizes)
            for problem in self.problems_along(d, size)
        ]

    def shape(self, sizes: Mapping[str, Sizes]) -> Sizes:
        (input_sizes,) = sizes.values()
        return tuple(self.extent(d, size) for d, size in enumerate(input_sizes))

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[Calculation, ...]]:
        (input_sizes,) = sizes.values()
        return {
            self.output_slots[0].name: tuple(map(self.sum_of, range(len(input_sizes)), input_sizes))
        }

    def source(self, at: At, control: Lookup, sizes: Sizes) -> At:
        return tuple(self.along(d, at[d], size) for d, size in enumerate(sizes))

    def changed(self, sizes: Sizes) -> dict[int, Array]:
        """For each dimension that changes, the input's index for each of the output's; int64.

        Dimensions that shrink come first: so, if one is gathered after the other, no tensor has
        more elements than the larger of input and output.
        """
        each = ((d, self.places_along(d, size)) for d, size in enumerate(sizes))
        changed = {d: places for d, places in each if places is not None}
        return dict(sorted(changed.items(), key=lambda item: item[1].size > sizes[item[0]]))

    def places_along(self, d: int, size: int) -> Array | None:
        """:meth:`along` for every index of the output; None if nothing changes; int64."""
        every = np.arange(self.extent(d, size))
        places: Array = self.along(d, every, size)
        return None if places is every and places.size == size else places

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        (tensor,) = inputs.values()
        places = list(self.changed(tensor.sizes).items())
        return Graph("lowered", gathers(places) or (Node("Identity"),))

    def copied(self, inputs: Tensors) -> Array:
        if self.padding(self.values_type(inputs)) is not None:
            return super().copied(inputs)
        (x,) = inputs.values()
        changed = self.changed(x.shape)
        for d, places in changed.items():
            x = take(x, places, d)
        return x if changed else x.copy()
