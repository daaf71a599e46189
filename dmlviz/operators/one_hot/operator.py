"""DML_ONE_HOT: for each index a sequence of off values with one on value in it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Error, Problem
from dmlviz.movement.expressions import ONE, replaced
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Graph
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Example, Operator, Tensors
from dmlviz.operators.checks import desc_fields, tensor_sizes, whole_number
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.count import Count
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FLOATS, SMALL, Support
from dmlviz.operators.indices import WORD
from dmlviz.operators.one_hot.code import one_hot_snippets
from dmlviz.operators.one_hot.graph import plain_nodes, written_nodes
from dmlviz.operators.one_hot.layout import INDICES, OUTPUT, VALUES, Layout
from dmlviz.operators.one_hot.steps import one_hot_steps
from dmlviz.operators.settings import Axis, Dice, Setting, Sizes
from dmlviz.operators.slots import CONTROL, Slot, TensorDesc
from dmlviz.tensors import DIMENSION_MAX, one_line, print_sizes, shown
from dmlviz.words import _

_INDEX_TYPES = ("UINT32", "INT32", "INT64", "UINT64")


@dataclass(frozen=True)
class OneHot(Operator):
    """Turn each index into a sequence with one on value, as ``DML_ONE_HOT_OPERATOR_DESC`` does.

    Args:
        axis: the dimension of the output that the sequences lie along.
        depth: how long each is: the output's size there.

    The first element of ValuesTensor is the off value, the second the on value. Negative indices
    count from the end; an index beyond the sequence leaves all of it off. In a description the
    depth is the output's own size; 0 there means a size equal to the indices'.

    >>> import numpy as np
    >>> inputs = {"ValuesTensor": np.array([[0, 1]]), "IndicesTensor": np.array([[2], [0]])}
    >>> OneHot(1, 3).evaluate(inputs)["OutputTensor"].tolist()
    [[0, 0, 1], [1, 0, 0]]
    >>> print(OneHot(1, 3).explain(inputs, (0, 2)))
    out[h, k] = in[0, IndicesTensor[h, 0] == k]
    out[0, 2] = in[0, IndicesTensor[0, 0] == 2] = in[0, 1]
    """

    axis: int
    depth: int

    key: ClassVar[str] = "one-hot"
    place: ClassVar[int] = 150
    operator_type: ClassVar[str] = "DML_OPERATOR_ONE_HOT"
    structure: ClassVar[str] = "DML_ONE_HOT_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("Axis",)
    # other settings make outputs of other sizes, which would reveal the answer
    unasked: ClassVar[tuple[str, ...]] = ("setting",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_0", (4,), FLOATS),
        Support("2_1", (4,), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (
        Slot(VALUES),
        Slot(
            INDICES,
            CONTROL,
            support=(
                Support("2_0", (4,), ("UINT32",)),
                Support("3_0", ANY_RANK, _INDEX_TYPES),
            ),
        ),
    )
    tensor_order: ClassVar[tuple[str, ...]] = (INDICES, VALUES, OUTPUT)
    free_tensors: ClassVar[tuple[str, ...]] = (OUTPUT,)

    def __post_init__(self) -> None:
        for name in ("axis", "depth"):
            object.__setattr__(self, name, whole_number(name, getattr(self, name)))

    @property
    def desc(self) -> dict[str, Any]:
        return {
            "Axis": self.axis,
            OUTPUT: {"Sizes": [0] * min(max(0, self.axis), 8) + [self.depth]},
        }

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, ("Axis",), (OUTPUT,))
        axis, sizes = whole_number("axis", desc["Axis"]), tensor_sizes(desc, OUTPUT)
        if OUTPUT not in desc:
            # refuse unset values
            return cls(axis, 0)
        if not 0 <= axis < len(sizes):
            raise Error(
                _(
                    "desc: {name} of {structure} has Sizes {output}, which have no dimension "
                    "{axis}."
                ).format(
                    name=OUTPUT,
                    structure=cls.structure,
                    output=shown(list(sizes)),
                    axis=shown(axis),
                ),
                OUTPUT,
            )
        return cls(axis, sizes[axis])

    @property
    def documented(self) -> dict[str, Any]:
        return {"Axis": self.axis}

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            Axis("axis", "Axis", _("The dimension that each index becomes a sequence along.")),
            Count(
                "depth",
                "Depth",
                _(
                    "How many elements each sequence has: the output's size along Axis, one "
                    "for each valid index."
                ),
                default=4,
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        rows, pair = (1, 1, 3, 1), [[[[0, 1]]]]
        cases = (
            (cls(3, 4), rows, [0, 3, 2], np.uint32, pair),
            (cls(2, 3), (1, 1, 1, 4), [0, 2, 1, 0], np.uint32, pair),
            (cls(3, 4), rows, [0, 3, 2], np.uint32, [[[[4], [2], [9]]]]),
            (cls(3, 4), rows, [-3, 100, 3], np.int32, pair),
        )
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                operator,
                {
                    VALUES: np.array(values, np.float32),
                    INDICES: np.array(indices, kind).reshape(sizes),
                },
                f"{cls.structure}, Example {number}",
            )
            for number, (operator, sizes, indices, kind, values) in enumerate(cases, 1)
        )

    @classmethod
    def fitted(cls, values: Mapping[str, Any], sizes: Sizes, before: Sizes) -> dict[str, Any]:
        found = super().fitted(values, sizes, before)
        axis = values.get("axis", 0)
        # indices gain and lose leading dimensions, and the axis keeps its dimension
        if axis < len(before):
            found["axis"] = max(0, axis + len(sizes) - len(before))
        return found

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        rank = len(sizes)
        own = [dice.between(1, 3) if d >= rank - 2 else 1 for d in range(rank)]
        own[min(self.axis, rank - 1)] = 1
        places = [dice.between(0, max(0, self.depth - 1)) for _cell in range(math.prod(own))]
        return {INDICES: np.array(places, np.int64).reshape(own)}

    def alternative(self) -> Operator:
        # along another dimension the indices would have other sizes
        return replace(self, depth=self.depth + 1)

    def with_output_sizes(self, outputs: Mapping[str, tuple[int, ...]]) -> Operator:
        wanted = outputs.get(OUTPUT, ())
        if not 0 <= self.axis < len(wanted) or not wanted[self.axis]:
            return self
        return replace(self, depth=wanted[self.axis])

    def layout(self, sizes: Mapping[str, Sizes]) -> Layout:
        """The positions of inputs and outputs, for valid inputs."""
        return Layout(sizes[VALUES], sizes[INDICES], self.axis, self.depth)

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        return [
            Problem(field, f"{field}: {message}", f"{self.structure}, {member}")
            for field, message, member in self._wrong(sizes[VALUES], sizes[INDICES])
        ]

    def _wrong(self, values: Sizes, indices: Sizes) -> Iterator[tuple[str, str, str]]:
        """Field, message and the structure's member for every invalid value."""
        rank = len(values)
        if math.prod(values) < 2:
            told = _(
                "{sizes} has one element; two are needed, an off value and an on value."
            ).format(sizes=print_sizes(values))
            yield "sizes", told, VALUES
        if not 1 <= self.depth <= DIMENSION_MAX:
            told = _("{depth} is invalid; a sequence must have 1 to {most} elements.").format(
                depth=shown(self.depth), most=f"{DIMENSION_MAX:,}"
            )
            yield "depth", told, OUTPUT
        if not 0 <= self.axis < rank:
            told = _("{axis} is invalid; the input's dimensions are 0 to {last}.").format(
                axis=shown(self.axis), last=rank - 1
            )
            yield "axis", told, "Axis"
        if len(indices) != rank:
            told = _(
                "sizes {sizes} have rank {count}, ValuesTensor has rank {rank}; the ranks must "
                "be equal."
            ).format(sizes=print_sizes(indices), count=len(indices), rank=rank)
            yield INDICES, told, "Tensor constraints"
        elif 0 <= self.axis < rank and indices[self.axis] != 1:
            told = _(
                "dimension {axis} has size {size}; along Axis it must be 1, one index for each "
                "sequence."
            ).format(axis=self.axis, size=indices[self.axis])
            yield INDICES, told, INDICES

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        indices = inputs[INDICES]
        first, last = (-(1 << 31), (1 << 31) - 1) if indices.dtype.kind == "i" else (0, 2**32 - 1)
        wide = np.flatnonzero((indices < first) | (indices > last))
        if not wide.size:
            return []
        cell = [int(i) for i in np.unravel_index(int(wide[0]), indices.shape)]
        message = _(
            "IndicesTensor: {index} at {cell} is outside {first:,} to {last:,}, the range of "
            "32 bits; DirectML does not compare all bits of a 64-bit index."
        )
        index = int(indices.ravel()[wide[0]])
        if first:
            message = _(
                "IndicesTensor: {index} at {cell} is outside {first:,} to {last:,}, the range of "
                "32 bits. DirectML does not refuse it: it uses the low 32 bits, {low} here."
            )
        message = message.format(
            index=one_line(str(index), 24),
            cell=cell,
            first=first,
            last=last,
            low=(index - first) % WORD + first,
        )
        return [Problem(INDICES, message, f"{self.structure}, {INDICES}")]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {OUTPUT: self.layout(sizes).output}

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return {name: tuple(map(str, out)) for name, out in self.outputs_after(sizes).items()}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        off_and_on = inputs[VALUES].ravel()
        return {OUTPUT: off_and_on[self._laid(inputs).hot(inputs[INDICES]).astype(np.int64)]}

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        return {OUTPUT: self._laid(inputs).drivers()}

    def moves(self, inputs: Tensors) -> Steps:
        return one_hot_steps(self._laid(inputs), inputs[INDICES], inputs[VALUES].ravel()[:2])

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        layout = self._laid(inputs)
        indices = inputs[INDICES].astype(np.int64)
        source = layout.source(backwards=bool((indices < 0).any()))
        formula = Formula(
            layout.values, layout.output, source, tables={INDICES: indices}, letters=layout.letters
        )
        return {OUTPUT: (formula,)}

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        layout = self.layout(sizes)
        places = replaced(layout.letters, self.axis, ONE)
        return super().letters(sizes) | {INDICES: places, OUTPUT: layout.letters}

    def _laid(self, inputs: Mapping[str, Array]) -> Layout:
        return self.layout({name: array.shape for name, array in inputs.items()})

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        nodes = written_nodes(self._described(inputs), inputs[INDICES].data_type)
        return Graph("native", nodes, cpu_types=frozenset({"FLOAT32", "INT64"}))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        return Graph("lowered", plain_nodes(self._described(inputs), inputs[INDICES].data_type))

    def _described(self, inputs: Mapping[str, TensorDesc]) -> Layout:
        return self.layout({name: desc.sizes for name, desc in inputs.items()})

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        case = self.case(inputs, max(1, self.depth))
        layout = self.layout({tensor.name: tensor.sizes for tensor in case.inputs})
        return one_hot_snippets(case, layout, self.lowered_graph(inputs))
