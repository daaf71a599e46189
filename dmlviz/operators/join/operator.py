"""DML_JOIN: tensors one after another along an axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.expressions import index
from dmlviz.movement.formulas import Formula, Range
from dmlviz.movement.graphs import Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Operator, Tensors
from dmlviz.operators.checks import desc_fields, whole_number
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.code.case import case_of
from dmlviz.operators.examples import Example
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FIRST, SMALL, Support
from dmlviz.operators.join.code import join_snippets
from dmlviz.operators.join.steps import join_steps
from dmlviz.operators.settings import Axis, Dice, Setting, Sizes
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import DATA_TYPES, print_sizes, shown
from dmlviz.words import _

INPUTS = Slot("InputTensors", most=8)


@dataclass(frozen=True)
class Join(Operator):
    """Join tensors one after another along an axis, as ``DML_JOIN_OPERATOR_DESC`` does.

    Args:
        axis: the dimension along which they are joined; in all others they have the
            same sizes.

    >>> sizes = {"InputTensors[0]": (2, 3), "InputTensors[1]": (2, 4)}
    >>> Join(1).output_sizes(sizes)
    (2, 7)
    >>> Join(1).sums(sizes)
    {'OutputTensor': ('2', '3 + 4 = 7')}
    """

    axis: int

    key: ClassVar[str] = "join"
    place: ClassVar[int] = 70
    operator_type: ClassVar[str] = "DML_OPERATOR_JOIN"
    structure: ClassVar[str] = "DML_JOIN_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("InputCount", "Axis")
    # other settings make outputs of other sizes, which would reveal the answer
    unasked: ClassVar[tuple[str, ...]] = ("setting",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("1_0", (4,), FIRST),
        Support("2_1", (4,), SMALL),
        Support("3_0", (4, 5), SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (INPUTS,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "axis", whole_number("axis", self.axis))

    @property
    def desc(self) -> dict[str, Any]:
        return {"Axis": self.axis}

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, ("Axis",), ("InputCount",))
        return cls(desc["Axis"])

    @property
    def documented(self) -> dict[str, Any]:
        return self.desc

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (Axis("axis", "Axis", _("The dimension along which the inputs are joined.")),)

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        narrow, wide = _counted(((1, 1, 2, 3), (1, 1, 2, 4)))
        squares = _counted(((1, 1, 2, 2),) * 3)
        found = [
            Example(
                _("Documentation example {number}").format(number=1),
                cls(3),
                _by_name((narrow, wide)),
                f"{cls.structure}, Example 1",
            )
        ]
        for axis in (1, 2, 3):
            found.append(
                Example(
                    _("Documentation example {number}, axis {axis}").format(number=2, axis=axis),
                    cls(axis),
                    _by_name(squares),
                    f"{cls.structure}, Example 2, axis {axis}",
                )
            )
        return tuple(found)

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        axis = min(self.axis, len(sizes) - 1)
        found = {}
        for name in INPUTS.names(1 + dice.between(1, 2))[1:]:
            further = (*sizes[:axis], dice.between(1, 3), *sizes[axis + 1 :])
            found[name] = np.broadcast_to(np.int64(0), further)
        return found

    def alternative(self) -> Operator:
        return replace(self, axis=self.axis - 1 if self.axis else 1)

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        first, given = next(iter(sizes.items()))
        rank = len(given)
        if not 0 <= self.axis < rank:
            message = _("axis: {axis} is invalid; the inputs' dimensions are 0 to {last}.").format(
                axis=shown(self.axis), last=rank - 1
            )
            return [Problem("axis", message, f"{self.structure}, Axis")]
        found = []
        for name, other in sizes.items():
            message = self._differs(name, other, first, given)
            if not message and types.get(name, types.get(first)) != types.get(first):
                message = _(
                    "{name}: data type {data_type} differs from {due} of {first}; all inputs must "
                    "have the same data type."
                ).format(name=name, data_type=types[name], due=types.get(first), first=first)
            if message:
                found.append(Problem(name, message, f"{self.structure}, InputTensors"))
        return found

    def _differs(self, name: str, sizes: Sizes, first: str, due: Sizes) -> str:
        """Why an input does not fit the first one; empty if it does."""
        if len(sizes) != len(due):
            return _(
                "{name}: sizes {sizes} have rank {count}, {first} has rank {rank}; all inputs "
                "must have the same rank."
            ).format(
                name=name,
                sizes=print_sizes(sizes),
                count=len(sizes),
                first=first,
                rank=len(due),
            )
        for d, (n, other) in enumerate(zip(sizes, due, strict=True)):
            if d != self.axis and n != other:
                return _(
                    "{name}: dimension {d} has size {n} where {first} has {other}; only dimension "
                    "{axis}, along which they are joined, may differ."
                ).format(name=name, d=d, n=n, first=first, other=other, axis=self.axis)
        return ""

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        out = list(next(iter(sizes.values())))
        out[self.axis] = sum(given[self.axis] for given in sizes.values())
        return {self.output_slots[0].name: tuple(out)}

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        texts = [str(n) for n in next(iter(sizes.values()))]
        along = [given[self.axis] for given in sizes.values()]
        if len(along) > 1:
            texts[self.axis] = f"{' + '.join(map(str, along))} = {sum(along)}"
        return {self.output_slots[0].name: tuple(texts)}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        joined = np.concatenate(list(inputs.values()), axis=self.axis)
        return {self.output_slots[0].name: joined}

    def moves(self, inputs: Tensors) -> Steps:
        return join_steps({name: array.shape for name, array in inputs.items()}, self.axis)

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        sizes = {name: array.shape for name, array in inputs.items()}
        ((output, out),) = self.outputs_after(sizes).items()
        stops = accumulate(given[self.axis] for given in sizes.values())
        found = []
        for (name, given), stop in zip(sizes.items(), stops, strict=True):
            start = stop - given[self.axis]
            source = tuple(
                index(d) - start if d == self.axis else index(d) for d in range(len(given))
            )
            where = Range(self.axis, start, stop) if len(sizes) > 1 else None
            found.append(Formula(given, out, source, tensor=name, where=where))
        return {output: tuple(found)}

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        return Graph("native", self._nodes(inputs), cpu_types=frozenset(DATA_TYPES))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        # ONNX has no more basic operator for this
        return Graph("lowered", self._nodes(inputs))

    def _nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        return (Node("Concat", tuple(inputs), {"axis": self.axis}),)

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        return join_snippets(case_of(self, inputs), self.axis, self.native_graph(inputs))


def _counted(shapes: tuple[Sizes, ...]) -> tuple[Array, ...]:
    """Tensors of consecutive numbers, from 1 on through all of them."""
    found, start = [], 1
    for sizes in shapes:
        stop = start + int(np.prod(sizes))
        found.append(np.arange(start, stop, dtype=np.float32).reshape(sizes))
        start = stop
    return tuple(found)


def _by_name(tensors: tuple[Array, ...]) -> dict[str, Array]:
    return dict(zip(INPUTS.names(len(tensors)), tensors, strict=True))
