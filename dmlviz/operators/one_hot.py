"""DML_ONE_HOT: for each index a sequence of off values with one on value in it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.base.errors import Error, Problem
from dmlviz.movement import CONTROL
from dmlviz.movement.expressions import ONE, larger, names_of, replaced, same
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node, cast
from dmlviz.movement.steps import Step, Steps, grouped_steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.checks import axis_problem, desc_fields, tensor_sizes, whole_number
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
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FLOATS, SMALL, Support
from dmlviz.operators.indices import WORD, from_front
from dmlviz.operators.mapped import At, Lookup, Mapped, put
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.settings import Axis, Count, Dice, setting, with_settings
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import DIMENSION_MAX, MAX_RANK, one_line, print_sizes, print_value, short_text
from dmlviz.tensors.numbering import print_flat_index
from dmlviz.tensors.types import Array, Sizes, Tensors

VALUES, INDICES, OUTPUT = "ValuesTensor", "IndicesTensor", "OutputTensor"

_INDEX_TYPES = ("UINT32", "INT32", "INT64", "UINT64")


@with_settings
class OneHot(Mapped):
    """Turn each index into a sequence with one on value, as ``DML_ONE_HOT_OPERATOR_DESC`` does.

    Args:
        axis: the dimension of the output that the sequences lie along.
        depth: how long each is: the output's size there.

    The first element of ValuesTensor is the off value, the second the on value. Negative indices
    count from the end; an index beyond the sequence leaves all of it off. In a description the
    depth is the output's own size; 0 there means a size equal to the indices'.

    >>> import numpy as np
    >>> inputs = {"ValuesTensor": np.array([[0, 1]]), "IndicesTensor": np.array([[2], [0]])}
    >>> OneHot(1, 3).evaluate(inputs)["OutputTensor"].tolist()
    [[0, 0, 1], [1, 0, 0]]
    >>> print(OneHot(1, 3).explain(inputs, (0, 2)))
    out[h, k] = in[0, IndicesTensor[h, 0] == k]
    out[0, 2] = in[0, 2 == 2] = in[0, 1]
    """

    axis: int = setting(Axis, "Axis")
    depth: int = setting(Count, "Depth", initial=4)

    dml: ClassVar[str] = "ONE_HOT"
    key: ClassVar[str] = "one-hot"
    place: ClassVar[int] = 150
    members: ClassVar[tuple[str, ...]] = ("Axis",)
    # other settings make outputs of other sizes, which would reveal the answer
    unasked: ClassVar[tuple[str, ...]] = ("setting",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_0", (4,), FLOATS),
        Support("2_1", (4,), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (
        Slot(VALUES),
        Slot(
            INDICES,
            CONTROL,
            support=(
                Support("2_0", (4,), ("UINT32",)),
                Support("3_0", ANY_RANK, _INDEX_TYPES),
            ),
        ),
    )
    tensor_order: ClassVar[tuple[str, ...]] = (INDICES, VALUES, OUTPUT)
    free_tensors: ClassVar[tuple[str, ...]] = (OUTPUT,)

    # ---- descriptions: the depth is the output's size

    @property
    def desc(self) -> dict[str, Any]:
        open_sizes = [0] * min(max(0, self.axis), MAX_RANK)
        return {"Axis": self.axis, OUTPUT: {"Sizes": [*open_sizes, self.depth]}}

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, ("Axis",), (OUTPUT,))
        axis, sizes = whole_number("axis", desc["Axis"]), tensor_sizes(desc, OUTPUT)
        if OUTPUT not in desc:
            # refused, as no sequence has 0 elements
            return cls(axis, 0)
        if not 0 <= axis < len(sizes):
            message = cls.say(
                "no-axis",
                name=OUTPUT,
                structure=cls.structure,
                output=short_text(list(sizes)),
                axis=short_text(axis),
            )
            raise Error(message, OUTPUT)
        return cls(axis, sizes[axis])

    @property
    def documented(self) -> dict[str, Any]:
        return {"Axis": self.axis}

    def cpp_members(self) -> dict[str, str | Sequence[float]]:
        return {"Axis": str(self.axis)}

    def with_output_sizes(self, outputs: Mapping[str, Sizes]) -> Operator:
        sizes = outputs.get(OUTPUT, ())
        if not 0 <= self.axis < len(sizes) or not sizes[self.axis]:
            return self
        return replace(self, depth=sizes[self.axis])

    # ---- the rule

    def shape(self, sizes: Mapping[str, Sizes]) -> Sizes:
        return put(sizes[INDICES], self.axis, self.depth)

    def source(self, at: At, control: Lookup, sizes: Sizes) -> At:
        chosen, place = control(INDICES, put(at, self.axis, 0)), at[self.axis]
        on = same(chosen, place)
        if control.negative(INDICES):
            on = larger(on, same(chosen + self.depth, place))
        # the second element is along the innermost dimension that has one
        inner = max(d for d, n in enumerate(sizes) if n > 1)
        return put((0,) * len(sizes), inner, on)

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        names = names_of(len(sizes[INDICES]))
        # k counts the places of the on value
        return super().letters(sizes) | {
            INDICES: replaced(names, self.axis, ONE),
            OUTPUT: replaced(names, self.axis, "k"),
        }

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        on = self._on(from_front(inputs[INDICES], self.depth))
        return {OUTPUT: inputs[VALUES].ravel()[on]}

    def _on(self, places: Array, depth: int = 0) -> Array:
        """1 where each sequence has its on value, otherwise 0; int64.

        Args:
            places: of the on values, of the sizes of IndicesTensor; outside if there is none.
            depth: of the sequences, if it is not the operator's own.
        """
        on: Array = places == self._line(places.ndim, depth or self.depth)
        return on.astype(np.int64)

    def _line(self, rank: int, depth: int) -> Array:
        """The places of a sequence, 0 to ``depth - 1``, along the axis; int64."""
        return np.arange(depth).reshape(self._along(rank, depth))

    def _along(self, rank: int, depth: int) -> Sizes:
        """The sizes of one sequence."""
        return put((1,) * rank, self.axis, depth)

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        values, indices, axis, rank = sizes[VALUES], sizes[INDICES], self.axis, len(sizes[VALUES])
        problems = []
        if math.prod(values) < 2:
            problems.append(self.problem("sizes", "alone", VALUES, sizes=print_sizes(values)))
        if not 1 <= self.depth <= DIMENSION_MAX:
            most = f"{DIMENSION_MAX:,}"
            problems.append(
                self.problem("depth", "depth", OUTPUT, depth=short_text(self.depth), most=most)
            )
        if problem := axis_problem(axis, rank, self.structure):
            problems.append(problem)
        if len(indices) != rank:
            numbers = {"count": len(indices), "rank": rank}
            at, listed = "Tensor constraints", print_sizes(indices)
            problems.append(self.problem(INDICES, "rank", at, sizes=listed, **numbers))
        elif 0 <= axis < rank and indices[axis] != 1:
            problems.append(self.problem(INDICES, "size", axis=axis, size=indices[axis]))
        return problems

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        indices = inputs[INDICES]
        signed = indices.dtype.kind == "i"
        first, last = (-WORD // 2, WORD // 2 - 1) if signed else (0, WORD - 1)
        wide = np.flatnonzero((indices < first) | (indices > last))
        if not wide.size:
            return []
        index = int(indices.flat[wide[0]])
        problem = self.problem(
            INDICES,
            "wide-signed" if signed else "wide",
            index=one_line(str(index), 24),
            cell=print_flat_index(int(wide[0]), indices.shape),
            first=first,
            last=last,
            low=(index - first) % WORD + first,
        )
        return [problem]

    # ---- ONNX

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        indices, rank = inputs[INDICES], len(inputs[INDICES].sizes)
        # ONNX's OneHot adds the axis; its indices have at least one dimension, too many for rank 1
        inner = (*indices.sizes[: self.axis], *indices.sizes[self.axis + 1 :]) or (1,)
        casts = () if indices.data_type == "INT64" else (cast(INDICES, "INT64"),)
        flow = FLOW if casts else INDICES
        bounds = (_whole("starts", (0,)), _whole("ends", (2,)))
        axis = {"axis": 1 if rank == 1 else self.axis}
        shape = _whole("shape", self.shape({name: desc.sizes for name, desc in inputs.items()}))
        nodes = (
            *casts,
            Node("Reshape", (flow, _whole("inner", inner)), outputs=("places",)),
            Node("Reshape", (VALUES, _whole("two", (-1,))), outputs=("every",)),
            Node("Slice", ("every", *bounds), outputs=("off_and_on",)),
            Node("OneHot", ("places", _whole("depth", self.depth), "off_and_on"), axis),
            *((Node("Reshape", (FLOW, shape)),) if rank == 1 else ()),
        )
        return Graph("native", nodes, cpu_types=frozenset({"FLOAT32", "INT64"}))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        return Graph("lowered", tuple(self._lowered(inputs[INDICES])))

    def _lowered(self, indices: TensorDesc) -> Iterator[Node]:
        """Whether each place equals its index, as 0 or 1, then the value with that number."""
        ends = (_whole("start", 0), _whole("limit", self.depth), _whole("delta", 1))
        along = self._along(len(indices.sizes), self.depth)
        yield Node("Range", ends, outputs=("line",))
        yield Node("Reshape", ("line", _whole("along", along)), outputs=("places",))
        # a copy, so that every type has a named tensor
        yield cast(INDICES, "INT64", "counted")
        index = "counted"
        if not indices.data_type.startswith("U"):
            yield Node("Less", (index, _whole("zero", 0)), outputs=("backwards",))
            yield Node("Add", (index, _whole("depth", self.depth)), outputs=("from_the_end",))
            yield Node("Where", ("backwards", "from_the_end", index), outputs=("index",))
            index = "index"
        yield Node("Equal", (index, "places"), outputs=("hot",))
        yield cast("hot", "INT32", "which")
        yield Node("Reshape", (VALUES, _whole("flat", (-1,))), outputs=("off_and_on",))
        yield Node("Gather", ("off_and_on", "which"), {"axis": 0})

    # ---- examples, and inputs that fit

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        rows, pair = (1, 1, 3, 1), [[[[0, 1]]]]
        cases = (
            (cls(3, 4), rows, [0, 3, 2], np.uint32, pair),
            (cls(2, 3), (1, 1, 1, 4), [0, 2, 1, 0], np.uint32, pair),
            (cls(3, 4), rows, [0, 3, 2], np.uint32, [[[[4], [2], [9]]]]),
            (cls(3, 4), rows, [-3, 100, 3], np.int32, pair),
        )
        return tuple(
            operator.documented_example(
                {
                    VALUES: np.array(values, np.float32),
                    INDICES: np.array(indices, kind).reshape(sizes),
                },
                number,
            )
            for number, (operator, sizes, indices, kind, values) in enumerate(cases, 1)
        )

    @classmethod
    def fitted(cls, values: Mapping[str, Any], sizes: Sizes, before: Sizes) -> dict[str, Any]:
        fitted = super().fitted(values, sizes, before)
        axis = values.get("axis", 0)
        # indices gain and lose leading dimensions, and the axis keeps its dimension
        if axis < len(before):
            fitted["axis"] = max(0, axis + len(sizes) - len(before))
        return fitted

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        rank = len(sizes)
        shape = [dice.between(1, 3) if d >= rank - 2 else 1 for d in range(rank)]
        shape[min(self.axis, rank - 1)] = 1
        places = [dice.between(0, max(0, self.depth - 1)) for _cell in range(math.prod(shape))]
        return {INDICES: np.array(places, np.int64).reshape(shape)}

    def alternative(self) -> Operator:
        # along another dimension the indices would have other sizes
        return replace(self, depth=self.depth + 1)

    # ---- moves: sequence by sequence

    def moves(self, inputs: Tensors) -> Steps:
        indices, off_and_on = inputs[INDICES], inputs[VALUES].ravel()[:2]
        return grouped_steps(
            self.drivers(inputs)[OUTPUT].ravel(),
            lambda k: self._step(indices, k, *map(print_value, off_and_on)),
            lambda first: self._rest(indices, first),
        )

    def _step(self, indices: Array, k: int, off: str, on: str) -> Step:
        """The step of one index."""
        at = np.unravel_index(k, indices.shape)
        value = int(indices.flat[k])
        place = value + self.depth if value < 0 else value
        key = "nowhere" if not 0 <= place < self.depth else "backward" if value < 0 else "placed"
        caption = self.say(
            key,
            value=value,
            last=self.depth - 1,
            depth=self.depth,
            place=place,
            target=", ".join(map(str, put(at, self.axis, place))),
            sequence=", ".join(map(str, put(at, self.axis, ":"))),
            on=on,
            off=off,
        )
        return Step(f"{INDICES}{print_flat_index(k, indices.shape)} = {value}", caption)

    def _rest(self, indices: Array, first: int) -> Step:
        """The step of an index and of all after it."""
        ends = (print_flat_index(k, indices.shape) for k in (first, indices.size - 1))
        numbers = {"count": indices.size - first, "depth": self.depth, "axis": self.axis}
        return Step(f"{INDICES}{' – '.join(ends)}", self.say("others", self.depth, **numbers))

    # ---- misreadings

    def misread(self, inputs: Tensors) -> Iterator[Candidate]:
        values, indices = inputs[VALUES].ravel(), inputs[INDICES].astype(np.int64)
        off_and_on, depth, axis, say = values[:2], self.depth, self.axis, self.say
        places = from_front(indices, depth)
        on, line = self._on(places), self._line(indices.ndim, depth)
        yield "swapped", say("misread-swapped"), off_and_on[1 - on]
        yield "from-one", say("misread-from-one"), off_and_on[self._on(places - 1)]
        if indices.min() < 0:
            words = say("misread-negative", depth=depth)
            yield "negative", words, off_and_on[self._on(indices)]
        if ((places >= depth) | (places < 0)).any():
            nearest = self._on(np.clip(places, 0, depth - 1))
            yield "clamped", say("misread-clamped", last=depth - 1), off_and_on[nearest]
        if 0 <= places.flat[0] < depth:
            before = (line <= places).astype(np.int64)
            yield "up-to", say("misread-up-to"), off_and_on[before]
        other = np.moveaxis(off_and_on[on], axis, -1 if axis == 0 else 0)
        yield "other-axis", say("misread-other-axis", axis=axis), other
        if values.size > 2:
            last = np.where(on, values[-1], values[0])
            yield "last", say("misread-last", count=values.size), last
            each = np.broadcast_to(line % values.size, on.shape)
            yield "in-order", say("misread-in-order"), values[each]
        if places.min() >= 0 and places.max() < values.size:
            picked = values[np.broadcast_to(places, on.shape)]
            yield "gather", say("misread-gather"), picked
        added = (places[..., None] == np.arange(depth)).astype(np.int64)
        yield "new-axis", say("misread-new-axis", depth=depth, axis=axis), off_and_on[added]
        longest = int(places.max())
        if 0 <= longest < depth - 1:
            short = off_and_on[self._on(places, longest + 1)]
            yield "shortest", say("misread-shortest", last=longest, depth=depth), short
        kept = off_and_on[np.clip(places, 0, 1)]
        yield "as-indices", say("misread-as-indices", depth=depth), kept

    # ---- other dialects

    def index_limit(self, inputs: Mapping[str, TensorDesc]) -> int:
        return self.depth

    def onnx_code(self, case: Case, inputs: Mapping[str, TensorDesc]) -> Snippet:
        graph = self.lowered_graph(inputs)
        return onnx_snippet(case, nodes_of(graph), graph.opset, note=self.say("onnx"))

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        depth = self.depth
        along = self._along(len(case.sizes), depth)
        unsigned = case.inputs[1].data_type.startswith("U")
        numpy = [
            "i = indices" if unsigned else f"i = np.where(indices < 0, indices + {depth}, indices)",
            f"hot = i == np.arange({depth}).reshape({tuple_text(along)})",
            "y = values.ravel()[hot.astype(np.int64)]",
        ]
        pytorch = [
            "i = indices.to(torch.int64)",
            f"i = torch.where(i < 0, i + {depth}, i)",
            f"hot = i == torch.arange({depth}).reshape({commas(along)})",
            "y = values.flatten()[hot.to(torch.int64)]",
        ]
        line = f"tf.reshape(tf.range({depth}, dtype=tf.int64), [{commas(along)}])"
        tensorflow = [
            "i = tf.cast(indices, tf.int64)",
            f"i = tf.where(i < 0, i + {depth}, i)",
            f"hot = tf.equal(i, {line})",
            "y = tf.gather(tf.reshape(values, [-1]), tf.cast(hot, tf.int32))",
        ]
        return (
            numpy_snippet(case, numpy, self.say("numpy")),
            pytorch_snippet(case, pytorch, self.say("pytorch")),
            tensorflow_snippet(case, tensorflow, self.say("tensorflow")),
            einops_indices(),
        )


def _whole(name: str, numbers: int | Sequence[int]) -> Constant:
    return Constant(name, np.array(numbers, np.int64))
