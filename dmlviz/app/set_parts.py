"""The parts of a teacher's class: each with its question, minutes, notes, preview and answer."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress

import streamlit as st

from dmlviz.app.class_draft import draft, edition, polls_of_pick, posed_of, put, replace_part
from dmlviz.app.set_question import LETTERS, question_fields
from dmlviz.app.still import both_still, inputs_still
from dmlviz.app.text import plain, typed_lines
from dmlviz.app.typed_text import kept_text
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.states.pages import refusals_of
from dmlviz.teaching.answers import ALL, NOTHING
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.posed import Posed
from dmlviz.teaching.sets import (
    MOST_MINUTES,
    MOST_NOTES,
    Pick,
    SetPart,
    StateQuestion,
    changed,
)

_PREVIEWED = ("high",)


def draw_part(number: int, part: SetPart) -> None:
    """Draw a part: its question, its minutes and notes, and what moves and removes it."""
    name = f"{edition()}_{number}"
    with st.container(border=True, key=f"set_part_{number}"):
        try:
            posed = posed_of(part.pick)
        except Error as error:
            posed = None
            refusal = str(error)
        with st.container(key=f"set_row_{number}", horizontal=True, vertical_alignment="top"):
            with st.container(key=f"set_told_{number}", gap="xxsmall"):
                title = posed.title if posed else _("Your own question")
                st.caption(f"{number + 1} \u00b7 {plain(title)}")
                if posed:
                    st.markdown(f"**{plain(posed.prompt)}**")
                    if posed.runs:
                        st.caption(plain(posed.runs))
                    _on_phones(part.pick, posed)
                else:
                    st.error(plain(refusal), icon=":material/error:")
            _movers(number)
        with st.container(key=f"set_fields_{number}", horizontal=True, vertical_alignment="bottom"):
            st.number_input(
                _("Minutes"),
                0,
                MOST_MINUTES,
                part.minutes,
                key=f"set_minutes_{name}",
                width=130,
                on_change=_edit,
                args=(number, "minutes", f"set_minutes_{name}"),
            )
            st.text_area(
                _("Notes for yourself"),
                part.notes,
                key=kept_text(f"set_notes_{name}", f"notes {number}"),
                max_chars=MOST_NOTES,
                height="content",
                on_change=_edit,
                args=(number, "notes", f"set_notes_{name}"),
            )
        if isinstance(part.pick, StateQuestion):
            with st.expander(
                _("Edit the question"), icon=":material/edit:", expanded=posed is None
            ):
                question_fields(number, part.pick, name)
        if posed:
            _preview(part.pick, posed, f"set_preview_{name}")


def _on_phones(pick: Pick, posed: Posed) -> None:
    """Say what phones ask in a class, if it is not the question above it."""
    prompts = []
    with suppress(Error):
        prompts = [poll.prompt for poll in polls_of_pick(pick)]
    if not prompts:
        st.caption(_("In a class, phones do not ask this."))
    elif prompts != [posed.prompt]:
        sentence = _("In a class, phones ask: {questions}")
        st.caption(plain(sentence.format(questions=" \u00b7 ".join(prompts))))


def _without_choices(pick: Pick) -> None:
    """Say how phones answer in a class if they do not show the choices below."""
    with suppress(Error):
        for each in dict.fromkeys(poll.input for poll in polls_of_pick(pick)):
            if sentence := each.instead():
                st.caption(sentence)


def _movers(number: int) -> None:
    last = len(draft().parts) - 1
    with st.container(key=f"set_movers_{number}", horizontal=True, width="content", gap="xxsmall"):
        acts = (
            ("up", ":material/arrow_upward:", _("Move up"), number == 0, _move, (number, -1)),
            (
                "down",
                ":material/arrow_downward:",
                _("Move down"),
                number == last,
                _move,
                (number, 1),
            ),
            ("remove", ":material/close:", _("Remove"), False, _remove, (number,)),
        )
        for name, icon, label, off, act, args in acts:
            st.button(
                label,
                icon=icon,
                key=f"set_{name}_{number}",
                type="tertiary",
                disabled=off,
                help=label,
                on_click=act,
                args=args,
            )


def _preview(pick: Pick, posed: Posed, key: str) -> None:
    """Draw what the class will see, and the answer, if they are opened."""
    with st.expander(
        _("Preview and answer"), icon=":material/visibility:", key=key, on_change="rerun"
    ) as box:
        if not box.open:
            return
        if posed.words:
            st.caption(plain(posed.words))
        picture_of(posed, _PREVIEWED)
        lines = []
        choices = zip(LETTERS, posed.answers, posed.reasons, strict=False)
        for letter, answer, reason in choices:
            mark = ":material/check_circle:" if not answer.why else ":material/close:"
            text = plain(": ".join(filter(None, (answer.text, reason))))
            lines.append(f"- {mark} **{letter}** {text}")
        if lines:
            _without_choices(pick)
            st.markdown("\n".join(lines))
        if posed.reveal:
            st.markdown(plain(posed.reveal).replace("\n", "  \n"))
        if posed.following:
            heading = _("Ask next")
            st.markdown(f"**{heading}:** {plain(posed.following)}")


def picture_of(posed: Posed, rooms: Collection[str]) -> None:
    """Draw what a question shows before its answer, if it shows anything."""
    if not posed.link:
        return
    state = state_of(posed.link)
    if posed.hides == NOTHING and not refusals_of(state):
        both_still(state, rooms)
    elif posed.hides != ALL:
        inputs_still(state, rooms)


def _move(number: int, by: int) -> None:
    parts = list(draft().parts)
    if 0 <= number + by < len(parts) and number < len(parts):
        parts[number], parts[number + by] = parts[number + by], parts[number]
        put(changed(draft(), parts=tuple(parts)))


def _remove(number: int) -> None:
    parts = draft().parts
    if number < len(parts):
        put(changed(draft(), parts=(*parts[:number], *parts[number + 1 :])))
        sentence = _("Part {number} is removed; the browser's Back button brings it back.")
        st.toast(sentence.format(number=number + 1), icon=":material/undo:")


def _edit(number: int, field: str, key: str) -> None:
    value = st.session_state[key]
    value = int(value or 0) if field == "minutes" else typed_lines(value)[:MOST_NOTES]
    replace_part(number, changed(draft().parts[number], **{field: value}), key)
