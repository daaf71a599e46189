"""What an explorer shows, and how a changed setting redraws only the stage.

Streamlit runs the whole page whenever a widget changes.  If a change affects
only the picture, only the stage runs; the page's other seventy elements stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from dmlviz.errors import Error
from dmlviz.operators import Operator
from dmlviz.presets import presets_of
from dmlviz.scene import Scene
from dmlviz.states import State, View, settings_of
from dmlviz.ui.compare import outputs_shown, show_both
from dmlviz.ui.paper import paper
from dmlviz.ui.parameter_widgets import operator_of
from dmlviz.ui.result import anything_open, told
from dmlviz.ui.share import share
from dmlviz.ui.stage import link_of, picture, show
from dmlviz.ui.state import PageState
from dmlviz.ui.view_widgets import predicting

_STAGE = "stage"


@dataclass(frozen=True)
class Seen:
    """What the widgets describe.

    Attributes:
        drawn: the picture, or None while a setting is invalid.
        other: the picture of the operator to compare with, or None.
        state: the page's state, or None if an address cannot hold it.
    """

    drawn: Scene | None = None
    other: Scene | None = None
    state: State | None = None


def remember(page: PageState, seen: Seen) -> None:
    """Keep what the page shows, for :func:`stage` and :func:`changed`."""
    page.set("seen", seen)


@st.fragment(key=_STAGE)
def stage(page: PageState) -> None:
    """Draw the remembered picture and its result."""
    seen: Seen = page.get("seen")
    if seen.drawn is None:
        return
    key = f"{page.cls.key}-stage"
    view = page.get("view", View())
    shown = outputs_shown(seen.drawn, seen.other)
    link = link_of(page.cls.key, page.get("opened", 0), view, shown)
    predict = predicting(page)
    if seen.other is None:
        search = show(seen.drawn, key, link=link, predict=predict, arrange=page.arrange)
    else:
        search = show_both(seen.drawn, seen.other, key, link, arrange=page.arrange)
    if search is not None:
        share(seen.state, search)
    if not predict:
        told(seen.drawn)
    paper(seen.drawn, seen.other, seen.state)


def changed(page: PageState) -> None:
    """A widget's callback: redraw only the stage if a changed setting affects nothing else."""
    seen = _redrawn(page)
    if seen is None or seen.state is None:
        return
    remember(page, seen)
    page.address.follow(seen.state)
    st.rerun(_STAGE)


def _redrawn(page: PageState) -> Seen | None:
    """What the page shows now, or None if more than the stage changes."""
    last: Seen | None = page.get("seen")
    if last is None or last.state is None or last.drawn is None or last.other is not None:
        return None
    before, inputs = last.state, last.drawn.trace.inputs
    if before.view.predict or before.values == "picture":
        return None
    if anything_open(page) or page.link_problems():
        return None
    operator = operator_of(page, before.sizes)
    if operator is None or _used(operator) != _used(last.drawn.trace.operator):
        return None
    if operator.refusals(inputs, before.view.feature_level):
        return None
    after = replace(before, settings=settings_of(operator))
    if any(p.shown_by(before) or p.shown_by(after) for p in presets_of(page.cls.key)):
        return None
    try:
        drawn = picture(operator, inputs, before.view.directions, before.view.engine)
    except Error:
        return None
    return Seen(drawn, None, after)


def _used(operator: Operator) -> list[str]:
    return [p.name for p in operator.parameters() if p.used(operator.settings)]
