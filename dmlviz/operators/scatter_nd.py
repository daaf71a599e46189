"""DML_SCATTER_ND: the input, with updates written at the places of index tuples."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.movement.graphs import Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
    tuple_text,
)
from dmlviz.operators.code.indices import einops_indices
from dmlviz.operators.feature_levels import ALL, ANY_RANK, SMALL, Support
from dmlviz.operators.indices import INDICES, INPUT, UPDATES, indices_slot, shape_of
from dmlviz.operators.mapped import At, Lookup
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.settings import Dice
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.operators.tuples import (
    TupleOperator,
    cells_of,
    numpy_tuples,
    pytorch_tuples,
    ranked_nodes,
    tensorflow_tuples,
    within,
)
from dmlviz.operators.writers import Scattered, update_problems, winners, writer_steps
from dmlviz.tensors import print_sizes
from dmlviz.tensors.types import Array, Sizes, Tensors


@dataclass(frozen=True)
class ScatterND(TupleOperator, Scattered):
    """Copy the input and write updates at index tuples, as ``DML_SCATTER_ND_OPERATOR_DESC`` does.

    Args:
        input_dimension_count: how many of the input's last dimensions count.
        indices_dimension_count: how many of the last dimensions of IndicesTensor count.

    The last dimension of IndicesTensor holds tuples, whose indices count along the input's first
    dimensions. Each has an update, an element or a slice, which covers what the tuple selects.
    Negative indices count from the end. If two tuples select the same place, which
    update the output holds there is undefined in DirectML.

    >>> sizes = {"InputTensor": (5, 3), "IndicesTensor": (2, 1), "UpdatesTensor": (2, 3)}
    >>> ScatterND(2, 2).output_sizes(sizes)
    (5, 3)
    """

    dml: ClassVar[str] = "SCATTER_ND"
    key: ClassVar[str] = "scatter-nd"
    place: ClassVar[int] = 66
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_1", (4,), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (Slot(INPUT), indices_slot("2_1"), Slot(UPDATES))

    # ---- the rule

    def target(self, at: At, control: Lookup, sizes: Mapping[str, Sizes]) -> At:
        return self.tuples(sizes).source(at, control)

    def update_letters(self, sizes: Mapping[str, Sizes]) -> tuple[str, ...]:
        return self.tuples(sizes).letters

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        tuples, out = self.tuples_of(inputs), self.before(inputs)
        selection = tuples.selection(tuples.inside(inputs[INDICES]))
        out.reshape(tuples.inner)[selection] = inputs[UPDATES].reshape(tuples.exact)
        return {self.output_slots[0].name: out}

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        tuples = self.tuples_of(inputs)
        last = winners(self.places(inputs), math.prod(tuples.sizes))
        first = last // math.prod(tuples.slices) * tuples.length
        drivers = np.where(last < 0, -1, first).reshape(tuples.sizes)
        return {self.output_slots[0].name: drivers}

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        problems = super().inputs_problems(sizes, types)
        if problems:
            return problems
        due = self.tuples(sizes).output
        return list(update_problems(self.structure, due, sizes[UPDATES], types))

    def nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        tuples = self.tuples({name: desc.sizes for name, desc in inputs.items()})
        nodes, x, indices = self.counted_nodes(inputs)
        updates, exact = UPDATES, cells_of(tuples) + tuples.slices
        if exact != tuples.output:
            updates = "counted_updates"
            nodes.append(Node("Reshape", (UPDATES, shape_of(exact)), outputs=(updates,)))
        scatter = Node("ScatterND", (x, indices, updates))
        return (*nodes, scatter, *ranked_nodes(tuples.inner, tuples.sizes))

    # ---- examples and questions

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # the page gives its tensors different ranks and FLOAT32 indices, which DirectML refuses;
        # with equal ranks and valid types, DirectML gives the page's answer
        inputs = {
            INPUT: np.arange(1, 9, dtype=np.float32).reshape(1, 8),
            INDICES: np.array([[4], [3], [1], [7]], np.uint32),
            UPDATES: np.array([[9, 10, 11, 12]], np.float32),
        }
        return (cls(1, 2).documented_example(inputs, part="Example"),)

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        indices = self.drawn_indices(sizes, dice)
        drawn = {INPUT: sizes, INDICES: indices.shape}
        # settings that fit no input are refused, whatever the updates are
        due = sizes if super().inputs_problems(drawn, {}) else self.tuples(drawn).output
        return {INDICES: indices, UPDATES: np.broadcast_to(np.int64(0), due)}

    def alternative(self) -> Operator:
        count = self.indices_dimension_count
        return replace(self, indices_dimension_count=count - 1 if count > 1 else 2)

    def moves(self, inputs: Tensors) -> Steps:
        tuples = self.tuples_of(inputs)
        each, slices = math.prod(tuples.slices), len(tuples.slices)
        places = self.places(inputs)[::each] // each

        def name(k: int) -> str:
            return self.index_of(inputs, k * each)

        return writer_steps(tuples.sizes, tuples.output, places, name, slices, tuples.length)

    def index_of(self, inputs: Tensors, k: int) -> str:
        tuples = self.tuples_of(inputs)
        nth = k // math.prod(tuples.slices)
        return f"{INDICES}{tuples.cell(nth)} = {tuples.places(inputs[INDICES], nth)[0]}"

    # ---- misreadings

    def misread(self, inputs: Tensors) -> Iterator[Candidate]:
        tuples, say = self.tuples_of(inputs), self.say
        x, updates = inputs[INPUT], inputs[UPDATES]
        whole = tuples.inside(inputs[INDICES])
        fronts = tuples.fronts(whole)
        exact = updates.reshape(tuples.exact)

        def put(indices: Array) -> Array:
            out = x.copy()
            out.reshape(tuples.inner)[tuples.selection(indices)] = exact
            return out

        yield from self.backwards(tuples, fronts, put)
        last = range(tuples.input_count - tuples.length, tuples.input_count)
        if tuples.slices and within(fronts, tuples.inner[last.start :]):
            # updates go as far as they reach, at places of the last dimensions
            out = x.copy()
            moved = np.moveaxis(out.reshape(tuples.inner), last, range(tuples.length))
            reach = zip(moved.shape[tuples.length :], tuples.slices, strict=True)
            front = tuple(slice(min(sizes)) for sizes in reach)
            for at in np.ndindex(tuples.cells):
                moved[tuple(fronts[at])][front] = exact[at][front]
            yield "last", say("misread-last", sizes=print_sizes(tuples.slices)), out
        if updates.size <= x.size:
            ordered = x.copy()
            ordered.ravel()[: updates.size] = updates.ravel()
            yield "in-order", say("misread-in-order"), ordered
        if tuples.length > 1 and not tuples.slices:
            rows = x.copy()
            for row, update in zip(fronts[..., 0].ravel(), updates.ravel(), strict=True):
                rows.reshape(tuples.inner)[row] = update
            yield "first", say("misread-first", length=tuples.length), rows
        yield from self.miscounted(tuples, whole, put)
        taken = x.reshape(tuples.inner)[tuples.selection(fronts)].reshape(tuples.output)
        words = say("misread-taken", sizes=print_sizes(tuples.output))
        yield "taken", words, taken
        yield "alone", say("misread-alone"), updates
        yield "listed", say("misread-listed"), put(fronts).ravel()

    # ---- other dialects

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        tuples = self.tuples({tensor.name: tensor.sizes for tensor in case.inputs})
        updates = tensorflow_updates = "updates"
        if tuples.exact != tuples.output:
            updates = f"updates.reshape({tuple_text(tuples.exact)})"
            tensorflow_updates = f"tf.reshape(updates, [{commas(tuples.exact)}])"
        counted = tuples.inner != tuples.sizes
        inner = f".reshape({commas(tuples.inner)})" if counted else ""
        back = f".reshape({commas(tuples.sizes)})" if counted else ""
        put = [f"out[tuple(i)] = {updates}", f"y = out{back}"]
        tensorflow = [
            *tensorflow_tuples(case, tuples),
            f"y = tf.tensor_scatter_nd_update(x, i, {tensorflow_updates})",
        ]
        if counted:
            tensorflow.append(f"y = tf.reshape(y, [{commas(tuples.sizes)}])")
        return (
            numpy_snippet(
                case, [*numpy_tuples(tuples), f"out = x.copy(){inner}", *put], self.say("numpy")
            ),
            pytorch_snippet(
                case,
                [*pytorch_tuples(tuples), f"out = x.clone(){inner}", *put],
                self.say("pytorch"),
            ),
            tensorflow_snippet(case, tensorflow, self.say("tensorflow")),
            einops_indices(),
        )
