"""The switch that hides the output until it is predicted."""

from __future__ import annotations

import streamlit as st

from dmlviz.app.state import KEEP, PageState
from dmlviz.words import _


def predicting(state: PageState) -> bool:
    """Whether the output is hidden until it is predicted; never while two are compared."""
    return bool(state.get("predict")) and not state.get("compare")


def predict_switch(state: PageState) -> None:
    """Draw the switch of :func:`predicting`."""
    st.toggle(
        _("Predict first"),
        key=state.key("predict"),
        help=_(
            "Hides the output and asks you for its sizes, then where some of its elements "
            "come from. Not available while you compare two settings."
        ),
        disabled=bool(state.get("compare")),
        persist_state=KEEP,
    )
