"""Roll: every element moves on, and what leaves at one end comes in at the other."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dmlviz.operators.base import Example
from dmlviz.operators.checks import count_problem, desc_fields, whole_numbers
from dmlviz.operators.code.base import numpy_snippet, tuple_text
from dmlviz.operators.expressions import index
from dmlviz.operators.feature_levels import ALL, ANY_RANK, Support
from dmlviz.operators.formulas import Formula
from dmlviz.operators.graphs import Graph, Node, gathers
from dmlviz.operators.one_tensor import OneTensor
from dmlviz.operators.per_dimension import PerDimension
from dmlviz.operators.steps import Step, Steps


@dataclass(frozen=True)
class Roll(OneTensor):
    """Move every element on by ``shifts``, backwards where they are negative."""

    shifts: tuple[int, ...]

    key: ClassVar[str] = "roll"
    place: ClassVar[int] = 999
    operator_type: ClassVar[str] = "DML_OPERATOR_ROLL"
    structure: ClassVar[str] = "DML_ROLL_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("DimensionCount", "Shifts")
    support: ClassVar[tuple[Support, ...]] = (Support("1_0", ANY_RANK, ALL),)

    def __post_init__(self):
        object.__setattr__(self, "shifts", whole_numbers("shifts", self.shifts))

    @property
    def desc(self):
        return {"Shifts": list(self.shifts)}

    @classmethod
    def from_desc(cls, desc):
        desc_fields(cls.structure, desc, ("Shifts",), ("DimensionCount",))
        return cls(desc["Shifts"])

    @property
    def documented(self):
        return self.desc

    @classmethod
    def parameters(cls):
        return (PerDimension("shifts", "Shifts", "How far to move.", least=-65_536),)

    @classmethod
    def examples(cls):
        x = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
        return (Example("Documentation example", cls((1, -1)), x, f"{cls.structure}, Examples"),)

    def rule_problems(self, sizes, data_type):
        wrong = count_problem("shifts", self.shifts, len(sizes), self.structure, "Shifts")
        return [wrong] if wrong else []

    def sizes_after(self, sizes):
        return tuple(sizes)

    def size_sums(self, sizes):
        return tuple(map(str, sizes))

    def apply(self, x):
        return np.roll(x, self.shifts, tuple(range(x.ndim)))

    def formula(self, sizes):
        source = tuple(
            (index(d) - shift) % n
            for d, (n, shift) in enumerate(zip(sizes, self.shifts, strict=True))
        )
        return Formula(tuple(sizes), tuple(sizes), source)

    def steps(self, sizes):
        count = int(np.prod(sizes))
        step = Step("All at once", f"{count} elements move on.")
        return Steps((step,), np.zeros(count, np.int32), np.full(count, -1, np.int64))

    def written(self, sizes, data_type):
        return None

    def lowered(self, sizes, data_type):
        places = [
            (d, np.roll(np.arange(n), s))
            for d, (n, s) in enumerate(zip(sizes, self.shifts, strict=True))
        ]
        return Graph("lowered", gathers(places) or (Node("Identity"),))

    def snippets(self, sizes, data_type):
        case = self.case(sizes, data_type)
        axes = tuple_text(range(len(case.sizes)))
        return (numpy_snippet(case, [f"y = np.roll(x, {tuple_text(self.shifts)}, {axes})"]),)
