"""The style sheets of the app's pages; what rests on Streamlit's insides stands there alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dmlviz.player.files import scale


@cache
def looks() -> str:
    """The scale, and every style sheet of this folder in the order of their names."""
    found = sorted(Path(__file__).parent.glob("*.css"))
    return "\n".join([scale(), *(path.read_text(encoding="utf-8") for path in found)])
