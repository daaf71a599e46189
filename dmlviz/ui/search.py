"""The search box, which finds an operator by any of its names."""

from __future__ import annotations

import streamlit as st

from dmlviz.finding import LONGEST, Name, find, names
from dmlviz.tensors import shown
from dmlviz.ui.address import open_link
from dmlviz.ui.text import operator_titles, plain
from dmlviz.words import _

_SUCH_AS = "torch.gather, pixel_shuffle, SLICE1"


def asked_name() -> str:
    """Draw the field; return its text, which the address keeps."""
    typed = st.text_input(
        _("Find an operator by any of its names"),
        key="search",
        type="search",
        max_chars=LONGEST,
        placeholder=_SUCH_AS,
        live=True,
        bind="query-params",
    )
    return " ".join((typed or "")[:LONGEST].split())


@st.fragment
def search() -> None:
    """Draw the field, and links to the best matches."""
    titles = operator_titles()
    with st.container(key="finding"):
        typed = asked_name()
        found = find(typed, names())
        for name in found:
            open_link(name.link, _told(name, titles[name.key]))
        if found:
            open_link("/names", _("All names and calls"), "translate", search=typed)
        elif typed:
            not_found(typed)


def not_found(typed: str) -> None:
    """Show a sentence that nothing has this name."""
    sentence = _("No operator is called {text}. Try one word, such as gather or pad.")
    st.markdown(plain(sentence.format(text=shown(typed))))


def _told(name: Name, title: str) -> str:
    """A name as the label of its link."""
    if not name.library:
        return f"**{title}**"
    library = "" if name.text.startswith(name.library) else f" \u2002 {name.library}"
    return f"**`{name.text}`**{library} \u2002 {title}"
