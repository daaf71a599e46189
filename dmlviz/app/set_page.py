"""``/my-class?set=...``: a teacher's class, put together from parts and questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dmlviz.addresses import Reading, write_link
from dmlviz.app.address import (
    PageAddress,
    open_link,
    page_address,
    tell,
    to,
    whole_address,
)
from dmlviz.app.class_draft import (
    add_button,
    clear,
    draft,
    edition,
    level_and_seed,
    polls_of_pick,
    posed_of,
    put,
    run_of,
)
from dmlviz.app.server import base_path
from dmlviz.app.still import both_still, inputs_still
from dmlviz.app.text import operator_titles, plain
from dmlviz.errors import Error, Problem
from dmlviz.states.pages import refusals_of
from dmlviz.teaching.answers import ALL, NOTHING
from dmlviz.teaching.code_presets import code_presets, code_typed
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.handout import handout
from dmlviz.teaching.lessons import lessons
from dmlviz.teaching.posed import Posed, preset_title
from dmlviz.teaching.practice import MOST_NUMBER, Practice
from dmlviz.teaching.presets import presets
from dmlviz.teaching.runs import runs
from dmlviz.teaching.set_exports import as_gift, choices_csv
from dmlviz.teaching.sets import (
    ENGINE,
    MOST_CHOICES,
    MOST_LINE,
    MOST_MINUTES,
    MOST_NOTES,
    MOST_TITLE,
    PAGE,
    SET,
    USUAL_MINUTES,
    Asks,
    ClassSet,
    Pick,
    PresetPick,
    SetPart,
    StateQuestion,
    WrittenChoice,
    changed,
    of_practice_part,
    parts_of_link,
    question_part,
    read_set,
)
from dmlviz.teaching.worksheets import titles_of_kinds
from dmlviz.tensors import short_text
from dmlviz.words import _, in_this_language, ngettext

_ADDRESS = PageAddress(PAGE)
_LETTERS = "ABCDEFGH"
_SUCH_AS = "x.reshape(2, 3, 4).permute(0, 2, 1)\n/tile?sizes=2,3"
_LOW = 104
"""The height in pixels of a field for a few lines."""

_PREVIEWED = ("high",)
_OFFERED = ("flat",)
_KINDS: tuple[Asks, ...] = (*ENGINE, "choice", "open")


def set_page() -> None:
    """Draw the page."""
    st.title(_("My class"), anchor=False)
    tell(_begin())
    _ADDRESS.follow(draft())
    with st.container(key="set_page", horizontal=True):
        with st.container(key="set_parts"):
            _head()
            for number, part in enumerate(draft().parts):
                _part(number, part)
        with st.container(key="set_add", border=True):
            _adding()


def _begin() -> Sequence[str]:
    """Take the class of an address that was just opened; return its problems."""
    opened = _ADDRESS.opened()
    if opened:
        chosen, problems = _read(opened)
        # a damaged address does not take away what is there
        if SET in opened and not any(problem.field == SET for problem in problems):
            put(chosen)
        _ADDRESS.open(draft(), problems)
    return _ADDRESS.problem_messages(lambda parameters: _read(parameters)[1])


def _read(parameters: Mapping[str, str]) -> tuple[ClassSet, tuple[Problem, ...]]:
    reading = Reading(parameters)
    chosen = reading.part(SET, read_set, ClassSet())
    return chosen, reading.all_problems()


def _head() -> None:
    """Draw the title, how long the class is, and what can be done with it."""
    now = draft()
    st.text_input(
        _("Title"),
        now.title,
        key=f"set_title_{edition()}",
        max_chars=MOST_TITLE,
        placeholder=_("My class"),
        on_change=_retitle,
        args=(f"set_title_{edition()}",),
    )
    if not now.parts:
        st.markdown(
            _(
                "Add parts of lessons, presets, practice questions, code, and questions of your "
                "own. The address of this page is the class: keep it as a bookmark."
            )
        )
        return
    count = ngettext("{n} part", "{n} parts", len(now.parts)).format(n=len(now.parts))
    minutes = _("{minutes} of {most} minutes").format(minutes=now.minutes, most=USUAL_MINUTES)
    st.progress(min(1.0, now.minutes / USUAL_MINUTES), f"**{minutes}** \u00b7 {count}")
    st.caption(_("The address of this page is the class: keep it as a bookmark."))
    words = now.parameters()
    with st.container(key="set_actions", horizontal=True, vertical_alignment="center"):
        open_link(write_link("present", words), _("Present"), "co_present")
        open_link(write_link("start-class", words), _("Start a class"), "groups")
        _speaker(words)
        with st.popover(_("Address"), icon=":material/link:", type="tertiary"):
            st.code(whole_address(now, page_address()), language=None, wrap_lines=True)
            st.button(
                _("Start an empty class"),
                icon=":material/delete:",
                key="set_clear",
                on_click=clear,
            )


def _speaker(words: Mapping[str, str]) -> None:
    """Draw the link to the speaker's view in a window of its own, and what can be taken away."""
    # windows of one browser hear each other only at the same address
    st.link_button(
        _("Speaker's view"),
        base_path() + write_link("speaker", to(words)),
        type="tertiary",
        icon=":material/speaker_notes:",
        help=_("In a window of its own: it follows the window that presents."),
    )
    run, _problems = run_of(draft())
    root = page_address().removesuffix(f"/{PAGE}")
    name = _file_name(draft().title)

    def table() -> str:
        return "\ufeff" + choices_csv(run, root)

    files: list[tuple[str, str, str, Callable[[], str]]] = [
        (_("Handout to print (HTML)"), "html", "text/html", lambda: handout(run)),
        (_("Moodle (GIFT)"), "gift", "text/plain", lambda: as_gift(run)),
        (_("Choices (CSV)"), "csv", "text/csv", table),
    ]
    for title, ending, mime, make in files:
        st.download_button(
            title,
            in_this_language(make),
            file_name=f"{name}.{ending}",
            mime=mime,
            icon=":material/download:",
            key=f"set_save_{ending}",
            type="tertiary",
            on_click="ignore",
        )


def _file_name(title: str) -> str:
    """What files of a class are called: the letters and digits of its title, without an ending."""
    return "-".join(re.findall(r"\w+", title.casefold())) or "class"


def _retitle(key: str) -> None:
    put(changed(draft(), title=_line(st.session_state[key])[:MOST_TITLE]), redraw=False)


def _part(number: int, part: SetPart) -> None:
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
                key=f"set_notes_{name}",
                max_chars=MOST_NOTES,
                height="content",
                on_change=_edit,
                args=(number, "notes", f"set_notes_{name}"),
            )
        if isinstance(part.pick, StateQuestion):
            with st.expander(
                _("Edit the question"), icon=":material/edit:", expanded=posed is None
            ):
                _question_fields(number, part.pick, name)
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
    sayings = {
        "cell": _("In a class, learners tap the element on their phones instead of choosing."),
        "sizes": _("In a class, learners type the sizes on their phones instead of choosing."),
        "value": _("In a class, learners type the number on their phones instead of choosing."),
    }
    with suppress(Error):
        for kind in dict.fromkeys(poll.kind for poll in polls_of_pick(pick)):
            if kind in sayings:
                st.caption(sayings[kind])


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
        _picture(posed, _PREVIEWED)
        lines = []
        choices = zip(_LETTERS, posed.answers, posed.reasons, strict=False)
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


def _picture(posed: Posed, rooms: Collection[str]) -> None:
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
    value = int(value or 0) if field == "minutes" else _lines(value)[:MOST_NOTES]
    _replace(number, changed(draft().parts[number], **{field: value}))


def _replace(number: int, part: SetPart) -> None:
    parts = list(draft().parts)
    parts[number] = part
    put(changed(draft(), parts=tuple(parts)), redraw=False)


def _lines(text: object) -> str:
    """A text of some lines, without the empty ones and without signs that nobody sees."""
    return "\n".join(filter(None, map(_line, str(text or "").splitlines())))


def _line(text: object) -> str:
    """A text as one line without signs that nobody sees."""
    spaced = " ".join(str(text or "").split())
    return "".join(sign for sign in spaced if sign.isprintable())


def _question_fields(number: int, question: StateQuestion, name: str) -> None:
    """Draw the fields of a teacher's question."""
    kinds = {
        **titles_of_kinds(),
        "choice": _("Your own choices"),
        "open": _("No choices"),
    }
    offered = [kind for kind in _KINDS if question.link or kind not in ENGINE]
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
    by_engine = question.asks in ENGINE
    field("prompt", _("Question"), question.prompt, _placeholder(question))
    if question.asks in ("value", "source"):
        field("cell", _("Cell of the output"), question.cell, "out[0, 1]")
    if question.asks != "open":
        st.text_area(
            _("Wrong choices, one in each line") if by_engine else _("Choices, one in each line"),
            "\n".join(f"{each.text} # {each.why}".removesuffix(" # ") for each in question.choices),
            key=f"set_choices_{name}",
            help=_("After a #, write why a choice is wrong."),
            height=110,
            on_change=_edit_question,
            args=(number, "choices", f"set_choices_{name}"),
        )
    if by_engine:
        st.caption(
            _("The engine works out the right answer; without choices of yours it finds them.")
        )
        with suppress(Error):
            posed = posed_of(question)
            if question.prompt:
                sentence = _("The answer is {answer}: check that your question asks for it.")
                st.caption(plain(sentence.format(answer=posed.answers[posed.right].text)))
    elif question.asks == "choice" and question.choices:
        st.segmented_control(
            _("The right choice"),
            range(len(question.choices)),
            default=question.right if question.right < len(question.choices) else None,
            key=f"set_right_{name}",
            format_func=lambda i: f"{_LETTERS[i]} {plain(question.choices[i].text)}",
            on_change=_edit_question,
            args=(number, "right", f"set_right_{name}"),
        )
        st.caption(_("No engine can check words: mark the right one."))
    elif question.asks == "choice":
        _how_to_mark()
    field("reveal", _("What to say after the answer"), question.reveal, "")
    field("following", _("Ask next"), question.following, "")
    if question.link:
        open_link(question.link, _("Open the state"))


def _how_to_mark() -> None:
    """Say how the right choice is marked, before there is a choice to mark."""
    st.caption(
        _(
            "After a #, write why a choice is wrong. Then press Ctrl+Enter or click outside the "
            "field, and mark the right choice."
        )
    )


def _field(number: int, name: str, field: str, label: str, value: str, placeholder: str) -> None:
    key = f"set_{field}_{name}"
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
        value = value if value in _KINDS else "open"
    else:
        value = _line(value)[: 60 if field == "cell" else MOST_LINE]
    fields = {field: value, **({"prompt": ""} if usual else {})}
    _replace(number, changed(part, pick=changed(question, **fields)))
    if usual:
        # the field itself still has the old words
        put(draft())


def _choices(text: str) -> list[WrittenChoice]:
    listed = []
    for line in text.splitlines()[: 4 * MOST_CHOICES]:
        choice, _sign, why = line.partition("#")
        if choice := _line(choice)[:MOST_LINE]:
            listed.append(WrittenChoice(choice, _line(why)[:MOST_LINE]))
    return listed[:MOST_CHOICES]


def _adding() -> None:
    """Draw where parts come from."""
    sources: dict[str, tuple[str, Callable[[], None]]] = {
        "lesson": (_("Lesson"), _add_lesson),
        "run": (_("Run"), _add_run),
        "preset": (_("Preset"), _add_preset),
        "practice": (_("Practice"), _add_practice),
        "address": (_("Code or address"), _add_address),
        "words": (_("Question"), _add_words),
    }
    chosen = st.segmented_control(
        _("Add a part"),
        list(sources),
        key="set_source",
        default="lesson",
        format_func=lambda name: sources[name][0] if name in sources else "",
        required=True,
    )
    sources.get(str(chosen), sources["lesson"])[1]()


def _add_lesson() -> None:
    named = {each.key: each for each in lessons()}
    key = _choose(_("Lesson"), "lesson", {name: each.title for name, each in named.items()})
    lesson = named[key]
    titles = {n: f"{n}. {part.title}" for n, part in enumerate(lesson.parts, 1)}
    _several("lesson", key, titles, write_link("lessons", {"lesson": key}))


def _add_run() -> None:
    named = {each.key: each for each in runs()}
    key = _choose(_("Run"), "run", {name: each.title for name, each in named.items()})
    titles = {n: f"{n}. {part.posed.prompt}" for n, part in enumerate(named[key].parts, 1)}
    _several("run", key, titles, write_link("present", {"run": key}))


def _several(kind: str, key: str, titles: Mapping[int, str], link: str) -> None:
    """Draw the choice of some parts of a lesson or a run; none means all."""
    name = f"set_{kind}_parts_{key}"
    st.multiselect(
        _("Which parts"),
        list(titles),
        key=name,
        format_func=lambda n: titles.get(n, ""),
        placeholder=_("All parts"),
    )

    def parts() -> Sequence[SetPart]:
        every = parts_of_link(link)
        numbers = sorted(n for n in st.session_state[name] if n in titles)
        return [every[n - 1] for n in numbers] or every

    add_button(f"set_add_{kind}", parts, primary=True)
    _offer(parts())


def _offer(parts: Sequence[SetPart]) -> None:
    """Draw what the button adds: one part with its picture and choices, or several questions."""
    try:
        posed = [posed_of(part.pick) for part in parts]
    except Error as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    with st.container(key="set_offer", gap="xsmall"):
        if len(posed) > 1:
            st.markdown("\n".join(f"1. {plain(each.prompt)}" for each in posed))
            return
        (each,) = posed
        st.markdown(f"**{plain(each.prompt)}**")
        if each.runs:
            st.caption(plain(each.runs))
        _picture(each, _OFFERED)
        listed = zip(_LETTERS, each.answers, strict=False)
        st.markdown("  \n".join(f"**{letter}** {plain(one.text)}" for letter, one in listed))


def _choose(label: str, kind: str, names: Mapping[str, str]) -> str:
    key = st.selectbox(
        label, list(names), key=f"set_{kind}", format_func=lambda name: names.get(name, "")
    )
    return key if key in names else next(iter(names))


def _add_preset() -> None:
    names = {each.key: preset_title(each) for each in presets()}
    names |= {f"code-{each.key}": preset_title(each) for each in code_presets()}
    key = _choose(_("Preset"), "preset", names)
    part = SetPart(PresetPick(key))
    add_button("set_add_preset", lambda: [part], primary=True)
    _offer([part])


def _add_practice() -> None:
    titles = {"": _("All operators"), **operator_titles()}
    operator = _choose(_("Operator"), "practice_operator", titles)
    with st.container(horizontal=True):
        level, seed = level_and_seed("set_practice")
        number = st.number_input(
            _("Question number"), 1, MOST_NUMBER, 1, key="set_practice_number", width=150
        )
    practice = Practice(seed, level, operator, int(number or 1))

    def add_and_go_on() -> Sequence[SetPart]:
        seed, number = (st.session_state[f"set_practice_{name}"] for name in ("seed", "number"))
        now = replace(practice, seed=int(seed or 0), number=int(number or 1))
        part = of_practice_part(now)
        part.pick.posed()
        st.session_state["set_practice_number"] = min(now.number + 1, MOST_NUMBER)
        return [part]

    add_button("set_add_practice", add_and_go_on, primary=True)
    _offer([of_practice_part(practice)])


def _add_address() -> None:
    st.text_area(
        _("A line of code, or the address of any page"),
        key="set_address",
        placeholder=_SUCH_AS,
        height=110,
    )

    def parts() -> Sequence[SetPart]:
        # the button may come together with the text, before the page draws it
        added = _of_typed(_typed("set_address"))
        st.session_state["set_address"] = ""
        return added

    add_button("set_add_address", parts, primary=True)
    if typed := _typed("set_address"):
        try:
            added = _of_typed(typed)
        except Error as error:
            st.error(plain(str(error)), icon=":material/error:")
            return
        _offer(added)


def _of_typed(typed: str) -> Sequence[SetPart]:
    """The parts that an address names; or code, with the library and sizes of the page for code.

    Raises:
        Error: the text is neither; the message says why.
    """
    if not typed:
        sentence = _("Code or address: type a line of code, or paste an address of this app.")
        raise Error(sentence, "address")
    # an address of this app has a page before its parameters, which no code can have
    if typed.startswith(("/", "http")) or "?" in typed:
        return parts_of_link(typed)
    try:
        return [question_part(code_typed(typed))]
    except Error as error:
        sentence = _("Code or address: {text} is not an address of this app. Read as code: {why}")
        raise Error(sentence.format(text=short_text(typed), why=error), "address") from None


def _typed(key: str) -> str:
    """What a field holds now, also where the page has not drawn it yet."""
    return str(st.session_state.get(key) or "").strip()


def _add_words() -> None:
    st.text_area(_("Question"), key="set_words", max_chars=MOST_LINE, height=_LOW)
    st.text_area(
        _("Choices, one in each line"),
        key="set_words_choices",
        help=_("After a #, write why a choice is wrong."),
        height=110,
    )
    choices = _choices(_typed("set_words_choices"))
    if choices:
        st.segmented_control(
            _("The right choice"),
            range(len(choices)),
            key=f"set_words_right_{len(choices)}",
            format_func=lambda i: f"{_LETTERS[i]} {plain(choices[i].text)}",
        )
        st.caption(_("No engine can check words: mark the right one."))
    else:
        _how_to_mark()
    st.text_input(
        _("The address of a state to show with it, if there is one"), key="set_words_link"
    )

    def parts() -> Sequence[SetPart]:
        link, listed = _typed("set_words_link"), _choices(_typed("set_words_choices"))
        at = state_of(link).address(whole=True) if link else ""
        asks: Asks = "choice" if listed else "open"
        right = st.session_state.get(f"set_words_right_{len(listed)}") if listed else 0
        if right is None:
            label = _("The right choice")
            raise Error(_("{label}: mark one of the choices.").format(label=label))
        prompt = _line(_typed("set_words"))[:MOST_LINE]
        question = StateQuestion(at, asks, prompt, "", tuple(listed), right)
        question.posed()
        for name in ("set_words", "set_words_choices", "set_words_link"):
            st.session_state[name] = ""
        return [SetPart(question)]

    add_button("set_add_words", parts, primary=True)
