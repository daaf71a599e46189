"""The glossary: every term with one sentence and one picture, at an anchor of its own."""

from __future__ import annotations

import streamlit as st

from dmlviz.glossary import Term, glossary, linked
from dmlviz.tensors import one_line
from dmlviz.ui.address import open_link
from dmlviz.ui.still import state_still
from dmlviz.ui.text import plain
from dmlviz.words import _

_MOST_SHOWN = 60


def glossary_page() -> None:
    """Draw the page; ``/glossary?term=tensor`` begins with a term, ``#tensor`` goes to it."""
    terms = glossary()
    st.title(_("Glossary"), anchor=False)
    _asked_for(st.query_params.get("term", ""), terms)
    st.markdown(_("Each term in one sentence, made of terms that stand before it."))
    by_name = sorted(terms, key=lambda term: term.name.lower())
    st.markdown(" \u2002 ".join(f"[{term.name}](#{term.key})" for term in by_name))
    for at in range(0, len(terms), 2):
        for column, term in zip(st.columns(2, gap="medium"), terms[at : at + 2], strict=False):
            with column.container(border=True, height="stretch"):
                _entry(term, terms)


def _asked_for(key: str, terms: tuple[Term, ...]) -> None:
    """The term that a lesson led to, before all others."""
    found = next((term for term in terms if term.key == key), None)
    if found is not None:
        with st.container(border=True):
            _entry(found, terms, anchor=False)
    elif key:
        sentence = _("term: {key} is none of the terms; they are all here.")
        st.warning(
            plain(sentence.format(key=one_line(key, _MOST_SHOWN))), icon=":material/link_off:"
        )


def _entry(term: Term, terms: tuple[Term, ...], *, anchor: bool = True) -> None:
    st.subheader(term.name, anchor=term.key if anchor else False)
    # a term does not explain itself
    st.markdown(linked(term.sentence, {term.key}, terms).replace("(glossary?term=", "(#"))
    state_still(term.link, width=520)
    open_link(term.link, _("Open it: {term}").format(term=term.name))
