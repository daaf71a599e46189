"""All tensors laid out as cells, with sources, drivers and steps, ready for a picture."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from numbers import Real
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.base.display import Displayed
from dmlviz.base.errors import Error, TooLarge
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.movement import COMPUTED, INDEX, VALUES
from dmlviz.movement.steps import Part, Step
from dmlviz.picture.excerpts import excerpt_of
from dmlviz.picture.layouts import COLUMN_GAP, DIRECTIONS, ROW_GAP, AxisPlacement, Layout, layout
from dmlviz.picture.runs import joined_sentences, on_stage, runs_of
from dmlviz.picture.sides import Laid, Placed, Side, named, ways
from dmlviz.picture.strip import Strip
from dmlviz.tensors import check_element_count, element_count, print_label, short_text
from dmlviz.tensors.numbering import differing_elements, print_element, sizes_by_name, usual_name
from dmlviz.tensors.types import Array, Sizes

__all__ = [
    "COLUMN_GAP",
    "DIRECTIONS",
    "ROW_GAP",
    "STAGE_LIMIT",
    "AxisPlacement",
    "Layout",
    "Placed",
    "Scene",
    "Side",
    "check_stage",
    "labels",
    "layout",
    "of_sources",
    "parts_on_stage",
    "scene",
]

Known = TypeVar("Known")

STAGE_LIMIT = 65_536
"""The limit of cells on each side of the stage: a picture of 256 by 256."""


STEP_LIMIT = 16_384
"""The limit of steps, each of which has sentences: 300 bytes of what a browser is sent."""

PARTS_LIMIT = 8 * STAGE_LIMIT
"""The limit of cells in all tensors between the parts of a rule, 6 bytes of what is sent each."""


@dataclass(frozen=True, repr=False)
class Scene:
    """One run, or two of one operator on the same inputs, ready to draw.

    Attributes:
        trace: the run; the first of two.
        ways: layouts of the elements of inputs and outputs: for most windows, then for
            wider, higher and narrower ones.
        steps: titles and captions.
        step_of, via: see :class:`dmlviz.operators.Steps`; ``via`` is -1 wherever the engine's
            own source map does not bear it out.
        covered: output cells where another element lands first, and the input cells
            that this element copies; int64, two rows.
        contested: output cells at which several input cells land; int64.
        other: the run to compare it with, whose outputs come after its own; or None.
        directions: of outer dimensions, as requested.
        full: the value of full brightness in a picture, or None to tell it from the values.
        strip: all tensors of the chain that this is a call of, or all calls of; None if it is no
            part of a chain.
    """

    trace: Trace
    ways: tuple[tuple[Side, Side], ...]
    steps: tuple[Step, ...]
    step_of: Array
    via: Array
    covered: Array
    contested: Array
    other: Trace | None = None
    directions: tuple[tuple[int, str], ...] = ()
    full: float | None = None
    strip: Strip | None = None

    def __repr__(self) -> str:
        """Its runs, each on one line."""
        runs = (self.trace,) if self.other is None else (self.trace, self.other)
        return f"<{type(self).__name__}: {', '.join(map(repr, runs))}>"

    @property
    def input(self) -> Side:
        """Where every element of the inputs is drawn; without inputs there is nothing."""
        return self.ways[0][0]

    @property
    def output(self) -> Side:
        """Where every element of the outputs is drawn."""
        return self.ways[0][1]

    def turned(self, way: tuple[Side, Side]) -> Scene:
        """The same scene in one of its other layouts."""
        return replace(self, ways=(way,))

    @property
    def runs(self) -> dict[str, Trace]:
        """The runs, by the letter of their outputs; a single run has an empty letter."""
        return runs_of(self.trace, self.other)

    def of_outputs(self, known: Callable[[Trace], Mapping[str, Known]]) -> dict[str, Known]:
        """What the runs report about their outputs, by the outputs' names on the stage."""
        return on_stage(self.runs, known)

    @property
    def outputs(self) -> dict[str, Array]:
        """The outputs of all runs, by their names on the stage."""
        return self.of_outputs(lambda run: run.outputs)

    def check(self) -> str:
        """The results of the runs' checks, in words."""
        if self.other is None:
            sentence = self.trace.check()
        else:
            sentence = joined_sentences(
                {letter: run.check() for letter, run in self.runs.items()}, " "
            )
        if not self.contested.size:
            return sentence
        # the corner of such a cell is not all that a reader needs
        tensor, index = self.output.at(int(self.contested[0]))
        words = _("Two elements are written to {place}; which one stays is undefined.")
        return f"{sentence} {words.format(place=print_element(self.called(tensor), index))}"

    @property
    def single(self) -> bool:
        """Whether there is one output and at most one input, which need no names."""
        return len(self.input.tensors) <= 1 == len(self.output.tensors)

    def called(self, tensor: Placed) -> str:
        """A tensor's name in sentences, as :func:`print_cell` has it."""
        if tensor in self.output.tensors:
            alone = len(self.output.tensors) == 1
            return usual_name(tensor.name, "out") if alone else tensor.name
        moving = [t for t in self.input.tensors if t.role == VALUES]
        return usual_name(tensor.name, "in") if moving == [tensor] else tensor.name

    @property
    def values(self) -> Array:
        """The elements that move, by their cells' numbers."""
        moving = [t.name for t in self.input.numbered if t.role == VALUES]
        if not moving:
            return np.zeros(0, next(iter(self.trace.outputs.values())).dtype)
        return np.concatenate([self.trace.inputs[name].ravel() for name in moving])

    @property
    def input_labels(self) -> list[str]:
        """The text of every input cell, by number."""
        return [text for array in named(self.input, self.trace.inputs) for text in labels(array)]

    @property
    def output_labels(self) -> list[str]:
        """The text of every output cell, by number."""
        return [text for array in named(self.output, self.outputs) for text in labels(array)]

    @property
    def source(self) -> Array:
        """The input cell that each output cell is a copy or the index of, -1 for a constant."""
        known = self.of_outputs(lambda run: run.sources)
        return np.concatenate([a.ravel() for a in named(self.output, known)])

    @property
    def naming(self) -> Array:
        """Whether each output cell is the index of its source rather than a copy."""
        return self._of_role(INDEX)

    @property
    def computed(self) -> Array:
        """Whether each output cell is a new value rather than a copy or a constant."""
        return self._of_role(COMPUTED)

    def _of_role(self, role: str) -> Array:
        parts = [np.full(t.count, t.role == role) for t in self.output.numbered]
        return np.concatenate(parts)

    @property
    def drivers(self) -> Array | None:
        """The control cell that chose each output cell, or -1; int64.

        None if the operator has no control tensor that chooses elements.
        """
        known = self.of_outputs(lambda run: run.drivers)
        if not known:
            return None
        flat = np.concatenate(
            [
                known[t.name].ravel() if t.name in known else np.full(t.count, -1)
                for t in self.output.numbered
            ]
        )
        start = self.values.size
        return np.where(flat < 0, -1, flat + start)

    @property
    def driver_length(self) -> int:
        """How many control cells, from the driver on, choose an output cell."""
        return self.trace.driver_length

    @property
    def driver_apart(self) -> int:
        """How far these control cells are from each other, in cells."""
        return self.trace.driver_apart

    @property
    def differing(self) -> Array:
        """The output cells that are not equal to their source, or not its index.

        For two runs, also those that differ between the runs.
        """
        known = self.of_outputs(lambda run: run.differences)
        wrong = np.concatenate([known[t.name] + t.first for t in self.output.numbered])
        if self.other is None:
            return wrong
        apart = np.array(differing_elements(self.trace.outputs, self.other.outputs), np.int64)
        return np.unique(np.concatenate([wrong, apart, apart + self.output.count // 2]))

    @property
    def compared_count(self) -> int:
        """How many elements each of two compared runs has; 0 for one run, or different sizes."""
        if self.other is None:
            return 0
        sizes = [[x.shape for x in run.outputs.values()] for run in (self.trace, self.other)]
        return self.output.count // 2 if sizes[0] == sizes[1] else 0

    @property
    def planes(self) -> dict[int, str]:
        """One of :data:`DIRECTIONS` for each outer dimension that has several planes."""
        outer = (
            d
            for tensor in (*self.input.tensors, *self.output.tensors)
            for d, n in enumerate(tensor.layout.sizes[:-2])
            if n > 1
        )
        return {d: dict(self.directions).get(d, "auto") for d in sorted(set(outer))}

    @cached_property
    def digest(self) -> str:
        """A name that is equal for scenes with the same content and words."""
        ran = [(one.operator, one.engine, one.data_type) for one in self.runs.values()]
        hasher = hashlib.sha256(repr((ran, self.ways, self.full)).encode())
        for trace in self.runs.values():
            parts = (trace.inputs, trace.outputs, trace.sources, trace.drivers)
            for array in (array for tensors in parts for array in tensors.values()):
                hasher.update(array.dtype.str.encode())
                hasher.update(array.tobytes())
        hasher.update("\0".join(f"{s.title}\0{s.caption}" for s in self.steps).encode())
        if self.strip is not None:
            hasher.update(self.strip.digest)
        return hasher.hexdigest()


def is_large(trace: Trace) -> bool:
    """Whether a side of a run has more elements than are drawn."""
    sides = (trace.inputs, trace.outputs)
    return any(sum(x.size for x in side.values()) > STAGE_LIMIT for side in sides)


def scene(
    trace: Displayed,
    directions: Mapping[int, str] | None = None,
    full: float | None = None,
    around: Mapping[str, Sizes] = MappingProxyType({}),
) -> Scene:
    """Lay out a run; of code whose tensors are too large to draw, an excerpt.

    Args:
        trace: what an engine did, or a value of which one run is shown, such as what lies between
            two arrays.
        directions: for an outer dimension, one of :data:`DIRECTIONS`; the others are "auto".
        full: the value of full brightness where the input is a picture, such as 255; None tells
            it from the largest value: 1, 99 (as in the built-in pictures) or 255.
        around: of an excerpt, an element of an output that is in its middle, by the output's name.

    Raises:
        TooLarge: the inputs, or the outputs, have more than 65,536 elements together, or the
            movement has more than 16,384 steps.
        Error: it is not a run, or ``directions`` is not a mapping.
    """
    if isinstance(trace, Displayed) and not isinstance(trace, Trace):
        runs = trace.displayed_runs()
        trace = runs[0] if len(runs) == 1 else trace
    if not isinstance(trace, Trace):
        raise Error(
            _("trace: {value} is not a run, which dmlviz.run and dmlviz.code return.").format(
                value=short_text(trace)
            ),
            "trace",
        )
    check_mapping("directions", directions, '{0: "down"}')
    if trace.operator.drawn_in_part and is_large(trace):
        trace = excerpt_of(trace, around)
    check_stage(sizes_by_name(trace.inputs), sizes_by_name(trace.outputs))
    steps = trace.moves
    check_steps(len(steps.steps))
    asked = tuple(sorted((directions or {}).items()))
    source = np.concatenate([a.ravel() for a in trace.sources.values()])
    via = _borne_out(steps.via, source)
    covered = _covered(steps.before)
    return Scene(
        trace,
        ways(lambda shape: laid(trace, dict(asked), shape)),
        steps.steps,
        steps.step_of,
        via,
        covered,
        steps.contested,
        directions=asked,
        full=full,
    )


def laid(
    trace: Trace, directions: Mapping[int, str], shape: float
) -> tuple[list[Laid], list[Laid]]:
    """Inputs and outputs of a run, with their planes for windows of a shape."""
    roles, places = trace.roles, trace.places
    inputs, outputs = (
        [
            (
                name,
                roles[name],
                replace(layout(x.shape, directions, shape), places=places.get(name, ())),
            )
            for name, x in side.items()
        ]
        for side in (trace.inputs, trace.outputs)
    )
    return inputs, outputs


def check_mapping(field: str, value: Any, example: str) -> None:
    """Refuse an argument that is neither a mapping nor None, with an example of one.

    Raises:
        Error: of this field.
    """
    if value is not None and not isinstance(value, Mapping):
        message = _("{field}: {value} is not a mapping, such as {example}.")
        raise Error(message.format(field=field, value=short_text(value), example=example), field)


def check_moment(step: Any, count: int) -> None:
    """Refuse a step that a movement of ``count`` steps does not have.

    Raises:
        Error: it is no number from 0 to ``count``; NaN is none.
    """
    if isinstance(step, bool) or not isinstance(step, Real) or not 0 <= float(step) <= count:
        message = _("step: {step} is invalid; it must be from 0 to {count}.")
        raise Error(message.format(step=short_text(step), count=count), "step")


def check_stage(
    inputs: Mapping[str, tuple[int, ...]], outputs: Mapping[str, tuple[int, ...]]
) -> None:
    """Refuse what the stage cannot draw, from sizes alone, before anything is computed.

    Args:
        inputs, outputs: the sizes of each tensor by name.

    Raises:
        TooLarge: the inputs, or the outputs, have more than 65,536 elements together.
    """
    for side, field in ((inputs, "sizes"), (outputs, "output_sizes")):
        for one in side.values():
            check_element_count(one, STAGE_LIMIT, field)
        if len(side) > 1:
            check_element_count((sum(map(element_count, side.values())),), STAGE_LIMIT, field)


def parts_on_stage(picture: Scene) -> tuple[Part, ...]:
    """The parts of the rule for one tensor; none if the engine's source map says otherwise.

    There are none either if one of their tensors has more cells than a side of the stage, or all
    have more than 524,288 together: that is known from their sizes, before they are computed.
    """
    parts = picture.trace.parts if picture.single else ()
    cells = [element_count(part.sizes) for part in parts]
    if not parts or max(cells) > STAGE_LIMIT or sum(cells) > PARTS_LIMIT:
        return ()
    return parts if np.array_equal(parts[-1].order, picture.source) else ()


def of_sources(of: Array, source: Array) -> Array:
    """What the source of each output cell has; anything for a constant.

    Args:
        of: a row for each element that moves; empty without inputs.
        source: of every output cell the input cell, or -1.
    """
    if not len(of):
        return np.zeros((source.size, *of.shape[1:]), of.dtype)
    elements: Array = of[np.maximum(source, 0)]
    return elements


def check_steps(count: int) -> None:
    """Refuse a movement of so many steps that its sentences would fill the server's memory.

    Raises:
        TooLarge: it has more than 16,384.
    """
    if count > STEP_LIMIT:
        raise TooLarge(
            _("steps: the movement has {count:,} steps; the limit is {limit:,}.").format(
                count=count, limit=STEP_LIMIT
            ),
            "steps",
        )


def labels(values: Array) -> list[str]:
    """The text of every cell, flat, short enough to fit."""
    distinct, where = np.unique(
        values.ravel().view(f"u{values.dtype.itemsize}"), return_inverse=True
    )
    texts = [print_label(v) for v in distinct.view(values.dtype)]
    return [texts[i] for i in where.ravel()]


def _covered(before: Array | None) -> Array:
    """The places with a first element, and those elements, from the first element of each place."""
    if before is None:
        return np.zeros((2, 0), np.int64)
    places = np.flatnonzero(before >= 0)
    return np.stack([places, before[places]])


def _borne_out(via: Array, source: Array) -> Array:
    """``via`` only where the engine gave both elements the same source."""
    return np.where((via >= 0) & (source[np.maximum(via, 0)] == source), via, -1)
