"""What it costs to download a picture: seconds and bytes of every kind of file.

``python -m benchmarks.exports`` prints a table.  Absolute figures are this machine's; the last
column, how long a file takes beside the PNG of the same scene, can be compared.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import dmlviz
from benchmarks.stage import movement
from benchmarks.tables import middle
from dmlviz.__main__ import main as command
from dmlviz.engines.models import model_file
from dmlviz.picture import exports, formats

CELLS = (54, 1_024)
KINDS: dict[str, Callable[[dmlviz.Scene], bytes | str]] = {
    "png": lambda scene: exports.png(scene, len(scene.steps) - 0.5),
    "svg": lambda scene: exports.svg(scene, len(scene.steps) - 0.5),
    "gif": exports.gif,
    "html": lambda scene: dmlviz.player(scene.trace).html(),
    "html beside plotly.min.js": lambda scene: dmlviz.player(scene.trace).html("plotly.min.js"),
    "npz": lambda scene: formats.npz(scene.trace),
    "onnx": lambda scene: model_file(scene.trace.operator, scene.trace.inputs),
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
    site()


def site() -> None:
    """The static site: seconds for all of it, bytes of a page beside the files that all share."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        command(["site", folder])
        seconds = time.perf_counter() - begun
        sizes = {path: path.stat().st_size for path in Path(folder).iterdir()}
    pages = sorted(size for path, size in sizes.items() if path.suffix == ".html")
    shared = sum(size for path, size in sizes.items() if path.suffix in (".js", ".css"))
    print(
        f"\nThe site: {len(pages)} pages in {seconds:.1f} s; shared files {shared:,} bytes; "
        f"a page {pages[0]:,} to {pages[-1]:,} bytes, the middle one {pages[len(pages) // 2]:,}."
    )


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
    return size, middle(seconds)


if __name__ == "__main__":
    main()
