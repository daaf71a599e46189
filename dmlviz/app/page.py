"""A page with a stage in a session: its state, and what its widgets hold besides.

A page keeps one :class:`PageForm`.  Its rows fill the widgets; a widget that changes is one call of
:func:`dmlviz.states.pages.changed`, as on pages without a server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field, replace
from functools import lru_cache
from itertools import takewhile
from typing import Any

import streamlit as st

from dmlviz.app.address import PageAddress
from dmlviz.app.engines import engines_here, name_here, statuses
from dmlviz.app.received import is_late, send
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Problem
from dmlviz.base.words import _, in_one_language, locale
from dmlviz.states import Opened, View
from dmlviz.states.changing import new_places
from dmlviz.states.controls import PICTURES_ROW, SECOND, FormControl, FormField, FormGroup
from dmlviz.states.pages import (
    AnyState,
    first_of,
    form_of,
    program_of,
    read_page,
    with_changes,
)
from dmlviz.states.view import LIMITS, TOOLS, VIEW_FIELDS, view_rows
from dmlviz.tensors import OWN, OwnPicture

KEEP: Any = "session"
"""``persist_state`` of every widget, so that settings survive a visit to another page."""

OWN_PICTURE = "own_picture"
"""The session's key for the learner's own picture, which every page can show."""


def own_picture() -> OwnPicture | None:
    """The learner's own picture, if there is one in this session."""
    picture: OwnPicture | None = st.session_state.get(OWN_PICTURE)
    return picture


_ABSENT = object()
"""What a widget holds that was never drawn."""


@dataclass(frozen=True)
class PageForm:
    """A page's state, and the texts in its widgets that are no part of it.

    Attributes:
        state: the last valid one.
        refused: texts that are no part of it, each with a sentence why, by the rows' names.
        typed: texts as they were typed, each with the row's values then: a row of these values
            shows the text.
        hidden: the texts of rows that went away; they come back with their rows.
        before: the state before a change that other rows follow; None after any other change.
            Sizes on the way to others, such as "1, 1" on the way to "1, 1, 4", keep the first.
        new_places: how many places of an input have 0 since its sizes changed, by its name.
    """

    state: AnyState
    refused: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    typed: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    hidden: Mapping[str, str] = field(default_factory=dict)
    before: AnyState | None = None
    new_places: Mapping[str, int] = field(default_factory=dict)

    def rows(self, part: str | None = None) -> dict[str, FormField]:
        """The rows by name, with the texts that their widgets hold.

        Args:
            part: of the form, as of :class:`dmlviz.states.controls.FormGroup`; None for all rows.
        """
        rows = rows_of(self.state) if part is None else _part_of(self.state, part)
        return {name: self._with_texts(row) for name, row in rows.items()}

    def _with_texts(self, row: FormField) -> FormField:
        text, problem = self.refused.get(row.name, ("", ""))
        if not problem:
            text, values = self.typed.get(row.name, ("", None))
            if values != row.values:
                return row
        return row.with_text(text, problem)

    def after(self, name: str, text: str) -> PageForm:
        """The form after a change of one row; texts that were refused are tried again.

        Args:
            name: of the row, or of another change that :func:`changed` takes.
            text: its new text.
        """
        start = (self.before if name == "sizes" else None) or self.state
        texts = {**{one: typed for one, (typed, _why) in self.refused.items()}, name: text}
        state, refused = with_changes(start, texts)
        was, now = rows_of(self.state), rows_of(state)
        hidden = dict(self.hidden)
        # other code takes other tensors, to which no text of before belongs
        if program_of(state) == program_of(self.state):
            hidden |= {
                one: ",".join(was[one].values)
                for one in was.keys() - now.keys()
                if not was[one].later
            }
            hidden |= {one: texts[one] for one in refused.keys() & was.keys() - now.keys()}
            back = {one: hidden[one] for one in hidden.keys() & now.keys() - was.keys()}
            state, _refused = with_changes(state, back)
            now = rows_of(state)
        leads = name in now and now[name].leads
        return PageForm(
            state,
            {one: why for one, why in refused.items() if one in now},
            self._typed_after(name, text, now, refused),
            hidden,
            start if leads else None,
            self._new_places_after(name, start, state),
        )

    def _typed_after(
        self, name: str, text: str, now: Mapping[str, FormField], refused: Mapping[str, Any]
    ) -> dict[str, tuple[str, tuple[str, ...]]]:
        typed = dict(self.typed)
        # what stands in a grid follows from the tensor
        if name in now and name not in refused and now[name].later is None:
            typed[name] = (text, now[name].values)
        return typed

    def _new_places_after(self, name: str, start: AnyState, state: AnyState) -> dict[str, int]:
        # own values leave no place that nobody has filled
        places = {} if name.endswith("literal") else dict(self.new_places)
        for one, now in state.tensors.items():
            was = start.tensors.get(one)
            if was is not None and was.sizes != now.sizes:
                kept = now.control and now.values == "own"
                places[one] = new_places(was.sizes, now.sizes) if kept else 0
        return places

    def followers(self) -> Iterator[tuple[FormField, FormField]]:
        """The rows that followed the last change, before it and now."""
        was, now = rows_of(self.before or self.state), rows_of(self.state)
        for name, row in now.items():
            if (
                name in was
                and not row.leads
                and name != "literal"
                and was[name].values != row.values
            ):
                yield was[name], row

    def problems(self, *, second: bool) -> tuple[Problem, ...]:
        """Why texts are refused.

        Args:
            second: whether of the rows of what the page's own is compared with, or of the others.
        """
        of_second = _part_of(self.state, SECOND)
        return tuple(
            Problem(name, why, "dmlviz")
            for name, (_text, why) in self.refused.items()
            if (name in of_second) == second
        )


def groups_of(state: AnyState) -> tuple[FormGroup, ...]:
    """A page's form, in the reader's language."""
    return _groups(state, locale())


def tensor_groups(state: AnyState) -> tuple[FormGroup, ...]:
    """The groups of a form before the settings: one for each tensor, and how many there are."""
    return tuple(takewhile(lambda group: not group.part, groups_of(state)))


def rows_of(state: AnyState) -> dict[str, FormField]:
    """Every row of a page by name, those beside the title and of the engine included."""
    return _rows(state, locale(), tuple(engines_here().items()))


def _part_of(state: AnyState, part: str) -> dict[str, FormField]:
    groups = (group for group in groups_of(state) if group.part == part)
    return {row.name: row for group in groups for row in group.fields}


@lru_cache(64)
def _groups(state: AnyState, _language: str) -> tuple[FormGroup, ...]:
    return tuple(
        replace(group, fields=tuple(map(_offering_own_picture, group.fields)))
        for group in form_of(state)
    )


def _offering_own_picture(row: FormField) -> FormField:
    """A menu of pictures offers the reader's own before there is one: a dialog then asks for it."""
    if row.picture != PICTURES_ROW:
        return row
    (menu,) = row.controls
    options, titles = (*menu.options, OWN), (*menu.titles, _("My own picture"))
    return replace(row, controls=(replace(menu, options=options, titles=titles),))


@lru_cache(64)
def _rows(
    state: AnyState, language: str, engines: tuple[tuple[str, str], ...]
) -> dict[str, FormField]:
    form = (row for group in _groups(state, language) for row in group.fields)
    view = (*view_rows(state, TOOLS), *view_rows(state, LIMITS))
    return {row.name: row for row in (*form, *view, _engine_row(state, dict(engines)))}


def _engine_row(state: AnyState, engines: Mapping[str, str]) -> FormField:
    """The row for the engine, which offers those that can run on this machine."""
    control = VIEW_FIELDS["engine"].control
    assert control is not None  # it has a place
    menu = FormControl("menu", tuple(engines), tuple(engines.values()))
    values = (state.view.engine,)
    return FormField("engine", control.title(), control.help(), (menu,), values=values)


@dataclass(frozen=True)
class Page:
    """A page with a stage, in this session.

    Attributes:
        key: of the page, such as ``depth-to-space`` or ``code``.
        kept: what the session keeps of the page besides widgets: one value of Streamlit's, because
            each costs time in every run.
    """

    key: str
    kept: dict[str, Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        kept = st.session_state.setdefault(f"{self.key}-kept", {})
        object.__setattr__(self, "kept", kept)

    # ---- what it keeps in the session

    def widget_key(self, name: str, part: int | str = "") -> str:
        """The key of a widget.

        Args:
            name: of a row, or of a widget that is no row's.
            part: for one of several of a name.
        """
        key = f"{self.key.replace('-', '_')}_{name.replace('.', '_')}"
        return f"{key}_{part}" if part != "" else key

    def keys_of(self, row: FormField) -> tuple[str, ...]:
        """The keys of a row's widgets: one, or one for each of its numbers."""
        parts = range(len(row.controls)) if row.ranked else ("",)
        return tuple(self.widget_key(row.name, part) for part in parts)

    def get(self, name: str, default: Any = None) -> Any:
        """What a widget holds now."""
        return st.session_state.get(self.widget_key(name), default)

    def set(self, name: str, value: Any) -> None:
        """Put something into a widget that is not drawn yet."""
        send(self, self.widget_key(name), value)

    # ---- its state

    @property
    def form(self) -> PageForm:
        """The form that the page keeps; that of its first state on the first visit."""
        form: PageForm | None = self.kept.get("form")
        return form or PageForm(first_of(self.key))

    @property
    def state(self) -> AnyState:
        """The last valid state."""
        return self.form.state

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of all inputs."""
        return tuple(self.state.tensors)

    def keep(self, form: PageForm) -> None:
        """Keep a form and fill its widgets; only before they are drawn, or in a callback."""
        self.kept["form"] = form
        self._fill(form)

    def _fill(self, form: PageForm) -> None:
        """Let every widget hold what its row says."""
        for row in form.rows().values():
            for key, control, text in zip(
                self.keys_of(row), row.controls, row.values, strict=False
            ):
                value = value_of(control, text)
                # True is 1 for Python, and not for a widget
                if control.kind in ("grid", "file"):
                    continue
                if repr(st.session_state.get(key, _ABSENT)) != repr(value):
                    send(self, key, value)

    @in_one_language
    def change(self, name: str, text: str) -> None:
        """Change one row; only before widgets are drawn, or in a callback."""
        self.keep(self.form.after(name, text))

    @in_one_language
    def take_widget(self, name: str) -> None:
        """Take what the widgets of a row hold, unless a browser reports values from before."""
        form = self.form
        row = rows_of(form.state).get(name)
        if row is None:
            return
        # each is asked: a late one gets its value back
        late = [is_late(self, key) for key in self.keys_of(row)]
        if not any(late):
            texts = [text_of(st.session_state.get(key)) for key in self.keys_of(row)]
            self.keep(form.after(name, ",".join(texts)))

    def take_change(self, name: str, take: Callable[[Page], None]) -> None:
        """The callback of a widget that is no row's.

        Args:
            name: of the widget.
            take: called unless a browser reports a value from before.
        """
        if not is_late(self, self.widget_key(name)):
            take(self)

    # ---- what opens it

    def begin(self) -> None:
        """Show the first state on the first visit, or what a link says that was opened."""
        parameters = self.address.opened()
        if parameters is not None:
            self.open(parameters)
        else:
            self._fill(self.form)
        self._correct_engine()

    def open(self, parameters: Mapping[str, str]) -> None:
        """Show a link's state; what it cannot hold is reported, and stays in its widget."""
        opened = self.read(parameters)
        state = opened.state.without_player()
        messages = {problem.field: problem.message for problem in opened.problems}
        refused = {n: (text, messages[n]) for n, text in opened.typed.items() if n in messages}
        typed = {}
        row = rows_of(state).get("sizes")
        # in a link to code, `sizes` names all tensors, and no row is called so
        if row is not None and "sizes" in parameters and "sizes" not in refused:
            typed = {"sizes": (parameters["sizes"].strip(), row.values)}
        self.keep(PageForm(state, refused, typed))
        self.address.open(state, _beside_no_widget(opened))
        self.show_view(opened.state.view)

    def _correct_engine(self) -> None:
        """If the engine cannot run here, say so and use the first one that can."""
        engine = self.state.view.engine
        if engine in engines_here():
            return
        ours = statuses()[0]
        name = name_here(engine)
        if name is None:
            name = ours.name
            sentence = _(
                "link: engine={name} cannot run on this machine; {ours} runs instead."
            ).format(name=engine, ours=ours.title)
            self.address.change(messages=(*self.link_problems(), sentence))
        self.change("engine", name)
        linked = self.address.history.meaning
        if linked is not None:
            # the address stays as it came, because it is right on the machine that it came from
            view = replace(linked.view, engine=name)
            self.address.change(meaning=replace(linked, view=view))

    @property
    def address(self) -> PageAddress:
        """The page's address."""
        return PageAddress(self.key)

    def link_problems(self) -> tuple[str, ...]:
        """A sentence for each problem of the link that was opened, and that no widget shows."""
        return self.address.problem_messages(
            lambda parameters: _beside_no_widget(self.read(parameters))
        )

    def read(self, parameters: Mapping[str, str]) -> Opened[AnyState]:
        """What a link says in this session, which may have the picture that it names."""
        return read_page(self.key, parameters, own_picture())

    @in_one_language
    def take(self, state: AnyState) -> None:
        """Show a state and its view as a link does; only in a callback."""
        self.keep(PageForm(state.without_player()))
        self.address.change(messages=())
        self.show_view(state.view)

    def reset(self) -> None:
        """Show the first state; only in a callback."""
        self.take(first_of(self.key))

    def show_view(self, view: View) -> None:
        """Let the player begin as a view says."""
        self.kept["view"] = view
        self.kept["opened"] = self.opened + 1

    @property
    def view(self) -> View:
        """That of the newest link, with which the player begins."""
        view: View = self.kept.get("view", View())
        return view

    @property
    def opened(self) -> int:
        """How many views were opened on the page."""
        return int(self.kept.get("opened", 0))


def value_of(control: FormControl, text: str) -> Any:
    """What Streamlit's widget holds for a row's text; None for a number that is none."""
    if control.kind == "menu":
        return next((one for one in control.options if str(one) == text), text)
    if control.kind == "switch":
        return text == "true"
    if control.kind in ("number", "slider"):
        with suppress(ValueError):
            return int(text) if control.is_whole else float(text)
        return None
    return text


def text_of(value: Any) -> str:
    """The text that a row has for what a widget holds."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)


def _beside_no_widget(opened: Opened[AnyState]) -> list[Problem]:
    """The problems of a link, except those that a widget shows."""
    return [problem for problem in opened.problems if problem.field not in opened.typed]
