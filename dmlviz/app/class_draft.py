"""The class that a teacher is putting together in this session.

The page's address holds it, and so does the browser's tab; see :mod:`dmlviz.app.remembered`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import streamlit as st

from dmlviz.app.address import to
from dmlviz.app.remembered import CLASS_TEXT
from dmlviz.app.text import plain
from dmlviz.app.typed_text import taken
from dmlviz.base.addresses import write_link
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _, locale
from dmlviz.classroom.compose import pick_polls, set_polls
from dmlviz.classroom.polls import Poll
from dmlviz.teaching.posed import Posed
from dmlviz.teaching.practice import MOST_SEED
from dmlviz.teaching.questions import LEVELS
from dmlviz.teaching.runs import Run
from dmlviz.teaching.sets import (
    MOST_PARTS,
    MOST_TITLE,
    USUAL_MINUTES,
    ClassSet,
    Pick,
    SetPart,
    as_run,
    changed,
    read_set,
    write_set,
)

_DRAFT = "class_draft"
_EDITION = "class_edition"
_POSED = "class_posed"
_PHONES = "class_phones"
_RUN = "class_run"
_POLLS = "class_polls"
_T = TypeVar("_T")


def draft() -> ClassSet:
    """The class as it is now."""
    text: str = st.session_state.get(CLASS_TEXT, "")
    kept: tuple[str, ClassSet] = st.session_state.get(_DRAFT, ("", ClassSet()))
    if kept[0] != text:
        # the browser has given it back
        try:
            kept = text, read_set(text)
        except Error:
            st.session_state[CLASS_TEXT] = ""
            return kept[1]
        _keep(*kept, redraw=True)
    return kept[1]


def edition() -> int:
    """A number that is part of the keys of a part's widgets: a new one draws them anew."""
    return int(st.session_state.get(_EDITION, 0))


def put(chosen: ClassSet, *, redraw: bool = True) -> bool:
    """Replace the class, unless no address holds it; then a message says so.

    Args:
        chosen: the class from now on.
        redraw: whether the widgets of its parts must be drawn anew; not where one of them made
            the change.
    """
    try:
        # what a browser sends is as untrusted as a link
        text = write_set(chosen) if chosen != ClassSet() else ""
        _keep(text, read_set(text) if text else chosen, redraw=redraw)
    except Error as error:
        st.toast(plain(str(error)), icon=":material/error:")
        return False
    return True


def _keep(text: str, chosen: ClassSet, *, redraw: bool) -> None:
    st.session_state[CLASS_TEXT] = text
    st.session_state[_DRAFT] = (text, chosen)
    if redraw:
        st.session_state[_EDITION] = edition() + 1


def replace_part(number: int, part: SetPart, key: str) -> None:
    """Put another part in the place of one.

    Args:
        number: of the part, from 0.
        part: that the class has there from now on.
        key: of the field on the page that has it already.
    """
    parts = list(draft().parts)
    parts[number] = part
    if put(changed(draft(), parts=tuple(parts)), redraw=False):
        taken(key)


def clear() -> None:
    """Begin a new class."""
    put(ClassSet())


def add(parts: Sequence[SetPart], title: str = "") -> bool:
    """Put parts at the end of the class, unless it becomes too long; then a message says so.

    Args:
        parts: to add.
        title: of the class if it has none yet.
    """
    now = draft()
    if len(now.parts) + len(parts) > MOST_PARTS:
        sentence = _("A class has at most {most} parts.").format(most=MOST_PARTS)
        st.toast(sentence, icon=":material/error:")
        return False
    named = now.title or title[:MOST_TITLE]
    # the fields of the parts before stay as they are: what is open stays open
    return put(ClassSet(named, (*now.parts, *parts)), redraw=named != now.title)


def _add_and_tell(parts: Sequence[SetPart]) -> None:
    """Add parts, and say how long the class is now, where it is not on the page."""
    if add(parts):
        sentence = _("Part {number} of my class: {minutes} of {most} minutes").format(
            number=len(draft().parts), minutes=draft().minutes, most=USUAL_MINUTES
        )
        name = _("My class")
        address = write_link("my-class", to({})).removeprefix("/")
        st.toast(f"{sentence} \u00b7 [{name}]({address})", icon=":material/playlist_add_check:")


def add_button(key: str, parts: Callable[[], Sequence[SetPart]], *, primary: bool = False) -> None:
    """Draw the button that adds what is on the page to the class.

    Args:
        key: of the button.
        parts: what to add; called when it is pressed.
        primary: whether it is what the page is for: to put the class together, which is in view.
    """

    def press() -> None:
        try:
            (add if primary else _add_and_tell)(parts())
        except Error as error:
            st.toast(plain(str(error)), icon=":material/error:")

    st.button(
        _("Add to my class"),
        type="primary" if primary else "tertiary",
        icon=":material/playlist_add:",
        key=key,
        on_click=press,
    )


def level_and_seed(page: str) -> tuple[int, int]:
    """Draw the fields for practice questions' level and seed, and return both.

    Args:
        page: what the fields' keys begin with; each page has a choice of its own.
    """
    st.session_state.setdefault(f"{page}_seed", 1)
    level = st.selectbox(_("Level"), LEVELS, key=f"{page}_level", width=90)
    seed = st.number_input(
        _("Seed"),
        0,
        MOST_SEED,
        key=f"{page}_seed",
        step=1,
        width=120,
        help=_("The same seed gives everyone the same questions in the same order."),
    )
    return int(level or LEVELS[0]), int(seed or 0)


def posed_of(pick: Pick) -> Posed:
    """The question of a part, worked out once for this session.

    Raises:
        Error: as of :meth:`dmlviz.teaching.sets.LessonPick.posed`.
    """
    return _once_each(_POSED, pick, pick.posed)


def polls_of_pick(pick: Pick) -> tuple[Poll, ...]:
    """As :func:`dmlviz.classroom.compose.pick_polls`, worked out once for this session.

    Raises:
        Error: as of :func:`posed_of`.
    """
    return _once_each(_PHONES, pick, lambda: pick_polls(pick))


def _once_each(key: str, pick: Pick, make: Callable[[], _T]) -> _T:
    """What was made of a part for this session, or the error that was raised then."""
    kept: dict[tuple[str, Pick], _T | Error] = st.session_state.setdefault(key, {})
    name = (locale(), pick)
    if name not in kept:
        if len(kept) > 2 * MOST_PARTS:
            kept.clear()
        try:
            kept[name] = make()
        except Error as error:
            kept[name] = error
    made = kept[name]
    if isinstance(made, Error):
        raise made
    return made


def run_of(chosen: ClassSet) -> tuple[Run, tuple[Problem, ...]]:
    """As :func:`dmlviz.teaching.sets.as_run`, worked out once for this session."""
    return _once(_RUN, chosen, lambda: as_run(chosen, posed_of))


def polls_of(chosen: ClassSet) -> tuple[Poll, ...]:
    """As :func:`dmlviz.classroom.compose.set_polls`, worked out once for this session."""
    return _once(_POLLS, chosen, lambda: set_polls(chosen))


def _once(key: str, chosen: ClassSet, make: Callable[[], _T]) -> _T:
    """What was last made of a class for this session, if it is the same class."""
    name = (locale(), chosen)
    kept: tuple[object, _T] | None = st.session_state.get(key)
    if kept is None or kept[0] != name:
        kept = (name, make())
        st.session_state[key] = kept
    return kept[1]
