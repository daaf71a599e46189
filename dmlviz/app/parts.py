"""Parts of a page that run alone, and what a part shows that cannot be drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import streamlit as st

from dmlviz.app.text import plain
from dmlviz.base.errors import Error
from dmlviz.base.words import locale, speaking

_P = ParamSpec("_P")
_R = TypeVar("_R")


@contextmanager
def telling_errors() -> Iterator[None]:
    """Draw the sentence of an :class:`Error` in place of what raised it.

    A link can ask any part of a page for more than a limit; what is around the part stays.
    """
    try:
        yield
    except Error as error:
        st.error(plain(str(error)), icon=":material/error:")


def fragment(key: str | None = None) -> Callable[[Callable[_P, _R]], Callable[_P, _R | None]]:
    """As ``st.fragment``, in the reader's language, with its errors told in its place.

    A fragment that runs alone has none of these from its page.

    Args:
        key: for ``st.rerun``; None for a fragment that only its own widgets run.
    """

    def made(function: Callable[_P, _R]) -> Callable[_P, _R | None]:
        @wraps(function)
        def drawn(*args: _P.args, **kwargs: _P.kwargs) -> _R | None:
            with speaking(locale()), telling_errors():
                return function(*args, **kwargs)
            return None

        alone: Any = st.fragment(drawn, key=key) if key else st.fragment(drawn)
        return alone  # type: ignore[no-any-return]

    return made
