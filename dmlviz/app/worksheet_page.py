"""Choose, preview and download a worksheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import streamlit as st

from dmlviz.app.address import PageAddress, page_address, tell
from dmlviz.app.page import KEEP
from dmlviz.app.share import note_of
from dmlviz.app.typed_text import kept_text
from dmlviz.base.cache import cached
from dmlviz.base.words import _
from dmlviz.operators import OPERATORS
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.practice import MOST_SEED
from dmlviz.teaching.questions import LEVELS
from dmlviz.teaching.worksheets import (
    MOST_COUNT,
    Sheet,
    kinds_of,
    read_sheet,
    titles_of_kinds,
    worksheet,
)

_ADDRESS = PageAddress("worksheet")
_MOST_TITLE = 80
_HEIGHT = 900


def worksheet_page() -> None:
    """Draw the page."""
    st.title(_("Worksheet"), anchor=False)
    st.markdown(
        _(
            "Questions to print, with the answers on a separate page. The same seed gives "
            "the same questions, on paper and in practice."
        )
    )
    tell(_begin())
    sheet = _chosen()
    _ADDRESS.follow(sheet)
    title = st.text_input(
        _("Title"),
        key=kept_text("worksheet_title"),
        max_chars=_MOST_TITLE,
        placeholder=sheet.title(),
        persist_state=KEEP,
    )
    address = sheet.address(_root())
    page = _page(sheet, (title or "").strip() or sheet.title(), address)
    st.download_button(
        _("Download the worksheet"),
        page,
        file_name=f"worksheet-{sheet.seed}.html",
        mime="text/html",
        icon=":material/download:",
        key="worksheet_file",
        on_click="ignore",
        help=_("Open it in a browser and print it, or save it as a PDF."),
    )
    if note := note_of(address):
        st.caption(note)
    st.iframe(page, height=_HEIGHT, alt=_("Preview"))


def _begin() -> Sequence[str]:
    """Put an address that was just opened into the widgets; return its problems."""
    opened = _ADDRESS.opened()
    if opened is not None:
        sheet, problems = read_sheet(opened)
        for name, value in asdict(sheet).items():
            st.session_state[f"worksheet_{name}"] = value
        _ADDRESS.open(sheet, problems, whole=True)
    return _ADDRESS.problem_messages(lambda parameters: read_sheet(parameters)[1])


def _chosen() -> Sheet:
    """Draw the widgets; return the sheet that they describe."""
    left, middle, right = st.columns(3)
    titles = {"": _("No lesson"), **{each.key: each.title for each in lessons()}}
    lesson = right.selectbox(
        _("Lesson"),
        list(titles),
        key="worksheet_lesson",
        format_func=lambda key: titles[key],
        help=_(
            "Its own questions, exercises about its operators, and more questions of its kinds."
        ),
        persist_state=KEEP,
    )
    operators = {"": _("All operators"), **{cls.key: cls.__name__ for cls in OPERATORS}}
    operator = left.selectbox(
        _("Operator"),
        list(operators),
        key="worksheet_operator",
        format_func=lambda key: operators[key],
        disabled=bool(lesson),
        persist_state=KEEP,
    )
    by_kind = titles_of_kinds()
    kinds = {"": _("All kinds"), **{kind: by_kind[kind] for kind in kinds_of(operator)}}
    if st.session_state.get("worksheet_kind") not in kinds:
        # the operator that was just chosen does not have this kind of question
        st.session_state["worksheet_kind"] = ""
    kind = left.selectbox(
        _("Kind of question"),
        list(kinds),
        key="worksheet_kind",
        format_func=lambda key: kinds[key],
        disabled=bool(lesson),
        persist_state=KEEP,
    )
    level = middle.segmented_control(
        _("Level"), list(LEVELS), key="worksheet_level", required=True, persist_state=KEEP
    )
    count = middle.number_input(
        _("Number of questions"), 1, MOST_COUNT, key="worksheet_count", persist_state=KEEP
    )
    seed = right.number_input(
        _("Seed"),
        0,
        MOST_SEED,
        key="worksheet_seed",
        help=_("Change the number for other questions."),
        persist_state=KEEP,
    )
    return Sheet(int(seed), int(level or LEVELS[0]), operator, kind, int(count), lesson)


def _root() -> str:
    """The app's address; empty if it is not known."""
    return page_address().rpartition("/")[0]


@cached(megabytes=8)
def _page(sheet: Sheet, title: str, address: str) -> str:
    return worksheet(sheet.questions(), title, description=sheet.description(), address=address)
