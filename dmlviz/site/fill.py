"""The pieces of every page of a site: its head, its templates, and the files that pages share."""

from __future__ import annotations

import html
from functools import cache
from pathlib import Path
from string import Template

from dmlviz.player.policy import OWN, policy

PLOTLY, SCRIPT, STYLE = "plotly.min.js", "player.js", "player.css"
"""The files beside the pages that all of them share."""

_HERE = Path(__file__).resolve().parent


def head(name: str, scripts: str) -> str:
    """What stands in ``<head>``.

    Args:
        name: the page's title, plain text.
        scripts: where scripts may come from, as a content security policy says it.
    """
    rules = policy(scripts, styles=OWN, images=OWN)
    return fill("head.html", policy=html.escape(rules), title=text_of(name), style=STYLE)


def text_of(text: str) -> str:
    """Plain text as HTML."""
    return html.escape(text)


def fill(name: str, **parts: str) -> str:
    """A template of this folder with its parts, which are HTML, filled in."""
    return Template(read_part(name)).substitute(parts)


@cache
def read_part(name: str) -> str:
    """The text of a file of this folder."""
    return (_HERE / name).read_text(encoding="utf-8")
