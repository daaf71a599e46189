"""What can be saved of a page that was verified: reports, and the page with its fixes."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import PurePosixPath

import streamlit as st

from dmlviz.app.verify_check import verified_page
from dmlviz.cache import cached
from dmlviz.verify import FORMATS, Report, as_lines, as_markdown
from dmlviz.verify.fixes import corrected
from dmlviz.verify.formats import document_data
from dmlviz.verify.html_page import ReportPages, html_report
from dmlviz.verify.printing import checked_lines
from dmlviz.verify.text import text_of
from dmlviz.verify.verifier import MISMATCH
from dmlviz.words import _, in_this_language


def downloads(page: str | bytes, name: str, engine_names: tuple[str, ...], report: Report) -> None:
    """Draw a button for each report, and for each corrected page where there is one.

    Every file is made on request, from what is verified again or still kept, so that a session
    holds no report.

    Args:
        page: its text.
        name: of its file.
        engine_names: the engines that ran its examples.
        report: on the page.
    """
    reports: list[tuple[str, str, str, Callable[[Report], str]]] = [
        (_("HTML with pictures"), "html", "text/html", _html),
        ("Markdown", "md", "text/markdown", as_markdown),
        (_("Plain text"), "txt", "text/plain", lambda report: "\n".join(as_lines(report))),
        ("JSON", "json", "application/json", _json),
        ("SARIF", "sarif", "application/json", lambda report: FORMATS["sarif"]([report])),
        (_("JUnit XML"), "xml", "application/xml", lambda report: FORMATS["junit"]([report])),
    ]

    def text(make: Callable[[Report], str]) -> str:
        return make(verified_page(page, name, engine_names).report)

    def fixed(values: bool) -> str:
        current = verified_page(page, name, engine_names).report
        return corrected(text_of(page), current, engine_names, values=values) or ""

    st.markdown(_("The same reports as `dmlviz verify` writes:"))
    with st.container(horizontal=True, gap="small"):
        for title, ending, mime, make in reports:
            _button(title, f"verified.{ending}", mime, ending, partial(text, make))
    file = PurePosixPath(name)
    fixes = _fixes(page, name, engine_names, report)
    if True in fixes:
        st.markdown(_("The page with what can be fixed for certain:"))
    for values, there, title in zip(
        (False, True),
        fixes,
        (_("Commas and labels"), _("Commas, labels and the engine's values")),
        strict=True,
    ):
        if there:
            key = "values" if values else "fixed"
            fixed_file = f"{file.stem}-{key}{file.suffix}"
            _button(title, fixed_file, "text/plain", key, partial(fixed, values))


def _button(title: str, file: str, mime: str, key: str, make: Callable[[], str]) -> None:
    st.download_button(
        title,
        in_this_language(make),
        file_name=file,
        mime=mime,
        icon=":material/download:",
        key=f"verify_save_{key}",
        on_click="ignore",
    )


def _json(report: Report) -> str:
    data = {"documents": [document_data(report)]}
    return json.dumps(data, ensure_ascii=False, indent=2)


@cached(megabytes=1, words=False, heavy=True, key=lambda *arguments: arguments[:-1])
def _fixes(
    page: str | bytes, name: str, engine_names: tuple[str, ...], report: Report
) -> tuple[bool, bool]:
    """Whether the page has fixes that hold, and others with the engine's values."""
    differs = any(verdict.status == MISMATCH for verdict in report.verdicts)
    text = text_of(page)
    return (
        corrected(text, report, engine_names) is not None,
        differs and corrected(text, report, engine_names, values=True) is not None,
    )


# nothing is kept; as a heavy result it waits until few others are being made
@cached(megabytes=0, key=id, heavy=True)
def _html(report: Report) -> str:
    pages = ReportPages()
    pages.add(report)
    return html_report(pages, checked_lines([report]))
