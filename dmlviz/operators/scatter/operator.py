"""DML_SCATTER: the input, with updates written along one axis at given indices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Example, Operator, Tensors
from dmlviz.operators.checks import desc_fields, whole_number
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.elements import element_problems, first_outside, places
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FLOATS, SMALL, Support
from dmlviz.operators.indices import INDICES, INPUT, UPDATES, cell, index_nodes, indices_slot
from dmlviz.operators.older import OlderForm
from dmlviz.operators.scatter.beyond import beyond_sentence
from dmlviz.operators.scatter.code import scatter_snippets
from dmlviz.operators.settings import Axis, Dice, Setting, Sizes
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.operators.writers import remarks, update_problems, winners, writer_steps
from dmlviz.tensors import DATA_TYPES
from dmlviz.words import _


@dataclass(frozen=True)
class Scatter(Operator):
    """Copy the input and write updates over it, as ``DML_SCATTER_OPERATOR_DESC`` does.

    Args:
        axis: the dimension in which an index replaces the coordinate of its update.

    The indices have the updates' sizes, and in all dimensions but the axis these are the input's.
    Negative indices count from the end. If two indices name the same place, which
    update the output holds there is undefined in DirectML.

    >>> sizes = {"InputTensor": (3, 3), "IndicesTensor": (2, 3), "UpdatesTensor": (2, 3)}
    >>> Scatter(0).output_sizes(sizes)
    (3, 3)
    """

    axis: int

    key: ClassVar[str] = "scatter"
    place: ClassVar[int] = 64
    operator_type: ClassVar[str] = "DML_OPERATOR_SCATTER"
    structure: ClassVar[str] = "DML_SCATTER_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("Axis",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("1_0", (4,), FLOATS),
        Support("2_1", (4,), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    older_forms: ClassVar[tuple[OlderForm, ...]] = (
        # another name of the same structure
        OlderForm(
            "DML_OPERATOR_SCATTER_ELEMENTS",
            "DML_SCATTER_ELEMENTS_OPERATOR_DESC",
            ("Axis",),
            lambda desc: Scatter.from_desc(desc).settings,
        ),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (Slot(INPUT), indices_slot("1_0"), Slot(UPDATES))

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
                _("The dimension in which an index takes the place of its update's own."),
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # the page's first example writes a place twice, so its answer is undefined
        cases: tuple[tuple[int, Any, Any, Any], ...] = (
            (2, np.zeros((3, 3)), [[1, 0, 2], [0, 2, 1]], [[10, 11, 12], [20, 21, 22]]),
            (1, np.arange(5), [3, 1, 3, 0], [5, 6, 7, 8]),
        )
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                cls(0),
                {
                    INPUT: np.array(x, np.float32),
                    INDICES: np.array(indices, np.uint32),
                    UPDATES: np.array(updates, np.float32),
                },
                f"{cls.structure}, Example {number}",
            )
            for number, x, indices, updates in cases
        )

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        axis = min(self.axis, len(sizes) - 1)
        n = sizes[axis]
        count = dice.between(1, min(3, n))
        others = (*sizes[:axis], *sizes[axis + 1 :])
        columns = []
        for _column in range(math.prod(others)):
            # no place twice: the value there would be undefined
            left = list(range(n))
            columns.append([left.pop(dice.between(0, len(left) - 1)) for _k in range(count)])
        indices = np.moveaxis(np.array(columns, np.int64).reshape(*others, count), -1, axis)
        return {INDICES: indices.copy(), UPDATES: np.broadcast_to(np.int64(0), indices.shape)}

    def alternative(self) -> Operator:
        return replace(self, axis=self.axis - 1 if self.axis else 1)

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        found = list(element_problems(self.structure, sizes, self.axis))
        if not found and sizes[INDICES][self.axis] > sizes[INPUT][self.axis]:
            message = _(
                "IndicesTensor: dimension {axis} has size {n} where the input has {due}; DirectML "
                "takes no more indices than there are places."
            ).format(axis=self.axis, n=sizes[INDICES][self.axis], due=sizes[INPUT][self.axis])
            found.append(Problem(INDICES, message, f"{self.structure}, {INDICES}"))
        return [*found, *update_problems(self.structure, sizes[INDICES], sizes[UPDATES], types)]

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        sizes, indices = inputs[INPUT].shape, inputs[INDICES]
        at = first_outside(sizes, self.axis, indices)
        if at is None:
            return []
        message = beyond_sentence(sizes, self.axis, indices, at)
        return [Problem(INDICES, message, f"{self.structure}, {INDICES}")]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {self.output_slots[0].name: sizes[INPUT]}

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return {name: tuple(map(str, out)) for name, out in self.outputs_after(sizes).items()}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        out = inputs[INPUT].copy()
        indices = inputs[INDICES].astype(np.int64)
        np.put_along_axis(out, indices, inputs[UPDATES], axis=self.axis)
        return {self.output_slots[0].name: out}

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        out = inputs[INPUT].shape
        found = winners(self._places(inputs), math.prod(out)).reshape(out)
        return {self.output_slots[0].name: found}

    def moves(self, inputs: Tensors) -> Steps:
        indices = inputs[INDICES]
        names = [f"{INDICES}{cell(k, indices.shape)} = {n}" for k, n in enumerate(indices.flat)]
        return writer_steps(inputs[INPUT].shape, indices.shape, self._places(inputs), names)

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        # finding the update needs a search; the remarks tell it
        return {self.output_slots[0].name: ()}

    def remarks_at(self, inputs: Tensors, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        return remarks(inputs[INPUT].shape, inputs[INDICES].shape, self._places(inputs), indices)

    def _places(self, inputs: Mapping[str, Array]) -> Array:
        """The flat place of each update."""
        return places(inputs[INPUT].shape, self.axis, inputs[INDICES]).ravel()

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        return Graph("native", self._nodes(inputs), cpu_types=frozenset(DATA_TYPES))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        # ONNX has no more basic operator for this
        return Graph("lowered", self._nodes(inputs))

    def _nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        nodes, indices = index_nodes(inputs)
        tensors = (INPUT, indices, UPDATES)
        return (*nodes, Node("ScatterElements", tensors, {"axis": self.axis}))

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        sizes = inputs[INPUT].sizes if INPUT in inputs else ()
        below = int(sizes[self.axis]) if 0 <= self.axis < len(sizes) else 0
        case = self.case(inputs, below)
        return scatter_snippets(case, self.axis, self.native_graph(inputs))
