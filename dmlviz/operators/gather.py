"""DML_GATHER: slices of the input along one axis, in the order of a tensor of indices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.movement.expressions import ONE, index_letters, names_of
from dmlviz.movement.graphs import FLOW, Node
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
    tuple_text,
)
from dmlviz.operators.code.indices import (
    einops_indices,
    from_front_lines,
    indices_type,
    numpy_indices,
)
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FLOATS, SMALL, Support
from dmlviz.operators.indices import (
    INDICES,
    INPUT,
    index_nodes,
    indices_slot,
    outside,
    ranks_problem,
    shape_of,
)
from dmlviz.operators.mapped import At, Lookup, put
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.picked import Picked
from dmlviz.operators.settings import Axis, Choice, Dice, setting, with_settings
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import MAX_RANK, print_sizes, short_text
from dmlviz.tensors.numbering import print_index, take
from dmlviz.tensors.types import Array, Sizes, Tensors


@with_settings
class Gather(Picked):
    """Copy whole slices that indices name, as ``DML_GATHER_OPERATOR_DESC`` does.

    Args:
        axis: the dimension of the input that the indices count along.
        index_dimensions: how many of the last dimensions of IndicesTensor hold indices; those
            before them have size 1.

    Each index is replaced by the slice of the input that it names. Negative indices count from
    the end.

    >>> import numpy as np
    >>> sizes = {"InputTensor": (5, 3), "IndicesTensor": (1, 4)}
    >>> Gather(0, 1).output_sizes(sizes)
    (4, 3)
    >>> inputs = {"InputTensor": np.zeros((5, 3)), "IndicesTensor": np.array([[2, 0, 2, 4]])}
    >>> print(Gather(0, 1).explain(inputs, (3, 1)))
    out[i, w] = in[IndicesTensor[0, i], w]
    out[3, 1] = in[IndicesTensor[0, 3], 1] = in[4, 1]
    """

    axis: int = setting(Axis, "Axis")
    index_dimensions: int = setting(
        Choice,
        "IndexDimensions",
        offered=lambda sizes: tuple(range((len(sizes) or MAX_RANK) + 1)),
        initial=1,
        least=0,
    )

    dml: ClassVar[str] = "GATHER"
    key: ClassVar[str] = "gather"
    place: ClassVar[int] = 60
    # other settings make outputs of other sizes, which would reveal the answer
    unasked: ClassVar[tuple[str, ...]] = ("setting",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("1_0", (4,), FLOATS),
        Support("2_1", (4,), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (Slot(INPUT), indices_slot("1_0"))

    # ---- the rule: the indices' dimensions take the place of the axis

    def inner(self, sizes: Mapping[str, Sizes]) -> Sizes:
        """The sizes of the indices themselves."""
        return sizes[INDICES][len(sizes[INDICES]) - self.index_dimensions :]

    def exact(self, sizes: Mapping[str, Sizes]) -> Sizes:
        """The output's sizes before leading ones are dropped or added."""
        return self._replaced(sizes[INPUT], self.inner(sizes))

    def _replaced(self, whole: Sequence[Any], inner: Sequence[Any]) -> tuple[Any, ...]:
        """What belongs to the input's dimensions, with others in the place of the axis."""
        return (*whole[: self.axis], *inner, *whole[self.axis + 1 :])

    def _ranked(self, exact: Sequence[Any], one: Any) -> tuple[Any, ...]:
        """The same for as many dimensions as the input has: leading ones are dropped or added."""
        more = self.index_dimensions - 1
        return (one,) * -more + tuple(exact[max(0, more) :])

    def shape(self, sizes: Mapping[str, Sizes]) -> Sizes:
        return self._ranked(self.exact(sizes), 1)

    def source(self, at: At, control: Lookup, sizes: Sizes) -> At:
        axis, count = self.axis, self.index_dimensions
        exact = (0,) * (count - 1) + at[max(0, 1 - count) :]
        cell = (0,) * (len(sizes) - count) + exact[axis : axis + count]
        chosen = control.from_front(INDICES, cell, sizes[axis])
        return (*exact[:axis], chosen, *exact[axis + count :])

    def along(self, sizes: Mapping[str, Sizes]) -> range:
        return range(self.axis, self.axis + 1)

    def picks_slices(self, sizes: Mapping[str, Sizes]) -> bool:
        return True

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        rank, count = len(sizes[INPUT]), self.index_dimensions
        inner = index_letters(count)
        exact = self._replaced(names_of(rank), inner)
        # those that the output leaves out have size 1
        named = (ONE if self.axis + k < count - 1 else letter for k, letter in enumerate(inner))
        return super().letters(sizes) | {
            INDICES: (*(ONE,) * (rank - count), *named),
            self.output_slots[0].name: self._ranked(exact, ONE),
        }

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        sizes = {name: array.shape for name, array in inputs.items()}
        indices = inputs[INDICES].astype(np.int64).reshape(self.inner(sizes))
        taken = take(inputs[INPUT], indices, axis=self.axis)
        return {self.output_slots[0].name: taken.reshape(self.shape(sizes))}

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        rank, indices, count = len(sizes[INPUT]), sizes[INDICES], self.index_dimensions
        problems = []
        if problem := axis_problem(self.axis, rank, self.structure):
            problems.append(problem)
        if not 0 <= count <= rank:
            problem = self.problem("index_dimensions", "count", count=short_text(count), rank=rank)
            problems.append(problem)
        if problem := ranks_problem(self.structure, sizes):
            problems.append(problem)
        if problems:
            return problems
        for d, n in enumerate(indices[: rank - count]):
            if n != 1:
                return [self.problem(INDICES, "leading", "IndexDimensions", d=d, n=n, count=count)]
        exact = self.exact(sizes)
        if any(n != 1 for n in exact[: max(0, count - 1)]):
            numbers = {"exact": print_sizes(exact), "more": len(exact), "rank": rank}
            return [
                self.problem("index_dimensions", "dropped", "OutputTensor", count=count, **numbers)
            ]
        return []

    def nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        sizes = {name: desc.sizes for name, desc in inputs.items()}
        nodes, indices = index_nodes(inputs)
        inner, output = self.inner(sizes), self.shape(sizes)
        if not inner or len(self.exact(sizes)) > MAX_RANK:
            # DirectML takes tensors of 1 to 8 dimensions; a row of indices gathers the same
            inner = (math.prod(inner),)
        if inner != sizes[INDICES]:
            nodes.append(Node("Reshape", (indices, shape_of(inner))))
            indices = FLOW
        nodes.append(Node("Gather", (INPUT, indices), {"axis": self.axis}))
        if self._replaced(sizes[INPUT], inner) != output:
            nodes.append(Node("Reshape", (FLOW, shape_of(output))))
        return tuple(nodes)

    # ---- examples and questions

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # the page's third example says IndexDimensions 2, which DirectML refuses for these sizes
        cases = (
            (cls(0, 1), (4,), 11, [3, 1, 3, 0, 2]),
            (cls(0, 1), (3, 2), 1, [[0, 1, 1, 2]]),
            (cls(1, 1), (3, 2), 1, [[1, 0]]),
            (cls(2, 2), (1, 3, 3), 1, [[[0, 2]]]),
            (cls(1, 2), (1, 3, 2), 1, [[[0, 1], [1, 2]]]),
        )
        return tuple(
            operator.documented_example(
                {
                    INPUT: np.arange(first, first + np.prod(sizes), dtype=np.float32).reshape(
                        sizes
                    ),
                    INDICES: np.array(indices, np.uint32),
                },
                number,
            )
            for number, (operator, sizes, first, indices) in enumerate(cases, 1)
        )

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        rank, count = len(sizes), self.index_dimensions
        axis = min(self.axis, rank - 1)
        inner = [dice.between(1, 3) for _d in range(min(count, rank))]
        # dimensions that the output leaves out must have size 1
        for d in range(max(0, count - 1 - axis)):
            inner[d] = 1
        numbers = [dice.between(0, sizes[axis] - 1) for _cell in range(math.prod(inner))]
        shape = (1,) * (rank - len(inner)) + tuple(inner)
        return {INDICES: np.array(numbers, np.int64).reshape(shape)}

    def alternative(self) -> Operator:
        return replace(self, axis=self.axis - 1 if self.axis else 1)

    # ---- moves: index by index

    def moves(self, inputs: Tensors) -> Steps:
        sizes = {name: array.shape for name, array in inputs.items()}
        indices, size = inputs[INDICES].ravel(), sizes[INPUT][self.axis]
        inner, n = self.inner(sizes), math.prod(sizes[INPUT]) // size
        whole = (":",) * len(sizes[INPUT])
        (drivers,) = self.drivers(inputs).values()

        def cell(k: int) -> str:
            ones = (0,) * (len(sizes[INDICES]) - len(inner))
            return print_index((*ones, *np.unravel_index(k, inner)))

        def one(k: int) -> Step:
            value = int(indices[k])
            front = value + size if value < 0 else value
            target = self._replaced(whole, np.unravel_index(k, inner))
            caption = self.say(
                "from-the-end" if value < 0 else "taken",
                n,
                value=value,
                size=size,
                found=front,
                source=print_index(put(whole, self.axis, front)),
                target=print_index(self._ranked(target, 0)),
                n=n,
            )
            return Step(f"{INDICES}{cell(k)} = {value}", caption)

        def rest(first: int) -> Step:
            count = indices.size - first
            caption = self.say("taken-too", n * count, count=count, axis=self.axis, n=n * count)
            return Step(f"{INDICES}{cell(first)} – {cell(indices.size - 1)}", caption)

        return grouped_steps(drivers.ravel(), one, rest)

    # ---- misreadings

    def misread(self, inputs: Tensors) -> Iterator[Candidate]:
        x, raw, say = inputs[INPUT], inputs[INDICES].astype(np.int64), self.say
        inner = raw.reshape(self.inner({INDICES: raw.shape}))
        axis, size = self.axis, x.shape[self.axis]
        n = x.size // size

        def taken(indices: Array, d: int = axis) -> Array:
            return _ranked_as(x, take(x, indices, d))

        for d in range(x.ndim):
            if d != axis and not outside(inner, x.shape[d]).any():
                # the same misconception has a key for each dimension
                yield f"axis-{d}", say("misread-axis", d=d, axis=axis), taken(inner, d)
        if all(raw.shape[d] <= x.shape[d] for d in range(x.ndim) if d != axis):
            part = x[put(tuple(map(slice, raw.shape)), axis, slice(None))]
            words = say("misread-elements", sizes=print_sizes(raw.shape), n=n)
            yield "elements", words, np.take_along_axis(part, raw, axis)
        if not outside(inner, x.size).any():
            flat = _ranked_as(x, take(x, inner))
            yield "flat", say("misread-flat", axis=axis, n=n), flat
        if inner.min() > 0:
            words = say("misread-from-one", axis=axis)
            yield "from-one", words, taken(inner - 1)
        if inner.min() < 0:
            words = say("misread-clamped", size=size)
            yield "clamped", words, taken(np.maximum(inner, 0))
        front = inner % size
        ordered = np.sort(front, axis=None).reshape(front.shape)
        words = say("misread-in-order", indices=", ".join(map(str, inner.ravel()[:8])))
        yield "in-order", words, taken(ordered)
        if inner.ndim == 1 and np.array_equal(ordered, np.arange(size)):
            yield "put", say("misread-put"), taken(np.argsort(front))
        if inner.ndim == 1:
            _values, places = np.unique(front, return_index=True)
            yield "once", say("misread-once"), taken(front[np.sort(places)])

    # ---- other dialects

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        sizes = {tensor.name: tensor.sizes for tensor in case.inputs}
        axis, inner, output = self.axis, self.inner(sizes), self.shape(sizes)
        ranked = self.exact(sizes) == output
        signed = not indices_type(case).startswith("U")
        size = sizes[INPUT][axis]
        indices, note = numpy_indices(case)
        if inner != sizes[INDICES]:
            indices += f".reshape({tuple_text(inner)})"
        numpy = [f"y = np.take(x, {indices}, axis={axis})"]
        pytorch = [
            *from_front_lines(case, "indices.flatten().to(torch.int64)", size),
            f"y = x.index_select({axis}, i).reshape({commas(output)})",
        ]
        whole = f"tf.reshape(tf.cast(indices, tf.int64), [{commas(inner)}])"
        tensorflow = [
            *from_front_lines(case, whole, size),
            f"y = tf.gather(x, i, axis={axis})",
        ]
        if not ranked:
            numpy.append(f"y = y.reshape({commas(output)})")
            tensorflow.append(f"y = tf.reshape(y, [{commas(output)}])")
        return (
            numpy_snippet(case, numpy, note),
            pytorch_snippet(case, pytorch, self.say("pytorch") if signed else ""),
            tensorflow_snippet(case, tensorflow, self.say("tensorflow") if signed else ""),
            einops_indices(),
        )


def _ranked_as(x: Array, taken: Array) -> Array:
    """With leading ones removed or added, if that gives the rank of ``x``."""
    sizes = taken.shape
    while len(sizes) > x.ndim and sizes[0] == 1:
        sizes = sizes[1:]
    return taken.reshape((1,) * (x.ndim - len(sizes)) + sizes)
