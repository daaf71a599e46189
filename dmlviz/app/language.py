"""The reader's language: the link's, else the one chosen in this session, else the browser's.

The words in which it is spoken are not in a link: the browser remembers them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from dmlviz.app.address import CHOSEN, PAGES, VOCABULARY, tell
from dmlviz.app.remembered import CLASS_TEXT, cookies, visit
from dmlviz.base import words
from dmlviz.base.addresses import LANGUAGE, Reading
from dmlviz.base.words import _
from dmlviz.base.words.vocabularies import DIRECTML, NUMPY, VOCABULARIES

_SPOKEN = "language_spoken"
_SWITCH = "language_switch"
_WORDS = "words_switch"
_FRAME = "frame_told"

_SCRIPT = Path(__file__).with_name("frame.js")


def begin_language() -> str:
    """Keep the link's language for pages without one; return the locale to use."""
    session = st.session_state
    linked = words.language_named(st.query_params.get(LANGUAGE, ""))
    if linked:
        session[CHOSEN] = linked
    spoken = words.locale()
    if session.get(_SPOKEN, spoken) != spoken:
        _keep_settings()
    session[_SPOKEN] = spoken
    return spoken


def _keep_settings() -> None:
    """Set every widget again, because browsers keep a choice's label rather than its value."""
    for key, value in st.session_state.to_dict().items():
        parts = value if isinstance(value, list) else [value]
        # only choices from lists, because buttons, files and grids cannot be set
        if all(isinstance(part, str | int) and not isinstance(part, bool) for part in parts):
            st.session_state[key] = value


def language_switch(page: str, *, alone: bool) -> None:
    """Tell the browser the page and its language, and offer the others and NumPy's words.

    Args:
        page: its path.
        alone: whether the page has no menu, so that only its link sets the language.
    """
    spoken, offered = words.language(), words.languages()
    chosen = "" if alone else st.session_state.get(CHOSEN, "")
    with st.container(key="language", width="content"):
        tell = st.components.v2.component("dmlviz_frame", js=_script(), isolate_styles=False)
        tell(
            key=_FRAME,
            data={
                "spoken": spoken,
                "chosen": chosen,
                "page": page,
                "pages": sorted(one.url_path for one in st.session_state.get(PAGES, {}).values()),
                "cookies": cookies(),
                "kept": {"visit": visit(), "class": st.session_state.get(CLASS_TEXT, "")},
            },
            on_class_change=_take_back_class,
        )
        if alone:
            return
        st.session_state[_SWITCH] = spoken
        st.session_state[_WORDS] = words.vocabulary()
        # the key contains the locale, so that choosing one closes the menu
        with st.popover(words.endonym(spoken), type="tertiary", key=f"languages_{words.locale()}"):
            if len(offered) > 1:
                st.segmented_control(
                    _("Language"),
                    offered,
                    key=_SWITCH,
                    format_func=words.endonym,
                    required=True,
                    label_visibility="collapsed",
                    on_change=_choose,
                )
            # the choice is between words, so it is in those of the messages
            with words.speaking(spoken):
                named = {DIRECTML: _("sizes, dimension"), NUMPY: _("shape, axis")}
                st.segmented_control(
                    _("Words, as in DirectML or NumPy"),
                    VOCABULARIES,
                    key=_WORDS,
                    format_func=lambda name: named[name],
                    required=True,
                    on_change=_choose_words,
                )


def unknown_language() -> None:
    """Show a sentence if the link names an unknown language."""
    asked = st.query_params.get(LANGUAGE, "")
    if asked and not words.language_named(asked):
        reading = Reading({LANGUAGE: asked})
        reading.one_of(LANGUAGE, words.languages(), "")
        tell(problem.message for problem in reading.problems)


def _take_back_class() -> None:
    """Take the class of the browser's last session, unless this one has a class already."""
    if not st.session_state.get(CLASS_TEXT):
        st.session_state[CLASS_TEXT] = str(st.session_state.get(_FRAME, {}).get("class") or "")


def _choose_words() -> None:
    st.session_state[VOCABULARY] = st.session_state[_WORDS]


def _choose() -> None:
    chosen = st.session_state[_SWITCH]
    st.session_state[CHOSEN] = chosen
    # set only this parameter; the others, including the player's, stay as they are
    st.query_params[LANGUAGE] = chosen


@cache
def _script() -> str:
    return _SCRIPT.read_text(encoding="utf-8")
