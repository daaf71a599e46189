"""The presets of a page: what to try, and the question of the one that is open."""

from __future__ import annotations

import streamlit as st

from dmlviz.presets import presets_of
from dmlviz.states import State
from dmlviz.ui.state import PageState
from dmlviz.ui.text import plain
from dmlviz.words import _


def question(page: PageState, seen: State | None) -> None:
    """What can be tried here, and the question as long as the page shows its preset.

    Args:
        page: of the explorer.
        seen: what its widgets describe, or None where no address can hold it.
    """
    found = {preset.key: preset for preset in presets_of(page.cls.key)}
    if not found:
        return
    asked = None
    if seen is not None:
        asked = next((p for p in found.values() if p.shown_by(seen)), None)
    page.set("preset", asked.key if asked else None)
    choice, answer = st.columns([2, 5], gap="small")
    choice.selectbox(
        _("Try"),
        list(found),
        index=None,
        key=page.key("preset"),
        format_func=lambda key: found[key].title if key in found else key,
        placeholder=_("Try a question"),
        label_visibility="collapsed",
        required=True,
        on_change=_open,
        args=(page,),
    )
    if asked is None:
        return
    label = _("**{question}** :primary[:small[Answer]]").format(question=asked.question)
    with answer.expander(label, icon=":material/help:", key=page.key("answer", asked.key)):
        st.markdown(asked.answer if asked.opens else plain(asked.answer))


def _open(page: PageState) -> None:
    """Bring the page into the state of the preset that was chosen, if one was."""
    chosen = page.get("preset")
    for preset in presets_of(page.cls.key):
        if preset.key == chosen:
            page.take(preset.state)
