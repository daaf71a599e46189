"""DML_GATHER_ELEMENTS: single elements, each from the place that its index gives on one axis."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.movement.expressions import names_of, replaced
from dmlviz.movement.graphs import Node
from dmlviz.movement.steps import Step, Steps, grouped_steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.code.indices import (
    einops_indices,
    from_front_lines,
    indices_type,
    numpy_indices,
    whole_indices,
)
from dmlviz.operators.feature_levels import ALL, ANY_RANK, SMALL, Support
from dmlviz.operators.indices import (
    INDICES,
    INPUT,
    element_problems,
    from_front,
    index_nodes,
    indices_slot,
    outside,
)
from dmlviz.operators.mapped import At, Lookup, put
from dmlviz.operators.misreadings import MISREADING_LIMIT, Candidate
from dmlviz.operators.picked import Picked
from dmlviz.operators.settings import Axis, Dice, setting, with_settings
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import MAX_RANK, print_sizes
from dmlviz.tensors.numbering import print_flat_index, take
from dmlviz.tensors.types import Array, Sizes, Tensors


@with_settings
class GatherElements(Picked):
    """Copy one element for each index, as ``DML_GATHER_ELEMENTS_OPERATOR_DESC`` does.

    Args:
        axis: the dimension of the input in which the index replaces the element's own coordinate.

    The output has the sizes of the indices, and in all dimensions but the axis these are the
    input's. Negative indices count from the end.

    >>> import numpy as np
    >>> sizes = {"InputTensor": (3, 3), "IndicesTensor": (2, 3)}
    >>> GatherElements(0).output_sizes(sizes)
    (2, 3)
    >>> indices = np.array([[1, 2, 0], [2, 0, 0]])
    >>> inputs = {"InputTensor": np.zeros((3, 3)), "IndicesTensor": indices}
    >>> print(GatherElements(0).explain(inputs, (0, 1)))
    out[i, w] = in[IndicesTensor[i, w], w]
    out[0, 1] = in[IndicesTensor[0, 1], 1] = in[2, 1]
    """

    axis: int = setting(Axis, "Axis")

    dml: ClassVar[str] = "GATHER_ELEMENTS"
    key: ClassVar[str] = "gather-elements"
    place: ClassVar[int] = 62
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_1", (4,), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (Slot(INPUT), indices_slot("2_1", like_first=True))

    # ---- the rule

    def shape(self, sizes: Mapping[str, Sizes]) -> Sizes:
        return sizes[INDICES]

    def source(self, at: At, control: Lookup, sizes: Sizes) -> At:
        return put(at, self.axis, control.from_front(INDICES, at, sizes[self.axis]))

    def along(self, sizes: Mapping[str, Sizes]) -> range:
        return range(self.axis, self.axis + 1)

    def picks_slices(self, sizes: Mapping[str, Sizes]) -> bool:
        return False

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        of_indices = replaced(names_of(len(sizes[INPUT])), self.axis, "i")
        return super().letters(sizes) | {INDICES: of_indices, self.output_slots[0].name: of_indices}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        indices = inputs[INDICES].astype(np.int64)
        taken = np.take_along_axis(inputs[INPUT], indices, axis=self.axis)
        return {self.output_slots[0].name: taken}

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        return list(element_problems(self.structure, sizes, self.axis))

    def nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        cast, indices = index_nodes(inputs)
        return (*cast, Node("GatherElements", (INPUT, indices), {"axis": self.axis}))

    # ---- examples, questions and moves

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.arange(1, 10, dtype=np.float32).reshape(3, 3)
        indices = np.array([[1, 2, 0], [2, 0, 0]], np.uint32)
        return (cls(0).documented_example({INPUT: x, INDICES: indices}, part="Example"),)

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        axis = min(self.axis, len(sizes) - 1)
        shape = put(sizes, axis, dice.between(1, 3))
        numbers = [dice.between(0, sizes[axis] - 1) for _cell in range(math.prod(shape))]
        return {INDICES: np.array(numbers, np.int64).reshape(shape)}

    def alternative(self) -> Operator:
        return replace(self, axis=self.axis - 1 if self.axis else 1)

    def moves(self, inputs: Tensors) -> Steps:
        sizes, indices = inputs[INPUT].shape, inputs[INDICES]
        places = self.places(inputs).ravel()

        def one(k: int) -> Step:
            value, target = int(indices.ravel()[k]), print_flat_index(k, indices.shape)
            caption = self.say(
                "from-the-end" if value < 0 else "taken",
                value=value,
                size=sizes[self.axis],
                found=value + sizes[self.axis],
                source=print_flat_index(int(places[k]), sizes),
                target=target,
                axis=self.axis,
            )
            return Step(f"{INDICES}{target} = {value}", caption)

        def rest(first: int) -> Step:
            ends = (print_flat_index(k, indices.shape) for k in (first, indices.size - 1))
            caption = self.say("taken-too", count=indices.size - first, axis=self.axis)
            return Step(f"{INDICES}{' – '.join(ends)}", caption)

        return grouped_steps(np.arange(indices.size), one, rest)

    # ---- misreadings

    def misread(self, inputs: Tensors) -> Iterator[Candidate]:
        x, raw = inputs[INPUT], inputs[INDICES]
        axis, size, say = self.axis, x.shape[self.axis], self.say
        indices, least = from_front(raw, size), int(raw.min())
        taken = np.take_along_axis(x, indices, axis)
        for d in range(x.ndim):
            others = [k for k in range(x.ndim) if k != d]
            fits = all(raw.shape[k] <= x.shape[k] for k in others)
            if d != axis and fits and not outside(raw, x.shape[d]).any():
                # the same misconception has a key for each dimension
                at = put(tuple(np.indices(raw.shape)), d, from_front(raw, x.shape[d]))
                yield f"axis-{d}", say("misread-axis", d=d, axis=axis), x[at]
        if x.ndim > 1:
            first = indices.ravel()[: raw.shape[axis]]
            first = take(indices, 0, 1 - axis) if raw.ndim == 2 else first
            yield "first", say("misread-first"), take(x, first, axis)
        rest = x.size // size
        if x.ndim - 1 + raw.ndim <= MAX_RANK and rest * raw.size <= MISREADING_LIMIT:
            slices = take(x, indices, axis)
            words = say("misread-slices", n=rest, sizes=print_sizes(slices.shape))
            yield "slices", words, slices
        kept, front = x.copy(), [slice(None)] * x.ndim
        front[axis] = slice(min(size, raw.shape[axis]))
        kept[tuple(front)] = taken[tuple(front)]
        yield "kept", say("misread-kept", sizes=print_sizes(x.shape)), kept
        yield "listed", say("misread-listed"), taken.ravel()
        if indices.max() < x.size:
            yield "flat", say("misread-flat", axis=axis, last=size - 1), x.ravel()[indices]
        if raw.shape == x.shape and (np.sort(indices, axis) == np.indices(x.shape)[axis]).all():
            scattered = np.empty_like(x)
            np.put_along_axis(scattered, indices, x, axis)
            yield "put", say("misread-put"), scattered
        if least > 0:
            words = say("misread-from-one", axis=axis)
            yield "from-one", words, np.take_along_axis(x, indices - 1, axis)
        if least < 0:
            words = say("misread-clamped", size=size)
            clamped = np.maximum(raw.astype(np.int64), 0)
            yield "clamped", words, np.take_along_axis(x, clamped, axis)

    # ---- other dialects

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        axis, size = self.axis, case.sizes[self.axis]
        indices, note = numpy_indices(case)
        signed = not indices_type(case).startswith("U")
        numpy = [call("y = np.take_along_axis", "x", indices, f"axis={axis}")]
        pytorch = [
            *from_front_lines(case, whole_indices("pytorch"), size),
            call("y = torch.gather", "x", f"{axis}", "i"),
        ]
        tensorflow = [
            *from_front_lines(case, whole_indices("tensorflow"), size),
            call("y = tf.experimental.numpy.take_along_axis", "x", "i", f"axis={axis}"),
        ]
        return (
            numpy_snippet(case, numpy, note),
            pytorch_snippet(case, pytorch, self.say("pytorch-signed" if signed else "pytorch")),
            tensorflow_snippet(case, tensorflow, self.say("tensorflow")),
            einops_indices(),
        )
