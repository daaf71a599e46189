"""The moves of DiagonalMatrix: the kept elements, then the filled diagonals one by one."""

from __future__ import annotations

import math

import numpy as np

from dmlviz.movement.steps import Array, Step, Steps
from dmlviz.operators.diagonal_matrix.strip import Strip
from dmlviz.words import ngettext

# The remaining diagonals share one step: nobody watches the ninth.
_SHOWN = 8


def diagonal_steps(sizes: tuple[int, ...], strip: Strip, value: str) -> Steps:
    """One step for all kept elements, then one for each filled diagonal.

    Args:
        sizes: of the input.
        strip: the diagonals.
        value: the fill value, as in the cells.
    """
    rows, columns = sizes[-2:]
    batch = math.prod(sizes[:-2])
    diagonal = np.arange(columns)[None, :] - np.arange(rows)[:, None]
    filled = strip.filled(sizes)
    steps, step_of = [], np.zeros((rows, columns), np.int32)
    if not filled.all():
        steps.append(_kept(diagonal[~filled], batch))
    names = np.unique(diagonal[filled])
    shown = names if names.size <= _SHOWN else names[: _SHOWN - 1]
    for name in shown:
        here = filled & (diagonal == name)
        step_of[here] = len(steps)
        steps.append(_filled(int(name), int(here.sum()) * batch, value))
    if names.size > shown.size:
        here = filled & (diagonal > shown[-1])
        step_of[here] = len(steps)
        rest = names[shown.size :]
        steps.append(_further(rest, int(here.sum()) * batch, value))
    flat = np.ascontiguousarray(np.broadcast_to(step_of, sizes)).ravel()
    return Steps(tuple(steps), flat, np.full(flat.size, -1, np.int64))


def _kept(diagonals: Array, batch: int) -> Step:
    n = diagonals.size * batch
    told = ngettext(
        "{n} element stays where it is: w − h is {low} to {high}.",
        "{n} elements stay where they are: w − h is {low} to {high}.",
        n,
    )
    return Step("in", told.format(n=n, low=int(diagonals.min()), high=int(diagonals.max())))


def _filled(name: int, n: int, value: str) -> Step:
    told = ngettext(
        "Diagonal {name} is filled with {value}: {n} element, column minus row is {name}.",
        "Diagonal {name} is filled with {value}: {n} elements, column minus row is {name}.",
        n,
    )
    return Step(f"w − h = {name}", told.format(name=name, value=value, n=n))


def _further(names: Array, n: int, value: str) -> Step:
    told = ngettext(
        "So are the other {count} diagonals, up to {last}: {n} element becomes {value}.",
        "So are the other {count} diagonals, up to {last}: {n} elements become {value}.",
        n,
    )
    last = int(names[-1])
    title = f"w − h = {int(names[0])} – {last}"
    return Step(title, told.format(count=names.size, last=last, n=n, value=value))
