"""The player's own files: JavaScript modules as one text, the style, and Plotly's library."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_HERE = Path(__file__).resolve().parent
MODULES = (
    "data",
    "timeline",
    "sentence",
    "formula",
    "colors",
    "measures",
    "arrange",
    "model",
    "figure",
    "marks",
    "flight",
    "covered",
    "rulers",
    "drawing",
    "painter",
    "dom",
    "pins",
    "pointer",
    "guess",
    "veil",
    "quiz",
    "controls",
    "film",
    "viewbar",
    "clock",
    "room",
    "theme",
    "reconnect",
    "address",
    "scan",
    "hall",
    "player",
    "still",
    "mount",
    "page",
)
"""In the order in which they need each other."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./\w+\.js";\n', re.MULTILINE)
# what only people read: comments on lines of their own, and the space before a line's first letter
_COMMENT = re.compile(r"^\s*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n|^[ \t]+", re.MULTILINE | re.DOTALL)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|const|function) )", re.MULTILINE)


@cache
def script() -> str:
    """All modules as one module that exports ``mount`` and ``Player``.

    The modules' top-level names are distinct, so that joining them is leaving out the
    imports; a test runs what comes out.
    """
    return f"{_joined(MODULES)}\nexport {{ mount, Player }};\n"


@cache
def page_script() -> str:
    """The same for a page that holds one player: it starts by itself.

    No module: browsers load no modules from files on the disk. Sets ``window.dmlviz``.
    """
    return (
        f'(() => {{\n"use strict";\n{_joined(MODULES)}\n'
        "window.dmlviz = { mount, Player };\nstartPage();\n})();\n"
    )


def _joined(modules: Iterable[str]) -> str:
    texts = ((_HERE / "js" / f"{name}.js").read_text(encoding="utf-8") for name in modules)
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", _COMMENT.sub("", text))) for text in texts)


@cache
def page_template() -> str:
    """A page that holds one player, with ``$names`` to fill in."""
    return (_HERE / "page.html").read_text(encoding="utf-8")


@cache
def loader() -> str:
    """The few lines that Streamlit holds; they fetch the rest once per browser."""
    return _joined(("plotly", "loader"))


@cache
def gallery() -> str:
    """The same for cards, whose players are fetched when somebody visits one."""
    return _joined(("plotly", "dom", "gallery"))


@cache
def style() -> str:
    """The style sheet, after the scale that it measures by."""
    return scale() + (_HERE / "player.css").read_text(encoding="utf-8")


@cache
def scale() -> str:
    """Sizes of type, space and corners by name: the style sheet that all others measure by."""
    return (_HERE / "scale.css").read_text(encoding="utf-8")


@cache
def gallery_style() -> str:
    """The style sheet of cards, with that of the players in them."""
    return style() + (_HERE / "gallery.css").read_text(encoding="utf-8")


@cache
def plotly_path() -> Path:
    """``plotly.min.js`` of the installed plotly package."""
    import plotly

    return Path(plotly.__file__).resolve().parent / "package_data" / "plotly.min.js"


@cache
def plotly_script() -> str:
    """The text of :func:`plotly_path`."""
    return plotly_path().read_text(encoding="utf-8")


@cache
def script_version() -> str:
    """A short name that changes with the script, for addresses that may be kept forever."""
    return hashlib.sha256(script().encode()).hexdigest()[:12]
