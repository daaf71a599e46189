"""The pieces of every page of a site: its head, its templates, and the files that pages share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dmlviz.player.policy import OWN, policy
from dmlviz.templates import render
from dmlviz.words import language

PLOTLY, SCRIPT, STYLE = "plotly.min.js", "player.js", "player.css"
"""The files beside the pages that all of them share."""

FOLDER = Path(__file__).resolve().parent
"""The folder of the templates."""


def fill(name: str, title: str, scripts: str, **values: Any) -> str:
    """A page from a template of this folder.

    Args:
        name: of the template's file.
        title: of the page.
        scripts: where scripts may come from, as a content security policy says it.
        values: what else the template uses; texts are escaped.
    """
    rules = policy(scripts, styles=OWN, images=OWN)
    return render(
        FOLDER, name, language=language(), policy=rules, title=title, style=STYLE, **values
    )
