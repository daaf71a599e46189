"""Text boxes whose text the browser's tab keeps while no address and no class has it.

Streamlit hears of a text when somebody leaves the box, and a text that is refused is in no address:
a reload would lose both. The tab keeps the text while it is typed, and offers it beside its box
when the page is opened again; see ``dmlviz/picture/js/typed_text.js``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import streamlit as st

from dmlviz.app.parts import fragment
from dmlviz.base.deferred import dataclass
from dmlviz.picture.files import joined, module
from dmlviz.states.controls import offer_words

TYPED = "typed"
"""The key of the fragment that tells the browser which boxes keep their text."""

_BOXES = "typed_boxes"
"""The session's boxes of the page that is drawn, by the keys of their widgets."""
_TAKEN = "typed_taken"
"""The session's text of each box that a class has taken last, by the name of the box."""

_SCRIPT = Path(__file__).with_name("typed_text.js")


@dataclass(frozen=True)
class _TextBox:
    """A box of the page.

    Attributes:
        name: of the box on its page, the same in every session.
        saved: makes the texts that a reload brings back.
    """

    name: str
    saved: Callable[[], Iterable[str]]


def begin_boxes() -> None:
    """Begin a page, which has no box yet."""
    st.session_state[_BOXES] = {}


def kept_text(key: str, name: str = "", saved: Callable[[], Iterable[str]] | None = None) -> str:
    """Declare that the browser keeps the text of a box; return the key for its widget.

    Args:
        key: of the widget.
        name: of the box on its page, the same in every session; empty for the key.
        saved: makes the texts that a reload brings back, which the browser need not keep; None for
            the one that :func:`taken` has named.
    """
    boxes: dict[str, _TextBox] = st.session_state.setdefault(_BOXES, {})
    name = name or key
    boxes[key] = _TextBox(name, saved or (lambda: _texts_taken().get(name, ())))
    return key


def taken(*keys: str) -> None:
    """Note that the texts of some boxes are in the class now, so that no browser need keep them."""
    boxes: dict[str, _TextBox] = st.session_state.get(_BOXES, {})
    for key in boxes.keys() & keys:
        _texts_taken()[boxes[key].name] = (str(st.session_state.get(key) or ""),)


def _texts_taken() -> dict[str, tuple[str]]:
    texts: dict[str, tuple[str]] = st.session_state.setdefault(_TAKEN, {})
    return texts


@fragment(key=TYPED)
def keep_texts() -> None:
    """Tell the browser which boxes keep their text; call it after they are drawn."""
    boxes: dict[str, _TextBox] = st.session_state.get(_BOXES, {})
    if not boxes:
        return
    kept = {key: {"name": box.name, "saved": list(box.saved())} for key, box in boxes.items()}
    with st.container(key=TYPED):
        tell = st.components.v2.component("dmlviz_typed_text", js=_script(), isolate_styles=False)
        tell(key="typed_texts", data={"boxes": kept, "words": offer_words()})


@cache
def _script() -> str:
    return joined([module("typed_text"), _SCRIPT])
