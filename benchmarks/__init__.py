"""Benchmarks, each measured in one run with what a user would write instead."""

from __future__ import annotations

import sys
from collections.abc import Callable

from tests.tools import Missing

SKIPPED = 3
"""The exit code of a benchmark that needs something that is not installed."""


def run_program(main: Callable[[], int | None]) -> None:
    """Run a benchmark as a program, or print what is not installed that it needs."""
    try:
        sys.exit(main())
    except Missing as error:
        print(f"skipped: {error}", flush=True)
        sys.exit(SKIPPED)
