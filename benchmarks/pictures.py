"""Building the picture of a movement in Python, beside ``px.imshow(animation_frame=...)``.

``python -m benchmarks.pictures`` prints a table; read the last column.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

import dmlviz
from benchmarks.stage import movement, naive_figure
from benchmarks.tables import middle, table
from dmlviz.picture.payload import payload

CELLS = (64, 256, 1_024, 4_096, 16_384)
ROUNDS = 21


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cells", nargs="*", type=int, default=CELLS)
    rows = []
    for cells in parser.parse_args().cells:
        trace = movement(cells)

        def ours(trace: dmlviz.Trace = trace) -> object:
            return payload(dmlviz.scene(trace))

        def sent(trace: dmlviz.Trace = trace) -> object:
            return json.dumps(payload(dmlviz.scene(trace)))

        def naive(trace: dmlviz.Trace = trace) -> object:
            return naive_figure(trace)

        def naive_sent(trace: dmlviz.Trace = trace) -> object:
            return naive_figure(trace).to_json()

        built, shown = milliseconds(ours), milliseconds(sent)
        theirs, theirs_shown = milliseconds(naive), milliseconds(naive_sent)
        rows.append(
            [
                f"{cells:,}",
                f"{built:.2f}",
                f"{theirs:.1f}",
                f"{theirs / built:.0f}",
                f"{shown:.2f}",
                f"{theirs_shown:.1f}",
                f"{theirs_shown / shown:.0f}",
            ]
        )
    head = ["cells", "built, ms", "px.imshow", "times", "as JSON, ms", "px.imshow", "times"]
    print(table(head, rows))


def milliseconds(work: Callable[[], object]) -> float:
    """The middle of some rounds, not the first."""
    work()
    taken = []
    for _round in range(ROUNDS):
        begun = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - begun))
    return middle(taken)


if __name__ == "__main__":
    main()
