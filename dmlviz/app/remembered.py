"""What the browser remembers of a reader, apart from the language: choices in cookies, and in this
tab alone the answers of lessons and a teacher's class.
"""

from __future__ import annotations

import secrets

import streamlit as st

from dmlviz.app.address import VOCABULARY
from dmlviz.base.words.vocabularies import COOKIE

DIALECT = "dialect_chosen"
"""The session's key for the dialect of code that was chosen last, on any operator's page."""

DIALECT_COOKIE = "dmlviz-dialect"
"""The cookie in which browsers remember that dialect."""

OPEN_CLASS = "open_class"
"""The session's key for the code of the live class that was started last."""

_CLASS_COOKIE = "dmlviz-open-class"

CLASS_TEXT = "class_text"
"""The session's key for the class that a teacher is putting together: what its address holds, as
untrusted as that."""

_VISIT = "visit"


def visit() -> str:
    """This session's own name, by which a browser knows that the server has begun anew."""
    name: str = st.session_state.setdefault(_VISIT, secrets.token_hex(8))
    return name


def dialect() -> str:
    """The dialect of code that was chosen last, in this session or an earlier one; empty if none.

    A cookie may hold anything.
    """
    return str(st.session_state.get(DIALECT) or st.context.cookies.get(DIALECT_COOKIE, ""))


def open_class() -> str:
    """The code of the live class that was started last in this browser; empty if none was.

    A cookie may hold anything.
    """
    return str(st.session_state.get(OPEN_CLASS) or st.context.cookies.get(_CLASS_COOKIE, ""))


def cookies() -> list[str]:
    """What was chosen in this session, each as a name and its value."""
    names = {COOKIE: VOCABULARY, DIALECT_COOKIE: DIALECT, _CLASS_COOKIE: OPEN_CLASS}
    chosen = {cookie: st.session_state.get(key) for cookie, key in names.items()}
    return [f"{cookie}={value}" for cookie, value in chosen.items() if value]
