"""Two settings of one operator on the same input, on one stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from dmlviz.app.described import Described
from dmlviz.app.parameter_widgets import parameter_widgets
from dmlviz.app.problems import Notices
from dmlviz.app.stage import Wall, show
from dmlviz.app.state import KEEP, PageState
from dmlviz.picture.compared import compared, difference
from dmlviz.picture.runs import sizes_on_stage
from dmlviz.picture.scene import Scene
from dmlviz.states.form import compare_field, second_title


def second_widgets(
    page: PageState, notices: Notices, described: Described, changed: Callable[[PageState], None]
) -> None:
    """Draw the switch and, if it is on, the second operator's widgets.

    Args:
        page: of the explorer.
        notices: where sentences about the second operator go.
        described: what the widgets describe.
        changed: called when the switch or one of its settings changes.
    """
    row = compare_field()
    st.toggle(
        row.label,
        key=page.key("compare"),
        help=row.help,
        on_change=changed,
        args=(page,),
        persist_state=KEEP,
    )
    if described.second is not None:
        other = page.second()
        st.markdown(f"**{second_title()}**")
        parameter_widgets(other, notices, described.second.offered, other.fitted_sizes(), changed)


def show_both(
    a: Scene,
    b: Scene,
    key: str,
    link: Mapping[str, Any],
    wall: Wall | None = None,
    *,
    outdated: bool = False,
    verdict: str | None = None,
    **room: Any,
) -> str | None:
    """Draw both outputs on one stage; mark cells that differ, and write the verdict below.

    Args:
        a, b, key, link, wall, outdated, room: as of :func:`dmlviz.app.stage.show`, whose result
            this is.
        verdict: what is written below; None for the first difference.
    """
    search = show(compared(a, b), key=key, link=link, wall=wall, outdated=outdated, **room)
    # people in a room find the difference themselves
    if wall is None and not outdated:
        sentence = difference(a, b) if verdict is None else verdict
        if sentence:
            st.markdown(sentence)
    return search


def outputs_on_stage(a: Scene, b: Scene | None) -> dict[str, tuple[int, ...]]:
    """The sizes of all outputs on the stage, by the names shown there."""
    return sizes_on_stage(a.trace, None if b is None else b.trace)
