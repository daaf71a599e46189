"""What may be seen of a question before it is answered, and the movement that answers it.

A picture shows the inputs.  Of the output it shows empty places at most, and not even these
where the question may be about its sizes.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from dmlviz.classroom.polls import Poll
from dmlviz.classroom.refusals import NoPicture
from dmlviz.drawing.board import board
from dmlviz.drawing.palettes import DARK, LIGHT
from dmlviz.errors import Error
from dmlviz.exports import asked_svg, spoken, svg_size, tensors_svg
from dmlviz.kept import kept
from dmlviz.player.payload import payload
from dmlviz.scene import Scene, check_stage, scene
from dmlviz.states import State, read_link
from dmlviz.tensors import element_count
from dmlviz.tensors.numbering import print_cell, sizes_by_name
from dmlviz.trace import run
from dmlviz.words import _

Array = np.ndarray[Any, Any]

WIDTHS = (360, 640, 960, 1280)
"""How wide a picture can be asked for, in pixels: a telephone's, and three of a wall."""

_ARROW = 120  # pixels that "→ ?" takes behind the inputs
_LEAST = 96
_ELEMENT = re.compile(r"\w+(?:\[\d+\])?\[\d+(?:, \d+)*\]")


@kept(megabytes=5)
def question_picture(poll: Poll, dark: bool, width: int) -> bytes:
    """The picture of a question as JSON, packed by gzip.

    ``{svg, width, height, words, cells}``: the drawing and its size in pixels; the inputs in
    words; and for a ``cell`` question for each tensor that can be tapped, by name, the squares
    of its elements one after the other, each ``[left, top, width, height]`` in the drawing's
    units.

    Args:
        poll: the question.
        dark: light ink on dark paper.
        width: one of :data:`WIDTHS`; the drawing may be wider.

    Raises:
        NoPicture: the question's state has no inputs, they are too large for a stage, or they
            would give the answer away.
    """
    if poll.hides == "all":
        raise NoPicture
    state = _state(poll)
    try:
        inputs = state.inputs()
    except Error:
        raise NoPicture from None
    several = len(inputs) > 1
    words = [spoken(name if several else _("Input"), x) for name, x in inputs.items()]
    drawn = None if poll.kind == "sizes" else _scene(state, inputs)
    asked = None if drawn is None else _asked(poll, state, drawn)
    cells: dict[str, list[list[int]]] = {}
    whole = poll.hides == "nothing"
    if drawn is not None and (asked is not None or whole or poll.kind == "cell"):
        drawing = tensors_svg(drawn, landed=whole, asked=asked, dark=dark, width=width)
        # the page is its paper
        paper = (DARK if dark else LIGHT).paper
        drawing = drawing.replace(f'fill="{paper}"', 'fill="none"', 1)
        if poll.kind == "cell":
            cells = _cells(poll, drawn, width)
    elif poll.kind == "cell":
        raise NoPicture
    else:
        each = max(_LEAST, width - _ARROW)
        title = "" if several else _("Input")
        drawing = asked_svg(inputs, dark=dark, width=each, title=title)
    wide, high = svg_size(drawing)
    told = {"svg": drawing, "width": wide, "height": high, "words": " ".join(words), "cells": cells}
    return _packed(told)


@kept(megabytes=6)
def question_movement(poll: Poll) -> bytes:
    """What the player plays once a question is revealed: its payload as JSON, packed by gzip.

    Raises:
        NoPicture: the operator refuses the question's state, or it is too large for a stage.
    """
    state = _state(poll)
    try:
        drawn = _scene(state, state.inputs())
    except Error:
        drawn = None
    if drawn is None:
        raise NoPicture
    return _packed(payload(drawn))


def _state(poll: Poll) -> State:
    state = read_link(poll.link).state
    if state is None:
        raise NoPicture
    return state


def _scene(state: State, inputs: Mapping[str, Array]) -> Scene | None:
    """The run of a state; None where the operator refuses it or a stage cannot take it."""
    try:
        operator = state.operator()
        # a data type that the link's feature level does not know is refused, too
        if state.problems(operator):
            return None
        sizes = sizes_by_name(inputs)
        check_stage(sizes, operator.outputs_after(sizes))
        return scene(run(operator, inputs), dict(state.view.directions))
    except Error:
        return None


def _asked(poll: Poll, state: State, drawn: Scene) -> int | None:
    """The number of the output element that the question is about.

    Its words name it, as in ``out[0, 1]``.  Else it is the first that the link pins; but a choice
    may be among sizes, which the empty places round a pinned element would tell.
    """
    outputs = drawn.trace.outputs
    named = set(_ELEMENT.findall(poll.prompt))
    for number in range(sum(x.size for x in outputs.values()) if named else 0):
        if print_cell(number, outputs, "out") in named:
            return number
    if poll.kind == "choice":
        return None
    pinned = state.view.look(sizes_by_name(outputs))["pinned"]
    return pinned[0] if pinned else None


def _cells(poll: Poll, drawn: Scene, width: int) -> dict[str, list[list[int]]]:
    of = board(drawn, False, width)
    (wide, high), shift = of.square, of.at.gap // 2
    sides = ((drawn.input, of.input), (drawn.output, of.output))
    found = {
        tensor.name: [
            [x + shift, y + shift, wide, high]
            for x, y in zip(
                squares.x[tensor.first : tensor.first + tensor.count].tolist(),
                squares.y[tensor.first : tensor.first + tensor.count].tolist(),
                strict=True,
            )
        ]
        for side, squares in sides
        for tensor in side.tensors
    }
    asked = {tensor.name: element_count(tensor.sizes) for tensor in poll.tensors}
    if any(len(found.get(name, ())) != count for name, count in asked.items()):
        raise NoPicture
    return {name: found[name] for name in asked}


def _packed(value: Any) -> bytes:
    told = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return gzip.compress(told.encode(), 6, mtime=0)
