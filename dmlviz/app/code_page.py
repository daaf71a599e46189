"""The page for code: a line of NumPy, PyTorch or einops, and where its elements go."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dmlviz.app.address import address_parameters, kept_here, page_address, presenting, tell
from dmlviz.app.address import whole_address as address_of
from dmlviz.app.compare import outputs_on_stage, show_both
from dmlviz.app.engines import correct_engine
from dmlviz.app.grid import edit_as_grid, take_edits
from dmlviz.app.input_widgets import values_widgets
from dmlviz.app.model_parts import model_parts
from dmlviz.app.paper import paper
from dmlviz.app.problems import Notices
from dmlviz.app.questions import marks_answer, preset_picker, question
from dmlviz.app.result import result, shortcuts, summary
from dmlviz.app.same import show_each
from dmlviz.app.share import ADDRESSED, share, toggle_present, with_player
from dmlviz.app.stage import call_of, link_of, show
from dmlviz.app.state import KEEP, PageState, own_picture
from dmlviz.app.text import plain
from dmlviz.app.view_widgets import predicting, view_widgets
from dmlviz.app.wall import Acts, alone, back_to_page, wall_of
from dmlviz.code import LIBRARIES, CodeRefused, library_of
from dmlviz.code.comparing import comparison_lines
from dmlviz.code.inputs import INPUT_LIMIT
from dmlviz.code.libraries import library_beside
from dmlviz.code.operator import CodeOperator
from dmlviz.code.refusals import marked_line
from dmlviz.code.source import TEXT_LIMIT
from dmlviz.errors import Error, Problem
from dmlviz.picture.scene import STAGE_LIMIT, Scene
from dmlviz.states import View
from dmlviz.states.code import CODE, CodeState, chooses, fitted
from dmlviz.states.code_reading import OpenedCode, read_code_parameters
from dmlviz.states.inputs import InputState
from dmlviz.states.view import LIMITS, TOOLS
from dmlviz.teaching.code_presets import code_presets, usual_code
from dmlviz.teaching.posed import Posed, runs_line
from dmlviz.tensors import (
    DATA_TYPES,
    GO_ON,
    PICTURES,
    STARTING_VALUES,
    check_element_count,
    data_type_of,
    print_sizes,
)
from dmlviz.tensors.numbering import differing_elements
from dmlviz.words import _, locale, speaking

_CHOICE = 264
"""The width of the preset picker in pixels."""
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


class CodePage(PageState):
    """The keys of the page: every tensor has its own, by the name in the code."""

    of_code = True

    def of(self, name: str) -> CodePage:
        """The keys of a tensor's widgets."""
        return CodePage(self.cls, name)

    def names(self) -> tuple[str, ...]:
        """The tensors that the code takes."""
        return tuple(st.session_state.get(f"{CODE}_names", ()))

    def data_type(self) -> str:
        """The data type of all tensors whose elements move."""
        return str(CodePage(self.cls).get("data_type"))

    def value_options(self) -> tuple[str, ...]:
        """The starting values that are offered for this tensor."""
        further = self.names()[:1] != (self.part,)
        return (*((GO_ON,) if further else ()), *STARTING_VALUES, "own")

    @property
    def chosen_by(self) -> bool:
        """Whether this tensor only chooses elements."""
        return bool(self.get("chooses"))

    def tensor(self, sizes: tuple[int, ...]) -> InputState:
        """This tensor as its widgets describe it."""
        if self.chosen_by:
            return InputState(sizes, "", "own", str(self.get("literal", "")))
        return self.input_state(sizes)

    def library(self, text: str) -> str:
        """The chosen library as :class:`CodeState` has it: empty if it is the one to guess."""
        library = str(self.get("library", ""))
        return "" if library == library_of(text) else library

    def second_library(self, text: str) -> str:
        """The same of B, whose guess depends on the library of A."""
        library = str(self.get("b_library", ""))
        return "" if library == library_beside(text, str(self.get("library"))) else library

    def tensors(self) -> tuple[tuple[str, InputState], ...]:
        """All tensors as their widgets describe them, but those with invalid sizes."""
        tensors = []
        for name in self.names():
            with suppress(Error):
                tensors.append((name, self.of(name).tensor(self.of(name).sizes())))
        return tuple(tensors)

    def write(self, state: CodeState) -> None:
        """Put a state into the widgets; only before they are drawn, or in a callback."""
        self.set("text", state.code)
        self.set("library", state.reads_as)
        self.set("chosen", bool(state.library))
        self.set("call", state.call)
        self.set("compare", bool(state.compare))
        self.set("b_text", state.compare)
        second = state.second()
        self.set("b_library", (second or state).reads_as)
        self.set("b_chosen", bool(state.compare_library))
        self.put_view(state.view)
        self.write_tensors(state.tensors)

    def write_tensors(self, tensors: tuple[tuple[str, InputState], ...]) -> None:
        """Put tensors into their widgets."""
        st.session_state[f"{CODE}_names"] = tuple(name for name, _given in tensors[:INPUT_LIMIT])
        self.set("data_type", next((g.data_type for _n, g in tensors if g.data_type), "FLOAT32"))
        for name, given in tensors[:INPUT_LIMIT]:
            keys = self.of(name)
            keys.set("sizes", print_sizes(given.sizes).strip("{}"))
            keys.set("chooses", chooses(given))
            keys.set("values", given.values)
            keys.set("seed", given.seed)
            keys.set("picture", given.picture or next(iter(PICTURES)))
            if given.values == "own":
                keys.set("literal", given.literal)


def code_page() -> None:
    """Draw the page, or only the stage if it is embedded or presented."""
    page = CodePage(CodeOperator)
    if presenting():
        _present(page)
        return
    if st.context.is_embedded:
        _embedded(page)
        return
    query = page.address.opened()
    if query is not None:
        _open(page, query)
    correct_engine(page)
    take_edits(page)
    with st.container(key="head", horizontal=True, vertical_alignment="center"):
        st.title(_("Your own code"), anchor=False, width="content")
        st.markdown(_("Paste NumPy, PyTorch, TensorFlow, JAX or einops: it is read, not run."))
        with st.container(
            key="tools", horizontal=True, vertical_alignment="center", width="content"
        ):
            choice = st.container(width=_CHOICE)
            view_widgets(page, TOOLS)
            st.toggle(
                _("Compare"),
                key=page.key("compare"),
                help=_(
                    "Takes a second code, B, on the same tensors: both results side by side, and "
                    "the first element in which they differ."
                ),
                on_change=_compare_changed,
                args=(page,),
                persist_state=KEEP,
            )
    question_place = st.container()
    tell(page.address.problem_messages(lambda query: _read(query).problems))
    notices = Notices()
    text = _code_row(page, notices)
    current = _settings(page, notices, text)
    state = current.state
    preset = next((one for one in code_presets() if state and one.matches(state)), None)
    with choice:
        preset_picker(page, code_presets(), preset, lambda one: _begin(page, one.state))
    # the answer is about all calls
    drawn = None if page.get("call", 0) else current.drawn
    with question_place:
        question(
            page,
            preset,
            lambda: _begin(page, usual_code()),
            own=_("Your own code"),
            hidden=predicting(page),
            outputs=outputs_on_stage(drawn, current.other) if drawn is not None else {},
            answered=lambda: None,
            beside=lambda: shortcuts(page, _SHORTCUTS, lambda: None),
        )
    st.session_state[ADDRESSED] = state is not None
    if state is not None:
        page.address.follow(state)
    page.set("current", current)
    if not text.strip():
        st.info(_("Type or paste a line of code."), icon=":material/edit:")
        return
    both = bool(page.get("compare"))
    if current.refused is not None:
        _refusal(text, current.refused, "A" if both else "")
    if current.second_refused is not None:
        _refusal(str(page.get("b_text", "")), current.second_refused, "B")
    if current.drawn is None:
        if current.refused is None:
            st.info(
                _("Correct the sizes or the values to see the picture."), icon=":material/edit:"
            )
        return
    _stage(page)
    with st.container(key="below"):
        if current.other is not None and current.state is not None:
            _comparison(current.state, current.drawn, current.other)
        if predicting(page):
            st.markdown(_("Turn off Predict first to see the output's values, code and table."))
        else:
            result(page, current.drawn, _SECTIONS)


@dataclass(frozen=True)
class _Current:
    """What the widgets describe.

    Attributes:
        drawn: the picture, or None while something is invalid.
        state: the page's state, or None if an address cannot hold it.
        refused: why the code is refused, or None.
        other: the picture of the code to compare with, or None.
        second_refused: why that code is refused, or None.
    """

    drawn: Scene | None = None
    state: CodeState | None = None
    refused: Error | None = None
    other: Scene | None = None
    second_refused: Error | None = None


def _read(query: Mapping[str, str]) -> OpenedCode:
    return read_code_parameters(query, usual_code(), own_picture())


def _open(page: CodePage, query: Mapping[str, str]) -> None:
    """Load a link's state."""
    opened = _read(query)
    page.write(opened.state)
    page.address.open(opened.state.without_player(), opened.problems)
    _view_of(page, opened.state)


def _view_of(page: CodePage, state: CodeState) -> None:
    """Let the player begin as a state says."""
    page.set("view", state.view)
    page.set("opened", page.get("opened", 0) + 1)


def _code_row(page: CodePage, notices: Notices) -> str:
    """Draw the code, its library and the sizes of its tensors, then B; return the code."""
    both = bool(page.get("compare"))
    with st.container(key="coderow", horizontal=True, vertical_alignment="bottom"):
        text = _code_field(page, "", _("Code A") if both else _("Code"), shows_label=both)
        _library_widget(page, "", _("Library"), _library_changed)
        for name in page.names():
            with st.container(key=f"codesizes-{name}", width=_SIZES):
                st.text_input(
                    _("Sizes of {name}").format(name=plain(name)),
                    key=page.of(name).key("sizes"),
                    max_chars=200,
                    on_change=_sizes_changed,
                    args=(page.of(name),),
                    persist_state=KEEP,
                )
        if both:
            _code_field(page, "b_", _("Code B"), shows_label=True)
            _library_widget(page, "b_", _("Library of B"), _second_library_changed)
    for name in page.names():
        notices.place(page.of(name).field("sizes"))
    return text


def _code_field(page: CodePage, prefix: str, label: str, *, shows_label: bool) -> str:
    """Draw the box for a code, as high as its lines; return the code."""
    lines = str(page.get(f"{prefix}text", "")).count("\n") + 1
    with st.container(key=f"codefield{prefix}"):
        text = st.text_area(
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
    return text or ""


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
            help=_(
                "Guessed from the code until you choose one. Some calls mean different "
                "things: x.transpose(0, 1) and x.repeat(2, 1) are NumPy's unless the code "
                "says otherwise."
            ),
            on_change=changed,
            args=(page,),
            persist_state=KEEP,
        )


def _sizes_changed(keys: CodePage) -> None:
    """Sizes that a reader has typed stay when the code changes."""
    typed = st.session_state.get(f"{CODE}_typed", frozenset())
    st.session_state[f"{CODE}_typed"] = frozenset({*typed, keys.part})


def _library_changed(page: CodePage) -> None:
    """A library that a reader has chosen stays when the code changes; sizes stay now."""
    page.set("chosen", True)
    _refit(page, page.names())


def _code_changed(page: CodePage) -> None:
    """Other code takes other tensors, whose sizes follow if nobody has typed them."""
    with speaking(locale()):
        text = str(page.get("text", ""))
        if not page.get("chosen"):
            page.set("library", library_of(text))
        _refit(page, st.session_state.get(f"{CODE}_typed", frozenset()))


def _compare_changed(page: CodePage) -> None:
    """B begins as A; two codes are compared from first to last."""
    if page.get("compare") and not str(page.get("b_text", "")).strip():
        page.set("b_text", str(page.get("text", "")))
        page.set("b_library", str(page.get("library", "")))
        page.set("b_chosen", page.get("chosen"))
    page.set("call", 0)
    page.address.change(messages=())


def _second_library_changed(page: CodePage) -> None:
    """A library that a reader has chosen for B stays when its code changes."""
    page.set("b_chosen", True)


def _second_changed(page: CodePage) -> None:
    """The library of B follows its code; its tensors are those of A."""
    if not page.get("b_chosen"):
        page.set("b_library", library_beside(str(page.get("b_text", "")), str(page.get("library"))))
    page.address.change(messages=())


def _refit(page: CodePage, fixed: Collection[str]) -> None:
    """Let the tensors follow the code, but for the sizes of some; all calls are on the stage."""
    text = str(page.get("text", ""))
    page.write_tensors(fitted(text, page.library(text), page.tensors(), fixed))
    page.set("call", 0)
    page.address.change(messages=())


def _settings(page: CodePage, notices: Notices, text: str) -> _Current:
    """Draw the sidebar; return what all widgets describe."""
    names = page.names()
    tensors: list[tuple[str, InputState]] = []
    grids: dict[str, DeltaGenerator] = {}
    with st.sidebar:
        if not all(page.of(name).chosen_by for name in names):
            st.selectbox(
                _("Data type"), list(DATA_TYPES), key=page.key("data_type"), persist_state=KEEP
            )
            notices.place("data_type")
        for name in names:
            keys = page.of(name)
            st.subheader(plain(name), anchor=False)
            try:
                sizes = keys.sizes()
                check_element_count(sizes, STAGE_LIMIT, "sizes")
            except Error as error:
                notices.add([Problem(keys.field("sizes"), str(error), "dmlviz")])
                continue
            if keys.chosen_by:
                _choosing_widget(keys, notices)
            else:
                values_widgets(keys, notices, _nothing)
                grids[name] = st.container()
            tensors.append((name, keys.tensor(sizes)))
        with st.expander(_("Engine"), icon=":material/tune:"):
            view_widgets(page, LIMITS)
        model_parts(page, lambda state: _begin(page, state))
    if not notices.clear or len(tensors) < len(names):
        return _Current()
    whole = CodeState(text, page.library(text), tuple(tensors), page.get("call", 0), page.view())
    other = str(page.get("b_text", ""))
    if page.get("compare") and other.strip():
        library = page.second_library(other)
        whole = replace(whole, call=0, compare=other, compare_library=library)
    return _described(page, notices, whole, grids)


def _described(
    page: CodePage, notices: Notices, state: CodeState, grids: Mapping[str, DeltaGenerator]
) -> _Current:
    """The picture of a state, or why there is none."""
    addressed = None
    try:
        arrays = state.arrays()
        addressed = state.printed()
        for name, grid in grids.items():
            with grid:
                kind = data_type_of(arrays[name].dtype)
                edit_as_grid(page.of(name), notices, arrays[name], kind)
            page.of(name).set("last", arrays[name])
    except Error as error:
        part = error.field.rpartition(".")[0]
        field = page.of(part).field("literal" if page.of(part).get("values") == "own" else "values")
        notices.add([Problem(field if part in page.names() else error.field, str(error), "dmlviz")])
        return _Current()
    try:
        current = _Current(state.picture(), addressed)
    except Error as error:
        current = _Current(None, addressed, error)
    try:
        if current.drawn is None:
            # B may be refused as well, at its own place
            second = state.second()
            if second is not None:
                second.chain()
            return current
        return replace(current, other=state.second_picture())
    except Error as error:
        return replace(current, second_refused=error)


def _choosing_widget(keys: CodePage, notices: Notices) -> None:
    """The values of a tensor that only chooses elements."""
    st.text_area(
        _("Indices, or a mask of True and False"),
        key=keys.key("literal"),
        height=100,
        help=_("A list such as [2, 0, 1] or [[True, False], [False, True]]."),
        persist_state=KEEP,
    )
    notices.place(keys.field("literal"), keys.field("values"))


def _nothing(_keys: PageState) -> None:
    """The page is drawn again anyway."""


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


@st.fragment(key="code_stage")
def _stage(page: CodePage) -> None:
    """Draw the remembered picture, its strip and its check."""
    with speaking(locale()):
        current: _Current = page.get("current")
        if current.drawn is None:
            return
        drawn, other = current.drawn, current.other
        sizes = outputs_on_stage(drawn, other)
        link = link_of(CODE, page.get("opened", 0), page.get("view", View()), sizes)
        link["answers"] = marks_answer(page)
        predict = predicting(page)
        key = f"{CODE}-stage"
        if other is not None:
            search = show_both(drawn, other, key, link, arrange=page.arrange)
        else:
            search = show(
                drawn,
                key,
                link=link,
                predict=predict,
                least=_LEAST,
                arrange=page.arrange,
                choose=lambda number: _choose(page, number),
            )
        if search is not None:
            share(current.state, search)
        lines = [paper(drawn, other, current.state)]
        if not predict:
            lines.insert(0, summary(drawn))
        st.markdown("\n\n".join(lines))


def _comparison(state: CodeState, a: Scene, b: Scene) -> None:
    """Draw what the two codes have in common, and what makes B of A."""
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


def _choose(page: CodePage, number: str) -> None:
    """Put a call on the stage; the browser may ask for anything."""
    current: _Current | None = page.get("current")
    call = call_of(current.drawn, number) if current and current.drawn else None
    if call is not None:
        page.set("call", call)


def _begin(page: CodePage, state: CodeState) -> None:
    """Load a state as a link does; call in a callback."""
    page.write(state)
    page.address.change(messages=())
    st.session_state[f"{CODE}_typed"] = frozenset()
    _view_of(page, state)


def _addressed(page: CodePage) -> tuple[CodeState, Scene, Scene | None] | None:
    """What the address says, ready to be drawn; draws its problems."""
    here = kept_here()
    if page.get("embedded") != here:
        page.set("embedded", here)
        page.set("opened", page.get("opened", 0) + 1)
    opened = _read(address_parameters())
    tell(problem.message for problem in opened.problems)
    try:
        return opened.state, opened.state.picture(), opened.state.second_picture()
    except Error as error:
        st.error(plain(str(error)), icon=":material/error:")
        return None


def _link_for(
    page: CodePage, state: CodeState, drawn: Scene, other: Scene | None
) -> dict[str, object]:
    sizes = outputs_on_stage(drawn, other)
    return {**link_of(CODE, page.get("opened", 0), state.view, sizes), "shares": False}


def _embedded(page: CodePage) -> None:
    """Draw the stage alone, inside another page."""
    addressed = _addressed(page)
    if addressed is None:
        return
    state, drawn, other = addressed
    key, link = f"{CODE}-stage", _link_for(page, state, drawn, other)
    if other is None:
        show(drawn, key, link=link, predict=state.view.predict)
    else:
        show_both(drawn, other, key, link)


def _present(page: CodePage) -> None:
    """Draw the stage for a room."""
    alone()
    key = f"{CODE}-stage-wall"
    addressed = _addressed(page)
    if addressed is None:
        back_to_page(page.key("leave"))
        return
    state, drawn, other = addressed
    acts = Acts(
        lambda search: address_of(with_player(state.without_player(), search), page_address()),
        toggle_present,
    )
    preset = next((one for one in code_presets() if one.matches(state)), None)
    posed = Posed(preset.question, reveal=preset.answer) if preset else Posed("")
    runs = runs_line(state)
    link = _link_for(page, state, drawn, other)
    if other is None:
        wall = wall_of(posed, key, acts, hidden=state.view.predict, runs=runs)
        show(drawn, key, link=link, wall=wall)
    else:
        wall = wall_of(posed, key, acts, hidden=False, runs=runs)
        show_both(drawn, other, key, link, wall)
