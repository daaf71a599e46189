"""On an operator's page, which argument of the call that was searched became which setting."""

from __future__ import annotations

import streamlit as st

from dmlviz.app.text import plain
from dmlviz.states import State
from dmlviz.teaching.call_settings import CallAsOperator
from dmlviz.teaching.facts import operator_state_of
from dmlviz.tensors import one_line
from dmlviz.words import _

_CALL = "call_as_operator"
_LONGEST = 200


def remember_call(operator: CallAsOperator) -> None:
    """Let the page that its link opens say which argument became which setting."""
    st.session_state[_CALL] = operator


def call_note(state: State | None) -> None:
    """Draw the note if the page shows the state of the call, until it is dismissed."""
    operator: CallAsOperator | None = st.session_state.get(_CALL)
    if operator is None or state is None or not operator.arguments:
        return
    if state.key != operator.key or state.without_player() != operator_state_of(operator.link):
        return
    with st.container(key="callnote", horizontal=True, vertical_alignment="center"):
        call = one_line(operator.call, _LONGEST).replace("`", "")
        sentence = _("From {call}: {arguments}")
        st.caption(
            sentence.format(call=f"`{call}`", arguments=plain(operator.sentence())), width="content"
        )
        st.button(
            _("Hide"),
            key="callnote_hide",
            type="tertiary",
            icon=":material/close:",
            on_click=lambda: st.session_state.pop(_CALL, None),
        )
