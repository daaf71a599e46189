"""The page for code: a line of NumPy, PyTorch or einops, and where its elements go."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dmlviz.app.address import presenting, tell
from dmlviz.app.described import PageDescription, describe
from dmlviz.app.embedded import embedded
from dmlviz.app.engines import correct_engine
from dmlviz.app.form_widgets import draw, input_row, place_of, view_widgets
from dmlviz.app.fragments import below, head, question_answered, question_of_page, stage
from dmlviz.app.grid import take_edits
from dmlviz.app.model_parts import model_parts
from dmlviz.app.present import present
from dmlviz.app.problems import Notices
from dmlviz.app.received import keep_sent, number_answer
from dmlviz.app.redrawing import changed, remember
from dmlviz.app.same import show_each
from dmlviz.app.share import ADDRESSED
from dmlviz.app.state import KEEP, PageState
from dmlviz.app.text import plain
from dmlviz.base.errors import Problem
from dmlviz.base.words import _, in_one_language
from dmlviz.code.comparing import comparison_lines
from dmlviz.code.operator import CodeOperator
from dmlviz.code.refusals import marked_line
from dmlviz.code.source import TEXT_LIMIT
from dmlviz.states.code import CODE
from dmlviz.states.code_form import second_code_field
from dmlviz.states.controls import FormField
from dmlviz.states.view import LIMITS
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

_SAMPLE = "x.reshape(2, 3, 4).permute(0, 2, 1)"


def code_page() -> None:
    """Draw the page, or only the stage if it is embedded or presented."""
    page = PageState(CodeOperator)
    if presenting():
        present(page)
        return
    if st.context.is_embedded:
        embedded(page)
        return
    keep_sent(page.cls.key)
    page.begin()
    correct_engine(page)
    take_edits(page)
    described = describe(page)
    remember(page, described)
    sentence = _("Paste NumPy, PyTorch, TensorFlow, JAX or einops: it is read, not run.")
    with head(page, _("Your own code"), sentence):
        st.toggle(
            _("Compare"),
            key=page.key("compare"),
            help=second_code_field().help,
            on_change=page.take_change,
            args=("compare", _compare_changed),
            persist_state=KEEP,
        )
    question_of_page(page, _("Your own code"), _SHORTCUTS)
    tell(page.link_problems())
    notices = Notices()
    _code_row(page, notices)
    described = _sidebar(page, notices, described)
    number_answer(page.cls.key)
    remember(page, described)
    st.session_state[ADDRESSED] = described.state is not None
    if described.state is not None:
        page.address.follow(described.state)
    if not page.held.rows()[CODE].values[0].strip():
        st.info(_("Type or paste a line of code."), icon=":material/edit:")
        return
    # the stage stands still in the page, whatever is said above it
    with st.container(key="refusals"):
        _fitted(page)
        for problem in (*_refusals(described.problems), *described.second_problems):
            _refusal(page, problem)
    stage(page, least=_LEAST)
    if described.drawn is None:
        _waiting(page, described)
        return
    with st.container(key="below"):
        below(page, _SECTIONS, lambda described: _comparison(page, described))


def _refusals(problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Those of a code, which stand beside the stage."""
    return tuple(one for one in problems if one.field == CODE)


def _fitted(page: PageState) -> None:
    """Draw which sizes changed with the code."""
    for before, now in page.held.followed():
        name, _dot, part = now.name.rpartition(".")
        if part == "sizes":
            sentence = _("Sizes of {name}: {before} before, {after} now, to fit the code.")
            sizes = (f"{{{row.values[0]}}}" for row in (before, now))
            names = dict(zip(("before", "after"), sizes, strict=True))
            st.info(sentence.format(name=plain(name), **names), icon=":material/straighten:")


def _waiting(page: PageState, described: PageDescription) -> None:
    """Draw why the picture is another's or none, over the controls of the last one."""
    sentences = []
    if page.get("last_drawn") is not None:
        sentences.append(_("This picture is of your last valid code and sizes."))
    if not _refusals(described.problems):
        sentences.append(_("Correct the sizes or the values to see the picture."))
    if sentences:
        with st.container(key="waiting"):
            st.info(" ".join(sentences), icon=":material/edit:")


def _code_row(page: PageState, notices: Notices) -> None:
    """Draw the code, its library and the sizes of its tensors, then B."""
    rows, both = page.held.rows(), page.held.state.compares
    labels = {name: _("Sizes of {name}").format(name=plain(name)) for name in page.names()}
    with st.container(key="coderow", horizontal=True, vertical_alignment="bottom"):
        _code_field(page, rows[CODE], "", _("Code A") if both else _("Code"))
        _library_widget(page, rows["library"], "")
        for name, label in labels.items():
            with st.container(key=f"codesizes-{name}", width=_SIZES):
                row = replace(rows[f"{name}.sizes"], label=label, help="")
                draw(page, row, max_chars=200)
        if both:
            _code_field(page, rows["compare"], "b_", _("Code B"))
            _library_widget(page, rows["b_library"], "b_")
    for name, label in labels.items():
        place_of(page, rows[f"{name}.sizes"], notices, label)


def _code_field(page: PageState, row: FormField, prefix: str, label: str) -> None:
    """Draw the box for a code, as high as its lines."""
    lines = row.values[0].count("\n") + 1
    with st.container(key=f"codefield{prefix}"):
        draw(
            page,
            replace(row, label=label, help=""),
            height=max(68, _LINE * min(_LINES, lines + 1)),
            max_chars=TEXT_LIMIT,
            placeholder=_SAMPLE,
            label_visibility="visible" if page.held.state.compares else "collapsed",
            on_change=_code_changed,
        )


def _library_widget(page: PageState, row: FormField, prefix: str) -> None:
    """Draw the choice of a code's library."""
    width = _LIBRARY_OF_TWO if page.held.state.compares else _LIBRARY
    with st.container(key=f"codelibrary{prefix}", width=width):
        draw(page, row, on_change=_code_changed)


@in_one_language
def _compare_changed(page: PageState) -> None:
    """B begins as A."""
    code = page.held.rows()[CODE].values[0]
    page.change("compare", code if page.get("compare") else "")
    _redraw(page)


@in_one_language
def _code_changed(page: PageState, name: str) -> None:
    page.take_widget(name)
    _redraw(page)


def _redraw(page: PageState) -> None:
    """Run what shows something else; what was wrong with the link no longer matters."""
    if page.address.history.messages:
        page.address.change(messages=())
        st.rerun()
    changed(page)


def _sidebar(page: PageState, notices: Notices, described: PageDescription) -> PageDescription:
    """Draw the sidebar; return what all widgets describe."""
    rows = page.held.rows()
    with st.sidebar:
        if "data_type" in rows:
            draw(page, rows["data_type"], notices)
        for name in page.names():
            st.subheader(plain(name), anchor=False)
            for row in rows.values():
                tensor, _dot, part = row.name.rpartition(".")
                if tensor == name and part != "sizes":
                    input_row(page.of(name), row, notices, described.inputs.get(name))
        with st.expander(_("Engine"), icon=":material/tune:"):
            view_widgets(page, LIMITS, notices)
        model_parts(page, page.take)
    refusals = _refusals(described.problems)
    notices.add([problem for problem in described.problems if problem not in refusals])
    if notices.clear:
        return described
    # a grid is read when it is drawn
    return replace(described, state=None, drawn=None, problems=notices.all)


def _refusal(page: PageState, problem: Problem) -> None:
    """Why code is refused, with its line and a mark under the place."""
    place, letter = problem.place, ""
    if page.held.state.compares:
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
            row = page.held.rows()[problem.field]
            st.code(marked_line(row.values[0], place), language=None)


def _comparison(page: PageState, described: PageDescription) -> None:
    """Draw what the two codes have in common, and what makes B of A; it waits for the answer."""
    if not question_answered(page, described):
        return
    state, a, b = described.state, described.drawn, described.other
    if state is None or a is None or b is None:
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
        title = _("B is the result of A after this:")
        st.markdown(f"**{title}**")
        # one of each kind is enough to see what differs
        show_each(list({one.kind: one for one in both.second_of_first[::-1]}.values())[::-1])
