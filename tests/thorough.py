"""How far a run of the tests looks: in CI, which can be repeated, less far than at a developer's."""

from __future__ import annotations

import os

THOROUGH = "CI" not in os.environ or bool(os.environ.get("DMLVIZ_THOROUGH"))
"""Whether all tests run, and random ones to their end."""


def tries(count: int) -> int:
    """How many of so many random examples to try: in CI a third, but 20 at least."""
    return count if THOROUGH else max(min(count, 20), count // 3)
