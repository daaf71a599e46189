"""On an operator's page, which argument of the call that was searched became which setting."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from dmlviz.app.text import plain
from dmlviz.base.words import _
from dmlviz.states.pages import AnyState
from dmlviz.teaching.call_settings import CallAsOperator
from dmlviz.teaching.facts import operator_state_of
from dmlviz.teaching.names import Name, names
from dmlviz.tensors import one_line

_CALL = "call_as_operator"
_NAMES = "searched_names"
_LONGEST = 200
_MOST_NAMES = 3
"""The limit of names of one state, such as np.pad and F.pad, that stand beside each other."""


def remember_call(operator: CallAsOperator) -> None:
    """Let the page that its link opens say which argument became which setting."""
    st.session_state[_CALL] = operator


def remember_names(searched: Iterable[Name]) -> None:
    """Let the page of a state with several names say the one that was searched."""
    st.session_state[_NAMES] = frozenset(name.text for name in searched)


def title_of_call(state: AnyState | None) -> str:
    """The call that does what the page shows, as Markdown; empty if it has no name.

    A call that was searched has its own arguments. Of a name, they are those of its example.
    """
    if state is None:
        return ""
    operator = _searched_call(state)
    if operator is not None:
        return _code(operator.call)
    address = state.without_player().address(whole=True)
    every = [name for name in names() if name.call and name.link == address]
    searched: frozenset[str] = st.session_state.get(_NAMES, frozenset())
    matching = [name for name in every if name.text in searched] or every
    if len(matching) == 1:
        return f"**{_code(matching[0].text)}** \u2002 {_code(matching[0].call.splitlines()[-1])}"
    return ", ".join(_code(name.text) for name in matching[:_MOST_NAMES])


def _searched_call(state: AnyState) -> CallAsOperator | None:
    """The call that was searched, if the page shows its state."""
    operator: CallAsOperator | None = st.session_state.get(_CALL)
    if operator is None or state.key != operator.key:
        return None
    return operator if state.without_player() == operator_state_of(operator.link) else None


def _code(text: str) -> str:
    return f"`{one_line(text, _LONGEST).replace('`', '')}`"


def call_note(state: AnyState | None) -> None:
    """Draw the note if the page shows the state of the call, until it is dismissed."""
    operator = None if state is None else _searched_call(state)
    if operator is None or not operator.arguments:
        return
    with st.container(key="callnote", horizontal=True, vertical_alignment="center"):
        sentence = _("From {call}: {arguments}").format(
            call=_code(operator.call), arguments=plain(operator.sentence())
        )
        st.caption(sentence, width="content")
        st.button(
            _("Hide"),
            key="callnote_hide",
            type="tertiary",
            icon=":material/close:",
            on_click=lambda: st.session_state.pop(_CALL, None),
        )
