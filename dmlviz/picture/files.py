"""The player's own files: JavaScript modules as one text, the style, and Plotly's library."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from dmlviz.base.deferred import regex
from dmlviz.base.places import ASSETS

_HERE = Path(__file__).resolve().parent
PLOTLY_VERSION = "4.1.1"
"""The version of plotly.js that players use."""
MODULES = (
    "measures",
    "data",
    "timeline",
    "sentence",
    "formula",
    "colors",
    "arrange",
    "model",
    "marks",
    "flight",
    "covered",
    "drawing",
    "dom",
    "layer",
    "texts",
    "figure",
    "rulers",
    "raster",
    "sprites",
    "painter",
    "composed",
    "pins",
    "strip",
    "memory",
    "pointer",
    "guess",
    "hidden_output",
    "quiz",
    "controls",
    "film",
    "viewbar",
    "clock",
    "stage_height",
    "theme",
    "reconnect",
    "address",
    "scan",
    "wall_stage",
    "keys",
    "visit",
    "player",
    "still",
    "mount",
    "page",
)
"""The modules, each after those that it imports."""

LIVE_MODULES = (
    "form",
    "typed_text",
    "grid",
    "own_picture",
    "saving",
    "sections",
    "sharing",
    "live",
)
"""Those that only pages without a server have, after the others."""

_IMPORT = regex(
    r'^import (?:\{[^}]*\} from "\.[./\w]*/\w+\.js"'
    r'|\w+ from "\./\w+\.json" with \{ type: "json" \});\n',
    re.MULTILINE,
)
# what only people read: comments on lines of their own, and the space before a line's first letter
_COMMENT = regex(r"^\s*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)\n|^[ \t]+", re.MULTILINE | re.DOTALL)
_EXPORT = regex(r"^export (?=(?:async )?(?:class|const|function) )", re.MULTILINE)


@cache
def script() -> str:
    """All modules as one module that exports ``mount`` and ``Player``.

    The modules' top-level names are distinct, so they can be joined by leaving out the imports;
    a test runs the result.
    """
    return f"{_joined(MODULES)}\nexport {{ mount, Player }};\n"


@cache
def page_script() -> str:
    """The script for a page that holds one player; it starts automatically.

    It is not a module, because browsers do not load modules from disk. It sets ``window.dmlviz``.
    """
    return (
        f'(() => {{\n"use strict";\n{_joined(MODULES)}\n'
        "window.dmlviz = { mount, Player };\nstartPage();\n})();\n"
    )


def _joined(modules: Iterable[str]) -> str:
    return joined(map(module, modules))


def module(name: str) -> Path:
    """A module's file: JavaScript, or data in JSON."""
    return next((_HERE / "js").glob(f"{name}.js*"))


def joined(paths: Iterable[Path]) -> str:
    """Modules, each after those that it imports, as one text; top-level names are distinct.

    Data, ``measures.json``, become a constant with the name of their file: ``MEASURES``.
    """
    return "\n".join(map(_statements, paths))


def _statements(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return f"const {path.stem.upper()} = {json.dumps(json.loads(text))};"
    return _EXPORT.sub("", _IMPORT.sub("", _COMMENT.sub("", text)))


@cache
def page_template() -> str:
    """A page that holds one player, with ``$names`` to fill in."""
    return (_HERE / "page.html").read_text(encoding="utf-8")


@cache
def loader() -> str:
    """The small script in Streamlit's component; it fetches the rest once per browser."""
    return _joined(("plotly", "loader"))


@cache
def gallery() -> str:
    """The script for cards, which fetches the player when somebody visits a card."""
    return _joined(("plotly", "dom", "gallery"))


@cache
def style() -> str:
    """The style sheet, after the scale that it uses."""
    return scale() + (_HERE / "player.css").read_text(encoding="utf-8")


@cache
def scale() -> str:
    """Sizes of type, space and corners by name: the style sheet that all others use."""
    return (_HERE / "scale.css").read_text(encoding="utf-8")


@cache
def gallery_style() -> str:
    """The style sheet of cards; the players in them need that of :func:`style`, too."""
    return (_HERE / "gallery.css").read_text(encoding="utf-8")


def form_module() -> Path:
    """The file of the module that draws rows of controls."""
    return module("form")


@cache
def form_style() -> str:
    """The style sheet of forms, after that of :func:`style`."""
    return (_HERE / "form.css").read_text(encoding="utf-8")


@cache
def live_script() -> str:
    """The script for a page that becomes live: the player, the form, and what joins them to Python.

    It is not a module, as :func:`page_script`.
    """
    return (
        f'(() => {{\n"use strict";\n{_joined((*MODULES, *LIVE_MODULES))}\n'
        "window.dmlviz = { mount, Player };\nstartLive();\n})();\n"
    )


@cache
def plotly_path() -> Path:
    """plotly.js with the traces of Cartesian plots, as its makers publish it.

    It has a third of the size of the one in the plotly package, which has maps and 3D plots, too.
    """
    return ASSETS / "plotly" / f"plotly-cartesian-{PLOTLY_VERSION}.min.js"


@cache
def plotly_script() -> str:
    """The text of :func:`plotly_path`."""
    return plotly_path().read_text(encoding="utf-8")


@cache
def script_version() -> str:
    """A short name that changes with the script, for addresses that browsers can cache forever."""
    return hashlib.sha256(script().encode()).hexdigest()[:12]
