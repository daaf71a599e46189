"""Scene -> what the player's JavaScript reads: a figure's skeleton and packed arrays, once."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from dmlviz.base.deferred import regex
from dmlviz.base.words import language
from dmlviz.engines.trace import Trace
from dmlviz.movement import COMPUTED, VALUES
from dmlviz.movement.expressions import Tables
from dmlviz.movement.formulas import Formula, constant_words, outside_words, where_words
from dmlviz.movement.steps import Part, Step
from dmlviz.picture.coloring import brightest, value_range, value_scale
from dmlviz.picture.figure import skeleton
from dmlviz.picture.marks import Head, heads
from dmlviz.picture.palettes import DARK, LIGHT
from dmlviz.picture.runs import formulas_together, output_name
from dmlviz.picture.scene import (
    ROW_GAP,
    Layout,
    Placed,
    Scene,
    Side,
    layout,
    parts_on_stage,
)
from dmlviz.picture.words import words
from dmlviz.tensors import print_label, print_sizes
from dmlviz.tensors.numbering import print_element
from dmlviz.tensors.types import Array

_PALETTES = {
    name: {**asdict(palette), "scale": [list(stop) for stop in palette.scale]}
    for name, palette in (("light", LIGHT), ("dark", DARK))
}
_WIDE = 3.0
"""The width of a tensor of the strip, divided by its height."""
REMARKED = 1024
"""The most elements of an output that have a sentence each."""


def payload(picture: Scene) -> dict[str, Any]:
    """Everything that the player needs for one operation; JSON, nothing per step.

    The output's labels are sent only where they do not follow from the input's and the source.
    """
    trace, source, values = picture.trace, picture.source, picture.values
    has_via = bool((picture.via >= 0).any())
    padding = _padding_label(trace)
    runs = picture.of_outputs(lambda run: dict.fromkeys(run.outputs, run))
    span = value_range(values)
    first, *others = (picture.turned(way) for way in picture.ways)
    parts = _parts(picture)
    usual = "stages" if parts and trace.operator.shows_parts_first else "steps"
    return {
        **_drawn(
            first,
            lambda tensor: (
                tensor.role != VALUES
                or not runs[tensor.name].agrees
                or _padding_label(runs[tensor.name]) != padding
                or _constants_differ(runs[tensor.name])
            ),
        ),
        # the same arranged for windows of other shapes
        "ways": [_drawn(other) for other in others],
        "color": pack(value_scale(values, span)),
        "range": list(span),
        "rgb": brightest(picture, span),
        "source": pack(source.astype(np.int32)),
        "drivers": None if picture.drivers is None else pack(picture.drivers.astype(np.int32)),
        "driverLength": picture.driver_length,
        "driverApart": picture.driver_apart,
        "stepOf": pack(_smallest(picture.step_of)),
        "via": pack(picture.via.astype(np.int32)) if has_via else None,
        "covered": pack(picture.covered.astype(np.int32).ravel()) if picture.covered.size else None,
        "contested": picture.contested.tolist(),
        "paddingLabel": padding,
        "steps": [_step(picture, step) for step in picture.steps],
        "parts": parts,
        "usual": usual,
        "strip": _strip(picture),
        "differing": picture.differing.tolist(),
        **({"compared": picture.compared_count} if picture.compared_count else {}),
        "check": picture.check(),
        "planes": list(picture.planes.items()),
        "formula": _formulas(picture),
        "palettes": _PALETTES,
        "language": language(),
        "words": words(picture, len(parts if usual == "stages" else picture.steps)),
    }


def _padding_label(run: Trace) -> str:
    padding = run.padding
    return "" if padding is None else print_label(padding)


def _constants_differ(run: Trace) -> bool:
    """Whether elements without a source have values of their own, not one padding value."""
    padded = run.padding is not None
    return not padded and any((source < 0).any() for source in run.copies.values())


def _drawn(picture: Scene, needs_labels: Callable[[Placed], bool] | None = None) -> dict[str, Any]:
    """The arrangement: a figure's skeleton, and the cells of both sides.

    Args:
        picture: arranged in one way.
        needs_labels: the outputs whose labels are sent; where it is not given, those of no tensor.
    """
    return {
        "figure": skeleton(picture),
        "input": _side(
            picture, picture.input, lambda: picture.input_labels, lambda _tensor: bool(needs_labels)
        ),
        "output": _side(
            picture,
            picture.output,
            lambda: picture.output_labels,
            needs_labels or (lambda _tensor: False),
        ),
    }


def _step(picture: Scene, step: Step) -> dict[str, Any]:
    fields: dict[str, Any] = {"title": step.title, "caption": step.caption}
    places = {
        tensor.name: (name, k)
        for name, side in (("input", picture.input), ("output", picture.output))
        for k, tensor in enumerate(side.tensors)
    }
    if step.marks:
        fields["marks"] = list(step.marks)
    if step.used:
        fields["used"] = list(step.used)
    if step.points:
        fields["points"] = [[*places[p.tensor], p.dimension, p.at] for p in step.points]
    return fields


def pack(array: Array) -> dict[str, str]:
    """A typed array as Plotly writes it: base64 of little-endian bytes."""
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
    code = f"{little.dtype.kind}{little.dtype.itemsize}"
    return {"dtype": code, "bdata": base64.b64encode(little.tobytes()).decode("ascii")}


def _side(
    picture: Scene,
    side: Side,
    labels: Callable[[], list[str]],
    needs_labels: Callable[[Placed], bool],
) -> dict[str, Any]:
    """The tensors of a side in their places, with the labels of those that need them."""
    first = 0 if side is picture.input else len(picture.input.tensors)
    titles = heads(picture)[first : first + len(side.tensors)]
    labeled = {tensor.name for tensor in side.tensors if needs_labels(tensor)}
    # printing numbers takes longer than all the rest of a large picture
    texts = labels() if labeled else []
    return {
        "tensors": [
            {
                "name": tensor.name,
                "called": picture.called(tensor),
                "title": title.name,
                "role": tensor.role,
                **_tensor(tensor.layout),
                "x": tensor.x,
                "y": tensor.y,
                "first": tensor.first,
                "labels": texts[tensor.first : tensor.first + tensor.count]
                if tensor.name in labeled
                else None,
            }
            for tensor, title in zip(side.tensors, titles, strict=True)
        ],
        "width": side.width,
        "height": side.height,
        "air": side.air,
        "rowGap": ROW_GAP,
        "title": _title(picture, side, titles),
    }


def _title(picture: Scene, side: Side, titles: Sequence[Head]) -> int:
    """How many letters the titles above a side need; 0 if they use the available room."""
    if picture.single or any(tensor.x for tensor in side.tensors):
        return 0
    return max((len(title.whole) for title in titles), default=0)


def _tensor(layout: Layout) -> dict[str, Any]:
    return {
        "sizes": list(layout.sizes),
        **({"places": [list(own) for own in layout.places]} if layout.places else {}),
        "axes": [[a.size, a.wrap, round(a.dx, 6), round(a.dy, 6)] for a in layout.axes],
        "width": layout.width,
        "height": layout.height,
    }


def _formulas(picture: Scene) -> dict[str, Any]:
    """The formulas of every output by name, of which one holds for each element."""
    arrays = {**picture.trace.inputs, **picture.outputs}
    runs, apart = picture.runs, _tables_apart(picture)
    formulas = {
        name: own
        for letter, of in formulas_together(runs).items()
        for name, own in _formulas_of(letter, runs[letter], of, apart).items()
    }
    computed = {
        name: _table(table.shape, table)
        for own in formulas.values()
        for formula in own
        for name, table in formula.tables.items()
    }
    return {
        "of": {name: [_formula(formula) for formula in own] for name, own in formulas.items()},
        # a formula's own table counts every index from the front
        "tables": {
            tensor.name: _table(tensor.layout.sizes, arrays[tensor.name])
            for tensor in (*picture.input.tensors, *picture.output.tensors)
            if tensor.role != VALUES
        }
        | computed,
        "outside": outside_words(),
        "where": where_words(),
        "beyond": picture.of_outputs(_beyond_of),
        "remarks": {
            name: own
            for letter, run in picture.runs.items()
            for name, own in _remarks_of(letter, run).items()
        },
    }


def _tables_apart(picture: Scene) -> set[str]:
    """The names of tables that are not the same in two runs, such as ``idx``."""
    known: list[Tables] = [
        {name: x for own in run.formulas.values() for one in own for name, x in one.tables.items()}
        for run in picture.runs.values()
    ]
    both = [name for name in known[0] if name in known[-1]]
    return {name for name in both if not np.array_equal(known[0][name], known[-1][name])}


def _formulas_of(
    letter: str, run: Trace, formulas: Mapping[str, Sequence[Formula]], apart: Collection[str]
) -> dict[str, list[Formula]]:
    """A run's formulas by the names of its outputs on the stage.

    Args:
        letter, run: the run, and the letter of its outputs; empty if it is alone.
        formulas: of the run, by output.
        apart: the tables that another run has by the same names with other elements.
    """
    if not letter:
        return {name: list(own) for name, own in formulas.items()}
    names = {name: output_name(letter, name, run) for name in formulas}
    inner = {**{name: f"{letter}.{name}" for name in apart}, **names}
    return {
        names[name]: [formula.renamed(names[name], inner) for formula in own]
        for name, own in formulas.items()
    }


def _beyond_of(run: Trace) -> dict[str, Any]:
    """The words for elements beyond the input, by output."""
    rules = [asdict(rule) for rule in run.beyond]
    return dict.fromkeys(run.outputs, rules) if rules else {}


def _remarks_of(letter: str, run: Trace) -> dict[str, dict[str, str]]:
    """Remarks on elements besides their formulas, by output; empty if formulas say everything."""
    formulas = run.formulas
    if all(formulas.values()) and not run.operator.remarks_indices:
        return {}
    names = {name: output_name(letter, name, run) for name in formulas}
    remarks = {names[name]: _remarks(run, name) for name in formulas}
    if not letter:
        return remarks
    before = {"out": letter} if len(names) == 1 else names
    known = regex(r"(?<!\w)(" + "|".join(map(re.escape, before)) + r")(?=\[)")
    return {
        name: {at: known.sub(lambda m: before[m[1]], text) for at, text in own.items()}
        for name, own in remarks.items()
    }


def _remarks(trace: Trace, name: str) -> dict[str, str]:
    """Remarks on the elements of an output besides their formulas, by index."""
    sizes = trace.outputs[name].shape
    if math.prod(sizes) > REMARKED:
        return {}
    if trace.roles[name] == COMPUTED:
        sums = zip(np.ndindex(sizes), trace.calculations(name), strict=True)
        return {",".join(map(str, at)): f"{print_element(name, at)} = {text}" for at, text in sums}
    remarks = trace.remarks_at(np.ndindex(sizes))
    return {
        ",".join(map(str, index)): "\n".join(lines)
        for index, lines in zip(np.ndindex(sizes), remarks, strict=True)
        if lines
    }


def _formula(formula: Formula) -> dict[str, Any]:
    return {
        "tensor": formula.tensor,
        "output": formula.output,
        "sizes": list(formula.sizes),
        "names": list(formula.names),
        "source": [expression.tree() for expression in formula.source],
        "shown": [expression.tree() for expression in formula.inside or formula.source],
        "before": formula.before,
        "after": formula.after,
        "missing": formula.missing,
        "constants": [
            {
                "values": list(part.values) or [constant_words()],
                "at": part.at.tree() if part.at else None,
                "ways": [
                    [{"value": c.value.tree(), "low": c.low, "high": c.high} for c in way]
                    for way in part.ways
                ],
            }
            for part in formula.constants
        ],
        "where": [
            {"value": each.value.tree(), "start": each.start, "stop": each.stop}
            for each in formula.where
        ],
    }


def _table(sizes: Sequence[int], array: Array) -> dict[str, Any]:
    return {"sizes": list(sizes), "values": array.ravel().tolist()}


def _parts(picture: Scene) -> list[dict[str, Any]]:
    return [
        {
            "title": part.title,
            "caption": part.caption,
            "tensor": _tensor(layout(part.sizes)),
            "order": pack(part.order.astype(np.int32)),
            # of a part that takes every element once, they follow from the order
            "places": None if part.rearranges else pack(part.places.astype(np.int32)),
            "constants": _constants(part),
        }
        for part in parts_on_stage(picture)
    ]


def _constants(part: Part) -> list[str]:
    """The labels of a part's constants, in the order of their places."""
    if part.constants is None:
        return []
    return [print_label(value) for value in part.constants.ravel()[part.order < 0]]


def _strip(picture: Scene) -> dict[str, Any] | None:
    """All tensors of a chain: where each element comes from, and where its cells are.

    The cells are missing if all tensors together have more than 262,144.
    """
    strip = picture.strip
    if strip is None:
        return None
    return {
        "call": strip.call,
        "whole": strip.whole,
        "input": pack(strip.input.astype(np.int32)),
        "output": pack(strip.output.astype(np.int32)),
        "color": pack(value_scale(strip.values)),
        "tensors": [
            {
                "name": tensor.name,
                "called": print_sizes(tensor.sizes),
                "call": tensor.call,
                "text": tensor.text,
                "tensor": None
                if tensor.numbers is None
                else _tensor(layout(tensor.sizes, {}, _WIDE)),
                "numbers": None
                if tensor.numbers is None
                else pack(tensor.numbers.astype(np.int32)),
            }
            for tensor in strip.tensors
        ],
    }


def _smallest(numbers: Array) -> Array:
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))
