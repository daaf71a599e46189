"""ONNX's own nodes run by an engine, and where it differs from the rule of the code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, fields
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.code.chain import Chain
from dmlviz.code.native import NativeNodes, pads_beyond, reaches_output
from dmlviz.code.operator import (
    EVERY,
    CodeOperator,
    Values,
    array_of,
    operator_of,
    values_of,
    with_slots,
)
from dmlviz.engines import Inputs, Ran
from dmlviz.engines import engine as engine_named
from dmlviz.engines.trace import Trace
from dmlviz.movement.graphs import Constant, Graph, Node
from dmlviz.operators.padding import SOUND_FROM
from dmlviz.operators.slots import TensorDesc
from dmlviz.tensors import DATA_TYPES, print_value
from dmlviz.tensors.numbering import located, print_element
from dmlviz.tensors.types import Array, Tensors

NATIVE_ENGINE = "onnxruntime"
"""The engine that runs ONNX's own nodes; the others run a chain as the nodes of its movement."""

_NUMBERS = "FLOAT32"
"""The data type of a run on indices: every operator has it, and it holds 16,777,216 of them."""


@dataclass(frozen=True)
class NativeOperator(CodeOperator):
    """A chain as ONNX's own nodes.

    Attributes:
        native: opset, nodes, and the nodes' names of inputs and outputs, as JSON has them.
    """

    native: tuple[Any, ...] = ()

    maker: ClassVar[str] = f"{__name__}:rebuilt"
    first_index: ClassVar[int] = 1
    """Some operators write zeros that no setting names."""

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "native", _frozen(self.native))

    @property
    def made(self) -> Mapping[str, str]:
        """The chain's tensors that the nodes make."""
        every = super().made
        return {name: every[name] for name, _own in self.native[3]}

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        """The nodes themselves; in a run on indices, constants that move are zeros."""
        opset, written, own_inputs, own_outputs = self.native
        dtype = DATA_TYPES[next(iter(inputs.values())).data_type].dtype
        made, all_sizes = self.made, self.chain.sizes
        sizes = {own: all_sizes[made.get(n, n)] for n, own in (*own_inputs, *own_outputs)}
        names = {own: name for name, own in (*reversed(own_outputs), *own_inputs)}
        nodes, modes = [], []
        for op_type, items, attributes, outputs in written:
            node = Node(
                op_type,
                tuple(self._input(op_type, k, item, names, dtype) for k, item in enumerate(items)),
                {name: self._attribute(op_type, name, value) for name, value in attributes},
                tuple(names.setdefault(own, f"_{own}") if own else "" for own in outputs),
            )
            nodes.append(node)
            modes.append(pads_beyond(node, sizes.get(items[0] if items else "")))
        for name, own in own_outputs:
            if names[own] != name:
                nodes.append(Node("Identity", (names[own],), {}, (name,)))
        sound = max((SOUND_FROM.get(mode, "") for mode in modes), default="")
        return Graph("native", tuple(nodes), opset, frozenset({_NUMBERS}), sound)

    def _input(
        self, op_type: str, k: int, item: str | Values, names: dict[str, str], dtype: Any
    ) -> str | Constant:
        if isinstance(item, str):
            return names.get(item, item)
        values = array_of(item)
        if reaches_output(op_type, k):
            values = np.zeros(values.shape, dtype) if self.indices else values.astype(dtype)
        return Constant("constant", values)

    def _attribute(self, op_type: str, name: str, value: Any) -> Any:
        if self.indices and (op_type, name) == ("Pad", "value"):
            return 0.0
        return value


def rebuilt(**settings: Any) -> CodeOperator:
    """The operator with these settings, as JSON has them: for another process."""
    return with_slots(NativeOperator, None, **settings)


def _operator(chain: Chain, native: NativeNodes) -> CodeOperator:
    every = operator_of(chain, EVERY)
    settings = {each.name: getattr(every, each.name) for each in fields(CodeOperator)}
    nodes = tuple(
        (
            node.op_type,
            tuple(_encoded(item) for item in node.inputs),
            tuple((name, _encoded(value)) for name, value in node.attributes.items()),
            node.outputs,
        )
        for node in native.nodes
    )
    outputs = tuple(pair for pair in native.outputs.items() if pair[0] in every.made)
    encoded = (native.opset, nodes, (*native.inputs.items(),), outputs)
    return with_slots(NativeOperator, chain, **settings, native=encoded)


def _encoded(item: Any) -> Any:
    return values_of(item.values) if isinstance(item, Constant) else item


def _frozen(item: Any) -> Any:
    return tuple(map(_frozen, item)) if isinstance(item, list | tuple) else item


@dataclass(frozen=True, eq=False)
class NativeAnswer:
    """What an engine answers for ONNX's own nodes.

    Attributes:
        outputs: for each tensor of the chain that they make, its values.
        sources: for each of them, the number of each element's source; -1 for a constant.
        ran: how the values were executed.
        version: of the engine.
    """

    outputs: Tensors
    sources: Tensors
    ran: Ran
    version: str


def run_native(chain: Chain, native: NativeNodes, inputs: Inputs, engine: str) -> NativeAnswer:
    """Run ONNX's own nodes on values, and on indices.

    Args:
        chain: what they do by the rule.
        native: the nodes.
        inputs: of the chain, checked.
        engine: the name of an engine that is available here.

    Raises:
        EngineUnavailable, EngineRefused: the engine cannot run here, or reported an error.
    """
    runner = engine_named(engine)
    operator = _operator(chain, native)
    numbered = operator.numbered(inputs, DATA_TYPES[_NUMBERS].dtype)
    ran = runner.run(operator, inputs, "native")
    asked = runner.run(operator.on_indices(), numbered.inputs, "native")
    sources = {
        name: np.asarray(np.maximum(numbered.source(numbers), -1), order="C")
        for name, numbers in asked.outputs.items()
    }
    outputs = {name: np.asarray(array, order="C") for name, array in ran.outputs.items()}
    return NativeAnswer(outputs, sources, ran, runner.status().version)


@dataclass(frozen=True)
class Disagreement:
    """An element for which an engine answers otherwise than the rule.

    Attributes:
        output: the tensor's name.
        index: of the element.
        rule: what it is by the rule: the input element that it copies, such as ``x[3]``, or the
            value of a constant; None if the output by the rule has no such element.
        engine: what it is in the engine, in the same way.
        version: of the engine.
    """

    output: str
    index: tuple[int, ...]
    rule: str | None
    engine: str | None
    version: str


Answer = tuple[Array, Array]
"""The values of a tensor, and the numbers of their sources."""


@dataclass(frozen=True, repr=False)
class NativeTrace(Trace):
    """A run in which ONNX's own nodes may have answered; outputs and sources are the rule's.

    Attributes:
        answers: for each output that the nodes make, what it is by the rule, and in the engine;
            both have equally many dimensions.
        numbered: the tensors in which the sources of the answers are numbered.
        version: of the engine.
    """

    answers: Mapping[str, tuple[Answer, Answer]] = field(default_factory=dict, kw_only=True)
    numbered: Inputs = field(default_factory=dict, kw_only=True)
    version: str = field(default="", kw_only=True)

    @property
    def agrees(self) -> bool:
        """Whether every element equals its source, and the nodes answer as the rule does."""
        return super().agrees and not self.disagreements

    @cached_property
    def disagreements(self) -> tuple[Disagreement, ...]:
        """The elements that the nodes answer otherwise than the rule, in order.

        Where the sizes differ, also the first element after the end of the smaller tensor.
        """
        return tuple(
            Disagreement(name, at, *self._both(rule, engine, at), self.version)
            for name, (rule, engine) in self.answers.items()
            for at in _places(rule, engine)
        )

    def _both(
        self, rule: Answer, engine: Answer, at: tuple[int, ...]
    ) -> tuple[str | None, str | None]:
        due, mine = (_element(of, at, self.numbered) for of in (rule, engine))
        if due == mine:
            # the source is the same, and the value is not
            return print_value(rule[0][at].item()), print_value(engine[0][at].item())
        return due, mine

    def _wrong(self, title: str) -> str:
        if not self.disagreements:
            return super()._wrong(title)
        first, nothing = self.disagreements[0], _("no element")
        return _(
            "{engine}: {wrong} of {n} elements differ from the rule, first {cell}: {mine} where "
            "the rule gives {due}."
        ).format(
            engine=title if self.version in title else f"{title} {self.version}",
            wrong=f"{len(self.disagreements):,}",
            n=f"{sum(numbers.size for (_values, numbers), _engine in self.answers.values()):,}",
            cell=print_element(first.output, first.index),
            mine=first.engine or nothing,
            due=first.rule or nothing,
        )


def differing_answers(rule: Answer, engine: Answer) -> Array:
    """The flat indices of elements by the rule that the engine answers otherwise, or lacks."""
    both, differ = _compared(rule, engine)
    wrong = np.ones(rule[1].shape, bool)
    wrong[both] = differ
    return np.flatnonzero(wrong)


def _compared(rule: Answer, engine: Answer) -> tuple[tuple[slice, ...], Array]:
    """The indices that both tensors have, and whether they differ there."""
    sizes = zip(rule[1].shape, engine[1].shape, strict=True)
    both = tuple(slice(min(pair)) for pair in sizes)
    (a, m), (b, n) = ((values[both], numbers[both]) for values, numbers in (rule, engine))
    return both, (_bits(a) != _bits(b)) | (m != n)


def _places(rule: Answer, engine: Answer) -> Iterator[tuple[int, ...]]:
    _both, differ = _compared(rule, engine)
    yield from map(tuple, np.argwhere(differ).tolist())
    pairs = [*zip(rule[1].shape, engine[1].shape, strict=True)]
    axis = next((d for d, (one, two) in enumerate(pairs) if one != two), None)
    if axis is not None:
        yield tuple(min(pair) if d == axis else 0 for d, pair in enumerate(pairs))


def _bits(values: Array) -> Array:
    return np.asarray(values, order="C").view(f"u{values.dtype.itemsize}")


def _element(of: Answer, at: tuple[int, ...], inputs: Inputs) -> str | None:
    values, numbers = of
    if any(k >= size for k, size in zip(at, numbers.shape, strict=True)):
        return None
    source = int(numbers[at])
    if not 0 <= source < sum(array.size for array in inputs.values()):
        return print_value(values[at].item())
    name, index = located(source, inputs)
    return print_element(name, index)
