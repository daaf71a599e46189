"""An operator's page: build the input, set the operator, watch it, check it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dmlviz.app.address import presenting, tell
from dmlviz.app.call_note import call_note
from dmlviz.app.compare import outputs_on_stage, second_widgets, show_both
from dmlviz.app.described import Described, describe
from dmlviz.app.embedded import embedded
from dmlviz.app.engines import correct_engine, show_recorded
from dmlviz.app.grid import take_edits
from dmlviz.app.input_widgets import input_widgets
from dmlviz.app.paper import paper
from dmlviz.app.parameter_widgets import parameter_widgets
from dmlviz.app.present import present
from dmlviz.app.problems import Notices
from dmlviz.app.questions import marks_answer, preset_picker, question
from dmlviz.app.redrawing import (
    BELOW,
    PICKER,
    QUESTION,
    SETTINGS,
    STAGE,
    changed,
    open_preset,
    remember,
)
from dmlviz.app.result import result, shortcuts, summary
from dmlviz.app.share import ADDRESSED, share
from dmlviz.app.stage import link_of, show
from dmlviz.app.state import PageState
from dmlviz.app.text import plain
from dmlviz.app.view_widgets import predicting, view_widgets
from dmlviz.errors import Problem
from dmlviz.operators import Operator
from dmlviz.states import View
from dmlviz.states.view import LIMITS, TOOLS
from dmlviz.teaching.presets import Preset, presets_of
from dmlviz.words import _, locale, ngettext, speaking

_CHOICE = 264
"""The width of the preset picker in pixels."""
_SHORTCUTS = ("formula", "code", "files")
"""The sections below the stage that can be opened from above it."""


def explorer(cls: type[Operator]) -> None:
    """Draw an operator's whole page, or only the stage if the page is embedded.

    Args:
        cls: the operator.
    """
    state = PageState(cls)
    if presenting():
        present(state)
        return
    if st.context.is_embedded:
        embedded(state)
        return
    state.begin()
    correct_engine(state)
    take_edits(state)
    described = describe(state)
    remember(state, described)
    with st.container(key="head", horizontal=True, vertical_alignment="center"):
        st.title(cls.title(), anchor=False, width="content")
        st.markdown(cls.sentence())
        with st.container(
            key="tools", horizontal=True, vertical_alignment="center", width="content"
        ):
            with st.container(width=_CHOICE):
                _picker(state)
            view_widgets(state, TOOLS)
    _question(state)
    tell(state.link_problems())
    described = _sidebar(state, described)
    remember(state, described)
    st.session_state[ADDRESSED] = described.state is not None
    if described.state is not None:
        state.address.follow(described.state)
    call_note(described.state)
    if described.drawn is None:
        _waiting(described.problems)
        if described.state is not None:
            show_recorded(described.state)
        return
    _stage(state)
    with st.container(key="below"):
        _below(state)


# A fragment that runs alone does not have the page's own language.


@st.fragment(key=PICKER)
def _picker(page: PageState) -> None:
    """Draw the choice of a preset."""

    def take(preset: Preset) -> None:
        page.take(preset.state)
        st.rerun()

    with speaking(locale()):
        preset_picker(page, presets_of(page.cls.key), open_preset(page.get("described")), take)


@st.fragment(key=QUESTION)
def _question(page: PageState) -> None:
    """Draw the question of the preset that the page shows, or the way back to the example."""

    def reset() -> None:
        page.reset()
        st.rerun()

    with speaking(locale()):
        described: Described = page.get("described")
        drawn, other = described.drawn, described.other
        question(
            page,
            open_preset(described),
            reset,
            own=_("Your own settings"),
            hidden=predicting(page),
            outputs=outputs_on_stage(drawn, other) if drawn is not None else {},
            answered=lambda: st.rerun([QUESTION, STAGE]),
            beside=lambda: shortcuts(page, _SHORTCUTS, lambda: st.rerun([BELOW])),
        )


@st.fragment(key=STAGE)
def _stage(page: PageState) -> None:
    """Draw the picture, its check and what is printed with it."""
    described: Described = page.get("described")
    drawn, other = described.drawn, described.other
    if drawn is None:
        return

    def arrange(asked: str) -> None:
        page.arrange(asked)
        changed(page)

    with speaking(locale()):
        key = f"{page.cls.key}-stage"
        view = page.get("view", View())
        link = link_of(page.cls.key, page.get("opened", 0), view, outputs_on_stage(drawn, other))
        link["answers"] = marks_answer(page)
        predict = predicting(page)
        if other is None:
            search = show(drawn, key, link=link, predict=predict, arrange=arrange)
        else:
            search = show_both(drawn, other, key, link, arrange=arrange)
        if search is not None:
            share(described.state, search)
        # one element, because each costs the server and the browser time
        lines = [paper(drawn, other, described.state)]
        if not predict:
            lines.insert(0, summary(drawn))
        st.markdown("\n\n".join(lines))


@st.fragment(key=BELOW)
def _below(page: PageState) -> None:
    """Draw the sections below the stage."""
    described: Described = page.get("described")
    if described.drawn is None:
        return
    with speaking(locale()):
        if predicting(page):
            st.markdown(_("Turn off Predict first to see the output's values, code and table."))
        else:
            result(page, described.drawn)


def _sidebar(page: PageState, described: Described) -> Described:
    """Draw all widgets in the sidebar; return what they describe."""
    notices, second_notices = Notices(), Notices()
    with st.sidebar:
        input_widgets(page, notices, described.inputs, changed)
        st.subheader(_("Operator"), anchor=False)
        _settings(page, notices, second_notices)
        notices.add(described.problems)
        second_notices.add(described.second_problems)
    if notices.clear:
        return described
    # a grid is read when it is drawn
    return replace(described, drawn=None, problems=notices.all)


@st.fragment(key=SETTINGS)
def _settings(page: PageState, notices: Notices, second_notices: Notices) -> None:
    """Draw the settings of the operator, and of the one to compare it with."""
    described: Described = page.get("described")
    with speaking(locale()):
        parameter_widgets(page, notices, described.first.offered, page.fitted_sizes(), changed)
        second_widgets(page, second_notices, described, changed)
        limited = page.get("feature_level") is not None
        with st.expander(_("Engine and limits"), icon=":material/tune:", expanded=limited):
            view_widgets(page, LIMITS, notices, changed)


def _waiting(problems: Sequence[Problem]) -> None:
    count = len(problems)
    st.info(
        ngettext(
            "Fix {n} problem to see the picture:",
            "Fix {n} problems to see the picture:",
            count,
        ).format(n=count),
        icon=":material/front_hand:",
    )
    st.markdown("\n".join(f"- {plain(problem.message)}" for problem in problems))
