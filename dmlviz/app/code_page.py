"""The page for code: a line of NumPy, PyTorch or einops, and where its elements go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, cast

import streamlit as st

from dmlviz.app.address import tell
from dmlviz.app.form_widgets import draw, place_of, tensor_row, view_widgets
from dmlviz.app.fragments import below, head, question_answered, question_of_page, stage
from dmlviz.app.opening import opened
from dmlviz.app.outcome import PageOutcome
from dmlviz.app.page import KEEP, Page
from dmlviz.app.parts import telling_errors
from dmlviz.app.problems import Notices
from dmlviz.app.received import number_answer
from dmlviz.app.redrawing import redraw, remember
from dmlviz.app.result import show_each
from dmlviz.app.share import ADDRESSED
from dmlviz.app.text import plain
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _, in_one_language
from dmlviz.code import Model, ModelPart, read_model
from dmlviz.code.address import VALUES_LIMIT
from dmlviz.code.code_parts import CodePart, computing_lines
from dmlviz.code.comparing import comparison_lines, result_words
from dmlviz.code.model_groups import grouped, print_stated, read_typed_sizes, typed_sizes
from dmlviz.code.refusals import marked_line
from dmlviz.picture.files import joined
from dmlviz.picture.svg import svg_file
from dmlviz.states.code import CODE, CodeState, state_of_part
from dmlviz.states.code_form import second_code_field
from dmlviz.states.code_small import small_code
from dmlviz.states.controls import FormField
from dmlviz.states.model_picture import model_picture
from dmlviz.states.view import LIMITS
from dmlviz.tensors import print_sizes
from dmlviz.tensors.numbering import differing_elements

_LIBRARY, _LIBRARY_OF_TWO, _SIZES = 176, 148, 120
"""The widths of the choice of the library, alone and beside B, and of the sizes of a tensor,
in pixels."""
_LEAST = 168
"""The least height of the stage, in pixels: code and its strip are to be in view with it."""
_LINE = 22
_LINES = 8
"""The height of a line of code in pixels, and how many are seen at most."""
_SHORTCUTS = ("formula", "files")
_SECTIONS = ("engines", "files", "formula", "same", "table")

_COMPARING = "comparing"
"""The switch that opens and empties the box of B."""

_SAMPLE = "x.reshape(2, 3, 4).permute(0, 2, 1)"


def code_page() -> None:
    """Draw the page, or only the stage if it is embedded or presented."""
    shown = opened(CODE)
    if shown is None:
        return
    page, outcome = shown
    sentence = _("Paste code: it is read, not run.")
    with head(page, _("Your own code"), sentence):
        _compare_switch(page)
    question_of_page(page, _("Your own code"), _SHORTCUTS)
    tell(page.link_problems())
    notices = Notices()
    _code_row(page, notices)
    outcome = _sidebar(page, notices, outcome)
    number_answer(page)
    remember(page, outcome)
    st.session_state[ADDRESSED] = outcome.addressed is not None
    if outcome.addressed is not None:
        page.address.follow(outcome.addressed, outcome.parameters)
    if not page.form.rows()[CODE].values[0].strip():
        st.info(_("Type or paste a line of code."), icon=":material/edit:")
        return
    # the stage stands still in the page, whatever is said above it
    with st.container(key="refusals"):
        _fitted(page)
        for problem in (*_refusals(outcome.problems), *outcome.second_problems):
            _refusal(page, problem)
        if _refusals(outcome.problems) and not page.state.compares:
            _parts_around(page)
    stage(page, least=_LEAST)
    if outcome.drawn is None:
        _waiting(page, outcome)
        return
    _small_button(page)
    with st.container(key="below"):
        below(page, _SECTIONS, lambda outcome: _comparison(page, outcome))


def _refusals(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Those of a code, which stand beside the stage."""
    return tuple(one for one in problems if one.field == CODE)


def _fitted(page: Page) -> None:
    """Draw which sizes changed with the code."""
    for before, now in page.form.followers():
        name, _dot, part = now.name.rpartition(".")
        if part == "sizes":
            sentence = _("Sizes of {name}: {before} before, {after} now, to fit the code.")
            sizes = (f"{{{row.values[0]}}}" for row in (before, now))
            names = dict(zip(("before", "after"), sizes, strict=True))
            st.info(sentence.format(name=plain(name), **names), icon=":material/straighten:")


def _waiting(page: Page, outcome: PageOutcome) -> None:
    """Draw why the picture is another's or none, over the controls of the last one."""
    sentences = []
    if "last_drawn" in page.kept:
        sentences.append(_("This picture is of your last valid code and sizes."))
    if not _refusals(outcome.problems):
        sentences.append(_("Correct the sizes or the values to see the picture."))
    if sentences:
        with st.container(key="waiting"):
            st.info(" ".join(sentences), icon=":material/edit:")


def _code_row(page: Page, notices: Notices) -> None:
    """Draw the code, its library and the sizes of its tensors, then B."""
    rows, both = page.form.rows(), page.state.compares
    beside = [row for row in rows.values() if row.is_sizes or row.is_number]
    with st.container(key="coderow", horizontal=True, vertical_alignment="bottom"):
        _code_field(page, rows[CODE], "", _("Code A") if both else _("Code"))
        _library_widget(page, rows["library"], "")
        for row in beside:
            with st.container(key=f"codesizes-{row.tensor.replace('.', '-')}", width=_SIZES):
                draw(page, replace(row, label=plain(row.called), help=""))
        if "middle" in rows:
            with st.container(key="codemiddle", width=_SIZES):
                draw(page, rows["middle"])
            beside.append(rows["middle"])
        if both:
            _code_field(page, rows["compare"], "b_", _("Code B"))
            _library_widget(page, rows["b_library"], "b_")
    for row in beside:
        place_of(row, notices)


def _code_field(page: Page, row: FormField, prefix: str, label: str) -> None:
    """Draw the box for a code, as high as its lines."""
    lines = row.values[0].count("\n") + 1
    with st.container(key=f"codefield{prefix}"):
        draw(
            page,
            replace(row, label=label, help=""),
            height=max(68, _LINE * min(_LINES, lines + 1)),
            placeholder=_SAMPLE,
            label_visibility="visible" if page.state.compares else "collapsed",
            on_change=_code_changed,
        )


def _library_widget(page: Page, row: FormField, prefix: str) -> None:
    """Draw the choice of a code's library."""
    width = _LIBRARY_OF_TWO if page.state.compares else _LIBRARY
    with st.container(key=f"codelibrary{prefix}", width=width):
        draw(page, row, on_change=_code_changed)


def _compare_switch(page: Page) -> None:
    """Draw the switch for the box of B, which is empty while nothing is compared."""
    if page.get(_COMPARING) != page.state.compares:
        page.set(_COMPARING, page.state.compares)
    st.toggle(
        _("Compare"),
        key=page.widget_key(_COMPARING),
        help=second_code_field().help,
        on_change=page.take_change,
        args=(_COMPARING, _comparing_changed),
        persist_state=KEEP,
    )


def _small_button(page: Page) -> None:
    """Draw the way to the same code with small numbers, if there are some with which it is read."""
    small = small_code(page.state)
    if small is not None:
        st.button(
            _("The same code with small numbers"),
            icon=":material/zoom_in_map:",
            key=page.widget_key("small"),
            help=", ".join(f"{n} {print_sizes(of)}" for n, of in small.tensors.sizes.items() if of),
            on_click=page.take,
            args=(small,),
        )


@in_one_language
def _comparing_changed(page: Page) -> None:
    """B begins as A."""
    code = page.form.rows()[CODE].values[0]
    page.change("compare", code if page.get(_COMPARING) else "")
    _redraw(page)


@in_one_language
def _code_changed(page: Page, name: str) -> None:
    page.take_widget(name)
    _redraw(page, name)


def _redraw(page: Page, own: str = "") -> None:
    """Run what shows something else; what was wrong with the link no longer matters."""
    if page.address.history.messages:
        page.address.change(messages=())
        st.rerun()
    redraw(page, own)


def _sidebar(page: Page, notices: Notices, outcome: PageOutcome) -> PageOutcome:
    """Draw the sidebar; return what all widgets describe."""
    rows = page.form.rows()
    with st.sidebar:
        if "data_type" in rows:
            draw(page, rows["data_type"], notices)
        for name, described in page.state.tensors.items():
            if described.is_number:
                continue
            st.subheader(plain(name), anchor=False)
            for row in rows.values():
                if row.tensor == name and not row.is_sizes:
                    tensor_row(page, row, notices)
        with st.expander(_("Engine"), icon=":material/tune:"):
            view_widgets(page, LIMITS, notices)
        model_parts(page, page.take)
    refusals = _refusals(outcome.problems)
    notices.add([problem for problem in outcome.problems if problem not in refusals])
    if notices.clear:
        return outcome
    # a grid is read when it is drawn
    return replace(outcome, addressed=None, drawn=None, problems=notices.all)


def _refusal(page: Page, problem: Problem) -> None:
    """Why code is refused, with its line and a mark under the place."""
    place, letter = problem.place, ""
    if page.state.compares:
        letter = "A" if problem.field == CODE else "B"
    with st.container(key=f"refusal{letter}"):
        sentence = problem.message
        if place is not None:
            sentence = _("Line {line}, column {column}: {message}").format(
                line=place.line, column=place.column, message=sentence
            )
        if letter:
            sentence = _("{run}: {told}").format(run=letter, told=sentence)
        st.error(plain(sentence), icon=":material/error:")
        if place is not None:
            row = page.form.rows()[problem.field]
            st.code(marked_line(row.values[0], place), language=None)


def _parts_around(page: Page) -> None:
    """Draw the calls that compute, and what moves around them as code to open."""
    with telling_errors():
        around = cast(CodeState, page.state).around()
        every = [(part, state_of_part(part)) for part in around.parts]
        parts = [(_around_title(part), one) for part, one in every if one is not None]
        if not parts:
            return
        st.radio(
            _("Parts that only move elements"),
            range(len(parts)),
            index=None,
            key=page.widget_key("code_part"),
            format_func=lambda number: parts[number][0],
            on_change=lambda: _open_part(page, [one for _title, one in parts]),
        )
        st.caption("  \n".join(map(plain, computing_lines(around.computing))))


def _around_title(part: CodePart) -> str:
    # a span of code, in which nothing is markup
    span = part.text.replace("\n", "; ")[:120].replace("`", "'")
    return f"{plain(_sizes(part))} `{span}`"


def _open_part(page: Page, parts: list[CodeState]) -> None:
    number = page.get("code_part")
    if isinstance(number, int) and number < len(parts):
        page.take(parts[number])


def _comparison(page: Page, outcome: PageOutcome) -> None:
    """Draw what the two codes have in common, and what makes B of A; it waits for the answer."""
    if not question_answered(page, outcome):
        return
    state, a, b = outcome.addressed, outcome.drawn, outcome.other
    if not isinstance(state, CodeState) or a is None or b is None:
        return
    both = state.comparison()
    if both is None or both.same:
        return
    lines = comparison_lines(both)
    if both.difference is not None and not differing_elements(a.trace.outputs, b.trace.outputs):
        lines.insert(
            0,
            _("But {n} elements come from another place: the values are equal by chance.").format(
                n=both.difference.count
            ),
        )
    st.markdown("  \n".join(lines))
    if both.second_of_first:
        st.markdown(f"**{result_words(both)}**")
        # one of each kind is enough to see what differs
        show_each(list({one.kind: one for one in both.second_of_first[::-1]}.values())[::-1])


# ---- the parts of an ONNX model that only move elements, as code to open

MEGABYTES = 1
"""The limit of a graph without its weights."""

_LISTED = 64
"""How many parts are listed."""

_REASONS = 6
"""How many reasons why nodes are in no part are listed."""


@dataclass(frozen=True)
class _Read:
    """What was read of a file; nothing of its values remains.

    Attributes:
        parts: for each part its title as Markdown and what the page opens; named ones first.
        lines: how much was read, and why the other nodes are in no part.
        picture: the graph as SVG; empty if it has too many blocks.
    """

    parts: tuple[tuple[str, CodeState], ...]
    lines: tuple[str, ...]
    picture: str


def model_parts(page: Page, begin: Callable[[CodeState], None]) -> None:
    """Draw the upload, the list of parts, and why the other nodes are in none.

    Args:
        page: of code.
        begin: opens a part; called in a callback.
    """
    with st.expander(_("ONNX model"), icon=":material/account_tree:"):
        sizes = st.text_input(
            _("Sizes that the file leaves open"),
            key=page.widget_key("model_sizes"),
            placeholder="x:1,3,32,32",
            max_chars=400,
            persist_state=KEEP,
        )
        with st.container(key="modelfile"):
            file = st.file_uploader(
                _("An ONNX model"),
                type=["onnx"],
                key=page.widget_key("model_file"),
                max_upload_size=MEGABYTES,
                label_visibility="collapsed",
            )
            shorten = st.components.v2.component(
                "dmlviz_model_upload", js=_model_script(), isolate_styles=False
            )
            shorten(key="model_upload", data={})
        if file is not None:
            with telling_errors():
                _draw(page, _read(page, file, sizes), begin)
        st.caption(
            _(
                "The file can have any size: only its graph leaves your browser, never the "
                "weights. It is not stored, and no link has it. The part that you choose becomes "
                "code, which a link has."
            )
        )


@cache
def _model_script() -> str:
    return joined(Path(__file__).with_name(name) for name in ("onnx_graph.js", "model_upload.js"))


def _draw(page: Page, read: _Read, begin: Callable[[CodeState], None]) -> None:
    if read.parts:
        st.radio(
            _("Parts that only move elements"),
            range(min(len(read.parts), _LISTED)),
            index=None,
            key=page.widget_key("model_part"),
            format_func=lambda number: read.parts[number][0],
            on_change=lambda: _choose(page, read, begin),
        )
    st.caption("  \n".join(map(plain, read.lines)))
    graph = _("Show the graph")
    if read.picture and st.button(
        graph, icon=":material/schema:", key=page.widget_key("model_graph")
    ):
        dialog = st.dialog(_("The graph of a model"), icon=":material/account_tree:", width="large")
        dialog(st.image)(read.picture, alt=_("The graph of a model"))


def _choose(page: Page, read: _Read, begin: Callable[[CodeState], None]) -> None:
    number = page.get("model_part")
    if isinstance(number, int):
        begin(read.parts[number][1])


def _read(page: Page, file: Any, sizes: str) -> _Read:
    """What is in the file, read once for these sizes."""
    name = (file.file_id, sizes)
    before = page.kept.get("model_read")
    if before is not None and before[0] == name:
        read: _Read = before[1]
        return read
    read = _parts_in(read_model(file.getvalue(), read_typed_sizes("sizes", sizes)))
    page.kept["model_read"] = (name, read)
    return read


def _parts_in(model: Model) -> _Read:
    listed: list[tuple[str, CodeState]] = []
    left_out = of_numbers = 0
    groups = grouped(model.parts)
    for group in groups:
        if () in group.first.tensors.values():
            of_numbers += len(group.parts)
            continue
        state = state_of_part(group.first)
        if state is None:
            left_out += len(group.parts)
            continue
        # a span of code, in which nothing is markup, and -> stays as it is
        span = group.title[:120].replace("`", "'")
        count = f" × {len(group.parts)}" if len(group.parts) > 1 else ""
        listed.append((f"{plain(_sizes(group.first))} `{span}`{count}", state))
    lines = [
        _(
            "{nodes} nodes, {folded} of them calculated from constants; {parts} parts only move."
        ).format(nodes=f"{model.nodes:,}", folded=f"{model.folded:,}", parts=len(model.parts))
    ]
    lines += _open_lines(model)
    if left_out:
        lines.append(
            _(
                "Not listed: {count} of these parts. Their indices are more than {most} numbers, "
                "which fit in no link. The command dmlviz code shows them."
            ).format(count=left_out, most=f"{VALUES_LIMIT:,}")
        )
    if of_numbers:
        lines.append(
            _(
                "Not listed: {count} of these parts. They take a single number, a tensor without "
                "dimensions. The command dmlviz code shows them."
            ).format(count=of_numbers)
        )
    reasons = Counter((refusal.op_type, refusal.message) for refusal in model.refused)
    lines += [
        f"{op_type} ({count:,}): {message}"
        for (op_type, message), count in reasons.most_common(_REASONS)
    ]
    picture = ""
    with suppress(Error):
        picture = svg_file(model_picture(model, groups))
    return _Read(tuple(listed), tuple(lines), picture)


def _open_lines(model: Model) -> list[str]:
    """Which sizes the file leaves open, and what was chosen, as it is typed."""
    lines = []
    if model.open_inputs:
        inputs = (f"{name} {print_stated(of)}" for name, of in model.open_inputs.items())
        lines.append(
            _("Sizes that the file leaves open: {inputs}").format(inputs=", ".join(inputs))
        )
    if model.chosen_sizes:
        typed = (f"{name}:{sizes}" for name, sizes in typed_sizes(model.chosen_sizes).items())
        words = _("Chosen; give others in the same way: {arguments}")
        lines.append(words.format(arguments=";".join(typed)))
    return lines


def _sizes(part: CodePart | ModelPart) -> str:
    sides = (part.input_sizes, part.output_sizes)
    return " → ".join(", ".join(map(print_sizes, side.values())) for side in sides)
