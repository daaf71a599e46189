"""``/present?lesson=tile&part=2``: questions of a lesson, run, class or practice for a room."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from dmlviz.app.address import address_parameters, go, open_link, page_address, page_of, tell, to
from dmlviz.app.series import Series, read_series
from dmlviz.app.stage import link_of, outputs_on_stage, show, show_both, show_still
from dmlviz.app.wall import Acts, alone, refusal_of, still_of, wall_of
from dmlviz.base.addresses import split_link, write_link
from dmlviz.base.words import _
from dmlviz.teaching.answers import NOTHING
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.posed import documentation_text
from dmlviz.teaching.practice import MOST_NUMBER

_LEAVES = "wall_leaves"
_KEY = "present-stage-wall"


def present_page() -> None:
    """Draw what the address says, large enough for the last row."""
    if leaves := st.session_state.pop(_LEAVES, ""):
        page, parameters = page_of(leaves)
        st.switch_page(page, query_params=to(parameters))
    here = address_parameters()
    series, problems = read_series(here)
    if series is None:
        # leave room for Streamlit's header, because this page has no bar
        st.space("large")
        tell(problems)
        st.title(_("Present"), anchor=False)
        st.markdown(_("Choose what to present in Plans for the teacher."))
        open_link("/teach", _("Plans for the teacher"), "co_present")
        return
    alone()
    tell(problems)
    _wall(series, here)


def _wall(series: Series, here: Mapping[str, str]) -> None:
    posed = series.posed

    def turn(way: str) -> None:
        number = series.at + {"next": 1, "previous": -1}.get(way, 0)
        if way.isascii() and way.isdecimal():
            # the speaker's window names a question
            number = int(way[:9])
        if 1 <= number <= (series.count or MOST_NUMBER):
            go({**here, series.name: str(number)})

    def leave(_search: str) -> None:
        st.session_state[_LEAVES] = series.back

    place = _("{number} of {count}").format(number=series.at, count=series.count)
    place = place if series.count else str(series.at)
    acts = Acts(lambda _search: _for_learners(posed.learner), leave, turn)
    words: dict[str, Any] = {"hidden": True, "place": f"{posed.title} \u00b7 {place}"}
    words |= {"at": series.at, "group": series.group}
    state = state_of(posed.link) if posed.link else None
    refusal = refusal_of(state) if state else ""
    if state is None or refusal:
        # a preset's answer may already contain the refusal
        before = "" if refusal in posed.reveal else refusal
        reveal = "\n".join(filter(None, (before, posed.reveal)))
        posed = replace(posed, reveal=reveal)
        words["text"] = posed.support
        show_still(wall_of(posed, _KEY, acts, **words, still=still_of(state)), _KEY)
        return
    if posed.text:
        words["text"] = documentation_text(posed.link, whole=False)
    drawn, *others = state.scenes()
    other = others[0] if others else None
    # each question counts as a new opening of the page
    opening = zlib.crc32(repr(sorted(here.items())).encode())
    link = link_of("present", opening, state.view, outputs_on_stage(drawn, other))
    link |= {"writes": False, "shares": False, "pins": True}
    step = len(drawn.steps) if posed.hides == NOTHING else 0
    link["view"] = {**link["view"], "step": step}
    wall = wall_of(posed, _KEY, acts, **words)
    if other is None:
        show(drawn, key=_KEY, link=link, wall=wall)
    else:
        show_both(drawn, other, _KEY, link, wall)


def _for_learners(link: str) -> str:
    """The whole address that a learner opens."""
    root = page_address().rpartition("/")[0]
    target = split_link(link)
    return root + write_link(target.page, to(target.parameters))
