"""DML_ELEMENT_WISE_IDENTITY whose input has strides: memory read as a tensor of any layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.errors import Error, Problem
from dmlviz.movement.expressions import Expr, const, index
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import Steps
from dmlviz.operators.base import Array, Example, Operator
from dmlviz.operators.checks import buffer_desc, desc_fields, whole_numbers
from dmlviz.operators.code.base import Case, Snippet
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FLOATS, SMALL, Support
from dmlviz.operators.one_tensor import OneTensor
from dmlviz.operators.settings import Setting
from dmlviz.operators.slots import BufferDesc, packed_strides
from dmlviz.operators.strided.code import strided_snippets
from dmlviz.operators.strided.kinds import Distances, Extents
from dmlviz.operators.strided.steps import strided_steps
from dmlviz.operators.strided.view import dense, offsets, sum_text
from dmlviz.tensors import DATA_TYPES, DIMENSION_MAX, MAX_RANK, shown
from dmlviz.words import _

INPUT = "InputTensor"


@dataclass(frozen=True)
class Strided(OneTensor):
    """Read memory as a tensor with strides, as ``DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC`` does.

    Args:
        input_tensor_sizes: of the tensor, which are the output's; 1 or more, 1 to 8 of them.
        input_tensor_strides: for each dimension, the distance in elements from one index to
            the next, 0 or more; 0 stays at the same element.

    The input is memory: its elements in their order, in one dimension.

    >>> import numpy as np
    >>> Strided((3, 2), (1, 3)).apply(np.arange(1, 7)).tolist()
    [[1, 4], [2, 5], [3, 6]]
    >>> print(Strided((3, 2), (1, 3)).explain((6,), (2, 1)))
    out[h, w] = in[h + w · 3]
    out[2, 1] = in[2 + 1 · 3] = in[5]
    """

    input_tensor_sizes: tuple[int, ...]
    input_tensor_strides: tuple[int, ...]

    key: ClassVar[str] = "strided"
    place: ClassVar[int] = 35
    operator_type: ClassVar[str] = "DML_OPERATOR_ELEMENT_WISE_IDENTITY"
    structure: ClassVar[str] = "DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC"
    members: ClassVar[tuple[str, ...]] = ("ScaleBias",)
    member_types: ClassVar[Mapping[str, str]] = MappingProxyType({"ScaleBias": "DML_SCALE_BIAS*"})
    support: ClassVar[tuple[Support, ...]] = (
        Support("1_0", (4, 5), FLOATS),
        Support("2_1", (4, 5), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    free_tensors: ClassVar[tuple[str, ...]] = (INPUT,)
    # the sizes of the output are a setting
    unasked: ClassVar[tuple[str, ...]] = ("sizes",)

    def __post_init__(self) -> None:
        for name in ("input_tensor_sizes", "input_tensor_strides"):
            object.__setattr__(self, name, whole_numbers(name, getattr(self, name)))

    @property
    def told(self) -> BufferDesc:
        """The tensor laid over memory."""
        return BufferDesc(self.input_tensor_sizes, self.input_tensor_strides)

    @property
    def buffers(self) -> Mapping[str, BufferDesc]:
        return {INPUT: self.told}

    @property
    def desc(self) -> dict[str, Any]:
        sizes, strides = self.input_tensor_sizes, self.input_tensor_strides
        return {INPUT: {"Sizes": list(sizes), "Strides": list(strides)}}

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, (INPUT,), cls.members)
        (scale_bias,) = cls.members
        if desc.get(scale_bias) is not None:
            raise Error(
                _(
                    "desc: {name} of {structure} is {value}; that would change values, and dmlviz "
                    "only shows movement."
                ).format(name=scale_bias, structure=cls.structure, value=shown(desc[scale_bias])),
                scale_bias,
            )
        told = buffer_desc(desc, INPUT)
        return cls(told.sizes, told.strides)

    @property
    def documented(self) -> dict[str, Any]:
        # the tensor's own header is complete
        return {}

    @classmethod
    def ranks_ever(cls) -> tuple[int, ...]:
        return (1,)

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        return (
            Extents(
                "input_tensor_sizes",
                "InputTensor.Sizes",
                _("The sizes of the tensor that memory is read as; the output has the same."),
            ),
            Distances(
                "input_tensor_strides",
                "InputTensor.Strides",
                _(
                    "For each dimension how many elements of memory lie from one index to the "
                    "next: elements, not bytes. 0 stays at the same element."
                ),
            ),
        )

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # a matrix stored column after column, and the transpose of one stored row after row
        cases = (((2, 3), (1, 2), [1, 4, 2, 5, 3, 6]), ((3, 2), (1, 3), [1, 2, 3, 4, 5, 6]))
        return tuple(
            Example(
                _("Documentation example {number}").format(number=number),
                cls(sizes, strides),
                np.array(memory, np.float32),
                f"{cls.structure}, Remarks: dml-strides, 2D arrays, with 1 to 6 for A to F",
            )
            for number, (sizes, strides, memory) in enumerate(cases, 1)
        )

    def alternative(self) -> Operator:
        sizes, strides = self.input_tensor_sizes, self.input_tensor_strides
        packed = packed_strides(sizes)
        if strides == packed:
            packed = packed_strides(sizes[::-1])[::-1]
        if strides == packed:
            packed = (0,) * len(sizes)
        return replace(self, input_tensor_strides=packed)

    def rule_problems(self, sizes: tuple[int, ...], data_type: str | None) -> list[Problem]:
        return [
            Problem(name, f"{name}: {message}", source)
            for name, message, source in self._wrong(sizes[0])
        ]

    def _wrong(self, count: int) -> Iterator[tuple[str, str, str]]:
        """Field, message and source of everything invalid for memory of ``count`` elements."""
        field, buffer = "input_tensor_sizes", "DML_BUFFER_TENSOR_DESC"
        sizes, strides = self.input_tensor_sizes, self.input_tensor_strides
        rank = len(sizes)
        if not 1 <= rank <= MAX_RANK:
            words = _("there are {rank}; a tensor has 1 to {most} dimensions.")
            yield field, words.format(rank=rank, most=MAX_RANK), f"{buffer}, DimensionCount"
            return
        wrong = [d for d, n in enumerate(sizes) if not 1 <= n <= DIMENSION_MAX]
        if wrong:
            words = _(
                "{number} in dimension {d} is invalid; each size is a whole number from 1 to "
                "{most:,}."
            )
            told = words.format(number=shown(sizes[wrong[0]]), d=wrong[0], most=DIMENSION_MAX)
            yield field, told, f"{buffer}, Sizes"
        field, source = "input_tensor_strides", f"{buffer}, Strides"
        if len(strides) != rank:
            words = _("there are {count}; the tensor has {rank} dimensions and needs one for each.")
            yield field, words.format(count=len(strides), rank=rank), source
            return
        far = [d for d, s in enumerate(strides) if not 0 <= s <= DIMENSION_MAX]
        if far:
            words = _(
                "{number} in dimension {d} is invalid; a stride must be a whole number from 0 to "
                "{most:,} and never goes backward."
            )
            told = words.format(number=shown(strides[far[0]]), d=far[0], most=DIMENSION_MAX)
            yield field, told, source
        elif not wrong and self.told.least > count:
            words = _(
                "the last element of the tensor would be element {sum} of memory, which ends with "
                "element {end}."
            )
            last = sum_text(self.told, tuple(n - 1 for n in sizes))
            yield field, words.format(sum=last, end=count - 1), f"{buffer}, TotalTensorSizeInBytes"

    def sizes_after(self, sizes: tuple[int, ...]) -> tuple[int, ...]:
        return self.input_tensor_sizes

    def size_sums(self, sizes: Sequence[int]) -> tuple[str, ...]:
        return tuple(map(str, self.input_tensor_sizes))

    def apply(self, x: Array) -> Array:
        strides = [stride * x.itemsize for stride in self.input_tensor_strides]
        view = np.lib.stride_tricks.as_strided(
            np.ascontiguousarray(x), self.input_tensor_sizes, strides, writeable=False
        )
        return view.copy()

    def formula(self, sizes: Sequence[int]) -> Formula:
        out = self.output_sizes(sizes)
        terms = (index(d) * stride for d, stride in enumerate(self.input_tensor_strides))
        place: Expr = reduce(Expr.__add__, terms, const(0))
        return Formula(tuple(sizes), out, (place,))

    def steps(self, sizes: Sequence[int]) -> Steps:
        self.output_sizes(sizes)
        return strided_steps(self.told)

    def written(self, sizes: tuple[int, ...], data_type: str) -> Graph | None:
        found = dense(self.told, sizes[0])
        if found is None:
            return None
        memory = Constant("shape", np.array(found.memory, np.int64))
        nodes = [Node("Reshape", (FLOW, memory))]
        if found.turned:
            nodes.append(Node("Transpose", (FLOW,), {"perm": list(found.perm)}))
        if found.repeated:
            whole = Constant("shape", np.array(found.sizes, np.int64))
            nodes.append(Node("Expand", (FLOW, whole)))
        return Graph("native", tuple(nodes), cpu_types=frozenset(DATA_TYPES))

    def lowered(self, sizes: tuple[int, ...], data_type: str) -> Graph:
        places = Constant("places", offsets(self.told))
        return Graph("lowered", (Node("Gather", (FLOW, places), {"axis": 0}),))

    def snippets(self, case: Case) -> tuple[Snippet, ...]:
        return strided_snippets(case, self.told, self.written(case.sizes, case.data_type))
