"""Practice: endless questions, answers explained by their numbers, then the movement."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from dmlviz.addresses import write_link
from dmlviz.drawing.palettes import DARK, LIGHT
from dmlviz.drawing.scale import value_range
from dmlviz.errors import Error
from dmlviz.links import link
from dmlviz.operators.slots import VALUES
from dmlviz.player.tensor_figure import tensor_figure
from dmlviz.questions import LEVELS, MOST_SEED, Asked, Question
from dmlviz.tensors import element_count, print_sizes, print_tensor
from dmlviz.tensors.numbering import sizes_by_name
from dmlviz.ui.address import open_link, page_address, tell, whole_address
from dmlviz.ui.practice_state import (
    KEYS,
    answer,
    answer_to,
    answers,
    asked,
    begin,
    follow,
    forget,
    go_on,
    restart,
    streaks,
)
from dmlviz.ui.stage import picture, show
from dmlviz.ui.state import KEEP
from dmlviz.ui.text import operator_titles, plain
from dmlviz.ui.theme import is_dark
from dmlviz.words import _

Array = np.ndarray[Any, Any]

_COLUMN = 430
"""Pixels that a picture may be wide beside another."""

_CONFIG = {"displayModeBar": False, "scrollZoom": False, "doubleClick": False}


def practice_page() -> None:
    """Draw the page."""
    problems = begin()
    with st.sidebar:
        _settings()
    now = asked()
    follow()
    with st.sidebar:
        open_link(write_link("present", now.parameters()), _("Present"), "co_present")
    st.title(_("Practice"), anchor=False)
    tell(problems)
    try:
        question = now.question()
    except Error as error:
        st.info(plain(str(error)), icon=":material/quiz:")
        return
    kept = answer_to(now)
    _score(now)
    st.markdown(f"##### {plain(question.prompt)}")
    if kept is None:
        _drawn(question)
        _choices(question, now)
    else:
        _reveal(question, now, kept.chosen)
    _summary(now)


def _settings() -> None:
    st.subheader(_("Questions"), anchor=False)
    st.selectbox(
        _("Operator"),
        KEYS,
        key="practice_operator",
        format_func=lambda key: operator_titles()[key] if key else _("All operators"),
        on_change=restart,
        persist_state=KEEP,
    )
    levels = {
        1: _("1: small, one dimension matters"),
        2: _("2: as large as in the documentation"),
        3: _("3: several dimensions, folds, feature levels"),
    }
    st.radio(
        _("Level"),
        LEVELS,
        key="practice_level",
        format_func=lambda level: levels[level],
        on_change=restart,
        persist_state=KEEP,
    )
    st.number_input(
        _("Seed"),
        0,
        MOST_SEED,
        key="practice_seed",
        step=1,
        help=_("One seed gives everybody the same questions in the same order."),
        on_change=restart,
        persist_state=KEEP,
    )
    st.caption(_("The address of this page leads to the same question: give it to a class."))


def _score(now: Asked) -> None:
    kept = answers()
    streak, longest = streaks(kept)
    parts = [_("Question **{number}**").format(number=now.number)]
    if kept:
        right = sum(one.right for one in kept)
        parts.append(_("Score **{right} of {all}**").format(right=right, all=len(kept)))
        parts.append(
            _("Streak **{streak}**, longest **{longest}**").format(streak=streak, longest=longest)
        )
    st.markdown(" \u2002·\u2002 ".join(parts))


def _drawn(question: Question) -> None:
    """The inputs, and of the outputs what may be seen."""
    if question.shows == "none":
        return
    inputs, operator = question.inputs, question.operator
    outputs = operator.evaluate(inputs)
    control = {name for name in inputs if operator.role(name) != VALUES}
    travels = [x for name, x in inputs.items() if name not in control]
    scale = value_range(np.concatenate([x.ravel() for x in (*travels, *outputs.values())]))
    sides = [
        [
            _Shown(
                name,
                x,
                _uncoloured(x)
                if name in control
                else _still(tensor_figure(x, scale=scale, dark=is_dark())),
            )
            for name, x in _titled(inputs, _("Input")).items()
        ]
    ]
    if question.shows == "both":
        sides.append(
            [
                _Shown(name, output, _still(tensor_figure(output, scale=scale, dark=is_dark())))
                for name, output in _titled(outputs, _("Output")).items()
            ]
        )
    elif question.marked is not None:
        held = question.output or next(iter(outputs))
        title = _("Output") if len(outputs) == 1 else held
        blank = _hidden(outputs[held], question.marked)
        sides.append([_Shown(title, np.zeros(outputs[held].shape), blank, hidden=True)])
    for column, shown in zip(st.columns(len(sides), gap="medium"), sides, strict=True):
        with column:
            for one in shown:
                st.markdown(f"**{plain(one.title)}** \u2002 {print_sizes(one.values.shape)}")
                st.plotly_chart(
                    one.figure,
                    theme=None,
                    key=f"practice-{one.title}",
                    config=_CONFIG,
                    alt=_alt(one.title, one.values, one.hidden),
                )


@dataclass(frozen=True, eq=False)
class _Shown:
    """A tensor beside a question."""

    title: str
    values: Array
    figure: dict[str, Any]
    hidden: bool = False


def _titled(tensors: Mapping[str, Array], alone: str) -> dict[str, Array]:
    """Tensors by what stands above them: their names where there are several."""
    return dict(tensors) if len(tensors) > 1 else {alone: next(iter(tensors.values()))}


def _still(figure: dict[str, Any]) -> dict[str, Any]:
    """Without hover, which would answer some questions, and as high as half a page is wide."""
    across, down = (np.ptp(figure["layout"][axis]["range"]) for axis in ("xaxis", "yaxis"))
    height = figure["layout"]["height"]
    figure["layout"]["height"] = int(height * min(1, _COLUMN / (height * across / down)))
    figure["data"][0]["hoverinfo"] = "skip"
    figure["data"][0].pop("hovertemplate", None)
    return figure


def _uncoloured(x: Array) -> dict[str, Any]:
    """A tensor that says where others go: its numbers have no colours."""
    figure = _still(tensor_figure(np.zeros(x.shape, x.dtype), scale=(0, 1), dark=is_dark()))
    told = tensor_figure(x, scale=value_range(x), dark=is_dark())
    heatmap, slot = figure["data"][0], (DARK if is_dark() else LIGHT).slot
    heatmap["colorscale"] = [[0, slot], [1, slot]]
    if "text" in told["data"][0]:
        heatmap["text"] = told["data"][0]["text"]
    return figure


def _hidden(output: Array, marked: tuple[int, ...]) -> dict[str, Any]:
    """The output as empty places, one of them with a question mark."""
    flat = int(np.ravel_multi_index(marked, output.shape))
    blank = np.zeros(output.shape, np.int8)
    figure = _still(tensor_figure(blank, {flat}, scale=(0, 1), dark=is_dark()))
    heatmap = figure["data"][0]
    slot = (DARK if is_dark() else LIGHT).slot
    heatmap["colorscale"] = [[0, slot], [1, slot]]
    if "text" in heatmap:
        words = np.asarray(heatmap["text"], object)
        heatmap["text"] = np.where(np.char.startswith(words.astype(str), "≠"), "?", "")
    return figure


def _alt(title: str, values: Array, hidden: bool) -> str:
    if hidden:
        return _("{title}: a tensor of sizes {sizes}, its values hidden.").format(
            title=title, sizes=print_sizes(values.shape)
        )
    return print_tensor(title, values)


def _choices(question: Question, now: Asked) -> None:
    for i, choice in enumerate(question.choices):
        st.button(
            plain(choice.text),
            key=f"practice_choice_{i}",
            shortcut=str(i + 1),
            width="stretch",
            on_click=answer,
            args=(now, i, i == question.right),
        )


def _reveal(question: Question, now: Asked, chosen: int) -> None:
    """Right or wrong by the numbers, then the movement itself."""
    right = question.choices[question.right]
    if chosen == question.right:
        st.success(
            _("Right: {answer}").format(answer=plain(right.text)), icon=":material/check_circle:"
        )
    else:
        taken = question.choices[chosen]
        st.error(
            _("Not {chosen}. {why}").format(chosen=plain(taken.text), why=plain(taken.why)),
            icon=":material/cancel:",
        )
        st.success(
            _("The engine gives: {answer}").format(answer=plain(right.text)),
            icon=":material/check_circle:",
        )
    st.button(
        _("Next question"),
        key="practice_next",
        type="primary",
        shortcut="N",
        icon=":material/arrow_forward:",
        on_click=go_on,
    )
    st.code(question.explanation, language=None, wrap_lines=True)
    others = [
        f"- {plain(choice.text)}: {plain(choice.why)}"
        for i, choice in enumerate(question.choices)
        if i not in (question.right, chosen)
    ]
    if others:
        with st.expander(_("The other choices")):
            st.markdown("\n".join(others))
    if question.shows == "none":
        st.markdown(_("One that is taken moves like this:"))
    drawn = picture(question.operator, question.inputs)
    pinned = [] if question.marked is None else [_flat(question)]
    look = {"colors": "value", "moves": "steps", "step": 0, "pinned": pinned}
    # the player looks as the link says whenever this number is another
    opened = zlib.crc32(repr(now).encode())
    show(
        drawn,
        key="practice-stage",
        tall=520,
        link={
            "page": "practice",
            "opened": opened,
            "writes": False,
            "shares": False,
            "view": look,
        },
    )
    open_link(link(question.operator, question.inputs), _("Open it in its explorer"))


def _flat(question: Question) -> int:
    """The number of the marked cell, through all outputs."""
    assert question.marked is not None
    operator = question.operator
    sizes = operator.outputs_after(sizes_by_name(question.inputs))
    names = list(sizes)
    held = question.output or names[0]
    before = sum(element_count(sizes[name]) for name in names[: names.index(held)])
    return before + int(np.ravel_multi_index(question.marked, sizes[held]))


def _summary(now: Asked) -> None:
    kept = answers()
    if not kept:
        return
    with st.expander(_("Summary to copy"), icon=":material/content_copy:"):
        st.code(summary(now), language=None, wrap_lines=True)
        st.caption(_("Nothing of this is stored: it ends with this visit."))
        st.button(_("Count anew"), key="practice_forget", on_click=forget)


def summary(now: Asked) -> str:
    """The answers of this visit as text, with the link that gives the same questions."""
    kept = answers()
    right = sum(one.right for one in kept)
    _streak, longest = streaks(kept)
    lines = [
        _("dmlviz practice: {right} of {all} right, longest streak {longest}").format(
            right=right, all=len(kept), longest=longest
        )
    ]
    groups: dict[Asked, list[str]] = {}
    for one in kept:
        first = replace(one.asked, number=1)
        mark = _("{number} right") if one.right else _("{number} wrong")
        groups.setdefault(first, []).append(mark.format(number=one.asked.number))
    titles = operator_titles()
    for first, marks in groups.items():
        lines.append(
            _("seed {seed}, level {level}, {operator}: {marks}").format(
                seed=first.seed,
                level=first.level,
                operator=titles[first.operator] if first.operator else _("all operators"),
                marks=", ".join(marks),
            )
        )
        lines.append(whole_address(first, page_address()))
    return "\n".join(lines)
