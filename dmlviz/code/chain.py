"""A chain: operations one after another on named tensors, as code says them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import count
from string import ascii_lowercase
from types import MappingProxyType
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.display import Displayed
from dmlviz.base.errors import Error, Place
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _
from dmlviz.code.builder import RANK_LIMIT
from dmlviz.code.calls import Call, CodeReading
from dmlviz.code.convolution import CONV
from dmlviz.code.libraries import libraries_of, library_named
from dmlviz.code.lowering import lowered
from dmlviz.code.memory import ELEMENTS, MemoryLayout
from dmlviz.code.native import NativeNodes, nodes_of_calls
from dmlviz.code.needed import live, needed, reached, renumbered
from dmlviz.code.onnx import ONNX, opset_of_module
from dmlviz.code.reading import constant_values, input_sizes, number_of, read_code, valued
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.tensor import Memory, Tensor
from dmlviz.movement import Movement, Output
from dmlviz.movement.composing import composed
from dmlviz.movement.expressions import names_of
from dmlviz.movement.formulas import Formula
from dmlviz.movement.graphs import Constant, Graph, Node
from dmlviz.movement.guards import guarded, of_code
from dmlviz.movement.nodes import run_graph
from dmlviz.tensors import DATA_TYPES, print_sizes, print_value, short_text
from dmlviz.tensors.numbering import distinct
from dmlviz.tensors.types import Array, Sizes

OPSET = 17
"""The opset of the models: the lowest that has every node."""


OF_LIBRARY = ("argument", "name", "sizes")
"""The kinds of refusals that may be those of the library for which code is read."""


@dataclass(frozen=True)
class Operation:
    """One call of the code.

    Attributes:
        name: such as ``permute``, ``np.pad``, ``T`` or ``[...]``.
        text: its part of the code; of a method or a subscript, without what it belongs to.
        place: where that is.
        nodes: ONNX's nodes that do it; constants of the values' type are names, see
            :attr:`Chain.constants`.
        inputs: the tensors that it takes, in order.
        outputs: the tensors that it gives. A call that moves nothing gives what it takes.
        copies: whether a tensor that it gives is in new memory, no view of one before it.
    """

    name: str
    text: str
    place: Place
    nodes: tuple[Node, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    copies: bool

    @property
    def computes(self) -> bool:
        """Whether its result is computed, so that no element of it is a copy."""
        return any(node.op_type == CONV for node in self.nodes)


_LETTERS = {
    "nrp": regex(r"(F|nn\.functional|torch\.nn\.functional)\.unfold\(|(torch\.)?nn\.Unfold\("),
    "nhwc": regex(r"tf\.image\.|tf\.nn\.(depth_to_space|space_to_depth)\((?!.*NCHW)"),
}
"""Letters of calls whose dimensions are not NCHW's: of the operator Unfold, of images in NHWC."""


@dataclass(frozen=True, eq=False, repr=False)
class Chain(Displayed):
    """What code does to tensors of these sizes.

    Attributes:
        text: the code.
        library: a key of :data:`dmlviz.code.libraries.LIBRARIES`.
        order: the names of all tensors that the code takes.
        inputs: the sizes of those whose elements move, in order; then of every tensor that a call
            computes, because its elements move on from there.
        controls: the values of those that only choose elements.
        arrays: the values of every tensor that chooses elements, those that move as well included.
        operations: the calls, in the order in which they run.
        outputs: for each output, by the code's name of it or ``out``, its tensor, which has the
            same name if an operation makes it.
        sizes: of every tensor that a node has, by name.
        maps: where the elements of every tensor come from, by the tensor's name: numbers through
            all inputs, or below 0 for a constant: ``-1 - k`` is element ``k`` of all constants.
        constants: tensors of constants by name; their numbers follow each other.
        layouts: how each tensor lies in memory in the library, by its name, an output's by its own.
        data_type: of the elements that move, as the code was read.
        native: the ONNX nodes that the code names; None if other code makes a tensor, too.
        numbers: of the names that the code leaves open and that are no tensors.
    """

    text: str
    library: str
    order: tuple[str, ...]
    inputs: Mapping[str, Sizes]
    controls: Mapping[str, Array]
    arrays: Mapping[str, Array]
    operations: tuple[Operation, ...]
    outputs: Mapping[str, str]
    sizes: Mapping[str, Sizes]
    maps: Mapping[str, Array]
    constants: Mapping[str, Array]
    layouts: Mapping[str, MemoryLayout]
    data_type: str
    native: NativeNodes | None
    numbers: Mapping[str, int]

    def displayed_runs(self) -> tuple[Displayed, ...]:
        """See :class:`dmlviz.base.display.Displayed`: a run on values that count from 1."""
        # that module needs this one
        from dmlviz.code.running import run_counting

        return (run_counting(self),)

    def displayed_text(self) -> str:
        """The code, and where each element comes from."""
        return "\n".join(filter(None, (self.text.strip(), self.formula)))

    def displayed_summary(self) -> str:
        """The code, and the sizes of the tensors that it gives."""
        made = ", ".join(
            f"{name} {print_sizes(self.sizes[tensor])}" for name, tensor in self.outputs.items()
        )
        return f"{excerpt(self.text)}; {made}"

    @property
    def taken(self) -> Mapping[str, Sizes]:
        """The sizes of the inputs that the code takes, without what calls compute."""
        return {name: of for name, of in self.inputs.items() if name in self.order}

    @property
    def computing(self) -> Mapping[int, str]:
        """The tensors that calls compute, by the number of the call, from 0."""
        return {
            number: operation.outputs[0]
            for number, operation in enumerate(self.operations)
            if operation.computes
        }

    def called(self, tensor: str) -> str:
        """What readers call a tensor: as the output that it is, or by its own name."""
        return next((name for name, of in self.outputs.items() if of == tensor), tensor)

    @cached_property
    def tensors(self) -> tuple[str, ...]:
        """Every tensor that an operation moves elements to, in order."""
        made = (name for operation in self.operations for name in operation.outputs)
        return tuple(dict.fromkeys(name for name in made if name not in self.inputs))

    @cached_property
    def unnamed(self) -> frozenset[str]:
        """The tensors that have no name in the code, but a number here: ``t1``."""
        words = {*re.findall(r"\w+", self.text)}
        return frozenset(n for n in self.tensors if re.fullmatch(r"t\d+", n) and n not in words)

    @cached_property
    def _constant_values(self) -> tuple[Array, tuple[Any, ...]]:
        """For each element of all constants the number of its value, and the values, each once."""
        return constant_values(self.constants)

    def constants_of(self, tensor: str, data_type: str) -> Array | None:
        """The value of each element without a source, of the tensor's sizes; None if all have one.

        Args:
            tensor: its name.
            data_type: of the values; DirectML's name.

        Raises:
            Error: a constant is not a number of this type.
        """
        numbers = self.maps[tensor]
        if (numbers >= 0).all():
            return None
        of_each, values = self._constant_values
        used = distinct(of_each[-1 - numbers[numbers < 0]])
        table = np.zeros(len(values), DATA_TYPES[data_type].dtype)
        table[used] = _cast(np.array([values[k] for k in used], object), data_type)
        made: Array = table[of_each[np.where(numbers < 0, -1 - numbers, 0)]]
        return made

    def values(self, tensor: str, line: Array, data_type: str) -> Array:
        """The elements of a tensor, or of a constant of the code.

        Args:
            tensor: its name.
            line: the elements of all inputs up to those that it needs.
            data_type: of the elements.

        Raises:
            Error: a constant is not a number of this type.
        """
        if tensor in self.constants:
            return _cast(self.constants[tensor], data_type)
        numbers, constants = self.maps[tensor], self.constants_of(tensor, data_type)
        copied: Array = line[np.maximum(numbers, 0)]
        return copied if constants is None else np.where(numbers < 0, constants, copied)

    def source(self, tensor: str) -> Array:
        """Where a tensor's elements come from; -1 for a constant; int64, of its sizes."""
        source: Array = np.maximum(self.maps[tensor], -1, dtype=np.int64)
        return source

    def movement(self, tensors: Sequence[str] | None = None, data_type: str = "") -> Movement:
        """From the inputs to the outputs, or to other tensors.

        Args:
            tensors: their names; None for the outputs.
            data_type: of the constants; empty for a movement without their values.
        """
        names = self.outputs if tensors is None else dict(zip(tensors, tensors, strict=True))
        return Movement(
            self.inputs,
            {
                name: Output(
                    self.source(tensor),
                    self.constants_of(tensor, data_type) if data_type else None,
                )
                for name, tensor in names.items()
            },
        )

    def between(self, number: int) -> Movement:
        """The movement of one operation: from the tensors that it takes to those that it gives.

        It is found by running the operation alone, so composing all of them must give
        :meth:`movement`. A call that computes moves nothing into its result.
        """
        operation = self.operations[number]
        if operation.computes:
            taken = {name: self.sizes[name] for name in operation.inputs}
            nowhere = {name: np.full(self.sizes[name], -1) for name in operation.outputs}
            return Movement(taken, {name: Output(source) for name, source in nowhere.items()})
        start, numbered, sizes = 0, {}, {}
        for name in operation.inputs:
            sizes[name] = self.sizes[name]
            end = start + math.prod(sizes[name])
            numbered[name] = np.arange(start, end, dtype=np.int64).reshape(sizes[name])
            start = end
        made = self._ran(operation, numbered)
        return Movement(
            sizes,
            {
                name: Output(np.asarray(np.maximum(array, -1) if array.min() < 0 else array))
                for name, array in made.items()
            },
        )

    @cached_property
    def formulas(self) -> Mapping[str, tuple[Formula, ...]]:
        """Where the elements of each output come from, as arithmetic, by the output's name.

        For each element, one formula holds, and it gives its source. There are none for an output
        of constants alone.
        """
        nodes = [node for operation in self.operations for node in operation.nodes]
        return MappingProxyType(
            {
                name: self._formulas(name, nodes, self.inputs, tensor, self.maps[tensor])
                for name, tensor in self.outputs.items()
            }
        )

    @property
    def formula(self) -> str:
        """The formulas of all outputs as text, one a line."""
        formulas = (formula for each in self.formulas.values() for formula in each)
        return "\n".join(formula.symbolic() for formula in formulas)

    def formulas_of(self, number: int) -> dict[str, tuple[Formula, ...]]:
        """The formulas of one operation, by the name of each tensor that it makes."""
        operation, local = self.operations[number], self.between(number)
        return {
            name: self._formulas(name, operation.nodes, local.inputs, name, output.source)
            for name, output in local.outputs.items()
        }

    def _formulas(
        self,
        name: str,
        nodes: Sequence[Node],
        inputs: Mapping[str, Sizes],
        tensor: str,
        source: Array,
    ) -> tuple[Formula, ...]:
        words = _("it is a constant of the code; no input element is its source.")
        formulas = composed(nodes, inputs, self.sizes, tensor, source, self.controls, words)
        named = of_code(formulas, name, self.controls, self.arrays)
        letters = self._letters(tensor, source.ndim, {name, *inputs})
        named = tuple(replace(formula, letters=letters) for formula in named)
        if (source >= 0).all():
            return named
        of_each, values = self._constant_values
        texts = dict[str, int]()
        of_value = np.array([texts.setdefault(print_value(one), len(texts)) for one in values])
        numbers = np.zeros(source.shape, np.int64)
        numbers[source < 0] = of_value[of_each[-1 - self.maps[tensor][source < 0]]]
        return tuple(guarded(formula, numbers, (*texts,)) for formula in named)

    def _letters(self, tensor: str, rank: int, names: set[str]) -> tuple[str, ...]:
        """The letters of a tensor's dimensions, none of which is the name of a tensor."""
        letters = names_of(rank)
        calls = [each.text for each in self.operations if tensor in each.outputs]
        for of_call, call in _LETTERS.items():
            if calls and call.match(calls[0]):
                letters = (*of_call[len(of_call) - rank :],)
        taken = names | self.controls.keys() | self.arrays.keys()
        free = (one for one in ascii_lowercase if one not in taken and one not in letters)
        return tuple(next(free, one) if one in taken else one for one in letters)

    def numbers_between(self, start: str, end: str) -> Array | None:
        """Where one tensor's elements come from in another one before it.

        Args:
            start, end: their names.

        Returns:
            For each element of ``end``, its number in ``start``; or, for a constant, a negative
            number as in :attr:`maps`. None if elements come from other tensors, too.
        """
        sizes = self.sizes[start]
        numbered = {start: np.arange(math.prod(sizes), dtype=np.int64).reshape(sizes)}
        count = 0
        for name, array in self.constants.items():
            numbered[name] = -1 - np.arange(count, count + array.size).reshape(array.shape)
            count += array.size
        nodes = [node for operation in self.operations for node in operation.nodes]
        used = needed(nodes, [end], numbered)
        made = {name for node in used for name in node.outputs} | numbered.keys()
        taken = {item for node in used for item in node.inputs if isinstance(item, str)}
        if not taken | {end} <= made:
            return None
        if end in numbered:
            return numbered[end]
        return run_graph(Graph("lowered", tuple(used), OPSET), numbered, (end,))[end]

    def valued(self, numbers: Array) -> tuple[Array, tuple[Any, ...]] | None:
        """Sources whose negative numbers mean values instead of places, and the values.

        Args:
            numbers: as in :attr:`maps`.

        Returns:
            As :func:`valued`.
        """
        return valued(numbers, self._constant_values)

    def _ran(self, operation: Operation, inputs: Mapping[str, Array]) -> dict[str, Array]:
        same = {name: inputs[name] for name in operation.outputs if name in inputs}
        new = [name for name in operation.outputs if name not in inputs]
        if not new:
            return same
        nodes = tuple(self._with_constants(operation.nodes, np.dtype(np.int64), on_indices=True))
        return same | run_graph(Graph("lowered", nodes, OPSET), inputs, new)

    def graph(
        self,
        tensors: Mapping[str, str],
        data_type: str,
        on_indices: bool = False,
        inputs: Sequence[str] | None = None,
    ) -> Graph:
        """ONNX nodes that make these tensors.

        Args:
            tensors: for each output of the graph, the name of a tensor here.
            data_type: of the values; DirectML's name.
            on_indices: whether the values are indices, so that constants are -1.
            inputs: the tensors that the graph takes; None for the inputs of the chain.

        Raises:
            Error: a constant is not a number of this type.
        """
        dtype = DATA_TYPES[data_type].dtype
        nodes = [node for operation in self.operations for node in operation.nodes]
        used = needed(nodes, tensors.values(), self.inputs if inputs is None else inputs)
        made = [
            part
            for node in self._with_constants(used, dtype, on_indices)
            for part in lowered(node, self.sizes)
        ]
        names = {name for node in made for name in node.outputs}
        for name, tensor in tensors.items():
            if name not in names:
                # an input, a constant, or a second name of a tensor
                item = self._constant(tensor, dtype, on_indices) or tensor
                made.append(Node("Identity", (item,), {}, (name,)))
        return Graph("lowered", tuple(made), OPSET)

    def _with_constants(
        self, nodes: Iterable[Node], dtype: np.dtype[Any], on_indices: bool
    ) -> Iterable[Node]:
        for node in nodes:
            inputs = tuple(
                (self._constant(item, dtype, on_indices) or item) if isinstance(item, str) else item
                for item in node.inputs
            )
            yield replace(node, inputs=inputs)

    def _constant(self, name: str, dtype: np.dtype[Any], on_indices: bool) -> Constant | None:
        values = self.constants.get(name)
        if values is None:
            return None
        if on_indices:
            return Constant("constant", np.full(values.shape, -1, dtype))
        return Constant("constant", _cast(values, _type_of(dtype)))


def read(
    text: str,
    sizes: Mapping[str, Sequence[int]],
    arrays: Mapping[str, Array] | None = None,
    library: str | None = None,
    data_type: str = "",
    numbers: Mapping[str, int] | None = None,
    undecided: Iterable[str] = (),
) -> Chain:
    """The chain that code describes.

    Args:
        text: Python code of at most 4,000 characters; its last statement gives the outputs.
        sizes: of each input, by the code's name of it; rank 1 to 8.
        arrays: the values of those inputs that may choose elements, as indices or masks.
        library: a key of :data:`dmlviz.code.libraries.LIBRARIES`; None to guess it. Where the
            code may be of several, the next one is tried where the first refuses its arguments.
        data_type: of the elements that move, for strides in bytes; empty for FLOAT64, as in NumPy.
        numbers: of names that the code leaves open, such as ``heads`` or ``self.heads``.
        undecided: further names, of which the first use decides what they are.

    Raises:
        UseDecides: an undecided name is used.
        CodeRefused: the code does not only move elements, or is not read; it has a kind and a
            place.

    >>> chain = read("x[:, ::-1].T", {"x": (2, 3)})
    >>> chain.source(chain.outputs["out"]).tolist()
    [[2, 5], [1, 4], [0, 3]]
    """
    if library is None:
        key, *others = libraries_of(text)
        try:
            return read(text, sizes, arrays, key, data_type, numbers, undecided)
        except CodeRefused as refused:
            for other in others if refused.kind in OF_LIBRARY else ():
                with suppress(CodeRefused):
                    return read(text, sizes, arrays, other, data_type, numbers, undecided)
            raise
    key = library_named(library)
    # a node of ONNX can take a number
    least = 0 if key == ONNX.key else 1
    named = {name: input_sizes(name, of, least) for name, of in sizes.items()}
    named_arrays = {name: np.asarray(array) for name, array in (arrays or {}).items()}
    numbers = {name: number_of(name, number) for name, number in (numbers or {}).items()}
    reading = read_code(text, named, named_arrays, key, data_type or ELEMENTS, numbers, undecided)
    for tensor in reading.outputs.values():
        if tensor.rank > RANK_LIMIT:
            raise CodeRefused(
                "limit",
                _("The result has {rank} dimensions; at most {most} are allowed.").format(
                    rank=tensor.rank, most=RANK_LIMIT
                ),
            )
    return _chain(text, key, reading, named_arrays, numbers)


def _chain(
    text: str,
    library: str,
    reading: CodeReading,
    arrays: Mapping[str, Array],
    numbers: Mapping[str, int],
) -> Chain:
    """The chain without what only tensors that choose elements need."""
    builder = reading.builder
    kept = live(reading)
    controls = {name for name in builder.controls if name not in kept}
    dropped = reached(reading, controls)
    computed = [made.node.outputs[0] for made in builder.nodes if made.node.op_type == CONV]
    numbered = {name: builder.sizes[name] for name in (*builder.inputs, *computed)}
    number = renumbered(numbered, controls)
    calls = [
        (k, call, [t for t in call.tensors if t.name not in dropped | builder.constants.keys()])
        for k, call in enumerate(reading.calls)
    ]
    made_here = [t.name for _k, _call, tensors in calls for t in tensors]
    names = _names(reading, made_here, computed)
    nodes = [
        (made.call, _renamed(made.node, names))
        for made in builder.nodes
        if not dropped & {*made.node.outputs}
    ]
    inputs = [name for name in numbered if name not in controls | dropped]
    memories = {tensor.memory for tensor in builder.inputs.values()}
    copying = set()
    for k, _call, tensors in calls:
        if new := {tensor.memory for tensor in tensors} - memories:
            copying.add(k)
            memories |= new
    operations = tuple(
        _operation(
            call,
            tuple(node for of, node in nodes if of == k),
            tuple(names[tensor.name] for tensor in tensors),
            builder.constants,
            copies=k in copying,
        )
        for k, call, tensors in calls
        if tensors
    )
    moving = [t for name, t in builder.inputs.items() if name not in controls]
    moving += [t for _k, _call, tensors in calls for t in tensors]
    return Chain(
        text,
        library,
        tuple(builder.inputs),
        MappingProxyType({names.get(name, name): builder.sizes[name] for name in inputs}),
        MappingProxyType({name: arrays[name] for name in builder.inputs if name in controls}),
        MappingProxyType(
            {name: arrays[name] for name in builder.inputs if name in builder.controls}
        ),
        operations,
        MappingProxyType({n: names.get(t.name, t.name) for n, t in reading.outputs.items()}),
        MappingProxyType({names.get(name, name): of for name, of in builder.sizes.items()}),
        MappingProxyType(
            {
                names.get(tensor.name, tensor.name): number(tensor.array)
                for tensor in (*moving, *reading.outputs.values())
            }
        ),
        MappingProxyType(builder.constants),
        MappingProxyType(_layouts([(names.get(t.name, t.name), t) for t in moving], reading)),
        builder.data_type,
        _native(reading, inputs, names),
        MappingProxyType(numbers),
    )


def _native(
    reading: CodeReading, inputs: Sequence[str], names: Mapping[str, str]
) -> NativeNodes | None:
    """The ONNX nodes that make each tensor that a call makes, and the outputs."""
    taken = {
        name: reading.builder.inputs[name] for name in inputs if name in reading.builder.inputs
    }
    made: dict[str, Tensor] = {}
    for tensor in (t for call in reading.calls for t in call.tensors if t.name in names):
        # what moves nothing gives a tensor that has a name already
        made.setdefault(names[tensor.name], tensor)
    made = {name: tensor for name, tensor in made.items() if name not in taken}
    opsets = [opset for module in reading.modules if (opset := opset_of_module(module))]
    return nodes_of_calls(
        reading.calls, taken, {**made, **reading.outputs}, opsets[-1] if opsets else None
    )


def _layouts(moving: Sequence[tuple[str, Tensor]], reading: CodeReading) -> dict[str, MemoryLayout]:
    """How tensors that move lie in memory, by name, then the outputs by their own names."""
    bases: dict[Memory, str] = {}
    layouts: dict[str, MemoryLayout] = {}
    for name, tensor in (*moving, *reading.outputs.items()):
        # a call that moves nothing gives the tensor that it takes
        if name in layouts and name not in reading.outputs:
            continue
        layouts[name] = MemoryLayout(bases.setdefault(tensor.memory, name), tensor.strides)
    return layouts


def _names(reading: CodeReading, made: Sequence[str], computed: Sequence[str]) -> dict[str, str]:
    """Names for readers: those of the code, and ``t1``, ``t2`` and so on for tensors without one.

    Where the code gives several tensors one name ``x``, the others are ``x1``, ``x2`` and so on.
    A tensor that is computed is an input of what follows, and has no output's name.
    """
    taken = {*reading.builder.inputs, *reading.outputs}

    def free(name: str) -> str:
        """The name with the first number with which it is no other tensor's."""
        new = next(new for new in (f"{name}{k}" for k in count(1)) if new not in taken)
        taken.add(new)
        return new

    names = {
        tensor.name: name
        for name, tensor in reading.outputs.items()
        if tensor.name in made and tensor.name not in (*reading.builder.inputs, *computed)
    }
    for name in made:
        if name not in names and name not in reading.builder.inputs:
            own = reading.names.get(name, "_")
            if own.startswith("_") or (own in reading.outputs and name in computed):
                names[name] = free("t")
            elif own in taken:
                names[name] = free(own)
            else:
                names[name] = own
                taken.add(own)
    return names | {name: name for name in reading.builder.inputs}


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    inputs = (names.get(item, item) if isinstance(item, str) else item for item in node.inputs)
    outputs = (names.get(name, name) for name in node.outputs)
    return replace(node, inputs=tuple(inputs), outputs=tuple(outputs))


def _operation(
    call: Call,
    nodes: tuple[Node, ...],
    outputs: tuple[str, ...],
    constants: Mapping[str, Array],
    *,
    copies: bool,
) -> Operation:
    made = {name for node in nodes for name in node.outputs}
    taken = [item for node in nodes for item in node.inputs if isinstance(item, str)]
    taken += [name for name in outputs if name not in made]
    inputs = dict.fromkeys(n for n in taken if n not in made and n not in constants)
    return Operation(call.name, call.text, call.place, nodes, tuple(inputs), outputs, copies)


def _type_of(dtype: np.dtype[Any]) -> str:
    return next(name for name, of in DATA_TYPES.items() if of.dtype == dtype)


def _cast(values: Array, data_type: str) -> Array:
    """Constants in the values' data type.

    Raises:
        Error: one of them is no number of this type.
    """
    dtype = DATA_TYPES[data_type].dtype
    with np.errstate(all="ignore"):
        try:
            made = np.asarray(values, dtype=object).astype(dtype)
        except (OverflowError, ValueError):
            made = None
    whole = dtype.kind in "iu"
    flat = np.asarray(values, dtype=object).ravel()
    if made is None or (whole and any(a != b for a, b in zip(flat, made.ravel(), strict=True))):
        raise Error(
            _("The constant {value} of the code is not a number of the type {data_type}.").format(
                value=short_text(next(iter(flat), 0)), data_type=data_type
            ),
            "data_type",
        )
    result: Array = made.reshape(np.shape(values))
    return result
