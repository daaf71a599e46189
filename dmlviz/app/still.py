"""Still pictures: drawings by dmlviz.picture for the page's light or dark theme."""

from __future__ import annotations

import html
from collections.abc import Collection, Mapping

import streamlit as st

from dmlviz.app.stage import picture
from dmlviz.app.theme import is_dark
from dmlviz.base.cache import cached
from dmlviz.base.words import _
from dmlviz.picture.exports import (
    image_address,
    inputs_svg,
    spoken,
    svg,
    svg_size,
    tensor_svg,
    tensors_svg,
)
from dmlviz.picture.palettes import DARK, LIGHT
from dmlviz.picture.scene import Scene
from dmlviz.states.pages import AnyState
from dmlviz.teaching.answers import CELLS, NOTHING, Hides
from dmlviz.teaching.facts import facts_of, operator_state_of, state_of
from dmlviz.tensors import print_sizes
from dmlviz.tensors.numbering import print_all_sizes, sizes_by_name
from dmlviz.tensors.types import Array

_ROOMS = {
    "low": (340, 118),
    "flat": (460, 215),
    "phone": (460, 276),
    "high": (460, 375),
    "half": (440, 430),
    "wide": (590, 470),
    "large": (880, 680),
}
"""The rooms that a question's picture is drawn for, across and down in pixels.

lessons.css shows the largest that the window has room for. A phone shows its three in three
quarters of these sizes: two titles and the question mark fit side by side only in so much.
"""


def state_still(link: str, *, width: int = 640) -> None:
    """Draw a link's moment; only the input if nothing has landed or the operator refuses it.

    Args:
        link: of the state; its step is the moment.
        width: in pixels.
    """
    state = state_of(link)
    if not state.view.step or facts_of(link).problems:
        input_still(state, width=width)
        return
    _image(*_of_state(link, is_dark(), width))


def input_still(state: AnyState, *, width: int = 640) -> None:
    """Draw the inputs of a state without revealing the output."""
    controls = state.controls()
    for name, x in state.inputs().items():
        title = state.input_title or name
        drawing = tensor_svg(x, title, dark=is_dark(), width=width, plain=name in controls)
        _image(drawing, spoken(title, x))


def card_still(state: AnyState) -> None:
    """Draw the cells of a state's inputs and "?" in place of the output, as small as on a card.

    Args:
        state: that may be refused.
    """
    inputs = state.inputs()
    drawing = inputs_svg(inputs, dark=is_dark(), controls=state.controls())
    _image(drawing, _spoken(inputs, state.input_title))


def inputs_still(state: AnyState, rooms: Collection[str] = tuple(_ROOMS)) -> None:
    """Draw the inputs of a state and "?" in place of the output.

    Args:
        state: that may be refused.
        rooms: that it is drawn for; one, where lessons.css does not choose.
    """
    _inputs(state.inputs(), state.input_title, state.controls(), rooms)


def both_still(state: AnyState, rooms: Collection[str] = tuple(_ROOMS)) -> None:
    """Draw the inputs and the outputs of a state.

    Args:
        state: that is not refused.
        rooms: as of :func:`inputs_still`.
    """
    drawn = state.scenes()[0]
    inputs, outputs = drawn.trace.inputs, drawn.trace.outputs
    sentences = [spoken(_("Input") if len(inputs) == 1 else name, x) for name, x in inputs.items()]
    sentences += [
        spoken(_("Output") if len(outputs) == 1 else name, x) for name, x in outputs.items()
    ]
    _tensors(drawn, " ".join(sentences), landed=True, rooms=rooms)


def hidden_words(drawn: Scene, hides: Hides, input_title: str = "") -> str:
    """What a picture shows before the answer, in words.

    Args:
        drawn: the picture.
        hides: what waits for the answer.
        input_title: of the input, if there is only one.
    """
    sentences = [_spoken(drawn.trace.inputs, input_title)]
    outputs = drawn.trace.outputs
    for name, output in outputs.items() if hides in (NOTHING, CELLS) else ():
        title = _("Output") if len(outputs) == 1 else name
        if hides == NOTHING:
            sentences.append(spoken(title, output))
        else:
            words = _("{title}: a tensor of sizes {sizes}, its values hidden.")
            sentences.append(words.format(title=title, sizes=print_sizes(output.shape)))
    return " ".join(sentences)


def _spoken(inputs: Mapping[str, Array], alone: str) -> str:
    """Inputs in words."""
    return " ".join(spoken(alone or name, x) for name, x in inputs.items()) or _(
        "There is no input."
    )


def _inputs(
    inputs: Mapping[str, Array],
    alone: str,
    controls: Collection[str],
    rooms: Collection[str] = tuple(_ROOMS),
) -> None:
    dark = is_dark()
    drawings = {
        room: inputs_svg(inputs, dark=dark, width=wide, tall=high, title=alone, controls=controls)
        for room, (wide, high) in _ROOMS.items()
        if room in rooms
    }
    _images(drawings, _spoken(inputs, alone))


def _tensors(
    drawn: Scene,
    alt: str,
    *,
    landed: bool,
    asked: Collection[int] = (),
    rooms: Collection[str] = tuple(_ROOMS),
) -> None:
    dark = is_dark()
    drawings = {
        room: _bare(
            tensors_svg(drawn, landed=landed, asked=asked, dark=dark, width=wide, tall=high), dark
        )
        for room, (wide, high) in _ROOMS.items()
        if room in rooms
    }
    _images(drawings, alt)


@cached(megabytes=12)
def _of_state(link: str, dark: bool, width: int) -> tuple[str, str]:
    """The drawing and what it shows in words."""
    state = operator_state_of(link)
    operator = state.operator()
    drawn = picture(operator, state.inputs(), state.view.directions)
    step = min(state.view.step, len(drawn.steps))
    words = _("{operator}: sizes {sizes} become {output_sizes}.")
    if not drawn.trace.inputs:
        words = _("{operator} makes {output_sizes} without an input.")
    alt = words.format(
        operator=operator.structure.removesuffix("_OPERATOR_DESC"),
        sizes=print_all_sizes(state.tensors.sizes),
        output_sizes=print_all_sizes(sizes_by_name(drawn.trace.outputs)),
    )
    return _bare(svg(drawn, step, dark=dark, width=width), dark), alt


def _bare(drawing: str, dark: bool) -> str:
    """A drawing without its background, which the page provides."""
    paper = (DARK if dark else LIGHT).paper
    return drawing.replace(f'fill="{paper}"', 'fill="none"', 1)


def _image(drawing: str, alt: str) -> None:
    _images({"alone": drawing}, alt)


def _images(drawings: Mapping[str, str], alt: str) -> None:
    """Draw one of several drawings, by the room that each is for: the style sheet chooses."""
    st.html(f"{_elements(drawings, alt)}")


def _elements(drawings: Mapping[str, str], alt: str) -> str:
    return "".join(_element(drawing, alt, room) for room, drawing in drawings.items())


def _element(drawing: str, alt: str, room: str) -> str:
    data = image_address(drawing)
    # set the size in advance, so that nothing moves after it is drawn
    wide, high = (round(side) for side in svg_size(drawing))
    return (
        f'<img class="dmlviz-room-{room}" alt="{html.escape(alt, quote=True)}" width="{wide}" '
        f'height="{high}" src="{data}" style="display:block; max-width:100%; height:auto">'
    )
