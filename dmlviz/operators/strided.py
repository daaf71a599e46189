"""DML_ELEMENT_WISE_IDENTITY whose input has strides: memory read as a tensor of any layout."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node
from dmlviz.movement.steps import Step, Steps, grouped_steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.checks import buffer_desc, desc_fields
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    commas,
    einops_snippet,
    numpy_snippet,
    plain_names,
    pytorch_snippet,
    tensorflow_snippet,
    tuple_text,
)
from dmlviz.operators.code.onnx import NodeText, onnx_snippet
from dmlviz.operators.feature_levels import ALL, ANY_RANK, FLOATS, SMALL, Support
from dmlviz.operators.mapped import At, Lookup, Mapped
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.settings import MOST_NUMBER, Dice, Numbers, setting, with_settings
from dmlviz.operators.slots import BufferDesc, TensorDesc, packed_strides
from dmlviz.tensors import DATA_TYPES, DIMENSION_MAX, MAX_RANK, print_sizes, short_text
from dmlviz.tensors.numbering import print_index
from dmlviz.tensors.types import Array, Sizes, Tensors

INPUT = "InputTensor"
_SCALE_BIAS = "ScaleBias"
# of a long row the first elements are named, and the last
_NAMED = 5
# the bytes of one element, which people may use to count
_BYTES = 4


# ---- settings of a tensor laid over memory: one number for each of its own dimensions; sizes and
# strides are drawn separately, and the memory's sizes give both the same count


@dataclass(frozen=True)
class Extents(Numbers):
    """The tensor's sizes."""

    def neutral(self, sizes: Sizes) -> Sizes:
        return (min(sizes[0], MOST_NUMBER),)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield from _impossible(value, 0)
        # there are not that many elements, unless a stride of 0 repeats one
        yield from _impossible(value, sizes[0] + 1)

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield from _near(value, self.least)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return tuple(dice.between(2, 4) for _d in range(_rank(sizes)))


@dataclass(frozen=True)
class Distances(Numbers):
    """The tensor's strides."""

    least: int = 0

    def neutral(self, sizes: Sizes) -> Sizes:
        return (1,)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield from _impossible(value, -1)
        # no element is that far from another
        yield from _impossible(value, sizes[0])

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield from _near(value, self.least)

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return tuple(dice.between(0, min(4, sizes[0] // 2)) for _d in range(_rank(sizes)))


def _rank(sizes: Sizes) -> int:
    """How many dimensions to draw for memory of these sizes."""
    count = sizes[0]
    return 1 if count < 3 else 3 if count % 6 == 0 and count > 6 else 2


def _impossible(value: Sizes, number: int) -> Iterator[Sizes]:
    """One number replaced by an invalid one, and one number too few."""
    for k in range(len(value)):
        yield (*value[:k], number, *value[k + 1 :])
    if len(value) > 1:
        yield value[1:]


def _near(value: Sizes, least: int) -> Iterator[Sizes]:
    yield value[::-1]
    for k, number in enumerate(value):
        yield from (
            (*value[:k], n, *value[k + 1 :]) for n in (number + 1, number - 1) if n >= least
        )


# ---- a tensor laid over memory: the place of each element there, and whether all are used


def _place(at: At, strides: Sizes) -> Any:
    """The element of memory at an index of the tensor."""
    return sum(i * stride for i, stride in zip(at, strides, strict=True))


def offsets(buffer: BufferDesc) -> Array:
    """For each element of the tensor, its place in memory; int64, of its sizes.

    >>> offsets(BufferDesc((2, 3), (1, 2))).tolist()
    [[0, 2, 4], [1, 3, 5]]
    """
    at = tuple(np.indices(buffer.sizes, np.int64, sparse=True))
    return np.broadcast_to(_place(at, buffer.strides), buffer.sizes)


def _sum_text(buffer: BufferDesc, at: Sizes, inner: int = -1) -> str:
    """``1 · 4 + 2 · 1 = 6``: the element of memory at an index of the tensor.

    Args:
        buffer: the tensor.
        at: the index of an element.
        inner: a dimension to omit because its index is 0.

    >>> buffer = BufferDesc((2, 3), (4, 1))
    >>> _sum_text(buffer, (1, 2)), _sum_text(buffer, (1, 0), 1)
    ('1 · 4 + 2 · 1 = 6', '1 · 4 = 4')
    """
    every = enumerate(zip(at, buffer.strides, buffer.sizes, strict=True))
    # an index that is always 0 adds nothing
    terms = [f"{i} · {s}" for d, (i, s, n) in every if n > 1 and d != inner]
    total = _place(at, buffer.strides)
    return f"{' + '.join(terms)} = {total}" if terms else str(total)


@dataclass(frozen=True)
class Dense:
    """A tensor with every element of memory: its dimensions in another order, some repeated.

    Attributes:
        sizes: of the tensor.
        order: for each dimension of memory, seen as a tensor of as many dimensions, the tensor's
            dimension that it is.
        memory: the sizes of memory seen so; 1 where the tensor repeats it.
    """

    sizes: Sizes
    order: Sizes
    memory: Sizes

    @property
    def perm(self) -> Sizes:
        """For each dimension of the tensor, its dimension of memory."""
        return tuple(self.order.index(d) for d in range(len(self.order)))

    @property
    def turned(self) -> bool:
        """Whether the order of dimensions changes."""
        return self.perm != tuple(range(len(self.perm)))

    @property
    def once(self) -> Sizes:
        """The tensor's sizes without repeats."""
        return tuple(self.memory[d] for d in self.perm)

    @property
    def repeated(self) -> bool:
        """Whether some dimension repeats one element."""
        return self.once != self.sizes


def dense(buffer: BufferDesc, count: int) -> Dense | None:
    """How a tensor covers every element of memory; None if it omits or mixes some.

    Args:
        buffer: the tensor.
        count: of the elements of memory.

    >>> dense(BufferDesc((3, 2), (1, 3)), 6)
    Dense(sizes=(3, 2), order=(1, 0), memory=(2, 3))
    """
    sizes, strides = buffer.sizes, buffer.strides
    moving = [d for d, (n, s) in enumerate(zip(sizes, strides, strict=True)) if n > 1 and s > 0]
    falling = sorted(moving, key=lambda d: -strides[d])
    for k, d in enumerate(falling):
        if strides[d] != math.prod(sizes[e] for e in falling[k + 1 :]):
            return None
    if math.prod(sizes[d] for d in moving) != count:
        return None
    # the others stay where they are
    turned = dict(zip(moving, falling, strict=True))
    order = tuple(turned.get(d, d) for d in range(len(sizes)))
    memory = tuple(sizes[d] if d in turned else 1 for d in order)
    return Dense(sizes, order, memory)


@with_settings
class Strided(Mapped):
    """Read memory as a tensor with strides, as ``DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC`` does.

    Args:
        input_tensor_sizes: of the tensor, which are the output's; 1 or more, 1 to 8 of them.
        input_tensor_strides: for each dimension, the distance in elements from one index to
            the next, 0 or more; 0 stays at the same element.

    The input is memory: its elements in their order, in one dimension.

    >>> Strided((3, 2), (1, 3)).output_sizes((6,))
    (3, 2)
    >>> print(Strided((3, 2), (1, 3)).explain((6,), (2, 1)))
    out[h, w] = in[h + w · 3]
    out[2, 1] = in[2 + 1 · 3] = in[5]
    """

    input_tensor_sizes: tuple[int, ...] = setting(Extents, "InputTensor.Sizes")
    input_tensor_strides: tuple[int, ...] = setting(Distances, "InputTensor.Strides")

    dml: ClassVar[str] = "ELEMENT_WISE_IDENTITY"
    key: ClassVar[str] = "strided"
    place: ClassVar[int] = 35
    members: ClassVar[tuple[str, ...]] = (_SCALE_BIAS,)
    member_types: ClassVar[Mapping[str, str]] = MappingProxyType({_SCALE_BIAS: "DML_SCALE_BIAS*"})
    support: ClassVar[tuple[Support, ...]] = (
        Support("1_0", (4, 5), FLOATS),
        Support("2_1", (4, 5), SMALL),
        Support("3_0", ANY_RANK, SMALL),
        Support("4_1", ANY_RANK, ALL),
    )
    # the sizes of the output are a setting
    unasked: ClassVar[tuple[str, ...]] = ("sizes",)

    @property
    def buffer(self) -> BufferDesc:
        """The tensor laid over memory."""
        return BufferDesc(self.input_tensor_sizes, self.input_tensor_strides)

    @property
    def buffers(self) -> Mapping[str, BufferDesc]:
        return {INPUT: self.buffer}

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        desc_fields(cls.structure, desc, (INPUT,), cls.members)
        value = desc.get(_SCALE_BIAS)
        if value is not None:
            numbers = {"name": _SCALE_BIAS, "structure": cls.structure, "value": short_text(value)}
            raise Error(cls.say("scale-bias", **numbers), _SCALE_BIAS)
        buffer = buffer_desc(desc, INPUT)
        return cls(buffer.sizes, buffer.strides)

    @classmethod
    def ranks_ever(cls) -> tuple[int, ...]:
        return (1,)

    # ---- the rule

    def shape(self, sizes: Mapping[str, Sizes]) -> Sizes:
        return self.input_tensor_sizes

    def source(self, at: At, control: Lookup, sizes: Sizes) -> At:
        return (_place(at, self.input_tensor_strides),)

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        (count,) = sizes[INPUT]
        return list(self._problems(count))

    def _problems(self, count: int) -> Iterator[Problem]:
        """Everything invalid for memory of ``count`` elements."""
        sizes, strides, most = self.input_tensor_sizes, self.input_tensor_strides, DIMENSION_MAX
        rank = len(sizes)
        if not 1 <= rank <= MAX_RANK:
            yield self._problem("sizes", "DimensionCount", "rank", rank=rank, most=MAX_RANK)
            return
        wrong = [d for d, n in enumerate(sizes) if not 1 <= n <= most]
        if wrong:
            number = short_text(sizes[wrong[0]])
            yield self._problem("sizes", "Sizes", "size", number=number, d=wrong[0], most=most)
        if len(strides) != rank:
            yield self._problem("strides", "Strides", "count", count=len(strides), rank=rank)
            return
        far = [d for d, s in enumerate(strides) if not 0 <= s <= most]
        if far:
            number = short_text(strides[far[0]])
            yield self._problem("strides", "Strides", "stride", number=number, d=far[0], most=most)
        elif not wrong and self.buffer.least > count:
            last = _sum_text(self.buffer, tuple(n - 1 for n in sizes))
            member = "TotalTensorSizeInBytes"
            yield self._problem("strides", member, "end", sum=last, end=count - 1)

    def _problem(self, part: str, member: str, key: str, /, **numbers: Any) -> Problem:
        message = self.say(key, **numbers)
        return Problem(f"input_tensor_{part}", message, f"DML_BUFFER_TENSOR_DESC, {member}")

    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        (x,) = inputs.values()
        strides = [stride * x.itemsize for stride in self.input_tensor_strides]
        view = np.lib.stride_tricks.as_strided(
            np.ascontiguousarray(x), self.input_tensor_sizes, strides, writeable=False
        )
        return {self.output_slots[0].name: view.copy()}

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        (x,) = inputs.values()
        layout = dense(self.buffer, x.sizes[0])
        if layout is None:
            return None
        memory = Constant("shape", np.array(layout.memory, np.int64))
        nodes = [Node("Reshape", (FLOW, memory))]
        if layout.turned:
            nodes.append(Node("Transpose", (FLOW,), {"perm": list(layout.perm)}))
        if layout.repeated:
            whole = Constant("shape", np.array(layout.sizes, np.int64))
            nodes.append(Node("Expand", (FLOW, whole)))
        return Graph("native", tuple(nodes), cpu_types=frozenset(DATA_TYPES))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        places = Constant("places", offsets(self.buffer))
        return Graph("lowered", (Node("Gather", (FLOW, places), {"axis": 0}),))

    # ---- examples

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # a matrix stored column after column, and the transpose of one stored row after row
        cases = (((2, 3), (1, 2), [1, 4, 2, 5, 3, 6]), ((3, 2), (1, 3), [1, 2, 3, 4, 5, 6]))
        return tuple(
            cls(sizes, strides).documented_example(
                np.array(memory, np.float32),
                number,
                part="Remarks: dml-strides, 2D arrays, with 1 to 6 for A to F",
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

    # ---- moves: row after row, each from where its offset begins; element after element if there
    # is only one row

    def moves(self, inputs: Tensors) -> Steps:
        sizes = self.input_tensor_sizes
        several = [d for d, n in enumerate(sizes) if n > 1]
        # a row is along the last dimension that has several elements
        inner = several[-1] if len(several) > 1 else -1
        rows = tuple(1 if d == inner else n for d, n in enumerate(sizes))
        count, places = math.prod(rows), offsets(self.buffer)

        def at(k: int) -> Sizes:
            return tuple(int(i) for i in np.unravel_index(k, rows))

        def name(k: int) -> str:
            return "out" + print_index(":" if d == inner else i for d, i in enumerate(at(k)))

        def one(k: int) -> Step:
            numbers = {"place": name(k), "sum": _sum_text(self.buffer, at(k), inner)}
            if inner < 0:
                return Step(name(k), self.say("element", **numbers))
            row = places[tuple(slice(None) if d == inner else i for d, i in enumerate(at(k)))]
            stride = self.input_tensor_strides[inner]
            caption = self.say(
                "row" if stride else "row-stays",
                stride=stride,
                elements=_listed(row),
                n=row.size,
                **numbers,
            )
            return Step(name(k), caption)

        def rest(k: int) -> Step:
            last = count - 1
            text = _sum_text(self.buffer, at(last), inner)
            caption = self.say("others", count=count - k, place=name(last), sum=text)
            return Step(f"{name(k)} – {name(last)}", caption)

        row_of = np.broadcast_to(np.arange(count).reshape(rows), sizes).ravel()
        return grouped_steps(row_of, one, rest)

    # ---- misreadings

    def misread(self, x: Array) -> Iterator[Candidate]:
        buffer, sizes, strides = self.buffer, self.input_tensor_sizes, self.input_tensor_strides
        numbers = {
            "sizes": print_sizes(sizes),
            "strides": print_sizes(strides),
            "n": sizes[0],
            "stride": max(strides),
            "size": _BYTES,
        }
        for key, other in self._readings():
            if other.least <= x.size:
                yield key, self.say(f"misread-{key}", **numbers), x[offsets(other)]
        places = offsets(buffer)
        yield "from-the-end", self.say("misread-from-the-end"), x[x.size - 1 - places]
        step = min((s for n, s in zip(sizes, strides, strict=True) if n > 1 and s), default=1)
        if buffer.least + step <= x.size:
            yield "shifted", self.say("misread-shifted"), x[places + step]
        yield "memory", self.say("misread-memory", **numbers), x
        if len(sizes) > 1 and strides[-1] == 1 and strides[-2] < sizes[-1]:
            n = sizes[-1]
            message = self.say("misread-apart", n=n, stride=strides[-2])
            yield "apart", message, x[: x.size // n * n].reshape(-1, n)

    def _readings(self) -> Iterator[tuple[str, BufferDesc]]:
        """Other layouts, and the keys of their messages."""
        sizes, strides = self.input_tensor_sizes, self.input_tensor_strides
        # sizes or strides in another order
        packed = packed_strides(sizes[::-1])
        yield "reshape", BufferDesc(sizes, packed_strides(sizes))
        yield "other-order", BufferDesc(sizes, strides[::-1])
        yield "first-fastest", BufferDesc(sizes, packed[::-1])
        yield "transpose", BufferDesc(sizes[::-1], strides[::-1])
        yield "other-sizes", BufferDesc(sizes[::-1], packed)
        # strides that count something else
        if any(strides) and all(s % _BYTES == 0 for s in strides):
            yield "bytes", BufferDesc(sizes, tuple(s // _BYTES for s in strides))
        yield "between", BufferDesc(sizes, tuple(s + 1 for s in strides))
        if 0 in strides:
            yield "zero", BufferDesc(sizes, tuple(s or 1 for s in strides))
        yield "one-by-one", BufferDesc(sizes, (1,) * len(sizes))

    # ---- other dialects: a transpose that repeats where the tensor is dense

    def directml_note(self) -> str:
        return self.say("directml")

    def cpp_members(self) -> dict[str, str | Sequence[float]]:
        return {_SCALE_BIAS: "nullptr"}

    def onnx_code(self, case: Case, inputs: Mapping[str, TensorDesc]) -> Snippet:
        if self.native_graph(inputs) is not None:
            return super().onnx_code(case, inputs)
        sizes, strides = map(tuple_text, (self.input_tensor_sizes, self.input_tensor_strides))
        before = [f"places = sum(i * s for i, s in zip(np.indices({sizes}), {strides}))"]
        places = {"places": "np.asarray(places, np.int64)"}
        node = NodeText("Gather", (INPUT, "places"), places, {"axis": "0"})
        return onnx_snippet(case, [node], before=before, note=self.say("onnx"))

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        layout = dense(self.buffer, case.sizes[0])
        return (
            self._numpy(case, layout),
            self._pytorch(case, layout),
            self._tensorflow(case, layout),
            self._einops(case, layout),
        )

    def _numpy(self, case: Case, layout: Dense | None) -> Snippet:
        if text := self._numpy_view(case.sizes[0], layout):
            return numpy_snippet(case, [f"y = {text}"], self.say("numpy"))
        sizes, strides = self.input_tensor_sizes, self.input_tensor_strides
        in_bytes = f"[s * x.itemsize for s in {tuple_text(strides)}]"
        lines = call("y = np.lib.stride_tricks.as_strided", "x", tuple_text(sizes), in_bytes)
        return numpy_snippet(case, [lines], self.say("numpy-strides"))

    def _numpy_view(self, count: int, layout: Dense | None) -> str:
        """NumPy's usual call for such a view of ``count`` elements; empty if it has none."""
        sizes, strides = self.input_tensor_sizes, self.input_tensor_strides
        step, window = strides[0], sizes[-1]
        if layout is not None:
            text = f"x.reshape({commas(layout.memory)})"
            text += f".transpose({commas(layout.perm)})" if layout.turned else ""
            return f"np.broadcast_to({text}, {tuple_text(sizes)})" if layout.repeated else text
        if len(sizes) == 1 and step and len(range(0, count, step)) == sizes[0]:
            return f"x[::{step}]"
        rows = len(sizes) == 2 and strides[1] == 1 and step > 0 and window <= count
        if rows and window <= step and sizes[0] * step <= count:
            # rows with a gap after each of them
            whole = "x" if sizes[0] * step == count else f"x[:{sizes[0] * step}]"
            return f"{whole}.reshape({sizes[0]}, {step})[:, :{window}]"
        if rows and len(range(0, count - window + 1, step)) == sizes[0]:
            every = f"[::{step}]" if step > 1 else ""
            return f"np.lib.stride_tricks.sliding_window_view(x, {window}){every}"
        return ""

    def _pytorch(self, case: Case, layout: Dense | None) -> Snippet:
        if layout is None:
            sizes, strides = map(tuple_text, (self.input_tensor_sizes, self.input_tensor_strides))
            return pytorch_snippet(case, [call("y = torch.as_strided", "x", sizes, strides)])
        text = f"x.reshape({commas(layout.memory)})"
        text += f".permute({commas(layout.perm)})" if layout.turned else ""
        text += f".expand({commas(layout.sizes)})" if layout.repeated else ""
        return pytorch_snippet(case, [f"y = {text}"], self.say("pytorch"))

    def _tensorflow(self, case: Case, layout: Dense | None) -> Snippet:
        if layout is None:
            sizes, strides = self.input_tensor_sizes, self.input_tensor_strides
            first, *others = (
                f"tf.range({n})[{', '.join([':', *['None'] * (len(sizes) - d - 1)])}] * {s}"
                for d, (n, s) in enumerate(zip(sizes, strides, strict=True))
            )
            lines = [f"places = {first}", *(f"places = places + {term}" for term in others)]
            lines.append("y = tf.gather(x, places)")
            return tensorflow_snippet(case, lines, self.say("tensorflow"))
        text = f"tf.reshape(x, [{commas(layout.memory)}])"
        text = f"tf.transpose({text}, [{commas(layout.perm)}])" if layout.turned else text
        text = f"tf.broadcast_to({text}, [{commas(layout.sizes)}])" if layout.repeated else text
        return tensorflow_snippet(case, [f"y = {text}"])

    def _einops(self, case: Case, layout: Dense | None) -> Snippet:
        if layout is None:
            return Snippet("einops", note=self.say("einops"))
        sizes, names = layout.sizes, plain_names(len(layout.sizes))
        moved = [d for d, n in zip(layout.order, layout.memory, strict=True) if n > 1]
        left = " ".join(names[d] for d in moved) or "1"
        kept = {d for d, n in enumerate(layout.once) if n > 1}
        named = [d for d, n in enumerate(sizes) if n > 1]
        right = " ".join(name if d in named else "1" for d, name in enumerate(names))
        lengths = {names[d]: sizes[d] for d in named if d not in kept or d in moved[1:]}
        pattern = f"({left}) -> {right}" if len(moved) > 1 else f"{left} -> {right}"
        function = "repeat" if layout.repeated else "rearrange"
        return einops_snippet(case, function, pattern, lengths)


def _listed(row: Array) -> str:
    elements = [str(int(i)) for i in row]
    if len(elements) > _NAMED + 1:
        elements = [*elements[:_NAMED], "…", elements[-1]]
    return ", ".join(elements)
