"""``/my-class?set=...``: a teacher's class, put together from parts and questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from dmlviz.app.address import (
    PageAddress,
    open_link,
    page_address,
    tell,
    to,
    whole_address,
)
from dmlviz.app.class_draft import (
    clear,
    draft,
    edition,
    put,
    run_of,
)
from dmlviz.app.server import base_path
from dmlviz.app.set_adding import adding
from dmlviz.app.set_parts import draw_part
from dmlviz.app.text import typed_line
from dmlviz.base.addresses import Reading, write_link
from dmlviz.base.errors import Problem
from dmlviz.base.words import _, in_this_language, ngettext
from dmlviz.teaching.set_exports import as_gift, choices_csv, handout
from dmlviz.teaching.sets import (
    MOST_TITLE,
    PAGE,
    SET,
    USUAL_MINUTES,
    ClassSet,
    changed,
    fitted,
    read_set,
)

_ADDRESS = PageAddress(PAGE)


def set_page() -> None:
    """Draw the page."""
    st.title(_("My class"), anchor=False)
    tell(_begin())
    _ADDRESS.follow(draft())
    with st.container(key="set_page", horizontal=True):
        with st.container(key="set_parts"):
            _head()
            for number, part in enumerate(draft().parts):
                draw_part(number, part)
        with st.container(key="set_add", border=True):
            _length()
            adding()


def _begin() -> Sequence[str]:
    """Take the class of an address that was just opened; return its problems."""
    opened = _ADDRESS.opened()
    if opened:
        chosen, problems = _read(opened)
        # a damaged address does not take away what is there
        if SET in opened and not any(problem.field == SET for problem in problems):
            put(chosen)
        _ADDRESS.open(draft(), problems)
    return _ADDRESS.problem_messages(lambda parameters: _read(parameters)[1])


def _read(parameters: Mapping[str, str]) -> tuple[ClassSet, tuple[Problem, ...]]:
    reading = Reading(parameters)
    chosen = reading.part(SET, read_set, ClassSet())
    return chosen, reading.all_problems()


def _head() -> None:
    """Draw the title, how long the class is, and what can be done with it."""
    now = draft()
    st.text_input(
        _("Title"),
        now.title,
        key=f"set_title_{edition()}",
        max_chars=MOST_TITLE,
        placeholder=_("My class"),
        on_change=_retitle,
        args=(f"set_title_{edition()}",),
    )
    if not now.parts:
        st.markdown(
            _(
                "Add parts of lessons, presets, practice questions, code, and questions of your "
                "own. The address of this page is the class: keep it as a bookmark."
            )
        )
        return
    st.caption(_("The address of this page is the class: keep it as a bookmark."))
    words = now.parameters()
    with st.container(key="set_actions", horizontal=True, vertical_alignment="center"):
        open_link(write_link("present", words), _("Present"), "co_present")
        open_link(write_link("start-class", words), _("Start a class"), "groups")
        _speaker(words)
        with st.popover(_("Address"), icon=":material/link:", type="tertiary"):
            st.code(whole_address(now, page_address()), language=None, wrap_lines=True)
            st.button(
                _("Start an empty class"),
                icon=":material/delete:",
                key="set_clear",
                on_click=clear,
            )


def _length() -> None:
    """Draw how long the class is, in view while parts are added."""
    now = draft()
    count = ngettext("{n} part", "{n} parts", len(now.parts)).format(n=len(now.parts))
    minutes = _("{minutes} of {most} minutes").format(minutes=now.minutes, most=USUAL_MINUTES)
    late = now.minutes - USUAL_MINUTES
    over = ngettext("{n} minute over", "{n} minutes over", late).format(n=late)
    text = " \u00b7 ".join([f"**{minutes}**", *([f"**{over}**"] if late > 0 else []), count])
    key = "set_length_over" if late > 0 else "set_length"
    with st.container(key=key, horizontal=True, vertical_alignment="center"):
        st.progress(min(1.0, now.minutes / USUAL_MINUTES), text)
        st.button(
            _("Fit to {most} minutes").format(most=USUAL_MINUTES),
            icon=":material/timer:",
            key="set_fit",
            type="tertiary",
            disabled=not now.parts or now.minutes == USUAL_MINUTES,
            on_click=_fit,
        )


def _fit() -> None:
    put(fitted(draft()))


def _speaker(words: Mapping[str, str]) -> None:
    """Draw the link to the speaker's view in a window of its own, and the files to download."""
    # windows of one browser hear each other only at the same address
    st.link_button(
        _("Speaker's view"),
        base_path() + write_link("speaker", to(words)),
        type="tertiary",
        icon=":material/speaker_notes:",
        help=_("In a window of its own: it follows the window that presents."),
    )
    run, _problems = run_of(draft())
    root = page_address().removesuffix(f"/{PAGE}")
    name = _file_name(draft().title)

    def table() -> str:
        return "\ufeff" + choices_csv(run, root)

    files: list[tuple[str, str, str, Callable[[], str]]] = [
        (_("Handout to print (HTML)"), "html", "text/html", lambda: handout(run)),
        (_("Moodle (GIFT)"), "gift", "text/plain", lambda: as_gift(run)),
        (_("Choices (CSV)"), "csv", "text/csv", table),
    ]
    for title, ending, mime, make in files:
        st.download_button(
            title,
            in_this_language(make),
            file_name=f"{name}.{ending}",
            mime=mime,
            icon=":material/download:",
            key=f"set_save_{ending}",
            type="tertiary",
            on_click="ignore",
        )


def _file_name(title: str) -> str:
    """What files of a class are called: the letters and digits of its title, without an ending."""
    return "-".join(re.findall(r"\w+", title.casefold())) or "class"


def _retitle(key: str) -> None:
    put(changed(draft(), title=typed_line(st.session_state[key])[:MOST_TITLE]), redraw=False)
