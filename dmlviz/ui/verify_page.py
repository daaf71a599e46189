"""Verify a page: paste, upload or choose one, and see every example run."""

from __future__ import annotations

import json
from collections.abc import Callable

import streamlit as st

from dmlviz.documents import (
    PAGE_LIMIT,
    Document,
    Report,
    Verdict,
    as_data,
    as_markdown,
    available,
    built_in,
    read_document,
    verify,
)
from dmlviz.documents.verifier import MATCH, MISMATCH, RECORDED, REFUSED, SKIPPED
from dmlviz.kept import kept
from dmlviz.ui.engines import statuses
from dmlviz.ui.state import KEEP
from dmlviz.ui.text import plain
from dmlviz.ui.verdict import show_verdict
from dmlviz.words import _, in_this_language, ngettext

_ICONS = {
    MATCH: ":material/check_circle:",
    MISMATCH: ":material/error:",
    SKIPPED: ":material/skip_next:",
    REFUSED: ":material/block:",
}
_UNREADABLE_ICON = ":material/help:"
# more pictures on one page scroll slowly and are hard to compare
_PICTURES = 6
_MOST_LINES = 200


def verify_page() -> None:
    """Draw the page."""
    st.title(_("Verify a page"), anchor=False)
    st.markdown(
        _(
            "Does a documentation page say what really happens? dmlviz runs every example on "
            "it and compares the result with the page, cell by cell."
        )
    )
    page = _page()
    if page is None:
        return
    names = _engines()
    text, name = page
    report = _report(text, name, names)

    def result() -> str:
        # made again on request, so that the session does not hold a report
        return json.dumps(as_data([_report(text, name, names)]), ensure_ascii=False, indent=2)

    if report.document.problem:
        st.warning(plain(report.document.problem), icon=":material/help:")
        return
    _summary(report)
    _examples(report)
    _remarks(report.document, text if isinstance(text, str) else "")
    _take_away(report, in_this_language(result))


def _page() -> tuple[str | bytes, str] | None:
    """The page's text and name, or None while there is none."""
    ways = {"built-in": _("Built-in page"), "paste": _("Paste"), "upload": _("Upload")}
    way = st.segmented_control(
        _("Where the page comes from"),
        list(ways),
        key="verify_way",
        default="built-in",
        required=True,
        format_func=lambda key: ways[key],
        persist_state=KEEP,
    )
    if way == "paste":
        text = st.text_area(
            _("The page's text"),
            key="verify_text",
            height=220,
            max_chars=PAGE_LIMIT,
            placeholder=_(
                "A whole documentation page, in Markdown or as copied from the browser, in any "
                "language; or one example"
            ),
            persist_state=KEEP,
        )
        return (text, "") if text and text.strip() else None
    if way == "upload":
        file = st.file_uploader(
            _("A page, up to 1 MB"),
            type=["md", "txt", "html", "htm"],
            key="verify_file",
            max_upload_size=1,
        )
        return (file.getvalue(), file.name) if file is not None else None
    pages = {page.key: page for page in built_in()}
    key = st.selectbox(
        _("Page"),
        list(pages),
        key="verify_built_in",
        format_func=lambda key: pages[key].title,
        help=_("Written for dmlviz, with the numbers of DirectML's documentation."),
        persist_state=KEEP,
    )
    return pages[key].text, f"{key}.md"


def _titles() -> dict[str, str]:
    """Engines' names for people."""
    titles = {engine.name: engine.title for engine in statuses()}
    return {**titles, RECORDED: _("DirectML, recorded")}


def _engines() -> tuple[str, ...]:
    titles = _titles()
    chosen = st.pills(
        _("Engines"),
        available(),
        selection_mode="multi",
        default=available(),
        key="verify_engines",
        format_func=lambda name: titles[name],
        help=_("Each example runs on each of these engines; some have recorded answers."),
    )
    return tuple(chosen) or ("numpy",)


# two of the largest allowed pages, or hundreds of usual ones
@kept(megabytes=64, heavy=True)
def _report(page: str | bytes, name: str, engine_names: tuple[str, ...]) -> Report:
    document = read_document(page, name)
    return Report(document, verify(document, engine_names))


def _summary(report: Report) -> None:
    count = sum(verdict.status != SKIPPED for verdict in report.verdicts)
    matching = sum(verdict.status == MATCH for verdict in report.verdicts)
    said = ngettext(
        "**{structure}**: {matching} of {n} run matches.",
        "**{structure}**: {matching} of {n} runs match.",
        count,
    ).format(structure=report.document.structure or _("No operator"), matching=matching, n=count)
    if count and matching == count:
        st.success(said, icon=":material/verified:")
    else:
        st.error(said, icon=":material/error:")


def _examples(report: Report) -> None:
    """Draw each example: its verdicts in words, and one of them as a picture."""
    pictures = _PICTURES
    for number, example in enumerate(report.document.examples):
        verdicts = [v for v in report.verdicts if v.example is example]
        if number >= _MOST_LINES or not verdicts:
            continue
        worst = next((v for v in verdicts if v.status not in (MATCH, SKIPPED)), verdicts[0])
        icon = _ICONS.get(worst.status, _UNREADABLE_ICON)
        heading = _("{title}, line {line}").format(title=plain(example.title), line=example.line)
        with st.container(border=True):
            st.markdown(f"{icon} **{heading}**")
            for line in _lines(verdicts):
                st.markdown(line)
            drawn = bool(worst.outputs) and pictures > 0
            if drawn:
                show_verdict(worst, key=f"verify-{number}")
                pictures -= 1


def _lines(verdicts: list[Verdict]) -> list[str]:
    """One line per result; engines that agree share it."""
    titles = _titles()
    by_result: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        result = (verdict.status, verdict.message)
        by_result.setdefault(result, []).append(titles[verdict.engine])
    return [
        f"{_ICONS.get(status, _UNREADABLE_ICON)} **{'; '.join(names)}:** {plain(message)}"
        for (status, message), names in by_result.items()
    ]


def _remarks(document: Document, text: str) -> None:
    """Draw the reader's corrections with their lines, and the page's own statements."""
    lines = text.splitlines()
    found = document.all_findings
    if found:
        st.subheader(_("Found while reading"), anchor=False)
        st.table(
            [
                {
                    _("Line"): str(finding.line or ""),
                    _("The page"): plain(_excerpt(lines, finding.line)),
                    _("Finding"): plain(finding.message),
                }
                for finding in found[:_MOST_LINES]
            ],
            hide_index=True,
        )
    if document.statements:
        st.subheader(_("What the page states about sizes"), anchor=False)
        st.table(
            [
                {
                    _("Line"): str(said.line),
                    _("True"): _("yes") if said.agrees else _("no"),
                    _("With the example's numbers"): plain(said.message),
                }
                for said in document.statements
            ],
            hide_index=True,
        )


def _excerpt(lines: list[str], line: int) -> str:
    text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return text if len(text) <= 60 else text[:59] + "…"


def _take_away(report: Report, result: Callable[[], str]) -> None:
    st.download_button(
        _("The result as JSON"),
        result,
        file_name="verified.json",
        mime="application/json",
        icon=":material/download:",
        key="verify_json",
        on_click="ignore",
    )
    with st.expander(_("The result as Markdown, to copy"), icon=":material/content_copy:"):
        st.code(as_markdown(report), language="markdown", wrap_lines=True)
