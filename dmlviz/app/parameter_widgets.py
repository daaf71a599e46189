"""An operator's settings as widgets, from its own description."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dmlviz.app.problems import Notices
from dmlviz.app.state import KEEP, PageState
from dmlviz.errors import Error, Problem
from dmlviz.operators import FEATURE_LEVELS, Operator
from dmlviz.operators.count import Count
from dmlviz.operators.per_dimension import PerDimension
from dmlviz.operators.real_per_dimension import RealPerDimension
from dmlviz.operators.settings import MOST_NUMBER, Choice, Number, Numbers, Setting
from dmlviz.operators.spelling import MOST_TYPED
from dmlviz.words import _

_ROW = 4


def parameter_widgets(
    state: PageState,
    notices: Notices,
    sizes: tuple[int, ...] | None,
    changed: Callable[[PageState], None] | None = None,
) -> Operator | None:
    """The operator that the widgets describe, or None after adding problems under them.

    Args:
        state: of the page, or ``state.second()`` for the operator to compare with.
        notices: where sentences go.
        sizes: of the input, or None while they are invalid.
        changed: called with ``state`` when a setting changes, before the page is drawn.
    """
    # while the sizes are invalid, the settings keep their rank
    known = sizes or tuple(state.get("fitted", (1, 1, 1, 1)))
    state.fit(known)
    settings: dict[str, Any] = {}
    for parameter in state.cls.parameters():
        if not parameter.used(settings):
            continue
        try:
            draw = next(_WIDGETS[kind] for kind in type(parameter).__mro__ if kind in _WIDGETS)
            settings[parameter.name] = draw(state, notices, parameter, known, changed)
        except Error as error:
            notices.add([Problem(parameter.name, str(error), "dmlviz")])
    if not notices.clear or sizes is None:
        return None
    return state.cls(**settings)


def operator_of(state: PageState, sizes: tuple[int, ...]) -> Operator | None:
    """The operator that the widgets hold, without drawing them; None if a setting is invalid.

    Args:
        state: of the page.
        sizes: of the input.
    """
    settings: dict[str, Any] = {}
    try:
        for parameter in state.cls.parameters():
            if not parameter.used(settings):
                continue
            if parameter.ranked:
                count = len(parameter.dimensions(sizes))
                held = (state.get(f"{parameter.name}_{k}") for k in range(count))
                one = float if parameter.real else int
                settings[parameter.name] = tuple(one(number) for number in held)
            else:
                value = state.get(parameter.name)
                settings[parameter.name] = parameter.read(value) if parameter.typed else value
        return state.cls(**settings)
    except (Error, TypeError):
        # an empty number box holds None
        return None


def feature_level_widget(
    state: PageState, notices: Notices, changed: Callable[[PageState], None]
) -> str | None:
    """The feature level to check against, or None for DirectML's newest."""
    level: str | None = st.selectbox(
        _("Feature level"),
        (None, *reversed(FEATURE_LEVELS)),
        key=state.key("feature_level"),
        format_func=lambda value: value or _("Newest: no limit"),
        # the placeholder shows the same while nothing is chosen
        placeholder=_("Newest: no limit"),
        help=_("Check ranks, data types and modes against what a device of this level supports."),
        on_change=changed,
        args=(state,),
        persist_state=KEEP,
    )
    notices.place("feature_level")
    return level


def _typed(
    state: PageState,
    notices: Notices,
    parameter: Number | Numbers,
    sizes: tuple[int, ...],
    changed: Callable[[PageState], None] | None,
) -> Any:
    text = st.text_input(
        parameter.label,
        key=state.key(parameter.name),
        help=parameter.help,
        max_chars=MOST_TYPED,
        on_change=changed,
        args=(state,),
        persist_state=KEEP,
    )
    notices.place(parameter.name)
    return parameter.read(text)


def _per_dimension(
    state: PageState,
    notices: Notices,
    parameter: PerDimension | RealPerDimension,
    sizes: tuple[int, ...],
    changed: Callable[[PageState], None] | None,
) -> tuple[Any, ...]:
    # nine digits distinguish every FLOAT
    kind: dict[str, Any] = {"step": 0.5, "format": "%.9g"}
    if isinstance(parameter, PerDimension):
        kind = {"min_value": parameter.least, "max_value": MOST_NUMBER, "step": 1}
    st.markdown(f"**{parameter.label}**", help=parameter.help)
    neutral = parameter.neutral(sizes)
    count = len(neutral)
    numbers = []
    for first in range(0, count, _ROW):
        columns = st.columns(min(_ROW, count), gap="xsmall")
        for k, column in zip(range(first, min(first + _ROW, count)), columns, strict=False):
            key = state.key(parameter.name, k)
            if key not in st.session_state:
                st.session_state[key] = neutral[k]
            numbers.append(
                column.number_input(
                    f"[{k}]",
                    **kind,
                    key=key,
                    on_change=changed,
                    args=(state,),
                    persist_state=KEEP,
                )
            )
    notices.place(parameter.name)
    return tuple(numbers)


def _choice(
    state: PageState,
    notices: Notices,
    parameter: Choice,
    sizes: tuple[int, ...],
    changed: Callable[[PageState], None] | None,
) -> Any:
    options = parameter.options(sizes)
    current = state.get(parameter.name, parameter.default)
    if current not in options:
        # a choice that no longer fits new sizes stays, with a sentence under it
        whole = all(isinstance(one, int) for one in (*options, current))
        options = tuple(sorted((*options, current))) if whole else options
    key = state.key(parameter.name)
    if st.session_state.get(key) not in options:
        st.session_state[key] = parameter.default if parameter.default in options else options[0]
    chosen = st.selectbox(
        parameter.label,
        options,
        key=key,
        help=parameter.help,
        on_change=changed,
        args=(state,),
        persist_state=KEEP,
    )
    notices.place(parameter.name)
    return chosen


def _count(
    state: PageState,
    notices: Notices,
    parameter: Count,
    sizes: tuple[int, ...],
    changed: Callable[[PageState], None] | None,
) -> Any:
    number = st.number_input(
        parameter.label,
        min_value=parameter.least,
        max_value=parameter.highest,
        step=1,
        key=state.key(parameter.name),
        help=parameter.help,
        on_change=changed,
        args=(state,),
        persist_state=KEEP,
    )
    notices.place(parameter.name)
    return number


_WIDGETS: dict[type[Setting], Callable[..., Any]] = {
    PerDimension: _per_dimension,
    RealPerDimension: _per_dimension,
    Choice: _choice,
    Count: _count,
    Number: _typed,
    Numbers: _typed,
}
"""How each kind of setting is drawn; only this place depends on the kind."""
