"""What a state shows on a page without a server; the reader's own browser runs this."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dmlviz.base.errors import EngineUnavailable, Error, with_label
from dmlviz.base.words import _, speaking
from dmlviz.code.refusals import marked_line
from dmlviz.engines import engine as engine_named
from dmlviz.engines.numpy import NumpyEngine
from dmlviz.engines.web import OnnxRuntimeWeb, RunNeeded, engine_of_page
from dmlviz.live.below import code_of_address, file_of_state, section_of_state
from dmlviz.picture.compared import compared, difference
from dmlviz.picture.formats import PictureLook
from dmlviz.picture.payload import payload
from dmlviz.picture.runs import settings_line, sizes_on_stage
from dmlviz.picture.scene import Scene
from dmlviz.picture.wall import wall_content
from dmlviz.states import Opened
from dmlviz.states.controls import FormControl, FormField, FormGroup
from dmlviz.states.links import too_many
from dmlviz.states.own_picture import CHOICES, FILE, PictureChoice
from dmlviz.states.pages import (
    AnyState,
    changed,
    form_of,
    predicting,
    program_of,
    read_any_link,
    with_changes,
    with_picture,
)
from dmlviz.states.view import TOOLS, VIEW_FIELDS, view_rows
from dmlviz.teaching.code_presets import CodePreset, open_preset, presets_on
from dmlviz.teaching.predict import predictions
from dmlviz.teaching.presets import Preset
from dmlviz.tensors import OWN
from dmlviz.tensors.own_picture import read_pixels

Texts = Mapping[str, tuple[str, str]]
"""Texts that were refused, each with a sentence why, by the names of their parameters."""


class _Session:
    """What a page keeps besides its link, in the one browser that runs this.

    Attributes:
        own_picture: the reader's own, which no link holds, and what is shown of it.
        state: of the last answer; it has what the reader has set, which no link says.
    """

    own_picture: PictureChoice | None = None
    state: AnyState | None = None


def answer(request: str, engine: str = "{}") -> bytes:
    """What a state shows after some changes, or what else a page asks for; as JSON in UTF-8.

    Where that needs a run of ONNX Runtime Web, the answer is ``{"run": ...}`` alone, with what
    :class:`dmlviz.engines.web.RunNeeded` has; the same request with its answer then goes on.

    Args:
        request: JSON with ``link``, of the state before; ``language``; and one of ``changes``, a
            list of names and texts as :func:`dmlviz.states.changing.changed` takes them;
            ``section``, a key of :data:`dmlviz.live.below.SECTIONS`, with ``pinned``, the number of
            the element that was pinned last, -1 for none; ``file``, one of
            :data:`dmlviz.live.below.FILES`, with ``step``, ``colors`` and ``dark``; ``address``, of
            which a QR code is made.
        engine: JSON, as :func:`dmlviz.engines.web.engine_of_page` takes it.
    """
    asked = json.loads(request)
    with speaking(asked["language"]), engine_of_page(json.loads(engine)):
        try:
            shown = next(make(asked) for name, make in _ANSWERS.items() if name in asked)
        except RunNeeded as needed:
            shown = {"run": needed.model}
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()


def _section(asked: Mapping[str, Any]) -> dict[str, Any]:
    state, _note = on_engine_here(_state_of(asked["link"]))
    pinned = int(asked.get("pinned", -1))
    blocks = section_of_state(state, asked["section"], pinned)
    return {"section": asked["section"], "blocks": blocks}


def _file(asked: Mapping[str, Any]) -> dict[str, Any]:
    look = PictureLook(float(asked["step"]), asked["colors"], bool(asked["dark"]))
    state, _note = on_engine_here(_state_of(asked["link"]))
    return {"file": file_of_state(state, asked["file"], look)}


_ANSWERS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "section": _section,
    "file": _file,
    "address": lambda asked: {"code": code_of_address(asked["address"])},
    "changes": lambda asked: view_after(asked["link"], asked["changes"]),
}
"""What a page asks for, by the name that its request has."""


def _opened(link: str) -> Opened[AnyState | None]:
    choice, state = _Session.own_picture, _Session.state
    # a link has the library that code is read as, but not whether it was chosen or guessed
    if state is not None and link == _link_of(state):
        return Opened(state, ())
    return read_any_link(link, None if choice is None else choice.part)


def _link_of(state: AnyState) -> str:
    return state.without_player().address()


def _state_of(link: str) -> AnyState:
    """The state of a link, without what is invalid in it.

    Raises:
        Error: the link names no operator's page.
    """
    opened = _opened(link)
    if opened.state is None:
        raise Error(opened.problems[0].message, "link")
    return opened.state


def view_after(link: str, changes: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """What a state shows after some changes; one that is refused leaves the state as it was.

    Args:
        link: of the state before; what is invalid in it is reported, and ignored.
        changes: names of parameters and their new texts.

    Raises:
        Error: the link names no operator's page.
    """
    opened = _opened(link)
    state, refused = with_changes(_state_of(link), dict(changes), _changed)
    # pixels stand in no control
    refused = {
        name: ("" if _part_of(name) == FILE else text, why) for name, (text, why) in refused.items()
    }
    state, note = on_engine_here(state)
    _Session.state = state
    notes = [problem.message for problem in opened.problems]
    return view_of_state(state, refused, [*notes, note] if note else notes)


def _part_of(name: str) -> str:
    """What a parameter sets of its tensor."""
    return name.rpartition(".")[2]


def _changed(state: AnyState, name: str, text: str) -> AnyState:
    """A state after one change, which may be of the reader's own picture.

    Raises:
        Error: the change is refused.
    """
    choice = _choice_after(_part_of(name), text)
    if choice is None:
        return changed(state, name, text)
    state = with_picture(state, name.rpartition(".")[0], choice)
    _Session.own_picture = choice
    return state


def _choice_after(part: str, text: str) -> PictureChoice | None:
    """The reader's own picture after a change of a parameter; None if that is no change of it.

    Raises:
        Error: the text is no picture, or no value of that parameter.
    """
    choice = _Session.own_picture
    if part == FILE:
        return PictureChoice(read_pixels(text))
    if choice is None or (part, text) == ("picture", OWN):
        return choice
    return choice.changed(part, text) if part in CHOICES else None


def on_engine_here(state: AnyState) -> tuple[AnyState, str]:
    """A state, on NumPy if its engine cannot run, and why it cannot; empty if it can."""
    try:
        engine_named(state.view.engine)
    except EngineUnavailable as error:
        numpy = NumpyEngine().status()
        note = _("{problem} {engine} runs instead.").format(problem=error, engine=numpy.title)
        return state.with_view(replace(state.view, engine=numpy.name)), note
    return state, ""


def view_of_state(
    state: AnyState,
    refused: Texts | None = None,
    notes: Sequence[str] = (),
    *,
    pictured: bool = True,
) -> dict[str, Any]:
    """What a state shows: its form, its picture, and what is wrong with it.

    Args:
        state: of an operator's page, or of the page for code.
        refused: texts in its controls that are not part of it.
        notes: sentences about the link that named it.
        pictured: whether to run it; a page that is written has its picture already.

    Returns:
        Plain values, of which ``picture/js/page_data.js`` has the type, ``Page``: ``picture`` is
        None if the state is refused.
    """
    refused = refused or {}
    typed = {name: text for name, (text, _why) in refused.items()}
    problems = {name: why for name, (_text, why) in refused.items()}
    pictures: tuple[Scene, ...] = ()
    place = ""
    preset = open_preset(state)
    head = _head(state, presets_on(state.key), preset)
    groups = (head, *form_of(state, _Session.own_picture), _engine(state))
    rows = {row.name: row for group in groups for row in group.fields}
    try:
        for problem in () if refused else state.problems() or state.second_problems():
            problems[problem.field] = problem.message
            if problem.place:
                place = marked_line(rows[problem.field].values[0], problem.place)
        if not problems and pictured:
            pictures = state.scenes()
    except Error as error:
        problems = {error.field: str(error)}
    problems = {
        name: with_label(sentence, name, rows[name].called) if name in rows else sentence
        for name, sentence in problems.items()
    }
    shown: dict[str, Any] = {
        "link": _link_of(state),
        "groups": [group.with_problems(typed, problems).data() for group in groups],
        "refused": list(typed.items()),
        "notes": list(notes),
        "problems": list(problems.values()),
        "unaddressed": unaddressed(state),
        "left_out": left_out(state),
        "place": place,
        "question": preset.question if preset and not predicting(state) else "",
        "answer": preset.answer if preset and not predicting(state) else "",
        "wall": wall_content(
            preset.question if preset else "",
            "",
            hidden=predicting(state),
            reveal=preset.answer if preset else "",
        ),
        "picture": None,
        "look": {},
        "program": program_of(state),
        "check": "",
        "settings": "",
        "predict": None,
    }
    return shown | (_pictured(state, pictures) if pictures and pictured else {})


def unaddressed(state: AnyState) -> str:
    """Why no address holds the state; empty if one does."""
    return "" if state.tensors.fits_address else too_many()


def left_out(state: AnyState) -> str:
    """What an address of the state leaves out; empty if nothing."""
    if not any(input_state.is_own_picture for input_state in state.tensors.values()):
        return ""
    return _(
        "Your own picture stays in this page: this address opens the same view with a built-in "
        "picture."
    )


def _pictured(state: AnyState, pictures: tuple[Scene, ...]) -> dict[str, Any]:
    first = pictures[0]
    second = pictures[1] if len(pictures) > 1 else None
    sizes = sizes_on_stage(first.trace, None if second is None else second.trace)
    drawn = first if second is None else compared(first, second)
    sent = payload(drawn)
    return {
        "settings": settings_line(drawn.runs),
        "picture": sent,
        "look": state.view.look(sizes),
        "check": sent["check"] if second is None else difference(first, second),
        "predict": predictions(first).as_json if predicting(state) else None,
    }


def _head(
    state: AnyState, presets: Sequence[Preset | CodePreset], preset: Preset | CodePreset | None
) -> FormGroup:
    """The page's questions to try, and the switch that hides the output."""
    links = ("", *(one.state.address() for one in presets))
    titles = (_("Try a question"), *(one.title for one in presets))
    fields = []
    if presets:
        chosen = preset.state.address() if preset else ""
        fields.append(
            FormField(
                "preset", _("Try"), "", (FormControl("menu", links, titles),), values=(chosen,)
            )
        )
    return FormGroup("", (*fields, *view_rows(state, TOOLS)))


def _engine(state: AnyState) -> FormGroup:
    """The engines of a page without a server, whatever runs on the machine that writes it."""
    titles = {"numpy": NumpyEngine().status().title, OnnxRuntimeWeb.name: OnnxRuntimeWeb.title}
    menu = FormControl("menu", tuple(titles), tuple(titles.values()))
    control = VIEW_FIELDS["engine"].control
    assert control is not None
    size = _("ONNX Runtime Web is loaded when you choose it (4 MB, once).")
    words = f"{control.help()} {size}"
    row = FormField("engine", control.title(), words, (menu,), values=(state.view.engine,))
    return FormGroup("", (row,))
