"""The picture of a question before it is answered, and the movement that answers it.

A picture shows the inputs. It shows at most empty places of the output, and not even these
if the question may be about the output's sizes.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from dmlviz.cache import cached
from dmlviz.classroom.polls import Poll
from dmlviz.classroom.refusals import NoPicture
from dmlviz.errors import Error
from dmlviz.picture.board import board
from dmlviz.picture.compared import compared
from dmlviz.picture.exports import inputs_svg, spoken, svg_size, tensors_svg
from dmlviz.picture.palettes import DARK, LIGHT
from dmlviz.picture.payload import payload
from dmlviz.picture.scene import Scene
from dmlviz.states.pages import AnyState, read_any_link, refusals_of
from dmlviz.teaching.answers import ALL, CELLS, NOTHING
from dmlviz.tensors import element_count
from dmlviz.tensors.numbering import print_cell, sizes_by_name
from dmlviz.words import _

WIDTHS = (360, 640, 960, 1280)
"""The widths of a picture in pixels: one for a phone and three for a wall."""

_ELEMENT = re.compile(r"\w+(?:\[\d+\])?\[\d+(?:, \d+)*\]")


@cached(megabytes=5)
def question_picture(poll: Poll, dark: bool, width: int) -> bytes:
    """The picture of a question as JSON, compressed with gzip.

    ``{svg, width, height, font, words, cells}``: the drawing and its size in pixels; the size of
    its numbers in pixels, 0 if that is not known; what it shows in words; and, for a ``cell``
    question, the squares of the elements of each tensor that can be tapped, by name and in order,
    each ``[left, top, width, height]`` in the drawing's units.

    Args:
        poll: the question.
        dark: a dark background.
        width: one of :data:`WIDTHS`; the drawing is wider where its numbers need that.

    Raises:
        NoPicture: the question has no state, its state has no inputs, they are too large for a
            stage, or they would give the answer away.
    """
    if poll.hides == ALL:
        raise NoPicture
    state = _state(poll)
    try:
        inputs = state.inputs()
    except Error:
        raise NoPicture from None
    words = [spoken(state.input_title or name, x) for name, x in inputs.items()]
    drawn = None if poll.kind == "sizes" else _scene(state)
    asked = () if drawn is None else _elements_in_question(poll, state, drawn)
    cells: dict[str, list[list[int]]] = {}
    font = 0.0
    whole = poll.hides == NOTHING
    grids = poll.compares and poll.hides == CELLS
    if drawn is not None and (asked or whole or grids or poll.kind == "cell"):
        width = _legible(drawn, width)
        font = board(drawn, dark, width).at.font
        drawing = tensors_svg(drawn, landed=whole, asked=asked, dark=dark, width=width)
        # the page provides the background
        paper = (DARK if dark else LIGHT).paper
        drawing = drawing.replace(f'fill="{paper}"', 'fill="none"', 1)
        if whole:
            outputs = drawn.outputs
            one = len(outputs) == 1
            words += [spoken(_("Output") if one else name, x) for name, x in outputs.items()]
        if poll.kind == "cell":
            cells = _cells(poll, drawn, width)
    elif poll.kind == "cell":
        raise NoPicture
    else:
        runs = ("A", "B") if poll.compares else ("",)
        title, controls = state.input_title, state.controls()
        drawing = inputs_svg(
            inputs, dark=dark, width=width, title=title, runs=runs, controls=controls
        )
    wide, high = svg_size(drawing)
    told = {"svg": drawing, "width": wide, "height": high, "font": font}
    return _packed({**told, "words": " ".join(words), "cells": cells})


@cached(megabytes=6)
def question_movement(poll: Poll) -> bytes:
    """The player's payload for the reveal of a question, as JSON compressed with gzip.

    Raises:
        NoPicture: the question has no state, its state is refused, or it is too large for a stage.
    """
    drawn = _scene(_state(poll))
    if drawn is None:
        raise NoPicture
    return _packed(payload(drawn))


def _state(poll: Poll) -> AnyState:
    state = read_any_link(poll.link).state if poll.link else None
    if state is None:
        raise NoPicture
    return state


def _scene(state: AnyState) -> Scene | None:
    """The scene of a state, or of both settings that it compares.

    None if it is refused or too large for a stage.
    """
    try:
        # this also refuses a data type that the link's feature level does not support
        if refusals_of(state):
            return None
        drawn, *others = state.scenes()
        return compared(drawn, *others) if others else drawn
    except Error:
        return None


def _elements_in_question(poll: Poll, state: AnyState, drawn: Scene) -> tuple[int, ...]:
    """The numbers of the output elements that the question is about, one in each run.

    The prompt names it, as in ``out[0, 1]``, or by the name that code gives the output; otherwise
    it is the first element that the link pins, or all of them if two runs are compared, unless the
    choices may be sizes: the empty places around a pinned element would reveal them.
    """
    named = set(_ELEMENT.findall(poll.prompt))
    if asked := tuple(_named(named, drawn)) if named else ():
        # the empty places of both runs may have the sizes that are asked for
        return asked if not poll.compares or poll.hides == CELLS else ()
    if poll.kind == "choice" and not (poll.compares and poll.hides == CELLS):
        return ()
    pinned = state.view.look(sizes_by_name(drawn.outputs))["pinned"]
    return tuple(pinned if poll.compares else pinned[:1])


def _named(names: Collection[str], drawn: Scene) -> Iterator[int]:
    """The first output element of each run that has one of these names, counted across all."""
    before = 0
    for each in drawn.runs.values():
        sizes = sum(x.size for x in each.outputs.values())
        called = ("out", next(iter(each.outputs)))
        named = (
            n
            for n in range(sizes)
            if any(print_cell(n, each.outputs, alone) in names for alone in called)
        )
        yield from (before + number for number in islice(named, 1))
        before += sizes


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


def _legible(drawn: Scene, width: int) -> int:
    """The least of :data:`WIDTHS`, from a width on, at which cells have room for numbers."""
    wider = [each for each in WIDTHS if each >= width]
    return next((each for each in wider if board(drawn, False, each).at.font), width)


def _packed(value: Any) -> bytes:
    told = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return gzip.compress(told.encode(), 6, mtime=0)
