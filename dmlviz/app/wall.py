"""What a room sees: the operator, the question with its choices, and the picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dmlviz.app.share import note_of, toggle_present
from dmlviz.app.stage import Wall
from dmlviz.app.theme import is_dark
from dmlviz.errors import Error
from dmlviz.picture.exports import image_address, inputs_svg, spoken
from dmlviz.picture.qr import qr_image
from dmlviz.states.pages import AnyState, refusals_of
from dmlviz.teaching.posed import Posed, posed_wall
from dmlviz.words import _

_STILL = 760
"""The width in pixels that a picture is drawn for; the wall then makes it as large as fits."""

# hides what Streamlit puts around a page
_ALONE = (
    "<style>.stAppHeader, .stSidebar, .stStatusWidget, [data-testid=stSkipToContent]"
    " { display: none !important; }"
    ".stMain { overflow: hidden; }"
    ".stMainBlockContainer { padding: 0.4rem 0 0 !important; max-width: none; }</style>"
)


@dataclass(frozen=True)
class Acts:
    """What the keys of a wall do on the server.

    Attributes:
        address: the address that a QR code holds, from the browser's parameters.
        leave: goes back, given the browser's parameters.
        turn: opens the ``next`` or ``previous`` part; None if there is no other.
    """

    address: Callable[[str], str]
    leave: Callable[[str], None]
    turn: Callable[[str], None] | None = None


def alone() -> None:
    """Hide what Streamlit puts around a page."""
    st.html(_ALONE)


def wall_of(
    posed: Posed,
    key: str,
    acts: Acts,
    **words: Any,
) -> Wall:
    """A question in the form that the stage for a room takes.

    Args:
        posed: the question.
        key: of the stage.
        acts: what its keys do.
        words: what else :func:`posed_wall` takes; ``still`` is that of :func:`still_of`.
    """
    scanned = f"{key}-scanned"

    def scan(search: str) -> None:
        st.session_state[scanned] = search

    search = st.session_state.get(scanned)
    code = code_of(acts.address(search), search) if isinstance(search, str) else None
    content = posed_wall(posed, **words, series=acts.turn is not None)
    return Wall(content, scan, acts.leave, acts.turn or (lambda _way: None), code)


def still_of(state: AnyState | None) -> dict[str, str]:
    """The inputs and a question mark as one picture; empty without a state."""
    dark = is_dark()
    fields = {"image": "", "alt": "", "scheme": "dark" if dark else "light"}
    if state is None:
        return fields
    inputs, title = state.inputs(), state.input_title
    drawing = inputs_svg(inputs, dark=dark, width=_STILL, title=title, controls=state.controls())
    alt = " ".join(spoken(title or name, x) for name, x in inputs.items())
    return {**fields, "image": image_address(drawing), "alt": alt}


def refusal_of(state: AnyState) -> str:
    """Why a state is refused, in one sentence for each rule; empty if it is not.

    An unknown operator, or a state that is too large, does not count as a refusal.
    """
    try:
        problems = refusals_of(state)
    except Error:
        return ""
    return "\n".join(dict.fromkeys(problem.message for problem in problems))


def code_of(address: str, search: str) -> dict[str, str]:
    """A QR code, as the player takes it.

    Args:
        address: that it holds.
        search: the browser's parameters when it was requested.
    """
    image = qr_image(address)
    return {"search": search, "address": address, "image": image, "note": note_of(address)}


def back_to_page(key: str) -> None:
    """Draw the button that ends presenting, where there is no stage whose keys do."""
    st.button(
        _("Back to the page"),
        icon=":material/arrow_back:",
        key=key,
        on_click=lambda: toggle_present(urlencode(st.query_params.to_dict())),
    )
