"""DML_REVERSE_SUBSEQUENCES: the first elements of each sequence in reverse order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.expressions import ONE, below, const, index, look, names_of, replaced
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Example, Operator, Tensors
from dmlviz.operators.checks import desc_fields, whole_number
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.feature_levels import ALL, ANY_RANK, SMALL, Support
from dmlviz.operators.reverse_subsequences.code import reverse_snippets
from dmlviz.operators.reverse_subsequences.steps import reverse_steps
from dmlviz.operators.reverse_subsequences.turning import (
    INPUT,
    LENGTHS,
    beyond_sentence,
    places,
    sources,
)
from dmlviz.operators.settings import Axis, Dice, Setting, Sizes
from dmlviz.operators.slots import CONTROL, Slot, TensorDesc
from dmlviz.tensors import print_sizes, shown
from dmlviz.words import _

_INT64 = 7
"""ONNX's number of the type."""


@dataclass(frozen=True)
class ReverseSubsequences(Operator):
    """Reverse the beginnings of sequences, as ``DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC`` does.

    Args:
        axis: the dimension along which elements are reversed.

    SequenceLengthsTensor has one length for each sequence: the input's sizes with 1 on the axis.
    That many elements from the beginning are reversed, and those after them stay.

    >>> import numpy as np
    >>> inputs = {
    ...     "InputTensor": np.zeros((2, 5)), "SequenceLengthsTensor": np.array([[3], [5]], "u4")
    ... }
    >>> ReverseSubsequences(1).evaluate({**inputs, "InputTensor": np.array([[1, 2, 3, 4, 5]] * 2)})
    {'OutputTensor': array([[3, 2, 1, 4, 5],
           [5, 4, 3, 2, 1]])}
    """

    axis: int

    key: ClassVar[str] = "reverse-subsequences"
    place: ClassVar[int] = 130
    operator_type: ClassVar[str] = "DML_OPERATOR_REVERSE_SUBSEQUENCES"
    structure: ClassVar[str] = "DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("Axis",)
    # lengths have size 1 along the axis, so they do not fit another axis
    unasked: ClassVar[tuple[str, ...]] = ("setting",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_1", (4,), SMALL),
        Support("3_0", (4, 5), SMALL),
        Support("4_0", ANY_RANK, SMALL),
        Support("5_0", ANY_RANK, ALL),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (
        Slot(INPUT),
        Slot(
            LENGTHS,
            CONTROL,
            support=(
                Support("2_1", (4,), ("UINT32",)),
                Support("3_0", (4, 5), ("UINT32",)),
                Support("4_0", ANY_RANK, ("UINT32",)),
                Support("5_0", ANY_RANK, ("UINT32", "UINT64")),
            ),
        ),
    )

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
        return (Axis("axis", "Axis", _("The dimension along which elements are reversed.")),)

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.arange(1, 13, dtype=np.float32).reshape(1, 1, 3, 4)
        cases = ((cls(3), [[[[2], [4], [3]]]]), (cls(2), [[[[2, 3, 1, 0]]]]))
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                operator,
                {INPUT: x, LENGTHS: np.array(lengths, np.uint32)},
                f"{cls.structure}, Example {number}",
            )
            for number, (operator, lengths) in enumerate(cases, 1)
        )

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        axis = min(self.axis, len(sizes) - 1)
        shape = (*sizes[:axis], 1, *sizes[axis + 1 :])
        numbers = [dice.between(0, sizes[axis]) for _sequence in range(int(np.prod(shape)))]
        return {LENGTHS: np.array(numbers, np.uint32).reshape(shape)}

    def alternative(self) -> Operator:
        return replace(self, axis=self.axis - 1 if self.axis else 1)

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        given, lengths = sizes[INPUT], sizes[LENGTHS]
        if not 0 <= self.axis < len(given):
            message = _("axis: {axis} is invalid; the input's dimensions are 0 to {last}.").format(
                axis=shown(self.axis), last=len(given) - 1
            )
            return [self._problem("axis", message, "Axis")]
        due = (*given[: self.axis], 1, *given[self.axis + 1 :])
        if lengths == due:
            return []
        message = _(
            "SequenceLengthsTensor: sizes {sizes} are not {due}, the input's {given} with 1 in "
            "dimension {axis}."
        ).format(
            sizes=print_sizes(lengths),
            due=print_sizes(due),
            given=print_sizes(given),
            axis=self.axis,
        )
        return [self._problem(LENGTHS, message, LENGTHS)]

    def _problem(self, field: str, message: str, member: str) -> Problem:
        return Problem(field, message, f"{self.structure}, {member}")

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        x, lengths = inputs[INPUT], inputs[LENGTHS]
        wrong = np.flatnonzero(lengths > x.shape[self.axis])
        if not wrong.size:
            return []
        message = beyond_sentence(x.shape, self.axis, lengths, int(wrong[0]))
        return [self._problem(LENGTHS, message, LENGTHS)]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {self.output_slots[0].name: sizes[INPUT]}

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return {name: tuple(map(str, out)) for name, out in self.outputs_after(sizes).items()}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        x = inputs[INPUT]
        along = sources(inputs[LENGTHS], x.shape[self.axis], self.axis)
        return {self.output_slots[0].name: np.take_along_axis(x, along, self.axis)}

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        lengths = inputs[LENGTHS]
        cells = np.arange(lengths.size, dtype=np.int64).reshape(lengths.shape)
        chosen = np.broadcast_to(cells, inputs[INPUT].shape)
        return {self.output_slots[0].name: np.ascontiguousarray(chosen)}

    def moves(self, inputs: Tensors) -> Steps:
        return reverse_steps(inputs[INPUT].shape, self.axis, inputs[LENGTHS])

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        sizes, lengths = inputs[INPUT].shape, inputs[LENGTHS]
        own = [index(d) for d in range(len(sizes))]
        at = own[self.axis]
        length = look(LENGTHS, *own[: self.axis], const(0), *own[self.axis + 1 :])
        own[self.axis] = below(at, length, length - 1 - at, at)
        formula = Formula(sizes, sizes, tuple(own), tables={LENGTHS: lengths.astype(np.int64)})
        return {self.output_slots[0].name: (formula,)}

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        # one length for each sequence
        lengths = replaced(names_of(len(sizes[INPUT])), self.axis, ONE)
        return super().letters(sizes) | {LENGTHS: lengths}

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        if len(inputs[INPUT].sizes) != 2:
            # ONNX has one length for a batch, which equals one for each sequence only here
            return None
        lengths = Constant("shape", np.array([-1], np.int64))
        axes = {"batch_axis": 1 - self.axis, "time_axis": self.axis}
        nodes = (
            Node("Cast", (LENGTHS,), {"to": _INT64}),
            Node("Reshape", (FLOW, lengths)),
            Node("ReverseSequence", (INPUT, FLOW), axes),
        )
        # up to ONNX Runtime 1.24.4, a length of 0 gives zeros on the CPU
        return Graph("native", nodes)

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        sizes = inputs[INPUT].sizes
        at = Constant("places", places(sizes[self.axis], self.axis, len(sizes)))
        one = Constant("one", np.array(1, np.int64))
        nodes = (
            Node("Cast", (LENGTHS,), {"to": _INT64}, ("lengths",)),
            Node("Sub", ("lengths", one), outputs=("last",)),
            Node("Sub", ("last", at), outputs=("turned",)),
            Node("Less", (at, "lengths"), outputs=("inside",)),
            Node("Where", ("inside", "turned", at), outputs=("indices",)),
            Node("GatherElements", (INPUT, "indices"), {"axis": self.axis}),
        )
        return Graph("lowered", nodes)

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        sizes = inputs[INPUT].sizes if INPUT in inputs else ()
        reach = int(sizes[self.axis]) + 1 if 0 <= self.axis < len(sizes) else 0
        case = self.case(inputs, reach)
        return reverse_snippets(case, self.axis, self.native_graph(inputs))
