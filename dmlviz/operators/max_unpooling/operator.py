"""DML_MAX_UNPOOLING: elements written into zeros, each at its index."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Example, Operator, Tensors
from dmlviz.operators.checks import desc_fields, tensor_sizes, whole_numbers
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.feature_levels import FLOATS, NO_DOUBLE, Support
from dmlviz.operators.indices import INDICES, INPUT, WORD, cell
from dmlviz.operators.max_unpooling.code import max_unpooling_snippets
from dmlviz.operators.max_unpooling.room import OutputSizes
from dmlviz.operators.max_unpooling.steps import remarks, unpooling_steps
from dmlviz.operators.settings import Dice, Setting, Sizes
from dmlviz.operators.slots import CONTROL, Slot, TensorDesc
from dmlviz.operators.writers import winners
from dmlviz.tensors import DATA_TYPES, DIMENSION_MAX, one_line, print_sizes, shown
from dmlviz.words import _

OUTPUT = "OutputTensor"
_RANK = 4
_INT64 = 7
"""ONNX's number of the type."""


@dataclass(frozen=True)
class MaxUnpooling(Operator):
    """Write elements into zeros at their indices, as ``DML_MAX_UNPOOLING_OPERATOR_DESC`` does.

    Args:
        output_tensor_sizes: of the output, four numbers.

    An index counts through the whole output, batches and channels included, in the order of
    memory. If two indices are the same, which element the output holds there is undefined.

    >>> x, at = np.array([[[[5, 7]]]]), np.array([[[[1, 3]]]])
    >>> inputs = {"InputTensor": x, "IndicesTensor": at}
    >>> MaxUnpooling((1, 1, 2, 2)).evaluate(inputs)["OutputTensor"].tolist()
    [[[[0, 5], [0, 7]]]]
    """

    output_tensor_sizes: tuple[int, ...]

    key: ClassVar[str] = "max-unpooling"
    place: ClassVar[int] = 67
    operator_type: ClassVar[str] = "DML_OPERATOR_MAX_UNPOOLING"
    structure: ClassVar[str] = "DML_MAX_UNPOOLING_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ()
    support: ClassVar[tuple[Support, ...]] = (
        Support("3_0", (_RANK,), FLOATS),
        Support("5_0", (_RANK,), NO_DOUBLE),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (
        Slot(INPUT),
        Slot(
            INDICES,
            CONTROL,
            support=(
                Support("3_0", (_RANK,), ("UINT32",)),
                Support("5_0", (_RANK,), ("UINT32", "UINT64")),
            ),
        ),
    )
    free_tensors: ClassVar[tuple[str, ...]] = (OUTPUT,)
    unasked: ClassVar[tuple[str, ...]] = ("setting",)
    first_index: ClassVar[int] = 1

    def __post_init__(self) -> None:
        sizes = whole_numbers("output_tensor_sizes", self.output_tensor_sizes)
        object.__setattr__(self, "output_tensor_sizes", sizes)

    @property
    def desc(self) -> dict[str, Any]:
        return {OUTPUT: {"Sizes": list(self.output_tensor_sizes)}}

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, (), (OUTPUT,))
        # refuse unset values
        return cls(tensor_sizes(desc, OUTPUT))

    @property
    def documented(self) -> dict[str, Any]:
        return {}

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            OutputSizes(
                "output_tensor_sizes",
                "OutputTensor.Sizes",
                _(
                    "The sizes of the output, four numbers: the indices do not tell how "
                    "large it is."
                ),
                count=_RANK,
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # the page has no example: the largest of each quarter of a plane, back at its place
        return (
            Example(
                _("A pooled plane"),
                cls((1, 1, 4, 4)),
                {
                    INPUT: np.array([[[[6, 8], [9, 7]]]], np.float32),
                    INDICES: np.array([[[[5, 3], [12, 10]]]], np.uint32),
                },
                f"{cls.structure}, description",
            ),
        )

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        left = list(range(min(math.prod(self.output_tensor_sizes), 4096)))
        # no place twice: the value there would be undefined
        count = min(math.prod(sizes), len(left))
        taken = [left.pop(dice.between(0, len(left) - 1)) for _k in range(count)]
        return {INDICES: np.resize(np.array(taken, np.uint32), sizes)}

    def alternative(self) -> Operator:
        *outer, width = self.output_tensor_sizes or (0,)
        return replace(self, output_tensor_sizes=(*outer, width + 1))

    def with_output_sizes(self, outputs: Mapping[str, tuple[int, ...]]) -> Operator:
        wanted = outputs.get(OUTPUT, ())
        return replace(self, output_tensor_sizes=wanted) if wanted else self

    def padding(self, data_type: str) -> np.generic | None:
        zero: np.generic = DATA_TYPES[data_type].dtype.type(0)
        return zero

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        return [
            Problem(field, f"{field}: {message}", f"{self.structure}, {member}")
            for field, message, member in self._wrong(sizes[INPUT], sizes[INDICES])
        ]

    def _wrong(self, sizes: Sizes, indices: Sizes) -> Iterator[tuple[str, str, str]]:
        """Field, message and the structure's member for every invalid value."""
        out = self.output_tensor_sizes
        if len(out) != _RANK:
            told = _("{sizes} has rank {rank}; the output has as many dimensions as the input, 4.")
            yield "output_tensor_sizes", told.format(sizes=print_sizes(out), rank=len(out)), OUTPUT
        elif not all(1 <= n <= DIMENSION_MAX for n in out):
            told = _("{sizes} is invalid; each size is a whole number from 1 to {most}.")
            told = told.format(sizes=shown(list(out)), most=f"{DIMENSION_MAX:,}")
            yield "output_tensor_sizes", told, OUTPUT
        if indices != sizes:
            told = _("sizes {sizes} are not {due}, one index for each element of the input.")
            told = told.format(sizes=print_sizes(indices), due=print_sizes(sizes))
            yield INDICES, told, INDICES

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        indices, count = inputs[INDICES], math.prod(self.output_tensor_sizes)
        wrong = np.flatnonzero(indices >= count)
        if not wrong.size:
            return []
        at = int(wrong[0])
        words = _(
            "IndicesTensor: {index} at {cell} is beyond 0 to {last}, the elements of the whole "
            "output. DirectML does not refuse it, and puts the element nowhere."
        )
        if indices.ravel()[at] >= WORD:
            words = _(
                "IndicesTensor: {index} at {cell} is beyond 0 to {last}, the elements of the "
                "whole output, and does not fit in 32 bits."
            )
        message = words.format(
            index=one_line(str(indices.ravel()[at]), 24),
            cell=cell(at, indices.shape),
            last=f"{count - 1:,}",
        )
        return [Problem(INDICES, message, f"{self.structure}, {INDICES}")]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {OUTPUT: self.output_tensor_sizes}

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return {OUTPUT: tuple(map(str, self.output_tensor_sizes))}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        x = inputs[INPUT]
        out = np.zeros(self.output_tensor_sizes, x.dtype)
        out.reshape(-1)[self._places(inputs)] = x.ravel()
        return {OUTPUT: out}

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        found = winners(self._places(inputs), math.prod(self.output_tensor_sizes))
        return {OUTPUT: found.reshape(self.output_tensor_sizes)}

    def moves(self, inputs: Tensors) -> Steps:
        sizes = inputs[INPUT].shape
        return unpooling_steps(sizes, self.output_tensor_sizes, self._places(inputs))

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        # finding the element needs a search; the remarks tell it
        return {OUTPUT: ()}

    def remarks_at(self, inputs: Tensors, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        sizes = inputs[INPUT].shape
        return remarks(sizes, self.output_tensor_sizes, self._places(inputs), indices)

    def _places(self, inputs: Mapping[str, Array]) -> Array:
        """The flat place of each element."""
        return inputs[INDICES].ravel().astype(np.int64)

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        x, out = inputs[INPUT], self.output_tensor_sizes
        # with windows that far apart, ONNX derives these sizes itself
        kernel = [n - own + 1 for n, own in zip(out[2:], x.sizes[2:], strict=True)]
        if x.data_type not in FLOATS or x.sizes[:2] != out[:2] or min(kernel) < 1:
            return None
        nodes = (
            Node("Cast", (INDICES,), {"to": _INT64}),
            Node("MaxUnpool", (INPUT, FLOW), {"kernel_shape": kernel}),
        )
        quieted = frozenset({"FLOAT16"})
        return Graph("native", nodes, cpu_types=frozenset({"FLOAT32"}), directml_changes=quieted)

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        x, out = inputs[INPUT], self.output_tensor_sizes
        zero = Constant("zero", np.zeros((), DATA_TYPES[x.data_type].dtype))
        line = Constant("line", np.array([-1], np.int64))
        nodes = (
            Node("Expand", (zero, _whole("count", [math.prod(out)])), outputs=("zeros",)),
            Node("Cast", (INDICES,), {"to": _INT64}, ("counted",)),
            Node("Reshape", ("counted", line), outputs=("places",)),
            Node("Reshape", (INPUT, line), outputs=("elements",)),
            Node("ScatterElements", ("zeros", "places", "elements"), {"axis": 0}),
            Node("Reshape", (FLOW, _whole("shape", list(out)))),
        )
        return Graph("lowered", nodes)

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        case = self.case(inputs, math.prod(self.output_tensor_sizes))
        return max_unpooling_snippets(case, self.lowered_graph(inputs))


def _whole(name: str, numbers: list[int]) -> Constant:
    return Constant(name, np.array(numbers, np.int64))
