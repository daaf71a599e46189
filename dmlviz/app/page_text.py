"""The page's own text beside its pictures: lines with numbers, and what was found below them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from dmlviz.base.words import _
from dmlviz.verify.report import PageMark, Report, extent
from dmlviz.verify.text import with_newlines

_SCRIPT = Path(__file__).with_name("page_text.js")
_LONGEST = 2_000
"""The most letters of a line that are shown; a saved page may hold pictures as text."""
_TEXT, _PLACE = "verify_page_text", "verify_page_place"


def text_data(text: str, report: Report, marks: tuple[PageMark, ...]) -> str:
    """What the browser shows, as JSON; none of it is ever markup.

    Args:
        text: the page.
        report: of the page.
        marks: what is said at its lines.
    """
    lines = [
        row if len(row) <= _LONGEST else f"{row[:_LONGEST]}…"
        for row in with_newlines(text).split("\n")
    ]
    mark_data = [
        {
            "line": min(mark.line, len(lines)),
            "from": mark.column,
            "to": mark.end_column,
            "kind": mark.kind,
            "code": mark.rule.code if mark.rule else "",
            "rule": mark.rule.summary() if mark.rule else "",
            "message": mark.message,
            "where": _where(mark),
            "example": mark.example,
        }
        for mark in marks
    ]
    extents = [(lines.start, lines[-1]) for lines in map(extent, report.document.examples)]
    page = {"label": _("The page's text"), "lines": lines, "marks": mark_data, "extents": extents}
    return json.dumps(page, ensure_ascii=False, separators=(",", ":"))


def page_text(data: str, choose: Callable[[int], None]) -> None:
    """Draw the text.

    Args:
        data: from :func:`text_data`; equal data cross the wire once.
        choose: called with the number of an example, from 0, whose remark was pressed.
    """

    def chosen() -> None:
        number = str(st.session_state.get(_TEXT, {}).get("chosen") or "")
        # a browser may send anything
        if re.fullmatch("[0-9]{1,4}", number):
            choose(int(number))

    identity = hashlib.sha256(data.encode()).hexdigest()[:16]
    _component()(key=_TEXT, data={"identity": identity, "page": data}, on_chosen_change=chosen)


def show_in_text(example: int, *, only: bool) -> None:
    """Mark the lines of an example and scroll to them.

    This is a component of its own, so that the text does not cross the wire again.

    Args:
        example: its number, from 0.
        only: whether only lines near problems are shown.
    """
    _component()(key=_PLACE, data={"place": {"example": example, "only": only}})


def _component() -> ComponentRenderer:
    return st.components.v2.component("dmlviz_page_text", js=_script(), isolate_styles=False)


def _where(mark: PageMark) -> str:
    if mark.kind == "error":
        return _("Error on line {line}:").format(line=mark.line)
    if mark.kind == "warning":
        return _("Warning on line {line}:").format(line=mark.line)
    return _("On line {line}:").format(line=mark.line)


@cache
def _script() -> str:
    return _SCRIPT.read_text(encoding="utf-8")
