"""The engines compared with the plain NumPy idiom and with a copy of the memory.

``python -m benchmarks.engines`` prints a table for outputs of 1 KB to 256 MB; a ratio of 1.00 is
as fast as the idiom.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import dmlviz
from benchmarks.tables import table
from dmlviz.engines import ENGINES
from dmlviz.tensors.types import Array

BYTES = (1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 25, 1 << 28)


def tile(side: int) -> tuple[dmlviz.Operator, Array, Callable[[Array], Array]]:
    """Four copies."""
    x = np.arange(side * side // 4, dtype=np.float32).reshape(1, 1, side // 2, side // 2)
    return dmlviz.Tile((1, 1, 2, 2)), x, lambda x: np.tile(x, (1, 1, 2, 2))


def depth_to_space(side: int) -> tuple[dmlviz.Operator, Array, Callable[[Array], Array]]:
    """Blocks of 2 by 2."""
    n = side // 2
    x = np.arange(side * side, dtype=np.float32).reshape(1, 4, n, n)

    def idiom(x: Array) -> Array:
        parts = x.reshape(1, 2, 2, 1, n, n).transpose(0, 3, 4, 1, 5, 2)
        return parts.reshape(1, 1, side, side)

    return dmlviz.DepthToSpace(2, "DEPTH_COLUMN_ROW"), x, idiom


def space_to_depth(side: int) -> tuple[dmlviz.Operator, Array, Callable[[Array], Array]]:
    """Blocks of 2 by 2."""
    n = side // 2
    x = np.arange(side * side, dtype=np.float32).reshape(1, 1, side, side)

    def idiom(x: Array) -> Array:
        parts = x.reshape(1, 1, n, 2, n, 2).transpose(0, 3, 5, 1, 2, 4)
        return parts.reshape(1, 4, n, n)

    return dmlviz.SpaceToDepth(2, "DEPTH_COLUMN_ROW"), x, idiom


def padding(side: int) -> tuple[dmlviz.Operator, Array, Callable[[Array], Array]]:
    """Reflection, an eighth on every side."""
    edge = side // 8
    n = side - 2 * edge
    x = np.arange(n * n, dtype=np.float32).reshape(1, 1, n, n)
    extents = (0, 0, edge, edge)
    width = [(e, e) for e in extents]
    return (
        dmlviz.Padding("REFLECTION", extents, extents),
        x,
        lambda x: np.pad(x, width, mode="reflect"),
    )


CASES = {
    "Tile": tile,
    "DepthToSpace": depth_to_space,
    "SpaceToDepth": space_to_depth,
    "Padding": padding,
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=BYTES[-1], help="bytes of the largest output")
    most = parser.parse_args().most
    rows = []
    others = [e.name for e in dmlviz.engines() if e.available and e.name != "numpy"]
    for name, case in CASES.items():
        for size in (size for size in BYTES if size <= most):
            operator, x, idiom = case(int((size // 4) ** 0.5))
            output = idiom(x)
            ways: dict[str, Callable[[], Any]] = {
                "idiom": lambda x=x, idiom=idiom: idiom(x),
                "copy": lambda output=output: output.copy(),
                "numpy": lambda x=x, operator=operator: ENGINES["numpy"].run(
                    operator, {"InputTensor": x}
                ),
            }
            taken = side_by_side(ways)
            for other in others:
                taken[other] = min(
                    ENGINES[other].run(operator, {"InputTensor": x}).seconds for _ in range(3)
                )
            rows.append(
                [
                    name,
                    _bytes(size),
                    f"{1e6 * taken['idiom']:,.0f}",
                    f"{taken['numpy'] / taken['idiom']:.2f}",
                    f"{taken['numpy'] / taken['copy']:.1f}",
                    *(f"{taken[other] / taken['idiom']:.2f}" for other in others),
                ]
            )
    head = ["operator", "output", "idiom, µs", "numpy / idiom", "numpy / copy"]
    print(table([*head, *(f"{other} / idiom" for other in others)], rows))


def side_by_side(ways: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The best time in seconds of many rounds in which the ways alternate."""
    best = dict.fromkeys(ways, float("inf"))
    begun = time.perf_counter()
    rounds = 0
    while rounds < 7 or (time.perf_counter() - begun < 1.0 and rounds < 2000):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            best[name] = min(best[name], time.perf_counter() - start)
        rounds += 1
    return best


def _bytes(size: int) -> str:
    for unit in ("B", "KB", "MB"):
        if size < 1024:
            return f"{size} {unit}"
        size //= 1024
    return f"{size} GB"


if __name__ == "__main__":
    main()
