"""What the browser remembers of a reader's choices, apart from the language, in cookies."""

from __future__ import annotations

import streamlit as st

from dmlviz.app.address import VOCABULARY
from dmlviz.words.vocabularies import COOKIE

DIALECT = "dialect_chosen"
"""The session's key for the dialect of code that was chosen last, on any operator's page."""

DIALECT_COOKIE = "dmlviz-dialect"
"""The cookie in which browsers remember that dialect."""


def dialect() -> str:
    """The dialect of code that was chosen last, in this session or an earlier one; empty if none.

    A cookie may hold anything.
    """
    return str(st.session_state.get(DIALECT) or st.context.cookies.get(DIALECT_COOKIE, ""))


def cookies() -> list[str]:
    """What was chosen in this session, each as a name and its value."""
    names = {COOKIE: VOCABULARY, DIALECT_COOKIE: DIALECT}
    chosen = {cookie: st.session_state.get(key) for cookie, key in names.items()}
    return [f"{cookie}={value}" for cookie, value in chosen.items() if value]
