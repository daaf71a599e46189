"""The texts of Predict first: questions, answers and explanations of wrong guesses."""

from __future__ import annotations

from typing import Any

from dmlviz.drawing.words import listed
from dmlviz.scene import Scene
from dmlviz.tensors import print_sizes
from dmlviz.words import _


def predict_words(picture: Scene) -> dict[str, str]:
    """Sentences with placeholders in single braces, for the player to fill in."""
    trace = picture.trace
    if not trace.inputs:
        hidden = _("{data_type}, made from the settings alone. The output is hidden.").format(
            data_type=trace.data_type
        )
        asked = _("There is no input. Which sizes will the output have?")
        right, shown = _("Right: the output has sizes {sizes}."), _("The output has sizes {sizes}.")
    elif picture.single:
        sizes = print_sizes(trace.x.shape)
        hidden = _("Input of sizes {sizes}, {data_type}. The output is hidden.").format(
            sizes=sizes, data_type=trace.data_type
        )
        asked = _("The input has sizes {sizes}. Which sizes will the output have?").format(
            sizes=sizes
        )
        right, shown = _("Right: the output has sizes {sizes}."), _("The output has sizes {sizes}.")
    else:
        inputs = listed(trace.inputs)
        hidden = _("Inputs: {inputs}. What comes out is hidden.").format(inputs=inputs)
        asked = _("The inputs are {inputs}. Which sizes will {outputs} have?").format(
            inputs=inputs, outputs=", ".join(trace.outputs)
        )
        right, shown = _("Right: the sizes are {sizes}."), _("The sizes are {sizes}.")
    return {
        "name": _("Predict first"),
        "title": _("Output"),
        "hidden": hidden,
        "count": _("Question {n} of {all}"),
        "settings": _settings(picture),
        "sizes": asked,
        "cell": _(
            "Where does {cell} come from? Choose its source in the input, or type its value."
        ),
        "cell_pads": _(
            "Where does {cell} come from? Choose its source in the input, type its value, "
            "or say that it is the padding value."
        ),
        "keys": _("Keys: arrows move in the input, Enter chooses the cell."),
        "choice_keys": _("Keys: press a number to choose."),
        "value": _("Value"),
        "value_name": _("Value of {cell}"),
        "check": _("Check"),
        "padding": _("It is the padding value"),
        "reveal": _("Reveal"),
        "next": _("Next question"),
        "finish": _("Show my score"),
        "again": _("Ask again"),
        "cursor": _("{cell} = {value}"),
        "right_sizes": right,
        "right_source": _("Right: {cell} = {source} = {value}."),
        "right_padding": _(
            "Right: {cell} lies outside the input; it is the padding value {value}."
        ),
        "shown_sizes": shown,
        "shown_source": _("{cell} = {source} = {value}."),
        "shown_padding": _("{cell} lies outside the input; it is the padding value {value}."),
        "watch": _("Watch it land in step {step}: {title}."),
        "wrong_sizes": _("Not {sizes}."),
        "wrong_source": _("No: {source} = {value} lands at {places}, not at {cell}."),
        "wrong_nowhere": _("No: {source} = {value} lands nowhere in this output."),
        "wrong_padding": _("No: {cell} is a copy of an input element, not padding."),
        "wrong_value": _("No: {value} is at {source}, which lands at {places}."),
        "wrong_padding_value": _("No: {value} is the padding value; {cell} is a copy."),
        "wrong_number": _("No: no element of the input is {value}."),
        "same_value": _(
            "{value} is the right value, but this {value} lands at {places}. Which {value} "
            "lands at {cell}?"
        ),
        "more": _("{places} and {n} more"),
        "no_number": _("Type a number, such as {value}."),
        "in_control": _(
            "{tensor} only says where elements go; it is not copied. Choose another cell."
        ),
        "in_output": _("That cell hides the answer. Choose a cell of the input."),
        "done": _("{right} of {all} right on the first try."),
        "done_more": _("Change a setting for new questions, or turn off Predict first."),
    }


def _settings(picture: Scene) -> str:
    """The operator's settings on one line, for presenting; empty if there are none."""
    operator = picture.trace.operator
    desc = operator.desc
    now = operator.settings
    shown = [
        (parameter.label, desc.get(parameter.label, now[parameter.name]))
        for parameter in operator.parameters()
        if parameter.used(now) and not parameter.unspoken(now[parameter.name])
    ]
    return ", ".join(f"{name}: {_plain(value)}" for name, value in shown)


def _plain(value: Any) -> str:
    return print_sizes(value) if isinstance(value, list | tuple) else str(value)
