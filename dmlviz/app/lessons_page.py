"""The lessons: a card for each; ``/lessons?lesson=tile&part=2`` opens a part of one.

``part=end`` opens the page after its last part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from dmlviz.app.address import (
    address_parameters,
    linked,
    open_link,
    page_of,
    repeat_address,
    tell,
    to,
)
from dmlviz.app.lesson_foot import FOOT, awaits_skip, end_foot, part_foot
from dmlviz.app.lesson_marks import (
    answer_of,
    forget_answers,
    just_answered,
    keep_answer,
    marks_of,
    remember,
    tick,
)
from dmlviz.app.stage import WITHIN, call_of, link_of, outputs_on_stage, show, show_both
from dmlviz.app.still import card_still, hidden_words, input_still, inputs_still
from dmlviz.app.text import operator_titles, plain
from dmlviz.base.addresses import Reading, write_link
from dmlviz.base.words import _, ngettext
from dmlviz.picture.compared import compared
from dmlviz.picture.scene import Scene
from dmlviz.picture.sections import element_lines
from dmlviz.picture.unanswered import QuestionPicture
from dmlviz.states import View
from dmlviz.states.pages import AnyState, changed, refusals_of
from dmlviz.teaching.answers import ALL, NOTHING
from dmlviz.teaching.facts import facts_of, operator_keys, state_of
from dmlviz.teaching.glossary import Term, glossary
from dmlviz.teaching.lessons import (
    END,
    Lesson,
    LessonPart,
    Prediction,
    chapters,
    least_right,
    lessons,
    passed,
)
from dmlviz.teaching.posed import Posed, documentation_text, of_part
from dmlviz.teaching.predict import answer_keys

_MOST_PARTS = 99
_ICONS = {True: "check_circle", False: "cancel", None: "radio_button_unchecked"}


def lessons_page() -> None:
    """Draw what the address asks for: one part of a lesson, or all lessons."""
    reading, by_key = Reading(address_parameters()), {lesson.key: lesson for lesson in lessons()}
    # the page lists them
    rule = _("there is none with that name; all of them are listed here.")
    lesson = by_key.get(reading.one_of("lesson", list(by_key), "", rule))
    ended = lesson is not None and reading.texts.get("part") == END
    reading.know("part")
    most = len(lesson.parts) if lesson else _MOST_PARTS
    number = 0 if ended else reading.whole("part", 1, most, 1)
    tell(problem.message for problem in reading.all_problems())
    repeat_address()
    if lesson is None:
        _list()
    elif ended:
        rest = list(by_key.values())[list(by_key).index(lesson.key) + 1 :]
        _end(lesson, rest[0] if rest else None)
    else:
        lesson_view(lesson, number)


def _list() -> None:
    st.title(_("Lessons"), anchor=False)
    st.markdown(
        _(
            "Short parts: read, predict what will happen, then watch it happen. Every number "
            "comes from the engine."
        )
    )
    remember()
    seen: set[str] = set()
    for number, (title, members) in enumerate(chapters(lessons())):
        st.header(title, anchor=False)
        with st.container(key=f"lesson_cards_{number}"):
            for one in members:
                _card(*one, seen)


def _card(number: int, lesson: Lesson, seen: set[str]) -> None:
    """Draw a lesson's card: the inputs of its first part, without the result."""
    minutes = ngettext("{n} minute", "{n} minutes", lesson.minutes).format(n=lesson.minutes)
    parts = ngettext("{n} part", "{n} parts", len(lesson.parts)).format(n=len(lesson.parts))
    with st.container(border=True, key=f"lesson_card_{lesson.key}"):
        card_still(state_of(lesson.parts[0].link))
        page, parameters = page_of(lesson.link())
        st.page_link(page, label=f"{number}. {lesson.title}", query_params=to(parameters))
        marks = marks_of(lesson)
        sentence = _("{right} of {count} correct")
        score = sentence.format(right=marks.count(True), count=len(marks))
        begun = any(mark is not None for mark in marks)
        st.caption(" \u00b7 ".join((parts, minutes, *[score] * begun)))
        tick(lesson)
        st.markdown(_audience(lesson, seen))


def _audience(lesson: Lesson, seen: set[str]) -> str:
    """Who it is for, as Markdown: lessons named by their titles, in quotation marks, are links."""
    named = {f"{a}{each.title}{b}": each for each in lessons() for a, b in ("“”", "''")}
    parts = re.split(f"({'|'.join(map(re.escape, named))})", lesson.audience)
    for i, part in enumerate(parts):
        if part in named:
            parts[i] = f"[{part}]({named[part].link().removeprefix('/')})"
        else:
            parts[i] = linked(part, seen, glossary())
    return "".join(parts)


def _end(lesson: Lesson, following: Lesson | None) -> None:
    """Draw the page after a lesson's last part: what was right, the aims, and where to go next.

    Args:
        lesson: the lesson that ends.
        following: the lesson to take next; None after the last one.
    """
    marks = marks_of(lesson)
    st.title(lesson.title, anchor=False)
    with st.container(key="lesson_end"):
        sentence = _("You answered {right} of {count} questions correctly.")
        st.markdown(f"**{sentence.format(right=marks.count(True), count=len(marks))}**")
        _passed(lesson, marks)
        _parts(lesson, marks)
        aims = "\n".join(f"- {linked(aim, set(), glossary())}" for aim in lesson.aims)
        heading = _("Now you can:") if all(marks) else _("The aims of this lesson:")
        st.markdown(f"**{heading}**\n\n{aims}")
        _practice(lesson, marks)
        if following:
            sentence = _("Next lesson: {title}").format(title=following.title)
            open_link(following.link(), f"**{sentence}**", "school")
    end_foot(lesson, following)


def _parts(lesson: Lesson, marks: tuple[bool | None, ...]) -> None:
    """Link to every part: first to those with wrong answers."""
    parts = list(zip(range(1, len(marks) + 1), lesson.parts, marks, strict=True))
    missed = [each for each in parts if each[2] is False]
    others = [each for each in parts if each[2] is not False]
    for heading, listed in ((_("Look again at:"), missed), (_("The other parts:"), others)):
        if missed and listed:
            st.markdown(f"**{heading}**")
        for number, part, mark in listed:
            open_link(lesson.link(number), f"{number}. {part.title}", _ICONS[mark])


def _passed(lesson: Lesson, marks: tuple[bool | None, ...]) -> None:
    remember(lesson if passed(marks) else None)
    if passed(marks):
        sentence = _("You passed this lesson. Only this browser remembers its tick.")
        st.markdown(f":material/check: {sentence}")
        return
    missing = [str(number) for number, mark in enumerate(marks, 1) if mark is None]
    if missing:
        sentence = ngettext(
            "Part {parts} is not answered yet.", "Parts {parts} are not answered yet.", len(missing)
        )
        st.markdown(
            f":material/radio_button_unchecked: {sentence.format(parts=', '.join(missing))}"
        )
    sentence = _("To pass, answer every question, at least {least} of {count} correctly.")
    st.markdown(sentence.format(least=least_right(len(marks)), count=len(marks)))
    if any(mark is not None for mark in marks):
        st.button(
            _("Start this lesson over"),
            icon=":material/restart_alt:",
            key="lesson_again",
            on_click=forget_answers,
            args=(lesson,),
        )


def _practice(lesson: Lesson, marks: tuple[bool | None, ...]) -> None:
    """Link to practice of the operators with wrong answers, or of all if no answer was wrong.

    A part about code has no practice of its own: another operator's would not be what was missed.
    """
    missed = [part for part, mark in zip(lesson.parts, marks, strict=True) if mark is False]
    keys = operator_keys(part.link for part in missed) if missed else lesson.operators
    if not keys:
        return
    heading = _("Practice the operators you missed:") if missed else _("Practice it:")
    st.markdown(f"**{heading}**")
    for key in keys:
        open_link(write_link("practice", {"operator": key}), operator_titles()[key], "exercise")


_PIN, _LINE, _LETTERS = 24, 22, 78
"""Pixels around a pinned element's formula and of one of its lines, and the letters of a line."""
_MOST_PINNED = 152
"""Pixels that the stage leaves for formulas at most; more of them are scrolled to."""
_PART = 0.34
"""The share of a phone's window for a stage with a question below it."""
_WIDE = 480
_LEAST_BELOW_TEXT = 120
"""Pixels of the lowest stage that stands below documentation text."""


def lesson_view(lesson: Lesson, number: int) -> None:
    """Draw a part of the lesson.

    Args:
        lesson: to show.
        number: of the part, from 1.
    """
    part, posed = lesson.parts[number - 1], of_part(lesson, number)
    answer = answer_of(lesson, number)
    seen, before = _earlier_terms(lesson, number), glossary()
    known = set(seen)
    answered = answer is not None
    with st.container(key="lesson"):
        _head(lesson, number)
        with st.container(key="lesson_told" if answered else "lesson_asks"):
            with st.container(key="lesson_words"):
                st.markdown(linked(part.words, seen, before))
                _runs(posed)
                if part.text and answered:
                    # the rest of what stands above the picture, or on a phone in place of it
                    with st.container(key=f"lesson_text_{part.text}"):
                        _as_text(part, whole=part.text == "both")
            _question(lesson, number, answer, seen)
            if answer is not None:
                watch = ":material/visibility:"
                if just_answered(lesson, number) and not refusals_of(state_of(posed.link)):
                    play = _("Press Play and watch:")
                    if posed.hides == NOTHING:
                        play = _("Press Replay and watch:")
                    watch = f":material/play_circle: **{play}**"
                st.markdown(f"{watch} {linked(part.look, seen, before)}")
                # after what to do next, which is in view
                _others(part.prediction, answer, seen)
                if part.code:
                    trace = facts_of(part.link).trace
                    file = f"{state_of(part.link).key}.npz"
                    lines = "\n\n".join(c.program(trace.inputs, file) for c in part.code)
                    # the colors of Python's words are too faint on this background
                    st.code(lines, language=None)
                _what_if(part, seen)
            _new_words([term for term in before if term.key in seen - known])
        _picture(lesson, number, posed, answered=answered)
    part_foot(lesson, number, answered=answered)
    remember()


def _earlier_terms(lesson: Lesson, number: int) -> set[str]:
    """The terms that the parts before this one have used."""
    seen: set[str] = set()
    for part in lesson.parts[: number - 1]:
        for text in part.reading():
            linked(text, seen, glossary())
    return seen


def _head(lesson: Lesson, number: int) -> None:
    """The part's name, and how far it is through the lesson."""
    with st.container(key="lesson_head", horizontal=True, vertical_alignment="bottom"):
        st.title(lesson.parts[number - 1].title, anchor=False)
        st.markdown(_bold(lesson.title), width="content")
        st.markdown(
            _("part {number} of {count}").format(number=number, count=len(lesson.parts)),
            width="content",
        )


def _question(lesson: Lesson, number: int, answer: int | None, seen: set[str]) -> None:
    """Draw the prediction: buttons before the answer, the explanation after it."""
    prediction, terms = lesson.parts[number - 1].prediction, glossary()
    with st.container(key="lesson_question"):
        st.markdown(f"**{linked(prediction.prompt, seen, terms)}**")
        if answer is None:
            keys = answer_keys([choice.text for choice in prediction.answers])
            for i, (choice, key) in enumerate(zip(prediction.answers, keys, strict=True)):
                st.button(
                    _bold(choice.text),
                    key=f"lesson_{lesson.key}_{number}_{i}",
                    on_click=keep_answer,
                    args=(lesson, number, i),
                    shortcut=key,
                    width="stretch",
                )
            if awaits_skip(lesson, number):
                sentence = _("Choose an answer, or skip this part.")
                with st.container(key="lesson_skip"):
                    st.markdown(f":material/help: {sentence}")
            return
        right = prediction.right
        if answer != right:
            with st.container(key="lesson_wrong"):
                chosen = prediction.answers[answer]
                st.markdown(_("You said: {answer}").format(answer=_bold(chosen.text)))
            st.markdown(linked(chosen.why, seen, terms))
        with st.container(key="lesson_right"):
            st.markdown(_("Right: {answer}").format(answer=_bold(prediction.answers[right].text)))
        st.markdown(linked(prediction.reveal, seen, terms))


def _others(prediction: Prediction, answer: int, seen: set[str]) -> None:
    """Draw why each choice is wrong that was not taken."""
    for i, choice in enumerate(prediction.answers):
        if i not in (answer, prediction.right):
            text = linked(choice.why, seen, glossary())
            st.caption(f"{_bold(choice.text.rstrip('.'))}: {text}")


def _bold(text: str) -> str:
    return f"**{text}**"


def _picture(lesson: Lesson, number: int, posed: Posed, *, answered: bool) -> None:
    """Draw the player, whose cells stay in place at the answer, or a still of what is refused."""
    state = state_of(posed.link)
    problems = refusals_of(state)
    if (not problems and posed.hides != ALL) or (answered and not problems):
        with st.container(key="lesson_stage"):
            _stage(lesson, number, posed, state, answered=answered)
    elif answered:
        with st.container(key="lesson_stage"):
            input_still(state, width=_WIDE)
            for problem in problems:
                st.error(plain(problem.message), icon=":material/block:")
    else:
        with st.container(key="lesson_still"):
            if posed.hides == ALL:
                st.caption(
                    _("The input would give the answer away. It appears once you have answered.")
                )
            else:
                inputs_still(state)


def _stage(lesson: Lesson, number: int, posed: Posed, state: AnyState, *, answered: bool) -> None:
    """Draw the player, which hides what the question asks for until its answer."""
    part = lesson.parts[number - 1]
    key = f"lesson-{lesson.key}-{number}"
    if answered:
        call = st.session_state.get(f"{key}-call")
        state = state if call is None else changed(state, "call", str(call))
    drawn, *others = state.scenes()
    other = others[0] if others else None
    question = QuestionPicture(part.prediction.described, posed.hides, posed.marked, answered)
    hidden = "" if answered else hidden_words(drawn, posed.hides, state.input_title)
    view = state.view if answered else View(colors=state.view.colors)
    link = link_of(key, int(answered), view, outputs_on_stage(drawn, other))
    link |= {"writes": False, "shares": False, "pins": True}
    just = answered and just_answered(lesson, number)
    # an output that was in view stays so until it is played again
    link["plays"] = just and posed.hides != NOTHING
    pinned = state.view.look(outputs_on_stage(drawn, other))["pinned"]
    if answered:
        link["view"]["letters"] = part.letters
        # Play runs through, past the step of the cells that the words are about
        link["view"]["step"] = len(drawn.steps)
    if part.text:
        _as_text(part, whole=False)
    room: dict[str, Any] = {"foot": FOOT, "part": _PART, "within": WITHIN}
    if part.text:
        room["least"] = _LEAST_BELOW_TEXT
    elif pinned:
        room["formulas"] = _pinned_height(drawn, pinned)
    if posed.hides != ALL:
        room |= {"question": question, "hidden": hidden}
    if other is None:
        choose = partial(_choose, drawn, key) if answered else None
        show(drawn, key=key, link=link, choose=choose, **room)
    elif answered:
        show_both(drawn, other, key, link, **room)
    else:
        show(compared(drawn, other), key=key, link=link, **room)


def _pinned_height(drawn: Scene, pinned: Sequence[int]) -> int:
    """Pixels of the panel with the formulas of pinned elements, which the answer brings."""
    trace, height = drawn.trace, 0
    for number in pinned:
        # a sentence stands in place of a formula, and below that of an element beyond the input
        rows = sum(1 + len(line) // _LETTERS for line in element_lines(trace, number)) or 2
        rows += len(trace.beyond)
        height += _PIN + rows * _LINE
    return min(height, _MOST_PINNED)


def _choose(drawn: Scene, key: str, number: str) -> None:
    """Put a call of the part's code on the stage."""
    call = call_of(drawn, number)
    if call is not None:
        st.session_state[f"{key}-call"] = call


def _runs(posed: Posed) -> None:
    """Draw what the question is about: the operator and its settings, or the code."""
    if not posed.runs_code:
        st.caption(plain(posed.runs))
    elif posed.runs:
        st.code(posed.runs, language=None, wrap_lines=True)


def _as_text(part: LessonPart, *, whole: bool) -> None:
    st.code(documentation_text(part.link, whole=whole), language=None)


def _what_if(part: LessonPart, seen: set[str]) -> None:
    with st.container(key="lesson_what_if"):
        st.markdown(f":material/lightbulb: {linked(part.what_if.words, seen, glossary())}")
        open_link(part.what_if.link, _("Try it"))


def _new_words(terms: list[Term]) -> None:
    """Draw the meanings of terms that no earlier part has used."""
    if not terms:
        return
    label = ngettext("{n} new word", "{n} new words", len(terms)).format(n=len(terms))
    with st.popover(label, icon=":material/dictionary:", type="tertiary", key="lesson_new_words"):
        st.markdown("\n".join(f"- **{term.name}**: {term.sentence}" for term in terms))
