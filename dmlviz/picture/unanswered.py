"""What the player reads of a question that the page asks beside it, before and after the answer.

Before the answer nothing that is sent says more than the question does: the inputs, and of the
output what the question lets a reader see. The room that is left for the output is the same before
and after, so that no cell of an input moves at the answer; it is as large as the largest output
that a choice describes, so that it does not tell which choice is right.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from dmlviz.base.deferred import dataclass, regex
from dmlviz.base.words import _
from dmlviz.movement import COMPUTED, VALUES
from dmlviz.picture.figure import Title, blank_heatmap, head_titles
from dmlviz.picture.marks import heads
from dmlviz.picture.payload import pack, payload
from dmlviz.picture.scene import STAGE_LIMIT, Layout, Scene, Side, layout
from dmlviz.picture.sides import SHAPES
from dmlviz.picture.words import button_words
from dmlviz.tensors import element_count, print_sizes

SIZES, CELLS, NOTHING = "sizes", "cells", "nothing"

_SIZES = regex(r"\{(\d+(?:, \d+)*)\}")
_NUMBERS = regex(r"-?\d+(?:\.\d+)?(?:, -?\d+(?:\.\d+)?)*")
_KEPT = ("input", "color", "range", "rgb", "palettes", "language")
"""What the player reads about the inputs alone."""
_CAPTION = " ".join(["nnnnn"] * 18)
"""As long as most sentences about a step of a run, for which there is room below the picture."""


@dataclass(frozen=True)
class QuestionPicture:
    """A question about an operation that a page asks beside its picture.

    Attributes:
        choices: what the output may be, as texts: its sizes, or its elements.
        hides: what waits for the answer: the output with its ``sizes``, its ``cells``, or
            ``nothing`` but the movement.
        marked: the number of the output element in question, or -1.
        answered: whether the answer was given, so that everything may be seen.
        plain: whether plain words stand for the tensors' names in DirectML.
    """

    choices: tuple[str, ...]
    hides: str
    marked: int = -1
    answered: bool = False
    plain: bool = False


def question_payload(picture: Scene, question: QuestionPicture) -> dict[str, Any]:
    """Everything that the player needs, as :func:`dmlviz.picture.payload.payload`.

    Args:
        picture: of the operation.
        question: that is asked about it.
    """
    whole = payload(picture)
    if question.plain:
        whole = _renamed(whole, _plain_names(picture))
    # where its sizes may be seen, they are its room
    choices = question.choices if question.hides == SIZES else ()
    for way, (_input, output) in zip((whole, *whole["ways"]), picture.ways, strict=True):
        own = {"own": {"width": output.width, "height": output.height}}
        way["output"] |= _room(picture, output, choices, way["output"]["title"])
        if question.answered:
            way["output"] |= own
    return whole if question.answered else _before(picture, whole, question)


def _before(picture: Scene, whole: dict[str, Any], question: QuestionPicture) -> dict[str, Any]:
    """What may be sent before the answer; every part is named here, and others are left out."""
    source = _source(picture, question.hides)
    texts = (*picture.input_labels, *picture.output_labels, whole["paddingLabel"])
    first, *others = (
        _way(picture.turned(way), drawn, question.hides)
        for way, drawn in zip(picture.ways, (whole, *whole["ways"]), strict=True)
    )
    if question.hides == NOTHING:
        labels = picture.output_labels
        for tensor, placed in zip(first["output"]["tensors"], picture.output.tensors, strict=True):
            tensor["labels"] = labels[placed.first : placed.first + placed.count]
    return {
        **{name: whole[name] for name in _KEPT},
        **first,
        "ways": others,
        "source": pack(source.astype(np.int32)),
        "drivers": None,
        "driverLength": 1,
        "driverApart": 1,
        "stepOf": pack(np.zeros(source.size, np.uint8)),
        "via": None,
        "covered": None,
        "contested": [],
        # as wide as the widest text of the whole picture
        "paddingLabel": "0" * max(map(len, texts)),
        "steps": [{"title": "", "caption": " ".join([_CAPTION] * len(picture.runs))}],
        "parts": [],
        "usual": "steps",
        "strip": _inputs_of_strip(whole["strip"]),
        "differing": [],
        "check": "",
        "planes": [],
        "formula": {"of": {}, "tables": {}, "outside": "", "where": "", "beyond": {}},
        "words": button_words() | dict.fromkeys(("start_caption", "all_caption", "picture"), ""),
    }


def _plain_names(picture: Scene) -> dict[str, str]:
    """Words for the tensors' names: Input, or Input 1, Input 2 and so on, and a single Output."""
    words = {"IndicesTensor": _("Indices"), "SequenceLengthsTensor": _("Lengths")}
    tensors = picture.input.tensors
    moving = [tensor.name for tensor in tensors if tensor.role == VALUES]
    words |= {
        name: _("Input {number}").format(number=k) if len(moving) > 1 else _("Input")
        for k, name in enumerate(moving, 1)
    }
    names = {tensor.name: words[tensor.name] for tensor in tensors}
    if len(picture.output.tensors) == 1:
        names[picture.output.tensors[0].name] = _("Output")
    return names


def _renamed(part: Any, names: Mapping[str, str]) -> Any:
    """A part of what the player reads, with other names for tensors wherever it names one."""
    if isinstance(part, str):
        return re.sub("|".join(map(re.escape, names)), lambda name: names[name[0]], part)
    if isinstance(part, dict):
        return {_renamed(key, names): _renamed(value, names) for key, value in part.items()}
    if isinstance(part, list):
        return [_renamed(each, names) for each in part]
    return part


def _source(picture: Scene, hides: str) -> Any:
    """The sources that color an output before the answer: of equal values always the first."""
    if hides != NOTHING:
        return np.full(1 if hides == SIZES else picture.output.count, -1)
    source = picture.source
    values = picture.values
    if not values.size:
        return source
    texts = values.view(f"u{values.dtype.itemsize}")
    _distinct, first, which = np.unique(texts, return_index=True, return_inverse=True)
    copies = (source >= 0) & ~picture.naming
    return np.where(copies, first[which.ravel()[np.maximum(source, 0)]], source)


def _way(picture: Scene, drawn: dict[str, Any], hides: str) -> dict[str, Any]:
    """A figure and both sides, of whose output only what is not hidden is left."""
    figure, output = drawn["figure"], drawn["output"]
    inputs = len(picture.input.tensors)
    traces = [
        trace
        for trace in figure["data"]
        if trace["xaxis"] == "x"
        or hides == NOTHING
        or (hides == CELLS and trace["name"] != "padding")
    ]
    titles = figure["layout"]["meta"][inputs:]
    if picture.other is not None:
        # the settings in which two runs differ may be in question
        apart = heads(picture)[inputs:]
        titles = [list(map(asdict, head_titles(replace(head, settings={})))) for head in apart]
    tensors = [{**tensor, "labels": None} for tensor in output["tensors"]]
    if hides == SIZES:
        # heatmaps come first
        traces.insert(inputs, blank_heatmap())
        # names alone, without sizes
        if len(titles) == 1:
            titles = [[title for title in titles[0] if title["holds"] in ("", "short")]]
        else:
            titles = [[asdict(Title(f"<b>{_output_title(picture)}</b>", "short"))]]
        tensors = [_blank()]
    titles = figure["layout"]["meta"][:inputs] + titles
    note = figure["layout"]["annotations"][-1]
    axes = {
        "xaxis2": {**figure["layout"]["xaxis2"], "range": [0, output["width"]]},
        "yaxis2": {**figure["layout"]["yaxis2"], "range": [output["height"], 0]},
    }
    return {
        "figure": {
            "data": traces,
            "layout": {
                **figure["layout"],
                **axes,
                "annotations": [{**note, "text": longest["text"]} for longest, *_shorter in titles],
                "meta": titles,
            },
        },
        "input": drawn["input"],
        "output": {**output, "tensors": tensors},
    }


def _output_title(picture: Scene) -> str:
    """What the outputs are called as long as their sizes are hidden: the computed one, if any."""
    names = [tensor.name for tensor in picture.output.tensors if tensor.role == COMPUTED]
    return names[0] if len(names) == 1 else _("Output")


def _blank() -> dict[str, Any]:
    """A tensor of one cell, in place of all outputs."""
    one = layout((1,))
    return {
        "name": "",
        "called": "",
        "role": VALUES,
        "sizes": list(one.sizes),
        "axes": [[a.size, a.wrap, a.dx, a.dy] for a in one.axes],
        "width": one.width,
        "height": one.height,
        "x": 0.0,
        "y": 0.0,
        "first": 0,
        "labels": None,
    }


def _inputs_of_strip(strip: dict[str, Any] | None) -> dict[str, Any] | None:
    """A chain's inputs, without what its calls make of them."""
    if strip is None:
        return None
    inputs = [tensor for tensor in strip["tensors"] if not tensor["call"]]
    return {**strip, "output": pack(np.zeros(0, np.int32)), "tensors": inputs}


def _room(picture: Scene, output: Side, choices: Sequence[str], title: int) -> Mapping[str, Any]:
    """The room of the outputs: what the largest of them takes, by the choices too.

    Args:
        picture: of the operation.
        output: the outputs in one of their ways.
        choices: the texts to choose from.
        title: how many letters the titles of the outputs need.
    """
    wide, high = output.width, output.height
    own = [tensor.layout for tensor in output.tensors]
    others = list(_described(picture, output, choices))
    for k, other in others:
        wide = max(wide, output.tensors[k].x + other.width)
        high = max(high, output.tensors[k].y + other.height)
    if len(own) == 1:
        wide = max(wide, *_counts(choices), 0)
    planes = [*own, *(other for _k, other in others)]
    planes += [tensor.layout for tensor in picture.input.tensors]
    longest = max((len(print_sizes(other.sizes)) for _k, other in others), default=0)
    shortest = min((len(print_sizes(one.sizes)) for one in own), default=0)
    return {
        "width": wide,
        "height": high,
        "several": any(one.plane_count > 1 for one in planes),
        "title": title and title + max(0, longest - shortest),
    }


def _described(
    picture: Scene, output: Side, choices: Sequence[str]
) -> Iterator[tuple[int, Layout]]:
    """The outputs that the choices describe by their sizes, each with the number of the tensor."""
    first = output.tensors[0].layout
    directions = dict(picture.directions)
    shapes = (s for s in SHAPES if layout(first.sizes, directions, s) == first)
    shape = next(shapes, SHAPES[0])
    for choice in choices:
        output_sizes = [tuple(map(int, each.split(", "))) for each in _SIZES.findall(choice)]
        if len(output_sizes) != len(output.tensors):
            continue
        for k, sizes in enumerate(output_sizes):
            if math.prod(sizes) and element_count(sizes) <= STAGE_LIMIT:
                yield k, layout(sizes, directions, shape)


def _counts(choices: Sequence[str]) -> list[int]:
    """How many numbers each choice lists, if they differ in it: of a row, that tells its size."""
    if not all(_NUMBERS.fullmatch(choice) for choice in choices):
        return []
    counts = [choice.count(",") + 1 for choice in choices]
    return counts if len(set(counts)) > 1 else []
