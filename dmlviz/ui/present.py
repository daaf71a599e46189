"""An explorer before a room: the stage as large as the window, a large caption, keys alone."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from urllib.parse import urlencode

import streamlit as st

from dmlviz.states import State, read_parameters
from dmlviz.ui.address import address_parameters, page_address, whole_address
from dmlviz.ui.compare import show_both
from dmlviz.ui.embedded import addressed
from dmlviz.ui.share import here_only, qr_code, toggle_present, too_long, with_player
from dmlviz.ui.stage import Hall, show
from dmlviz.ui.state import PageState
from dmlviz.words import _

# what Streamlit puts round a page would stand in the way
_ALONE = (
    "<style>.stAppHeader, .stSidebar, .stStatusWidget, [data-testid=stSkipToContent]"
    " { display: none !important; }"
    ".stMain { overflow: hidden; }"
    ".stMainBlockContainer { padding: 0.4rem 0 0 !important; max-width: none; }</style>"
)


def present(page: PageState) -> None:
    """Draw what the address says, for the last row."""
    st.html(_ALONE)
    found = addressed(page)
    if found is None:
        # without a stage there are no keys
        st.button(
            _("Back to the page"),
            icon=":material/arrow_back:",
            key=page.key("leave"),
            on_click=lambda: toggle_present(urlencode(st.query_params.to_dict())),
        )
        return
    key = f"{found.key}-hall"
    scanned = f"{key}-scanned"

    def scan(search: str) -> None:
        st.session_state[scanned] = search

    search = st.session_state.get(scanned)
    code = code_of(page, search) if isinstance(search, str) else None
    hall = Hall(scan, code, found.predict)
    if found.other is None:
        show(found.drawn, key=key, link=found.link, hall=hall)
    else:
        show_both(found.drawn, found.other, key, found.link, hall)


def code_of(page: PageState, search: str) -> Mapping[str, str]:
    """A QR code of what is seen, as the player takes it.

    Args:
        page: of the operator.
        search: the address's parameters in the browser, with those of the player.
    """
    address = whole_address(_seen(page, search), page_address())
    picture = qr_code(address)
    told = here_only(address) if picture else too_long(address)
    data = f"data:image/png;base64,{base64.b64encode(picture).decode('ascii')}" if picture else ""
    return {"search": search, "address": address, "image": data, "note": told}


def _seen(page: PageState, search: str) -> State:
    state = read_parameters(page.cls.key, address_parameters()).state
    assert state is not None  # the page is there
    return with_player(state.without_player(), search)
