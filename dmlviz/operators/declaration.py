"""What every operator declares: DirectML's names, tensors, settings and words."""

from __future__ import annotations

import sys
from abc import ABC
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import MISSING, Field, dataclass, fields, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Self

from dmlviz.base.errors import Problem
from dmlviz.base.words import _, locale
from dmlviz.movement import COMPUTED, CONTROL, INDEX, VALUES
from dmlviz.operators.checks import agreeing_count, desc_fields, tensor_sizes, tensor_type
from dmlviz.operators.feature_levels import Support
from dmlviz.operators.older import Description, OlderForm
from dmlviz.operators.settings import Setting
from dmlviz.operators.slots import INPUT, OUTPUT, BufferDesc, Slot, by_name
from dmlviz.operators.texts import Texts, read_texts, translated
from dmlviz.tensors import data_type_of
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

    def described_by(self, description: Description) -> Self:
        """The same, which also refuses tensors that contradict ``description``."""
        described = copy(self)
        object.__setattr__(described, "description", description)
        return described

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

    @property
    def settings(self) -> dict[str, Any]:
        """The Python names and their values."""
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def parameters(cls) -> tuple[Setting, ...]:
        """Its settings, as the page offers them."""
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
            for setting in cls.parameters()
            if setting.name in values
        }

    def print_settings(self) -> dict[str, str]:
        """The settings that matter, with DirectML's names and notation."""
        desc, now = self.desc, self.settings
        return {
            p.label: str(desc.get(p.label, p.spell(now[p.name])))
            for p in self.parameters()
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


@cache
def _parameters(cls: type[Declaration], _locale: str) -> tuple[Setting, ...]:
    """The settings of an operator in a locale; a page asks for them some fifteen times a change."""
    helps = cls.texts().settings
    return tuple(replace(s, help=translated(helps[name])) for name, s in cls.declared.items())
