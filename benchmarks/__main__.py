"""All benchmarks: ``python -m benchmarks`` prints every table, one file of this folder each.

``python -m benchmarks interactions load`` runs some.  Run them on an idle machine.
"""

from __future__ import annotations

import subprocess
import sys

NAMES = (
    "interactions",
    "changes",
    "pictures",
    "engines",
    "memory",
    "load",
    "stage",
    "exports",
    "documents",
    "classroom",
)


def main() -> int:
    """Run the named ones, or all; return 1 if one fails."""
    asked = sys.argv[1:] or NAMES
    unknown = [name for name in asked if name not in NAMES]
    if unknown:
        print(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(NAMES)}")
        return 2
    failed = 0
    for name in asked:
        print(f"\n## {name}\n", flush=True)
        # each in its own process, so that one's memory does not affect the next
        failed |= subprocess.run([sys.executable, "-m", f"benchmarks.{name}"]).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
