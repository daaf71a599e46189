"""What a room sees: the operator, the question with its choices, and the picture."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from dmlviz.app.address import page_address
from dmlviz.app.classes import class_service
from dmlviz.app.remembered import open_class
from dmlviz.app.share import note_of, toggle_present
from dmlviz.app.stage import Wall
from dmlviz.app.theme import is_dark
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.classroom.codes import read_code
from dmlviz.classroom.refusals import NoClass
from dmlviz.classroom.store import now
from dmlviz.picture.exports import image_address, inputs_svg, refused_svg, spoken
from dmlviz.picture.qr import qr_image
from dmlviz.states.pages import AnyState, refusals_of
from dmlviz.teaching.posed import Posed, posed_wall

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
    code = code_of(acts.address, search) if isinstance(search, str) else None
    content = posed_wall(posed, **words, series=acts.turn is not None)
    return Wall(content, scan, acts.leave, acts.turn or (lambda _way: None), code)


def still_of(state: AnyState | None) -> dict[str, str]:
    """The inputs with a question mark, and with a cross after it; empty without a state
    or without values.
    """
    dark = is_dark()
    fields = {"image": "", "after": "", "alt": "", "scheme": "dark" if dark else "light"}
    if state is None:
        return fields
    try:
        inputs = state.inputs()
    except Error:
        # an operator can refuse sizes for which there are no values either
        return fields
    title = state.input_title
    drawing = inputs_svg(inputs, dark=dark, width=_STILL, title=title, controls=state.controls())
    alt = " ".join(spoken(title or name, x) for name, x in inputs.items())
    after = image_address(refused_svg(drawing))
    return {**fields, "image": image_address(drawing), "after": after, "alt": alt}


def refusal_of(state: AnyState) -> str:
    """Why a state is refused, in one sentence for each rule; empty if it is not.

    An unknown operator, or a state that is too large, does not count as a refusal.
    """
    try:
        problems = refusals_of(state)
    except Error:
        return ""
    return "\n".join(dict.fromkeys(problem.message for problem in problems))


def code_of(own: Callable[[str], str], search: str) -> dict[str, str]:
    """A QR code, as the player takes it: of the class that is open, else of the question.

    Args:
        own: the question's address, as of :class:`Acts`.
        search: the browser's parameters when it was requested.
    """
    if code := _open_class():
        address = f"{page_address().rpartition('/')[0]}/class?code={code}"
        word = _("Code")
        note = f"{word}: {code}"
    else:
        address = own(search)
        note = note_of(address)
    return {"search": search, "address": address, "image": qr_image(address), "note": note}


def _open_class() -> str:
    """The code of the class that was started in this browser and is not over; empty if none is."""
    code = read_code(open_class())
    if code is None:
        return ""
    with suppress(Error, NoClass):
        here = class_service().store.find(code).at(now())
        return "" if here.phase == "over" or here.expires <= now() else code
    return ""


def back_to_page(key: str) -> None:
    """Draw the button that ends presenting, where there is no stage whose keys do."""
    st.button(
        _("Back to the page"),
        icon=":material/arrow_back:",
        key=key,
        on_click=lambda: toggle_present(urlencode(st.query_params.to_dict())),
    )
