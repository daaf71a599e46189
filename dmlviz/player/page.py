"""A player by itself: in a notebook, or as one HTML file that needs no network."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

from dmlviz.operators import Operator
from dmlviz.player.files import plotly_script, script, style
from dmlviz.player.payload import payload
from dmlviz.scene import scene
from dmlviz.trace import Trace
from dmlviz.words import _

_NOTEBOOK_HEIGHT = 760

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}
html, body {{ margin: 0; background: #ffffff; }}
@media (prefers-color-scheme: dark) {{ html, body {{ background: #10161d; }} }}
</style>
</head>
<body>
<main class="dmlviz-page"><div id="stage"></div><p>{check}</p></main>
<script type="application/json" id="payload">{payload}</script>
<script>{plotly}</script>
<script type="module">{script}
const data = JSON.parse(document.getElementById("payload").textContent);
mount(document.getElementById("stage"), data, {{ plotly: window.Plotly }});
</script>
</body>
</html>
"""


class Player:
    """A movement that plays by itself: shows itself in a notebook, saves itself as a page.

    Args:
        trace: what ``dmlviz.run`` gave.

    Raises:
        TooLarge: a tensor has more than 16,384 elements.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.payload: dict[str, Any] = payload(scene(trace))

    def html(self) -> str:
        """One complete page; plotly.js inside, about 5 MB, nothing is fetched."""
        return _PAGE.format(
            title=html.escape(title(self.trace.operator)),
            style=style(),
            check=html.escape(self.payload["check"]),
            payload=json_safe(self.payload),
            plotly=script_safe(plotly_script()),
            script=script(),
        )

    def save(self, path: str | Path) -> Path:
        """Write the page; the path it was written to.

        Raises:
            OSError: the file cannot be written.
        """
        path = Path(path)
        path.write_text(self.html(), encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="{html.escape(title(self.trace.operator))}" width="100%" '
            f'height="{_NOTEBOOK_HEIGHT}" style="border:0" srcdoc="{html.escape(self.html())}">'
            "</iframe>"
        )


def player(trace: Trace) -> Player:
    """The movement of a run, for a notebook or a file.

    Raises:
        TooLarge: a tensor has more than 16,384 elements.
    """
    return Player(trace)


def title(operator: Operator) -> str:
    """The operator and its settings on one line."""
    settings = ", ".join(f"{k}={v}" for k, v in operator.desc.items())
    return _("{operator}: {settings}").format(
        operator=operator.operator_type.removeprefix("DML_OPERATOR_"), settings=settings
    )


def json_safe(value: Any) -> str:
    """JSON that cannot end the script element that it stands in."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def script_safe(text: str) -> str:
    """JavaScript that cannot end the script element that it stands in."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")
