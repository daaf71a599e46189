"""What of an explorer is drawn again after a change: the comparison of two outcomes.

Streamlit runs the whole page whenever a widget changes.  Here, the parts of the page that depend on
more than their own widgets are fragments, and only those run that show something else than before.
"""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from dmlviz.app.outcome import PageOutcome, outcome_of
from dmlviz.app.page import Page, groups_of, rows_of
from dmlviz.app.received import RECEIVED, is_unsent, keep_sent
from dmlviz.app.result import anything_open
from dmlviz.app.typed_text import TYPED
from dmlviz.base.words import in_one_language
from dmlviz.states import controls
from dmlviz.states.view import CHANGES_OF_VIEW

PICKER, QUESTION, FOLLOWERS, SETTINGS = "picker", "question", "followers", "settings"
STAGE, BELOW = "stage", "below"
"""The keys of the fragments: a preset's choice and question, what has changed to fit the sizes, the
operator's settings, the stage, and the sections below it."""

_ALONE = ("sizes", "data_type", "seed", "code", "compare")
"""The rows, or their last parts, beside which no other stands that depends on them."""

COMPARED_BELOW = "compared_below"
"""Whether a page says below the stage what its two pictures have in common."""

FOLLOWERS_LISTED = "followers_listed"
"""Whether a page says what has changed to fit the sizes."""


def remember(page: Page, outcome: PageOutcome) -> None:
    """Keep what the page shows, for its fragments and for :func:`redraw`.

    While settings are refused, the stage shows the last picture.
    """
    page.set("outcome", outcome)
    if outcome.drawn is not None:
        page.set("last_drawn", outcome)


def remembered(page: Page) -> PageOutcome:
    """What the page shows, as :func:`remember` has kept it before any fragment is drawn."""
    outcome: PageOutcome = page.get("outcome")
    return outcome


@in_one_language
def redraw(page: Page) -> None:
    """End a widget's callback: run only the fragments that show something else than before."""
    late = keep_sent(page.key)
    before: PageOutcome | None = page.get("outcome")
    fragments: list[str] = []
    whole = late or page.address.history.messages or _grid_open(page)
    if before is not None and not whole:
        after = outcome_of(page)
        fragments = list(_differing(page, before, after))
        if fragments:
            assert after.addressed is not None  # both outcomes are complete
            remember(page, after)
            page.address.follow(after.addressed, after.parameters)
            # what is said of a change is no longer so after the next
            if page.get(FOLLOWERS_LISTED) or any(page.form.followers()):
                fragments.append(FOLLOWERS)
            if is_unsent(page.key):
                fragments.append(RECEIVED)
    st.rerun(fragments or "app")


def _grid_open(page: Page) -> bool:
    """Whether the values of an input are open in a grid, which shows them."""
    grids = (row.name for row in rows_of(page.state).values() if row.controls[0].kind == "grid")
    return any(page.get(open_key(name)) for name in grids)


def open_key(grid: str) -> str:
    """Under which name a page keeps whether a grid is open, by the name of its row."""
    return grid.removesuffix("grid") + "editing"


def _differing(page: Page, before: PageOutcome, after: PageOutcome) -> Iterator[str]:
    """The fragments that show something else; none if another part of the page does."""
    # nothing is predicted while two are compared
    if not (before.complete and after.complete) or (before.other is None) != (after.other is None):
        return
    settings = _settings(before) | _settings(after)
    others = _changed_rows(before, after) - settings
    changed_settings = _changed_rows(before, after) & settings
    was, now = before.offers, after.offers
    offered = {name for name in was.keys() | now.keys() if was.get(name) != now.get(name)}
    if (
        before.grids != after.grids
        or offered - settings
        or len(others) > 1
        or any(name.rpartition(".")[2] not in (*_ALONE, *CHANGES_OF_VIEW) for name in others)
    ):
        return
    if before.preset != after.preset:
        yield PICKER
        yield QUESTION
    elif before.state.call != after.state.call or after.other is not None:
        yield QUESTION
    if offered or len(changed_settings) > 1 or (others and changed_settings):
        yield SETTINGS
    boxes = (name for name, row in rows_of(after.state).items() if row.controls[0].kind == "lines")
    if not others.isdisjoint(boxes):
        yield TYPED
    yield STAGE
    if anything_open(page) or (after.other is not None and page.get(COMPARED_BELOW)):
        yield BELOW


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
