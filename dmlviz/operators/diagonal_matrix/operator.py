"""DML_DIAGONAL_MATRIX1: a matrix with one value on the diagonals of a strip, or outside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Error, Problem
from dmlviz.movement.expressions import index
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Example, Operator
from dmlviz.operators.checks import desc_fields, whole_number
from dmlviz.operators.code.base import Case, Snippet
from dmlviz.operators.diagonal_matrix.bound import Bound
from dmlviz.operators.diagonal_matrix.code import diagonal_snippets
from dmlviz.operators.diagonal_matrix.older import OLDER, read_older, write_older
from dmlviz.operators.diagonal_matrix.steps import diagonal_steps
from dmlviz.operators.diagonal_matrix.strip import Strip
from dmlviz.operators.diagonal_matrix.value import read_value, scalar, value_message
from dmlviz.operators.feature_levels import ALL, Support
from dmlviz.operators.older import OlderForm
from dmlviz.operators.one_tensor import OneTensor
from dmlviz.operators.settings import Number, Setting
from dmlviz.operators.slots import Slot
from dmlviz.tensors import DATA_TYPES, data_type_of, print_value, shown
from dmlviz.words import _

_LEAST, _MOST = -(1 << 31), (1 << 31) - 1
_BOUNDS = ("diagonal_fill_begin", "diagonal_fill_end")


@dataclass(frozen=True)
class DiagonalMatrix(OneTensor):
    """Fill diagonals with a value, as ``DML_DIAGONAL_MATRIX1_OPERATOR_DESC`` does.

    Args:
        value: the fill value, a number that the tensor's type holds.
        diagonal_fill_begin: the first diagonal to fill, as column minus row: 0 is the
            main one, 1 the one above it; a whole number of 32 bits.
        diagonal_fill_end: the first diagonal after it that is not filled. If it is smaller
            than the begin, the diagonals from it up to the begin are kept and all others filled.

    The last two dimensions are the matrix; those before them count matrices.

    >>> import numpy as np
    >>> x = np.arange(1, 10).reshape(3, 3)
    >>> DiagonalMatrix(0, -9, 0).apply(x).tolist()
    [[1, 2, 3], [0, 5, 6], [0, 0, 9]]
    >>> print(DiagonalMatrix(0, -9, 0).explain((3, 3), (0, 2)))
    out[h, w] = in[h, w if -1 < w − h else -1]
    out[0, 2] = in[0, 2 if -1 < 2 − 0 else -1] = in[0, 2]
    """

    value: float
    diagonal_fill_begin: int
    diagonal_fill_end: int

    key: ClassVar[str] = "diagonal-matrix"
    place: ClassVar[int] = 170
    operator_type: ClassVar[str] = "DML_OPERATOR_DIAGONAL_MATRIX1"
    structure: ClassVar[str] = "DML_DIAGONAL_MATRIX1_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = (
        "ValueDataType",
        "Value",
        "DiagonalFillBegin",
        "DiagonalFillEnd",
    )
    member_types: ClassVar[Mapping[str, str]] = MappingProxyType(
        {
            "ValueDataType": "DML_TENSOR_DATA_TYPE",
            "Value": "DML_SCALAR_UNION",
            "DiagonalFillBegin": "INT",
            "DiagonalFillEnd": "INT",
        }
    )
    support: ClassVar[tuple[Support, ...]] = (Support("5_1", (2, 3, 4), ALL),)
    older_forms: ClassVar[tuple[OlderForm, ...]] = (
        OlderForm(*OLDER, read_older, without=("InputTensor",), write=write_older),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (Slot("InputTensor", optional=True),)
    # 0 is a common fill value, and an index
    first_index: ClassVar[int] = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", read_value(self.value))
        for name in _BOUNDS:
            object.__setattr__(self, name, whole_number(name, getattr(self, name)))

    @property
    def strip(self) -> Strip:
        """The diagonals."""
        return Strip(self.diagonal_fill_begin, self.diagonal_fill_end)

    @property
    def desc(self) -> dict[str, Any]:
        # -0.0 does not equal its integer bit for bit
        whole = self.value.is_integer() and str(self.value) != "-0.0"
        return {
            "Value": int(self.value) if whole else self.value,
            "DiagonalFillBegin": self.diagonal_fill_begin,
            "DiagonalFillEnd": self.diagonal_fill_end,
        }

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        kind, *needed = cls.members
        desc_fields(cls.structure, desc, needed, (kind,))
        if desc.get(kind, "FLOAT32") not in DATA_TYPES:
            raise Error(
                _(
                    "desc: {name} is {value}; it must be the type of the tensors, such as {such}."
                ).format(name=kind, value=shown(desc[kind]), such="FLOAT32"),
                kind,
            )
        return cls(*(desc[name] for name in needed))

    @property
    def documented(self) -> dict[str, Any]:
        return self.desc

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            Number(
                "value", "Value", _("The value that fills: a number that the data type can hold.")
            ),
            Bound(
                "diagonal_fill_begin",
                "DiagonalFillBegin",
                _("The first diagonal to fill, as column minus row."),
            ),
            Bound(
                "diagonal_fill_end",
                "DiagonalFillEnd",
                _(
                    "The diagonal after the last one to fill. If it is less than the begin, "
                    "what is filled and what is kept are swapped."
                ),
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # the page's first two examples have no input: they copy nothing
        rows = [[4, 7, 3, 7, 9], [1, 2, 8, 6, 9], [9, 4, 1, 8, 7], [4, 3, 4, 2, 4]]
        x = np.array(rows, np.float32)
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                operator,
                x,
                f"{cls.structure}, Example {number}",
            )
            for number, operator in ((3, cls(0, _LEAST, 1)), (4, cls(0, 1, 0)))
        )

    def alternative(self) -> Operator:
        begin, end = self.diagonal_fill_begin, self.diagonal_fill_end
        return replace(self, diagonal_fill_begin=end, diagonal_fill_end=begin)

    def rule_problems(self, sizes: tuple[int, ...], data_type: str | None) -> list[Problem]:
        found = []
        labels = {setting.name: setting.label for setting in self.parameters()}
        for name in _BOUNDS:
            bound = getattr(self, name)
            if not _LEAST <= bound <= _MOST:
                message = _(
                    "{field}: {bound} is invalid; it must be a whole number from {low:,} to "
                    "{high:,}."
                ).format(field=name, bound=shown(bound), low=_LEAST, high=_MOST)
                found.append(Problem(name, message, f"{self.structure}, {labels[name]}"))
        message = value_message(self.value, data_type) if data_type is not None else ""
        if message:
            found.append(Problem("value", message, f"{self.structure}, Value"))
        return found

    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        return sizes

    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        return tuple(map(str, sizes))

    def apply(self, x: Array) -> Array:
        value = scalar(self.value, data_type_of(x.dtype))
        return np.where(self.strip.filled(x.shape), value, x)

    def on_indices(self) -> Operator:
        return replace(self, value=0.0)

    def padding(self, data_type: str) -> np.generic | None:
        return scalar(self.value, data_type)

    def formula(self, sizes: Sequence[int]) -> Formula:
        self.output_sizes(sizes)
        own = tuple(index(d) for d in range(len(sizes) - 1))
        missing = _("it is Value, {value}; no input element is its source.").format(
            value=print_value(np.float64(self.value))
        )
        source = (*own, self.strip.column(tuple(sizes)))
        return Formula(tuple(sizes), tuple(sizes), source, missing)

    def steps(self, sizes: Sequence[int]) -> Steps:
        self.output_sizes(sizes)
        return diagonal_steps(tuple(sizes), self.strip, print_value(np.float64(self.value)))

    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph | None:
        if np.array(scalar(self.value, data_type)).tobytes().strip(b"\0"):
            return None
        upper, lower = self.strip.upper(sizes), self.strip.lower(sizes)
        k = lower if upper is None else upper
        if k is None:
            return None
        node = Node(
            "Trilu", (FLOW, Constant("k", np.array(k, np.int64))), {"upper": int(k == upper)}
        )
        return Graph("native", (node,), 14, frozenset({"FLOAT64", "FLOAT32", "INT64"}))

    def lowered(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        batch, count = math.prod(sizes[:-2]), math.prod(sizes[-2:])
        # the value follows each matrix
        places = np.arange(count, dtype=np.int32)
        places[self.strip.filled(sizes).ravel()] = count
        value = np.full((batch, 1), scalar(self.value, data_type))
        return Graph(
            "lowered",
            (
                Node("Reshape", (FLOW, Constant("rows", np.array([batch, count], np.int64)))),
                Node("Concat", (FLOW, Constant("value", value)), {"axis": 1}),
                Node("Gather", (FLOW, Constant("places", places)), {"axis": 1}),
                Node("Reshape", (FLOW, Constant("shape", np.array(sizes, np.int64)))),
            ),
        )

    def snippets(self, case: Case) -> tuple[Snippet, ...]:
        value, written = (
            scalar(self.value, case.data_type),
            self.written(case.sizes, case.data_type),
        )
        return diagonal_snippets(case, self.strip, value, written)
