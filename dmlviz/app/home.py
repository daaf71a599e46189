"""The first page: what this is, three doors, one movement, and a gallery of questions."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dmlviz.app.address import open_link, page_of, to
from dmlviz.app.search import search
from dmlviz.app.server import player_address, plotly_address
from dmlviz.app.stage import packed, picture, show
from dmlviz.app.text import operator_titles
from dmlviz.app.theme import is_dark
from dmlviz.base.addresses import split_link, write_link
from dmlviz.base.cache import cached
from dmlviz.base.words import _
from dmlviz.code.dialects import DIALECTS
from dmlviz.code.libraries import in_words
from dmlviz.operators import by_family
from dmlviz.operators.texts import family_title
from dmlviz.picture.exports import image_address, stills
from dmlviz.picture.files import gallery, gallery_style
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.presets import Preset, preset, presets_of

_HERO = "slice-first"
"""The movement on the page, which must not show an answer of the first lesson."""
_TALL = 300

_STYLE = """<style>
.stMain h1 {
  font-size: clamp(var(--dmlviz-text-far), 3vw, var(--dmlviz-text-hero)); line-height: 1.2;
}
/* one column below the other has no need of the room between them */
.stMainBlockContainer [data-testid=stHorizontalBlock]:has(h1) { row-gap: var(--dmlviz-space-3); }
/* Play is in a phone's first view */
@media (max-width: 560px) {
  .stMainBlockContainer [data-testid=stHorizontalBlock]:has(h1) { row-gap: var(--dmlviz-space-2); }
  .stMain :is(.st-key-begin, .st-key-hero) { gap: var(--dmlviz-space-2); }
}
</style>"""


def home() -> None:
    """Draw the page."""
    st.html(_STYLE)
    words, hero = st.columns([2, 3], gap="large", vertical_alignment="center")
    with words:
        st.title(_("See where every element goes"), anchor=False)
        st.markdown(
            _(
                "Set an operator, guess where each number goes, and watch it travel. Every picture "
                "is what an engine really did."
            )
        )
        _doors()
    with hero:
        _movement()
    families = {family: kin for family, kin in by_family().items() if kin}
    st.markdown(" \u2002 ".join(f"[{_whole(family)}](#{family})" for family in families))
    for family, operators in families.items():
        st.header(family_title(family), anchor=family)
        pictured = (one for cls in operators for one in presets_of(cls.key) if one.pictured)
        _gallery(tuple(pictured), key=f"home-{family}")


def _doors() -> None:
    """Draw where to begin, by who is reading."""
    with st.container(key="begin", gap="small"):
        with st.container(key="door_new", gap=None):
            open_link(lessons()[0].link(), _("I am new"), "school")
            st.caption(_("Three numbers and one question; then watch them move."))
        with st.container(key="door_call", gap=None):
            open_link("/code", _("I know the call"), "code")
            words = _("{libraries} and {last}, element by element.")
            st.caption(words.format(**in_words([*DIALECTS.values()])))
            search()
        with st.container(key="door_teach", gap=None):
            open_link("/teach", _("I teach"), "co_present")
            st.caption(_("Plans, questions for the class's phones, worksheets."))


def _movement() -> None:
    """Draw one movement with its name; the style sheet shows what comes next once it has ended."""
    first = preset(_HERO)
    title = type(first.operator).title()
    with st.container(key="hero", gap="small"):
        # a question would need a way to answer it
        st.markdown(f"**{title}** \u2002 {type(first.operator).sentence()}")
        show(picture(first.operator, first.inputs), key="home-hero", bare=True, tall=_TALL)
        with st.container(key="hero_next", gap=None):
            st.markdown(first.answer)
            with st.container(horizontal=True, gap="small"):
                open_link(lessons()[0].link(), _("Next: the first lesson"), "school")
                open_link(first.link, _("Build your own"), "play_circle")


def _whole(family: str) -> str:
    """A family's title, kept on one line."""
    return family_title(family).replace(" ", "\u00a0")


def _gallery(presets: Sequence[Preset], key: str) -> None:
    """Draw questions as cards; pressing one opens its explorer.

    Each shows its input and "?", and plays its movement on hover or focus.

    Args:
        presets: each with a single setting that its operator accepts.
        key: of the component.
    """
    component = st.components.v2.component(
        "dmlviz_gallery", js=gallery(), css=gallery_style(), isolate_styles=False
    )
    titles = operator_titles()
    dark = is_dark()
    answered = component(
        key=key,
        data={
            "plotly": plotly_address(),
            "player": player_address(),
            "failed": _("The player could not be loaded from the server:"),
            "show": _("Show how the elements move"),
            "cards": [
                {
                    "key": one.key,
                    "title": titles[one.state.key],
                    "question": one.question,
                    "opens": _opens(one),
                    "stills": _stills(one, dark),
                    "payload": packed(picture(one.operator, one.inputs)),
                }
                for one in presets
            ],
        },
        on_opened_change=lambda: None,
    )
    for one in presets:
        if answered.opened == one.key:
            page, parameters = page_of(one.link)
            st.switch_page(page, query_params=to(parameters))


def _opens(preset: Preset) -> str:
    """The card's link, from the app's root."""
    parameters = split_link(preset.link).parameters
    return write_link(preset.state.key, to(parameters)).removeprefix("/")


@cached(megabytes=2, key=lambda preset, dark: (preset.key, dark))
def _stills(preset: Preset, dark: bool) -> list[dict[str, str]]:
    """The inputs before the movement: image, name, and values in words."""
    controls = preset.state.cls.controls_among(preset.inputs)
    return [
        {"image": image_address(one.drawing), "name": one.name, "alt": one.spoken}
        for one in stills(preset.inputs, dark=dark, controls=controls)
    ]
