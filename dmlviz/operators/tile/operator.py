"""DML_TILE: copies of the whole input, side by side along every dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Problem
from dmlviz.operators.base import Array, Operator
from dmlviz.operators.checks import agreeing_count, count_problem, desc_fields, whole_numbers
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.examples import Example
from dmlviz.operators.expressions import index
from dmlviz.operators.feature_levels import ANY_RANK, FLOATS, NO_DOUBLE, SMALL, Support
from dmlviz.operators.formulas import Formula
from dmlviz.operators.graphs import FLOW, Constant, Graph, Node, gathers
from dmlviz.operators.one_tensor import OneTensor
from dmlviz.operators.per_dimension import PerDimension
from dmlviz.operators.settings import Setting
from dmlviz.operators.steps import Step, Steps
from dmlviz.operators.tile.code import tile_snippets
from dmlviz.tensors import DATA_TYPES, DIMENSION_MAX, element_count, shown
from dmlviz.words import _, ngettext

# The remaining copies along one dimension share one step: nobody watches the ninth.
# FLOAT16 kernels of ONNX Runtime's CPU provider are casts, which quiet signaling NaNs
_CPU_TYPES = frozenset(DATA_TYPES) - {"FLOAT16"}
_COPIES_SHOWN = 8


@dataclass(frozen=True)
class Tile(OneTensor):
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

    repeats: tuple[int, ...]

    key: ClassVar[str] = "tile"
    place: ClassVar[int] = 10
    operator_type: ClassVar[str] = "DML_OPERATOR_TILE"
    structure: ClassVar[str] = "DML_TILE_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("RepeatsCount", "Repeats")
    # other settings make outputs of other sizes, which would reveal the answer
    unasked: ClassVar[tuple[str, ...]] = ("setting",)
    support: ClassVar[tuple[Support, ...]] = (
        Support("1_0", (4,), FLOATS),
        Support("2_1", (4,), SMALL),
        Support("3_1", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, NO_DOUBLE),
    )
    unlisted_types: ClassVar[tuple[str, ...]] = ("FLOAT64",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "repeats", whole_numbers("repeats", self.repeats))

    @property
    def desc(self) -> dict[str, Any]:
        return {"Repeats": list(self.repeats)}

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, ("Repeats",), ("RepeatsCount",))
        operator = cls(desc["Repeats"])
        agreeing_count(cls.structure, desc, "RepeatsCount", {"Repeats": operator.repeats})
        return operator

    @property
    def documented(self) -> dict[str, Any]:
        return {"RepeatsCount": len(self.repeats), **self.desc}

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            PerDimension(
                "repeats",
                "Repeats",
                _("How many copies to make along each dimension; 1 leaves it unchanged."),
                least=1,
                usual=1,
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        x = np.arange(1, 7, dtype=np.float32).reshape(1, 1, 2, 3)
        return (
            Example(_("Documentation example"), cls((1, 1, 3, 3)), x, f"{cls.structure}, Examples"),
        )

    def alternative(self) -> Operator:
        # the same copies along the other dimensions
        return Tile(self.repeats[1:] + self.repeats[:1])

    def rule_problems(self, sizes: tuple[int, ...], data_type: str | None) -> list[Problem]:
        wrong_count = count_problem("repeats", self.repeats, len(sizes), self.structure, "Repeats")
        if wrong_count:
            return [wrong_count]
        return [
            Problem(
                "repeats",
                _(
                    "repeats: {repeat} in dimension {d} is invalid; a repeat must be a whole "
                    "number from 1 to {most}."
                ).format(repeat=shown(repeat), d=d, most=f"{DIMENSION_MAX:,}"),
                f"{self.structure}, Repeats",
            )
            for d, repeat in enumerate(self.repeats)
            if not 1 <= repeat <= DIMENSION_MAX
        ]

    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(n * r for n, r in zip(sizes, self.repeats, strict=True))

    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        pairs = zip(sizes, self.repeats, strict=True)
        return tuple(f"{n} · {r} = {n * r}" if r > 1 else f"{n}" for n, r in pairs)

    def apply(self, x: Array) -> Array:
        return np.tile(x, self.repeats)

    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        repeats = Constant("repeats", np.array(self.repeats, np.int64))
        return Graph("native", (Node("Tile", (FLOW, repeats)),), cpu_types=_CPU_TYPES)

    def lowered(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        places = [
            (d, np.arange(n * r) % n)
            for d, (n, r) in enumerate(zip(sizes, self.repeats, strict=True))
            if r > 1
        ]
        return Graph("lowered", gathers(places) or (Node("Identity"),))

    def snippets(self, sizes: tuple[int, ...], data_type: str) -> tuple[Snippet, ...]:
        case = self.case(sizes, data_type)
        return tile_snippets(case, self.repeats, self.written(case.sizes, data_type))

    def formula(self, sizes: Sequence[int]) -> Formula:
        source = tuple(
            index(d) % n if r > 1 else index(d)
            for d, (n, r) in enumerate(zip(sizes, self.repeats, strict=True))
        )
        return Formula(tuple(sizes), self.output_sizes(sizes), source)

    def steps(self, sizes: Sequence[int]) -> Steps:
        out = self.output_sizes(sizes)
        count = element_count(sizes)
        copies = element_count(self.repeats)
        steps = [
            Step(
                _("The input itself"),
                ngettext(
                    "The {n} element of the input keeps its place: copy 1 of {copies}.",
                    "The {n} elements of the input keep their places: copy 1 of {copies}.",
                    count,
                ).format(n=count, copies=copies),
            )
        ]
        step_of = np.zeros(out, np.int32)
        landed = count
        for d in reversed(range(len(out))):
            repeats, n = self.repeats[d], sizes[d]
            for first in range(1, min(repeats, _COPIES_SHOWN)):
                last = repeats - 1 if first == _COPIES_SHOWN - 1 else first
                # everything outside dimension d is at its first copy: later steps overwrite
                region = [slice(None) if e > d else slice(0, sizes[e]) for e in range(len(out))]
                region[d] = slice(first * n, (last + 1) * n)
                step_of[tuple(region)] = len(steps)
                steps.append(_copy_step(d, n, repeats, first, last, landed))
            landed *= repeats
        return Steps(tuple(steps), step_of.ravel(), np.full(step_of.size, -1, np.int64))


def _copy_step(d: int, n: int, repeats: int, first: int, last: int, moved: int) -> Step:
    moved *= last - first + 1
    if first == last:
        title = _("Dimension {d}: copy {k} of {repeats}").format(d=d, k=first + 1, repeats=repeats)
    else:
        title = _("Dimension {d}: copies {k} to {repeats}").format(
            d=d, k=first + 1, repeats=repeats
        )
    start, end = first * n, (last + 1) * n - 1
    where = (
        _("index {start}").format(start=start)
        if start == end
        else _("indices {start} to {end}").format(start=start, end=end)
    )
    caption = ngettext(
        "Repeats[{d}] is {repeats}: {moved} element lands again, at {where} of dimension {d}.",
        "Repeats[{d}] is {repeats}: {moved} elements land again, at {where} of dimension {d}.",
        moved,
    ).format(d=d, repeats=repeats, moved=moved, where=where)
    return Step(title, caption)
