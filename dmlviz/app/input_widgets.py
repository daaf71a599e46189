"""Building the input: sizes, data type, values."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import streamlit as st

from dmlviz.app.described import Described, read_operator
from dmlviz.app.grid import edit_as_grid
from dmlviz.app.problems import Notices
from dmlviz.app.redrawing import FITTED
from dmlviz.app.state import KEEP, OWN_PICTURE, PageState, SizesChange, own_picture
from dmlviz.app.text import plain
from dmlviz.errors import Error
from dmlviz.movement import VALUES
from dmlviz.picture.files import joined, module
from dmlviz.picture.scene import STAGE_LIMIT
from dmlviz.states import View, print_setting
from dmlviz.states.changing import new_places, resized_values, sizes_of_typed
from dmlviz.states.controls import FormField
from dmlviz.states.form import (
    data_type_field,
    literal_field,
    picture_field,
    seed_field,
    sizes_field,
    values_title,
)
from dmlviz.states.inputs import list_slot, types_of
from dmlviz.states.own_picture import (
    COLUMNS,
    ROWS,
    WHOLE,
    PictureChoice,
    channels_field,
    file_field,
    part_fields,
    titles_of_channels,
    width_field,
)
from dmlviz.tensors import (
    DATA_TYPES,
    OWN,
    OwnPicture,
    check_element_count,
    print_sizes,
    read_literal,
)
from dmlviz.tensors.own_picture import KEPT_SIDE
from dmlviz.tensors.types import Array
from dmlviz.words import _, locale, ngettext, speaking

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
    *shown, new = state.get("new_places", ("", "", 0))
    if new and shown == [state.get("sizes"), state.get("literal")]:
        st.caption(ngettext("{n} new place holds 0.", "{n} new places hold 0.", new).format(n=new))
    if not state.part:
        _fitted_notice(state)
    several = len(state.page().names()) > 1
    label = f"{state.name}.Sizes" if several else row.label
    notices.place(state.field("sizes"), *(() if state.part else ("output_sizes",)), label=label)


@st.fragment(key=FITTED)
def _fitted_notice(page: PageState) -> None:
    """Say what the page has changed to fit new sizes, before and now."""
    with speaking(locale()):
        _say_fitted(page, list(_fitted(page)))


def _say_fitted(page: PageState, changes: list[tuple[str, str, str]]) -> None:
    page.set("noticed", bool(changes))
    if not changes:
        return
    each = _("{field}: {before} before, {after} now")
    lines = (
        plain(each.format(field=field, before=before, after=after))
        for field, before, after in changes
    )
    st.caption("\n- ".join((_("Changed to fit the sizes:"), *lines)))


def _fitted(page: PageState) -> Iterator[tuple[str, str, str]]:
    """What the page has changed to fit new sizes: a field's label, its value before and now."""
    change: SizesChange | None = page.get("change")
    if change is None or change.after is None:
        return
    names = page.names()
    for name in names:
        both = change.of(page.of(name).key("sizes"))
        if both is not None and name != names[0]:
            before, after = (f"{{{sizes}}}" for sizes in both)
            yield (_("Sizes of {name}").format(name=name), before, after)
        both = change.of(page.of(name).key("values"))
        if both is not None:
            label = _("Values of {name}").format(name=name) if len(names) > 1 else _("Values")
            before, after = (values_title(page.cls, option) for option in both)
            yield (label, before, after)
    described: Described = page.get("described")
    for parameter in described.first.offered:
        count = len(parameter.neutral(page.fitted_sizes())) if parameter.ranked else 0
        parts: Iterable[int | str] = range(count) if count else ("",)
        for part in parts:
            both = change.of(page.key(parameter.name, part))
            # a dimension that is new has no value before
            if both is not None and both[0] is not None:
                label = f"{parameter.label}[{part}]" if count else parameter.label
                before, after = map(print_setting, both)
                yield (label, before, after)


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
            step=1,
            key=state.key("seed"),
            help=row.help,
            on_change=changed,
            args=(state,),
            persist_state=KEEP,
        )
        notices.place(state.field("seed"), label="" if state.part else row.label)
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
    if not state.part:
        state.begin_change()
    _leave_example(state)
    changed(state)


def _leave_example(state: PageState) -> None:
    """An example has fixed sizes; for other sizes, switch to counting or to its elements.

    Indices stay at their places, and the page says how many are new.
    """
    try:
        sizes = state.sizes()
        check_element_count(sizes, STAGE_LIMIT, "sizes")
    except Error:
        return
    before = state.input_state(state.get("valid_sizes", sizes))
    now = resized_values(state.cls, state.name, before, sizes)
    if now.values != "own":
        if now.values != before.values:
            state.set("values", now.values)
    elif now.literal != before.literal:
        state.fill_literal(now.array(None, 0, STAGE_LIMIT))
        new = new_places(before.sizes, sizes)
        state.set("new_places", (state.get("sizes"), state.get("literal"), new))


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


_READ = "own_picture_read"
"""The session's key for the whole picture, of which the learner crops a part."""
_REFUSED = "own_picture_refused"
"""The session's key for why the newest file was not read."""
_SHOWN = 240
"""The pixels of the part's preview, across and down at most."""

_HERE = Path(__file__).parent


def picture_widgets(state: PageState) -> None:
    """Draw the choice of a picture, and the dialog for the learner's own."""
    row = picture_field(state.field("picture"), own_picture=True)
    titles = dict(zip(row.controls[0].options, row.controls[0].titles, strict=True))
    st.selectbox(
        row.label,
        list(titles),
        key=state.key("picture"),
        format_func=lambda key: titles[key],
        on_change=_chosen,
        args=(state,),
        persist_state=KEEP,
    )
    if state.get("picture") != OWN:
        return
    label = _("Change my picture") if own_picture() else _("Choose my picture")
    pressed = st.button(label, icon=":material/add_photo_alternate:", key=state.key("own_picture"))
    if st.session_state.pop(state.key("choose"), False) or pressed:
        dialog = st.dialog(
            _("My own picture"), icon=":material/add_photo_alternate:", width="large"
        )
        dialog(_draw)(state)


def _chosen(state: PageState) -> None:
    """Open the dialog at once if there is no picture yet."""
    if state.get("picture") == OWN and own_picture() is None:
        state.set("choose", True)


def _draw(state: PageState) -> None:
    take = st.components.v2.component(
        "dmlviz_own_picture", js=_script(), css=_text("own_picture.css")
    )
    file = file_field()
    choose, wrong = file.controls[0].titles
    left, right = st.columns(2)
    with left:
        take(
            key="own_picture_file",
            data={
                "most": file.controls[0].most,
                "choose": choose,
                "drop": file.help,
                "wrong": wrong,
            },
            on_picture_change=_sent,
        )
        if refused := st.session_state.get(_REFUSED):
            st.error(plain(refused), icon=":material/error:")
        shown = st.empty()
        st.caption(
            _(
                "Your picture stays in this session: it is not saved, and no address contains it. "
                "The file itself does not leave your browser, only a copy of at most {most} by "
                "{most} pixels."
            ).format(most=KEPT_SIDE)
        )
    read: OwnPicture | None = st.session_state.get(_READ)
    if read is None:
        return
    choice = PictureChoice(read)
    with right:
        ends = {row.name: _percent(row) for row in part_fields(choice)}
        choice = replace(choice, columns=ends[COLUMNS], rows=ends[ROWS])
        _as_tensor(state, choice)
    part = choice.part
    width = min(_SHOWN, _SHOWN * part.width // part.height)
    shown.image(part.rows, width=max(1, width), alt=_("The chosen part"))


def _sent() -> None:
    """Read what the browser sent, which may be anything."""
    from dmlviz.picture.own_picture import read_own_picture

    sent = str(st.session_state.get("own_picture_file", {}).get("picture") or "")
    st.session_state.pop(_REFUSED, None)
    try:
        st.session_state[_READ] = read_own_picture(b64decode(sent, validate=True))
    except (Error, binascii.Error, ValueError) as error:
        st.session_state[_REFUSED] = (
            str(error)
            if isinstance(error, Error)
            else _("picture: the file is damaged or incomplete, so it cannot be read.")
        )


def _as_tensor(state: PageState, choice: PictureChoice) -> None:
    """Draw the widgets for the tensor that the part becomes."""
    if state.part:
        # the tensors that move have related sizes, so another one's must stay
        st.caption(_("The picture is drawn in the sizes of this tensor."))
        _use(state, choice.part, (), "", "value")
        return
    row = channels_field(choice)
    titles = titles_of_channels()
    channels = st.segmented_control(
        row.label,
        list(titles),
        format_func=lambda count: titles[count],
        default=choice.channels,
        required=True,
        key=row.name,
        persist_state=KEEP,
    )
    choice = replace(choice, channels=int(channels))
    kind = st.segmented_control(
        _("Data type"),
        ["UINT8", "FLOAT32"],
        default="UINT8",
        required=True,
        key="own_picture_type",
        help=_("UINT8 has values from 0 to 255, FLOAT32 from 0 to 1."),
        persist_state=KEEP,
    )
    row = width_field(choice)
    width = st.number_input(
        row.label,
        min_value=1,
        max_value=choice.widest,
        value=choice.width_on_stage,
        key=f"{row.name}_{choice.widest}",
        help=row.help,
    )
    choice = replace(choice, width=int(width))
    operator = None
    with suppress(Error):
        operator = read_operator(state, state.sizes()).operator
    sizes = choice.sizes(state.cls, operator)
    st.caption(print_sizes(sizes) if sizes else "")
    _use(state, choice.part, sizes, str(kind), choice.colors)


def _percent(row: FormField) -> tuple[int, int]:
    """Draw one slider with two ends for a row of two."""
    low, high = st.slider(row.label, *WHOLE, WHOLE, key=row.name, persist_state=KEEP)
    return int(low), int(high)


def _use(
    state: PageState, part: OwnPicture, sizes: tuple[int, ...], data_type: str, colors: str
) -> None:
    used = st.button(
        _("Use this picture"),
        type="primary",
        key="own_picture_use",
        on_click=_take,
        args=(state, part, sizes, data_type, colors),
    )
    if used:
        st.rerun()


def _take(
    state: PageState, part: OwnPicture, sizes: tuple[int, ...], data_type: str, colors: str
) -> None:
    """Keep the part in the session, and show it in this tensor."""
    st.session_state[OWN_PICTURE] = part
    state.set("values", "picture")
    state.set("picture", OWN)
    if sizes:
        state.set("sizes", print_sizes(sizes).strip("{}"))
    if data_type:
        state.set("data_type", data_type)
    page = PageState(state.cls)
    page.set("view", replace(page.get("view", View()), colors=colors, step=0, pinned=()))
    page.set("opened", page.get("opened", 0) + 1)


@cache
def _script() -> str:
    return joined([module("dom"), module("own_picture"), _HERE / "own_picture.js"])


@cache
def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
