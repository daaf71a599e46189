"""The style sheets of the app's pages; only they depend on Streamlit's internal elements."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from dmlviz.base.deferred import regex
from dmlviz.picture.files import style

_HERE = Path(__file__).parent
# what only people read: comments, and the space before a line's first letter
_UNREAD = regex(r"/\*.*?\*/\n?|^\s+", re.DOTALL | re.MULTILINE)


_EVERYWHERE = ("finding", "frame", "paper")


@cache
def looks(explorer: bool) -> str:
    """The player's style with the scale, then the style sheets of this folder.

    Args:
        explorer: whether the page is an operator's, which needs only those of every page; each
            rule costs the browser time whenever something changes.
    """
    sheets = sorted(path.stem for path in _HERE.glob("*.css"))
    names = _EVERYWHERE if explorer else sheets
    texts = [(_HERE / f"{name}.css").read_text(encoding="utf-8") for name in names]
    return _UNREAD.sub("", "\n".join([style(), *texts]))
