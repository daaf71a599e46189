"""The app's pages: set up, found by their addresses, and run below the bar."""

from __future__ import annotations

from base64 import b64encode
from functools import cache

import streamlit as st

from dmlviz.app.address import PAGES, STAYED, presenting
from dmlviz.app.language import begin_language, language_switch, unknown_language
from dmlviz.app.looks import looks
from dmlviz.app.menu import bar, groups, speaker_entry, wall_entry
from dmlviz.app.server import EXPLORERS
from dmlviz.places import ASSETS
from dmlviz.words import _, speaking

_AT = "page"
_PRESENTED = EXPLORERS | {"code"}
"""The pages that the address can ask to present; on others it says nothing."""
_SIDEBAR = 288
_ICON = ASSETS / "icon.png"


def navigate() -> None:
    """Set up the app and run the requested page."""
    st.set_page_config(
        page_title="dmlviz", page_icon=_icon(), layout="wide", initial_sidebar_state=_SIDEBAR
    )
    with speaking(begin_language()):
        found = groups()
        wall, speaker = wall_entry().page, speaker_entry().page
        pages = [*(entry.page for entries in found.values() for entry in entries), wall, speaker]
        page = st.navigation(pages, position="hidden")
        st.session_state[PAGES] = {one.url_path or "home": one for one in pages}
        st.html(f"<style>{looks(page.url_path in EXPLORERS)}{_words()}</style>")
        # an embedded page leads nowhere else, and a page for a room has no bar
        on_wall = page in (wall, speaker) or (presenting() and page.url_path in _PRESENTED)
        alone = st.context.is_embedded or on_wall
        st.session_state[STAYED] = st.session_state.get(_AT) == page.url_path
        st.session_state[_AT] = page.url_path
        if alone:
            language_switch(page.url_path, alone=True)
        else:
            bar(found, page)
        unknown_language()
        page.run()


@cache
def _icon() -> str:
    """The icon as a data address: some browsers fetch it again whenever the address changes."""
    return f"data:image/png;base64,{b64encode(_ICON.read_bytes()).decode()}"


def _words() -> str:
    """Words for the style sheets: a phone's button for the sidebar has no words, and Streamlit's
    link to the page has only English ones.
    """
    said = {"settings": _("Settings"), "skip": _("Skip to main content")}
    rules = []
    for name, text in said.items():
        plain = "".join(sign for sign in text if sign.isalnum() or sign == " ")
        rules.append(f'--dmlviz-{name}: "{plain}";')
    return f":root {{ {' '.join(rules)} }}"
