"""What every operator declares: DirectML's names, tensors, settings and words.

From these follows why an operator cannot run: the rules for all, then each operator's own.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import MISSING, Field, fields, replace
from functools import cache
from operator import index as as_int
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self, overload

from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem, Refused
from dmlviz.base.words import _, locale
from dmlviz.movement import COMPUTED, CONTROL, INDEX, VALUES
from dmlviz.operators.checks import (
    agreeing_count,
    data_type_problems,
    desc_fields,
    output_problems,
    sizes_problems,
    tensor_sizes,
    tensor_type,
)
from dmlviz.operators.feature_levels import (
    Support,
    Supported,
    at_least,
    feature_level,
    level_problems,
    print_ranks,
)
from dmlviz.operators.older import Description, OlderForm
from dmlviz.operators.settings import Setting
from dmlviz.operators.slots import INPUT, OUTPUT, BufferDesc, Slot, by_name
from dmlviz.operators.texts import Texts, read_texts, translated
from dmlviz.tensors import data_type_of, print_sizes, short_text
from dmlviz.tensors.types import Array, Sizes


@dataclass(frozen=True)
class Declaration(ABC):
    """A frozen description with DirectML's field names, without the rule that it describes.

    Its settings are dataclass fields made by :func:`dmlviz.operators.settings.setting`.
    """

    # ---- DirectML's names

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
    members: ClassVar[tuple[str, ...]] = ()
    """The structure's members other than its tensors, in DirectML.h's order."""
    member_types: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The C++ types of members that do not follow from a setting, such as ``DML_SCALAR_UNION``."""
    support: ClassVar[tuple[Support, ...]]
    """The "Tensor support" section of its page, oldest feature level first."""
    unlisted_types: ClassVar[tuple[str, ...]] = ()
    """Data types that DirectML 1.15.4 runs although the page does not list them at any level."""
    least_rank: ClassVar[int] = 1
    """How many dimensions an input has at least."""
    free_tensors: ClassVar[tuple[str, ...]] = ()
    """Tensors that its description includes: outputs with free sizes, inputs with strides."""
    older_forms: ClassVar[tuple[OlderForm, ...]] = ()
    """DirectML's older structures that this operator includes."""

    # ---- tensors

    input_slots: ClassVar[tuple[Slot, ...]] = INPUT
    """Its input tensors, in the structure's order; the first is one whose elements move.
    There are none if its settings alone make the outputs, whose elements are all constants."""
    output_slots: ClassVar[tuple[Slot, ...]] = OUTPUT
    """Its output tensors, in the structure's order."""
    tensor_order: ClassVar[tuple[str, ...]] = ()
    """The slots' names in the structure's order, if that differs from
    ``input_slots``, then ``output_slots``."""
    typed_tensors: ClassVar[tuple[str, ...]] = ()
    """Outputs whose data type is free, so that the description gives it."""

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

    # ---- its description

    description: ClassVar[Description] = Description()
    """What the description says beyond settings. Two operators of equal settings are equal,
    whatever this is, and one with another setting does not have it."""

    def with_description(self, description: Description) -> Self:
        """The same, which also refuses tensors that contradict ``description``."""
        operator = copy(self)
        object.__setattr__(operator, "description", description)
        return operator

    @property
    def desc(self) -> dict[str, Any]:
        """DirectML's own fields; :func:`operator_from_desc` reads them back."""
        desc: dict[str, Any] = {}
        for name, setting in self.declared.items():
            value = getattr(self, name)
            if not setting.tensor:
                desc[setting.label] = setting.as_member(value)
            elif not setting.left_open(value):
                attribute = setting.label.rpartition(".")[2]
                desc.setdefault(setting.tensor, {})[attribute] = setting.as_member(value)
        return desc

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

    @property
    def settings(self) -> dict[str, Any]:
        """The Python names and their values."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        """Its settings with a sentence on each, for which its TOML file is read.

        ``declared`` has all but the sentences.
        """
        return _parameters(cls, locale())

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
            for setting in cls.declared.values()
            if setting.name in values
        }

    def print_settings(self) -> dict[str, str]:
        """The settings that matter, with DirectML's names and notation."""
        desc, now = self.desc, self.settings
        return {
            p.label: str(desc.get(p.label, p.spell(now[p.name])))
            for p in self.declared.values()
            if p.used(now) and not p.unspoken(now[p.name])
        }

    def on_one_line(self) -> str:
        """The operator and its settings."""
        settings = ", ".join(f"{label}={value}" for label, value in self.desc.items())
        return _("{operator}: {settings}").format(
            operator=self.operator_type.removeprefix("DML_OPERATOR_"), settings=settings
        )

    # ---- its tensors by name

    @classmethod
    def named_inputs(cls, values: Any, field: str = "sizes") -> dict[str, Any]:
        """The values given for each input, by name and in order.

        Args:
            values: a mapping by DirectML's names, or the value for the only input.
            field: its name in messages.

        Raises:
            Error: an input is missing or unknown.
        """
        return by_name(cls.input_slots, values, field)

    @classmethod
    def role(cls, name: str) -> str:
        """Whether the input of that name holds ``values`` or ``control``."""
        return next(s.role for s in cls.input_slots if s.name == name.partition("[")[0])

    @classmethod
    def controls_among(cls, names: Iterable[str]) -> frozenset[str]:
        """Those of the inputs that hold ``control``."""
        return frozenset(name for name in names if cls.role(name) == CONTROL)

    @property
    def buffers(self) -> Mapping[str, BufferDesc]:
        """The tensor descriptions of inputs whose arrays are memory, by name."""
        return {}

    @classmethod
    def index_slots(cls) -> dict[str, Slot]:
        """The outputs that hold indices, by name."""
        return {slot.name: slot for slot in cls.output_slots if slot.role == INDEX}

    @classmethod
    def computed_slots(cls) -> dict[str, Slot]:
        """The outputs that hold new values, by name."""
        return {slot.name: slot for slot in cls.output_slots if slot.role == COMPUTED}

    def output_type(self, name: str, data_type: str) -> str:
        """The data type of the output of that name, if the values have ``data_type``.

        An operator without inputs ignores ``data_type``: a setting is the output's.
        """
        return data_type

    def values_type(self, inputs: Mapping[str, Array]) -> str:
        """The data type of the elements that move; without inputs, that of the first output."""
        if not self.input_slots:
            return self.output_type(self.output_slots[0].name, "")
        return next(data_type_of(x.dtype) for n, x in inputs.items() if self.role(n) == VALUES)

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
    def first_input(cls) -> str:
        """The name of the first input; empty if there are none."""
        return cls.input_slots[0].names()[0] if cls.input_slots else ""

    @classmethod
    def is_first(cls, name: str) -> bool:
        """Whether messages call this input's sizes and type just "sizes" and "data_type"."""
        return name == cls.first_input()

    @classmethod
    def ranks_ever(cls) -> tuple[int, ...]:
        """The ranks that the newest feature level supports."""
        return cls.support[-1].ranks

    # ---- words

    _texts: ClassVar[Texts | None] = None

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
    def title(cls) -> str:
        """Its display name, in the reader's language."""
        return translated(cls.texts().title)

    @classmethod
    def sentence(cls) -> str:
        """What it does, in one sentence, in the reader's language."""
        return translated(cls.texts().sentence)

    @classmethod
    def accepts(cls) -> str:
        """Which inputs and settings it accepts at every feature level, in the reader's language."""
        return translated(cls.texts().accepts)

    @classmethod
    def size_words(cls) -> str:
        """Where the sizes of its outputs come from, if no calculation says it; can be empty."""
        return translated(cls.texts().sizes)

    @classmethod
    def say(cls, key: str, count: int = 0, /, **numbers: Any) -> str:
        """A message of its TOML file in the reader's language: see :meth:`Texts.say`."""
        return cls.texts().say(key, count, **numbers)

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


def types_ever(operator: Declaration | type[Declaration]) -> tuple[str, ...]:
    """The data types of moving elements that DirectML runs at its newest level."""
    return (*operator.support[-1].data_types, *operator.unlisted_types)


@dataclass(frozen=True)
class Checked(Declaration):
    """A description that says why it cannot run.

    A problem names the field, its value, the rule, and what documents the rule.
    """

    # ---- what each operator has

    @abstractmethod
    def inputs_problems(
        self, sizes: Mapping[str, Sizes], types: Mapping[str, str]
    ) -> list[Problem]:
        """Problems under the operator's own rules, for sizes that are valid in themselves."""

    @abstractmethod
    def outputs_after(self, sizes: Mapping[str, Sizes]) -> dict[str, Sizes]:
        """The sizes of every output by name, for valid inputs."""

    def control_problems(self, inputs: Mapping[str, Array]) -> list[Problem]:
        """Problems with the tensors' values, for tensors of valid sizes and types."""
        return []

    def level_rules(self, level: str) -> list[Problem]:
        """Problems with the settings at a feature level, in addition to the table's."""
        return []

    # ---- for all

    def problems(
        self,
        sizes: Sequence[int] | Mapping[str, Sequence[int]] = (),
        data_type: str | Mapping[str, str] | None = None,
        feature_level: str | None = None,
    ) -> list[Problem]:
        """Why the operator cannot run on such inputs; empty if it can.

        Args:
            sizes: of the input, or of each input by DirectML's name; rank 1 to 8, each size 1 to
                4,294,967,295; nothing if there are no inputs.
            data_type: one of DirectML's 11 for the elements that move, or one for each input by
                name; None skips the check of types.
            feature_level: ``"5_0"`` or ``"DML_FEATURE_LEVEL_5_0"``; None checks only what
                DirectML itself refuses at its newest level.

        The rules are those of the operator's page at learn.microsoft.com and of DirectML 1.15.4.
        """
        try:
            named = self.named_inputs(sizes)
        except Error as error:
            return [Problem("sizes", str(error), f"{self.structure}")]
        types = self.named_types(named, data_type)
        problems = [
            p
            for n, input_sizes in named.items()
            for p in self._within(n, sizes_problems(input_sizes, self.least_rank))
        ]
        for name, kind in types.items():
            problems += self._within(name, data_type_problems(kind))
        if problems:
            return problems
        checked = {
            name: tuple(as_int(n) for n in input_sizes) for name, input_sizes in named.items()
        }
        first = checked.get(self.first_input())
        if first is None:
            first = self._outputs_alone()
        if len(first) not in self.ranks_ever():
            return [self._on_settings(self._wrong_rank(first))]
        problems = [*self._control_types(types), *self.inputs_problems(checked, types)]
        if not problems:
            outputs = self.outputs_after(checked)
            for out in outputs.values():
                problems += output_problems(out, self.structure)
            problems += self._contradictions(outputs)
        values = next((k for n, k in types.items() if self.role(n) == VALUES), None)
        if not self.input_slots:
            values = self.values_type({})
        problems += self._of_the_form(values)
        if feature_level is None:
            problems += self._never(values)
        else:
            supported = Supported(self.structure, self.support, self.unlisted_types)
            problems += level_problems(supported, self.directml_rank(first), values, feature_level)
            problems += self._control_types(types, feature_level)
            problems += self.level_rules(feature_level)
        return [self._on_settings(problem) for problem in problems]

    def refusals(
        self, inputs: Mapping[str, Array], feature_level: str | None = None
    ) -> list[Problem]:
        """Why it cannot run on these tensors; empty if it can."""
        problems = self.problems(
            {name: array.shape for name, array in inputs.items()},
            {name: data_type_of(array.dtype) for name, array in inputs.items()},
            feature_level,
        )
        return problems or self.control_problems(inputs)

    @overload
    def output_sizes(self, sizes: Sequence[int] = ()) -> tuple[int, ...]: ...

    @overload
    def output_sizes(self, sizes: Mapping[str, Sequence[int]]) -> Any: ...

    def output_sizes(self, sizes: Sequence[int] | Mapping[str, Sequence[int]] = ()) -> Any:
        """The sizes of the output for inputs of ``sizes``; by name if there are several outputs.

        Args:
            sizes: of the input, or of each input by DirectML's name.

        Raises:
            Refused: the operator cannot take inputs of these sizes.
        """
        problems = self.problems(sizes, None)
        if problems:
            raise Refused(problems)
        named = self.named_inputs(sizes)
        checked = {
            name: tuple(as_int(n) for n in input_sizes) for name, input_sizes in named.items()
        }
        outputs = self.outputs_after(checked)
        if any(slot.most for slot in self.output_slots) or len(outputs) > 1:
            return outputs
        return next(iter(outputs.values()))

    def _wrong_rank(self, sizes: Sizes) -> Problem:
        """The problem with a first input of a rank that the operator never takes."""
        if self.buffers:
            words = _(
                "sizes: {sizes} has {rank} dimensions; memory has one, its elements in order."
            )
        else:
            words = _("sizes: {sizes} has {rank} dimensions; {operator} takes {ranks}.")
        message = words.format(
            sizes=print_sizes(sizes),
            rank=len(sizes),
            operator=self.structure.removesuffix("_OPERATOR_DESC"),
            ranks=print_ranks(self.ranks_ever()),
        )
        return Problem("sizes", message, f"{self.structure}, Tensor support")

    def _never(self, data_type: str | None) -> Iterator[Problem]:
        """The problem with a data type of the values that DirectML does not take at any level."""
        taken = types_ever(self)
        if data_type is None or data_type in taken:
            return
        message = _(
            "data_type: {data_type} is not supported; {operator} takes {data_types}."
        ).format(
            data_type=data_type,
            operator=self.structure.removesuffix("_OPERATOR_DESC"),
            data_types=", ".join(taken),
        )
        yield Problem("data_type", message, f"{self.structure}, Tensor support")

    def _of_the_form(self, data_type: str | None) -> Iterator[Problem]:
        """The problem with a data type that the structure of the operator's description has."""
        form = self.description.form
        if form is None or data_type is None or data_type not in types_ever(self):
            return
        if message := form.problem(data_type, self.structure):
            yield Problem("data_type", message, f"{form.structure}, Tensor support")

    def _contradictions(self, outputs: Mapping[str, Sequence[int]]) -> Iterator[Problem]:
        """Output sizes of the description that differ from those that the inputs make."""
        structure = (self.description.form or self).structure
        stated = self.description.output_sizes
        for slot in self.output_slots:
            names = [
                [name for name in side if name.partition("[")[0] == slot.name]
                for side in (stated, outputs)
            ]
            if names[0] and names[0] != names[1]:
                message = _("desc: {name} of {structure} has {count} tensors, not {due}.").format(
                    name=slot.name, structure=structure, count=len(names[0]), due=len(names[1])
                )
                yield Problem(slot.name, message, structure)
                return
        for name, sizes in stated.items():
            slot_name = name.partition("[")[0]
            free = slot_name in self.free_tensors
            same = len(sizes) == len(outputs[name]) and all(
                a == b or (free and a == 0) for a, b in zip(sizes, outputs[name], strict=True)
            )
            if not same:
                message = _("desc: {name} of {structure} has Sizes {output}, not {due}.").format(
                    name=name,
                    structure=structure,
                    output=short_text(list(sizes)),
                    due=print_sizes(outputs[name]),
                )
                yield Problem(slot_name, message, structure)

    def _outputs_alone(self) -> Sizes:
        """The sizes of the first output of an operator without inputs."""
        return next(iter(self.outputs_after({}).values()))

    def _on_settings(self, problem: Problem) -> Problem:
        """A problem with sizes or a type, on the setting that an operator without inputs has."""
        attributes = {"sizes": "Sizes", "data_type": "DataType"}
        if self.input_slots or problem.field not in attributes:
            return problem
        ending = attributes[problem.field]
        names = (name for name, s in self.declared.items() if s.label.endswith(ending))
        return problem.renamed(next(names, problem.field))

    def directml_rank(self, sizes: Sequence[int]) -> int:
        """How many dimensions DirectML sees, if the first input here has these sizes."""
        buffer = self.buffers.get(self.first_input())
        return len(sizes if buffer is None else buffer.sizes)

    def _control_types(
        self, types: Mapping[str, str], level: str | None = None
    ) -> Iterator[Problem]:
        """Problems with the data type of a tensor of indices, at any level or only at this one."""
        structure = self.structure
        own = {name: self.output_type(name, "") for name in self.index_slots()}
        for slot in (*self.input_slots, *self.output_slots):
            data_type = own.get(slot.name) or types.get(slot.name)
            if not slot.support or data_type is None:
                continue
            if level is None:
                taken = slot.data_types
                words = _(
                    "{name}: {data_type} is not supported; {operator} takes {data_types} there."
                )
            elif data_type in slot.data_types:
                usable = [row for row in slot.support if at_least(feature_level(level), row.level)]
                taken = usable[-1].data_types if usable else slot.data_types
                words = _(
                    "{name}: {data_type} is not accepted by {operator} at feature level {level}, "
                    "which takes {data_types} there."
                )
            else:
                # already reported without a level
                continue
            if data_type not in taken:
                message = words.format(
                    name=slot.name,
                    data_type=data_type,
                    operator=structure.removesuffix("_OPERATOR_DESC"),
                    data_types=", ".join(taken),
                    level=level,
                )
                yield Problem(slot.name, message, f"{structure}, Tensor support")

    def _within(self, name: str, problems: Iterable[Problem]) -> list[Problem]:
        """Fields of the first input are "sizes" etc., those of others "IndicesTensor.sizes" etc."""
        return [problem if self.is_first(name) else problem.within(name) for problem in problems]


@cache
def _parameters(cls: type[Declaration], _locale: str) -> tuple[Setting, ...]:
    """The settings of an operator in a locale; a page asks for them some fifteen times a change."""
    helps = cls.texts().settings
    return tuple(replace(s, help=translated(helps[name])) for name, s in cls.declared.items())
