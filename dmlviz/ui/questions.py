"""The presets of a page: the picker, and the question of the open one."""

from __future__ import annotations

import streamlit as st

from dmlviz.states import State
from dmlviz.teaching.presets import Preset, presets_of
from dmlviz.ui.state import PageState
from dmlviz.ui.text import plain
from dmlviz.ui.view_widgets import predicting
from dmlviz.words import _


def open_preset(page: PageState, seen: State | None) -> Preset | None:
    """The preset that the page shows, or None.

    Args:
        page: of the explorer.
        seen: what its widgets describe, or None if an address cannot hold it.
    """
    if seen is None:
        return None
    return next((one for one in presets_of(page.cls.key) if one.matches(seen)), None)


def preset_picker(page: PageState, shown: Preset | None) -> None:
    """Draw the picker of presets.

    Args:
        page: of the explorer.
        shown: from :func:`open_preset`.
    """
    found = {preset.key: preset for preset in presets_of(page.cls.key)}
    if not found:
        return
    page.set("preset", shown.key if shown else None)
    st.selectbox(
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


def question(page: PageState, shown: Preset | None) -> None:
    """Draw the preset's question and answer, or a way back if the settings are the user's own.

    Args:
        page: of the explorer.
        shown: from :func:`open_preset`.
    """
    if shown is None:
        st.markdown(_("Your own settings"), width="content")
        st.button(
            _("Back to the example"),
            type="tertiary",
            icon=":material/restart_alt:",
            key=page.key("reset"),
            on_click=page.reset,
        )
    elif not predicting(page):  # one question at a time
        st.markdown(f"**{shown.question}**", width="content")
        with st.popover(_("Answer"), type="tertiary", key=page.key("answer", shown.key)):
            st.markdown(shown.answer if shown.opens else plain(shown.answer))


def _open(page: PageState) -> None:
    """Open the preset that was chosen, if any."""
    chosen = page.get("preset")
    for preset in presets_of(page.cls.key):
        if preset.key == chosen:
            page.take(preset.state)
