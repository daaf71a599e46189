"""Board -> moment: which elements have landed, where the others are, and the words."""

from __future__ import annotations

import math

import numpy as np

from dmlviz.base.deferred import dataclass
from dmlviz.picture.board import Board
from dmlviz.picture.measures import measures
from dmlviz.picture.rulers import Mark
from dmlviz.picture.scene import check_moment
from dmlviz.tensors.types import Array

_ARC = measures()["arc"]


@dataclass(frozen=True)
class Moment:
    """A moment of the movement, and where everything is then.

    Attributes:
        step: how many steps have landed.
        fraction: how much of the next one is done, 0 to less than 1.
        landed: whether each output element is in its place; bool.
        flying: output elements that are moving; their places are ``x`` and ``y``, in whole pixels.
        growing: output elements without a source, which grow in their places.
        grown: the size of the growing elements, 0 to 1.
        marked_input, marked_output: elements with a frame.
        ruled: positions marked on rulers.
        title, caption, count: the words under the stage.
    """

    step: int
    fraction: float
    landed: Array
    flying: Array
    x: Array
    y: Array
    growing: Array
    grown: float
    marked_input: Array
    marked_output: Array
    ruled: tuple[Mark, ...]
    title: str
    caption: str
    count: str


def moment(board: Board, t: float | None) -> Moment:
    """The moment ``t``: 2.5 is halfway through the third step, None the end.

    Raises:
        Error: there is no such moment.
    """
    steps = len(board.steps)
    step, fraction = _split(t, steps)
    nothing = np.zeros(0, np.int64)
    flying = growing = marked_input = marked_output = nothing
    x = y = nothing
    ruled: tuple[Mark, ...] = ()
    eased = ease(fraction)
    if fraction > 0:
        moved = np.flatnonzero(board.step_of == step)
        growing = moved[(board.source[moved] < 0) & (board.via[moved] < 0)]
        flying = np.setdiff1d(moved, growing, assume_unique=True)
        marked_input = _framed(
            board, step, np.union1d(_sources(board, flying), _drivers(board, moved))
        )
        marked_output = _used(board, step)
        x, y = _places(board, flying, eased)
        ruled = board.rulers[step]
    elif 0 < step < steps:
        landed_now = np.flatnonzero(board.step_of == step - 1)
        passed_on = board.via[landed_now]
        framed = np.union1d(_sources(board, landed_now), _drivers(board, landed_now))
        marked_input = _framed(board, step - 1, framed)
        marked_output = np.union1d(landed_now, passed_on[passed_on >= 0])
        marked_output = np.union1d(marked_output, _used(board, step - 1))
        ruled = board.rulers[step - 1]
    under = math.ceil(step + fraction)
    if under == 0:
        title, caption = board.words["start_title"], board.words["start_caption"]
    else:
        title, caption = board.steps[under - 1].title, board.steps[under - 1].caption
    return Moment(
        step=step,
        fraction=fraction,
        landed=board.step_of < step,
        flying=flying,
        x=x,
        y=y,
        growing=growing,
        grown=eased,
        marked_input=marked_input,
        marked_output=marked_output,
        ruled=ruled,
        title=title,
        caption=caption,
        count=board.words["count"].format(step=under, steps=steps),
    )


def ease(fraction: float) -> float:
    """Ease in and out: slow, fast, slow.

    >>> ease(0), ease(0.25), ease(0.5), ease(1)
    (0, 0.0625, 0.5, 1.0)
    """
    if fraction < 0.5:
        return 4 * fraction**3
    return float(1 - (2 - 2 * fraction) ** 3 / 2)


def _split(t: float | None, steps: int) -> tuple[int, float]:
    if t is None:
        return steps, 0.0
    check_moment(t, steps)
    return math.floor(t), float(t - math.floor(t))


def _framed(board: Board, step: int, cells: Array) -> Array:
    """Input cells with a frame: the given ones, and those that the step marks."""
    return np.union1d(cells, np.array(board.steps[step].marks, np.int64))


def _used(board: Board, step: int) -> Array:
    """Output elements of earlier steps that a step's sums are made of."""
    return np.array(board.steps[step].used, np.int64)


def _sources(board: Board, elements: Array) -> Array:
    """Input elements that these output elements copy."""
    straight = (board.source[elements] >= 0) & (board.via[elements] < 0)
    return np.unique(board.source[elements[straight]])


def _drivers(board: Board, elements: Array) -> Array:
    """Control cells that chose these output elements."""
    if board.drivers is None:
        return np.zeros(0, np.int64)
    chose = board.drivers[elements]
    chose = np.unique(chose[chose >= 0])
    return (chose[:, None] + np.arange(board.driver_length) * board.driver_apart).ravel()


def _places(board: Board, elements: Array, eased: float) -> tuple[Array, Array]:
    """Where these elements are on their way from their sources, in whole pixels."""
    source, via = np.maximum(board.source[elements], 0), np.maximum(board.via[elements], 0)
    passed_on = board.via[elements] >= 0
    start_x = np.where(passed_on, board.output.x[via], board.input.x[source])
    start_y = np.where(passed_on, board.output.y[via], board.input.y[source])
    dx = board.output.x[elements] - start_x
    dy = board.output.y[elements] - start_y
    # a slight arc keeps squares off the cells that they pass over
    high = np.minimum(_ARC["most"] * board.at.scale, np.hypot(dx, dy) * _ARC["share"])
    arc = high * 4 * eased * (1 - eased)
    x = np.floor(start_x + dx * eased + 0.5).astype(np.int64)
    y = np.floor(start_y + dy * eased - arc + 0.5).astype(np.int64)
    return x, np.maximum(y, 0)
