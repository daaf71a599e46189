"""DML_JOIN: tensors one after another along an axis."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import ClassVar

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.base.words import _
from dmlviz.movement.expressions import index
from dmlviz.movement.formulas import Formula, Range
from dmlviz.movement.graphs import Graph, Node
from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.calculations import Calculation, calculation, size_alone
from dmlviz.operators.code.base import (
    NUMPY_TENSORS,
    Case,
    Snippet,
    all_made,
    einops_axes,
)
from dmlviz.operators.directions import SIMPLE, place_words
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FIRST, SMALL, Support
from dmlviz.operators.mapped import put
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.settings import Axis, Dice, setting, with_settings
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import DATA_TYPES, MAX_RANK, print_sizes, short_text
from dmlviz.tensors.types import Array, Sizes, Tensors

INPUTS = Slot("InputTensors", most=8)


@with_settings
class Join(Operator):
    """Join tensors one after another along an axis, as ``DML_JOIN_OPERATOR_DESC`` does.

    Args:
        axis: the dimension along which they are joined; in all others they have the
            same sizes.

    >>> sizes = {"InputTensors[0]": (2, 3), "InputTensors[1]": (2, 4)}
    >>> Join(1).output_sizes(sizes)
    (2, 7)
    >>> print(Join(1).sums(sizes)["OutputTensor"][1].equation)
    3 + 4 = 7
    """

    axis: int = setting(Axis, "Axis")

    dml: ClassVar[str] = "JOIN"
    key: ClassVar[str] = "join"
    place: ClassVar[int] = 70
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

    # ---- the rule

    def lengths(self, sizes: Mapping[str, Sizes]) -> list[int]:
        """How long each input is along the axis."""
        return [each[self.axis] for each in sizes.values()]

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        first = next(iter(sizes))
        rank = len(sizes[first])
        if not 0 <= self.axis < rank:
            return [self.problem("axis", "axis", axis=short_text(self.axis), last=rank - 1)]
        problems = []
        for name in sizes:
            message = self._unlike(name, sizes[name], first, sizes[first])
            if not message and types.get(name, types.get(first)) != types.get(first):
                numbers = {"name": name, "data_type": types[name], "first": first}
                message = self.say("type", due=types.get(first), **numbers)
            if message:
                problems.append(Problem(name, message, f"{self.structure}, {INPUTS.name}"))
        return problems

    def _unlike(self, name: str, sizes: Sizes, first: str, due: Sizes) -> str:
        """Why an input does not fit the first one; empty if it does."""
        numbers = {"name": name, "first": first}
        if len(sizes) != len(due):
            numbers |= {"sizes": print_sizes(sizes)}
            return self.say("rank", count=len(sizes), rank=len(due), **numbers)
        for d, (n, other) in enumerate(zip(sizes, due, strict=True)):
            if d != self.axis and n != other:
                return self.say("size", d=d, n=n, other=other, axis=self.axis, **numbers)
        return ""

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        first = next(iter(sizes.values()))
        return {self.output_slots[0].name: put(first, self.axis, sum(self.lengths(sizes)))}

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[Calculation, ...]]:
        ((name, out),) = self.outputs_after(sizes).items()
        lengths, sums = self.lengths(sizes), tuple(map(size_alone, out))
        if len(lengths) > 1:
            sums = put(sums, self.axis, calculation("+", *lengths))
        return {name: sums}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        joined = np.concatenate(list(inputs.values()), axis=self.axis)
        return {self.output_slots[0].name: joined}

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        sizes = {name: array.shape for name, array in inputs.items()}
        ((output, out),) = self.outputs_after(sizes).items()
        at = tuple(map(index, range(len(out))))
        ends = pairwise((0, *accumulate(self.lengths(sizes))))
        formulas = []
        for (name, each), (start, end) in zip(sizes.items(), ends, strict=True):
            where = (Range(at[self.axis], start, end),) if len(sizes) > 1 else ()
            source = put(at, self.axis, at[self.axis] - start)
            formulas.append(Formula(each, out, source, tensor=name, where=where))
        return {output: tuple(formulas)}

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        return Graph("native", self._nodes(inputs), cpu_types=frozenset(DATA_TYPES))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        # ONNX has no more basic operator for this
        return Graph("lowered", self._nodes(inputs))

    def _nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        return (Node("Concat", tuple(inputs), {"axis": self.axis}),)

    # ---- examples and questions

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        unequal = _counted([(1, 1, 2, 3), (1, 1, 2, 4)])
        squares = _counted([(1, 1, 2, 2)] * 3)
        examples = [cls(3).documented_example(unequal, 1)]
        for axis in (1, 2, 3):
            title = _("Documentation example {number}, axis {axis}").format(number=2, axis=axis)
            source = f"{cls.structure}, Example 2, axis {axis}"
            examples.append(Example(title, cls(axis), squares, source))
        return tuple(examples)

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        axis = min(self.axis, len(sizes) - 1)
        return {
            name: np.broadcast_to(np.int64(0), put(sizes, axis, dice.between(1, 3)))
            for name in INPUTS.names(1 + dice.between(1, 2))[1:]
        }

    def alternative(self) -> Operator:
        return replace(self, axis=self.axis - 1 if self.axis else 1)

    # ---- moves: tensor after tensor

    def moves(self, inputs: Tensors) -> Steps:
        sizes = {name: array.shape for name, array in inputs.items()}
        (out,) = self.outputs_after(sizes).values()
        lengths = self.lengths(sizes)
        starts = [0, *accumulate(lengths)][:-1]
        steps = tuple(map(self._step, sizes, sizes.values(), starts))
        owners = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
        owners = owners.reshape([-1 if d == self.axis else 1 for d in range(len(out))])
        step_of = np.broadcast_to(owners, out).ravel()
        return Steps(steps, step_of, np.full(step_of.size, -1, np.int64))

    def _step(self, name: str, sizes: Sizes, start: int) -> Step:
        """The step of an input whose first place along the axis is ``start``."""
        size, n = sizes[self.axis], math.prod(sizes)
        numbers = {"axis": self.axis, "size": size, "start": start, "n": n}
        numbers |= {"last": start + size - 1, "own": size - 1}
        key = "first" if start == 0 else "single" if size == 1 else "several"
        if (rank := len(sizes)) > SIMPLE:
            return Step(name, self.say(key, n, **numbers))
        here = place_words(rank, self.axis, 0, size - 1)
        there = place_words(rank, self.axis, start, start + size - 1)
        return Step(name, self.say(f"simple-{key}", here=here, there=there))

    # ---- misreadings

    def misread(self, inputs: Tensors) -> Iterator[Candidate]:
        tensors, axis, say = list(inputs.values()), self.axis, self.say
        if len(tensors) == 1:
            return
        first, joined = tensors[0].shape, np.concatenate(tensors, axis)
        alike = all(x.shape == first for x in tensors)
        for d in range(len(first)):
            if d != axis and len({put(x.shape, d, 0) for x in tensors}) == 1:
                # the same misconception has a key for each dimension
                words = say("misread-axis", d=d, axis=axis)
                yield f"axis-{d}", words, np.concatenate(tensors, d)
        if alike and len(first) < MAX_RANK:
            yield "stacked", say("misread-stacked"), np.stack(tensors, axis)
        yield "last-first", say("misread-last-first"), np.concatenate(tensors[::-1], axis)
        if alike:
            turned = np.stack(tensors, axis + 1).reshape(joined.shape)
            yield "in-turn", say("misread-in-turn", size=first[axis]), turned
        memory = np.concatenate([x.ravel() for x in tensors]).reshape(joined.shape)
        yield "memory", say("misread-memory"), memory

    # ---- other dialects

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        tensors = f"[{', '.join(x.variable for x in case.inputs)}]"
        axes = einops_axes(len(case.sizes), self.axis)
        return (
            Snippet(
                "einops",
                "import numpy as np\nfrom einops import pack",
                all_made(NUMPY_TENSORS, case),
                f'packed, sizes = pack({tensors}, "{axes}")\ny = packed',
                self.say("einops"),
            ),
        )


def _counted(shapes: Sequence[Sizes]) -> dict[str, Array]:
    """Tensors of consecutive numbers, from 1 on through all of them, by name."""
    stops = accumulate(map(math.prod, shapes))
    return {
        name: np.arange(1 + stop - math.prod(sizes), 1 + stop, dtype=np.float32).reshape(sizes)
        for name, sizes, stop in zip(INPUTS.names(len(shapes)), shapes, stops, strict=True)
    }
