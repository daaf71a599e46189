"""How far a run of the tests looks."""

from __future__ import annotations

import os

THOROUGH = bool(os.environ.get("DMLVIZ_THOROUGH"))
"""Whether tests marked ``thorough`` run, and random ones to their end."""


def tries(count: int) -> int:
    """How many of so many random examples to try: a third, but 20 at least, unless all is wanted."""
    return count if THOROUGH else max(min(count, 20), count // 3)
