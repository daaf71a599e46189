"""Operators of one input and one output: their rules are about the one tensor's sizes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TypeVar

from dmlviz.errors import Problem
from dmlviz.operators.base import Array, Operator, Sizes, Tensors
from dmlviz.operators.code.base import Case, Snippet
from dmlviz.operators.code.case import case_of
from dmlviz.operators.formulas import Formula
from dmlviz.operators.graphs import Graph
from dmlviz.operators.slots import TensorDesc
from dmlviz.operators.steps import Part, Steps

T = TypeVar("T")


class OneTensor(Operator):
    """An operator of ``InputTensor`` and ``OutputTensor``; it says everything of sizes alone."""

    @abstractmethod
    def rule_problems(self, sizes: tuple[int, ...], data_type: str | None) -> list[Problem]:
        """What the operator's own rules refuse, the sizes being possible ones."""

    @abstractmethod
    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        """The output's sizes where nothing is refused."""

    @abstractmethod
    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        """How each of the output's sizes is worked out, such as ``2 · 3 = 6``."""

    @abstractmethod
    def apply(self, x: Array) -> Array:
        """The rule in NumPy's idiom, on an input that nothing refuses."""

    @abstractmethod
    def steps(self, sizes: Sequence[int]) -> Steps:
        """The moves in which the stage shows it."""

    @abstractmethod
    def formula(self, sizes: Sequence[int]) -> Formula:
        """The index formula for an input of these sizes."""

    @abstractmethod
    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph | None:
        """The operator as ONNX models write it; None where ONNX has no such operator or mode."""

    @abstractmethod
    def lowered(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        """The same in ONNX's plainest operators, exact for every type and bit."""

    @abstractmethod
    def snippets(self, sizes: tuple[int, ...], data_type: str) -> tuple[Snippet, ...]:
        """Code of the same operation, one piece per dialect of ``code.base.DIALECTS``.

        Raises:
            Refused: the operator cannot take an input of these sizes and this type.
        """

    def parts_of_rule(self, sizes: Sequence[int]) -> tuple[Part, ...]:
        """The parts of the NumPy rule, where it has several that are worth seeing."""
        return ()

    def case(self, sizes: Sequence[int], data_type: str) -> Case:
        """What code in any dialect has to be told of the tensors.

        Raises:
            Refused: as :meth:`snippets` does; so only checked numbers reach code.
        """
        return case_of(self, {self.input_slots[0].name: TensorDesc(tuple(sizes), data_type)})

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
        desc = _only(inputs)
        return self.snippets(desc.sizes, desc.data_type)

    def rule_parts(self, inputs: Tensors) -> tuple[Part, ...]:
        return self.parts_of_rule(_only(inputs).shape)

    @property
    def _output(self) -> str:
        return self.output_slots[0].name


def _only(tensors: Mapping[str, T]) -> T:
    """What belongs to the one tensor."""
    (one,) = tensors.values()
    return one
