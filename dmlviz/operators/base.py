"""The interface of every operator; the rest of the project uses only this."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from operator import index as as_int
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Refused
from dmlviz.base.words import _
from dmlviz.movement import INDEX, VALUES
from dmlviz.movement.formulas import Beyond, Formula, Lettered
from dmlviz.movement.graphs import Graph
from dmlviz.movement.steps import Part, Steps
from dmlviz.operators.calculations import Calculation, size_alone
from dmlviz.operators.code.base import Case, NamedTensor, Snippet
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.declaration import Checked
from dmlviz.operators.misreadings import MISREADING_LIMIT, Candidate, Misreading, distinct
from dmlviz.operators.settings import Dice
from dmlviz.operators.slots import Slot, TensorDesc
from dmlviz.tensors import check_element_count, print_sizes
from dmlviz.tensors.numbering import differing_elements, sizes_by_name
from dmlviz.tensors.types import Array, Sizes, Tensors

Draw = Callable[[tuple[int, ...]], Array]
"""A function that fills a tensor of given sizes with a picture."""
T = TypeVar("T")

__all__ = ["Array", "Draw", "Example", "Numbered", "Operator", "Sizes", "Tensors"]

_MOST_TRIED = 8


@dataclass(frozen=True)
class Operator(Checked, Lettered):
    """A frozen description of an operation, with DirectML's field names.

    A new operator is one subclass in a module, and a TOML file of the same name beside it; pages,
    engines, stage and tests take everything from them. Its settings are dataclass fields made by
    :func:`dmlviz.operators.settings.setting`. What follows from them is derived here; an
    operator overrides it where its structure differs.
    """

    remarks_indices: ClassVar[bool] = False
    """Whether it remarks on elements that have a formula, too."""

    pads: ClassVar[bool] = True
    """Whether an element without a source is a padding value, not a constant that code says."""
    drawn_in_part: ClassVar[bool] = False
    """Whether an excerpt of a run is drawn where it has too many elements."""
    maker: ClassVar[str] = ""
    """The function that makes it of its settings in another process, as ``module:name``, if it is
    not one of the list of operators."""
    unasked: ClassVar[tuple[str, ...]] = ()
    """Kinds of :func:`dmlviz.teaching.worksheets.titles_of_kinds` that do not suit it: ``setting``
    if its tensors fit only one setting."""
    same_sizes: ClassVar[tuple[str, ...]] = ()
    """Settings that never change the sizes of outputs: questions about sizes omit them."""
    first_index: ClassVar[int] = 0
    """The number of the first element in the run on indices: 1 where the operator writes a
    constant 0 that is not a setting, to tell that 0 from an element."""

    # ---- the rule

    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[Calculation, ...]]:
        """The calculation of each size of each output."""
        after = self.outputs_after(sizes).items()
        return {name: tuple(map(size_alone, out)) for name, out in after}

    def size_rule(self) -> str:
        """How the sizes of the output are rounded, for questions about them; empty if never."""
        return ""

    def for_beginners(self) -> Operator:
        """The same with what its sentence cannot say set to the plainest, for small questions."""
        return self

    @abstractmethod
    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        """Every output by name, calculated with NumPy, for valid inputs."""

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """For outputs whose elements a control tensor chooses: see ``Trace.drivers``."""
        return {}

    def titles(self) -> dict[str, str]:
        """What is written above tensors of code, by name, where the name alone says too little."""
        return {}

    def driver_length(self, inputs: Mapping[str, Array]) -> int:
        """How many control elements choose an element together: 1, or a tuple's length.

        The first of them is the driver.
        """
        return 1

    def driver_apart(self, inputs: Mapping[str, Array]) -> int:
        """How far they are from each other, in cells."""
        return 1

    def on_indices(self) -> Operator:
        """The operator for the run on indices: padding values become -1."""
        return self

    def padding(self, data_type: str) -> np.generic | None:
        """The value of elements without a source, in the tensor's type; None if there are none."""
        return None

    def constants(self, name: str, sizes: Sizes, data_type: str) -> Array | None:
        """The value of each element without a source; None if there are none.

        Args:
            name: of the output.
            sizes: of the output.
            data_type: of its elements.

        Returns:
            Of the output's sizes and data type; it means nothing for an element with a source.
        """
        padding = self.padding(data_type)
        return None if padding is None else np.broadcast_to(padding, sizes)

    def ranking(self, inputs: Mapping[str, Array]) -> Array | None:
        """All elements that move, in ascending order, if their order decides where they go.

        The run on indices then takes numbers in this order, so that everything moves as
        the values do. Equal elements are in the order that the operator gives them.

        Returns:
            Flat indices through all ``values`` inputs; int64. None if values do not matter.
        """
        return None

    def index_values(self, name: str, sources: Array, inputs: Mapping[str, Array]) -> Array:
        """What an output of indices must hold.

        Args:
            name: the output's name.
            sources: of the elements that its indices refer to, as reported by an engine.
            inputs: by name.

        Returns:
            int64, of the output's sizes; -1 if no index can name the source.
        """
        raise NotImplementedError

    def computed(self, name: str, inputs: Tensors, copies: Mapping[str, Array]) -> Array:
        """What an output of new values must hold, calculated number by number.

        Args:
            name: the output's name.
            inputs: by name.
            copies: the other outputs by name, as an engine gave them.
        """
        raise NotImplementedError

    def calculations(self, name: str, inputs: Tensors) -> Iterator[str]:
        """How each element of an output of new values is calculated, with its numbers, in order.

        Args:
            name: the output's name.
            inputs: by name.
        """
        raise NotImplementedError

    def with_output_types(self, types: Mapping[str, str]) -> Self:
        """The same with outputs of these data types, if they are free and valid."""
        return self

    def output_descs(self, inputs: Mapping[str, TensorDesc]) -> dict[str, TensorDesc]:
        """Sizes and data type of every output, for valid inputs; the type is that of the values."""
        sizes = self.outputs_after({name: desc.sizes for name, desc in inputs.items()})
        types = (desc.data_type for name, desc in inputs.items() if self.role(name) == VALUES)
        data_type = next(types, "")
        return {
            name: TensorDesc(out, self.output_type(name, data_type)) for name, out in sizes.items()
        }

    def with_output_sizes(self, outputs: Mapping[str, tuple[int, ...]]) -> Operator:
        """The same with outputs of these sizes, if they are free and valid; otherwise itself."""
        return self

    # ---- examples, questions and moves

    @classmethod
    @abstractmethod
    def examples(cls) -> tuple[Example, ...]:
        """The examples of DirectML's documentation; the first is the page's first state."""

    def documented_example(self, x: Any, number: int | None = None, part: str = "") -> Example:
        """An example of :meth:`examples` with these settings.

        Args:
            x: its inputs, as :class:`Example` has them.
            number: its number on the operator's page; None for the only one.
            part: of the page, which has the example; by default its heading, ``Example 2``.
        """
        title = _("Documentation example")
        if number is not None:
            title = _("Documentation example {number}").format(number=number)
        return Example(title, self, x, f"{self.structure}, {part or f'Example {number}'}")

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        """Other inputs for a question, by name, that fit a first input of these sizes.

        For a ``values`` input, only the sizes matter; for a ``control`` input, every element does.

        Args:
            sizes: of the first input.
            dice: the random generator.
        """
        return {}

    def alternative(self) -> Operator:
        """The same operator with the one change that people most often confuse with it."""
        return self

    def picture_input(self, sizes: tuple[int, ...], draw: Draw) -> Array:
        """An input of ``sizes`` that shows best how a picture moves."""
        return draw(sizes)

    def picture_sizes(self, channels: int, height: int, width: int) -> tuple[int, ...]:
        """The sizes of an input that shows a picture of this size, or a little smaller."""
        return (1, channels, height, width)

    @abstractmethod
    def moves(self, inputs: Tensors) -> Steps:
        """The moves for the stage; the elements of all outputs are numbered one after another."""

    def rule_parts(self, inputs: Tensors) -> tuple[Part, ...]:
        """The parts of the NumPy rule, if it has several that are useful to show."""
        return ()

    @property
    def shows_parts_first(self) -> bool:
        """Whether a stage shows the moves part by part, until another view is chosen."""
        return False

    def rule_words(self, inputs: Tensors) -> str:
        """What no name says of the rule, with the numbers of the inputs; can be empty."""
        return ""

    def undecided(self, inputs: Tensors) -> bool:
        """Whether DirectML leaves open what some element of the output holds, for these inputs."""
        return False

    @classmethod
    def rule_parts_title(cls) -> str:
        """The label of the view of :meth:`rule_parts`."""
        return _("Part by part")

    # ---- formula and remarks

    @abstractmethod
    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        """The formulas of each output, one of which holds for each element; can be empty."""

    def rule_lines(self, inputs: Tensors) -> list[str]:
        """The rule in letters where no formula gives the source; empty if formulas do."""
        return []

    def beyond(self, sizes: tuple[int, ...]) -> tuple[Beyond, ...]:
        """Descriptions of elements that are outside the only input, per dimension."""
        return ()

    def remarks(self, inputs: Tensors, index: Sequence[int]) -> list[str]:
        """Sentences about one element, after its formula."""
        return next(self.remarks_at(inputs, [index]))

    def remarks_at(self, inputs: Tensors, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        """The sentences about each of these elements; what all need is calculated once."""
        rules = self.beyond(next(iter(inputs.values())).shape) if inputs else ()
        for index in indices:
            sentences = (rule.sentence(index[rule.dimension]) for rule in rules)
            yield [sentence for sentence in sentences if sentence]

    def explain(
        self,
        inputs: Any,
        index: Sequence[int],
        output: str = "",
        *,
        letters: bool = True,
        looked: bool = False,
    ) -> str:
        """Where the output element at ``index`` comes from: the rule, then its numbers in the rule.

        Args:
            inputs: by name; for an operator with one input, its sizes are enough, and nothing, (),
                for one without inputs.
            index: the element's index.
            output: the output's name, if there are several.
            letters: whether the rule itself is given before its numbers.
            looked: whether the elements of control tensors that the rule looks up are given.

        Raises:
            Refused: the operator cannot take such inputs.
            Error: there is no output element at ``index``.
        """
        tensors = self.tensors(inputs)
        outputs = self.outputs_after({name: array.shape for name, array in tensors.items()})
        name = output or next(iter(outputs))
        if name not in outputs:
            raise Error(
                _("output: there is no tensor {name}; the tensors are {names}.").format(
                    name=name, names=", ".join(outputs)
                ),
                "output",
            )
        sizes, at = outputs[name], tuple(as_int(i) for i in index)
        if len(at) != len(sizes) or not all(0 <= i < n for i, n in zip(at, sizes, strict=True)):
            raise Error(
                _("index: {index} is not an element of an output of sizes {sizes}.").format(
                    index=list(at), sizes=print_sizes(sizes)
                ),
                "index",
            )
        lines = []
        for formula in self.formulas(tensors)[name]:
            if formula.holds(at):
                lines += [formula.symbolic()] if letters else []
                lines += formula.looked(at) if looked else []
                lines.append(formula.numbers(at))
        return "\n".join([*lines, *self.remarks(tensors, at)])

    def tensors(self, inputs: Any) -> Tensors:
        """Inputs by name: as they are, or, for one input, an array of zeros of those sizes.

        Raises:
            Refused: the operator cannot take an input of those sizes.
        """
        if isinstance(inputs, Mapping):
            return self.named_inputs(inputs, "x")
        problems = self.problems(inputs, None)
        if problems:
            raise Refused(problems)
        if not self.input_slots:
            return {}
        return self.named_inputs(np.broadcast_to(np.int64(0), tuple(inputs)), "x")

    # ---- ONNX, and code in other dialects

    @abstractmethod
    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        """The operator as ONNX models write it; None if ONNX has no such operator or mode."""

    @abstractmethod
    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        """The same in ONNX's basic operators, exact for every type and bit."""

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        """Code for the same operation, one snippet for each library and for DirectML.

        Args:
            inputs: the tensors, by DirectML's names.

        Raises:
            Refused: the operator cannot take inputs of these sizes and types.
        """
        # the libraries are above: their forms of ONNX's nodes write it
        from dmlviz.code.dialects import snippets_of

        return snippets_of(self, inputs)

    def directml_code(self, case: Case) -> Snippet:
        """C++ that creates the operator."""
        signed = [s.label for s in self.declared.values() if s.signed]
        return directml_snippet(case, self.cpp_members(), self.directml_note(), signed)

    def onnx_code(self, case: Case, inputs: Mapping[str, TensorDesc]) -> Snippet:
        """Code that makes the graph and runs it; one whose constants are long calculates them."""
        graph = self.native_graph(inputs) or self.lowered_graph(inputs)
        return onnx_snippet(case, nodes_of(graph), graph.opset, note=self.onnx_note(case))

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        """Idioms in libraries, for inputs that the operator takes.

        Any other library writes the graphs above, see :mod:`dmlviz.code.dialects`.
        """
        return ()

    def directml_note(self) -> str:
        """A sentence about the structure for readers of the C++; empty if there is none."""
        return ""

    def onnx_note(self, case: Case) -> str:
        """A sentence if ONNX differs; empty if it does not."""
        return ""

    def index_limit(self, inputs: Mapping[str, TensorDesc]) -> int:
        """What the elements of a control tensor stay below, for valid inputs; 0 without one."""
        return 0

    def cpp_members(self) -> dict[str, str | Sequence[float]]:
        """The structure's members other than tensors, as C++ writes them: arrays as numbers."""
        written: dict[str, str | Sequence[float]] = {}
        for name, setting in self.declared.items():
            value = getattr(self, name)
            if setting.tensor:
                continue
            if setting.ranked and self.counting and self.counting not in written:
                written[self.counting] = str(len(value))
            written[setting.label] = value if setting.ranked else setting.cpp(value)
        return written

    def case(self, inputs: Mapping[str, TensorDesc]) -> Case:
        """What code in any dialect needs to know of the tensors: only these numbers reach code.

        Args:
            inputs: by name.

        Raises:
            Refused: the operator cannot take such inputs.
        """
        problems = self.problems(
            {name: desc.sizes for name, desc in inputs.items()},
            {name: desc.data_type for name, desc in inputs.items()},
        )
        if problems:
            raise Refused(problems)
        checked = {
            name: TensorDesc(tuple(as_int(n) for n in desc.sizes), desc.data_type, desc.values)
            for name, desc in inputs.items()
        }
        buffers, below = self.buffers, self.index_limit(checked)
        tensors = tuple(
            NamedTensor(
                name,
                desc.sizes,
                desc.data_type,
                0 if self.role(name) == VALUES else below,
                buffers.get(name),
                desc.values,
            )
            for name, desc in checked.items()
        )
        outputs = tuple(
            NamedTensor(name, desc.sizes, desc.data_type)
            for name, desc in self.output_descs(checked).items()
        )
        npz = f"{self.key}.npz"
        return Case(self.structure, self.operator_type, tensors, outputs, self.tensor_order, npz)

    # ---- misreadings, and the run on indices that they share with engines

    def misread(self, inputs: Any) -> Iterable[Candidate]:
        """Plausible wrong outputs, for valid tensors of indices.

        Args:
            inputs: the tensor of an operator that has one; those of others by name: ``values``
                numbered one tensor after the other, ``control`` unchanged.
        """
        return ()

    def misreadings(self, inputs: Any) -> tuple[Misreading, ...]:
        """Common misreadings for such inputs; only those that differ from the correct result.

        Args:
            inputs: by name; for an operator with one input, its sizes are enough.

        Raises:
            Refused: the operator cannot take such inputs.
            TooLarge: input or output has more than 65,536 elements; nothing was allocated.
        """
        tensors = self.tensors(inputs)
        outputs = self.outputs_after({name: array.shape for name, array in tensors.items()})
        for array in tensors.values():
            check_element_count(array.shape, MISREADING_LIMIT, "sizes")
        for sizes in outputs.values():
            check_element_count(sizes, MISREADING_LIMIT, "output_sizes")
        numbered = self.numbered(tensors)
        answer = self.on_indices().evaluate(numbered.inputs)
        truth = answer if _several(self.output_slots) else next(iter(answer.values()))
        several = _several(self.input_slots)
        indices = numbered.inputs if several else next(iter(numbered.inputs.values()), None)
        candidates = self.misread(indices)
        sources = ((key, words, self._sources(numbered, wrong)) for key, words, wrong in candidates)
        return distinct(self._sources(numbered, truth), sources)

    def _sources(self, numbered: Numbered, answer: Any) -> Any:
        """The elements that an output of numbers comes from, by name if there can be several."""
        if not isinstance(answer, Mapping):
            return numbered.source(answer)
        indices = self.index_slots()
        copies = {name: array for name, array in answer.items() if name not in indices}
        return self.with_indices({name: numbered.source(array) for name, array in copies.items()})

    def numbered(self, inputs: Tensors, dtype: Any = np.int64) -> Numbered:
        """The inputs of a run on indices.

        Args:
            inputs: by name; they are valid.
            dtype: of the numbers; it holds all of them.
        """
        order, first = self.ranking(inputs), self.first_index
        values = {name: array for name, array in inputs.items() if self.role(name) == VALUES}
        count = sum(array.size for array in values.values())
        line = np.arange(first, first + count, dtype=dtype)
        if order is not None:
            line[order] = line.copy()
        numbers, start = dict(inputs), 0
        for name, array in values.items():
            numbers[name] = line[start : start + array.size].reshape(array.shape)
            start += array.size
        return Numbered(numbers, first, order)

    def with_indices(self, copies: Mapping[str, T]) -> dict[str, T]:
        """The same for every output; an output of indices gets those of the elements it indexes.

        Args:
            copies: those of the outputs that hold copies, by name.
        """
        outputs: dict[str, T] = {}
        for slot in self.output_slots:
            if slot.role == INDEX:
                outputs[slot.name] = copies[slot.of]
            else:
                outputs |= {n: of for n, of in copies.items() if n.partition("[")[0] == slot.name}
        return outputs


def _several(slots: Sequence[Slot]) -> bool:
    """Whether there can be several tensors, identified by name."""
    return len(slots) > 1 or any(slot.most for slot in slots)


@dataclass(frozen=True, eq=False)
class Numbered:
    """Inputs whose elements are numbers, and the elements that the numbers refer to.

    Attributes:
        inputs: by name; ``control`` inputs are unchanged.
        first: the smallest number; smaller values do not refer to an element.
        order: for each number, from the first on, the flat index of its element; None if they
            are numbered in memory order.
    """

    inputs: dict[str, Array]
    first: int
    order: Array | None

    def source(self, numbers: Array) -> Array:
        """The flat indices of the elements with these numbers; below 0 if there is none; int64.

        Numbers beyond the last one give indices beyond all elements.
        """
        with np.errstate(invalid="ignore"):
            places: Array = numbers.astype(np.int64, copy=False)
        places = places - self.first if self.first else places
        if self.order is None:
            return np.asarray(places)
        inside = (places >= 0) & (places < self.order.size)
        return np.where(inside, self.order[np.where(inside, places, 0)], places)


@dataclass(frozen=True)
class Example:
    """A documentation example: an operator, its inputs, and its source.

    Attributes:
        title: a few words.
        operator: with the printed settings.
        x: the only input, an array; if there are several, a mapping by DirectML's names; None if
            there are none.
        source: the page and the example's name.
    """

    title: str
    operator: Operator
    x: Any
    source: str

    @property
    def inputs(self) -> Mapping[str, Array]:
        """Every input by name, in the structure's order."""
        return self.operator.named_inputs(self.x, "x")


def alternative_on(operator: Operator, inputs: Tensors) -> Operator:
    """The operator's alternative, or the next setting that gives another output.

    Args:
        operator: to compare.
        inputs: every input by name.

    Returns:
        One that gives the same output if all nearby ones do; the operator itself if these
        inputs allow no other setting; its alternative, whatever that is, if the inputs are
        refused anyway.
    """
    if operator.refusals(inputs):
        return operator.alternative()
    tried = _settings(operator, next((x.shape for x in inputs.values()), ()))
    possible = (o for o in tried if o != operator and not o.refusals(inputs))
    allowed = list(islice(possible, _MOST_TRIED))
    before = operator.evaluate(inputs)
    others = (o for o in allowed if _differ(before, o.evaluate(inputs)))
    return next(others, allowed[0] if allowed else operator)


def _differ(a: Tensors, b: Tensors) -> bool:
    return sizes_by_name(a) != sizes_by_name(b) or bool(differing_elements(a, b))


def _settings(operator: Operator, sizes: tuple[int, ...]) -> Iterator[Operator]:
    yield operator.alternative()
    for setting in operator.declared.values():
        # settings with a number for each dimension have too many neighbors
        if not setting.ranked:
            for value in setting.nearby(getattr(operator, setting.name), sizes):
                yield replace(operator, **{setting.name: value})
