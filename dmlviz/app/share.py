"""Share the current view as an address, a QR code, or a page for a room."""

from __future__ import annotations

import html
from dataclasses import replace
from typing import Literal, TypeVar
from urllib.parse import urlsplit

import streamlit as st

from dmlviz.app.address import page_address, presenting, to, whole_address
from dmlviz.app.class_draft import add_button
from dmlviz.app.network import HERE, network_host
from dmlviz.base.addresses import PRESENT, content_parameters, split_link
from dmlviz.base.words import _
from dmlviz.picture.qr import MOST_SCANNED, qr_code, too_long
from dmlviz.states import PLAYER_PARAMETERS
from dmlviz.states.links import too_many
from dmlviz.states.pages import AnyState, read_page
from dmlviz.teaching.sets import of_state

ADDRESSED = "addressed"
"""The session's key for whether the address holds all of the view; own values may be too many."""

_LONG = 500
_CODE = 200
"""The sides of the QR code in pixels."""

S = TypeVar("S", bound=AnyState)


def share(state: AnyState | None, search: str) -> None:
    """Open the dialog.

    Args:
        state: of the page; None if a link cannot hold it.
        search: the address's parameters in the browser, including the player's.
    """
    st.dialog(_("Share this view"), icon=":material/share:")(_draw)(state, search)


def _draw(state: AnyState | None, search: str) -> None:
    if state is None:
        st.warning(too_many(), icon=":material/link_off:")
        return
    address = whole_address(with_player(state, search), page_address())
    add_button("share_add_to_class", lambda: [of_state(state)])
    if any(input_state.own_picture for input_state in state.tensors.values()):
        st.warning(
            _(
                "Your own picture stays in your session: this address opens the same view with a "
                "built-in picture."
            ),
            icon=":material/image_not_supported:",
        )
    else:
        st.markdown(_("This address opens exactly this view:"))
    st.code(address, language=None, wrap_lines=True, height=_height(address))
    picture = qr_code(address)
    if picture:
        st.image(picture, width=_CODE, alt=_("QR code of this address"))
    if note := note_of(address):
        st.caption(note)
    st.markdown(_("To show the picture and its controls inside another page:"))
    st.code(embedding(address), language="html", wrap_lines=True, height=_height(address))


def _height(text: str) -> int | Literal["content"]:
    """Of a text to copy: a long one scrolls, so that what is below it stays visible."""
    return "content" if len(text) < _LONG else 200


def embedding(address: str) -> str:
    """HTML that shows the stage of an address with its controls inside another page.

    Args:
        address: of the view, as a whole one.
    """
    source = html.escape(f"{address}{'&' if '?' in address else '?'}embed=true")
    return (
        f'<iframe src="{source}" title="dmlviz" allow="fullscreen"\n'
        f'        style="width: 100%; height: 760px; border: 0"></iframe>'
    )


def with_player(state: S, search: str) -> S:
    """The state with the player's parameters of the address, as far as they are valid."""
    parameters = split_link(f"?{search.removeprefix('?')}").parameters
    own = {name: text for name, text in parameters.items() if name in PLAYER_PARAMETERS}
    written = {**state.parameters(), **own}
    view = read_page(state.key, written).state.view
    look = {name: getattr(view, name) for name in PLAYER_PARAMETERS}
    return state.with_view(replace(state.view, **look))


def toggle_present(search: str) -> None:
    """Show the page to the room, or to one person again.

    Args:
        search: the address's parameters in the browser: the server does not know the
            player's.
    """
    if not presenting() and not st.session_state.get(ADDRESSED, True):
        st.toast(too_many(), icon=":material/link_off:")
        return
    own = to(content_parameters(split_link(f"?{search.removeprefix('?')}").parameters))
    st.query_params.from_dict(own if presenting() else {**own, PRESENT: "true"})


def note_of(address: str) -> str:
    """A note about an address beside its QR code; often empty."""
    if len(address) > MOST_SCANNED:
        return too_long(address)
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:  # a browser may send any address
        return ""
    if host in HERE:
        return _("This address works on this computer only; others cannot open it.")
    if host == network_host():
        return _("For devices on the same network as this computer.")
    return ""
