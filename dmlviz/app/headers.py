"""The headers of every response: browsers load and run only the app's own files."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import parse_qs

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dmlviz.app.origin_check import OriginCheck
from dmlviz.app.packed import Packed
from dmlviz.app.server import EXPLORERS, base_path, player_address, plotly_address
from dmlviz.base.deferred import regex
from dmlviz.picture.policy import script_hash

_INLINE = regex(r"<script>(.*?)</script>", re.DOTALL)
# as a policy can name it; browsers ignore IPv6 addresses there
_HOST = regex(r"[A-Za-z0-9.-]+(?::[0-9]+)?")

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    # an address contains the user's work, so other sites must not get it
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""The headers of every response."""


def app_policy(host: str, *, embedded: bool = False) -> str:
    """The content security policy of one of the app's own pages.

    It allows no scripts, pictures or connections of other sites, so that a text cannot load a
    picture. It allows the inline styles of Streamlit and Plotly.

    Args:
        host: the name and port that the browser asked for.
        embedded: whether it is shown inside a page of any site; otherwise only the app's own
            pages can frame it.
    """
    # in some browsers 'self' does not include WebSockets
    sockets = f"ws://{host} wss://{host}" if _HOST.fullmatch(host) else ""
    rules = {
        "default-src": "'self'",
        # components run from a blob; Streamlit's page has one inline script
        "script-src": f"'self' blob: {_streamlit_scripts()}",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' data: blob:",
        "connect-src": f"'self' data: blob: {sockets}",
        "worker-src": "'self' blob:",
        "frame-src": "'self' data: blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
    }
    # even * would keep out a page that was opened from a file
    if not embedded:
        rules["frame-ancestors"] = "'self'"
    return "; ".join(f"{name} {sources}".strip() for name, sources in rules.items())


@cache
def _streamlit_scripts() -> str:
    """The sources of the inline scripts of Streamlit's own page."""
    page = Path(streamlit.__file__).parent / "static" / "index.html"
    try:
        text = page.read_text(encoding="utf-8")
    except OSError:  # this Streamlit keeps its page elsewhere
        return "'unsafe-inline'"
    return " ".join(script_hash(script) for script in _INLINE.findall(text))


def _is_embedded(scope: Scope) -> bool:
    """Whether a page shows the stage alone, for pages of other sites: ``/tile?embed=true``."""
    words = parse_qs(scope["query_string"].decode("latin-1"))
    return _is_explorer(scope["path"].rstrip("/")) and (
        "true" in map(str.lower, words.get("embed", ()))
    )


def _is_explorer(path: str) -> bool:
    return path.rpartition("/")[2] in EXPLORERS


@cache
def _early() -> str:
    """What a picture needs, so that browsers fetch it while they start Streamlit's own page.

    The paths are relative to the page's.
    """
    return f"<{plotly_address()}>; rel=preload; as=script, <{player_address()}>; rel=modulepreload"


def middleware() -> list[Middleware]:
    """For ``st.App``: the headers of every response, the origin check, and scripts compressed."""
    return [Middleware(_Headers), Middleware(OriginCheck), Middleware(Packed, base=base_path())]


class _Headers:
    """Adds missing headers to responses and changes nothing else."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if headers.get("content-type", "").startswith("text/html"):
                    host = Headers(scope=scope).get("host", "")
                    policy = app_policy(host, embedded=_is_embedded(scope))
                    headers.setdefault("Content-Security-Policy", policy)
                    if _is_explorer(scope["path"]):
                        headers.append("Link", _early())
            await send(message)

        await self.app(scope, receive, with_headers)
