"""DML_FILL_VALUE_CONSTANT: one value in every element of an output that has no input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from dmlviz.base.words import _
from dmlviz.movement.graphs import Constant, Graph, Node
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.code.base import (
    Case,
    Snippet,
)
from dmlviz.operators.feature_levels import ALL, ANY_RANK, SMALL, Support
from dmlviz.operators.generated import Generated
from dmlviz.operators.scalar_union import ExactScalar
from dmlviz.operators.settings import setting, with_settings
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import DATA_TYPES, print_value
from dmlviz.tensors.types import Array


@with_settings
class FillValueConstant(Generated):
    """Fill a tensor with one value, as ``DML_FILL_VALUE_CONSTANT_OPERATOR_DESC`` does.

    Args:
        output_tensor_sizes: of the output, 1 to 8 numbers, each at least 1.
        value_data_type: of the output and of the value, one of DirectML's 11.
        value: a number that the type holds; a float is rounded to it.

    >>> FillValueConstant((2, 3), "INT8", 7).evaluate({})["OutputTensor"].tolist()
    [[7, 7, 7], [7, 7, 7]]
    >>> FillValueConstant((2, 3), "INT8", 7).explain((), (1, 2))
    'out[1, 2] = 7'
    """

    value: float = setting(ExactScalar, "Value", default=0)

    dml: ClassVar[str] = "FILL_VALUE_CONSTANT"
    key: ClassVar[str] = "fill-value-constant"
    place: ClassVar[int] = 210
    member_types: ClassVar[Mapping[str, str]] = {"Value": "DML_SCALAR_UNION"}
    # one look at the output says its only number
    unasked: ClassVar[tuple[str, ...]] = (*Generated.unasked, "setting", "grid")
    support: ClassVar[tuple[Support, ...]] = (
        Support("2_1", (4,), SMALL),
        Support("4_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )

    # ---- the rule

    def elements(self, number: Array) -> Array:
        return np.full(number.shape, self.number("value"))

    def padding(self, data_type: str) -> np.generic:
        return self.number("value")

    def written(self, number: int) -> str:
        return print_value(self.number("value"))

    def in_letters(self, number: str) -> str:
        return self.written(0)

    def on_indices(self) -> Operator:
        return replace(self, value_data_type="INT64", value=-1)

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        shape = Constant("shape", np.array(self.output_tensor_sizes, np.int64))
        value = Constant("value", np.array([self.number("value")]))
        node = Node("ConstantOfShape", (shape,), {"value": value})
        return Graph("native", (node,), cpu_types=frozenset(DATA_TYPES))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        shape = Constant("shape", np.array(self.output_tensor_sizes, np.int64))
        value = Constant("value", np.array([self.number("value")]))
        return Graph("lowered", (Node("Expand", (value, shape)),))

    # ---- examples

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        operator = cls((1, 1, 2, 4), "FLOAT32", 13)
        return (operator.documented_example(None, part="Examples"),)

    def alternative(self) -> Operator:
        return replace(self, value=0 if self.value else 1)

    # ---- other dialects

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        return (
            Snippet("einops", note=_("einops fills nothing: it moves and repeats whole axes.")),
        )
