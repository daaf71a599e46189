"""An operator's page: build the input, set the operator, watch it, check it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dmlviz.app.address import linked, open_link, presenting, tell
from dmlviz.app.call_note import call_note
from dmlviz.app.described import PageDescription, describe
from dmlviz.app.embedded import embedded
from dmlviz.app.engines import correct_engine, show_recorded
from dmlviz.app.form_widgets import (
    draw,
    input_widgets,
    setting_widgets,
    view_widgets,
)
from dmlviz.app.fragments import below, head, question_of_page, refusal_waits, stage
from dmlviz.app.grid import take_edits
from dmlviz.app.present import present
from dmlviz.app.problems import Notices
from dmlviz.app.received import keep_sent, number_answer
from dmlviz.app.redrawing import SETTINGS, remember
from dmlviz.app.share import ADDRESSED
from dmlviz.app.state import PageState
from dmlviz.app.text import plain
from dmlviz.base.words import _, locale, ngettext, speaking
from dmlviz.operators import Operator, operator_class
from dmlviz.states.form import second_title
from dmlviz.states.pages import predicting
from dmlviz.states.view import LIMITS
from dmlviz.teaching.glossary import glossary

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
    keep_sent(cls.key)
    state.begin()
    correct_engine(state)
    take_edits(state)
    described = describe(state)
    remember(state, described)
    sentence = linked(cls.sentence(), set(), glossary())
    head(state, cls.title(), sentence)
    # seen on a phone alone, where the title and what stands beside it are elsewhere
    with st.container(key="does"):
        # a question, its choices and the picture need a phone's whole window
        if not predicting(state.held.state):
            st.markdown(sentence)
    question_of_page(state, _("Your own settings"), _SHORTCUTS)
    tell(state.link_problems())
    described = _sidebar(state, described)
    number_answer(cls.key)
    remember(state, described)
    st.session_state[ADDRESSED] = described.state is not None
    if described.state is not None:
        state.address.follow(described.state)
    call_note(described.state)
    if described.drawn is None:
        stage(state)
        _waiting(state, described)
        if described.state is not None and not refusal_waits(state, described):
            show_recorded(described.state)
        return
    stage(state)
    with st.container(key="below"):
        below(state)
        _near(cls)


def _near(cls: type[Operator]) -> None:
    """The operators that people take for this one, each with what it does."""
    near = cls.texts().near
    if near:
        st.caption(_("Often confused with:"))
    for key in near:
        other = operator_class(key)
        open_link(f"/{key}", f"{other.title()}: {other.sentence()}")


def _sidebar(page: PageState, described: PageDescription) -> PageDescription:
    """Draw all widgets in the sidebar; return what they describe."""
    notices, second_notices = Notices(), Notices()
    with st.sidebar:
        input_widgets(page, notices, described.inputs)
        st.subheader(_("Operator"), anchor=False)
        _settings(page, notices, second_notices)
        # a question about a refusal waits for its answer
        notices.add(() if refusal_waits(page, described) else described.problems)
        second_notices.add(described.second_problems)
    if notices.clear:
        return described
    # a grid is read when it is drawn
    return replace(described, drawn=None, problems=notices.all)


@st.fragment(key=SETTINGS)
def _settings(page: PageState, notices: Notices, second_notices: Notices) -> None:
    """Draw the settings of the operator, and of the one to compare it with."""
    with speaking(locale()):
        setting_widgets(page, notices)
        draw(page, page.held.rows()["compare"])
        if page.held.state.view.compare is not None:
            st.markdown(f"**{second_title()}**")
            setting_widgets(page, second_notices, "b_")
        limited = page.get("feature_level") is not None
        with st.expander(_("Engine and limits"), icon=":material/tune:", expanded=limited):
            view_widgets(page, LIMITS, notices)


def _waiting(page: PageState, described: PageDescription) -> None:
    """What keeps the page from another picture; it stands over the controls of the last one."""
    if refusal_waits(page, described):
        with st.container(key="waiting"):
            st.info(
                _("There is no picture of this; the answer says why."),
                icon=":material/front_hand:",
            )
        return
    problems = described.problems
    count = len(problems)
    head = ngettext(
        "Fix {n} problem to see the picture:", "Fix {n} problems to see the picture:", count
    )
    if page.get("last_drawn") is not None:
        head = ngettext(
            "This picture is of your last valid settings. Fix {n} problem to see the new one:",
            "This picture is of your last valid settings. Fix {n} problems to see the new one:",
            count,
        )
    with st.container(key="waiting"):
        st.info(head.format(n=count), icon=":material/front_hand:")
        st.markdown("\n".join(f"- {plain(problem.message)}" for problem in problems))
