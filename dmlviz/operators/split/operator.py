"""DML_SPLIT: the parts of a tensor along an axis, each a separate tensor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Error, Problem
from dmlviz.movement.expressions import index
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Constant, Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Operator, Tensors
from dmlviz.operators.checks import desc_fields, whole_number, whole_numbers
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.code.case import case_of
from dmlviz.operators.described import listed_sizes
from dmlviz.operators.examples import Example
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FIRST, SMALL, Support
from dmlviz.operators.settings import Axis, Setting, Sizes
from dmlviz.operators.slots import INPUT, Slot, TensorDesc
from dmlviz.operators.split.code import split_snippets
from dmlviz.operators.split.parts import Parts
from dmlviz.operators.split.steps import split_steps
from dmlviz.tensors import DATA_TYPES, shown
from dmlviz.words import _

OUTPUTS = Slot("OutputTensors", most=8)
_INPUT = INPUT[0].name


@dataclass(frozen=True)
class Split(Operator):
    """Split a tensor along an axis, as ``DML_SPLIT_OPERATOR_DESC`` does.

    Args:
        axis: the dimension of the input that is cut.
        parts: how long each output is along it, 1 or more; 1 to 8 numbers that add up to the
            input's size there.

    In a description the parts are the outputs' own sizes; 0 there means a size equal to the
    input's.

    >>> Split(1, (2, 1, 4)).output_sizes((3, 7))
    {'OutputTensors[0]': (3, 2), 'OutputTensors[1]': (3, 1), 'OutputTensors[2]': (3, 4)}
    """

    axis: int
    parts: tuple[int, ...]

    key: ClassVar[str] = "split"
    place: ClassVar[int] = 80
    operator_type: ClassVar[str] = "DML_OPERATOR_SPLIT"
    structure: ClassVar[str] = "DML_SPLIT_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("OutputCount", "Axis")
    # other settings make outputs of other sizes, which would reveal the answer
    unasked: ClassVar[tuple[str, ...]] = ("setting",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("1_0", (4,), FIRST),
        Support("2_1", (4,), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    output_slots: ClassVar[tuple[Slot, ...]] = (OUTPUTS,)
    free_tensors: ClassVar[tuple[str, ...]] = (OUTPUTS.name,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", whole_number("axis", self.axis))
        object.__setattr__(self, "parts", whole_numbers("parts", self.parts))

    @property
    def desc(self) -> dict[str, Any]:
        open_sizes = [0] * max(0, self.axis)
        outputs = [{"Sizes": [*open_sizes, part]} for part in self.parts]
        return {"Axis": self.axis, OUTPUTS.name: outputs}

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, ("Axis",), ("OutputCount", OUTPUTS.name))
        axis = whole_number("axis", desc["Axis"])
        outputs = listed_sizes(desc, OUTPUTS)
        for k, sizes in enumerate(outputs):
            if not 0 <= axis < len(sizes):
                raise Error(
                    _(
                        "desc: {name} of {structure} has Sizes {output}, which have no dimension "
                        "{axis}."
                    ).format(
                        name=OUTPUTS.names(k + 1)[k],
                        structure=cls.structure,
                        output=shown(list(sizes)),
                        axis=shown(axis),
                    ),
                    OUTPUTS.name,
                )
            if not _alike(sizes, outputs[0], axis):
                raise Error(
                    _(
                        "desc: {name} of {structure} has Sizes {output}, {first} has {due}; only "
                        "dimension {axis} may differ."
                    ).format(
                        name=OUTPUTS.names(k + 1)[k],
                        structure=cls.structure,
                        output=shown(list(sizes)),
                        first=OUTPUTS.names()[0],
                        due=shown(list(outputs[0])),
                        axis=axis,
                    ),
                    OUTPUTS.name,
                )
        return cls(axis, tuple(sizes[axis] for sizes in outputs))

    @property
    def documented(self) -> dict[str, Any]:
        return {"OutputCount": len(self.parts), "Axis": self.axis}

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            Axis("axis", "Axis", _("The dimension of the input that is cut.")),
            Parts(
                "parts",
                "Parts",
                _(
                    "How long each output is along Axis, in order: sizes, not places to cut at. "
                    "They add up to the input's size."
                ),
                count=OUTPUTS.most,
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.arange(1, 13, dtype=np.float32).reshape(1, 1, 6, 2)
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                operator,
                x,
                f"{cls.structure}, Example {number}",
            )
            for number, operator in enumerate((cls(2, (2, 1, 3)), cls(3, (1, 1))), 1)
        )

    @classmethod
    def fitted(cls, values: Mapping[str, Any], sizes: Sizes, before: Sizes) -> dict[str, Any]:
        found = super().fitted(values, sizes, before)
        axis, parts = values.get("axis", 0), values.get("parts", ())
        # keep parts with a wrong sum, for the message
        if axis < len(before) and sum(parts) == before[axis]:
            found["parts"] = _cut_off(parts, sizes[found.get("axis", 0)])
        return found

    def alternative(self) -> Operator:
        if self.parts != self.parts[::-1]:
            return replace(self, parts=self.parts[::-1])
        return replace(self, axis=self.axis - 1 if self.axis else 1)

    def with_output_sizes(self, outputs: Mapping[str, tuple[int, ...]]) -> Operator:
        wanted = list(outputs.values())
        named = tuple(outputs) == OUTPUTS.names(len(wanted)) and 0 < len(wanted) <= OUTPUTS.most
        if not named or not all(0 <= self.axis < len(sizes) for sizes in wanted):
            return self
        if not all(_alike(sizes, wanted[0], self.axis) for sizes in wanted):
            return self
        return replace(self, parts=tuple(sizes[self.axis] for sizes in wanted))

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        given = sizes[_INPUT]
        if not 0 <= self.axis < len(given):
            message = _("axis: {axis} is invalid; the input's dimensions are 0 to {last}.").format(
                axis=shown(self.axis), last=len(given) - 1
            )
            return [Problem("axis", message, f"{self.structure}, Axis")]
        size = given[self.axis]
        if not 1 <= len(self.parts) <= OUTPUTS.most:
            message = _(
                "parts: there are {count}; there must be 1 to {most} parts that add up to {size}."
            ).format(count=len(self.parts), most=OUTPUTS.most, size=size)
        elif min(self.parts) < 1:
            message = _("parts: {parts} has a part of {part}; each part must be 1 or more.").format(
                parts=shown(list(self.parts)), part=shown(min(self.parts))
            )
        elif sum(self.parts) != size:
            message = _(
                "parts: {sum} = {total}, but it must be {size}, the input's size in dimension "
                "{axis}."
            ).format(
                sum=" + ".join(shown(part) for part in self.parts),
                total=shown(sum(self.parts)),
                size=size,
                axis=self.axis,
            )
        else:
            return []
        return [Problem("parts", message, f"{self.structure}, OutputTensors")]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        given = sizes[_INPUT]
        names = OUTPUTS.names(len(self.parts))
        return {
            name: (*given[: self.axis], part, *given[self.axis + 1 :])
            for name, part in zip(names, self.parts, strict=True)
        }

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return {name: tuple(map(str, out)) for name, out in self.outputs_after(sizes).items()}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        cuts = list(accumulate(self.parts))[:-1]
        pieces = np.split(inputs[_INPUT], cuts, axis=self.axis)
        names = OUTPUTS.names(len(self.parts))
        return {name: piece.copy() for name, piece in zip(names, pieces, strict=True)}

    def moves(self, inputs: Tensors) -> Steps:
        return split_steps(self.outputs_after({_INPUT: inputs[_INPUT].shape}), self.axis)

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        given = inputs[_INPUT].shape
        found: dict[str, tuple[Formula, ...]] = {}
        start = 0
        for name, out in self.outputs_after({_INPUT: given}).items():
            source = tuple(
                index(d) + start if d == self.axis else index(d) for d in range(len(given))
            )
            found[name] = (Formula(given, out, source, output=name),)
            start += out[self.axis]
        return found

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        parts = Constant("split", np.array(self.parts, np.int64))
        names = OUTPUTS.names(len(self.parts))
        node = Node("Split", (_INPUT, parts), {"axis": self.axis}, names)
        return Graph("native", (node,), cpu_types=frozenset(DATA_TYPES))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        nodes = []
        for name, part, end in zip(
            OUTPUTS.names(len(self.parts)), self.parts, accumulate(self.parts), strict=True
        ):
            numbers = {"starts": end - part, "ends": end, "axes": self.axis}
            constants = (Constant(key, np.array([n], np.int64)) for key, n in numbers.items())
            nodes.append(Node("Slice", (_INPUT, *constants), outputs=(name,)))
        return Graph("lowered", tuple(nodes))

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        case = case_of(self, inputs)
        return split_snippets(case, self.axis, self.parts, self.native_graph(inputs))


def _alike(sizes: Sizes, due: Sizes, axis: int) -> bool:
    """Whether two outputs fit together; 0 leaves a size open."""
    pairs = enumerate(zip(sizes, due, strict=False))
    return len(sizes) == len(due) and all(d == axis or a == b or 0 in (a, b) for d, (a, b) in pairs)


def _cut_off(parts: Sizes, size: int) -> Sizes:
    """The parts of a dimension after its size changes: the last part shrinks or grows.

    >>> _cut_off((2, 1, 3), 4), _cut_off((2, 1, 3), 9), _cut_off((2, 1, 3), 2)
    ((2, 1, 1), (2, 1, 6), (2,))
    """
    found: list[int] = []
    for part in parts:
        if size > sum(found):
            found.append(min(part, size - sum(found)))
    return (*found[:-1], found[-1] + size - sum(found)) if found else ()
