"""An explorer for a room: the stage fills the window, keyboard only."""

from __future__ import annotations

from dataclasses import replace

from dmlviz.app.address import address_parameters, page_address, whole_address
from dmlviz.app.embedded import addressed
from dmlviz.app.page import Page
from dmlviz.app.share import toggle_present, with_player
from dmlviz.app.stage import show, show_both, show_still
from dmlviz.app.wall import Acts, alone, back_to_page, refusal_of, still_of, wall_of
from dmlviz.base.words import _
from dmlviz.operators import operator_class
from dmlviz.states.pages import AnyState
from dmlviz.teaching.code_presets import open_preset
from dmlviz.teaching.posed import Posed, of_preset, runs_line


def present(page: Page) -> None:
    """Draw what the address says, large enough for the last row."""
    alone()
    state = page.read(address_parameters()).state
    assert state is not None  # the page is there
    key = f"{page.key}-stage-wall"
    acts = Acts(
        lambda search: whole_address(with_player(state.without_player(), search), page_address()),
        toggle_present,
    )
    refusal = refusal_of(state)
    if refusal:
        still = still_of(state)
        posed = replace(_posed(state, refused=True), reveal=refusal)
        runs = runs_line(state, posed.quiet)
        show_still(wall_of(posed, key, acts, hidden=True, runs=runs, still=still), key)
        return
    stage = addressed(page)
    if stage is None:
        back_to_page(page.widget_key("leave"))
        return
    posed = _posed(state)
    # one's own picture is in no link
    runs = runs_line(state, posed.quiet)
    wall = wall_of(posed, key, acts, hidden=stage.predict, runs=runs)
    if stage.other is None:
        show(stage.drawn, key=key, link=stage.link, wall=wall)
    else:
        show_both(stage.drawn, stage.other, key, stage.link, wall)


def _posed(state: AnyState, *, refused: bool = False) -> Posed:
    """The question of the address's preset, or a general one if it opens none."""
    preset = open_preset(state)
    if preset is not None:
        return of_preset(preset)
    names = [operator_class(key).__name__ for key in state.operators]
    ask = _("Does {operator} accept this?") if refused and names else ""
    return Posed(ask.format(operator=", ".join(names)), state.address(whole=True) if names else "")
