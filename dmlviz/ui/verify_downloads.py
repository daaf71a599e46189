"""What can be saved of a page that was verified: reports, and the page with its fixes."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import PurePosixPath

import streamlit as st

from dmlviz.kept import kept
from dmlviz.ui.verify_check import Check, check, text_of
from dmlviz.verify import FORMATS, as_lines, as_markdown
from dmlviz.verify.fixes import corrected
from dmlviz.verify.formats import document_data
from dmlviz.verify.html_page import html_report
from dmlviz.verify.shown import Collected
from dmlviz.verify.summary import checked_lines
from dmlviz.verify.verifier import MISMATCH
from dmlviz.words import _, in_this_language


def downloads(page: str | bytes, name: str, engine_names: tuple[str, ...], found: Check) -> None:
    """Draw a button for each report, and for each corrected page where there is one.

    Every file is made on request, from what is verified again or still kept, so that a session
    holds no report.

    Args:
        page: its text.
        name: of its file.
        engine_names: the engines that ran its examples.
        found: what was found.
    """
    reports: list[tuple[str, str, str, Callable[[Check], str]]] = [
        (_("HTML with pictures"), "html", "text/html", _html),
        ("Markdown", "md", "text/markdown", lambda found: as_markdown(found.report)),
        (_("Plain text"), "txt", "text/plain", lambda found: "\n".join(as_lines(found.report))),
        ("JSON", "json", "application/json", _json),
        ("SARIF", "sarif", "application/json", lambda found: FORMATS["sarif"]([found.page])),
        (_("JUnit XML"), "xml", "application/xml", lambda found: FORMATS["junit"]([found.page])),
    ]

    def report(make: Callable[[Check], str]) -> str:
        return make(check(page, name, engine_names))

    def fixed(values: bool) -> str:
        held = check(page, name, engine_names)
        return corrected(text_of(page), held.report, engine_names, values=values) or ""

    st.markdown(_("The same reports as `dmlviz verify` writes:"))
    with st.container(horizontal=True, gap="small"):
        for title, ending, mime, make in reports:
            _button(title, f"verified.{ending}", mime, ending, partial(report, make))
    file = PurePosixPath(name)
    fixes = _fixes(page, name, engine_names, found)
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


def _json(found: Check) -> str:
    told = {"documents": [document_data(found.report, found.page)]}
    return json.dumps(told, ensure_ascii=False, indent=2)


@kept(megabytes=1, words=False, heavy=True, key=lambda *asked: asked[:-1])
def _fixes(
    page: str | bytes, name: str, engine_names: tuple[str, ...], found: Check
) -> tuple[bool, bool]:
    """Whether the page has fixes that hold, and others with the engine's values."""
    differs = any(verdict.status == MISMATCH for verdict in found.report.verdicts)
    text = text_of(page)
    return (
        corrected(text, found.report, engine_names) is not None,
        differs and corrected(text, found.report, engine_names, values=True) is not None,
    )


# nothing is kept; as a heavy result it waits until few others are being made
@kept(megabytes=0, key=id, heavy=True)
def _html(found: Check) -> str:
    collected = Collected()
    collected.add(found.report, found.page)
    return html_report(collected, checked_lines([found.page]))
