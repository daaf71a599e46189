"""What is seen now as an address to copy, and as a QR code for the room."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from urllib.parse import parse_qsl, urlsplit

import segno
import streamlit as st

from dmlviz.links import LINK_LIMIT
from dmlviz.states import PLAYER_WORDS, State, read_words
from dmlviz.states.state import as_address
from dmlviz.ui.address import page_address, to
from dmlviz.words import _

MOST_SCANNED = 2_000
"""How many characters a QR code may hold so that telephones still read it from a projector."""

_LONG = 500
_HERE = ("localhost", "127.0.0.1", "::1")


def share(state: State | None, search: str) -> None:
    """Open the dialog.

    Args:
        state: of the page; None where no link can hold it.
        search: the address's words in the browser, with those of the player.
    """
    st.dialog(_("Share what is seen now"), icon=":material/share:")(_draw)(state, search)


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
    st.image(picture, width=320)
    if told := here_only(address):
        st.caption(told)


def with_player(state: State, search: str) -> State:
    """The state with what the player says in the address's words, as far as it is right."""
    words = dict(parse_qsl(search.removeprefix("?")[: MOST_SCANNED * 100], keep_blank_values=True))
    own = {name: text for name, text in words.items() if name in PLAYER_WORDS}
    seen = read_words(state.key, {**state.words(), **own}).state
    assert seen is not None  # the page is there
    look = {name: getattr(seen.view, name) for name in PLAYER_WORDS}
    return replace(state, view=replace(state.view, **look))


def whole_address(state: State, url: str | None) -> str:
    """The state's address with the server's in front, where the server's is known.

    Args:
        state: to open.
        url: of the page, without its words; empty or None where it is not known.
    """
    address = as_address(state.key, to(state.words()))
    words = address.removeprefix(f"/{state.key}")
    return f"{url}{words}" if url else address


def qr_code(address: str) -> bytes:
    """A PNG of the address for telephones; empty where it is too long for one."""
    if len(address) > MOST_SCANNED:
        return b""
    out = BytesIO()
    segno.make(address, micro=False, error="l").save(out, kind="png", scale=8, border=4)
    return out.getvalue()


def here_only(address: str) -> str:
    """A warning where the address means another computer for everybody else; else nothing."""
    try:
        here = urlsplit(address).hostname in _HERE
    except ValueError:  # a browser may say anything of where it is
        here = False
    if not here:
        return ""
    return _("The address begins with this computer's own name: others cannot open it like that.")


def too_many() -> str:
    """Why there is no address."""
    return _(
        "These own values cannot stand in an address: it holds at most {most:,} of them. "
        "Starting values and smaller tensors can be shared."
    ).format(most=LINK_LIMIT)


def too_long(address: str) -> str:
    """Why there is no QR code."""
    return _(
        "The address has {count:,} characters, too many for a QR code that a telephone reads; "
        "up to {most:,} would do."
    ).format(count=len(address), most=MOST_SCANNED)
