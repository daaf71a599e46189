"""DML_GATHER_ND1: for each tuple of indices, the element or slice that it selects."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.movement.graphs import Node
from dmlviz.movement.steps import Step, Steps, grouped_steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.checks import desc_fields
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.code.indices import einops_indices, indices_type
from dmlviz.operators.feature_levels import ALL, ANY_RANK, SMALL, Support
from dmlviz.operators.indices import INDICES, INPUT, indices_slot
from dmlviz.operators.mapped import At, Lookup
from dmlviz.operators.misreadings import MISREADING_LIMIT, Candidate
from dmlviz.operators.older import OlderForm
from dmlviz.operators.picked import Picked
from dmlviz.operators.settings import Choice, Dice, setting, with_settings
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.operators.tuples import (
    TupleOperator,
    Tuples,
    cells_of,
    numpy_tuples,
    pytorch_tuples,
    ranked_nodes,
    tensorflow_tuples,
    within,
)
from dmlviz.tensors import MAX_RANK, print_sizes, short_text
from dmlviz.tensors.numbering import take
from dmlviz.tensors.types import Array, Sizes, Tensors

_OLDER = "DML_GATHER_ND_OPERATOR_DESC"
_OLDER_MEMBERS = ("InputDimensionCount", "IndicesDimensionCount")


def _read_older(desc: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the GatherND that does what DML_GATHER_ND's fields describe: no batches."""
    desc_fields(_OLDER, desc, _OLDER_MEMBERS, ())
    return GatherND(desc[_OLDER_MEMBERS[0]], desc[_OLDER_MEMBERS[1]], 0).settings


@with_settings
class GatherND(TupleOperator, Picked):
    """Copy what tuples of indices select, as ``DML_GATHER_ND1_OPERATOR_DESC`` does.

    Args:
        input_dimension_count: how many of the input's last dimensions count.
        indices_dimension_count: how many of the last dimensions of IndicesTensor count.
        batch_dimension_count: how many of the first ones that count are batches: each is gathered
            from by its own tuples.

    The last dimension of IndicesTensor holds tuples, whose indices count along the input's first
    dimensions after the batches. A tuple selects an element, or a slice if it has fewer
    indices than there are dimensions. Negative indices count from the end.

    >>> import numpy as np
    >>> sizes = {"InputTensor": (5, 3), "IndicesTensor": (4, 2)}
    >>> GatherND(2, 2, 0).output_sizes(sizes)
    (1, 4)
    >>> inputs = {"InputTensor": np.zeros((5, 3)), "IndicesTensor": np.array([[4, 2], [0, 1]])}
    >>> print(GatherND(2, 2, 0).explain(inputs, (0, 1)))
    out[0, i] = in[IndicesTensor[i, 0], IndicesTensor[i, 1]]
    out[0, 1] = in[IndicesTensor[1, 0], IndicesTensor[1, 1]] = in[0, 1]
    """

    batch_dimension_count: int = setting(
        Choice,
        "BatchDimensionCount",
        offered=lambda sizes: tuple(range(len(sizes) or MAX_RANK)),
        initial=0,
        least=0,
    )

    dml: ClassVar[str] = "GATHER_ND1"
    key: ClassVar[str] = "gather-nd"
    place: ClassVar[int] = 63
    support: ClassVar[tuple[Support, ...]] = (
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    older_forms: ClassVar[tuple[OlderForm, ...]] = (
        OlderForm("DML_OPERATOR_GATHER_ND", _OLDER, _OLDER_MEMBERS, _read_older),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (Slot(INPUT), indices_slot())

    # ---- the rule

    @property
    def batches(self) -> int:
        return self.batch_dimension_count

    def shape(self, sizes: Mapping[str, Sizes]) -> Sizes:
        return self.tuples(sizes).output

    def source(self, at: At, control: Lookup, sizes: Sizes) -> At:
        return self.tuples({INPUT: sizes, INDICES: control.sizes(INDICES)}).source(at, control)

    def picks_slices(self, sizes: Mapping[str, Sizes]) -> bool:
        return bool(self.tuples(sizes).slices)

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        tuples = self.tuples(sizes)
        own = {INDICES: tuples.index_letters, self.output_slots[0].name: tuples.letters}
        return super().letters(sizes) | own

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        tuples = self.tuples_of(inputs)
        selection = tuples.selection(tuples.inside(inputs[INDICES]))
        taken = inputs[INPUT].reshape(tuples.inner)[selection]
        return {self.output_slots[0].name: taken.reshape(tuples.output)}

    def batch_problems(self, tuples: Tuples) -> Iterator[Problem]:
        batches, counts = tuples.batches, (tuples.input_count, tuples.indices_count)
        if not 0 <= batches < min(counts):
            numbers = {"count": short_text(batches), "most": min(counts) - 1}
            numbers |= dict(zip(("input", "indices"), counts, strict=True))
            yield self.problem("batch_dimension_count", "batches", "BatchDimensionCount", **numbers)
        for d, (n, due) in enumerate(zip(tuples.cells[:batches], tuples.inner, strict=False)):
            if n != due:
                yield self.problem(INDICES, "batch", "BatchDimensionCount", d=d, n=n, due=due)

    def nodes(self, inputs: Mapping[str, TensorDesc]) -> tuple[Node, ...]:
        tuples = self.tuples({name: desc.sizes for name, desc in inputs.items()})
        nodes, x, indices = self.counted_nodes(inputs)
        gather = Node("GatherND", (x, indices), {"batch_dims": tuples.batches})
        return (*nodes, gather, *ranked_nodes(cells_of(tuples) + tuples.slices, tuples.output))

    # ---- examples and questions

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        batches = [[[0, 0], [1, 1]], [[1, 1], [0, 0]], [[0, 1], [1, 0]]]
        cases = (
            (cls(2, 2, 0), (2, 2), [[1], [0]]),
            (cls(3, 3, 1), (1, 3, 2, 2), [batches]),
        )
        return tuple(
            operator.documented_example(
                {
                    INPUT: np.arange(np.prod(sizes), dtype=np.float32).reshape(sizes),
                    INDICES: np.array(indices, np.uint32),
                },
                number,
            )
            for number, (operator, sizes, indices) in enumerate(cases, 1)
        )

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        return {INDICES: self.drawn_indices(sizes, dice)}

    def alternative(self) -> Operator:
        batches = self.batch_dimension_count
        return replace(self, batch_dimension_count=batches - 1 if batches else 1)

    # ---- moves: tuple by tuple

    def moves(self, inputs: Tensors) -> Steps:
        tuples, indices = self.tuples_of(inputs), inputs[INDICES]
        count, n = math.prod(tuples.cells), math.prod(tuples.slices)

        def one(k: int) -> Step:
            words, source, target = tuples.places(indices, k)
            if tuples.inside(indices).reshape(count, -1)[k].min() < 0:
                key = "from-the-end"
            else:
                key = (
                    "batch-selects"
                    if tuples.batches
                    else "selects"
                    if tuples.slices
                    else "names-one"
                )
            caption = self.say(key, n, tuple=words, source=source, target=target, n=n)
            return Step(f"{INDICES}{tuples.cell(k)} = {words}", caption)

        def rest(first: int) -> Step:
            left = count - first
            caption = self.say("selected-too", left * n, count=left, n=left * n)
            return Step(f"{INDICES}{tuples.cell(first)} – {tuples.cell(count - 1)}", caption)

        return grouped_steps(np.repeat(np.arange(count), n), one, rest)

    # ---- misreadings

    def misread(self, inputs: Tensors) -> Iterator[Candidate]:
        tuples, say = self.tuples_of(inputs), self.say
        x = inputs[INPUT].reshape(tuples.inner)
        whole = tuples.inside(inputs[INDICES])
        fronts = tuples.fronts(whole)
        length = tuples.length

        def ranked(taken: Array) -> Array:
            return taken.reshape((1,) * (len(tuples.sizes) - taken.ndim) + taken.shape)

        def taken(indices: Array) -> Array:
            return ranked(x[tuples.selection(indices)])

        room = fronts.size * (x.size // x.shape[0]) <= MISREADING_LIMIT
        small = within(fronts, (x.shape[0],) * length)
        if small and not tuples.batches and x.ndim - 1 + fronts.ndim <= MAX_RANK and room:
            yield "rows", say("misread-rows"), take(x, fronts, 0)
        if length > 1:
            yield "first", say("misread-first", length=length), taken(fronts[..., :1])
        yield from self.backwards(tuples, fronts, taken)
        last = range(x.ndim - length, x.ndim)
        if tuples.slices and not tuples.batches and within(fronts, x.shape[last.start :]):
            words = say("misread-last", sizes=print_sizes(tuples.slices))
            moved = np.moveaxis(x, last, range(length))
            yield "last", words, ranked(moved[tuples.selection(fronts)])
        if fronts.max() < x.size and length > 1:
            yield "flat", say("misread-flat", length=length), ranked(x.ravel()[fronts])
        yield from self._misread_batches(tuples, x, fronts, ranked)
        yield from self.miscounted(tuples, whole, taken)
        if tuples.exact != tuples.output:
            words = say("misread-unranked", rank=len(tuples.output))
            alone = taken(fronts).reshape(tuples.exact or (1,))
            yield "unranked", words, alone

    def _misread_batches(
        self, tuples: Tuples, x: Array, fronts: Array, ranked: Callable[[Array], Array]
    ) -> Iterator[Candidate]:
        """Batches ignored, or assumed where there are none."""
        batches, length, say = tuples.batches, tuples.length, self.say
        if batches:
            rows = x.reshape(math.prod(x.shape[:batches]), -1)
            same = np.broadcast_to(rows[:1], rows.shape).reshape(x.shape)
            words = say("misread-first-batch", count=batches)
            yield "first-batch", words, ranked(same[tuples.selection(fronts)])
            rank = fronts.ndim - 1 + x.ndim - length
            if rank <= MAX_RANK and within(fronts, x.shape[:length]):
                taken = x[replace(tuples, batches=0).selection(fronts)]
                if taken.size <= MISREADING_LIMIT:
                    words = say("misread-no-batch", axis=tuples.along.start)
                    yield "no-batch", words, ranked(taken)
            return
        paired = tuples.slices and tuples.cells and tuples.cells[0] == x.shape[0]
        if paired and within(fronts, x.shape[1 : 1 + length]):
            selection = replace(tuples, batches=1).selection(fronts)
            yield "a-batch", say("misread-a-batch"), ranked(x[selection])

    # ---- other dialects

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        tuples = self.tuples({tensor.name: tensor.sizes for tensor in case.inputs})
        ranked = tuples.exact == tuples.output
        x = "x" if tuples.inner == tuples.sizes else f"x.reshape({commas(tuples.inner)})"
        taken = f"y = {x}[(*batch, *i)]" if tuples.batches else f"y = {x}[tuple(i)]"
        taken += "" if ranked else f".reshape({commas(tuples.output)})"
        batches = f", batch_dims={tuples.batches}" if tuples.batches else ""
        tensorflow = [*tensorflow_tuples(case, tuples), f"y = tf.gather_nd(x, i{batches})"]
        if not ranked:
            tensorflow.append(call("y = tf.reshape", "y", f"[{commas(tuples.output)}]"))
        note = "tensorflow" if indices_type(case).startswith("U") else "tensorflow-signed"
        return (
            numpy_snippet(case, [*numpy_tuples(tuples), taken], self.say("numpy")),
            pytorch_snippet(case, [*pytorch_tuples(tuples), taken], self.say("pytorch")),
            tensorflow_snippet(case, tensorflow, self.say(note)),
            einops_indices(),
        )
