"""A chain as an operator, so that engines, stage, exports and notebooks take it as any other.

Below it, index tensors and masks of code beside the tensors that move, and what each cell chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.base.words import _
from dmlviz.code.captions import calculated_by, calls_in_short, name_of, part_reason
from dmlviz.code.chain import Chain, read
from dmlviz.code.convolution import COLUMNS, CONV, Convolution, added, calculated
from dmlviz.code.equal_operators import equal_block_operator
from dmlviz.code.libraries import LIBRARIES, table_of
from dmlviz.code.maps import Map
from dmlviz.movement import COMPUTED, CONTROL, VALUES
from dmlviz.movement.expressions import Expr
from dmlviz.movement.formulas import POSITION, Formula, position_axis
from dmlviz.movement.graphs import Graph, Node
from dmlviz.movement.nodes import run_graph
from dmlviz.movement.reasons import reasoned
from dmlviz.movement.steps import Part, Steps, outermost_steps
from dmlviz.operators.base import Example, Operator
from dmlviz.operators.feature_levels import ALL, ANY_RANK, Support
from dmlviz.operators.slots import Slot, TensorDesc, descs_of
from dmlviz.operators.unfold import Unfold
from dmlviz.tensors import DATA_TYPES, data_type_of, print_sizes
from dmlviz.tensors.numbering import distinct, print_element
from dmlviz.tensors.types import Array, Sizes

Values = tuple[str, Sizes, tuple[Any, ...]]
"""An array as JSON has it: NumPy's name of its type, its sizes, its elements."""

WHOLE = "whole"
"""From the inputs to the outputs."""

EVERY = "every"
"""From the inputs to every tensor of the chain, the outputs included."""

Formulas = Mapping[str, tuple[Formula, ...]]


@dataclass(frozen=True)
class CodeOperator(Operator):
    """What a chain does, or one operation of it.

    Attributes:
        text: the code.
        library: a key of :data:`dmlviz.code.libraries.LIBRARIES`.
        sizes: of each input of the code, by name.
        arrays: the values of the inputs that choose elements, by name.
        part: :data:`WHOLE`, :data:`EVERY`, or the number of an operation.
        indices: whether this is the run on indices.
        shows_indices: whether the index tensors and masks of the code are inputs, too, as the
            stage draws them.
        together: the values of those of two codes that are compared, by name.
        data_type: of the elements that move, as :func:`dmlviz.code.chain.read` takes it.
        numbers: of names that the code leaves open, by name.
    """

    text: str
    library: str
    sizes: tuple[tuple[str, Sizes], ...]
    arrays: tuple[tuple[str, Values], ...] = ()
    part: str = WHOLE
    indices: bool = False
    shows_indices: bool = False
    together: tuple[tuple[str, Values], ...] = ()
    data_type: str = ""
    numbers: tuple[tuple[str, int], ...] = ()

    key: ClassVar[str] = "code"
    place: ClassVar[int] = 0
    operator_type: ClassVar[str] = "CODE"
    structure: ClassVar[str] = "CODE"
    members: ClassVar[tuple[str, ...]] = ()
    remarks_indices: ClassVar[bool] = True
    pads: ClassVar[bool] = False
    drawn_in_part: ClassVar[bool] = True
    maker: ClassVar[str] = f"{__name__}:rebuilt"
    least_rank: ClassVar[int] = 0
    support: ClassVar[tuple[Support, ...]] = (Support("1_0", (0, *ANY_RANK), ALL),)

    @classmethod
    def size_words(cls) -> str:
        # a line of code has no file of words
        return ""

    def __post_init__(self) -> None:
        # JSON has lists
        sizes = tuple((name, tuple(of)) for name, of in self.sizes)
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "numbers", tuple((name, n) for name, n in self.numbers))
        for field in ("arrays", "together"):
            arrays = tuple(
                (name, (kind, tuple(of), tuple(items)))
                for name, (kind, of, items) in getattr(self, field)
            )
            object.__setattr__(self, field, arrays)

    @cached_property
    def chain(self) -> Chain:
        """The chain that the code describes: given, or read again in another process."""
        return _chain(
            self.text, self.library, self.sizes, self.arrays, self.data_type, self.numbers
        )

    @property
    def taken(self) -> tuple[str, ...]:
        """The chain's tensors that are the inputs here, in order."""
        if self.part in (WHOLE, EVERY):
            return tuple(self.chain.inputs)
        return self.chain.operations[int(self.part)].inputs

    @property
    def made(self) -> Mapping[str, str]:
        """For each output here, the chain's tensor."""
        chain = self.chain
        if self.part == WHOLE:
            return chain.outputs
        if self.part == EVERY:
            return {name: name for name in chain.tensors} | dict(chain.outputs)
        own = chain.operations[int(self.part)]
        return {
            # a tensor that does not move has a second name
            name if name not in own.inputs else f"{name} ": name
            for name in own.outputs
        }

    @property
    def desc(self) -> dict[str, Any]:
        return {"text": self.text, "library": self.library}

    def print_settings(self) -> dict[str, str]:
        """The code on one line, and its library."""
        return {_("Code"): self.on_one_line(), _("Library"): LIBRARIES[self.library].title}

    def on_one_line(self) -> str:
        """The code."""
        return " ".join(self.text.split())

    @classmethod
    def examples(cls) -> tuple[Example, ...]:
        return ()

    @classmethod
    def parameters(cls) -> tuple[Any, ...]:
        return ()

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        return [
            Problem(
                name,
                _("{name} must have sizes {sizes}.").format(name=name, sizes=print_sizes(due)),
                self.structure,
            )
            for name, due in ((name, self.chain.sizes[name]) for name in self.taken)
            if sizes[name] != due
        ]

    @cached_property
    def choosing(self) -> IndexTensors:
        """The index tensors and masks that are inputs here."""
        if not self.shows_indices:
            return IndexTensors({}, {})
        whole_type = np.int32 if table_of(self.library).conventions.whole_bits == 32 else np.int64
        beside = _arrays(self.together)
        return index_tensors(self.formulas({}), self.outputs_after({}), whole_type, beside)

    def titles(self) -> dict[str, str]:
        chain, here = self.chain, {*self.taken, *self.made.values()}
        return {
            name: _("{name}, made by {call}").format(name=name, call=name_of(operation.text))
            for operation in chain.operations
            for name in operation.outputs
            if name in here and name in chain.unnamed
        }

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        return dict(self.choosing.drivers) if self.choosing.tensors else {}

    def driver_length(self, inputs: Mapping[str, Array]) -> int:
        return self.choosing.length

    def driver_apart(self, inputs: Mapping[str, Array]) -> int:
        return self.choosing.apart

    def remarks_at(
        self, inputs: Mapping[str, Array], indices: Iterable[Sequence[int]]
    ) -> Iterator[list[str]]:
        """What the index says that chose each element of the only output."""
        drivers = [*self.choosing.drivers.values()]
        for index in indices:
            single = len(drivers) == 1 and self.choosing.tensors
            text = remark(int(drivers[0][tuple(index)]), self.choosing) if single else ""
            yield [text] if text else []

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        return {name: self.chain.sizes[tensor] for name, tensor in self.made.items()}

    def evaluate(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        data_type = data_type_of(next(iter(inputs.values())).dtype)
        made = run_graph(self._graph(data_type), inputs, tuple(self.made))
        return {name: np.asarray(array, order="C") for name, array in made.items()}

    def _graph(self, data_type: str) -> Graph:
        return self.chain.graph(self.made, data_type, self.indices, self.taken)

    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        return None

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        return self._graph(next(iter(inputs.values())).data_type)

    def constants(self, name: str, sizes: Sizes, data_type: str) -> Array | None:
        return self.chain.constants_of(self.made[name], data_type)

    def padding(self, data_type: str) -> np.generic | None:
        """The value of every constant, if they all have one."""
        values = [self.constants(name, (), data_type) for name in self.made]
        maps = [self.chain.maps[tensor] for tensor in self.made.values()]
        pairs = zip(values, maps, strict=True)
        used = [of[numbers < 0] for of, numbers in pairs if of is not None]
        line = distinct(*used) if used else np.zeros(0)
        return line[0] if line.size == 1 else None

    def formulas(self, inputs: Mapping[str, Array]) -> dict[str, tuple[Formula, ...]]:
        chain = self.chain
        if self.part == EVERY:
            return dict.fromkeys(self.made, ())
        if self.part == WHOLE:
            return dict(chain.formulas)
        formulas = chain.formulas_of(int(self.part))
        return {name: formulas[tensor] for name, tensor in self.made.items()}

    def moves(self, inputs: Mapping[str, Array]) -> Steps:
        moves = self._block_steps() or self._reasoned(inputs)
        call, words = self._call, _("{run}: {told}")
        if not call:
            return moves
        steps = (
            replace(step, caption=words.format(run=call, told=step.caption)) for step in moves.steps
        )
        return replace(moves, steps=tuple(steps))

    def _reasoned(self, inputs: Mapping[str, Array]) -> Steps:
        if self.part == EVERY:
            return outermost_steps(self.outputs_after({}))
        chain, whole = self.chain, self.part == WHOLE
        movement = chain.movement() if whole else chain.between(int(self.part))
        outputs = {
            name: movement.outputs[name if whole else tensor].source
            for name, tensor in self.made.items()
        }
        kind = data_type_of(next(iter(inputs.values())).dtype) if inputs else chain.data_type
        constants = {name: self.constants(name, (), kind) for name in outputs}
        return reasoned(movement.inputs, outputs, constants, calculated_by(self.formulas(inputs)))

    def _block_steps(self) -> Steps | None:
        """The steps of the operator between channels and blocks that does the same; or None."""
        if len(self.taken) != 1 or len(self.made) != 1 or self.part == EVERY:
            return None
        (name,), (made,) = self.taken, self.made.values()
        chain = self.chain
        whole = self.part == WHOLE
        source = chain.source(made) if whole else chain.between(int(self.part)).outputs[made].source
        trace = equal_block_operator(Map(chain.sizes[name], source))
        return None if trace is None else trace.moves

    @property
    def _call(self) -> str:
        operations = self.chain.operations
        if self.part not in (WHOLE, EVERY):
            operations = (operations[int(self.part)],)
        return calls_in_short(operations)

    def on_indices(self) -> Operator:
        return replace(self, indices=True)

    def rule_parts(self, inputs: Mapping[str, Array]) -> tuple[Part, ...]:
        """The tensors between, of a chain in which each call takes the tensor before it alone."""
        chain = self.chain
        if self.part != WHOLE or len(chain.inputs) != 1 or len(chain.operations) < 2:
            return ()
        data_type = data_type_of(next(iter(inputs.values())).dtype)
        parts: list[Part] = []
        before: Part | Sizes = next(iter(chain.inputs.values()))
        current = next(iter(chain.inputs))
        for number, operation in enumerate(chain.operations):
            if operation.inputs != (current,) or len(operation.outputs) != 1:
                return ()
            (name,) = operation.outputs
            sizes = chain.sizes[name]
            movement = chain.between(number)
            part = Part(
                operation.text,
                part_reason(chain, number, movement),
                sizes,
                before,
                _taking(movement.outputs[name].source),
                chain.constants_of(name, data_type),
            )
            parts.append(part)
            before, current = part, name
        return tuple(parts)

    @property
    def shows_parts_first(self) -> bool:
        # a reshape moves nothing that is seen from the first tensor to the last
        return True

    @classmethod
    def rule_parts_title(cls) -> str:
        return _("Call by call")


@dataclass(frozen=True)
class ConvolutionOperator(CodeOperator):
    """A call of a chain that computes: its windows move into columns, its result is new."""

    drawn_in_part: ClassVar[bool] = False
    first_index: ClassVar[int] = Unfold.first_index
    """The columns have zeros where a window reaches over the edge."""

    @property
    def convolution(self) -> Convolution:
        """How its windows slide."""
        return Convolution.of_node(self._node)

    @property
    def _node(self) -> Node:
        (node,) = (n for n in self.chain.operations[int(self.part)].nodes if n.op_type == CONV)
        return node

    @property
    def operands(self) -> tuple[str, ...]:
        """The chain's names of its input and its weights."""
        return tuple(str(item) for item in self._node.inputs)

    @property
    def taken(self) -> tuple[str, ...]:
        """What the stage calls its input and its weights."""
        usual = ("input", "weight")
        x, weights = (
            name if name in self.chain.sizes and name not in self.chain.constants else other
            for name, other in zip(self.operands, usual, strict=True)
        )
        # two slots need two names
        return x, f"{weights} " if weights == x else weights

    @property
    def made(self) -> Mapping[str, str]:
        """What the stage calls its columns and its result, and the chain's result."""
        result = self._node.outputs[0]
        called = self.chain.called(result)
        columns = next(n for n in (COLUMNS, f"{COLUMNS}_") if n not in (*self.taken, called))
        return {columns: result, called: result}

    def titles(self) -> dict[str, str]:
        columns, _result = self.made
        return super().titles() | {columns: _("Columns")}

    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        wrong = sorted({kind for kind in types.values() if kind != "FLOAT32"})
        return [
            Problem(
                "data_type",
                _("data_type: a convolution is computed in FLOAT32 here, not in {kind}.").format(
                    kind=kind
                ),
                self.structure,
            )
            for kind in wrong
        ]

    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        columns, result = self.made
        made = self.convolution.unfold.output_sizes(self.chain.sizes[self.operands[0]])
        return {columns: made, result: self.chain.sizes[self._node.outputs[0]]}

    def evaluate(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        graph = self.lowered_graph(descs_of(inputs))
        return run_graph(graph, inputs, tuple(self.made))

    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        x, weights = self.taken
        columns, result = self.outputs_after({})
        sizes = self.outputs_after({})[result]
        names = (x, weights, columns, result)
        return self.convolution.graph(names, inputs[x], sizes, self.indices)

    def constants(self, name: str, sizes: Sizes, data_type: str) -> Array | None:
        if name in self.computed_slots():
            return None
        return np.zeros(sizes, DATA_TYPES[data_type].dtype)

    def padding(self, data_type: str) -> np.generic | None:
        zero: np.generic = DATA_TYPES[data_type].dtype.type(0)
        return zero

    def computed(
        self, name: str, inputs: Mapping[str, Array], copies: Mapping[str, Array]
    ) -> Array:
        (columns,) = copies.values()
        return added(columns, inputs[self.taken[1]], self.outputs_after({})[name])

    def calculations(self, name: str, inputs: Mapping[str, Array]) -> Iterator[str]:
        x, weights = inputs.values()
        return calculated(self.convolution.columns(x), weights)

    def formulas(self, inputs: Mapping[str, Array]) -> dict[str, tuple[Formula, ...]]:
        columns, result = self.made
        x = self.convolution.unfold
        (formulas,) = x.formulas({Unfold.first_input(): inputs[self.taken[0]]}).values()
        named = tuple(replace(f, output=columns, tensor=self.taken[0]) for f in formulas)
        return {columns: named, result: ()}

    def moves(self, inputs: Mapping[str, Array]) -> Steps:
        x, weights = inputs.values()
        return self.convolution.steps(list(self.made)[1], x, weights)


def _taking(source: Array) -> Callable[[Array], Array]:
    return lambda tensor: np.where(source < 0, -1, tensor.ravel()[source])


def operator_of(
    chain: Chain,
    part: str = WHOLE,
    shows_indices: bool = False,
    beside: Mapping[str, Array] = MappingProxyType({}),
) -> CodeOperator:
    """A chain, or one of its operations, as an operator.

    Args:
        chain: the chain.
        part: :data:`WHOLE`, :data:`EVERY`, or the number of an operation.
        shows_indices: whether index tensors and masks of the code are inputs, too.
        beside: those of two codes that are compared, by name.
    """
    sizes = {**chain.inputs, **{name: array.shape for name, array in chain.controls.items()}}
    ordered = tuple((name, sizes[name]) for name in chain.order)
    arrays = tuple((name, values_of(array)) for name, array in chain.arrays.items())
    computes = part.isdecimal() and chain.operations[int(part)].computes
    kind = ConvolutionOperator if computes else CodeOperator
    shown = shows_indices and not computes
    together = tuple((name, values_of(array)) for name, array in beside.items())
    whole = (chain.text, chain.library, ordered, arrays)
    last = chain.data_type, tuple(chain.numbers.items())
    return with_slots(kind, chain, *whole, part, False, shown, together, *last)


def rebuilt(**settings: Any) -> CodeOperator:
    """The operator with these settings, as JSON has them: for another process."""
    plain = CodeOperator(**settings)
    made = operator_of(plain.chain, plain.part, plain.shows_indices, _arrays(plain.together))
    return type(made)(**settings)


def with_slots(
    kind: type[CodeOperator], chain: Chain | None, *settings: Any, **named: Any
) -> CodeOperator:
    """The operator with these settings, and with its tensors as slots.

    Args:
        kind: its class without slots.
        chain: that the settings describe; None to read it.
        settings, named: its attributes.
    """
    plain = kind(*settings, **named)
    if chain is not None:
        vars(plain)["chain"] = chain
    cls = _class(kind, plain.taken, tuple(plain.made), tuple(plain.choosing.tensors))
    made = cls(*settings, **named)
    vars(made)["chain"] = plain.chain
    return made


def values_of(array: Array) -> Values:
    """An array as JSON has it."""
    return array.dtype.name, array.shape, tuple(array.ravel().tolist())


def array_of(values: Values) -> Array:
    """The array that :func:`values_of` described."""
    kind, sizes, items = values
    return np.asarray(items, kind).reshape(sizes)


def _arrays(named: Iterable[tuple[str, Values]]) -> dict[str, Array]:
    return {name: array_of(values) for name, values in named}


@lru_cache(maxsize=256)
def _class(
    kind: type[CodeOperator],
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    choosing: tuple[str, ...],
) -> type[CodeOperator]:
    """The operator with these tensors: slots belong to classes."""
    computes = kind is ConvolutionOperator
    # of a call that computes: what its windows are multiplied with, and the sums
    last_input, last_output = (CONTROL, COMPUTED) if computes else (VALUES, VALUES)

    class Code(kind):  # type: ignore[valid-type, misc]
        input_slots = (
            *(Slot(n, last_input if k else VALUES) for k, n in enumerate(inputs)),
            *(Slot(n, CONTROL) for n in choosing),
        )
        output_slots = tuple(Slot(n, last_output if k else VALUES) for k, n in enumerate(outputs))

        @classmethod
        def role(cls, name: str) -> str:
            return next(slot.role for slot in cls.input_slots if slot.name == name)

    return Code


@cached(megabytes=0.5)
def _chain(
    text: str,
    library: str,
    sizes: tuple[tuple[str, Sizes], ...],
    arrays: tuple[tuple[str, Values], ...],
    data_type: str,
    numbers: tuple[tuple[str, int], ...],
) -> Chain:
    return read(text, dict(sizes), _arrays(arrays), library, data_type, dict(numbers))


@dataclass(frozen=True)
class IndexTensors:
    """What chooses the elements of outputs, as their formulas look it up.

    Attributes:
        tensors: each index tensor or mask as the code says it, by name; of a mask, 1 or 0. One
            without dimensions has a single one.
        drivers: for each output, the first cell that chose an element, or -1, counted through all
            tensors; int64, of the output's sizes.
        length: how many cells choose an element together.
        apart: how far they are from each other, in cells.
    """

    tensors: Mapping[str, Array]
    drivers: Mapping[str, Array]
    length: int = 1
    apart: int = 1


def index_tensors(
    formulas: Formulas,
    sizes: Mapping[str, Sizes],
    whole_type: type[np.signedinteger[Any]],
    beside: Mapping[str, Array],
) -> IndexTensors:
    """The index tensors that formulas look up.

    Args:
        formulas: of each output, by name; one holds for each element.
        sizes: of each output.
        whole_type: of a list of whole numbers in the library.
        beside: those that are drawn already, of code that this is compared with, by name; one
            that is equal is not drawn twice, and another one of its name is that of B.
    """
    tensors: dict[str, Array] = dict(beside)
    called: dict[str, str] = {}
    for formula in (one for each in formulas.values() for one in each):
        for name, array in formula.written.values():
            whole = array.astype(np.uint8 if array.dtype == bool else whole_type)
            drawn = name not in beside or np.array_equal(beside[name], whole)
            called[name] = name if drawn else f"B.{name}"
            tensors[called[name]] = whole
    starts = np.cumsum([0, *(array.size for array in tensors.values())]).tolist()
    numbered = dict(zip(tensors, starts, strict=False))
    first = {name: numbered[new] for name, new in called.items()}
    cells = {name: _cells(formulas[name], of, first) for name, of in sizes.items()}
    drivers = {n: one[0] if one else np.full(sizes[n], -1, np.int64) for n, one in cells.items()}
    counts = {len(one) for one in cells.values()}
    if len(counts) == 1 and min(counts) > 1:
        length = min(counts)
        each = [np.array(one).reshape(length, -1) for one in cells.values()]
        chosen: Array = np.concatenate(each, axis=1)
        steps = distinct(np.diff(chosen, axis=0))
        if steps.size == 1 and steps[0] > 0 and (chosen >= 0).all():
            return IndexTensors(tensors, drivers, length, int(steps[0]))
    return IndexTensors(tensors, drivers)


def _cells(formulas: Sequence[Formula], sizes: Sizes, first: Mapping[str, int]) -> list[Array]:
    """The cells that choose each element of an output, one array for each that does, or -1.

    Args:
        formulas: one holds for each element.
        sizes: of the output.
        first: the number of the first cell of each index tensor.
    """
    grid = np.indices(sizes, sparse=True)
    rows: list[Array] = []
    for formula in formulas:
        holds = formula.holds_for_each(grid)
        whole = (*formula.source, *(each.value for each in formula.where))
        looks = dict.fromkeys(one for e in whole for one in _looks(e, formula))
        for k, one in enumerate(looks):
            if k == len(rows):
                rows.append(np.full(sizes, -1, np.int64))
            rows[k] = np.where(holds, _cell(one, formula, grid, first), rows[k])
    return rows


def _looks(expression: Expr, formula: Formula) -> Iterator[Expr]:
    """The parts of an expression that look up what the code says."""
    if expression.op == "look" and expression.args[0] in formula.written:
        yield expression
    for arg in expression.args:
        if isinstance(arg, Expr):
            yield from _looks(arg, formula)


def _cell(one: Expr, formula: Formula, grid: Sequence[Any], first: Mapping[str, int]) -> Any:
    """The number of the cell that is looked up for each element."""
    table_name = str(one.args[0])
    name, own = formula.written[table_name]
    table = formula.tables[table_name]
    at = [arg.on(grid, formula.tables) for arg in one.args if isinstance(arg, Expr)]
    inner = [np.clip(i, 0, n - 1) for i, n in zip(at, table.shape, strict=True)]
    if table_name.startswith(POSITION):
        position, axis = table[tuple(inner)], position_axis(table_name)
        number = np.ravel_multi_index(
            np.broadcast_arrays(*inner[:axis], np.maximum(position, 0), *inner[axis + 1 :]),
            own.shape,
        )
        return np.where(position < 0, -1, first[name] + number)
    if table_name != name:
        # of a mask, the cells for which it holds are looked up in their order
        return first[name] + np.flatnonzero(own)[inner[0]]
    return first[name] + np.ravel_multi_index(np.broadcast_arrays(*inner), table.shape)


def remark(driver: int, of: IndexTensors) -> str:
    """What the cells say that choose an element, such as ``idx[1, 1] = 0``; empty if none does.

    Args:
        driver: the first of them, as in :attr:`IndexTensors.drivers`.
        of: the index tensors.
    """
    if driver < 0:
        return ""
    texts = []
    for cell in range(driver, driver + of.length * of.apart, of.apart):
        start = 0
        for name, array in of.tensors.items():
            if start <= cell < start + array.size:
                at = tuple(int(i) for i in np.unravel_index(cell - start, array.shape))
                value = bool(array[at]) if array.dtype == np.uint8 else array[at]
                texts.append(f"{print_element(name, at)} = {value}")
            start += array.size
    return ", ".join(texts)


def whole_chain(operator: Operator) -> Chain | None:
    """What code describes from its inputs to its outputs; None of one call and of operators."""
    if isinstance(operator, CodeOperator) and operator.part == WHOLE:
        return operator.chain
    return None
