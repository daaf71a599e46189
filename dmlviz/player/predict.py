"""Predict first: what the player asks about a picture before it shows the output."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from dmlviz.player.predict_words import predict_words
from dmlviz.scene import Scene, labels
from dmlviz.tensors import print_sizes, print_value
from dmlviz.words import _

Array = np.ndarray[Any, Any]

MOST_CELLS = 5
"""How many output cells are asked about."""

MOST_CHOICES = 4
"""How many sizes there are to choose from."""


def predictions(picture: Scene) -> dict[str, Any]:
    """The questions about one operation, as JSON; the same picture always asks the same.

    First the output's sizes, then the sources of up to five output cells: those in which most
    people who misread the operator would see another value. What is right comes from the
    engine's own output and source map.

    Returns:
        ``choices``: texts of sizes, each with ``why`` it is wrong, empty for the right one;
        ``cells``: for each marked cell its flat index, its ``value`` in full, and ``traps``:
        flat input elements (-1 for the padding value) with the misreading that leads there;
        ``pads``: whether "it is the padding value" can be an answer, right or wrong;
        ``words``: sentences with placeholders.
    """
    trace = picture.trace
    # another operation is another order of choices
    seed = hashlib.sha256(repr((trace.operator, trace.x.shape)).encode()).digest()
    random = np.random.default_rng(list(seed))
    misread = trace.operator.misreadings(trace.x.shape)
    due = trace.output.shape
    alike = [(m.words, m.source.ravel()) for m in misread if tuple(m.output_sizes) == due]
    source = trace.source.ravel()
    marked = _marked(picture, [wrong for _words, wrong in alike], random)
    return {
        "choices": _choices(picture, random),
        "cells": [
            {
                "cell": cell,
                "value": print_value(trace.output.flat[cell]),
                "traps": _traps(cell, source, alike),
            }
            for cell in marked
        ],
        "pads": any(min(way) < 0 for way in (source, *(wrong for _words, wrong in alike))),
        "words": predict_words(picture),
    }


def _choices(picture: Scene, random: np.random.Generator) -> list[dict[str, str]]:
    """The right sizes among wrong ones, in any order; each wrong one with its own sentence."""
    due = picture.trace.output.shape
    chosen = {due: ""}
    for sizes, why in _wrong_sizes(picture):
        if len(chosen) < MOST_CHOICES and min(sizes) > 0:
            chosen.setdefault(sizes, why)
    order = random.permutation(len(chosen))
    listed = [{"text": print_sizes(sizes), "why": why} for sizes, why in chosen.items()]
    return [listed[i] for i in order]


def _wrong_sizes(picture: Scene) -> Iterator[tuple[tuple[int, ...], str]]:
    """Sizes that somebody might take for the output's, the likeliest first."""
    trace = picture.trace
    sizes, due = trace.x.shape, trace.output.shape
    for misreading in trace.operator.misreadings(sizes):
        yield tuple(misreading.output_sizes), misreading.words
    yield (
        sizes,
        _("{sizes} are the input's own sizes: {n} elements.").format(
            sizes=print_sizes(sizes), n=f"{trace.x.size:,}"
        ),
    )
    if len(due) > 1:
        yield (
            (*due[:-2], due[-1], due[-2]),
            _("That is {rows} rows of {columns}: the last number counts the columns.").format(
                rows=due[-1], columns=due[-2]
            ),
        )
    # off by one where the operator changes most, else anywhere
    changed = sorted(range(len(due)), key=lambda d: (-abs(math.log(due[d] / sizes[d])), -d))
    for d in changed:
        for one in (-1, 1):
            yield (
                tuple(n + one * (e == d) for e, n in enumerate(due)),
                _("Dimension {d} is off by one with {n}: count it again.").format(
                    d=d, n=due[d] + one
                ),
            )


def _marked(picture: Scene, misread: list[Array], random: np.random.Generator) -> list[int]:
    """The cells to ask about: misread by many, spread over steps and sources."""
    source = picture.trace.source.ravel()
    kind = _kinds(picture)
    telling = np.zeros(source.size)
    for wrong in misread:
        differs = wrong != source
        # where another value would come, a typed value tells too
        telling += differs * (0.5 + 0.5 * (kind[wrong] != kind[source]))
    left = telling / max(1.0, float(telling.max(initial=0)))
    left = left + random.random(source.size) * 0.1
    found: list[int] = []
    for _cell in range(min(MOST_CELLS, source.size)):
        best = int(left.argmax())
        found.append(best)
        left[picture.step_of == picture.step_of[best]] -= 0.35
        left[source == source[best]] -= 0.35
        left[best] = -np.inf
    return found


def _kinds(picture: Scene) -> Array:
    """A number for each input element, the same for the same label; at -1 the padding's."""
    trace = picture.trace
    texts = labels(trace.x)
    padding = np.flatnonzero(trace.source.ravel() < 0)
    texts.append(labels(trace.output.ravel()[padding[:1]])[0] if padding.size else "")
    _distinct, numbers = np.unique(texts, return_inverse=True)
    return numbers.ravel()


def _traps(cell: int, source: Array, misread: list[tuple[str, Array]]) -> dict[str, str]:
    """Which wrong input elements the misreadings lead to, and in whose words."""
    traps: dict[str, str] = {}
    for words, wrong in misread:
        if wrong[cell] != source[cell]:
            traps.setdefault(str(int(wrong[cell])), words)
    return traps
