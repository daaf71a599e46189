"""DML_SCATTER_ND: the input, with updates written at the places of index tuples."""

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
from dmlviz.operators.feature_levels import ALL, ANY_RANK, SMALL, Support
from dmlviz.operators.indices import INDICES, INPUT, UPDATES, indices_slot
from dmlviz.operators.scatter_nd.beyond import written_anyway
from dmlviz.operators.scatter_nd.code import scatter_nd_snippets
from dmlviz.operators.settings import Dice, Setting, Sizes
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.operators.tuple_fields import drawn, indices_counted, input_counted, tuple_problems
from dmlviz.operators.tuple_graph import cells_of, counted_nodes, ranked_nodes, shape_of
from dmlviz.operators.tuples import Tuples
from dmlviz.operators.writers import remarks, update_problems, winners, writer_steps
from dmlviz.tensors import DATA_TYPES
from dmlviz.words import _


@dataclass(frozen=True)
class ScatterND(Operator):
    """Copy the input and write updates at index tuples, as ``DML_SCATTER_ND_OPERATOR_DESC`` does.

    Args:
        input_dimension_count: how many of the input's last dimensions count.
        indices_dimension_count: how many of the last dimensions of IndicesTensor count.

    The last dimension of IndicesTensor holds tuples, whose indices count along the input's first
    dimensions. Each has an update, an element or a slice, which covers what the tuple selects.
    Negative indices count from the end. If two tuples select the same place, which
    update the output holds there is undefined in DirectML.

    >>> sizes = {"InputTensor": (5, 3), "IndicesTensor": (2, 1), "UpdatesTensor": (2, 3)}
    >>> ScatterND(2, 2).output_sizes(sizes)
    (5, 3)
    """

    input_dimension_count: int
    indices_dimension_count: int

    key: ClassVar[str] = "scatter-nd"
    place: ClassVar[int] = 66
    operator_type: ClassVar[str] = "DML_OPERATOR_SCATTER_ND"
    structure: ClassVar[str] = "DML_SCATTER_ND_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("InputDimensionCount", "IndicesDimensionCount")
    # other counts fit the same tensors only if they change nothing
    unasked: ClassVar[tuple[str, ...]] = ("setting",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_1", (4,), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (Slot(INPUT), indices_slot("2_1"), Slot(UPDATES))

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
        return (input_counted(), indices_counted())

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # the page gives its tensors different ranks and FLOAT32 indices, which DirectML refuses;
        # with equal ranks and valid types, DirectML gives the page's answer
        return (
            Example(
                _("Documentation example"),
                cls(1, 2),
                {
                    INPUT: np.arange(1, 9, dtype=np.float32).reshape(1, 8),
                    INDICES: np.array([[4], [3], [1], [7]], np.uint32),
                    UPDATES: np.array([[9, 10, 11, 12]], np.float32),
                },
                f"{cls.structure}, Example",
            ),
        )

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        indices = drawn(sizes, self._counts, dice)
        given = {INPUT: sizes, INDICES: indices.shape}
        if list(tuple_problems(self.structure, given, self._counts)):
            # settings that fit no input are refused, whatever the updates are
            return {INDICES: indices, UPDATES: np.broadcast_to(np.int64(0), sizes)}
        due = self.tuples(given).output
        return {INDICES: indices, UPDATES: np.broadcast_to(np.int64(0), due)}

    def alternative(self) -> Operator:
        count = self.indices_dimension_count
        return replace(self, indices_dimension_count=count - 1 if count > 1 else 2)

    @property
    def _counts(self) -> dict[str, int]:
        return {INPUT: self.input_dimension_count, INDICES: self.indices_dimension_count}

    def tuples(self, sizes: Mapping[str, Sizes]) -> Tuples:
        """What the tuples select, for valid inputs."""
        counts = self._counts
        return Tuples(sizes[INPUT], sizes[INDICES], counts[INPUT], counts[INDICES])

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        found = list(tuple_problems(self.structure, sizes, self._counts))
        if found:
            return found
        due = self.tuples(sizes).output
        return list(update_problems(self.structure, due, sizes[UPDATES], types))

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        tuples, indices = self._laid(inputs), inputs[INDICES]
        found = tuples.first_outside(indices)
        if found is None:
            return []
        first = found.at // tuples.length * math.prod(tuples.slices)
        written = int(written_anyway(tuples, indices).flat[first])
        return [Problem(INDICES, found.written(written), f"{self.structure}, {INDICES}")]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {self.output_slots[0].name: sizes[INPUT]}

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return {name: tuple(map(str, out)) for name, out in self.outputs_after(sizes).items()}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        tuples, out = self._laid(inputs), inputs[INPUT].copy()
        chosen = np.moveaxis(tuples.inside(inputs[INDICES].astype(np.int64)), -1, 0)
        out.reshape(tuples.inner)[tuple(chosen)] = inputs[UPDATES].reshape(tuples.exact)
        return {self.output_slots[0].name: out}

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        tuples = self._laid(inputs)
        last = winners(self._places(inputs), math.prod(tuples.sizes))
        chosen = np.where(last < 0, -1, tuples.drivers().ravel()[last])
        return {self.output_slots[0].name: chosen.reshape(tuples.sizes)}

    def driver_length(self, inputs: Mapping[str, Array]) -> int:
        return self._laid(inputs).length

    def moves(self, inputs: Tensors) -> Steps:
        tuples, indices = self._laid(inputs), inputs[INDICES]
        count, each = math.prod(tuples.cells), math.prod(tuples.slices)
        names = [f"{INDICES}{tuples.cell(k)} = {tuples.told(indices, k)[0]}" for k in range(count)]
        starts = tuples.starts(indices).ravel() // each
        slices, length = len(tuples.slices), tuples.length
        return writer_steps(tuples.sizes, tuples.output, starts, names, slices, length)

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        # finding the update needs a search; the remarks tell it
        return {self.output_slots[0].name: ()}

    def remarks_at(self, inputs: Tensors, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        tuples = self._laid(inputs)
        return remarks(tuples.sizes, tuples.output, self._places(inputs), indices)

    def _places(self, inputs: Mapping[str, Array]) -> Array:
        """The flat place of each element of the updates."""
        return self._laid(inputs).offsets(inputs[INDICES]).ravel()

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
        updates, exact = UPDATES, cells_of(tuples) + tuples.slices
        if exact != tuples.output:
            updates = "counted_updates"
            nodes.append(Node("Reshape", (UPDATES, shape_of(exact)), outputs=(updates,)))
        scatter = Node("ScatterND", (x, indices, updates))
        return (*nodes, scatter, *ranked_nodes(tuples.inner, tuples.sizes))

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        # refuse invalid inputs before using what only valid ones have
        self.case(inputs)
        tuples = self.tuples({name: desc.sizes for name, desc in inputs.items()})
        case = self.case(inputs, min(tuples.named))
        return scatter_nd_snippets(case, self.desc, tuples, self.native_graph(inputs))
