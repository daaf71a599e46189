"""The learner's own picture: the dialog in which it is chosen, cropped, and put into a tensor."""

from __future__ import annotations

import binascii
from base64 import b64decode
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import streamlit as st

from dmlviz.app.state import KEEP, OWN_PICTURE, PageState, own_picture
from dmlviz.app.text import plain
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.picture.files import joined, module
from dmlviz.states import State, View
from dmlviz.states.controls import FormField
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
from dmlviz.states.pages import changed, with_picture
from dmlviz.tensors import OwnPicture, print_sizes
from dmlviz.tensors.own_picture import KEPT_SIDE

_READ = "own_picture_read"
"""The session's key for the whole picture, of which the learner crops a part."""
_REFUSED = "own_picture_refused"
"""The session's key for why the newest file was not read."""
_SHOWN = 240
"""The pixels of the part's preview, across and down at most."""

_HERE = Path(__file__).parent


def own_picture_button(state: PageState) -> None:
    """Draw the button, and the dialog that it opens; it opens by itself if there is no picture."""
    label = _("Change my picture") if own_picture() else _("Choose my picture")
    pressed = st.button(label, icon=":material/add_photo_alternate:", key=state.key("own_picture"))
    if st.session_state.pop(state.key("choose"), False) or pressed:
        dialog = st.dialog(
            _("My own picture"), icon=":material/add_photo_alternate:", width="large"
        )
        dialog(_draw)(state)


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
        _use(state, choice, "")
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
        shown = state.held.state
        assert isinstance(shown, State)  # code keeps the sizes of its tensors
        operator = shown.operator()
    sizes = choice.sizes(state.cls, operator)
    st.caption(print_sizes(sizes) if sizes else "")
    _use(state, choice, str(kind))


def _percent(row: FormField) -> tuple[int, int]:
    """Draw one slider with two ends for a row of two."""
    low, high = st.slider(row.label, *WHOLE, WHOLE, key=row.name, persist_state=KEEP)
    return int(low), int(high)


def _use(state: PageState, choice: PictureChoice, data_type: str) -> None:
    if st.button(
        _("Use this picture"),
        type="primary",
        key="own_picture_use",
        on_click=_take,
        args=(state, choice, data_type),
    ):
        st.rerun()


def _take(state: PageState, choice: PictureChoice, data_type: str) -> None:
    """Keep the part in the session, and show it in this tensor."""
    st.session_state[OWN_PICTURE] = choice.part
    page = state.page()
    held = page.held
    now = with_picture(held.state, state.name, choice)
    if data_type:
        now = changed(now, "data_type", data_type)
    colors = choice.colors if data_type else "value"
    page.hold(replace(held, state=now.without_player(), refused={}))
    page.show_view(replace(page.get("view", View()), colors=colors, step=0, pinned=()))


@cache
def _script() -> str:
    return joined([module("dom"), module("own_picture"), _HERE / "own_picture.js"])


@cache
def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
