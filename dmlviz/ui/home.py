"""The first page: what this is, where to start, a search, and a gallery of questions."""

from __future__ import annotations

import streamlit as st

from dmlviz.operators import by_family
from dmlviz.operators.teaching import family_title
from dmlviz.presets import Preset, presets_of
from dmlviz.ui.address import open_link
from dmlviz.ui.compare import settings_apart
from dmlviz.ui.search import search
from dmlviz.ui.stage import picture, show
from dmlviz.words import _

_CARDS = 2
"""How much wider than the list of the other questions the pictures are together."""

_TALL, _TALL_WIDE = 270, 400
"""Pixels down of a small picture, and of two that share a row."""

# Streamlit cuts the text of a link that is longer than its place, and its first heading is large
_STYLE = """<style>
.stMain h1 { font-size: clamp(1.75rem, 3vw, 2.5rem); padding-top: 0.5rem; }
.stMain h2 { font-size: 1.5rem; }
.stMain h3 { font-size: 1.15rem; padding-bottom: 0.25rem; }
.stPageLink a { align-items: flex-start; height: auto; }
.stPageLink a > span:first-child { margin-top: 0.1rem; }
.stPageLink a > span:last-child, .stPageLink a :is(div, p) {
  white-space: normal; line-height: 1.4; text-wrap: balance;
}
</style>"""


def home() -> None:
    """Draw the page."""
    st.html(_STYLE)
    st.title(_("See where every element goes"), anchor=False)
    st.markdown(
        _(
            "Build a small tensor, set a DirectML operator, and watch each element travel from "
            "its place in the input to its place in the output. Every picture is what an engine "
            "really did."
        )
    )
    start = _("**Start with Tile:** press Play, then change a repeat")
    open_link("/tile", start, "play_circle")
    search()
    families = {family: kin for family, kin in by_family().items() if kin}
    st.markdown(" \u2002 ".join(f"[{_whole(family)}](#{family})" for family in families))
    st.markdown(_("Point at a picture, or tap it, to see it move. Its question opens it."))
    for family, operators in families.items():
        st.header(family_title(family), anchor=family)
        for cls in operators:
            st.subheader(cls.teaching().title(), anchor=False)
            _gallery(cls.key)


def _whole(family: str) -> str:
    """A family's title that stays on one line."""
    return family_title(family).replace(" ", "\u00a0")


def _gallery(key: str) -> None:
    """One or two questions with their pictures, then the others."""
    found = presets_of(key)
    pictured = [preset for preset in found if preset.pictured]
    *cards, rest = st.columns([*(_CARDS / len(pictured) for _preset in pictured), 1], gap="small")
    for column, preset in zip(cards, pictured, strict=True):
        with column.container(border=True, height="stretch"):
            _card(preset, wide=len(pictured) == 1)
    with rest:
        for preset in found:
            if not preset.pictured:
                open_link(preset.link, preset.question)


def _card(preset: Preset, *, wide: bool) -> None:
    """The question, which opens the explorer, over the living picture that answers it."""
    open_link(preset.link, f"**{preset.question}**")
    drawn = [picture(preset.operator, preset.inputs)]
    if preset.second is not None:
        drawn.append(picture(preset.second, preset.inputs))
    stacked = len(drawn) > 1 and not wide
    tall = _TALL_WIDE if len(drawn) > 1 and wide else _TALL
    group = f"home-{preset.key}" if len(drawn) > 1 else ""
    places = st.columns(1 if stacked else len(drawn), gap="small")
    for i, one in enumerate(drawn):
        with places[0 if stacked else i]:
            if len(drawn) > 1:
                st.markdown(f":small[**{'AB'[i]}** \u2002 {settings_apart(one, *drawn)}]")
            show(one, key=f"home-{preset.key}-{i}", compact=True, tall=tall, group=group)
