"""Reading a link: keeps the valid parts; every invalid one gets a message."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import field, fields, replace
from typing import Any, Generic, TypeVar

from dmlviz.base.addresses import SOURCE, content_parameters, split_link
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.base.spelling import print_setting
from dmlviz.base.words import _, ngettext
from dmlviz.movement import VALUES
from dmlviz.operators import OPERATORS, Operator
from dmlviz.operators.settings import Setting
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states.inputs import (
    InputState,
    Tensors,
    list_slot,
    types_of,
    value_options,
)
from dmlviz.states.settings import Settings, used_settings
from dmlviz.states.state import State, first_state, list_count, more_inputs
from dmlviz.states.tensor_address import TensorReading
from dmlviz.states.view import View, read_view
from dmlviz.tensors import DATA_TYPES, OwnPicture, read_literal, short_text
from dmlviz.tensors.types import Sizes

_OF_INPUT = tuple(part.name for part in fields(InputState) if part.name != "own_picture")


S = TypeVar("S", covariant=True)


@dataclass(frozen=True)
class Opened(Generic[S]):
    """What a link says.

    Attributes:
        state: with all valid parts, and the page's defaults for the rest; None if there is no
            such page.
        problems: a message for each invalid part.
        typed: invalid texts to show in the widgets they belong to.
    """

    state: S
    problems: tuple[Problem, ...] = ()
    typed: Mapping[str, str] = field(default_factory=dict)


def read_link(text: str, own_picture: OwnPicture | None = None) -> Opened[State | None]:
    """The state that a link names; never raises, whatever the text.

    Args:
        text: ``/tile?...``, ``tile?...`` or a whole address of any host; up to 200,000
            characters are read.
        own_picture: the reader's own.

    >>> opened = read_link("/tile?sizes=2,3&repeats=2,2&data_type=FLOAT7")
    >>> opened.state.sizes, opened.state.settings, len(opened.problems)
    ((2, 3), (('repeats', '2,2'),), 1)
    """
    link = split_link(text)
    pages = [cls.key for cls in OPERATORS]
    if link.page not in pages:
        sentence = _("link: there is no page {page}; the pages are {pages}.").format(
            page=short_text(link.page, 40), pages=", ".join(pages)
        )
        return Opened(None, (*link.problems, Problem("page", sentence, SOURCE)))
    opened = read_parameters(link.page, content_parameters(link.parameters), own_picture)
    return replace(opened, problems=(*link.problems, *opened.problems))


def read_parameters(
    key: str, parameters: Mapping[str, str], own_picture: OwnPicture | None = None
) -> Opened[State]:
    """As :func:`read_link`, from the parameters of a link.

    Args:
        key: of the page.
        parameters: names and texts; names may be unknown.
        own_picture: the learner's own, which a link names but does not hold; without it, a
            built-in picture takes its place, and a problem says so.

    Raises:
        Error: there is no such page.
    """
    return _Reading(key, parameters, own_picture).opened()


class _Reading(TensorReading):
    """One link, while it is read."""

    def __init__(
        self, key: str, parameters: Mapping[str, str], own_picture: OwnPicture | None
    ) -> None:
        self.usual = first_state(key, parameters.get("values", ""))
        self.cls: type[Operator] = self.usual.cls
        super().__init__(parameters, own_picture)
        self.first = self.cls.first_input()
        self.named = {name.partition(".")[0] for name in self.texts}
        for name in tuple(self.texts):
            self._spell_out(name)

    def _spell_out(self, name: str) -> None:
        """``InputTensor.sizes`` is ``sizes``; ``InputTensor=[1, 2]`` brings sizes and values."""
        tensor, dot, part = name.partition(".")
        if not any(slot.name == tensor.partition("[")[0] for slot in self.cls.input_slots):
            return
        start = "" if tensor == self.first else f"{tensor}."
        if dot:
            if not start and part in _OF_INPUT and part not in self.texts:
                self.texts[part] = self.texts.pop(name)
            return
        text = self.texts.pop(name)
        with suppress(Error):
            usual = types_of(self.cls, tensor)[0] if self._is_control(tensor) else "data_type"
            known = self.texts.get(
                f"{start}data_type", self.texts.get(usual, self.usual.tensors.data_type)
            )
            literal = read_literal(text, usual if usual in DATA_TYPES else known, STAGE_LIMIT)
            self.texts.setdefault(f"{start}sizes", ",".join(map(str, literal.sizes)))
            if not start or self._is_control(tensor):
                self.texts.setdefault(f"{start}data_type", literal.data_type)
        self.texts |= {f"{start}values": "own", f"{start}literal": text}

    def _is_control(self, name: str) -> bool:
        return self.cls.role(name) != VALUES

    def opened(self) -> Opened[State]:
        usual = self.usual
        first = usual.first
        if first is None:
            values = self.one_of("values", value_options(self.cls), usual.example)
            state = replace(usual, example=values)
        else:
            kind = self.one_of("data_type", tuple(DATA_TYPES), first.data_type)
            first = self.tensor(self.first, replace(first, data_type=kind))
            state = usual.with_input(self.first, first)
        state = replace(
            state, settings=self.settings("", dict(usual.settings), state.sizes, usual.sizes)
        )
        further = more_inputs(usual, first, self.count())
        more = {name: self.tensor(name, known) for name, known in further.items()}
        tensors = more if first is None else {self.first: first, **more}
        state = replace(state, tensors=Tensors(tuple(tensors.items())))
        return Opened(replace(state, view=self.view(state)), self.all_problems(), self.typed)

    def count(self) -> int:
        """How many tensors a list has: as many as are named, or as the documentation's example."""
        slot = list_slot(self.cls)
        if slot is None:
            return 1
        if not self.named & set(slot.names(slot.most)):
            return list_count(self.cls, self.usual.tensors)
        are_named = [name in self.named for name in slot.names(slot.most)[1:]]
        return 1 + (are_named.index(False) if False in are_named else len(are_named))

    def why_unknown(self, name: str) -> str:
        slot = list_slot(self.cls)
        tensor = name.partition(".")[0]
        if slot is not None and tensor in slot.names(slot.most) and self.first != tensor:
            missing = slot.names(self.count() + 1)[-1]
            if missing != tensor and missing in slot.names(slot.most):
                return _("it needs {missing} before it.").format(missing=missing)
        return super().why_unknown(name)

    def tensor(self, name: str, usual: InputState) -> InputState:
        """One input tensor; its parameters begin with its name, but for the first one's."""
        start = "" if name == self.first else f"{name}."
        types = types_of(self.cls, name) if start and self._is_control(name) else ()
        return self.input_state(start, usual, value_options(self.cls, name), types)

    def switch(self, name: str) -> bool:
        return self.one_of(name, ("true", "false"), "false") == "true"

    def settings(
        self, prefix: str, usual: Mapping[str, str], sizes: Sizes, usual_sizes: Sizes
    ) -> Settings:
        """An operator's settings; ``prefix`` for those of the second one."""
        known = {
            name: one.read(usual[name]) if name in usual else one.neutral(usual_sizes)
            for name, one in self.cls.declared.items()
        }
        known |= {
            name: value
            for name, value in self.cls.fitted(known, sizes, usual_sizes).items()
            if _readable(self.cls, name, value)
        }
        values: dict[str, Any] = {}
        for parameter in self.cls.declared.values():
            name = prefix + parameter.name
            values[parameter.name] = self.setting(name, parameter, known[parameter.name], sizes)
        for parameter in self.cls.declared.values():
            if parameter.name in self.typed and not parameter.used(values):
                # its widget is not there to show the text
                del self.typed[parameter.name]
        return used_settings(self.cls, values)

    def setting(self, name: str, parameter: Setting, known: Any, sizes: Sizes) -> Any:
        typed = parameter.typed and not name.startswith("b_")
        setting = (self.typed_part if typed else self.part)(name, parameter.read, known)
        if not parameter.ranked:
            return setting
        due = len(parameter.dimensions(sizes))
        if setting is not known and len(setting) != due and "sizes" not in self.typed:
            self.bad(name, _other_count(len(setting), len(sizes), due))
            setting = known
        # numbers that a link has for every dimension stay as it says; the checks judge them
        return setting if len(setting) == due else parameter.fitted(setting, sizes, sizes)

    def view(self, state: State) -> View:
        compare = self.compare(state)
        both = replace(state, view=replace(state.view, compare=compare))
        return View(compare=compare, **read_view(self, both))

    def compare(self, state: State) -> Settings | None:
        on = self.switch("compare")
        names = [f"b_{parameter.name}" for parameter in self.cls.declared.values()]
        if not on and not any(name in self.texts for name in names):
            return None
        return self.settings("b_", dict(state.settings), state.sizes, state.sizes)


def _readable(cls: type[Operator], name: str, value: Any) -> bool:
    """Whether a link can say a setting: huge sizes may call for one that nobody can set."""
    parameter = next(p for p in cls.declared.values() if p.name == name)
    try:
        parameter.read(print_setting(value))
    except Error:
        return False
    return True


def _other_count(count: int, rank: int, due: int) -> str:
    """Report a setting that does not have the numbers that an input of this rank needs."""
    if due == rank:
        rule = ngettext(
            "it has {count} numbers where the sizes have {rank} dimension.",
            "it has {count} numbers where the sizes have {rank} dimensions.",
            rank,
        )
    else:
        rule = ngettext(
            "it has {count} numbers where {due} is needed: one for each of the {rank} dimensions "
            "but the first {skip}.",
            "it has {count} numbers where {due} are needed: one for each of the {rank} dimensions "
            "but the first {skip}.",
            due,
        )
    return rule.format(count=count, rank=rank, due=due, skip=rank - due)
