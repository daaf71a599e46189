"""DML_SCATTER: the input, with updates written along one axis at given indices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.movement.expressions import index_letters, names_of, replaced
from dmlviz.movement.graphs import Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.code.indices import (
    einops_indices,
    from_front_lines,
    numpy_indices,
    onnx_indices_note,
    whole_indices,
)
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FLOATS, SMALL, Support
from dmlviz.operators.indices import (
    INDICES,
    INPUT,
    UPDATES,
    element_problems,
    from_front,
    index_nodes,
    indices_slot,
    outside,
)
from dmlviz.operators.mapped import At, Lookup, put
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.older import OlderForm
from dmlviz.operators.settings import Axis, Dice, setting, with_settings
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.operators.writers import Scattered, different_places, update_problems, writer_steps
from dmlviz.tensors import print_sizes
from dmlviz.tensors.numbering import take
from dmlviz.tensors.types import Array, Sizes, Tensors


@with_settings
class Scatter(Scattered):
    """Copy the input and write updates over it, as ``DML_SCATTER_OPERATOR_DESC`` does.

    Args:
        axis: the dimension in which an index replaces the coordinate of its update.

    The indices have the updates' sizes, and in all dimensions but the axis these are the input's.
    Negative indices count from the end. If two indices name the same place, which
    update the output holds there is undefined in DirectML.

    >>> sizes = {"InputTensor": (3, 3), "IndicesTensor": (2, 3), "UpdatesTensor": (2, 3)}
    >>> Scatter(0).output_sizes(sizes)
    (3, 3)
    """

    axis: int = setting(Axis, "Axis")

    dml: ClassVar[str] = "SCATTER"
    key: ClassVar[str] = "scatter"
    place: ClassVar[int] = 64
    support: ClassVar[tuple[Support, ...]] = (
        Support("1_0", (4,), FLOATS),
        Support("2_1", (4,), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    older_forms: ClassVar[tuple[OlderForm, ...]] = (
        # another name of the same structure
        OlderForm(
            "DML_OPERATOR_SCATTER_ELEMENTS",
            "DML_SCATTER_ELEMENTS_OPERATOR_DESC",
            ("Axis",),
            lambda desc: Scatter.from_desc(desc).settings,
        ),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (
        Slot(INPUT),
        indices_slot("1_0", like_first=True),
        Slot(UPDATES),
    )

    # ---- the rule

    def along(self, sizes: Mapping[str, Sizes]) -> range:
        return range(self.axis, self.axis + 1)

    def target(self, at: At, control: Lookup, sizes: Mapping[str, Sizes]) -> At:
        chosen = control.from_front(INDICES, at, sizes[INPUT][self.axis])
        return put(at, self.axis, chosen)

    def update_letters(self, sizes: Mapping[str, Sizes]) -> tuple[str, ...]:
        return replaced(names_of(len(sizes[INPUT])), self.axis, index_letters(1)[0])

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        out, indices = self.before(inputs), inputs[INDICES].astype(np.int64)
        np.put_along_axis(out, indices, inputs[UPDATES], axis=self.axis)
        return {self.output_slots[0].name: out}

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        problems = list(element_problems(self.structure, sizes, self.axis))
        if not problems and sizes[INDICES][self.axis] > sizes[INPUT][self.axis]:
            n, due = (sizes[name][self.axis] for name in (INDICES, INPUT))
            problems.append(self.problem(INDICES, "more", axis=self.axis, n=n, due=due))
        return [*problems, *update_problems(self.structure, sizes[INDICES], sizes[UPDATES], types)]

    def nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        cast, indices = index_nodes(inputs)
        tensors = (INPUT, indices, UPDATES)
        return (*cast, Node("ScatterElements", tensors, {"axis": self.axis}))

    # ---- examples, questions and moves

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # the page's first example writes a place twice, so its answer is undefined
        cases: tuple[tuple[int, Any, Any, Any], ...] = (
            (2, np.zeros((3, 3)), [[1, 0, 2], [0, 2, 1]], [[10, 11, 12], [20, 21, 22]]),
            (1, np.arange(5), [3, 1, 3, 0], [5, 6, 7, 8]),
        )
        return tuple(
            cls(0).documented_example(
                {
                    INPUT: np.array(x, np.float32),
                    INDICES: np.array(indices, np.uint32),
                    UPDATES: np.array(updates, np.float32),
                },
                number,
            )
            for number, x, indices, updates in cases
        )

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        axis = min(self.axis, len(sizes) - 1)
        count = dice.between(1, min(3, sizes[axis]))
        others = (*sizes[:axis], *sizes[axis + 1 :])
        lines = [different_places(sizes[axis], count, dice) for _line in range(math.prod(others))]
        indices = np.moveaxis(np.array(lines, np.int64).reshape(*others, count), -1, axis)
        return {INDICES: indices.copy(), UPDATES: np.broadcast_to(np.int64(0), indices.shape)}

    def alternative(self) -> Operator:
        return replace(self, axis=self.axis - 1 if self.axis else 1)

    def moves(self, inputs: Tensors) -> Steps:
        sizes, updates = inputs[INPUT].shape, inputs[UPDATES].shape
        return writer_steps(sizes, updates, self.places(inputs), partial(self.index_of, inputs))

    # ---- misreadings

    def misread(self, inputs: Tensors) -> Iterator[Candidate]:
        x, raw, updates = inputs[INPUT], inputs[INDICES], inputs[UPDATES]
        axis, size, say = self.axis, x.shape[self.axis], self.say
        indices = from_front(raw, size)
        for d in range(x.ndim):
            others = [k for k in range(x.ndim) if k != d]
            fits = all(raw.shape[k] <= x.shape[k] for k in others)
            if d != axis and fits and not outside(raw, x.shape[d]).any():
                # the same misconception has a key for each dimension
                at = put(tuple(np.indices(raw.shape)), d, from_front(raw, x.shape[d]))
                yield f"axis-{d}", say("misread-axis", d=d, axis=axis), _put(x, at, updates)
        front = tuple(slice(n) for n in updates.shape)
        if indices.max() < updates.shape[axis]:
            taken = np.take_along_axis(updates, indices, axis)
            yield "pulled", say("misread-pulled"), _put(x, front, taken)
        yield "in-order", say("misread-in-order"), _put(x, front, updates)
        if x.ndim == 2:
            lines = put((slice(None), slice(None)), axis, take(indices, 0, 1 - axis))
            yield "first", say("misread-first"), _put(x, lines, updates)
        if indices.min() > 0:
            words = say("misread-from-one", axis=axis)
            yield "from-one", words, _put_along(x, indices - 1, updates, axis)
        if indices.max() < x.size:
            words = say("misread-flat", axis=axis, last=size - 1)
            yield "flat", words, _put(x.ravel(), indices.ravel(), updates.ravel()).reshape(x.shape)
        joined = np.concatenate([x, updates], axis)
        words = say("misread-taken", sizes=print_sizes(raw.shape))
        yield "taken", words, np.take_along_axis(x, indices, axis)
        yield "joined", say("misread-joined", sizes=print_sizes(joined.shape)), joined
        order = np.argsort(indices, axis, kind="stable")
        yield "alone", say("misread-alone"), np.take_along_axis(updates, order, axis)
        written = _put_along(x, indices, updates, axis)
        yield "listed", say("misread-listed"), written.ravel()

    # ---- other dialects

    def index_limit(self, inputs: Mapping[str, TensorDesc]) -> int:
        sizes = inputs[INPUT].sizes if INPUT in inputs else ()
        return int(sizes[self.axis]) if 0 <= self.axis < len(sizes) else 0

    def onnx_note(self, case: Case) -> str:
        return onnx_indices_note(case)

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        axis, size = self.axis, case.sizes[self.axis]
        indices, note = numpy_indices(case)
        write = call("np.put_along_axis", "out", indices, "updates", f"axis={axis}")
        pytorch = [
            *from_front_lines(case, whole_indices("pytorch"), size),
            call("y = torch.scatter", "x", f"{axis}", "i", "updates"),
        ]
        tensorflow = [
            *from_front_lines(case, whole_indices("tensorflow"), size),
            f"ranges = [tf.range(n, dtype=tf.int64) for n in [{commas(case.inputs[1].sizes)}]]",
            'at = tf.meshgrid(*ranges, indexing="ij")',
            f"at[{axis}] = i",
            "y = tf.tensor_scatter_nd_update(x, tf.stack(at, axis=-1), updates)",
        ]
        return (
            numpy_snippet(case, ["out = x.copy()", write, "y = out"], note),
            pytorch_snippet(case, pytorch, self.say("pytorch")),
            tensorflow_snippet(case, tensorflow, self.say("tensorflow")),
            einops_indices(),
        )


def _put(x: Array, at: Any, updates: Array) -> Array:
    """A copy with the updates at an index of NumPy's."""
    out = x.copy()
    out[at] = updates
    return out


def _put_along(x: Array, indices: Array, updates: Array, axis: int) -> Array:
    """A copy with each update at its index along an axis."""
    out = x.copy()
    np.put_along_axis(out, indices, updates, axis)
    return out
