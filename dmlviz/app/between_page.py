"""The page for two arrays: what lies between them."""

from __future__ import annotations

import streamlit as st

from dmlviz.app.address import tell
from dmlviz.app.form_widgets import draw, view_widgets
from dmlviz.app.fragments import below, head, question_of_page, stage
from dmlviz.app.opening import opened
from dmlviz.app.problems import Notices
from dmlviz.app.received import number_answer
from dmlviz.app.share import ADDRESSED
from dmlviz.base.words import _
from dmlviz.picture.scene import Scene
from dmlviz.states.between import BETWEEN
from dmlviz.states.pages import predicting
from dmlviz.states.view import LIMITS

_BOX = 160
"""The height of the box of an array, in pixels."""
_SHORTCUTS = ("formula", "files")
_SECTIONS = ("engines", "files", "formula", "same", "table")


def between_page() -> None:
    """Draw the page, or only the stage if it is embedded or presented."""
    shown = opened(BETWEEN)
    if shown is None:
        return
    page, outcome = shown
    sentence = _("Paste two small arrays: see where every element of the second comes from.")
    head(page, _("Two arrays"), sentence)
    question_of_page(page, _("Your own arrays"), _SHORTCUTS, sentence)
    tell(page.link_problems())
    notices = Notices()
    with st.sidebar:
        rows = page.form.rows()
        for name in page.state.tensors:
            draw(page, rows[name], notices, height=_BOX)
        with st.expander(_("Engine and limits"), icon=":material/tune:"):
            view_widgets(page, LIMITS, notices)
        notices.add(outcome.problems)
        if outcome.drawn is not None and not predicting(page.state):
            _lines(outcome.drawn)
    number_answer(page)
    st.session_state[ADDRESSED] = outcome.addressed is not None
    if outcome.addressed is not None:
        page.address.follow(outcome.addressed, outcome.parameters)
    stage(page)
    if outcome.drawn is None:
        return
    with st.container(key="below"):
        below(page, _SECTIONS)


def _lines(drawn: Scene) -> None:
    """Draw the line that makes the second array of the first."""
    title = _("This line does it")
    st.markdown(f"**{title}**")
    st.code(drawn.trace.operator.on_one_line(), language="python", wrap_lines=True)
