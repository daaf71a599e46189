"""DML_SLICE1: every n-th element of a window of the input, forward or backward."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.expressions import Expr, const, index
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node, gathers
from dmlviz.movement.steps import Part, Steps
from dmlviz.operators.base import Array, Operator
from dmlviz.operators.checks import (
    agreeing_count,
    count_problem,
    desc_fields,
    tensor_sizes,
    whole_numbers,
)
from dmlviz.operators.code.base import Case, Snippet
from dmlviz.operators.examples import Example
from dmlviz.operators.feature_levels import ALL, ANY_RANK, SMALL, Support
from dmlviz.operators.older import OlderForm
from dmlviz.operators.one_tensor import OneTensor
from dmlviz.operators.per_dimension import Extent, Limit, Place, Stride
from dmlviz.operators.settings import Setting, Sizes
from dmlviz.operators.slice.code import slice_snippets
from dmlviz.operators.slice.older import OLDER, read_older, write_older
from dmlviz.operators.slice.steps import slice_parts, slice_steps
from dmlviz.operators.walks import Walk
from dmlviz.tensors import DATA_TYPES, shown
from dmlviz.words import _

_INT_MIN, _INT_MAX = -(2**31), 2**31 - 1


@dataclass(frozen=True)
class Slice(OneTensor):
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

    input_window_offsets: tuple[int, ...]
    input_window_sizes: tuple[int, ...]
    input_window_strides: tuple[int, ...]
    output_tensor_sizes: tuple[int, ...] = ()

    key: ClassVar[str] = "slice"
    place: ClassVar[int] = 50
    operator_type: ClassVar[str] = "DML_OPERATOR_SLICE1"
    structure: ClassVar[str] = "DML_SLICE1_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = (
        "DimensionCount",
        "InputWindowOffsets",
        "InputWindowSizes",
        "InputWindowStrides",
    )
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_1", (4, 5), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    free_tensors: ClassVar[tuple[str, ...]] = ("OutputTensor",)
    older_forms: ClassVar[tuple[OlderForm, ...]] = (
        OlderForm(*OLDER, read_older, write=write_older),
    )

    def __post_init__(self) -> None:
        for name in self._per_dimension():
            object.__setattr__(self, name, whole_numbers(name, getattr(self, name)))
        if not any(self.output_tensor_sizes):
            free = (0,) * len(self.input_window_offsets)
            object.__setattr__(self, "output_tensor_sizes", free)

    @property
    def desc(self) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "InputWindowOffsets": list(self.input_window_offsets),
            "InputWindowSizes": list(self.input_window_sizes),
            "InputWindowStrides": list(self.input_window_strides),
        }
        if any(self.output_tensor_sizes):
            fields["OutputTensor"] = {"Sizes": list(self.output_tensor_sizes)}
        return fields

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        count, offsets, window, strides = cls.members
        desc_fields(cls.structure, desc, (offsets, window, strides), (count, "OutputTensor"))
        output = tensor_sizes(desc, "OutputTensor")
        operator = cls(desc[offsets], desc[window], desc[strides], output)
        arrays = {
            offsets: operator.input_window_offsets,
            window: operator.input_window_sizes,
            strides: operator.input_window_strides,
        }
        agreeing_count(cls.structure, desc, count, arrays)
        return operator

    @property
    def documented(self) -> dict[str, Any]:
        return {name: value for name, value in self.desc.items() if name in self.members}

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            Place(
                "input_window_offsets",
                "InputWindowOffsets",
                _("Where the window begins in each dimension."),
            ),
            Extent(
                "input_window_sizes",
                "InputWindowSizes",
                _("How many elements of each dimension the window has: a count, not an end."),
                least=1,
            ),
            Stride(
                "input_window_strides",
                "InputWindowStrides",
                _(
                    "From one copied element to the next, never 0; a negative stride starts at the "
                    "window's last element and goes backward."
                ),
            ),
            Limit(
                "output_tensor_sizes",
                "OutputTensor.Sizes",
                _("How many elements to copy along each dimension; 0 means all of them."),
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.arange(1, 17, dtype=np.float32).reshape(1, 1, 4, 4)
        offsets, window = (0, 0, 0, 1), (1, 1, 4, 3)
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                cls(offsets, window, strides),
                x,
                f"{cls.structure}, Example {number}",
            )
            for number, strides in enumerate(((1, 1, 2, 2), (1, 1, -2, 2)), 1)
        )

    @classmethod
    def fitted(cls, values: Mapping[str, Any], sizes: Sizes, before: Sizes) -> dict[str, Any]:
        found = super().fitted(values, sizes, before)
        if len(found) < len(cls._per_dimension()):
            return found
        offsets, windows, strides, counts = found.values()
        # a window that no longer fits is cut off at the input's end
        offsets = tuple(min(o, n - 1) for o, n in zip(offsets, sizes, strict=True))
        windows = tuple(min(w, n - o) for w, o, n in zip(windows, offsets, sizes, strict=True))
        reached = zip(windows, strides, counts, strict=True)
        counts = tuple(n if s and n <= 1 + (w - 1) // abs(s) else 0 for w, s, n in reached)
        return dict(zip(cls._per_dimension(), (offsets, windows, strides, counts), strict=True))

    def alternative(self) -> Operator:
        # reverse the innermost dimension that has more than one element
        strides = list(self.input_window_strides)
        wide = [d for d, window in enumerate(self.input_window_sizes) if window > 1]
        d = wide[-1] if wide else len(strides) - 1
        strides[d] = -strides[d]
        return replace(self, input_window_strides=tuple(strides))

    def rule_problems(self, sizes: tuple[int, ...], data_type: str | None) -> list[Problem]:
        labels = {setting.name: setting.label for setting in self.parameters()}
        counted = (
            count_problem(name, getattr(self, name), len(sizes), self.structure, labels[name])
            for name in self._per_dimension()
            # sizes that are left open are as many zeros as there are offsets
            if any(getattr(self, name)) or name != "output_tensor_sizes"
        )
        wrong = [problem for problem in counted if problem]
        if wrong:
            return wrong
        found = []
        for d, size in enumerate(sizes):
            for name, message in self._wrong_in(d, size):
                source = f"{self.structure}, {labels[name]}"
                found.append(Problem(name, f"{name}: {message}", source))
        return found

    def _wrong_in(self, d: int, size: int) -> Iterator[tuple[str, str]]:
        """The settings that are invalid in a dimension of that size, and why."""
        offset, window = self.input_window_offsets[d], self.input_window_sizes[d]
        stride, count = self.input_window_strides[d], self.output_tensor_sizes[d]
        if not 0 <= offset < size:
            yield (
                "input_window_offsets",
                _(
                    "{offset} in dimension {d} is invalid; the window must begin at one of the "
                    "indices 0 to {last}."
                ).format(offset=shown(offset), d=d, last=size - 1),
            )
        if window < 1:
            yield (
                "input_window_sizes",
                _(
                    "{window} in dimension {d} is invalid; a window must have 1 element or more."
                ).format(window=shown(window), d=d),
            )
        elif 0 <= offset < size < offset + window:
            yield (
                "input_window_sizes",
                _(
                    "offset {offset} + window {window} = {end} in dimension {d} is beyond the "
                    "input's size {size}."
                ).format(
                    offset=offset,
                    window=shown(window),
                    end=shown(offset + window),
                    d=d,
                    size=size,
                ),
            )
        if stride == 0 or not _INT_MIN <= stride <= _INT_MAX:
            yield (
                "input_window_strides",
                _(
                    "{stride} in dimension {d} is invalid; a stride must be a whole number of 32 "
                    "bits, and not 0."
                ).format(stride=shown(stride), d=d),
            )
        elif 1 <= window <= size:
            most = self._walk(d).most
            if not 0 <= count <= most:
                yield (
                    "output_tensor_sizes",
                    _(
                        "{count} in dimension {d} is invalid; 1 + ({window} − 1) div {step} = "
                        "{most} is the most that can be copied."
                    ).format(count=shown(count), d=d, window=window, step=abs(stride), most=most),
                )

    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(walk.count for walk in self.walks)

    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        sums = []
        for walk, size in zip(self.walks, sizes, strict=True):
            reached = f"1 + ({walk.window} − 1) div {walk.step}"
            if walk.count < walk.most:
                sums.append(f"min({walk.count}, {reached}) = {walk.count}")
            elif walk.whole(size):
                sums.append(f"{walk.count}")
            else:
                sums.append(f"{reached} = {walk.count}")
        return tuple(sums)

    def with_output_sizes(self, outputs: Mapping[str, tuple[int, ...]]) -> Operator:
        wanted = outputs.get("OutputTensor", ())
        if len({len(wanted), *(len(getattr(self, n)) for n in self._per_dimension())}) > 1:
            return self
        if any(window < 1 for window in self.input_window_sizes):
            return self
        if 0 in self.input_window_strides:
            return self
        walks = self.walks
        free = all(1 <= n <= walk.most for n, walk in zip(wanted, walks, strict=True))
        if not free or wanted == tuple(walk.count for walk in walks):
            return self
        return replace(self, output_tensor_sizes=wanted)

    def apply(self, x: Array) -> Array:
        window = tuple(slice(walk.offset, walk.last + 1) for walk in self.walks)
        turned = tuple(slice(None, None, stride) for stride in self.input_window_strides)
        return x[window][turned][tuple(slice(walk.count) for walk in self.walks)].copy()

    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        walks = self.walks
        numbers = {
            "starts": [walk.start for walk in walks],
            "ends": [onnx_end(walk) for walk in walks],
            "axes": list(range(len(walks))),
            "steps": [walk.stride for walk in walks],
        }
        constants = (Constant(name, np.array(n, np.int64)) for name, n in numbers.items())
        return Graph(
            "native", (Node("Slice", (FLOW, *constants)),), cpu_types=frozenset(DATA_TYPES)
        )

    def lowered(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        places = [
            (d, np.array(walk.places))
            for d, (walk, size) in enumerate(zip(self.walks, sizes, strict=True))
            if not walk.whole(size)
        ]
        return Graph("lowered", gathers(places) or (Node("Identity"),))

    def snippets(self, case: Case) -> tuple[Snippet, ...]:
        return slice_snippets(case, self.walks, self.written(case.sizes, case.data_type))

    def formula(self, sizes: Sequence[int]) -> Formula:
        out = self.output_sizes(sizes)
        source = tuple(
            _place(index(d), walk, size)
            for d, (walk, size) in enumerate(zip(self.walks, sizes, strict=True))
        )
        return Formula(tuple(sizes), out, source)

    def steps(self, sizes: Sequence[int]) -> Steps:
        self.output_sizes(sizes)
        return slice_steps(sizes, self.walks)

    def parts_of_rule(self, sizes: Sequence[int]) -> tuple[Part, ...]:
        self.output_sizes(sizes)
        return tuple(slice_parts(sizes, self.walks))

    @classmethod
    def rule_parts_title(cls) -> str:
        return _("Window, reverse, stride")

    @classmethod
    def _per_dimension(cls) -> tuple[str, ...]:
        return tuple(setting.name for setting in cls.parameters())

    def _walk(self, d: int) -> Walk:
        offset, window = self.input_window_offsets[d], self.input_window_sizes[d]
        stride, count = self.input_window_strides[d], self.output_tensor_sizes[d]
        return Walk(offset, window, stride, count or 1 + (window - 1) // abs(stride))

    @property
    def walks(self) -> tuple[Walk, ...]:
        """The places taken along each dimension, for valid settings."""
        return tuple(self._walk(d) for d in range(len(self.input_window_strides)))


def _place(i: Expr, walk: Walk, size: int) -> Expr:
    """Where an output index comes from: the window first, then the place in it."""
    if walk.whole(size):
        return i
    # the number before the letter, as usual
    way = i if walk.step == 1 else const(walk.step) * i
    if walk.stride > 0:
        return const(walk.offset) + way
    # not simplified, so that the window's end is visible
    end = Expr("sub", (Expr("add", (const(walk.offset), const(walk.window))), const(1)))
    return end - way


def onnx_end(walk: Walk) -> int:
    """ONNX's ``end``: one beyond the last place taken, in the walk's direction.

    >>> onnx_end(Walk(1, 3, 2, 2)), onnx_end(Walk(2, 5, -1, 3)), onnx_end(Walk(0, 5, -2, 3))
    (4, 3, -9223372036854775808)
    """
    last = walk.places[-1]
    if walk.stride > 0:
        return last + 1
    # -1 would be the input's last element
    return last - 1 if last else int(np.iinfo(np.int64).min)
