"""The parts of an explorer that run alone, of an operator's page as of the page for code.

Each draws what :func:`dmlviz.app.redrawing.remember` has kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar
from zlib import crc32

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dmlviz.app.address import page_address, whole_address
from dmlviz.app.call_note import title_of_call
from dmlviz.app.form_widgets import view_widgets
from dmlviz.app.outcome import PageOutcome
from dmlviz.app.page import Page, text_of
from dmlviz.app.parts import fragment
from dmlviz.app.redrawing import BELOW, COMPARED_BELOW, PICKER, QUESTION, STAGE, redraw, remembered
from dmlviz.app.result import result, shortcuts, summary
from dmlviz.app.share import share
from dmlviz.app.stage import call_of, link_of, outputs_on_stage, show, show_both
from dmlviz.app.text import plain
from dmlviz.base.cache import cached
from dmlviz.base.deferred import dataclass
from dmlviz.base.words import _
from dmlviz.base.words.particles import bound
from dmlviz.picture.compared import ComparisonSentences
from dmlviz.picture.runs import on_stage, runs_of
from dmlviz.picture.scene import Scene
from dmlviz.states.pages import AnyState, predicting, program_of
from dmlviz.states.view import ARRANGE, TOOLS
from dmlviz.teaching.code_presets import menu_of, presets_on
from dmlviz.tensors import print_sizes
from dmlviz.tensors.numbering import differing_elements, located, sizes_by_name
from dmlviz.tensors.types import Sizes, Tensors

_CHOICE = 264
"""The width of the preset picker in pixels."""


def head(page: Page, title: str, sentence: str) -> DeltaGenerator:
    """Draw the page's title with its tools beside it; return their container.

    Args:
        page: its keys.
        title: of the page.
        sentence: what it is for.
    """
    with st.container(key="head", horizontal=True, vertical_alignment="center"):
        st.title(title, anchor=False, width="content")
        st.markdown(sentence)
        tools = st.container(
            key="tools", horizontal=True, vertical_alignment="center", width="content"
        )
    with tools:
        with st.container(width=_CHOICE):
            picker(page)
        view_widgets(page, TOOLS)
    return tools


@fragment(key=PICKER)
def picker(page: Page) -> None:
    """Draw the choice of a preset."""

    def take(preset: Any) -> None:
        page.take(preset.state)
        st.rerun()

    outcome = remembered(page)
    preset_picker(page, presets_on(page.key), outcome.preset, take)


@fragment(key=QUESTION)
def question_of_page(
    page: Page, own: str, sections: Collection[str], does: str | None = None
) -> None:
    """Draw the question of the preset that the page shows, or the way back to the example.

    Args:
        page: its keys.
        own: what a state is called that is no preset's and no call's.
        sections: below the stage, that can be opened from here.
        does: what the page's operator does, which stands above the question on a phone; None for
            a page that says it elsewhere.
    """

    def reset() -> None:
        page.reset()
        st.rerun()

    if does is not None:
        # seen on a phone alone, where the title and what stands beside it are elsewhere
        with st.container(key="does"):
            # a question, its choices and the picture need a phone's whole window
            if not predicting(page.state):
                st.markdown(does)
    outcome = remembered(page)
    # an answer is about the whole chain, not about one of its calls
    drawn = None if page.state.call else outcome.drawn
    own = title_of_call(outcome.addressed) or own
    shown = _question_on(outcome)
    if drawn is not None and outcome.verdict is not None:
        # in the first view, beside what it judges
        own = outcome.verdict.brief
    question(
        page,
        shown,
        reset,
        own=own,
        hidden=predicting(page.state),
        outputs=_output_sizes(drawn, outcome.other) if drawn is not None else {},
        # what two codes have in common stands below, and waits for the answer, too
        # a refusal stands beside its widget as well
        answered=lambda: st.rerun(
            [QUESTION, STAGE, *([BELOW] if outcome.other else [])]
            if outcome.drawn is not None
            else "app"
        ),
        beside=lambda: shortcuts(page, sections, lambda: st.rerun([BELOW])),
    )


@fragment(key=STAGE)
def stage(page: Page, **room: Any) -> None:
    """Draw the picture, its check and what is printed with it.

    While there is no picture, the last one stays, dimmed, so that the page stands still.

    Args:
        page: its keys.
        room: limits of height, as of :func:`dmlviz.app.stage.show`.
    """
    outcome = remembered(page)
    outdated = outcome.drawn is None
    if outdated:
        outcome = page.kept.get("last_drawn", outcome)
    drawn, other = outcome.drawn, outcome.other
    if drawn is None:
        return
    room["outdated"] = outdated

    def arrange(text: str) -> None:
        page.change(ARRANGE, text)
        redraw(page)

    def choose(text: str) -> None:
        call = call_of(drawn, text)
        if call is not None:
            page.change("call", str(call))
            redraw(page)

    def turn_prediction(_text: str) -> None:
        page.change("predict", text_of(not page.state.view.predict))
        redraw(page)

    key = f"{page.key}-stage"
    link = link_of(page.key, page.opened, page.view, outputs_on_stage(drawn, other))
    link["answers"] = marks_answer(page)
    if outcome.addressed is not None and (program := program_of(outcome.addressed)):
        link["program"] = program
    predict = predicting(page.state)
    room["turn_prediction"] = turn_prediction
    if other is None:
        search = show(
            drawn, key, link=link, predict=predict, arrange=arrange, choose=choose, **room
        )
    else:
        assert outcome.verdict is not None
        brief, whole = outcome.verdict
        shown = _question_on(outcome)
        above = shown is None and not page.state.call and brief == whole
        # how many elements differ is often what the preset asks
        waits = isinstance(shown, _JudgedComparison) or not question_answered(page, outcome)
        room["verdict"] = "" if above or waits else whole
        search = show_both(drawn, other, key, link, arrange=arrange, **room)
    if outdated:
        return
    if search is not None:
        share(outcome.addressed, search)
    # one element, because each costs the server and the browser time
    lines = [_paper(drawn, other, outcome)]
    if not predict:
        lines.insert(0, summary(drawn))
    st.markdown("\n\n".join(lines))


@fragment(key=BELOW)
def below(
    page: Page,
    sections: Collection[str] = (),
    before: Callable[[PageOutcome], None] | None = None,
) -> None:
    """Draw the sections below the stage.

    Args:
        page: its keys.
        sections: their names; all if there are none.
        before: draws what stands before them.
    """
    outcome = remembered(page)
    page.kept[COMPARED_BELOW] = before is not None
    if outcome.drawn is None:
        return
    if before is not None:
        before(outcome)
    if predicting(page.state):
        st.markdown(_("Turn off Predict first to see the output's values, code and table."))
    else:
        result(page, outcome.drawn, sections, outcome.other)


def _paper(drawn: Scene, other: Scene | None, outcome: PageOutcome) -> str:
    """What a printed page shows besides the picture, as a list in Markdown; screens hide it.

    Args:
        drawn: the picture.
        other: the picture of the operator to compare with, or None.
        outcome: that has them, and the address if one holds its state.
    """
    lines = list(_facts(drawn, other))
    state = outcome.addressed
    if state is not None:
        lines.append((_("Address"), whole_address(state, page_address(), outcome.parameters)))
    return "\n".join(f"- **{title}** \u2002 {plain(text)}" for title, text in lines)


@cached(megabytes=0.25, key=lambda *drawn: tuple(one and one.digest for one in drawn))
def _facts(drawn: Scene, other: Scene | None) -> tuple[tuple[str, str], ...]:
    """The settings and the formula of a picture, each with its title."""
    trace = drawn.trace
    facts = [
        f"{name} {print_sizes(trace.whole_sizes[name])} {trace.input_types[name]}"
        for name in trace.inputs
    ]
    for one in (drawn, other):
        if one is not None:
            facts += [f"{name}: {value}" for name, value in one.trace.settings.items()]
    formulas = trace.formulas.values()
    formula = "; ".join(one.symbolic() for each in formulas for one in each)
    settings = (_("Settings"), "; ".join(filter(None, facts)))
    return (settings, (_("Formula"), formula)) if formula else (settings,)


@dataclass(frozen=True, eq=False)
class _JudgedComparison:
    """What is asked about two codes of the reader's own, as a preset asks.

    Attributes:
        state: with both codes.
        verdict: whether they differ.
        first, second: the outputs of both.
    """

    state: AnyState
    verdict: ComparisonSentences
    first: Tensors
    second: Tensors

    opens = True

    @property
    def key(self) -> str:
        """Other code is another question."""
        return f"own-{crc32(program_of(self.state).encode()):x}"

    @property
    def title(self) -> str:
        """The question, too."""
        return self.question

    @property
    def question(self) -> str:
        """Whether they do the same."""
        return _("Do A and B give the same output?")

    @property
    def answer(self) -> str:
        """The verdict."""
        return self.verdict.whole

    def cells(self, outputs: Mapping[str, Sizes]) -> tuple[tuple[int, ...], ...]:
        """The first differing element of A and of B."""
        for element in differing_elements(self.first, self.second)[:1]:
            name, index = located(element, self.first)
            number = list(self.first).index(name)
            return (number, *index), (len(outputs) // 2 + number, *index)
        return ()


def _question_on(outcome: PageOutcome) -> PagePreset | None:
    """What is asked about the picture: by its preset, or about two codes of the reader's own."""
    state, a, b = outcome.addressed, outcome.drawn, outcome.other
    preset = outcome.preset
    if preset is not None or state is None or state.operators or a is None or b is None:
        return preset
    assert outcome.verdict is not None
    return _JudgedComparison(state, outcome.verdict, a.trace.outputs, b.trace.outputs)


def _output_sizes(a: Scene, b: Scene | None) -> dict[str, Sizes]:
    """The sizes of all outputs on the stage, by the names shown there."""
    runs = runs_of(a.trace, None if b is None else b.trace)
    return sizes_by_name(on_stage(runs, lambda run: run.outputs))


def question_answered(page: Page, outcome: PageOutcome) -> bool:
    """Whether nothing that is asked about the picture waits for its answer."""
    shown = _question_on(outcome)
    return shown is None or _is_answered(page, shown)


def refusal_waits(page: Page, outcome: PageOutcome) -> bool:
    """Whether a refusal is the answer to what is asked, and waits for it; not one of an engine."""
    shown = _question_on(outcome)
    return shown is not None and not shown.opens and not _is_answered(page, shown)


_ANSWERED = "answered"
"""The key of the preset whose answer is shown, with the number of the view that marks it."""


class PagePreset(Protocol):
    """A preset of any page, as the page shows it."""

    @property
    def key(self) -> str:
        """Its name among the presets of the page."""

    @property
    def title(self) -> str:
        """A few words, for the picker."""

    @property
    def question(self) -> str:
        """One question."""

    @property
    def answer(self) -> str:
        """One or two sentences with the numbers on screen."""

    @property
    def opens(self) -> bool:
        """Whether there is a picture; if not, the refusal is the answer."""

    def cells(self, outputs: Mapping[str, Sizes]) -> tuple[tuple[int, ...], ...]:
        """The output elements that the answer names, as :class:`dmlviz.states.View` pins them."""


AnyPreset = TypeVar("AnyPreset", bound=PagePreset)


def preset_picker(
    page: Page,
    presets: Sequence[AnyPreset],
    shown: AnyPreset | None,
    take: Callable[[AnyPreset], None],
) -> None:
    """Draw the picker of presets.

    Args:
        page: its keys.
        presets: of the page.
        shown: the one that the page shows, or None.
        take: opens the preset that was chosen.
    """
    by_key = {preset.key: preset for preset in presets}
    if not by_key:
        return
    page.set("preset", shown.key if shown else None)

    def opened(page: Page) -> None:
        chosen = page.get("preset")
        if chosen in by_key:
            take(by_key[chosen])

    titles = menu_of(page.key)
    st.selectbox(
        _("Try"),
        list(titles),
        index=None,
        key=page.widget_key("preset"),
        format_func=lambda key: titles.get(key, key),
        placeholder=_("Try a question"),
        label_visibility="collapsed",
        required=True,
        on_change=page.take_change,
        args=("preset", opened),
    )


def question(
    page: Page,
    shown: PagePreset | None,
    reset: Callable[[], None],
    *,
    own: str,
    hidden: bool,
    outputs: Mapping[str, Sizes],
    answered: Callable[[], None],
    beside: Callable[[], None],
) -> None:
    """Draw the preset's question and answer, or a way back if the state is the user's own.

    The answer stands between the question and the stage, which marks the cells that it names.

    Args:
        page: its keys.
        shown: the preset that the page shows, or None.
        reset: opens the example.
        own: what a state that is no preset's is called.
        hidden: whether another question is asked now.
        outputs: the sizes of every output on the stage, by its name there; none without a stage.
        answered: called when the answer has been shown or hidden.
        beside: draws what else stands in the row of the question, if there is a stage.
    """
    with st.container(key="question"):
        with st.container(key="asked", horizontal=True, vertical_alignment="center"):
            if shown is None:
                st.markdown(own, width="content")
            elif not hidden:  # one question at a time
                st.markdown(f"**{bound(shown.question)}**", width="content")
                opened = _is_answered(page, shown)
                # nobody is surprised by the movement that comes with it
                st.button(
                    _("Play answer") if outputs and not opened else _("Answer"),
                    type="tertiary",
                    icon=f":material/{'expand_less' if opened else 'expand_more'}:",
                    icon_position="right",
                    key=page.widget_key("answer", shown.key),
                    on_click=_turn_answer,
                    args=(page, shown, outputs, answered),
                )
            if shown is None or isinstance(shown, _JudgedComparison):
                st.button(
                    _("Back to the example"),
                    type="tertiary",
                    icon=":material/restart_alt:",
                    key=page.widget_key("reset"),
                    on_click=reset,
                )
            if outputs and not hidden:
                beside()
        if shown is not None and not hidden and _is_answered(page, shown):
            with st.container(key="answer"):
                st.markdown(bound(shown.answer if shown.opens else plain(shown.answer)))


def marks_answer(page: Page) -> bool:
    """Whether the view of the newest link is that of an answer, to which the stage plays."""
    _key, opened = page.kept.get(_ANSWERED) or ("", None)
    return bool(opened == page.opened)


def _is_answered(page: Page, shown: PagePreset) -> bool:
    # a link that is opened later asks its question again
    return bool(page.kept.get(_ANSWERED) == (shown.key, page.opened))


def _turn_answer(
    page: Page,
    shown: PagePreset,
    outputs: Mapping[str, Sizes],
    answered: Callable[[], None],
) -> None:
    """Show the answer and let the stage mark its cells, or hide it again."""
    if _is_answered(page, shown):
        page.kept[_ANSWERED] = None
    else:
        if outputs:
            cells = shown.cells(outputs)
            page.show_view(replace(page.view, step=0, pinned=cells))
        page.kept[_ANSWERED] = (shown.key, page.opened)
    answered()
