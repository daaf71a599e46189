"""Predict first: the player's questions about a picture before it shows the output."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from dmlviz.questions.misread import Sizes, misread_sources, wrong_sizes
from dmlviz.questions.predict_words import predict_words
from dmlviz.scene import Scene
from dmlviz.tensors import print_sizes, print_value
from dmlviz.tensors.numbering import sizes_by_name
from dmlviz.tensors.types import Array
from dmlviz.trace import Trace

MOST_CELLS = 5
"""The limit of output cells in questions."""

MOST_CHOICES = 4
"""How many sizes there are to choose from."""


def predictions(picture: Scene) -> dict[str, Any]:
    """The questions about one operation, as JSON; the same picture always has the same ones.

    First the output's sizes, then the sources of up to five output cells: those in which the most
    misreadings of the operator give another value. The right answers come from the
    engine's own output and source map.

    Returns:
        ``choices``: texts of sizes, each with ``why`` it is wrong, empty for the right one;
        ``cells``: for each marked cell its flat index, its ``value`` in full, and ``traps``:
        flat input elements (-1 for the padding value) with the misreading that leads there;
        ``pads``: whether "it is the padding value" can be an answer, right or wrong;
        ``words``: sentences with placeholders.
    """
    trace, source = picture.trace, picture.source
    sizes = next((x.shape for x in trace.inputs.values()), ())
    # a different operation gets a different order of choices
    seed = hashlib.sha256(repr((trace.operator, sizes)).encode()).digest()
    random = np.random.default_rng(list(seed))
    alike = [(m.words, m.source.ravel()) for m in misread_sources(trace)]
    marked = _marked(picture, [wrong for _words, wrong in alike], random)
    return {
        "choices": _choices(trace, random),
        "cells": [
            {
                "cell": cell,
                "value": print_value(_value(picture, cell)),
                "traps": _traps(cell, source, alike),
            }
            for cell in marked
        ],
        "pads": any(min(way) < 0 for way in (source, *(wrong for _words, wrong in alike))),
        "words": predict_words(picture),
    }


def _value(picture: Scene, cell: int) -> np.generic:
    tensor, index = picture.output.at(cell)
    value: np.generic = picture.trace.outputs[tensor.name][index]
    return value


def _choices(trace: Trace, random: np.random.Generator) -> list[dict[str, str]]:
    """The right sizes among wrong ones, in random order; each wrong one has its own sentence."""
    chosen = {_printed(sizes_by_name(trace.outputs)): ""}
    for sizes, why in wrong_sizes(trace):
        if len(chosen) < MOST_CHOICES and all(min(each) > 0 for each in sizes.values()):
            chosen.setdefault(_printed(sizes), why)
    order = random.permutation(len(chosen))
    listed = [{"text": text, "why": why} for text, why in chosen.items()]
    return [listed[i] for i in order]


def _printed(sizes: Sizes) -> str:
    return ", ".join(print_sizes(each) for each in sizes.values())


def _marked(picture: Scene, misread: list[Array], random: np.random.Generator) -> list[int]:
    """The cells to ask about: in many misreadings, and spread over steps and sources."""
    if not picture.input.tensors:
        # nothing comes from anywhere
        return []
    source = picture.source
    kind = _kinds(picture)
    telling = np.zeros(source.size)
    for wrong in misread:
        differs = wrong != source
        # if the value would differ, a typed value also reveals the misreading
        telling += differs * (0.5 + 0.5 * (kind[wrong] != kind[source]))
    left = telling / max(1.0, float(telling.max(initial=0)))
    left = left + random.random(source.size) * 0.1
    # an index is not a copy
    left[picture.naming] = -np.inf
    found: list[int] = []
    for _cell in range(min(MOST_CELLS, int((~picture.naming).sum()))):
        best = int(left.argmax())
        found.append(best)
        left[picture.step_of == picture.step_of[best]] -= 0.35
        left[source == source[best]] -= 0.35
        left[best] = -np.inf
    return found


def _kinds(picture: Scene) -> Array:
    """A number for each input element, equal for equal labels; the padding's at -1."""
    texts = picture.input_labels[: picture.values.size]
    padding = np.flatnonzero(picture.source < 0)
    texts.append(picture.output_labels[padding[0]] if padding.size else "")
    _distinct, numbers = np.unique(texts, return_inverse=True)
    return numbers.ravel()


def _traps(cell: int, source: Array, misread: list[tuple[str, Array]]) -> dict[str, str]:
    """The wrong input elements that the misreadings lead to, and the misreadings' sentences."""
    traps: dict[str, str] = {}
    for words, wrong in misread:
        if wrong[cell] != source[cell]:
            traps.setdefault(str(int(wrong[cell])), words)
    return traps
