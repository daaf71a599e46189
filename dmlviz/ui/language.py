"""The reader's language: the link's, else the one chosen in this session, else the browser's."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from dmlviz import words
from dmlviz.addresses import LANGUAGE, Reading
from dmlviz.ui.address import CHOSEN, tell
from dmlviz.words import _

_SPOKEN = "language_spoken"
_SWITCH = "language_switch"

_TOLD = Path(__file__).with_name("language.js")


def begin_language() -> str:
    """Keep what the link says for the pages that have no link; the language to speak."""
    state = st.session_state
    linked = words.known(st.query_params.get(LANGUAGE, ""))
    if linked:
        state[CHOSEN] = linked
    spoken = words.language()
    if state.get(_SPOKEN, spoken) != spoken:
        _keep_settings()
    state[_SPOKEN] = spoken
    return spoken


def _keep_settings() -> None:
    """Say again what every widget holds: browsers keep the words of what was chosen, not it."""
    for key, value in st.session_state.to_dict().items():
        parts = value if isinstance(value, list) else [value]
        # what is chosen from a list; neither buttons nor files nor grids can be set
        if all(isinstance(part, str | int) and not isinstance(part, bool) for part in parts):
            st.session_state[key] = value


def language_switch(page: str, *, alone: bool) -> None:
    """Tell the browser which language it shows, and offer the others in their own names.

    Args:
        page: its path.
        alone: the page stands by itself: its link alone says which language.
    """
    spoken, offered = words.language(), words.languages()
    chosen = "" if alone else st.session_state.get(CHOSEN, "")
    with st.container(key="language", width="content"):
        tell = st.components.v2.component("dmlviz_language", js=_script(), isolate_styles=False)
        tell(key="language_told", data={"spoken": spoken, "chosen": chosen, "page": page})
        if alone or len(offered) < 2:
            return
        st.session_state[_SWITCH] = spoken
        # a menu of another language is another menu: it is shut when one was chosen
        with st.popover(words.own_name(spoken), type="tertiary", key=f"languages_{spoken}"):
            st.segmented_control(
                _("Language"),
                offered,
                key=_SWITCH,
                format_func=words.own_name,
                required=True,
                label_visibility="collapsed",
                on_change=_choose,
            )


def unknown_language() -> None:
    """A sentence where the link names a language that there is not."""
    asked = st.query_params.get(LANGUAGE, "")
    if asked and not words.known(asked):
        reading = Reading({LANGUAGE: asked})
        reading.one_of(LANGUAGE, words.languages(), "")
        tell(problem.message for problem in reading.problems)


def _choose() -> None:
    chosen = st.session_state[_SWITCH]
    st.session_state[CHOSEN] = chosen
    # only this word: the others, the player's among them, stay as they are
    st.query_params[LANGUAGE] = chosen


@cache
def _script() -> str:
    return _TOLD.read_text(encoding="utf-8")
