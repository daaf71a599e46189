"""A handout of a run or a class: each question with its picture, then the answers with theirs."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from dmlviz.base.errors import Error
from dmlviz.base.templates import render, trusted
from dmlviz.base.words import _, language
from dmlviz.picture.compared import compared
from dmlviz.picture.exports import image_address, inputs_svg, spoken, svg_size, tensors_svg
from dmlviz.picture.policy import policy
from dmlviz.states.pages import AnyState, refusals_of
from dmlviz.teaching.answers import ALL, CELLS, NOTHING
from dmlviz.teaching.facts import state_of
from dmlviz.teaching.posed import Posed
from dmlviz.teaching.runs import Run
from dmlviz.teaching.worksheets import FOLDER
from dmlviz.tensors.numbering import print_all_sizes, sizes_by_name

MOST_CELLS = 1_024
"""The most cells of inputs and outputs of a picture on paper."""

WIDTH = 520
"""The width in pixels that a picture is drawn for."""

TALL = 320
"""The height in pixels of the room before the answer, as in ``handout.css``: 85 mm."""

_LETTERS = "ABCDEFGH"
_HERE = Path(__file__).resolve().parent


def handout(run: Run) -> str:
    """A page to print: questions with pictures before, then, on a new sheet, answers and after.

    It contains no script, loads nothing, and its texts are escaped.

    Args:
        run: of the app, or a teacher's class; notes are not printed.
    """
    return render(
        FOLDER,
        "handout.html",
        policy=policy("'none'"),
        style=_style(),
        language=language(),
        title=run.title,
        answers_title=_("Answers: {title}").format(title=run.title),
        questions=[_question(part.posed) for part in run.parts],
        words={
            "name": _("Name"),
            "date": _("Date"),
            "before": _("Before"),
            "after": _("After"),
        },
    )


@cache
def _style() -> str:
    sheets = ("worksheet.css", "handout.css")
    return trusted("\n".join((_HERE / name).read_text(encoding="utf-8") for name in sheets))


def _question(posed: Posed) -> dict[str, Any]:
    choices = list(zip(_LETTERS, posed.answers, posed.reasons, strict=False))
    state = state_of(posed.link) if posed.link else None
    return {
        "prompt": posed.prompt,
        "runs": posed.runs,
        "code": posed.is_code,
        "words": posed.words,
        "support": posed.support,
        "choices": choices,
        "right": choices[posed.right] if posed.right >= 0 else None,
        "reveal": posed.reveal,
        "before": _picture(posed, state, answered=False) if state else None,
        "after": _picture(posed, state, answered=True) if state else None,
    }


def _picture(posed: Posed, state: AnyState, *, answered: bool) -> dict[str, Any] | None:
    """The picture before or after the answer; None if there is none, or it is too large."""
    if not answered and posed.hides == ALL:
        return None
    try:
        inputs = state.inputs()
        refused = bool(refusals_of(state))
        if answered and refused:
            return None
        scenes = () if refused else state.scenes()
    except Error:
        return None
    cells = sum(x.size for x in inputs.values())
    cells += sum(x.size for scene in scenes for x in scene.trace.outputs.values())
    sizes = print_all_sizes(sizes_by_name(inputs))
    if cells > MOST_CELLS:
        note = _("A picture of {cells} cells is too large for paper; the input has sizes {sizes}.")
        return {"note": note.format(cells=f"{cells:,}", sizes=sizes)} if not answered else None
    words = [spoken(state.input_title or name, x) for name, x in inputs.items()]
    marked = () if posed.marked < 0 else (posed.marked,)
    if scenes and (answered or posed.hides == NOTHING or (posed.hides == CELLS and marked)):
        scene = compared(*scenes) if len(scenes) > 1 else scenes[0]
        landed = answered or posed.hides == NOTHING
        asked, tall = () if landed else marked, None if answered else TALL
        drawing = tensors_svg(scene, landed=landed, asked=asked, width=WIDTH, tall=tall)
        if landed:
            words += [spoken(name, x) for name, x in scene.outputs.items()]
    else:
        runs = ("A", "B") if len(scenes) > 1 else ("",)
        drawing = inputs_svg(
            inputs,
            width=WIDTH,
            tall=TALL,
            title=state.input_title,
            runs=runs,
            controls=state.controls(),
        )
    wide, high = (round(side) for side in svg_size(drawing))
    source = image_address(drawing)
    return {"source": source, "wide": wide, "high": high, "alt": " ".join(words), "note": ""}
