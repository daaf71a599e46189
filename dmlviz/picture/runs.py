"""One run, or two to compare: the names of their outputs on one stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TypeVar

from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.movement.expressions import names_of
from dmlviz.movement.formulas import Formula
from dmlviz.movement.steps import Point, Step
from dmlviz.tensors.types import DrawnSizes

Known = TypeVar("Known")

_NEUTRAL = "ijklmpqrstuvabefgo"
"""Letters of dimensions that are not an image's."""


def runs_of(a: Trace, b: Trace | None = None) -> dict[str, Trace]:
    """Runs by the letter of their outputs; a single run needs none."""
    return {"": a} if b is None else {"A": a, "B": b}


def on_stage(
    runs: Mapping[str, Trace], known: Callable[[Trace], Mapping[str, Known]]
) -> dict[str, Known]:
    """What runs report about their outputs, by the outputs' names on the stage."""
    return {
        output_name(letter, name, run): reported
        for letter, run in runs.items()
        for name, reported in known(run).items()
    }


def sizes_on_stage(a: Trace, b: Trace | None = None) -> dict[str, DrawnSizes]:
    """The sizes of all outputs of one run, or of two to compare, by their names on the stage.

    Of an output of which only a part is drawn, the indices of each dimension.
    """
    runs = runs_of(a, b)
    return on_stage(
        runs, lambda run: {name: run.places.get(name, x.shape) for name, x in run.outputs.items()}
    )


def output_name(letter: str, name: str, run: Trace) -> str:
    """An output's name on the stage: DirectML's name and its run's letter."""
    if not letter:
        return name
    return letter if len(run.outputs) == 1 else f"{letter}.{name}"


def formulas_together(runs: Mapping[str, Trace]) -> dict[str, Mapping[str, Sequence[Formula]]]:
    """The formulas of every run; a letter of a dimension means the same one in all of them.

    Where it would not, as that of height in NHWC beside NCHW, the letters of all are those that
    no image has.

    Args:
        runs: by letter.

    Returns:
        By the letter of the run, the formulas by output.
    """
    formulas = {letter: run.formulas for letter, run in runs.items()}
    every = [one for of in formulas.values() for own in of.values() for one in own]
    named = {one.names for one in every}
    # an operator declares what its letters mean; the usual ones of an image mean the same, however
    # many dimensions it has
    declared = not all(run.code for run in runs.values())
    kept = len(runs) == 1 or declared or all(names == names_of(len(names)) for names in named)
    # dimensions are counted from the last one
    places = {(name, d - len(names)) for names in named for d, name in enumerate(names)}
    if kept or len(places) == len({name for name, _place in places}):
        return {letter: dict(of) for letter, of in formulas.items()}
    taken = {name for run in runs.values() for name in (*run.inputs, *run.outputs)}
    taken |= {name for one in every for name in one.tables}
    taken |= {name for one in every for name, _array in one.written.values()}
    free = [name for name in _NEUTRAL if name not in taken][: max(map(len, named))]
    return {
        letter: {
            name: [replace(one, letters=(*free[len(free) - len(one.names) :],)) for one in own]
            for name, own in of.items()
        }
        for letter, of in formulas.items()
    }


def steps_together(runs: Mapping[str, Trace], steps: Sequence[Sequence[Step]]) -> tuple[Step, ...]:
    """The steps of every run, the first ones of all together, then the second ones, and so on.

    Args:
        runs: by letter.
        steps: of each of them.
    """
    if len(runs) == 1:
        return tuple(steps[0])
    return tuple(_both(runs, pair) for pair in zip_longest(*steps))


def _both(runs: Mapping[str, Trace], pair: Sequence[Step | None]) -> Step:
    moving = {
        letter: (run, step)
        for (letter, run), step in zip(runs.items(), pair, strict=True)
        if step is not None
    }
    points = [_renamed(p, letter, run) for letter, (run, s) in moving.items() for p in s.points]
    marks = [mark for _run, step in moving.values() for mark in step.marks]
    titles = {letter: step.title for letter, (_run, step) in moving.items()}
    captions = {letter: step.caption for letter, (_run, step) in moving.items()}
    return Step(
        joined_sentences(titles, "\u2002"),
        # if only one run moves, the title says which
        joined_sentences(captions, "\n") if len(moving) > 1 else next(iter(captions.values())),
        marks=tuple(dict.fromkeys(marks)),
        points=tuple(dict.fromkeys(points)),
    )


def joined_sentences(texts: Mapping[str, str], between: str) -> str:
    """The sentence for each run, after its letter; a sentence for both appears once."""
    if len(texts) > 1 and len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    words = _("{run}: {told}")
    return between.join(words.format(run=letter, told=text) for letter, text in texts.items())


def settings_line(runs: Mapping[str, Trace]) -> str:
    """The operator and its settings on one line; of two runs, after their letters."""
    titles = {letter: run.title for letter, run in runs.items()}
    return titles[""] if "" in titles else joined_sentences(titles, " \u2002 ")


def _renamed(point: Point, letter: str, run: Trace) -> Point:
    if point.tensor not in run.outputs:
        return point
    return replace(point, tensor=output_name(letter, point.tensor, run))


def settings_apart(mine: Trace, other: Trace) -> dict[str, str]:
    """The settings in which a run differs from another."""
    then = other.settings
    return {name: value for name, value in mine.settings.items() if value != then.get(name)}


def print_settings(settings: Mapping[str, str]) -> str:
    """Settings on one line.

    >>> print_settings({"Axis": "1", "Parts": "[2, 1]"})
    'Axis: 1, Parts: [2, 1]'
    """
    return ", ".join(f"{name}: {value}" for name, value in settings.items())
