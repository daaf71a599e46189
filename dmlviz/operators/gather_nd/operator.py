"""DML_GATHER_ND1: for each tuple of indices, the element or slice that it selects."""

from __future__ import annotations

from collections.abc import Mapping
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
from dmlviz.operators.feature_levels import ALL, ANY_RANK, SMALL, Support
from dmlviz.operators.gather_nd.beyond import read_anyway
from dmlviz.operators.gather_nd.code import gather_nd_snippets
from dmlviz.operators.gather_nd.steps import gather_nd_steps
from dmlviz.operators.indices import INDICES, INPUT, indices_slot
from dmlviz.operators.older import OlderForm
from dmlviz.operators.settings import Choice, Dice, Setting, Sizes
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.operators.tuple_fields import drawn, indices_counted, input_counted, tuple_problems
from dmlviz.operators.tuple_graph import cells_of, counted_nodes, ranked_nodes
from dmlviz.operators.tuples import Tuples
from dmlviz.tensors import DATA_TYPES, MAX_RANK
from dmlviz.words import _

_OLDER = "DML_GATHER_ND_OPERATOR_DESC"
_OLDER_MEMBERS = ("InputDimensionCount", "IndicesDimensionCount")


def _read_older(desc: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the GatherND that does what DML_GATHER_ND's fields describe: no batches."""
    desc_fields(_OLDER, desc, _OLDER_MEMBERS, ())
    counted, indices = (desc[name] for name in _OLDER_MEMBERS)
    return GatherND(counted, indices, 0).settings


@dataclass(frozen=True)
class GatherND(Operator):
    """Copy what tuples of indices select, as ``DML_GATHER_ND1_OPERATOR_DESC`` does.

    Args:
        input_dimension_count: how many of the input's last dimensions count.
        indices_dimension_count: how many of the last dimensions of IndicesTensor count.
        batch_dimension_count: how many of the first ones that count are batches: each is gathered
            from by its own tuples.

    The last dimension of IndicesTensor holds tuples, whose indices count along the input's first
    dimensions after the batches. A tuple selects an element, or a slice if it has fewer
    indices than there are dimensions. Negative indices count from the end.

    >>> import numpy as np
    >>> sizes = {"InputTensor": (5, 3), "IndicesTensor": (4, 2)}
    >>> GatherND(2, 2, 0).output_sizes(sizes)
    (1, 4)
    >>> inputs = {"InputTensor": np.zeros((5, 3)), "IndicesTensor": np.array([[4, 2], [0, 1]])}
    >>> print(GatherND(2, 2, 0).explain(inputs, (0, 1)))
    out[0, i] = in[IndicesTensor[i, 0], IndicesTensor[i, 1]]
    out[0, 1] = in[IndicesTensor[1, 0], IndicesTensor[1, 1]] = in[0, 1]
    """

    input_dimension_count: int
    indices_dimension_count: int
    batch_dimension_count: int

    key: ClassVar[str] = "gather-nd"
    place: ClassVar[int] = 63
    operator_type: ClassVar[str] = "DML_OPERATOR_GATHER_ND1"
    structure: ClassVar[str] = "DML_GATHER_ND1_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = (*_OLDER_MEMBERS, "BatchDimensionCount")
    # other settings make outputs of other sizes, which would reveal the answer
    unasked: ClassVar[tuple[str, ...]] = ("setting",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    older_forms: ClassVar[tuple[OlderForm, ...]] = (
        OlderForm("DML_OPERATOR_GATHER_ND", _OLDER, _OLDER_MEMBERS, _read_older),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (Slot(INPUT), indices_slot())

    def __post_init__(self) -> None:
        for name in self.settings:
            object.__setattr__(self, name, whole_number(name, getattr(self, name)))

    @property
    def desc(self) -> dict[str, Any]:
        return dict(zip(self.members, self.settings.values(), strict=True))

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
            input_counted(),
            indices_counted(),
            Choice(
                "batch_dimension_count",
                "BatchDimensionCount",
                _(
                    "How many of the first dimensions that count are batches, the same in input, "
                    "indices and output."
                ),
                offered=lambda sizes: tuple(range(len(sizes) or MAX_RANK)),
                default=0,
                least=0,
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        batches = [[[0, 0], [1, 1]], [[1, 1], [0, 0]], [[0, 1], [1, 0]]]
        cases = (
            (cls(2, 2, 0), (2, 2), [[1], [0]]),
            (cls(3, 3, 1), (1, 3, 2, 2), [batches]),
        )
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                operator,
                {
                    INPUT: np.arange(np.prod(sizes), dtype=np.float32).reshape(sizes),
                    INDICES: np.array(indices, np.uint32),
                },
                f"{cls.structure}, Example {number}",
            )
            for number, (operator, sizes, indices) in enumerate(cases, 1)
        )

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        return {INDICES: drawn(sizes, self._counts, dice, self.batch_dimension_count)}

    def alternative(self) -> Operator:
        batches = self.batch_dimension_count
        return replace(self, batch_dimension_count=batches - 1 if batches else 1)

    @property
    def _counts(self) -> dict[str, int]:
        return {INPUT: self.input_dimension_count, INDICES: self.indices_dimension_count}

    def tuples(self, sizes: Mapping[str, Sizes]) -> Tuples:
        """What the tuples select, for valid inputs."""
        counts = self._counts
        return Tuples(
            sizes[INPUT],
            sizes[INDICES],
            counts[INPUT],
            counts[INDICES],
            self.batch_dimension_count,
        )

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        batches = self.batch_dimension_count
        return list(tuple_problems(self.structure, sizes, self._counts, batches))

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        tuples, indices = self._laid(inputs), inputs[INDICES]
        found = tuples.first_outside(indices)
        if found is None:
            return []
        number = found.at // tuples.length
        first = int(np.prod(tuples.slices, dtype=np.int64)) * number
        read = int(read_anyway(tuples, indices).flat[first])
        return [Problem(INDICES, found.read(read), f"{self.structure}, {INDICES}")]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {self.output_slots[0].name: self.tuples(sizes).output}

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return {name: tuple(map(str, out)) for name, out in self.outputs_after(sizes).items()}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        tuples = self._laid(inputs)
        chosen = np.moveaxis(tuples.inside(inputs[INDICES].astype(np.int64)), -1, 0)
        batch = np.indices(tuples.cells, sparse=True)[: tuples.batches]
        taken = inputs[INPUT].reshape(tuples.inner)[(*batch, *chosen)]
        return {self.output_slots[0].name: taken.reshape(tuples.output)}

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        return {self.output_slots[0].name: self._laid(inputs).drivers()}

    def driver_length(self, inputs: Mapping[str, Array]) -> int:
        return self._laid(inputs).length

    def moves(self, inputs: Tensors) -> Steps:
        return gather_nd_steps(self._laid(inputs), inputs[INDICES])

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        tuples, indices = self._laid(inputs), inputs[INDICES].astype(np.int64)
        inside = tuples.inside(indices)
        backwards = [bool((inside[..., k] < 0).any()) for k in range(tuples.length)]
        source = tuples.source(backwards)
        formula = Formula(
            tuples.sizes, tuples.output, source, tables={INDICES: indices}, letters=tuples.letters
        )
        return {self.output_slots[0].name: (formula,)}

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        tuples = self.tuples(sizes)
        own = {INDICES: tuples.index_letters, self.output_slots[0].name: tuples.letters}
        return super().letters(sizes) | own

    def _laid(self, inputs: Mapping[str, Array]) -> Tuples:
        return self.tuples({name: array.shape for name, array in inputs.items()})

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        return Graph("native", self._nodes(inputs), cpu_types=frozenset(DATA_TYPES))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        # ONNX has no more basic operator for this
        return Graph("lowered", self._nodes(inputs))

    def _nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        tuples = self.tuples({name: desc.sizes for name, desc in inputs.items()})
        nodes, (x, indices) = counted_nodes(tuples, inputs[INDICES].data_type)
        exact = cells_of(tuples) + tuples.slices
        gather = Node("GatherND", (x, indices), {"batch_dims": tuples.batches})
        return (*nodes, gather, *ranked_nodes(exact, tuples.output))

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        # refuse invalid inputs before using what only valid ones have
        self.case(inputs)
        tuples = self.tuples({name: desc.sizes for name, desc in inputs.items()})
        case = self.case(inputs, min(tuples.named))
        return gather_nd_snippets(case, self.desc, tuples, self.native_graph(inputs))
