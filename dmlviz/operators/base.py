"""What every operator says about itself; everything else in the project asks only this."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from operator import index as as_int
from types import MappingProxyType
from typing import Any, ClassVar, Self, cast, overload

import numpy as np

from dmlviz.errors import Problem, Refused
from dmlviz.operators.code.base import Snippet
from dmlviz.operators.examples import Example
from dmlviz.operators.explaining import explained, misreadings_of
from dmlviz.operators.feature_levels import Support
from dmlviz.operators.formulas import Beyond, Formula
from dmlviz.operators.graphs import Graph
from dmlviz.operators.index_outputs import IndexOutputs
from dmlviz.operators.misreadings import Misreading
from dmlviz.operators.older import OlderForm
from dmlviz.operators.problems import problems_of
from dmlviz.operators.settings import Dice, Setting
from dmlviz.operators.slots import INPUT, VALUES, BufferDesc, Slot, TensorDesc, by_name
from dmlviz.operators.steps import Part, Steps
from dmlviz.operators.teaching import Teaching
from dmlviz.tensors import data_type_of
from dmlviz.words import _

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]
Tensors = Mapping[str, Array]
"""Tensors by DirectML's names, in the structure's order."""
Draw = Callable[[tuple[int, ...]], Array]
"""Something that fills a tensor of given sizes with a picture."""


@dataclass(frozen=True)
class Operator(IndexOutputs, ABC):
    """A frozen description of what to do, with DirectML's field names.

    A new operator is one subclass; pages, engines, stage and tests take everything from these.
    """

    key: ClassVar[str]
    """Its address in the app and its name on the command line, such as ``depth-to-space``."""
    place: ClassVar[int]
    """Where it stands among the pages: smaller numbers first."""
    operator_type: ClassVar[str]
    """DirectML's ``DML_OPERATOR_TYPE``."""
    structure: ClassVar[str]
    """DirectML's ``..._OPERATOR_DESC``."""
    members: ClassVar[tuple[str, ...]]
    """The structure's members beside its tensors, as DirectML.h orders them."""
    member_types: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The C++ types of members that no setting tells, such as ``DML_SCALAR_UNION``."""
    support: ClassVar[tuple[Support, ...]]
    """The "Tensor support" section of its page, oldest feature level first."""
    unlisted_types: ClassVar[tuple[str, ...]] = ()
    """Data types that DirectML 1.15.4 runs although the page lists them at no level."""
    free_tensors: ClassVar[tuple[str, ...]] = ()
    """Tensors that its description tells of: outputs whose sizes are free, inputs with strides."""
    older_forms: ClassVar[tuple[OlderForm, ...]] = ()
    """DirectML's older structures that this operator includes."""
    input_slots: ClassVar[tuple[Slot, ...]] = INPUT
    """Its input tensors, in the structure's order; one whose elements travel comes first."""
    tensor_order: ClassVar[tuple[str, ...]] = ()
    """The slots' names as the structure orders them, where that is another order than
    ``input_slots``, then ``output_slots``."""
    unasked: ClassVar[tuple[str, ...]] = ()
    """Kinds of :data:`dmlviz.questions.KINDS` that cannot be asked about it: ``setting`` where its
    tensors go with one setting alone."""
    first_index: ClassVar[int] = 0
    """The number of the first element in the run on indices: 1 where the operator writes a
    constant 0 that cannot be set, so that it is told from an element."""

    @property
    @abstractmethod
    def desc(self) -> dict[str, Any]:
        """DirectML's own fields; :func:`operator_from_desc` reads it back."""

    @classmethod
    @abstractmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        """The operator that DirectML's fields describe.

        Raises:
            Error: a field is missing, unknown or not of its type.
        """

    @property
    @abstractmethod
    def documented(self) -> dict[str, Any]:
        """The fields that a documentation example gives, in its order and spelling."""

    @classmethod
    @abstractmethod
    def parameters(cls) -> tuple[Setting, ...]:
        """Its settings, as the page offers them."""

    @classmethod
    @abstractmethod
    def examples(cls) -> tuple[Example, ...]:
        """The examples of DirectML's documentation, the page's first state foremost."""

    @abstractmethod
    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        """What the operator's own rules refuse, the sizes being possible ones."""

    @abstractmethod
    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        """The sizes of every output by name, where nothing is refused."""

    @abstractmethod
    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        """How each size of each output is worked out, such as ``2 · 3 = 6``."""

    @abstractmethod
    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        """Every output by name in NumPy's idiom, for inputs that nothing refuses."""

    @abstractmethod
    def moves(self, inputs: Tensors) -> Steps:
        """The moves in which the stage shows it; the elements of all outputs one after another."""

    @abstractmethod
    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        """For each output its formulas, of which one holds for each element; there may be none."""

    @abstractmethod
    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        """The operator as ONNX models write it; None where ONNX has no such operator or mode."""

    @abstractmethod
    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        """The same in ONNX's plainest operators, exact for every type and bit."""

    @abstractmethod
    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        """Code of the same operation, one piece per dialect of ``code.base.DIALECTS``.

        Raises:
            Refused: the operator cannot take inputs of these sizes and types.
        """

    def output_descs(self, inputs: Mapping[str, TensorDesc]) -> dict[str, TensorDesc]:
        """Sizes and data type of every output, where nothing is refused: those of the values."""
        sizes = self.outputs_after({name: desc.sizes for name, desc in inputs.items()})
        values = next(desc for name, desc in inputs.items() if self.role(name) == VALUES)
        return {
            name: TensorDesc(out, self.output_type(name, values.data_type))
            for name, out in sizes.items()
        }

    @classmethod
    def named_inputs(cls, given: Any, field: str = "sizes") -> dict[str, Any]:
        """What is given for each input, by name and in order.

        Args:
            given: a mapping by DirectML's names, or what belongs to the only input.
            field: what a message calls it.

        Raises:
            Error: an input is missing, or there is no such input.
        """
        return by_name(cls.input_slots, given, field)

    @classmethod
    def role(cls, name: str) -> str:
        """Whether the input of that name holds ``values`` or ``control``."""
        return next(s.role for s in cls.input_slots if s.name == name.partition("[")[0])

    @property
    def buffers(self) -> Mapping[str, BufferDesc]:
        """Of inputs whose arrays are memory what DirectML is told of the tensors there, by name."""
        return {}

    def refusals(
        self, inputs: Mapping[str, Array], feature_level: str | None = None
    ) -> list[Problem]:
        """Why it cannot run on these tensors; empty where it can."""
        found = self.problems(
            {name: array.shape for name, array in inputs.items()},
            {name: data_type_of(array.dtype) for name, array in inputs.items()},
            feature_level,
        )
        return found or self.control_problems(inputs)

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        """What is wrong with what the tensors hold, their sizes and types being right."""
        return []

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """For outputs whose elements a control tensor chose: see :class:`dmlviz.trace.Trace`."""
        return {}

    def output_type(self, name: str, data_type: str) -> str:
        """The data type of the output of that name, where the values have ``data_type``."""
        return data_type

    @classmethod
    def values_type(cls, inputs: Mapping[str, Array]) -> str:
        """The data type of the elements that travel."""
        return next(data_type_of(a.dtype) for name, a in inputs.items() if cls.role(name) == VALUES)

    @classmethod
    def teaching(cls) -> Teaching:
        """How it is named and taught: the module ``teaching`` beside its own."""
        return cast(Teaching, import_module(f"{cls.__module__.rpartition('.')[0]}.teaching"))

    @classmethod
    def ranks_ever(cls) -> tuple[int, ...]:
        """The ranks that the newest feature level takes."""
        return cls.support[-1].ranks

    def level_rules(self, level: str) -> list[Problem]:
        """What a feature level refuses in the settings themselves, beyond the table."""
        return []

    def on_indices(self) -> Operator:
        """The operator to run on a tensor of indices: padding values become -1."""
        return self

    @classmethod
    def fitted(cls, values: Mapping[str, Any], sizes: Sizes, before: Sizes) -> dict[str, Any]:
        """Settings for an input of other sizes.

        Args:
            values: what was set, by name; some may be missing.
            sizes: of the input now.
            before: the sizes that the values were set for.
        """
        return {
            setting.name: setting.fitted(values[setting.name], sizes, before)
            for setting in cls.parameters()
            if setting.name in values
        }

    def beside(self, sizes: Sizes, dice: Dice) -> dict[str, Array]:
        """Further inputs to ask about, by name: what goes with a first input of these sizes.

        Of a ``values`` input only the sizes count, of a ``control`` input every element.

        Args:
            sizes: of the first input.
            dice: what draws.
        """
        return {}

    def alternative(self) -> Operator:
        """The same with one setting changed: the one that people mix up with this."""
        return self

    def padding(self, data_type: str) -> np.generic | None:
        """The value of elements without a source, in the tensor's type; None if there are none."""
        return None

    def picture_input(self, sizes: tuple[int, ...], draw: Draw) -> Array:
        """An input of ``sizes`` in which a picture is best seen to move."""
        return draw(sizes)

    def problems(
        self,
        sizes: Sequence[int] | Mapping[str, Sequence[int]],
        data_type: str | Mapping[str, str] | None,
        feature_level: str | None = None,
    ) -> list[Problem]:
        """Why the operator cannot run on such inputs; empty where it can.

        Args:
            sizes: of the input, or of each input by DirectML's name; rank 1 to 8, each size 1 to
                4,294,967,295.
            data_type: one of DirectML's 11 for the elements that travel, or one for each input by
                name; None leaves types unchecked.
            feature_level: ``"5_0"`` or ``"DML_FEATURE_LEVEL_5_0"``; None asks only what
                DirectML itself refuses at its newest level.

        The rules are those of the operator's page at learn.microsoft.com and of DirectML 1.15.4.
        """
        return problems_of(self, sizes, data_type, feature_level)

    @classmethod
    def named_types(
        cls, inputs: Mapping[str, Any], data_type: str | Mapping[str, str] | None
    ) -> dict[str, str]:
        """The data types that are given, by the inputs' names."""
        if isinstance(data_type, Mapping):
            return {name: data_type[name] for name in inputs if name in data_type}
        if data_type is None:
            return {}
        return {name: data_type for name in inputs if cls.role(name) == VALUES}

    @classmethod
    def is_first(cls, name: str) -> bool:
        """Whether this is the input whose sizes and type are called just that in messages."""
        return name == cls.input_slots[0].names()[0]

    @overload
    def output_sizes(self, sizes: Sequence[int]) -> tuple[int, ...]: ...

    @overload
    def output_sizes(self, sizes: Mapping[str, Sequence[int]]) -> Any: ...

    def output_sizes(self, sizes: Sequence[int] | Mapping[str, Sequence[int]]) -> Any:
        """The sizes of the output for inputs of ``sizes``; by name where there are several outputs.

        Args:
            sizes: of the input, or of each input by DirectML's name.

        Raises:
            Refused: the operator cannot take inputs of these sizes.
        """
        found = self.problems(sizes, None)
        if found:
            raise Refused(found)
        named = self.named_inputs(sizes)
        checked = {name: tuple(as_int(n) for n in given) for name, given in named.items()}
        outputs = self.outputs_after(checked)
        if any(slot.most for slot in self.output_slots) or len(outputs) > 1:
            return outputs
        return next(iter(outputs.values()))

    def explain(self, given: Any, index: Sequence[int], output: str = "") -> str:
        """Where the output element at ``index`` comes from: the rule, then its own numbers.

        Args:
            given: the inputs by name; for an operator of one input its sizes are enough.
            index: of the element.
            output: the output's name, where there are several.

        Raises:
            Refused: the operator cannot take such inputs.
            Error: there is no output element at ``index``.
        """
        return explained(self, self.tensors(given), index, output)

    def tensors(self, given: Any) -> Tensors:
        """Inputs by name: as they are, or of the right sizes only, for an operator of one input."""
        if isinstance(given, Mapping):
            return self.named_inputs(given, "x")
        found = self.problems(given, None)
        if found:
            raise Refused(found)
        return self.named_inputs(np.broadcast_to(np.int64(0), tuple(given)), "x")

    def misreadings(self, given: Any) -> tuple[Misreading, ...]:
        """How people misread this for such inputs; only what differs from the truth.

        Args:
            given: the inputs by name; for an operator of one input its sizes are enough.

        Raises:
            Refused: the operator cannot take such inputs.
            TooLarge: input or output has more than 65,536 elements; nothing was allocated.
        """
        return misreadings_of(self, self.tensors(given))

    def beyond(self, sizes: tuple[int, ...]) -> tuple[Beyond, ...]:
        """What can be said of elements that lie beyond the only input, per dimension."""
        return ()

    def remarks(self, inputs: Tensors, index: Sequence[int]) -> list[str]:
        """Sentences that belong to one element, after its formula."""
        first = next(iter(inputs.values()))
        sentences = [rule.sentence(index[rule.dimension]) for rule in self.beyond(first.shape)]
        return [sentence for sentence in sentences if sentence]

    def rule_parts(self, inputs: Tensors) -> tuple[Part, ...]:
        """The parts of the NumPy rule, where it has several that are worth seeing."""
        return ()

    @classmethod
    def rule_parts_title(cls) -> str:
        """What to call the view of :meth:`rule_parts`."""
        return _("Part by part")

    def with_output_sizes(self, outputs: Mapping[str, tuple[int, ...]]) -> Operator:
        """The same with outputs of these sizes, where they are free and possible; else itself."""
        return self

    @property
    def settings(self) -> dict[str, Any]:
        """The Python names and their values."""
        return {f.name: getattr(self, f.name) for f in fields(self)}
