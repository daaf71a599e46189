"""An operator's page: build the input, set the operator, watch it, check it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dmlviz.app.address import presenting, tell
from dmlviz.app.compare import second_widgets
from dmlviz.app.described import Described, describe
from dmlviz.app.embedded import embedded
from dmlviz.app.engines import correct_engine, engine_widget, show_recorded
from dmlviz.app.grid import take_edits
from dmlviz.app.input_widgets import input_widgets
from dmlviz.app.parameter_widgets import feature_level_widget, parameter_widgets
from dmlviz.app.present import present
from dmlviz.app.problems import Notices
from dmlviz.app.questions import open_preset, preset_picker, question
from dmlviz.app.result import result
from dmlviz.app.seen import changed, remember, stage
from dmlviz.app.share import ADDRESSED
from dmlviz.app.state import PageState
from dmlviz.app.text import plain
from dmlviz.app.view_widgets import predict_switch, predicting
from dmlviz.errors import Problem
from dmlviz.operators import Operator
from dmlviz.teaching.presets import presets_of
from dmlviz.words import _, ngettext

_CHOICE = 264
"""The width of the preset picker in pixels."""


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
    with _row("head"):
        st.title(cls.title(), anchor=False, width="content")
        st.markdown(cls.sentence())
        with st.container(
            key="tools", horizontal=True, vertical_alignment="center", width="content"
        ):
            choice = st.container(width=_CHOICE)
            predict_switch(state)
    asked = _row("asked")
    tell(state.link_problems())
    described = _settings(state)
    predict = predicting(state)
    preset = open_preset(state, described.state)
    with choice:
        preset_picker(state, presets_of(cls.key), preset, lambda one: state.take(one.state))
    with asked:
        question(state, preset, state.reset, own=_("Your own settings"), hidden=predict)
    st.session_state[ADDRESSED] = described.state is not None
    if described.state is not None:
        state.address.follow(described.state)
    remember(state, described)
    if described.drawn is None:
        _waiting(described.problems)
        if described.state is not None:
            show_recorded(described.state)
        return
    stage(state)
    with st.container(key="below"):
        if predict:
            st.markdown(_("Turn off Predict first to see the output's values, code and table."))
        else:
            result(state, described.drawn)


def _row(key: str) -> DeltaGenerator:
    """A row of the page's head; the style sheet places it."""
    return st.container(key=key, horizontal=True, vertical_alignment="center")


def _settings(page: PageState) -> Described:
    """Draw all widgets in the sidebar; return what they describe."""
    described = describe(page)
    notices, second_notices = Notices(), Notices()
    with st.sidebar:
        input_widgets(page, notices, described.inputs, changed)
        st.subheader(_("Operator"), anchor=False)
        parameter_widgets(page, notices, described.first.offered, page.fitted_sizes(), changed)
        second_widgets(page, second_notices, described)
        limited = page.get("feature_level") is not None
        with st.expander(_("Engine and limits"), icon=":material/tune:", expanded=limited):
            feature_level_widget(page, notices, changed)
            engine_widget(page, changed)
        notices.add(described.problems)
        second_notices.add(described.second_problems)
    if notices.clear:
        return described
    # a grid is read when it is drawn
    return replace(described, drawn=None, problems=notices.found)


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
