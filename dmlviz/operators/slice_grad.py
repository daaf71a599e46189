"""DML_SLICE_GRAD: elements return to where DML_SLICE1 took them from; other places are 0."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.movement.expressions import below
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import STEPS_SHOWN, Step, Steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.calculations import Calculation, calculation, size_alone
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
    tuple_text,
)
from dmlviz.operators.code.onnx import NodeText, onnx_snippet
from dmlviz.operators.directions import along_words
from dmlviz.operators.feature_levels import ALL, ANY_RANK, SMALL, Support
from dmlviz.operators.mapped import put
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.per_dimension import Extent, Limit, PerDimension, Stride
from dmlviz.operators.settings import MOST_NUMBER, Dice, setting, with_settings
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.operators.windowed import PYTORCH_SELECTS, Walk, Windowed, at_once
from dmlviz.tensors import DATA_TYPES, short_text
from dmlviz.tensors.types import Array, Sizes, Tensors

_PLACES_SHOWN = 6

INPUT, OUTPUT = "InputGradientTensor", "OutputGradientTensor"


@dataclass(frozen=True)
class WindowStride(Stride):
    """How far apart elements land, and in which direction: never 0."""

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return (2, -1, -2)[dice.between(0, 2)]


@dataclass(frozen=True)
class WindowExtent(Extent):
    """How many places a window has for a dimension's elements; random values have space for all."""

    def fitted(self, value: Any, sizes: Sizes, before: Sizes) -> Sizes:
        # never too small for elements side by side
        numbers = zip(super().fitted(value, sizes, before), sizes, strict=True)
        return tuple(max(number, min(n, MOST_NUMBER)) for number, n in numbers)

    def impossible(self, size: int) -> tuple[int, ...]:
        return (size - 1,)

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return (tuple(3 * n + d + turn for d, n in enumerate(sizes)),)

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return 2 * size - 1 + dice.between(0, 1)


@with_settings
class SliceGrad(Windowed):
    """Put elements back where a slice took them, as ``DML_SLICE_GRAD_OPERATOR_DESC`` does.

    Args:
        input_window_offsets: where the window begins in each dimension of the output, 0 or more.
        input_window_sizes: how many elements of each dimension the window has, 1 or more.
        input_window_strides: from one element's place to the next, not 0; a negative stride starts
            at the window's last place and goes backward.
        output_gradient_tensor_sizes: of the output; 0 or nothing means as far as the window
            reaches.

    Places without an element are 0. Along each dimension the input has at most
    ``1 + (window - 1) // abs(stride)`` elements.

    >>> SliceGrad((1,), (5,), (-2,), (7,)).output_sizes((3,))
    (7,)
    >>> grad = {"InputGradientTensor": np.array([1, 2, 3])}
    >>> SliceGrad((1,), (5,), (-2,), (7,)).evaluate(grad)["OutputGradientTensor"].tolist()
    [0, 3, 0, 2, 0, 1, 0]
    """

    input_window_offsets: tuple[int, ...] = setting(PerDimension, "InputWindowOffsets")
    input_window_sizes: tuple[int, ...] = setting(WindowExtent, "InputWindowSizes", least=1)
    input_window_strides: tuple[int, ...] = setting(WindowStride, "InputWindowStrides")
    output_gradient_tensor_sizes: tuple[int, ...] = setting(Limit, f"{OUTPUT}.Sizes", default=())

    remarks_indices: ClassVar[bool] = True
    dml: ClassVar[str] = "SLICE_GRAD"
    key: ClassVar[str] = "slice-grad"
    place: ClassVar[int] = 140
    counting: ClassVar[str] = "DimensionCount"
    support: ClassVar[tuple[Support, ...]] = (
        Support("3_0", (4, 5), SMALL),
        Support("3_1", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (Slot(INPUT),)
    output_slots: ClassVar[tuple[Slot, ...]] = (Slot(OUTPUT),)
    first_index: ClassVar[int] = 1

    # ---- the rule

    def walks(self, sizes: Sizes) -> tuple[Walk, ...]:
        """The places of each dimension's elements, for a valid input."""
        return tuple(map(self.walk, range(len(sizes)), sizes))

    def extent(self, d: int, size: int) -> int:
        window = self.input_window_offsets[d] + self.input_window_sizes[d]
        return self.output_gradient_tensor_sizes[d] or window

    def along(self, d: int, i: Any, size: int) -> Any:
        walk = self.walk(d, size)
        if walk.whole(self.extent(d, size)):
            return i
        way = i - walk.start if walk.stride > 0 else walk.start - i
        return way if walk.step == 1 else below(way % walk.step, 1, way // walk.step)

    def sum_of(self, d: int, size: int) -> Calculation:
        offset = self.input_window_offsets[d]
        if self.output_gradient_tensor_sizes[d] or not offset:
            return size_alone(self.extent(d, size))
        return calculation("+", offset, self.input_window_sizes[d])

    def padding(self, data_type: str) -> np.generic | None:
        zero: np.generic = DATA_TYPES[data_type].dtype.type(0)
        return zero

    def missing(self) -> str:
        return self.say("missing")

    def problems_along(self, d: int, size: int) -> Iterator[Problem]:
        offset, window = self.input_window_offsets[d], self.input_window_sizes[d]
        stride, out = self.input_window_strides[d], self.output_gradient_tensor_sizes[d]
        if offset < 0:
            yield self.problem("input_window_offsets", "offset", offset=short_text(offset), d=d)
        if window < 1:
            yield self.empty_window(d)
        elif offset >= 0 and out and out < offset + window:
            yield self.problem(
                "output_gradient_tensor_sizes",
                "too-small",
                out=short_text(out),
                d=d,
                offset=short_text(offset),
                window=short_text(window),
                end=short_text(offset + window),
            )
        if problem := self.stride_problem(d):
            yield problem
        elif window >= 1 and size > (most := self.walk(d).most):
            yield self.problem(
                "sizes",
                "no-room",
                at=INPUT,
                size=size,
                d=d,
                window=short_text(window),
                step=abs(stride),
                most=short_text(most),
            )

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        (x,) = inputs.values()
        places = [walk.places for walk in self.walks(x.shape)]
        return {OUTPUT: _put(places, self.shape({INPUT: x.shape}), x)}

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        return None

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        (tensor,) = inputs.values()
        nodes: list[Node] = []
        flow = tensor.sizes
        for d, places in self.changed(flow).items():
            # a 0 follows all elements, for places without an element
            zeros = np.zeros(put(flow, d, 1), DATA_TYPES[tensor.data_type].dtype)
            inside = (places >= 0) & (places < flow[d])
            indices = np.where(inside, places, flow[d]).astype(np.int32)
            nodes += [
                Node("Concat", (FLOW, Constant("zeros", zeros)), {"axis": d}),
                Node("Gather", (FLOW, Constant("indices", indices)), {"axis": d}),
            ]
            flow = put(flow, d, places.size)
        return Graph("lowered", tuple(nodes) or (Node("Identity"),))

    # ---- the example, and settings that fit

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.array([[1, 3], [9, 11]], np.float32)
        part = "description, with 1, 3, 9, 11 for a, c, i, k"
        return (cls((0, 0), (4, 4), (2, 2)).documented_example(x, 1, part),)

    @classmethod
    def fitted_along(
        cls, offset: int, window: int, stride: int, count: int, size: int
    ) -> tuple[int, int, int, int]:
        # a window grows with its elements, and the output grows with the window
        window = max(window, 1 + (size - 1) * abs(stride))
        return offset, window, stride, count if count >= offset + window else 0

    def with_output_sizes(self, outputs: Mapping[str, Sizes]) -> Operator:
        sizes = outputs.get(OUTPUT, ())
        window = zip(sizes, self.input_window_offsets, self.input_window_sizes, strict=False)
        if not self.counts_agree(sizes) or any(n < offset + reach for n, offset, reach in window):
            return self
        return replace(self, output_gradient_tensor_sizes=sizes)

    # ---- moves: zeros first, then index by index along the outermost dimension with several

    def moves(self, inputs: Tensors) -> Steps:
        (x,) = inputs.values()
        out, walks = self.output_sizes(x.shape), self.walks(x.shape)
        d = next((d for d, n in enumerate(x.shape) if n > 1), 0)
        elements, count = math.prod(out), x.shape[d]
        steps = []
        if zeros := elements - x.size:
            caption = self.say("zeros", zeros, n=zeros, count=elements)
            steps.append(Step(self.say("zeros-title"), caption))
        number = np.minimum(np.arange(count), STEPS_SHOWN - 1).astype(np.int32) + len(steps)
        order = number.reshape([-1 if e == d else 1 for e in range(x.ndim)])
        step_of = _put([walk.places for walk in walks], out, np.broadcast_to(order, x.shape))
        each = x.size // count
        steps += [self.step_of_index(d, walks[d], k, each) for k in range(min(count, STEPS_SHOWN))]
        return Steps(tuple(steps), step_of.ravel(), np.full(step_of.size, -1, np.int64))

    def remarks_at(self, inputs: Tensors, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        (x,) = inputs.values()
        walks = self.walks(x.shape)
        for index in indices:
            empty = next((d for d, i in enumerate(index) if i not in walks[d].places), None)
            if empty is None:
                yield []
                continue
            places = sorted(walks[empty].places)
            shown = [*map(str, places[:_PLACES_SHOWN]), *["…"][: len(places) > _PLACES_SHOWN]]
            along = along_words(x.ndim, empty)
            yield [self.say("no-place", along=along, places=", ".join(shown), i=index[empty])]

    # ---- misreadings

    def misread(self, x: Array) -> Iterator[Candidate]:
        walks, out = self.walks(x.shape), self.shape({INPUT: x.shape})
        truth: list[Sequence[int]] = [walk.places for walk in walks]
        for d in reversed(range(x.ndim)):
            along = along_words(x.ndim, d)
            numbers: dict[str, Any] = {"along": along, "out": out[d], **walks[d].numbers()}
            others = [(key, out[d], places) for key, places in _misread_along(walks[d])]
            sizes = [wrong for wrong in _misread_sizes(walks[d], out[d]) if wrong[1] != out[d]]
            for key, size, places in (*others, *sizes):
                if min(places) >= 0 and max(places) < size:
                    moved = _put([*truth[:d], places, *truth[d + 1 :]], put(out, d, size), x)
                    # the same misconception has a key for each dimension
                    yield f"{key}-{d}", self.say(f"misread-{key}", **numbers), moved
        if any(walk.step > 1 for walk in walks):
            before = [_last_before(walk, n) for walk, n in zip(walks, out, strict=True)]
            yield "copies", self.say("misread-copies"), x[np.ix_(*before)]

    # ---- other dialects

    def onnx_code(self, case: Case, inputs: Mapping[str, TensorDesc]) -> Snippet:
        nodes, before, flow = [], [], case.sizes
        for d, (walk, out) in enumerate(zip(self.walks(flow), case.output_sizes, strict=True)):
            if walk.whole(out):
                continue
            ends = f"{min(walk.places)}:{max(walk.places) + 1}:{walk.step}"
            order = f"np.arange({walk.count})" + ("[::-1]" if walk.stride < 0 else "")
            before += [f"i{d} = np.full({out}, {flow[d]})", f"i{d}[{ends}] = {order}"]
            zeros = f"np.zeros({tuple_text(put(flow, d, 1))}, dtype=np.{case.dtype})"
            nodes += [
                NodeText("Concat", (FLOW, f"zeros{d}"), {f"zeros{d}": zeros}, {"axis": str(d)}),
                NodeText("Gather", (FLOW, f"at{d}"), {f"at{d}": f"i{d}"}, {"axis": str(d)}),
            ]
            flow = put(flow, d, out)
        nodes = nodes or [NodeText("Identity")]
        return onnx_snippet(case, nodes, before=before, note=self.say("onnx"))

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        walks = self.walks(case.sizes)
        numpy = [
            f"z = np.zeros({tuple_text(case.output_sizes)}, dtype=x.dtype)",
            f"z[{at_once(walks)}] = x",
            "y = z",
        ]
        return (
            numpy_snippet(case, numpy),
            self._pytorch(case, walks),
            _tensorflow(case, walks),
            Snippet("einops", note=self.say("einops")),
        )

    def _pytorch(self, case: Case, walks: Sequence[Walk]) -> Snippet:
        back = [d for d, walk in enumerate(walks) if walk.stride < 0]
        turned, note = [], ""
        if back and case.data_type in PYTORCH_SELECTS:
            note = self.say("pytorch-selects")
            for d in back:
                places = f"torch.arange({walks[d].count - 1}, -1, -1)"
                turned.append(call("x = x.index_select", str(d), places))
        elif back:
            note = self.say("pytorch-reverses")
            turned.append(f"x = x.flip({back})")
        ranges = []
        for walk in walks:
            step = f":{walk.step}" if walk.step != 1 else ""
            ranges.append(f"{min(walk.places)}:{max(walk.places) + 1}{step}")
        lines = [
            *turned,
            f"z = torch.zeros({tuple_text(case.output_sizes)}, dtype=x.dtype)",
            f"z[{', '.join(ranges)}] = x",
            "y = z",
        ]
        return pytorch_snippet(case, lines, note)


def _tensorflow(case: Case, walks: Sequence[Walk]) -> Snippet:
    ends = [walk.places[-1] + (1 if walk.stride > 0 else -1) for walk in walks]
    # an end of -1 would be the last index
    mask = sum(1 << d for d, end in enumerate(ends) if end < 0)
    arguments = [
        f"shape=[{commas(case.output_sizes)}]",
        f"begin=[{commas([walk.start for walk in walks])}]",
        f"end=[{commas(ends)}]",
        f"strides=[{commas([walk.stride for walk in walks])}]",
        *([f"end_mask={mask}"] if mask else []),
        "dy=x",
    ]
    return tensorflow_snippet(case, [call("y = tf.raw_ops.StridedSliceGrad", *arguments)])


def _misread_along(walk: Walk) -> Iterator[tuple[str, list[int]]]:
    """Other places along one dimension."""
    steps, sign = range(walk.count), 1 if walk.stride > 0 else -1
    if walk.stride < 0:
        yield "forwards", [walk.offset + walk.step * k for k in steps]
    if walk.step > 1:
        yield "dense", [walk.start + sign * k for k in steps]
        yield "skipped", [walk.start + (walk.stride + sign) * k for k in steps]
    if walk.offset:
        yield "offset", [place - walk.offset for place in walk.places]
    yield "one-later", [place + 1 for place in walk.places]
    yield "one-earlier", [place - 1 for place in walk.places]


def _misread_sizes(walk: Walk, out: int) -> Iterator[tuple[str, int, Sequence[int]]]:
    """Other sizes of the output in one dimension, and the places there."""
    first = min(walk.places)
    from_first = [place - first for place in walk.places]
    yield "window", walk.window, [place - walk.offset for place in walk.places]
    yield "between", 1 + (walk.count - 1) * walk.step, from_first
    yield "behind", walk.count * walk.step, from_first
    yield "input", walk.count, range(walk.count)
    yield "longer", out + 1, walk.places


def _put(places: Sequence[Sequence[int]], out: Sequence[int], x: Array) -> Array:
    """Zeros of sizes ``out``, with the elements of ``x`` at the places of each dimension."""
    y = np.zeros(tuple(out), x.dtype)
    if all(isinstance(along, range) for along in places):
        # basic indexing is some six times as fast as lists of places
        y[tuple(_as_slice(along) for along in places)] = x
    else:
        y[np.ix_(*(np.array(along) for along in places))] = x
    return y


def _as_slice(places: Any) -> slice:
    """The slice of a range, which has one place or more.

    >>> _as_slice(range(4, -2, -2)), _as_slice(range(1, 7, 3))
    (slice(4, None, -2), slice(1, 7, 3))
    """
    return slice(places.start, places.stop if places.stop >= 0 else None, places.step)


def _last_before(walk: Walk, size: int) -> Array:
    """For each place of a dimension, the element at the last place before it."""
    at = np.arange(size) - walk.start
    k = at // walk.step if walk.stride > 0 else -at // walk.step
    return np.clip(k, 0, walk.count - 1)
