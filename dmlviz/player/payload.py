"""Scene -> what the player's JavaScript reads: a figure's skeleton and packed arrays, once."""

from __future__ import annotations

import base64
from dataclasses import asdict
from typing import Any

import numpy as np

from dmlviz.operators import names_of, outside_words
from dmlviz.player.figure import skeleton, value_range, value_scale
from dmlviz.player.palettes import DARK, LIGHT, Palette
from dmlviz.player.words import words
from dmlviz.scene import Layout, Scene, labels, layout
from dmlviz.tensors import print_label
from dmlviz.words import language

Array = np.ndarray[Any, Any]


def payload(picture: Scene) -> dict[str, Any]:
    """Everything that the player needs for one operation; JSON, nothing per step.

    The output's labels are sent only where they do not follow from the input's and the source.
    """
    trace = picture.trace
    has_via = bool((picture.via >= 0).any())
    padding = trace.operator.padding(trace.data_type)
    low, high = value_range(trace.x)
    return {
        "figure": skeleton(picture),
        "input": {**_tensor(picture.input), "labels": labels(trace.x)},
        "output": {
            **_tensor(picture.output),
            "labels": None if trace.agrees else labels(trace.output),
        },
        "color": pack(value_scale(trace.x)),
        "range": [low, high],
        "rgb": _brightest(low, high),
        "source": pack(trace.source.ravel().astype(np.int32)),
        "stepOf": pack(_smallest(picture.step_of)),
        "via": pack(picture.via.astype(np.int32)) if has_via else None,
        "paddingLabel": "" if padding is None else print_label(padding),
        "steps": [{"title": s.title, "caption": s.caption} for s in picture.steps],
        "stages": _stages(picture),
        "differing": trace.differing.tolist(),
        "check": trace.check(),
        "formula": _formula(picture),
        "palettes": {"light": _palette(LIGHT), "dark": _palette(DARK)},
        "language": language(),
        "words": words(picture),
    }


def pack(array: Array) -> dict[str, str]:
    """A typed array as Plotly writes it: base64 of little-endian bytes."""
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
    code = f"{little.dtype.kind}{little.dtype.itemsize}"
    return {"dtype": code, "bdata": base64.b64encode(little.tobytes()).decode("ascii")}


def _tensor(layout: Layout) -> dict[str, Any]:
    return {
        "sizes": list(layout.sizes),
        "axes": [[a.size, a.wrap, round(a.dx, 6), round(a.dy, 6)] for a in layout.axes],
        "width": layout.width,
        "height": layout.height,
    }


def _formula(picture: Scene) -> dict[str, Any]:
    operator, sizes = picture.trace.operator, picture.trace.x.shape
    ((formula,),) = operator.formulas(picture.trace.inputs).values()
    return {
        "names": list(names_of(len(sizes))),
        "source": [expression.tree() for expression in formula.source],
        "outside": outside_words(),
        "missing": formula.missing,
        "beyond": [asdict(rule) for rule in operator.beyond(sizes)],
    }


def _stages(picture: Scene) -> list[dict[str, Any]]:
    """The parts of the rule, unless the engine's source map says otherwise."""
    stages = picture.trace.operator.stages(picture.trace.inputs)
    if not stages or not np.array_equal(stages[-1].order, picture.trace.source.ravel()):
        return []
    return [
        {
            "title": stage.title,
            "caption": stage.caption,
            "tensor": _tensor(layout(stage.sizes)),
            "order": pack(stage.order.astype(np.int32)),
        }
        for stage in stages
    ]


def _brightest(low: float, high: float) -> float:
    """The value that is full brightness in a picture; 0 where the values are no picture."""
    if low < 0 or high <= 0:
        return 0.0
    return next((limit for limit in (1.0, 99.0, 255.0) if high <= limit), 0.0)


def _palette(palette: Palette) -> dict[str, Any]:
    return {**asdict(palette), "scale": [list(stop) for stop in palette.scale]}


def _smallest(numbers: Array) -> Array:
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))
