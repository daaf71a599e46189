"""Sizes and proportions that drawn pictures share with the player."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

_FILE = Path(__file__).with_name("js") / "measures.json"


@cache
def measures() -> dict[str, dict[str, float]]:
    """Each measure by what it is of and by its name; the player's JavaScript reads the same file.

    Pixels, or shares of what the measure is of.
    """
    numbers: dict[str, dict[str, float]] = json.loads(_FILE.read_text(encoding="utf-8"))
    return numbers
