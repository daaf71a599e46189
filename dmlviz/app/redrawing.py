"""What of an explorer is drawn again after a change: the comparison of two descriptions.

Streamlit runs the whole page whenever a widget changes.  Here, the parts of the page that depend on
more than their own widgets are fragments, and only those run that show something else than before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import streamlit as st

from dmlviz.app.described import Described, describe
from dmlviz.app.result import anything_open
from dmlviz.app.state import PageState
from dmlviz.states import State
from dmlviz.teaching.presets import Preset, presets_of
from dmlviz.words import locale, speaking

PICKER, QUESTION, SETTINGS = "picker", "question", "settings"
STAGE, BELOW = "stage", "below"
"""The keys of the fragments: a preset's choice and question, the operator's settings, the stage,
and the sections below it."""

_OF_INPUT = ("sizes", "data_type", "seed")
_OF_PAGE = ("settings", "view")


def remember(page: PageState, described: Described) -> None:
    """Keep what the page shows, for its fragments and for :func:`changed`."""
    page.set("described", described)


def changed(keys: PageState) -> None:
    """A widget's callback: run only the fragments that show something else than before.

    Args:
        keys: of the page, or of one of its inputs.
    """
    page = PageState(keys.cls)
    before: Described | None = page.get("described")
    fragments: list[str] = []
    if before is not None and not page.address.history.messages and not _edited(page):
        with speaking(locale()):
            after = describe(page)
            fragments = list(_differing(page, before, after))
            if fragments:
                assert after.state is not None  # the states were compared
                remember(page, after)
                page.address.follow(after.state)
    st.rerun(fragments or "app")


def open_preset(described: Described) -> Preset | None:
    """The preset that the page shows, or None."""
    state = described.state
    if state is None:
        return None
    return next((one for one in presets_of(state.key) if one.matches(state)), None)


def _edited(page: PageState) -> bool:
    """Whether the values of an input are open in a grid, which shows them."""
    return any(page.of(name).get("editing") for name in page.names())


def _differing(page: PageState, before: Described, after: Described) -> Iterator[str]:
    """The fragments that show something else; none if another part of the page does."""
    then, now = before.state, after.state
    if then is None or now is None or before.drawn is None or after.drawn is None:
        return
    # nothing is predicted while two are compared
    if (before.second is None) != (after.second is None):
        return
    # an invalid operator beside a valid one has a sentence under its widgets
    if before.second_problems or after.second_problems:
        return
    if before.grids != after.grids or not _same_inputs(then, now):
        return
    if open_preset(before) != open_preset(after):
        yield PICKER
        yield QUESTION
    if before.outline != after.outline or not _by_one_widget(then, now):
        yield SETTINGS
    yield STAGE
    if anything_open(page):
        yield BELOW


def _same_inputs(before: State, after: State) -> bool:
    """Whether at most one of the inputs' widgets differs."""
    states = chain((before,), _with_one_part(before, after))
    return any(one.input_states == after.input_states for one in states)


def _by_one_widget(before: State, after: State) -> bool:
    """Whether one widget makes the whole difference, so that no other has to be drawn again."""
    of_page = (replace(before, **{part: getattr(after, part)}) for part in _OF_PAGE)
    return after in chain(of_page, _with_one_part(before, after))


def _with_one_part(before: State, after: State) -> Iterator[State]:
    """The state before with one part of one input as it is after."""
    for part in _OF_INPUT:
        yield replace(before, **{part: getattr(after, part)})
    further = dict(after.more)
    for name, given in before.more:
        if name in further:
            for part in _OF_INPUT:
                changed_part = {part: getattr(further[name], part)}
                yield before.with_input(name, replace(given, **changed_part))
