"""DML_SLICE_GRAD: elements return to where DML_SLICE1 took them from; other places are 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.expressions import Expr, below, const, index
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import Steps
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
from dmlviz.operators.one_tensor import OneTensor
from dmlviz.operators.per_dimension import Limit, PerDimension
from dmlviz.operators.settings import Setting, Sizes
from dmlviz.operators.slice_grad.code import slice_grad_snippets
from dmlviz.operators.slice_grad.kinds import Apart, Room
from dmlviz.operators.slice_grad.steps import slice_grad_steps
from dmlviz.operators.slots import Slot
from dmlviz.operators.walks import Walk
from dmlviz.tensors import DATA_TYPES, shown
from dmlviz.words import _

INPUT, OUTPUT = "InputGradientTensor", "OutputGradientTensor"
_INT_MIN, _INT_MAX = -(2**31), 2**31 - 1


@dataclass(frozen=True)
class SliceGrad(OneTensor):
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
    >>> SliceGrad((1,), (5,), (-2,), (7,)).apply(np.array([1, 2, 3])).tolist()
    [0, 3, 0, 2, 0, 1, 0]
    """

    input_window_offsets: tuple[int, ...]
    input_window_sizes: tuple[int, ...]
    input_window_strides: tuple[int, ...]
    output_gradient_tensor_sizes: tuple[int, ...] = ()

    key: ClassVar[str] = "slice-grad"
    place: ClassVar[int] = 140
    operator_type: ClassVar[str] = "DML_OPERATOR_SLICE_GRAD"
    structure: ClassVar[str] = "DML_SLICE_GRAD_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = (
        "DimensionCount",
        "InputWindowOffsets",
        "InputWindowSizes",
        "InputWindowStrides",
    )
    support: ClassVar[tuple[Support, ...]] = (
        Support("3_0", (4, 5), SMALL),
        Support("3_1", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (Slot(INPUT),)
    output_slots: ClassVar[tuple[Slot, ...]] = (Slot(OUTPUT),)
    free_tensors: ClassVar[tuple[str, ...]] = (OUTPUT,)
    first_index: ClassVar[int] = 1

    def __post_init__(self) -> None:
        for name in self._per_dimension():
            object.__setattr__(self, name, whole_numbers(name, getattr(self, name)))
        if not any(self.output_gradient_tensor_sizes):
            free = (0,) * len(self.input_window_offsets)
            object.__setattr__(self, "output_gradient_tensor_sizes", free)

    @property
    def desc(self) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "InputWindowOffsets": list(self.input_window_offsets),
            "InputWindowSizes": list(self.input_window_sizes),
            "InputWindowStrides": list(self.input_window_strides),
        }
        if any(self.output_gradient_tensor_sizes):
            fields[OUTPUT] = {"Sizes": list(self.output_gradient_tensor_sizes)}
        return fields

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        count, offsets, window, strides = cls.members
        desc_fields(cls.structure, desc, (offsets, window, strides), (count, OUTPUT))
        operator = cls(desc[offsets], desc[window], desc[strides], tensor_sizes(desc, OUTPUT))
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
            PerDimension(
                "input_window_offsets",
                "InputWindowOffsets",
                _("Where the window begins in each dimension of the output."),
            ),
            Room(
                "input_window_sizes",
                "InputWindowSizes",
                _("How many elements of each dimension of the output the window has."),
                least=1,
            ),
            Apart(
                "input_window_strides",
                "InputWindowStrides",
                _(
                    "From one element's place to the next, never 0; a negative stride starts "
                    "at the window's last place and goes backward."
                ),
            ),
            Limit(
                "output_gradient_tensor_sizes",
                "OutputGradientTensor.Sizes",
                _("The sizes of the output; 0 means the end of the window."),
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.array([[1, 3], [9, 11]], np.float32)
        return (
            Example(
                _("Documentation example {number}").format(number=1),
                cls((0, 0), (4, 4), (2, 2)),
                x,
                f"{cls.structure}, description, with 1, 3, 9, 11 for a, c, i, k",
            ),
        )

    @classmethod
    def fitted(cls, values: Mapping[str, Any], sizes: Sizes, before: Sizes) -> dict[str, Any]:
        found = super().fitted(values, sizes, before)
        if len(found) < len(cls._per_dimension()):
            return found
        offsets, windows, strides, counts = found.values()
        # a window grows with its elements, and the output grows with the window
        reach = (1 + (n - 1) * abs(s) for n, s in zip(sizes, strides, strict=True))
        windows = tuple(max(w, r) for w, r in zip(windows, reach, strict=True))
        ends = zip(counts, offsets, windows, strict=True)
        counts = tuple(n if n >= o + w else 0 for n, o, w in ends)
        return dict(zip(cls._per_dimension(), (offsets, windows, strides, counts), strict=True))

    def alternative(self) -> Operator:
        # reverse the innermost dimension that has more than one element
        strides = list(self.input_window_strides)
        wide = [d for d, window in enumerate(self.input_window_sizes) if window > 1]
        d = wide[-1] if wide else len(strides) - 1
        strides[d] = -strides[d]
        return replace(self, input_window_strides=tuple(strides))

    def padding(self, data_type: str) -> np.generic | None:
        zero: np.generic = DATA_TYPES[data_type].dtype.type(0)
        return zero

    def rule_problems(self, sizes: tuple[int, ...], data_type: str | None) -> list[Problem]:
        labels = {setting.name: setting.label for setting in self.parameters()}
        counted = (
            count_problem(name, getattr(self, name), len(sizes), self.structure, labels[name])
            for name in self._per_dimension()
            if any(getattr(self, name)) or name != "output_gradient_tensor_sizes"
        )
        wrong = [problem for problem in counted if problem]
        if wrong:
            return wrong
        found = []
        for d, size in enumerate(sizes):
            for name, message in self._wrong_in(d, size):
                source = f"{self.structure}, {labels.get(name, INPUT)}"
                found.append(Problem(name, f"{name}: {message}", source))
        return found

    def _wrong_in(self, d: int, size: int) -> Iterator[tuple[str, str]]:
        """The settings that are invalid for an input dimension of that size, and why."""
        offset, window = self.input_window_offsets[d], self.input_window_sizes[d]
        stride, out = self.input_window_strides[d], self.output_gradient_tensor_sizes[d]
        if offset < 0:
            yield (
                "input_window_offsets",
                _(
                    "{offset} in dimension {d} is invalid; the window must begin at index 0 "
                    "or after it."
                ).format(offset=shown(offset), d=d),
            )
        if window < 1:
            yield (
                "input_window_sizes",
                _(
                    "{window} in dimension {d} is invalid; a window must have 1 element or more."
                ).format(window=shown(window), d=d),
            )
        elif offset >= 0 and out and out < offset + window:
            yield (
                "output_gradient_tensor_sizes",
                _(
                    "{out} in dimension {d} is invalid; the window reaches to offset {offset} + "
                    "window {window} = {end}."
                ).format(
                    out=shown(out),
                    d=d,
                    offset=shown(offset),
                    window=shown(window),
                    end=shown(offset + window),
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
        elif window >= 1 and size > 1 + (window - 1) // abs(stride):
            yield (
                "sizes",
                _(
                    "{size} elements in dimension {d} do not fit; the window has room for 1 + "
                    "({window} − 1) div {step} = {most}."
                ).format(
                    size=size,
                    d=d,
                    window=shown(window),
                    step=abs(stride),
                    most=shown(1 + (window - 1) // abs(stride)),
                ),
            )

    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        numbers = zip(
            self.output_gradient_tensor_sizes,
            self.input_window_offsets,
            self.input_window_sizes,
            strict=True,
        )
        return tuple(out or offset + window for out, offset, window in numbers)

    def with_output_sizes(self, outputs: Mapping[str, tuple[int, ...]]) -> Operator:
        wanted = outputs.get(OUTPUT, ())
        window = zip(wanted, self.input_window_offsets, self.input_window_sizes, strict=False)
        if len({len(wanted), *(len(getattr(self, n)) for n in self._per_dimension())}) > 1:
            return self
        if any(out < offset + reach for out, offset, reach in window):
            return self
        return replace(self, output_gradient_tensor_sizes=wanted)

    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        numbers = zip(
            self.output_gradient_tensor_sizes,
            self.input_window_offsets,
            self.input_window_sizes,
            strict=True,
        )
        return tuple(
            str(out or window) if out or not offset else f"{offset} + {window} = {offset + window}"
            for out, offset, window in numbers
        )

    def walks(self, sizes: Sequence[int]) -> tuple[Walk, ...]:
        """The places of each dimension's elements, for a valid input."""
        numbers = zip(
            self.input_window_offsets,
            self.input_window_sizes,
            self.input_window_strides,
            sizes,
            strict=True,
        )
        return tuple(Walk(*each) for each in numbers)

    def apply(self, x: Array) -> Array:
        y = np.zeros(self.sizes_after(x.shape), x.dtype)
        y[np.ix_(*(np.array(walk.places) for walk in self.walks(x.shape)))] = x
        return y

    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph | None:
        return None

    def lowered(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        nodes: list[Node] = []
        flow = list(sizes)
        for d, (walk, out) in enumerate(
            zip(self.walks(sizes), self.sizes_after(sizes), strict=True)
        ):
            if walk.whole(out):
                continue
            # a 0 follows all elements, for places without an element
            zeros = np.zeros([1 if e == d else n for e, n in enumerate(flow)], _dtype(data_type))
            places = np.full(out, flow[d], np.int32)
            places[list(walk.places)] = np.arange(walk.count)
            nodes += [
                Node("Concat", (FLOW, Constant("zeros", zeros)), {"axis": d}),
                Node("Gather", (FLOW, Constant("indices", places)), {"axis": d}),
            ]
            flow[d] = out
        return Graph("lowered", tuple(nodes) or (Node("Identity"),))

    def snippets(self, case: Case) -> tuple[Snippet, ...]:
        return slice_grad_snippets(case, self.walks(case.sizes))

    def formula(self, sizes: Sequence[int]) -> Formula:
        out = self.output_sizes(sizes)
        source = tuple(
            _place(index(d), walk, n)
            for d, (walk, n) in enumerate(zip(self.walks(sizes), out, strict=True))
        )
        missing = _("it is 0, and no input element is its source.")
        return Formula(tuple(sizes), out, source, missing)

    def steps(self, sizes: Sequence[int]) -> Steps:
        out = self.output_sizes(sizes)
        return slice_grad_steps(out, self.walks(sizes))

    @classmethod
    def _per_dimension(cls) -> tuple[str, ...]:
        return tuple(setting.name for setting in cls.parameters())


def _dtype(data_type: str) -> Any:
    return DATA_TYPES[data_type].dtype


def _place(i: Expr, walk: Walk, out: int) -> Expr:
    """Which element goes to an index of the output; beyond the input, or -1, if none does."""
    if walk.whole(out):
        return i
    way = i - walk.start if walk.stride > 0 else const(walk.start) - i
    if walk.step == 1:
        return way
    return below(way % walk.step, const(1), way // walk.step, const(-1))
