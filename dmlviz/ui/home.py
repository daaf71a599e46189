"""The first page: what this is, one living picture per operator, where to start."""

from __future__ import annotations

import streamlit as st

from dmlviz.operators import OPERATORS, Operator
from dmlviz.ui.stage import picture, show
from dmlviz.words import _


def home() -> None:
    """Draw the page."""
    st.title(_("See where every element goes"), anchor=False)
    st.markdown(
        _(
            "Build a small tensor, set a DirectML operator, and watch each element travel from "
            "its place in the input to its place in the output. Every picture is what an engine "
            "really did: it runs the operator on your values, then on their indices, and the "
            "second answer is the movement you see."
        )
    )
    st.page_link(
        "pages/tile.py",
        label=_("**Start with Tile:** press Play, then change a repeat"),
        icon=":material/play_circle:",
    )
    cards = dict(zip((cls.key for cls in OPERATORS), _cards(), strict=True))
    for row in (OPERATORS[:2], OPERATORS[2:]):
        for column, cls in zip(st.columns(2, gap="medium"), row, strict=True):
            with column.container(border=True, height="stretch"):
                _card(cls, *cards[cls.key])


def _cards() -> list[tuple[str, str, str]]:
    return [
        (_("Tile"), _("What does a repeat of 3 on dimension 2 copy?"), "pages/tile.py"),
        (
            _("Depth to space"),
            _("Which channel becomes which corner of a block?"),
            "pages/depth_to_space.py",
        ),
        (
            _("Space to depth"),
            _("How do the corners of every block become channels?"),
            "pages/space_to_depth.py",
        ),
        (_("Padding"), _("Is the edge repeated when the rows are mirrored?"), "pages/padding.py"),
    ]


def _card(cls: type[Operator], title: str, question: str, page: str) -> None:
    example = cls.examples()[-1]
    st.subheader(title, anchor=False)
    st.markdown(question)
    show(picture(example.operator, example.x), key=f"home-{cls.key}", compact=True, tall=400)
    st.page_link(page, label=_("Open {title}").format(title=title), icon=":material/arrow_forward:")
