"""DML_GATHER: slices of the input along one axis, in the order of a tensor of indices."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Example, Operator, Tensors
from dmlviz.operators.checks import desc_fields, whole_number
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FLOATS, SMALL, Support
from dmlviz.operators.gather.beyond import beyond_sentence
from dmlviz.operators.gather.code import gather_snippets
from dmlviz.operators.gather.layout import Layout
from dmlviz.operators.gather.steps import gather_steps
from dmlviz.operators.indices import INDICES, INPUT, index_nodes, indices_slot, outside
from dmlviz.operators.settings import Axis, Choice, Dice, Setting, Sizes
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import DATA_TYPES, MAX_RANK, print_sizes, shown
from dmlviz.words import _


@dataclass(frozen=True)
class Gather(Operator):
    """Copy whole slices that indices name, as ``DML_GATHER_OPERATOR_DESC`` does.

    Args:
        axis: the dimension of the input that the indices count along.
        index_dimensions: how many of the last dimensions of IndicesTensor hold indices; those
            before them have size 1.

    Each index is replaced by the slice of the input that it names. Negative indices count from
    the end.

    >>> import numpy as np
    >>> sizes = {"InputTensor": (5, 3), "IndicesTensor": (1, 4)}
    >>> Gather(0, 1).output_sizes(sizes)
    (4, 3)
    >>> inputs = {"InputTensor": np.zeros((5, 3)), "IndicesTensor": np.array([[2, 0, 2, 4]])}
    >>> print(Gather(0, 1).explain(inputs, (3, 1)))
    out[i, w] = in[IndicesTensor[0, i], w]
    out[3, 1] = in[IndicesTensor[0, 3], 1] = in[4, 1]
    """

    axis: int
    index_dimensions: int

    key: ClassVar[str] = "gather"
    place: ClassVar[int] = 60
    operator_type: ClassVar[str] = "DML_OPERATOR_GATHER"
    structure: ClassVar[str] = "DML_GATHER_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("Axis", "IndexDimensions")
    # other settings make outputs of other sizes, which would reveal the answer
    unasked: ClassVar[tuple[str, ...]] = ("setting",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("1_0", (4,), FLOATS),
        Support("2_1", (4,), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (
        Slot(INPUT),
        indices_slot("1_0"),
    )

    def __post_init__(self) -> None:
        for name in ("axis", "index_dimensions"):
            object.__setattr__(self, name, whole_number(name, getattr(self, name)))

    @property
    def desc(self) -> dict[str, Any]:
        return {"Axis": self.axis, "IndexDimensions": self.index_dimensions}

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, cls.members, ())
        return cls(*(desc[name] for name in cls.members))

    @property
    def documented(self) -> dict[str, Any]:
        return self.desc

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            Axis("axis", "Axis", _("The dimension of the input that the indices count along.")),
            Choice(
                "index_dimensions",
                "IndexDimensions",
                _(
                    "How many of the last dimensions of IndicesTensor hold indices; those before "
                    "them have size 1."
                ),
                offered=lambda sizes: tuple(range((len(sizes) or MAX_RANK) + 1)),
                default=1,
                least=0,
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # the page's third example says IndexDimensions 2, which DirectML refuses for these sizes
        cases = (
            (cls(0, 1), (4,), 11, [3, 1, 3, 0, 2]),
            (cls(0, 1), (3, 2), 1, [[0, 1, 1, 2]]),
            (cls(1, 1), (3, 2), 1, [[1, 0]]),
            (cls(2, 2), (1, 3, 3), 1, [[[0, 2]]]),
            (cls(1, 2), (1, 3, 2), 1, [[[0, 1], [1, 2]]]),
        )
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                operator,
                {
                    INPUT: np.arange(first, first + np.prod(sizes), dtype=np.float32).reshape(
                        sizes
                    ),
                    INDICES: np.array(indices, np.uint32),
                },
                f"{cls.structure}, Example {number}",
            )
            for number, (operator, sizes, first, indices) in enumerate(cases, 1)
        )

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        rank, count = len(sizes), self.index_dimensions
        axis = min(self.axis, rank - 1)
        inner = [dice.between(1, 3) for _d in range(min(count, rank))]
        # dimensions that the output leaves out must have size 1
        for d in range(max(0, count - 1 - axis)):
            inner[d] = 1
        cells = int(np.prod(inner))
        numbers = [dice.between(0, sizes[axis] - 1) for _cell in range(cells)]
        shape = (1,) * (rank - len(inner)) + tuple(inner)
        return {INDICES: np.array(numbers, np.int64).reshape(shape)}

    def alternative(self) -> Operator:
        return replace(self, axis=self.axis - 1 if self.axis else 1)

    def layout(self, sizes: Mapping[str, Sizes]) -> Layout:
        """The positions of inputs and outputs, for valid inputs."""
        return Layout(sizes[INPUT], sizes[INDICES], self.axis, self.index_dimensions)

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        rank, indices, count = len(sizes[INPUT]), sizes[INDICES], self.index_dimensions
        found = []
        if not 0 <= self.axis < rank:
            message = _("axis: {axis} is invalid; the input's dimensions are 0 to {last}.").format(
                axis=shown(self.axis), last=rank - 1
            )
            found.append(self._problem("axis", message, "Axis"))
        if not 0 <= count <= rank:
            message = _(
                "index_dimensions: {count} is invalid; IndicesTensor has {rank} dimensions, and "
                "0 to {rank} of them can hold indices."
            ).format(count=shown(count), rank=rank)
            found.append(self._problem("index_dimensions", message, "IndexDimensions"))
        if len(indices) != rank:
            message = _(
                "IndicesTensor: sizes {sizes} have rank {count}, the input has rank {rank}; the "
                "ranks must be equal, with leading ones if needed."
            ).format(sizes=print_sizes(indices), count=len(indices), rank=rank)
            found.append(self._problem(INDICES, message, "Tensor constraints"))
        if found:
            return found
        for d, n in enumerate(indices[: rank - count]):
            if n != 1:
                message = _(
                    "IndicesTensor: dimension {d} has size {n}; IndexDimensions is {count}, "
                    "and each dimension before those that hold indices must have size 1."
                ).format(d=d, n=n, count=count)
                return [self._problem(INDICES, message, "IndexDimensions")]
        layout = self.layout(sizes)
        if any(n != 1 for n in layout.cropped):
            message = _(
                "index_dimensions: {count} would make {exact}, {more} dimensions; the output has "
                "{rank} like the input, and only leading ones can be dropped."
            ).format(
                count=count, exact=print_sizes(layout.exact), more=len(layout.exact), rank=rank
            )
            found.append(self._problem("index_dimensions", message, "OutputTensor"))
        return found

    def _problem(self, field: str, message: str, member: str) -> Problem:
        return Problem(field, message, f"{self.structure}, {member}")

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        x, indices = inputs[INPUT], inputs[INDICES]
        wrong = np.flatnonzero(outside(indices, x.shape[self.axis]))
        if not wrong.size:
            return []
        message = beyond_sentence(x.shape, self.axis, indices, int(wrong[0]))
        return [self._problem(INDICES, message, INDICES)]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {self.output_slots[0].name: self.layout(sizes).output}

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return {name: tuple(map(str, out)) for name, out in self.outputs_after(sizes).items()}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        layout = self._laid(inputs)
        indices = inputs[INDICES].astype(np.int64).reshape(layout.inner)
        taken = np.take(inputs[INPUT], indices, axis=self.axis)
        return {self.output_slots[0].name: taken.reshape(layout.output)}

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        return {self.output_slots[0].name: self._laid(inputs).drivers()}

    def moves(self, inputs: Tensors) -> Steps:
        return gather_steps(self._laid(inputs), inputs[INDICES])

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        layout = self._laid(inputs)
        indices = inputs[INDICES].astype(np.int64)
        source = layout.source(INDICES, backwards=bool((indices < 0).any()))
        formula = Formula(
            layout.sizes, layout.output, source, tables={INDICES: indices}, letters=layout.letters
        )
        return {self.output_slots[0].name: (formula,)}

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        layout = self.layout(sizes)
        own = {INDICES: layout.index_letters, self.output_slots[0].name: layout.letters}
        return super().letters(sizes) | own

    def _laid(self, inputs: Mapping[str, Array]) -> Layout:
        return self.layout({name: array.shape for name, array in inputs.items()})

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        return Graph("native", self._nodes(inputs), cpu_types=frozenset(DATA_TYPES))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        # ONNX has no more basic operator for this
        return Graph("lowered", self._nodes(inputs))

    def _nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        layout = self.layout({name: desc.sizes for name, desc in inputs.items()})
        nodes, indices = index_nodes(inputs)
        inner, exact = layout.inner, layout.exact
        if not inner or len(exact) > MAX_RANK:
            # DirectML takes tensors of 1 to 8 dimensions; a row of indices gathers the same
            inner = (math.prod(inner),)
            exact = layout.sizes[: self.axis] + inner + layout.sizes[self.axis + 1 :]
        if inner != layout.indices:
            nodes.append(Node("Reshape", (indices, _shape(inner))))
            indices = FLOW
        nodes.append(Node("Gather", (INPUT, indices), {"axis": self.axis}))
        if exact != layout.output:
            nodes.append(Node("Reshape", (FLOW, _shape(layout.output))))
        return tuple(nodes)

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        sizes = inputs[INPUT].sizes if INPUT in inputs else ()
        below = int(sizes[self.axis]) if 0 <= self.axis < len(sizes) else 0
        case = self.case(inputs, below)
        layout = self.layout({tensor.name: tensor.sizes for tensor in case.inputs})
        return gather_snippets(case, layout, self.native_graph(inputs))


def _shape(sizes: Sizes) -> Constant:
    return Constant("shape", np.array(sizes, np.int64))
