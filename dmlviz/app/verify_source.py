"""Where the page to verify comes from: a built-in page, pasted text or a file."""

from __future__ import annotations

import streamlit as st

from dmlviz.app.engines import statuses
from dmlviz.app.state import KEEP
from dmlviz.verify import PAGE_LIMIT, RECORDED, available, built_in
from dmlviz.words import _

# fmt: off
_TYPES = ["md", "markdown", "mdx", "txt", "html", "htm", "rst", "adoc", "asciidoc", "ipynb"]
# fmt: on
_PASTED = "page.md"


def source_widgets() -> None:
    """Draw the ways to give a page, and the engines."""
    ways = {"built-in": _("Built-in page"), "paste": _("Paste"), "upload": _("Upload")}
    way = st.segmented_control(
        _("Where the page comes from"),
        list(ways),
        key="verify_way",
        default="built-in",
        required=True,
        format_func=lambda key: ways[key],
        label_visibility="collapsed",
        persist_state=KEEP,
    )
    if way == "built-in":
        _built_in()
    elif way == "upload":
        st.file_uploader(
            _("A page, up to 1 MB"),
            type=_TYPES,
            key="verify_file",
            max_upload_size=1,
            label_visibility="collapsed",
        )
    titles = engine_titles()
    with st.popover(_("Engines"), type="tertiary", width="content"):
        st.pills(
            _("Engines"),
            available(),
            selection_mode="multi",
            default=available(),
            key="verify_engines",
            format_func=lambda name: titles[name],
            help=_("Each example runs on each of these engines; some have recorded answers."),
        )
    if way == "paste":
        _text()


def chosen_page() -> tuple[str | bytes, str] | None:
    """The text and the file name of the page that the widgets give; None while there is none."""
    state = st.session_state
    way = state.get("verify_way")
    if way == "paste":
        text = state.get("verify_text") or ""
        return (text, _PASTED) if text.strip() else None
    if way == "upload":
        file = state.get("verify_file")
        return (file.getvalue(), file.name) if file is not None else None
    pages = {page.key: page for page in built_in()}
    key = state.get("verify_built_in")
    return (pages[key].text, f"{key}.md") if key in pages else None


def engines_chosen() -> tuple[str, ...]:
    """The engines that run the examples; NumPy alone where none is chosen."""
    return tuple(st.session_state.get("verify_engines") or ()) or ("numpy",)


def engine_titles() -> dict[str, str]:
    """Engines' names for people."""
    titles = {engine.name: engine.title for engine in statuses()}
    return {**titles, RECORDED: _("DirectML, recorded")}


def _built_in() -> None:
    pages = {page.key: page.title for page in built_in()}
    st.selectbox(
        _("Page"),
        list(pages),
        key="verify_built_in",
        format_func=lambda key: pages[key],
        label_visibility="collapsed",
        persist_state=KEEP,
    )


def _text() -> None:
    # small once it is filled in: the page itself is shown below, with what was found on it
    filled = bool((st.session_state.get("verify_text") or "").strip())
    st.text_area(
        _("The page's text"),
        key="verify_text",
        height=68 if filled else 220,
        max_chars=PAGE_LIMIT,
        placeholder=_(
            "A whole documentation page, in Markdown or as copied from the browser, in any "
            "language; or one example"
        ),
        label_visibility="collapsed",
        persist_state=KEEP,
    )
