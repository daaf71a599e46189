"""What it costs to take a picture away: seconds and bytes of every kind of file.

``python -m benchmarks.exports`` prints a table.  Absolute figures are this machine's; the last
column, how long a file takes beside the PNG of the same scene, can be compared.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import dmlviz
from benchmarks.stage import movement
from dmlviz import exports

CELLS = (54, 1_024)
KINDS: dict[str, Callable[[dmlviz.Scene], bytes | str]] = {
    "png": lambda scene: exports.png(scene, len(scene.steps) - 0.5),
    "svg": lambda scene: exports.svg(scene, len(scene.steps) - 0.5),
    "gif": exports.gif,
    "npz": lambda scene: exports.npz(scene.trace),
}
ROUNDS = 5


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", nargs="*", type=int, default=CELLS)
    print("| cells | file | ms | bytes | times the PNG |")
    print("|---|---|---|---|---|")
    for cells in parser.parse_args().cells:
        scene = dmlviz.scene(documented() if cells == CELLS[0] else movement(cells))
        taken = {}
        for kind, export in KINDS.items():
            size, taken[kind] = measure(export, scene)
            ratio = taken[kind] / taken["png"]
            print(f"| {cells:,} | {kind} | {1000 * taken[kind]:.0f} | {size:,} | {ratio:.2g} |")


def documented() -> dmlviz.Trace:
    """The documentation's example of Tile, with 54 cells."""
    example = dmlviz.Tile.examples()[0]
    return dmlviz.run(example.operator, example.x)


def measure(
    export: Callable[[dmlviz.Scene], bytes | str], scene: dmlviz.Scene
) -> tuple[int, float]:
    """How large the file is, and the middle of some rounds in seconds, not the first."""
    seconds = []
    size = len(export(scene))
    for _round in range(ROUNDS):
        begun = time.perf_counter()
        export(scene)
        seconds.append(time.perf_counter() - begun)
    return size, sorted(seconds)[ROUNDS // 2]


if __name__ == "__main__":
    main()
