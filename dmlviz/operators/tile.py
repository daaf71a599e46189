"""DML_TILE: copies of the whole input, side by side along every dimension."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.movement.expressions import names_of
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import STEPS_SHOWN, Step, Steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.calculations import Calculation, calculation, size_alone
from dmlviz.operators.code.base import (
    PLAIN_DIGITS,
    Case,
    Snippet,
    axis_by_axis,
    einops_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.directions import along_words, direction, place_words
from dmlviz.operators.feature_levels import ANY_RANK, FLOATS, NO_DOUBLE, SMALL, Support
from dmlviz.operators.misreadings import MISREADING_LIMIT, Candidate
from dmlviz.operators.per_dimension import PerDimension
from dmlviz.operators.separable import Separable
from dmlviz.operators.settings import setting, with_settings
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import DATA_TYPES, DIMENSION_MAX, element_count, print_sizes, short_text
from dmlviz.tensors.types import Array, Sizes, Tensors

# FLOAT16 kernels of ONNX Runtime's CPU provider are casts, which quiet signaling NaNs
_CPU_TYPES = frozenset(DATA_TYPES) - {"FLOAT16"}

_PLACES_READ = 12


@with_settings
class Tile(Separable):
    """Repeat the input along each dimension, as ``DML_TILE_OPERATOR_DESC`` does.

    Args:
        repeats: how many copies there are along each dimension, one number per dimension
            of the input, each at least 1.

    Output sizes are ``sizes[i] * repeats[i]``; the output has the input's data type.

    >>> Tile(repeats=(1, 1, 3, 3)).output_sizes((1, 1, 2, 3))
    (1, 1, 6, 9)
    >>> print(Tile(repeats=(3,)).explain((2,), (5,)))
    out[w] = in[w mod 2]
    out[5] = in[5 mod 2] = in[1]
    """

    repeats: tuple[int, ...] = setting(PerDimension, "Repeats", least=1, usual=1)

    dml: ClassVar[str] = "TILE"
    key: ClassVar[str] = "tile"
    place: ClassVar[int] = 10
    counting: ClassVar[str] = "RepeatsCount"
    unasked: ClassVar[tuple[str, ...]] = ("setting",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("1_0", (4,), FLOATS),
        Support("2_1", (4,), SMALL),
        Support("3_1", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, NO_DOUBLE),
    )
    unlisted_types: ClassVar[tuple[str, ...]] = ("FLOAT64",)

    @property
    def documented(self) -> dict[str, Any]:
        return {"RepeatsCount": len(self.repeats), **super().documented}

    # ---- the rule

    def extent(self, d: int, size: int) -> int:
        return size * self.repeats[d]

    def along(self, d: int, i: Any, size: int) -> Any:
        return i % size if self.repeats[d] > 1 else i

    def sum_of(self, d: int, size: int) -> Calculation:
        repeat = self.repeats[d]
        return calculation("·", size, repeat) if repeat > 1 else size_alone(size)

    def problems_along(self, d: int, size: int) -> Iterator[Problem]:
        repeat = self.repeats[d]
        if not 1 <= repeat <= DIMENSION_MAX:
            most = f"{DIMENSION_MAX:,}"
            yield self.problem("repeats", "repeats", repeat=short_text(repeat), d=d, most=most)

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        (x,) = inputs.values()
        return {self.output_slots[0].name: np.tile(x, self.repeats)}

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        repeats = Constant("repeats", np.array(self.repeats, np.int64))
        return Graph("native", (Node("Tile", (FLOW, repeats)),), cpu_types=_CPU_TYPES)

    # ---- examples and moves

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3)
        return (cls((1, 1, 3, 3)).documented_example(x, part="Examples"),)

    def alternative(self) -> Operator:
        # the same copies along the other dimensions
        return replace(self, repeats=self.repeats[1:] + self.repeats[:1])

    def moves(self, inputs: Tensors) -> Steps:
        (x,) = inputs.values()
        sizes, copies = x.shape, element_count(self.repeats)
        first = self.say("first-copy", x.size, n=x.size, copies=copies)
        steps = [Step(self.say("first-title"), first)]
        step_of = np.zeros(self.output_sizes(sizes), np.int32)
        landed = x.size
        for d in reversed(range(x.ndim)):
            repeats, n = self.repeats[d], sizes[d]
            for k in range(1, min(repeats, STEPS_SHOWN)):
                last = repeats - 1 if k == STEPS_SHOWN - 1 else k
                # everything outside dimension d is at its first copy: later steps overwrite
                region = [slice(None) if e > d else slice(0, sizes[e]) for e in range(x.ndim)]
                region[d] = slice(k * n, (last + 1) * n)
                step_of[tuple(region)] = len(steps)
                steps.append(self._copies(d, n, k, last, landed))
            landed *= repeats
        return Steps(tuple(steps), step_of.ravel(), np.full(step_of.size, -1, np.int64))

    def _copies(self, d: int, n: int, first: int, last: int, landed: int) -> Step:
        repeats, moved, rank = self.repeats[d], landed * (last - first + 1), len(self.repeats)
        title = self.say(
            "copy-title" if first == last else "copies-title",
            direction=direction(rank, d),
            k=first + 1,
            repeats=repeats,
        )
        where = place_words(rank, d, first * n, (last + 1) * n - 1)
        caption = self.say("lands", moved, d=d, repeats=repeats, moved=moved, where=where)
        return Step(title, caption)

    # ---- misreadings

    def misread(self, x: Array) -> Iterator[Candidate]:
        repeats, say = self.repeats, self.say
        tiled = [d for d, r in enumerate(repeats) if r > 1]
        if not tiled:
            return
        each = x
        for d, r in enumerate(repeats):
            each = np.repeat(each, r, axis=d)
        yield "elements", self._elements(x.shape), each
        others = {
            "swapped": repeats[:-2] + repeats[:-3:-1],
            "backwards": repeats[::-1],
            "next-dimension": repeats[1:] + repeats[:1],
        }
        for key, other in others.items():
            words = say("misread-repeats", wrong=print_sizes(other), right=print_sizes(repeats))
            yield key, words, np.tile(x, other)
        d = tiled[-1]
        n, r, along = x.shape[d], repeats[d], along_words(x.ndim, d)
        more = tuple(r + 1 if r > 1 else r for r in repeats)
        if x.size * math.prod(more) <= MISREADING_LIMIT:
            words = say("misread-one-more", r=r, along=along, more=more[d])
            yield "one-more", words, np.tile(x, more)
        fewer = tuple(r - 1 if r > 1 else r for r in repeats)
        words = say("misread-one-fewer", r=r, along=along, fewer=fewer[d])
        yield "one-fewer", words, np.tile(x, fewer)
        places = np.arange(n * r)
        for key, source in {
            "mirrored": np.where(places // n % 2, n - 1 - places % n, places % n),
            "shifted": (places - 1) % n,
            "stops": np.minimum(places, n - 1),
        }.items():
            rest = np.tile(x, tuple(1 if e == d else m for e, m in enumerate(repeats)))
            yield key, say(f"misread-{key}", along=along, last=n - 1), np.take(rest, source, d)

    def _elements(self, sizes: Sizes) -> str:
        # along a dimension where the two differ
        tiled = (d for d, r in enumerate(self.repeats) if r > 1)
        d = max(tiled, key=lambda d: (sizes[d] > 1, d))
        n, r = sizes[d], self.repeats[d]
        places = range(n * r)
        return self.say(
            "misread-elements",
            along=along_words(len(sizes), d),
            wrong=_few([i // r for i in places]),
            right=_few([i % n for i in places]),
        )

    # ---- other dialects

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        # TensorFlow's tile does not take the type
        own = [self._tensorflow(case)] if case.data_type == "UINT16" else []
        return (*own, self._einops(case))

    def _tensorflow(self, case: Case) -> Snippet:
        def gather(d: int, tensor: str) -> Iterator[str]:
            n, repeated = case.sizes[d], case.output_sizes[d]
            yield f"y = tf.gather({tensor}, tf.range({repeated}) % {n}, axis={d})"

        tiled = [d for d, repeat in enumerate(self.repeats) if repeat > 1]
        lines = axis_by_axis(tiled, gather, "y = tf.identity(x)")
        return tensorflow_snippet(case, lines, self.say("tensorflow-uint16"))

    def _einops(self, case: Case) -> Snippet:
        before = [name.translate(PLAIN_DIGITS) for name in names_of(len(self.repeats))]
        pairs = list(zip(before, self.repeats, strict=True))
        after = " ".join(f"(r{name} {name})" if r > 1 else name for name, r in pairs)
        lengths = {f"r{name}": r for name, r in pairs if r > 1}
        return einops_snippet(case, "repeat", f"{' '.join(before)} -> {after}", lengths)


def _few(places: Sequence[int]) -> str:
    """All places of a row that is read at a glance, of a longer one the first ones and the last."""
    if len(places) <= _PLACES_READ:
        return ", ".join(map(str, places))
    return ", ".join([*map(str, places[:6]), "…", str(places[-1])])
