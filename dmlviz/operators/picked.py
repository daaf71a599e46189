"""Operators that pick by index: GATHER, GATHER_ELEMENTS and GATHER_ND1."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from dmlviz.base.errors import Problem
from dmlviz.movement.graphs import Graph, Node
from dmlviz.operators.code.base import Case
from dmlviz.operators.code.indices import onnx_indices_note
from dmlviz.operators.indices import INDICES, INPUT, Outside, cells_outside
from dmlviz.operators.mapped import Mapped
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import DATA_TYPES
from dmlviz.tensors.types import Array, Sizes


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
        cells = cells_outside(inputs[INDICES], sizes[INPUT], along)
        if not cells:
            return []
        cell = cells[0]
        (drivers,) = self.drivers(inputs).values()
        first = int((drivers.ravel() == cell - cell % len(along)).argmax())
        start = tuple(int(axis.flat[first]) for axis in self.coordinates(inputs))
        dimension, slices = along[cell % len(along)], self.picks_slices(sizes)
        wrong = Outside(inputs[INDICES], cells, sizes[INPUT], dimension, start, slices)
        return [Problem(INDICES, wrong.read(), f"{self.structure}, {INDICES}")]
