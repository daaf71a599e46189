"""An explorer's page keeps one value: the state that it shows, and texts that are no part of it.

Widgets are drawn from the state's form and filled from its rows; a widget that changes is one call
of :func:`dmlviz.states.changing.changed`, as on pages without a server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Self

import streamlit as st

from dmlviz.app.address import PageAddress
from dmlviz.app.received import is_late, send
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import in_one_language, locale
from dmlviz.operators import Operator
from dmlviz.states import MOST_NUMBER, Opened, View
from dmlviz.states.changing import new_places
from dmlviz.states.controls import FormControl, FormField
from dmlviz.states.pages import AnyState, changed, first_of, form_of, read_page
from dmlviz.states.view import ARRANGE, CHANGES_OF_VIEW, LIMITS, TOOLS, VIEW_FIELDS, view_rows
from dmlviz.tensors import OwnPicture, print_literal
from dmlviz.tensors.types import Array

__all__ = ["KEEP", "MOST_NUMBER", "PageState"]

KEEP: Any = "session"
"""``persist_state`` of every widget, so that settings survive a visit to another page."""

OWN_PICTURE = "own_picture"
"""The session's key for the learner's own picture, which every page can show."""


_LED = ("sizes", "code", "library")
"""The rows that others follow: the first input's sizes, or a code."""

_KEYS = {"code": "text", "compare": "b_text"}
"""The keys of the boxes of codes."""


_ABSENT = object()
"""What a widget holds that was never drawn."""


def own_picture() -> OwnPicture | None:
    """The learner's own picture, if there is one in this session."""
    picture: OwnPicture | None = st.session_state.get(OWN_PICTURE)
    return picture


@dataclass(frozen=True)
class Held:
    """What a page keeps in a session.

    Attributes:
        state: the last valid one.
        refused: what stands in widgets and is no part of it, and why, by the row's name.
        typed: what was typed, and what the row then held: the page shows it as it was typed.
        kept: the texts of rows that went away; they come back with the row.
        before: the state before a change that others follow; None after another change. Sizes
            that are on the way to others keep the first.
        new: how many places of an input have 0 since its sizes changed.
    """

    state: AnyState
    refused: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    typed: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    kept: Mapping[str, str] = field(default_factory=dict)
    before: AnyState | None = None
    new: Mapping[str, int] = field(default_factory=dict)

    def rows(self) -> dict[str, FormField]:
        """The rows of the page by name, with the texts that their widgets hold."""
        return {row.name: self._shown(row) for row in rows_of(self.state).values()}

    def _shown(self, row: FormField) -> FormField:
        text, problem = self.refused.get(row.name, ("", ""))
        if not problem:
            text, values = self.typed.get(row.name, ("", None))
            if values != row.values:
                return row
        texts = tuple(text.split(",")) if row.ranked else (text,)
        return row.with_values(texts, problem)

    def after(self, name: str, text: str) -> Held:
        """The same after a change; texts that were refused are tried again."""
        of_sizes = name == "sizes"
        start = (of_sizes and self.before) or self.state
        state, refused = start, dict[str, tuple[str, str]]()
        changes = {**{n: t for n, (t, _why) in self.refused.items()}, name: text}
        done = set[str]()
        for _round in range(2):
            for one, typed in changes.items():
                if one in done:
                    continue
                try:
                    state = changed(state, one, typed)
                    done.add(one)
                    refused.pop(one, None)
                except Error as error:
                    refused[one] = (typed, str(error))
        was, now = rows_of(self.state), rows_of(state)
        kept = dict(self.kept)
        if name in ("code", "library"):
            # other code takes other tensors
            refused = {n: why for n, why in refused.items() if n in now}
        else:
            kept |= {n: ",".join(was[n].values) for n in was.keys() - now.keys()}
            for one in now.keys() - was.keys() & kept.keys():
                with suppress(Error):
                    state = changed(state, one, kept[one])
            now = rows_of(state)
        typed_texts = dict(self.typed)
        if name in now and name not in refused:
            typed_texts[name] = (text, now[name].values)
        new = {} if name.endswith("literal") else dict(self.new)
        for one, now_input in state.input_states.items():
            was_input = start.input_states.get(one)
            if was_input is not None and was_input.sizes != now_input.sizes:
                control = state.is_control(one) and now_input.values == "own"
                new[one] = new_places(was_input.sizes, now_input.sizes) if control else 0
        return Held(state, refused, typed_texts, kept, start if name in _LED else None, new)

    def followed(self) -> Iterator[tuple[FormField, FormField]]:
        """The rows that followed new sizes, before and now."""
        was, now = rows_of(self.before or self.state), rows_of(self.state)
        for name, row in now.items():
            if name in was and name not in (*_LED, "literal") and was[name].values != row.values:
                yield was[name], row


def rows_of(state: AnyState) -> dict[str, FormField]:
    """Every row of a page's form."""
    return _rows(state, locale())


@lru_cache(64)
def _rows(state: AnyState, _language: str) -> dict[str, FormField]:
    groups = form_of(state)
    tools = (*view_rows(state, TOOLS), *view_rows(state, LIMITS), *engine_rows(state))
    return {row.name: row for row in (*(r for g in groups for r in g.fields), *tools)}


def engine_rows(state: AnyState) -> tuple[FormField, ...]:
    """The row for the engine, whose options depend on the machine."""
    control = VIEW_FIELDS["engine"].control
    assert control is not None
    menu = FormControl("menu")
    return (
        FormField("engine", control.title(), control.help(), (menu,), values=(state.view.engine,)),
    )


class PageState:
    """One page in a session, or the widgets of one of its inputs."""

    def __init__(self, cls: type[Operator], part: str = "") -> None:
        self.cls = cls
        self.part = part

    # ---- its keys

    def page(self) -> PageState:
        """The whole page."""
        return PageState(self.cls)

    def of(self, name: str) -> PageState:
        """An input tensor's widgets; the first one's are the page's own."""
        return PageState(self.cls, "" if name == self.cls.first_input() else name)

    @property
    def name(self) -> str:
        """The input tensor that these keys belong to."""
        return self.part or self.cls.first_input()

    def field(self, part: str) -> str:
        """The name of a row of this input."""
        return f"{self.part}.{part}" if self.part else part

    def problem(self, problem: Problem) -> Problem:
        """A problem of this input as a problem of the page."""
        return problem.within(self.part) if self.part else problem

    def key(self, name: str, part: int | str = "") -> str:
        """The key of a widget; ``part`` for one of several of a name."""
        key = f"{self.cls.key.replace('-', '_')}_{self.field(name).replace('.', '_')}"
        return f"{key}_{part}" if part != "" else key

    def get(self, name: str, default: Any = None) -> Any:
        """What a widget of this page holds now."""
        return st.session_state.get(self.key(name), default)

    def keys_of(self, row: FormField) -> tuple[str, ...]:
        """The keys of a row's widgets."""
        boxed = row.controls[0].kind == "lines" and row.name in _KEYS
        name = _KEYS[row.name] if boxed else row.name
        page, parts = self.page(), range(len(row.controls)) if row.ranked else ("",)
        return tuple(page.key(name, part) for part in parts)

    def set(self, name: str, value: Any) -> None:
        """Set a part of the state, or keep something else for the page."""
        if name in CHANGES_OF_VIEW:
            self.change(name, {True: "true", False: "false"}.get(value, str(value or "")))
        else:
            send(self.cls.key, self.key(name), value)

    def take_change(self, name: str, take: Callable[[Self], None]) -> None:
        """The callback of a widget, unless the browser has not received the page's own change."""
        if not is_late(self.cls.key, self.key(name)):
            take(self)

    # ---- its state

    @property
    def held(self) -> Held:
        """What the page keeps."""
        held: Held | None = st.session_state.get(f"{self.cls.key}-held")
        return held or Held(first_of(self.cls.key))

    def hold(self, held: Held) -> None:
        """Keep this, and put it into the widgets; only before they are drawn, or in a callback."""
        st.session_state[f"{self.cls.key}-held"] = held
        self.fill()

    def fill(self) -> None:
        """Let every widget show what its row says."""
        if self.get("compare") != self.held.state.compares:
            send(self.cls.key, self.key("compare"), self.held.state.compares)
        for row in self.held.rows().values():
            for key, control, text in zip(
                self.keys_of(row), row.controls, row.values, strict=False
            ):
                value = value_of(control, text)
                if control.kind in ("grid", "file"):
                    continue
                if repr(st.session_state.get(key, _ABSENT)) != repr(value):
                    send(self.cls.key, key, value)

    @in_one_language
    def change(self, name: str, text: str) -> None:
        """Change one parameter; only before widgets are drawn, or in a callback."""
        self.hold(self.held.after(name, text))

    @in_one_language
    def take_widget(self, name: str) -> None:
        """Take what the widgets of a row hold."""
        row = self.held.rows().get(name)
        if row is None:
            return
        late = [is_late(self.cls.key, key) for key in self.keys_of(row)]
        if not any(late):
            texts = [text_of(st.session_state.get(key)) for key in self.keys_of(row)]
            self.change(name, ",".join(texts))

    def settings(self) -> frozenset[str]:
        """The names of the rows of an operator's settings, those of the second one included."""
        names = [one.name for one in self.cls.parameters()]
        return frozenset((*names, *(f"b_{name}" for name in names)))

    def names(self) -> tuple[str, ...]:
        """DirectML's names of all inputs."""
        return tuple(self.held.state.input_states)

    def data_type(self) -> str:
        """The data type of this input."""
        return self.held.state.input_states[self.name].data_type

    def fill_literal(self, values: Array) -> None:
        """Make values the tensor's own."""
        self.page().change(self.field("literal"), print_literal(values))

    def begin(self) -> None:
        """Load the documentation example on the first visit, or the state of an opened link."""
        query = self.address.opened()
        if query is not None:
            self.open(query)
        else:
            self.fill()

    def open(self, query: Mapping[str, str]) -> None:
        """Load a link's state; what it cannot hold is reported, and stands in its widget."""
        opened = self.read(query)
        said = {problem.field: problem.message for problem in opened.problems}
        refused = {n: (text, said[n]) for n, text in opened.typed.items() if n in said}
        typed = {}
        row = rows_of(opened.state).get("sizes")
        if row is not None and "sizes" in query and "sizes" not in refused:
            typed = {"sizes": (query["sizes"].strip(), row.values)}
        self.hold(Held(opened.state.without_player(), refused, typed))
        self.address.open(opened.state.without_player(), _unsaid(opened))
        self.show_view(opened.state.view)

    @property
    def address(self) -> PageAddress:
        """The page's address."""
        return PageAddress(self.cls.key)

    def link_problems(self) -> tuple[str, ...]:
        """A sentence for each problem of the address that was opened."""
        return self.address.problem_messages(lambda query: _unsaid(self.read(query)))

    def read(self, query: Mapping[str, str]) -> Opened[AnyState]:
        """What an address says in this session, which may have the picture that it names."""
        return read_page(self.cls.key, query, own_picture())

    def reset(self) -> None:
        """Load the documentation example."""
        self.take(first_of(self.cls.key))

    @in_one_language
    def take(self, state: AnyState) -> None:
        """Load a state and its view as a link does; call in a callback."""
        self.hold(Held(state.without_player()))
        self.address.change(messages=())
        self.show_view(state.view)

    def show_view(self, view: View) -> None:
        """Let the player begin as a view says."""
        self.set("view", view)
        self.set("opened", self.get("opened", 0) + 1)

    def arrange(self, text: str) -> None:
        """Arrange planes as the player asks; ignore other requests."""
        self.change(ARRANGE, text)

    def changes_for_sizes(self) -> bool:
        """Whether something followed the sizes, and the reader has set nothing since."""
        return any(self.held.followed())

    def new_places(self, name: str) -> int:
        """How many places of an input have 0 since its sizes changed."""
        return self.held.new.get(name, 0)


def value_of(control: FormControl, text: str) -> Any:
    """What Streamlit's widget holds for a row's text."""
    if control.kind == "menu":
        return next((one for one in control.options if str(one) == text), text)
    if control.kind == "switch":
        return text == "true"
    if control.kind in ("number", "slider"):
        with suppress(ValueError):
            return float(text) if control.step == 0.5 else int(text)
        return None
    return text


def text_of(value: Any) -> str:
    """The text that a link has for what a widget holds."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _unsaid(opened: Opened[AnyState]) -> list[Problem]:
    """The problems of a link, except those that a widget shows."""
    return [problem for problem in opened.problems if problem.field not in opened.typed]
