"""The page for code: a line of NumPy, PyTorch or einops, and where its elements go."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from dmlviz.app.address import presenting, tell
from dmlviz.app.code_described import FITTED, CodePage, DescribedCode, describe_code
from dmlviz.app.described import PageDescription
from dmlviz.app.embedded import embedded
from dmlviz.app.engines import correct_engine
from dmlviz.app.fragments import below, head, question_answered, question_of_page, stage
from dmlviz.app.grid import edit_as_grid, take_edits
from dmlviz.app.input_widgets import data_type_widget, values_widgets
from dmlviz.app.present import present
from dmlviz.app.problems import Notices
from dmlviz.app.received import keep_sent, number_answer
from dmlviz.app.redrawing import changed, remember
from dmlviz.app.same import show_each
from dmlviz.app.share import ADDRESSED
from dmlviz.app.state import KEEP, PageState
from dmlviz.app.text import plain
from dmlviz.app.view_widgets import view_widgets
from dmlviz.code import LIBRARIES, CodeRefused, Model, ModelPart, read_model, same_as
from dmlviz.code.address import DATA_TYPE, START, VALUES_LIMIT, named_parts
from dmlviz.code.comparing import comparison_lines
from dmlviz.code.libraries import library_beside
from dmlviz.code.operator import CodeOperator
from dmlviz.code.refusals import marked_line
from dmlviz.code.source import TEXT_LIMIT
from dmlviz.errors import Error
from dmlviz.states.code import CodeState, library_of_edited
from dmlviz.states.code_form import chosen_elements_field, library_field, second_code_field
from dmlviz.states.inputs import InputState
from dmlviz.states.view import LIMITS
from dmlviz.tensors import GO_ON, print_compact, print_sizes, read_sizes
from dmlviz.tensors.numbering import differing_elements
from dmlviz.tensors.types import Sizes
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
    keep_sent(page.cls.key)
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
    if not page.text().strip():
        st.info(_("Type or paste a line of code."), icon=":material/edit:")
        return
    # the stage stands still in the page, whatever is said above it
    with st.container(key="refusals"):
        for name, before, after in page.get(FITTED, ()):
            sentence = _("Sizes of {name}: {before} before, {after} now, to fit the code.")
            st.info(
                sentence.format(
                    name=plain(name), before=print_sizes(before), after=print_sizes(after)
                ),
                icon=":material/straighten:",
            )
        if described.refused is not None:
            _refusal(page.text(), described.refused, "A" if page.get("compare") else "")
        if described.second_refused is not None:
            _refusal(page.text("b_"), described.second_refused, "B")
    stage(page, least=_LEAST)
    if described.drawn is None:
        _waiting(page, described)
        return
    with st.container(key="below"):
        below(page, _SECTIONS, lambda described: _comparison(page, described))


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
                    on_change=page.of(name).take_change,
                    args=("sizes", _sizes_changed),
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
            on_change=page.take_change,
            args=(f"{prefix}text", _second_changed if prefix else _code_changed),
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
            on_change=page.take_change,
            args=(f"{prefix}library", changed),
            persist_state=KEEP,
        )


def _sizes_changed(keys: CodePage) -> None:
    """Sizes that a reader has typed stay when the code changes."""
    page = keys.page()
    page.keep_sizes({*page.typed_sizes(), keys.part})
    _keep_fitted(page, ())
    changed(page)


def _library_changed(page: CodePage) -> None:
    """A library that a reader has chosen stays when the code changes; sizes stay now."""
    page.set("chosen", True)
    _refit(page, page.names())
    _redraw(page)


def _code_changed(page: CodePage) -> None:
    """Other code takes other tensors, whose sizes follow if nobody has typed them."""
    with speaking(locale()):
        if not page.get("chosen"):
            before = str(page.get("library"))
            edited = library_of_edited(page.text(), before, page.tensors(), page.typed_sizes())
            page.set("library", edited)
        _refit(page, page.typed_sizes())
    _redraw(page)


def _refit(page: CodePage, fixed: Collection[str]) -> None:
    """Let the tensors follow the code, and keep which sizes changed with it."""
    before = dict(page.tensors())
    page.refit(fixed)
    _keep_fitted(
        page,
        tuple(
            (name, before[name].sizes, tensor.sizes)
            for name, tensor in page.tensors()
            if name in before and before[name].sizes != tensor.sizes
        ),
    )


def _keep_fitted(page: CodePage, fitted: tuple[tuple[str, Sizes, Sizes], ...]) -> None:
    """Keep the sizes that changed with the code; they are said outside the fragments."""
    if fitted != page.get(FITTED, ()):
        page.set(FITTED, fitted)
        st.rerun()


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


def _comparison(page: CodePage, described: PageDescription) -> None:
    """Draw what the two codes have in common, and what makes B of A; it waits for the answer."""
    if not question_answered(page, described):
        return
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


MEGABYTES = 1
"""The limit of a file on the page; the command reads more."""

_NAMING_SECONDS = 1.5
"""The limit of processor time for naming the parts of a file."""

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
    """

    parts: tuple[tuple[str, CodeState], ...]
    lines: tuple[str, ...]


def model_parts(page: PageState, begin: Callable[[CodeState], None]) -> None:
    """Draw the upload, the list of parts, and why the other nodes are in none.

    Args:
        page: of code.
        begin: opens a part; called in a callback.
    """
    with st.expander(_("ONNX model"), icon=":material/account_tree:"):
        sizes = st.text_input(
            _("Sizes that the file leaves open"),
            key=page.key("model_sizes"),
            placeholder="x:1,3,32,32",
            max_chars=400,
            persist_state=KEEP,
        )
        file = st.file_uploader(
            _("An ONNX model, up to {size} MB").format(size=MEGABYTES),
            type=["onnx"],
            key=page.key("model_file"),
            max_upload_size=MEGABYTES,
            label_visibility="collapsed",
        )
        if file is not None:
            try:
                _draw(page, _read(page, file, sizes), begin)
            except Error as error:
                st.error(plain(str(error)), icon=":material/error:")
        st.caption(
            _(
                "The file is not stored, and no link has it. The part that you choose becomes "
                "code, which a link has. For larger files there is a command: dmlviz code."
            )
        )


def _draw(page: PageState, read: _Read, begin: Callable[[CodeState], None]) -> None:
    if read.parts:
        st.radio(
            _("Parts that only move elements"),
            range(min(len(read.parts), _LISTED)),
            index=None,
            key=page.key("model_part"),
            format_func=lambda number: read.parts[number][0],
            on_change=lambda: _choose(page, read, begin),
        )
    st.caption("  \n".join(map(plain, read.lines)))


def _choose(page: PageState, read: _Read, begin: Callable[[CodeState], None]) -> None:
    number = page.get("model_part")
    if isinstance(number, int):
        begin(read.parts[number][1])


def _read(page: PageState, file: Any, sizes: str) -> _Read:
    """What is in the file, read once for these sizes."""
    name = (file.file_id, sizes)
    before = page.get("model_read")
    if before is not None and before[0] == name:
        read: _Read = before[1]
        return read
    input_sizes = {n: read_sizes(of) for n, of in named_parts({"sizes": sizes}, "sizes").items()}
    read = _described(read_model(file.getvalue(), input_sizes))
    page.set("model_read", (name, read))
    return read


def _described(model: Model) -> _Read:
    end = time.process_time() + _NAMING_SECONDS
    named: list[tuple[str, CodeState]] = []
    others: list[tuple[str, CodeState]] = []
    for part in model.parts:
        state = _state(part)
        if state is None:
            continue
        same = same_as(part.chain) if time.process_time() < end else ()
        title = same[0].text.replace("\n", "; ") if same else ", ".join(part.op_types)
        # a span of code, in which nothing is markup, and -> stays as it is
        span = title[:120].replace("`", "'")
        (named if same else others).append((f"{plain(_sizes(part))} `{span}`", state))
    lines = [
        _(
            "{nodes} nodes, {folded} of them calculated from constants; {parts} parts only move."
        ).format(nodes=f"{model.nodes:,}", folded=f"{model.folded:,}", parts=len(model.parts))
    ]
    if left_out := len(model.parts) - len(named) - len(others):
        lines.append(
            _(
                "Not listed: {count} of these parts. Their indices are more than {most} numbers, "
                "which fit in no link. The command dmlviz code shows them."
            ).format(count=left_out, most=f"{VALUES_LIMIT:,}")
        )
    reasons = Counter((refusal.op_type, refusal.message) for refusal in model.refused)
    lines += [
        f"{op_type} ({count:,}): {message}"
        for (op_type, message), count in reasons.most_common(_REASONS)
    ]
    return _Read((*named, *others), tuple(lines))


def _sizes(part: ModelPart) -> str:
    sides = (part.input_sizes, part.output_sizes)
    return " → ".join(", ".join(map(print_sizes, side.values())) for side in sides)


def _state(part: ModelPart) -> CodeState | None:
    """The part as code; None if its constants do not fit in an address."""
    chosen = sum(array.size for array in part.arrays.values())
    if chosen > VALUES_LIMIT:
        return None
    tensors: list[tuple[str, InputState]] = []
    for name, sizes in part.tensors.items():
        if name in part.arrays:
            array = part.arrays[name]
            text = (
                ",".join(map(str, array.ravel().tolist()))
                if array.dtype == bool
                else print_compact(np.asarray(array, np.int64))
            )
            tensors.append((name, InputState(sizes, "", "own", text)))
        elif math.prod(sizes):
            tensors.append((name, InputState(sizes, DATA_TYPE, GO_ON if tensors else START)))
    return CodeState(part.text, "onnx", tuple(tensors))
