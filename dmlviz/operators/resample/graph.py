"""Resample in ONNX: Resize if it means and computes the same, otherwise Gathers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dmlviz.movement.graphs import FLOW, Constant, Graph, Node, gathers
from dmlviz.operators.resample.ruler import CENTRE, LOOKED_AT, START, Ruler, usual_count

Array = np.ndarray[Any, Any]

# ONNX Runtime's CPU provider casts FLOAT16, which quietens NaNs
_CPU_TYPES = frozenset({"FLOAT32", "INT32", "INT8", "UINT8"})
_HALF = 0.5


@dataclass(frozen=True)
class Words:
    """ONNX's names of one rule.

    Attributes:
        transformation: ``coordinate_transformation_mode``.
        nearest: ``nearest_mode``.
    """

    transformation: str
    nearest: str


_CENTRES = {
    (_HALF, False): "floor",
    (_HALF, True): "ceil",
    (2 * _HALF, True): "round_prefer_floor",
    (0.0, False): "round_prefer_ceil",
}
_STARTS = {
    (0.0, False): "floor",
    (0.0, True): "ceil",
    (_HALF, True): "round_prefer_floor",
    (-_HALF, False): "round_prefer_ceil",
}


def words_of(ruler: Ruler) -> Words | None:
    """ONNX's names of the rule of one dimension; None if it has none."""
    rule = ruler.input_offset, ruler.up
    if ruler.output_offset == CENTRE and rule in _CENTRES:
        return Words("half_pixel", _CENTRES[rule])
    if ruler.output_offset == START and rule in _STARTS:
        return Words("asymmetric", _STARTS[rule])
    return None


def written(rulers: Sequence[Ruler]) -> Graph | None:
    """ONNX's Resize; None if it gives a different result for these sizes.

    It has one rule for all dimensions, and sizes follow from scales. ONNX rounds at other
    places than DirectML: what differs in the last digit, its doubles or its FLOATs, is no Resize.
    """
    changed = [ruler for ruler in rulers if not ruler.whole]
    names = {words_of(ruler) for ruler in changed} or {Words("half_pixel", "round_prefer_floor")}
    if len(names) > 1:
        return None
    (words,) = names
    if words is None or any(ruler.count > LOOKED_AT for ruler in rulers):
        return None
    if changed and all(ruler.count == ruler.size for ruler in rulers):
        # ONNX Runtime copies tensors whose sizes do not change, whatever the scale
        return None
    for ruler in rulers:
        scale = 1.0 if ruler.whole else ruler.scale
        if not all(_same(ruler, scale, words, kind) for kind in (np.float32, np.float64)):
            return None
    scales = np.array([1.0 if ruler.whole else ruler.scale for ruler in rulers], np.float32)
    node = Node(
        "Resize",
        (FLOW, Constant("roi", np.zeros(0, np.float32)), Constant("scales", scales)),
        {
            "mode": "nearest",
            "coordinate_transformation_mode": words.transformation,
            "nearest_mode": words.nearest,
        },
    )
    quieted = frozenset({"FLOAT16"})
    return Graph("native", (node,), cpu_types=_CPU_TYPES, directml_changes=quieted)


def lowered(rulers: Sequence[Ruler]) -> Graph:
    """One Gather for each dimension that changes.

    Dimensions that shrink come first: so no tensor has more elements than the larger of input
    and output.
    """
    changed = [(d, ruler) for d, ruler in enumerate(rulers) if not ruler.whole]
    changed.sort(key=lambda one: one[1].count > one[1].size)
    places = [(d, ruler.places) for d, ruler in changed]
    return Graph("lowered", gathers(places) or (Node("Identity"),))


def _same(ruler: Ruler, scale: float, words: Words, kind: type[np.floating[Any]]) -> bool:
    """Whether ONNX's formula, calculated in this type, gives the same sizes and places."""
    one = kind(np.float32(scale))
    if usual_count(ruler.size, scale) != ruler.count or int(ruler.size * one) != ruler.count:
        return False
    at = np.arange(ruler.count).astype(kind)
    half = kind(_HALF)
    at = (at + half) / one - half if words.transformation == "half_pixel" else at / one
    down, up = np.floor(at), np.ceil(at)
    found = {
        "floor": down,
        "ceil": up,
        "round_prefer_floor": np.where(at - down <= half, down, up),
        "round_prefer_ceil": np.where(at - down < half, down, up),
    }[words.nearest]
    return np.array_equal(np.clip(found.astype(np.float64), 0, ruler.size - 1), ruler.places)
