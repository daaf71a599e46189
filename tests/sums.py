"""Writes what :mod:`dmlviz.intact` compares with, after a file of the app was changed.

python -m tests.sums
"""

from __future__ import annotations

from dmlviz.intact import ROOT, SUMS, sums

if __name__ == "__main__":
    (ROOT / SUMS).write_text("".join(f"{line}\n" for line in sums()), encoding="utf-8")
