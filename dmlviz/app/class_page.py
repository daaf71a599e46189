"""Start a class: ``/start-class?run=gather-and-scatter``; then its code and the teacher's links."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar
from urllib.parse import urlsplit

import streamlit as st

from dmlviz.app.address import address_parameters, page_address, tell
from dmlviz.app.class_draft import draft, level_and_seed, polls_of, put, run_of
from dmlviz.app.classes import class_service
from dmlviz.app.remembered import OPEN_CLASS
from dmlviz.app.server import base_path
from dmlviz.app.text import operator_titles, plain
from dmlviz.base.addresses import Reading
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.visitors import counted_address
from dmlviz.base.words import _, language, ngettext
from dmlviz.classroom.compose import (
    in_all_languages,
    lesson_polls,
    practice_polls,
    preset_polls,
    run_polls,
)
from dmlviz.classroom.phases import ClassOptions, Nicknames, Theme
from dmlviz.classroom.polls import MOST_POLLS, Poll
from dmlviz.classroom.refusals import Away, ClassRefusal, OpensTooFast
from dmlviz.classroom.staff import qr_svg
from dmlviz.classroom.store import OpenedClass
from dmlviz.operators import OPERATORS
from dmlviz.teaching.lessons import Lesson, lessons
from dmlviz.teaching.posed import preset_title
from dmlviz.teaching.practice import MOST_SEED
from dmlviz.teaching.presets import Preset, preset, presets
from dmlviz.teaching.questions import LEVELS
from dmlviz.teaching.runs import Run, runs
from dmlviz.teaching.sets import SET, ClassSet, read_set

CLOCKS = (0, 30, 45, 60, 90)
"""Seconds to choose from for a vote; 0 for no clock."""

DISCUSSIONS = (0, 60, 90, 120, 180, 300)
"""The same for a discussion."""

_Titled = TypeVar("_Titled", Lesson, Run)

_STARTED = "class_started"
_PATIENCE = 10.0
_LESSON, _RUN, _PRESET, _PRACTICE, _SET = "lesson", "run", "preset", "practice", SET
_COUNT = 10
_FIELDS = tuple(
    f"class_{name}"
    for name in (
        *("kind", "seconds", "lesson", "run", "preset", "operator", "level", "seed", "count"),
        *("discussion", "finishes", "nicknames", "theme"),
    )
)
"""The keys of the fields of this page."""


@dataclass(frozen=True)
class _Source:
    """Where a class's questions come from.

    Attributes:
        title: shown on the wall.
        polls: makes them, in the language of this thread; it looks up what has texts of its own, as
            it is called in other languages, too.
    """

    title: str
    polls: Callable[[], tuple[Poll, ...]]


@dataclass(frozen=True)
class _Started:
    """A class of this session; its secrets are kept only here."""

    opened: OpenedClass
    title: str
    questions: int
    choices: Mapping[str, object]
    """What the fields of the page held, which Streamlit forgets while they are not drawn."""


def class_page() -> None:
    """Draw the page."""
    st.title(_("Start a class"), anchor=False)
    started: _Started | None = st.session_state.get(_STARTED)
    if started is not None:
        _links(started)
        return
    st.markdown(
        _(
            "Students answer on their phones, without names or accounts: they vote, discuss "
            "with a neighbor, vote again, and then everyone sees what really happens."
        )
    )
    tell(_begin())
    kinds = {_SET: _("My class")} if draft().parts else {}
    kinds |= {
        _RUN: _("Run"),
        _LESSON: _("Lesson"),
        _PRESET: _("Preset"),
        _PRACTICE: _("Practice"),
    }
    kind = st.segmented_control(
        _("Questions from"),
        list(kinds),
        key="class_kind",
        format_func=lambda name: kinds.get(name, ""),
        required=True,
    )
    source = _SOURCES.get(str(kind), _run)()
    seconds = st.segmented_control(
        _("Time for each vote"),
        CLOCKS,
        key="class_seconds",
        format_func=_clock,
        required=True,
    )
    options = _options()
    if source and st.button(
        _("Start the class"), type="primary", icon=":material/play_arrow:", key="class_start"
    ):
        _start(source, seconds if seconds in CLOCKS else 0, options)


def _clock(seconds: int) -> str:
    if not seconds:
        return _("No clock")
    return ngettext("{n} second", "{n} seconds", seconds).format(n=seconds)


def _options() -> ClassOptions:
    """Draw what the teacher's page can change later."""
    nicknames: dict[Nicknames, str] = {
        "none": _("No nicknames"),
        "teacher": _("Only the teacher's page"),
        "wall": _("The teacher's page and the wall"),
    }
    themes: dict[Theme, str] = {
        "screen": _("Of its screen"),
        "light": _("Light"),
        "dark": _("Dark"),
    }
    with st.expander(_("Options"), icon=":material/tune:"):
        st.caption(_("The teacher's page can change them at any time."))
        finishes = st.toggle(_("Close the vote when all have answered"), key="class_finishes")
        with st.container(horizontal=True):
            discussion = st.selectbox(
                _("Clock of a discussion"), DISCUSSIONS, key="class_discussion", format_func=_clock
            )
            shown_to = st.selectbox(
                _("Who sees nicknames"),
                nicknames,
                key="class_nicknames",
                format_func=lambda name: nicknames.get(name, ""),
            )
            theme = st.selectbox(
                _("Colors of the wall"),
                themes,
                key="class_theme",
                format_func=lambda name: themes.get(name, ""),
            )
    return ClassOptions(
        discussion if discussion in DISCUSSIONS else 0,
        bool(finishes),
        shown_to if shown_to in nicknames else "none",
        theme if theme in themes else "screen",
    )


def _begin() -> list[str]:
    """Choose what the address names, once; after that the widgets keep it."""
    if st.session_state.get("class_address") == (here := address_parameters()):
        st.session_state.setdefault("class_kind", _RUN)
        if st.session_state["class_kind"] == _SET and not draft().parts:
            st.session_state["class_kind"] = _RUN
        st.session_state.setdefault("class_seconds", 60)
        return []
    st.session_state["class_address"] = here
    st.session_state["class_seconds"] = st.session_state.get("class_seconds", 60)
    reading = Reading(here)
    rule = _("there is none with that name; all of them are listed here.")
    named = {
        _LESSON: reading.one_of(_LESSON, [each.key for each in lessons()], "", rule),
        _RUN: reading.one_of(_RUN, [each.key for each in runs()], "", rule),
        _PRESET: reading.one_of(_PRESET, [each.key for each in _asking()], "", rule),
    }
    for kind, key in named.items():
        if key:
            st.session_state["class_kind"] = kind
            st.session_state[f"class_{kind}"] = key
    chosen = reading.part(SET, read_set, ClassSet())
    if chosen.parts:
        put(chosen)
        st.session_state["class_kind"] = _SET
    if "seed" in here:
        st.session_state["class_kind"] = _PRACTICE
        st.session_state["class_seed"] = reading.whole("seed", 0, MOST_SEED, 1)
        st.session_state["class_level"] = reading.whole("level", LEVELS[0], LEVELS[-1], 1)
        keys = ["", *(cls.key for cls in OPERATORS)]
        st.session_state["class_operator"] = reading.one_of("operator", keys, "")
    st.session_state.setdefault("class_kind", _RUN)
    return [problem.message for problem in reading.all_problems()]


def _asking() -> list[Preset]:
    return [each for each in presets() if each.opens]


def _one_of(label: str, kind: str, names: Mapping[str, str]) -> str:
    chosen = st.selectbox(
        label, list(names), key=f"class_{kind}", format_func=lambda key: names.get(key, "")
    )
    return str(chosen)


def _draft() -> _Source:
    """The teacher's class, and which of its parts cannot be voted on."""
    now = draft()
    run, problems = run_of(now)
    tell(problem.message for problem in problems)
    polls = polls_of(now)
    _heading(run.title, len(polls))
    voted = {int(poll.key.partition("-")[0]) for poll in polls if poll.votes}
    if silent := [str(n) for n in range(1, len(now.parts) + 1) if n not in voted]:
        sentence = ngettext(
            "Part {parts} has no choices to vote on: the wall shows it as a discussion.",
            "Parts {parts} have no choices to vote on: the wall shows them as discussions.",
            len(silent),
        )
        st.caption(sentence.format(parts=", ".join(silent)))
    return _Source(run.title, lambda: polls_of(now))


def _lesson() -> _Source | None:
    return _of_files(_("Lesson"), _LESSON, lessons, lesson_polls)


def _run() -> _Source | None:
    return _of_files(_("Run"), _RUN, runs, run_polls)


def _of_files(
    label: str,
    kind: str,
    every: Callable[[], Sequence[_Titled]],
    polls: Callable[[_Titled], tuple[Poll, ...]],
) -> _Source | None:
    """One of the lessons or runs, which are other ones in each language."""
    titles = {each.key: each.title for each in every()}
    if not (key := _one_of(label, kind, titles)):
        return None
    return _Source(titles[key], lambda: polls({each.key: each for each in every()}[key]))


def _preset() -> _Source | None:
    titles = {each.key: preset_title(each) for each in _asking()}
    key = _one_of(_("Preset"), _PRESET, titles)
    return _Source(titles[key], lambda: preset_polls(preset(key))) if key else None


def _practice() -> _Source | None:
    titles = {"": _("All operators"), **operator_titles()}
    st.session_state.setdefault("class_count", _COUNT)
    operator = _one_of(_("Operator"), "operator", titles)
    with st.container(horizontal=True):
        level, seed = level_and_seed("class")
        count = st.number_input(_("Questions"), 1, MOST_POLLS, key="class_count", step=1, width=150)
    # without the seed: with it, anybody could open the questions and their answers
    title = _("Practice: {operator}").format(operator=titles.get(operator, ""))
    return _Source(title, lambda: practice_polls(seed, int(count), level, operator))


_SOURCES: Mapping[str, Callable[[], _Source | None]] = {
    _SET: _draft,
    _LESSON: _lesson,
    _RUN: _run,
    _PRESET: _preset,
    _PRACTICE: _practice,
}


def _start(source: _Source, seconds: int, options: ClassOptions) -> None:
    """Open the class, and show its links instead of the choice of questions."""
    try:
        polls = in_all_languages(source.polls)
        if not polls:
            st.warning(_("There is no question to ask here."), icon=":material/help:")
            return
        service = class_service()
        # Streamlit does not name this machine's own address
        visitor = counted_address(st.context.ip_address or "127.0.0.1")
        if not service.limits.opened.take(visitor):
            raise OpensTooFast
        opening = service.store.open_class(polls, source.title, seconds, visitor, options)
        opened = opening.result(_PATIENCE)
    except Error as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    except TimeoutError:
        st.error(Away().sentence(), icon=":material/error:")
        return
    except ClassRefusal as refusal:
        st.error(refusal.sentence(), icon=":material/error:")
        return
    st.session_state[OPEN_CLASS] = opened.code
    choices = {key: st.session_state[key] for key in _FIELDS if key in st.session_state}
    st.session_state[_STARTED] = _Started(opened, source.title, len(polls), choices)
    st.rerun()


def _heading(title: str, questions: int) -> None:
    count = ngettext("{n} question", "{n} questions", questions).format(n=questions)
    st.markdown(f"**{plain(title)}** \u00b7 {count}")


def _links(started: _Started) -> None:
    """Draw the code, and links to the teacher's page and the wall."""
    code, opened = started.opened.code, started.opened
    root = _root()
    spoken = f"?lang={language()}"
    teach = f"{root}/class/{code}/teach{spoken}#t={opened.teacher}&w={opened.wall}"
    wall = f"{root}/class/{code}/wall{spoken}#t={opened.wall}"
    _heading(started.title, started.questions)
    with st.container(border=True, key="class_links"):
        st.markdown(_("The class's code"))
        st.header(code, anchor=False)
        with st.container(horizontal=True):
            st.link_button(
                _("Open the teacher's page"),
                teach,
                type="primary",
                icon=":material/co_present:",
            )
            st.link_button(_("Open the wall"), wall, icon=":material/tv:")
            st.link_button(
                _("One screen only: the wall with controls"),
                f"{wall}&c={opened.teacher}",
                icon=":material/videogame_asset:",
            )
    st.markdown(
        _(
            "Open the wall on the projector and the teacher's page on your own screen or phone. "
            "The address of the teacher's page is the key to this class: whoever has it can move "
            "the class on and delete it. It is shown only here: to find the class again, choose "
            "“{remember}” on the teacher's page."
        ).format(remember=_("Keep this class in the list of this browser"))
    )
    with st.expander(_("The address of the teacher's page")):
        st.code(teach, language=None, wrap_lines=True)
        if "://" in teach:
            st.image(qr_svg(teach), width=240)
    if st.button(_("Start another class"), icon=":material/add:", key="class_another"):
        del st.session_state[_STARTED]
        for key, value in started.choices.items():
            st.session_state[key] = value
        st.rerun()


def _root() -> str:
    """The app's address for others on the network; a path if it is not known."""
    address = page_address()
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}{base_path()}" if address else base_path()
