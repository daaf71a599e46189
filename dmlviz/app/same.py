"""The section that names what a movement is the same as."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Sequence

import streamlit as st

from dmlviz.app.address import open_link
from dmlviz.app.text import plain
from dmlviz.base.cache import cached
from dmlviz.code import Same
from dmlviz.engines.trace import Trace
from dmlviz.picture.scene import Scene
from dmlviz.states.same import nothing_the_same, same_by_reach, same_of, same_title


def show_same(drawn: Scene) -> None:
    """Draw operators, patterns and lines that do exactly the same, each with its link."""
    groups = same_by_reach(drawn.trace, _same(drawn.trace))
    if not groups:
        st.caption(nothing_the_same())
    for words, every in groups:
        st.caption(plain(words))
        show_each(every)


def show_each(every: Sequence[Same]) -> None:
    """Draw operators, patterns and lines, each with its link."""
    for one in every:
        st.code(one.text, language="python", wrap_lines=True)
        open_link(one.link, same_title(one), "equal")


def _key(trace: Trace) -> Hashable:
    """The operator or the code, and where every element comes from."""
    digest = hashlib.sha256()
    for source in trace.sources.values():
        digest.update(repr(source.shape).encode())
        digest.update(source.tobytes())
    return trace.operator, digest.digest()


@cached(megabytes=0.25, key=_key, words=False, heavy=True)
def _same(trace: Trace) -> tuple[Same, ...]:
    return same_of(trace)
