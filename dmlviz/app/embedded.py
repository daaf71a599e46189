"""An explorer inside another page: the stage with its controls, as the link says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dmlviz.app.address import address_parameters, kept_here, tell
from dmlviz.app.engines import name_here, statuses
from dmlviz.app.page import Page
from dmlviz.app.stage import link_of, outputs_on_stage, show, show_both
from dmlviz.app.text import plain
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.picture.scene import Scene
from dmlviz.states.pages import AnyState, refusals_of


@dataclass(frozen=True)
class Addressed:
    """What an address says, ready to be drawn.

    Attributes:
        drawn: the picture.
        other: the picture of the operator to compare with, or None.
        link: for the player, which offers no actions for the view.
        key: of the stage.
        predict: whether the output is hidden at first; on a wall also while two are compared.
    """

    drawn: Scene
    other: Scene | None
    link: dict[str, Any]
    key: str
    predict: bool


def embedded(page: Page) -> None:
    """Draw what the address says, or its problems instead."""
    stage = addressed(page)
    if stage is None:
        return
    if stage.other is None:
        show(stage.drawn, key=stage.key, link=stage.link, predict=stage.predict)
    else:
        show_both(stage.drawn, stage.other, stage.key, stage.link)


def addressed(page: Page) -> Addressed | None:
    """What the address says; also draws a sentence for each of its problems.

    Returns:
        None if there is nothing to draw; a sentence then says why.
    """
    here = kept_here()
    if page.kept.get("embedded") != here:
        page.kept["embedded"] = here
        page.kept["opened"] = page.opened + 1
    opened = page.read(address_parameters())
    state = opened.state
    assert state is not None  # the page is there
    tell(problem.message for problem in opened.problems)
    try:
        for problem in refusals_of(state):
            raise Error(problem.message, problem.field)
        drawn, *others = _on_this_machine(state).scenes()
    except Error as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None
    other = next(iter(others), None)
    opening = page.opened
    link = link_of(page.key, opening, state.view, outputs_on_stage(drawn, other))
    # an embedded page's address is not meant to be copied, so there is no button for it
    link["shares"] = False
    return Addressed(drawn, other, link, f"{page.key}-stage", state.view.predict)


def _on_this_machine(state: AnyState) -> AnyState:
    """The state with an engine that can run here; draws a sentence if it is another one."""
    engine = name_here(state.view.engine)
    if engine is None:
        engine = statuses()[0].name
        st.caption(
            _("engine: {name} cannot run on this machine; {ours} runs instead.").format(
                name=state.view.engine, ours=statuses()[0].title
            )
        )
    return state.with_view(replace(state.view, engine=engine))
