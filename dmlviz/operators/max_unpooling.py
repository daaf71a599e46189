"""DML_MAX_UNPOOLING: elements written into zeros, each at its index."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.base.words import _
from dmlviz.movement import CONTROL
from dmlviz.movement.expressions import names_of
from dmlviz.movement.graphs import FLOW, Constant, Graph, Node, cast
from dmlviz.movement.steps import Step, Steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.code.base import (
    Case,
    Snippet,
    call,
    commas,
    numpy_snippet,
    pytorch_snippet,
    tensorflow_snippet,
)
from dmlviz.operators.code.indices import (
    einops_indices,
    numpy_indices,
    onnx_indices_note,
    whole_indices,
)
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.feature_levels import FLOATS, NO_DOUBLE, Support
from dmlviz.operators.indices import INDICES, INPUT, WORD
from dmlviz.operators.misreadings import Candidate
from dmlviz.operators.settings import Dice, Numbers, setting, with_settings
from dmlviz.operators.slots import OUTPUT, Slot, TensorDesc
from dmlviz.operators.writers import Written, different_places, steps_of_writers, winners
from dmlviz.tensors import (
    DATA_TYPES,
    DIMENSION_MAX,
    element_count,
    one_line,
    print_sizes,
    short_text,
)
from dmlviz.tensors.numbering import print_flat_index
from dmlviz.tensors.types import Array, Sizes, Tensors

_RANK = 4
_OUTPUT = OUTPUT[0].name


@dataclass(frozen=True)
class UnpooledSizes(Numbers):
    """The sizes of an output with the input's batches and channels, and planes of any size."""

    def neutral(self, sizes: Sizes) -> Sizes:
        # as before pooling with windows of 2 by 2
        return (*sizes[:2], *(2 * n for n in sizes[2:]))

    def fitted(self, value: Any, sizes: Sizes, before: Sizes) -> Sizes:
        if len(value) != len(before) or len(sizes) != len(before):
            return tuple(value)
        kept = zip(value, sizes, before, strict=True)
        return tuple(n if number == old else number for number, n, old in kept)

    def refused(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        yield value[1:]

    def nearby(self, value: Any, sizes: Sizes) -> Iterator[Sizes]:
        for d in (2, 3):
            yield (*value[:d], value[d] + 1, *value[d + 1 :])

    def drawn(self, sizes: Sizes, active: list[int], most: Callable[[int], int], dice: Dice) -> Any:
        return (*sizes[:2], *(n + dice.between(1, n) for n in sizes[2:]))

    def probed(self, sizes: Sizes, primes: Sizes, turn: int) -> tuple[Sizes, ...]:
        return (self.neutral(sizes),)


@with_settings
class MaxUnpooling(Written):
    """Write elements into zeros at their indices, as ``DML_MAX_UNPOOLING_OPERATOR_DESC`` does.

    Args:
        output_tensor_sizes: of the output, four numbers.

    An index counts through the whole output, batches and channels included, in the order of
    memory. If two indices are the same, which element the output holds there is undefined.

    >>> x, at = np.array([[[[5, 7]]]]), np.array([[[[1, 3]]]])
    >>> inputs = {"InputTensor": x, "IndicesTensor": at}
    >>> MaxUnpooling((1, 1, 2, 2)).evaluate(inputs)["OutputTensor"].tolist()
    [[[[0, 5], [0, 7]]]]
    """

    output_tensor_sizes: tuple[int, ...] = setting(UnpooledSizes, f"{_OUTPUT}.Sizes", count=_RANK)

    dml: ClassVar[str] = "MAX_UNPOOLING"
    key: ClassVar[str] = "max-unpooling"
    place: ClassVar[int] = 67
    support: ClassVar[tuple[Support, ...]] = (
        Support("3_0", (_RANK,), FLOATS),
        Support("5_0", (_RANK,), NO_DOUBLE),
    )
    input_slots: ClassVar[tuple[Slot, ...]] = (
        Slot(INPUT),
        Slot(
            INDICES,
            CONTROL,
            support=(
                Support("3_0", (_RANK,), ("UINT32",)),
                Support("5_0", (_RANK,), ("UINT32", "UINT64")),
            ),
        ),
    )
    updates: ClassVar[str] = INPUT
    # a setting says the sizes
    unasked: ClassVar[tuple[str, ...]] = ("setting", "sizes")
    first_index: ClassVar[int] = 1

    # ---- the rule

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {_OUTPUT: self.output_tensor_sizes}

    def with_output_sizes(self, outputs: Mapping[str, tuple[int, ...]]) -> Operator:
        sizes = outputs.get(_OUTPUT, ())
        return replace(self, output_tensor_sizes=sizes) if sizes else self

    def before(self, inputs: Tensors) -> Array:
        return np.zeros(self.output_tensor_sizes, inputs[INPUT].dtype)

    def rule_lines(self, inputs: Tensors) -> list[str]:
        at = f"[{', '.join(names_of(_RANK))}]"
        return self.rule_of(f"out{at} = 0", f"flatten(out)[{INDICES}{at}]", f"in{at}")

    def places(self, inputs: Tensors) -> Array:
        return inputs[INDICES].ravel().astype(np.int64)

    def padding(self, data_type: str) -> np.generic | None:
        zero: np.generic = DATA_TYPES[data_type].dtype.type(0)
        return zero

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        out, (x, indices) = self.output_tensor_sizes, sizes.values()
        problems, field = [], "output_tensor_sizes"
        if len(out) != _RANK:
            wrong = print_sizes(out)
            problems.append(self.problem(field, "rank", at=_OUTPUT, sizes=wrong, rank=len(out)))
        elif not all(1 <= n <= DIMENSION_MAX for n in out):
            wrong, most = short_text(list(out)), f"{DIMENSION_MAX:,}"
            problems.append(self.problem(field, "sizes", at=_OUTPUT, sizes=wrong, most=most))
        if indices != x:
            wrong, due = print_sizes(indices), print_sizes(x)
            problems.append(self.problem(INDICES, "indices", sizes=wrong, due=due))
        return problems

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        indices, count = inputs[INDICES], math.prod(self.output_tensor_sizes)
        wrong = np.flatnonzero(indices >= count)
        if not wrong.size:
            return []
        at = int(wrong[0])
        index = indices.ravel()[at]
        numbers = {"index": one_line(str(index), 24), "cell": print_flat_index(at, indices.shape)}
        key = "beyond-32-bits" if index >= WORD else "beyond"
        return [self.problem(INDICES, key, last=f"{count - 1:,}", **numbers)]

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        x, out = inputs[INPUT], self.output_tensor_sizes
        # with windows that far apart, ONNX derives these sizes itself
        kernel = [n - own + 1 for n, own in zip(out[2:], x.sizes[2:], strict=True)]
        if x.data_type not in FLOATS or x.sizes[:2] != out[:2] or min(kernel) < 1:
            return None
        nodes = (
            cast(INDICES, "INT64"),
            Node("MaxUnpool", (INPUT, FLOW), {"kernel_shape": kernel}),
        )
        quieted = frozenset({"FLOAT16"})
        return Graph("native", nodes, cpu_types=frozenset({"FLOAT32"}), directml_changes=quieted)

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        x, out = inputs[INPUT], self.output_tensor_sizes
        zero = Constant("zero", np.zeros((), DATA_TYPES[x.data_type].dtype))
        count = Constant("count", np.array([math.prod(out)], np.int64))
        line = Constant("line", np.array([-1], np.int64))
        shape = Constant("shape", np.array(out, np.int64))
        nodes = (
            Node("Expand", (zero, count), outputs=("zeros",)),
            cast(INDICES, "INT64", "counted"),
            Node("Reshape", ("counted", line), outputs=("places",)),
            Node("Reshape", (INPUT, line), outputs=("elements",)),
            Node("ScatterElements", ("zeros", "places", "elements"), {"axis": 0}),
            Node("Reshape", (FLOW, shape)),
        )
        return Graph("lowered", nodes)

    # ---- examples, questions and moves

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        # the page has no example: the largest of each quarter of a plane, back at its place
        return (
            Example(
                _("A pooled plane"),
                cls((1, 1, 4, 4)),
                {
                    INPUT: np.array([[[[6, 8], [9, 7]]]], np.float32),
                    INDICES: np.array([[[[5, 3], [12, 10]]]], np.uint32),
                },
                f"{cls.structure}, description",
            ),
        )

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        size = min(math.prod(self.output_tensor_sizes), 4096)
        places = different_places(size, min(math.prod(sizes), size), dice)
        return {INDICES: np.resize(np.array(places, np.uint32), sizes)}

    def alternative(self) -> Operator:
        *outer, width = self.output_tensor_sizes or (0,)
        return replace(self, output_tensor_sizes=(*outer, width + 1))

    def moves(self, inputs: Tensors) -> Steps:
        sizes, out = inputs[INPUT].shape, self.output_tensor_sizes
        places, total = self.places(inputs), math.prod(out)
        last = winners(places, total)

        def one(k: int) -> Step:
            place, source = int(places[k]), print_flat_index(k, sizes)
            rivals = [int(other) for other in np.flatnonzero(places == place) if other != k]
            numbers = {"source": source, "place": place, "target": print_flat_index(place, out)}
            title = f"{INDICES}{source} = {place}"
            if rivals:
                return Step(
                    title, self.say("put-too", rival=print_flat_index(rivals[0], sizes), **numbers)
                )
            return Step(title, self.say("put", **numbers))

        def rest(left: Array) -> Step:
            ends = (print_flat_index(int(k), sizes) for k in (left[0], left[-1]))
            return Step(f"{INDICES}{' – '.join(ends)}", self.say("rest", count=left.size))

        zeros = int((last < 0).sum())
        words = self.say("zeros", zeros, zeros=zeros, total=total)
        first = Step(self.say("zeros-title"), words) if zeros else None
        return steps_of_writers(first, last, one, rest)

    def remark(self, at: str, place: int, writers: Sequence[str], named: str) -> list[str]:
        if not writers:
            return [self.say("remark-zero", at=at, place=place)]
        if len(writers) > 1:
            return [self.say("remark-too", at=at, sources=", ".join(writers[:3]), place=place)]
        words = self.say("remark", place=place, index=named)
        return [f"out{at} = in{writers[0]}", words]

    # ---- misreadings

    def misread(self, inputs: Tensors) -> Iterator[Candidate]:
        x, places, out = inputs[INPUT], inputs[INDICES].astype(np.int64), self.output_tensor_sizes
        plane, due, say = out[2] * out[3], print_sizes(out), self.say

        def put(places: Array) -> Array:
            line = np.zeros(math.prod(out), x.dtype)
            inside = places.ravel() < line.size
            line[places.ravel()[inside]] = x.ravel()[inside]
            return line.reshape(out)

        if x.shape[:2] == out[:2]:
            first = np.arange(out[0] * out[1]).reshape(*out[:2], 1, 1) * plane
            yield "each-plane", say("misread-each-plane", plane=plane), put(first + places % plane)
            tall, wide = out[2] // x.shape[2], out[3] // x.shape[3]
            if (tall * x.shape[2], wide * x.shape[3]) == out[2:]:
                filled = x.repeat(tall, 2).repeat(wide, 3)
                yield "filled", say("misread-filled", tall=tall, wide=wide), filled
                corners = np.zeros(out, x.dtype)
                corners[:, :, ::tall, ::wide] = x
                yield "corners", say("misread-corners"), corners
        if places.min() > 0:
            words = say("misread-from-one")
            yield "from-one", words, put(places - 1)
        rows, columns = places % plane % out[2], places % plane // out[2]
        down = places - places % plane + rows * out[3] + columns
        yield "columns", say("misread-columns", width=out[3]), put(down)
        if x.size <= math.prod(out):
            yield "in-order", say("misread-in-order"), put(np.arange(x.size))
        if places.max() < x.size:
            yield "taken", say("misread-taken"), x.ravel()[places]
        yield "kept", say("misread-kept", sizes=print_sizes(x.shape), due=due), x
        yield "listed", say("misread-listed", due=due), put(places).ravel()

    # ---- other dialects

    def index_limit(self, inputs: Mapping[str, TensorDesc]) -> int:
        return math.prod(self.output_tensor_sizes)

    def onnx_code(self, case: Case, inputs: Mapping[str, TensorDesc]) -> Snippet:
        # the same code for all types and sizes
        lowered = self.lowered_graph(inputs)
        return onnx_snippet(case, nodes_of(lowered), lowered.opset, note=onnx_indices_note(case))

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        out, count = case.output_sizes, element_count(case.output_sizes)
        indices, note = numpy_indices(case)
        numpy = [
            f"flat = np.zeros({count}, x.dtype)",
            f"flat[{indices}.ravel()] = x.ravel()",
            f"y = flat.reshape({commas(out)})",
        ]
        pytorch = [
            f"flat = torch.zeros({count}, dtype=x.dtype)",
            f"i = {whole_indices('pytorch')}.flatten()",
            call("y = flat.scatter", "0", "i", "x.flatten()") + f".reshape({commas(out)})",
        ]
        tensorflow = [
            f"flat = tf.zeros([{count}], x.dtype)",
            f"i = tf.reshape({whole_indices('tensorflow')}, [-1, 1])",
            "flat = tf.tensor_scatter_nd_update(flat, i, tf.reshape(x, [-1]))",
            f"y = tf.reshape(flat, [{commas(out)}])",
        ]
        return (
            numpy_snippet(case, numpy, note),
            pytorch_snippet(case, pytorch, self.say("pytorch")),
            tensorflow_snippet(case, tensorflow, self.say("tensorflow")),
            einops_indices(),
        )
