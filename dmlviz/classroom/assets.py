"""The files of the class's pages; addresses change with them, so browsers cache them forever."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from dmlviz.player.files import scale, style
from dmlviz.served import compressed, unchanging

_HERE = Path(__file__).resolve().parent / "pages"
_KINDS = {"js": "text/javascript", "css": "text/css"}
_PLAYER = "player.css"
_FIRST = ("learner.css", "staff.css")
"""The style sheets that a page loads first, after the scale."""


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
    told = hashlib.sha256()
    for name in sorted(asset_names()):
        told.update(f"{name}\0".encode() + _bytes(name) + b"\0")
    return told.hexdigest()[:12]


@cache
def asset_names() -> frozenset[str]:
    """The names of all files."""
    own = {path.name for path in _HERE.iterdir() if path.suffix[1:] in _KINDS}
    return frozenset({*own, _PLAYER})


@cache
def page_template(name: str) -> str:
    """An HTML page, with ``$names`` to fill in."""
    return (_HERE / name).read_text(encoding="utf-8")


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
