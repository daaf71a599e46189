"""DML_FILL_VALUE_SEQUENCE: a start and equal steps, counted through an output that has no input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from dmlviz.base.words import _
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node, cast
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
    value_text,
)
from dmlviz.operators.feature_levels import SMALL, Support
from dmlviz.operators.generated import Generated
from dmlviz.operators.scalar_union import ExactScalar
from dmlviz.operators.settings import setting, with_settings
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import DATA_TYPES, element_count, print_value
from dmlviz.tensors.types import Array


@with_settings
class FillValueSequence(Generated):
    """Count through a tensor, as ``DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC`` does.

    Args:
        output_tensor_sizes: of the output, 4 numbers, each at least 1.
        value_data_type: of the output and of both numbers, one of 8.
        value_start: the first element, a number that the type holds.
        value_delta: what each element adds to the one before it, in row-major order. In an
            unsigned type, a negative number is its two's complement.

    Element ``i`` is ``start + i * delta``. Whole numbers wrap around at the end of their type.
    Floats are calculated in FLOAT32, the product rounded before the sum; FLOAT16 is rounded once
    more. DirectML's page adds the step again and again, which gives the same wherever every
    element is exact.

    >>> FillValueSequence((1, 1, 2, 2), "UINT8", 10, -2).evaluate({})["OutputTensor"].tolist()
    [[[[10, 8], [6, 4]]]]
    >>> FillValueSequence((1, 1, 2, 2), "UINT8", 10, -2).explain((), (0, 0, 1, 1))
    'out[0, 0, 1, 1] = 10 + 3 · (-2) = 4'
    """

    value_start: float = setting(ExactScalar, "ValueStart", default=0)
    value_delta: float = setting(ExactScalar, "ValueDelta", default=1)

    dml: ClassVar[str] = "FILL_VALUE_SEQUENCE"
    key: ClassVar[str] = "fill-value-sequence"
    place: ClassVar[int] = 220
    member_types: ClassVar[Mapping[str, str]] = dict.fromkeys(
        ("ValueStart", "ValueDelta"), "DML_SCALAR_UNION"
    )
    support: ClassVar[tuple[Support, ...]] = (Support("2_1", (4,), SMALL),)
    signed_scalars: ClassVar[tuple[str, ...]] = ("value_delta",)

    # ---- the rule

    def elements(self, number: Array) -> Array:
        dtype = DATA_TYPES[self.value_data_type].dtype
        if DATA_TYPES[self.value_data_type].is_integer:
            # below 2 to the power 58 for every element there can be
            counted: Array = int(self.value_start) + number * int(self.value_delta)
            return counted.astype(dtype)
        start, delta = (np.float32(self.number(name)) for name in self.scalars())
        with np.errstate(over="ignore", invalid="ignore"):
            added: Array = start + number.astype(np.float32) * delta
            return added.astype(dtype)

    def written(self, number: int) -> str:
        value = print_value(self.elements(np.array([number]))[0])
        return f"{self.in_letters(str(number))} = {value}"

    def in_letters(self, number: str) -> str:
        start, delta = (self.declared[n].spell(getattr(self, n)) for n in self.scalars())
        step = f"({delta})" if delta.startswith("-") else delta
        return f"{start} + {number} · {step}"

    def on_indices(self) -> Operator:
        return replace(self, value_data_type="INT32", value_start=-1, value_delta=0)

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        # ONNX's Range counts in one dimension, and how it rounds is not laid down
        return None

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        whole = DATA_TYPES[self.value_data_type].is_integer
        dtype = np.int64 if whole else np.float32
        numbers = [getattr(self, name) for name in self.scalars()]
        first, step = numbers if whole else [np.float32(self.number(n)) for n in self.scalars()]
        ends = {"start": 0, "limit": element_count(self.output_tensor_sizes), "delta": 1}
        counted = (Constant(name, np.array(end, np.int64)) for name, end in ends.items())
        shape = Constant("shape", np.array(self.output_tensor_sizes, np.int64))
        return Graph(
            "lowered",
            (
                Node("Range", tuple(counted)),
                cast(FLOW, "INT64" if whole else "FLOAT32"),
                Node("Mul", (FLOW, Constant("delta", np.array(step, dtype)))),
                Node("Add", (FLOW, Constant("start", np.array(first, dtype)))),
                cast(FLOW, self.value_data_type),
                Node("Reshape", (FLOW, shape)),
            ),
        )

    # ---- examples

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        operators = cls((1, 1, 1, 3), "FLOAT32", 3, 2), cls((1, 1, 2, 2), "UINT8", 10, -2)
        return tuple(
            operator.documented_example(None, number)
            for number, operator in enumerate(operators, 1)
        )

    def alternative(self) -> Operator:
        return replace(self, value_start=self.value_delta, value_delta=self.value_start)

    # ---- other dialects

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        count = element_count(self.output_tensor_sizes)
        sizes, dtype = commas(self.output_tensor_sizes), case.dtype
        whole = DATA_TYPES[self.value_data_type].is_integer
        counted = "int64" if whole else "float32"
        if whole:
            start, delta = str(self.value_start), str(self.value_delta)
        else:
            start, delta = (value_text(np.float32(self.number(n))) for n in self.scalars())
        arange, torch_arange = (
            f"np.arange({count})",
            f"torch.arange({count}, dtype=torch.{counted})",
        )
        if not whole:
            arange = f"np.arange({count}, dtype=np.float32)"
            start, delta = (f"np.float32({text})" for text in (start, delta))
        plain = [text.removeprefix("np.float32(").removesuffix(")") for text in (start, delta)]
        return (
            numpy_snippet(
                case,
                [
                    f"y = {start} + {arange} * {delta}",
                    f"y = y.astype(np.{dtype}).reshape({sizes})",
                ],
            ),
            pytorch_snippet(
                case,
                [
                    f"y = {plain[0]} + {torch_arange} * {plain[1]}",
                    f"y = y.to(torch.{dtype}).reshape({sizes})",
                ],
            ),
            tensorflow_snippet(
                case,
                [
                    f"y = {plain[0]} + tf.range({count}, dtype=tf.{counted}) * {plain[1]}",
                    f"y = tf.reshape(tf.cast(y, tf.{dtype}), [{sizes}])",
                ],
            ),
            Snippet("einops", note=_("einops fills nothing: it moves and repeats whole axes.")),
        )
