"""Scene -> what the player's JavaScript reads: a figure's skeleton and packed arrays, once."""

from __future__ import annotations

import base64
from dataclasses import asdict
from typing import Any

import numpy as np

from dmlviz.player.figure import skeleton, value_scale
from dmlviz.player.palettes import DARK, LIGHT, Palette
from dmlviz.scene import Layout, Scene, labels
from dmlviz.tensors import print_label, print_sizes
from dmlviz.words import _, ngettext

Array = np.ndarray[Any, Any]


def payload(picture: Scene) -> dict[str, Any]:
    """Everything that the player needs for one operation; JSON, nothing per step.

    The output's labels are sent only where they do not follow from the input's and the source.
    """
    trace = picture.trace
    has_via = bool((picture.via >= 0).any())
    padding = trace.operator.padding(trace.data_type)
    return {
        "figure": skeleton(picture),
        "input": _tensor(picture.input, labels(trace.x)),
        "output": _tensor(picture.output, None if trace.agrees else labels(trace.output)),
        "color": pack(value_scale(trace.x)),
        "source": pack(trace.source.ravel().astype(np.int32)),
        "stepOf": pack(_smallest(picture.step_of)),
        "via": pack(picture.via.astype(np.int32)) if has_via else None,
        "paddingLabel": "" if padding is None else print_label(padding),
        "steps": [{"title": s.title, "caption": s.caption} for s in picture.steps],
        "differing": trace.differing.tolist(),
        "check": trace.check(),
        "palettes": {"light": _palette(LIGHT), "dark": _palette(DARK)},
        "words": words(picture),
    }


def pack(array: Array) -> dict[str, str]:
    """A typed array as Plotly writes it: base64 of little-endian bytes."""
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
    code = f"{little.dtype.kind}{little.dtype.itemsize}"
    return {"dtype": code, "bdata": base64.b64encode(little.tobytes()).decode("ascii")}


def words(picture: Scene) -> dict[str, str]:
    """The player's own words in the reader's language."""
    moved = picture.step_of.size
    return {
        "play": _("Play or pause (Space)"),
        "pause": _("Pause (Space)"),
        "play_short": _("Play"),
        "pause_short": _("Pause"),
        "first": _("To the start (Home)"),
        "back": _("One step back (left arrow)"),
        "forward": _("One step forward (right arrow)"),
        "last": _("To the end (End)"),
        "scrub": _("Moment of the movement"),
        "speed": _("Speed"),
        "controls": _("Player"),
        "count": _("Step {step} of {steps}"),
        "start_title": _("Ready"),
        "start_caption": ngettext(
            "Press Play and watch {n} element land in {steps}.",
            "Press Play and watch {n} elements land in {steps}.",
            moved,
        ).format(
            n=f"{moved:,}",
            steps=ngettext("{n} step", "{n} steps", len(picture.steps)).format(
                n=len(picture.steps)
            ),
        ),
        "visit": _("Point at the picture, or tap it, to see it move"),
        "picture": alt_text(picture),
    }


def alt_text(picture: Scene) -> str:
    """The picture in words, for those who cannot see it."""
    trace = picture.trace
    return _("Input of sizes {sizes}, output of sizes {output_sizes}, {data_type}. {steps}").format(
        sizes=print_sizes(trace.x.shape),
        output_sizes=print_sizes(trace.output.shape),
        data_type=trace.data_type,
        steps=" ".join(f"{s.title}. {s.caption}" for s in picture.steps[:12]),
    )


def _tensor(layout: Layout, texts: list[str] | None) -> dict[str, Any]:
    return {
        "sizes": list(layout.sizes),
        "axes": [[a.size, a.wrap, round(a.dx, 6), round(a.dy, 6)] for a in layout.axes],
        "width": layout.width,
        "height": layout.height,
        "labels": texts,
    }


def _palette(palette: Palette) -> dict[str, Any]:
    return {**asdict(palette), "scale": [list(stop) for stop in palette.scale]}


def _smallest(numbers: Array) -> Array:
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))
