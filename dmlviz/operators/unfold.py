"""DML_UNFOLD: a window slides over the input, and each of its positions becomes a column."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.base.words import listed
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import Step, Steps, grouped_steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.calculations import Calculation, calculation, size_alone
from dmlviz.operators.checks import count_problem
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    commas,
    einops_snippet,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
    tuple_text,
)
from dmlviz.operators.code.onnx import NodeText, onnx_snippet
from dmlviz.operators.feature_levels import NO_DOUBLE, Support
from dmlviz.operators.mapped import At, Lookup, Mapped, put
from dmlviz.operators.misreadings import MISREADING_LIMIT, Candidate
from dmlviz.operators.per_dimension import PerDimension, Stride
from dmlviz.operators.settings import Dice, setting, with_settings
from dmlviz.operators.slots import INPUT, Slot, TensorDesc
from dmlviz.tensors import DATA_TYPES, DIMENSION_MAX, MAX_RANK, short_text
from dmlviz.tensors.types import Array, Sizes, Tensors

LEADING = 2
"""Batch and channel; windows do not slide along them."""

# batch, row (channel and place in the window), position of the window
_LETTERS = ("n", "r", "p")
# the remaining windows share one step: nobody watches the thirteenth
_STEPS_SHOWN = 12
# of more places of a window, those in the middle are not named
_PLACES_NAMED = 4
# F.unfold has kernels for these in every version
_PYTORCH_UNFOLDS = ("FLOAT32", "FLOAT64")


# ---- the window along one dimension


@dataclass(frozen=True)
class Slide:
    """A window that moves along one dimension of the input.

    Attributes:
        size: of that dimension.
        window: how many places the window covers.
        stride: from one window to the next.
        dilation: from one place of a window to the next.
        start, end: how many zeros come before the first element and after the last.
    """

    size: int
    window: int
    stride: int
    dilation: int
    start: int
    end: int

    @property
    def padded(self) -> int:
        """The dimension's size with its zeros."""
        return self.start + self.size + self.end

    @property
    def extent(self) -> int:
        """The extent of a window from its first place to its last, both included."""
        return 1 + self.dilation * (self.window - 1)

    @property
    def count(self) -> int:
        """How many windows there are."""
        return (self.padded - self.extent) // self.stride + 1

    @property
    def windows(self) -> Calculation:
        """The calculation of :attr:`count`."""
        padded = calculation("+", self.start, self.size, self.end)
        moves = calculation("div", calculation("−", padded, self.extent), self.stride)
        return calculation("+", moves, 1)

    def place(self, window: Any, k: Any) -> Any:
        """The index that place ``k`` of a window has in the input; it can be outside.

        Args:
            window: the window's number, as an expression, an array or a number.
            k: the place's number, of the same kind.
        """
        return window * self.stride + k * self.dilation - self.start

    @property
    def places(self) -> Array:
        """The index of each place in each window, a row for each place; int64."""
        every: Array = self.place(np.arange(self.count), np.arange(self.window)[:, np.newaxis])
        return every

    def covered(self, window: int) -> Sizes:
        """The indices that one window covers; some can be outside."""
        return tuple(self.place(window, k) for k in range(self.window))

    def zeros(self, window: int) -> int:
        """How many places of one window are outside."""
        return sum(not 0 <= place < self.size for place in self.covered(window))

    @property
    def outside(self) -> bool:
        """Whether a window has places outside."""
        return bool(self.zeros(0) or self.zeros(self.count - 1))


def taken(x: Array, slides: Sequence[Slide]) -> Array:
    """Batch, channel, the places in a window, the windows: a dimension for each; 0 outside.

    It makes nothing larger than the output, however far apart the windows are.

    Args:
        x: the input.
        slides: of its spatial dimensions.
    """
    m = len(slides)
    windows, counts = ([getattr(s, name) for s in slides] for name in ("window", "count"))
    if math.prod(slide.padded for slide in slides) <= math.prod(windows) * math.prod(counts):
        return _taken_from_padded(x, slides)
    at: list[Any] = [slice(None), slice(None)]
    outside = np.zeros((1,) * (2 * m), bool)
    for k, slide in enumerate(slides):
        shape = [1] * (2 * m)
        shape[k], shape[m + k] = slide.window, slide.count
        places = slide.places.reshape(shape)
        outside = outside | (places < 0) | (places >= slide.size)
        at.append(np.clip(places, 0, slide.size - 1))
    y: Array = x[tuple(at)]
    y[:, :, outside] = 0
    return y


def _taken_from_padded(x: Array, slides: Sequence[Slide]) -> Array:
    """The same as a view of the input with its zeros, which is several times as fast."""
    m = len(slides)
    spatial = tuple(range(LEADING, LEADING + m))
    padded = np.pad(x, [(0, 0)] * LEADING + [(slide.start, slide.end) for slide in slides])
    extents = tuple(slide.extent for slide in slides)
    views = np.lib.stride_tricks.sliding_window_view(padded, extents, axis=spatial)
    every = [slice(None)] * LEADING
    steps = [slice(None, None, slide.stride) for slide in slides]
    steps += [slice(None, None, slide.dilation) for slide in slides]
    taken: Array = views[(*every, *steps)]
    order = (*range(LEADING), *range(LEADING + m, LEADING + 2 * m), *spatial)
    return np.ascontiguousarray(taken.transpose(order))


def flattened(y: Array, slides: Sequence[Slide]) -> Array:
    """What :func:`taken` gives as three dimensions: batch, channel and place, window."""
    places = math.prod(slide.window for slide in slides)
    return y.reshape(y.shape[0], y.shape[1] * places, -1)


def interleaved(spatial: int) -> tuple[int, ...]:
    """The order that puts places of windows before windows, where they alternate.

    >>> interleaved(2)
    (0, 1, 2, 4, 3, 5)
    """
    last = LEADING + 2 * spatial
    return (0, 1, *range(LEADING, last, 2), *range(LEADING + 1, last, 2))


# ---- settings: random values fit in the input


@dataclass(frozen=True)
class Window(PerDimension):
    """How many places a window covers."""

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return (tuple(1 + (d + turn) % 3 for d in self.dimensions(sizes)),)

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return dice.between(min(2, size), min(size, 3))


@dataclass(frozen=True)
class Apart(Stride):
    """How far apart windows, or the places of one, are: mostly side by side."""

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return (1, 1, 2)[dice.between(0, 2)]


@dataclass(frozen=True)
class Zeros(PerDimension):
    """How many zeros are at an end: few."""

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return (tuple((d + turn) % 3 for d in self.dimensions(sizes)),)

    def drawn_number(self, size: int, most: int, dice: Dice) -> int:
        return (0, 0, 1)[dice.between(0, 2)]


@with_settings
class Unfold(Mapped):
    """Make a column of each position of a sliding window, as ``DML_UNFOLD_OPERATOR_DESC`` does.

    All five have a number for each spatial dimension: for each but the first two, which are
    batch and channel.

    Args:
        window_sizes: how many places the window covers, 1 or more.
        strides: from one window to the next, 1 or more.
        dilations: from one place of a window to the next, 1 or more.
        start_padding: how many zeros come before the first element.
        end_padding: how many zeros come after the last one.

    Whatever the input's rank, the output has three dimensions: batch, channel and place in the
    window, window. The rows of channel 0 come first.

    >>> Unfold((3, 3), (1, 1), (1, 1), (0, 0), (0, 0)).output_sizes((1, 2, 5, 5))
    (1, 18, 9)
    >>> print(Unfold((2,), (1,), (2,), (0,), (1,)).explain((1, 1, 3), (0, 1, 0)))
    out[n, r, p] = in[n, 0, p + r · 2]
    out[0, 1, 0] = in[0, 0, 0 + 1 · 2] = in[0, 0, 2]
    """

    window_sizes: tuple[int, ...] = setting(Window, "WindowSizes", least=1, usual=1, skip=LEADING)
    strides: tuple[int, ...] = setting(Apart, "Strides", least=1, skip=LEADING)
    dilations: tuple[int, ...] = setting(Apart, "Dilations", least=1, skip=LEADING)
    start_padding: tuple[int, ...] = setting(Zeros, "StartPadding", skip=LEADING)
    end_padding: tuple[int, ...] = setting(Zeros, "EndPadding", skip=LEADING)

    dml: ClassVar[str] = "UNFOLD"
    key: ClassVar[str] = "unfold"
    place: ClassVar[int] = 90
    counting: ClassVar[str] = "DimensionCount"
    # the page omits the types; DirectML 1.15.4 runs these
    support: ClassVar[tuple[Support, ...]] = (Support("6_4", tuple(range(3, 9)), NO_DOUBLE),)
    output_slots: ClassVar[tuple[Slot, ...]] = (
        Slot("OutputTensor", support=(Support("6_4", (3,), NO_DOUBLE),)),
    )
    first_index: ClassVar[int] = 1

    @property
    def documented(self) -> dict[str, Any]:
        return {self.counting: len(self.window_sizes), **super().documented}

    # ---- the rule

    def slides(self, sizes: Sequence[int]) -> tuple[Slide, ...]:
        """How the window moves along each spatial dimension."""
        numbers = (getattr(self, name) for name in self.declared)
        return tuple(Slide(*each) for each in zip(sizes[LEADING:], *numbers, strict=True))

    def shape(self, sizes: Mapping[str, Sizes]) -> Sizes:
        (each,) = sizes.values()
        slides = self.slides(each)
        rows = each[1] * math.prod(slide.window for slide in slides)
        return (each[0], rows, math.prod(slide.count for slide in slides))

    def source(self, at: At, control: Lookup, sizes: Sizes) -> At:
        batch, row, column = at
        slides = self.slides(sizes)
        windows, counts = [s.window for s in slides], [s.count for s in slides]
        places = math.prod(windows)
        taps = _digits(row % places if sizes[1] > 1 else row, windows)
        blocks = _digits(column, counts)
        channel, _place = _digits(row, (sizes[1], places))
        position = (slide.place(*each) for slide, *each in zip(slides, blocks, taps, strict=True))
        return (batch, channel, *position)

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return super().letters(sizes) | {self.output_slots[0].name: _LETTERS}

    def missing(self) -> str:
        return self.say("missing")

    def padding(self, data_type: str) -> np.generic | None:
        zero: np.generic = DATA_TYPES[data_type].dtype.type(0)
        return zero

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[Calculation, ...]]:
        (each,) = sizes.values()
        rows = calculation("·", each[1], *self.window_sizes)
        windows = calculation("·", *(slide.windows for slide in self.slides(each)))
        return {self.output_slots[0].name: (size_alone(each[0]), rows, windows)}

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        (each,) = sizes.values()
        counts = (
            count_problem(
                name, getattr(self, name), len(each), self.structure, declared.label, LEADING
            )
            for name, declared in self.declared.items()
        )
        wrong = [problem for problem in counts if problem] or list(self._invalid())
        return wrong or list(self._too_wide(each))

    def _invalid(self) -> Iterator[Problem]:
        """Numbers that are invalid for every dimension."""
        for name in self.declared:
            least = 0 if name.endswith("_padding") else 1
            for d, number in enumerate(getattr(self, name), LEADING):
                if not least <= number <= DIMENSION_MAX:
                    yield self.problem(
                        name,
                        "number",
                        field=name,
                        number=short_text(number),
                        d=d,
                        least=least,
                        most=f"{DIMENSION_MAX:,}",
                    )

    def _too_wide(self, sizes: Sizes) -> Iterator[Problem]:
        """Dimensions in which not even one window fits."""
        for d, slide in enumerate(self.slides(sizes), LEADING):
            if slide.extent > slide.padded:
                names = ("window", "dilation", "extent", "start", "size", "end", "padded")
                numbers = {name: short_text(getattr(slide, name)) for name in names}
                yield self.problem("window_sizes", "too-wide", d=d, **numbers)

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        (x,) = inputs.values()
        slides = self.slides(x.shape)
        return {self.output_slots[0].name: flattened(taken(x, slides), slides)}

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        return None

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        (x,) = inputs.values()
        slides, dtype = self.slides(x.sizes), DATA_TYPES[x.data_type].dtype
        out = self.shape({INPUT[0].name: x.sizes})
        shape = Node("Reshape", (FLOW, Constant("shape", np.array(out, np.int64))))
        if LEADING + 2 * len(slides) > MAX_RANK:
            return Graph("lowered", (*self._flat_nodes(x.sizes, dtype), shape))
        nodes: list[Node] = []
        flow = list(x.sizes)
        # two dimensions for one, those that shrink first: so no tensor in between is much larger
        # than both the input and the output; from the last on, so that those before stay
        order = sorted(
            range(len(slides)),
            key=lambda k: slides[k].window * slides[k].count > slides[k].size,
        )
        for number, k in enumerate(order):
            slide = slides[k]
            d = LEADING + k + sum(other < k for other in order[:number])
            if slide.outside:
                # a 0 follows all elements, for places outside
                zeros = Constant("zeros", np.zeros(put(tuple(flow), d, 1), dtype))
                nodes.append(Node("Concat", (FLOW, zeros), {"axis": d}))
            nodes.append(_gather(slide.places, slide.size, d))
            flow[d : d + 1] = [slide.window, slide.count]
        turned = Node("Transpose", (FLOW,), {"perm": list(interleaved(len(slides)))})
        return Graph("lowered", (*nodes, turned, shape))

    def _flat_nodes(self, sizes: Sizes, dtype: np.dtype[Any]) -> Iterator[Node]:
        """The nodes for more spatial dimensions than two each fit in a tensor: all as one."""
        count, spatial = math.prod(sizes[:LEADING]), sizes[LEADING:]
        rows = np.array((count, math.prod(spatial)), np.int64)
        yield Node("Reshape", (FLOW, Constant("rows", rows)))
        # a 0 follows all elements, for places outside
        zeros = Constant("zeros", np.zeros((count, 1), dtype))
        yield Node("Concat", (FLOW, zeros), {"axis": 1})
        channel = np.broadcast_to(np.int8(0), (1, 1, *spatial))
        yield _gather(self.places({INPUT[0].name: channel})[0], math.prod(spatial), 1)

    # ---- examples and moves

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.arange(25, dtype=np.float32).reshape(1, 1, 5, 5)
        ones = (1, 1)
        return tuple(
            cls((3, 3), ones, ones, pads, pads).documented_example(x, number)
            for number, pads in enumerate(((0, 0), (1, 0)), 1)
        )

    def alternative(self) -> Operator:
        # windows side by side, or one after every element
        ones = (1,) * len(self.strides)
        apart = tuple(max(1, window) for window in self.window_sizes)
        return replace(self, strides=ones if self.strides == apart else apart)

    def moves(self, inputs: Tensors) -> Steps:
        (x,) = inputs.values()
        out, slides = self.output_sizes(x.shape), self.slides(x.shape)
        n, windows = math.prod(out[:-1]), out[-1]

        def rest(first: int) -> Step:
            title = self.say("windows-title", k=first, last=windows - 1)
            return Step(title, self.say("windows", n=n * (windows - first)))

        return grouped_steps(
            np.broadcast_to(np.arange(windows), out).ravel(),
            lambda k: self._step(k, n, slides),
            rest,
            _STEPS_SHOWN,
        )

    def _step(self, k: int, n: int, slides: Sequence[Slide]) -> Step:
        """The step of window ``k``, which becomes ``n`` elements."""
        at = [int(i) for i in np.unravel_index(k, [slide.count for slide in slides])]
        each = list(zip(at, slides, strict=True))
        places = math.prod(slide.window for slide in slides)
        zeros = n - n // places * math.prod(s.window - s.zeros(i) for i, s in each)
        covered = listed(
            [
                self.say("of-dimension", places=self._named(slide.covered(i)), d=d)
                for d, (i, slide) in enumerate(each, LEADING)
            ]
        )
        numbers = {"covered": covered, "n": n, "k": k}
        caption = (
            self.say("window-zeros", zeros, zeros=zeros, **numbers)
            if zeros
            else self.say("window", n, **numbers)
        )
        return Step(self.say("window-title", k=k), caption)

    def _named(self, covered: Sequence[int]) -> str:
        """Some indices of a dimension, one after the other or from first to last."""
        first, last = covered[0], covered[-1]
        if len(covered) == 1:
            return self.say("index", i=first)
        if last - first == len(covered) - 1:
            return self.say("indices", first=first, last=last)
        named = [str(i) for i in covered]
        if len(named) > _PLACES_NAMED:
            named = [*named[: _PLACES_NAMED - 1], "…", named[-1]]
        return self.say("indices-apart", list=", ".join(named))

    # ---- misreadings

    def misread(self, x: Array) -> Iterator[Candidate]:
        slides = self.slides(x.shape)
        yield from self._orders(taken(x, slides), slides)
        for key, words, others in self._others(slides):
            if _possible(others, x):
                yield key, words, flattened(taken(x, others), others)

    def _orders(self, y: Array, slides: Sequence[Slide]) -> Iterator[Candidate]:
        """The same elements in another order."""
        say = self.say
        n, c, m = y.shape[0], y.shape[1], len(slides)
        places = math.prod(slide.window for slide in slides)
        windows = math.prod(slide.count for slide in slides)
        truth = y.reshape(n, c, places, windows)
        by_place = truth.transpose(0, 2, 1, 3).reshape(n, c * places, windows)
        yield "place-first", say("misread-place-first", places=places), by_place
        flat = truth.reshape(n, c * places, windows)
        yield "rows", say("misread-rows", count=windows), flat.transpose(0, 2, 1)
        inner, outer = range(LEADING, LEADING + m), range(LEADING + m, LEADING + 2 * m)
        if m > 1:
            last = LEADING + m - 1
            turned = y.transpose(0, 1, *inner[::-1], *outer)
            yield "window-turned", say("misread-window-turned", d=last), turned.reshape(flat.shape)
            turned = y.transpose(0, 1, *inner, *outer[::-1])
            yield (
                "windows-turned",
                say("misread-windows-turned", d=last),
                turned.reshape(flat.shape),
            )
        yield "flipped", say("misread-flipped"), np.flip(y, tuple(inner)).reshape(flat.shape)
        if c > 1:
            yield "apart", say("misread-apart", c=c, places=places, rows=c * places), truth

    def _others(self, slides: Sequence[Slide]) -> Iterator[tuple[str, str, list[Slide]]]:
        """Other settings in one dimension, or in all."""
        say = self.say
        if any(slide.start or slide.end for slide in slides):
            none = [replace(slide, start=0, end=0) for slide in slides]
            yield "unpadded", say("misread-unpadded"), none
        if any(slide.start != slide.end for slide in slides):
            swapped = [replace(slide, start=slide.end, end=slide.start) for slide in slides]
            yield "ends-swapped", say("misread-ends-swapped"), swapped
            twice = [replace(slide, end=slide.start) for slide in slides]
            yield "start-twice", say("misread-start-twice"), twice
        for k, slide in enumerate(slides):
            names = ("stride", "dilation", "window", "count")
            numbers = {name: getattr(slide, name) for name in names}
            for key, changed in _others_along(slide):
                words = say(f"misread-{key}", d=LEADING + k, **numbers)
                # the same misconception has a key for each dimension
                yield f"{key}-{LEADING + k}", words, [*slides[:k], changed, *slides[k + 1 :]]

    # ---- other dialects

    def onnx_code(self, case: Case, inputs: Mapping[str, TensorDesc]) -> Snippet:
        slides = self.slides(case.sizes)
        before, nodes = list(_places(slides, "np.arange")), []
        for d, slide, flow in _from_the_last(slides, case.sizes):
            axis = {"axis": str(d)}
            if slide.outside:
                beyond = f"(at{d} < 0) | (at{d} > {slide.size - 1})"
                before.append(f"at{d} = np.where({beyond}, {slide.size}, at{d})")
                zeros = {f"zeros{d}": f"np.zeros({put(flow, d, 1)}, dtype=np.{case.dtype})"}
                nodes.append(NodeText("Concat", (FLOW, *zeros), zeros, axis))
            nodes.append(NodeText("Gather", (FLOW, f"i{d}"), {f"i{d}": f"at{d}"}, axis))
        shape = f"np.array([{commas(case.output_sizes)}])"
        nodes += [
            NodeText("Transpose", attributes={"perm": str(list(interleaved(len(slides))))}),
            NodeText("Reshape", (FLOW, "shape"), {"shape": shape}),
        ]
        return onnx_snippet(case, nodes, before=before, note=self.say("onnx"))

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        slides = self.slides(case.sizes)
        return (
            self._numpy(case, slides),
            self._pytorch(case, slides),
            self._tensorflow(case, slides),
            self._einops(case, slides),
        )

    def _numpy(self, case: Case, slides: Sequence[Slide]) -> Snippet:
        lines, data = [], "x"
        if _padded(slides):
            pairs = [(0, 0)] * LEADING + [(slide.start, slide.end) for slide in slides]
            lines.append(f"p = np.pad(x, {pairs})")
            data = "p"
        extents = tuple_text([slide.extent for slide in slides])
        axes = tuple_text(range(LEADING, LEADING + len(slides)))
        view = "v = np.lib.stride_tricks.sliding_window_view"
        lines.append(call(view, data, extents, f"axis={axes}"))
        steps = [slide.stride for slide in slides] + [slide.dilation for slide in slides]
        if set(steps) != {1}:
            lines.append(f"v = v[:, :, {', '.join(f'::{step}' for step in steps)}]")
        return numpy_snippet(case, [*lines, _in_order("transpose", case, len(slides))])

    def _pytorch(self, case: Case, slides: Sequence[Slide]) -> Snippet:
        even = all(slide.start == slide.end for slide in slides)
        if len(slides) == 2 and even and case.data_type in _PYTORCH_UNFOLDS:
            arguments = {
                "dilation": [slide.dilation for slide in slides],
                "padding": [slide.start for slide in slides],
                "stride": [slide.stride for slide in slides],
            }
            options = [f"{name}={tuple_text(numbers)}" for name, numbers in arguments.items()]
            window = tuple_text([slide.window for slide in slides])
            lines = [call("y = F.unfold", "x", window, *options)]
            return pytorch_snippet(case, lines)
        lines, data = [], "x"
        if _padded(slides):
            pads = [n for slide in reversed(slides) for n in (slide.start, slide.end)]
            lines.append(f"v = F.pad(x, {tuple_text(pads)})")
            data = "v"
        for d, slide in enumerate(slides, LEADING):
            lines.append(f"v = {data}.unfold({d}, {slide.extent}, {slide.stride})")
            data = "v"
        far = [slide.dilation for slide in slides]
        if set(far) != {1}:
            lines.append(f"v = v[..., {', '.join(f'::{step}' for step in far)}]")
        lines.append(_in_order("permute", case, len(slides)))
        return pytorch_snippet(case, lines, self.say("pytorch"))

    def _tensorflow(self, case: Case, slides: Sequence[Slide]) -> Snippet:
        lines, data = list(_places(slides, "tf.range")), "x"
        for d, slide, flow in _from_the_last(slides, case.sizes):
            if slide.outside:
                beyond = f"(at{d} < 0) | (at{d} > {slide.size - 1})"
                lines.append(f"at{d} = tf.where({beyond}, {slide.size}, at{d})")
                zeros = f"tf.zeros({put(flow, d, 1)}, tf.{case.dtype})"
                lines.append(f"v = tf.concat([{data}, {zeros}], axis={d})")
                data = "v"
            lines.append(f"v = tf.gather({data}, at{d}, axis={d})")
            data = "v"
        lines.append(f"v = tf.transpose(v, {list(interleaved(len(slides)))})")
        lines.append(f"y = tf.reshape(v, [{commas(case.output_sizes)}])")
        return tensorflow_snippet(case, lines, self.say("tensorflow"))

    def _einops(self, case: Case, slides: Sequence[Slide]) -> Snippet:
        side_by_side = all(
            (slide.stride, slide.dilation, slide.padded) == (slide.window, 1, slide.size)
            and slide.count * slide.window == slide.size
            for slide in slides
        )
        if not side_by_side:
            return Snippet("einops", note=self.say("einops"))
        axes = range(len(slides))
        split = " ".join(f"(b{d} w{d})" for d in axes)
        rows, columns = (" ".join(f"{name}{d}" for d in axes) for name in "wb")
        lengths = {f"w{d}": slide.window for d, slide in enumerate(slides)}
        pattern = f"n c {split} -> n (c {rows}) ({columns})"
        return einops_snippet(case, "rearrange", pattern, lengths)


def _digits(number: Any, counts: Sequence[int]) -> Iterator[Any]:
    """The indices that a number combines; the last index counts fastest.

    Args:
        number: an expression, an array or a number, below the product of the counts.
        counts: how many values each index has.
    """
    for k, count in enumerate(counts):
        above = number // math.prod(counts[k + 1 :])
        # the first one has nothing above it; an index of one value is 0
        yield above if k == 0 and count > 1 else above % count


def _gather(places: Array, size: int, axis: int) -> Node:
    """A Gather of places; those outside take element ``size``."""
    at = np.where((places < 0) | (places >= size), size, places)
    return Node("Gather", (FLOW, Constant("indices", at.astype(np.int32))), {"axis": axis})


def _others_along(slide: Slide) -> Iterator[tuple[str, Slide]]:
    """Other settings along one dimension."""
    if slide.window != slide.stride:
        yield "side-by-side", replace(slide, stride=slide.window)
    if slide.stride > 1:
        yield "every", replace(slide, stride=1)
        yield "skipped", replace(slide, stride=slide.stride + 1)
        over = slide.extent + slide.count * slide.stride - slide.padded
        yield "half", replace(slide, end=slide.end + over)
    if slide.dilation > 1 and slide.window > 1:
        yield "dense", replace(slide, dilation=1)
        yield "wider", replace(slide, dilation=slide.dilation + 1)
    if slide.window > 1:
        yield "narrower", replace(slide, window=slide.window - 1)


def _possible(slides: Sequence[Slide], x: Array) -> bool:
    """Whether there is such an output, and it is not too large to make."""
    if any(slide.extent > slide.padded for slide in slides):
        return False
    each = math.prod(slide.window * slide.count for slide in slides)
    batch, channels = x.shape[:LEADING]
    return bool(batch * channels * each <= MISREADING_LIMIT)


def _places(slides: Sequence[Slide], arange: str) -> Iterator[str]:
    """The lines that make ``at2`` and so on: the index of each place in each window."""
    for d, slide in enumerate(slides, LEADING):
        far = "" if slide.dilation == 1 else f" * {slide.dilation}"
        apart = "" if slide.stride == 1 else f" * {slide.stride}"
        taps = f"{arange}({slide.window})[:, None]{far}"
        start = f" - {slide.start}" if slide.start else ""
        yield f"at{d} = {taps} + {arange}({slide.count}){apart}{start}"


def _from_the_last(slides: Sequence[Slide], sizes: Sizes) -> Iterator[tuple[int, Slide, Sizes]]:
    """Each dimension from the last on: its number, its window, and the tensor's sizes by then."""
    for d, slide in reversed(list(enumerate(slides, LEADING))):
        yield d, slide, sizes
        sizes = (*sizes[:d], slide.window, slide.count, *sizes[d + 1 :])


def _padded(slides: Sequence[Slide]) -> bool:
    return any(slide.start or slide.end for slide in slides)


def _in_order(transpose: str, case: Case, spatial: int) -> str:
    """Windows before places, swapped, and everything in three dimensions."""
    first = LEADING + spatial
    order = (0, 1, *range(first, first + spatial), *range(LEADING, first))
    return f"y = v.{transpose}({commas(order)}).reshape({commas(case.output_sizes)})"
