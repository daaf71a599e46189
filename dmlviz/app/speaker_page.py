"""``/speaker?set=...``: what only the speaker sees while :mod:`dmlviz.app.present_page` is shown.

It takes the addresses of Present. The two windows of one browser follow each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import streamlit as st

from dmlviz.app.address import address_parameters, go, open_link, tell
from dmlviz.app.series import Series, read_series
from dmlviz.app.text import plain
from dmlviz.base.words import _, ngettext
from dmlviz.teaching.practice import MOST_NUMBER

_KEY = "speaker_follows"
_LETTERS = "ABCDEFGH"
_SCRIPT = Path(__file__).with_name("speaker.js")


def speaker_page() -> None:
    """Draw the page."""
    here = address_parameters()
    series, problems = read_series(here)
    tell(problems)
    if series is None:
        st.title(_("Speaker's view"), anchor=False)
        st.markdown(_("Choose what to present in Plans for the teacher."))
        open_link("/teach", _("Plans for the teacher"), "co_present")
        return
    with st.container(key="speaker"):
        _bar(series, here)
        _texts(series)


def _bar(series: Series, here: Mapping[str, str]) -> None:
    """Draw the buttons and the clock, which also follow the window that presents."""

    def turn() -> None:
        number = str(st.session_state.get(_KEY, {}).get("at") or "")
        most = series.count or MOST_NUMBER
        if number.isascii() and number.isdecimal() and 1 <= int(number[:9]) <= most:
            go({**here, series.name: str(int(number[:9]))})

    minutes = ngettext("{n} minute", "{n} minutes", series.minutes).format(n=series.minutes)
    words = {
        "previous": _("Previous"),
        "next": _("Next"),
        "reveal": _("Reveal"),
        "time": _("{passed} of {minutes}").format(passed="{passed}", minutes=minutes),
        "alone": _("Open Present in another window: both follow each other."),
        "together": _("Follows the window that presents."),
    }
    data = {
        "series": series.group,
        "at": series.at,
        "count": series.count,
        "minutes": series.minutes,
        "words": words,
    }
    follow = st.components.v2.component("dmlviz_speaker", js=_script(), isolate_styles=False)
    follow(key=_KEY, data=data, on_at_change=turn)


def _texts(series: Series) -> None:
    posed = series.posed
    place = _("{number} of {count}").format(number=series.at, count=series.count)
    st.caption(f"{plain(posed.title)} \u00b7 {place if series.count else series.at}")
    st.header(plain(posed.prompt), anchor=False)
    if posed.runs:
        st.caption(plain(posed.runs))
    if posed.right >= 0:
        right = posed.answers[posed.right]
        _labeled(_("Answer"), f"{_LETTERS[posed.right]} {plain(right.text)}")
    if posed.reveal:
        _labeled(_("Reason") if posed.right >= 0 else _("Answer"), plain(posed.reveal))
    mistakes = [
        f"- **{letter}** {plain(': '.join(filter(None, (answer.text, reason))))}"
        for letter, answer, reason in zip(_LETTERS, posed.answers, posed.reasons, strict=False)
        if answer.why
    ]
    if mistakes:
        heading = _("Likely mistakes")
        st.markdown("\n".join([f"**{heading}**", "", *mistakes]))
    if series.notes:
        _labeled(_("Notes"), plain(series.notes).replace("\n", "  \n"))
    if posed.following:
        _labeled(_("Ask next"), plain(posed.following))
    if series.following:
        _labeled(_("Next question"), plain(series.following))


def _labeled(heading: str, text: str) -> None:
    st.markdown(f"**{heading}:** {text}")


@cache
def _script() -> str:
    return _SCRIPT.read_text(encoding="utf-8")
