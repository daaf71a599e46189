"""The presets of a page: the picker, and the question of the open one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import streamlit as st

from dmlviz.app.state import PageState
from dmlviz.app.text import plain
from dmlviz.words import _


class PagePreset(Protocol):
    """A preset of any page, as the page shows it."""

    @property
    def key(self) -> str:
        """Its name among the presets of the page."""

    @property
    def title(self) -> str:
        """A few words, for the picker."""

    @property
    def question(self) -> str:
        """One question."""

    @property
    def answer(self) -> str:
        """One or two sentences with the numbers on screen."""

    @property
    def opens(self) -> bool:
        """Whether there is a picture; if not, the refusal is the answer."""


AnyPreset = TypeVar("AnyPreset", bound=PagePreset)


def preset_picker(
    page: PageState,
    presets: Sequence[AnyPreset],
    shown: AnyPreset | None,
    take: Callable[[AnyPreset], None],
) -> None:
    """Draw the picker of presets.

    Args:
        page: its keys.
        presets: of the page.
        shown: the one that the page shows, or None.
        take: opens the preset that was chosen.
    """
    found = {preset.key: preset for preset in presets}
    if not found:
        return
    page.set("preset", shown.key if shown else None)

    def opened() -> None:
        chosen = page.get("preset")
        if chosen in found:
            take(found[chosen])

    st.selectbox(
        _("Try"),
        list(found),
        index=None,
        key=page.key("preset"),
        format_func=lambda key: found[key].title if key in found else key,
        placeholder=_("Try a question"),
        label_visibility="collapsed",
        required=True,
        on_change=opened,
    )


def question(
    page: PageState, shown: PagePreset | None, reset: Callable[[], None], *, own: str, hidden: bool
) -> None:
    """Draw the preset's question and answer, or a way back if the state is the user's own.

    Args:
        page: its keys.
        shown: the preset that the page shows, or None.
        reset: opens the example.
        own: what a state that is no preset's is called.
        hidden: whether another question is asked now.
    """
    if shown is None:
        st.markdown(own, width="content")
        st.button(
            _("Back to the example"),
            type="tertiary",
            icon=":material/restart_alt:",
            key=page.key("reset"),
            on_click=reset,
        )
    elif not hidden:  # one question at a time
        st.markdown(f"**{shown.question}**", width="content")
        with st.popover(_("Answer"), type="tertiary", key=page.key("answer", shown.key)):
            st.markdown(shown.answer if shown.opens else plain(shown.answer))
