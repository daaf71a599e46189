"""The style sheets of the app's pages; only they depend on Streamlit's internal elements."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dmlviz.player.files import scale


@cache
def looks() -> str:
    """The scale, then every style sheet of this folder, in order of names."""
    found = sorted(Path(__file__).parent.glob("*.css"))
    return "\n".join([scale(), *(path.read_text(encoding="utf-8") for path in found)])
