"""What an explorer shows, and how a changed widget redraws only the stage.

Streamlit runs the whole page whenever a widget changes.  If a change affects
only the picture, only the stage runs; the page's other fifty elements stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from dmlviz.app.compare import outputs_shown, show_both
from dmlviz.app.grid import has_grid
from dmlviz.app.paper import paper
from dmlviz.app.parameter_widgets import operator_of
from dmlviz.app.result import anything_open, told
from dmlviz.app.share import share
from dmlviz.app.stage import link_of, picture, show
from dmlviz.app.state import PageState
from dmlviz.app.view_widgets import predicting
from dmlviz.errors import Error
from dmlviz.operators import Operator
from dmlviz.operators.settings import Choice
from dmlviz.picture.scene import STAGE_LIMIT, Scene
from dmlviz.states import State, View, settings_of
from dmlviz.teaching.presets import presets_of
from dmlviz.tensors import MAX_RANK, check_element_count
from dmlviz.tensors.types import Array
from dmlviz.words import language, speaking

_STAGE = "stage"


@dataclass(frozen=True)
class Seen:
    """What the widgets describe.

    Attributes:
        drawn: the picture, or None while a setting is invalid.
        other: the picture of the operator to compare with, or None.
        state: the page's state, or None if an address cannot hold it.
    """

    drawn: Scene | None = None
    other: Scene | None = None
    state: State | None = None


def remember(page: PageState, seen: Seen) -> None:
    """Keep what the page shows, for :func:`stage` and :func:`changed`."""
    page.set("seen", seen)


@st.fragment(key=_STAGE)
def stage(page: PageState) -> None:
    """Draw the remembered picture and its result."""
    # the page's own language does not reach a run of the stage alone
    with speaking(language()):
        _stage(page)


def _stage(page: PageState) -> None:
    seen: Seen = page.get("seen")
    if seen.drawn is None:
        return
    key = f"{page.cls.key}-stage"
    view = page.get("view", View())
    shown = outputs_shown(seen.drawn, seen.other)
    link = link_of(page.cls.key, page.get("opened", 0), view, shown)
    predict = predicting(page)
    if seen.other is None:
        search = show(seen.drawn, key, link=link, predict=predict, arrange=page.arrange)
    else:
        search = show_both(seen.drawn, seen.other, key, link, arrange=page.arrange)
    if search is not None:
        share(seen.state, search)
    # one element, because each costs the server and the browser time
    lines = [paper(seen.drawn, seen.other, seen.state)]
    if not predict:
        lines.insert(0, told(seen.drawn))
    st.markdown("\n\n".join(lines))


def described(
    page: PageState,
    operator: Operator,
    sizes: Mapping[str, tuple[int, ...]],
    inputs: Mapping[str, Array],
    view: View,
) -> State | None:
    """The page's state with its directions, or None if an address cannot hold it.

    Args:
        page: of the explorer.
        operator, sizes, inputs, view: as :meth:`PageState.now` takes them.
    """
    state = page.now(operator, sizes, inputs, view)
    # finding the rank takes time, and most pictures have no chosen direction
    if state is None or not page.directions(MAX_RANK):
        return state
    return replace(state, view=replace(view, directions=page.directions(state.rank)))


def changed(keys: PageState) -> None:
    """A widget's callback: redraw only the stage if the change affects nothing else.

    Args:
        keys: of the page, or of one of its inputs.
    """
    page = PageState(keys.cls)
    with speaking(language()):
        seen = _redrawn(page)
        if seen is None or seen.state is None:
            return
        remember(page, seen)
        page.address.follow(seen.state)
    st.rerun(_STAGE)


def _redrawn(page: PageState) -> Seen | None:
    """What the page shows now, or None if more than the stage changes."""
    last: Seen | None = page.get("seen")
    if last is None or last.state is None or last.drawn is None or last.other is not None:
        return None
    if page.get("compare") or last.state.view.predict or page.get("predict"):
        return None
    if anything_open(page) or page.link_problems():
        return None
    if any(page.of(name).get("editing") for name in page.names()):
        return None
    try:
        held = _held(page, last.state, last.drawn.trace.inputs)
        if held is None:
            return None
        before, level = last.state, page.get("feature_level")
        view = View(feature_level=level, engine=page.get("engine"))
        after = described(page, held.operator, held.sizes, held.inputs, view)
        if after is None or not _alone(before, after):
            return None
        if _offered(last.drawn.trace.operator, before) != _offered(held.operator, after):
            return None
        if held.operator.refusals(held.inputs, level):
            return None
        if any(p.matches(before) or p.matches(after) for p in presets_of(page.cls.key)):
            return None
        drawn = picture(
            held.operator, held.inputs, after.view.directions, after.view.engine, after.full
        )
    except Error:
        return None
    for name, x in held.inputs.items():
        page.of(name).set("last", x)
    return Seen(drawn, None, after)


@dataclass(frozen=True)
class _Held:
    """What valid widgets hold: the operator, and every input's sizes and values by name."""

    operator: Operator
    sizes: Mapping[str, tuple[int, ...]]
    inputs: Mapping[str, Array]


def _held(page: PageState, before: State, known: Mapping[str, Array]) -> _Held | None:
    """What the widgets hold, without drawing them; None if a setting is invalid.

    Args:
        page: of the explorer.
        before: its state so far.
        known: the inputs of that state.

    Raises:
        Error: sizes or values are invalid.
    """
    first = page.sizes() if page.names() else ()
    check_element_count(first, STAGE_LIMIT, "sizes")
    page.fit_inputs(first)
    page.fit(first)
    operator = operator_of(page, first)
    if operator is None:
        return None
    sizes = {name: page.of(name).sizes() for name in page.names()}
    now = page.described(sizes, settings_of(operator))
    # a picture's planes depend on the settings
    same = now.given == before.given and now.values != "picture"
    return _Held(operator, sizes, known if same else now.inputs())


def _alone(before: State, after: State) -> bool:
    """Whether one widget makes the whole difference, so that no other has to be drawn again."""
    ones = ("sizes", "data_type", "seed", "settings", "view")
    if any(replace(before, **{one: getattr(after, one)}) == after for one in ones):
        return True
    then = dict(before.more)
    return any(
        before.with_input(name, replace(then[name], **{one: getattr(given, one)})) == after
        for name, given in after.more
        if name in then
        for one in ones[:3]
    )


def _offered(operator: Operator, state: State) -> tuple[Any, ...]:
    """Which widgets there are, and what they offer, apart from the values that they hold."""
    found: list[Any] = [has_grid(given.sizes) for given in state.given.values()]
    for parameter in operator.parameters():
        if parameter.used(operator.settings):
            count = len(parameter.dimensions(state.sizes)) if parameter.ranked else 0
            options = parameter.options(state.sizes) if isinstance(parameter, Choice) else ()
            found.append((parameter.name, count, options))
    return tuple(found)
