"""Run an operator on values and on indices, to find where each output element comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.display import Displayed
from dmlviz.base.errors import Error, Refused
from dmlviz.base.excerpts import excerpt
from dmlviz.base.words import _, ngettext
from dmlviz.engines import Inputs, Ran, Runner
from dmlviz.engines import engine as engine_named
from dmlviz.movement import COMPUTED, CONTROL, INDEX, VALUES, Movement, Output
from dmlviz.movement.formulas import Beyond, Formula
from dmlviz.movement.steps import Part, Steps
from dmlviz.operators import Operator
from dmlviz.tensors import DATA_TYPES, check_element_count, data_type_of, print_sizes, short_text
from dmlviz.tensors.types import Array, Places, Sizes

RUN_LIMIT = 1 << 26
"""The limit of elements of a tensor that ``run`` takes or makes: 67,108,864."""

NOTHING_CUT: Mapping[str, Places] = MappingProxyType({})
"""Of a run whose tensors are all whole."""

_AT_ONCE = 1 << 18
"""How many elements are compared at once: what that takes stays in the processor's cache."""


@dataclass(frozen=True, repr=False)
class Trace(Displayed):
    """What an engine did, and the evidence for it.

    The keys of every mapping are DirectML's tensor names, in the order of the operator's structure,
    and every array in it is read-only. If there is only one tensor, :attr:`x`, :attr:`output`,
    :attr:`source` and :attr:`differing` give it directly.

    Attributes:
        operator: the operator that ran.
        inputs: the tensors that it ran on.
        outputs: the engine's outputs for the values.
        sources: for each element of an output, the flat index of the input element that it
            copies, counted through all ``values`` inputs one after the other, or -1 for a
            constant; int64, of the output's sizes. It is the engine's own output for tensors of
            indices. The sources of an output of indices are those of the elements that they index.
        drivers: for each element of an output, the flat index of the element of the ``control``
            input that chose it; int64, of the output's sizes; empty if there is no such input.
        differences: for each output, the flat indices of elements that are not equal, bit for
            bit, to their source or to the constant, or that are not the index of their source;
            empty if both runs agree.
        engine: the engine's name.
        data_type: DirectML's name of the values' type.
        ran: how the values were executed: provider, operations, native or lowered, seconds.
    """

    operator: Operator
    inputs: Mapping[str, Array]
    outputs: Mapping[str, Array]
    sources: Mapping[str, Array]
    drivers: Mapping[str, Array]
    differences: Mapping[str, Array]
    engine: str
    data_type: str
    ran: Ran

    @property
    def x(self) -> Array:
        """The input, if there is only one."""
        return _only(self.inputs)

    @property
    def output(self) -> Array:
        """The output, if there is only one."""
        return _only(self.outputs)

    @property
    def source(self) -> Array:
        """The sources of the output's elements, if there is only one output."""
        return _only(self.sources)

    @property
    def differing(self) -> Array:
        """The elements of the output that differ, if there is only one output."""
        return _only(self.differences)

    @property
    def places(self) -> Mapping[str, Places]:
        """Of each tensor of which only a part is here, the indices that are, by dimension."""
        return NOTHING_CUT

    @property
    def whole_sizes(self) -> Mapping[str, Sizes]:
        """The sizes of every tensor, also of those of which only a part is here."""
        return {name: x.shape for name, x in (*self.inputs.items(), *self.outputs.items())}

    def index_of(self, name: str, position: Sequence[int]) -> Sizes:
        """The index of an element.

        Args:
            name: of an input or output.
            position: in the array that is here, which may be a part of the tensor.
        """
        return tuple(position)

    @property
    def agrees(self) -> bool:
        """Whether every output element equals its source."""
        return not any(places.size for places in self.differences.values())

    def displayed_runs(self) -> Sequence[Trace]:
        """See :class:`dmlviz.base.display.Displayed`."""
        return (self,)

    def displayed_text(self) -> str:
        """What ran, the tensors before and after it, and the comparison of the two runs."""
        before, after = (_sizes_of(side) for side in (self.inputs, self.outputs))
        sizes = f"{before}  ->  {after}" if before else after
        return f"{self.code or self.title}\n{sizes}\n{self.check()}"

    def displayed_summary(self) -> str:
        """What ran, the sizes of what it made, and the engine."""
        ran = excerpt(self.code) if self.code else self.title
        return f"{ran}; {_sizes_of(self.outputs)}; {self.engine}"

    def check(self) -> str:
        """The comparison of the two runs, in words."""
        title = engine_named(self.engine).status().title
        if not self.agrees:
            return self._wrong(title)
        sentence = self._checked_copies(title)
        sums = sum(self.outputs[name].size for name in self.operator.computed_slots())
        if not sums:
            return sentence
        words = ngettext(
            "{told} {n} sum, equal to weights times column, added number by number.",
            "{told} {n} sums, each equal to weights times column, added number by number.",
            sums,
        )
        return words.format(told=sentence, n=f"{sums:,}")

    def _checked_copies(self, title: str) -> str:
        """The comparison of the outputs of copies and of indices, in words."""
        n = sum(source.size for source in self.copies.values())
        new = sum(int(np.count_nonzero(source < 0)) for source in self.copies.values())
        sentence = ngettext(
            "{engine}: {n} element, equal to its source.",
            "{engine}: {n} elements, each equal to its source.",
            n,
        )
        if new == n:
            sentence = ngettext(
                "{engine}: {n} element, equal to the constant that the rule gives.",
                "{engine}: {n} elements, each equal to the constant that the rule gives.",
                n,
            )
        elif new:
            sentence = _(
                "{engine}: {n} elements, {copies} equal to their source and {new} to the "
                "padding value."
            )
            if not self.operator.pads:
                sentence = ngettext(
                    "{engine}: {n} elements, {copies} equal to their source and {new} to a "
                    "constant of the code.",
                    "{engine}: {n} elements, {copies} equal to their source and {new} to "
                    "constants of the code.",
                    new,
                )
        sentence = sentence.format(engine=title, n=f"{n:,}", copies=f"{n - new:,}", new=f"{new:,}")
        named = sum(self.sources[name].size for name in self.operator.index_slots())
        if not named:
            return sentence
        words = ngettext(
            "{told} {n} index, that of its source.",
            "{told} {n} indices, each that of its source.",
            named,
        )
        return words.format(told=sentence, n=f"{named:,}")

    def parameters(self) -> dict[str, str] | None:
        """The parameters of a link to the run; None if they are those of its operator's page."""
        return None

    # ---- what the stage shows of the run, in the reader's language, which can change

    @property
    def moves(self) -> Steps:
        """The moves for the stage; the elements of all outputs are numbered one after another."""
        return self.operator.moves(self.inputs)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of the rule, if it has several that are useful to show."""
        return self.operator.rule_parts(self.inputs)

    @property
    def parts_title(self) -> str:
        """The label of the view of :attr:`parts`."""
        return self.operator.rule_parts_title()

    @property
    def formulas(self) -> Mapping[str, tuple[Formula, ...]]:
        """The formulas of each output, one of which holds for each element; can be empty."""
        return self.operator.formulas(self.inputs)

    @property
    def beyond(self) -> tuple[Beyond, ...]:
        """Descriptions of elements that are outside the only input, per dimension."""
        return self.operator.beyond(next(iter(self.inputs.values())).shape) if self.inputs else ()

    @property
    def code(self) -> str:
        """The code that ran, as it was typed; empty for an operator."""
        return ""

    def remarks_at(self, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        """The sentences about each of these elements, after their formulas."""
        return self.operator.remarks_at(self.inputs, indices)

    def calculations(self, name: str) -> Iterator[str]:
        """How each element of an output of new values is calculated, with its numbers, in order."""
        return self.operator.calculations(name, self.inputs)

    @property
    def roles(self) -> Mapping[str, str]:
        """For each input, then each output, whether its elements move, control, or are indices."""
        made = dict.fromkeys(self.operator.index_slots(), INDEX)
        made |= dict.fromkeys(self.operator.computed_slots(), COMPUTED)
        return {name: self.operator.role(name) for name in self.inputs} | {
            name: made.get(name, VALUES) for name in self.outputs
        }

    @property
    def input_types(self) -> Mapping[str, str]:
        """The data type of each input; BOOL of a mask, whose elements are drawn as 1 and 0.

        No control input of a DirectML operator is UINT8.
        """
        types = {name: data_type_of(x.dtype) for name, x in self.inputs.items()}
        masks = {name for name in types if self.roles[name] == CONTROL and types[name] == "UINT8"}
        return types | dict.fromkeys(masks, "BOOL")

    @property
    def memory(self) -> frozenset[str]:
        """The inputs whose arrays are a tensor's memory, one element after another."""
        return frozenset(self.operator.buffers)

    @property
    def driver_length(self) -> int:
        """How many control elements, from the driver on, choose an element."""
        return self.operator.driver_length(self.inputs)

    @property
    def driver_apart(self) -> int:
        """How far these control elements are from each other, in elements."""
        return self.operator.driver_apart(self.inputs)

    @property
    def padding(self) -> np.generic | None:
        """The value of every element without a source; None without one value for all."""
        return self.operator.padding(self.data_type)

    @property
    def settings(self) -> Mapping[str, str]:
        """The settings that matter, with DirectML's names and notation."""
        return self.operator.print_settings()

    @property
    def title(self) -> str:
        """What ran and its settings, on one line."""
        return self.operator.on_one_line()

    # ---- the movement

    @cached_property
    def movement(self) -> Movement:
        """Where every element of the outputs that hold copies comes from."""
        moving = (name for name in self.inputs if self.operator.role(name) == VALUES)
        return Movement(
            {name: self.inputs[name].shape for name in moving},
            {
                name: Output(
                    source,
                    self.operator.constants(name, source.shape, self.data_type),
                    tuple(self.formulas.get(name, ())),
                )
                for name, source in self.copies.items()
            },
        )

    @property
    def copies(self) -> Mapping[str, Array]:
        """The sources of the outputs that hold copies, not of those with indices or new values."""
        others = self.operator.index_slots() | self.operator.computed_slots()
        return {name: source for name, source in self.sources.items() if name not in others}

    def _wrong(self, title: str) -> str:
        name, wrong = next((o, places) for o, places in self.differences.items() if places.size)
        words = _("{engine}: {wrong} of {n} elements differ from their source, first at {index}.")
        kept = self.copies
        if name in self.operator.index_slots():
            kept = {name: self.sources[name]}
            words = _(
                "{engine}: {wrong} of {n} elements of {name} are not the index of their source, "
                "first at {index}."
            )
        if name in self.operator.computed_slots():
            kept = {name: self.sources[name]}
            words = _(
                "{engine}: {wrong} of {n} elements of {name} are not the sum of their products, "
                "first at {index}."
            )
        first = np.unravel_index(int(wrong[0]), self.outputs[name].shape)
        return words.format(
            engine=title,
            wrong=sum(self.differences[own].size for own in kept),
            n=sum(source.size for source in kept.values()),
            index=[int(i) for i in first],
            name=name,
        )


def run(operator: Operator, x: Any = None, engine: str = "numpy", form: str = "") -> Trace:
    """Run ``operator`` on ``x``, then on tensors of indices, and check one against the other.

    The elements of all ``values`` inputs are numbered one tensor after the other; ``control``
    inputs are the same in both runs.

    Args:
        operator: what to run.
        x: a NumPy array of one of the 11 types, rank 1 to 8; if the operator takes several
            tensors, a mapping from DirectML's names to them; None if it takes none.
        engine: the name of an engine that is available here.
        form: ``"native"`` for the operator as ONNX writes it, ``"lowered"`` for its lowering;
            empty for the one that the engine runs exactly.

    Raises:
        Refused: the operator cannot take this input; its ``problems`` say why.
        TooLarge: an input or output has more than 67,108,864 elements; nothing was allocated.
        EngineUnavailable, EngineRefused: the engine cannot run here, or reported an error.
        Error: ``x`` is not such an array, or the engine's output does not have the right sizes.

    >>> import numpy as np
    >>> from dmlviz.operators import Tile
    >>> trace = run(Tile(repeats=(3,)), np.array([7, 8], np.uint8))
    >>> trace.output.tolist(), trace.source.tolist()
    ([7, 8, 7, 8, 7, 8], [0, 1, 0, 1, 0, 1])
    """
    runner = engine_named(engine)
    inputs = as_inputs(operator, x)
    problems = operator.refusals(inputs)
    if problems:
        raise Refused(problems)
    due = _output_sizes(operator, inputs)
    ran, outputs = _on_values(runner, operator, inputs, due, form)
    data_type = operator.values_type(inputs)
    sources = _on_indices(runner, operator, inputs, due, ran.form)
    values = _values_of(operator, inputs, data_type)
    indices, computed = operator.index_slots(), operator.computed_slots()
    copies = {name: outputs[name] for name in sources if name not in computed}
    differences = {
        name: _misnamed(outputs[name], operator.index_values(name, source, inputs))
        if name in indices
        # a zero with a sign is the same sum
        else np.flatnonzero(operator.computed(name, inputs, copies) != outputs[name])
        if name in computed
        else differing(
            values, outputs[name], source, operator.constants(name, source.shape, data_type)
        )
        for name, source in sources.items()
    }
    drivers = operator.drivers(inputs)
    return Trace(
        operator,
        inputs,
        _frozen(outputs),
        _frozen(sources),
        _frozen(drivers),
        _frozen(differences),
        engine,
        data_type,
        ran,
    )


def outputs_of(operator: Operator, inputs: Inputs, engine: str) -> Mapping[str, Array]:
    """The outputs of :func:`run`, without the second run that finds their sources.

    Args:
        operator: what to run.
        inputs: read-only tensors by name that the operator does not refuse.
        engine: the name of an engine that is available here.

    Raises:
        TooLarge, EngineUnavailable, EngineRefused, Error: as in :func:`run`.
    """
    inputs = operator.named_inputs(inputs, "inputs")
    due = _output_sizes(operator, inputs)
    return _frozen(_on_values(engine_named(engine), operator, inputs, due, "")[1])


def _output_sizes(operator: Operator, inputs: Inputs) -> Mapping[str, tuple[int, ...]]:
    """The sizes of the outputs; too many elements are refused before any is allocated."""
    due = operator.outputs_after({name: array.shape for name, array in inputs.items()})
    for array in inputs.values():
        check_element_count(array.shape, RUN_LIMIT, "sizes")
    for sizes in due.values():
        check_element_count(sizes, RUN_LIMIT, "output_sizes")
    return due


def _on_values(
    runner: Runner,
    operator: Operator,
    inputs: Inputs,
    due: Mapping[str, tuple[int, ...]],
    form: str,
) -> tuple[Ran, dict[str, Array]]:
    """What the engine did, and its outputs after a check of their names, sizes and types."""
    ran = runner.run(operator, inputs, form)
    return ran, _checked_outputs(ran.outputs, due, operator, operator.values_type(inputs))


def _on_indices(
    runner: Runner,
    operator: Operator,
    inputs: Inputs,
    due: Mapping[str, tuple[int, ...]],
    form: str,
) -> dict[str, Array]:
    """The engine's outputs for consecutive indices in place of the values."""
    index_type = runner.index_type(operator, inputs, form)
    numbered = operator.numbered(inputs, DATA_TYPES[index_type].dtype)
    counting = operator.on_indices()
    asked = runner.run(counting, numbered.inputs, form)
    outputs = _checked_outputs(asked.outputs, due, counting, index_type)
    indices = operator.index_slots()
    sources = {
        name: numbered.source(array) for name, array in outputs.items() if name not in indices
    }
    return operator.with_indices(sources)


def as_input(x: Any) -> Array:
    """A read-only, contiguous array in native byte order that shares no writable memory.

    Raises:
        Error: it is not an array of one of the 11 types.
    """
    try:
        array = np.asarray(x)
    except ValueError:
        raise Error(
            _("x: a ragged list is not a tensor; every row needs the same length."), "x"
        ) from None
    data_type_of(array.dtype)
    native = array.dtype.newbyteorder("=")
    array = np.array(array, dtype=native, order="C", copy=True)
    array.setflags(write=False)
    return array


def as_inputs(operator: Operator, x: Any) -> Inputs:
    """An operator's inputs by name, each converted by :func:`as_input`.

    Raises:
        Error: it is not an operator with its settings; or a tensor is missing, unknown, or not an
            array of one of the 11 types.
    """
    if not isinstance(operator, Operator):
        raise Error(
            _(
                "operator: {value} is not an operator with its settings, such as "
                "dmlviz.Tile(repeats=(1, 2))."
            ).format(value=short_text(operator)),
            "operator",
        )
    named = operator.named_inputs(x, "x")
    return MappingProxyType({name: as_input(tensor) for name, tensor in named.items()})


def _sizes_of(tensors: Mapping[str, Array]) -> str:
    return ", ".join(f"{name} {print_sizes(x.shape)}" for name, x in tensors.items())


def _only(tensors: Mapping[str, Array]) -> Array:
    """The only tensor of a mapping.

    Raises:
        AttributeError: there are several; use their names.
    """
    if len(tensors) != 1:
        raise AttributeError(f"there are {len(tensors)} tensors: {', '.join(tensors)}")
    return next(iter(tensors.values()))


def _frozen(tensors: Mapping[str, Array]) -> Mapping[str, Array]:
    for array in tensors.values():
        array.setflags(write=False)
    return MappingProxyType(dict(tensors))


def _values_of(operator: Operator, inputs: Inputs, data_type: str) -> Array:
    """The elements that move, one tensor after the other; without inputs there are none."""
    moving = [array.ravel() for name, array in inputs.items() if operator.role(name) == VALUES]
    return np.concatenate([np.zeros(0, DATA_TYPES[data_type].dtype), *moving])


def _checked_outputs(
    outputs: Mapping[str, Array],
    due: Mapping[str, tuple[int, ...]],
    operator: Operator,
    data_type: str,
) -> dict[str, Array]:
    """The engine's outputs, contiguous, after a check of their names, sizes and types."""
    if list(outputs) != list(due):
        raise Error(
            _("output: the engine returned {got} instead of {due}.").format(
                got=", ".join(outputs) or "-", due=", ".join(due)
            ),
            "output",
        )
    checked = {}
    for name, output in outputs.items():
        dtype = DATA_TYPES[operator.output_type(name, data_type)].dtype
        if output.dtype != dtype:
            raise Error(
                _("output: the engine returned {got} instead of {due}.").format(
                    got=output.dtype, due=dtype
                ),
                "output",
            )
        if output.shape != due[name]:
            raise Error(
                _("output: the engine returned sizes {got} instead of {sizes}.").format(
                    got=print_sizes(output.shape), sizes=print_sizes(due[name])
                ),
                "output",
            )
        checked[name] = np.asarray(output, order="C")
    return checked


def differing(x: Array, output: Array, source: Array, constants: Array | None) -> Array:
    """Flat indices of output elements that are not equal, bit for bit, to their source."""
    flat, made, bits = source.ravel(), output.ravel(), f"u{x.dtype.itemsize}"
    due = None if constants is None else np.broadcast_to(constants, source.shape).reshape(-1)
    wrong = [np.zeros(0, np.int64)]
    for start in range(0, flat.size, _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        numbers = flat[part]
        known = (numbers >= 0) & (numbers < x.size)
        expected = x[numbers * known] if x.size else np.zeros(numbers.size, output.dtype)
        if due is not None:
            is_constant = numbers == -1
            expected[is_constant] = due[part][is_constant]
            known |= is_constant
        same = expected.view(bits) == made[part].view(bits)
        wrong.append(np.flatnonzero(~(same & known)) + start)
    return np.concatenate(wrong)


def _misnamed(output: Array, due: Array) -> Array:
    """Flat indices of elements of an output of indices that are not the index of their source."""
    same = (due >= 0) & (output == due.astype(output.dtype))
    return np.flatnonzero(~same)
