"""A chain run on an engine: values, and indices, through every tensor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.display import Displayed
from dmlviz.base.errors import Error
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _
from dmlviz.code.address import DATA_TYPE, START, VALUES_LIMIT, code_parameters
from dmlviz.code.chain import OF_LIBRARY, Chain, Operation, read
from dmlviz.code.convolution import check_exact
from dmlviz.code.inputs import made_tensors
from dmlviz.code.libraries import LIBRARIES, libraries_of, library_of, read_as_another
from dmlviz.code.native import NativeNodes
from dmlviz.code.native_run import (
    NATIVE_ENGINE,
    Answer,
    NativeAnswer,
    NativeTrace,
    differing_answers,
    run_native,
)
from dmlviz.code.onnx import ONNX
from dmlviz.code.operator import EVERY, CodeOperator, ConvolutionOperator, operator_of
from dmlviz.code.refusals import CodeRefused
from dmlviz.code.same import Same, same_as
from dmlviz.code.source import MODEL
from dmlviz.engines.trace import Trace, as_input, differing, run
from dmlviz.tensors import (
    check_element_count,
    data_type_of,
    print_compact,
    print_sizes,
    print_tensor,
    short_text,
    start,
)
from dmlviz.tensors.numbering import distinct
from dmlviz.tensors.types import Array, Sizes


@dataclass(frozen=True, repr=False)
class CodeStep(Displayed):
    """What one call did.

    Attributes:
        operation: the call: its name, its part of the code and its place.
        trace: from the tensors that it takes to those that it gives, on the engine's own values.
    """

    operation: Operation
    trace: Trace

    def displayed_runs(self) -> Sequence[Trace]:
        """See :class:`dmlviz.base.display.Displayed`."""
        return (self.trace,)

    def displayed_text(self) -> str:
        """See :class:`dmlviz.base.display.Displayed`."""
        return self.trace.displayed_text()

    def displayed_summary(self) -> str:
        """See :class:`dmlviz.base.display.Displayed`."""
        made = ", ".join(f"{name} {print_sizes(sizes)}" for name, sizes in self.sizes.items())
        return f"{excerpt(self.text)}; {made}; {self.trace.engine}"

    @property
    def name(self) -> str:
        """The call's name, such as ``permute``."""
        return self.operation.name

    @property
    def text(self) -> str:
        """Its part of the code."""
        return self.operation.text

    @property
    def line(self) -> int:
        """The line of its first character, from 1."""
        return self.operation.place.line

    @property
    def columns(self) -> tuple[int, int]:
        """The columns of its first character, and after its last one; from 1."""
        return self.operation.place.column, self.operation.place.end_column

    @property
    def sizes(self) -> dict[str, tuple[int, ...]]:
        """The sizes of the tensors that it gives, by name."""
        return {name: array.shape for name, array in self.sources.items()}

    @property
    def sources(self) -> Mapping[str, Array]:
        """For each element of a tensor that it gives, its number in those that it takes."""
        outputs = self.operation.outputs
        return dict(zip(outputs, self.trace.sources.values(), strict=True))

    @property
    def source(self) -> Array:
        """The sources, if the call gives one tensor."""
        return self.trace.source


@dataclass(frozen=True, repr=False)
class ChainTrace(NativeTrace):
    """What an engine did with code; a :class:`dmlviz.engines.trace.Trace` from first to last.

    Tensors have the code's names. The stage, exports and notebooks take it as any other.

    Attributes:
        chain: what the code describes.
        every: the same run to every tensor of the chain, the outputs included.
        computed: the run of each call that computes, by the name of its result in the chain,
            which is an input of the movements after it.
        native: what the engine answers to ONNX's own nodes, if it ran those.
    """

    chain: Chain
    every: Trace
    computed: Mapping[str, Trace] = field(default_factory=dict)
    native: NativeAnswer | None = None

    @property
    def agrees(self) -> bool:
        """Whether every element of every tensor equals its source, and each engine's map is the
        reader's."""
        computed = all(trace.agrees for trace in self.computed.values())
        return computed and self.every.agrees and super().agrees

    @property
    def ran_nodes_of_code(self) -> bool | None:
        """Whether the engine ran ONNX's nodes themselves, not those of the movement.

        None of code of another library, which no engine runs itself, and where NumPy calculates
        the rule.
        """
        if self.chain.library != ONNX.key or self.engine == "numpy":
            return None
        return self.native is not None

    def check(self) -> str:
        """The comparison of the two runs, in words, and what ran if it was not the code's nodes."""
        sentence = super().check()
        if self.ran_nodes_of_code is not False:
            return sentence
        nodes = ", ".join(dict.fromkeys(self.ran.nodes))
        return _(
            "{told} It ran the nodes of the movement ({nodes}), not those of the code."
        ).format(told=sentence, nodes=nodes)

    def displayed_text(self) -> str:
        """See :class:`dmlviz.base.display.Displayed`; with the formula."""
        return "\n".join(filter(None, (super().displayed_text(), self.formula)))

    @property
    def example(self) -> str:
        """The code, the tensors that it takes and those that it gives, as text."""
        taken = {name: self.inputs[name] for name in self.chain.taken}
        tensors = {**taken, **self.outputs}
        return "\n\n".join(
            [self.chain.text.strip(), *(print_tensor(*each) for each in tensors.items())]
        )

    @property
    def code(self) -> str:
        """See :attr:`dmlviz.engines.trace.Trace.code`."""
        return self.chain.text.strip()

    @property
    def formula(self) -> str:
        """Where each element comes from, as arithmetic: one line for each part of an output."""
        return self.chain.formula

    @cached_property
    def same_as(self) -> tuple[Same, ...]:
        """Operators, patterns and lines that do exactly the same; each has a link."""
        return same_as(self.chain)

    def parameters(self) -> dict[str, str]:
        """The parameters of a link to the code and its tensors, by name.

        Raises:
            TooLarge: tensors that are not counted from 1 have more than 4,096 elements together.
        """
        chain, kind = self.chain, self.data_type
        taken = {name: self.inputs[name] for name in chain.taken}
        own = {
            name: x for name, x in taken.items() if x.tobytes() != counted(x.shape, kind).tobytes()
        }
        count = sum(x.size for x in (*own.values(), *chain.controls.values()))
        check_element_count((max(1, count),), VALUES_LIMIT, "values")
        sizes = {name: x.shape for name, x in {**taken, **chain.controls}.items()}
        values, controls = (
            {name: print_compact(x) for name, x in each.items()} for each in (own, chain.controls)
        )
        controls |= {name: str(number) for name, number in chain.numbers.items()}
        return code_parameters(chain.text, chain.library, sizes, kind, values, controls)

    @cached_property
    def steps(self) -> tuple[CodeStep, ...]:
        """What each call did, in the order in which they run."""
        return tuple(
            CodeStep(operation, self._between(number))
            for number, operation in enumerate(self.chain.operations)
        )

    def window_numbers(self, tensor: str) -> Array:
        """Where the columns of a convolution come from: for each element its number in the inputs.

        Args:
            tensor: the convolution's result.
        """
        run = self.computed[tensor]
        operator = run.operator
        assert isinstance(operator, ConvolutionOperator)
        source = next(iter(run.sources.values()))
        before = self.chain.maps.get(operator.operands[0], np.full(1, -1)).ravel()
        reached: Array = np.where(source < 0, -1, before[np.minimum(source, before.size - 1)])
        return reached

    def _between(self, number: int) -> Trace:
        """One call's trace: the engine's values of its tensors, and the map of the call alone."""
        operation = self.chain.operations[number]
        if number in self.chain.computing:
            return self.computed[self.chain.computing[number]]
        operator = operator_of(self.chain, str(number))
        values = {**self.inputs, **self.every.outputs}
        maps = {**{name: self.chain.maps[name] for name in self.inputs}, **self.every.sources}
        inputs = {name: values[name] for name in operation.inputs}
        line = _in_a_row(values, operation.inputs)
        before = _in_a_row(maps, operation.inputs)
        outputs, sources, differences, answers = {}, {}, {}, {}
        local = self.chain.between(number)
        for name, tensor in operator.made.items():
            source = local.outputs[tensor].source
            made = values[tensor]
            constants = operator.constants(name, source.shape, self.data_type)
            wrong = differing(line, made, source, constants)
            composed = np.where(source < 0, -1, before[source])
            apart = np.flatnonzero(composed.ravel() != maps[tensor].ravel())
            outputs[name], sources[name] = made, source
            differences[name] = distinct(wrong, apart)
            if answer := self._answer(operation, tensor, source, constants):
                answers[name] = answer
                differences[name] = distinct(differences[name], differing_answers(*answer))
        return NativeTrace(
            operator,
            MappingProxyType(inputs),
            MappingProxyType(outputs),
            MappingProxyType(sources),
            MappingProxyType({}),
            MappingProxyType(differences),
            self.engine,
            self.data_type,
            self.ran,
            answers=MappingProxyType(answers),
            numbered=self.inputs,
            version=self.version,
        )

    def _answer(
        self, operation: Operation, tensor: str, source: Array, constants: Array | None
    ) -> tuple[Answer, Answer] | None:
        """What a call's result is by the rule and in the engine, of what its node was given.

        None if it is no node of its own, or was given tensors of other sizes.
        """
        if self.native is None or tensor not in self.native.sources:
            return None
        values = {**self.inputs, **self.native.outputs}
        numbers = {name: self.chain.maps[name] for name in self.inputs} | dict(self.native.sources)
        sizes = self.chain.sizes
        if any(
            name not in numbers or numbers[name].shape != sizes[name] for name in operation.inputs
        ):
            return None
        line = _in_a_row(values, operation.inputs)
        before = _in_a_row(numbers, operation.inputs)
        due = line[source] if constants is None else np.where(source < 0, constants, line[source])
        rule = due, np.where(source < 0, -1, before[source])
        return rule, (self.native.outputs[tensor], self.native.sources[tensor])


def run_chain(
    chain: Chain,
    values: Mapping[str, Array],
    engine: str = "numpy",
    native: NativeNodes | None = None,
) -> ChainTrace:
    """Run a chain on values, and on indices.

    ONNX Runtime runs ONNX's own nodes, if the chain is nothing else; all other engines, and all
    other chains, run the nodes of its movement.

    Args:
        chain: what to run.
        values: of its inputs, by name; of one data type.
        engine: the name of an engine that is available here.
        native: the nodes of a file that the chain describes; None for those that the code names.

    Raises:
        EngineUnavailable, EngineRefused: the engine cannot run here, or reported an error.
        Error: a tensor is missing, or has other sizes or another data type; or a constant of the
            code is not a number of this type.
    """
    inputs = {name: as_input(values[name]) for name in chain.taken if name in values}
    for name, sizes in chain.taken.items():
        if name not in inputs or inputs[name].shape != sizes:
            raise Error(
                _("{name} must be a tensor of sizes {sizes}.").format(
                    name=name, sizes=print_sizes(sizes)
                ),
                name,
            )
    _check_types(inputs)
    computed: dict[str, Trace] = {}
    for number, name in chain.computing.items():
        computed[name] = _computed(chain, number, inputs, engine)
        inputs[name] = list(computed[name].outputs.values())[-1]
    native = chain.native if native is None else native
    runs_native = native is not None and engine == NATIVE_ENGINE
    every = run(operator_of(chain, EVERY), inputs, "numpy" if runs_native else engine)
    differences = {
        name: distinct(wrong, np.flatnonzero(every.sources[name] != _map(chain, name)))
        for name, wrong in every.differences.items()
    }
    answer, answers = None, {}
    if native is not None and runs_native:
        answer = run_native(chain, native, every.inputs, engine)
        for name in chain.outputs:
            rule = every.outputs[name], every.sources[name]
            answers[name] = rule, (answer.outputs[name], answer.sources[name])
            apart = differing_answers(*answers[name])
            differences[name] = distinct(differences[name], apart)
    parts = (every.outputs, every.sources, differences)
    outputs, sources, wrong = ({name: of[name] for name in chain.outputs} for of in parts)
    return ChainTrace(
        operator_of(chain),
        every.inputs,
        MappingProxyType(outputs),
        MappingProxyType(sources),
        MappingProxyType({}),
        MappingProxyType(wrong),
        engine,
        every.data_type,
        every.ran if answer is None else answer.ran,
        chain,
        every,
        MappingProxyType(computed),
        answer,
        answers=MappingProxyType(answers),
        numbered=every.inputs,
        version="" if answer is None else answer.version,
    )


def run_counting(chain: Chain) -> ChainTrace:
    """Run a chain on values that count from 1.

    Raises:
        Error: as :func:`run_chain` does.
    """
    return run_chain(
        chain, {name: counted(sizes, DATA_TYPE) for name, sizes in chain.taken.items()}
    )


def counted(sizes: Sizes, data_type: str) -> Array:
    """Values that count from 1; of a tensor of ONNX, which can be one number, also of rank 0."""
    return start(START, sizes or (1,), data_type).reshape(sizes)


class PartOfCode(Displayed):
    """What only moves elements, of a larger code or of a model, as code that can be run.

    Attributes:
        text: the code.
    """

    text: str

    def run(self) -> ChainTrace:
        """Run it on numbers that count from 1."""
        raise NotImplementedError

    def displayed_runs(self) -> tuple[Displayed, ...]:
        """See :class:`dmlviz.base.display.Displayed`."""
        return (self.run(),)

    def displayed_text(self) -> str:
        """The code."""
        return self.text

    def displayed_summary(self) -> str:
        """See :class:`dmlviz.base.display.Displayed`."""
        return excerpt(self.text)


def run_part(
    chain: Chain,
    values: Mapping[str, Array] | None,
    engine: str,
    constants: Mapping[str, Array] = MappingProxyType({}),
    native: NativeNodes | None = None,
) -> ChainTrace:
    """Run the chain of a part.

    Args:
        chain: what it does.
        values: of its inputs, by name; those that are missing are constants, or count from 1, in
            the data type of the others.
        engine: the name of an engine that is available here.
        constants: inputs that have values of their own.
        native: the nodes of a file that the chain stands for.

    Raises:
        Error: as :func:`run_chain`.
    """
    kind = next((array.dtype for array in (values or {}).values()), None)
    kind = counted((), DATA_TYPE).dtype if kind is None else kind
    made = {
        name: np.asarray(constants[name], kind)
        if name in constants
        else counted(sizes, DATA_TYPE).astype(kind)
        for name, sizes in chain.inputs.items()
    }
    return run_chain(chain, {**made, **(values or {})}, engine, native)


def _computed(chain: Chain, number: int, inputs: Mapping[str, Array], engine: str) -> Trace:
    """The run of a call that computes, on the values that reach it.

    Raises:
        Error: a sum would be rounded, or the values are not FLOAT32.
    """
    operator = operator_of(chain, str(number))
    assert isinstance(operator, ConvolutionOperator)
    line = np.concatenate([x.ravel() for x in inputs.values()])
    kind = data_type_of(line.dtype)
    values = [chain.values(tensor, line, kind) for tensor in operator.operands]
    operands = dict(zip(operator.taken, values, strict=True))
    if problems := operator.refusals(operands):
        raise Error(problems[0].message, problems[0].field)
    x, weights = values
    check_exact(operator.convolution.columns(x), weights)
    return run(operator, operands, engine)


def with_indices(
    trace: Trace, most: int, beside: Mapping[str, Array] = MappingProxyType({})
) -> Trace:
    """The same run with the index tensors and masks of the code as inputs that choose elements.

    Args:
        trace: of code, or of one of its calls.
        most: the limit of elements of all inputs together; where they have more, the run is
            returned as it is.
        beside: the index tensors and masks of two codes that are compared, by name.
    """
    operator = trace.operator
    if not isinstance(operator, CodeOperator):
        return trace
    staged = operator_of(operator.chain, operator.part, shows_indices=True, beside=beside)
    choosing = staged.choosing
    inputs = {**trace.inputs, **choosing.tensors}
    if not choosing.tensors or sum(array.size for array in inputs.values()) > most:
        return trace
    drivers = MappingProxyType(dict(choosing.drivers))
    return replace(trace, operator=staged, inputs=MappingProxyType(inputs), drivers=drivers)


def _map(chain: Chain, name: str) -> Array:
    return chain.source(chain.outputs.get(name, name))


def _in_a_row(arrays: Mapping[str, Array], names: Sequence[str]) -> Array:
    """The elements of these arrays, one after another; of one, without a copy."""
    flat = [arrays[name].ravel() for name in names]
    return flat[0] if len(flat) == 1 else np.concatenate(flat)


def _check_types(inputs: Mapping[str, Array]) -> None:
    types = {name: data_type_of(array.dtype) for name, array in inputs.items()}
    if len(set(types.values())) > 1:
        raise Error(
            _("The tensors have several data types ({types}); they must have one.").format(
                types=", ".join(f"{name}: {kind}" for name, kind in types.items())
            ),
            next(iter(types)),
        )


def run_code(
    text: str, tensors: Mapping[str, Any], library: str | None = None, engine: str = "numpy"
) -> ChainTrace:
    """Where the elements of tensors go under code, which is read and not executed.

    Args:
        text: one or several lines of Python, at most 4,000 characters; the last statement gives
            the outputs.
        tensors: by name, a tuple for the sizes of a tensor of values, or an array. An array is
            itself, and a control where the code uses it as indices or as a mask. A whole number
            is that of a name that the code leaves open, such as ``heads`` or ``self.heads``.
            Without any, the code says them itself: ``x = torch.rand(2, 3)``, ``# x: (2, 3)``.
        library: a key of :data:`dmlviz.code.LIBRARIES`; None to guess it.
        engine: the name of an engine that is available here.

    Raises:
        CodeRefused: the code does not only move elements, or is not read; the refusal has a line,
            a column and a kind. Its ``parts`` are what moves around the calls that compute; sizes
            of what such a call gives are taken from ``tensors`` by its name, if they are there.
        Error: a tensor is not one of the 11 data types, or its sizes are invalid.
    """
    if not tensors:
        tensors = made_tensors(text, library or library_of(text))
    numbers = {name: int(x) for name, x in tensors.items() if is_number(x)}
    # a model's tensor is named without the model
    tensors = {
        name.removeprefix(f"{MODEL}."): x for name, x in tensors.items() if name not in numbers
    }
    if numbers and not tensors:
        tensors = made_tensors(text, library or library_of(text), numbers)
    arrays = {name: as_array(name, x) for name, x in tensors.items() if not isinstance(x, tuple)}
    sizes = {
        name: as_sizes(name, x) if isinstance(x, tuple) else arrays[name].shape
        for name, x in tensors.items()
    }
    own = element_type(arrays) if len(arrays) == len(sizes) else DATA_TYPE
    try:
        chain = read(text, sizes, arrays, library, own, numbers)
    except CodeRefused as refused:
        chosen = {name: x for name, x in arrays.items() if x.dtype.kind in "iub"}
        if library is not None and library in LIBRARIES and refused.kind in OF_LIBRARY:
            other = other_library(text, sizes, chosen, library, numbers)
            if other:
                message = read_as_another(str(refused), other)
                refused = CodeRefused(refused.kind, message, refused.place)
        refused.reading_again = (text, sizes, chosen, library, numbers)
        raise refused from None
    types = [data_type_of(arrays[name].dtype) for name in chain.inputs if name in arrays]
    data_type = types[0] if types else DATA_TYPE
    values = {
        name: arrays[name] if name in arrays else start(START, of, data_type)
        for name, of in chain.inputs.items()
    }
    return run_chain(chain, values, engine)


def other_library(
    text: str,
    sizes: Mapping[str, Sequence[int]],
    arrays: Mapping[str, Array],
    library: str,
    numbers: Mapping[str, int],
) -> str:
    """The key of a library as whose code a text is read that its own refuses; empty if none is.

    Args:
        text, sizes, arrays, library, numbers: as of :func:`dmlviz.code.chain.read`.
    """
    for other in libraries_of(text):
        if other != library:
            with suppress(CodeRefused):
                return read(text, sizes, arrays, other, numbers=numbers).library
    return ""


def is_number(x: Any) -> bool:
    """Whether a value is a whole number, or an array of one without dimensions."""
    whole = isinstance(x, int | np.integer) and not isinstance(x, bool)
    return whole or (isinstance(x, np.ndarray) and not x.ndim and x.dtype.kind in "iu")


def element_type(arrays: Mapping[str, Array]) -> str:
    """The data type of the elements that move, for strides in bytes: the first tensor's, if any."""
    kinds = (x.dtype for x in arrays.values() if x.dtype != bool)
    return data_type_of(next(kinds, np.dtype(np.float64)))


def as_array(name: str, x: Any) -> Array:
    """An array that a caller gave.

    Raises:
        Error: it is none; or a list of whole numbers, which could be sizes as well as values.
    """
    if isinstance(x, list) and x and all(type(item) is int for item in x):
        numbers = ", ".join(map(str, x[:8]))
        raise Error(
            _(
                "{name}: {value} could be sizes or values; use the tuple ({numbers}) for sizes, or "
                "an array for values."
            ).format(
                name=name,
                value=short_text(x),
                numbers=f"{numbers}," if len(x) == 1 else numbers,
            ),
            name,
        )
    try:
        array = np.asarray(x)
    except ValueError:
        array = np.asarray(None)
    if array.dtype.kind not in "iubf":
        raise Error(
            _("{name}: {value} is not a tensor; use an array, or a tuple of sizes.").format(
                name=name, value=short_text(x)
            ),
            name,
        )
    return array


def as_sizes(name: str, sizes: Sequence[Any]) -> tuple[int, ...]:
    """Sizes that a caller gave.

    Raises:
        CodeRefused: they are no whole numbers.
    """
    if not all(isinstance(n, int | np.integer) and not isinstance(n, bool) for n in sizes):
        raise CodeRefused(
            "sizes",
            _("{name}: {value} are not sizes; use whole numbers, or an array.").format(
                name=name, value=short_text(sizes)
            ),
        )
    return tuple(int(n) for n in sizes)
