"""Whether a page is shown to a room: a word of its address, ``present=true``."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

import streamlit as st

from dmlviz.states import MOST_LINK, PRESENT
from dmlviz.ui.share import too_many

ADDRESSED = "addressed"
"""Whether the address says all that the explorer shows; own values may be too many for it."""


def presenting() -> bool:
    """Whether the address says that the room looks on."""
    return st.query_params.get(PRESENT) == "true"


def toggle_present(search: str) -> None:
    """Show the page to the room, or to one person again.

    Args:
        search: the address's words in the browser: those of the player the server does not know.
    """
    if not presenting() and not st.session_state.get(ADDRESSED, True):
        st.toast(too_many(), icon=":material/link_off:")
        return
    words = dict(parse_qsl(search.removeprefix("?")[:MOST_LINK], keep_blank_values=True))
    # Streamlit keeps these by itself, and lets nobody set them
    own = {name: text for name, text in words.items() if not name.lower().startswith("embed")}
    there = without_present(own)
    st.query_params.from_dict(there if presenting() else {**there, PRESENT: "true"})


def without_present(query: Mapping[str, str]) -> dict[str, str]:
    """The words of an address that say what is seen, not to whom."""
    return {name: text for name, text in query.items() if name != PRESENT}
