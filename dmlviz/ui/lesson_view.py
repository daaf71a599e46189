"""One part of a lesson: words, a question, then one short move, then rest."""

from __future__ import annotations

import streamlit as st

from dmlviz.documents import write_example
from dmlviz.glossary import Term, glossary
from dmlviz.lessons import Facts, Lesson, Part, Prediction
from dmlviz.lessons.facts import facts_of
from dmlviz.tensors.numbering import sizes_by_name
from dmlviz.ui.address import go, linked, open_link, page_of
from dmlviz.ui.compare import show_both
from dmlviz.ui.stage import link_of, picture, show
from dmlviz.ui.still import input_still
from dmlviz.ui.text import plain
from dmlviz.words import _, ngettext

_ANSWERS = "lesson_answers"
"""By lesson and part, the number of the answer that was given in this session."""
_JUST = "lesson_just_answered"


def lesson_view(lesson: Lesson, number: int) -> None:
    """A part of the lesson.

    Args:
        lesson: to show.
        number: of the part, from 1 on.
    """
    part = lesson.parts[number - 1]
    at = (lesson.key, number)
    answer: int | None = st.session_state.get(_ANSWERS, {}).get(at)
    seen, before = _seen_before(lesson, number), glossary()
    known = set(seen)
    st.title(part.title, anchor=False)
    _progress(lesson, number)
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.markdown(linked(part.words, seen, before))
        _question(part.prediction, at, answer, seen)
        if answer is not None:
            st.markdown(f":material/visibility: {linked(part.look, seen, before)}")
        _new_words([term for term in before if term.key in seen - known])
    with right:
        _stage(part, at, answer)
        if answer is not None:
            _what_if(part, seen)
    _foot(lesson, number, answered=answer is not None)


def _seen_before(lesson: Lesson, number: int) -> set[str]:
    """The terms that the parts before this one have used."""
    seen: set[str] = set()
    for part in lesson.parts[: number - 1]:
        for text in part.reading():
            linked(text, seen, glossary())
    return seen


def _progress(lesson: Lesson, number: int) -> None:
    st.progress(
        number / len(lesson.parts),
        text=_("**{title}** \u2002 part {number} of {count}").format(
            title=lesson.title, number=number, count=len(lesson.parts)
        ),
    )


def _question(
    prediction: Prediction, at: tuple[str, int], answer: int | None, seen: set[str]
) -> None:
    """The prediction: buttons before, what is right and why not the others after."""
    terms = glossary()
    with st.container(border=True):
        st.markdown(f"**{linked(prediction.prompt, seen, terms)}**")
        if answer is None:
            for i, choice in enumerate(prediction.answers):
                st.button(
                    _bold(choice.text),
                    key=f"lesson_{at[0]}_{at[1]}_{i}",
                    on_click=_answer,
                    args=(at, i),
                    shortcut=str(i + 1),
                    width="stretch",
                )
            return
        right = prediction.right
        if answer == right:
            st.success(_("Right: {answer}").format(answer=_bold(prediction.answers[right].text)))
        else:
            st.error(_("You said: {answer}").format(answer=_bold(prediction.answers[answer].text)))
            st.markdown(linked(prediction.answers[answer].why, seen, terms))
            st.success(_("Right: {answer}").format(answer=_bold(prediction.answers[right].text)))
        st.markdown(linked(prediction.reveal, seen, terms))
        for i, choice in enumerate(prediction.answers):
            if i not in (answer, right):
                text = linked(choice.why, seen, terms)
                st.caption(f"{_bold(choice.text.rstrip('.'))}: {text}")


def _bold(text: str) -> str:
    return f"**{text}**"


def _stage(part: Part, at: tuple[str, int], answer: int | None) -> None:
    """The input alone before the answer; the player after it."""
    facts = facts_of(part.link)
    state = facts.state
    if part.text:
        _as_text(facts, whole=answer is not None and part.text == "both")
    if answer is None or facts.problems:
        input_still(state)
        if answer is not None:
            for problem in facts.problems:
                st.error(plain(problem.message), icon=":material/block:")
        return
    drawn = picture(facts.operator, state.inputs(), state.view.directions)
    key = f"lesson-{at[0]}-{at[1]}"
    link = link_of(key, 1, state.view, sizes_by_name(drawn.trace.outputs))
    link |= {"writes": False, "shares": False, "pins": True}
    link["plays"] = st.session_state.get(_JUST) == at
    second = state.second()
    if second is None:
        show(drawn, key=key, link=link, tall=520)
    else:
        show_both(drawn, picture(second, state.inputs(), state.view.directions), key, link)


def _as_text(facts: Facts, *, whole: bool) -> None:
    text = write_example(facts.operator, facts.trace.inputs, facts.trace.outputs)
    before = text.partition(f"\n\n{next(iter(facts.trace.outputs))}:")[0]
    st.code(text if whole else before, language=None)


def _what_if(part: Part, seen: set[str]) -> None:
    with st.container(border=True):
        st.markdown(
            f":material/lightbulb: {linked(part.what_if.words, seen, glossary())}",
        )
        open_link(part.what_if.link, _("Try it"))


def _new_words(terms: list[Term]) -> None:
    if not terms:
        return
    label = ngettext("{n} new word", "{n} new words", len(terms)).format(n=len(terms))
    with st.expander(label, icon=":material/dictionary:"):
        st.markdown("\n".join(f"- **{term.name}**: {term.sentence}" for term in terms))


def _foot(lesson: Lesson, number: int, *, answered: bool) -> None:
    """Back and on, by button and by key."""
    left, middle, right = st.columns(3)
    left.button(
        _("Back"),
        icon=":material/arrow_back:",
        key="lesson_back",
        shortcut="P",
        disabled=number == 1,
        on_click=_go,
        args=(lesson.link(number - 1),),
        width="stretch",
    )
    middle.button(
        _("All lessons"),
        icon=":material/apps:",
        key="lesson_all",
        shortcut="L",
        on_click=_go,
        width="stretch",
    )
    last = number == len(lesson.parts)
    right.button(
        _("The end: all lessons") if last else _("Next part"),
        icon=":material/check:" if last else ":material/arrow_forward:",
        key="lesson_next",
        shortcut="N",
        type="primary" if answered else "secondary",
        on_click=_go,
        args=() if last else (lesson.link(number + 1),),
        width="stretch",
    )


def _answer(at: tuple[str, int], number: int) -> None:
    answers = st.session_state.get(_ANSWERS, {})
    st.session_state[_ANSWERS] = {**answers, at: number}
    st.session_state[_JUST] = at


def _go(link: str = "/lessons") -> None:
    st.session_state.pop(_JUST, None)
    go(page_of(link)[1])
