"""The glossary: every term with one sentence and one picture, at an anchor of its own."""

from __future__ import annotations

import streamlit as st

from dmlviz.app.address import address_parameters, open_link, tell
from dmlviz.app.still import state_still
from dmlviz.base.addresses import Reading
from dmlviz.base.words import _
from dmlviz.teaching.glossary import Term, glossary, linked


def glossary_page() -> None:
    """Draw the page; ``/glossary?term=tensor`` begins with a term, ``#tensor`` goes to it."""
    terms = glossary()
    st.title(_("Glossary"), anchor=False)
    _linked_term(terms)
    st.markdown(_("Each term in one sentence that uses only the terms before it."))
    by_name = sorted(terms, key=lambda term: term.name.lower())
    with st.container(key="glossary_terms"):
        # normal spaces, because a wide one would indent the line that it begins
        st.markdown(" ".join(f"[{term.name}](#{term.key})" for term in by_name))
    for at in range(0, len(terms), 2):
        for column, term in zip(st.columns(2, gap="medium"), terms[at : at + 2], strict=False):
            with column.container(border=True, height="stretch"):
                _entry(term, terms)


def _linked_term(terms: tuple[Term, ...]) -> None:
    """Draw the term that a lesson linked to before all others."""
    reading = Reading(address_parameters())
    rule = _("there is none with that name; all of them are listed here.")
    linked_key = reading.one_of("term", [term.key for term in terms], "", rule)
    tell(problem.message for problem in reading.all_problems())
    for term in terms:
        if term.key == linked_key:
            with st.container(border=True):
                _entry(term, terms, anchor=False)


def _entry(term: Term, terms: tuple[Term, ...], *, anchor: bool = True) -> None:
    st.subheader(term.name, anchor=term.key if anchor else False)
    # a term's sentence must not link to itself
    st.markdown(linked(term.sentence, {term.key}, terms).replace("(glossary?term=", "(#"))
    state_still(term.link, width=520)
    open_link(term.link, _("Open it: {term}").format(term=term.name))
