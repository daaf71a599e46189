"""A form's rows as Streamlit's widgets; what they hold is kept by the page."""

from __future__ import annotations

import binascii
import hashlib
from base64 import b64decode
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from dmlviz.app.page import KEEP, OWN_PICTURE, Page, own_picture, rows_of, tensor_groups
from dmlviz.app.parts import fragment
from dmlviz.app.problems import Notices
from dmlviz.app.redrawing import FOLLOWERS, FOLLOWERS_LISTED, TENSORS, open_key, redraw, remembered
from dmlviz.app.text import plain
from dmlviz.app.typed_text import kept_text
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _, in_one_language, ngettext
from dmlviz.picture.files import joined, module
from dmlviz.states.controls import (
    OWN_PICTURE_ROW,
    PICTURES_ROW,
    FormControl,
    FormField,
    FormGroup,
)
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
from dmlviz.states.pages import AnyState, changed, form_of, with_picture
from dmlviz.states.view import placed
from dmlviz.tensors import OWN, OwnPicture, print_sizes, read_number
from dmlviz.tensors.numbering import print_index
from dmlviz.tensors.own_picture import KEPT_SIDE
from dmlviz.tensors.types import Sizes

_ACROSS = 4
"""How many numbers of a row stand beside each other."""
_READ = "own_picture_read"
"""The session's key for the whole picture, of which the learner crops a part."""
_REFUSED = "own_picture_refused"
"""The session's key for why the newest file was not read."""
_SHOWN = 240
"""The pixels of the part's preview, across and down at most."""

_HERE = Path(__file__).parent


# ---- rows of any form


def draw(
    page: Page, row: FormField, notices: Notices | None = None, *, label: str = "", **more: Any
) -> None:
    """Draw a row, as its controls say.

    Args:
        page: that keeps it.
        row: of the page's form.
        notices: where sentences about it go; None where nothing can be wrong with it, or they
            stand elsewhere.
        label: how the sentences begin; empty for the usual label.
        more: arguments of its widgets.
    """
    more = {"on_change": _take, "args": (page, row.name), "persist_state": KEEP, **more}
    if row.unavailable:
        more |= {"disabled": True, "help": row.unavailable}
    elif not row.ranked:
        more["help"] = row.help or None
    places: Iterable[Any] = (st,)
    if row.ranked:
        # a caption is read before a number is typed that an address cannot hold
        limited = any(control.least == 0 and "0 " in row.help for control in row.controls)
        st.markdown(f"**{row.label}**", help=None if limited else row.help)
        if limited:
            st.caption(row.help)
        places = _across(len(row.controls))
    for number, (control, key, place) in enumerate(
        zip(row.controls, page.keys_of(row), places, strict=False)
    ):
        if control.kind == "lines":
            kept_text(key, row.name, partial(_addressed, page, row.name))
        text = f"[{number}]" if row.ranked else row.label
        _WIDGETS[control.kind](place, control, text, key=key, **more)
    if notices is not None:
        place_of(row, notices, label)


def _addressed(page: Page, name: str) -> Collection[str]:
    """The texts of a row that the page's address has: as it writes them, and as they were typed."""
    if remembered(page).addressed is None:
        return ()
    both = (rows_of(page.state), page.form.rows())
    return {rows[name].values[0] for rows in both if name in rows}


@in_one_language
def _take(page: Page, name: str) -> None:
    """The callback of a row's widgets."""
    page.take_widget(name)
    redraw(page, name)


def place_of(row: FormField, notices: Notices, label: str = "") -> None:
    """Make a place here for the sentences about a row.

    Args:
        row: of the page's form.
        notices: where sentences go.
        label: how they begin; empty for the usual label.
    """
    notices.place(row.name, *row.problems_of, label=label or row.called)


def _across(count: int) -> Iterator[Any]:
    """Places for numbers, four beside each other."""
    for _first in range(0, count, _ACROSS):
        yield from st.columns(min(_ACROSS, count), gap="xsmall")


def _menu(place: Any, control: FormControl, label: str, **more: Any) -> None:
    titles = dict(zip(control.options, control.titles or control.options, strict=True))
    # what is typed into a menu is a text, which Streamlit does not format
    if not control.accepts_more:
        more["format_func"] = lambda option: str(titles.get(option, option))
    place.selectbox(label, list(control.options), accept_new_options=control.accepts_more, **more)


def _number(place: Any, control: FormControl, label: str, **more: Any) -> None:
    # nine digits distinguish every FLOAT; a widget's own bounds would redden it without words
    kind = {"step": 1} if control.is_whole else {"step": control.step, "format": "%.9g"}
    place.number_input(label, **kind, **more)


def _text(place: Any, control: FormControl, label: str, **more: Any) -> None:
    place.text_input(label, max_chars=control.most_characters, **more)


def _lines(place: Any, control: FormControl, label: str, **more: Any) -> None:
    place.text_area(label, max_chars=control.most_characters, **{"height": 150, **more})


def _switch(place: Any, _control: FormControl, label: str, **more: Any) -> None:
    place.toggle(label, **more)


_WIDGETS: dict[str, Callable[..., None]] = {
    "menu": _menu,
    "number": _number,
    "slider": _number,
    "switch": _switch,
    "text": _text,
    "lines": _lines,
}
"""How each kind of control is drawn, but for a grid and a file, which are rows of a tensor."""


def view_widgets(page: Page, place: str, notices: Notices | None = None) -> None:
    """Draw the rows of how the page is looked at.

    Args:
        page: that keeps them.
        place: :data:`dmlviz.states.view.TOOLS` or :data:`dmlviz.states.view.LIMITS`.
        notices: as of :func:`draw`.
    """
    rows = page.form.rows()
    for name in placed(place, page.state):
        draw(page, rows[name], notices)


def group_widgets(page: Page, part: str, notices: Notices) -> None:
    """Draw the rows of a part of the form: settings, or those of what is compared with.

    Args:
        page: that keeps them.
        part: as of :class:`dmlviz.states.controls.FormGroup`.
        notices: as of :func:`draw`.
    """
    for row in page.form.rows(part).values():
        draw(page, row, notices)


# ---- rows of tensors


@fragment(key=TENSORS)
def tensor_widgets(page: Page, notices: Notices) -> None:
    """Draw the rows of every tensor, and the row for how many there are in a list."""
    page.kept[TENSORS] = True
    rows = page.form.rows()
    for group in tensor_groups(page.state):
        _tensor_group(page, group, rows, notices)


def _tensor_group(
    page: Page, group: FormGroup, rows: dict[str, FormField], notices: Notices
) -> None:
    if group.title:
        title = plain(group.title) if group.title in page.tensors else group.title
        st.subheader(title, anchor=False)
    with st.container():
        for row in group.fields:
            tensor_row(page, rows[row.name], notices)
            if row.leads:
                _list_followers(page)


def tensor_row(page: Page, row: FormField, notices: Notices) -> None:
    """Draw a row of a tensor.

    Args:
        page: that keeps it.
        row: of the page's form.
        notices: where sentences go.
    """
    tensor, kind = row.tensor, row.controls[0].kind
    if kind == "grid":
        _grid(page, row, notices, page.state.tensors[tensor].data_type)
        return
    if row.picture == OWN_PICTURE_ROW:
        # what is shown of the picture is chosen in its dialog
        if kind == "file" and page.state.tensors[tensor].picture == OWN:
            _own_picture_button(page, tensor, row)
        return
    more: dict[str, Any] = {}
    if row.picture == PICTURES_ROW:
        more = {"on_change": _take_picture, "args": (page, tensor, row.name)}
    draw(page, row, notices, **more)
    places = page.form.new_places.get(tensor, 0)
    if row.is_sizes and places:
        words = ngettext("{n} new place holds 0.", "{n} new places hold 0.", places)
        st.caption(words.format(n=places))


@fragment(key=FOLLOWERS)
def _list_followers(page: Page) -> None:
    """Say what has followed new sizes, before and now."""
    each = _("{field}: {before} before, {after} now")
    lines = [
        plain(each.format(field=label, before=before, after=after))
        for was, now in page.form.followers()
        for label, before, after in _differences(was, now)
    ]
    page.kept[FOLLOWERS_LISTED] = bool(lines)
    if lines:
        st.caption("\n- ".join((_("Changed to fit the sizes:"), *lines)))


def _differences(was: FormField, now: FormField) -> Iterator[tuple[str, str, str]]:
    """Of a row that has followed, each label with the texts before and now."""
    # a grid has its values when it is opened
    both = list(zip(now.controls, was.values, now.values, strict=False))
    for number, (control, before, after) in enumerate(both):
        if now.is_sizes:
            before, after = f"{{{before}}}", f"{{{after}}}"
        titles = dict(zip(control.options, control.titles, strict=False))
        if before != after:
            yield (
                f"{now.called}[{number}]" if now.ranked else now.called,
                titles.get(before, before),
                titles.get(after, after),
            )


# ---- a tensor as a grid, one plane at a time


def _grid(page: Page, row: FormField, notices: Notices, data_type: str) -> None:
    """Draw a grid of one plane of a tensor; edits become its own values."""
    (control,) = row.controls
    sizes = control.sizes
    grid = st.expander(
        row.label,
        icon=":material/edit:",
        key=page.widget_key(open_key(row.name)),
        on_change=_run_page,
    )
    texts = row.texts() if grid.open else ()
    if not texts:
        return
    # few visitors open a grid
    import pandas as pd

    columns = sizes[-1]
    rows = sizes[-2] if len(sizes) > 1 else 1
    planes = len(texts) // (rows * columns)
    with grid:
        plane = 0
        if planes > 1:
            plane = st.selectbox(
                _("Plane"),
                range(planes),
                key=page.widget_key(row.name.removesuffix("grid") + "plane"),
                format_func=lambda number: plane_title(sizes, number),
                on_change=_run_page,
                persist_state=KEEP,
            )
        first = plane * rows * columns
        cells_of_plane = np.array(texts[first : first + rows * columns]).reshape(rows, columns)
        frame = pd.DataFrame(cells_of_plane, columns=[str(number) for number in range(columns)])
        # another tensor needs another grid, so that edits of the old one do not apply to it
        digest = hashlib.sha256(repr((texts, sizes, data_type, plane)).encode()).hexdigest()
        key = f"{page.widget_key(row.name)}_{digest[:16]}"
        edited = st.data_editor(frame, key=key, on_change=_run_page)
        notices.place(row.name)
        if edited.equals(frame):
            return
        cells = [str(text or "") for text in edited.to_numpy().ravel()]
        try:
            for number, text in enumerate(cells):
                read_number(text, data_type, divmod(number, columns))
        except Error as error:
            notices.add([Problem(row.name, str(error), "dmlviz")])
            return
        values = (*texts[:first], *cells, *texts[first + rows * columns :])
        page.kept[_EDITED] = (row.name, ",".join(values))
        st.rerun()


def _run_page() -> None:
    """The callback of a widget whose part of the page is not all that shows what it holds."""
    st.rerun()


_EDITED = "edited"
"""Under which name a page keeps an edited grid until the next run, which can set its widgets."""


def take_edits(page: Page) -> None:
    """Store an edited grid as the tensor's own values; call before drawing widgets."""
    edited: tuple[str, str] | None = page.kept.pop(_EDITED, None)
    if edited is not None:
        page.change(*edited)


def plane_title(sizes: Sizes, plane: int) -> str:
    """A plane's outer indices.

    >>> plane_title((1, 2, 4, 6), 1)
    '[0, 1, :, :]'
    """
    at = np.unravel_index(plane, sizes[:-2])
    return print_index((*at, ":", ":"))


# ---- the learner's own picture: the dialog in which it is chosen, cropped, and put into a tensor


@in_one_language
def _take_picture(page: Page, tensor: str, name: str) -> None:
    """The callback of a menu of pictures: open the dialog at once if there is no own one yet."""
    page.take_widget(name)
    if page.state.tensors[tensor].picture == OWN and own_picture() is None:
        _open_dialog(page, tensor)
    redraw(page, name)


def _open_dialog(page: Page, tensor: str) -> None:
    page.kept[_dialog_key(tensor)] = True
    st.rerun()


def _dialog_key(tensor: str) -> str:
    """Under which name a page keeps that the dialog of a tensor is to open."""
    return f"{tensor}.choose"


def _own_picture_button(page: Page, tensor: str, row: FormField) -> None:
    """Draw the button, and the dialog that it opens; it opens by itself if there is no picture."""
    label = _("Change my picture") if own_picture() else _("Choose my picture")
    st.button(
        label,
        icon=":material/add_photo_alternate:",
        key=page.widget_key(row.name),
        on_click=_open_dialog,
        args=(page, tensor),
    )
    if page.kept.pop(_dialog_key(tensor), False):
        dialog = st.dialog(
            _("My own picture"), icon=":material/add_photo_alternate:", width="large"
        )
        dialog(_picture_dialog)(page, tensor)


def _picture_dialog(page: Page, tensor: str) -> None:
    take = st.components.v2.component(
        "dmlviz_own_picture", js=_script(), css=_file("own_picture.css")
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
        _as_tensor(page, tensor, choice)
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


def _as_tensor(page: Page, tensor: str, choice: PictureChoice) -> None:
    """Draw the widgets for the tensor that the part becomes."""
    row = channels_field(choice)
    form = form_of(_with_picture(page, tensor, choice), choice)
    rows = {one.name for group in form for one in group.fields}
    if row.name not in rows:
        # the tensors that move have related sizes, so another one's must stay, as those of code
        st.caption(_("The picture is drawn in the sizes of this tensor."))
        _use(page, tensor, choice, "")
        return
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
    st.caption(print_sizes(_with_picture(page, tensor, choice).tensors[tensor].sizes))
    _use(page, tensor, choice, str(kind))


def _with_picture(page: Page, tensor: str, choice: PictureChoice) -> AnyState:
    """The page's state with the picture in a tensor; as it is if the tensor cannot hold it."""
    with suppress(Error):
        return with_picture(page.state, tensor, choice)
    return page.state


def _percent(row: FormField) -> tuple[int, int]:
    """Draw one slider with two ends for a row of two."""
    low, high = st.slider(row.label, *WHOLE, WHOLE, key=row.name, persist_state=KEEP)
    return int(low), int(high)


def _use(page: Page, tensor: str, choice: PictureChoice, data_type: str) -> None:
    if st.button(
        _("Use this picture"),
        type="primary",
        key="own_picture_use",
        on_click=_use_picture,
        args=(page, tensor, choice, data_type),
    ):
        st.rerun()


def _use_picture(page: Page, tensor: str, choice: PictureChoice, data_type: str) -> None:
    """Keep the part in the session, and show it in a tensor.

    Args:
        page: that has the tensor.
        tensor: its name.
        choice: the picture, and what is shown of it.
        data_type: that the tensor gets; empty for the one that it has.
    """
    st.session_state[OWN_PICTURE] = choice.part
    state = with_picture(page.state, tensor, choice)
    if data_type:
        state = changed(state, "data_type", data_type)
    # the player keeps the colors; a state that had them would be none that an address opens
    page.keep(replace(page.form, state=state.without_player(), refused={}))
    colors = choice.colors if data_type else "value"
    page.show_view(replace(page.view, colors=colors, step=0, pinned=()))


@cache
def _script() -> str:
    return joined([module("dom"), module("own_picture"), _HERE / "own_picture.js"])


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
