"""The page for code: a line of NumPy, PyTorch or einops, and where its elements go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from dmlviz.app.address import presenting, tell
from dmlviz.app.code_described import CodePage, DescribedCode, describe_code
from dmlviz.app.described import PageDescription
from dmlviz.app.embedded import embedded
from dmlviz.app.engines import correct_engine
from dmlviz.app.fragments import below, head, question_of_page, stage
from dmlviz.app.grid import edit_as_grid, take_edits
from dmlviz.app.input_widgets import data_type_widget, values_widgets
from dmlviz.app.model_parts import model_parts
from dmlviz.app.present import present
from dmlviz.app.problems import Notices
from dmlviz.app.redrawing import changed, remember
from dmlviz.app.same import show_each
from dmlviz.app.share import ADDRESSED
from dmlviz.app.state import KEEP
from dmlviz.app.text import plain
from dmlviz.app.view_widgets import view_widgets
from dmlviz.code import LIBRARIES, CodeRefused
from dmlviz.code.comparing import comparison_lines
from dmlviz.code.libraries import library_beside
from dmlviz.code.operator import CodeOperator
from dmlviz.code.refusals import marked_line
from dmlviz.code.source import TEXT_LIMIT
from dmlviz.errors import Error
from dmlviz.states.code import CodeState, library_of_edited
from dmlviz.states.code_form import chosen_elements_field, library_field, second_code_field
from dmlviz.states.view import LIMITS
from dmlviz.tensors.numbering import differing_elements
from dmlviz.words import _, locale, speaking

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
    page = CodePage(CodeOperator)
    if presenting():
        present(page)
        return
    if st.context.is_embedded:
        embedded(page)
        return
    page.begin()
    correct_engine(page)
    take_edits(page)
    described = describe_code(page)
    remember(page, described)
    sentence = _("Paste NumPy, PyTorch, TensorFlow, JAX or einops: it is read, not run.")
    with head(page, _("Your own code"), sentence):
        st.toggle(
            _("Compare"),
            key=page.key("compare"),
            help=second_code_field().help,
            on_change=_compare_changed,
            args=(page,),
            persist_state=KEEP,
        )
    question_of_page(page, _("Your own code"), _SHORTCUTS)
    tell(page.link_problems())
    notices = Notices()
    _code_row(page, notices)
    described = _sidebar(page, notices, described)
    remember(page, described)
    st.session_state[ADDRESSED] = described.state is not None
    if described.state is not None:
        page.address.follow(described.state)
    if not page.text().strip():
        st.info(_("Type or paste a line of code."), icon=":material/edit:")
        return
    # the stage stands still in the page, whatever is said above it
    with st.container(key="refusals"):
        if described.refused is not None:
            _refusal(page.text(), described.refused, "A" if page.get("compare") else "")
        if described.second_refused is not None:
            _refusal(page.text("b_"), described.second_refused, "B")
    stage(page, least=_LEAST)
    if described.drawn is None:
        _waiting(page, described)
        return
    with st.container(key="below"):
        below(page, _SECTIONS, _comparison)


def _waiting(page: CodePage, described: DescribedCode) -> None:
    """Draw why the picture is another's or none, over the controls of the last one."""
    sentences = []
    if page.get("last_drawn") is not None:
        sentences.append(_("This picture is of your last valid code and sizes."))
    if described.refused is None:
        sentences.append(_("Correct the sizes or the values to see the picture."))
    if sentences:
        with st.container(key="waiting"):
            st.info(" ".join(sentences), icon=":material/edit:")


def _code_row(page: CodePage, notices: Notices) -> None:
    """Draw the code, its library and the sizes of its tensors, then B."""
    both = bool(page.get("compare"))
    labels = {name: _("Sizes of {name}").format(name=plain(name)) for name in page.names()}
    with st.container(key="coderow", horizontal=True, vertical_alignment="bottom"):
        _code_field(page, "", _("Code A") if both else _("Code"), shows_label=both)
        _library_widget(page, "", library_field().label, _library_changed)
        for name, label in labels.items():
            with st.container(key=f"codesizes-{name}", width=_SIZES):
                st.text_input(
                    label,
                    key=page.of(name).key("sizes"),
                    max_chars=200,
                    on_change=_sizes_changed,
                    args=(page.of(name),),
                    persist_state=KEEP,
                )
        if both:
            _code_field(page, "b_", _("Code B"), shows_label=True)
            _library_widget(page, "b_", _("Library of B"), _second_library_changed)
    for name, label in labels.items():
        notices.place(page.of(name).field("sizes"), label=label)


def _code_field(page: CodePage, prefix: str, label: str, *, shows_label: bool) -> None:
    """Draw the box for a code, as high as its lines."""
    lines = page.text(prefix).count("\n") + 1
    with st.container(key=f"codefield{prefix}"):
        st.text_area(
            label,
            key=page.key(f"{prefix}text"),
            height=max(68, _LINE * min(_LINES, lines + 1)),
            max_chars=TEXT_LIMIT,
            placeholder=_SAMPLE,
            label_visibility="visible" if shows_label else "collapsed",
            on_change=_second_changed if prefix else _code_changed,
            args=(page,),
            persist_state=KEEP,
        )


def _library_widget(
    page: CodePage, prefix: str, label: str, changed: Callable[[CodePage], None]
) -> None:
    """Draw the choice of a code's library."""
    width = _LIBRARY_OF_TWO if page.get("compare") else _LIBRARY
    with st.container(key=f"codelibrary{prefix}", width=width):
        st.selectbox(
            label,
            list(LIBRARIES),
            key=page.key(f"{prefix}library"),
            format_func=lambda key: LIBRARIES[key].title,
            help=library_field().help,
            on_change=changed,
            args=(page,),
            persist_state=KEEP,
        )


def _sizes_changed(keys: CodePage) -> None:
    """Sizes that a reader has typed stay when the code changes."""
    page = keys.page()
    page.keep_sizes({*page.typed_sizes(), keys.part})
    changed(page)


def _library_changed(page: CodePage) -> None:
    """A library that a reader has chosen stays when the code changes; sizes stay now."""
    page.set("chosen", True)
    page.refit(page.names())
    _redraw(page)


def _code_changed(page: CodePage) -> None:
    """Other code takes other tensors, whose sizes follow if nobody has typed them."""
    with speaking(locale()):
        if not page.get("chosen"):
            before = str(page.get("library"))
            edited = library_of_edited(page.text(), before, page.tensors(), page.typed_sizes())
            page.set("library", edited)
        page.refit(page.typed_sizes())
    _redraw(page)


def _compare_changed(page: CodePage) -> None:
    """B begins as A; two codes are compared from first to last."""
    if page.get("compare") and not page.text("b_").strip():
        page.set("b_text", page.text())
        page.set("b_library", str(page.get("library", "")))
        page.set("b_chosen", page.get("chosen"))
    page.set("call", 0)
    _redraw(page)


def _second_library_changed(page: CodePage) -> None:
    """A library that a reader has chosen for B stays when its code changes."""
    page.set("b_chosen", True)
    changed(page)


def _second_changed(page: CodePage) -> None:
    """The library of B follows its code; its tensors are those of A."""
    if not page.get("b_chosen"):
        page.set("b_library", library_beside(page.text("b_"), str(page.get("library"))))
    _redraw(page)


def _redraw(page: CodePage) -> None:
    """Run what shows something else; what was wrong with the link no longer matters."""
    if page.address.history.messages:
        page.address.change(messages=())
        st.rerun()
    changed(page)


def _sidebar(page: CodePage, notices: Notices, described: DescribedCode) -> DescribedCode:
    """Draw the sidebar; return what all widgets describe."""
    with st.sidebar:
        if not all(page.of(name).chosen_by for name in page.names()):
            data_type_widget(page, notices, changed)
        for name in page.names():
            keys = page.of(name)
            st.subheader(plain(name), anchor=False)
            if name not in described.sizes:
                continue
            if keys.chosen_by:
                _choosing_widget(keys, notices)
                continue
            values_widgets(keys, notices, changed)
            if name in described.inputs:
                edit_as_grid(keys, notices, described.inputs[name], keys.data_type())
        with st.expander(_("Engine"), icon=":material/tune:"):
            view_widgets(page, LIMITS, notices, changed)
        model_parts(page, page.take)
    notices.add(described.problems)
    if notices.clear:
        return described
    # a grid is read when it is drawn
    return replace(described, state=None, drawn=None, refused=None, problems=notices.all)


def _choosing_widget(keys: CodePage, notices: Notices) -> None:
    """The values of a tensor that only chooses elements."""
    row = chosen_elements_field(keys.field("literal"))
    st.text_area(
        row.label,
        key=keys.key("literal"),
        height=100,
        help=row.help,
        persist_state=KEEP,
    )
    notices.place(keys.field("literal"), keys.field("values"))


def _refusal(text: str, refused: Error, letter: str = "") -> None:
    """Why code is refused, with its line and a mark under the place.

    Args:
        text: the code.
        refused: the reason.
        letter: of the code, if there are two.
    """
    place = refused.place if isinstance(refused, CodeRefused) else None
    with st.container(key=f"refusal{letter}"):
        sentence = str(refused)
        if place is not None:
            sentence = _("Line {line}, column {column}: {message}").format(
                line=place.line, column=place.column, message=refused
            )
        if letter:
            sentence = _("{run}: {told}").format(run=letter, told=sentence)
        st.error(plain(sentence), icon=":material/error:")
        if place is None:
            return
        st.code(marked_line(text, place), language=None)


def _comparison(described: PageDescription) -> None:
    """Draw what the two codes have in common, and what makes B of A."""
    state, a, b = described.state, described.drawn, described.other
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
        title = _("B is the result of A after this:")
        st.markdown(f"**{title}**")
        # one of each kind is enough to see what differs
        show_each(list({one.kind: one for one in both.second_of_first[::-1]}.values())[::-1])
