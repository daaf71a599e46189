"""DML_SLICE1: every n-th element of a window of the input, forward or backward."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.errors import Error, Problem
from dmlviz.movement.expressions import Expr, const
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import STEPS_SHOWN, Part, Step, Steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.calculations import Calculation, calculation, size_alone
from dmlviz.operators.checks import agreeing_count, desc_fields, tensor_sizes, whole_numbers
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.directions import SIMPLE, along_words, place_words
from dmlviz.operators.feature_levels import ALL, ANY_RANK, SMALL, Support
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.older import OlderForm
from dmlviz.operators.per_dimension import Extent, IndexPerDimension, Limit, Stride
from dmlviz.operators.settings import setting, with_settings
from dmlviz.operators.slots import OUTPUT, TensorDesc
from dmlviz.operators.windowed import PYTORCH_SELECTS, Walk, Windowed, at_once
from dmlviz.tensors import DATA_TYPES, print_sizes, short_text
from dmlviz.tensors.numbering import take
from dmlviz.tensors.types import Array, Sizes, Tensors

_OLDER = "DML_SLICE_OPERATOR_DESC"
_COUNT, *_ARRAYS = ("DimensionCount", "Offsets", "Sizes", "Strides")


def _read_older(desc: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of the Slice that does what DML_SLICE's fields describe.

    Raises:
        Error: a field is missing, unknown or invalid.

    >>> _read_older({"Offsets": [1], "Sizes": [3], "Strides": [2]})["input_window_sizes"]
    (5,)
    """
    desc_fields(_OLDER, desc, _ARRAYS, (_COUNT, OUTPUT[0].name))
    arrays = {name: whole_numbers(name, desc[name]) for name in _ARRAYS}
    agreeing_count(_OLDER, desc, _COUNT, arrays)
    offsets, counts, strides = arrays.values()
    output, facts = tensor_sizes(desc, OUTPUT[0].name), {"structure": _OLDER}
    for name in ("Sizes", "Strides"):
        if min(arrays[name], default=1) < 1:
            values = short_text(list(arrays[name]))
            raise Error(Slice.say("older-numbers", name=name, values=values, **facts), name)
    if len({len(numbers) for numbers in arrays.values()}) > 1:
        raise Error(Slice.say("older-counts", names=", ".join(_ARRAYS), **facts), _ARRAYS[1])
    if output not in ((), counts):
        facts |= {"output": short_text(list(output)), "due": short_text(list(counts))}
        raise Error(Slice.say("older-output", **facts), OUTPUT[0].name)
    # the last element that is copied is the window's last
    window = tuple(1 + (n - 1) * s for n, s in zip(counts, strides, strict=True))
    return {
        "input_window_offsets": offsets,
        "input_window_sizes": window,
        "input_window_strides": strides,
    }


def _write_older(operator: Any, _data_type: str) -> dict[str, Any]:
    """The fields for a Slice; with a stride below 1 they describe nothing.

    >>> _write_older(Slice((1,), (6,), (2,)), "INT8")
    {'Offsets': [1], 'Sizes': [3], 'Strides': [2]}
    """
    counts = [walk.count for walk in operator.walks]
    arrays = (operator.input_window_offsets, counts, operator.input_window_strides)
    return dict(zip(_ARRAYS, map(list, arrays), strict=True))


@with_settings
class Slice(Windowed):
    """Copy every n-th element of a window, as ``DML_SLICE1_OPERATOR_DESC`` does.

    Args:
        input_window_offsets: where the window begins in each dimension, 0 or more.
        input_window_sizes: how many elements of each dimension the window has, 1 or more.
        input_window_strides: from one copied element to the next, not 0; a negative stride
            starts at the window's last element and goes backward.
        output_tensor_sizes: how many elements to copy along each dimension; 0 or nothing means
            as many as there are.

    The window is within the input.  Along each dimension at most
    ``1 + (window - 1) // abs(stride)`` elements can be copied.

    >>> Slice((0, 1), (2, 3), (1, -2)).output_sizes((2, 4))
    (2, 2)
    >>> print(Slice((1,), (5,), (-2,)).explain((7,), (1,)))
    out[w] = in[1 + 5 − 1 − 2 · w]
    out[1] = in[1 + 5 − 1 − 2 · 1] = in[3]
    """

    input_window_offsets: tuple[int, ...] = setting(IndexPerDimension, "InputWindowOffsets")
    input_window_sizes: tuple[int, ...] = setting(Extent, "InputWindowSizes", least=1)
    input_window_strides: tuple[int, ...] = setting(Stride, "InputWindowStrides")
    output_tensor_sizes: tuple[int, ...] = setting(Limit, "OutputTensor.Sizes", default=())

    dml: ClassVar[str] = "SLICE1"
    key: ClassVar[str] = "slice"
    place: ClassVar[int] = 50
    counting: ClassVar[str] = "DimensionCount"
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_1", (4, 5), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    older_forms: ClassVar[tuple[OlderForm, ...]] = (
        OlderForm(
            "DML_OPERATOR_SLICE", _OLDER, (_COUNT, *_ARRAYS), _read_older, write=_write_older
        ),
    )

    # ---- the rule

    @property
    def walks(self) -> tuple[Walk, ...]:
        """The places taken along each dimension, for valid settings."""
        return tuple(map(self.walk, range(len(self.output_tensor_sizes)), self.output_tensor_sizes))

    def extent(self, d: int, size: int) -> int:
        return self.walks[d].count

    def along(self, d: int, i: Any, size: int) -> Any:
        walk = self.walks[d]
        if walk.whole(size):
            return i
        # the number before the letter, as usual
        way = i if walk.step == 1 else walk.step * i
        if walk.stride > 0:
            return walk.offset + way
        if not isinstance(i, Expr):
            return walk.last - way
        # not simplified, so that the window's end is visible
        end = Expr("add", (const(walk.offset), const(walk.window)))
        return Expr("sub", (end, const(1))) - way

    def sum_of(self, d: int, size: int) -> Calculation:
        walk = self.walks[d]
        steps = calculation("div", calculation("−", walk.window, 1), walk.step)
        reached = calculation("+", 1, steps)
        if walk.count < walk.most:
            return calculation("min", walk.count, reached)
        return size_alone(walk.count) if walk.whole(size) else reached

    def problems_along(self, d: int, size: int) -> Iterator[Problem]:
        offset, window = self.input_window_offsets[d], self.input_window_sizes[d]
        stride, count = self.input_window_strides[d], self.output_tensor_sizes[d]
        if not 0 <= offset < size:
            yield self.problem(
                "input_window_offsets", "offset", offset=short_text(offset), d=d, last=size - 1
            )
        if window < 1:
            yield self.empty_window(d)
        elif 0 <= offset < size < offset + window:
            yield self.problem(
                "input_window_sizes",
                "beyond",
                offset=offset,
                window=short_text(window),
                end=short_text(offset + window),
                d=d,
                size=size,
            )
        if problem := self.stride_problem(d):
            yield problem
        elif 1 <= window <= size:
            most = self.walk(d).most
            if not 0 <= count <= most:
                yield self.problem(
                    "output_tensor_sizes",
                    "too-many",
                    count=short_text(count),
                    d=d,
                    window=window,
                    step=abs(stride),
                    most=most,
                )

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        (x,) = inputs.values()
        walks = self.walks
        window = tuple(slice(walk.offset, walk.last + 1) for walk in walks)
        turned = tuple(slice(None, None, stride) for stride in self.input_window_strides)
        taken = x[window][turned][tuple(slice(walk.count) for walk in walks)]
        return {self.output_slots[0].name: taken.copy()}

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        numbers = {
            "starts": [walk.start for walk in self.walks],
            "ends": [_onnx_end(walk) for walk in self.walks],
            "axes": list(range(len(self.walks))),
            "steps": [walk.stride for walk in self.walks],
        }
        constants = (Constant(name, np.array(n, np.int64)) for name, n in numbers.items())
        node = Node("Slice", (FLOW, *constants))
        return Graph("native", (node,), cpu_types=frozenset(DATA_TYPES))

    # ---- examples, and settings that fit

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.arange(1, 17, dtype=np.float32).reshape(1, 1, 4, 4)
        return tuple(
            cls((0, 0, 0, 1), (1, 1, 4, 3), strides).documented_example(x, number)
            for number, strides in enumerate(((1, 1, 2, 2), (1, 1, -2, 2)), 1)
        )

    @classmethod
    def fitted_along(
        cls, offset: int, window: int, stride: int, count: int, size: int
    ) -> tuple[int, int, int, int]:
        # a window that no longer fits is cut off at the input's end
        offset = min(offset, size - 1)
        window = min(window, size - offset)
        reached = stride and count <= 1 + (window - 1) // abs(stride)
        return offset, window, stride, count if reached else 0

    def with_output_sizes(self, outputs: Mapping[str, Sizes]) -> Operator:
        sizes = outputs.get("OutputTensor", ())
        walked = min(self.input_window_sizes, default=0) > 0 and 0 not in self.input_window_strides
        if not walked or not self.counts_agree(sizes):
            return self
        free = all(1 <= n <= walk.most for n, walk in zip(sizes, self.walks, strict=True))
        if not free or sizes == tuple(walk.count for walk in self.walks):
            return self
        return replace(self, output_tensor_sizes=sizes)

    # ---- moves: place by place along one dimension; and the parts of the rule

    def moves(self, inputs: Tensors) -> Steps:
        (x,) = inputs.values()
        out, walks = self.output_sizes(x.shape), self.walks
        none = np.full(math.prod(out), -1, np.int64)
        several = (d for d, w in enumerate(walks) if w.count > 1 and not w.whole(x.shape[d]))
        d = next(several, None)
        if d is None:
            step = Step(self.say("window-title"), self._window_words(x.shape, none.size))
            return Steps((step,), np.zeros(none.size, np.int32), none)
        count, each = out[d], none.size // out[d]
        step_of = np.minimum(np.arange(count), STEPS_SHOWN - 1).astype(np.int32)
        shape = [-1 if e == d else 1 for e in range(len(out))]
        steps = tuple(
            self.step_of_index(d, walks[d], k, each) for k in range(min(count, STEPS_SHOWN))
        )
        return Steps(steps, np.broadcast_to(step_of.reshape(shape), out).ravel(), none)

    def _window_words(self, sizes: Sizes, n: int) -> str:
        """What one step copies: along each dimension one index, or all."""
        single = [d for d, walk in enumerate(self.walks) if not walk.whole(sizes[d])]
        if not single:
            return self.say("whole", n, n=n)
        if len(sizes) > SIMPLE:
            return self.say("one-or-all", n, n=n)
        there = ", ".join(place_words(len(sizes), d, self.walks[d].start) for d in single)
        return self.say("simple-one-or-all", n, n=n, there=there)

    def rule_parts(self, inputs: Tensors) -> tuple[Part, ...]:
        (x,) = inputs.values()
        self.output_sizes(x.shape)
        return tuple(self._parts(x.shape))

    @classmethod
    def rule_parts_title(cls) -> str:
        return cls.say("parts-title")

    def _parts(self, sizes: Sizes) -> Iterator[Part]:
        """The window, then axis by axis: reversed if the stride is negative, then thinned out."""
        say, walks = self.say, self.walks
        before: Part | Sizes = sizes
        after = [walk.window for walk in walks]

        def part(title: str, caption: str, take: Callable[[Array], Array]) -> Part:
            nonlocal before
            before = Part(title, caption, tuple(after), before, take)
            return before

        if tuple(after) != sizes:
            window = tuple(slice(walk.offset, walk.last + 1) for walk in walks)
            caption = say("part-window", sizes=print_sizes(after))
            yield part(say("window-title"), caption, itemgetter(window))
        for d, walk in enumerate(walks):
            if walk.stride < 0 and walk.window > 1:
                caption = say("part-reversed", stride=walk.stride)
                yield part(say("part-reversed-title", d=d), caption, partial(np.flip, axis=d))
            if walk.step > 1 and walk.window > 1:
                after[d] = walk.most
                numbers = {"n": walk.most, "window": walk.window, "step": walk.step}
                caption = say("part-steps", places=_few(self.walk(d).places), **numbers)
                stays = np.arange(walk.most) * walk.step
                thinned = partial(take, places=stays, axis=d)
                yield part(say("part-steps-title", d=d, step=walk.step), caption, thinned)
        counts = [walk.count for walk in walks]
        if after != counts:
            after = counts
            caption = say("part-output", sizes=print_sizes(counts))
            room = itemgetter(tuple(slice(n) for n in counts))
            yield part(say("part-output-title"), caption, room)

    # ---- misreadings

    def misread(self, x: Array) -> Iterator[Candidate]:
        truth = [walk.places for walk in self.walks]
        for d in reversed(range(x.ndim)):
            for key, wrong in _misread_along(self.walks[d], x.shape[d]):
                if wrong and min(wrong) >= 0 and max(wrong) < x.shape[d]:
                    along, numbers = along_words(x.ndim, d), self.walks[d].numbers()
                    words = self.say(f"misread-{key}", along=along, **numbers)
                    # the same misconception has a key for each dimension
                    yield f"{key}-{d}", words, _taken(x, [*truth[:d], wrong, *truth[d + 1 :]])
        if x.ndim > 1:
            others = [*self.walks[:-2], self.walks[-1], self.walks[-2]]
            if all(walk.last < n for walk, n in zip(others, x.shape, strict=True)):
                places = [_way(walk.offset, walk.window, walk.stride) for walk in others]
                yield "swapped", self.say("misread-swapped"), _taken(x, places)

    # ---- other dialects

    def onnx_note(self, case: Case) -> str:
        backwards = [walk for walk in self.walks if walk.stride < 0]
        if any(walk.places[-1] == 0 for walk in backwards):
            return self.say("onnx-before-0")
        return self.say("onnx-backwards") if backwards else ""

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        ranges = ", ".join(f"{walk.offset}:{walk.last + 1}" for walk in self.walks)
        window = f"y = x[{ranges}]"
        limit = _indexed([f":{w.count}" if w.count < w.most else ":" for w in self.walks])
        return (
            self._numpy(case, window, limit),
            self._pytorch(case, window, limit),
            tensorflow_snippet(case, [f"y = x[{at_once(self.walks)}]"]),
            Snippet("einops", note=self.say("einops")),
        )

    def _numpy(self, case: Case, window: str, limit: Sequence[str]) -> Snippet:
        backwards = min(self.input_window_strides) < 0
        note = self.say("numpy", code=f"x[{at_once(self.walks)}]") if backwards else ""
        ways = [f"::{stride}" if stride != 1 else ":" for stride in self.input_window_strides]
        return numpy_snippet(case, [window, *_indexed(ways), *limit], note)

    def _pytorch(self, case: Case, window: str, limit: Sequence[str]) -> Snippet:
        back = [d for d, walk in enumerate(self.walks) if walk.stride < 0]
        ways = [f"::{walk.step}" if walk.step != 1 else ":" for walk in self.walks]
        note, turned = "", []
        if back and case.data_type in PYTORCH_SELECTS:
            note = self.say("pytorch-selects")
            for d in back:
                walk = self.walks[d]
                places = f"torch.arange({walk.window - 1}, -1, {walk.stride})"
                turned.append(call("y = y.index_select", str(d), places))
                ways[d] = ":"
        elif back:
            note = self.say("pytorch-reverses")
            turned.append(f"y = y.flip({back})")
        return pytorch_snippet(case, [window, *turned, *_indexed(ways), *limit], note)


def _onnx_end(walk: Walk) -> int:
    """ONNX's ``end``: one beyond the last place taken, in the walk's direction.

    >>> _onnx_end(Walk(1, 3, 2, 2)), _onnx_end(Walk(2, 5, -1, 3)), _onnx_end(Walk(0, 5, -2, 3))
    (4, 3, -9223372036854775808)
    """
    last = walk.places[-1]
    if walk.stride > 0:
        return last + 1
    # -1 would be the input's last element
    return last - 1 if last else int(np.iinfo(np.int64).min)


def _few(places: Sequence[int]) -> str:
    """The first places, and the last."""
    if len(places) <= 6:
        return ", ".join(map(str, places))
    return ", ".join([*map(str, places[:4]), "…", str(places[-1])])


def _misread_along(walk: Walk, size: int) -> Iterator[tuple[str, range]]:
    """The places that misreadings take along one dimension."""
    offset, window, stride, step = walk.offset, walk.window, walk.stride, walk.step
    sign = 1 if stride > 0 else -1
    if stride < 0:
        forwards = range(offset, offset + step * walk.count, step)
        yield "forwards", forwards
        yield "turned-last", forwards[::-1]
        yield "behind", _shifted(walk, 1)
        yield "from-offset", range(offset, -1, stride)
    if offset < window:
        yield "end", _way(offset, window - offset, stride)
    if step > 1:
        yield "count", range(walk.start, walk.start + stride * window, stride)
        yield "skipped", _way(offset, window, stride + sign)
        yield "dense", _way(offset, window, sign)
    if walk.count < walk.most:
        yield "filled", _way(offset, window, stride)
    if offset:
        yield "offset", _shifted(walk, -offset)
        yield "from-one", _shifted(walk, -1)
    if window < size or walk.count > 1:
        yield "one-later", _shifted(walk, 1)
    if window > 1:
        yield "short", _way(offset, window - 1, stride)


def _way(offset: int, window: int, stride: int) -> range:
    """All places of a window, in the direction of the stride."""
    if stride > 0:
        return range(offset, offset + window, stride)
    return range(offset + window - 1, offset - 1, stride)


def _shifted(walk: Walk, by: int) -> range:
    start = walk.start + by
    return range(start, start + walk.stride * walk.count, walk.stride)


def _taken(x: Array, places: Sequence[range]) -> Array:
    taken: Array = x[np.ix_(*(np.array(along) for along in places))]
    return taken


def _indexed(ways: Sequence[str]) -> list[str]:
    """A line for the slices that do not cover the whole dimension."""
    return [f"y = y[{', '.join(ways)}]"] if any(way != ":" for way in ways) else []
