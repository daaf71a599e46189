"""The first page: what this is, where to start, a search, and a gallery of questions."""

from __future__ import annotations

import streamlit as st

from dmlviz.app.address import open_link
from dmlviz.app.gallery import gallery
from dmlviz.app.search import search
from dmlviz.app.stage import picture, show
from dmlviz.operators import by_family
from dmlviz.operators.texts import family_title
from dmlviz.teaching.presets import preset, presets_of
from dmlviz.words import _

_HERO = "tile-documentation"
_TALL = 300

_STYLE = """<style>
.stMain h1 {
  font-size: clamp(var(--dmlviz-text-far), 3vw, var(--dmlviz-text-hero)); line-height: 1.2;
}
/* one column below the other has no need of the room between them */
.stMainBlockContainer [data-testid=stHorizontalBlock]:has(h1) { row-gap: var(--dmlviz-space-3); }
</style>"""


def home() -> None:
    """Draw the page."""
    st.html(_STYLE)
    words, hero = st.columns([2, 3], gap="large", vertical_alignment="center")
    with words:
        st.title(_("See where every element goes"), anchor=False)
        st.markdown(
            _(
                "Build a small tensor, set a DirectML operator, and watch each element travel "
                "from its place in the input to its place in the output. Every picture is what an "
                "engine really did."
            )
        )
        with st.container(key="begin", horizontal=True):
            open_link("/tile", _("Build your own"), "play_circle")
            open_link("/lessons", _("Take a lesson"), "school")
        search()
    with hero:
        first = preset(_HERO)
        show(picture(first.operator, first.inputs), key="home-hero", bare=True, tall=_TALL)
    families = {family: kin for family, kin in by_family().items() if kin}
    st.markdown(" \u2002 ".join(f"[{_whole(family)}](#{family})" for family in families))
    for family, operators in families.items():
        st.header(family_title(family), anchor=family)
        found = (one for cls in operators for one in presets_of(cls.key) if one.pictured)
        gallery(tuple(found), key=f"home-{family}")


def _whole(family: str) -> str:
    """A family's title, kept on one line."""
    return family_title(family).replace(" ", "\u00a0")
