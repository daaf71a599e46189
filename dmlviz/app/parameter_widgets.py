"""An operator's settings as widgets, from its own description.

What they hold is read and written by :class:`dmlviz.app.state.PageState`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from dmlviz.app.problems import Notices
from dmlviz.app.state import KEEP, PageState
from dmlviz.operators.count import Count
from dmlviz.operators.per_dimension import Limit, PerDimension
from dmlviz.operators.real_per_dimension import RealPerDimension
from dmlviz.operators.settings import Choice, Number, Numbers, Setting
from dmlviz.operators.spelling import MOST_TYPED
from dmlviz.tensors.types import Sizes

_ROW = 4


def parameter_widgets(
    state: PageState,
    notices: Notices,
    offered: Iterable[Setting],
    sizes: Sizes,
    changed: Callable[[PageState], None],
) -> None:
    """Draw the settings.

    Args:
        state: of the page, or ``state.second()`` for the operator to compare with.
        notices: where sentences go.
        offered: the settings that matter.
        sizes: of the input, as the settings follow them.
        changed: called with ``state`` when a setting changes, before the page is drawn.
    """
    for parameter in offered:
        draw = next(_WIDGETS[kind] for kind in type(parameter).__mro__ if kind in _WIDGETS)
        draw(state, parameter, sizes, {"on_change": changed, "args": (state,)})
        notices.place(parameter.name, label=parameter.label)


def _typed(
    state: PageState, parameter: Number | Numbers, sizes: Sizes, callback: dict[str, Any]
) -> None:
    st.text_input(
        parameter.label,
        key=state.key(parameter.name),
        help=parameter.help,
        max_chars=MOST_TYPED,
        persist_state=KEEP,
        **callback,
    )


def _per_dimension(
    state: PageState,
    parameter: PerDimension | RealPerDimension,
    sizes: Sizes,
    callback: dict[str, Any],
) -> None:
    # nine digits distinguish every FLOAT; a widget's own bounds would redden it without words
    kind: dict[str, Any] = {"step": 0.5, "format": "%.9g"}
    if isinstance(parameter, PerDimension):
        kind = {"step": 1}
    # what 0 stands for is to be read, not looked for
    explained = isinstance(parameter, Limit)
    st.markdown(f"**{parameter.label}**", help=None if explained else parameter.help)
    if explained:
        st.caption(parameter.help)
    count = len(parameter.dimensions(sizes))
    for first in range(0, count, _ROW):
        columns = st.columns(min(_ROW, count), gap="xsmall")
        for k, column in zip(range(first, min(first + _ROW, count)), columns, strict=False):
            column.number_input(
                f"[{k}]",
                key=state.key(parameter.name, k),
                persist_state=KEEP,
                **kind,
                **callback,
            )


def _choice(state: PageState, parameter: Choice, sizes: Sizes, callback: dict[str, Any]) -> None:
    options = state.options(parameter, sizes)
    st.selectbox(
        parameter.label,
        options,
        key=state.key(parameter.name),
        help=parameter.help,
        # the sentence that refuses a number says more than that there are no results
        accept_new_options=all(isinstance(option, int) for option in options),
        persist_state=KEEP,
        **callback,
    )


def _count(state: PageState, parameter: Count, sizes: Sizes, callback: dict[str, Any]) -> None:
    st.number_input(
        parameter.label,
        step=1,
        key=state.key(parameter.name),
        help=parameter.help,
        persist_state=KEEP,
        **callback,
    )


_WIDGETS: dict[type[Setting], Callable[..., None]] = {
    PerDimension: _per_dimension,
    RealPerDimension: _per_dimension,
    Choice: _choice,
    Count: _count,
    Number: _typed,
    Numbers: _typed,
}
"""How each kind of setting is drawn; only this place depends on the kind."""
