"""What every page with a stage does first."""

from __future__ import annotations

import streamlit as st

from dmlviz.app.address import presenting
from dmlviz.app.embedded import embedded
from dmlviz.app.form_widgets import take_edits
from dmlviz.app.outcome import PageOutcome, outcome_of
from dmlviz.app.page import Page
from dmlviz.app.present import present
from dmlviz.app.received import keep_sent
from dmlviz.app.redrawing import remember


def opened(key: str) -> tuple[Page, PageOutcome] | None:
    """A page and what its state shows; None if only the stage is drawn, embedded or presented.

    Args:
        key: the page's.
    """
    page = Page(key)
    if presenting():
        present(page)
        return None
    if st.context.is_embedded:
        embedded(page)
        return None
    keep_sent(page)
    page.begin()
    take_edits(page)
    outcome = outcome_of(page)
    remember(page, outcome)
    return page, outcome
