"""The files of the class's pages; addresses change with them, so browsers cache them forever."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from dmlviz.base import words
from dmlviz.base.static_files import compressed, unchanging
from dmlviz.base.templates import render, trusted
from dmlviz.base.words import _
from dmlviz.picture.files import scale, style
from dmlviz.picture.page import json_safe

_HERE = Path(__file__).resolve().parent / "pages"
_KINDS = {"js": "text/javascript", "css": "text/css"}
_PLAYER = "player.css"
_FIRST = ("learner.css", "staff.css")
"""The style sheets that a page loads first, after the scale."""

_SOURCES = {
    "default-src": "'none'",
    "script-src": "'self'",
    # the player and Plotly add inline styles
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
}
_POLICY = "; ".join(f"{name} {sources}" for name, sources in _SOURCES.items())
# what is in the page itself cannot say who frames it
_HEADER_POLICY = f"{_POLICY}; frame-ancestors 'none'"


def asset_routes(base: str) -> Sequence[BaseRoute]:
    """The routes of the files; any other address below them gives 404.

    Args:
        base: the prefix of their addresses: ``""`` or ``"/prefix"``.
    """
    return [Route(f"{base}/class-assets/{{rest:path}}", _asset, methods=["GET"])]


def assets_address(base: str) -> str:
    """The address below which the files are, including ``player.css``."""
    return f"{base}/class-assets/{assets_version()}"


@cache
def assets_version() -> str:
    """A short name that changes when any of the files changes."""
    hasher = hashlib.sha256()
    for name in sorted(asset_names()):
        hasher.update(f"{name}\0".encode() + _bytes(name) + b"\0")
    return hasher.hexdigest()[:12]


@cache
def asset_names() -> frozenset[str]:
    """The names of all files."""
    own = {path.name for path in _HERE.iterdir() if path.suffix[1:] in _KINDS}
    return frozenset({*own, _PLAYER})


def page_response(
    template: str,
    base: str,
    title: str,
    settings: Any,
    *,
    referrer: str,
    status: int = 200,
    **values: Any,
) -> Response:
    """An HTML page that loads nothing but the app's own files.

    Args:
        template: the name of its file.
        base: the prefix of the addresses.
        title: of the page.
        settings: what its script reads, as JSON; None if it has no script.
        referrer: whom the browser may tell the page's address, as ``Referrer-Policy`` says it.
        status: the HTTP status.
        values: what else the template uses; texts are escaped.
    """
    text = render(
        _HERE,
        template,
        language=words.language(),
        policy=_POLICY,
        title=title,
        assets=assets_address(base),
        noscript="" if settings is None else _("This page needs JavaScript."),
        settings=settings,
        settings_json=trusted(json_safe(settings)),
        **values,
    )
    headers = {
        "Cache-Control": "no-store",
        "Content-Security-Policy": _HEADER_POLICY,
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": referrer,
        "Vary": "Accept-Language, Cookie",
    }
    return Response(text, status, headers, "text/html")


async def _asset(request: Request) -> Response:
    version, _slash, name = request.path_params["rest"].partition("/")
    if version != assets_version() or name not in asset_names():
        return Response("Not found", 404, {"Cache-Control": "no-store"}, "text/plain")
    kind = _KINDS[name.rpartition(".")[2]]
    return unchanging(request.headers, partial(_bytes, name), kind)


@cache
def _bytes(name: str, packed: bool = False) -> bytes:
    if packed:
        return compressed(_bytes(name))
    if name == _PLAYER:
        return style().encode()
    own = (_HERE / name).read_bytes()
    return scale().encode() + own if name in _FIRST else own
