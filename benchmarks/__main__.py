"""All benchmarks: ``python -m benchmarks`` prints every table, one file of this folder each.

``python -m benchmarks interactions load`` runs some.  Run them on an idle machine.  At the end
every ratio that is more than a fifth worse than in RESULTS.md is marked.  A benchmark that needs
something that is not installed says so and is skipped.
"""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks import SKIPPED
from benchmarks.against import RESULTS, fallen, missing

NAMES = (
    "interactions",
    "changes",
    "start",
    "first",
    "live",
    "pictures",
    "engines",
    "rules",
    "lines",
    "memory",
    "load",
    "stage",
    "exports",
    "documents",
    "classroom",
    "replicas",
)


def run(name: str) -> tuple[int, str]:
    """Run one and show what it prints; its exit code, and the text.

    Each has its own process, so that one's memory does not affect the next.
    """
    command = [sys.executable, "-m", f"benchmarks.{name}"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    lines = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, encoding="utf-8", env=environment
    ) as running:
        assert running.stdout is not None
        for line in running.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    return running.returncode, "".join(lines)


def main() -> int:
    """Run the named ones, or all; return 1 if one fails or a table of RESULTS.md is not printed."""
    asked = sys.argv[1:] or NAMES
    unknown = [name for name in asked if name not in NAMES]
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(NAMES)}")
        return 2
    broken, complete, printed = [], set(asked) == set(NAMES), ""
    for name in asked:
        print(f"\n## {name}\n", flush=True)
        code, text = run(name)
        complete &= code != SKIPPED
        broken += [name] if code not in (0, SKIPPED) else []
        printed += f"{text}\n"
    results = RESULTS.read_text(encoding="utf-8")
    print("\n## Compared with RESULTS.md\n")
    marks = [f"! {line}" for line in fallen(results, printed)]
    print("\n".join(marks or ["No ratio is more than a fifth worse."]))
    absent = missing(results, printed) if complete else []
    for head in absent:
        print(f"error: this table was not printed: {head}")
    for name in broken:
        print(f"error: {name} failed")
    return int(bool(broken or absent))


if __name__ == "__main__":
    sys.exit(main())
