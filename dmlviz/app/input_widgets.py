"""Building the input: sizes, data type, values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

import streamlit as st

from dmlviz.app.grid import edit_as_grid
from dmlviz.app.own_picture import picture_widgets
from dmlviz.app.problems import Notices
from dmlviz.app.state import KEEP, PageState
from dmlviz.app.text import plain
from dmlviz.errors import Error
from dmlviz.movement import VALUES
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states.changing import resized_values, sizes_of_typed
from dmlviz.states.form import (
    data_type_field,
    literal_field,
    seed_field,
    sizes_field,
    values_title,
)
from dmlviz.states.inputs import list_slot, types_of
from dmlviz.tensors import (
    DATA_TYPES,
    MOST_SEED,
    check_element_count,
    print_sizes,
    read_literal,
)
from dmlviz.tensors.types import Array
from dmlviz.words import _

Changed = Callable[[PageState], None]
"""Called with the keys of an input whose widget has changed, before the page is drawn."""


def input_widgets(
    page: PageState, notices: Notices, inputs: Mapping[str, Array], changed: Changed
) -> None:
    """Draw sizes, data type and values of every input.

    Args:
        page: of the explorer.
        notices: where sentences go.
        inputs: those that are valid, by name, for grids to edit them.
        changed: called when a widget changes that need not change the page.
    """
    names = page.names()
    alone = len(names) == 1 and not list_slot(page.cls)
    for name in names:
        keys = page.of(name)
        st.subheader(_("Input") if alone else plain(name), anchor=False)
        sizes_widget(keys, notices, changed)
        if name == names[0] or page.cls.role(name) != VALUES:
            data_type_widget(keys, notices, changed)
        with st.container():
            values_widgets(keys, notices, changed)
            if name in inputs:
                edit_as_grid(keys, notices, inputs[name], keys.data_type())
    _list_buttons(page)


def _list_buttons(page: PageState) -> None:
    """Draw the buttons that add a tensor to a list or remove one."""
    slot = list_slot(page.cls)
    if slot is None:
        return
    count = sum(name in slot.names(slot.most) for name in page.names())
    with st.container(horizontal=True):
        st.button(
            _("Add a tensor"),
            icon=":material/add:",
            key=page.key("add"),
            on_click=page.add_input,
            disabled=count >= slot.most,
        )
        st.button(
            _("Remove the last"),
            icon=":material/remove:",
            key=page.key("remove"),
            on_click=page.remove_input,
            disabled=count <= 1,
        )


def sizes_widget(state: PageState, notices: Notices, changed: Changed) -> None:
    """Draw the sizes."""
    row = sizes_field(state.field("sizes"))
    st.text_input(
        row.label,
        key=state.key("sizes"),
        help=row.help,
        max_chars=200,
        on_change=_sizes_changed,
        args=(state, changed),
        persist_state=KEEP,
    )
    label = f"{state.name}.Sizes" if state.part else row.label
    notices.place(state.field("sizes"), *(() if state.part else ("output_sizes",)), label=label)


def data_type_widget(state: PageState, notices: Notices, changed: Changed) -> None:
    """Draw the data type, one that the tensor may have."""
    options = types_of(state.cls, state.name) if state.part else tuple(DATA_TYPES)
    row = data_type_field(state.field("data_type"), options)
    st.selectbox(
        row.label,
        list(options),
        key=state.key("data_type"),
        on_change=changed,
        args=(state,),
        persist_state=KEEP,
    )
    notices.place(state.field("data_type"), label="" if state.part else row.label)


def values_widgets(state: PageState, notices: Notices, changed: Changed) -> None:
    """Draw the choice of the tensor's values, and the widgets of that choice."""
    st.selectbox(
        _("Values"),
        state.value_options(),
        key=state.key("values"),
        format_func=partial(values_title, state.cls),
        on_change=_values_changed,
        args=(state,),
        persist_state=KEEP,
    )
    notices.place(state.field("values"), *((state.name,) if state.part else ("starting_values",)))
    chosen = state.get("values")
    if chosen == "random":
        row = seed_field(state.field("seed"))
        st.number_input(
            row.label,
            min_value=0,
            max_value=MOST_SEED,
            key=state.key("seed"),
            help=row.help,
            on_change=changed,
            args=(state,),
            persist_state=KEEP,
        )
    elif chosen == "picture":
        picture_widgets(state)
    elif chosen == "own":
        row = literal_field(state.field("literal"))
        st.text_area(
            row.label,
            key=state.key("literal"),
            height=150,
            help=row.help,
            on_change=_literal_changed,
            args=(state,),
            persist_state=KEEP,
        )
        notices.place(state.field("literal"), *((state.name,) if state.part else ()))


def _sizes_changed(state: PageState, changed: Changed) -> None:
    _leave_example(state)
    changed(state)


def _leave_example(state: PageState) -> None:
    """An example has fixed sizes; for other sizes, switch to counting or to its elements."""
    try:
        sizes = state.sizes()
        check_element_count(sizes, STAGE_LIMIT, "sizes")
    except Error:
        return
    before = state.input_state(sizes)
    now = resized_values(state.cls, state.name, before, sizes)
    if now.values == before.values:
        return
    if now.values == "own":
        state.fill_literal(now.array(None, 0, STAGE_LIMIT))
    else:
        state.set("values", now.values)


def _values_changed(state: PageState) -> None:
    chosen = str(state.get("values"))
    if chosen.startswith("example-"):
        number = int(chosen.removeprefix("example-"))
        if state.part:
            state.load_input(number)
        else:
            state.load(number)
    elif chosen == "own" and not state.get("literal"):
        last = state.get("last")
        if last is not None:
            state.fill_literal(last)


def _literal_changed(state: PageState) -> None:
    """A pasted tensor sets the sizes, and the data type if it names one."""
    try:
        literal = read_literal(str(state.get("literal", "")), state.data_type(), limit=STAGE_LIMIT)
    except Error:
        return
    # all tensors whose elements are moved have one data type
    control = state.cls.role(state.name) != VALUES
    if not control:
        PageState(state.cls).set("data_type", literal.data_type)
    elif literal.data_type in types_of(state.cls, state.name):
        state.set("data_type", literal.data_type)
    sizes = None
    with suppress(Error):
        sizes = state.sizes()
    rank = len(sizes) if sizes is not None and state.part else min(state.cls.ranks_ever())
    now = sizes_of_typed(sizes, literal.sizes, rank)
    if now != sizes:
        state.set("sizes", print_sizes(now).strip("{}"))
