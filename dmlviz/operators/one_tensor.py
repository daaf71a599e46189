"""Operators with one input and one output: their rules depend on one tensor's sizes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TypeVar

from dmlviz.errors import Problem
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Graph
from dmlviz.movement.steps import Part, Steps
from dmlviz.operators.base import Array, Operator, Sizes, Tensors
from dmlviz.operators.code.base import Case, Snippet
from dmlviz.operators.slots import TensorDesc

T = TypeVar("T")


class OneTensor(Operator):
    """An operator of ``InputTensor`` and ``OutputTensor``; its rules need only sizes."""

    @abstractmethod
    def rule_problems(self, sizes: tuple[int, ...], data_type: str | None) -> list[Problem]:
        """Problems under the operator's own rules, for sizes that are valid in themselves."""

    @abstractmethod
    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        """The output's sizes, for a valid input."""

    @abstractmethod
    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """The calculation of each of the output's sizes, such as ``2 · 3 = 6``."""

    @abstractmethod
    def apply(self, x: Array) -> Array:
        """The rule in NumPy, for a valid input."""

    @abstractmethod
    def steps(self, sizes: Sequence[int]) -> Steps:
        """The moves that the stage shows."""

    @abstractmethod
    def formula(self, sizes: Sequence[int]) -> Formula:
        """The index formula for an input of these sizes."""

    @abstractmethod
    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph | None:
        """The operator as ONNX models write it; None if ONNX has no such operator or mode."""

    @abstractmethod
    def lowered(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        """The same in ONNX's basic operators, exact for every type and bit."""

    @abstractmethod
    def snippets(self, case: Case) -> tuple[Snippet, ...]:
        """Code for the same operation, one snippet per dialect of ``code.base.DIALECTS``.

        Args:
            case: the tensors, which the operator takes.
        """

    def parts_of_rule(self, sizes: Sequence[int]) -> tuple[Part, ...]:
        """The parts of the NumPy rule, if it has several that are useful to show."""
        return ()

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        return self.rule_problems(_only(sizes), next(iter(types.values()), None))

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {self._output: self.sizes_after(_only(sizes))}

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return {self._output: self.size_sums(_only(sizes))}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        return {self._output: self.apply(_only(inputs))}

    def moves(self, inputs: Tensors) -> Steps:
        return self.steps(_only(inputs).shape)

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        return {self._output: (self.formula(_only(inputs).shape),)}

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        desc = _only(inputs)
        return self.written(desc.sizes, desc.data_type)

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        desc = _only(inputs)
        return self.lowered(desc.sizes, desc.data_type)

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        return self.snippets(self.case(inputs))

    def rule_parts(self, inputs: Tensors) -> tuple[Part, ...]:
        return self.parts_of_rule(_only(inputs).shape)

    @property
    def _output(self) -> str:
        return self.output_slots[0].name


def _only(tensors: Mapping[str, T]) -> T:
    """The value for the only tensor."""
    (one,) = tensors.values()
    return one
