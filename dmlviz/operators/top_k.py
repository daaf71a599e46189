"""DML_TOP_K1: the largest or smallest elements of each sequence, and their indices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.movement import INDEX
from dmlviz.movement.expressions import index, look, names_of, replaced
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node, cast
from dmlviz.movement.steps import Step, Steps, grouped_steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.checks import axis_problem, desc_fields
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.feature_levels import ANY_RANK, NO_DOUBLE, SMALL, Support
from dmlviz.operators.mapped import put
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.older import OlderForm
from dmlviz.operators.settings import Axis, Choice, Count, OutputType, setting, with_settings
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import print_sizes, print_value, short_text
from dmlviz.tensors.numbering import print_flat_index, take
from dmlviz.tensors.types import Array, Sizes, Tensors

INPUT, VALUES, INDICES = "InputTensor", "OutputValueTensor", "OutputIndexTensor"

DIRECTIONS = ("INCREASING", "DECREASING")
"""``DML_AXIS_DIRECTION`` by value."""

_INDEX_TYPES = ("UINT32", "UINT64")
# what ONNX Runtime's CPU provider sorts in every supported version
_CPU_TYPES = frozenset({"FLOAT32", "FLOAT16", "INT32", "INT64"})


@with_settings
class TopK(Operator):
    """Pick the largest or smallest of each sequence, as ``DML_TOP_K1_OPERATOR_DESC`` does.

    Args:
        axis: the dimension that sequences lie along.
        k: how many elements of each are picked, 1 to all of them.
        axis_direction: ``DECREASING`` for the largest, the largest first, or ``INCREASING`` for
            the smallest, the smallest first; by name or DirectML's number.
        output_index_tensor_data_type: the data type of the indices, ``UINT32`` or ``UINT64``.

    A second output holds each element's index in its sequence. Of equal elements, the one
    with the lower index comes first, in both directions.

    >>> picked = TopK(0, 2).evaluate({"InputTensor": np.array([5, 9, 7, 9])})
    >>> picked["OutputValueTensor"].tolist(), picked["OutputIndexTensor"].tolist()
    ([9, 9], [1, 3])
    """

    axis: int = setting(Axis, "Axis")
    k: int = setting(Count, "K", initial=2, most=lambda sizes: max(sizes, default=0))
    axis_direction: str = setting(
        Choice,
        "AxisDirection",
        default="DECREASING",
        # by value; pages offer the largest first
        offered=lambda sizes: DIRECTIONS[::-1] if sizes else DIRECTIONS,
        initial="DECREASING",
        enumeration="DML_AXIS_DIRECTION",
    )
    output_index_tensor_data_type: str = setting(
        OutputType,
        f"{INDICES}.DataType",
        default="UINT32",
        offered=lambda sizes: _INDEX_TYPES,
        initial="UINT32",
        enumeration="DML_TENSOR_DATA_TYPE",
    )

    dml: ClassVar[str] = "TOP_K1"
    key: ClassVar[str] = "top-k"
    place: ClassVar[int] = 68
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_1", (4,), SMALL),
        Support("3_1", ANY_RANK, SMALL),
        Support("5_0", ANY_RANK, NO_DOUBLE),
    )
    output_slots: ClassVar[tuple[Slot, ...]] = (
        Slot(VALUES),
        Slot(
            INDICES,
            INDEX,
            support=(
                Support("2_1", (4,), ("UINT32",)),
                Support("3_1", ANY_RANK, ("UINT32",)),
                Support("5_0", ANY_RANK, _INDEX_TYPES),
            ),
            of=VALUES,
        ),
    )
    typed_tensors: ClassVar[tuple[str, ...]] = (INDICES,)
    older_forms: ClassVar[tuple[OlderForm, ...]] = (
        OlderForm(
            "DML_OPERATOR_TOP_K",
            "DML_TOP_K_OPERATOR_DESC",
            ("Axis", "K"),
            lambda desc: TopK.from_older(desc).settings,
        ),
    )

    # ---- descriptions: DML_TOP_K has no direction

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, cls.members, (INDICES,))
        return super().from_desc(desc)

    @classmethod
    def from_older(cls, desc: Mapping[str, Any]) -> Self:
        """The operator that the fields of ``DML_TOP_K_OPERATOR_DESC`` describe: the largest.

        Raises:
            Error: a field is missing, unknown or of the wrong type.
        """
        (form,) = cls.older_forms
        desc_fields(form.structure, desc, form.members, (INDICES,))
        return cls.from_desc({**desc, "AxisDirection": "DECREASING"})

    def with_output_types(self, types: Mapping[str, str]) -> Self:
        kind = types.get(INDICES)
        return replace(self, output_index_tensor_data_type=kind) if kind in _INDEX_TYPES else self

    def output_type(self, name: str, data_type: str) -> str:
        return self.output_index_tensor_data_type if name == INDICES else data_type

    # ---- the rule

    @property
    def largest(self) -> bool:
        """Whether it picks the largest, the largest first; otherwise the smallest."""
        return self.axis_direction == "DECREASING"

    def shape(self, sizes: Sizes) -> Sizes:
        """The sizes of both outputs, for a valid input."""
        return put(sizes, self.axis, self.k)

    def indices(self, x: Array) -> Array:
        """The indices of the elements that are picked; int64, of the outputs' sizes."""
        return take(_order(x, self.axis, self.largest), np.arange(self.k), self.axis)

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        rank, problems = len(sizes[INPUT]), []
        if problem := axis_problem(self.axis, rank, self.structure):
            problems.append(problem)
        elif not 1 <= self.k <= sizes[INPUT][self.axis]:
            size = sizes[INPUT][self.axis]
            problems.append(self.problem("k", "k", k=short_text(self.k), axis=self.axis, size=size))
        if self.axis_direction not in DIRECTIONS:
            names = {
                "direction": short_text(self.axis_direction),
                "directions": ", ".join(DIRECTIONS),
            }
            problems.append(self.problem("axis_direction", "direction", **names))
        return problems

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        x = inputs[INPUT]
        nan = np.flatnonzero(np.isnan(x)) if x.dtype.kind == "f" else np.empty(0, np.int64)
        if not nan.size:
            return []
        return [self.problem("values", "nan", INPUT, cell=print_flat_index(int(nan[0]), x.shape))]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return dict.fromkeys((VALUES, INDICES), self.shape(sizes[INPUT]))

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        x = inputs[INPUT]
        at = self.indices(x)
        values = np.take_along_axis(x, at, self.axis)
        return {VALUES: values, INDICES: at.astype(self.output_index_tensor_data_type.lower())}

    def ranking(self, inputs: Mapping[str, Array]) -> Array:
        order = _order(inputs[INPUT].ravel(), 0, self.largest)
        return order[::-1] if self.largest else order

    def index_values(self, name: str, sources: Array, inputs: Mapping[str, Array]) -> Array:
        sizes = inputs[INPUT].shape
        stride = math.prod(sizes[self.axis + 1 :])
        at = sources // stride % sizes[self.axis]
        # an index is of the cell's own sequence, which begins at index 0
        begin = np.ravel_multi_index(tuple(np.indices(put(sizes, self.axis, 1))), sizes)
        return np.where(sources - at * stride == begin, at, -1)

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        x = inputs[INPUT]
        at = tuple(map(index, range(x.ndim)))
        order = f"argsort({'−in' if self.largest else 'in'}, axis={self.axis})"
        formula = Formula(
            x.shape,
            self.shape(x.shape),
            put(at, self.axis, look(order, *at)),
            output=VALUES,
            tables={order: _order(x, self.axis, self.largest)},
            letters=self._letters(x.ndim),
        )
        # arithmetic cannot find the index; the remarks tell it
        return {VALUES: (formula,), INDICES: ()}

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        of_outputs = self._letters(len(sizes[INPUT]))
        return super().letters(sizes) | {VALUES: of_outputs, INDICES: of_outputs}

    def _letters(self, rank: int) -> tuple[str, ...]:
        """The letters of the outputs' dimensions: k counts the elements that are picked."""
        return replaced(names_of(rank), self.axis, "k")

    def rule_words(self, inputs: Tensors) -> str:
        return self.say("rule-largest" if self.largest else "rule-smallest")

    def remarks_at(self, inputs: Tensors, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        x = inputs[INPUT]
        picked = self.indices(x)
        key = "number-largest" if self.largest else "number-smallest"
        for at in map(tuple, indices):
            source: Sizes = put(at, self.axis, int(picked[at]))
            sentence = self.say(
                key,
                cell=f"{INDICES}{list(at)}",
                found=source[self.axis],
                source=list(source),
                value=print_value(x[source]),
                n=at[self.axis] + 1,
            )
            yield [sentence]

    # ---- ONNX

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        nodes = (
            self._top_k(INPUT, VALUES),
            cast("places", self.output_index_tensor_data_type, INDICES),
        )
        return Graph("native", nodes, cpu_types=_CPU_TYPES)

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        sortable = tuple(_sortable(inputs[INPUT].data_type))
        nodes = (
            *sortable,
            self._top_k(FLOW if sortable else INPUT, "picked"),
            Node("GatherElements", (INPUT, "places"), {"axis": self.axis}, (VALUES,)),
            cast("places", self.output_index_tensor_data_type, INDICES),
        )
        return Graph("lowered", nodes)

    def _top_k(self, tensor: str, picked: str) -> Node:
        k = Constant("k", np.array([self.k], np.int64))
        attributes = {"axis": self.axis, "largest": int(self.largest), "sorted": 1}
        return Node("TopK", (tensor, k), attributes, (picked, "places"))

    # ---- examples, and settings that fit

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        folded = [[0, 1, 10, 11], [3, 2, 9, 8], [4, 5, 6, 7]]
        ties = [[1, 2, 2, 3], [3, 4, 5, 5], [6, 6, 6, 6]]
        cases = (
            (cls(3, 2), folded),
            (cls(2, 2), folded),
            (cls(3, 3), ties),
            (cls(3, 3, "INCREASING"), ties),
        )
        return tuple(
            operator.documented_example(np.array([[x]], np.float32), number)
            for number, (operator, x) in enumerate(cases, 1)
        )

    @classmethod
    def fitted(cls, values: Mapping[str, Any], sizes: Sizes, before: Sizes) -> dict[str, Any]:
        fitted = super().fitted(values, sizes, before)
        axis, k = values.get("axis", 0), values.get("k", 0)
        # a valid value stays valid
        if axis < len(before) and 1 <= k <= before[axis]:
            fitted["k"] = min(k, sizes[fitted["axis"]])
        return fitted

    def alternative(self) -> Operator:
        return replace(self, axis_direction="INCREASING" if self.largest else "DECREASING")

    # ---- moves: the first of every sequence, then the next

    def moves(self, inputs: Tensors) -> Steps:
        x = inputs[INPUT]
        indices = self.indices(x)
        place = np.indices(indices.shape)[self.axis].ravel()
        # values and indices land together
        return grouped_steps(
            np.concatenate([place, place]), lambda k: self._step(x, indices, k), self._rest
        )

    def _step(self, x: Array, indices: Array, k: int) -> Step:
        """The step of one place, described with a sequence that shows it well."""
        picked = np.take_along_axis(x, indices, self.axis)
        here, before = (take(picked, place, self.axis) for place in (k, k - 1))
        ties = np.argwhere(here == before) if k else np.empty((0, x.ndim - 1))
        at = [int(i) for i in ties[0]] if len(ties) else [0] * (x.ndim - 1)
        at.insert(self.axis, k)
        source: Sizes = put(tuple(at), self.axis, int(indices[tuple(at)]))
        key = "next" if k else "first"
        caption = self.say(
            "tie" if len(ties) else f"{key}-{'largest' if self.largest else 'smallest'}",
            axis=self.axis,
            source=list(source),
            value=print_value(x[source]),
            index=source[self.axis],
            before=int(indices[put(tuple(at), self.axis, k - 1)]),
            place=k,
        )
        return Step(self.say("place", place=k), caption)

    def _rest(self, first: int) -> Step:
        """The step of a place and of all after it."""
        key, numbers = "largest" if self.largest else "smallest", {"last": self.k - 1}
        return Step(self.say("places", first=first, **numbers), self.say(f"rest-{key}", **numbers))

    # ---- misreadings

    def misread(self, x: Array) -> Iterator[Candidate]:
        # the indices of wrong values are equally wrong
        for key, words, values in self._misread(x):
            yield key, words, {VALUES: values}

    def _misread(self, x: Array) -> Iterator[tuple[str, str, Array]]:
        axis, k, n, largest, say = self.axis, self.k, x.shape[self.axis], self.largest, self.say

        def picked(count: int, axis: int = axis, largest: bool = largest) -> Array:
            chosen = take(_order(x, axis, largest), np.arange(count), axis)
            return np.take_along_axis(x, chosen, axis)

        indices = self.indices(x)
        other = "smallest" if largest else "largest"
        yield "other-direction", say(f"misread-{other}"), picked(k, largest=not largest)
        turned = "misread-turned-largest" if largest else "misread-turned-smallest"
        yield "turned", say(turned), np.flip(picked(k), axis)
        in_place = np.take_along_axis(x, np.sort(indices, axis), axis)
        yield "in-place", say("misread-in-place"), in_place
        yield "first", say("misread-first", k=k), take(x, np.arange(k), axis)
        for d, size in enumerate(x.shape):
            if d != axis and k <= size:
                # the same misconception has a key for each dimension
                yield f"axis-{d}", say("misread-axis", d=d, axis=axis), picked(k, d)
        if x.size > n:
            first = np.moveaxis(indices, axis, -1).reshape(-1, k)[0]
            yield "slices", say("misread-slices"), take(x, first, axis)
            whole = x.ravel()[_order(x.ravel(), 0, largest)[:k]]
            yield "whole-tensor", say("misread-whole-tensor", k=k), whole
        ordered, sizes = picked(n), print_sizes(self.shape(x.shape))
        yield "sorted", say("misread-sorted", n=n, k=k, sizes=sizes), ordered
        yield "only-kth", say("misread-only-kth", k=k), take(ordered, [k - 1], axis)
        if k > 1:
            yield "one-fewer", say("misread-one-fewer", k=k), picked(k - 1)

    # ---- other dialects

    def onnx_note(self, case: Case) -> str:
        return self.say("onnx")

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        axis, k, index_type = self.axis, self.k, case.outputs[1].dtype
        both = "y = [values, indices]"
        numpy = [
            *self._numpy_order(case.sizes[axis] - 1),
            call("i = np.take", "order", f"np.arange({k})", f"axis={axis}"),
            call("values = np.take_along_axis", "x", "i", f"axis={axis}"),
            f"indices = i.astype(np.{index_type})",
            both,
        ]
        descending = f"descending={self.largest}"
        pytorch = [
            call("order = torch.sort", "x", f"dim={axis}", descending, "stable=True"),
            f"values = order.values.narrow({axis}, 0, {k})",
            f"indices = order.indices.narrow({axis}, 0, {k}).to(torch.{index_type})",
            both,
        ]
        direction = f'direction="{"DESCENDING" if self.largest else "ASCENDING"}"'
        tensorflow = [
            call("order = tf.argsort", "x", f"axis={axis}", direction, "stable=True"),
            f"i = tf.gather(order, tf.range({k}), axis={axis})",
            call("values = tf.experimental.numpy.take_along_axis", "x", "i", f"axis={axis}"),
            f"indices = tf.cast(i, tf.{index_type})",
            both,
        ]
        return (
            numpy_snippet(case, numpy, self.say("numpy")),
            pytorch_snippet(case, pytorch, self.say("pytorch")),
            tensorflow_snippet(case, tensorflow, self.say("tensorflow")),
            Snippet("einops", note=self.say("einops")),
        )

    def _numpy_order(self, last: int) -> list[str]:
        axis, stable = self.axis, 'kind="stable"'
        if not self.largest:
            return [call("order = np.argsort", "x", f"axis={axis}", stable)]
        return [
            call("back = np.argsort", f"np.flip(x, {axis})", f"axis={axis}", stable),
            f"order = {last} - np.flip(back, {axis})",
        ]


def _order(x: Array, axis: int, largest: bool) -> Array:
    """The indices of each sequence's elements in picking order; int64, of the sizes of ``x``.

    Of equal elements the one with the lower index comes first, in both directions.
    """
    if not largest:
        return np.argsort(x, axis, kind="stable")
    # reversed before and after, so equal elements keep their order
    back = np.argsort(np.flip(x, axis), axis, kind="stable")
    order: Array = x.shape[axis] - 1 - np.flip(back, axis)
    return order


def _sortable(data_type: str) -> Iterator[Node]:
    """The nodes that turn the input into numbers of a sortable type in the same order."""
    if data_type == "UINT64":
        # as wide as INT64, half of which is below 0; older runtimes add no UINT64
        yield cast(INPUT, "INT64", "turned")
        yield Node("Add", ("turned", Constant("half", np.array(-(1 << 63), np.int64))))
    elif data_type not in _CPU_TYPES:
        yield cast(INPUT, "INT64" if data_type == "UINT32" else "INT32")
