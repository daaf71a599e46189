"""The widgets for how an operation is looked at, as :class:`dmlviz.states.View` declares them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dmlviz.app.engines import engines_here
from dmlviz.app.problems import Notices
from dmlviz.app.state import KEEP, PageState
from dmlviz.states import View
from dmlviz.states.view import VIEW_FIELDS, Control, placed
from dmlviz.words import _


def predicting(state: PageState) -> bool:
    """Whether the output is hidden until it is predicted; never while two are compared."""
    return bool(state.get("predict")) and not state.get("compare")


def view_widgets(
    page: PageState,
    place: str,
    notices: Notices | None = None,
    changed: Callable[[PageState], None] | None = None,
) -> None:
    """Draw the widgets at a place of the page.

    Args:
        page: of an operator, or of code.
        place: as of :func:`dmlviz.states.view.placed`.
        notices: where sentences go; None where nothing is wrong with the widgets.
        changed: called when one of them changes; None where the whole page is drawn again.
    """
    for name in placed(place, of_code=page.of_code):
        control = VIEW_FIELDS[name].control
        assert control is not None  # it has a place
        _view_widget(page, name, control, changed)
        if notices is not None:
            notices.place(name, label=control.title())


def _view_widget(
    page: PageState, name: str, control: Control, changed: Callable[[PageState], None] | None
) -> None:
    callback: dict[str, Any] = {} if changed is None else {"on_change": changed, "args": (page,)}
    key, label, help_text = page.key(name), control.title(), control.help()
    if control.kind == "switch":
        disabled = control.alone and bool(page.get("compare"))
        if disabled:
            help_text = _("Not available while you compare: turn off Compare first.")
        st.toggle(label, key=key, help=help_text, disabled=disabled, persist_state=KEEP, **callback)
        return
    if name == "engine":
        # only those that can run here are offered
        titles: dict[str | None, str] = dict(engines_here().items())
    else:
        usual = getattr(View(), name)
        titles = {text or usual: text or control.default_title() for text in control.options}
    st.selectbox(
        label,
        list(titles),
        key=key,
        format_func=lambda value: titles[value],
        # it shows the same while nothing is chosen
        placeholder=control.default_title() or None,
        help=help_text,
        persist_state=KEEP,
        **callback,
    )
