"""DML_PADDING: elements around the input, filled in one of five modes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.movement.expressions import larger, smaller
from dmlviz.movement.formulas import Beyond
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.calculations import Calculation, calculation, size_alone
from dmlviz.operators.checks import count_problem
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    axis_by_axis,
    call,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
    value_text,
)
from dmlviz.operators.code.onnx import onnx_gathers
from dmlviz.operators.directions import SIMPLE, along_words, direction, place_words
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FLOATS, SMALL, Support, at_least
from dmlviz.operators.feature_levels import feature_level as short_level
from dmlviz.operators.mapped import put
from dmlviz.operators.misreadings import MISREADING_LIMIT, Candidate
from dmlviz.operators.older import OlderForm
from dmlviz.operators.padding_value import (
    PADDING1,
    PaddingValue,
    padding_scalar,
    to_float,
    value_problems,
)
from dmlviz.operators.per_dimension import PerDimension, moved
from dmlviz.operators.separable import Separable
from dmlviz.operators.settings import Choice, setting, with_settings
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import DIMENSION_MAX, data_type_of, print_sizes, print_value, short_text
from dmlviz.tensors.types import Array, Sizes, Tensors

# there is no 16-bit Pad in ONNX Runtime's CPU provider, and FLOAT16 is cast
_CPU_TYPES = frozenset(
    {"FLOAT64", "FLOAT32", "INT64", "INT32", "INT8", "UINT64", "UINT32", "UINT8"}
)
# Reflection beyond size - 1 read unrelated memory before 1.25 and is refused since; wrap was
# wrong before 1.31 if the start got as many elements as the size or more, and never at the end.
SOUND_FROM = {"reflect": "1.25", "wrap": "1.31"}
_MODE_LEVELS = {"SYMMETRIC": "3_0", "WRAP": "6_4"}
# the remaining folds on one side share one step: nobody watches the seventh
_FOLDS_SHOWN = 6


# ---- the modes: how each finds a place inside, along one dimension


@dataclass(frozen=True)
class Mode:
    """A padding mode along one dimension of size n.

    Positions ``i`` count from the first element of the input: -1 is the last place of the start
    padding, ``n`` the first of the end padding.

    Attributes:
        numpy: ``mode`` of ``numpy.pad``.
        onnx: ``mode`` of ONNX's Pad; empty if no opset has it.
        source: the place inside for position ``i``, an expression or an array.
        period: how many places one fold has; 0 if there is no folding.
        before: for positions in the start padding, the position that the fold takes it from.
        behind: the same in the end padding.
        confused: the modes that people confuse with it.
    """

    numpy: str
    onnx: str
    source: Callable[[Any, int], Any]
    period: Callable[[int], int]
    before: Callable[[Array, Array, int], Array]
    behind: Callable[[Array, Array, int], Array]
    confused: tuple[str, ...]

    def fold(self, distance: Array, n: int) -> Array:
        """The number, from 1, of the fold that contains a place ``distance`` beyond the edge."""
        period = self.period(n)
        return (distance - 1) // period + 1 if period else np.ones_like(distance)


def _reflection(i: Any, n: int) -> Any:
    if n == 1:
        return i % 1
    k = i % (2 * (n - 1))
    return smaller(k, 2 * (n - 1) - k)


def _symmetric(i: Any, n: int) -> Any:
    k = i % (2 * n)
    return smaller(k, 2 * n - 1 - k)


MODES: dict[str, Mode] = {
    "CONSTANT": Mode(
        "constant",
        "constant",
        lambda i, n: i,
        lambda n: 0,
        lambda i, fold, n: i,
        lambda i, fold, n: i,
        ("EDGE", "SYMMETRIC", "WRAP"),
    ),
    "EDGE": Mode(
        "edge",
        "edge",
        lambda i, n: larger(0, smaller(i, n - 1)),
        lambda n: 0,
        lambda i, fold, n: np.zeros_like(i),
        lambda i, fold, n: np.full_like(i, n - 1),
        ("SYMMETRIC", "REFLECTION", "WRAP", "CONSTANT"),
    ),
    "REFLECTION": Mode(
        "reflect",
        "reflect",
        _reflection,
        lambda n: n - 1,
        # the fold's line runs through the last place of the fold before it
        lambda i, fold, n: -2 * (fold - 1) * (n - 1) - i if n > 1 else np.zeros_like(i),
        lambda i, fold, n: 2 * (n - 1) * fold - i if n > 1 else np.zeros_like(i),
        ("SYMMETRIC", "EDGE", "WRAP"),
    ),
    "SYMMETRIC": Mode(
        "symmetric",
        "",
        _symmetric,
        lambda n: n,
        # the fold's line is just after the last place, which is therefore repeated
        lambda i, fold, n: -2 * (fold - 1) * n - 1 - i,
        lambda i, fold, n: 2 * n * fold - 1 - i,
        ("REFLECTION", "EDGE", "WRAP"),
    ),
    "WRAP": Mode(
        "wrap",
        "wrap",
        lambda i, n: i % n,
        lambda n: n,
        lambda i, fold, n: i + n,
        lambda i, fold, n: i - n,
        ("REFLECTION", "SYMMETRIC", "EDGE"),
    ),
}
"""By DirectML's name without ``DML_PADDING_MODE_``, in the order of the values."""


@with_settings
class Padding(Separable):
    """Put padding before and after each dimension, as ``DML_PADDING`` does.

    Args:
        padding_mode: ``"CONSTANT"``, ``"EDGE"``, ``"REFLECTION"``, ``"SYMMETRIC"`` (feature
            level 3_0) or ``"WRAP"`` (feature level 6_4; in DirectML's header, not on its page).
        start_padding: how many elements to add before each dimension, 0 or more.
        end_padding: how many elements to add after each dimension.
        padding_value: for CONSTANT; a FLOAT, so 16777217 becomes 16777216, and 10.6 in an
            integer tensor becomes 10.

    Output sizes are ``start_padding[i] + sizes[i] + end_padding[i]``.  Padding may be larger
    than the input: the mirrored modes then fold again.

    >>> Padding("REFLECTION", (0, 3), (0, 0)).output_sizes((2, 3))
    (2, 6)
    >>> print(Padding("CONSTANT", (1,), (1,), 9).explain((3,), (0,)))
    out[w] = in[w − 1]
    out[0]: index 0 − 1 = -1 is before the first index, 0, so it is the padding value 9; no input \
element is its source.
    Along the row: 1 before the start.
    """

    padding_mode: str = setting(
        Choice,
        "PaddingMode",
        offered=lambda sizes: tuple(MODES),
        initial="CONSTANT",
        enumeration="DML_PADDING_MODE",
    )
    start_padding: tuple[int, ...] = setting(PerDimension, "StartPadding")
    end_padding: tuple[int, ...] = setting(PerDimension, "EndPadding")
    padding_value: float = setting(
        PaddingValue,
        "PaddingValue",
        default=0.0,
        used=lambda settings: settings.get("padding_mode") == "CONSTANT",
    )

    dml: ClassVar[str] = "PADDING"
    key: ClassVar[str] = "padding"
    place: ClassVar[int] = 40
    counting: ClassVar[str] = "DimensionCount"
    same_sizes: ClassVar[tuple[str, ...]] = ("padding_mode", "padding_value")
    members: ClassVar[tuple[str, ...]] = (
        "PaddingMode",
        "PaddingValue",
        "DimensionCount",
        "StartPadding",
        "EndPadding",
    )
    support: ClassVar[tuple[Support, ...]] = (
        Support("1_0", (4, 5), FLOATS),
        Support("2_1", (4, 5), SMALL),
        Support("3_1", ANY_RANK, SMALL),
        Support("5_0", ANY_RANK, ALL),
    )
    older_forms: ClassVar[tuple[OlderForm, ...]] = (PADDING1,)

    # ---- the rule

    @property
    def mode(self) -> Mode:
        """The mode's rule, for a valid mode."""
        return MODES[self.padding_mode]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """How many elements are added before and after each dimension."""
        return list(zip(self.start_padding, self.end_padding, strict=True))

    @property
    def padded(self) -> list[int]:
        """The dimensions that elements are added to."""
        return [d for d, pair in enumerate(self.pairs) if any(pair)]

    def extent(self, d: int, size: int) -> int:
        return self.start_padding[d] + size + self.end_padding[d]

    def along(self, d: int, i: Any, size: int) -> Any:
        return self.mode.source(i - self.start_padding[d], size) if any(self.pairs[d]) else i

    def sum_of(self, d: int, size: int) -> Calculation:
        start, end = self.pairs[d]
        return calculation("+", start, size, end) if start or end else size_alone(size)

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        ((name, each),) = sizes.items()
        problems = []
        if self.padding_mode not in MODES:
            message = self.say("mode", mode=short_text(self.padding_mode), modes=", ".join(MODES))
            problems.append(Problem("padding_mode", message, "DML_PADDING_MODE"))
        for field in ("start_padding", "end_padding"):
            values, label = getattr(self, field), self.declared[field].label
            count = count_problem(field, values, len(each), self.structure, label)
            problems += [count] if count else self._negative(field, values)
        if name in types and self.padding_mode == "CONSTANT":
            problems += value_problems(self.padding_value, types[name])
        return problems

    def _negative(self, field: str, values: Sizes) -> list[Problem]:
        return [
            self.problem(field, "padding", field=field, value=short_text(value), d=d)
            for d, value in enumerate(values)
            if not 0 <= value <= DIMENSION_MAX
        ]

    def level_rules(self, level: str) -> list[Problem]:
        needed = _MODE_LEVELS.get(self.padding_mode)
        if needed is None or at_least(short_level(level), needed):
            return []
        numbers = {"mode": self.padding_mode, "level": short_level(level), "needed": needed}
        return [Problem("padding_mode", self.say("mode-level", **numbers), "DML_PADDING_MODE")]

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        (x,) = inputs.values()
        mode: Any = self.mode.numpy
        value = self.padding(data_type_of(x.dtype))
        constant = {} if value is None else {"constant_values": value}
        return {self.output_slots[0].name: np.pad(x, self.pairs, mode, **constant)}

    def padding(self, data_type: str) -> np.generic | None:
        if self.padding_mode != "CONSTANT":
            return None
        return padding_scalar(self.padding_value, data_type)

    def on_indices(self) -> Operator:
        return replace(self, padding_value=-1.0)

    def missing(self) -> str:
        return self.say("missing", value=self._printed_value)

    @property
    def _printed_value(self) -> str:
        """The value as DirectML's FLOAT holds it."""
        return print_value(np.float32(to_float(self.padding_value)))

    def beyond(self, sizes: Sizes) -> tuple[Beyond, ...]:
        rules = []
        for d in self.padded:
            period = self.mode.period(sizes[d])
            # distance and fold are filled in for each element
            later = {"distance": "{distance}", "fold": "{fold}"}
            way = direction(len(sizes), d)
            say = partial(self.say, direction=way, mode=self.padding_mode, **later)
            kind = "-fold" if period and max(self.pairs[d]) > period else ""
            texts = say(f"before{kind}"), say(f"behind{kind}")
            rules.append(Beyond(d, self.start_padding[d], sizes[d], period, *texts))
        return tuple(rules)

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        (x,) = inputs.values()
        mode, value = self.mode.onnx, self.padding(x.data_type)
        if not mode:
            return None
        constants = [Constant("pads", np.array(self.start_padding + self.end_padding, np.int64))]
        if value is not None:
            constants.append(Constant("value", np.array(value)))
        node = Node("Pad", (FLOW, *constants), {"mode": mode})
        beyond = mode in SOUND_FROM and self._reach(x.sizes, lambda n: max(n - 1, 0))
        cpu_from = SOUND_FROM[mode] if beyond else ""
        return Graph("native", (node,), 19 if mode == "wrap" else 13, _CPU_TYPES, cpu_from)

    def _reach(self, sizes: Sizes, limit: Callable[[int], int]) -> bool:
        """Whether a padding exceeds what ``limit`` says for its dimension's size."""
        return any(max(pair) > limit(n) for pair, n in zip(self.pairs, sizes, strict=True))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        (x,) = inputs.values()
        value = self.padding(x.data_type)
        if value is None or not self.padded:
            return super().lowered_graph(inputs)
        return Graph("lowered", tuple(self._blocks(x.sizes, value)))

    def _blocks(self, sizes: Sizes, value: np.generic) -> Iterator[Node]:
        """One Concat per axis, with blocks of the padding value on both sides."""
        for d in self.padded:
            sides = []
            for width in self.pairs[d]:
                block = np.full(put(sizes, d, width), value)
                sides.append((Constant("padding", block),) if width else ())
            yield Node("Concat", (*sides[0], FLOW, *sides[1]), {"axis": d})
            sizes = put(sizes, d, self.extent(d, sizes[d]))

    # ---- examples

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        rows = [[1, 2, 3, 4], [5, 6, 7, 8]] * 2
        x = np.array(rows, np.float32).reshape(1, 1, 4, 4)
        start, end = (0, 0, 1, 2), (0, 0, 3, 4)
        return tuple(
            cls(mode, start, end, 9.0 if mode == "CONSTANT" else 0.0).documented_example(x, number)
            for number, mode in enumerate(list(MODES)[:4], 1)
        )

    def alternative(self) -> Operator:
        other = {"REFLECTION": "SYMMETRIC", "SYMMETRIC": "REFLECTION", "CONSTANT": "EDGE"}
        return replace(self, padding_mode=other.get(self.padding_mode, "REFLECTION"))

    # ---- moves: the body, then the padding from the innermost dimension outward, so that every
    # padded place finds the place that it is folded from already filled

    def moves(self, inputs: Tensors) -> Steps:
        (x,) = inputs.values()
        sizes, out = x.shape, self.output_sizes(x.shape)
        steps = [self._body(sizes)]
        step_of, via = np.zeros(out, np.int32), np.full(out, -1, np.int64)
        flat = np.arange(math.prod(out), dtype=np.int64).reshape(out)
        for d in reversed(range(len(out))):
            n, position = sizes[d], np.arange(out[d]) - self.start_padding[d]
            for side, inside, distance in (
                ("start", self.mode.before, -position),
                ("end", self.mode.behind, position - n + 1),
            ):
                fold = self.mode.fold(distance, n)
                last = int(fold[distance > 0].max(initial=0))
                for first in range(1, min(last, _FOLDS_SHOWN) + 1):
                    until = last if first == _FOLDS_SHOWN else first
                    places = np.flatnonzero((distance > 0) & (fold >= first) & (fold <= until))
                    # outer dimensions are still at their body: their steps come later
                    bodies = [
                        s + np.arange(n)
                        for s, n in zip(self.start_padding[:d], sizes[:d], strict=True)
                    ]
                    at = np.ix_(*bodies, places, *map(np.arange, out[d + 1 :]))
                    step_of[at] = len(steps)
                    if self.padding_mode != "CONSTANT":
                        where = position[places]
                        shift = (inside(where, fold[places], n) - where) * math.prod(out[d + 1 :])
                        via[at] = flat[at] + shift.reshape(
                            [-1 if e == d else 1 for e in range(len(out))]
                        )
                    numbers = {"first": first, "last": until, "places": len(places)}
                    way = direction(len(out), d)
                    steps.append(self._side(side, way, flat[at].size, numbers, last > 1))
        return Steps(tuple(steps), step_of.ravel(), via.ravel())

    def _body(self, sizes: Sizes) -> Step:
        n = math.prod(sizes)
        moved = [d for d, s in enumerate(self.start_padding) if s]
        if not moved:
            caption = self.say("body", n, n=n)
        elif len(sizes) <= SIMPLE:
            starts = ((d, self.start_padding[d]) for d in moved)
            there = ", ".join(place_words(len(sizes), d, s, s + sizes[d] - 1) for d, s in starts)
            caption = self.say("simple-body-moved", n, n=n, there=there)
        else:
            shifts = (self.say("shift", s=self.start_padding[d], d=d) for d in moved)
            caption = self.say("body-moved", n, n=n, shifts=", ".join(shifts))
        return Step(self.say("body-title"), caption)

    def _side(
        self, side: str, way: str, count: int, numbers: Mapping[str, int], folds: bool
    ) -> Step:
        first, mode = numbers["first"], self.padding_mode
        # a single fold needs no number
        kind = ("-fold" if first == numbers["last"] else "-folds") if folds else ""
        key = "refolded" if mode in ("REFLECTION", "SYMMETRIC") and first > 1 else mode.lower()
        numbers = {**numbers, "moved": count, "fold": first, "before": first - 1}
        caption = self.say(f"adds-{key}", count, value=self._printed_value, **numbers)
        return Step(self.say(f"{side}-title{kind}", direction=way, **numbers), caption)

    # ---- misreadings

    def misread(self, x: Array) -> Iterator[Candidate]:
        mode, start, end = self.padding_mode, self.start_padding, self.end_padding
        if not self.padded:
            return
        # said along the last dimension that shows something
        d = max(self.padded, key=lambda d: (x.shape[d] > 1, d))
        along, last = along_words(x.ndim, d), x.shape[d] - 1
        for other in self.mode.confused:
            rules = {"other_rule": self._rule(other, last), "rule": self._rule(mode, last)}
            words = self.say("misread-mode", other=other, mode=mode, along=along, **rules)
            yield other.lower(), words, _pad(x, other, start, end)
        yield from self._other_extents(x)
        folding = [d for d in self.padded if max(self.pairs[d]) > self.mode.period(x.shape[d]) > 0]
        if folding:
            d, period = folding[-1], self.mode.period(x.shape[folding[-1]])
            along = along_words(x.ndim, d)
            words = self.say("misread-one-fold", mode=mode, along=along, period=period)
            yield "one-fold", words, self._one_fold(x)

    def _rule(self, mode: str, last: int) -> str:
        near, far = {
            "CONSTANT": (0, 0),
            "EDGE": (0, last),
            "REFLECTION": (min(1, last), max(last - 1, 0)),
            "SYMMETRIC": (0, last),
            "WRAP": (last, 0),
        }[mode]
        key = "mirror" if mode in ("REFLECTION", "SYMMETRIC") else mode.lower()
        numbers = {"nearer": min(near + 1, last), "farther": max(far - 1, 0)}
        return self.say(f"rule-{key}", near=near, far=far, **numbers)

    def rule_words(self, inputs: Tensors) -> str:
        mode = self.padding_mode
        return "" if mode == "CONSTANT" else self.say(f"mode-{mode.lower()}")

    def _other_extents(self, x: Array) -> Iterator[Candidate]:
        start, end, none, d = self.start_padding, self.end_padding, (0,) * x.ndim, self.padded[-1]
        numbers: dict[str, Any] = {"s": start[d], "e": end[d], "n": x.shape[d]}
        numbers["along"] = along_words(x.ndim, d)
        numbers |= {"start": print_sizes(start), "end": print_sizes(end)}
        more = tuple(e + 1 if e or s else e for s, e in self.pairs)
        others = [("ends-swapped", "ends-swapped", (end, start), 0)]
        if end[d]:
            others.append(("shifted", "shifted", (moved(start, d, 1), moved(end, d, -1)), 1))
        if start[d]:
            shifted = (moved(start, d, -1), moved(end, d, 1))
            others.append(("shifted-back", "shifted", shifted, -1))
        others += [
            ("backwards", "backwards", (start[::-1], end[::-1]), 0),
            ("start-only", "start-only", (start, none), 0),
            ("end-only", "end-only", (none, end), 0),
            ("start-twice", "start-twice", (start, start), 0),
            ("one-more", "one-more", (start, more), 0),
        ]
        for key, words, pads, by in others:
            sizes = [s + n + e for s, n, e in zip(pads[0], x.shape, pads[1], strict=True)]
            if math.prod(sizes) <= MISREADING_LIMIT:
                count = end[d] if words == "start-only" else start[d]
                message = self.say(f"misread-{words}", count, t=start[d] + by, **numbers)
                yield key, message, _pad(x, self.padding_mode, *pads)

    def _one_fold(self, x: Array) -> Array:
        """The mode for one fold, and then the last element repeatedly."""
        how: Any = self.mode.numpy
        for d, (before, behind) in enumerate(self.pairs):
            period = self.mode.period(x.shape[d]) or max(before, behind)
            once, rest = [(0, 0)] * x.ndim, [(0, 0)] * x.ndim
            once[d] = (min(before, period), min(behind, period))
            rest[d] = (before - once[d][0], behind - once[d][1])
            x = np.pad(np.pad(x, once, how), rest, "edge")
        return x

    # ---- other dialects; where one has no such mode, each dimension is gathered

    def directml_note(self) -> str:
        return self.say("directml-wrap") if self.padding_mode == "WRAP" else ""

    def onnx_code(self, case: Case, inputs: Mapping[str, TensorDesc]) -> Snippet:
        graph = self.native_graph(inputs)
        if graph is not None and not graph.cpu_from:
            return super().onnx_code(case, inputs)
        before = []
        for d in self.padded:
            before.append(f"i = np.arange({self._range(d, case)}, dtype=np.int32)")
            before.append(f"places{d} = {self._places(d, case, 'np')}")
        note = self.say("onnx-symmetric" if self.padding_mode == "SYMMETRIC" else "onnx-large")
        return onnx_gathers(case, "places", {d: f"places{d}" for d in self.padded}, before, note)

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        return (
            self._numpy(case),
            self._pytorch(case),
            self._tensorflow(case),
            Snippet("einops", note=self.say("einops")),
        )

    def _numpy(self, case: Case) -> Snippet:
        value = self.padding(case.data_type)
        arguments = ["x", str(self.pairs), f'mode="{self.mode.numpy}"']
        if value is not None:
            arguments.append(f"constant_values={value_text(value)}")
        folds = bool(self.mode.period(2)) and self._reach(case.sizes, lambda n: n)
        note = self.say("numpy-folds") if folds else ""
        return numpy_snippet(case, [call("y = np.pad", *arguments)], note)

    def _pytorch(self, case: Case) -> Snippet:
        value = self.padding(case.data_type)
        mode = {"EDGE": "replicate", "REFLECTION": "reflect", "WRAP": "circular"}.get(
            self.padding_mode, ""
        )
        refusal = "" if self.padding_mode == "CONSTANT" else self._pytorch_refusal(case, mode)
        if not refusal:
            arguments = ["x", f"({commas(self._from_the_last)})"]
            arguments.append(f'mode="{mode}"' if value is None else f"value={value_text(value)}")
            lines = [call("y = F.pad", *arguments)]
            return pytorch_snippet(case, lines, self.say("pytorch"))
        return pytorch_snippet(case, self._gathers(case, "torch", "y = x.clone()"), refusal)

    def _pytorch_refusal(self, case: Case, mode: str) -> str:
        """Why ``F.pad`` cannot do it; empty if it can."""
        rank, count = len(self.pairs), len(self._from_the_last) // 2
        if not mode:
            return self.say("pytorch-symmetric")
        # PyTorch copies these, but has only constant padding kernels for them
        if case.data_type in ("UINT16", "UINT32", "UINT64"):
            return self.say("pytorch-type", data_type=case.data_type, mode=mode)
        if not 1 <= count <= 3 or rank not in (count + 1, count + 2):
            return self.say("pytorch-rank", mode=mode)
        if mode != "replicate" and self._reach(case.sizes, lambda n: n - (mode == "reflect")):
            return self.say("pytorch-folds", mode=mode)
        return ""

    @property
    def _from_the_last(self) -> list[int]:
        """Start and end of the last dimension, then of the one before it, as far as needed."""
        rank = len(self.pairs)
        count = rank - min(self.padded, default=rank - 1)
        if self.padding_mode != "CONSTANT":
            # PyTorch's other modes require exactly a batch and a channel dimension in front
            count = max(count, rank - 2)
        return [p for d in range(rank - 1, rank - 1 - count, -1) for p in self.pairs[d]]

    def _tensorflow(self, case: Case) -> Snippet:
        value, rank = self.padding(case.data_type), len(self.pairs)
        pairs = str([list(pair) for pair in self.pairs])
        if value is not None:
            typed = _tensorflow_value(value, case)
            if rank <= 6:
                lines = [call("y = tf.pad", "x", pairs, f"constant_values={typed}")]
                return tensorflow_snippet(case, lines)
            lines = axis_by_axis(self.padded, partial(self._block, case), "y = tf.identity(x)")
            note = self.say("tensorflow-blocks")
            return tensorflow_snippet(case, [f"value = {typed}", *lines], note)
        mode = {"REFLECTION": "REFLECT", "SYMMETRIC": "SYMMETRIC"}.get(self.padding_mode)
        beyond = self._reach(case.sizes, lambda n: n - (mode == "REFLECT"))
        if mode and rank <= 5 and not beyond:
            return tensorflow_snippet(case, [call("y = tf.pad", "x", pairs, f'mode="{mode}"')])
        key = "mode" if mode is None else "rank" if rank > 5 else "folds"
        note = self.say(f"tensorflow-{key}", mode=mode or self.padding_mode)
        return tensorflow_snippet(case, self._gathers(case, "tf", "y = tf.identity(x)"), note)

    def _block(self, case: Case, d: int, tensor: str) -> Iterator[str]:
        # the dimensions before this one are padded
        sizes = case.output_sizes[:d] + case.sizes[d:]
        start, end = (
            [f"tf.fill({list(put(sizes, d, width))}, value)"] if width else []
            for width in self.pairs[d]
        )
        yield call("y = tf.concat", f"[{', '.join([*start, tensor, *end])}]", f"axis={d}")

    def _gathers(self, case: Case, library: str, copy: str) -> list[str]:
        def lines(d: int, tensor: str) -> Iterator[str]:
            made = {"torch": "torch.arange", "tf": "tf.range"}[library]
            yield f"i = {made}({self._range(d, case)})"
            places = self._places(d, case, library)
            if library == "tf":
                yield f"y = tf.gather({tensor}, {places}, axis={d})"
            else:
                # index_select has no kernel for some unsigned types
                yield f"y = {tensor}[{':, ' * d}{places}]"

        return axis_by_axis(self.padded, lines, copy)

    def _range(self, d: int, case: Case) -> str:
        """The arguments of arange: positions, counted from the input's first element."""
        return f"{-self.start_padding[d]}, {case.sizes[d] + self.end_padding[d]}"

    def _places(self, d: int, case: Case, module: str) -> str:
        """Which place of the input each position ``i`` of dimension ``d`` holds."""
        n, mode = case.sizes[d], self.padding_mode
        if mode == "WRAP":
            return f"i % {n}"
        if mode == "SYMMETRIC":
            return f"{module}.minimum(i % {2 * n}, (-1 - i) % {2 * n})"
        if mode == "REFLECTION" and n > 1:
            return f"{module}.minimum(i % {2 * n - 2}, -i % {2 * n - 2})"
        if n == 1:
            return f"{module}.zeros_like(i)"
        clip = "clip_by_value" if module == "tf" else "clip"
        return f"{module}.{clip}(i, 0, {n - 1})"


def _pad(x: Array, mode: str, start: Sequence[int], end: Sequence[int]) -> Array:
    """As the operator pads; -1 for CONSTANT."""
    how: Any = MODES[mode].numpy
    constant = {"constant_values": -1} if mode == "CONSTANT" else {}
    return np.pad(x, list(zip(start, end, strict=True)), how, **constant)


def _tensorflow_value(value: np.generic, case: Case) -> str:
    text = value_text(value)
    # TensorFlow caches constants by value, and treats 0.0 and -0.0 as equal
    sign = "-" if text == "-0.0" else ""
    return f"{sign}tf.constant({text.removeprefix(sign)}, tf.{case.dtype})"
