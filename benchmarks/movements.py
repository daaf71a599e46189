"""A movement of about so many cells for every operator, to measure by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import dmlviz
from dmlviz import operators
from dmlviz.tensors.types import Array

Made = tuple[dmlviz.Operator, Any]

SEED = 7
ALL_BELOW = -(2**31)


def movements(cells: int) -> dict[str, dmlviz.Trace]:
    """A run of each operator, whose larger side has at most ``cells`` cells, a square's number."""
    side = int(cells**0.5)
    made = {name: make(side) for name, make in _MADE.items()}
    missing = {cls.__name__ for cls in operators.OPERATORS} - {name.split()[0] for name in made}
    assert not missing, f"no movement for {missing}"
    return {name: dmlviz.run(operator, x) for name, (operator, x) in made.items()}


def movement(cells: int) -> dmlviz.Trace:
    """Tile by 2 and 2 to a square of so many cells."""
    return dmlviz.run(*_tile(int(cells**0.5)))


def _counting(*sizes: int) -> Array:
    return np.arange(int(np.prod(sizes)), dtype=np.int32).reshape(sizes) % 1000


def _any_of(count: int, *sizes: int) -> Array:
    return np.random.default_rng(SEED).integers(0, count, sizes, dtype=np.uint32)


def _tile(s: int) -> Made:
    return operators.Tile((1, 1, 2, 2)), _counting(1, 1, s // 2, s // 2)


def _resample(s: int) -> Made:
    x = _counting(1, 1, s // 2, s // 2).astype(np.float32)
    return operators.Resample.examples()[0].operator, x


def _padding(mode: str, s: int) -> Made:
    pads = (0, 0, s // 16, s // 16)
    return operators.Padding(mode, pads, pads, 0), _counting(1, 1, s - s // 8, s - s // 8)


def _gather_nd(s: int) -> Made:
    at = np.stack([_any_of(s, s * s // 4), _any_of(s // 2, s * s // 4)], axis=1)
    return operators.GatherND(2, 2, 0), _named(_counting(s, s // 2), IndicesTensor=at)


def _scatter(s: int) -> Made:
    at = np.argsort(_any_of(9999, s, s // 2), axis=0)[: s // 2].astype(np.uint32)
    updates = _counting(s // 2, s // 2)
    return operators.Scatter(0), _named(
        _counting(s, s // 2), IndicesTensor=at, UpdatesTensor=updates
    )


def _scatter_nd(s: int) -> Made:
    count = s * s // 8
    flat = np.random.default_rng(SEED).permutation(s * s // 2)[:count].astype(np.uint32)
    at = np.stack([flat // (s // 2), flat % (s // 2)], axis=1)
    return operators.ScatterND(2, 2), _named(
        _counting(s, s // 2), IndicesTensor=at, UpdatesTensor=_counting(1, count)
    )


def _max_unpooling(s: int) -> Made:
    half = s // 2
    corner = np.arange(half, dtype=np.uint32) * 2
    at = (corner[:, None] * s + corner + _any_of(2, half, half))[None, None].astype(np.uint32)
    return operators.MaxUnpooling((1, 1, s, s)), _named(
        _counting(1, 1, half, half), IndicesTensor=at
    )


def _one_hot(s: int) -> Made:
    values = np.array([0, 1], np.int32).reshape(1, 1, 1, 2)
    return operators.OneHot(3, s), {
        "ValuesTensor": values,
        "IndicesTensor": _any_of(s, 1, 1, s, 1),
    }


def _unfold(s: int) -> Made:
    x = _counting(1, 1, s // 3 + 2, s // 3 + 2)
    return operators.Unfold((3, 3), (1, 1), (1, 1), (0, 0), (0, 0)), x


def _reverse(s: int) -> Made:
    lengths = (_any_of(s - 1, 1, 1, s, 1) + 1).astype(np.uint32)
    x = _counting(1, 1, s, s - 1)
    return operators.ReverseSubsequences(3), {"InputTensor": x, "SequenceLengthsTensor": lengths}


def _named(x: Array, **more: Array) -> Mapping[str, Array]:
    return {"InputTensor": x, **more}


_MADE: dict[str, Callable[[int], Made]] = {
    "Tile": _tile,
    "Resample": _resample,
    "DepthToSpace": lambda s: (operators.DepthToSpace(4), _counting(1, 16, s // 4, s // 4)),
    "SpaceToDepth": lambda s: (operators.SpaceToDepth(4), _counting(1, 1, s, s)),
    "Strided": lambda s: (operators.Strided((s, s), (1, s)), _counting(s * s)),
    "Padding CONSTANT": lambda s: _padding("CONSTANT", s),
    "Padding REFLECTION": lambda s: _padding("REFLECTION", s),
    "Slice": lambda s: (
        operators.Slice((0, 0, 1, 1), (1, 1, s - 1, s - 1), (1, 1, 2, 2)),
        _counting(1, 1, s, s),
    ),
    "Gather": lambda s: (
        operators.Gather(0, 1),
        _named(_counting(s, s - 1), IndicesTensor=_any_of(s, 1, s)),
    ),
    "GatherElements": lambda s: (
        operators.GatherElements(0),
        _named(_counting(s, s // 2), IndicesTensor=_any_of(s, s, s // 2)),
    ),
    "GatherND": _gather_nd,
    "Scatter": _scatter,
    "ScatterND": _scatter_nd,
    "MaxUnpooling": _max_unpooling,
    "TopK": lambda s: (operators.TopK(3, s // 2), _any_of(9999, 1, 1, s, s // 2)),
    "Join": lambda s: (
        operators.Join(3),
        {f"InputTensors[{k}]": _counting(1, 1, s, s // 2) for k in range(2)},
    ),
    "Split": lambda s: (operators.Split(2, (s // 2, s // 4, s // 4)), _counting(1, 1, s, s)),
    "Unfold": _unfold,
    "ReverseSubsequences": _reverse,
    "SliceGrad": lambda s: (
        operators.SliceGrad((0, 0), (s, s), (2, 2)),
        _counting(s // 2, s // 2).astype(np.float32),
    ),
    "OneHot": _one_hot,
    "DiagonalMatrix": lambda s: (operators.DiagonalMatrix(0.0, ALL_BELOW, 1), _counting(s, s)),
}
