"""The pages and how to get from one to another."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from dmlviz.ui.state import STAYED
from dmlviz.words import _

_AT = "page"
_ICON = Path(__file__).resolve().parents[2] / "assets" / "icon.png"


def navigate() -> None:
    """Set the app up and run the page that was asked for."""
    st.set_page_config(page_title="dmlviz", page_icon=_icon(), layout="wide")
    # Streamlit leaves a third of a projector's height empty above the title
    st.html(
        "<style>.stMainBlockContainer { padding: 3.2rem 2rem 2rem; }"
        ".stSidebar [data-testid='stSidebarHeader'] { height: 2.5rem; margin: 0; }</style>"
    )
    # inside another page there is nowhere else to go
    page = st.navigation(_pages(), position="hidden" if st.context.is_embedded else "top")
    st.session_state[STAYED] = st.session_state.get(_AT) == page.url_path
    st.session_state[_AT] = page.url_path
    page.run()


@cache
def _icon() -> str:
    """The icon itself as an address: some browsers ask for it whenever the address changes."""
    return f"data:image/png;base64,{b64encode(_ICON.read_bytes()).decode()}"


def _pages() -> dict[str, list[Any]]:
    """The pages by group; those of the first group stand in the bar itself."""
    operators = [
        st.Page("pages/home.py", title=_("Home"), icon=":material/home:", default=True),
        st.Page("pages/tile.py", title=_("Tile"), url_path="tile", icon=":material/grid_on:"),
        st.Page(
            "pages/depth_to_space.py",
            title=_("Depth to space"),
            url_path="depth-to-space",
            icon=":material/open_in_full:",
        ),
        st.Page(
            "pages/space_to_depth.py",
            title=_("Space to depth"),
            url_path="space-to-depth",
            icon=":material/close_fullscreen:",
        ),
        st.Page(
            "pages/padding.py",
            title=_("Padding"),
            url_path="padding",
            icon=":material/padding:",
        ),
    ]
    learn = [
        st.Page(
            "pages/lessons.py",
            title=_("Lessons"),
            url_path="lessons",
            icon=":material/school:",
        ),
        st.Page(
            "pages/glossary.py",
            title=_("Glossary"),
            url_path="glossary",
            icon=":material/dictionary:",
        ),
    ]
    checks = [
        st.Page(
            "pages/verify.py",
            title=_("Verify a page"),
            url_path="verify",
            icon=":material/fact_check:",
        ),
        st.Page(
            "pages/engines.py",
            title=_("Engines"),
            url_path="engines",
            icon=":material/memory:",
        ),
    ]
    return {"": operators, _("Learn"): learn, _("Check"): checks}
