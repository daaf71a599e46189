"""Still pictures: drawings by dmlviz.picture for the page's light or dark theme."""

from __future__ import annotations

import html
from base64 import b64encode
from xml.etree.ElementTree import fromstring

import numpy as np
import streamlit as st

from dmlviz.app.stage import picture, pictures
from dmlviz.app.theme import is_dark
from dmlviz.kept import kept
from dmlviz.picture.exports import inputs_svg, spoken, svg, tensor_svg, tensors_svg
from dmlviz.picture.palettes import DARK, LIGHT
from dmlviz.states.pages import AnyState
from dmlviz.teaching.facts import facts_of, operator_state_of, state_of
from dmlviz.teaching.questions import Question
from dmlviz.tensors import element_count, print_sizes
from dmlviz.tensors.numbering import print_all_sizes, sizes_by_name
from dmlviz.words import _

_MANY = 3
"""From this many tensors on, a picture is wider."""
_PHONE = 358, 252
"""The room for a question's picture on a phone, across and down in pixels."""


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


def asked_still(state: AnyState, *, width: int = 0) -> None:
    """Draw the inputs of a state and "?" in place of the output.

    Args:
        state: that may be refused.
        width: as :func:`dmlviz.picture.exports.inputs_svg` takes it.
    """
    inputs, alone = state.inputs(), state.input_title
    told = " ".join(spoken(alone or name, x) for name, x in inputs.items())
    told = told or _("There is no input.")
    drawing = inputs_svg(
        inputs, dark=is_dark(), width=width, title=alone, controls=state.controls()
    )
    _image(drawing, told)


def both_still(state: AnyState, *, width: int = 640) -> None:
    """Draw the inputs and the outputs of a state.

    Args:
        state: that is not refused.
        width: in pixels.
    """
    drawn, dark = pictures(state)[0], is_dark()
    inputs, outputs = drawn.trace.inputs, drawn.trace.outputs
    told = [spoken(_("Input") if len(inputs) == 1 else name, x) for name, x in inputs.items()]
    told += [spoken(_("Output") if len(outputs) == 1 else name, x) for name, x in outputs.items()]
    _image(_bare(tensors_svg(drawn, landed=True, dark=dark, width=width), dark), " ".join(told))


def question_still(question: Question) -> None:
    """Draw what a practice question shows before the answer.

    Args:
        question: that shows something.
    """
    inputs, operator = question.inputs, question.operator
    alone = _("Input") if len(inputs) == 1 else ""
    told = [spoken(alone or name, x) for name, x in inputs.items()] or [_("There is no input.")]
    drawn = picture(operator, inputs)
    landed = question.shows == "both"
    if not landed and question.marked is None:
        controls = operator.controls_among(inputs)
        drawing = inputs_svg(inputs, dark=is_dark(), width=480, title=alone, controls=controls)
        _image(drawing, " ".join(told))
        return
    for name, output in drawn.trace.outputs.items():
        title = _("Output") if len(drawn.trace.outputs) == 1 else name
        if landed:
            told.append(spoken(title, output))
        elif question.output in ("", name):
            told.append(
                _("{title}: a tensor of sizes {sizes}, its values hidden.").format(
                    title=title, sizes=print_sizes(output.shape)
                )
            )
    # names, sizes and numbers of many tensors need more room
    many = len(inputs) + len(drawn.trace.outputs) >= _MANY
    cell, dark = asked_cell(question), is_dark()
    asked = () if cell is None else (cell,)
    wide, narrow = (
        _bare(tensors_svg(drawn, landed=landed, asked=asked, dark=dark, width=width), dark)
        for width in ((960, 720) if many else (640, 480))
    )
    _image(wide, " ".join(told), narrow if _on_phone(narrow) > _on_phone(wide) else "")


def asked_cell(question: Question) -> int | None:
    """The number of the cell that a question is about, counted across all outputs."""
    if question.marked is None:
        return None
    operator = question.operator
    sizes = operator.outputs_after(sizes_by_name(question.inputs))
    names = list(sizes)
    held = question.output or names[0]
    before = sum(element_count(sizes[name]) for name in names[: names.index(held)])
    return before + int(np.ravel_multi_index(question.marked, sizes[held]))


@kept(megabytes=12)
def _of_state(link: str, dark: bool, width: int) -> tuple[str, str]:
    """The drawing and what it shows in words."""
    state = operator_state_of(link)
    operator = state.operator()
    drawn = picture(operator, state.inputs(), state.view.directions)
    step = min(state.view.step, len(drawn.steps))
    words = _("{operator}: {sizes} becomes {output_sizes}.")
    if not drawn.trace.inputs:
        words = _("{operator} makes {output_sizes} without an input.")
    alt = words.format(
        operator=operator.structure.removesuffix("_OPERATOR_DESC"),
        sizes=print_all_sizes(state.all_sizes),
        output_sizes=print_all_sizes(sizes_by_name(drawn.trace.outputs)),
    )
    return _bare(svg(drawn, step, dark=dark, width=width), dark), alt


def _bare(drawing: str, dark: bool) -> str:
    """A drawing without its background, which the page provides."""
    paper = (DARK if dark else LIGHT).paper
    return drawing.replace(f'fill="{paper}"', 'fill="none"', 1)


def _image(drawing: str, alt: str, phone: str = "") -> None:
    st.html(f"{_element(drawing, alt)}{_element(phone, alt)}")


def _element(drawing: str, alt: str) -> str:
    if not drawing:
        return ""
    data = image_address(drawing)
    # set the size in advance, so that nothing moves after it is drawn
    wide, high = _sizes(drawing)
    return (
        f'<img alt="{html.escape(alt, quote=True)}" width="{wide}" height="{high}" '
        f'src="{data}" style="display:block; max-width:100%; height:auto">'
    )


def _sizes(drawing: str) -> tuple[int, int]:
    root = fromstring(drawing)  # noqa: S314, our own drawing
    return round(float(root.attrib["width"])), round(float(root.attrib["height"]))


def _on_phone(drawing: str) -> float:
    """How large a drawing is on a phone, as a share of the size that it was drawn in."""
    return min(room / size for room, size in zip(_PHONE, _sizes(drawing), strict=True))


def image_address(drawing: str) -> str:
    """A drawing as an image's data address, because Streamlit removes drawings from HTML."""
    return f"data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}"
