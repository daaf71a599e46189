"""What of an explorer is drawn again after a change: the comparison of two descriptions.

Streamlit runs the whole page whenever a widget changes.  Here, the parts of the page that depend on
more than their own widgets are fragments, and only those run that show something else than before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import streamlit as st

from dmlviz.app.code_described import CodePage, describe_code
from dmlviz.app.described import PageDescription, describe
from dmlviz.app.received import RECEIVED, keep_sent
from dmlviz.app.result import anything_open
from dmlviz.app.state import PageState
from dmlviz.states.pages import AnyState
from dmlviz.teaching.code_presets import open_preset
from dmlviz.words import locale, speaking

PICKER, QUESTION, FITTED, SETTINGS = "picker", "question", "fitted", "settings"
STAGE, BELOW = "stage", "below"
"""The keys of the fragments: a preset's choice and question, what has changed to fit the sizes, the
operator's settings, the stage, and the sections below it."""

_OF_INPUT = ("sizes", "data_type", "seed")
"""The parts of an input whose widgets stand beside no other that depends on them."""


def remember(page: PageState, described: PageDescription) -> None:
    """Keep what the page shows, for its fragments and for :func:`changed`.

    While settings are refused, the stage shows the last picture.
    """
    page.set("described", described)
    if described.drawn is not None:
        page.set("last_drawn", described)


def describe_page(page: PageState) -> PageDescription:
    """What the widgets of a page describe; call it before they are drawn."""
    return describe_code(page) if isinstance(page, CodePage) else describe(page)


def changed(keys: PageState) -> None:
    """A widget's callback: run only the fragments that show something else than before.

    Args:
        keys: of the page, or of one of its inputs.
    """
    page = keys.page()
    late = keep_sent(page.cls.key)
    before: PageDescription | None = page.get("described")
    fragments: list[str] = []
    shown = page.address.history.messages or _edited(page)
    if before is not None and not late and not shown:
        with speaking(locale()):
            after = describe_page(page)
            fragments = list(_differing(page, before, after))
            if fragments:
                assert after.state is not None  # the states were compared
                remember(page, after)
                page.address.follow(after.state)
                # what is said of a change is no longer so after the next
                if page.get("noticed") or page.changes_for_sizes():
                    fragments.append(FITTED)
                fragments.append(RECEIVED)
    st.rerun(fragments or "app")


def _edited(page: PageState) -> bool:
    """Whether the values of an input are open in a grid, which shows them."""
    return any(page.of(name).get("editing") for name in page.names())


def _differing(page: PageState, before: PageDescription, after: PageDescription) -> Iterator[str]:
    """The fragments that show something else; none if another part of the page does."""
    # nothing is predicted while two are compared
    if not (before.complete and after.complete) or (before.other is None) != (after.other is None):
        return
    widgets = _differing_widgets(before.state, after.state)
    of_inputs = widgets - _OF_PAGE
    alone = before.outline == after.outline and len(widgets) <= 1
    if (
        before.grids != after.grids
        or len(of_inputs) > 1
        or any(widget.rpartition(".")[2] not in _OF_INPUT for widget in of_inputs)
        # only an operator's settings are a fragment
        or (page.of_code and not alone)
    ):
        return
    if open_preset(before.state) != open_preset(after.state):
        yield PICKER
        yield QUESTION
    elif "call" in widgets or after.other is not None:
        yield QUESTION
    if not alone:
        yield SETTINGS
    yield STAGE
    if anything_open(page) or (page.of_code and after.other is not None):
        yield BELOW


def _differing_widgets(before: AnyState | None, after: AnyState | None) -> set[str]:
    """The names of the widgets, or of their groups, that differ between two states."""
    then, now = _widgets(before), _widgets(after)
    return {name for name in {*then, *now} if then.get(name) != now.get(name)}


_OF_PAGE = {"settings", "view", "code", "call", "compare"}
"""The parts of a state that are of no input."""


def _widgets(state: AnyState | None) -> dict[str, Any]:
    """What every widget of a page sets, or every group of them, by name."""
    if state is None:
        return {}
    # without inputs, it names the example whose settings are there
    widgets: dict[str, Any] = {"values": getattr(state, "values", "")}
    controls = state.controls()
    for name, input_state in state.input_states.items():
        widgets |= {
            f"{name}.{part.name}": getattr(input_state, part.name) for part in fields(input_state)
        }
        # all tensors whose elements move have one widget
        if input_state.data_type and name not in controls:
            widgets["data_type"] = widgets.pop(f"{name}.data_type")
    return widgets | {name: getattr(state, name) for name in _OF_PAGE if hasattr(state, name)}
