"""Verify a page: its text with the problems at its lines, beside the pictures of an example."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from dmlviz.app.address import open_link
from dmlviz.app.engines import statuses
from dmlviz.app.page import KEEP
from dmlviz.app.page_text import page_text, show_in_text, text_data
from dmlviz.app.parts import fragment
from dmlviz.app.stage import picture, show
from dmlviz.app.text import plain
from dmlviz.app.theme import is_dark
from dmlviz.app.typed_text import kept_text
from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _, in_this_language, ngettext
from dmlviz.code import run_chain
from dmlviz.code.operator import CodeOperator
from dmlviz.engines.trace import Trace
from dmlviz.movement import VALUES
from dmlviz.picture.coloring import value_range
from dmlviz.picture.figure import tensor_figure
from dmlviz.picture.scene import STAGE_LIMIT, Scene
from dmlviz.states.links import link
from dmlviz.tensors import print_sizes, print_value
from dmlviz.tensors.numbering import print_cell, print_element
from dmlviz.tensors.types import Array
from dmlviz.verify import (
    FORMATS,
    RECORDED,
    TYPED_LIMIT,
    Report,
    Verdict,
    as_lines,
    as_markdown,
    available,
    built_in,
    check,
    read_document,
)
from dmlviz.verify.findings import at_line
from dmlviz.verify.fixes import corrected
from dmlviz.verify.formats import document_data
from dmlviz.verify.html_page import ReportPages, html_report
from dmlviz.verify.printing import checked_lines, engine_gives, picture_words, unchecked_lines
from dmlviz.verify.reader import CheckedCount
from dmlviz.verify.report import ERROR, PageMark, marks
from dmlviz.verify.text import text_of
from dmlviz.verify.verifier import (
    MATCH,
    MISMATCH,
    REFUSED,
    SKIPPED,
    wrong_elements,
    wrong_numbers,
)


@dataclass(frozen=True, eq=False)
class VerifiedPage:
    """A page, verified.

    Attributes:
        report: its examples and what became of them.
        marks: what is said at its lines.
        text_data: the page's text and its marks as the browser takes them.
    """

    report: Report
    marks: tuple[PageMark, ...]
    text_data: str


# two of the largest allowed pages, or hundreds of usual ones
@cached(megabytes=63, heavy=True)
def verified_page(page: str | bytes, name: str, engine_names: tuple[str, ...]) -> VerifiedPage:
    """Read a page and run its examples.

    Args:
        page: at most 4,194,304 bytes.
        name: of its file.
        engine_names: engines that are available here.
    """
    text = text_of(page)
    report = check(read_document(page, name), text, engine_names, required=[name])
    page_marks = marks(report)
    return VerifiedPage(report, page_marks, text_data(text, report, page_marks))


_ICONS = {
    MATCH: ":material/check_circle:",
    MISMATCH: ":material/error:",
    SKIPPED: ":material/skip_next:",
    REFUSED: ":material/block:",
}
_UNREADABLE_ICON = ":material/help:"
_SIGNS = {MATCH: "✓", SKIPPED: "↷"}
_CHOSEN, _ONLY, _OF = "verify_example", "verify_only", "verify_examples_of"
# fmt: off
_TYPES = ["md", "markdown", "mdx", "txt", "html", "htm", "rst", "adoc", "asciidoc", "ipynb"]
# fmt: on
_PASTED = "page.md"
COMPARED, MOVEMENT = "compared", "movement"
_CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False}


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


@fragment()
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
    runs = [[v for v in each if v.status != SKIPPED] for each in _by_example(verified).values()]
    count = sum(bool(each) for each in runs)
    matching = sum(bool(each) and all(v.status == MATCH for v in each) for each in runs)
    titles = engine_titles()
    ran = dict.fromkeys(titles[v.engine] for v in report.verdicts if v.status != SKIPPED)
    message = ngettext(
        "**{structure}**: {matching} of {n} example matches.",
        "**{structure}**: {matching} of {n} examples match.",
        count,
    ).format(structure=_subject(verified), matching=matching, n=count)
    # where all match, which engines ran is said with each example, and the picture is higher up
    message += f" ({'; '.join(ran)})" if matching < count else ""
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
    session = st.session_state
    way = session.get("verify_way")
    if way == "paste":
        text = session.get("verify_text") or ""
        return (text, _PASTED) if text.strip() else None
    if way == "upload":
        file = session.get("verify_file")
        return (file.getvalue(), file.name) if file is not None else None
    pages = {page.key: page for page in built_in()}
    key = session.get("verify_built_in")
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
        key=kept_text("verify_text"),
        height=68 if filled else 220,
        max_chars=TYPED_LIMIT,
        placeholder=_(
            "A whole documentation page, in Markdown or as copied from the browser, in any "
            "language; or one example"
        ),
        label_visibility="collapsed",
        persist_state=KEEP,
    )
    if not filled:
        with st.container(
            key="verify_begin", horizontal=True, vertical_alignment="center", gap="small"
        ):
            # to press anything sends the text
            st.button(_("Verify"), key="verify_go", type="primary", icon=":material/fact_check:")
            st.button(_("Try an example"), key="verify_try", on_click=_paste_example)
            st.caption(_("Ctrl+Enter verifies the text."))


def _paste_example() -> None:
    st.session_state["verify_text"] = built_in()[0].text


def view_of(verdict: Verdict) -> str:
    """Draw the choice of what is shown of an example; empty where nothing can be.

    Where page and engine differ they are compared first, and elsewhere the elements move; the
    reader's choice holds for all examples of the kind.
    """
    if not _can_be_drawn(verdict):
        return ""
    differs = bool(verdict.differing_count)
    ways = {COMPARED: _("Page and engine"), MOVEMENT: _("The movement")}
    return str(
        st.segmented_control(
            _("What is shown of the example"),
            list(ways),
            key=f"verify_view_{'differs' if differs else 'same'}",
            default=COMPARED if differs else MOVEMENT,
            required=True,
            format_func=lambda key: ways[key],
            label_visibility="collapsed",
            persist_state=KEEP,
        )
    )


def show_verdict(verdict: Verdict, way: str) -> None:
    """Draw what the page says beside what the engine gives, or the movement.

    Args:
        verdict: of an example that can be drawn.
        way: from :func:`view_of`.
    """
    expected, actual = verdict.example.outputs, verdict.outputs
    most = max(sum(array.size for array in side.values()) for side in (expected, actual))
    if most > STAGE_LIMIT:
        st.caption(
            _("{n} elements are too many to draw; the limit is {most}.").format(
                n=f"{most:,}", most=f"{STAGE_LIMIT:,}"
            )
        )
        return
    drawn = _drawn(verdict) if way == MOVEMENT or verdict.first_difference else None
    if drawn is not None and (source := source_of_difference(verdict, drawn.trace)):
        st.caption(plain(source))
    if way == MOVEMENT:
        if drawn is not None:
            _movement(verdict, drawn)
        return
    for name, array in actual.items():
        # an output that the page does not have is not compared
        if name in expected:
            wrong = wrong_elements(expected[name], array).tolist()
            title = f"{name}: " if len(actual) > 1 else ""
            _side_by_side(verdict.engine, title, expected[name], array, wrong, f"verify-{title}")


def explorer_link(verdict: Verdict) -> None:
    """Draw the link to the example in its explorer, where an address can hold it."""
    operator, inputs = verdict.example.operator, verdict.example.inputs
    if operator is None:
        return
    try:
        if isinstance(operator, CodeOperator):
            address = link(run_chain(operator.chain, inputs))
        else:
            address = link(operator, inputs)
    except Error:
        return
    open_link(address, _("Open this example in its explorer"))


def _can_be_drawn(verdict: Verdict) -> bool:
    example = verdict.example
    return bool(example.operator and example.outputs and verdict.outputs)


def _side_by_side(
    engine: str, name: str, expected: Array, actual: Array, differing: list[int], key: str
) -> None:
    scale = value_range(expected, actual)
    same_sizes = expected.shape == actual.shape
    sides = (
        (name + _("The page says"), expected, actual, f"{key}-page"),
        (name + engine_gives(engine), actual, expected, f"{key}-run"),
    )
    for column, (title, mine, theirs, place) in zip(
        st.columns(2, gap="medium"), sides, strict=True
    ):
        marked = differing if same_sizes or mine is actual else []
        other = {i: print_value(theirs.flat[i]) for i in marked} if same_sizes else {}
        with column:
            st.markdown(f"**{plain(title)}** \u2002 {print_sizes(mine.shape)}")
            st.plotly_chart(
                tensor_figure(mine, set(marked), scale=scale, other=other, dark=is_dark()),
                theme=None,
                key=place,
                config=_CONFIG,
                alt=picture_words(title, mine, len(marked)),
            )


def _drawn(verdict: Verdict) -> Scene | None:
    """The picture of the engine's run; None, with the reason on the page, where there is none."""
    operator = verdict.example.operator
    assert operator is not None
    try:
        return picture(operator, verdict.example.inputs, engine=verdict.engine_of_movement)
    except Error as error:
        st.caption(str(error))
        return None


def source_of_difference(verdict: Verdict, trace: Trace) -> str:
    """Where the engine's value of the first difference comes from; empty if none is to be said.

    Args:
        verdict: of the example.
        trace: the engine's run.
    """
    first = verdict.first_difference
    if first is None or not first.actual or trace.operator.index_slots():
        return ""
    source = int(trace.sources[first.tensor][first.index])
    role = trace.operator.role
    values = {name: x for name, x in trace.inputs.items() if role(name) == VALUES}
    text = _("{cell} = {value}: the engine copies it from {source}.")
    if source < 0:
        text = _("{cell} = {value}: no input element is its source.")
    return text.format(
        cell=print_element(first.tensor if len(trace.outputs) > 1 else "out", first.index),
        value=first.actual,
        source="" if source < 0 else print_cell(source, values, "in"),
    )


def _movement(verdict: Verdict, drawn: Scene) -> None:
    """Draw the movement at its end, with the first element that differs pinned."""
    wrong = wrong_numbers(verdict)
    look = {"colors": "value", "moves": "steps", "step": len(drawn.steps), "pinned": wrong[:1]}
    opening = {
        "page": "verify",
        "opened": zlib.crc32(repr((drawn.digest, wrong[:1])).encode()),
        "writes": False,
        "shares": False,
        "pins": True,
        "view": look if wrong else look | {"step": 0},
    }
    show(drawn, key="verify-stage", differing=wrong, link=opening)
