"""Runs as still pictures at the end of a notebook's cell."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Sequence

from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.engines.trace import Trace
from dmlviz.picture.scene import scene
from dmlviz.picture.svg import svg

LARGEST_PICTURE = 2_000_000
"""Bytes of a picture in a notebook's file: as many as a player takes."""


def mime_bundle(displayed_runs: Callable[[], Sequence[Trace]], text: str) -> dict[str, str]:
    """Pictures of runs at their ends, by type, for a notebook to choose from.

    Args:
        displayed_runs: gives one for an SVG file, two for HTML with one picture below the other,
            called A and B, or none for a text alone.
        text: for where no picture can be shown; if a run cannot be drawn, it says why.

    Returns:
        ``text/plain``, and ``image/svg+xml`` or ``text/html`` unless a run cannot be drawn.
    """
    try:
        runs = displayed_runs()
        drawings = [svg(scene(run)) for run in runs]
    except Error as error:
        return {"text/plain": f"{text}\n{error}"}
    if not drawings:
        return {"text/plain": text}
    if sum(map(len, drawings)) > LARGEST_PICTURE:
        words = _(
            "The picture is too large for a notebook; dmlviz.figure and dmlviz.player draw it."
        )
        return {"text/plain": f"{text}\n{words}"}
    if len(drawings) == 1:
        return {"image/svg+xml": drawings[0], "text/plain": text}
    figures = map(_figure, "AB", runs, drawings)
    return {"text/html": "\n".join(figures), "text/plain": text}


def _figure(letter: str, run: Trace, drawing: str) -> str:
    """A picture below its letter and its code.

    It is in a file of its own, so that it shares no names with others on the page.
    """
    data = base64.b64encode(drawing.encode()).decode("ascii")
    return (
        f"<figure><figcaption>{letter}: <code>{html.escape(run.code or run.title)}</code>"
        f'</figcaption><img style="max-width: 100%" alt="{html.escape(run.title)}" '
        f'src="data:image/svg+xml;base64,{data}"></figure>'
    )
