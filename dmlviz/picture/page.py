"""A player by itself: in a notebook, or as one HTML file that needs no network."""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Any
from urllib.parse import urlsplit

from dmlviz.base.deferred import regex
from dmlviz.base.display import Displayed
from dmlviz.base.errors import Error
from dmlviz.base.words import _
from dmlviz.picture.files import page_script, page_template, plotly_script, style
from dmlviz.picture.payload import payload
from dmlviz.picture.policy import OWN, policy, script_hash
from dmlviz.picture.scene import Scene, check_mapping, scene

_NOTEBOOK_HEIGHT = 760
_ADDRESS = regex(r"[\w./:~%@+?&=-]+", re.ASCII)


class Player:
    """A movement that plays without the app: it displays in a notebook and can be saved as a page.

    In a notebook every player is complete, so it also plays offline and after the notebook is
    reopened. Each one adds about 2 MB to the notebook's file. Clear the outputs before you share
    a notebook, or save pages and link to them.

    Args:
        trace: what ``dmlviz.run`` gave, or a scene of it; or a value of which one run is shown.
        look: how it starts: any of ``colors``, ``moves``, ``step`` and ``pinned``, a list of
            flat output indices, as :meth:`dmlviz.states.View.look` gives them.
        directions: for outer dimensions, ``"across"`` or ``"down"``; a scene has its own.

    Raises:
        TooLarge: a tensor has more than 65,536 elements.
        Error: ``trace`` is not a run, or another argument is not a mapping.
    """

    def __init__(
        self,
        trace: Displayed | Scene,
        look: Mapping[str, Any] | None = None,
        directions: Mapping[int, str] | None = None,
    ) -> None:
        check_mapping("look", look, '{"step": 2}')
        drawn = trace if isinstance(trace, Scene) else scene(trace, directions)
        self.trace, self._scene = drawn.trace, drawn
        self.payload: dict[str, Any] = payload(drawn)
        if look:
            self.payload["look"] = dict(look)

    def html(self, plotly: str = "inline") -> str:
        """One complete page; it tells a page that frames it its size.

        Args:
            plotly: where plotly.js is. ``"inline"``: in the page, about 1.7 MB, nothing is
                fetched. ``"packed"``: the same, compressed to 0.9 MB. Otherwise an address, of a
                file beside the page (``"plotly.min.js"``) or on a host (``"https://..."``) that
                has plotly.js 4, whole or with the Cartesian traces, as in ``assets/plotly``; the
                page is then about 220 kB.

        Raises:
            Error: ``plotly`` is not one of these.
        """
        element, sources = plotly_element(plotly)
        return Template(page_template()).substitute(
            policy=html.escape(policy(f"{sources} {script_hash(page_script())}"), quote=True),
            language=self.payload["language"],
            title=html.escape(self.trace.title),
            style=style(),
            check=html.escape(self.payload["check"]),
            code=f"<pre>{html.escape(self.trace.code)}</pre>" if self.trace.code else "",
            payload=json_safe(self.payload),
            plotly=element,
            script=page_script(),
        )

    def save(self, path: str | Path, plotly: str = "inline") -> Path:
        """Write the page, or a picture; return the path of its file.

        Args:
            path: of the file, whose extension selects the format: ``.html`` for the page;
                ``.png`` or ``.svg`` for a picture of the step that the player begins with, or of
                the end if that is the first; ``.gif`` for the movement. An existing file is
                replaced.
            plotly: of a page, as :meth:`html` takes it.

        Raises:
            OSError: the file cannot be written.
            Error: no such file is written, or ``plotly`` is not an address.
        """
        # they make pages of players
        from dmlviz.picture.formats import PICTURES, PictureLook, as_path, format_of

        path = as_path(path)
        ending = format_of(path, PICTURES)
        look = self.payload.get("look", {})
        picture = PictureLook(look.get("step") or None, look.get("colors", "value"))
        page = ending == "html"
        data = self.html(plotly).encode() if page else PICTURES[ending](self._scene, picture)
        path.write_bytes(data)
        return path

    def _repr_html_(self) -> str:
        # ASCII only, so that the scripts' hashes hold in any encoding of the surrounding page
        page = html.escape(self.html("packed")).encode("ascii", "xmlcharrefreplace").decode("ascii")
        return (
            f'<iframe title="{html.escape(self.trace.title)}" width="100%" '
            f'height="{_NOTEBOOK_HEIGHT}" style="border:0" data-dmlviz="fit" srcdoc="{page}">'
            "</iframe>"
        )


def player(
    trace: Displayed | Scene,
    look: Mapping[str, Any] | None = None,
    directions: Mapping[int, str] | None = None,
) -> Player:
    """The movement of a run, for a notebook or a file; arguments as :class:`Player` takes them.

    Raises:
        TooLarge: a tensor has more than 65,536 elements.
    """
    return Player(trace, look, directions)


def json_safe(value: Any) -> str:
    """JSON that cannot close the script element that contains it."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def script_safe(text: str) -> str:
    """JavaScript that cannot close the script element that contains it."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def plotly_element(where: str) -> tuple[str, str]:
    """The element that brings plotly.js, and what the policy has to permit for it.

    Args:
        where: as :meth:`Player.html` takes it.

    Raises:
        Error: it is none of those.
    """
    if where == "inline":
        text = _inline_plotly()
        return f"<script>{text}</script>", script_hash(text)
    if where == "packed":
        return _packed_plotly()
    parts = urlsplit(where) if isinstance(where, str) and _ADDRESS.fullmatch(where) else None
    if parts and parts.scheme in ("http", "https") and parts.netloc:
        sources = f"{parts.scheme}://{parts.netloc}{parts.path}"
    elif parts and not parts.scheme and not parts.netloc and parts.path:
        sources = OWN
    else:
        raise Error(
            _(
                "plotly is {address!r}; it must be 'inline', 'packed', or the address of "
                "plotly.min.js, such as 'plotly.min.js' or 'https://...'."
            ).format(address=where[:80] if isinstance(where, str) else where),
            "plotly",
        )
    return f'<script src="{html.escape(where)}"></script>', sources


@cache
def _inline_plotly() -> str:
    return script_safe(plotly_script())


@cache
def _packed_plotly() -> tuple[str, str]:
    """plotly.js as compressed data, which the page unpacks."""
    text = _inline_plotly()
    # no time stamp, so that the page is the same every time
    data = base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode("ascii")
    return f'<script type="application/gzip" id="plotly">{data}</script>', script_hash(text)
