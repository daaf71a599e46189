"""The presets of a page: the picker, and the question of the open one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

import streamlit as st

from dmlviz.app.state import PageState
from dmlviz.app.text import plain
from dmlviz.states import View
from dmlviz.tensors.types import Sizes
from dmlviz.words import _

_ANSWERED = "answered"
"""The key of the preset whose answer is shown, with the number of the view that marks it."""


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

    def cells(self, outputs: Mapping[str, Sizes]) -> tuple[tuple[int, ...], ...]:
        """The output elements that the answer names, as :class:`dmlviz.states.View` pins them."""


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
    page: PageState,
    shown: PagePreset | None,
    reset: Callable[[], None],
    *,
    own: str,
    hidden: bool,
    outputs: Mapping[str, Sizes],
    answered: Callable[[], None],
    beside: Callable[[], None],
) -> None:
    """Draw the preset's question and answer, or a way back if the state is the user's own.

    The answer stands between the question and the stage, which marks the cells that it names.

    Args:
        page: its keys.
        shown: the preset that the page shows, or None.
        reset: opens the example.
        own: what a state that is no preset's is called.
        hidden: whether another question is asked now.
        outputs: the sizes of every output on the stage, by its name there; none without a stage.
        answered: called when the answer has been shown or hidden.
        beside: draws what else stands in the row of the question, if there is a stage.
    """
    with st.container(key="question"):
        with st.container(key="asked", horizontal=True, vertical_alignment="center"):
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
                opened = _is_answered(page, shown)
                st.button(
                    _("Answer"),
                    type="tertiary",
                    icon=f":material/{'expand_less' if opened else 'expand_more'}:",
                    icon_position="right",
                    key=page.key("answer", shown.key),
                    on_click=_turn_answer,
                    args=(page, shown, outputs, answered),
                )
            if outputs and not hidden:
                beside()
        if shown is not None and not hidden and _is_answered(page, shown):
            with st.container(key="answer"):
                st.markdown(shown.answer if shown.opens else plain(shown.answer))


def marks_answer(page: PageState) -> bool:
    """Whether the view of the newest link is that of an answer, to which the stage plays."""
    _key, opened = page.get(_ANSWERED) or ("", None)
    return bool(opened == page.get("opened", 0))


def _is_answered(page: PageState, shown: PagePreset) -> bool:
    # a link that is opened later asks its question again
    return bool(page.get(_ANSWERED) == (shown.key, page.get("opened", 0)))


def _turn_answer(
    page: PageState,
    shown: PagePreset,
    outputs: Mapping[str, Sizes],
    answered: Callable[[], None],
) -> None:
    """Show the answer and let the stage mark its cells, or hide it again."""
    if _is_answered(page, shown):
        page.set(_ANSWERED, None)
    else:
        if outputs:
            cells = shown.cells(outputs)
            page.set("view", replace(page.get("view", View()), step=0, pinned=cells))
            page.set("opened", page.get("opened", 0) + 1)
        page.set(_ANSWERED, (shown.key, page.get("opened", 0)))
    answered()
