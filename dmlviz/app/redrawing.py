"""What of an explorer is drawn again after a change: the comparison of two outcomes.

Streamlit runs the whole page whenever a widget changes.  Here, the parts of the page that depend on
more than their own widgets are fragments, and only those run that show something else than before.
"""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from dmlviz.app.outcome import PageOutcome, outcome_of
from dmlviz.app.page import Page, groups_of, rows_of, tensor_groups
from dmlviz.app.received import RECEIVED, is_unsent, keep_sent
from dmlviz.app.result import anything_open
from dmlviz.app.typed_text import TYPED
from dmlviz.base.words import in_one_language
from dmlviz.states import controls
from dmlviz.states.pages import predicting
from dmlviz.states.view import CHANGES_OF_VIEW

PICKER, QUESTION, TENSORS, FOLLOWERS = "picker", "question", "tensors", "followers"
SETTINGS, STAGE, BELOW = "settings", "stage", "below"
"""The keys of the fragments: a preset's choice and question, an operator's inputs, what has changed
to fit the sizes, the settings, the stage, and the sections below it."""

_ALONE = ("sizes", "data_type", "values", "seed", "code", "compare")
"""The rows, or their last parts, beside which no other stands that depends on them."""

COMPARED_BELOW = "compared_below"
"""Whether a page says below the stage what its two pictures have in common."""

FOLLOWERS_LISTED = "followers_listed"
"""Whether a page says what has changed to fit the sizes."""


def remember(page: Page, outcome: PageOutcome) -> None:
    """Keep what the page shows, for its fragments and for :func:`redraw`.

    While settings are refused, the stage shows the last picture.
    """
    page.kept["outcome"] = outcome
    if outcome.drawn is not None:
        page.kept["last_drawn"] = outcome


def remembered(page: Page) -> PageOutcome:
    """What the page shows, as :func:`remember` has kept it before any fragment is drawn."""
    outcome: PageOutcome = page.kept["outcome"]
    return outcome


@in_one_language
def redraw(page: Page, own: str = "") -> None:
    """End a widget's callback: run only the fragments that show something else than before.

    Args:
        page: that has the widget.
        own: the name of the widget's row, which the browser shows already; empty if it is no row's.
    """
    late = keep_sent(page)
    before: PageOutcome | None = page.kept.get("outcome")
    fragments: list[str] = []
    whole = late or page.address.history.messages or _grid_open(page)
    if before is not None and not whole:
        after = outcome_of(page)
        fragments = list(_differing(page, before, after, own))
        if fragments:
            assert after.addressed is not None  # both outcomes are complete
            remember(page, after)
            page.address.follow(after.addressed, after.parameters)
            # what is said of a change is no longer so after the next
            listed = page.kept.get(FOLLOWERS_LISTED) or any(page.form.followers())
            if listed and TENSORS not in fragments:
                fragments.append(FOLLOWERS)
            # the picker gets its value where it is drawn
            if PICKER in fragments or is_unsent(page):
                fragments.append(RECEIVED)
    st.rerun(fragments or "app")


def _grid_open(page: Page) -> bool:
    """Whether the values of an input are open in a grid, which shows them."""
    grids = (row.name for row in rows_of(page.state).values() if row.controls[0].kind == "grid")
    return any(page.get(open_key(name)) for name in grids)


def open_key(grid: str) -> str:
    """Under which name a page keeps whether a grid is open, by the name of its row."""
    return grid.removesuffix("grid") + "editing"


def _differing(page: Page, before: PageOutcome, after: PageOutcome, own: str) -> Iterator[str]:
    """The fragments that show something else; none if another part of the page does."""
    # nothing is predicted while two are compared
    if not (before.complete and after.complete) or (before.other is None) != (after.other is None):
        return
    settings = _settings(before) | _settings(after)
    tensors = _tensors(page, before) | _tensors(page, after)
    changed = _changed_rows(before, after)
    changed_settings, changed_tensors = changed & settings, changed & tensors
    was, now = before.offers, after.offers
    offered = {name for name in was.keys() | now.keys() if was.get(name) != now.get(name)}
    if offered - settings - tensors or not _stands_alone(changed - settings - tensors, own):
        return
    tensors_differ = before.grids != after.grids or bool(offered & tensors)
    if tensors_differ and not tensors:
        return
    asks = predicting(after.state) != predicting(before.state)
    if before.preset != after.preset:
        yield PICKER
        yield QUESTION
    elif before.state.call != after.state.call or after.other is not None or asks:
        yield QUESTION
    if tensors_differ or not _stands_alone(changed_tensors, own):
        yield TENSORS
    if offered & settings or changed_settings - {own}:
        yield SETTINGS
    boxes = (name for name, row in rows_of(after.state).items() if row.controls[0].kind == "lines")
    if not changed.isdisjoint(boxes):
        yield TYPED
    yield STAGE
    compared = after.other is not None and page.kept.get(COMPARED_BELOW)
    if anything_open(page) or compared or asks:
        yield BELOW


def _stands_alone(changed: set[str], own: str) -> bool:
    """Whether of these rows at most the reader's own has changed, and none depends on it.

    A browser reports what it shows: it would undo another row's change that it has not received.
    """
    last = own.rpartition(".")[2]
    return not changed or (changed == {own} and last in (*_ALONE, *CHANGES_OF_VIEW))


def _tensors(page: Page, outcome: PageOutcome) -> set[str]:
    """The names of the rows in the fragment :data:`TENSORS`, if the page has it."""
    if TENSORS not in page.kept:
        return set()
    return {row.name for group in tensor_groups(outcome.state) for row in group.fields}


def _settings(outcome: PageOutcome) -> set[str]:
    """The names of the rows in the fragment :data:`SETTINGS`, but for those of the view."""
    groups = {group.part: group.fields for group in groups_of(outcome.state)}
    if controls.SETTINGS not in groups:
        return set()
    return {row.name for row in (*groups[controls.SETTINGS], *groups.get(controls.SECOND, ()))}


def _changed_rows(before: PageOutcome, after: PageOutcome) -> set[str]:
    """The names of the rows that hold something else; a grid is drawn with its tensor."""
    was, now = rows_of(before.state), rows_of(after.state)
    return {
        name
        for name in was.keys() | now.keys()
        if name.rpartition(".")[2] != "grid"
        and (name not in was or name not in now or was[name].values != now[name].values)
    }
