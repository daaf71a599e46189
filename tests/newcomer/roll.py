"""Roll: every element moves on and round, and a second tensor says which rows are taken."""

from typing import ClassVar

import numpy as np

from dmlviz.base.errors import Problem
from dmlviz.movement import CONTROL
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node, gathers
from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.checks import count_problem
from dmlviz.operators.code.base import numpy_snippet, tuple_text
from dmlviz.operators.feature_levels import ALL, ANY_RANK, Support
from dmlviz.operators.mapped import Mapped
from dmlviz.operators.per_dimension import PerDimension
from dmlviz.operators.settings import setting, with_settings
from dmlviz.operators.slots import Slot

ORDER = "OrderTensor"


@with_settings
class Roll(Mapped):
    """Move every element on by ``shifts``, backward where negative; take rows in an order."""

    shifts: tuple[int, ...] = setting(PerDimension, "Shifts", least=-65_536)

    dml: ClassVar[str] = "ROLL"
    key: ClassVar[str] = "roll"
    place: ClassVar[int] = 999
    counting: ClassVar[str] = "DimensionCount"
    support: ClassVar[tuple[Support, ...]] = (Support("1_0", ANY_RANK, ALL),)
    input_slots: ClassVar[tuple[Slot, ...]] = (
        Slot("InputTensor"),
        Slot(ORDER, CONTROL, support=(Support("1_0", ANY_RANK, ("INT32", "INT64")),)),
    )

    # ---- the rule

    def shape(self, sizes):
        return (sizes[ORDER][-1], *sizes["InputTensor"][1:])

    def source(self, at, control, sizes):
        row = control(ORDER, (*(0 * at[0] for _d in at[1:]), at[0]))
        moved = zip((row, *at[1:]), self.shifts, sizes, strict=True)
        return tuple((i - shift) % n for i, shift, n in moved)

    def inputs_problems(self, sizes, types):
        rank, order = len(sizes["InputTensor"]), sizes[ORDER]
        wrong = count_problem("shifts", self.shifts, rank, self.structure, "Shifts")
        if wrong:
            return [wrong]
        if len(order) != rank or any(n != 1 for n in order[:-1]):
            return [Problem(f"{ORDER}.sizes", self.say("row", sizes=list(order)), self.structure)]
        return []

    def control_problems(self, inputs):
        rows, order = inputs["InputTensor"].shape[0], inputs[ORDER].ravel()
        wrong = [int(k) for k in order if not 0 <= k < rows]
        return [self.problem(ORDER, "no-row", row=wrong[0], rows=rows)] if wrong else []

    def drivers(self, inputs):
        out = self.shape({name: array.shape for name, array in inputs.items()})
        rows = np.arange(out[0], dtype=np.int64).reshape(-1, *(1,) * (len(out) - 1))
        return {"OutputTensor": np.ascontiguousarray(np.broadcast_to(rows, out))}

    def native_graph(self, inputs):
        return None

    def lowered_graph(self, inputs):
        sizes = inputs["InputTensor"].sizes
        places = [
            (d, np.roll(np.arange(n), s))
            for d, (n, s) in enumerate(zip(sizes, self.shifts, strict=True))
        ]
        flat = Node("Reshape", (ORDER, Constant("shape", np.array([-1]))), outputs=("order",))
        *first, last = gathers(places)
        last = Node(last.op_type, (FLOW, *last.inputs[1:]), last.attributes, ("rolled",))
        taken = Node("Gather", ("rolled", "order"), {"axis": 0})
        return Graph("lowered", (*first, last, flat, taken))

    # ---- examples, questions and moves

    @classmethod
    def examples(cls):
        x = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
        inputs = {"InputTensor": x, ORDER: np.array([[1, 0, 1]], np.int64)}
        return (cls((1, -1)).documented_example(inputs, part="Examples"),)

    def beside(self, sizes, dice):
        count = dice.between(2, 3)
        rows = [dice.between(0, sizes[0] - 1) for _each in range(count)]
        return {ORDER: np.array(rows, np.int64).reshape((1,) * (len(sizes) - 1) + (count,))}

    def moves(self, inputs):
        out = self.shape({name: array.shape for name, array in inputs.items()})
        count = int(np.prod(out))
        step = Step(self.say("step"), self.say("moved", count=count))
        return Steps((step,), np.zeros(count, np.int32), np.full(count, -1, np.int64))

    def misread(self, inputs):
        x, order = inputs["InputTensor"], inputs[ORDER].ravel()
        axes = tuple(range(x.ndim))
        other = np.roll(x, [-s for s in self.shifts], axes)
        yield "sign", self.say("misread-sign"), other[order]
        yield "flat", self.say("misread-flat"), np.roll(x, sum(self.shifts))[order]
        yield "none", self.say("misread-none"), x[order]
        yield "all", self.say("misread-all"), np.roll(x, self.shifts, axes)
        yield "long", self.say("misread-long"), np.roll(x, 1)[order].reshape(-1)

    # ---- other dialects

    def index_limit(self, inputs):
        return inputs["InputTensor"].sizes[0]

    def dialects(self, case):
        axes = tuple_text(range(len(case.sizes)))
        rolled = f"np.roll(x, {tuple_text(self.shifts)}, {axes})"
        return (numpy_snippet(case, [f"y = {rolled}[order.ravel()]"]),)
