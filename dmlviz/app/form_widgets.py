"""A form's rows as Streamlit's widgets; what they hold is kept by the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import streamlit as st

from dmlviz.app.engines import engines_here
from dmlviz.app.grid import edit_as_grid
from dmlviz.app.own_picture import own_picture_button
from dmlviz.app.problems import Notices
from dmlviz.app.redrawing import FITTED, changed
from dmlviz.app.state import KEEP, PageState, own_picture, rows_of
from dmlviz.app.text import plain
from dmlviz.base.spelling import MOST_TYPED
from dmlviz.base.words import _, in_one_language, locale, ngettext, speaking
from dmlviz.states.controls import FormControl, FormField
from dmlviz.states.inputs import list_slot
from dmlviz.states.pages import form_of
from dmlviz.states.view import TOOLS, VIEW_FIELDS, placed
from dmlviz.tensors import OWN

_ACROSS = 4
_SIZES_TYPED = 200


@in_one_language
def took(page: PageState, name: str) -> None:
    """The callback of a row's widgets."""
    page.take_widget(name)
    changed(page)


def draw(
    page: PageState,
    row: FormField,
    notices: Notices | None = None,
    *,
    labelled: str = "",
    **more: Any,
) -> None:
    """Draw a row.

    Args:
        page: that keeps it.
        row: of the page's form.
        notices: where sentences go; None where nothing can be wrong with it, or they stand
            elsewhere.
        labelled: how sentences about a tensor's row begin.
        more: for its widgets.
    """
    more = {"on_change": took, "args": (page, row.name), "persist_state": KEEP, **more}
    places: Iterable[Any] = (None,)
    if row.ranked:
        limit = any(control.least == 0 and "0 " in row.help for control in row.controls)
        st.markdown(f"**{row.label}**", help=None if limit else row.help)
        if limit:
            st.caption(row.help)
        places = _across(len(row.controls))
    keys = page.keys_of(row)
    for k, (control, place) in enumerate(zip(row.controls, places, strict=False)):
        label, key = f"[{k}]" if row.ranked else row.label, keys[k]
        _DRAW[control.kind](
            place or st,
            control,
            label,
            key=key,
            help=None if row.ranked else row.help or None,
            **more,
        )
    if notices is not None:
        place_of(page, row, notices, labelled)


def place_of(page: PageState, row: FormField, notices: Notices, labelled: str = "") -> None:
    """Make a place here for sentences about a row."""
    tensor, _dot, part = row.name.rpartition(".")
    also = {"values": (tensor or "starting_values",), "literal": (tensor,) if tensor else ()}
    also["sizes"] = () if tensor else ("output_sizes",)
    label = row.label if not tensor else labelled
    if part == "sizes" and len(page.names()) > 1 and not labelled:
        label = f"{tensor or page.cls.first_input()}.Sizes"
    notices.place(row.name, *also.get(part, ()), label=label)


def _across(count: int) -> Iterator[Any]:
    for _first in range(0, count, _ACROSS):
        yield from st.columns(min(_ACROSS, count), gap="xsmall")


def _menu(place: Any, control: FormControl, label: str, **more: Any) -> None:
    titles = dict(zip(control.options, control.titles or control.options, strict=True))
    numbers = all(isinstance(option, int) for option in control.options)
    more.setdefault("accept_new_options", numbers)
    if not numbers:
        more["format_func"] = lambda option: str(titles.get(option, option))
    place.selectbox(label, list(control.options), **more)


def _number(place: Any, control: FormControl, label: str, **more: Any) -> None:
    # nine digits distinguish every FLOAT; a widget's own bounds would redden it without words
    kind = {"step": 0.5, "format": "%.9g"} if control.step == 0.5 else {"step": 1}
    place.number_input(label, **kind, **more)


_DRAW: dict[str, Callable[..., None]] = {
    "menu": _menu,
    "number": _number,
    "slider": _number,
    "switch": lambda place, control, label, **more: place.toggle(label, **more),
    "text": lambda place, control, label, **more: place.text_input(label, **more),
    "lines": lambda place, control, label, **more: place.text_area(
        label, **{"height": 150, **more}
    ),
}
"""How each kind of control is drawn; only this place depends on the kind."""


def view_widgets(page: PageState, place: str, notices: Notices | None = None) -> None:
    """Draw the widgets of how the page is looked at."""
    rows = rows_of(page.held.state)
    for name in placed(place, page.held.state):
        row, more = rows[name], dict[str, Any]()
        control = VIEW_FIELDS[name].control
        assert control is not None  # it has a place
        if name == "engine":
            titles = dict(engines_here().items())
            row = FormField(
                name,
                row.label,
                row.help,
                (FormControl("menu", tuple(titles), tuple(titles.values())),),
            )
        elif row.controls[0].kind == "switch":
            more["disabled"] = control.alone and page.held.state.compares
            if more["disabled"]:
                more["help"] = _("Not available while you compare: turn off Compare first.")
        if place == TOOLS:
            more["on_change"], more["args"] = page.take_widget, (name,)
        if more.get("help"):
            row = FormField(row.name, row.label, more.pop("help"), row.controls)
        draw(page, row, notices, **more)


def input_widgets(page: PageState, notices: Notices, inputs: Any) -> None:
    """Draw every input's rows."""
    groups = form_of(page.held.state)
    for name, group in zip(page.names(), groups, strict=False):
        keys = page.of(name)
        st.subheader(group.title if group.title != name else plain(name), anchor=False)
        with st.container():
            for row in group.fields:
                input_row(keys, row, notices, inputs.get(name))
    slot = list_slot(page.cls)
    if slot is None:
        return
    count = sum(name in slot.names(slot.most) for name in page.names())
    with st.container(horizontal=True):
        for key, label, icon, change, off in (
            ("add", _("Add a tensor"), "add", 1, count >= slot.most),
            ("remove", _("Remove the last"), "remove", -1, count <= 1),
        ):
            st.button(
                label,
                icon=f":material/{icon}:",
                key=page.key(key),
                on_click=page.change,
                args=("tensors", str(count + change)),
                disabled=off,
            )


def input_row(keys: PageState, row: FormField, notices: Notices, array: Any) -> None:
    """Draw a row of one tensor.

    Args:
        keys: of the tensor's widgets.
        row: of the page's form.
        notices: where sentences go.
        array: the tensor; None while its values are invalid.
    """
    page, part = keys.page(), row.name.rpartition(".")[2]
    kind = row.controls[0].kind
    if kind == "grid":
        if array is not None:
            edit_as_grid(keys, notices, array, keys.data_type())
        return
    if kind == "file" or part.startswith("own_picture"):
        if kind == "file" and keys.get("picture") == OWN:
            own_picture_button(keys)
        return
    more: dict[str, Any] = {}
    if part == "values":
        more = {"on_change": page.take_widget, "args": (row.name,)}
    if part == "literal":
        more = {"on_change": page.take_widget, "args": (row.name,)}
    if part == "picture":
        titles = {**dict(zip(row.controls[0].options, row.controls[0].titles, strict=True))}
        titles[OWN] = _("My own picture")
        control = FormControl("menu", tuple(titles), tuple(titles.values()))
        row = FormField(row.name, row.label, row.help, (control,), values=row.values)
        more = {"on_change": _chosen, "args": (keys, row.name)}
    if part == "sizes":
        more["max_chars"] = _SIZES_TYPED
    draw(page, row, notices, **more)
    if part == "sizes":
        new = page.new_places(keys.name)
        if new:
            st.caption(
                ngettext("{n} new place holds 0.", "{n} new places hold 0.", new).format(n=new)
            )
        if not keys.part:
            _fitted(page)


@in_one_language
def _chosen(keys: PageState, name: str) -> None:
    """Open the dialog at once if there is no picture yet."""
    keys.page().take_widget(name)
    if keys.get("picture") == OWN and own_picture() is None:
        st.session_state[keys.key("choose")] = True


@st.fragment(key=FITTED)
def _fitted(page: PageState) -> None:
    """Say what has followed new sizes, before and now."""
    with speaking(locale()):
        each = _("{field}: {before} before, {after} now")
        lines = [
            plain(each.format(field=label, before=before, after=after))
            for then, row in page.held.followed()
            for label, before, after in _differences(page, then, row)
        ]
        page.set("noticed", bool(lines))
        if lines:
            st.caption("\n- ".join((_("Changed to fit the sizes:"), *lines)))


def _differences(
    page: PageState, then: FormField, row: FormField
) -> Iterator[tuple[str, str, str]]:
    tensor, _dot, part = row.name.rpartition(".")
    if part == "grid":
        return
    if part in ("sizes", "values"):
        several = len(page.names()) > 1
        label = row.label
        if several:
            text = _("Sizes of {name}") if part == "sizes" else _("Values of {name}")
            label = text.format(name=tensor or page.cls.first_input())
        both = [
            f"{{{one.values[0]}}}"
            if part == "sizes"
            else dict(zip(one.controls[0].options, one.controls[0].titles, strict=True))[
                one.values[0]
            ]
            for one in (then, row)
        ]
        yield label, both[0], both[1]
        return
    for k, (before, after) in enumerate(zip(then.values, row.values, strict=False)):
        if before != after:
            yield (f"{row.label}[{k}]" if row.ranked else row.label), before, after


def setting_widgets(page: PageState, notices: Notices, start: str = "") -> None:
    """Draw the settings of the operator, or of the one to compare it with."""
    settings = {f"{start}{one.name}" for one in page.cls.parameters()}
    for name, row in page.held.rows().items():
        if name in settings:
            kind = row.controls[0].kind
            more: dict[str, Any] = {"max_chars": MOST_TYPED} if kind == "text" else {}
            draw(page, row, notices, **more)
