"""How an operation is looked at: where planes stand, and whether to predict first."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from dmlviz.scene import DIRECTIONS
from dmlviz.ui.state import KEEP, PageState
from dmlviz.words import _


def direction_widgets(
    state: PageState, sizes: Iterable[tuple[int, ...]]
) -> tuple[tuple[int, str], ...]:
    """For every outer dimension of more than one plane, where its planes go."""
    outer = outer_dimensions(sizes)
    if not outer:
        return ()
    titles = {"auto": _("Auto"), "across": _("Across"), "down": _("Down")}
    chosen = []
    with st.expander(_("Where planes stand"), icon=":material/view_module:"):
        for d in outer:
            if state.key("direction", d) not in st.session_state:
                state.set_direction(d, "auto")
            direction = st.segmented_control(
                _("Dimension {d}").format(d=d),
                DIRECTIONS,
                key=state.key("direction", d),
                required=True,
                format_func=lambda value: titles[value],
                persist_state=KEEP,
            )
            if direction and direction != "auto":
                chosen.append((d, direction))
    return tuple(chosen)


def outer_dimensions(sizes: Iterable[tuple[int, ...]]) -> list[int]:
    """The outer dimensions in which one of these tensors has more than one plane."""
    return sorted({d for each in sizes for d in range(len(each) - 2) if each[d] > 1})


def predicting(state: PageState) -> bool:
    """Whether the output is hidden until it was predicted; never while two are compared."""
    return bool(state.get("predict")) and not state.get("compare")


def predict_switch(state: PageState) -> bool:
    """The switch of :func:`predicting`, and what it says."""
    st.toggle(
        _("Predict first"),
        key=state.key("predict"),
        help=_(
            "Hides the output and asks for it: its sizes, then where some of its elements "
            "come from. Not while two settings are compared."
        ),
        disabled=bool(state.get("compare")),
        persist_state=KEEP,
    )
    return predicting(state)
