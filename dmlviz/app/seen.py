"""How a changed widget redraws only the stage.

Streamlit runs the whole page whenever a widget changes.  If a change affects
only the picture, only the stage runs; the page's other fifty elements stay as they are.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dmlviz.app.compare import outputs_shown, show_both
from dmlviz.app.described import Described, describe
from dmlviz.app.paper import paper
from dmlviz.app.result import anything_open, told
from dmlviz.app.share import share
from dmlviz.app.stage import link_of, show
from dmlviz.app.state import PageState
from dmlviz.app.view_widgets import predicting
from dmlviz.states import State, View
from dmlviz.teaching.presets import presets_of
from dmlviz.words import locale, speaking

_STAGE = "stage"


def remember(page: PageState, described: Described) -> None:
    """Keep what the page shows, for :func:`stage` and :func:`changed`."""
    page.set("described", described)


@st.fragment(key=_STAGE)
def stage(page: PageState) -> None:
    """Draw the remembered picture and its result."""
    # the page's own language does not reach a run of the stage alone
    with speaking(locale()):
        _stage(page)


def _stage(page: PageState) -> None:
    described: Described = page.get("described")
    drawn, other = described.drawn, described.other
    if drawn is None:
        return
    key = f"{page.cls.key}-stage"
    view = page.get("view", View())
    link = link_of(page.cls.key, page.get("opened", 0), view, outputs_shown(drawn, other))
    predict = predicting(page)
    if other is None:
        search = show(drawn, key, link=link, predict=predict, arrange=page.arrange)
    else:
        search = show_both(drawn, other, key, link, arrange=page.arrange)
    if search is not None:
        share(described.state, search)
    # one element, because each costs the server and the browser time
    lines = [paper(drawn, other, described.state)]
    if not predict:
        lines.insert(0, told(drawn))
    st.markdown("\n\n".join(lines))


def changed(keys: PageState) -> None:
    """A widget's callback: redraw only the stage if the change affects nothing else.

    Args:
        keys: of the page, or of one of its inputs.
    """
    page = PageState(keys.cls)
    before: Described | None = page.get("described")
    if before is None or not _stage_alone(page, before):
        return
    with speaking(locale()):
        after = describe(page)
        if not _differ_in_the_picture(before, after):
            return
        assert after.state is not None  # the states differ in the picture
        remember(page, after)
        page.address.follow(after.state)
    st.rerun(_STAGE)


def _stage_alone(page: PageState, before: Described) -> bool:
    """Whether nothing but the stage shows the picture in some form."""
    return not (
        before.other is not None
        or page.get("compare")
        or page.get("predict")
        or (before.state is not None and before.state.view.predict)
        or anything_open(page)
        or page.address.history.told
        or any(page.of(name).get("editing") for name in page.names())
    )


def _differ_in_the_picture(before: Described, after: Described) -> bool:
    """Whether two descriptions have the same widgets, and one of them makes the difference."""
    then, now = before.state, after.state
    if then is None or now is None or before.drawn is None or after.drawn is None:
        return False
    if before.outline != after.outline or not _by_one_widget(then, now):
        return False
    # a preset has its question in the page's head
    return not any(one.matches(then) or one.matches(now) for one in presets_of(now.key))


def _by_one_widget(before: State, after: State) -> bool:
    """Whether one widget makes the whole difference, so that no other has to be drawn again."""
    ones = ("sizes", "data_type", "seed", "settings", "view")
    if any(replace(before, **{one: getattr(after, one)}) == after for one in ones):
        return True
    then = dict(before.more)
    return any(
        before.with_input(name, replace(then[name], **{one: getattr(given, one)})) == after
        for name, given in after.more
        if name in then
        for one in ones[:3]
    )
