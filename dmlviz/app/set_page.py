"""``/my-class?set=...``: a teacher's class, put together from parts and questions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from dmlviz.app.address import (
    PageAddress,
    open_link,
    page_address,
    tell,
    to,
    whole_address,
)
from dmlviz.app.class_draft import (
    add,
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
from dmlviz.app.parts import fragment, telling_errors
from dmlviz.app.search import search_field
from dmlviz.app.server import base_path
from dmlviz.app.set_parts import draw_part, picture_of
from dmlviz.app.set_question import LETTERS, new_question, say_after, typed
from dmlviz.app.text import operator_titles, plain, typed_line
from dmlviz.app.typed_text import kept_text, taken
from dmlviz.base.addresses import Reading, write_link
from dmlviz.base.errors import Error, Problem
from dmlviz.base.words import _, in_this_language, ngettext
from dmlviz.teaching.code_presets import code_typed
from dmlviz.teaching.kinds import kinds_of_states
from dmlviz.teaching.practice import MOST_NUMBER, Practice
from dmlviz.teaching.set_exports import as_gift, choices_csv, handout
from dmlviz.teaching.sets import (
    MOST_LINE,
    MOST_TITLE,
    PAGE,
    SET,
    USUAL_MINUTES,
    ClassSet,
    Offer,
    PresetPick,
    SetPart,
    StateQuestion,
    changed,
    fitted,
    matching_offers,
    missing_of,
    of_practice_part,
    parts_of_link,
    question_part,
    read_set,
)
from dmlviz.tensors import short_text

_ADDRESS = PageAddress(PAGE)


def set_page() -> None:
    """Draw the page."""
    st.title(_("My class"), anchor=False)
    tell(_begin())
    _ADDRESS.follow(draft())
    with st.container(key="set_page", horizontal=True):
        with st.container(key="set_parts"):
            _head()
            for number, part in enumerate(draft().parts):
                draw_part(number, part)
        with st.container(key="set_add", border=True):
            _length()
            adding()


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
        key=kept_text(f"set_title_{edition()}", "title"),
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


def _length() -> None:
    """Draw how long the class is, in view while parts are added."""
    now = draft()
    count = ngettext("{n} part", "{n} parts", len(now.parts)).format(n=len(now.parts))
    minutes = _("{minutes} of {most} minutes").format(minutes=now.minutes, most=USUAL_MINUTES)
    late = now.minutes - USUAL_MINUTES
    over = ngettext("{n} minute over", "{n} minutes over", late).format(n=late)
    text = " \u00b7 ".join([f"**{minutes}**", *([f"**{over}**"] if late > 0 else []), count])
    key = "set_length_over" if late > 0 else "set_length"
    with st.container(key=key, horizontal=True, vertical_alignment="center"):
        st.progress(min(1.0, now.minutes / USUAL_MINUTES), text)
        st.button(
            _("Fit to {most} minutes").format(most=USUAL_MINUTES),
            icon=":material/timer:",
            key="set_fit",
            type="tertiary",
            disabled=not now.parts or now.minutes == USUAL_MINUTES,
            on_click=_fit,
        )


def _fit() -> None:
    put(fitted(draft()))


def _speaker(words: Mapping[str, str]) -> None:
    """Draw the link to the speaker's view in a window of its own, and the files to download."""
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
    if put(changed(draft(), title=typed_line(st.session_state[key])[:MOST_TITLE]), redraw=False):
        taken(key)


# ---- where parts come from

_SUCH_AS = "x.reshape(2, 3, 4).permute(0, 2, 1)\n/tile?sizes=2,3"
_SEARCHED = "gather, padding, pixel_shuffle"
_OFFERED = ("flat",)
_MOST_LISTED = 40
"""How many entries of the list are drawn."""


def adding() -> None:
    """Draw where parts come from."""
    sources: dict[str, tuple[str, Callable[[], None]]] = {
        "find": (_("Find"), _find),
        "practice": (_("Practice"), _add_practice),
        "address": (_("Code or address"), _add_address),
        "words": (_("Question"), _add_question),
    }
    chosen = st.segmented_control(
        _("Add a part"),
        list(sources),
        key="set_source",
        default="find",
        format_func=lambda name: sources[name][0] if name in sources else "",
        required=True,
    )
    sources.get(str(chosen), sources["find"])[1]()


@fragment()
def _find() -> None:
    """Draw the list of what there is; one press adds an entry of it, the next one removes it."""
    listed = matching_offers(
        search_field(_("Find lessons, parts and presets"), "set_find", _SEARCHED)
    )
    with st.container(key="set_list", gap=None):
        pressed = [_offer_button(offer) for offer in listed[:_MOST_LISTED]]
    if any(pressed):
        # the class beside the list has changed
        st.rerun()
    more = len(listed) - _MOST_LISTED
    if more > 0:
        sentence = ngettext("{n} more: type another word.", "{n} more: type another word.", more)
        st.caption(sentence.format(n=more))
    elif not listed:
        st.caption(_("Nothing has all of these words."))


def _offer_button(offer: Offer) -> bool:
    chosen = not missing_of(offer, draft().parts)
    about = offer.question
    if _is_discussion(offer):
        kind = _("Discussion")
        about = f"{kind} \u00b7 {about}"
    if offer.is_whole:
        count = ngettext("{n} part", "{n} parts", len(offer.parts)).format(n=len(offer.parts))
        time = ngettext("{n} minute", "{n} minutes", offer.minutes).format(n=offer.minutes)
        kind = _("Run") if offer.is_run else _("Lesson")
        about = f"{kind} \u00b7 {count} \u00b7 {time}"
    return st.button(
        f"**{plain(offer.title)}** \u2002 {plain(about)}",
        icon=":material/check_box:" if chosen else ":material/add_box:",
        key=f"set_offer_{offer.key}",
        type="tertiary",
        width="stretch",
        on_click=_take,
        args=(offer,),
    )


def _is_discussion(offer: Offer) -> bool:
    """Whether a class talks about it and does not vote, which only a preset's question can be."""
    pick = offer.parts[0].pick
    with suppress(Error):
        return isinstance(pick, PresetPick) and not any(p.votes for p in polls_of_pick(pick))
    return False


def _take(offer: Offer) -> None:
    """Add what a class does not have of an offer; or remove the offer if it has all of it."""
    now = draft()
    if missing := missing_of(offer, now.parts):
        add(missing, offer.title if offer.is_whole else "")
        return
    picks = {part.pick for part in offer.parts}
    put(changed(now, parts=tuple(part for part in now.parts if part.pick not in picks)))


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
        picture_of(each, _OFFERED)
        listed = zip(LETTERS, each.answers, strict=False)
        st.markdown("  \n".join(f"**{letter}** {plain(one.text)}" for letter, one in listed))


def _choose(label: str, kind: str, names: Mapping[str, str]) -> str:
    key = st.selectbox(
        label, list(names), key=f"set_{kind}", format_func=lambda name: names.get(name, "")
    )
    return key if key in names else next(iter(names))


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


def _add_question() -> None:
    with telling_errors():
        part = new_question()
        if part:
            _offer([part])


def _add_address() -> None:
    st.text_area(
        _("A line of code, or the address of any page"),
        key=kept_text("set_address"),
        placeholder=_SUCH_AS,
        height=110,
    )
    read: Sequence[SetPart] = ()
    refusal = ""
    try:
        if typed("set_address"):
            read = _of_typed(typed("set_address"))
    except Error as error:
        refusal = str(error)
    _kind_of_question(read)
    say_after("set_address_reveal")

    def parts() -> Sequence[SetPart]:
        # the button may come together with the text, before the page draws it
        added = _with_reveal(_of_address(), typed("set_address_reveal"))
        taken("set_address", "set_address_reveal")
        st.session_state["set_address"] = st.session_state["set_address_reveal"] = ""
        return added

    add_button("set_add_address", parts, primary=True)
    try:
        offered = [_asking(part) for part in read]
    except Error as error:
        refusal = str(error)
    if refusal:
        st.error(plain(refusal), icon=":material/error:")
    elif read:
        _offer(offered)


def _kind_of_question(parts: Sequence[SetPart]) -> None:
    """Draw what the engine can ask about a line of code or a state, once one is typed."""
    if len(parts) == 1 and _engine_question(parts[0]):
        kinds = kinds_of_states()
        st.segmented_control(
            _("Kind of question"),
            list(kinds),
            key="set_address_asks",
            default=next(iter(kinds)),
            format_func=lambda kind: kinds[kind].title(),
            required=True,
        )


def _engine_question(part: SetPart) -> StateQuestion | None:
    pick = part.pick
    return pick if isinstance(pick, StateQuestion) and pick.kind else None


def _with_reveal(parts: Sequence[SetPart], text: str) -> Sequence[SetPart]:
    """The parts, the first with what to say; as notes if the answer has words of its own."""
    reveal = typed_line(text)[:MOST_LINE]
    if not reveal or not parts:
        return parts
    first, *others = parts
    if isinstance(first.pick, StateQuestion):
        return [changed(first, pick=changed(first.pick, reveal=reveal)), *others]
    return [changed(first, notes=reveal), *others]


def _asking(part: SetPart) -> SetPart:
    """The part with the kind of question that is chosen, where the engine can ask it.

    Raises:
        Error: nothing of this kind can be asked about the state.
    """
    asks, question = st.session_state.get("set_address_asks"), _engine_question(part)
    if asks not in kinds_of_states() or question is None:
        return part
    chosen = changed(part, pick=changed(question, asks=asks))
    posed_of(chosen.pick)
    return chosen


def _of_address() -> Sequence[SetPart]:
    """The parts that are typed, with the kind of question that is chosen.

    Raises:
        Error: as of :func:`_of_typed` and :func:`_asking`.
    """
    return [_asking(part) for part in _of_typed(typed("set_address"))]


def _of_typed(text: str) -> Sequence[SetPart]:
    """The parts that an address names; or code, with the library and sizes of the page for code.

    Raises:
        Error: the text is neither; the message says why.
    """
    if not text:
        sentence = _("Code or address: type a line of code, or paste an address of this app.")
        raise Error(sentence, "address")
    # an address of this app has a page before its parameters, which no code can have
    if text.startswith(("/", "http")) or "?" in text:
        return parts_of_link(text)
    try:
        return [question_part(code_typed(text))]
    except Error as error:
        sentence = _("Code or address: {text} is not an address of this app. Read as code: {why}")
        raise Error(sentence.format(text=short_text(text), why=error), "address") from None
