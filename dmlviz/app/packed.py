"""Streamlit's scripts and style sheets, compressed once: Streamlit sends them uncompressed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from dmlviz.base.static_files import compressed, takes_gzip, unchanging

_STATIC = Path(streamlit.__file__).parent / "static"
_KINDS = {".js": "text/javascript", ".css": "text/css"}
_LARGEST = 2_000_000


class Packed:
    """Middleware that answers for these files and passes on every other request."""

    def __init__(self, app: ASGIApp, base: str = "") -> None:
        self.app = app
        self.base = base

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer if the browser asks for the whole of such a file and accepts gzip."""
        name = _compressible_path(scope).removeprefix(f"{self.base}/")
        if name not in _names():
            await self.app(scope, receive, send)
            return
        body = await run_in_threadpool(_bytes, name)
        kind = _KINDS[Path(name).suffix]
        answer = unchanging(Headers(scope=scope), lambda _packed: body, kind)
        await answer(scope, receive, send)


def _compressible_path(scope: Scope) -> str:
    """The path of a file that is asked for in whole and compressed, or ``""``."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return ""
    asked = Headers(scope=scope)
    return str(scope["path"]) if takes_gzip(asked) and "range" not in asked else ""


def pack_first() -> None:
    """Compress what the first page loads, so that the first visitor does not wait for it."""
    page = (_STATIC / "index.html").read_text(encoding="utf-8")
    for name in _names():
        if name in page:
            _bytes(name)


@cache
def _names() -> frozenset[str]:
    """The files, as paths from the app's root, but those that are too large to keep."""
    return frozenset(
        path.relative_to(_STATIC).as_posix()
        for path in (_STATIC / "static").glob("*/*")
        if path.suffix in _KINDS and path.stat().st_size <= _LARGEST
    )


@cache
def _bytes(name: str) -> bytes:
    return compressed((_STATIC / name).read_bytes())
