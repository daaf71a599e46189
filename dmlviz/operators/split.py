"""DML_SPLIT: the parts of a tensor along an axis, each a separate tensor."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.movement.expressions import index
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Constant, Graph, Node
from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.checks import axis_problem, desc_fields, whole_number
from dmlviz.operators.code.base import (
    NUMPY_TENSORS,
    Case,
    Snippet,
    all_made,
    call,
    commas,
    einops_axes,
    numpy_snippet,
)
from dmlviz.operators.desc_sizes import listed_sizes
from dmlviz.operators.directions import SIMPLE, place_words
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FIRST, SMALL, Support
from dmlviz.operators.mapped import put
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.settings import Axis, Dice, Numbers, setting, with_settings
from dmlviz.operators.slots import INPUT, Slot, TensorDesc
from dmlviz.tensors import DATA_TYPES, short_text
from dmlviz.tensors.numbering import take
from dmlviz.tensors.types import Array, Sizes, Tensors

OUTPUTS = Slot("OutputTensors", most=8)
_INPUT = INPUT[0].name


@dataclass(frozen=True)
class Parts(Numbers):
    """The parts of one of the input's dimensions, which add up to its size."""

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        # another setting draws the dimension to cut; it often has this size
        left = dice.choice(tuple(sizes[d] for d in active) or sizes)
        parts: list[int] = []
        while left > 1 and len(parts) < 2:
            parts.append(dice.between(1, left - 1))
            left -= parts[-1]
        return (*parts, left) if parts else None

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return tuple((1 + turn, n - turn - 1) for n in sizes if n > turn + 1)


@with_settings
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

    axis: int = setting(Axis, "Axis")
    parts: tuple[int, ...] = setting(Parts, "Parts", count=OUTPUTS.most)

    dml: ClassVar[str] = "SPLIT"
    key: ClassVar[str] = "split"
    place: ClassVar[int] = 80
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

    # ---- descriptions: the parts are the outputs' sizes

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
        names = OUTPUTS.names(len(outputs))
        for name, sizes in zip(names, outputs, strict=True):
            facts = {"name": name, "structure": cls.structure, "output": short_text(list(sizes))}
            if not 0 <= axis < len(sizes):
                raise Error(cls.say("no-axis", axis=short_text(axis), **facts), OUTPUTS.name)
            if not _alike(sizes, outputs[0], axis):
                first = {"first": names[0], "due": short_text(list(outputs[0]))}
                raise Error(cls.say("unlike", axis=axis, **first, **facts), OUTPUTS.name)
        return cls(axis, tuple(sizes[axis] for sizes in outputs))

    @property
    def documented(self) -> dict[str, Any]:
        return {"OutputCount": len(self.parts), "Axis": self.axis}

    def cpp_members(self) -> dict[str, str | Sequence[float]]:
        return {"Axis": str(self.axis)}

    # ---- the rule

    @property
    def cuts(self) -> list[int]:
        """The first index of each part but the first."""
        return list(accumulate(self.parts))[:-1]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the outputs."""
        return OUTPUTS.names(len(self.parts))

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        rank = len(sizes[_INPUT])
        if problem := axis_problem(self.axis, rank, self.structure):
            return [problem]
        parts, size = self.parts, sizes[_INPUT][self.axis]
        if not 1 <= len(parts) <= OUTPUTS.most:
            message = self.say("count", count=len(parts), most=OUTPUTS.most, size=size)
        elif min(parts) < 1:
            message = self.say("empty", parts=short_text(list(parts)), part=short_text(min(parts)))
        elif sum(parts) != size:
            terms = {"sum": " + ".join(map(short_text, parts)), "total": short_text(sum(parts))}
            message = self.say("sum", size=size, axis=self.axis, **terms)
        else:
            return []
        return [Problem("parts", message, f"{self.structure}, {OUTPUTS.name}")]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        parts = (put(sizes[_INPUT], self.axis, part) for part in self.parts)
        return dict(zip(self.names, parts, strict=True))

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        pieces = np.split(inputs[_INPUT], self.cuts, axis=self.axis)
        return {name: piece.copy() for name, piece in zip(self.names, pieces, strict=True)}

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        sizes = inputs[_INPUT].shape
        at = tuple(map(index, range(len(sizes))))
        outputs = self.outputs_after({_INPUT: sizes}).items()
        return {
            name: (Formula(sizes, out, put(at, self.axis, at[self.axis] + start), output=name),)
            for (name, out), start in zip(outputs, (0, *self.cuts), strict=True)
        }

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        parts = Constant("split", np.array(self.parts, np.int64))
        node = Node("Split", (_INPUT, parts), {"axis": self.axis}, self.names)
        return Graph("native", (node,), cpu_types=frozenset(DATA_TYPES))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        nodes = []
        for name, (start, end) in zip(
            self.names, pairwise((0, *accumulate(self.parts))), strict=True
        ):
            numbers = {"starts": start, "ends": end, "axes": self.axis}
            constants = (Constant(key, np.array([n], np.int64)) for key, n in numbers.items())
            nodes.append(Node("Slice", (_INPUT, *constants), outputs=(name,)))
        return Graph("lowered", tuple(nodes))

    # ---- examples, and settings that fit

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.arange(1, 13, dtype=np.float32).reshape(1, 1, 6, 2)
        return tuple(
            operator.documented_example(x, number)
            for number, operator in enumerate((cls(2, (2, 1, 3)), cls(3, (1, 1))), 1)
        )

    @classmethod
    def fitted(cls, values: Mapping[str, Any], sizes: Sizes, before: Sizes) -> dict[str, Any]:
        fitted = super().fitted(values, sizes, before)
        axis, parts = values.get("axis", 0), values.get("parts", ())
        # keep parts with a wrong sum, for the message
        if axis < len(before) and sum(parts) == before[axis]:
            fitted["parts"] = _cut_off(parts, sizes[fitted.get("axis", 0)])
        return fitted

    def alternative(self) -> Operator:
        if self.parts != self.parts[::-1]:
            return replace(self, parts=self.parts[::-1])
        return replace(self, axis=self.axis - 1 if self.axis else 1)

    def with_output_sizes(self, outputs: Mapping[str, Sizes]) -> Operator:
        every = list(outputs.values())
        named = tuple(outputs) == OUTPUTS.names(len(every)) and 0 < len(every) <= OUTPUTS.most
        if not named or not all(0 <= self.axis < len(sizes) for sizes in every):
            return self
        if not all(_alike(sizes, every[0], self.axis) for sizes in every):
            return self
        return replace(self, parts=tuple(sizes[self.axis] for sizes in every))

    # ---- moves: part after part

    def moves(self, inputs: Tensors) -> Steps:
        outputs = self.outputs_after({_INPUT: inputs[_INPUT].shape})
        counts = [math.prod(sizes) for sizes in outputs.values()]
        rank = inputs[_INPUT].ndim
        steps = map(partial(self._step, rank), outputs, (0, *self.cuts), self.parts, counts)
        step_of = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
        return Steps(tuple(steps), step_of, np.full(step_of.size, -1, np.int64))

    def _step(self, rank: int, name: str, start: int, part: int, n: int) -> Step:
        numbers = {"part": part, "axis": self.axis, "start": start, "n": n}
        numbers |= {"last": start + part - 1, "own": part - 1}
        key = "whole" if len(self.parts) == 1 else "single" if part == 1 else "several"
        if rank > SIMPLE:
            return Step(name, self.say(key, n, **numbers))
        here = place_words(rank, self.axis, 0, part - 1)
        there = place_words(rank, self.axis, start, start + part - 1)
        return Step(name, self.say(f"simple-{key}", part=part, here=here, there=there))

    # ---- misreadings

    def misread(self, x: Array) -> Iterator[Candidate]:
        axis, parts, size, say = self.axis, self.parts, x.shape[self.axis], self.say
        numbers = {"axis": axis, "first": parts[0], "count": len(parts)}
        if all(a < b for a, b in pairwise((0, *parts, size))):
            yield "cuts", say("misread-cuts", **numbers), _named(np.split(x, parts, axis))
        for d, n in enumerate(x.shape):
            if d != axis and n == size:
                # the same misconception has a key for each dimension
                cut = _named(np.split(x, self.cuts, d))
                yield f"axis-{d}", say("misread-axis", d=d, **numbers), cut
        if len(parts) > 1:
            backward = np.split(x, list(accumulate(parts[::-1]))[:-1], axis)
            equal = np.array_split(x, len(parts), axis)
            yield "equal", say("misread-equal", **numbers), _named(equal)
            yield "from-behind", say("misread-from-behind"), _named(backward[::-1])
            yield "other-order", say("misread-other-order", **numbers), _named(backward)
        pieces = range(0, size, parts[0])
        if len(pieces) <= OUTPUTS.most:
            chunks = np.split(x, pieces[1:], axis)
            yield "chunks", say("misread-chunks", **numbers), _named(chunks)
        if 1 < len(parts) <= size:
            dealt = [take(x, np.arange(k, size, len(parts)), axis) for k in range(len(parts))]
            words = say("misread-in-turn", last=parts[0] - 1, **numbers)
            yield "in-turn", words, _named(dealt)

    # ---- other dialects

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        cuts = f"[{commas(self.cuts)}]"
        shapes = f"[{', '.join(f'({part},)' for part in self.parts)}]"
        axes = einops_axes(len(case.sizes), self.axis)
        numpy = call("y = np.split", "x", cuts, f"axis={self.axis}")
        return (
            numpy_snippet(case, [numpy], self.say("numpy")),
            Snippet(
                "einops",
                "import numpy as np\nfrom einops import unpack",
                all_made(NUMPY_TENSORS, case),
                call("y = unpack", "x", shapes, f'"{axes}"'),
            ),
        )


def _alike(sizes: Sizes, due: Sizes, axis: int) -> bool:
    """Whether two outputs fit together; 0 leaves a size open."""
    pairs = enumerate(zip(sizes, due, strict=False))
    return len(sizes) == len(due) and all(d == axis or a == b or 0 in (a, b) for d, (a, b) in pairs)


def _cut_off(parts: Sizes, size: int) -> Sizes:
    """The parts of a dimension after its size changes: the last part shrinks or grows.

    >>> _cut_off((2, 1, 3), 4), _cut_off((2, 1, 3), 9), _cut_off((2, 1, 3), 2)
    ((2, 1, 1), (2, 1, 6), (2,))
    """
    cut: list[int] = []
    for part in parts:
        if size > sum(cut):
            cut.append(min(part, size - sum(cut)))
    return (*cut[:-1], cut[-1] + size - sum(cut)) if cut else ()


def _named(pieces: Sequence[Array]) -> dict[str, Array]:
    return dict(zip(OUTPUTS.names(len(pieces)), pieces, strict=True))
