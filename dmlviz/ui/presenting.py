"""Whether a page is shown to a room: a word of its address, ``present=true``."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from dmlviz.states import PRESENT


def presenting() -> bool:
    """Whether the address says that the room looks on."""
    return st.query_params.get(PRESENT) == "true"


def toggle_present() -> None:
    """Show the page to the room, or to one person again; for a callback."""
    if presenting():
        del st.query_params[PRESENT]
    else:
        st.query_params[PRESENT] = "true"


def without_present(query: Mapping[str, str]) -> dict[str, str]:
    """The words of an address that say what is seen, not to whom."""
    return {name: text for name, text in query.items() if name != PRESENT}
