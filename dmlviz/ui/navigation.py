"""The pages and how to get from one to another."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from dmlviz.operators import by_family
from dmlviz.ui.address import STAYED, presenting
from dmlviz.ui.language import begin_language, language_switch, unknown_language
from dmlviz.words import _, speaking

_AT = "page"
# Streamlit leaves a third of a projector's height empty above the title, and of a menu of more than
# a dozen pages a low window would show the first ones only
_STYLE = """<style>
.stMainBlockContainer { padding: 3.2rem 2rem 2rem; }
.stSidebar [data-testid='stSidebarHeader'] { height: 2.5rem; margin: 0; }
[data-testid=stTopNavPopover]:has(> :nth-child(13)) { columns: 2; width: 29rem; }
[data-testid=stTopNavPopover] > * { break-inside: avoid; }
</style>"""
_ICON = Path(__file__).resolve().parents[2] / "assets" / "icon.png"


def navigate() -> None:
    """Set the app up and run the page that was asked for."""
    st.set_page_config(page_title="dmlviz", page_icon=_icon(), layout="wide")
    st.html(_STYLE)
    # inside another page there is nowhere else to go, and before a room nothing in the way
    alone = st.context.is_embedded or presenting()
    with speaking(begin_language()):
        page = st.navigation(_pages(), position="hidden" if alone else "top")
        st.session_state[STAYED] = st.session_state.get(_AT) == page.url_path
        st.session_state[_AT] = page.url_path
        language_switch(page.url_path, alone=alone)
        unknown_language()
        page.run()


@cache
def _icon() -> str:
    """The icon itself as an address: some browsers ask for it whenever the address changes."""
    return f"data:image/png;base64,{b64encode(_ICON.read_bytes()).decode()}"


def _pages() -> dict[str, list[Any]]:
    """The pages by group; those of the first group stand in the bar itself."""
    # by what they do: twenty names one beside the other would be no way to anything
    explorers = [
        (cls.key.replace("-", "_"), cls.teaching().title(), cls.teaching().ICON)
        for family in by_family().values()
        for cls in family
    ]
    groups = {
        "": [("home", _("Home"), "home")],
        _("Operators"): explorers,
        _("Learn and teach"): [
            ("lessons", _("Lessons"), "school"),
            ("practice", _("Practice"), "quiz"),
            ("glossary", _("Glossary"), "dictionary"),
            ("names", _("Other names"), "translate"),
            ("teach", _("Plans for the teacher"), "co_present"),
            ("worksheet", _("Worksheet"), "print"),
        ],
        _("Check"): [
            ("verify", _("Verify a page"), "fact_check"),
            ("engines", _("Engines"), "memory"),
        ],
    }
    return {
        group: [
            st.Page(
                f"pages/{file}.py",
                title=title,
                icon=f":material/{icon}:",
                default=file == "home",
                url_path=None if file == "home" else file.replace("_", "-"),
            )
            for file, title, icon in pages
        ]
        for group, pages in groups.items()
    }
