"""One movement as a page to be framed by another, such as one of a project's documentation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dmlviz.player.files import page_script, plotly_script, style
from dmlviz.player.page import json_safe
from dmlviz.player.payload import payload
from dmlviz.player.policy import OWN
from dmlviz.scene import Scene
from dmlviz.site.fill import PLOTLY, SCRIPT, STYLE, fill
from dmlviz.templates import trusted


def framed_page(drawn: Scene, title: str, look: Mapping[str, Any]) -> str:
    """A page that plays beside the files of :func:`shared_files`, and loads nothing else.

    Args:
        drawn: what plays.
        title: of the page, plain text.
        look: how the player starts, as :class:`dmlviz.player.Player` takes it.
    """
    sent = {**payload(drawn), "look": dict(look)}
    return fill(
        "framed.html", title, scripts=OWN, check=sent["check"], payload=trusted(json_safe(sent))
    )


def shared_files() -> dict[str, str]:
    """The files beside the pages by name, 1.7 MB in all."""
    return {PLOTLY: plotly_script(), SCRIPT: page_script(), STYLE: style()}
