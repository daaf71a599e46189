"""Under the stage: what ran, whether it agrees, and the result as formula, text and table."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from functools import cache, partial
from pathlib import Path

import streamlit as st

from dmlviz.app.address import open_link
from dmlviz.app.engines import answers, show_answers
from dmlviz.app.page import KEEP, Page
from dmlviz.app.parts import telling_errors
from dmlviz.app.remembered import DIALECT
from dmlviz.app.remembered import dialect as remembered_dialect
from dmlviz.app.text import plain
from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _, in_this_language, ngettext
from dmlviz.code import Same
from dmlviz.code.dialects import snippets_of
from dmlviz.engines.trace import Trace
from dmlviz.movement.expressions import as_python
from dmlviz.operators.slots import descs_of
from dmlviz.picture.coloring import modes
from dmlviz.picture.compared import compared
from dmlviz.picture.formats import DATA, MIMES, PICTURES, PictureLook, titles_of_files
from dmlviz.picture.scene import Scene
from dmlviz.picture.sections import (
    element_lines,
    move_rows,
    rows_note,
    rule_lines,
    section_titles,
    untested,
)
from dmlviz.picture.words import words
from dmlviz.states.same import (
    code_of_snippets,
    nothing_the_same,
    same_by_reach,
    same_of,
    same_title,
)
from dmlviz.states.view import read_step
from dmlviz.tensors import data_type_of
from dmlviz.tensors.numbering import print_all_sizes
from dmlviz.verify import forms_of, write_example

_BROUGHT = "brought"
"""The section that was opened last, and how many were opened so far in the session."""
_MOMENT = "moment_on_stage"
"""How many sections had been opened when files were, and the step that the address had then."""
_DIALECT, _FIRST_DIALECT = "dialect", "numpy"
"""The key of the choice on all pages, and what is shown until a reader chooses: the shortest."""


def summary(drawn: Scene) -> str:
    """The check and the change of sizes as one line of Markdown."""
    trace = drawn.trace
    icon = ":material/verified:" if trace.agrees else ":material/error:"
    words = ngettext(
        "{icon} {check} \u2002 **{sizes}** becomes **{output_sizes}**, {data_type}",
        "{icon} {check} \u2002 **{sizes}** become **{output_sizes}**, {data_type}",
        len(trace.inputs),
    )
    if not trace.inputs:
        words = _("{icon} {check} \u2002 The output is **{output_sizes}**, {data_type}")
    return words.format(
        icon=icon,
        check=trace.check(),
        sizes=plain(_all_sizes(trace, trace.inputs)),
        output_sizes=plain(_all_sizes(trace, trace.outputs)),
        data_type=_types(trace),
    )


def _all_sizes(trace: Trace, names: Iterable[str]) -> str:
    """The sizes of some of a run's tensors, also where only parts of them are drawn."""
    return print_all_sizes({name: trace.whole_sizes[name] for name in names})


def _types(trace: Trace) -> str:
    """The outputs' data type, or each one's by name if they differ."""
    types = {name: data_type_of(output.dtype) for name, output in trace.outputs.items()}
    if len(set(types.values())) == 1:
        return trace.data_type
    return ", ".join(f"{name} {data_type}" for name, data_type in types.items())


def anything_open(page: Page) -> bool:
    """Whether a section below the stage that shows the picture in another form is open."""
    return bool(page.get("more"))


def result(
    page: Page, drawn: Scene, names: Collection[str] = (), other: Scene | None = None
) -> None:
    """Draw the sections below the stage; each is made only when it is opened.

    Args:
        page: that it is drawn on.
        drawn: the picture.
        names: of the sections; all if there are none.
        other: the picture of what it is compared with, or None; saved pictures show both.
    """

    def opened() -> None:
        now = page.get("more") or []
        for name in now:
            if name not in before:
                _remember_opening(page, name)

    sections = {name: one for name, one in _sections().items() if not names or name in names}
    if drawn.trace.places:
        # engines would run the part alone
        sections.pop("engines", None)
    before = [*(page.get("more") or [])]
    chosen = st.pills(
        _("More about this result"),
        list(sections),
        selection_mode="multi",
        key=page.widget_key("more"),
        format_func=lambda name: sections[name].title,
        label_visibility="collapsed",
        on_change=opened,
        persist_state=KEEP,
    )
    brought, opening = page.kept.get(_BROUGHT, ("", 0))
    for name in sections:
        if name in chosen:
            with st.container(border=True, key=f"section-{name}"):
                # pictures show what is compared; everything else is of one run
                both = None if other is None or name != "files" else compared(drawn, other)
                of_one = "" if other is None or both else " · A"
                st.markdown(f"**{sections[name].title}**{of_one}")
                with telling_errors():
                    sections[name].draw(both or drawn)
                if name == brought:
                    _bring(opening)


def shortcuts(page: Page, names: Collection[str], opened: Callable[[], None]) -> None:
    """Draw buttons above the stage that open sections below it and scroll to them.

    Args:
        page: that it is drawn on.
        names: of the sections.
        opened: called when one has been opened.
    """

    def bring(name: str) -> None:
        before = page.get("more") or []
        page.set("more", [*before, *({name} - {*before})])
        _remember_opening(page, name)
        opened()

    sections = _sections()
    with st.container(key="shortcuts", horizontal=True, width="content"):
        for name in names:
            st.button(
                sections[name].title,
                type="tertiary",
                key=page.widget_key("open", name),
                on_click=bring,
                args=(name,),
            )


def _remember_opening(page: Page, name: str) -> None:
    """Let a section be scrolled to when it is drawn."""
    number = st.session_state.get(_BROUGHT, 0) + 1
    st.session_state[_BROUGHT] = number
    page.kept[_BROUGHT] = (name, number)
    if name == "files":
        # the player keeps its step in the address, which the browser sends with every change
        st.session_state[_MOMENT] = (number, st.query_params.get("step", ""))


def _bring(opening: int) -> None:
    """Scroll to the section around, unless that was done for this opening of one."""
    bring = st.components.v2.component("dmlviz_bring", js=_script("bring.js"), isolate_styles=False)
    bring(key="brought_told", data={"opening": opening})


@cache
def _script(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class _Section:
    """A section below the stage: its title and the function that draws it."""

    title: str
    draw: Callable[[Scene], None]


def _sections() -> dict[str, _Section]:
    titles = section_titles()
    return {
        "engines": _Section(
            ":material/memory: " + titles["engines"],
            lambda drawn: show_answers(answers(drawn.trace.operator, drawn.trace.inputs)),
        ),
        "files": _Section(":material/download: " + _("Download"), take_away),
        "formula": _Section(":material/function: " + titles["formula"], _formula),
        "same": _Section(":material/equal: " + titles["same"], show_same),
        "example": _Section(":material/data_array: " + _("Documentation example"), _example),
        "code": _Section(":material/code: " + titles["code"], _code),
        "table": _Section(":material/table: " + titles["table"], _table),
    }


def _formula(drawn: Scene) -> None:
    trace = drawn.trace
    # the box has a button that copies it
    st.code(as_python("\n".join(rule_lines(trace))), language=None, wrap_lines=True)
    follow = st.components.v2.component(
        "dmlviz_pinned_formula", js=_script("pinned_formula.js"), isolate_styles=False
    )
    follow(key="pinned_formula", data={"last": "\n".join(element_lines(trace))})


def _example(drawn: Scene) -> None:
    trace = drawn.trace
    st.caption(_("In the style of DirectML's pages. You can check it on the page Verify a page."))
    example = (trace.operator, trace.inputs, trace.outputs)
    st.code(write_example(*example), language=None)
    for form in forms_of(*example):
        st.caption(_("The same for the page of {structure}.").format(structure=form.structure))
        st.code(write_example(*example, form=form), language=None)


def _table(drawn: Scene) -> None:
    if note := rows_note(drawn.trace):
        st.caption(note)
    st.table(move_rows(drawn.trace))


def _code(drawn: Scene) -> None:
    """Draw the same operation in other dialects, one at a time."""
    trace = drawn.trace
    snippets = {
        s.dialect: s for s in snippets_of(trace.operator, descs_of(trace.inputs, values=True))
    }
    current = st.session_state.get(_DIALECT)
    if current not in snippets:
        remembered = remembered_dialect()
        current = remembered if remembered in snippets else _FIRST_DIALECT
        st.session_state[_DIALECT] = current
    dialect = st.segmented_control(
        _("Dialect"),
        list(snippets),
        key=_DIALECT,
        required=True,
        format_func=lambda name: snippets[name].title,
        on_change=_remember_dialect,
        persist_state=KEEP,
    )
    # where the page before offered other dialects, the widget can hold none in its first run
    chosen = snippets[current if dialect is None else dialect]
    if chosen.note:
        st.caption(plain(chosen.note))
    if chosen.text:
        if not chosen.tested:
            st.caption(untested(chosen.title))
        st.code(chosen.text, language=chosen.language)
    as_code = code_of_snippets((chosen, *snippets.values()), trace)
    if as_code is not None:
        open_link(as_code.address(), _("Open as code"), "code")


def _remember_dialect() -> None:
    """Keep the choice; only a run of the whole page tells the browser to remember it."""
    st.session_state[DIALECT] = st.session_state[_DIALECT]
    st.rerun("app")


def take_away(drawn: Scene) -> None:
    """Draw the choice of a moment, and one button for each kind of file.

    Files are made only on request, and equal ones once for all sessions.
    """
    trace = drawn.trace
    key = trace.operator.key.replace("-", "_")
    st.caption(
        _(
            "The page plays offline; the pictures show the moment chosen here. To save a "
            "video, use View below the picture."
        )
    )
    steps = len(drawn.steps)
    opening, step = st.session_state.get(_MOMENT, (0, ""))
    moment = st.slider(
        _("Moment of the picture: completed steps"),
        min_value=0.0,
        max_value=float(steps),
        # before its first step a movement has nothing to show
        value=min(_completed(step) or float(steps), float(steps)),
        step=0.25,
        # 4 and 4.5, not 4.00
        format="%g",
        key=f"{key}_moment_{steps}_{opening}",
        persist_state=KEEP,
    )
    stage_words = words(drawn)
    opened = Page(trace.operator.key).view.colors
    choices = modes(drawn)
    colors = st.selectbox(
        stage_words["color"],
        choices,
        index=choices.index(opened) if opened in choices else 0,
        format_func=lambda mode: stage_words[f"color_{mode}"],
        key=f"{key}_moment_colors_{opened}_{len(choices)}",
        persist_state=KEEP,
    )
    dark = st.toggle(_("Dark background"), key=f"{key}_moment_dark", persist_state=KEEP)
    look = PictureLook(moment, colors, dark)
    with st.container(horizontal=True):
        for ending, title in titles_of_files().items():
            if ending in DATA and trace.places:
                continue
            make = partial(_picture, drawn, ending, look)
            if ending in DATA:
                make = partial(data_of_run, drawn, ending)
            st.download_button(
                title,
                in_this_language(make),
                file_name=f"{trace.operator.key}.{ending}",
                mime=MIMES.get(ending, "application/octet-stream"),
                icon=":material/download:",
                key=f"{key}_save_{ending}",
                on_click="ignore",
            )


def _completed(step: str) -> float:
    """How many steps an address says are completed; 0 if that is no number."""
    try:
        return read_step(step)
    except Error:
        return 0.0


def _key(drawn: Scene, ending: str, look: PictureLook) -> Hashable:
    # a page and a film show every moment, and a page has both backgrounds
    step = look.step if ending in ("png", "svg") else None
    return drawn.digest, ending, step, look.colors, look.dark and ending != "html"


@cached(megabytes=64, key=_key, heavy=True)
def _picture(drawn: Scene, ending: str, look: PictureLook) -> bytes:
    return PICTURES[ending](drawn, look)


@cached(megabytes=8, key=lambda drawn, ending: (drawn.digest, ending), words=False)
def data_of_run(drawn: Scene, ending: str) -> bytes:
    """The arrays or the model of what is shown, by the ending of the file's name."""
    return DATA[ending](drawn.trace)


# ---- what a movement is the same as


def show_same(drawn: Scene) -> None:
    """Draw operators, patterns and lines that do exactly the same, each with its link."""
    groups = same_by_reach(drawn.trace, _same(drawn.trace))
    if not groups:
        st.caption(nothing_the_same())
    for reach, every in groups:
        st.caption(plain(reach))
        show_each(every)


def show_each(every: Sequence[Same]) -> None:
    """Draw operators, patterns and lines, each with its link."""
    for one in every:
        st.code(one.text, language="python", wrap_lines=True)
        open_link(one.link, same_title(one), "equal")


def _movement(trace: Trace) -> Hashable:
    """The operator or the code, and where every element comes from."""
    digest = hashlib.sha256()
    for source in trace.sources.values():
        digest.update(repr(source.shape).encode())
        digest.update(source.tobytes())
    return trace.operator, digest.digest()


@cached(megabytes=0.25, key=_movement, words=False, heavy=True)
def _same(trace: Trace) -> tuple[Same, ...]:
    return same_of(trace)
