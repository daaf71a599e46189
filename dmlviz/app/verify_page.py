"""Verify a page: its text with the problems at its lines, beside the pictures of an example."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from dmlviz.app.page_text import page_text, show_in_text
from dmlviz.app.text import plain
from dmlviz.app.verdict import explorer_link, show_verdict, view_of
from dmlviz.app.verify_check import VerifiedPage, verified_page
from dmlviz.app.verify_downloads import downloads
from dmlviz.app.verify_source import chosen_page, engine_titles, engines_chosen, source_widgets
from dmlviz.verify import Verdict
from dmlviz.verify.findings import at_line
from dmlviz.verify.printing import checked_lines, unchecked_lines
from dmlviz.verify.reader import CheckedCount
from dmlviz.verify.report import ERROR
from dmlviz.verify.verifier import MATCH, MISMATCH, REFUSED, SKIPPED
from dmlviz.words import _, ngettext

_ICONS = {
    MATCH: ":material/check_circle:",
    MISMATCH: ":material/error:",
    SKIPPED: ":material/skip_next:",
    REFUSED: ":material/block:",
}
_UNREADABLE_ICON = ":material/help:"
_SIGNS = {MATCH: "✓", SKIPPED: "↷"}
_CHOSEN, _ONLY, _OF = "verify_example", "verify_only", "verify_examples_of"


def verify_page() -> None:
    """Draw the page."""
    with st.container(key="verify_head", horizontal=True, vertical_alignment="center"):
        st.title(_("Verify a page"), anchor=False)
        source_widgets()
        st.markdown(
            _("Every example on the page runs, and its result is compared with the page's.")
        )
    page = chosen_page()
    if page is None:
        return
    verified = verified_page(*page, engines_chosen())
    if verified.report.document.problem:
        st.warning(plain(verified.report.document.problem), icon=":material/help:")
    else:
        _work()


@st.fragment
def _work() -> None:
    """Draw the text and one example; a choice runs this again and nothing else."""
    page = chosen_page()
    if page is None:
        return
    # as a fragment's arguments they would be held for each session
    verified = verified_page(*page, engines_chosen())
    with st.container(key="verify_work"):
        with st.container(key="verify_page"):
            _summary(verified)
            only = _tools(*page, verified)
            page_text(verified.text_data, _choose)
        with st.container(key="verify_picture"):
            _example(verified, only=only)


def _tools(page: str | bytes, name: str, verified: VerifiedPage) -> bool:
    """Draw what is over the text; return whether only problems are to be shown."""
    problems = sum(mark.is_problem for mark in verified.marks)
    with st.container(key="verify_tools", horizontal=True, vertical_alignment="center"):
        only = st.toggle(
            _("Only problems ({n})").format(n=problems), key=_ONLY, disabled=not problems
        )
        checked = _menu(_("What was checked"), "verify_checked")
        if checked.open:
            with checked:
                _checked(verified)
        saved = _menu(_("Download"), "verify_saved")
        if saved.open:
            with saved:
                downloads(page, name, engines_chosen(), verified.report)
    return only and problems > 0


def _summary(verified: VerifiedPage) -> None:
    report = verified.report
    count = sum(verdict.status != SKIPPED for verdict in report.verdicts)
    matching = sum(verdict.status == MATCH for verdict in report.verdicts)
    message = ngettext(
        "**{structure}**: {matching} of {n} run matches.",
        "**{structure}**: {matching} of {n} runs match.",
        count,
    ).format(structure=_subject(verified), matching=matching, n=count)
    if count and matching == count:
        st.success(message, icon=":material/verified:")
    else:
        st.error(message, icon=":material/error:")


def _subject(verified: VerifiedPage) -> str:
    """What the page is about."""
    document = verified.report.document
    if document.coverage.python.checked and not document.structure:
        return _("Python examples")
    return document.structure or _("No operator")


def _checked(verified: VerifiedPage) -> None:
    """Draw what was checked, what was not and where, and what the page skips and why."""
    document = verified.report.document
    # the Python examples have their reasons
    others = replace(document.coverage, python=CheckedCount())
    lines = [*checked_lines([verified.report]), *unchecked_lines(others)]
    lines += [at_line(finding.line, finding.message) for finding in document.unchecked]
    lines += [
        at_line(
            example.line,
            _("{title} is skipped: {reason}").format(title=example.title, reason=example.skipped),
        )
        for example in document.examples
        if example.skipped
    ]
    st.markdown("\n".join(f"- {plain(line)}" for line in lines))


def _menu(label: str, key: str) -> PopoverContainer:
    """A menu whose contents are drawn once it is open."""
    return st.popover(label, type="tertiary", width="content", key=key, on_change="rerun")


def _choose(example: int) -> None:
    st.session_state[_CHOSEN] = example


def _example(verified: VerifiedPage, *, only: bool) -> None:
    """Draw the choice of an example, and the example."""
    by_example = _by_example(verified)
    listed = [n for n in by_example if not only or _is_wrong(verified, n)] or [*by_example]
    if not listed:
        return
    chosen = _chosen(verified, listed)
    at = listed.index(chosen)
    with st.container(key="verify_choice", horizontal=True, vertical_alignment="center"):
        for icon, words, to in (
            ("chevron_left", _("The previous example"), at - 1),
            ("chevron_right", _("The next example"), at + 1),
        ):
            st.button(
                words,
                icon=f":material/{icon}:",
                key=f"verify_{icon}",
                disabled=not 0 <= to < len(listed),
                on_click=_choose,
                args=(listed[to % len(listed)],),
            )
        st.selectbox(
            _("Example"),
            listed,
            key=_CHOSEN,
            format_func=lambda number: _titled(verified, number, by_example[number]),
            label_visibility="collapsed",
        )
        verdict = _worst(by_example[chosen])
        way = view_of(verdict)
    show_in_text(chosen, only=only)
    with st.container(key="verify_verdict", horizontal=True, vertical_alignment="center"):
        st.markdown("  \n".join(_lines(by_example[chosen])))
        explorer_link(verdict)
    if way:
        show_verdict(verdict, way)


def _chosen(verified: VerifiedPage, listed: list[int]) -> int:
    """The example that is shown: on another page than before, the first that is most wrong."""
    identity = hashlib.sha256(verified.text_data.encode()).hexdigest()
    if st.session_state.get(_OF) != identity or st.session_state.get(_CHOSEN) not in listed:
        st.session_state[_OF] = identity
        failed = {mark.example for mark in verified.marks if mark.kind == ERROR}
        # a remark beside an example that matches can wait
        worst = min(listed, key=lambda n: (n not in failed, not _is_wrong(verified, n)))
        st.session_state[_CHOSEN] = worst
    return int(st.session_state[_CHOSEN])


def _by_example(verified: VerifiedPage) -> dict[int, list[Verdict]]:
    """The verdicts of each example, by its number."""
    numbers = {id(example): n for n, example in enumerate(verified.report.document.examples)}
    by_example: dict[int, list[Verdict]] = {}
    for verdict in verified.report.verdicts:
        by_example.setdefault(numbers[id(verdict.example)], []).append(verdict)
    return by_example


def _is_wrong(verified: VerifiedPage, number: int) -> bool:
    return any(mark.is_problem and mark.example == number for mark in verified.marks)


def _worst(verdicts: list[Verdict]) -> Verdict:
    return next((v for v in verdicts if v.status not in (MATCH, SKIPPED)), verdicts[0])


def _titled(verified: VerifiedPage, number: int, verdicts: list[Verdict]) -> str:
    example = verified.report.document.examples[number]
    heading = _("{title}, line {line}").format(title=example.title, line=example.line)
    return f"{_SIGNS.get(_worst(verdicts).status, '✗')} {heading}"


def _lines(verdicts: list[Verdict]) -> list[str]:
    """One line per result; engines that agree share it."""
    titles = engine_titles()
    by_result: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        result = (verdict.status, verdict.message)
        by_result.setdefault(result, []).append(titles[verdict.engine])
    return [
        f"{_ICONS.get(status, _UNREADABLE_ICON)} **{'; '.join(names)}:** {plain(message)}"
        for (status, message), names in by_result.items()
    ]
