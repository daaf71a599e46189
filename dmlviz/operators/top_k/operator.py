"""DML_TOP_K1: the largest or smallest elements of each sequence, and their indices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Problem
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Graph
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Example, Operator, Tensors
from dmlviz.operators.checks import desc_fields, tensor_type, whole_number
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.count import Count
from dmlviz.operators.feature_levels import ANY_RANK, NO_DOUBLE, SMALL, Support
from dmlviz.operators.indices import cell
from dmlviz.operators.older import OlderForm
from dmlviz.operators.output_type import OutputType
from dmlviz.operators.settings import Axis, Choice, Setting, Sizes
from dmlviz.operators.slots import INDEX, Slot, TensorDesc
from dmlviz.operators.spelling import read_name
from dmlviz.operators.top_k.code import top_k_snippets
from dmlviz.operators.top_k.graph import NATIVE, plain_nodes, written_nodes
from dmlviz.operators.top_k.picking import DIRECTIONS, INDICES, INPUT, VALUES, Picking
from dmlviz.operators.top_k.steps import top_k_steps
from dmlviz.tensors import print_value, shown
from dmlviz.words import _

_INDEX_TYPES = ("UINT32", "UINT64")


@dataclass(frozen=True)
class TopK(Operator):
    """Pick the largest or smallest of each sequence, as ``DML_TOP_K1_OPERATOR_DESC`` does.

    Args:
        axis: the dimension that sequences lie along.
        k: how many elements of each are picked, 1 to all of them.
        axis_direction: ``DECREASING`` for the largest, the largest first, or ``INCREASING`` for
            the smallest, the smallest first; by name or DirectML's number.
        output_index_tensor_data_type: the data type of the indices, ``UINT32`` or ``UINT64``.

    A second output holds each element's index in its sequence. Of equal elements, the one
    with the lower index comes first, in both directions.

    >>> picked = TopK(0, 2).evaluate({"InputTensor": np.array([5, 9, 7, 9])})
    >>> picked["OutputValueTensor"].tolist(), picked["OutputIndexTensor"].tolist()
    ([9, 9], [1, 3])
    """

    axis: int
    k: int
    axis_direction: str = "DECREASING"
    output_index_tensor_data_type: str = "UINT32"

    key: ClassVar[str] = "top-k"
    place: ClassVar[int] = 68
    operator_type: ClassVar[str] = "DML_OPERATOR_TOP_K1"
    structure: ClassVar[str] = "DML_TOP_K1_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("Axis", "K", "AxisDirection")
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_1", (4,), SMALL),
        Support("3_1", ANY_RANK, SMALL),
        Support("5_0", ANY_RANK, NO_DOUBLE),
    )
    output_slots: ClassVar[tuple[Slot, ...]] = (
        Slot(VALUES),
        Slot(
            INDICES,
            INDEX,
            support=(
                Support("2_1", (4,), ("UINT32",)),
                Support("3_1", ANY_RANK, ("UINT32",)),
                Support("5_0", ANY_RANK, _INDEX_TYPES),
            ),
            of=VALUES,
        ),
    )
    typed_tensors: ClassVar[tuple[str, ...]] = (INDICES,)
    older_forms: ClassVar[tuple[OlderForm, ...]] = (
        # without a direction: always the largest
        OlderForm(
            "DML_OPERATOR_TOP_K",
            "DML_TOP_K_OPERATOR_DESC",
            ("Axis", "K"),
            lambda desc: _older(desc),
        ),
    )

    def __post_init__(self) -> None:
        for name in ("axis", "k"):
            object.__setattr__(self, name, whole_number(name, getattr(self, name)))
        direction = read_name(
            "axis_direction", self.axis_direction, "DML_AXIS_DIRECTION_", DIRECTIONS
        )
        object.__setattr__(self, "axis_direction", direction)
        kind = read_name(
            "output_index_tensor_data_type",
            self.output_index_tensor_data_type,
            "DML_TENSOR_DATA_TYPE_",
            _INDEX_TYPES,
        )
        object.__setattr__(self, "output_index_tensor_data_type", kind)

    @property
    def desc(self) -> dict[str, Any]:
        return {
            "Axis": self.axis,
            "K": self.k,
            "AxisDirection": self.axis_direction,
            INDICES: {"DataType": self.output_index_tensor_data_type},
        }

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, cls.members, (INDICES,))
        kind = tensor_type(desc, INDICES, _INDEX_TYPES[0])
        return cls(desc["Axis"], desc["K"], desc["AxisDirection"], kind)

    @property
    def documented(self) -> dict[str, Any]:
        direction = f"DML_AXIS_DIRECTION_{self.axis_direction}"
        return {"Axis": self.axis, "K": self.k, "AxisDirection": direction}

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            Axis("axis", "Axis", _("The dimension that sequences lie along: each is sorted.")),
            Count(
                "k",
                "K",
                _("How many elements of each sequence are picked, up to all of them."),
                default=2,
                most=lambda sizes: max(sizes, default=0),
            ),
            Choice(
                "axis_direction",
                "AxisDirection",
                _("DECREASING picks the largest elements, INCREASING the smallest."),
                offered=lambda sizes: DIRECTIONS[::-1],
                default="DECREASING",
            ),
            OutputType(
                "output_index_tensor_data_type",
                "OutputIndexTensor.DataType",
                _("The data type of the indices in the output."),
                offered=lambda sizes: _INDEX_TYPES,
                default="UINT32",
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        folded = [[0, 1, 10, 11], [3, 2, 9, 8], [4, 5, 6, 7]]
        ties = [[1, 2, 2, 3], [3, 4, 5, 5], [6, 6, 6, 6]]
        cases = (
            (cls(3, 2), folded),
            (cls(2, 2), folded),
            (cls(3, 3), ties),
            (cls(3, 3, "INCREASING"), ties),
        )
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                operator,
                np.array([[x]], np.float32),
                f"{cls.structure}, Example {number}",
            )
            for number, (operator, x) in enumerate(cases, 1)
        )

    @classmethod
    def fitted(cls, values: Mapping[str, Any], sizes: Sizes, before: Sizes) -> dict[str, Any]:
        found = super().fitted(values, sizes, before)
        axis, k = values.get("axis", 0), values.get("k", 0)
        # a valid value stays valid
        if axis < len(before) and 1 <= k <= before[axis]:
            found["k"] = min(k, sizes[found["axis"]])
        return found

    def alternative(self) -> Operator:
        other = "INCREASING" if self.axis_direction == "DECREASING" else "DECREASING"
        return replace(self, axis_direction=other)

    def with_output_types(self, types: Mapping[str, str]) -> Self:
        kind = types.get(INDICES)
        return replace(self, output_index_tensor_data_type=kind) if kind in _INDEX_TYPES else self

    def output_type(self, name: str, data_type: str) -> str:
        return self.output_index_tensor_data_type if name == INDICES else data_type

    def picking(self, sizes: Sizes) -> Picking:
        """The elements to pick from a valid input."""
        return Picking(sizes, self.axis, self.k, self.axis_direction == "DECREASING")

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        return [
            Problem(field, f"{field}: {message}", f"{self.structure}, {member}")
            for field, message, member in self._wrong(sizes[INPUT])
        ]

    def _wrong(self, sizes: Sizes) -> Iterator[tuple[str, str, str]]:
        """Field, message and the structure's member for every invalid value."""
        if not 0 <= self.axis < len(sizes):
            told = _("{axis} is invalid; the input's dimensions are 0 to {last}.").format(
                axis=shown(self.axis), last=len(sizes) - 1
            )
            yield "axis", told, "Axis"
        elif not 1 <= self.k <= sizes[self.axis]:
            told = _(
                "{k} is invalid; a sequence along dimension {axis} has {size} elements, of which "
                "1 to {size} can be picked."
            ).format(k=shown(self.k), axis=self.axis, size=sizes[self.axis])
            yield "k", told, "K"
        if self.axis_direction not in DIRECTIONS:
            told = _("{direction} is not one of {directions}.").format(
                direction=shown(self.axis_direction), directions=", ".join(DIRECTIONS)
            )
            yield "axis_direction", told, "AxisDirection"

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        x = inputs[INPUT]
        strange = np.flatnonzero(np.isnan(x)) if x.dtype.kind == "f" else np.empty(0, np.int64)
        if not strange.size:
            return []
        message = _(
            "values: NaN at {cell} is neither larger nor smaller than other elements; "
            "DirectML does not refuse it, but the order of its output is unreliable."
        ).format(cell=cell(int(strange[0]), x.shape))
        return [Problem("values", message, f"{self.structure}, {INPUT}")]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return dict.fromkeys((VALUES, INDICES), self.picking(sizes[INPUT]).output)

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        return {name: tuple(map(str, out)) for name, out in self.outputs_after(sizes).items()}

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        x = inputs[INPUT]
        at = self.picking(x.shape).indices(x)
        values = np.take_along_axis(x, at, axis=self.axis)
        return {VALUES: values, INDICES: at.astype(self.output_index_tensor_data_type.lower())}

    def ranking(self, inputs: Mapping[str, Array]) -> Array:
        x = inputs[INPUT]
        return self.picking(x.shape).ranking(x)

    def index_values(self, name: str, sources: Array, inputs: Mapping[str, Array]) -> Array:
        return self.picking(inputs[INPUT].shape).index_of(sources)

    def moves(self, inputs: Tensors) -> Steps:
        x = inputs[INPUT]
        return top_k_steps(self.picking(x.shape), x)

    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        x = inputs[INPUT]
        picking = self.picking(x.shape)
        formula = Formula(
            x.shape,
            picking.output,
            picking.source(),
            output=VALUES,
            tables={picking.order_name: picking.order(x)},
            letters=picking.letters,
        )
        # arithmetic cannot find the index; the remarks tell it
        return {VALUES: (formula,), INDICES: ()}

    def letters(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        own = self.picking(sizes[INPUT]).letters
        return super().letters(sizes) | {VALUES: own, INDICES: own}

    def remarks_at(self, inputs: Tensors, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        x = inputs[INPUT]
        picked = self.picking(x.shape).indices(x)
        for index in indices:
            at = tuple(index)
            yield [self._remark(x, at, int(picked[at]))]

    def _remark(self, x: Array, at: Sizes, picked: int) -> str:
        """The sentence about one element of the indices, whose value is ``picked``."""
        source = (*at[: self.axis], picked, *at[self.axis + 1 :])
        words = _("{cell} = {found}: in{source} = {value} is number {n}, the smallest first.")
        if self.axis_direction == "DECREASING":
            words = _("{cell} = {found}: in{source} = {value} is number {n}, the largest first.")
        return words.format(
            cell=f"{INDICES}{list(at)}",
            found=picked,
            source=list(source),
            value=print_value(x[source]),
            n=at[self.axis] + 1,
        )

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        nodes = written_nodes(self.picking(inputs[INPUT].sizes), self.output_index_tensor_data_type)
        return Graph("native", nodes, cpu_types=NATIVE)

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        x = inputs[INPUT]
        nodes = plain_nodes(self.picking(x.sizes), x.data_type, self.output_index_tensor_data_type)
        return Graph("lowered", nodes)

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        case = self.case(inputs)
        return top_k_snippets(case, self.picking(case.sizes), self.native_graph(inputs))


def _older(desc: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of DML_TOP_K_OPERATOR_DESC, which has no direction."""
    form = TopK.older_forms[0]
    desc_fields(form.structure, desc, form.members, (INDICES,))
    settings = TopK.from_desc({**desc, "AxisDirection": "DECREASING"}).settings
    return settings
