"""Practice: endless questions, answers explained with their numbers, then the movement."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dmlviz.app.address import PageAddress, open_link, page_address, tell, whole_address
from dmlviz.app.class_draft import add_button
from dmlviz.app.lesson_foot import FOOT, foot_bar, next_button
from dmlviz.app.page import KEEP
from dmlviz.app.stage import WITHIN, picture, show
from dmlviz.app.still import hidden_words
from dmlviz.app.text import operator_titles, plain
from dmlviz.base.addresses import write_link
from dmlviz.base.deferred import dataclass
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.base.words.particles import bound
from dmlviz.picture.unanswered import QuestionPicture
from dmlviz.states.links import link
from dmlviz.teaching.answers import NOTHING
from dmlviz.teaching.kinds import KINDS
from dmlviz.teaching.plain import PLAIN
from dmlviz.teaching.posed import described_outputs, marked_cell
from dmlviz.teaching.practice import MOST_SEED, Practice, operators_at, read_practice
from dmlviz.teaching.predict import answer_keys
from dmlviz.teaching.questions import LEVELS, Question, support_head, support_note, support_rows
from dmlviz.teaching.sets import of_practice_part

_ADDRESS = PageAddress("practice")


@dataclass(frozen=True)
class Answered:
    """An answer: its question, its choice, and whether it is right."""

    practice: Practice
    chosen: int
    right: bool


def current_practice() -> Practice:
    """The question on the page."""
    session = st.session_state
    return Practice(
        int(_value("seed", 0)),
        _level(1),
        str(_value("operator", "")),
        int(session.get("practice_number", 1)),
    )


def _value(name: str, usual: Any) -> Any:
    # an empty number field holds None
    stored = st.session_state.get(f"practice_{name}")
    return usual if stored is None else stored


def _level(usual: int) -> int:
    # read before its widget refuses what it does not offer
    level = _value("level", usual)
    return level if level in (PLAIN, *LEVELS) else usual


def operators() -> tuple[str, ...]:
    """The operators to choose from at the level of the page; empty for all."""
    return ("", *(cls.key for cls in operators_at(_level(PLAIN))))


def begin() -> Sequence[str]:
    """Apply an address that was just opened; return sentences about its problems."""
    session = st.session_state
    if "practice_seed" not in session:
        # a random seed; a class gets its seed from the link
        _put(Practice(random.randrange(1, 10_000), PLAIN))  # noqa: S311  a game
        session["practice_answers"] = ()
        # a link without a level is of level 1
        usual = Practice(current_practice().seed)
    else:
        usual = replace(current_practice(), operator="", number=1)
    opened = _ADDRESS.opened()
    if opened:
        practice, problems = read_practice(opened, usual)
        _put(practice)
        _ADDRESS.open(practice, problems, whole=True)
    return _ADDRESS.problem_messages(
        lambda parameters: read_practice(parameters, current_practice())[1]
    )


def _put(practice: Practice) -> None:
    for name in ("seed", "level", "operator", "number"):
        st.session_state[f"practice_{name}"] = getattr(practice, name)


def follow() -> None:
    """Make the address match the question on the page."""
    _ADDRESS.follow(current_practice())


def restart() -> None:
    """Start with the first question after a change of settings."""
    st.session_state["practice_number"] = 1
    if st.session_state["practice_operator"] not in operators():
        st.session_state["practice_operator"] = ""


def go_on() -> None:
    """Go to the next question."""
    st.session_state["practice_number"] = current_practice().following().number


def answer(to: Practice, chosen: int, right: bool) -> None:
    """Keep an answer; the first one to a question counts."""
    if answer_to(to) is None:
        kept = st.session_state.get("practice_answers", ())
        st.session_state["practice_answers"] = (*kept, Answered(to, chosen, right))


def answers() -> tuple[Answered, ...]:
    """The answers of this session, oldest first."""
    kept: tuple[Answered, ...] = st.session_state.get("practice_answers", ())
    return kept


def forget() -> None:
    """Delete the answers and count from 0 again."""
    st.session_state["practice_answers"] = ()


def answer_to(to: Practice) -> Answered | None:
    """The answer to a question, if it was answered."""
    return next((kept for kept in answers() if kept.practice == to), None)


def streaks(kept: tuple[Answered, ...]) -> tuple[int, int]:
    """The current and the longest run of right answers.

    >>> streaks(())
    (0, 0)
    """
    now = longest = 0
    for one in kept:
        now = now + 1 if one.right else 0
        longest = max(longest, now)
    return now, longest


_PART = 0.34
"""The share of a phone's window for a stage with words below it."""


def practice_page() -> None:
    """Draw the page."""
    problems = begin()
    with st.sidebar:
        _settings()
    now = current_practice()
    follow()
    with st.sidebar:
        open_link(write_link("present", now.parameters()), _("Present"), "co_present")
        add_button("practice_add", lambda: [of_practice_part(now)])
    tell(problems)
    try:
        question = now.question()
    except Error as error:
        st.title(_("Practice"), anchor=False)
        st.info(plain(str(error)), icon=":material/quiz:")
        return
    kept = answer_to(now)
    with st.container(key="lesson"):
        with st.container(key="lesson_head", horizontal=True, vertical_alignment="bottom"):
            st.title(_("Practice"), anchor=False)
            _score(now)
        container = st.container(key="lesson_asks" if kept is None else "lesson_told")
        with container, st.container(key="lesson_question"):
            _question(question)
            if kept is None:
                _choices(question, now)
            else:
                _verdict(question, kept.chosen)
                if question.shows == "support":
                    _support(question)
                # not among the choices of a question
                _summary(now)
        if kept is not None or question.pictured:
            with st.container(key="lesson_stage"):
                _stage(question, now, kept)
        elif question.shows == "support":
            with st.container(key="lesson_support"):
                _support(question)
    if kept is not None:
        with foot_bar():
            next_button(_("Next question"), go_on, key="practice_next")


def _settings() -> None:
    st.subheader(_("Questions"), anchor=False)
    st.selectbox(
        _("Operator"),
        operators(),
        key="practice_operator",
        format_func=lambda key: operator_titles()[key] if key else _("All operators"),
        on_change=restart,
        persist_state=KEEP,
    )
    levels = {
        PLAIN: (_("0: first steps"), _("Up to 12 numbers in a row or a table, in plain words")),
        1: (_("1: small"), _("Rows, then tables, then every operator, up to 32 elements")),
        2: (_("2: as documented"), _("Sizes as in the documentation, mostly four dimensions")),
        3: (_("3: several dimensions"), _("Up to 100 elements in any order, feature levels")),
    }
    st.radio(
        _("Level"),
        levels,
        key="practice_level",
        format_func=lambda level: levels[level][0],
        captions=[caption for _label, caption in levels.values()],
        on_change=restart,
        persist_state=KEEP,
    )
    st.number_input(
        _("Seed"),
        0,
        MOST_SEED,
        key="practice_seed",
        step=1,
        help=_("The same seed gives everyone the same questions in the same order."),
        on_change=restart,
        persist_state=KEEP,
    )
    st.caption(_("The address of this page opens the same question: share it with your class."))


def _score(now: Practice) -> None:
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


def _question(question: Question) -> None:
    """Draw the question, and quietly the operator with its settings.

    Plain words with the question come before them. Without such words, the question comes last.
    """
    cls = type(question.operator)
    words = " ".join(filter(None, (question.words, question.asks)))
    bold = f"**{bound(plain(words))}**"
    operator = cls.title() if question.words else f"{cls.title()}: {cls.sentence()}"
    quiet = "  \n".join(map(plain, (operator, *question.settings, *question.shared)))
    rules = [f"**{one.label}**: {plain(one.help)}" for one in cls.parameters()]
    if question.words:
        st.markdown(bold)
    if question.level > PLAIN:
        st.caption(quiet, help="\n\n".join(rules) or None)
    if question.rule:
        st.markdown(bound(plain(question.rule)))
    if not question.words:
        st.markdown(bold)


def _choices(question: Question, now: Practice) -> None:
    keys = answer_keys([choice.text for choice in question.choices])
    for i, (choice, key) in enumerate(zip(question.choices, keys, strict=True)):
        st.button(
            plain(question.button_text(choice)),
            key=f"practice_choice_{i}",
            shortcut=key,
            width="stretch",
            on_click=answer,
            args=(now, i, i == question.right),
        )


def _verdict(question: Question, chosen: int) -> None:
    """Draw whether the answer is right, and why."""
    right = question.choices[question.right]
    if chosen != question.right:
        taken = question.choices[chosen]
        with st.container(key="lesson_wrong"):
            st.markdown(
                _("Not {chosen}. {why}").format(chosen=plain(taken.text), why=plain(taken.why))
            )
    with st.container(key="lesson_right"):
        said = _("Right: {answer}") if chosen == question.right else _("Correct answer: {answer}")
        st.markdown(said.format(answer=plain(right.text)))
    st.markdown(bound("  \n".join(map(plain, question.explanation.split("\n")))))
    others = [
        f"- {plain(choice.text)}: {plain(choice.why)}"
        for i, choice in enumerate(question.choices)
        if i not in (question.right, chosen)
    ]
    if others:
        with st.expander(_("The other choices")):
            st.markdown("\n".join(others))
    if question.level == PLAIN:
        # where no operator is named before
        st.markdown(_("This was {operator}.").format(operator=type(question.operator).title()))
    open_link(link(question.operator, question.inputs), _("Open it on the operator's page"))


def _support(question: Question) -> None:
    """Draw the operator's table of feature levels."""
    head, *rows = [
        f"| {' | '.join(map(plain, row))} |"
        for row in (support_head(), *support_rows(question.operator))
    ]
    st.markdown("\n".join((head, "|---|---|---|", *rows)))
    st.caption(support_note())


def _stage(question: Question, now: Practice, kept: Answered | None) -> None:
    """Draw the player, which hides what the question asks for until its answer.

    Then the movement waits at its start, since the explanation comes first; an output that was in
    view stays so.
    """
    if question.caption:
        st.markdown(plain(question.caption))
    drawn, answered = picture(question.operator, question.inputs), kept is not None
    hides, marked = KINDS[question.kind].hides, marked_cell(question)
    lands = marked_cell(question, answered=True)
    mistaken = -1
    if kept is not None and question.reads and kept.chosen != question.right:
        mistaken = question.reads[kept.chosen]
    shown = hides == NOTHING
    look = {
        "colors": "value",
        "moves": "steps",
        "step": len(drawn.steps) if answered else 0,
        "pinned": [lands] if answered and lands >= 0 else [],
        # the formula stands with the answer
        "explained": True,
        "mistaken": mistaken,
    }
    show(
        drawn,
        key="practice-stage",
        foot=FOOT,
        part=_PART,
        within=WITHIN,
        question=QuestionPicture(
            described_outputs(question), hides, marked, answered, plain=question.level == PLAIN
        ),
        hidden="" if answered else hidden_words(drawn, hides, _("Input")),
        link={
            "page": "practice",
            # the player applies the link's view whenever this number changes
            "opened": zlib.crc32(repr((now, answered)).encode()),
            "writes": False,
            "shares": False,
            "pins": True,
            "plays": answered and not shown,
            "view": look,
        },
    )


def _summary(now: Practice) -> None:
    kept = answers()
    if not kept:
        return
    with st.expander(_("Summary to copy"), icon=":material/content_copy:"):
        st.code(summary(now), language=None, wrap_lines=True)
        st.caption(_("Not saved; cleared when you leave."))
        st.button(_("Reset score"), key="practice_forget", on_click=forget)


def summary(now: Practice) -> str:
    """The answers of this visit as text, with the link that gives the same questions."""
    kept = answers()
    right = sum(one.right for one in kept)
    _streak, longest = streaks(kept)
    lines = [
        _("dmlviz practice: {right} of {all} right, longest streak {longest}").format(
            right=right, all=len(kept), longest=longest
        )
    ]
    groups: dict[Practice, list[str]] = {}
    for one in kept:
        first = replace(one.practice, number=1)
        mark = _("{number} right") if one.right else _("{number} wrong")
        groups.setdefault(first, []).append(mark.format(number=one.practice.number))
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
