"""Where a page keeps its settings: in widgets whose keys start with the page's key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any, Self

import streamlit as st

from dmlviz.app.address import PageAddress
from dmlviz.app.received import is_late, send
from dmlviz.errors import Error, Problem
from dmlviz.movement import VALUES
from dmlviz.operators import Operator
from dmlviz.operators.settings import Choice, Setting
from dmlviz.operators.spelling import MOST_TYPED
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states import (
    MOST_NUMBER,
    InputState,
    Opened,
    State,
    View,
    first_state,
    print_compact,
    print_setting,
    read_parameters,
    value_options,
)
from dmlviz.states.changing import followed_change, new_places
from dmlviz.states.code_reading import OpenedCode
from dmlviz.states.inputs import input_names
from dmlviz.states.links import LINK_LIMIT
from dmlviz.states.settings import Settings
from dmlviz.states.state import list_count
from dmlviz.states.view import PAGE_PARAMETERS, VIEW_FIELDS, arranged
from dmlviz.tensors import (
    GO_ON,
    MAX_RANK,
    OWN,
    PICTURES,
    OwnPicture,
    data_type_of,
    print_literal,
    print_sizes,
    read_sizes,
)
from dmlviz.tensors.types import Array, Sizes

__all__ = ["KEEP", "MOST_NUMBER", "PageState"]


KEEP: Any = "session"
"""``persist_state`` of every widget, so that settings survive a visit to another page."""


OWN_PICTURE = "own_picture"
"""The session's key for the learner's own picture, which every page can show."""


def own_picture() -> OwnPicture | None:
    """The learner's own picture, if there is one in this session."""
    picture: OwnPicture | None = st.session_state.get(OWN_PICTURE)
    return picture


@dataclass(frozen=True)
class SizesChange:
    """A change of the first input's sizes.

    Attributes:
        before: what follows the sizes, by the widget's key, as the reader set it last.
        after: as the page has set it; None until it has.
    """

    before: Mapping[str, Any]
    after: Mapping[str, Any] | None = None

    def of(self, key: str) -> tuple[Any, Any] | None:
        """What a widget had and has; None if that is the same."""
        both = self.before.get(key), (self.after or {}).get(key)
        return None if both[0] == both[1] else both


class PageState:
    """The keys of one operator's page."""

    of_code = False
    """Whether it is the page for code."""

    def __init__(self, cls: type[Operator], part: str = "") -> None:
        self.cls = cls
        self.part = part

    def page(self) -> PageState:
        """The keys of the whole page."""
        return PageState(self.cls)

    def of(self, name: str) -> PageState:
        """The keys of an input tensor's widgets; the first one's are the page's own."""
        return PageState(self.cls, "" if name == self.cls.first_input() else name)

    @property
    def name(self) -> str:
        """The input tensor that these keys belong to."""
        return self.part or self.cls.first_input()

    def field(self, part: str) -> str:
        """The name of a field of this input in problems: ``sizes``, or ``IndicesTensor.sizes``."""
        return f"{self.part}.{part}" if self.part else part

    def problem(self, problem: Problem) -> Problem:
        """A problem of this input as a problem of the page."""
        return problem.within(self.part) if self.part else problem

    def names(self) -> tuple[str, ...]:
        """DirectML's names of all inputs; a list has as many tensors as were added."""
        return input_names(self.cls, self._count())

    def data_type(self) -> str:
        """The data type chosen for this input; all ``values`` inputs have the first one's."""
        control = self.cls.role(self.name) != VALUES
        return str((self if control else PageState(self.cls)).get("data_type"))

    def second(self) -> PageState:
        """The keys of the operator to compare with."""
        return PageState(self.cls, "b")

    def key(self, name: str, part: int | str = "") -> str:
        """The key of a widget; ``part`` for one of several of a name."""
        prefix = self.cls.key.replace("-", "_") + (f"_{self.part}" if self.part else "")
        return f"{prefix}_{name}_{part}" if part != "" else f"{prefix}_{name}"

    def get(self, name: str, default: Any = None) -> Any:
        """What a widget of this page holds now."""
        return st.session_state.get(self.key(name), default)

    def set(self, name: str, value: Any) -> None:
        """Set a widget; only before it is drawn, or in a callback."""
        send(self.cls.key, self.key(name), value)

    def is_late(self, name: str) -> bool:
        """As :func:`dmlviz.app.received.is_late`, of a widget of this page."""
        return is_late(self.cls.key, self.key(name))

    def take_change(self, name: str, take: Callable[[Self], None]) -> None:
        """The callback of a widget: take its change, unless it is one that the page itself made
        and the browser has not received.
        """
        if not self.is_late(name):
            take(self)

    def begin(self) -> None:
        """Load the documentation example on the first visit, or the state of an opened link.

        Streamlit can bind parameters to widgets, but then it silently drops values that a widget
        cannot hold, and names parameters by widgets' keys. So the page reads and writes
        ``st.query_params`` itself.
        """
        query = self.address.opened()
        if query is not None:
            self.open(query)

    @property
    def address(self) -> PageAddress:
        """The page's address."""
        return PageAddress(self.cls.key)

    def link_problems(self) -> tuple[str, ...]:
        """A sentence for each problem of the address that was opened."""
        return self.address.problem_messages(lambda query: _unsaid(self.read(query)))

    def read(self, query: Mapping[str, str]) -> Opened | OpenedCode:
        """What an address says in this session, which may have the picture that it names."""
        return read_parameters(self.cls.key, query, own_picture())

    def addressed(self, state: State, inputs: Mapping[str, Array]) -> State | None:
        """The state with its own values written out, or None if an address cannot hold it.

        Args:
            state: as the widgets describe it.
            inputs: the inputs, without any whose values are invalid.
        """
        own = [
            name for name, input_state in state.input_states.items() if input_state.values == "own"
        ]
        typed = [name for name, each in state.input_states.items() if each.values == "random"]
        if any(name not in inputs for name in (*own, *typed)):
            return None
        if sum(inputs[name].size for name in own) > LINK_LIMIT:
            return None
        for name in own:
            input_state = replace(state.input_states[name], literal=print_compact(inputs[name]))
            state = state.with_input(name, input_state)
        return state

    def described(self, sizes: Mapping[str, tuple[int, ...]], settings: Settings) -> State:
        """The inputs that the widgets describe; own values are as typed."""
        input_states = {name: self.of(name).input_state(sizes[name]) for name in sizes}
        return State.of(self.cls.key, input_states, settings)

    def input_state(self, sizes: tuple[int, ...]) -> InputState:
        """This input as its widgets describe it; own values are as typed."""
        values = str(self.get("values"))
        picture = str(self.get("picture") or next(iter(PICTURES))) if values == "picture" else ""
        return InputState(
            sizes,
            self.data_type(),
            values,
            str(self.get("literal", "")) if values == "own" else "",
            int(self.get("seed") or 0) if values == "random" else 0,
            picture,
            own_picture() if picture == OWN else None,
        )

    def reset(self) -> None:
        """Load the documentation example without a feature level, which might refuse it."""
        self.put(first_state(self.cls.key))
        self.address.change(messages=())

    def take(self, state: State) -> None:
        """Load a state and its view as a link does; call in a callback."""
        self.put(state)
        self.address.change(messages=())
        self.show_view(state.view)

    def show_view(self, view: View) -> None:
        """Let the player begin as a view says."""
        self.set("view", view)
        self.set("opened", self.get("opened", 0) + 1)

    def load(self, number: int) -> None:
        """A documentation example: sizes, data types, values and settings."""
        state = first_state(self.cls.key, f"example-{number}")
        self._put_inputs(state)
        self.apply(state.settings)

    def load_input(self, number: int) -> None:
        """Load only this input of a documentation example."""
        array = self.cls.examples()[number].inputs[self.name]
        self.set("sizes", _spelled(array.shape))
        if self.cls.role(self.name) != VALUES:
            self.set("data_type", data_type_of(array.dtype))

    def _put_inputs(self, state: State) -> None:
        """Every input: sizes, data type, starting values; not the text of own values."""
        self.set("count", list_count(self.cls, state.input_states))
        self.set("change", None)
        self.set("followed", state.sizes)
        for name, input_state in state.input_states.items():
            keys = self.of(name)
            keys.set("sizes", _spelled(input_state.sizes))
            keys.set("data_type", input_state.data_type)
            keys.set("values", input_state.values)
        # settings follow the first input
        self.set("fitted", state.sizes)
        self.second().set("fitted", state.sizes)

    def _followers(self) -> dict[str, Any]:
        """What follows the first input's sizes, by the widget's key, as the widgets hold it."""
        keys = [self.key("followed"), self.key("fitted"), self.second().key("fitted")]
        keys += [self.of(name).key("sizes") for name in self.names()[1:]]
        keys += [self.of(name).key(part) for name in self.names() for part in ("values", "literal")]
        for one in (self, self.second()):
            for parameter in self.cls.parameters():
                parts: Iterable[int | str] = range(MAX_RANK) if parameter.ranked else ("",)
                keys += [one.key(parameter.name, part) for part in parts]
        return {key: st.session_state[key] for key in keys if key in st.session_state}

    def begin_change(self) -> None:
        """Let all that follows new sizes start from what the reader set last; call in the callback
        of the first input's sizes, before anything follows.

        Sizes that are on the way to others, or that are taken back, leave no trace in it.
        """
        with suppress(Error):
            self.sizes()
            change: SizesChange | None = self.get("change")
            followers = self._followers()
            if change is not None and change.after == followers:
                for key, value in change.before.items():
                    if followers.get(key) != value:
                        send(self.cls.key, key, value)
                followers = dict(change.before)
            self.set("change", SizesChange(followers))

    def end_change(self) -> None:
        """Remember what the page has set since :meth:`begin_change`, until the reader sets some."""
        change: SizesChange | None = self.get("change")
        if change is None:
            return
        followers = self._followers()
        if change.after is None:
            self.set("change", replace(change, after=followers))
        elif change.after != followers:
            self.set("change", None)

    def changes_for_sizes(self) -> bool:
        """Whether the page has set widgets to fit the sizes, and the reader none since."""
        change: SizesChange | None = self.get("change")
        if change is None or change.after is None:
            return False
        no_widgets = (self.key("followed"), self.key("fitted"), self.second().key("fitted"))
        return any(change.of(key) for key in change.before if key not in no_widgets)

    def fit_inputs(self, sizes: tuple[int, ...]) -> None:
        """Let the further inputs follow the first one's sizes, before their widgets are drawn."""
        before = tuple(self.get("followed", sizes))
        self.set("followed", sizes)
        if before == sizes:
            return
        for name in self.names()[1:]:
            keys = self.of(name)
            try:
                own = keys.sizes()
            except Error:  # invalid for now
                continue
            then = keys.input_state(own)
            now = followed_change(self.cls, name, then, sizes, before)
            if now.sizes != own:
                keys.set("sizes", _spelled(now.sizes))
            if now.values != then.values:
                keys.set("values", now.values)
            if now.values == "own" and now.literal != then.literal:
                keys.fill_literal(now.array(None, 0, STAGE_LIMIT))
                new = new_places(own, now.sizes)
                keys.set("new_places", (keys.get("sizes"), keys.get("literal"), new))

    def add_input(self) -> None:
        """Add a tensor to the list with the last one's sizes; call in a callback."""
        count = self._count() + 1
        slot = next(slot for slot in self.cls.input_slots if slot.most)
        before, new = (self.of(name) for name in slot.names(count)[-2:])
        self.set("count", count)
        new.set("sizes", before.get("sizes"))
        new.set("values", GO_ON)

    def remove_input(self) -> None:
        """Remove the last tensor of the list; call in a callback."""
        self.set("count", max(1, self._count() - 1))

    def _count(self) -> int:
        return int(self.get("count") or 1)

    def fitted_sizes(self) -> Sizes:
        """The sizes of the first input that the settings last followed."""
        return tuple(self.get("fitted", (1, 1, 1, 1)))

    def fit(self, sizes: Sizes) -> None:
        """Let the settings follow the input's sizes, before their widgets are drawn."""
        before = tuple(self.get("fitted", sizes))
        self.set("fitted", sizes)
        if before == sizes:
            return
        values: dict[str, Any] = {}
        for parameter in self.cls.parameters():
            if parameter.ranked:
                now, then = (len(parameter.dimensions(one)) for one in (sizes, before))
                boxes = [self.get(f"{parameter.name}_{k}") for k in range(now)]
                numbers = tuple(takewhile(lambda number: number is not None, boxes))
                # an empty box stays empty
                if len(numbers) >= min(then, now):
                    values[parameter.name] = numbers
            elif (held := self.get(parameter.name)) is not None:
                with suppress(Error):  # keep an invalid text
                    text = parameter.typed or isinstance(held, str)
                    values[parameter.name] = parameter.read(held) if text else held
        parameters = {parameter.name: parameter for parameter in self.cls.parameters()}
        for name, value in self.cls.fitted(values, sizes, before).items():
            if print_setting(value) != print_setting(values[name]):
                self.set_setting(parameters[name], value)

    def setting(self, parameter: Setting, sizes: Sizes) -> Any:
        """The value of a setting that its widgets hold; those without a value get one.

        Args:
            parameter: the setting.
            sizes: of the first input.

        Raises:
            Error: the text in its box is invalid.
        """
        name = parameter.name
        neutral = parameter.neutral(sizes)
        if parameter.ranked:
            boxes = [self.get(f"{name}_{k}") for k in range(len(neutral))]
            if None in boxes:
                boxes = [n if box is None else box for box, n in zip(boxes, neutral, strict=True)]
                self.set_setting(parameter, tuple(boxes))
            return tuple(boxes)
        if isinstance(parameter, Choice):
            typed = self.get(name)
            if isinstance(typed, str) and not isinstance(parameter.default, str):
                # a number that is not offered is refused in the operator's words
                self.set(name, parameter.read(typed))
            options = self.options(parameter, sizes)
            if self.get(name) not in options:
                self.set(name, neutral if neutral in options else options[0])
        elif self.get(name) is None:
            self.set_setting(parameter, neutral)
        return parameter.read(self.get(name)) if parameter.typed else self.get(name)

    def set_setting(self, parameter: Setting, value: Any) -> None:
        """Put the value of a setting into its widgets."""
        if not parameter.ranked:
            self.set(parameter.name, print_setting(value) if parameter.typed else value)
            return
        for k, number in enumerate(value):
            # a widget that is set is sent to the browser again; -0.0 is not 0.0
            if repr(self.get(f"{parameter.name}_{k}")) != repr(number):
                self.set(f"{parameter.name}_{k}", number)

    def options(self, parameter: Choice, sizes: Sizes) -> tuple[Any, ...]:
        """The values to choose from; a number that no longer fits new sizes stays among them."""
        options = parameter.options(sizes)
        chosen = self.get(parameter.name, parameter.default)
        if chosen not in options and all(isinstance(one, int) for one in (*options, chosen)):
            return tuple(sorted((*options, chosen)))
        return options

    def apply(self, settings: Settings) -> None:
        """An operator's settings."""
        texts = dict(settings)
        for parameter in self.cls.parameters():
            if parameter.name in texts:
                self.set_setting(parameter, parameter.read(texts[parameter.name]))

    def open(self, query: Mapping[str, str]) -> None:
        """Load a link's state; what widgets cannot hold is reported and ignored."""
        opened = self.read(query)
        assert isinstance(opened, Opened)
        assert opened.state is not None  # the page is there
        self.put(opened.state)
        typed = {p.name for p in self.cls.parameters() if p.typed}
        for name, text in opened.typed.items():
            tensor, dot, part = name.rpartition(".")
            keys = self.of(tensor) if dot else self
            keys.set(part, text[:MOST_TYPED] if name in typed else text)
        if "sizes" in query and "sizes" not in opened.typed:
            self.set("sizes", query["sizes"].strip())
        self.address.open(opened.state.without_player(), _unsaid(opened))
        self.show_view(opened.state.view)

    def put(self, state: State) -> None:
        """Put everything that the widgets can hold of a state into them."""
        view = state.view
        self._put_inputs(state)
        for parameter in self.cls.parameters():
            if parameter.ranked:
                self.set_setting(parameter, parameter.neutral((1,) * MAX_RANK))
        # settings that other settings hide need values too
        self.apply(first_state(self.cls.key).settings)
        self.apply(state.settings)
        for name, input_state in state.input_states.items():
            self.of(name).set("seed", input_state.seed)
            self.of(name).set("picture", input_state.picture or next(iter(PICTURES)))
            if input_state.values == "own" and input_state.literal:
                self.of(name).set("literal", print_literal(state.input(name)))
        self.put_view(view)
        self.set("compare", view.compare is not None)
        other = self.second()
        other.set("begun", view.compare is not None)
        if view.compare is not None:
            other.apply(view.compare)

    def put_view(self, view: View) -> None:
        """Put what the server keeps of a view into the widgets, but for what it compares with."""
        for name in PAGE_PARAMETERS:
            self.set(name, getattr(view, name))

    def view(self) -> View:
        """The view that the widgets describe, but for what it compares with."""
        view = View()
        for name in PAGE_PARAMETERS:
            control, value = VIEW_FIELDS[name].control, self.get(name)
            # read before a menu refuses what it does not offer
            refused = control is not None and control.options and value not in control.options
            if value is not None and not refused:
                view = replace(view, **{name: value})
        return view

    def arrange(self, text: str) -> None:
        """Arrange planes as the player asks, such as ``"1:across"``; ignore other requests."""
        with suppress(Error):
            self.set("directions", arranged(self.get("directions", ()), text))

    def value_options(self) -> tuple[str, ...]:
        """The starting values that are offered for this input."""
        return value_options(self.cls, self.name)

    def fill_literal(self, values: Any) -> None:
        """Put values into the text of own values, as the documentation prints them."""
        self.set("literal", print_literal(values))
        self.set("values", "own")

    def sizes(self) -> tuple[int, ...]:
        """The sizes as typed.

        Raises:
            Error: the text is not valid sizes.
        """
        return read_sizes(str(self.get("sizes", "")))


def _spelled(sizes: tuple[int, ...]) -> str:
    return print_sizes(sizes).strip("{}")


def _unsaid(opened: Opened | OpenedCode) -> list[Problem]:
    """The problems of a link, except those that a widget shows."""
    typed = opened.typed if isinstance(opened, Opened) else {}
    return [problem for problem in opened.problems if problem.field not in typed]
