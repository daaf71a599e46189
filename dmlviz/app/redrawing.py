"""What of an explorer is drawn again after a change: the comparison of two descriptions.

Streamlit runs the whole page whenever a widget changes.  Here, the parts of the page that depend on
more than their own widgets are fragments, and only those run that show something else than before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import streamlit as st

from dmlviz.app.described import PageDescription, describe
from dmlviz.app.received import RECEIVED, is_unsent, keep_sent
from dmlviz.app.result import anything_open
from dmlviz.app.state import PageState
from dmlviz.base.words import in_one_language
from dmlviz.states.view import CHANGES_OF_VIEW

PICKER, QUESTION, FITTED, SETTINGS = "picker", "question", "fitted", "settings"
STAGE, BELOW = "stage", "below"
"""The keys of the fragments: a preset's choice and question, what has changed to fit the sizes, the
operator's settings, the stage, and the sections below it."""

_ALONE = ("sizes", "data_type", "seed", "view", "code", "compare")
"""The rows, or their last parts, beside which no other stands that depends on them."""

COMPARED_BELOW = "compared_below"
"""Whether a page says below the stage what its two pictures have in common."""


def remember(page: PageState, described: PageDescription) -> None:
    """Keep what the page shows, for its fragments and for :func:`changed`.

    While settings are refused, the stage shows the last picture.
    """
    page.set("described", described)
    if described.drawn is not None:
        page.set("last_drawn", described)


@in_one_language
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
        after = describe(page)
        fragments = list(_differing(page, before, after))
        if fragments:
            assert after.state is not None  # the states were compared
            remember(page, after)
            page.address.follow(after.state)
            # what is said of a change is no longer so after the next
            if page.get("noticed") or page.changes_for_sizes():
                fragments.append(FITTED)
            if is_unsent(page.cls.key):
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
    settings = page.settings()
    then, now = (_widgets(each, settings) for each in (before, after))
    groups = {name for name in {*then, *now} if then.get(name) != now.get(name)}
    others = groups - {_SETTINGS}
    outlines = before.outline, after.outline
    offered, fixed = (
        [{n: o for n, o in each.items() if (n in settings) == own} for each in outlines]
        for own in (True, False)
    )
    if (
        before.grids != after.grids
        or fixed[0] != fixed[1]
        or len(others) > 1
        or any(name.rpartition(".")[2] not in _ALONE for name in others)
    ):
        return
    call = before.call != after.call
    if before.preset != after.preset:
        yield PICKER
        yield QUESTION
    elif call or after.other is not None:
        yield QUESTION
    if offered[0] != offered[1] or len(groups) > 1:
        yield SETTINGS
    yield STAGE
    if anything_open(page) or (after.other is not None and page.get(COMPARED_BELOW)):
        yield BELOW


_SETTINGS = "settings of the operator"


def _widgets(described: PageDescription, settings: frozenset[str]) -> dict[str, Any]:
    """What every row shows, or every group of them; a grid that is open is drawn anyhow."""
    groups: dict[str, Any] = {}
    for row in described.rows.values():
        name, part = row.name, row.name.rpartition(".")[2]
        if part == "grid":
            continue
        group = _SETTINGS if name in settings else "view" if name in CHANGES_OF_VIEW else name
        groups[group] = (*groups.get(group, ()), (name, row.values))
    return groups
