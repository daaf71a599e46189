"""The style sheets of the app's pages; only they depend on Streamlit's internal elements."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from dmlviz.player.files import style

# what only people read: comments, and the space before a line's first letter
_UNREAD = re.compile(r"/\*.*?\*/\n?|^\s+", re.DOTALL | re.MULTILINE)


@cache
def looks() -> str:
    """The player's style with the scale, then every style sheet of this folder by name."""
    found = sorted(Path(__file__).parent.glob("*.css"))
    told = "\n".join([style(), *(path.read_text(encoding="utf-8") for path in found)])
    return _UNREAD.sub("", told)
