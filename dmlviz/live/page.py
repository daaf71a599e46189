"""What a state shows on a page without a server; the reader's own browser runs this."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dmlviz.code import ChainTrace, CodeRefused, same_as_run
from dmlviz.code.refusals import marked_line
from dmlviz.code.same import same_title
from dmlviz.engines.models import model_file
from dmlviz.errors import Error
from dmlviz.picture.arrays import npz
from dmlviz.picture.compared import compared, difference
from dmlviz.picture.payload import payload
from dmlviz.picture.runs import settings_line, sizes_on_stage
from dmlviz.picture.scene import Scene
from dmlviz.states.changing import changed
from dmlviz.states.code import CodeState
from dmlviz.states.code_form import code_changed, code_form
from dmlviz.states.controls import FormControl, FormField, FormGroup
from dmlviz.states.form import state_form
from dmlviz.states.pages import AnyState, read_any_link
from dmlviz.states.view import TOOLS, view_rows
from dmlviz.teaching.code_presets import CodePreset, code_presets
from dmlviz.teaching.predict import predictions
from dmlviz.teaching.presets import Preset, presets_of
from dmlviz.trace import Trace
from dmlviz.words import _, speaking

Texts = Mapping[str, tuple[str, str]]
"""Texts that were refused, each with a sentence why, by the names of their parameters."""


def answer(request: str) -> str:
    """What a state shows after some changes, or what it is the same as; as JSON.

    Args:
        request: JSON with ``link``, of the state before; ``changes``, a list of names and texts
            as :func:`dmlviz.states.changing.changed` takes them, or ``same`` for what does the
            same, or ``file`` for a file, a key of :data:`FILES`; and ``language``.
    """
    asked = json.loads(request)
    with speaking(asked["language"]):
        if asked.get("same"):
            shown: dict[str, Any] = {"same": same_as_state(asked["link"])}
        elif asked.get("file"):
            shown = {"file": file_of_state(asked["link"], asked["file"])}
        else:
            changes = [(name, text) for name, text in asked["changes"]]
            shown = view_after(asked["link"], changes)
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))


FILES: Mapping[str, Callable[[Trace], bytes]] = {
    "npz": npz,
    "onnx": lambda trace: model_file(trace.operator, trace.inputs),
}
"""The files that need no native code, by the endings of their names."""


def file_of_state(link: str, ending: str) -> dict[str, str]:
    """A file of a state: its name, its bytes in base64, or why there is none.

    Args:
        link: of the state.
        ending: of the file's name, a key of :data:`FILES`.
    """
    state = read_any_link(link).state
    made = {"name": "", "data": "", "problem": ""}
    if state is None or ending not in FILES:
        return made
    try:
        data = FILES[ending](state.scenes()[0].trace)
    except Error as error:
        return {**made, "problem": str(error)}
    name = f"{state.key}.{ending}"
    return {**made, "name": name, "data": base64.b64encode(data).decode("ascii")}


def same_as_state(link: str) -> list[tuple[str, str, str]]:
    """Operators, patterns and lines that do the same as a state: title, text, and link of each.

    Args:
        link: of the state; there is nothing for one that is refused.
    """
    state = read_any_link(link).state
    if state is None or state.problems():
        return []
    trace = state.scenes()[0].trace
    every = trace.same_as if isinstance(trace, ChainTrace) else same_as_run(trace)
    return [(same_title(one), one.text, one.link) for one in every]


def view_after(link: str, changes: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """What a state shows after some changes; one that is refused leaves the state as it was.

    Args:
        link: of the state before; what is invalid in it is reported, and ignored.
        changes: names of parameters and their new texts.

    Raises:
        Error: the link names no operator's page.
    """
    opened = read_any_link(link)
    state: AnyState | None = opened.state
    if state is None:
        raise Error(opened.problems[0].message, "link")
    refused: dict[str, tuple[str, str]] = {}
    done: set[tuple[str, str]] = set()
    # sizes and own values may fit each other only when both have changed
    for name, text in (*changes, *changes):
        if (name, text) in done:
            continue
        try:
            if isinstance(state, CodeState):
                state = code_changed(state, name, text)
            else:
                state = changed(state, name, text)
            refused.pop(name, None)
            done.add((name, text))
        except Error as error:
            refused[name] = (text, str(error))
    return view_of_state(state, refused, [problem.message for problem in opened.problems])


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
        Plain values, of which ``picture/js/live.js`` has the type: ``picture`` is None if the state
        is refused.
    """
    refused = refused or {}
    problems = {name: sentence for name, (_text, sentence) in refused.items()}
    pictures: tuple[Scene, ...] = ()
    place = ""
    try:
        if not refused and not isinstance(state, CodeState):
            problems = {problem.field: problem.message for problem in state.problems()}
        # code is refused where it is run, with its place
        if not problems and (pictured or isinstance(state, CodeState)):
            pictures = state.scenes()
    except Error as error:
        problems = {error.field: str(error)}
        if isinstance(error, CodeRefused) and isinstance(state, CodeState) and error.place:
            place = marked_line(_refused_code(state), error.place)
    every = _presets(state)
    preset = next((one for one in every if one.matches(state)), None)  # type: ignore[arg-type]
    form = code_form(state) if isinstance(state, CodeState) else state_form(state)
    groups = (_head(state, every, preset), *form)
    shown: dict[str, Any] = {
        "link": state.without_player().address(),
        "groups": [_with_problems(group, refused, problems).data() for group in groups],
        "refused": [(name, text) for name, (text, _sentence) in refused.items()],
        "notes": list(notes),
        "problems": list(problems.values()),
        "place": place,
        "question": preset.question if preset and not state.view.predict else "",
        "answer": preset.answer if preset and not state.view.predict else "",
        "picture": None,
        "look": {},
        "check": "",
        "settings": "",
        "predict": None,
    }
    return shown | (_pictured(state, pictures) if pictures and pictured else {})


def _refused_code(state: CodeState) -> str:
    """The first of the two codes that is refused."""
    try:
        state.chain()
    except CodeRefused:
        return state.code
    return state.compare


def _presets(state: AnyState) -> Sequence[Preset | CodePreset]:
    return code_presets() if isinstance(state, CodeState) else presets_of(state.key)


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
        "predict": predictions(first) if state.view.predict and second is None else None,
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
    both = state.compare if isinstance(state, CodeState) else state.view.compare is not None
    if not both:
        fields += view_rows(state.view, TOOLS, of_code=isinstance(state, CodeState))
    return FormGroup("", tuple(fields))


def _with_problems(group: FormGroup, refused: Texts, problems: Mapping[str, str]) -> FormGroup:
    """The group with what stands in its controls although it is refused, and why."""
    fields = []
    for field in group.fields:
        values = field.values
        if field.name in refused:
            text = refused[field.name][0]
            values = tuple(text.split(",")) if field.ranked else (text,)
        problem = problems.get(field.name, "")
        fields.append(field.with_values(values, problem))
    return FormGroup(group.title, tuple(fields))
