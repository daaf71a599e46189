"""The address's words: those of a page, and beside them the language that goes along with all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qsl, urlsplit

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dmlviz import glossary
from dmlviz.glossary import Term
from dmlviz.states import LANGUAGE
from dmlviz.words import ask, known

CHOSEN = "language"
"""Under which the session keeps the language that a link or the reader chose."""

_LONGEST = 1_000


def asked_language() -> str | None:
    """The language that a visitor is to be spoken to in; None where there is no visitor.

    A callback runs before the page does: so it is asked for, not kept from the page's last run.
    """
    if get_script_run_ctx(suppress_warning=True) is None:
        return None
    linked = known(st.query_params.get(LANGUAGE, ""))
    chosen: str | None = linked or st.session_state.get(CHOSEN)
    return chosen or st.context.locale


ask(asked_language)


def page_address() -> str:
    """The page's address without its words, as the browser says it; empty where it is none."""
    said = (st.context.url or "").partition("?")[0].rstrip("/")
    if len(said) > _LONGEST or not said.isprintable():
        return ""
    try:
        parts = urlsplit(said)
    except ValueError:  # a browser may say anything
        return ""
    return said if parts.scheme in ("http", "https") and parts.hostname else ""


def address_words() -> dict[str, str]:
    """The words of the address, without the language."""
    query = st.query_params.to_dict()
    return {name: text for name, text in query.items() if name != LANGUAGE}


def go(words: Mapping[str, str]) -> None:
    """Make these the words of the address; the language stays."""
    st.query_params.from_dict(to(words))


def to(words: Mapping[str, str]) -> dict[str, str]:
    """The words of a link to another state or page, which opens in the same language."""
    chosen = known(st.query_params.get(LANGUAGE, "")) or st.session_state.get(CHOSEN)
    return {**words, LANGUAGE: chosen} if chosen else dict(words)


def page_of(link: str) -> tuple[str, dict[str, str]]:
    """The page that a state's link opens, and the words of its address.

    Args:
        link: from the app's root on, such as ``/tile?step=2``.
    """
    parts = urlsplit(link)
    key = parts.path.strip("/")
    return f"pages/{key.replace('-', '_')}.py", dict(parse_qsl(parts.query, keep_blank_values=True))


def open_link(link: str, label: str, icon: str = "arrow_forward", **more: str) -> None:
    """Something to press that opens a state, in the same session and language.

    Args:
        link: of the state.
        label: Markdown.
        icon: a name of Material Symbols.
        more: further words of the address.
    """
    page, words = page_of(link)
    st.page_link(page, label=label, icon=f":material/{icon}:", query_params=to({**words, **more}))


def linked(text: str, seen: set[str], terms: Sequence[Term]) -> str:
    """As :func:`dmlviz.glossary.linked`; the links open in the same language."""
    more = "".join(f"&{name}={word}" for name, word in to({}).items())
    return glossary.linked(text, seen, terms, more)
