"""The address in the browser: a page's parameters, and the language that all links keep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol
from urllib.parse import urlsplit

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dmlviz.app.network import for_others
from dmlviz.app.text import plain
from dmlviz.base.addresses import (
    LANGUAGE,
    PRESENT,
    History,
    Parameters,
    content_parameters,
    split_link,
    write_link,
)
from dmlviz.base.errors import Problem
from dmlviz.base.words import ENGLISH, ask, in_words_of, language_named, locale
from dmlviz.base.words.particles import bound
from dmlviz.base.words.vocabularies import COOKIE
from dmlviz.states import PLAYER_PARAMETERS
from dmlviz.teaching import glossary
from dmlviz.teaching.glossary import Term

CHOSEN = "language"
"""The session's key for the language that a link or the reader chose."""

VOCABULARY = "vocabulary"
"""The session's key for the vocabulary that the reader chose in this session."""

STAYED = "stayed"
"""The session's key for whether the page is the one that ran before."""

PAGES = "pages"
"""The session's key for the pages of the app, by their addresses."""

_LONGEST = 1_000


def visitor_locale() -> str | None:
    """The visitor's locale; None if there is no visitor.

    A callback runs before the page does, so the language is read now, not kept from the last run.
    """
    if get_script_run_ctx(suppress_warning=True) is None:
        return None
    linked = language_named(st.query_params.get(LANGUAGE, ""))
    chosen: str | None = linked or st.session_state.get(CHOSEN)
    vocabulary = st.session_state.get(VOCABULARY) or st.context.cookies.get(COOKIE, "")
    return in_words_of(language_named(chosen or st.context.locale or "") or ENGLISH, vocabulary)


ask(visitor_locale)


def page_address() -> str:
    """The page's address without parameters, usable by others; empty if it is not known.

    It is the browser's address, with this computer's own name replaced by its network address if
    it has one.
    """
    said = (st.context.url or "").partition("?")[0].rstrip("/")
    if len(said) > _LONGEST or not said.isprintable():
        return ""
    try:
        parts = urlsplit(said)
    except ValueError:  # a browser may send anything
        return ""
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    return for_others(said)


def address_parameters() -> dict[str, str]:
    """The parameters that say what the page shows; the language is read elsewhere."""
    return content_parameters(
        {n: text for n, text in st.query_params.to_dict().items() if n != LANGUAGE}
    )


def by_history() -> bool:
    """Whether the address came from the browser's Back or Forward button."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def requested_page() -> str:
    """The page's name in the address that was opened, which can be any; empty afterwards."""
    context = get_script_run_ctx()
    return (context and context.pages_manager.intended_page_name) or ""


def presenting() -> bool:
    """Whether the address asks for the view for a room."""
    return st.query_params.get(PRESENT) == "true"


def go(parameters: Parameters) -> None:
    """Make these the parameters of the address; keep the language and the view for a room."""
    st.query_params.from_dict(to({**parameters, **({PRESENT: "true"} if presenting() else {})}))


def repeat_address() -> None:
    """Show in the browser the address that this run has read.

    Streamlit leaves the old one after a link from a page to itself, and the next run reads that.
    """
    parameters = {name: st.query_params.get_all(name) for name in st.query_params}
    if parameters:
        st.query_params.from_dict(parameters)
    else:
        st.query_params.clear()


def to(parameters: Parameters) -> dict[str, str]:
    """The parameters of a link to another state or page, which opens in the same language."""
    chosen = language_named(st.query_params.get(LANGUAGE, "")) or st.session_state.get(CHOSEN)
    return {**parameters, LANGUAGE: chosen} if chosen else dict(parameters)


def whole_address(shown: Addressable, url: str | None, parameters: Parameters | None = None) -> str:
    """A link as a whole address with the server, if the server's address is known.

    Args:
        shown: what the address opens.
        url: of the page, without parameters; empty or None if it is not known.
        parameters: those of ``shown``, if they are there already.
    """
    address = write_link(shown.key, to(shown.parameters() if parameters is None else parameters))
    return f"{url}{address.removeprefix(f'/{shown.key}')}" if url else address


def page_of(link: str) -> tuple[StreamlitPage, dict[str, str]]:
    """The page that a link opens, and the parameters of its address.

    Args:
        link: from the app's root, such as ``/tile?step=2``.
    """
    target = split_link(link)
    return st.session_state[PAGES][target.page], target.parameters


def open_link(link: str, label: str, icon: str = "arrow_forward", **more: str) -> None:
    """Draw a link that opens in the same session and language.

    Args:
        link: of a state, or of any other page.
        label: Markdown.
        icon: a name of Material Symbols.
        more: further parameters.
    """
    page, parameters = page_of(link)
    st.page_link(
        page, label=label, icon=f":material/{icon}:", query_params=to({**parameters, **more})
    )


def tell(sentences: Iterable[str]) -> None:
    """Show what is wrong with the address."""
    for sentence in sentences:
        st.warning(plain(sentence), icon=":material/link_off:")


class Addressable(Protocol):
    """What an address opens: a state of an explorer, a question, a worksheet."""

    @property
    def key(self) -> str:
        """The page's key."""

    def parameters(self) -> dict[str, str]:
        """The parameters of its link."""


class PageAddress:
    """The address of one page in this session: what it opened, and what it must be now."""

    def __init__(self, page: str) -> None:
        self._key = f"{page}_history"

    @property
    def history(self) -> History:
        """The addresses so far."""
        history: History = st.session_state.get(self._key, History())
        return history

    def _keep(self, history: History) -> None:
        st.session_state[self._key] = history

    def opened(self) -> dict[str, str] | None:
        """The parameters of an address that was just opened; None if none was."""
        stayed = st.session_state.get(STAYED, False)
        new = self.history.is_new(kept_here(), stayed=stayed, back=by_history())
        return address_parameters() if new else None

    def open(
        self, shown: Addressable, problems: Iterable[Problem] = (), *, whole: bool = False
    ) -> None:
        """Record what the address opens.

        Args:
            shown: what it opens.
            problems: what is wrong with the address.
            whole: whether to write every parameter; otherwise the address stays as it came.
        """
        history = History(self.history.past).then(kept_here(), shown)
        messages = tuple(problem.message for problem in problems)
        self._keep(
            replace(history, opened=address_parameters(), messages=messages, spoken=locale())
        )
        if whole:
            self._write(shown, shown.parameters(), kept_here())

    def follow(self, shown: Addressable, parameters: Parameters | None = None) -> None:
        """Make the address match what is shown, unless it already does.

        Args:
            shown: what the page shows.
            parameters: those of ``shown``, if they are there already.
        """
        history, here = self.history, kept_here()
        if shown != history.meaning or here != history.past[-1]:
            self._write(shown, shown.parameters() if parameters is None else parameters, here)

    def _write(self, shown: Addressable, parameters: Parameters, here: Parameters) -> None:
        self._keep(self.history.then(parameters, shown))
        # the player puts its own parameters back
        if here != parameters:
            go(parameters)

    def problem_messages(self, read: Callable[[Parameters], Iterable[Problem]]) -> tuple[str, ...]:
        """A sentence for each problem of the address that was opened.

        Args:
            read: gives the problems of parameters again if the reader has changed the language.
        """
        history = self.history
        if history.opened and history.messages and history.spoken != locale():
            messages = tuple(problem.message for problem in read(history.opened))
            self._keep(replace(history, messages=messages, spoken=locale()))
        return self.history.messages

    def change(self, **changes: Any) -> None:
        """Replace the sentences, or the meaning that the same address has on this machine.

        Args:
            changes: ``messages`` or ``meaning``.
        """
        self._keep(replace(self.history, **changes))


def kept_here() -> dict[str, str]:
    """The parameters of the address that do not belong to the player."""
    here = address_parameters()
    return {name: text for name, text in here.items() if name not in PLAYER_PARAMETERS}


def linked(text: str, seen: set[str], terms: Sequence[Term]) -> str:
    """As :func:`dmlviz.teaching.glossary.linked`; the links open in the same language.

    Particles stay with the code before them.
    """
    more = "".join(f"&{name}={held}" for name, held in to({}).items())
    return bound(glossary.linked(text, seen, terms, more))
