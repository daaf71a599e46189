"""DML_DIAGONAL_MATRIX1: a matrix with one value on the diagonals of a strip, or outside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.movement.expressions import below, larger
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import STEPS_SHOWN, Step, Steps, grouped_steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.checks import desc_fields, whole_number
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
    value_text,
)
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.onnx import NodeText, onnx_snippet
from dmlviz.operators.feature_levels import ALL, Support
from dmlviz.operators.mapped import At, Lookup, Mapped
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.older import OlderForm
from dmlviz.operators.scalar_union import (
    VALUE_TYPE,
    Scalar,
    cpp_scalar,
    cpp_scalar_note,
    scalar,
    scalar_message,
    type_named,
)
from dmlviz.operators.settings import Count, Dice, setting, with_settings
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import data_type_of, print_value, short_text
from dmlviz.tensors.types import Array, Sizes, Tensors

_LEAST, _MOST = -(1 << 31), (1 << 31) - 1
_BOUNDS = ("diagonal_fill_begin", "diagonal_fill_end")


@dataclass(frozen=True)
class Bound(Count):
    """Column minus row of a diagonal; a whole number of 32 bits with a sign."""

    least: int = _LEAST
    highest: int = _MOST
    initial: int = 0

    def cpp(self, value: Any) -> str:
        # the digits alone do not fit
        return "INT32_MIN" if value == _LEAST else str(value)

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[int]:
        yield from (n for n in (value + 1, value - 1) if self.least <= n <= self.highest)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        rows, columns = (1, 1, *sizes)[-2:]
        return dice.between(1 - rows, columns)

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[int, ...]:
        return ((turn % 3) - 1, 2 - (turn % 3))


# ---- DML_DIAGONAL_MATRIX: one diagonal, with zeros elsewhere instead of an input

_OLDER = "DML_DIAGONAL_MATRIX_OPERATOR_DESC"
_OLDER_MEMBERS = ("Offset", "Value")


def _read_older(desc: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that fill the same diagonal of an input of zeros.

    Raises:
        Error: a field is missing, unknown or not a number.

    >>> _read_older({"Offset": -1, "Value": 1.0})
    {'value': 1.0, 'diagonal_fill_begin': -1, 'diagonal_fill_end': 0}
    """
    desc_fields(_OLDER, desc, _OLDER_MEMBERS, ())
    offset = whole_number("Offset", desc["Offset"])
    with np.errstate(over="ignore"):
        # its Value is a FLOAT
        value = float(np.float32(DiagonalMatrix.declared["value"].checked(desc["Value"])))
    return {"value": value, "diagonal_fill_begin": offset, "diagonal_fill_end": offset + 1}


def _write_older(operator: Any, _data_type: str) -> dict[str, Any]:
    """The fields for a DiagonalMatrix that fills one diagonal, the first of those it fills."""
    return {"Offset": operator.diagonal_fill_begin, "Value": operator.value}


@with_settings
class DiagonalMatrix(Mapped):
    """Fill diagonals with a value, as ``DML_DIAGONAL_MATRIX1_OPERATOR_DESC`` does.

    Args:
        value: the fill value, a number that the tensor's type holds.
        diagonal_fill_begin: the first diagonal to fill, as column minus row: 0 is the
            main one, 1 the one above it; a whole number of 32 bits.
        diagonal_fill_end: the first diagonal after it that is not filled. If it is smaller
            than the begin, the diagonals from it up to the begin are kept and all others filled.

    The last two dimensions are the matrix; those before them count matrices.

    >>> DiagonalMatrix(0, -9, 0).output_sizes((3, 3))
    (3, 3)
    >>> print(DiagonalMatrix(0, -9, 0).explain((3, 3), (0, 2)))
    out[h, w] = in[h, w if -1 < w − h else -1]
    out[0, 2] = in[0, 2]
    Column − row = 2 − 0 = 2; -9 to -1 are filled.
    """

    value: float = setting(Scalar, "Value")
    diagonal_fill_begin: int = setting(Bound, "DiagonalFillBegin")
    diagonal_fill_end: int = setting(Bound, "DiagonalFillEnd")

    dml: ClassVar[str] = "DIAGONAL_MATRIX1"
    key: ClassVar[str] = "diagonal-matrix"
    remarks_indices: ClassVar[bool] = True
    # they are always the input's
    unasked: ClassVar[tuple[str, ...]] = ("sizes",)
    place: ClassVar[int] = 170
    members: ClassVar[tuple[str, ...]] = (
        VALUE_TYPE,
        "Value",
        "DiagonalFillBegin",
        "DiagonalFillEnd",
    )
    member_types: ClassVar[Mapping[str, str]] = MappingProxyType(
        {VALUE_TYPE: "DML_TENSOR_DATA_TYPE", "Value": "DML_SCALAR_UNION"}
    )
    support: ClassVar[tuple[Support, ...]] = (Support("5_1", (2, 3, 4), ALL),)
    older_forms: ClassVar[tuple[OlderForm, ...]] = (
        OlderForm(
            "DML_OPERATOR_DIAGONAL_MATRIX",
            _OLDER,
            _OLDER_MEMBERS,
            _read_older,
            without=("InputTensor",),
            write=_write_older,
        ),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (Slot("InputTensor", optional=True),)
    # 0 is a common fill value, and an index
    first_index: ClassVar[int] = 1

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        operator = super().from_desc(desc)
        type_named(VALUE_TYPE, desc.get(VALUE_TYPE, "FLOAT32"))
        return operator

    # ---- the rule

    def fills(self, diagonal: Array) -> Array:
        """For diagonals, as column minus row, whether each is filled; bool."""
        return _between(diagonal, self.diagonal_fill_begin, self.diagonal_fill_end)

    @property
    def inverted(self) -> bool:
        """Whether the diagonals between the bounds are kept, not filled."""
        return self.diagonal_fill_begin > self.diagonal_fill_end

    def triangle(self, sizes: Sizes) -> tuple[str, int] | None:
        """NumPy's function that keeps the same diagonals, ``triu`` or ``tril``, and its ``k``.

        None if what is filled does not reach a corner of matrices of these sizes.
        """
        rows, columns = sizes[-2:]
        begin, end = self.diagonal_fill_begin, self.diagonal_fill_end
        if begin >= end:
            return None
        if begin <= 1 - rows:
            return "triu", end
        return ("tril", begin - 1) if end >= columns else None

    def shape(self, sizes: Mapping[str, Sizes]) -> Sizes:
        (each,) = sizes.values()
        return each

    def source(self, at: At, control: Lookup, sizes: Sizes) -> At:
        *_outer, row, column = at
        return (*at[:-1], self._source_column(column, column - row, self.triangle(sizes)))

    def _source_column(self, column: Any, diagonal: Any, triangle: tuple[str, int] | None) -> Any:
        """The element's own column; -1 if it is filled, so that it has no source."""
        begin, end = self.diagonal_fill_begin, self.diagonal_fill_end
        if begin == end:
            return column
        above = below(end - 1, diagonal, column)
        if self.inverted:
            return below(diagonal, begin, above)
        if triangle is not None and triangle[0] == "triu":
            return above
        under = below(diagonal, begin, column)
        return under if triangle is not None else larger(under, above)

    def missing(self) -> str:
        return self.say("missing", value=self._printed_value)

    @property
    def _printed_value(self) -> str:
        return print_value(np.float64(self.value))

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        problems = [
            self.problem(name, "bound", field=name, bound=short_text(bound), low=_LEAST, high=_MOST)
            for name in _BOUNDS
            if not _LEAST <= (bound := getattr(self, name)) <= _MOST
        ]
        for data_type in types.values():
            if message := scalar_message("value", self.value, data_type):
                problems.append(Problem("value", message, f"{self.structure}, Value"))
        return problems

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        (x,) = inputs.values()
        filled = self.fills(_diagonals(x.shape))
        value = scalar(self.value, data_type_of(x.dtype))
        return {self.output_slots[0].name: np.where(filled, value, x)}

    def on_indices(self) -> Operator:
        return replace(self, value=0.0)

    def padding(self, data_type: str) -> np.generic | None:
        return scalar(self.value, data_type)

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        (x,) = inputs.values()
        triangle = self.triangle(x.sizes)
        if triangle is None or not _is_zero(scalar(self.value, x.data_type)):
            return None
        name, k = triangle
        corner = Constant("k", np.array(k, np.int64))
        node = Node("Trilu", (FLOW, corner), {"upper": int(name == "triu")})
        return Graph("native", (node,), 14, frozenset({"FLOAT64", "FLOAT32", "INT64"}))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        (x,) = inputs.values()
        batch, count = math.prod(x.sizes[:-2]), math.prod(x.sizes[-2:])
        # the value follows each matrix
        places = np.arange(count, dtype=np.int32)
        places[self.fills(_diagonals(x.sizes)).ravel()] = count
        value = np.full((batch, 1), scalar(self.value, x.data_type))
        nodes = (
            Node("Reshape", (FLOW, Constant("rows", np.array([batch, count], np.int64)))),
            Node("Concat", (FLOW, Constant("value", value)), {"axis": 1}),
            Node("Gather", (FLOW, Constant("places", places)), {"axis": 1}),
            Node("Reshape", (FLOW, Constant("shape", np.array(x.sizes, np.int64)))),
        )
        return Graph("lowered", nodes)

    # ---- examples and moves: the kept elements, then the filled diagonals one by one

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # the page's first two examples have no input: they copy nothing
        rows = [[4, 7, 3, 7, 9], [1, 2, 8, 6, 9], [9, 4, 1, 8, 7], [4, 3, 4, 2, 4]]
        x = np.array(rows, np.float32)
        return tuple(
            operator.documented_example(x, number)
            for number, operator in ((3, cls(0, _LEAST, 1)), (4, cls(0, 1, 0)))
        )

    def alternative(self) -> Operator:
        begin, end = self.diagonal_fill_begin, self.diagonal_fill_end
        return replace(self, diagonal_fill_begin=end, diagonal_fill_end=begin)

    def moves(self, inputs: Tensors) -> Steps:
        (x,) = inputs.values()
        batch, diagonals = math.prod(x.shape[:-2]), _diagonals(x.shape)
        filled = self.fills(diagonals)
        names, order = np.unique(diagonals[filled], return_inverse=True)
        kept, value = int(not filled.all()), self._printed_value
        group_of = np.zeros(diagonals.shape, np.int64)
        group_of[filled] = order + kept

        def one(k: int) -> Step:
            if k < kept:
                stays = diagonals[~filled]
                n, low, high = stays.size * batch, int(stays.min()), int(stays.max())
                return Step("in", self.say("kept", n, n=n, low=low, high=high))
            name = int(names[k - kept])
            n = int((diagonals == name).sum()) * batch
            return Step(f"w − h = {name}", self.say("filled", n, name=name, value=value, n=n))

        def rest(first: int) -> Step:
            others = names[first - kept :]
            last, n = int(others[-1]), int(np.isin(diagonals, others).sum()) * batch
            caption = self.say("filled-too", n, count=others.size, last=last, n=n, value=value)
            return Step(f"w − h = {int(others[0])} – {last}", caption)

        each = np.broadcast_to(group_of, x.shape).ravel()
        return grouped_steps(each, one, rest, STEPS_SHOWN + kept)

    def remarks_at(self, inputs: Tensors, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        begin, end = self.diagonal_fill_begin, self.diagonal_fill_end
        for *_outer, row, column in indices:
            if begin == end:
                yield []
                continue
            key = "diagonal-kept" if self.inverted else "diagonal-filled"
            numbers = {"row": row, "column": column, "diagonal": column - row}
            bounds = {"low": min(begin, end), "high": max(begin, end) - 1}
            yield [self.say(key, abs(end - begin), **numbers, **bounds)]

    # ---- misreadings

    def misread(self, x: Array) -> Iterator[Candidate]:
        say, begin, end = self.say, self.diagonal_fill_begin, self.diagonal_fill_end
        rows, columns = x.shape[-2:]
        row, column = np.arange(rows)[:, None], np.arange(columns)
        filled = self.fills(column - row)
        truth = np.where(filled, 0, x)
        yield "turned-round", say("misread-turned-round"), np.where(filled, x, 0)
        yield "below", say("misread-below"), np.where(self.fills(row - column), 0, x)
        if not self.inverted:
            longer = _between(column - row, begin, end + 1)
            yield "end", say("misread-end", end=end), np.where(longer, 0, x)
        if begin < end:
            shorter = _between(column - row, begin + 1, end)
            yield "begin", say("misread-begin", begin=begin), np.where(shorter, 0, x)
        words = say("misread-columns", begin=begin, end=end)
        yield "columns", words, np.where(self.fills(column), 0, x)
        corner = self.fills(columns - 1 - column - row)
        yield "other-corner", say("misread-other-corner"), np.where(corner, 0, x)
        if self.inverted:
            words = say("misread-sorted", begin=begin, end=end)
            yield "sorted", words, np.where(_between(column - row, end, begin), 0, x)
        yield "transposed", say("misread-transposed"), np.swapaxes(truth, -1, -2)
        yield "diagonal", say("misread-diagonal"), np.diagonal(x, 0, -2, -1)
        short = min(rows, columns)
        yield "square", say("misread-square", short=short), truth[..., :short, :short]
        if rows > 1 and columns > 1:
            yield "cut", say("misread-cut"), truth[..., 1:, 1:]

    # ---- other dialects

    def directml_code(self, case: Case) -> Snippet:
        value = scalar(self.value, case.data_type)
        bounds = {name: text for name, text in self.cpp_members().items() if name != "Value"}
        note = cpp_scalar_note(case.data_type, value)
        return directml_snippet(case, {**cpp_scalar(value, case.data_type), **bounds}, note)

    def onnx_code(self, case: Case, inputs: Mapping[str, TensorDesc]) -> Snippet:
        if self.native_graph(inputs) is not None:
            return super().onnx_code(case, inputs)
        value = value_text(scalar(self.value, case.data_type))
        constants = {"inside": "inside", "value": f"np.array({value}, dtype=np.{case.dtype})"}
        node = NodeText("Where", ("inside", "value", case.inputs[0].name), constants)
        before = [self._diagonal_line("np", case), f"inside = {self._inside}"]
        return onnx_snippet(case, [node], 13, before)

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        value, inside = scalar(self.value, case.data_type), self._inside
        text, triangle = value_text(value), self.triangle(case.sizes)
        if triangle is not None and _is_zero(value):
            numpy = ["y = np.{}(x, {})".format(*triangle)]
        else:
            line = f"y = np.where({inside}, np.{case.dtype}({text}), x)"
            numpy = [self._diagonal_line("np", case), line]
        pytorch = [
            self._diagonal_line("torch", case),
            f"y = torch.where({inside}, torch.full_like(x, {text}), x)",
        ]
        tensorflow = [
            self._diagonal_line("tf", case),
            f"y = tf.where({inside}, tf.constant({text}, x.dtype), x)",
        ]
        return (
            numpy_snippet(case, numpy),
            pytorch_snippet(case, pytorch),
            tensorflow_snippet(case, tensorflow, self.say("tensorflow")),
            Snippet("einops", note=self.say("einops")),
        )

    @property
    def _inside(self) -> str:
        """Whether a diagonal ``d`` is filled, in Python."""
        sign = "|" if self.inverted else "&"
        return f"(d >= {self.diagonal_fill_begin}) {sign} (d < {self.diagonal_fill_end})"

    @staticmethod
    def _diagonal_line(module: str, case: Case) -> str:
        """The line that makes ``d``: column minus row of each element."""
        arange = f"{module}.range" if module == "tf" else f"{module}.arange"
        rows, columns = case.sizes[-2:]
        return f"d = {arange}({columns}) - {arange}({rows})[:, None]"


def _diagonals(sizes: Sizes) -> Array:
    """Column minus row of each element of the last two dimensions."""
    rows, columns = sizes[-2:]
    diagonals: Array = np.arange(columns) - np.arange(rows)[:, None]
    return diagonals


def _between(diagonal: Array, begin: int, end: int) -> Array:
    """Whether diagonals are filled: from ``begin`` to before ``end``, or, if the end is less, not
    from ``end`` to before ``begin``."""
    if begin > end:
        return (diagonal >= begin) | (diagonal < end)
    return (diagonal >= begin) & (diagonal < end)


def _is_zero(value: np.generic) -> bool:
    # -0.0 is a different value
    return not np.array(value).tobytes().strip(b"\0")
