"""The player's own words, in a language that the reader reads and this machine's fonts write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from dmlviz.base.words import ENGLISH, _, ngettext, speaking
from dmlviz.picture.lettering import can_write
from dmlviz.picture.runs import steps_together
from dmlviz.picture.scene import Scene
from dmlviz.tensors import data_type_of, print_sizes
from dmlviz.tensors.types import Array

_STEPS_TOLD = 12


def words(picture: Scene, count: int | None = None) -> dict[str, str]:
    """Names of buttons, sentences with placeholders, and the picture told in words.

    Args:
        picture: the scene.
        count: of the steps that a player plays first; None for those of the scene.
    """
    count = len(picture.steps) if count is None else count
    moved = f"{picture.step_of.size:,}"
    steps = ngettext("{n} step", "{n} steps", count).format(n=count)
    return {
        **button_words(),
        "start_caption": ngettext(
            "Press Play and watch {n} element land in {steps}.",
            "Press Play and watch {n} elements land in {steps}.",
            picture.step_of.size,
        ).format(n=moved, steps=steps),
        "all_caption": ngettext(
            "{n} element lands.", "All {n} elements land together.", picture.step_of.size
        ).format(n=moved),
        "view_stages": picture.trace.parts_title,
        "wall_start": ngettext(
            "Press Space and watch {n} element land in {steps}.",
            "Press Space and watch {n} elements land in {steps}.",
            picture.step_of.size,
        ).format(n=moved, steps=steps),
        "tip_padding": constant_hover(picture).replace("{tensor}{index}", "{cell}"),
        "picture": alt_text(picture),
    }


def constant_hover(picture: Scene) -> str:
    """The sentence on an element without a source, with ``{tensor}{index}`` and ``{value}``."""
    if not picture.input.tensors:
        return _("{tensor}{index} = {value}, calculated from the settings")
    if not picture.trace.operator.pads:
        return _("{tensor}{index} = {value}, a constant of the code")
    return _("{tensor}{index} = {value}, the padding value")


def button_words() -> dict[str, str]:
    """What is the same for every picture: names of buttons, and sentences with placeholders."""
    return {
        "play": _("Play or pause (Space)"),
        "pause": _("Pause (Space)"),
        "replay": _("Replay from the start (Space)"),
        "play_short": _("Play"),
        "pause_short": _("Pause"),
        "replay_short": _("Replay"),
        "first": _("Go to the start (Home)"),
        "back": _("One step back (left arrow)"),
        "forward": _("One step forward (right arrow)"),
        "last": _("Go to the end (End)"),
        "scrub": _("Position in the movement"),
        "speed": _("Speed"),
        "controls": _("Player"),
        "count": _("Step {step} of {steps}"),
        "stage": _("Stage"),
        "start_title": _("Ready"),
        "all_title": _("All at once"),
        "looks": _("View options"),
        "looks_short": _("View"),
        "cells_short": _("Cells"),
        "planes": _("Planes of dimension {d}"),
        "planes_auto": _("Automatic"),
        "planes_across": _("Across"),
        "planes_down": _("Down"),
        "view": _("What moves together"),
        "view_short": _("Moves"),
        "view_steps": _("Step by step"),
        "view_all": _("All at once"),
        "memory": _("In memory"),
        "memory_of": _("{name}: {n} elements in memory"),
        "memory_large": _("More than {n} elements are not drawn as a row of memory."),
        "strip": _("Tensors of the code, one for each call"),
        "strip_all": _("All calls"),
        "strip_input": _("Input"),
        "strip_call": _("Call {number}: {text} gives {sizes}"),
        "strip_more": _("{cell} and {more} more"),
        "color": _("What colors show"),
        "color_short": _("Color"),
        "color_value": _("Value"),
        "color_channel": _("Source's channel"),
        "color_position": _("Source's position"),
        "color_picture": _("Picture (RGB)"),
        "color_planes": _("Red, green, blue planes"),
        "follow": _("Follow pinned element"),
        "loop": _("Loop"),
        "smaller": _("Smaller cells"),
        "larger": _("Larger cells"),
        "full": _("Full screen"),
        "present": _("Present to a class: large, keyboard only"),
        "present_short": _("Present"),
        "share": _("Share this view"),
        "share_short": _("Share"),
        "tip_input": _("{cell} = {value}, copies: {copies}"),
        "tip_output": _("{cell} = {source} = {value}"),
        "tip_index": _("{cell} = {value}, the index of {source}"),
        "tip_computed": _("{cell} = {value}, computed"),
        "tip_control": _("{cell} = {value}, elements chosen: {copies}"),
        "tip_driven": _("{text}, chosen by {control} = {value}"),
        "pin_hint": _(
            "Point at a cell to see where it comes from. Click it, or press Enter in the "
            "picture, to pin its formula; arrow keys move the pin, Esc clears it."
        ),
        "pin_hint_touch": _(
            "Tap a cell to see where it comes from and to pin its formula; tap it again to "
            "unpin it."
        ),
        "unpin": _("Unpin {cell}"),
        "small_cells": _(
            "The cells are too small for numbers: point at one, or tap it, to read it."
        ),
        "film": _("Save as video"),
        "film_stop": _("Stop and save the video"),
        "film_failed": _("This browser could not record the video."),
        "visit": _("Point at the picture, or tap it, to see it move"),
    }


def alt_text(picture: Scene) -> str:
    """The picture in words, for readers who cannot see it."""
    trace = picture.trace
    steps = " ".join(f"{s.title}. {s.caption}" for s in picture.steps[:_STEPS_TOLD])
    if not trace.inputs:
        return _("No input. Outputs: {outputs}. {steps}").format(
            outputs=listed(picture.outputs, {}), steps=steps
        )
    if picture.single:
        return _(
            "Input of sizes {sizes}, output of sizes {output_sizes}, {data_type}. {steps}"
        ).format(
            sizes=print_sizes(trace.x.shape),
            output_sizes=print_sizes(trace.output.shape),
            data_type=trace.data_type,
            steps=steps,
        )
    return _("Inputs: {inputs}. Outputs: {outputs}. {steps}").format(
        inputs=listed(trace.inputs, trace.input_types),
        outputs=listed(picture.outputs, {}),
        steps=steps,
    )


def listed(tensors: Mapping[str, Array], types: Mapping[str, str]) -> str:
    """Names, sizes and data types on one line; a type that ``types`` does not name is NumPy's."""
    return ", ".join(
        f"{name} {print_sizes(array.shape)} {types.get(name) or data_type_of(array.dtype)}"
        for name, array in tensors.items()
    )


@contextmanager
def legible(scene: Scene, font: str | None) -> Iterator[Scene]:
    """The scene, in English inside the ``with`` if no font has its letters.

    Args:
        scene: with words in some language.
        font: the name or path of a font file to prefer.
    """
    if can_write("".join(step.title + step.caption for step in scene.steps), font):
        yield scene
        return
    with speaking(ENGLISH):
        steps = [run.moves.steps for run in scene.runs.values()]
        yield replace(scene, steps=steps_together(scene.runs, steps))
