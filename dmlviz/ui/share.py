"""What is seen now as an address to copy, as a QR code, or as a page for the room."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from urllib.parse import urlsplit

import segno
import streamlit as st

from dmlviz.addresses import PRESENT, seen, split_link
from dmlviz.links import LINK_LIMIT
from dmlviz.states import PLAYER_PARAMETERS, State, read_parameters
from dmlviz.ui.address import page_address, presenting, to, whole_address
from dmlviz.ui.network import HERE, network_host
from dmlviz.words import _

MOST_SCANNED = 2_000
"""How many characters a QR code may hold so that telephones still read it from a projector."""

ADDRESSED = "addressed"
"""Whether the address says all that the explorer shows; own values may be too many for it."""

_LONG = 500


def share(state: State | None, search: str) -> None:
    """Open the dialog.

    Args:
        state: of the page; None where no link can hold it.
        search: the address's parameters in the browser, with those of the player.
    """
    st.dialog(_("Share this view"), icon=":material/share:")(_draw)(state, search)


def _draw(state: State | None, search: str) -> None:
    if state is None:
        st.warning(too_many(), icon=":material/link_off:")
        return
    address = whole_address(with_player(state, search), page_address())
    st.markdown(_("This address opens exactly this view:"))
    # a long one scrolls, so that what stands under it is seen
    st.code(
        address,
        language=None,
        wrap_lines=True,
        height="content" if len(address) < _LONG else 200,
    )
    picture = qr_code(address)
    if not picture:
        st.info(too_long(address), icon=":material/qr_code:")
        return
    st.image(picture, width=320, alt=_("QR code of this address"))
    if told := note_of(address):
        st.caption(told)


def with_player(state: State, search: str) -> State:
    """The state with what the player says in the address, as far as it is right."""
    found = split_link(f"?{search.removeprefix('?')}").parameters
    own = {name: text for name, text in found.items() if name in PLAYER_PARAMETERS}
    there = read_parameters(state.key, {**state.parameters(), **own}).state
    assert there is not None  # the page is there
    look = {name: getattr(there.view, name) for name in PLAYER_PARAMETERS}
    return replace(state, view=replace(state.view, **look))


def toggle_present(search: str) -> None:
    """Show the page to the room, or to one person again.

    Args:
        search: the address's parameters in the browser: those of the player the server does not
            know.
    """
    if not presenting() and not st.session_state.get(ADDRESSED, True):
        st.toast(too_many(), icon=":material/link_off:")
        return
    own = to(seen(split_link(f"?{search.removeprefix('?')}").parameters))
    st.query_params.from_dict(own if presenting() else {**own, PRESENT: "true"})


def qr_code(address: str) -> bytes:
    """A PNG of the address for telephones; empty where it is too long for one."""
    if len(address) > MOST_SCANNED:
        return b""
    out = BytesIO()
    segno.make(address, micro=False, error="l").save(out, kind="png", scale=8, border=4)
    return out.getvalue()


def note_of(address: str) -> str:
    """What to know of an address beside its QR code; often nothing."""
    if len(address) > MOST_SCANNED:
        return too_long(address)
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:  # a browser may say anything of where it is
        return ""
    if host in HERE:
        return _("This address works on this computer only; others cannot open it.")
    if host == network_host():
        return _("For devices on the same network as this computer.")
    return ""


def too_many() -> str:
    """Why there is no address."""
    return _(
        "Your own values do not fit in an address, which holds at most {most:,}. You can "
        "share starting values and smaller tensors."
    ).format(most=LINK_LIMIT)


def too_long(address: str) -> str:
    """Why there is no QR code."""
    return _(
        "The address has {count:,} characters, too many for a QR code that a phone can "
        "read; the limit is {most:,}."
    ).format(count=len(address), most=MOST_SCANNED)
