"""A teacher's own question: the fields that write one, and those that edit it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st

from dmlviz.app.address import open_link
from dmlviz.app.class_draft import add_button, draft, posed_of, put, replace_part
from dmlviz.app.text import plain, typed_line
from dmlviz.app.typed_text import kept_text, taken
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.kinds import kinds_of_states
from dmlviz.teaching.sets import (
    CHOICES,
    MOST_CHOICES,
    MOST_LINE,
    OPEN,
    SetPart,
    StateQuestion,
    WrittenChoice,
    changed,
)

LETTERS = "ABCDEFGH"
"""The letters of choices."""

_LOW = 104
"""The height in pixels of a field for a few lines."""


def question_fields(number: int, question: StateQuestion, name: str) -> None:
    """Draw the fields of a teacher's question."""
    by_engine = {key: kind.title() for key, kind in kinds_of_states().items()}
    kinds = {CHOICES: _("Your own choices"), OPEN: _("No choices")}
    if question.link:
        kinds = {**by_engine, **kinds}
    offered = list(kinds)
    field = partial(_field, number, name)
    st.selectbox(
        _("Kind of question"),
        offered,
        offered.index(question.asks) if question.asks in offered else 0,
        key=f"set_asks_{name}",
        format_func=lambda kind: kinds[kind],
        on_change=_edit_question,
        args=(number, "asks", f"set_asks_{name}"),
    )
    kind = question.kind
    field("prompt", _("Question"), question.prompt, _placeholder(question))
    if kind is not None and kind.element_example:
        field("cell", kind.element_label(), question.cell, kind.element_example)
    if question.asks != OPEN:
        st.text_area(
            _("Wrong choices, one in each line") if kind else _("Choices, one in each line"),
            "\n".join(f"{each.text} # {each.why}".removesuffix(" # ") for each in question.choices),
            key=kept_text(f"set_choices_{name}", f"choices {number}"),
            help=_("After a #, write why a choice is wrong."),
            height=110,
            on_change=_edit_question,
            args=(number, "choices", f"set_choices_{name}"),
        )
    if kind is not None:
        st.caption(
            _("The engine works out the right answer; without choices of yours it finds them.")
        )
        with suppress(Error):
            posed = posed_of(question)
            if question.prompt:
                sentence = _("The answer is {answer}: check that your question asks for it.")
                st.caption(plain(sentence.format(answer=posed.answers[posed.right].text)))
    elif question.asks == CHOICES and question.choices:
        st.segmented_control(
            _("The right choice"),
            range(len(question.choices)),
            default=question.right if question.right < len(question.choices) else None,
            key=f"set_right_{name}",
            format_func=lambda i: f"{LETTERS[i]} {plain(question.choices[i].text)}",
            on_change=_edit_question,
            args=(number, "right", f"set_right_{name}"),
        )
        st.caption(_("No engine can check words: mark the right one."))
    elif question.asks == CHOICES:
        _how_to_mark()
    else:
        _without_choices()
    field("reveal", _("What to say after the answer"), question.reveal, "")
    field("following", _("Ask next"), question.following, "")
    if question.link:
        open_link(question.link, _("Open the state"))


def _without_choices() -> None:
    """Say what a class does with a question that nobody votes on."""
    st.caption(_("A question without choices is a discussion."))


def _how_to_mark() -> None:
    """Say how the right choice is marked, before there is a choice to mark."""
    st.caption(
        _(
            "After a #, write why a choice is wrong. Then press Ctrl+Enter or click outside the "
            "field, and mark the right choice."
        )
    )


def _field(number: int, name: str, field: str, label: str, value: str, placeholder: str) -> None:
    key = kept_text(f"set_{field}_{name}", f"{field} {number}")
    edits: dict[str, Any] = {"on_change": _edit_question, "args": (number, field, key)}
    if field == "cell":
        st.text_input(label, value, 60, key, placeholder=placeholder, **edits)
    else:
        # in a field of one line, what Streamlit says lies over a long text
        st.text_area(label, value, _LOW, MOST_LINE, key, placeholder=placeholder, **edits)


def _placeholder(question: StateQuestion) -> str:
    try:
        return changed(question, prompt="").posed().prompt
    except Error:
        return ""


def _edit_question(number: int, field: str, key: str) -> None:
    part = draft().parts[number]
    question = part.pick
    assert isinstance(question, StateQuestion)
    value: Any = st.session_state[key]
    # the app's words for one kind do not ask for the answer of another
    usual = field == "asks" and question.prompt == _placeholder(question)
    if field == "choices":
        value = tuple(_choices(str(value or "")))
    elif field == "right":
        value = int(value or 0)
    elif field == "asks":
        value = value if value in (*kinds_of_states(), CHOICES) else OPEN
    else:
        value = typed_line(value)[: 60 if field == "cell" else MOST_LINE]
    fields = {field: value, **({"prompt": ""} if usual else {})}
    replace_part(number, changed(part, pick=changed(question, **fields)), key)
    if usual:
        # the field itself still has the old words
        put(draft())


def _choices(text: str) -> list[WrittenChoice]:
    listed = []
    for line in text.splitlines()[: 4 * MOST_CHOICES]:
        choice, _sign, why = line.partition("#")
        if choice := typed_line(choice)[:MOST_LINE]:
            listed.append(WrittenChoice(choice, typed_line(why)[:MOST_LINE]))
    return listed[:MOST_CHOICES]


def new_question() -> SetPart | None:
    """Draw the fields of a new question in words.

    Returns:
        the part to preview, if it has a picture; until a choice is marked, the first is right.

    Raises:
        Error: there is an address, and the question cannot be asked; the fields are drawn.
    """
    st.text_area(_("Question"), key=kept_text("set_words"), max_chars=MOST_LINE, height=_LOW)
    st.text_area(
        _("Choices, one in each line"),
        key=kept_text("set_words_choices"),
        help=_("After a #, write why a choice is wrong."),
        height=110,
    )
    choices = _choices(typed("set_words_choices"))
    if choices:
        st.segmented_control(
            _("The right choice"),
            range(len(choices)),
            key=f"set_words_right_{len(choices)}",
            format_func=lambda i: f"{LETTERS[i]} {plain(choices[i].text)}",
        )
        st.caption(_("No engine can check words: mark the right one."))
    else:
        _without_choices()
        _how_to_mark()
    # closed, so that the button is in view on a laptop
    with st.expander(_("Options"), icon=":material/tune:"):
        say_after("set_words_reveal")
        st.text_input(
            _("The address of a state to show with it, if there is one"),
            key=kept_text("set_words_link"),
        )

    def parts() -> Sequence[SetPart]:
        right = _marked()
        if right is None:
            label = _("The right choice")
            raise Error(_("{label}: mark one of the choices.").format(label=label))
        part = _written(right)
        part.pick.posed()
        keys = ("set_words", "set_words_choices", "set_words_reveal", "set_words_link")
        taken(*keys)
        for key in keys:
            st.session_state[key] = ""
        return [part]

    add_button("set_add_words", parts, primary=True)
    return _written(_marked() or 0) if typed("set_words_link") else None


def _marked() -> int | None:
    """The right choice of a new question; 0 without choices, None until one is marked."""
    listed = _choices(typed("set_words_choices"))
    right: int | None = st.session_state.get(f"set_words_right_{len(listed)}") if listed else 0
    return right


def _written(right: int) -> SetPart:
    """The new question as its fields have it now.

    Raises:
        Error: the address is not that of a state.
    """
    link, listed = typed("set_words_link"), _choices(typed("set_words_choices"))
    at = state_of(link).address(whole=True) if link else ""
    asks = CHOICES if listed else OPEN
    prompt = typed_line(typed("set_words"))[:MOST_LINE]
    reveal = typed_line(typed("set_words_reveal"))[:MOST_LINE]
    return SetPart(StateQuestion(at, asks, prompt, "", tuple(listed), right, reveal))


def say_after(key: str) -> None:
    """Draw the field for what the teacher says after the answer."""
    label = _("What to say after the answer")
    st.text_input(label, key=kept_text(key), max_chars=MOST_LINE)


def typed(key: str) -> str:
    """What a field holds now, also where the page has not drawn it yet."""
    return str(st.session_state.get(key) or "").strip()
