"""DML_REVERSE_SUBSEQUENCES: the first elements of each sequence in reverse order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.movement import CONTROL
from dmlviz.movement.expressions import ONE, below, names_of, replaced
from dmlviz.movement.graphs import ELEMENT_TYPES, FLOW, Constant, Graph, Node, cast
from dmlviz.movement.steps import Step, Steps, grouped_steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.checks import axis_problem
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.code.onnx import NodeText, onnx_snippet
from dmlviz.operators.feature_levels import ALL, ANY_RANK, SMALL, Support
from dmlviz.operators.indices import INPUT, WORD
from dmlviz.operators.mapped import At, Lookup, Mapped, put
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.settings import Axis, Dice, setting, with_settings
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import one_line, print_sizes
from dmlviz.tensors.numbering import print_flat_index, take
from dmlviz.tensors.types import Array, Sizes, Tensors

LENGTHS = "SequenceLengthsTensor"
_NOT_GATHERED = ("UINT16", "UINT32", "UINT64")
"""Types that ``torch.gather`` does not take in every version."""


@with_settings
class ReverseSubsequences(Mapped):
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

    axis: int = setting(Axis, "Axis")

    dml: ClassVar[str] = "REVERSE_SUBSEQUENCES"
    key: ClassVar[str] = "reverse-subsequences"
    place: ClassVar[int] = 130
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
            like_first=True,
        ),
    )

    # ---- the rule

    def shape(self, sizes: Mapping[str, Sizes]) -> Sizes:
        return sizes[INPUT]

    def source(self, at: At, control: Lookup, sizes: Sizes) -> At:
        i, length = at[self.axis], control(LENGTHS, put(at, self.axis, 0))
        return put(at, self.axis, below(i, length, length - 1 - i, i))

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        # one length for each sequence
        lengths = replaced(names_of(len(sizes[INPUT])), self.axis, ONE)
        return super().letters(sizes) | {LENGTHS: lengths}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        along = self.coordinates(inputs)[self.axis]
        turned = np.take_along_axis(inputs[INPUT], along, self.axis)
        return {self.output_slots[0].name: turned}

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        x, lengths, axis = sizes[INPUT], sizes[LENGTHS], self.axis
        if problem := axis_problem(axis, len(x), self.structure):
            return [problem]
        due = put(x, axis, 1)
        if lengths == due:
            return []
        numbers = {"sizes": lengths, "due": due, "given": x}
        printed = {name: print_sizes(of) for name, of in numbers.items()}
        return [self.problem(LENGTHS, "lengths", axis=axis, **printed)]

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        lengths, n = inputs[LENGTHS], inputs[INPUT].shape[self.axis]
        wrong = np.flatnonzero(lengths > n)
        if not wrong.size:
            return []
        length = int(lengths.ravel()[wrong[0]])
        low = length % WORD
        count = min(n, low - n + 1)
        message = self.say(
            "beyond" if low > n else "beyond-low",
            count,
            length=one_line(str(length), 24),
            cell=print_flat_index(int(wrong[0]), lengths.shape),
            n=n,
            axis=self.axis,
            low=low,
            count=count,
            last=n - 1,
        )
        return [Problem(LENGTHS, message, f"{self.structure}, {LENGTHS}")]

    def read_anyway(self, inputs: Mapping[str, Array]) -> Array:
        """What DirectML 1.15.4 reads for any lengths, including those beyond the axis.

        It takes a length's low 32 bits, and the last index for places beyond the axis.

        Returns:
            Flat indices of the input's elements, of its sizes; int64.
        """
        sizes, low = inputs[INPUT].shape, inputs[LENGTHS].astype(np.uint64) % np.uint64(WORD)
        at = self.coordinates({**inputs, LENGTHS: low})
        at[self.axis] = np.minimum(at[self.axis], sizes[self.axis] - 1)
        return np.ravel_multi_index(tuple(at), sizes)

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        if len(inputs[INPUT].sizes) != 2:
            # ONNX has one length for a batch, which equals one for each sequence only here
            return None
        lengths = Constant("shape", np.array([-1], np.int64))
        axes = {"batch_axis": 1 - self.axis, "time_axis": self.axis}
        nodes = (
            cast(LENGTHS, "INT64"),
            Node("Reshape", (FLOW, lengths)),
            Node("ReverseSequence", (INPUT, FLOW), axes),
        )
        # up to ONNX Runtime 1.24.4, the elements of a length of 0 are not written on the CPU
        return Graph("native", nodes)

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        sizes = inputs[INPUT].sizes
        at = Constant("places", places_along(sizes[self.axis], self.axis, len(sizes)))
        one = Constant("one", np.array(1, np.int64))
        nodes = (
            cast(LENGTHS, "INT64", "lengths"),
            Node("Sub", ("lengths", one), outputs=("last",)),
            Node("Sub", ("last", at), outputs=("turned",)),
            Node("Less", (at, "lengths"), outputs=("inside",)),
            Node("Where", ("inside", "turned", at), outputs=("indices",)),
            Node("GatherElements", (INPUT, "indices"), {"axis": self.axis}),
        )
        return Graph("lowered", nodes)

    # ---- examples, questions and moves

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.arange(1, 13, dtype=np.float32).reshape(1, 1, 3, 4)
        cases = ((cls(3), [[[[2], [4], [3]]]]), (cls(2), [[[[2, 3, 1, 0]]]]))
        return tuple(
            operator.documented_example({INPUT: x, LENGTHS: np.array(lengths, np.uint32)}, number)
            for number, (operator, lengths) in enumerate(cases, 1)
        )

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        axis = min(self.axis, len(sizes) - 1)
        shape = put(sizes, axis, 1)
        numbers = [dice.between(0, sizes[axis]) for _sequence in range(math.prod(shape))]
        return {LENGTHS: np.array(numbers, np.uint32).reshape(shape)}

    def alternative(self) -> Operator:
        return replace(self, axis=self.axis - 1 if self.axis else 1)

    def moves(self, inputs: Tensors) -> Steps:
        lengths, axis = inputs[LENGTHS], self.axis
        n, count = inputs[INPUT].shape[axis], lengths.size

        def one(k: int) -> Step:
            at, length = np.unravel_index(k, lengths.shape), int(lengths.ravel()[k])
            line = ", ".join(":" if d == axis else str(i) for d, i in enumerate(at))
            key = "stays" if length < 2 else "whole" if length == n else "reversed"
            rest = n if length < 2 else n - length
            numbers = {"length": length, "n": n, "last": length - 1, "rest": rest}
            title = f"{LENGTHS}{print_flat_index(k, lengths.shape)} = {length}"
            return Step(title, self.say(key, rest, line=f"in[{line}]", **numbers))

        def rest(first: int) -> Step:
            left = count - first
            ends = (print_flat_index(k, lengths.shape) for k in (first, count - 1))
            caption = self.say("reversed-too", count=left, axis=axis, n=left * n)
            return Step(f"{LENGTHS}{' – '.join(ends)}", caption)

        (drivers,) = self.drivers(inputs).values()
        return grouped_steps(drivers.ravel(), one, rest)

    # ---- misreadings

    def misread(self, inputs: Tensors) -> Iterator[Candidate]:
        x, lengths, axis, say = inputs[INPUT], inputs[LENGTHS].astype(np.int64), self.axis, self.say
        n, at = x.shape[axis], places_along(x.shape[axis], axis, x.ndim)

        def taken(along: Array) -> Array:
            return np.take_along_axis(x, np.broadcast_to(along, x.shape), axis)

        def reversed_by(lengths: Array, d: int = axis) -> Array:
            (turned,) = replace(self, axis=d).evaluate({INPUT: x, LENGTHS: lengths}).values()
            return turned

        yield "whole", say("misread-whole"), taken(n - 1 - at)
        behind = np.where(at >= n - lengths, 2 * n - lengths - 1 - at, at)
        yield "behind", say("misread-behind"), taken(behind)
        yield "last-index", say("misread-last-index"), reversed_by(np.minimum(lengths + 1, n))
        yield "short", say("misread-short"), reversed_by(np.maximum(lengths - 1, 0))
        both = np.where(at < lengths, lengths - 1 - at, n - 1 - at + lengths)
        yield "both", say("misread-both"), taken(both)
        ends = np.where((at == 0) & (lengths > 1), lengths - 1, np.where(at == lengths - 1, 0, at))
        yield "ends", say("misread-ends"), taken(ends)
        if lengths.size > 1:
            first = np.broadcast_to(lengths.flat[0], lengths.shape)
            words = say("misread-first-length", first=int(lengths.flat[0]))
            yield "first-length", words, reversed_by(first)
        for d, size in enumerate(x.shape):
            if d != axis and size == n > 1:
                turned = reversed_by(np.swapaxes(lengths, d, axis), d)
                yield f"axis-{d}", say("misread-axis", d=d, axis=axis), turned
        last, most = np.maximum(lengths - 1, 0), int(lengths.max())
        words = say("misread-last-element", n=n)
        yield "last-element", words, np.take_along_axis(x, last, axis)
        due = reversed_by(lengths)
        if 0 < most < n:
            words = say("misread-cut", most=most, n=n, axis=axis)
            yield "cut", words, take(due, np.arange(most), axis)
        words = say("misread-beside", twice=2 * n, n=n)
        yield "beside", words, np.concatenate([due, x], axis)
        if x.ndim > 1:
            other = axis - 1 if axis else 1
            words = say("misread-exchanged", axis=axis, other=other)
            yield "exchanged", words, np.swapaxes(due, axis, other)

    # ---- other dialects

    def index_limit(self, inputs: Mapping[str, TensorDesc]) -> int:
        return inputs[INPUT].sizes[self.axis] + 1

    def onnx_note(self, case: Case) -> str:
        return self.say("onnx-unwritten" if len(case.sizes) == 2 else "onnx-batches")

    def onnx_code(self, case: Case, inputs: Mapping[str, TensorDesc]) -> Snippet:
        if len(case.sizes) == 2:
            return super().onnx_code(case, inputs)
        # the lowered graph, whose places are a long constant
        places = f"np.arange({case.sizes[self.axis]}, dtype=np.int64).reshape({self._line(case)})"
        constants = {"places": places, "one": "np.array(1, dtype=np.int64)"}
        to = {"to": str(ELEMENT_TYPES["INT64"])}
        nodes = [
            NodeText("Cast", (LENGTHS,), attributes=to, outputs=("lengths",)),
            NodeText("Sub", ("lengths", "one"), constants, outputs=("last",)),
            NodeText("Sub", ("last", "places"), outputs=("turned",)),
            NodeText("Less", ("places", "lengths"), outputs=("inside",)),
            NodeText("Where", ("inside", "turned", "places"), outputs=("indices",)),
            NodeText("GatherElements", ("x", "indices"), attributes={"axis": f"{self.axis}"}),
        ]
        return onnx_snippet(case, nodes, note=self.onnx_note(case))

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        n, line = case.sizes[self.axis], self._line(case)
        numpy = [
            f"i = np.arange({n}).reshape({line})",
            "n = sequencelengths.astype(np.int64)",
            f"y = np.take_along_axis(x, np.where(i < n, n - 1 - i, i), axis={self.axis})",
        ]
        pytorch = [
            f"i = torch.arange({n}).reshape({line})",
            "n = sequencelengths.to(torch.int64)",
            "along = torch.where(i < n, n - 1 - i, i)",
            "places = torch.arange(x.numel()).reshape(x.shape)",
            f"places = places.gather({self.axis}, along).flatten()",
            "y = x.flatten().index_select(0, places).reshape(x.shape)",
        ]
        note = self.say("pytorch") if case.data_type in _NOT_GATHERED else ""
        return (
            numpy_snippet(case, numpy),
            pytorch_snippet(case, pytorch, note),
            self._tensorflow(case),
            Snippet("einops", note=self.say("einops")),
        )

    def _line(self, case: Case) -> str:
        """The sizes of the places along the axis, as Python's arguments."""
        return commas([n if d == self.axis else 1 for d, n in enumerate(case.sizes)])

    def _tensorflow(self, case: Case) -> Snippet:
        rank, axis, n = len(case.sizes), self.axis, case.sizes[self.axis]
        order = [*(d for d in range(rank) if d != axis), axis]
        turned, moved = [case.sizes[d] for d in order], axis != rank - 1
        back = [order.index(d) for d in range(rank)]
        lines = [
            *([f"x = tf.transpose(x, [{commas(order)}])"] if moved else []),
            f"rows = tf.reshape(x, [-1, {n}])",
            "lengths = tf.reshape(tf.cast(sequencelengths, tf.int64), [-1])",
            "y = tf.reverse_sequence(rows, lengths, seq_axis=1, batch_axis=0)",
            f"y = tf.reshape(y, [{commas(turned)}])",
            *([f"y = tf.transpose(y, [{commas(back)}])"] if moved else []),
        ]
        return tensorflow_snippet(case, lines)


def places_along(n: int, axis: int, rank: int) -> Array:
    """The indices 0 to ``n - 1`` along an axis of a tensor of that rank; int64."""
    return np.arange(n, dtype=np.int64).reshape(put((1,) * rank, axis, n))
