"""Operators of several tensors, as small as they go, for rooms that draw and tell: not registered."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

import numpy as np

import dmlviz
from dmlviz.movement import CONTROL, VALUES
from dmlviz.movement.expressions import index, look
from dmlviz.movement.formulas import Formula, Range
from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.base import Operator
from dmlviz.operators.calculations import size_alone
from dmlviz.operators.feature_levels import ALL, ANY_RANK, Support
from dmlviz.operators.slots import OUTPUT, Slot


@dataclass(frozen=True)
class Several(Operator):
    """What the operators below share."""

    support: ClassVar = (Support("1_0", ANY_RANK, ALL),)
    members: ClassVar = ("Axis",)
    place: ClassVar = 998

    @property
    def desc(self):
        return {"Axis": self.axis}

    documented = desc

    @classmethod
    def from_desc(cls, desc):
        return cls(desc["Axis"])

    @classmethod
    def parameters(cls):
        return ()

    @classmethod
    def examples(cls):
        return ()

    def misread(self, given):
        return ()

    def inputs_problems(self, sizes, types):
        return []

    def sums(self, sizes):
        return {
            name: tuple(map(size_alone, out)) for name, out in self.outputs_after(sizes).items()
        }

    def native_graph(self, inputs):
        return None

    def lowered_graph(self, inputs):
        raise NotImplementedError

    def code(self, inputs):
        return ()


@dataclass(frozen=True)
class Pick(Several):
    """Parts of the input along an axis, as a row of indices says."""

    axis: int = 0

    key: ClassVar = "pick"
    operator_type: ClassVar = "DML_OPERATOR_PICK"
    structure: ClassVar = "DML_PICK_OPERATOR_DESC"
    input_slots: ClassVar = (Slot("InputTensor"), Slot("IndicesTensor", CONTROL))

    def outputs_after(self, sizes):
        out = list(sizes["InputTensor"])
        out[self.axis] = sizes["IndicesTensor"][-1]
        return {"OutputTensor": tuple(out)}

    def evaluate(self, inputs):
        at = inputs["IndicesTensor"].ravel()
        return {"OutputTensor": np.take(inputs["InputTensor"], at, self.axis)}

    def drivers(self, inputs):
        (out,) = self.outputs_after({k: v.shape for k, v in inputs.items()}).values()
        return {"OutputTensor": np.indices(out)[self.axis].astype(np.int64)}

    def moves(self, inputs):
        (out,) = self.outputs_after({k: v.shape for k, v in inputs.items()}).values()
        step_of = np.indices(out)[self.axis].ravel().astype(np.int32)
        steps = [
            Step(f"Index {k}", f"IndicesTensor says {i}: part {i} of the input comes to place {k}.")
            for k, i in enumerate(inputs["IndicesTensor"].ravel())
        ]
        return Steps(tuple(steps), step_of, np.full(step_of.size, -1))

    def size_words(self):
        # it has no texts
        return ""

    def formulas(self, inputs):
        sizes, indices = inputs["InputTensor"].shape, inputs["IndicesTensor"]
        (out,) = self.outputs_after({k: v.shape for k, v in inputs.items()}).values()
        source = [index(d) for d in range(len(sizes))]
        zeros = [index(self.axis) * 0] * (indices.ndim - 1)
        source[self.axis] = look("IndicesTensor", *zeros, index(self.axis))
        made = Formula(
            sizes,
            out,
            tuple(source),
            tables={"IndicesTensor": indices},
        )
        return {"OutputTensor": (made,)}

    def misread(self, given):
        # taken for a Join of parts in order
        count = given["IndicesTensor"].size
        first = np.take(given["InputTensor"], np.arange(count), self.axis, mode="clip")
        yield "in-order", "The indices do not matter.", first
        yield "all", "Everything is copied.", given["InputTensor"]


@dataclass(frozen=True)
class Chain(Several):
    """Tensors one after the other along an axis."""

    axis: int = 0

    key: ClassVar = "chain"
    operator_type: ClassVar = "DML_OPERATOR_CHAIN"
    structure: ClassVar = "DML_CHAIN_OPERATOR_DESC"
    input_slots: ClassVar = (Slot("InputTensors", VALUES, most=8),)
    output_slots: ClassVar = OUTPUT

    def outputs_after(self, sizes):
        first, *_rest = sizes.values()
        out = list(first)
        out[self.axis] = sum(n[self.axis] for n in sizes.values())
        return {"OutputTensor": tuple(out)}

    def evaluate(self, inputs):
        return {"OutputTensor": np.concatenate(list(inputs.values()), self.axis)}

    def moves(self, inputs):
        numbered = [np.full(x.shape, k, np.int32) for k, x in enumerate(inputs.values())]
        step_of = np.concatenate(numbered, self.axis).ravel()
        steps = tuple(Step(name, f"All of {name} comes at once.") for name in inputs)
        return Steps(steps, step_of, np.full(step_of.size, -1))

    def size_words(self):
        # it has no texts
        return ""

    def formulas(self, inputs):
        (out,) = self.outputs_after({k: v.shape for k, v in inputs.items()}).values()
        ends = list(accumulate(x.shape[self.axis] for x in inputs.values()))
        found = []
        for (name, x), start, stop in zip(inputs.items(), [0, *ends], ends, strict=False):
            source = [index(d) for d in range(len(out))]
            source[self.axis] = source[self.axis] - start
            where = (Range(index(self.axis), start, stop),)
            found.append(Formula(x.shape, out, tuple(source), tensor=name, where=where))
        return {"OutputTensor": tuple(found)}


@dataclass(frozen=True)
class Cut(Several):
    """A tensor in parts of the sizes that are given along an axis."""

    axis: int = 0
    parts: tuple[int, ...] = (1, 1)

    key: ClassVar = "cut"
    operator_type: ClassVar = "DML_OPERATOR_CUT"
    structure: ClassVar = "DML_CUT_OPERATOR_DESC"
    output_slots: ClassVar = (Slot("OutputTensors", most=8),)

    def outputs_after(self, sizes):
        whole = sizes["InputTensor"]
        names = self.output_slots[0].names(len(self.parts))
        return {
            name: (*whole[: self.axis], n, *whole[self.axis + 1 :])
            for name, n in zip(names, self.parts, strict=True)
        }

    def evaluate(self, inputs):
        x = inputs["InputTensor"]
        names = self.outputs_after({"InputTensor": x.shape})
        cuts = list(accumulate(self.parts))[:-1]
        return dict(zip(names, np.split(x, cuts, self.axis), strict=True))

    def moves(self, inputs):
        outputs = self.outputs_after({"InputTensor": inputs["InputTensor"].shape})
        step_of = np.concatenate(
            [np.full(int(np.prod(n)), k, np.int32) for k, n in enumerate(outputs.values())]
        )
        steps = tuple(Step(name, f"{name} gets its part.") for name in outputs)
        return Steps(steps, step_of, np.full(step_of.size, -1))

    def size_words(self):
        # it has no texts
        return ""

    def formulas(self, inputs):
        x = inputs["InputTensor"]
        found, start = {}, 0
        for name, out in self.outputs_after({"InputTensor": x.shape}).items():
            source = [index(d) for d in range(x.ndim)]
            source[self.axis] = source[self.axis] + start
            start += out[self.axis]
            found[name] = (Formula(x.shape, out, tuple(source), output=name),)
        return found


def picked(sizes=(1, 1, 3, 4), indices=(2, 0, 2), axis=2, dtype=np.float32):
    """A run of :class:`Pick`."""
    x = np.arange(1, 1 + np.prod(sizes), dtype=dtype).reshape(sizes)
    at = np.array(indices, np.int64).reshape((1,) * (len(sizes) - 1) + (-1,))
    return dmlviz.run(Pick(axis), {"InputTensor": x, "IndicesTensor": at})


def chained(*sizes, axis=2):
    """A run of :class:`Chain`."""
    sizes = sizes or ((1, 1, 2, 3), (1, 1, 1, 3))
    start, inputs = 1, {}
    for k, one in enumerate(sizes):
        count = int(np.prod(one))
        values = np.arange(start, start + count, dtype=np.float32)
        inputs[f"InputTensors[{k}]"] = values.reshape(one)
        start += count
    return dmlviz.run(Chain(axis), inputs)


def cut(sizes=(1, 1, 3, 6), parts=(1, 3, 2), axis=3):
    """A run of :class:`Cut`."""
    x = np.arange(1, 1 + np.prod(sizes), dtype=np.float32).reshape(sizes)
    return dmlviz.run(Cut(axis, tuple(parts)), x)
