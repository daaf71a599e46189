"""An operator's page: build the input, set the operator, watch it, check it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dmlviz.app.address import linked, open_link, tell
from dmlviz.app.call_note import call_note
from dmlviz.app.engines import show_recorded
from dmlviz.app.form_widgets import draw, group_widgets, tensor_widgets, view_widgets
from dmlviz.app.fragments import below, head, question_of_page, refusal_waits, stage
from dmlviz.app.opening import opened
from dmlviz.app.outcome import PageOutcome
from dmlviz.app.page import Page
from dmlviz.app.parts import fragment
from dmlviz.app.problems import Notices
from dmlviz.app.received import number_answer
from dmlviz.app.redrawing import SETTINGS, remember
from dmlviz.app.share import ADDRESSED
from dmlviz.app.text import plain
from dmlviz.base.words import _, ngettext
from dmlviz.operators import Operator, operator_class
from dmlviz.states import controls
from dmlviz.states.form import second_title
from dmlviz.states.view import LIMITS
from dmlviz.teaching.glossary import glossary

_SHORTCUTS = ("formula", "code", "files")
"""The sections below the stage that can be opened from above it."""


def explorer(cls: type[Operator]) -> None:
    """Draw an operator's whole page, or only the stage if the page is embedded.

    Args:
        cls: the operator.
    """
    shown = opened(cls.key)
    if shown is None:
        return
    page, outcome = shown
    sentence = linked(cls.sentence(), set(), glossary())
    head(page, cls.title(), sentence)
    question_of_page(page, _("Your own settings"), _SHORTCUTS, sentence)
    tell(page.link_problems())
    outcome = _sidebar(page, outcome)
    number_answer(page)
    remember(page, outcome)
    st.session_state[ADDRESSED] = outcome.addressed is not None
    if outcome.addressed is not None:
        page.address.follow(outcome.addressed, outcome.parameters)
    call_note(outcome.addressed)
    if outcome.drawn is None:
        stage(page)
        _waiting(page, outcome)
        if outcome.addressed is not None and not refusal_waits(page, outcome):
            show_recorded(outcome.addressed)
        return
    stage(page)
    with st.container(key="below"):
        below(page)
        _near(cls)


def _near(cls: type[Operator]) -> None:
    """The operators that people take for this one, each with what it does."""
    near = cls.texts().near
    if near:
        st.caption(_("Often confused with:"))
    for key in near:
        other = operator_class(key)
        open_link(f"/{key}", f"{other.title()}: {other.sentence()}")


def _sidebar(page: Page, outcome: PageOutcome) -> PageOutcome:
    """Draw all widgets in the sidebar; return what they describe."""
    notices, second_notices = Notices(), Notices()
    with st.sidebar:
        tensor_widgets(page, notices)
        st.subheader(_("Operator"), anchor=False)
        _settings(page, notices, second_notices)
        # a question about a refusal waits for its answer
        notices.add(() if refusal_waits(page, outcome) else outcome.problems)
        second_notices.add(outcome.second_problems)
    if notices.clear:
        return outcome
    # a grid is read when it is drawn
    return replace(outcome, drawn=None, problems=notices.all)


@fragment(key=SETTINGS)
def _settings(page: Page, notices: Notices, second_notices: Notices) -> None:
    """Draw the settings of the operator, and of the one to compare it with."""
    group_widgets(page, controls.SETTINGS, notices)
    draw(page, page.form.rows()["compare"])
    if page.state.view.compare is not None:
        st.markdown(f"**{second_title()}**")
        group_widgets(page, controls.SECOND, second_notices)
    limited = page.state.view.feature_level is not None
    with st.expander(_("Engine and limits"), icon=":material/tune:", expanded=limited):
        view_widgets(page, LIMITS, notices)


def _waiting(page: Page, outcome: PageOutcome) -> None:
    """What keeps the page from another picture; it stands over the controls of the last one."""
    if refusal_waits(page, outcome):
        with st.container(key="waiting"):
            st.info(
                _("There is no picture of this; the answer says why."),
                icon=":material/front_hand:",
            )
        return
    problems = outcome.problems
    count = len(problems)
    head = ngettext(
        "Fix {n} problem to see the picture:", "Fix {n} problems to see the picture:", count
    )
    if "last_drawn" in page.kept:
        head = ngettext(
            "This picture is of your last valid settings. Fix {n} problem to see the new one:",
            "This picture is of your last valid settings. Fix {n} problems to see the new one:",
            count,
        )
    with st.container(key="waiting"):
        st.info(head.format(n=count), icon=":material/front_hand:")
        st.markdown("\n".join(f"- {plain(problem.message)}" for problem in problems))
