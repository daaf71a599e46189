"""Operators that pick by index: GATHER, GATHER_ELEMENTS and GATHER_ND1.

DirectML 1.15.4 does not refuse an index outside the input. It calculates the flat offset in 32
bits, in whatever row that is, and reads the last element for what lies beyond the tensor. Such an
index is refused here, and the refusal names the element that DirectML would read.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.graphs import Graph, Node
from dmlviz.operators.base import Array, Sizes
from dmlviz.operators.code.base import Case
from dmlviz.operators.code.indices import onnx_indices_note
from dmlviz.operators.indices import INDICES, INPUT, offsets
from dmlviz.operators.mapped import Mapped
from dmlviz.operators.outside import Outside, first_outside
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import DATA_TYPES


class Picked(Mapped):
    """An operator whose IndicesTensor says which elements of the input the output copies."""

    @abstractmethod
    def along(self, sizes: Mapping[str, Sizes]) -> range:
        """The input's dimensions that indices count along, for valid inputs.

        If there are several, so many indices one after another pick together, each for its own.
        """

    @abstractmethod
    def picks_slices(self, sizes: Mapping[str, Sizes]) -> bool:
        """Whether what one index picks, or so many together, is a slice rather than an element."""

    @abstractmethod
    def nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        """ONNX's own operator, which has no more basic form, and what adapts the tensors to it."""

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        return Graph("native", self.nodes(inputs), cpu_types=frozenset(DATA_TYPES))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        return Graph("lowered", self.nodes(inputs))

    def driver_length(self, inputs: Mapping[str, Array]) -> int:
        return len(self.along({name: array.shape for name, array in inputs.items()}))

    def index_limit(self, inputs: Mapping[str, TensorDesc]) -> int:
        sizes = {name: desc.sizes for name, desc in inputs.items()}
        return min(sizes[INPUT][d] for d in self.along(sizes))

    def onnx_note(self, case: Case) -> str:
        return onnx_indices_note(case)

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        sizes = {name: array.shape for name, array in inputs.items()}
        along = self.along(sizes)
        cell = first_outside(inputs[INDICES], sizes[INPUT], along)
        if cell is None:
            return []
        (drivers,) = self.drivers(inputs).values()
        first = int((drivers.ravel() == cell - cell % len(along)).argmax())
        start = [axis.flat[first] for axis in self.coordinates(inputs)]
        dimension, slices = along[cell % len(along)], self.picks_slices(sizes)
        # the offset can be beyond 64 bits
        begin = tuple(map(int, start))
        wrong = Outside(inputs[INDICES], cell, sizes[INPUT], dimension, begin, slices)
        message = wrong.read(int(read_anyway(start, sizes[INPUT])))
        return [Problem(INDICES, message, f"{self.structure}, {INDICES}")]


def read_anyway(coordinates: Sequence[Array], sizes: Sizes) -> Array:
    """The elements that DirectML 1.15.4 reads, even for indices outside the input.

    Args:
        coordinates: for each dimension of the input, indices counted from the front, int64.
        sizes: of the input.

    Returns:
        Flat indices of the input's elements; int64.
    """
    read: Array = np.minimum(offsets(coordinates, sizes), math.prod(sizes) - 1)
    return read
