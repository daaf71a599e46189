"""The interface of every operator; the rest of the project uses only this."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, replace
from importlib import import_module
from operator import index as as_int
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self, cast, overload

import numpy as np

from dmlviz.errors import Problem, Refused
from dmlviz.movement.formulas import Beyond, Formula, Lettered
from dmlviz.movement.graphs import Graph
from dmlviz.movement.steps import Part, Steps
from dmlviz.operators.checks import agreeing_count, desc_fields, tensor_sizes, tensor_type
from dmlviz.operators.code.base import Case, Snippet
from dmlviz.operators.code.case import case_of
from dmlviz.operators.code.directml import directml_snippet
from dmlviz.operators.code.onnx import nodes_of, onnx_snippet
from dmlviz.operators.examples import Example
from dmlviz.operators.explaining import explained, misreadings_of, tensors_of
from dmlviz.operators.feature_levels import Support
from dmlviz.operators.index_outputs import IndexOutputs
from dmlviz.operators.misreadings import Candidate, Misreading
from dmlviz.operators.older import Described, OlderForm
from dmlviz.operators.problems import problems_of
from dmlviz.operators.settings import Dice, Setting
from dmlviz.operators.slots import INPUT, VALUES, BufferDesc, Slot, TensorDesc, by_name
from dmlviz.operators.teaching import DeclaredTeaching, Teaching
from dmlviz.operators.texts import Texts, read_texts, translated
from dmlviz.tensors import data_type_of
from dmlviz.words import _

Array = np.ndarray[Any, Any]
Sizes = tuple[int, ...]
Tensors = Mapping[str, Array]
"""Tensors by DirectML's names, in the structure's order."""
Draw = Callable[[tuple[int, ...]], Array]
"""A function that fills a tensor of given sizes with a picture."""


@dataclass(frozen=True)
class Operator(IndexOutputs, Described, Lettered, ABC):
    """A frozen description of an operation, with DirectML's field names.

    A new operator is one subclass in a module, and a TOML file of the same name beside it; pages,
    engines, stage and tests take everything from them. Its settings are dataclass fields made by
    :func:`dmlviz.operators.settings.setting`. What follows from them is derived here; an
    operator overrides it where its structure differs.
    """

    dml: ClassVar[str] = ""
    """DirectML's short name, such as ``GATHER_ELEMENTS``: type and structure have it."""
    counting: ClassVar[str] = ""
    """The structure's member that counts the numbers of its arrays, such as ``DimensionCount``."""
    declared: ClassVar[Mapping[str, Setting]] = MappingProxyType({})
    """Its settings by Python name, derived from the fields."""

    key: ClassVar[str]
    """Its address in the app and its name on the command line, such as ``depth-to-space``."""
    place: ClassVar[int]
    """Its place among the pages: smaller numbers come first."""
    operator_type: ClassVar[str]
    """DirectML's ``DML_OPERATOR_TYPE``."""
    structure: ClassVar[str]
    """DirectML's ``..._OPERATOR_DESC``."""
    members: ClassVar[tuple[str, ...]]
    """The structure's members other than its tensors, in DirectML.h's order."""
    member_types: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The C++ types of members that do not follow from a setting, such as ``DML_SCALAR_UNION``."""
    support: ClassVar[tuple[Support, ...]]
    """The "Tensor support" section of its page, oldest feature level first."""
    unlisted_types: ClassVar[tuple[str, ...]] = ()
    """Data types that DirectML 1.15.4 runs although the page does not list them at any level."""
    free_tensors: ClassVar[tuple[str, ...]] = ()
    """Tensors that its description includes: outputs with free sizes, inputs with strides."""
    older_forms: ClassVar[tuple[OlderForm, ...]] = ()
    """DirectML's older structures that this operator includes."""
    input_slots: ClassVar[tuple[Slot, ...]] = INPUT
    """Its input tensors, in the structure's order; the first is one whose elements move."""
    tensor_order: ClassVar[tuple[str, ...]] = ()
    """The slots' names in the structure's order, if that differs from
    ``input_slots``, then ``output_slots``."""
    unasked: ClassVar[tuple[str, ...]] = ()
    """Kinds of :data:`dmlviz.questions.KINDS` that do not suit it: ``setting`` if its
    tensors fit only one setting."""
    first_index: ClassVar[int] = 0
    """The number of the first element in the run on indices: 1 where the operator writes a
    constant 0 that is not a setting, to tell that 0 from an element."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        members = vars(cls)
        if members.get("dml"):
            cls.operator_type = f"DML_OPERATOR_{cls.dml}"
            cls.structure = members.get("structure", f"DML_{cls.dml}_OPERATOR_DESC")
        own = {
            name: member.metadata["kind"](
                name, member.metadata["label"], "", **member.metadata["more"]
            )
            for name, member in members.items()
            if isinstance(member, Field) and "kind" in member.metadata
        }
        if own and "members" in members:
            # DirectML's order; what only Python has comes last
            order = [*members["members"], *(s.label for s in own.values())]
            own = dict(sorted(own.items(), key=lambda item: order.index(item[1].label)))
        cls.declared = MappingProxyType({**cls.declared, **own})
        if own and "members" not in members:
            cls.members = tuple(cls._members())
        if own and "free_tensors" not in members:
            tensors = (s.tensor for s in cls.declared.values() if not s.label.endswith(".DataType"))
            cls.free_tensors = tuple(dict.fromkeys(filter(None, tensors)))

    @classmethod
    def _members(cls) -> Iterable[str]:
        """The members of its structure; an array's count comes before the first array."""
        counted = False
        for setting in cls.declared.values():
            if cls.counting and setting.ranked and not setting.tensor and not counted:
                counted = True
                yield cls.counting
            if not setting.tensor:
                yield setting.label

    def __post_init__(self) -> None:
        for name, setting in self.declared.items():
            value = setting.checked(getattr(self, name))
            if setting.left_open(value):
                ranked = next(n for n, other in self.declared.items() if other.ranked)
                value = (0,) * len(getattr(self, ranked))
            object.__setattr__(self, name, value)

    _texts: ClassVar[Texts | None] = None

    @property
    def desc(self) -> dict[str, Any]:
        """DirectML's own fields; :func:`operator_from_desc` reads them back."""
        described: dict[str, Any] = {}
        for name, setting in self.declared.items():
            value = getattr(self, name)
            if not setting.tensor:
                described[setting.label] = setting.described(value)
            elif not setting.left_open(value):
                attribute = setting.label.rpartition(".")[2]
                described.setdefault(setting.tensor, {})[attribute] = setting.described(value)
        return described

    @classmethod
    def from_desc(cls, desc: Mapping[str, Any]) -> Self:
        """The operator that DirectML's fields describe.

        Raises:
            Error: a field is missing, unknown or of the wrong type.
        """
        members = {n: setting for n, setting in cls.declared.items() if not setting.tensor}
        usual = {f.name: f.default for f in fields(cls)}
        needed = [s.label for name, s in members.items() if usual[name] is MISSING]
        optional = [s.label for name, s in members.items() if usual[name] is not MISSING]
        tensors = dict.fromkeys(s.tensor for s in cls.declared.values() if s.tensor)
        labels = {s.label for s in cls.declared.values()}
        counts = [member for member in cls.members if member not in labels]
        desc_fields(cls.structure, desc, needed, (*optional, *counts, *tensors))
        values = {name: desc[s.label] for name, s in members.items() if s.label in desc}
        for name, setting in cls.declared.items():
            if setting.label.endswith(".Sizes"):
                values[name] = tensor_sizes(desc, setting.tensor)
            elif setting.label.endswith(".DataType"):
                values[name] = tensor_type(desc, setting.tensor, str(usual[name]))
        operator = cls(**values)
        arrays = {s.label: getattr(operator, name) for name, s in members.items() if s.ranked}
        agreeing_count(cls.structure, desc, cls.counting, arrays)
        return operator

    @property
    def documented(self) -> dict[str, Any]:
        """The fields that a documentation example gives, in its order and spelling."""
        return {
            setting.label: setting.documented(getattr(self, name))
            for name, setting in self.declared.items()
            if not setting.tensor and setting.used(self.settings)
        }

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        """Its settings, as the page offers them."""
        helps = cls.texts().settings
        return tuple(replace(s, help=translated(helps[name])) for name, s in cls.declared.items())

    @classmethod
    @abstractmethod
    def examples(cls) -> tuple[Example, ...]:
        """The examples of DirectML's documentation; the first is the page's first state."""

    @abstractmethod
    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        """Problems under the operator's own rules, for sizes that are valid in themselves."""

    @abstractmethod
    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        """The sizes of every output by name, for valid inputs."""

    @abstractmethod
    def sums(self, sizes: Mapping[str, Sizes]) -> dict[str, tuple[str, ...]]:
        """The calculation of each size of each output, such as ``2 · 3 = 6``."""

    @abstractmethod
    def evaluate(self, inputs: Tensors) -> dict[str, Array]:
        """Every output by name, calculated with NumPy, for valid inputs."""

    @abstractmethod
    def moves(self, inputs: Tensors) -> Steps:
        """The moves for the stage; the elements of all outputs are numbered one after another."""

    @abstractmethod
    def formulas(self, inputs: Tensors) -> dict[str, tuple[Formula, ...]]:
        """The formulas of each output, one of which holds for each element; can be empty."""

    @abstractmethod
    def native_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph | None:
        """The operator as ONNX models write it; None if ONNX has no such operator or mode."""

    @abstractmethod
    def lowered_graph(self, inputs: Mapping[str, TensorDesc]) -> Graph:
        """The same in ONNX's basic operators, exact for every type and bit."""

    def code(self, inputs: Mapping[str, TensorDesc]) -> tuple[Snippet, ...]:
        """Code for the same operation, one snippet per dialect of ``code.base.DIALECTS``.

        Raises:
            Refused: the operator cannot take inputs of these sizes and types.
        """
        case = case_of(self, inputs, self.index_limit(inputs))
        signed = [s.label for s in self.declared.values() if s.signed]
        return (
            directml_snippet(case, self.cpp_members(), self.directml_note(), signed),
            self.onnx_code(case, inputs),
            *self.dialects(case),
        )

    def onnx_code(self, case: Case, inputs: Mapping[str, TensorDesc]) -> Snippet:
        """Code that makes the graph and runs it; one whose constants are long calculates them."""
        graph = self.native_graph(inputs) or self.lowered_graph(inputs)
        return onnx_snippet(case, nodes_of(graph), graph.opset, note=self.onnx_note(case))

    def dialects(self, case: Case) -> tuple[Snippet, ...]:
        """Code in the dialects after C++ and ONNX, for inputs that the operator takes."""
        raise NotImplementedError

    def directml_note(self) -> str:
        """A sentence about the structure for readers of the C++; empty if there is none."""
        return ""

    def onnx_note(self, case: Case) -> str:
        """A sentence if ONNX differs; empty if it does not."""
        return ""

    def index_limit(self, inputs: Mapping[str, TensorDesc]) -> int:
        """What the elements of a control tensor must stay below; 0 if there is none."""
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

    def output_descs(self, inputs: Mapping[str, TensorDesc]) -> dict[str, TensorDesc]:
        """Sizes and data type of every output, for valid inputs; the type is that of the values."""
        sizes = self.outputs_after({name: desc.sizes for name, desc in inputs.items()})
        values = next(desc for name, desc in inputs.items() if self.role(name) == VALUES)
        return {
            name: TensorDesc(out, self.output_type(name, values.data_type))
            for name, out in sizes.items()
        }

    @classmethod
    def named_inputs(cls, given: Any, field: str = "sizes") -> dict[str, Any]:
        """The values given for each input, by name and in order.

        Args:
            given: a mapping by DirectML's names, or the value for the only input.
            field: its name in messages.

        Raises:
            Error: an input is missing or unknown.
        """
        return by_name(cls.input_slots, given, field)

    @classmethod
    def role(cls, name: str) -> str:
        """Whether the input of that name holds ``values`` or ``control``."""
        return next(s.role for s in cls.input_slots if s.name == name.partition("[")[0])

    @property
    def buffers(self) -> Mapping[str, BufferDesc]:
        """The tensor descriptions of inputs whose arrays are memory, by name."""
        return {}

    def refusals(
        self, inputs: Mapping[str, Array], feature_level: str | None = None
    ) -> list[Problem]:
        """Why it cannot run on these tensors; empty if it can."""
        found = self.problems(
            {name: array.shape for name, array in inputs.items()},
            {name: data_type_of(array.dtype) for name, array in inputs.items()},
            feature_level,
        )
        return found or self.control_problems(inputs)

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        """Problems with the tensors' values, for tensors of valid sizes and types."""
        return []

    def drivers(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """For outputs whose elements a control tensor chooses: see :class:`dmlviz.trace.Trace`."""
        return {}

    def driver_length(self, inputs: Mapping[str, Array]) -> int:
        """How many consecutive control elements choose an element: 1, or a tuple's length.

        The first of them is the driver.
        """
        return 1

    def output_type(self, name: str, data_type: str) -> str:
        """The data type of the output of that name, if the values have ``data_type``."""
        return data_type

    @classmethod
    def values_type(cls, inputs: Mapping[str, Array]) -> str:
        """The data type of the elements that move."""
        return next(data_type_of(a.dtype) for name, a in inputs.items() if cls.role(name) == VALUES)

    @classmethod
    def texts(cls) -> Texts:
        """Its words: the TOML file beside its module."""
        texts = vars(cls).get("_texts")
        if texts is None:
            module = sys.modules[cls.__module__].__file__
            assert module is not None  # operators are files
            texts = cls._texts = read_texts(Path(module).with_suffix(".toml"))
        return texts

    @classmethod
    def say(cls, key: str, count: int = 0, /, **numbers: Any) -> str:
        """A message of its TOML file in the reader's language: see :meth:`Texts.say`."""
        return cls.texts().say(key, count, **numbers)

    def misread(self, inputs: Any) -> Iterable[Candidate]:
        """Plausible wrong outputs, for valid tensors of indices.

        Args:
            inputs: the tensor of an operator that has one; those of others by name: ``values``
                numbered one tensor after the other, ``control`` unchanged.
        """
        return ()

    @classmethod
    def teaching(cls) -> Teaching:
        """Its names and teaching material: its words, or the module ``teaching`` in its folder."""
        package, _dot, module = cls.__module__.rpartition(".")
        if module == "operator":
            return cast(Teaching, import_module(f"{package}.teaching"))
        return DeclaredTeaching(cls.key, cls.texts())

    @classmethod
    def ranks_ever(cls) -> tuple[int, ...]:
        """The ranks that the newest feature level supports."""
        return cls.support[-1].ranks

    def level_rules(self, level: str) -> list[Problem]:
        """Problems with the settings at a feature level, in addition to the table's."""
        return []

    def on_indices(self) -> Operator:
        """The operator for the run on indices: padding values become -1."""
        return self

    @classmethod
    def fitted(cls, values: Mapping[str, Any], sizes: Sizes, before: Sizes) -> dict[str, Any]:
        """Settings for an input of other sizes.

        Args:
            values: the previous settings, by name; some can be missing.
            sizes: the input's sizes now.
            before: the sizes that the values belong to.
        """
        return {
            setting.name: setting.fitted(values[setting.name], sizes, before)
            for setting in cls.parameters()
            if setting.name in values
        }

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

    def picture_input(self, sizes: tuple[int, ...], draw: Draw) -> Array:
        """An input of ``sizes`` that shows best how a picture moves."""
        return draw(sizes)

    def picture_sizes(self, channels: int, height: int, width: int) -> tuple[int, ...]:
        """The sizes of an input that shows a picture of this size, or a little smaller."""
        return (1, channels, height, width)

    def problem(self, field: str, key: str, /, at: str = "", **numbers: Any) -> Problem:
        """A problem that the TOML file has a message for.

        Args:
            field: the setting, by Python name, or the tensor that it belongs to.
            key: of the message, which names the field.
            at: what documents the rule, within the structure; by default the field's own name.
            numbers: for the message's placeholders.
        """
        label = self.declared[field].label if field in self.declared else field
        return Problem(field, self.say(key, **numbers), f"{self.structure}, {at or label}")

    def problems(
        self,
        sizes: Sequence[int] | Mapping[str, Sequence[int]],
        data_type: str | Mapping[str, str] | None,
        feature_level: str | None = None,
    ) -> list[Problem]:
        """Why the operator cannot run on such inputs; empty if it can.

        Args:
            sizes: of the input, or of each input by DirectML's name; rank 1 to 8, each size 1 to
                4,294,967,295.
            data_type: one of DirectML's 11 for the elements that move, or one for each input by
                name; None skips the check of types.
            feature_level: ``"5_0"`` or ``"DML_FEATURE_LEVEL_5_0"``; None checks only what
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
        """Whether messages call this input's sizes and type just "sizes" and "data_type"."""
        return name == cls.input_slots[0].names()[0]

    @overload
    def output_sizes(self, sizes: Sequence[int]) -> tuple[int, ...]: ...

    @overload
    def output_sizes(self, sizes: Mapping[str, Sequence[int]]) -> Any: ...

    def output_sizes(self, sizes: Sequence[int] | Mapping[str, Sequence[int]]) -> Any:
        """The sizes of the output for inputs of ``sizes``; by name if there are several outputs.

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
        """Where the output element at ``index`` comes from: the rule, then its numbers in the rule.

        Args:
            given: the inputs by name; for an operator with one input, its sizes are enough.
            index: the element's index.
            output: the output's name, if there are several.

        Raises:
            Refused: the operator cannot take such inputs.
            Error: there is no output element at ``index``.
        """
        return explained(self, self.tensors(given), index, output)

    def tensors(self, given: Any) -> Tensors:
        """Inputs by name: as given, or, for an operator with one input, an array of those sizes."""
        return tensors_of(self, given)

    def misreadings(self, given: Any) -> tuple[Misreading, ...]:
        """Common misreadings for such inputs; only those that differ from the correct result.

        Args:
            given: the inputs by name; for an operator with one input, its sizes are enough.

        Raises:
            Refused: the operator cannot take such inputs.
            TooLarge: input or output has more than 65,536 elements; nothing was allocated.
        """
        return misreadings_of(self, self.tensors(given))

    def beyond(self, sizes: tuple[int, ...]) -> tuple[Beyond, ...]:
        """Descriptions of elements that are outside the only input, per dimension."""
        return ()

    def remarks(self, inputs: Tensors, index: Sequence[int]) -> list[str]:
        """Sentences about one element, after its formula."""
        return next(self.remarks_at(inputs, [index]))

    def remarks_at(self, inputs: Tensors, indices: Iterable[Sequence[int]]) -> Iterator[list[str]]:
        """The sentences about each of these elements; what all need is calculated once."""
        rules = self.beyond(next(iter(inputs.values())).shape)
        for index in indices:
            sentences = (rule.sentence(index[rule.dimension]) for rule in rules)
            yield [sentence for sentence in sentences if sentence]

    def rule_parts(self, inputs: Tensors) -> tuple[Part, ...]:
        """The parts of the NumPy rule, if it has several that are useful to show."""
        return ()

    @classmethod
    def rule_parts_title(cls) -> str:
        """The label of the view of :meth:`rule_parts`."""
        return _("Part by part")

    def with_output_sizes(self, outputs: Mapping[str, tuple[int, ...]]) -> Operator:
        """The same with outputs of these sizes, if they are free and valid; otherwise itself."""
        return self

    @property
    def settings(self) -> dict[str, Any]:
        """The Python names and their values."""
        return {f.name: getattr(self, f.name) for f in fields(self)}
