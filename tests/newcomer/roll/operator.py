"""Roll: every element moves on and round, and a second tensor says which rows are taken."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.expressions import index, look
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Constant, Graph, Node, gathers
from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.base import Operator
from dmlviz.operators.checks import count_problem, desc_fields, whole_numbers
from dmlviz.operators.code.base import numpy_snippet, tuple_text
from dmlviz.operators.examples import Example
from dmlviz.operators.feature_levels import ALL, ANY_RANK, Support
from dmlviz.operators.per_dimension import PerDimension
from dmlviz.operators.slots import CONTROL, Slot

ORDER = "OrderTensor"


@dataclass(frozen=True)
class Roll(Operator):
    """Move every element on by ``shifts``, backwards where negative; take rows in an order."""

    shifts: tuple[int, ...]

    key: ClassVar[str] = "roll"
    place: ClassVar[int] = 999
    operator_type: ClassVar[str] = "DML_OPERATOR_ROLL"
    structure: ClassVar[str] = "DML_ROLL_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("DimensionCount", "Shifts")
    support: ClassVar[tuple[Support, ...]] = (Support("1_0", ANY_RANK, ALL),)
    input_slots: ClassVar[tuple[Slot, ...]] = (
        Slot("InputTensor"),
        Slot(ORDER, CONTROL, support=(Support("1_0", ANY_RANK, ("INT32", "INT64")),)),
    )

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
        order = np.array([[1, 0, 1]], np.int64)
        given = {"InputTensor": x, ORDER: order}
        return (
            Example("Documentation example", cls((1, -1)), given, f"{cls.structure}, Examples"),
        )

    def inputs_problems(self, sizes, types):
        rank = len(sizes["InputTensor"])
        wrong = count_problem("shifts", self.shifts, rank, self.structure, "Shifts")
        if wrong:
            return [wrong]
        order = sizes[ORDER]
        if len(order) != rank or any(n != 1 for n in order[:-1]):
            told = (
                f"{ORDER}.sizes: {list(order)} is not a row with as many dimensions as the input."
            )
            return [Problem(f"{ORDER}.sizes", told, self.structure)]
        return []

    def control_problems(self, inputs):
        rows, order = inputs["InputTensor"].shape[0], inputs[ORDER].ravel()
        wrong = [int(k) for k in order if not 0 <= k < rows]
        if not wrong:
            return []
        told = f"{ORDER}: {wrong[0]} is not a row of the input, which has {rows}."
        return [Problem(ORDER, told, self.structure)]

    def outputs_after(self, sizes):
        rows = sizes[ORDER][-1]
        return {"OutputTensor": (rows, *sizes["InputTensor"][1:])}

    def sums(self, sizes):
        return {"OutputTensor": tuple(map(str, self.outputs_after(sizes)["OutputTensor"]))}

    def evaluate(self, inputs):
        x = inputs["InputTensor"]
        rolled = np.roll(x, self.shifts, tuple(range(x.ndim)))
        return {"OutputTensor": rolled[inputs[ORDER].ravel().astype(np.int64)]}

    def drivers(self, inputs):
        sizes = {name: array.shape for name, array in inputs.items()}
        out = self.outputs_after(sizes)["OutputTensor"]
        rows = np.arange(out[0], dtype=np.int64).reshape(-1, *(1,) * (len(out) - 1))
        return {"OutputTensor": np.ascontiguousarray(np.broadcast_to(rows, out))}

    def formulas(self, inputs):
        x, order = inputs["InputTensor"], inputs[ORDER]
        sizes = {name: array.shape for name, array in inputs.items()}
        out = self.outputs_after(sizes)["OutputTensor"]
        row = look(ORDER, *(index(0) * 0 for _d in range(order.ndim - 1)), index(0))
        at = (row, *(index(d) for d in range(1, x.ndim)))
        source = tuple((i - s) % n for i, s, n in zip(at, self.shifts, x.shape, strict=True))
        told = Formula(x.shape, out, source, tensor="in", tables={ORDER: order})
        return {"OutputTensor": (told,)}

    def moves(self, inputs):
        sizes = {name: array.shape for name, array in inputs.items()}
        count = int(np.prod(self.outputs_after(sizes)["OutputTensor"]))
        step = Step("All at once", f"{count} elements move on.")
        return Steps((step,), np.zeros(count, np.int32), np.full(count, -1, np.int64))

    def native_graph(self, inputs):
        return None

    def lowered_graph(self, inputs):
        sizes = inputs["InputTensor"].sizes
        places = [
            (d, np.roll(np.arange(n), s))
            for d, (n, s) in enumerate(zip(sizes, self.shifts, strict=True))
        ]
        flat = Node("Reshape", (ORDER, Constant("shape", np.array([-1]))), outputs=("order",))
        taken = Node("Gather", ("rolled", "order"), {"axis": 0})
        *first, last = gathers(places)
        last = Node(last.op_type, last.inputs, last.attributes, ("rolled",))
        return Graph("lowered", (*first, last, flat, taken))

    def code(self, inputs):
        rows = inputs["InputTensor"].sizes[0] if "InputTensor" in inputs else 0
        case = self.case(inputs, rows)
        axes = tuple_text(range(len(case.sizes)))
        rolled = f"np.roll(input, {tuple_text(self.shifts)}, {axes})"
        return (numpy_snippet(case, [f"output = {rolled}[order.ravel()]"]),)

    def beside(self, sizes, dice):
        count = dice.between(2, 3)
        rows = [dice.between(0, sizes[0] - 1) for _each in range(count)]
        return {ORDER: np.array(rows, np.int64).reshape((1,) * (len(sizes) - 1) + (count,))}
