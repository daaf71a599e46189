"""Which values of widgets a browser has received: it reports the earlier ones until then.

With every change, a browser reports the values of all widgets of the page.  Streamlit takes each
value that differs from its own for a change by the reader, and runs its callback.  If the browser
asks before the answer to its last request is there, it reports what widgets had before that
answer: an example that was just opened would be undone, and what was typed would be fitted to the
code before.  So a hidden box numbers the answers, and a widget that a browser reports with a value
from before an answer that it has not received keeps the one from the answer.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import streamlit as st

from dmlviz.app.parts import fragment

RECEIVED = "received"
"""The key of the fragment with the number of the answer."""


class KeepingPage(Protocol):
    """A page, as far as its widgets are numbered here."""

    @property
    def key(self) -> str:
        """Of the page."""

    @property
    def kept(self) -> dict[str, Any]:
        """What the session keeps of it."""


class _Sent(NamedTuple):
    """A value that a page has put into a widget.

    Attributes:
        number: of the answer with which it is sent.
        value: that the widget has from then on.
        before: the values that the widget had until then and the browser may still report.
    """

    number: int
    value: Any
    before: tuple[Any, ...]


def _sent(page: KeepingPage) -> dict[str, _Sent]:
    sent: dict[str, _Sent] = page.kept.setdefault("sent", {})
    return sent


def _number(page: KeepingPage) -> int:
    return int(page.kept.get("answers", 0))


def send(page: KeepingPage, key: str, value: Any) -> None:
    """Put a value into a widget; only before it is drawn, or in a callback.

    Args:
        page: that has the widget.
        key: of the widget.
        value: that it gets.
    """
    held = st.session_state.get(key)
    st.session_state[key] = value
    # what is in no widget is never reported
    if not all(isinstance(each, (str, int, float, type(None))) for each in (held, value)):
        return
    if key in _sent(page) or held != value:
        _keep(page, key, value, held)


def _keep(page: KeepingPage, key: str, value: Any, before: Any) -> None:
    sent = _sent(page)
    number = _number(page) + 1
    page.kept["answers"] = number
    earlier = sent[key].before if key in sent else ()
    sent[key] = _Sent(number, value, (*earlier, before))


def is_late(page: KeepingPage, key: str) -> bool:
    """Whether the browser reports what a widget had before an answer that it has not received.

    The widget then gets the value of the answer again.  What a reader has typed there meanwhile is
    sent back, because the browser shows the answer's value as soon as that is there.

    Args:
        page: that has the widget.
        key: of the widget.
    """
    sent = _sent(page).get(key)
    if sent is None:
        return False
    reported = str(st.session_state.get(_box(page)))
    if not reported.isdecimal():
        return False
    if int(reported) >= sent.number:
        del _sent(page)[key]
        return False
    held = st.session_state.get(key)
    if held == sent.value:
        return False
    late = held in sent.before
    if late:
        st.session_state[key] = sent.value
    else:
        st.session_state[key] = held
        _keep(page, key, held, sent.value)
    return late


def keep_sent(page: KeepingPage) -> bool:
    """Let every widget have what it was sent, or what was typed there since.

    Args:
        page: that has the widgets.

    Returns:
        Whether the browser asked before it had the last answer, so that all of it is to be sent.
    """
    for key in tuple(_sent(page)):
        is_late(page, key)
    reported = str(st.session_state.get(_box(page)))
    return reported.isdecimal() and int(reported) < page.kept.get("drawn", 0)


def is_unsent(page: KeepingPage) -> bool:
    """Whether a widget was sent a value since the number of the answer was drawn."""
    return _number(page) != page.kept.get("drawn")


@fragment(key=RECEIVED)
def number_answer(page: KeepingPage) -> None:
    """Draw the number of the answer; call it below the widgets that :func:`send` sets."""
    number = _number(page)
    page.kept["drawn"] = number
    if st.session_state.get(_box(page)) != str(number):
        st.session_state[_box(page)] = str(number)
    with st.container(key=RECEIVED):
        st.text_input(RECEIVED, key=_box(page), label_visibility="collapsed")


def _box(page: KeepingPage) -> str:
    return f"{page.key}_received"
