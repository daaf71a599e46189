"""The reader's language: the link's, else the one chosen in this session, else the browser's."""

from __future__ import annotations

import streamlit as st

from dmlviz import words
from dmlviz.states import LANGUAGE
from dmlviz.ui.address import CHOSEN
from dmlviz.ui.state import by_history
from dmlviz.ui.text import plain
from dmlviz.words import _

_SWITCH = "language_switch"
_MOST_SHOWN = 40

# in the bar, left of Streamlit's own menu; nothing of the page makes room for it
_PLACE = """<style>
.st-key-language { position: fixed; top: 0.6rem; right: 3.4rem; z-index: 999991; width: auto;
  gap: 0; }
.st-key-language > :has(iframe, style, script) { position: absolute; }
.st-key-language button { min-height: 1.9rem; padding: 0 0.6rem; }
.st-key-language button p { font-size: 0.85rem; }
@media print { .st-key-language { display: none; } }
</style>"""


def asked_language() -> str | None:
    """The language that a visitor is to be spoken to in; None where there is no visitor.

    A callback runs before the page does: so it is asked for, not kept from the page's last run.
    """
    if not st.runtime.exists():
        return None
    linked = words.known(st.query_params.get(LANGUAGE, ""))
    chosen: str | None = linked or st.session_state.get(CHOSEN)
    return chosen or st.context.locale


words.ask(asked_language)


def begin_language() -> str:
    """Keep what the link says for the pages that have no link; the language to speak."""
    linked = words.known(st.query_params.get(LANGUAGE, ""))
    if linked:
        st.session_state[CHOSEN] = linked
    return words.language()


def language_switch(*, alone: bool) -> None:
    """Tell the browser which language it shows, and offer the others in their own names.

    Args:
        alone: the page stands by itself: its link alone says which language.
    """
    spoken, offered = words.language(), words.languages()
    script = f"<script>document.documentElement.lang = '{spoken}'</script>"
    with st.container(key="language"):
        st.html(_PLACE)
        st.html(script, unsafe_allow_javascript=True)
        if alone or len(offered) < 2:
            return
        st.session_state[_SWITCH] = spoken
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
    if not asked or words.known(asked):
        return
    sentence = _("link: lang={asked} is not possible here and was left out: it is one of {names}.")
    told = sentence.format(asked=asked[:_MOST_SHOWN], names=", ".join(words.languages()))
    st.warning(plain(told), icon=":material/link_off:")


def keep_language() -> None:
    """Put the language that was chosen into an address that does not say it."""
    # on the way back through the pages seen, an address stays as it was
    if LANGUAGE not in st.query_params and CHOSEN in st.session_state and not by_history():
        st.query_params[LANGUAGE] = st.session_state[CHOSEN]


def _choose() -> None:
    chosen = st.session_state[_SWITCH]
    st.session_state[CHOSEN] = chosen
    # only this word: the others, the player's among them, stay as they are
    st.query_params[LANGUAGE] = chosen
