"""DML_GATHER_ELEMENTS: single elements, each from the place that its index gives on one axis."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Problem
from dmlviz.operators.base import Array, Operator, Tensors
from dmlviz.operators.checks import desc_fields, whole_number
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.code.case import case_of
from dmlviz.operators.elements import element_problems, first_outside, places
from dmlviz.operators.examples import Example
from dmlviz.operators.expressions import Expr, const, index, look, names_of, replaced
from dmlviz.operators.feature_levels import ALL, ANY_RANK, SMALL, Support
from dmlviz.operators.formulas import Formula
from dmlviz.operators.gather_elements.beyond import beyond_sentence
from dmlviz.operators.gather_elements.code import gather_elements_snippets
from dmlviz.operators.gather_elements.steps import gather_elements_steps
from dmlviz.operators.graphs import Graph, Node
from dmlviz.operators.indices import INDICES, INPUT, index_nodes, indices_slot
from dmlviz.operators.settings import Axis, Dice, Setting, Sizes
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.operators.steps import Steps
from dmlviz.tensors import DATA_TYPES
from dmlviz.words import _


@dataclass(frozen=True)
class GatherElements(Operator):
    """Copy one element for each index, as ``DML_GATHER_ELEMENTS_OPERATOR_DESC`` does.

    Args:
        axis: the dimension of the input in which the index replaces the element's own coordinate.

    The output has the sizes of the indices, and in all dimensions but the axis these are the
    input's. Negative indices count from the end.

    >>> import numpy as np
    >>> sizes = {"InputTensor": (3, 3), "IndicesTensor": (2, 3)}
    >>> GatherElements(0).output_sizes(sizes)
    (2, 3)
    >>> indices = np.array([[1, 2, 0], [2, 0, 0]])
    >>> inputs = {"InputTensor": np.zeros((3, 3)), "IndicesTensor": indices}
    >>> print(GatherElements(0).explain(inputs, (0, 1)))
    out[i, w] = in[IndicesTensor[i, w], w]
    out[0, 1] = in[IndicesTensor[0, 1], 1] = in[2, 1]
    """

    axis: int

    key: ClassVar[str] = "gather-elements"
    place: ClassVar[int] = 62
    operator_type: ClassVar[str] = "DML_OPERATOR_GATHER_ELEMENTS"
    structure: ClassVar[str] = "DML_GATHER_ELEMENTS_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("Axis",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_1", (4,), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (Slot(INPUT), indices_slot("2_1"))

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", whole_number("axis", self.axis))

    @property
    def desc(self) -> dict[str, Any]:
        return {"Axis": self.axis}

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, cls.members, ())
        return cls(desc["Axis"])

    @property
    def documented(self) -> dict[str, Any]:
        return self.desc

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            Axis(
                "axis",
                "Axis",
                _("The dimension in which an index takes the place of the element's own."),
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return (
            Example(
                _("Documentation example"),
                cls(0),
                {
                    INPUT: np.arange(1, 10, dtype=np.float32).reshape(3, 3),
                    INDICES: np.array([[1, 2, 0], [2, 0, 0]], np.uint32),
                },
                f"{cls.structure}, Example",
            ),
        )

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        axis = min(self.axis, len(sizes) - 1)
        shape = (*sizes[:axis], dice.between(1, 3), *sizes[axis + 1 :])
        numbers = [dice.between(0, sizes[axis] - 1) for _cell in range(math.prod(shape))]
        return {INDICES: np.array(numbers, np.int64).reshape(shape)}

    def alternative(self) -> Operator:
        return replace(self, axis=self.axis - 1 if self.axis else 1)

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        return list(element_problems(self.structure, sizes, self.axis))

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        sizes, indices = inputs[INPUT].shape, inputs[INDICES]
        at = first_outside(sizes, self.axis, indices)
        if at is None:
            return []
        message = beyond_sentence(sizes, self.axis, indices, at)
        return [Problem(INDICES, message, f"{self.structure}, {INDICES}")]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {self.output_slots[0].name: sizes[INDICES]}

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return {name: tuple(map(str, out)) for name, out in self.outputs_after(sizes).items()}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        indices = inputs[INDICES].astype(np.int64)
        taken = np.take_along_axis(inputs[INPUT], indices, axis=self.axis)
        return {self.output_slots[0].name: taken}

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        indices = inputs[INDICES]
        cells = np.arange(indices.size, dtype=np.int64).reshape(indices.shape)
        return {self.output_slots[0].name: cells}

    def moves(self, inputs: Tensors) -> Steps:
        sizes, indices = inputs[INPUT].shape, inputs[INDICES]
        return gather_elements_steps(
            sizes, self.axis, indices, places(sizes, self.axis, indices).ravel()
        )

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        sizes, indices = inputs[INPUT].shape, inputs[INDICES].astype(np.int64)
        own = [index(d) for d in range(len(sizes))]
        chosen = look(INDICES, *own)
        if (indices < 0).any():
            chosen = Expr("mod", (chosen, const(sizes[self.axis])))
        source = (*own[: self.axis], chosen, *own[self.axis + 1 :])
        letters = self._letters(len(sizes))
        formula = Formula(sizes, indices.shape, source, tables={INDICES: indices}, letters=letters)
        return {self.output_slots[0].name: (formula,)}

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        own = self._letters(len(sizes[INPUT]))
        return super().letters(sizes) | {INDICES: own, self.output_slots[0].name: own}

    def _letters(self, rank: int) -> tuple[str, ...]:
        """Of indices and output: i counts the indices along the axis."""
        return replaced(names_of(rank), self.axis, "i")

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        return Graph("native", self._nodes(inputs), cpu_types=frozenset(DATA_TYPES))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        # ONNX has no more basic operator for this
        return Graph("lowered", self._nodes(inputs))

    def _nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        nodes, indices = index_nodes(inputs)
        return (*nodes, Node("GatherElements", (INPUT, indices), {"axis": self.axis}))

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        sizes = inputs[INPUT].sizes if INPUT in inputs else ()
        below = int(sizes[self.axis]) if 0 <= self.axis < len(sizes) else 0
        case = case_of(self, inputs, below)
        return gather_elements_snippets(case, self.axis, self.native_graph(inputs))
